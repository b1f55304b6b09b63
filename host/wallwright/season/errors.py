"""What can be wrong with a season, beside what can be wrong with its journal."""

from ..errors import BadInput, EventError


class BadExtract(BadInput):
    """A file is no extract of a day that holds what it proves; the message names it."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")


class NoSeason(EventError):
    """The journal has no season in it yet."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} holds no season; begin one with `wallwright season new {path} --format NAME`")
