"""Every option of every ruleset changes an answer of `wallwright rules`, of a deal that is played, or of an event.

An option that is read and not acted upon is a promise to a club that nobody keeps.
"""

import json
from itertools import combinations, count, islice
from pathlib import Path

import pytest

from tests.host.rules.option_cases import NEEDS, QUESTIONS, VALUES
from wallwright.errors import BadConfig
from wallwright.event.format_file import load_format
from wallwright.event.settling import settle
from wallwright.rules.core.acts import parse_act
from wallwright.rules.core.errors import RulesError
from wallwright.rules.core.game import PlayedGame
from wallwright.rules.core.registry import find_game, games
from wallwright.rules.core.tiles import parse_tiles
from wallwright.rules.hong_kong.deal import Deal
from wallwright.rules.hong_kong.ruleset import load_ruleset
from wallwright.rules.sichuan.ruleset import load_ruleset as load_sichuan
from wallwright.rules.sichuan.wall import wall_plan

GROUPS = {
    preset: preset if game.name == "classical" else game.name
    for game in games()
    for preset in game.rulesets
    if game.name in (*QUESTIONS, "classical")
}
"""Preset -> the key of its questions."""
CASES = [(preset, option) for preset in GROUPS for option in find_game(preset).options(preset)]
_numbers = count()
FORMAT = """
name = "Club"
ruleset = "club.toml"
sessions = 5
sessions_a_day = 5
rank_by = "table_points"
tie_break = []
final_players = 0
final_sessions = 0
final_carry = false
appeal_minutes = 0
machine_fault = "replay"
bye_points = 0
bye_table_points = "0"
penalties = []
"""


def club(folder: Path, preset: str, option: str, value: object) -> Path:
    """A club's ruleset file that says one option."""
    path = folder / str(next(_numbers)) / "club.toml"
    path.parent.mkdir()
    path.write_text(f'base = "{preset}"\n{option} = {json.dumps(value)}\n' + NEEDS.get(option, ""))
    return path


def answer(path: Path, command: str, record: dict) -> str:
    """What a question comes to under a ruleset, a refusal too."""
    game = find_game(str(path))
    try:
        if command == "deals":
            assert isinstance(game, PlayedGame)
            lines = islice(game.deals(str(path), record["bots"], record["seed"]), record["count"])
            return json.dumps(list(lines))
        if command == "late":
            return late_claims(path)
        if command == "walls":
            return str(wall_plan(108, record["dealer"], load_sichuan(path).long_walls))
        if command in ("event", "format"):
            return of_event(path, command, record)
        ask = {"break": game.break_wall}.get(command) or getattr(game, command)
        found = ask({**record, "ruleset": str(path)})
        return json.dumps(found if isinstance(found, dict) else [str(line) for line in found])
    except (RulesError, BadConfig) as error:
        return str(error).replace(str(path.parent), "")


def of_event(path: Path, command: str, record: dict) -> str:
    """An event's format that leaves its sessions to the ruleset, or what is irregular about a deal of such an event."""
    (path.parent / "day.toml").write_text(FORMAT + ("table_points = [4, 3, 2, 1]\nminutes = 60" * (command == "event")))
    if command == "event":
        # A deal in progress may be played out when time is up.
        return str(settle(load_format(path.parent / "day.toml"), record, 0, None, asks=False).irregular)
    try:
        found = load_format(path.parent / "day.toml")
    except BadConfig:
        # The presets that give no table points leave these to the format.
        (path.parent / "day.toml").write_text(FORMAT + "table_points = [4, 3, 2, 1]\n")
        found = load_format(path.parent / "day.toml")
    return str((found.deals, found.minutes, found.warnings, found.best_of, found.table_points))


def late_claims(path: Path) -> str:
    """What may be claimed of a discard after the next player has drawn."""
    dealt = [list(parse_tiles(text)) for text in ("5m", "", "55m", "")]
    left = [kind for kind in range(34) for _ in range(4)]
    for kind in (kind for one in dealt for kind in one):
        left.remove(kind)
    left = [kind for start in range(7) for kind in left[start::7]]
    for seat, hand in enumerate(dealt):
        wanted = (14 if seat == 0 else 13) - len(hand)
        hand += left[:wanted]
        del left[:wanted]
    deal = Deal(load_ruleset(str(path)), 0, "E", dealt, len(left), left, list(reversed(range(len(left)))))
    deal.apply(parse_act("0 discard 5m"))
    while deal.state.drawn is None:
        deal.apply(deal.legal()[0])
    return str((deal.legal(), deal.late()))


@pytest.mark.parametrize("preset", GROUPS)
def test_every_option_has_values_to_be_told_apart(preset):
    assert set(find_game(preset).options(preset)) == set(VALUES[GROUPS[preset]])


@pytest.mark.slow
@pytest.mark.parametrize(("preset", "option"), CASES)
def test_an_option_changes_an_answer(preset, option, tmp_path):
    values = VALUES[GROUPS[preset]][option]
    clubs = {str(value): club(tmp_path, preset, option, value) for value in values}
    same = set(combinations(clubs, 2))
    for command, record in QUESTIONS[GROUPS[preset]]:
        if not same:
            break
        if option in record.get("options", {}):
            continue
        answers = {name: answer(path, command, record) for name, path in clubs.items()}
        same = {pair for pair in same if answers[pair[0]] == answers[pair[1]]}
    assert not same, f"{option} of {preset}: no question tells these values apart: {sorted(same)}"


@pytest.mark.parametrize(
    ("base", "option", "values"),
    [("sichuan", "fan_limit", (2, 3)), ("hong-kong", "min_faan", (3, 4)), ("cumberland", "session_hands", (2, 3))],
)
def test_a_ruleset_of_a_file_is_that_of_the_file_as_it_is(base, option, values, tmp_path, monkeypatch):
    """It was that of a file of the same name in another folder, or as it had been."""
    for number, value in enumerate((*values, None)):
        folder = tmp_path / str(number % 2)
        folder.mkdir(exist_ok=True)
        monkeypatch.chdir(folder)
        Path("house.toml").write_text(f'base = "{base}"\n' + (f"{option} = {value}\n" if value is not None else ""))
        expected = find_game(base).options(base)[option] if value is None else value
        assert find_game("house.toml").options("house.toml")[option] == expected
