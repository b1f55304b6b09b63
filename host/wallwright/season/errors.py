"""What is wrong with the files of a season, and with what comes to it; the rest are errors of every event."""

from ..errors import BadInput, EventError, EventRefused, WallwrightError


class BadExtract(BadInput):
    """The file `path` is no extract of a day that holds what it proves; the message names it.

    `why` is the same in a word of docs/proofs.md.
    """

    def __init__(self, path: str, problem: str, why: str = "form") -> None:
        super().__init__(f"{path}: {problem}")
        self.path = path
        self.problem = problem
        self.why = why


class NoSeason(EventError):
    """The journal has no season in it yet."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} holds no season; begin one with `wallwright season new {path} --format NAME`")


class NeedsReason(EventRefused):
    """Somebody at the season's desk has to give a reason before this is done."""


class NotAdmitted(EventError):
    """Whoever reports is no hall of the season, or has not signed what was sent."""


class OldChallenge(EventError):
    """A report is to be signed anew, over another `challenge`, 32 bytes."""

    def __init__(self, challenge: bytes) -> None:
        super().__init__("the server's challenge is another one by now; sign again")
        self.challenge = challenge


class TooMuch(EventError):
    """A hall reports more, or more often, than a season takes."""


class SeasonAway(WallwrightError):
    """The server of a season gives no answer that the season has signed; the message says why."""
