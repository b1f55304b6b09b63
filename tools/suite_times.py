"""A table of the processor time that the tests take, by folder, file, fixture and test.

    .venv-dev/bin/python -m pytest -p tools.suite_times tests/host/event

A program that a test has started counts where something waits for its end: the browser of a file is in the teardown of
the file's last test. Time in which a fixture waits for another one counts for the other one.
"""

import resource
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from pathlib import PurePath

import pytest

ROWS = 40
PHASES = ("setup", "call", "teardown")
TIMES = "suite_times"
"""The user property of a report: pairs of a fixture's name and its times."""
IMPORTS = "(imports and collection)"

Times = tuple[float, float]


def now() -> Times:
    """Return the seconds that have passed for this process: on the clock, and of processors, its programs' too."""
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return time.perf_counter(), sum(one.ru_utime + one.ru_stime for one in spent)


class Lap:
    """A span of time from its making on, and the spans within it."""

    def __init__(self) -> None:
        self.begun = now()
        self.inner = (0.0, 0.0)

    def end(self) -> tuple[Times, Times]:
        """Return what has passed since, and what of it is not of an inner lap."""
        whole = tuple(end - begun for end, begun in zip(now(), self.begun, strict=True))
        own = tuple(one - inner for one, inner in zip(whole, self.inner, strict=True))
        return (whole[0], whole[1]), (own[0], own[1])


class Measuring:
    """The process that runs tests: it puts the times of each phase into the phase's report."""

    def __init__(self) -> None:
        self.fixtures: list[tuple[str, Times]] = [(IMPORTS, (0.0, now()[1]))]
        self.laps: list[Lap] = []
        self.phase = Lap()

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[object]) -> Generator[None, object, object]:
        lap = Lap()
        self.laps.append(lap)
        try:
            return (yield)
        finally:
            self.laps.pop()
            whole, own = lap.end()
            if self.laps:
                outer = self.laps[-1].inner
                self.laps[-1].inner = (outer[0] + whole[0], outer[1] + whole[1])
            place = fixturedef.baseid or fixturedef.func.__module__
            self.fixtures.append((f"{fixturedef.argname} ({fixturedef.scope}, {place})", own))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Generator[None]:
        self.phase = Lap()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self) -> Generator[None]:
        self.phase = Lap()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_teardown(self) -> Generator[None]:
        self.phase = Lap()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        taken = (*self.fixtures, ("", self.phase.end()[0]))
        report.user_properties = [*report.user_properties, (TIMES, taken)]
        self.fixtures = []
        return report


def pytest_configure(config: pytest.Config) -> None:
    """Measure where tests run."""
    config.pluginmanager.register(Measuring())


def table(title: str, rows: Iterable[tuple[str, tuple[float, ...]]], heads: tuple[str, ...]) -> list[str]:
    """Return the lines of a table of the rows that take most."""
    ranked = sorted(rows, key=lambda row: -row[1][0])[:ROWS]
    lines = ["", "".join(f"{head:>10}" for head in heads) + f"  {title}"]
    return lines + ["".join(f"{one:10.2f}" for one in values) + f"  {name}" for name, values in ranked]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the tables."""
    files: dict[str, list[float]] = defaultdict(lambda: [0.0] * 5)
    folders: dict[str, list[float]] = defaultdict(lambda: [0.0] * 2)
    tests: dict[str, list[float]] = defaultdict(lambda: [0.0] * 2)
    fixtures: dict[str, list[float]] = defaultdict(lambda: [0.0] * 3)
    for reports in terminalreporter.stats.values():
        for report in reports:
            for wall, name, cpu in (
                (wall, name, cpu)
                for key, taken in getattr(report, "user_properties", ())
                if key == TIMES
                for name, (wall, cpu) in taken
            ):
                if name:
                    fixtures[name] = [one + more for one, more in zip(fixtures[name], (cpu, wall, 1), strict=True)]
                    continue
                path = report.nodeid.partition("::")[0]
                phases = [cpu if report.when == phase else 0.0 for phase in PHASES]
                files[path] = [one + more for one, more in zip(files[path], (cpu, wall, *phases), strict=True)]
                for group, key in ((folders, str(PurePath(path).parent)), (tests, report.nodeid)):
                    group[key] = [one + more for one, more in zip(group[key], (cpu, wall), strict=True)]
    write = terminalreporter.write_line
    total = [sum(column) for column in zip(*folders.values(), strict=True)] or [0.0, 0.0]
    imports = fixtures.get(IMPORTS, [0.0])[0]
    write(
        f"\n{total[0]:.0f} s of processor time in tests, {imports:.0f} s before them; {total[1]:.0f} s passed in tests"
    )
    for title, group, heads in (
        ("folder", folders, ("processor", "clock")),
        ("file", files, ("processor", "clock", *PHASES)),
        ("fixture", fixtures, ("processor", "clock", "times")),
        ("test", tests, ("processor", "clock")),
    ):
        for line in table(title, ((name, tuple(values)) for name, values in group.items()), heads):
            write(line)
