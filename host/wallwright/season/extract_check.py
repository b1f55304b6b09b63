"""Checks an extract for whoever has not the journal: signature, proofs, published checkpoints; and makes a `Day` of it.

What holds afterwards: the key has signed the file; every entry that is shown whole, and the points of every result, are
in the tree whose root is in the checkpoint; the standings follow from them and from what the hall states. What the hall
states, and that it leaves nothing out, is its word; who has the journal can look.
"""

import base64
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ..errors import BadCheckpoint
from ..event.format import IN_HALL, format_record
from ..event.lifecycle import STATES
from ..event.state import EventState
from ..event.state_parts import Session
from ..event.table_sheet import ANNULLED as GONE
from ..event.table_sheet import LIVE, DealResult
from ..event.table_sheet import VOIDED as TAKEN_AWAY
from ..journal.checkpoint import Checkpoint, printed_key
from ..journal.entry import row_text, to_json
from ..journal.kinds import make_record
from ..journal.kinds.desk import DrawCommitted, EventCreated, SessionMoved
from ..journal.leaves import Opening, WholeOpening, result_text
from ..journal.proofs import extends, multiproof_root
from ..rules.core.errors import RulesError
from ..system.signatures import flaw
from .day import ANNULLED, COUNTS, VOIDED, Day, DayDeal, DayPlayer, DayRow, DayScore, DaySession
from .errors import BadExtract
from .extract_file import HASH, LARGEST, Extract, Said, Signed, check_signature, read, unpack
from .extract_rows import ShownRow, check_parts, check_places, rows_of
from .extract_state import public_standings, read_event_of

ASK = "ask the hall for its own file"
_ID = 32
_PRINTED = re.compile(r"WALLWRIGHT2:[1-9][0-9]{0,15}:[A-Z2-7]{52}:[A-Z2-7]{52}:[A-Z2-7]{103}")
_NO_EVENTS = (ArithmeticError, AttributeError, LookupError, RulesError, TypeError, ValueError)
"""What the standings of an event raise whose format no program of ours has read from a file."""
_KINDS = {LIVE: COUNTS, TAKEN_AWAY: VOIDED, GONE: ANNULLED}


@dataclass(frozen=True, slots=True)
class Checked:
    """A day whose extract holds. `leaves` are those that are shown, by entry; `since` the roots by entry from which the
    journal has grown, by their proofs.
    """

    day: Day
    leaves: Mapping[int, bytes]
    since: Mapping[int, bytes]
    root: bytes
    signed: Signed


@dataclass(frozen=True, slots=True)
class Proof:
    """What an extract proves by itself, before an event is made of it. `rows` are the results that it tells."""

    signed: Signed
    checkpoint: Checkpoint
    leaves: Mapping[int, bytes]
    since: Mapping[int, bytes]
    rows: tuple[ShownRow, ...]


def check_extract(data: bytes, name: str, key: bytes | None = None, published: Sequence[Checkpoint] = ()) -> Checked:
    """Return the day of the extract in the file `name`. BadExtract says in one line why it does not hold.

    `key` has to have signed it, where it is given; `published` are checkpoints that its journal has to fit.
    """
    proof = prove_extract(data, name, key)
    for one in published:
        _compare(one, proof.checkpoint, proof.since, name)
    day = told_day(proof.signed.extract, proof.checkpoint, proof.leaves, hashlib.sha256(data).hexdigest(), name)
    return Checked(day, proof.leaves, proof.since, proof.checkpoint.hash, proof.signed)


def prove_extract(data: bytes, name: str, key: bytes | None = None) -> Proof:
    """Return what the extract in the file `name` proves (docs/proofs.md). Raises what `check_extract` does."""
    signed = read(data, name)
    extract = signed.extract
    checkpoint = _checkpoint(extract.checkpoint, name)
    if key is not None and checkpoint.key != key:
        raise BadExtract(name, f"another key has signed it, {printed_key(checkpoint.key)}; {ASK}", "key")
    check_signature(signed, checkpoint.key, name)
    leaves = _leaves(extract, name)
    hashes = unpack(extract.proof, HASH, "proofs", name)
    try:
        root = multiproof_root({number - 1: leaf for number, leaf in leaves.items()}, checkpoint.entry, hashes)
    except ValueError as error:
        raise BadExtract(name, f"its proof does not hold ({error}); {ASK}", "leaf") from error
    if root != checkpoint.hash:
        problem = f"its proof does not hold: what it shows is not what the checkpoint signs; {ASK}"
        raise BadExtract(name, problem, "leaf")
    since = dict(_since(extract, checkpoint, name))
    check_places(extract, name)
    return Proof(signed, checkpoint, leaves, since, rows_of(extract, name))


