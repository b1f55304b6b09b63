"""What was declared, written as plain values in the JSON shapes that `records` reads."""

from collections.abc import Iterable

from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import Breach, Event, FinalHand, Hu, Kong, Winner
from wallwright.rules.sichuan.melds import Meld
from wallwright.rules.sichuan.tiles import SUITS, format_tiles, tile_name


def deal_record(deal: DeclaredDeal) -> dict[str, object]:
    """A deal that has ended, as `read_deal` takes it; without the name of its rules."""
    return {
        "dealer": deal.dealer,
        "events": [event_record(event) for event in deal.events],
        "end": deal.ended,
        "hands": [hand_record(hand) for hand in deal.hands],
    }


def event_record(event: Event) -> dict[str, object]:
    """A kong, a Hu or a breach as one item of `events`."""
    if isinstance(event, Kong):
        kong: dict[str, object] = {"type": "kong", "seat": event.seat, "kind": str(event.type)}
        if event.from_ is not None:
            kong["from"] = event.from_
        return kong | _flags(robbed=event.robbed, chain=event.chain)
    if isinstance(event, Breach):
        return {"type": "breach", "seat": event.seat}
    return _hu_record(event)


def hand_record(hand: FinalHand) -> dict[str, object]:
    """The hand of a player without Hu as one item of `hands`."""
    record: dict[str, object] = {"seat": hand.seat}
    if hand.standing is not None:
        record["standing"] = format_tiles(hand.standing)
    record |= _melds_and_void(hand.melds, hand.void)
    if hand.value is not None:
        record["value"] = hand.value
    said = _flags(not_ready=hand.not_ready, holds_void=hand.holds_void)
    return record | _flags(only_void_discards=hand.only_void_discards) | said


def _hu_record(hu: Hu) -> dict[str, object]:
    record: dict[str, object] = {"type": "hu", "by": hu.by}
    if hu.from_ is not None:
        record["from"] = hu.from_
    record |= _flags(after_kong=hu.after_kong)
    record["winners"] = [_winner_record(winner) for winner in hu.winners]
    return record


def _winner_record(winner: Winner) -> dict[str, object]:
    record: dict[str, object] = {"seat": winner.seat}
    if winner.standing is not None and winner.winning is not None:
        record |= {"standing": format_tiles(winner.standing), "winning": tile_name(winner.winning)}
    record |= _melds_and_void(winner.melds, winner.void)
    if winner.conditions:
        record["conditions"] = sorted(winner.conditions)
    if winner.items is not None:
        record["items"] = list(winner.items)
    if winner.value is not None:
        record["value"] = winner.value
    record |= _flags(false=winner.false, holds_void=winner.holds_void)
    return record | ({"referee": winner.referee} if winner.referee else {})


def _melds_and_void(melds: Iterable[Meld], void: int | None) -> dict[str, object]:
    record: dict[str, object] = {}
    written = [_meld_record(meld) for meld in melds]
    if written:
        record["melds"] = written
    if void is not None:
        record["void"] = SUITS[void]
    return record


def _meld_record(meld: Meld) -> dict[str, str]:
    tiles = format_tiles(meld.tiles)
    return (
        {"kind": "kong", "tiles": tiles, "type": str(meld.type)} if meld.is_kong else {"kind": "pung", "tiles": tiles}
    )


def _flags(**flags: bool) -> dict[str, object]:
    return {name: True for name, is_set in flags.items() if is_set}
