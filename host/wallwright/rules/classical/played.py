"""A played deal of Cumberland or Balsall as it is declared, in the JSON shapes that `records` reads."""

from collections.abc import Sequence

from wallwright.rules.classical.deal import Deal
from wallwright.rules.classical.hand import GOULASH, Hand
from wallwright.rules.classical.ruleset import Cumberland
from wallwright.rules.classical.settled import SEATS
from wallwright.rules.core.sets import set_record
from wallwright.rules.core.tiles import format_tiles, tile_name


def declared_deal(deal: Deal, standing: Sequence[Sequence[int]]) -> dict[str, object]:
    """Winner, hands and kongs of a deal that is over; `standing` are the kinds in each hand.

    All hands are shown in Cumberland, in Balsall the winner's.
    """
    won = deal.state.won
    winner = None if won is None else won.winners[0]
    all_show = isinstance(deal.sitting.rules, Cumberland)
    hands: list[dict[str, object] | None] = [
        _hand(deal.final_hand(seat), standing[seat]) if winner is not None and (all_show or seat == winner) else None
        for seat in SEATS
    ]
    events = []
    for kong in deal.state.kongs_declared:
        record: dict[str, object] = {"type": "kong", "seat": kong.seat, "kind": str(kong.type)}
        record |= {} if kong.from_ is None else {"from": kong.from_}
        events.append(record | ({"robbed": True} if kong.robbed else {}))
    told: dict[str, object] = {"winner": winner}
    if won is not None:
        told |= {"by": won.by} | ({} if won.from_ is None else {"from": won.from_})
    return told | {"hands": hands, "events": events}


def _hand(hand: Hand, standing: Sequence[int]) -> dict[str, object]:
    kinds = list(standing)
    if hand.winning is not None and hand.is_drawn:
        kinds.remove(hand.winning)
    record: dict[str, object] = {
        "standing": format_tiles(kinds),
        "melds": [set_record(one) for one in hand.sets],
        "flowers": [tile_name(kind) for kind in hand.flowers],
    }
    if hand.flowers_waiting:
        record["flowers_waiting"] = hand.flowers_waiting
    if hand.winning is not None:
        record["winning"] = tile_name(hand.winning)
    conditions = sorted(hand.conditions - {GOULASH})
    return record | ({"conditions": conditions} if conditions else {})
