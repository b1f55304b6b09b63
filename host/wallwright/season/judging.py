"""Judges extracts that halls send: small ones here, others in a process of its own, with little memory and time.

`python -m wallwright.season.judging` is that process: a line of what it is asked and the extract stand on its input,
what it has found is its output.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.json import decode, encode

from ..system.confined import answer, confine, run_confined
from .days import judge
from .errors import BadExtract
from .judged import Judged

SMALL = 512 << 10
"""Bytes of an extract that is judged by who asks: a process costs more than it. A hall of 120 players has this much."""


class _Asked(Struct, frozen=True):
    name: str
    folder: str
    days: Mapping[str, str]


class _Found(Struct, frozen=True):
    judged: Judged | None = None
    path: str = ""
    problem: str = ""


def judge_sent(data: bytes, name: str, folder: Path, days: Mapping[str, str]) -> Judged:
    """Return what `days.judge` does, with little memory. BadExtract also when an extract needs too much."""
    if len(data) <= SMALL:
        return judge(data, name, folder, days)
    told = run_confined("wallwright.season.judging", encode(_Asked(name, str(folder), days)) + b"\n" + data)
    if told is None:
        problem = "to check it takes more memory or time than a day of thousands does; nothing of it is taken"
        raise BadExtract(name, problem)
    found = decode(told, type=_Found)
    if found.judged is None:
        raise BadExtract(found.path, found.problem)
    return found.judged


def main() -> None:
    """Answer what is asked on the input."""
    confine()
    asked = decode(sys.stdin.buffer.readline(), type=_Asked)
    data = sys.stdin.buffer.read()
    try:
        found = _Found(judge(data, asked.name, Path(asked.folder), asked.days))
    except BadExtract as error:
        found = _Found(path=error.path, problem=error.problem)
    answer(encode(found))


if __name__ == "__main__":
    main()
