"""Judges extracts that halls send: small ones here, others in a process of its own, with little memory and time.

`python -m wallwright.season.judging` is that process: what it is asked is its input, and it reads the extract itself;
what it has found is its output.
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.json import encode

from ..system.confined import answer, confine, run_confined
from ..system.disk import read_whole
from ..system.forms import decoder_of
from .days import judge
from .errors import BadExtract
from .extract_file import LONGEST
from .judged import Judged

SMALL = 512 << 10
"""Bytes of an extract that is judged by who asks: a process costs more than it. A hall of 120 players has this much."""


class _Asked(Struct, frozen=True):
    path: str
    name: str
    folder: str
    days: Mapping[str, str]


class _Found(Struct, frozen=True):
    judged: Judged | None = None
    path: str = ""
    problem: str = ""


def judge_sent(path: Path, name: str, folder: Path, days: Mapping[str, str]) -> Judged:
    """Return what `days.judge` does with a file. Raises OSError, and BadExtract also when it needs too much memory."""
    if path.stat().st_size <= SMALL:
        return judge(read_whole(path, LONGEST), name, folder, days)
    told = run_confined("wallwright.season.judging", encode(_Asked(str(path.absolute()), name, str(folder), days)))
    if told is None:
        problem = "to check it takes more memory or time than a day of thousands does; nothing of it is taken"
        raise BadExtract(name, problem)
    found = decoder_of(_Found).decode(told)
    if found.judged is None:
        raise BadExtract(found.path, found.problem)
    return found.judged


def main() -> None:
    """Answer what is asked on the input."""
    confine()
    asked = decoder_of(_Asked).decode(sys.stdin.buffer.read())
    try:
        found = _Found(judge(read_whole(Path(asked.path), LONGEST), asked.name, Path(asked.folder), asked.days))
    except BadExtract as error:
        found = _Found(path=error.path, problem=error.problem)
    answer(encode(found))


if __name__ == "__main__":
    main()
