"""From what a table tells, and a journal holds, to what a tracker takes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wallwright_protocol.hardware import SETS

from ..errors import BadDeal, BadEnrolment
from ..journal.entry import Entry
from ..journal.kinds.deals import DealStarted
from ..journal.kinds.tables import CUT, DiceRolled, WallPart
from ..journal.sealing import disclosed_keys, unsealed
from ..link.reports import SEALED
from ..rules.core.followed import Followed, Plan, Rolled
from ..rules.core.tiles import NAMES
from ..rules.core.walls import DEALT, WallOrder
from ..tiles.enrolment import Enrolment
from ..tiles.played_rules import rules_of_start
from .outcome import Outcome
from .tracker import Setup, Tracker
from .zones import Tag, ZoneEvent

SEALED_STILL = "it is still sealed; its key is disclosed when the next walls are up, or when shared deals are shown"
ENDED_STATES = ("lid_opening", "lid_open")
"""When the lid opens the deal is over: what readers tell from then on are tiles being pushed in."""


def rules_of_deal(records: Iterable[Entry], usual: Followed) -> Followed:
    """Return the rules that the host's last record of the deal's start names, else the usual ones.

    RulesError when the game is not here, or cannot be followed.
    """
    started = [entry.said for entry in records if isinstance(entry.said, DealStarted)]
    return rules_of_start(started[-1]) if started else usual


def zone_event(name: str, fields: Mapping[str, Any], time_ms: int) -> ZoneEvent | None:
    """Return the tracker's event for one of a table (of a tag: `Event.secret`), or None when it is another."""
    if name == "claim":
        return None if fields["seat"] is None else ZoneEvent(time_ms, "claim", seat=fields["seat"])
    if name == "tag_appeared":
        return ZoneEvent(time_ms, "appeared", fields["reader"], bytes.fromhex(fields["tag"]))
    if name == "tag_left":
        return ZoneEvent(time_ms, "left", fields["reader"], bytes.fromhex(fields["tag"]))
    if name == "tag_moved":
        return ZoneEvent(time_ms, "moved", fields["to"], bytes.fromhex(fields["tag"]), fields["from"])
    return None


def wall_in_taking_order(tags: Sequence[Tag | None], plan: Plan, order: WallOrder) -> tuple[Tag | None, ...]:
    """Return a revealed wall in the order in which its tiles are taken from the head.

    A wall is revealed side by side, each from its right end, the bottom tile of a stack before the top one.
    """
    starts = [2 * sum(plan[:side]) for side in range(4)]
    return tuple(tags[starts[side] + 2 * (stack - 1) + layer] for side, stack, layer in order.head)


def places_of_tail(order: WallOrder) -> tuple[int, ...]:
    """Return the places from the first draw on in the order of replacements, as `Tracker.finish` takes them."""
    places = {place: number for number, place in enumerate(order.head[DEALT:])}
    return tuple(places[place] for place in order.tail)


def tiles_in_play(enrolment: Enrolment, tags: Iterable[Tag], rules: Followed) -> dict[Tag, int]:
    """Return the kinds of the tags of that set of which most were read.

    BadEnrolment when the set is not enrolled whole, or has tiles that these rules do not know.
    """
    read = {tag.hex() for tag in tags}
    number = max(range(SETS), key=lambda number: len(read & enrolment.sets[number].keys()))
    kinds = {name: kind for kind, name in enumerate(NAMES[: rules.kinds])}
    strange = sorted(set(enrolment.sets[number].values()) - kinds.keys())
    if enrolment.gaps(number) or strange:
        what = (
            f"has tiles ({', '.join(strange)}) that the rules played do not know"
            if strange
            else "is not enrolled whole"
        )
        raise BadEnrolment(f"set {number} of {enrolment.unit} {what}; run `wallwright tiles enrol` for it")
    return {bytes.fromhex(tag): kinds[face] for tag, face in enrolment.sets[number].items()}


