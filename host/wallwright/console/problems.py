"""What can go wrong between the console and who uses it, and the HTTP status of every error."""

from typing import Any

from ..errors import AccountsFailed, BadInput, BadName, JournalError, WallwrightError
from ..event.doubtful import Doubtful
from ..system.disk import NoRoom
from ..words import Say, Words, told_by, words

ROLES = {
    "screen": words("hall screen"),
    "scorer": words("scorer"),
    "referee": words("referee"),
    "operator": words("operator"),
    "director": words("director"),
}
"""Roles that may be refused something, in words; who is not signed in is asked to do that."""

_HOUR_MS = 3_600_000


class NotSignedIn(WallwrightError):
    """This needs an account, and there is none, or the sign-in is over."""

    def __init__(self) -> None:
        super().__init__(words("sign in first"))


class WrongPassword(WallwrightError):
    """Name and password do not fit together; which of the two is wrong is not said."""

    def __init__(self) -> None:
        super().__init__(words("name and password do not fit together"))


class WrongCode(WallwrightError):
    """This code lets nobody type what too many have guessed at."""

    def __init__(self) -> None:
        super().__init__(words("this code is wrong, used or older than ten minutes; ask for another one"))


class WrongPin(WallwrightError):
    """This is not the player's PIN."""

    def __init__(self) -> None:
        super().__init__(words("this is not the PIN of this player"))


class NotAllowed(WallwrightError):
    """The role may not do this."""

    def __init__(self, role: str) -> None:
        super().__init__(words("your role, {role}, may not do this; ask the director", role=ROLES[role]))


class Forged(WallwrightError):
    """A request that another site has made this browser send, or a page that is too old."""

    def __init__(self) -> None:
        super().__init__(words("this page is too old; load it again"))


class TooMany(WallwrightError):
    """Too many wrong passwords or PINs; `ways` says what somebody may do who does not want to wait."""

    def __init__(self, wait_ms: int, ways: Words | None = None) -> None:
        self.wait_ms = wait_ms
        self.wait_s = -(-wait_ms // 1000)
        wait = words("{minutes} min", minutes=-(-wait_ms // 60_000))
        if wait_ms > 2 * _HOUR_MS:
            wait = words("{hours} h", hours=-(-wait_ms // _HOUR_MS))
        super().__init__(
            words("too many wrong tries; wait {time}", time=wait)
            if ways is None
            else words("too many wrong tries; wait {time}, {ways}", time=wait, ways=ways)
        )


class Crowded(WallwrightError):
    """Too many ask for the same at once: this request has to come again."""

    wait_s = 2

    def __init__(self) -> None:
        super().__init__(words("too many ask at once; try again in {seconds} s", seconds=self.wait_s))


class NotDone(WallwrightError):
    """A command was understood and not done."""


class Unanswered(NotDone):
    """A command was begun, and the server died before it had an answer: nobody knows whether it was done."""

    def __init__(self) -> None:
        super().__init__(words("this was begun and has not been answered; look at the table before you try again"))


class KeyUsed(WallwrightError):
    """An idempotency key was used for something else."""

    def __init__(self) -> None:
        super().__init__(words("this Idempotency-Key was used for another command; take a fresh one for each"))


STATUS: tuple[tuple[type[WallwrightError], int], ...] = (
    (NotSignedIn, 401),
    (WrongPassword, 401),
    (WrongPin, 401),
    (WrongCode, 401),
    (NotAllowed, 403),
    (Forged, 403),
    (BadName, 404),
    (NoRoom, 507),
    (BadInput, 422),
    (KeyUsed, 422),
    (TooMany, 429),
    (Crowded, 503),
    (JournalError, 503),
    (AccountsFailed, 503),
    (WallwrightError, 409),
)
"""The first row that fits counts."""


def status_of(error: WallwrightError) -> int:
    """Return the HTTP status of an error."""
    return next(status for kind, status in STATUS if isinstance(error, kind))


def answer_of(error: WallwrightError, say: Say) -> dict[str, Any]:
    """Return what is answered to an error: its `problem`, whether it is not known how a command ended, and of a
    declared deal what is asked before it is taken.
    """
    answer: dict[str, Any] = {"problem": told_by(error).said(say)}
    if isinstance(error, Unanswered):
        answer["unanswered"] = True
    if isinstance(error, Doubtful):
        answer["doubts"] = [
            {"kind": one.kind, "seat": one.seat, "event": one.at, "why": one.why.said(say)} for one in error.doubts
        ]
    return answer
