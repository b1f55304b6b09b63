"""Any fault of the simulator, at any moment, in any game: what bots play there ends in words, with a code of the help.

The faults are made from the forms of `faults.CLASSES`, so that a new one is tried from its first day on.
"""

import re
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from tests.length import LONG
from wallwright.cli.program import run
from wallwright.console.demo.bots import Bots
from wallwright.event.format import OWN_DEALS
from wallwright.event.format_file import PRESETS, load_format
from wallwright.journal import read_journal
from wallwright.rehearsal import day
from wallwright.rules.core.game_rules import GameRules
from wallwright.rules.core.registry import games
from wallwright.rules.found import as_game, find_rules
from wallwright_protocol.link import NEVER
from wallwright_simulator.faults import CLASSES, OF_READERS, OF_SORTERS, Fault, FaultError, parse_faults
from wallwright_simulator.simulation import Simulation

RULESETS = tuple(name for game in games() for name in game.rulesets)
EVENINGS = {
    one.game.preset: name for name, one in ((name, load_format(name)) for name in PRESETS) if one.duplicate == OWN_DEALS
}
SEEDS = range(3)
DEALS = 2
LATEST_MS = 700_000
"""Two deals and more."""
FIELD = re.compile(r"<(\w+):([^>]+)>")
FITTING: dict[str, Sequence[int]] = {
    "side": range(4),
    "reader": range(20),
    "input": range(45),
    "output": range(32),
    "tile": range(304),
    "size": (108, 112, 116, 120, 136, 144, 152),
    "time": (100, 2_500, 15_000, 60_000),
    "share": range(1001),
}
NO_WORDS = re.compile(r"Traceback|\w\w(Error|Exception)\b|\bNone\b|lambda|<\w")


class Case(NamedTuple):
    """A fault of class `kind` at the table of a ruleset's game; the rest follows from `seed`."""

    kind: type[Fault]
    ruleset: str
    seed: int

    def __str__(self) -> str:
        return f"{self.kind.__name__}, {self.ruleset}, seed {self.seed}"

    def script(self) -> str:
        """Return the lines of the fault and, for every second seed, of another one besides."""
        chance = Random(str(self))
        faults = [fault(self.kind, chance, chance.choice(moments(self.ruleset)))]
        if self.seed % 2:
            faults.append(fault(chance.choice(CLASSES), chance, chance.randrange(LATEST_MS)))
        return "\n".join(map(str, faults))


def cases(rulesets: Sequence[str], first: int = 0, step: int = 1) -> list[Case]:
    """Faults from the first one on with one of the games, or every fault with every game and several seeds."""
    if LONG:
        return [Case(kind, one, seed) for seed in SEEDS for kind in CLASSES for one in rulesets]
    return [Case(kind, rulesets[at % len(rulesets)], at) for at, kind in enumerate(CLASSES)][first::step]


@cache
def moments(ruleset: str) -> tuple[int, ...]:
    """A time within each stay of a table in a state, in ms since power-up, when nothing fails for two deals."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "even.journal"
        assert ended("demo", "--game", ruleset, "--deals", DEALS, "--journal", path, "--json") == 0
        begun = [entry.body["time_ms"] for entry in read_journal(path) if entry.kind == "state_changed"]
    return (0, *((begin + end) // 2 for begin, end in pairwise(begun)))


def fault(kind: type[Fault], chance: Random, at_ms: int) -> Fault:
    """Return a fault of a class, with values that its form allows; what may be left out is left out now and then."""
    values: dict[str, Any] = {}
    optional = set(re.findall(r"\[[^<\]]*<(\w+):", kind.FORM))
    for name, of in FIELD.findall(kind.FORM):
        if name == "at_ms":
            values[name] = at_ms
        elif name not in optional or chance.random() < 0.5:
            values[name] = chance.choice(FITTING.get(of) or of.split("|"))
    return kind(**values)


def tiles_of(rules: GameRules) -> int:
    """Return how many tiles a set of the game has."""
    return rules.game.table(rules.asked({})).tiles


def ended(*arguments: object) -> int:
    """Run a command of the program; return its exit code. What is no error of the project's comes out as it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["wallwright", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            run()
    code = end.value.code
    return 0 if code is None else int(code)


@pytest.mark.parametrize("case", cases(RULESETS), ids=str)
def test_a_demonstration_ends_in_words(case: Case, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "faults.txt"
    path.write_text(case.script())
    capfd.readouterr()
    fitted = ["--readers", "all"] if case.kind in OF_READERS else []
    fitted += ["--hardware", "ring", "--magnets", "18"] if case.kind in OF_SORTERS else []
    code = ended(
        "demo", "--game", case.ruleset, "--seed", case.seed, "--deals", DEALS, "--faults", path, "--json", *fitted
    )
    out, err = capfd.readouterr()
    assert code in (0, 2, 3, 4), "played, wrong usage, the link, the table"
    assert not NO_WORDS.search(err)
    if code:
        assert re.fullmatch(r"error: .{40,}\n", err)
    else:
        assert out.count("\n") == DEALS


@pytest.mark.parametrize("case", cases(tuple(EVENINGS), 0, 2), ids=str)
def test_a_rehearsed_day_goes_on(
    case: Case, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table that fails is swapped, and its deal annulled; a script that does not fit it is refused."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "keys"))
    script = case.script()
    monkeypatch.setattr(day, "_faults", lambda _, table: script if table == 1 else "")
    path = tmp_path / "day.toml"
    path.write_text(f'base = "{EVENINGS[case.ruleset]}"\ndeals = {DEALS}\n')
    asked = ("--players", 8, "--sessions", 1, "--format", path, "--seed", case.seed)
    code = ended("event", "rehearse", *asked)
    out, err = capfd.readouterr()
    assert not NO_WORDS.search(out + err)
    if code:
        with pytest.raises(FaultError):
            Simulation(1, tiles_of(as_game(find_rules(case.ruleset))), faults=parse_faults(script))
        assert (code, err.count("\n")) == (2, 1)
    else:
        assert "Everything adds up." in out


@pytest.mark.parametrize("case", cases(RULESETS, 1, 2), ids=str)
def test_the_bots_of_a_demonstrated_hall_play_or_leave(case: Case) -> None:
    """They have no host here; it is the one of every hall, and what fails between them is tried there."""
    rules = find_rules(case.ruleset)
    try:
        simulation = Simulation(case.seed, tiles_of(as_game(rules)), faults=parse_faults(case.script()), wash_s=None)
    except FaultError:
        return
    told: list[str] = []
    bots = Bots(simulation, case.seed, rules, lambda kind, _: told.append(kind), lambda _: True)
    while bots.due_ms < LATEST_MS:
        simulation.run_until(max(bots.due_ms, simulation.now_ms))
        bots.act()
    simulation.world.check_conserved()
    assert bots.left == (bots.due_ms == NEVER)
    assert told.count("deal_result") == bots.deals
