"""Every single fault of the electrics in every state of the table: is it dangerous, is it told, when does all stand?

The faults are in `firmware/safety/faults.toml`. Each begins at a table that people operate; they go on as its panels
ask. The judge knows the world alone: which motors have voltage, where the lid stands, whether somebody has switched
them on by the registers. `.venv-dev/bin/python -m tests.campaign.single_faults --seed 1 --write` tries all of them and
writes `firmware/safety/results.json`, from which docs/safety.md is made.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from itertools import pairwise
from math import ceil
from typing import Any, NamedTuple

from tests.scenarios.watch import is_fault
from tools.safety_table import SAFETY, load_rows
from wallwright_protocol import codes
from wallwright_protocol.hardware import LID_CLOSE, LID_OPEN, OUTPUTS, PARTS, SIDES, STANDARD_PARTS
from wallwright_protocol.names import DRIVES, FAULTS, INPUTS, STATES
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.surface import PhysicalError

STEP_MS = 5
RELEASE_MS = 30
"""A drive may have voltage so long after it was switched off: a relay's release (10 ms, datasheet) and a step."""
GOES_ON_MS = 60_000
"""People go on for so long after the fault began: a whole cycle."""
WAIT_MS = 1_500
"""Before somebody does what the panel asks for."""
CLEARS = 3
"""So often a fault is cleared; then people leave the table alone."""
OPEN_LID = sum(1 << number for number in range(len(DRIVES))) & ~(LID_OPEN | LID_CLOSE)
"""Drives that may have no voltage while the lid is not closed."""


def _shown(simulation: Simulation) -> str:
    return simulation.board.displays[0]


def _until(simulation: Simulation, shown: str, limit_ms: int = 90_000) -> None:
    end_ms = simulation.now_ms + limit_ms
    while _shown(simulation) != shown:
        if simulation.now_ms >= end_ms:
            raise AssertionError(f"a healthy table shows {_shown(simulation)!r}, not {shown!r}")
        simulation.run_until(simulation.now_ms + 20)


def _start_to_ready(simulation: Simulation) -> None:
    _start(simulation)
    _until(simulation, "READY")


def _to_ready(simulation: Simulation) -> None:
    _start_to_ready(simulation)
    simulation.run_until(simulation.now_ms + 7_000)  # the drum is looked into


def _start(simulation: Simulation) -> None:
    simulation.run_until(500)
    simulation.players.press_lift(0)


def _to_lid_open(simulation: Simulation) -> None:
    _to_ready(simulation)
    simulation.players.press_lift(0)
    _until(simulation, "DROP")


def _to_closing(simulation: Simulation) -> None:
    _to_lid_open(simulation)
    simulation.run_until(simulation.now_ms + 1_000)
    simulation.players.push_in()
    simulation.players.press_lift(0)


def _to_walls_up(simulation: Simulation) -> None:
    _to_closing(simulation)
    _until(simulation, "DICE?")
    simulation.run_until(simulation.now_ms + 1_000)
    simulation.players.draw_in()


def _in_state(reach: Callable[[Simulation], None], state: int, act: Callable[[Simulation], None]) -> "Reach":
    """Go on from `reach` by `act` until the table is in a state, and a little further."""

    def go(simulation: Simulation) -> None:
        reach(simulation)
        act(simulation)
        end_ms = simulation.now_ms + 20_000
        while simulation.app.cycle.state != state:  # type: ignore[attr-defined]
            if simulation.now_ms > end_ms:
                raise AssertionError(f"a healthy table does not come into {STATES[state]}")
            simulation.run_until(simulation.now_ms + STEP_MS)
        simulation.run_until(simulation.now_ms + 300)

    return go


def _press_lift(simulation: Simulation) -> None:
    simulation.players.press_lift(0)


def _press_dice(simulation: Simulation) -> None:
    simulation.players.press_dice(1)


def _press_stop(simulation: Simulation) -> None:
    simulation.world.emergency_stop(True)


def _nothing(_: Simulation) -> None:
    pass


