"""An event on paper: a journal in memory, a clock that is set, and deals that bots have played without a table."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any

from wallwright.event import results, running, setup
from wallwright.event.desk import Desk
from wallwright.event.format import EventFormat
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state import EventState
from wallwright.event.state_parts import MAIN
from wallwright.journal import Entry
from wallwright.journal.kinds.deals import DealResult
from wallwright.journal.kinds.desk import Scored
from wallwright.link.reports import Event
from wallwright.rules.sichuan.bots import SmartBot
from wallwright.rules.sichuan.declarations import deal_record
from wallwright.rules.sichuan.doubts import doubts, say_of_hands
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.rules.sichuan.settlement import Settlement

SEED = b"s" * 32
MINUTE = 60_000
POOL = 8
"""So many deals are played for each dealer, once in a run of the tests."""


class MemoryLog:
    """Entries as JSON, as a journal keeps them."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        number = len(self.lines) + 1
        self.lines.append(json.dumps([number, at_ms, unit, kind, body]))
        return number

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        return self.append(event.name, {"fields": dict(event.fields), "time_ms": event.time_ms}, at_ms=at_ms, unit=unit)

    @contextmanager
    def batch(self) -> Iterator[None]:
        yield

    def checkpoint(self, *, at_ms: int) -> str:
        return f"checkpoint {self.append('checkpoint', {}, at_ms=at_ms)}"

    def facts(self) -> list[Entry]:
        found = map(json.loads, self.lines)
        return [Entry.of(number, at_ms, unit, None, None, kind, body) for number, at_ms, unit, kind, body in found]


class Paper:
    """An event with players P1, P2 ...; `tick` lets minutes pass."""

    def __init__(self, players: int = 8, event_format: EventFormat | None = None, clubs: int = 0) -> None:
        self.log = MemoryLog()
        self.time_ms = 1_700_000_000_000
        self.desk = Desk(self.log, EventState(), lambda: self.time_ms, "Ref")
        setup.create(self.desk, event_format or load_format("chengdu-grand-prix"))
        names = [Player(n, f"P{n}", f"club {n % clubs}" if clubs else "") for n in range(1, players + 1)]
        setup.import_players(self.desk, Roster(tuple(names)), "players.csv")

    @property
    def state(self) -> EventState:
        return self.desk.state

    def result(self, entry: int) -> Scored | DealResult:
        """What the entry of a result says."""
        said = self.log.facts()[entry - 1].said
        assert isinstance(said, Scored | DealResult)
        return said

    def draw(self, *, byes: bool = False, stand_ins: bool = False) -> "Paper":
        setup.commit_draw(self.desk, MAIN, SEED, byes=byes, stand_ins=stand_ins)
        setup.contribute(self.desk, MAIN, "P1", "4 2")
        setup.reveal_draw(self.desk, MAIN, SEED)
        return self

    def tick(self, minutes: float) -> None:
        self.time_ms += int(minutes * MINUTE)

    def start(self, session: int = 1) -> "Paper":
        running.open_session(self.desk, session)
        running.start_session(self.desk, session)
        return self

    def play(self, session: int, table: int, deals: int, seed: int = 1) -> list[Settlement]:
        """Declare so many deals; return what the rules say that each came to."""
        chance = Random(f"{seed} {session} {table}")
        settled = []
        for _ in range(deals):
            sheet = self.desk.sheet(session, table)
            record, settlement = declared(self.desk.format.sichuan, sheet.next_dealer, chance)
            results.record_result(self.desk, results.preview(self.desk, session, table, record))
            settled.append(settlement)
        return settled

    def play_session(self, session: int, deals: int = 2, seed: int = 1) -> None:
        """From open to provisional."""
        self.start(session)
        tables = range(1, len(self.state.sessions[session].tables) + 1)
        for table in tables:
            self.play(session, table, deals, seed)
        self.tick(self.desk.format.minutes)
        running.stop_session(self.desk, session)
        for table in tables:
            running.sign_off(self.desk, session, table)

    def again(self) -> EventState:
        """What a host that starts now makes of the journal."""
        return EventState().apply_all(self.log.facts())


def declared(ruleset: Ruleset, dealer: int, chance: Random) -> tuple[dict[str, Any], Settlement]:
    """A deal that bots have played, as a scorer would declare it, and what the rules made of the tracked one."""
    return _played(ruleset, dealer, chance.randrange(POOL))


@cache
def _played(ruleset: Ruleset, dealer: int, number: int) -> tuple[dict[str, Any], Settlement]:
    chance = Random(f"{dealer} {number}")
    _, deal = shuffled_deal(ruleset, dealer, chance)
    bot = SmartBot()
    play(deal, (bot, bot, bot, bot), chance)
    told = deal.declared()
    record = say_of_hands(deal_record(told), doubts(told, told.settle()))
    return record, deal.settle()
