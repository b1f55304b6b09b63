"""docs/deal-key-by-key.md as its reader goes through it, at `wallwright simulate` in the table's own time."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from wallwright import cli
from wallwright_protocol.hardware import SIDES
from wallwright_simulator import serve

PAGE = (Path(__file__).parents[2] / "docs/deal-key-by-key.md").read_text()
DEAL = "The deal"
PATIENCE_S = 300
"""Longer than a table needs for anything."""
AT_ONCE_S = 1
"""Between two lines of one step."""
SHOWN = re.compile(r"panels: (.+?) +stacks: ([\d ]+?) +lit: (.+)")


class Step(NamedTuple):
    """A row: lines that are typed, what the displays then show one after the other, lamps and stacks at the end.

    Each text is a pattern, for dice and sides that may be others. Lamps, stacks and what the program `says` to the line
    are empty where the row tells none. The last text comes `in_s` seconds after the line, between two numbers.
    """

    lines: list[str]
    shows: list[str]
    lit: str
    stacks: str
    says: str
    in_s: tuple[int, int] | None


def parts(page: str) -> dict[str, list[list[Step]]]:
    """Heading -> the courses that its part has, each from a new table to its end."""
    found: dict[str, list[list[Step]]] = {}
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        heading = part.partition("\n")[0]
        courses = []
        for before, rows in re.findall(r"([^\n]*)\n\n\|[^\n]*\n\|-[^\n]*\n((?:\|[^\n]*\n)+)", part):
            done = re.search(r"\bsteps 1 to (\d)", before)
            start = found[DEAL][0][: int(done[1])] if done else []
            courses.append([*start, *(_step(row) for row in rows.splitlines())])
        found[heading] = courses
    return found


class Reader:
    """A reader at a table, who types what the page says, and between steps thinks for `thinks_s` of the table's time.

    It stands for the clock, for what waits, and for the keyboard of the program, whose output it sees on the terminal.
    """

    def __init__(self, course: list[Step], thinks_s: float, capsys: pytest.CaptureFixture[str]) -> None:
        self._now_s = 0.0
        self._thinks_s = thinks_s
        self._capsys = capsys
        self._seen: list[tuple[str, str, str]] = []
        self._answers: list[str] = []
        self._to_type = b""
        self._acts = self._follow(course)

    def monotonic(self) -> float:
        """Stand for `time.monotonic` in the program."""
        return self._now_s

    def select(self, sources: list[int], _writes: Any, _errors: Any, wait_s: float) -> tuple[list[int], Any, Any]:
        """Stand for `select.select` in the program: somebody types, or the time goes on."""
        line = next(self._acts)
        if line is None:
            self._now_s += wait_s
            return [], [], []
        self._to_type = line.encode() + b"\n"
        return [self.fileno()], [], []

    def fileno(self) -> int:
        """See `Keyboard.fileno`."""
        return -1

    def read(self) -> bytes:
        """See `Keyboard.read`."""
        return self._to_type

    def close(self) -> None:
        """See `Keyboard.close`."""

    def _follow(self, course: list[Step]) -> Iterator[str | None]:
        yield from self._wait_for(["START\\?"])
        example = SHOWN.search(PAGE)
        assert example
        assert self._seen == [example.groups()], "the first line that the page shows"
        for step in course:
            before = self._seen[-1:]
            self._seen.clear()
            typed_s = self._now_s
            for line in step.lines:
                self._answers.clear()
                yield line
                yield from self._wait(AT_ONCE_S)
                keys = ["f"] if line.startswith("f ") else line.split()
                done = [answer.partition(",")[0] for answer in self._answers]
                assert done == [f"{key}: done" for key in keys], f"{step}: what {line} did: {self._answers}"
                assert not step.says or self._answers == [step.says], f"{step}: what {line} said: {self._answers}"
            self._seen[:0] = before
            yield from self._wait_for(step.shows)
            took_s = self._now_s - typed_s
            assert not step.in_s or step.in_s[0] <= took_s <= step.in_s[1], f"{step}: it took {took_s:.1f} s"
            yield from self._wait(self._thinks_s)
            texts, stacks, lit = zip(*self._seen, strict=True)
            came = [text for at, text in enumerate(texts) if text != (texts[at - 1] if at else None)]
            old = 0 if re.fullmatch(step.shows[0], came[0]) else 1
            assert len(came) - old == len(step.shows), f"{step}: the displays have shown {came}"
            for text, pattern in zip(came[old:], step.shows, strict=True):
                assert re.fullmatch(pattern, text), f"{step}: the displays have shown {came}"
            assert not step.lit or lit[-1] == _keys(step.lit, texts[-1]), f"{step}: lit is {lit[-1]}"
            assert not step.stacks or stacks[-1] == step.stacks, f"{step}: stacks are {stacks[-1]}"
        yield "q"

    def _wait_for(self, shows: list[str]) -> Iterator[None]:
        until_s = self._now_s + PATIENCE_S
        while not self._seen or not re.fullmatch(shows[-1], self._seen[-1][0]):
            assert self._now_s < until_s, f"{shows} never came; the displays have shown {self._seen}"
            yield None
            self._look()

    def _wait(self, for_s: float) -> Iterator[None]:
        until_s = self._now_s + for_s
        while self._now_s < until_s:
            yield None
            self._look()

    def _look(self) -> None:
        for line in self._capsys.readouterr().out.splitlines():
            shown = SHOWN.search(line)
            if shown:
                self._seen.append((shown[1], shown[2], shown[3]))
            elif re.match(r"\w+: ", line) and not line.startswith("port: "):
                self._answers.append(line)


def read(page: Reader, command: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run the command of the page with this reader before it; return its exit code."""
    monkeypatch.setattr(serve, "time", page)
    monkeypatch.setattr(serve, "select", page)
    monkeypatch.setattr(serve, "Keyboard", lambda _: page)
    monkeypatch.setattr("sys.argv", command.split())
    with Path(os.devnull).open() as nobody:
        monkeypatch.setattr("sys.stdin", nobody)
        with pytest.raises(SystemExit) as ended:
            cli.main()
    return int(ended.value.code or 0)


def _step(row: str) -> Step:
    *_, typed, done, shown, lit = [cell.strip() for cell in row.strip("|").split("|")]
    stacks = re.search(r"stacks `([\d ]+)`", done)
    says = re.search(r"`(\w+: done, .+?)`", done)
    in_s = re.search(r"\bin (\d+) to (\d+) s\b", done)
    texts = re.findall(r"`(.+?)`( or another side)?", shown)
    return Step(
        re.findall(r"`(.+?)`", typed),
        [_pattern(text, bool(any_side)) for text, any_side in texts],
        lit,
        stacks[1] if stacks else "",
        says[1] if says else "",
        (int(in_s[1]), int(in_s[2])) if in_s else None,
    )


def _pattern(text: str, any_side: bool) -> str:
    any_dice = re.sub(r"^\d\\ \d", r"\\d \\d", re.escape(text))
    return re.sub(r"\d$", r"\\d", any_dice) if any_side else any_dice


def _keys(lit: str, text: str) -> str:
    """The keys that the program calls lit, as it names them."""
    side = re.search(r"of side (\d)$", lit) or (re.search(r"(\d)$", text) if "of that side" in lit else None)
    sides = [int(side[1])] if side else range(SIDES)
    return " ".join(f"{kind[0]}{each}" for kind in ("lift", "dice") if kind in lit for each in sides)
