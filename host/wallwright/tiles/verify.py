"""Was the wall that was played the wall that had been built? Recomputed from a journal alone.

The board committed to the wall before it rose, and has shown it since. Checked are the commitment, the count, the set
of tiles where its tags are enrolled, and that what was drawn lay in that wall. What can only be a missed read or a tile
taken out of turn is a doubt and no problem: nobody is accused by a bad antenna.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from wallwright_protocol.hardware import READERS_PER_SEAT, SETS, SIDES
from wallwright_protocol.wall import NO_TAG, TAG_BYTES
from wallwright_protocol.wall import commitment as wall_commitment

from ..errors import BadDeal
from ..journal.entry import Entry
from ..journal.kinds.deals import DealStarted
from ..journal.kinds.tables import (
    CUT,
    BuildStarted,
    DiceRolled,
    TagAppeared,
    TagMoved,
    TagSealed,
    WallPart,
    WallRevealed,
    WallSealed,
    WallsUp,
    WallUnverifiable,
)
from ..journal.sealing import disclosed_keys, unsealed
from ..rules.core.errors import RulesError
from ..rules.core.followed import Followed, Rolled, followed_game
from ..rules.core.registry import DEFAULT
from ..rules.core.walls import DEALT, own_walls
from .enrolment import Enrolment, set_faces
from .played_rules import draws_from_own_walls, rules_of_start

SLACK_MS = 2500
"""Two tiles may be seen in the other order when they came within this time: reads are late by up to 1.5 s, and a
player draws one tile in some seconds."""

USUAL_TILES = 108
"""One game alone is played with a set of so many: its rules are taken where the journal names none."""

AGREES = "agrees"
WRONG = "wrong"
NOT_YET = "not revealed"
UNVERIFIABLE = "unverifiable"

_LOSSES = {
    "no_random": "the board's random source did not deliver, so that it could not commit to the wall",
    "power": "a power loss took nonce and wall before the deal was over",
    "not_back": "the tags of this wall were not read again after the deal",
}


@dataclass(frozen=True, slots=True)
class WallVerdict:
    """What came of it. `verdict` is AGREES, WRONG, NOT_YET or UNVERIFIABLE.

    `wall` has the tags in the order of the wall, in hexadecimal, "" for a place that is not known; it is empty unless
    it was revealed. `drawn` is how many tiles of it were read at the seats, None while that is sealed.
    """

    unit: str
    deal: int
    verdict: str
    commitment: str
    wall: tuple[str, ...]
    drawn: int | None
    problems: tuple[str, ...]
    doubts: tuple[str, ...]

    @property
    def unread(self) -> int:
        """How many places are not known."""
        return self.wall.count("")


T = TypeVar("T", WallSealed, WallUnverifiable, WallRevealed)


@dataclass(frozen=True, slots=True)
class _Deal:
    """The entries of one deal at one table: those before its walls were up, that one, and all after it."""

    before: Sequence[Entry]
    walls_up: Entry
    after: Sequence[Entry]

    number: int
    """The deal, by the board's count."""

    def last(self, cls: type[T], entries: Sequence[Entry]) -> T | None:
        """Return the last event of a class that is of this deal."""
        found = [entry.said for entry in entries if isinstance(entry.said, cls) and entry.said.deal == self.number]
        return found[-1] if found else None


def verify_wall(
    entries: Iterable[Entry], number: int, unit: str = "", enrolment: Enrolment | None = None
) -> WallVerdict:
    """Verify the wall of a deal; with an enrolment its tiles too. `unit` may be left out when one table has that deal.

    Raises BadDeal when there is no such deal, or several tables have one.
    """
    every = list(entries)
    of_tables = unsealed((entry for entry in every if entry.unit is not None), disclosed_keys(every))
    deal = _find(list(of_tables), number, unit)
    table = deal.walls_up.unit or ""
    sealed = deal.last(WallSealed, deal.before)
    lost = deal.last(WallUnverifiable, [*deal.before, *deal.after])
    commitment = "" if sealed is None else sealed.commitment
    revealed = deal.last(WallRevealed, deal.after)
    if sealed is None or revealed is None:
        if lost is not None:
            why = _LOSSES.get(lost.seal_loss, "the board says so")
        elif sealed is None:
            why = "the board did not commit to it; it has no readers at its stacking heads, or the journal began later"
        else:
            return WallVerdict(
                table, number, NOT_YET, commitment, (), None, (), ("the set is not back in the drum yet",)
            )
        return WallVerdict(table, number, UNVERIFIABLE, commitment, (), None, (), (why,))
    if not any(isinstance(entry.said, WallPart) and entry.said.deal == number for entry in deal.after) and any(
        isinstance(entry.said, TagSealed) for entry in deal.after
    ):
        why = "it is sealed until the deals that all tables play are shown"
        return WallVerdict(table, number, NOT_YET, commitment, (), None, (), (why,))
    wall, problems = _wall(deal, sealed, revealed)
    doubts: list[str] = []
    if enrolment is None:
        doubts.append("the tags of this table are not enrolled here, so which tiles they are was not checked")
    else:
        problems += _wrong_tiles(wall, enrolment)
    drawn = _drawn(deal)
    if drawn is None:
        doubts.append("what was drawn is still sealed; its key is disclosed when the next walls are up")
    else:
        problems += _strangers(wall, drawn)
        doubts += _out_of_turn(deal, wall, drawn)
    return WallVerdict(
        table,
        number,
        WRONG if problems else AGREES,
        commitment,
        tuple(tag.hex() if tag != NO_TAG else "" for tag in wall),
        None if drawn is None else sum(tag in drawn for tag in wall),
        tuple(problems),
        tuple(doubts),
    )