Reach = Callable[[Simulation], None]
PLACES: dict[str, Reach] = {
    "idle": _in_state(lambda simulation: simulation.run_until(500), codes.IDLE, _nothing),
    "shuffling": _in_state(_start, codes.SHUFFLING, _nothing),
    "building": _in_state(_start, codes.BUILDING, _nothing),
    "checking": _in_state(_start_to_ready, codes.CHECKING, _press_lift),
    "ready": _in_state(_to_ready, codes.READY, _nothing),
    "lid_opening": _in_state(_to_ready, codes.LID_OPENING, _press_lift),
    "lid_open": _in_state(_to_lid_open, codes.LID_OPEN, _nothing),
    "lid_closing": _in_state(_to_closing, codes.LID_CLOSING, _nothing),
    "lifting": _in_state(_to_closing, codes.LIFTING, _nothing),
    "walls_up": _in_state(_to_walls_up, codes.WALLS_UP, _nothing),
    "lowering": _in_state(_to_walls_up, codes.LOWERING, _press_dice),
    "fault": _in_state(_start, codes.FAULT, _press_stop),
}
"""State of the table -> how people bring a healthy one there."""
WASH_S = 10


class Case(NamedTuple):
    """One fault in one state: the row of the table by its place there, the script of the fault, the state."""

    row: int
    script: str
    state: str
    seed: int


class Outcome(NamedTuple):
    """The result of a case. `danger_ms` is the longest time for which it was dangerous without a pause; 0: never."""

    case: Case
    told: tuple[str, ...]
    danger_ms: int
    what: str


class Judge:
    """Looks at the world of one simulation at each step."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._counts = self._told_so_far()
        self.told: set[str] = set()
        self._first_ms = self._last_ms = -1
        self.danger_ms = 0
        """The longest time for which it was dangerous without a pause."""
        self.what = ""
        self._off_ms = [-RELEASE_MS] * len(DRIVES)
        """When each drive was last switched on by the program."""

    def look(self) -> None:
        """Note what is dangerous now, and what was told."""
        simulation = self._simulation
        now_ms, world = simulation.now_ms, simulation.world
        outputs = getattr(simulation.app, "outputs", None)
        wanted = outputs.mask if outputs else 0
        for drive in range(len(DRIVES)):
            if wanted >> drive & 1:
                self._off_ms[drive] = now_ms
        runs = world.terminals.powered
        alone = [
            DRIVES[drive]
            for drive in range(len(DRIVES))
            if runs >> drive & 1 and now_ms - self._off_ms[drive] > RELEASE_MS
        ]
        if alone:
            self._note(now_ms, f"{alone[0]} runs though nothing has switched it on")
        elif runs & OPEN_LID and not world.lid.at_start:
            self._note(now_ms, "a motor below the lid runs while it is not closed")
        counts = self._told_so_far()
        self.told |= {FAULTS[fault] for fault, count in enumerate(counts) if count > self._counts[fault]}
        self._counts = counts

    def _note(self, now_ms: int, what: str) -> None:
        self.what = self.what or what
        if now_ms - self._last_ms > STEP_MS:
            self._first_ms = now_ms
        self._last_ms = now_ms
        self.danger_ms = max(self.danger_ms, now_ms - self._first_ms + STEP_MS)

    def _told_so_far(self) -> tuple[int, ...]:
        counters = getattr(self._simulation.app, "counters", None)
        return counters.values()[1 + SIDES : 1 + SIDES + len(FAULTS)] if counters else (0,) * len(FAULTS)


class People:
    """They do what the panels ask for, WAIT_MS after it was shown, and release the emergency stop.

    Somebody presses START as soon as that brings the supply back (`ModelledSupply`)."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._shown = ""
        self._since_ms = 0
        self._clears = 0

    def look(self) -> None:
        """Act if it is time."""
        simulation = self._simulation
        shown, now_ms = _shown(simulation), simulation.now_ms
        if shown != self._shown:
            self._shown, self._since_ms = shown, now_ms
        if now_ms - self._since_ms < WAIT_MS:
            return
        self._since_ms = now_ms
        with suppress(PhysicalError):  # a lift that is not up, a lid that is not open, a key that sticks
            self._act(shown)

    def _act(self, shown: str) -> None:
        simulation = self._simulation
        world, players = simulation.world, simulation.players
        world.emergency_stop(False)
        if is_fault(shown):
            self._clears += 1
            if self._clears <= CLEARS:
                players.press_lift(0)
        elif shown == "DICE?":
            players.draw_in()
            players.press_dice(1)
        elif shown == "NEXT?":
            players.press_dice(1)
        elif shown == "DROP":
            players.push_in()
            players.press_lift(0)
        elif shown == "READY" or shown.endswith("?"):
            players.press_lift(0)


