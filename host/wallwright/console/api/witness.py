"""The API of the checkpoints, under /api/v1/checkpoint, for everybody: hashes and signatures, and published points.

No contents of entries are here but the points of deals of published sessions, and no hashes from which contents could
be guessed; docs/witnesses.md says why. Proofs are those of RFC 9162, each hash in hexadecimal.
"""

import json
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from ...errors import BadName
from ...event.disclosure import EVERYBODY, PLACES, RESULTS
from ...journal.kinds.desk import SeatsPlanned
from ...journal.tree import JournalTree
from ...journal.witness import Signed
from ...system.strict_json import read_own_object
from ...words import words
from ..feed.checkpoints import signed_record
from ..guard import Asking, Here, Site
from ..replays.deals import EMBARGO
from . import PREFIX, PROBLEMS

LARGEST = 2**53
"""No number of an entry is beyond what JavaScript can count to."""
EntryNumber = Annotated[int, Query(ge=1, le=LARGEST)]

router = APIRouter(prefix=f"{PREFIX}/checkpoint", responses=PROBLEMS)


class SignedCheckpoint(BaseModel):
    """The newest checkpoint: its printed form, how many entries it is about, and the root of their tree.

    `proof` shows that it extends the one before it, which was about `before` entries; 0 for the first since the start.
    """

    checkpoint: str
    size: int
    root: str
    at_ms: int
    before: int
    proof: tuple[str, ...]


class Consistency(BaseModel):
    """The proof that the first `second` entries begin with the first `first`."""

    first: int
    second: int
    proof: tuple[str, ...]


class Inclusion(BaseModel):
    """The proof that an entry with this leaf is one of the first `size`."""

    entry: int
    size: int
    leaf: str
    proof: tuple[str, ...]


class ShownResult(BaseModel):
    """A deal's result, to be compared with its leaf: SHA-256(00 + commitment + SHA-256(key + result)).

    `result` is the JSON text of entry, kind, unit, session, table, deal and points; unit and session are null where the
    entry does not say them. `seat` is the player's.
    """

    table: int
    deal: int
    seat: int
    entry: int
    commitment: str
    key: str
    result: str
    proof: tuple[str, ...]


class ShownEntry(BaseModel):
    """An entry that everybody may read whole, to be compared with its leaf: SHA-256(00 + SHA-256(key + text))."""

    entry: int
    key: str
    text: str
    proof: tuple[str, ...]


class ShownResults(BaseModel):
    """The deals of a player in a session, each with the proof that its entry is one of the first `size`.

    `opened` are the entries that say of which event they are, and who was to sit where.
    """

    size: int
    results: tuple[ShownResult, ...]
    opened: tuple[ShownEntry, ...]


@router.get("")
def get_checkpoint(site: Here, _: Asking) -> SignedCheckpoint:
    """The newest checkpoint."""
    return SignedCheckpoint(**signed_record(_witnessed(site)[1]))


@router.get("/consistency")
def get_consistency(site: Here, _: Asking, first: EntryNumber, second: EntryNumber) -> Consistency:
    """That a later journal begins with an earlier one."""
    tree, newest = _witnessed(site)
    if not first <= second <= newest.checkpoint.entry:
        problem = "there is no proof that {second} entries extend {first}: the newest checkpoint is about {size}"
        raise BadName(words(problem, second=second, first=first, size=newest.checkpoint.entry))
    return Consistency(first=first, second=second, proof=_hex(tree.consistency(first, second)))


@router.get("/inclusion/{entry}")
def get_inclusion(entry: int, site: Here, _: Asking, size: EntryNumber | None = None) -> Inclusion:
    """That an entry is among the first ones; without a size, those of the newest checkpoint."""
    tree, newest = _witnessed(site)
    size = size or newest.checkpoint.entry
    if not 1 <= entry <= size <= newest.checkpoint.entry:
        problem = "there is no proof of entry {entry} among {first}: the newest checkpoint is about {size}"
        raise BadName(words(problem, entry=entry, first=size, size=newest.checkpoint.entry))
    return Inclusion(entry=entry, size=size, leaf=tree.leaf(entry).hex(), proof=_hex(tree.inclusion(entry, size)))


@router.get("/results/{session}/{player}")
def get_results(session: int, player: int, site: Here, _: Asking, size: EntryNumber | None = None) -> ShownResults:
    """The points of a player's deals in a published session, each with what shows that its entry says them."""
    tree, newest = _witnessed(site)
    size = size or newest.checkpoint.entry
    book = site.event
    if not book.may_see(EVERYBODY, RESULTS, session):
        raise BadName(EMBARGO)
    if size > newest.checkpoint.entry:
        problem = "the newest checkpoint is about {size} entries, and not {wanted}"
        raise BadName(words(problem, size=newest.checkpoint.entry, wanted=size))
    found = []
    for table, deal, seat, entry in book.deals_of(session, player):
        opening = tree.opening(entry) if entry <= size else None
        if opening is not None:
            found.append(
                ShownResult(
                    table=table,
                    deal=deal,
                    seat=seat,
                    entry=entry,
                    commitment=opening.entry.hex(),
                    key=opening.key.hex(),
                    result=opening.result,
                    proof=_hex(tree.inclusion(entry, size)),
                )
            )
    opened = tuple(_opened(site, tree, entry, size) for entry in tree.shown_whole if entry <= size)
    return ShownResults(size=size, results=tuple(found), opened=tuple(one for one in opened if one is not None))


def _opened(site: Site, tree: JournalTree, entry: int, size: int) -> ShownEntry | None:
    """Return an entry whole; None for seats that nobody knows yet."""
    opening = tree.whole(entry)
    text = opening.text.decode()
    kind, body = json.loads(text)[5:]
    if kind == SeatsPlanned.KIND:
        said = read_own_object(body)
        sessions = range(said["first"], said["first"] + len(said["sessions"]))
        is_drawn = any(draw.stage == said["stage"] and draw.lots for draw in site.event.draws)
        if not is_drawn and not all(site.event.may_see(EVERYBODY, PLACES, one) for one in sessions):
            return None
    return ShownEntry(entry=entry, key=opening.key.hex(), text=text, proof=_hex(tree.inclusion(entry, size)))


def _witnessed(site: Site) -> tuple[JournalTree, Signed]:
    witnessing = site.witnessing
    if witnessing is None or witnessing.newest is None:
        raise BadName(words("there is no checkpoint yet; ask again in a minute"))
    return witnessing.tree, witnessing.newest


def _hex(proof: tuple[bytes, ...]) -> tuple[str, ...]:
    return tuple(node.hex() for node in proof)
