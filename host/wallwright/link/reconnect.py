"""When to look for a lost table again, and what it means when one answers: pure, on the caller's clock.

What a host that has found a table does is always the same: shake hands, read the state back, take the events that it
has missed, move nothing. What differs is what happened in between, and `tell_apart` puts that into words.
"""

from dataclasses import dataclass
from typing import Final

from wallwright_protocol.link import NEVER

from ..errors import BadBoard, BadKey, BadPort, PortDenied, VersionMismatch, WallwrightError, WrongUnit

FIRST_MS = 500
"""Wait after the first try, which is made at once. The waits double up to CAP_MS."""
CAP_MS = 3_000
"""A table that is back is in play again within five seconds, however long it was away."""
PERSON_MS = 15_000
"""The wait where only a person can mend what is wrong."""
STEADY_MS = 10_000
"""A connection that held this long was a good one: the next search starts over with a try at once."""
FOR_A_PERSON: Final = (BadPort, PortDenied, VersionMismatch, BadBoard, WrongUnit, BadKey)
"""These stay until a person does something, so there is no hurry to try again."""

BEHIND: Final = "journal_behind"
"""The kind of a meeting that has events told as lost which the board had handed over: to a journal that is gone."""
WORDS: Final = {
    "first_met": "{unit} is here; nothing was known of it",
    "host_restarted": "this host is back; {unit} has run on meanwhile",
    "link_restored": "{unit} is back; it has run on meanwhile",
    BEHIND: "this host is back with an older journal; {unit} has run on meanwhile, and {lost}",
    "board_reset": "{unit} is back after a reset; it stands still, and {lost}",
    "board_replaced": "{unit} answers where {old_unit} was: another board; what that one kept, it keeps",
}
"""The kinds of meetings, and what to tell the people, to which is added how many events come now."""
RUN_ON: Final = ("host_restarted", "link_restored", BEHIND)
"""The kinds of meetings with a board that has not been reset since."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a host knows of a board: who it is, its run, the last event kept in a journal, the newest heard of."""

    unit: str
    boot_id: int
    kept_event: int
    newest_event: int


@dataclass(frozen=True, slots=True)
class Meeting:
    """A table has answered. `kind` is one of WORDS, `text` the sentence.

    `waiting` events of its present run are not in the journal yet and come now. At least `lost` events went with the
    run before, when the board was reset; None where that cannot be known, as nobody listened at the time. After a
    restart with an older journal `lost` is how many of the present run are in the newer one alone.
    """

    kind: str
    text: str
    waiting: int
    lost: int | None

    @property
    def is_same_run(self) -> bool:
        """Say whether the board has run on since it was last seen."""
        return self.kind in RUN_ON


def tell_apart(before: Known | None, now: Known, *, is_restart: bool) -> Meeting:
    """Say what has happened to a table between `before` and `now`; `is_restart`: `before` is from a journal."""
    kept = now.kept_event
    lost: int | None = 0
    told = _loss
    if before is None:
        kind = "first_met"
    elif before.unit != now.unit:
        kind = "board_replaced"
    elif before.boot_id != now.boot_id:
        kind = "board_reset"
        lost = None if is_restart else max(0, before.newest_event - before.kept_event)
    elif is_restart and now.kept_event > before.kept_event:
        # A board forgets what it is told to be stored. What this journal lacks of that, another one had.
        kind = BEHIND
        lost = now.kept_event - before.kept_event
        told = _elsewhere
    else:
        kind = "host_restarted" if is_restart else "link_restored"
        kept = max(kept, before.kept_event)
    waiting = max(0, now.newest_event - kept)
    old_unit = before.unit if before else ""
    text = WORDS[kind].format(unit=now.unit, old_unit=old_unit, lost=told(lost))
    return Meeting(kind, f"{text}; {_count(waiting)} {'comes' if waiting < 2 else 'come'} now", waiting, lost)


def _loss(lost: int | None) -> str:
    if lost is None:
        return "what it had not handed over before is lost, how much is not known"
    if lost == 0:
        return "all that was heard of before is in the journal"
    return f"at least {_count(lost)} went with it"


def _elsewhere(lost: int | None) -> str:
    return f"{_count(lost or 0)} that it had handed over {'is' if lost == 1 else 'are'} not in it"


def _count(events: int) -> str:
    return "no event" if events == 0 else "1 event" if events == 1 else f"{events} events"


class Reconnect:
    """The search for one table: `due` says when to try next, NEVER while it is there. Times are ms on any one clock."""

    def __init__(self, now_ms: int) -> None:
        self.due = now_ms
        self._wait_ms = 0
        self._since_ms = 0

    @property
    def is_connected(self) -> bool:
        """Say whether the table is there."""
        return self.due == NEVER

    def connected(self, now_ms: int) -> None:
        """A try has found the table."""
        self.due = NEVER
        self._since_ms = now_ms

    def failed(self, now_ms: int, error: WallwrightError) -> None:
        """A try, or the connection, has ended with `error`; the next try is at `due`."""
        if isinstance(error, FOR_A_PERSON):
            self._wait_ms = PERSON_MS
        elif self.is_connected and now_ms - self._since_ms >= STEADY_MS:
            self._wait_ms = 0
        else:
            self._wait_ms = min(CAP_MS, max(FIRST_MS, 2 * self._wait_ms))
        self.due = now_ms + self._wait_ms


def outage_name(error: WallwrightError) -> str:
    """Return the name that programs know an error by: "port_gone" for PortGone."""
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in type(error).__name__)[1:]