_DRIVES = [name.replace("_", " ") for name in DRIVES]
_INPUTS = [str(number) for number in range(len(INPUTS))]
NAMES: dict[str, Sequence[str]] = {
    "drives": _DRIVES,
    "inputs": _INPUTS,
    "neighbours": [f"{one} and {other}" for one, other in pairwise(_INPUTS)],
    "outputs": [str(place) for place in range(OUTPUTS)],
    "sides": [str(side) for side in range(SIDES)],
}


def scripts(row: Mapping[str, Any]) -> list[str]:
    """Return the scripts of a row, one for each thing that can fail in this way; none where hardware alone holds."""
    if "hardware" in row:
        return []
    line = row["line"]
    if "each" in row:
        return [line.replace("NAME", name) for name in NAMES[row["each"]]]
    if "all" in row:
        names = NAMES[row["all"]]
        size = row.get("groups", len(names))
        groups = [names[at : at + size] for at in range(0, len(names), size)]
        return ["\n".join(line.replace("NAME", name) for name in group) for group in groups]
    return [line]


def cases(seed: int) -> Iterator[Case]:
    """Give every case: each thing that can fail, in each state."""
    for number, row in enumerate(load_rows()):
        for script in scripts(row):
            for state in PLACES:
                yield Case(number, script, state, seed)


def run(case: Case) -> Outcome:
    """Try a case."""
    parts = PARTS if load_rows()[case.row].get("interlocked") else STANDARD_PARTS
    simulation = Simulation(case.seed, wash_s=WASH_S, parts=parts)
    PLACES[case.state](simulation)
    judge, people = Judge(simulation), People(simulation)
    at = f"{simulation.now_ms / 1000} s"
    Injection(simulation.world, parse_faults(case.script.replace("AT", at)), simulation)
    end_ms = simulation.now_ms + GOES_ON_MS
    while simulation.now_ms < end_ms:
        simulation.run_until(simulation.now_ms + STEP_MS)
        judge.look()
        people.look()
    return Outcome(case, tuple(sorted(judge.told)), judge.danger_ms, judge.what)


def result(row: int, outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Return what the table has of one row: cases, who told, dangerous and seen or unseen, ms until all stood."""
    of_row = [outcome for outcome in outcomes if outcome.case.row == row]
    dangerous = [outcome for outcome in of_row if outcome.danger_ms]
    seen = sorted(outcome.danger_ms for outcome in dangerous if outcome.told)
    told = Counter(name for outcome in of_row for name in outcome.told)
    return {
        "cases": len(of_row),
        "told": dict(told.most_common()),
        "untold": sum(not outcome.told for outcome in of_row),
        "dangerous_seen": len(seen),
        "dangerous_unseen": len(dangerous) - len(seen),
        "longest_ms": seen[-1] if seen else 0,
    }


def _p95(sorted_ms: Sequence[int]) -> int:
    return sorted_ms[ceil(0.95 * len(sorted_ms)) - 1] if sorted_ms else 0


def main(argv: Sequence[str] | None = None) -> int:
    """Try all cases, or every so many; print what is dangerous and unseen; write the results if asked to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=1, help="try one case of so many")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write firmware/safety/results.json")
    args = parser.parse_args(argv)
    chosen = list(cases(args.seed))[:: args.every]
    outcomes: list[Outcome] = []
    with ProcessPoolExecutor(args.processes) as pool:
        for outcome in pool.map(run, chosen, chunksize=16):
            outcomes.append(outcome)
            if outcome.danger_ms and not outcome.told:
                print(f"dangerous and unseen: {outcome}", flush=True)
            if len(outcomes) % 200 == 0:
                print(f"{len(outcomes)} of {len(chosen)}", file=sys.stderr, flush=True)
    rows = load_rows()
    found = [result(number, outcomes) for number in range(len(rows))]
    unseen = sum(each["dangerous_unseen"] for each in found)
    seen = sorted(outcome.danger_ms for outcome in outcomes if outcome.danger_ms and outcome.told)
    print(f"seed {args.seed}: {len(outcomes)} cases, {unseen} dangerous and unseen, {len(seen)} dangerous and seen")
    if seen:
        print(f"until all stood: p95 {_p95(seen)} ms, longest {seen[-1]} ms (simulated)")
    if args.write:
        totals = {
            "seed": args.seed,
            "cases": len(outcomes),
            "states": len(PLACES),
            "p95_ms": _p95(seen),
            "longest_ms": seen[-1] if seen else 0,
        }
        (SAFETY / "results.json").write_text(json.dumps(totals | {"rows": found}, indent=1) + "\n")
    return 1 if unseen else 0


if __name__ == "__main__":
    sys.exit(main())
