"""What the commands of `wallwright season` share; how they print is as those of `wallwright event` do."""

from typing import Annotated

import typer

Season = Annotated[
    str, typer.Argument(metavar="SEASON", help="The season's journal: a file, or postgresql://HOST/DATABASE.")
]
DayName = Annotated[str, typer.Argument(metavar="DAY", help="The day: its id or the beginning of it, or its date.")]
PersonName = Annotated[str, typer.Argument(metavar="PERSON", help="The person: key or name.")]