def _find(entries: Sequence[Entry], number: int, unit: str) -> _Deal:
    found = [
        entry
        for entry in entries
        if isinstance(entry.said, WallsUp) and entry.said.deal == number and unit in ("", entry.unit)
    ]
    tables = sorted({entry.unit or "" for entry in found})
    if not found:
        whose = f" of {unit}" if unit else ""
        raise BadDeal(number, f"no walls{whose} went up for it; `wallwright log show` lists those that did")
    if len(tables) > 1:
        raise BadDeal(number, f"{', '.join(tables)} each have one; say which with --unit")
    up = found[-1]
    mine = [entry for entry in entries if entry.unit == up.unit]
    before = [entry for entry in mine if entry.id < up.id and entry.boot_id == up.boot_id]
    return _Deal(before, up, [entry for entry in mine if entry.id > up.id], number)


def _wall(deal: _Deal, sealed: WallSealed, revealed: WallRevealed) -> tuple[list[bytes], list[str]]:
    """Return the wall as it was revealed and what is wrong with it."""
    said = [entry.said for entry in deal.after]
    behind = said[said.index(revealed) :]
    parts = [one for one in behind if isinstance(one, WallPart) and one.deal == deal.number]
    data = b"".join(part.data for part in sorted(parts, key=lambda part: part.first))
    size = sealed.tiles * TAG_BYTES
    problems = []
    if len(data) < size:
        problems.append(f"{len(data) // TAG_BYTES} of {sealed.tiles} tiles were revealed")
    wall_bytes, rest = data[:size], data[size:]
    shown = wall_commitment(deal.number, bytes.fromhex(revealed.nonce), wall_bytes)
    if shown.hex() != sealed.commitment or any(rest):
        problems.append("the wall that was revealed is not the one that the board had committed to")
    wall = [wall_bytes[at : at + TAG_BYTES] for at in range(0, len(wall_bytes), TAG_BYTES)]
    if wall.count(NO_TAG) != sealed.unread:
        problems.append(f"{sealed.unread} places were said to be unknown, and {wall.count(NO_TAG)} are")
    twice = [tag for tag, count in Counter(wall).items() if count > 1 and tag != NO_TAG]
    problems += [f"tag {tag.hex()} lies in it {wall.count(tag)} times" for tag in twice]
    return wall, problems


def _wrong_tiles(wall: Sequence[bytes], enrolment: Enrolment) -> list[str]:
    """Say which tiles do not belong to the set, by the list of tags."""
    problems = []
    numbers: Counter[int] = Counter()
    faces: Counter[str] = Counter()
    for tag in wall:
        found = enrolment.find(tag.hex())
        if found is not None:
            numbers[found[0]] += 1
            faces[found[1]] += 1
        elif tag != NO_TAG:
            problems.append(f"tag {tag.hex()} is of no tile of this table")
    if len(numbers) > 1:
        mixed = " and ".join(f"{numbers[number]} of set {number}" for number in range(SETS))
        problems.append(f"the wall mixes the sets: {mixed}")
    surplus = faces - Counter(set_faces(enrolment.tiles))
    problems += [f"there are {faces[face]} tiles {face} in it" for face in surplus]
    return problems


def _drawn(deal: _Deal) -> dict[bytes, tuple[int, int]] | None:
    """Return each tag that was read at a seat in the deal, with time and reader of its first read; None if sealed."""
    found: dict[bytes, tuple[int, int]] = {}
    for entry in deal.after:
        said = entry.said
        if isinstance(said, TagSealed):
            return None
        if isinstance(said, WallsUp) or (entry.boot_id is not None and entry.boot_id != deal.walls_up.boot_id):
            break
        if isinstance(said, TagAppeared | TagMoved):
            reader = said.to if isinstance(said, TagMoved) else said.reader
            found.setdefault(bytes.fromhex(said.tag), (said.time_ms, reader))
    return {tag: first for tag, first in found.items() if first[1] >= SIDES}


def _strangers(wall: Sequence[bytes], drawn: Iterable[bytes]) -> list[str]:
    """Say which tiles were played that cannot have come from the wall. Each place that is not known may excuse one."""
    strangers = sorted(set(drawn) - set(wall))
    if len(strangers) <= wall.count(NO_TAG):
        return []
    return [f"tag {tag.hex()} was played and did not lie in the wall" for tag in strangers]


