"""The tournament of `wallwright serve --demo`: begun through the event's own desk, in the hall's journal.

Its first session has been played at for a while when the hall is opened; what its tables told is told here again, in
the order in which it was.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from ...event import results, running, sanctions, setup
from ...event.desk import Desk
from ...event.draw import SEED_SIZE
from ...event.format import EventFormat
from ...event.format_file import PRESETS, load_format
from ...event.limits import MINUTE_MS
from ...event.movement import move_on
from ...event.players import Player, Roster
from ...event.state_parts import MAIN
from ...event.store import open_event
from ...link.reports import Event
from ...rehearsal.day import rehearsal_format
from ...rules.core.game_rules import GameRules
from ...rules.found import as_game
from ...rules.sichuan.ruleset import Ruleset
from .program import EVENT

SESSIONS = 2
DIRECTOR, REFEREE, SCORER = "Meng Lan (director)", "Tao Weiguo (referee)", "Bai Xue (scorer)"

FAMILIES = (
    "Chen", "Wu", "Li", "Zhao", "Tang", "Sun", "Deng", "Feng", "Guo", "Han", "Jiang", "Kong",
    "Luo", "Ma", "Pan", "Qin", "Ren", "Shen", "Tian", "Wei", "Xie", "Yuan", "Zeng", "Zhou",
)  # fmt: skip
GIVEN = (
    "Yulan", "Jianguo", "Xiaoming", "Min", "Haoran", "Lijuan", "Wei", "Xia", "Peng", "Mei", "Tao", "Shuyi",
    "Jing", "Chao", "Yifei", "Lan", "Zihan", "Guang", "Rui", "Ping", "Hong", "Bo", "Yan", "Kai",
)  # fmt: skip
CLUBS = ("Jinjiang", "Wuhou", "Qingyang", "Chenghua", "Wenjiang", "Pidu")


class _Time:
    """The clock at the desk, which the demonstration sets."""

    def __init__(self, now_ms: int) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms


def format_of(rules: Ruleset | GameRules) -> EventFormat:
    """Return the format of the demonstration's tournament by these rules."""
    preset, game = as_game(rules).preset, as_game(rules).game
    formats = [one for one in map(load_format, PRESETS) if one.game.game.name == game.name]
    like = next((one for one in formats if one.game.preset == preset), formats[0])
    # A visitor finds a session that goes on for a while, however quick the bots are.
    like = replace(rehearsal_format(like, SESSIONS), ruleset=rules, deals=0)
    return replace(like, name="Brocade City Open") if isinstance(rules, Ruleset) else like


def begin_event(
    place: str,
    event_format: EventFormat,
    units: Sequence[str],
    told: Sequence[Mapping[str, Any]],
    start_ms: int,
    seed: int,
) -> None:
    """Begin a tournament in the new journal `place`, four players for each of the boards `units`.

    Session 1 starts at `start_ms`, since 1970; `told` is what tables told after that, each with kind, unit and at_ms.
    """
    time = _Time(start_ms - 90 * MINUTE_MS)
    chance = Random(f"event {seed}")
    with open_event(place, DIRECTOR, time, new=True) as desk:
        _set_up(desk, event_format, time, units, chance)
        running.open_session(desk, 1)
        time.now_ms = start_ms
        running.start_session(desk, 1)
        plans = [(start_ms + 9 * MINUTE_MS, _penalise), (start_ms + 17 * MINUTE_MS, _confirm)]
        for one in told:
            while plans and plans[0][0] <= one["at_ms"]:
                time.now_ms, plan = plans.pop(0)
                plan(desk)
            if one["kind"] == EVENT:
                desk.append_event(one["unit"], Event(**one["event"]), at_ms=one["at_ms"])
                continue
            body = {name: value for name, value in one.items() if name not in ("table", "kind", "at_ms", "unit")}
            desk.append(one["kind"], body, at_ms=one["at_ms"], unit=one["unit"])
            if one["kind"] == "deal_result":
                time.now_ms = max(time.now_ms, one["at_ms"])
                move_on(desk, 1)


def _set_up(desk: Desk, event_format: EventFormat, time: _Time, units: Sequence[str], chance: Random) -> None:
    setup.create(desk, event_format)
    setup.import_players(desk, Roster(_players(4 * len(units), chance)), "players.csv")
    secret = chance.randbytes(SEED_SIZE)
    time.now_ms += 20 * MINUTE_MS
    setup.commit_draw(desk, MAIN, secret)
    for player in desk.state.roster.players[:3]:
        time.now_ms += MINUTE_MS
        setup.contribute(desk, MAIN, player.name, " ".join(str(chance.randint(1, 6)) for _ in range(3)))
    time.now_ms += MINUTE_MS
    setup.reveal_draw(desk, MAIN, secret)
    for table, unit in enumerate(units, 1):
        setup.bind_table(desk, table, unit)
    time.now_ms += 45 * MINUTE_MS


def _players(count: int, chance: Random) -> tuple[Player, ...]:
    """Return `count` players, each with another name."""
    pairs = [f"{family} {given}" for family in FAMILIES for given in GIVEN if family != given]
    names = chance.sample(pairs, count)
    return tuple(Player(number, name, CLUBS[number % len(CLUBS)]) for number, name in enumerate(names, 1))


def _penalise(desk: Desk) -> None:
    desk.by = REFEREE
    player = desk.sheet(1, 2).players[1]
    name, amount = ("points", Fraction(2)) if "points" in desk.format.penalties else ("serious_warning", None)
    sanctions.give_penalty(desk, player, name, "a phone rang a second time", amount=amount, session=1)


def _confirm(desk: Desk) -> None:
    """The scorer has been at two tables of three, as far as they had told."""
    desk.by = SCORER
    for sheet in desk.session(1).tables:
        if sheet.table % 3:
            results.confirm(desk, 1, sheet.table)
