"""Machines whose parts are up to 30 % faster or slower, each by a factor of its own: before and after a calibration.

    .venv-dev/bin/python -m tests.campaign.machines --runs 200 [--seed 1]

Of each machine: does it build by the usual limits; does it, calibrated, build again and again without a fault or a
notice of a part; and is what breaks then found, and how soon. Exit code 1 when a calibrated machine fails, or when a
fault is not found by its name. Everything is simulated.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from itertools import count
from statistics import median
from typing import NamedTuple

from tests.host.doctor.people import Helper
from wallwright.doctor.bench import Bench
from wallwright.doctor.calibrate import Effort, calibrate, store
from wallwright.doctor.upkeep import change_settings, read_settings
from wallwright.errors import TableFault, WallwrightError
from wallwright.table.table import Table, open_table
from wallwright_protocol.names import FAULTS
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.timing import drawn

BUILDS = 3
EFFORT = Effort(strokes=4, ways=2, builds=1)
BUILD_MS = 150_000
MOVE_MS = 30_000
AFTER_MS = 6_000
"""A fault begins so long after the build."""
LOOK_MS = 20
NEVER_FOUND = -1
_NAMES = count()


class Broken(NamedTuple):
    """Something that breaks in a build: how, and the fault that should name it."""

    name: str
    fault: str
    begin: Callable[[Simulation], None]
    after_ms: int = AFTER_MS


def _script(line: str) -> Callable[[Simulation], None]:
    def begin(simulation: Simulation) -> None:
        Injection(simulation.world, parse_faults(line.format(at=simulation.now_ms / 1000)), simulation)

    return begin


def _slow(rotor: str) -> Callable[[Simulation], None]:
    def begin(simulation: Simulation) -> None:
        """It turns at half its speed from now on."""
        part = getattr(simulation.world, rotor)
        running = part.turning
        part.run(False)
        part._place_ms *= 2
        part._marks_ms = tuple(2 * mark_ms for mark_ms in part._marks_ms)
        part.run(running)

    return begin


BREAKS = (
    Broken("head 1 jams", "head_jam", _script("jam head 1 at {at} s frees 0 %")),
    Broken("the disc turns half as fast", "disc_stalled", _slow("disc")),
    Broken("the ring turns half as fast", "ring_stalled", _slow("ring")),
    Broken("a bigger tile", "foreign_tile", _script("foreign tile bigger"), 0),
    Broken("a smaller tile", "foreign_tile", _script("foreign tile smaller"), 0),
)


class Report(NamedTuple):
    """What became of one machine; faults by the name of what broke: (before, after) in ms until found, NEVER_FOUND."""

    seed: int
    before: str
    after: str
    found_ms: "dict[str, tuple[int, int]]"


def machine(seed: int) -> tuple[Simulation, str]:
    """A machine of its own, and its port."""
    simulation = Simulation(seed, timing=drawn(seed))
    return simulation, attach(f"machine-{next(_NAMES)}", simulation)


def build_on(table: Table, simulation: Simulation, builds: int) -> str:
    """Build so often, with all that lies between; return the first fault or notice of a part, "" when there is none."""
    helper = Helper(simulation)
    try:
        for number in range(builds):
            if not number:
                table.start_build()
            else:
                table.open_lid()
                table.wait_state("lid_open", MOVE_MS)
                helper.does("Now push all tiles")
                table.raise_walls()
                table.wait_state("walls_up", MOVE_MS)
                helper.does("Now draw the walls in")
                table.lower_lifts()  # and the next build starts by itself
            table.wait_for("build_done", BUILD_MS)
            table.wait_state("ready", MOVE_MS)
            table.pump(9_000)
    except TableFault as fault:
        return fault.fault
    notices = [event.fields["fault"] for event in table.events() if event.name == "notice"]
    return next((name for name in notices if name != "face_up_stuck"), "")


def until_found(table: Table, simulation: Simulation, broken: Broken) -> int:
    """Break something in a build; return how many ms later the board has named it, by a fault, a notice or a lane that
    it blocks until the others are whole; NEVER_FOUND when it names something else or nothing."""
    seen = table.status().newest_event
    table.start_build()
    table.pump(broken.after_ms)
    lanes = simulation.app.build.lanes  # type: ignore[attr-defined]
    if any(lane.fault for lane in lanes):
        return NEVER_FOUND
    broken.begin(simulation)
    begun_ms = simulation.now_ms
    while simulation.now_ms < begun_ms + BUILD_MS:
        table.pump(LOOK_MS)
        names = [FAULTS[lane.fault] for lane in lanes if lane.fault]
        news = [event for event in table.events() if event.seq > seen]
        names += [event.fields["fault"] for event in news if event.name in ("fault", "notice")]
        if broken.fault in names:
            return simulation.now_ms - begun_ms
        if any(event.name in ("build_done", "fault") for event in news):
            return NEVER_FOUND
    return NEVER_FOUND


def try_machine(seed: int, breaks: tuple[Broken, ...] = BREAKS) -> Report:
    """Try one machine before and after its calibration, each time from new."""
    simulation, port = machine(seed)
    with open_table(port) as table:
        before = build_on(table, simulation, BUILDS)
    simulation, port = machine(seed)
    with open_table(port) as table:
        try:
            found = calibrate(Bench(table), Helper(simulation), lambda _: None, EFFORT)
            store(table, found.limits)
        except WallwrightError as error:
            return Report(seed, before, f"not calibrated: {error}", {})
        limits = {setting.name: setting.value for setting in read_settings(table)}
    simulation, port = machine(seed)
    with open_table(port) as table:
        change_settings(table, limits)
        after = build_on(table, simulation, BUILDS)
    return Report(seed, before, after, {broken.name: _both(seed, broken, limits) for broken in breaks})


def _both(seed: int, broken: Broken, limits: dict[str, int]) -> tuple[int, int]:
    found = []
    for settings in ({}, limits):
        simulation, port = machine(seed)
        with open_table(port) as table:
            change_settings(table, settings)
            found.append(until_found(table, simulation, broken))
    return found[0], found[1]


def main() -> int:
    """Try many machines and print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    reports = []
    for seed in range(asked.seed, asked.seed + asked.runs):
        report = try_machine(seed)
        reports.append(report)
        missed = [name for name, (_, after) in report.found_ms.items() if after == NEVER_FOUND]
        if report.after or missed:
            print(f"seed {seed}: after calibration: {report.after or 'builds'}; not found: {missed}", flush=True)
    return show(reports)


def show(reports: list[Report]) -> int:
    """Print the figures; return the exit code."""
    print(f"{len(reports)} machines, simulated, each time up to 30 % off")
    wrong = Counter(report.before for report in reports if report.before)
    print(f"by the usual limits {sum(wrong.values())} fault or give notice in {BUILDS} builds: {dict(wrong)}")
    bad = [report for report in reports if report.after]
    print(f"calibrated, {len(reports) - len(bad)} build {BUILDS} walls without fault or notice")
    missing = 0
    for broken in BREAKS:
        pairs = [report.found_ms[broken.name] for report in reports if broken.name in report.found_ms]
        for words, times in (("usual limits", [a for a, _ in pairs]), ("calibrated", [b for _, b in pairs])):
            told = sorted(ms for ms in times if ms != NEVER_FOUND)
            figures = f"median {median(told) / 1000:.1f} s, worst {told[-1] / 1000:.1f} s" if told else ""
            print(f"{broken.name}, {words}: {len(told)} of {len(times)} found as {broken.fault}, {figures}")
        missing += sum(after == NEVER_FOUND for _, after in pairs)
    return int(bool(bad) or missing > 0)


if __name__ == "__main__":
    sys.exit(main())
