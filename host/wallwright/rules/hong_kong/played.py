"""A played Hong Kong deal as it is declared, in the JSON shapes that `records` reads."""

from collections.abc import Sequence

from wallwright.rules.core.sets import set_record
from wallwright.rules.core.tiles import format_tiles, tile_name
from wallwright.rules.hong_kong.deal import Deal
from wallwright.rules.hong_kong.hands import DRAWN
from wallwright.rules.hong_kong.settlement import Event, NinePieces, TwelvePieces, Win, Winner


def declared_events(deal: Deal, standing: Sequence[Sequence[int]]) -> list[dict[str, object]]:
    """What was called and won in a deal that is over; `standing` are the kinds in each hand."""
    return [_event(event, standing) for event in deal.declared().events]


def _event(event: Event, standing: Sequence[Sequence[int]]) -> dict[str, object]:
    if isinstance(event, NinePieces):
        return {"type": "nine_pieces", "seat": event.seat}
    if isinstance(event, TwelvePieces):
        return {"type": "twelve_pieces", "seat": event.seat, "from": event.from_}
    assert isinstance(event, Win), "bots make no mistakes"
    record: dict[str, object] = {"type": "hu", "by": event.by}
    record |= {} if event.from_ is None else {"from": event.from_}
    record |= {} if event.kong is None else {"kong": event.kong}
    return record | {"winners": [_winner(winner, event.by, standing[winner.seat]) for winner in event.winners]}


def _winner(winner: Winner, by: str, standing: Sequence[int]) -> dict[str, object]:
    hand = winner.hand
    assert hand is not None, "a played deal has its hands"
    kinds = list(standing)
    if by in DRAWN:
        kinds.remove(hand.winning)
    return {
        "seat": winner.seat,
        "standing": format_tiles(kinds),
        "melds": [set_record(one) for one in hand.sets],
        "winning": tile_name(hand.winning),
        "conditions": sorted(hand.conditions),
        "flowers": [tile_name(kind) for kind in hand.flowers],
    }
