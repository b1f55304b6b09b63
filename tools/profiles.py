"""Show where processor time goes: `make profile` writes flame graphs and tables into build/profile/.

Py-spy samples each work 200 times a second. A sample counts for the innermost call of this project in it, and so do the
libraries that this call uses; loading modules and what benchmarks do by themselves are phases of their own.

    .venv-dev/bin/python -m tools.profiles [WORK ...]
"""

import argparse
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "build" / "profile"
RATE = 200
"""Samples a second."""
CALLS = 10
"""The number of calls that a table shows."""

BUILDS = """
from benchmarks import builds
builds.timed(builds.build_{how}, range({count}), {mixing}, {wash_s})
"""
PLACES = BUILDS.replace("import builds", "import builds\nfrom wallwright_simulator.places import Mixing")
PAGES = """
import tempfile, urllib.request
from pathlib import Path
from benchmarks import console_pages
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    path = folder / "event.journal"
    console_pages.write_event(path, 16, console_pages.SIGNED)
    with console_pages.served(path, folder / "users", console_pages.still_hall(16)) as address:
        for _ in range(60):
            for page in console_pages.PATHS:
                urllib.request.urlopen(address + page.format(playing=console_pages.SIGNED + 1)).read()
"""
COMMAND = ("-m", "wallwright", "event", "rehearse")
WORKS = {
    "builds": ("200 builds, ideal drum", ("-c", BUILDS.format(how="alone", count=200, mixing=None, wash_s=0))),
    "hosted": (
        "200 builds, a host's session",
        ("-c", BUILDS.format(how="with_host", count=200, mixing=None, wash_s=0)),
    ),
    "washed": (
        "100 builds, places, wash 60 s",
        ("-c", PLACES.format(how="alone", count=100, mixing="Mixing()", wash_s=60)),
    ),
    "day": ("rehearsed event, 24 players, 2 sessions", (*COMMAND, "--players", "24", "--sessions", "2")),
    "pages": ("960 pages of the console", ("-c", PAGES)),
}

PART = re.compile(r" \((?:.*/)?(wallwright\w*)/([^:]*):\d+\)$")
"""A frame of this project, as py-spy writes it: its package and the module's path in it."""
CLOCK = ("clock.py", "simulation.py")
LOADING = "_find_and_load "


def phase_of(frames: list[str]) -> tuple[str, str]:
    """Return the phase that a stack counts for, outermost frame first, and the call, both as a table names them."""
    for frame in reversed(frames):
        if frame.startswith(LOADING):
            return "loading modules", "loading modules"
        found = PART.search(frame)
        if found:
            package, path = found.groups()
            call = f"{frame.partition(' (')[0]} ({package}/{path})"
            if package == "wallwright_simulator":
                return ("simulator: clock" if path in CLOCK else "simulator: mechanics"), call
            if package == "wallwright":
                return f"host: {path.partition('/')[0].removesuffix('.py')}", call
            return package.removeprefix("wallwright_"), call
    return "Python and the benchmark", "Python and the benchmark"


def read_stacks(lines: Iterable[str]) -> Iterator[tuple[list[str], int]]:
    """Give stacks and their samples of py-spy's raw format."""
    for line in lines:
        stack, _, count = line.rstrip().rpartition(" ")
        yield stack.split(";"), int(count)


def table_of(title: str, lines: Iterable[str]) -> str:
    """Return a work's table in Markdown: its phases, then the calls that take most by themselves."""
    phases: Counter[str] = Counter()
    calls: Counter[str] = Counter()
    for frames, count in read_stacks(lines):
        phase, call = phase_of(frames)
        phases[phase] += count
        calls[call] += count
    total = phases.total() or 1
    rows = [f"| {title} | share of {total / RATE:.1f} s |", "|---|---|"]
    rows += [f"| {phase} | {count / total:.0%} |" for phase, count in phases.most_common() if count >= total / 100]
    rows += [f"| `{call}` | {count / total:.0%} |" for call, count in calls.most_common(CALLS) if "(" in call]
    return "\n".join(rows) + "\n"


def record(name: str, form: str, path: Path) -> None:
    """Run a work under py-spy, which writes `path`; RuntimeError says why that failed."""
    words = [str(Path(sys.executable).with_name("py-spy")), "record", "--rate", str(RATE), "--format", form]
    parts = [str(ROOT / part) for part in (".", "protocol", "firmware", "simulator", "host")]
    done = subprocess.run(
        [*words, "--output", str(path), "--", sys.executable, *WORKS[name][1]],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(parts)},
        capture_output=True,
        text=True,
        check=False,
    )
    # py-spy ends well whatever its program does.
    if done.returncode or "Traceback (most recent call last)" in done.stderr:
        raise RuntimeError(f"{name}: {done.stderr.strip() or done.stdout.strip()}")


def main() -> None:
    """Profile the works that are named, or all."""
    parser = argparse.ArgumentParser(description="Show where processor time goes.")
    parser.add_argument("works", nargs="*", metavar="WORK", help=", ".join(WORKS))
    names = parser.parse_args().works or list(WORKS)
    unknown = [name for name in names if name not in WORKS]
    if unknown:
        sys.exit(f"There is no work {unknown[0]}: {', '.join(WORKS)}")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        raw = FOLDER / f"{name}.txt"
        try:
            record(name, "raw", raw)
            record(name, "flamegraph", raw.with_suffix(".svg"))
        except RuntimeError as error:
            sys.exit(str(error))
        table = table_of(WORKS[name][0], raw.read_text().splitlines())
        raw.with_suffix(".md").write_text(table)
        print(f"{table}\n{raw.with_suffix('.svg').relative_to(ROOT)}\n", flush=True)


if __name__ == "__main__":
    main()
