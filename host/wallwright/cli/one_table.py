"""What the commands for one table have in common: its port, JSON, and the trace of an error."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import WallwrightError

if TYPE_CHECKING:
    from ..table.table import Table

Port = Annotated[
    str, typer.Option("--port", help="Where the table is: /dev/ttyACM0, socket://HOST:PORT, sim://?seed=1.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, one object a line.")]
Trace = Annotated[bool, typer.Option("--trace", help="After an error, print the last frames of the link, decoded.")]


@contextmanager
def opened(port: str, trace: bool) -> "Iterator[Table]":
    """Open the table; print the trace of an error that has one, if that is wanted."""
    from ..table.table import open_table

    try:
        with open_table(port) as table:
            yield table
    except WallwrightError as error:
        if trace and error.trace:
            print(error.trace, file=sys.stderr)
        raise


def print_json(record: Any) -> None:
    """Print `record` as one line of JSON."""
    print(json.dumps(record), flush=True)
