"""The one console of rich with which the program draws: its colours are written, what others have put in is shown."""

import sys
from collections.abc import Iterable
from typing import IO, Any, cast

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from ..shown_text import shown
from .streams import write_own


class _Drawing(Console):
    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(shown(segment.text), segment.style)


class _Own:
    """A stream to which what the program itself draws is written as it is."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return write_own(self._stream, text)


def drawing_console(*, stderr: bool = False) -> Console:
    """Return what draws on the standard output, or on the standard error."""
    return _Drawing(file=cast(IO[str], _Own(sys.stderr if stderr else sys.stdout)), stderr=stderr)
