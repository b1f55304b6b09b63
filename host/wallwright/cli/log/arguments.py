"""What the commands of `wallwright log` have in common."""

from typing import Annotated

import typer

PathArgument = Annotated[
    str, typer.Argument(metavar="JOURNAL", help="The journal's file or PostgreSQL URL.", show_default=False)
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