def told_day(extract: Extract, checkpoint: Checkpoint, leaves: Mapping[int, bytes], hash_: str, name: str) -> Day:
    """Return the day that an extract tells of, whether it is proved or not. BadExtract for what no day can be."""
    state = read_event_of(extract, name)
    try:
        return _day(state, extract, checkpoint, leaves, hash_)
    except _NO_EVENTS as error:
        raise BadExtract(name, f"its format is none that an event can have ({error!r}); {ASK}") from error


def _checkpoint(text: str, name: str) -> Checkpoint:
    found, why = read_checkpoint(text)
    if found is None:
        problem = {
            "checkpoint": "its checkpoint is not written as one is",
            "key": "its checkpoint is signed by a key that anybody can sign with, or by none",
            "signature": "its checkpoint does not hold: the signature does not fit it",
        }[why]
        raise BadExtract(name, f"{problem}; {ASK}", why)
    return found


def read_checkpoint(text: object) -> tuple[Checkpoint | None, str]:
    """Return the checkpoint of its one printed form; else None, and why in a word of docs/proofs.md."""
    if not isinstance(text, str) or not _PRINTED.fullmatch(text):
        return None, "checkpoint"
    parts = text.split(":")
    hash_, key, signature = (base64.b32decode(part + "=" * (-len(part) % 8)) for part in parts[2:])
    found = Checkpoint(int(parts[1]), hash_, key, signature)
    if found.entry > LARGEST or str(found) != text:
        return None, "checkpoint"
    if flaw(found.key):
        return None, "key"
    try:
        return found.checked(), ""
    except BadCheckpoint:
        return None, "signature"


def _leaves(extract: Extract, name: str) -> dict[int, bytes]:
    """Return the leaf of every entry that is shown, by its number."""
    keys = unpack(extract.keys, HASH, "keys", name)
    openings = unpack(extract.openings, 2 * HASH, "openings", name)
    stated = unpack(extract.leaves, HASH, "leaves", name)
    pairs = ((extract.entries, keys), (extract.results, openings), (extract.stated, stated))
    if any(len(parts) != len(hashes) for parts, hashes in pairs):
        raise BadExtract(name, f"its parts and its proofs are not as many; {ASK}", "count")
    check_parts(extract, name)
    leaves = {one.entry: WholeOpening(key, _text(one)).leaf for one, key in zip(extract.entries, keys, strict=True)}
    for result, opened in zip(extract.results, openings, strict=True):
        text = result_text(result.entry, result.kind, result.unit, result.told, result.points)
        leaves[result.entry] = Opening(opened[:HASH], opened[HASH:], text).leaf
    leaves |= {one.entry: leaf for one, leaf in zip(extract.stated, stated, strict=True)}
    return leaves


def _text(said: Said) -> bytes:
    return row_text((said.entry, said.at_ms, said.unit, None, None, said.kind, to_json(said.body)))


def _since(extract: Extract, checkpoint: Checkpoint, name: str) -> Iterator[tuple[int, bytes]]:
    for one in extract.since:
        try:
            earlier = _checkpoint(one.checkpoint, name)
            proof = unpack(one.proof, HASH, "proofs", name)
        except BadExtract as error:
            raise BadExtract(name, error.problem, "since") from error
        if not extends(earlier.entry, earlier.hash, checkpoint.entry, checkpoint.hash, proof):
            problem = f"its proof does not hold: the journal has not grown from the checkpoint of entry {earlier.entry}"
            raise BadExtract(name, f"{problem}; {ASK}", "since")
        yield earlier.entry, earlier.hash


