"""Changes the code in small ways and runs the tests that reach the change: what no test notices is printed.

    make mutants MUTANTS=50 SEED=7

draws 50 mutants of protocol, firmware and host, the same for the same seed and code. First it finds out which tests
reach what: it runs them once, one group of folders after the other, on code with a probe at each mutant. After each
group it runs, for every mutant that no test has noticed so far, the tests of that group that reach it, the fastest
first, and prints `left` where none notices. Browsers, the emulated board and MicroPython take no part. In the end a
mutant that is left is tried with the test of the generated pages and with the whole files that name its module or have
a test that reaches it, for what a module's fixture has made only one of its tests reaches. Whether a survivor changes
anything that anybody could see is for a person to judge.

`build/mutants/SEED.json` keeps what was found, and a run that was broken off goes on from there. When the code has not
changed since, the same command tries what survived once more, with the test files that are new or changed.

At the end the tests that killed are run on the code as it is: one that fails there as well has killed nothing, and the
run says so and ends with 1.
"""

import re
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue

from tools.mutants.draw import Mutant, changed, drawn, shown
from tools.mutants.probe import probed
from tools.mutants.state import State
from tools.mutants.trees import Tree

ROOT = Path(__file__).parents[2]
GROUPS = (
    "protocol firmware",
    "host/rules host/rules_oracle",
    "host/season host/link host/table",
    "host/event",
    "host/tracking host/tiles host/duplicate",
    "host/doctor host/board host/backup",
    "host/study host/entropy host/chaos",
    "host/journal host/fleet",
    "host/cli host/system host/play host/test_*.py",
    "host/console",
    "simulator link_failures carrier outsider conformance",
    "scenarios campaign",
)
PAGES = "tests/test_generated_docs.py"
RUN_LIMIT_S = 600
"""Tests that last longer in all have killed nothing: it may be the machine."""
TRY_S = 60
"""A mutant is tried with so many seconds of a group's tests at most, the fastest of them."""


class Draw:
    """Mutants that are tried in `jobs` copies of the checkout at once."""

    def __init__(self, folder: Path, chosen: list[Mutant], state: State, jobs: int) -> None:
        self._chosen, self._state, self._jobs = chosen, state, jobs
        self._folder, self._texts = folder, {one.path: _text(one.path) for one in chosen}
        self._trees: SimpleQueue[Tree] = SimpleQueue()
        for number in range(jobs):
            self._trees.put(Tree(ROOT, folder / str(number)))

    @property
    def left(self) -> list[int]:
        """The mutants that no test has noticed."""
        killed = self._state.killers()
        return [number for number in range(len(self._chosen)) if number not in killed]

    def learn(self, files: list[str]) -> None:
        """Find out which tests of some files reach what."""
        tree = Tree(ROOT, self._folder / "probed")
        for path, text in self._texts.items():
            tree.put(path, probed(text, {number: one for number, one in enumerate(self._chosen) if one.path == path}))
        told = self._folder / "reached"
        told.write_text("", encoding="utf-8")
        plugin = ("-p", "write_times", "-m", "not micropython", f"--numprocesses={self._jobs}", "--dist=worksteal")
        tree.run(files, *plugin, paths=(Path(__file__).parent / "reached",), WALLWRIGHT_REACHED=str(told))
        self._state.learn(files, told.read_text(encoding="utf-8").splitlines())
        tree.remove()

    def try_all(self, tests_of: Callable[[int], list[tuple[float, str]]]) -> None:
        """Try what is left with tests, of which the seconds are known: the fastest first."""
        with ThreadPoolExecutor(self._jobs) as pool:
            found = {number: tests_of(number) for number in self.left}
            # What few tests reach is left most often.
            tests = {number: _fastest(found[number]) for number in sorted(self.left, key=lambda one: len(found[one]))}
            tried = [(number, pool.submit(self._try, number, some)) for number, some in tests.items() if some]
            for number, one in tried:
                killers = one.result()
                self._state.told(number, tests[number], killers)
                self.say("killed" if killers else "left", number)

    def say(self, verdict: str, number: int) -> None:
        """Print one line of a mutant."""
        mutant = self._chosen[number]
        print(f"{number + 1:4} {verdict:8} {shown(mutant, self._texts[mutant.path])}", flush=True)

    def _try(self, number: int, tests: list[str]) -> list[str]:
        mutant = self._chosen[number]
        text = self._texts[mutant.path]
        tree = self._trees.get()
        try:
            tree.put(mutant.path, changed(mutant, text))
            return tree.run(tests, "-x", limit_s=RUN_LIMIT_S)
        finally:
            tree.put(mutant.path, text)
            self._trees.put(tree)

    def files(self, number: int) -> list[tuple[float, str]]:
        """Return the test files that name a mutant's module, those that reach it, and that of the generated pages."""
        *_, package, name = self._chosen[number].path.removesuffix(".py").removesuffix("/__init__").split("/")
        says = re.compile(rf"\b{package}(\.| import .*\b){name}\b")
        every = {file for group in GROUPS for file in _files(group)}
        found = self._state.reaching_files(number) | {PAGES} | {file for file in every if says.search(_text(file))}
        return sorted((self._state.seconds(file), file) for file in found)

    def false_killers(self) -> list[str]:
        """Return the tests that have killed and fail without a mutant too."""
        killers = {test for tests in self._state.killers().values() for test in tests if "::" in test}
        return self._trees.get().run(sorted(killers), f"--numprocesses={self._jobs}") if killers else []


def _text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def _fastest(tests: list[tuple[float, str]]) -> list[str]:
    sums = accumulate(seconds for seconds, _ in tests)
    return [test for (_, test), total in zip(tests, sums, strict=True) if total <= TRY_S]


def _files(group: str) -> list[str]:
    """The test files of a group, browsers' left out."""
    folders = [place for pattern in group.split() for place in (ROOT / "tests").glob(pattern)]
    found = {file for place in folders for file in (place.rglob("test_*.py") if place.is_dir() else [place])}
    return sorted(file.relative_to(ROOT).as_posix() for file in found if "browser" not in file.name)


def main(count: int, seed: int, jobs: int) -> int:
    """Try so many mutants; return 0 when every verdict counts."""
    begun = time.monotonic()
    chosen = drawn(ROOT, count, seed)
    state = State(ROOT, ROOT / f"build/mutants/{seed}.json", chosen)
    with tempfile.TemporaryDirectory() as folder:
        draw = Draw(Path(folder), chosen, state, jobs)
        for group in GROUPS:
            if files := state.unknown(_files(group)):
                draw.learn(files)
            draw.try_all(state.reaching)
            print(f"     {len(draw.left)} left after {group}", flush=True)
        draw.try_all(draw.files)
        for number in draw.left:
            draw.say("SURVIVED", number)
        killed = count - len(draw.left)
        minutes = (time.monotonic() - begun) / 60
        print(f"killed {killed} of {count}, {killed / count:.1%}, seed {seed}, in {minutes:.0f} minutes")
        if failed := draw.false_killers():
            print("these fail without a mutant too, so what they killed does not count:", *failed, sep="\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
