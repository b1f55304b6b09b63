"""Enrolling: a person holds one tile after the other to a stacking head, and is told which comes next.

Knows no terminal: what there is to say goes to the caller as values. Nothing is enrolled twice, a tile that is not
read in time stays a gap, and a later run asks for the gaps alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

from wallwright_protocol.hardware import SETS, SIDES

from ..doctor.bench import Bench
from ..errors import BadEnrolment, NotInTime
from ..link.reports import Event
from ..table.table import Table
from .enrolment import Enrolment, enrolment_path, load_enrolment, read_readers, save_enrolment

ALONE_MS = 400
"""A second tag that comes so soon after the first is held there together with it."""


@dataclass(frozen=True, slots=True)
class Ask:
    """The next tile, please: `left` are still to come of this set, this one included."""

    set: int
    face: str
    left: int


@dataclass(frozen=True, slots=True)
class Enrolled:
    """The tag is taken for that tile."""

    set: int
    face: str
    tag: str


@dataclass(frozen=True, slots=True)
class Known:
    """The tag is in another tile by the list: a tile comes twice, or two tags have one number."""

    set: int
    face: str
    tag: str


@dataclass(frozen=True, slots=True)
class Together:
    """Two tags were read at once; nobody knows which is which."""

    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skipped:
    """The tile was not read in time; it stays a gap."""

    set: int
    face: str


Said = Ask | Enrolled | Known | Together | Skipped


def enrol(table: Table, tell: Callable[[Said], None], wait_ms: int) -> Enrolment:
    """Ask for every tile of both sets that has no tag yet, `wait_ms` for each at the most; return what is known then.

    The file of this table is written after every tile, the board gets the hash at the end. Raises BadEnrolment when the
    table has no readers at its heads or the file is of another table, and what `Bench.in_service` does.
    """
    if not set(range(SIDES)) <= set(read_readers(table).readers):
        raise BadEnrolment(
            f"{table.info.unit} has no tile readers at its stacking heads; tiles cannot be enrolled there"
        )
    path = enrolment_path(table.info.unit)
    enrolment = load_enrolment(path) or Enrolment(table.info.unit, table.info.tiles)
    if (enrolment.unit, enrolment.tiles) != (table.info.unit, table.info.tiles):
        raise BadEnrolment(
            f"{path} is of {enrolment.unit} with {enrolment.tiles} tiles, not of {table.info.unit} with "
            f"{table.info.tiles}; move it away"
        )
    with Bench(table).in_service():
        for number in range(SETS):
            gaps = enrolment.gaps(number)
            for done, face in enumerate(gaps):
                tell(Ask(number, face, len(gaps) - done))
                tag = _next_tag(table, enrolment, tell, wait_ms)
                if tag is None:
                    tell(Skipped(number, face))
                else:
                    enrolment = enrolment.with_tag(number, tag, face)
                    save_enrolment(path, enrolment)
                    tell(Enrolled(number, face, tag))
        table.request("set_enrolment", enrolment.digest())
    return enrolment


def _next_tag(table: Table, enrolment: Enrolment, tell: Callable[[Said], None], wait_ms: int) -> str | None:
    """Return the next tag that is held to a head alone and is new, None when none comes in time."""
    until = table.now_ms() + wait_ms
    while True:
        try:
            event = table.wait_for("tag_appeared", until - table.now_ms())
        except NotInTime:
            return None
        table.pump(ALONE_MS)
        tags = [_tag(each) for each in (event, *table.events()) if _is_at_a_head(each)]
        if len(tags) > 1:
            tell(Together(tuple(tags)))
        elif tags:
            found = enrolment.find(tags[0])
            if found is None:
                return tags[0]
            tell(Known(*found, tags[0]))


def _is_at_a_head(event: Event) -> bool:
    return event.name == "tag_appeared" and event.secret["reader"] < SIDES


def _tag(event: Event) -> str:
    return str(event.secret["tag"])