def _compare(published: Checkpoint, checkpoint: Checkpoint, since: Mapping[int, bytes], name: str) -> None:
    roots = {**since, checkpoint.entry: checkpoint.hash}
    entry = published.entry
    if entry > checkpoint.entry:
        problem = f"it ends with entry {checkpoint.entry}, and the checkpoint is about {entry}"
        raise BadExtract(name, f"{problem}: the journal was cut, or there is a newer extract; ask the hall for that")
    if entry not in roots:
        problem = f"it has no proof that its journal has grown from the checkpoint of entry {entry}"
        raise BadExtract(name, f"{problem}; have the hall make one with `wallwright event extract --since`")
    if roots[entry] != published.hash:
        problem = f"it is of another journal than the checkpoint of entry {entry}"
        raise BadExtract(name, f"{problem}: one of the two is a fork; show both to the referee")


def _day(state: EventState, extract: Extract, checkpoint: Checkpoint, leaves: Mapping[int, bytes], hash_: str) -> Day:
    assert state.format is not None
    rules = state.format.game
    table = public_standings(state)
    times = _times(extract)
    sessions = tuple(
        DaySession(number, one.state, len(one.tables), *times.get(number, (0, 0)))
        for number, one in sorted(state.sessions.items())
    )
    began = min((one.began_ms for one in sessions if one.began_ms), default=0)
    rows = tuple(
        DayRow(
            row.rank,
            row.player,
            row.total,
            row.points,
            row.table_points,
            row.wins,
            tuple(DayScore(one.session, one.kind, one.points, one.table_points, one.counts) for one in row.sessions),
            row.note,
        )
        for row in table.rows
    )
    return Day(
        _id(extract, leaves),
        state.format.name,
        datetime.fromtimestamp(began / 1000, UTC).date().isoformat() if began else "",
        printed_key(checkpoint.key),
        rules.game.name if rules.is_here else rules.preset,
        rules.name,
        format_record(state.format),
        min((one.state for one in sessions), key=STATES.index),
        tuple(_players(state)),
        sessions,
        tuple(_deals(state.sessions.values())),
        rows,
        hash_,
        str(checkpoint),
        checkpoint.entry,
    )


def _id(extract: Extract, leaves: Mapping[int, bytes]) -> str:
    """Return what stands for the event: its beginning, and the first secret that its draw was committed to, which no
    other day has, also where two halls begin alike at the same moment.
    """
    said = sorted((*extract.entries, *extract.stated), key=lambda one: one.entry)
    kinds = (EventCreated.KIND, DrawCommitted.KIND)
    firsts = [next((one.entry for one in said if one.kind == kind), 0) for kind in kinds]
    return hashlib.sha256(b"".join(leaves.get(one, b"") for one in firsts)).hexdigest()[:_ID]


def _players(state: EventState) -> Iterator[DayPlayer]:
    assert state.format is not None
    for one in state.roster.players:
        is_private = one.private or state.format.names == IN_HALL
        yield DayPlayer(one.number, one.name, one.club, one.id, one.stand_in, is_private)


def _times(extract: Extract) -> dict[int, tuple[int, int]]:
    """By session: when its clock was started first and stopped last."""
    found: dict[int, tuple[int, int]] = {}
    for one in sorted((*extract.entries, *extract.stated), key=lambda one: one.entry):
        if one.kind != SessionMoved.KIND:
            continue
        said = make_record(SessionMoved, one.body)
        began, _ = found.get(said.session, (one.at_ms, 0))
        if said.trigger in ("start", "resume", "stop"):
            found[said.session] = (began, one.at_ms)
    return found


def _deals(sessions: Iterable[Session]) -> Iterator[DayDeal]:
    for session in sessions:
        for sheet in session.tables:
            found: list[DealResult] = sorted((*sheet.past, *sheet.deals.values()), key=lambda one: one.entry)
            for one in found:
                yield DayDeal(
                    session.number,
                    sheet.table,
                    one.deal,
                    _KINDS[one.status],
                    one.players,
                    one.points,
                    one.entry,
                    one.before,
                    one.winners,
                    one.fines,
                )