def _out_of_turn(deal: _Deal, wall: Sequence[bytes], drawn: dict[bytes, tuple[int, int]]) -> list[str]:
    """Say which tiles were first seen in a hand although one that lay before them came later, after the deal itself."""
    said = [entry.said for entry in deal.after]
    rolled = [
        Rolled(one.purpose or CUT, one.seat, one.dice)
        for one in said[: next((at for at, one in enumerate(said) if isinstance(one, WallsUp)), len(said))]
        if isinstance(one, DiceRolled) and one.deal == deal.number
    ]
    built = [entry.said for entry in deal.before if isinstance(entry.said, BuildStarted)]
    started = [one for one in said if isinstance(one, DealStarted) and one.deal == deal.number]
    if built and any(map(draws_from_own_walls, started)):
        return _out_of_own_turn(built[-1].plan, wall, drawn)
    if not rolled or not built:
        return ["dice or plan of the deal are not on record, so the order of the draws was not checked"]
    rules = _rules(deal, len(wall))
    if rules is None:
        return ["by which rules it was played is not on record, so the order of the draws was not checked"]
    known = rules.after(rolled)
    plan = built[-1].plan
    if known is None:
        return ["dice or plan of the deal are not on record, so the order of the draws was not checked"]
    dealer, rules = known
    try:
        order = rules.order(plan, dealer, rolled)
    except RulesError:
        return ["the rules know no such wall, so the order of the draws was not checked"]
    starts = [2 * sum(plan[:side]) for side in range(SIDES)]
    at = [[starts[side] + 2 * (stack - 1) + layer for side, stack, layer in end] for end in (order.head, order.tail)]
    head, tail = ([wall[place] for place in end if place < len(wall)] for end in at)
    replaced = _from_tail(tail, drawn) if rules.ways.from_tail else set()
    return _late([tag for tag in head[DEALT:] if tag not in replaced], drawn)


def _out_of_own_turn(plan: Sequence[int], wall: Sequence[bytes], drawn: dict[bytes, tuple[int, int]]) -> list[str]:
    """Likewise where each player draws from the own wall: what is drawn, not what is dealt, follows its order.

    A tile of another one's wall in a hand is a doubt: it was drawn there, or was read there by mistake.
    """
    doubts = []
    for side, places in enumerate(own_walls(plan)):
        start = 2 * sum(plan[:side])
        tags = [wall[start + 2 * (one.stack - 1) + one.layer] for one in places]
        doubts += _late(tags[DEALT // SIDES :], drawn)
        for tag in tags:
            first = drawn.get(tag)
            if first is not None and _is_hand(first) and (first[1] - SIDES) // READERS_PER_SEAT != side:
                whose = (first[1] - SIDES) // READERS_PER_SEAT
                doubts.append(f"tag {tag.hex()} of the wall of seat {side} was read first in the hand of seat {whose}")
    return doubts


def _is_hand(first: tuple[int, int]) -> bool:
    """Whether a tile was first read in a hand."""
    return (first[1] - SIDES) % READERS_PER_SEAT == 0


def _late(tags: Iterable[bytes], drawn: dict[bytes, tuple[int, int]]) -> list[str]:
    """Say which of these, in the order in which they lay, was first seen in a hand after one that lay behind it."""
    seen = []
    for tag in tags:
        first = drawn.get(tag)
        if first is not None and _is_hand(first):
            seen.append((first[0], tag))
    doubts = []
    behind_ms = None
    for at_ms, tag in reversed(seen):
        if behind_ms is not None and at_ms > behind_ms + SLACK_MS:
            later_ms = at_ms - behind_ms
            doubts.append(f"tag {tag.hex()} was read first {later_ms} ms after one that lay behind it in the wall")
        behind_ms = at_ms if behind_ms is None else min(behind_ms, at_ms)
    return doubts


def _rules(deal: _Deal, tiles: int) -> Followed | None:
    """By which rules the order of the draws is checked: those on record, else the only ones for a set of that size."""
    started = [
        one for one in (entry.said for entry in deal.after) if isinstance(one, DealStarted) and one.deal == deal.number
    ]
    try:
        if started:
            return rules_of_start(started[-1])
        return followed_game(DEFAULT).followed({"ruleset": DEFAULT}) if tiles == USUAL_TILES else None
    except RulesError:
        return None


def _from_tail(tail: Sequence[bytes], drawn: dict[bytes, tuple[int, int]]) -> set[bytes]:
    """The tiles that came one after the other from the tail: they do not follow those before them from the head."""
    found: set[bytes] = set()
    last_ms = None
    for tag in tail:
        if tag == NO_TAG:
            continue
        first = drawn.get(tag)
        if first is None or (last_ms is not None and first[0] + SLACK_MS < last_ms):
            break
        found.add(tag)
        last_ms = first[0]
    return found
