"""How a command gets a password: from a file, a prompt that shows nothing, or one line of its input."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..errors import BadInput
from ..system.disk import read_whole
from ..text_files import BadText, text_of

LONGEST = 10_000
PasswordFile = Annotated[
    Path | None, typer.Option("--password-file", help="Take the first line of a file as password.", show_default=False)
]


def read_password(file: Path | None, *, again: bool = False, whose: str = "Password") -> str:
    """Return a password; asked for as `whose`, twice with `again`. BadInput for a file that cannot be read."""
    if file is not None:
        try:
            return text_of(read_whole(file, LONGEST)).partition("\n")[0]
        except BadText as error:
            raise BadInput(f"{file}: no password can be read from it: {error}") from error
        except OSError as error:
            raise BadInput(f"{file}: no password can be read from it ({error.strerror}); check the path") from error
    if sys.stdin.isatty():
        return str(typer.prompt(whose, hide_input=True, confirmation_prompt=again))
    line = sys.stdin.readline(LONGEST + 2).rstrip("\n")
    if len(line) > LONGEST:
        raise BadInput(f"the password on the input is longer than {LONGEST:,} characters; give it a line of its own")
    return line
