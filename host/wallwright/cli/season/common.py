"""What the commands of `wallwright season` share; how they print is as those of `wallwright event` do."""

from pathlib import Path
from typing import Annotated

import typer

Season = Annotated[
    str, typer.Argument(metavar="SEASON", help="The season's journal: a file, or postgresql://HOST/DATABASE.")
]
DayName = Annotated[str, typer.Argument(metavar="DAY", help="The day: its id or the beginning of it, or its date.")]
PersonName = Annotated[str, typer.Argument(metavar="PERSON", help="The person: key or name.")]

Jobs = Annotated[
    str, typer.Option(help="Processes that check extracts, or the address of a scheduler: tcp://HOST:8786.")
]


def extract_in(source: str) -> bytes | None:
    """Return what is in the file of an extract; None when `source` is a journal."""
    from ...journal import is_url
    from ...season.extract_file import LONGEST
    from ...system.disk import read_whole

    data = None if is_url(source) else read_whole(Path(source), LONGEST)
    return None if data is None or data.startswith(b"SQLite format 3") else data
