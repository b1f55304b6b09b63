"""What the commands of `wallwright season` share; how they print is as those of `wallwright event` do."""

from pathlib import Path
from typing import Annotated

import typer

from ...errors import BadInput

PATIENCE_S = 60.0
"""A web server has this long for each step of an answer."""
FETCH_S = 600.0
"""A whole extract has this long: 16 MB at 27 kB/s."""

Season = Annotated[
    str, typer.Argument(metavar="SEASON", help="The season's journal: a file, or postgresql://HOST/DATABASE.")
]
DayName = Annotated[str, typer.Argument(metavar="DAY", help="The day: its id or the beginning of it, or its date.")]
PersonName = Annotated[str, typer.Argument(metavar="PERSON", help="The person: key or name.")]

Jobs = Annotated[
    str, typer.Option(help="Processes that check extracts, or the address of a scheduler: tcp://HOST:8786.")
]


def extract_in(source: str) -> bytes | None:
    """Return what is in the file of an extract, also at a URL; None when `source` is a journal."""
    from ...journal import is_url
    from ...season.extract_file import LONGEST
    from ...system.disk import read_whole

    if source.startswith(("https://", "http://")):
        return _fetched(source, LONGEST)
    data = None if is_url(source) else read_whole(Path(source), LONGEST)
    return None if data is None or data.startswith(b"SQLite format 3") else data


def _fetched(url: str, most: int) -> bytes:
    """Return what is at a URL; whoever serves it is not believed, for an extract is signed. BadInput."""
    from http.client import HTTPException
    from urllib.error import HTTPError
    from urllib.request import Request

    from ...system.answers import asked, read_answer

    try:
        with asked(Request(url, headers={"User-Agent": "wallwright"}), PATIENCE_S, FETCH_S) as answer:
            return read_answer(answer, most)
    except (OSError, HTTPException, ValueError) as error:
        if isinstance(error, HTTPError):
            error.close()
        why = getattr(error, "reason", None) or error
        problem = getattr(why, "strerror", None) or str(why) or type(error).__name__
        raise BadInput(
            f"{url} cannot be fetched ({problem}); check the address, or ask the hall for its file"
        ) from error
