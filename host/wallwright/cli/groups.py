"""Groups of commands, such as `wallwright event`."""

from typing import Any

import typer
from typer.core import TyperGroup


class Group(TyperGroup):
    """A group whose help loads no command and nothing that reads values."""

    def get_help_option(self, ctx: Any) -> Any:
        """Return `--help`, which is not given by default; typer loads pydantic for anything but True and False."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.default = False
        return option


def group(name: str, help_text: str, **settings: Any) -> typer.Typer:
    """Return a group, which shows its help when it is called without a command."""
    usual: dict[str, Any] = {"cls": Group, "no_args_is_help": True, "rich_markup_mode": None}
    return typer.Typer(name=name, help=help_text, **usual | settings)
