"""Makes the extract of a day: what everybody may know of it, and the proof that the day's journal says so.

Whole entries are shown where anybody may read all of them: format, players, draw, seats, steps of sessions; where a
name is withheld, they are stated without it. Of results
the points are shown, which a leaf opens alone. What else the standings follow from, such as a penalty or a
substitution, is stated without its reason, by the hall's word, beside the leaf that binds the whole entry. Tiles,
hands and everything else are in the root alone. Who has the journal makes the same bytes again with `rebuild`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ..errors import EventRefused, JournalDamaged, NoEvent
from ..event.disclosure import EVERYBODY, TOTALS, may_see, shown_penalties, shown_reason
from ..event.lifecycle import PLANNED, standing
from ..event.state import EventState
from ..event.store import holds_event, read_state
from ..event.table_sheet import DealResult
from ..journal import read_journal
from ..journal.addresses import find_place
from ..journal.checkpoint import Checkpoint
from ..journal.entry import GENESIS, row_text, to_json
from ..journal.kinds import deals, decode_record, desk, house, plain
from ..journal.leaves import RESULTS, Opening, WholeOpening, opening_of, whole_opening
from ..journal.merkle import MerkleTree
from ..journal.rows import with_leaves
from ..journal.shape import refuse_unsound
from ..journal.verify import verify_journal
from ..system.strict_json import read_own_object
from ..words import words
from .errors import BadExtract
from .extract_file import Extract, Result, Said, Since, pack, sign
from .extract_state import SHOWN, STATED, public_standings, read_event_of
from .withheld import KINDS as NAMING
from .withheld import Withheld

_KEPT_BACK = ("by", "record", "false_hu", "agreed", "kept", "approved", "session_over")
"""What is never told of a stated entry; all of it may be left out."""


@dataclass(slots=True)
class _Collected:
    entries: list[Said] = field(default_factory=list)
    opened: list[WholeOpening] = field(default_factory=list)
    stated: list[Said] = field(default_factory=list)
    leaves: list[bytes] = field(default_factory=list)
    results: list[Result] = field(default_factory=list)
    openings: list[Opening] = field(default_factory=list)
    checkpoints: list[Checkpoint] = field(default_factory=list)
    tree: MerkleTree = field(default_factory=MerkleTree)


def make_extract(
    place: str, key: Ed25519PrivateKey, since: Sequence[Checkpoint] = (), size: int | None = None
) -> bytes:
    """Return the file of the extract of the event in the journal at `place`, signed by `key`.

    It is about the first `size` entries, all without it. `since` are earlier checkpoints from which it is shown that
    the journal has grown; those in the journal are shown anyhow. Raises JournalError for a journal that is not what was
    written, NoEvent, and EventRefused while sessions are played.
    """
    if not holds_event(place):
        raise NoEvent(place)
    if findings := verify_journal(place).findings:
        raise JournalDamaged(place, f"{findings[0].text}; no extract is made of it")
    state = read_state(place, size)
    _refuse_unfinished(state)
    found = _collect(place, state, size)
    extract = _extract(found, Checkpoint.sign(found.tree.frontier(found.tree.size), key), since, place)
    if public_standings(read_event_of(extract, place)) != public_standings(state):
        raise EventRefused(words("the standings do not follow from what everybody may know; report this journal"))
    return sign(extract, key)


def guessable(place: str, extract: Extract) -> int:
    """Return the first entry that somebody could guess at with what the extract shows, 0 when there is none.

    Whoever knows all entries from the first one on, texts and all, knows the key of the next leaf. Behind a record
    `witnessed`, which nobody is shown, nobody does.
    """
    shown = {one.entry for one in extract.entries}
    first = next(number for number in range(1, len(shown) + 2) if number not in shown)
    hidden = next(read_journal(place, first - 1), None)
    return 0 if hidden is None or isinstance(hidden.said, house.Witnessed) else first


def rebuild(place: str, extract: Extract, key: Ed25519PrivateKey) -> bytes:
    """Return the file of an extract as the journal at `place` makes it, of as many entries and since the same
    checkpoints.
    """
    since = [Checkpoint.parse(one.checkpoint) for one in extract.since]
    return make_extract(place, key, since, Checkpoint.parse(extract.checkpoint).entry)


def _refuse_unfinished(state: EventState) -> None:
    shown = {number: may_see(state, EVERYBODY, TOTALS, number) for number in state.sessions}
    if not any(shown.values()):
        raise EventRefused(words("no session is published yet; an extract is made after `wallwright event publish`"))
    for session in state.sessions.values():
        if session.state != PLANNED and not shown[session.number]:
            problem = "{session}; an extract is made when nothing is in play and all results are published"
            raise EventRefused(words(problem, session=standing(session.number, session.state)))


def _collect(place: str, state: EventState, size: int | None) -> _Collected:
    found = _Collected()
    results = {deal.entry: (session, table, deal) for session, table, deal in _results_of(state)}
    replaced = {entry: (session, table, deal) for session, table, deal in _results_of(state) for entry in deal.before}
    written = read_journal(place, kinds=NAMING)
    withheld = Withheld(state, takewhile(lambda entry: size is None or entry.id <= size, written))
    database = find_place(place)
    refuse_unsound(database)
    before = GENESIS
    for row, leaf in with_leaves(database):
        if size is not None and row[0] > size:
            break
        found.tree.append(leaf)
        where = results.get(row[0]) or replaced.get(row[0])
        if where is not None and row[5] in RESULTS:
            _take_result(found, state, row, before, where, withheld)
        elif row[4] is None:
            _take_entry(found, state, row, before, leaf, withheld)
        before = row[7]
    if size is not None and found.tree.size < size:
        problem = f"the journal ends with entry {found.tree.size}, the extract is about {size}; the journal was cut"
        raise BadExtract(place, problem)
    return found


def _results_of(state: EventState) -> Iterable[tuple[int, int, DealResult]]:
    for session in state.sessions.values():
        for sheet in session.tables:
            for deal in (*sheet.past, *sheet.deals.values()):
                yield session.number, sheet.table, deal


def _take_result(
    found: _Collected,
    state: EventState,
    row: Sequence[Any],
    before: bytes,
    where: tuple[int, int, DealResult],
    withheld: Withheld,
) -> None:
    opening = opening_of(before, row, row_text(row))
    said = decode_record(row[5], row[6])
    assert opening is not None
    assert isinstance(said, deals.DealResult | desk.Scored)
    session, table, deal = where
    body = read_own_object(row[6])
    told = (body.get("session"), body.get("table"), body.get("deal"))
    dealer = said.dealer if isinstance(said, desk.Scored) else deal.dealer
    reason = shown_reason(state, EVERYBODY, deal) if deal.entry == row[0] else ""
    found.openings.append(opening)
    found.results.append(
        Result(
            row[0],
            row[1],
            row[5],
            row[2],
            told,
            session,
            table,
            deal.deal,
            said.points,
            dealer,
            tuple(said.winners),
            sum(one.points for one in said.penalties),
            said.next_dealer,
            withheld.text(reason),
        )
    )


def _take_entry(
    found: _Collected, state: EventState, row: Sequence[Any], before: bytes, leaf: bytes, withheld: Withheld
) -> None:
    said = decode_record(row[5], row[6])
    body = read_own_object(row[6])
    # Who is kept apart from whom, and why something was done, is for those who run the day.
    has_more = body.get("reason") or (isinstance(said, desk.PlayersImported) and said.roster.apart)
    has_more = has_more or withheld.hide(said, body) != body
    is_shown = isinstance(said, SHOWN) and not has_more and to_json(body) == row[6]
    if is_shown:
        found.entries.append(Said(row[0], row[1], row[2], row[5], body))
        found.opened.append(whole_opening(before, row_text(row)))
        if isinstance(said, house.Checkpoint) and said.root is not None:
            found.checkpoints.append(Checkpoint.read(body))
    elif isinstance(said, STATED + SHOWN):
        told = withheld.hide(said, _stated(state, row[0], plain(said)))
        found.stated.append(Said(row[0], row[1], row[2], row[5], told))
        found.leaves.append(leaf)


def _stated(state: EventState, entry: int, body: dict[str, Any]) -> dict[str, Any]:
    told = {key: value for key, value in body.items() if key not in _KEPT_BACK}
    if "reason" in told:
        told["reason"] = next((one.reason for one in shown_penalties(state, EVERYBODY) if one.entry == entry), "")
    if "roster" in told:
        told |= {"roster": {**told["roster"], "apart": []}, "source": ""}
    if "penalties" in told:
        told["penalties"] = [{"seat": one["seat"], "points": one["points"], "why": ""} for one in told["penalties"]]
    return told


def _extract(found: _Collected, signed: Checkpoint, since: Sequence[Checkpoint], place: str) -> Extract:
    shown = (*(one.entry for one in found.entries), *(one.entry for one in found.stated))
    numbers = (*shown, *(one.entry for one in found.results))
    tree, size = found.tree, signed.entry
    # A printed checkpoint is one text, whoever names it.
    named = {str(one): one for one in (*found.checkpoints, *since)}
    earlier = [named[text] for text in sorted(named, key=lambda text: (named[text].entry, text))]
    return Extract(
        str(signed),
        tuple(_since(tree, one, size, place) for one in earlier),
        tuple(found.entries),
        tuple(found.stated),
        tuple(found.results),
        pack(tuple(one.key for one in found.opened)),
        pack(tuple(part for one in found.openings for part in (one.entry, one.key))),
        pack(tuple(found.leaves)),
        pack(tree.multiproof([number - 1 for number in numbers], size)),
    )


def _since(tree: MerkleTree, earlier: Checkpoint, size: int, place: str) -> Since:
    if not 0 < earlier.entry <= size or tree.root(earlier.entry) != earlier.hash:
        problem = f"the journal has not grown from the checkpoint of entry {earlier.entry}: it is another, or was cut"
        raise BadExtract(place, problem)
    return Since(str(earlier), pack(tree.consistency(earlier.entry, size)))
