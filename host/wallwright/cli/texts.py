"""Texts among the arguments and options of all commands: they are folded, or refused with the character and its place.

A new option of text is one of them by itself. Only what stands for a place, or has to stay as it is typed, is not.
"""

from typing import Any, Final

import typer

_PLACES: Final = (
    "address against checkpoint chosen database draw_from host journal key path paths place places plan port profile "
    "promised proxy public report_to ruleset season season_key server source target url witness"
)
AS_TYPED: Final = frozenset(_PLACES.split())
"""Parameters that are paths, ports, addresses, keys, or names of presets that may be paths."""
_SENTENCES: Final = frozenset(("reason",))
"""Parameters whose text may have several lines."""


def fold_texts(command: Any) -> None:
    """Have a command, or all of a group, fold the texts that it is given."""
    for one in getattr(command, "commands", {}).values():
        fold_texts(one)
    for param in command.params:
        descriptor = getattr(param, "type_descriptor", None)
        if descriptor is not None and descriptor.annotation in (str, list[str]) and param.name not in AS_TYPED:
            assert param.callback is None, f"{param.name} has a callback already"
            param.callback = _folded


def _folded(context: Any, param: Any, value: Any) -> Any:
    if value is None:
        return None
    if not isinstance(value, str):
        return [_folded(context, param, one) for one in value]
    # Most commands have started before records of journals are loaded.
    from ..journal.kinds.texts import too_long
    from ..person_text import folded, one_line, refusal

    text = one_line(value) if param.name in _SENTENCES else folded(value)
    why = refusal(text) or too_long(text)
    if why is not None:
        raise typer.BadParameter(str(why), context, param)
    return text