def track_journal(
    entries: Iterable[Entry],
    number: int,
    rules: Followed,
    enrolment: Enrolment,
    *,
    claim_keys: bool = False,
    dealer: int | None = None,
) -> Outcome:
    """Track a deal of the enrolled table again from a journal alone, its key being disclosed there.

    `dealer` is who dealt, where no dice say it and neither does the journal. BadDeal when the deal is not in the
    journal, or still sealed.
    """
    every = list(entries)
    mine = [entry for entry in unsealed(every, disclosed_keys(every)) if entry.unit == enrolment.unit]
    starts = [at for at, entry in enumerate(mine) if entry.kind == "walls_up" and entry.fields.get("deal") == number]
    if not starts:
        raise BadDeal(
            number, f"no walls of {enrolment.unit} went up for it; `wallwright log show` lists those that did"
        )
    events = []
    rolled: list[Rolled] = []
    for entry in mine[starts[-1] + 1 :]:
        if entry.kind == SEALED:
            raise BadDeal(number, SEALED_STILL)
        fields = entry.fields
        if entry.kind == "walls_up" or (entry.kind == "state_changed" and fields["state"] in ENDED_STATES):
            break
        if isinstance(entry.said, DiceRolled):
            rolled.append(Rolled(entry.said.purpose or CUT, entry.said.seat, entry.said.dice))
        event = zone_event(entry.kind, fields, entry.body.get("time_ms", 0)) if entry.seq is not None else None
        if event is not None:
            events.append(event)
    known = rules.after(rolled)
    if rules.ways.own_walls:
        # Nobody needs dice there, and a table whose walls were prescribed throws none.
        dealer = _dealer_said(mine[starts[-1] + 1 :], number, dealer)
        known = known if dealer is None else (dealer, rules)
    if known is None:
        raise BadDeal(number, "no dice were rolled for it, so nobody knows who dealt")
    dealer, rules = known
    tiles = tiles_in_play(enrolment, (event.tag for event in events if event.tag), rules)
    plan = _plan(mine[: starts[-1]])
    own: tuple[int, ...] = ()
    if rules.ways.own_walls:
        if plan is None:
            raise BadDeal(number, "how many stacks its walls had is not on record, so nobody knows how they were drawn")
        own = rules.order(plan, dealer, rolled).own
    tracker = Tracker(Setup(rules, dealer, tiles, claim_keys, own_sizes=own))
    for event in events:
        tracker.feed(event)
    wall = None if plan is None else _revealed(mine[starts[-1] :], number, plan)
    if plan is None or wall is None:
        return tracker.finish(None)
    order = rules.order(plan, dealer, rolled)
    return tracker.finish(wall_in_taking_order(wall, plan, order), places_of_tail(order))


def _dealer_said(entries: Iterable[Entry], number: int, dealer: int | None) -> int | None:
    """Who dealt as the host has noted it when the deal began, else `dealer`."""
    for entry in entries:
        if isinstance(entry.said, DealStarted) and entry.said.deal == number:
            return entry.said.dealer
    return dealer


def _plan(before: Sequence[Entry]) -> Plan | None:
    """The stacks of the walls that went up last, None where their build is not on record."""
    plans = [entry.fields["plan"] for entry in before if entry.kind == "build_started"]
    if not plans:
        return None
    a, b, c, d = plans[-1]
    return a, b, c, d


def _revealed(entries: Iterable[Entry], number: int, plan: Plan) -> list[Tag | None] | None:
    """The tags of the wall, None while it is not revealed whole."""
    parts = {
        one.first: one.data
        for one in (entry.said for entry in entries)
        if isinstance(one, WallPart) and one.deal == number
    }
    data = b"".join(parts[first] for first in sorted(parts))
    if not data or len(data) < 16 * sum(plan):
        return None
    return [data[at : at + 8] if any(data[at : at + 8]) else None for at in range(0, 16 * sum(plan), 8)]
