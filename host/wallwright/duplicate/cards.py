"""What is printed for halls whose tables cannot sort: curtain cards, one a wall, and the sheet of whoever checks them.

A curtain card shows one side of one deal as its builder looks at it, so four people build a deal, and nobody of them
sees all of it. The checker's sheet has all four sides and the hands of every deal.
"""

from collections.abc import Callable, Iterable, Sequence

import jinja2

from ..naming import WIND_NAMES
from ..rules.core.tiles import format_tiles, tile_name
from .deals import HAND, OWN, Deal, Deals, dealt, wall_order
from .drawing import commitment

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader(__package__, ""), autoescape=True, undefined=jinja2.StrictUndefined
)


def curtain_cards(deals: Deals, numbers: Iterable[int], pictures: str) -> str:
    """Return a page of HTML with four cards a deal. `pictures` is SVG with a symbol for each tile, named like it."""
    cards = [_card(deals, deals.deal(number), side) for number in numbers for side in range(4)]
    return _page("cards.html", deals, cards=cards, pictures=pictures)


def checkers_sheet(deals: Deals, numbers: Iterable[int]) -> str:
    """Return a page of HTML with all sides and hands of the deals."""
    return _page("checker.html", deals, checked=[_checked(deals, deals.deal(number)) for number in numbers])


def _page(template: str, deals: Deals, **values: object) -> str:
    return _TEMPLATES.get_template(template).render(event=deals.event, commitment=commitment(deals), **values)


def _card(deals: Deals, deal: Deal, side: int) -> dict[str, object]:
    """Stack 1 is at the builder's right, so the row is written from the last stack to the first."""
    hands, _ = wall_order(deals.rules, deals.draws, deal)
    of_hand = {place for place in hands[side] if place.side == side} if deals.draws == OWN else set()
    stacks = deal.side(side)
    rows = [
        [(tile_name(stacks[stack - 1][layer]), (side, stack, layer) in of_hand) for stack in range(len(stacks), 0, -1)]
        for layer in (1, 0)
    ]
    return {
        "deal": _name(deals, deal),
        "side": WIND_NAMES[side],
        "dealer": WIND_NAMES[deal.dealer],
        "numbers": range(len(stacks), 0, -1),
        "rows": rows,
        "begin": _begin(deals, deal),
    }


def _checked(deals: Deals, deal: Deal) -> dict[str, object]:
    found = dealt(deals.rules, deals.draws, deal)
    sides = [(name, _stacks(deal.side(side))) for side, name in enumerate(WIND_NAMES)]
    hands = [(name, format_tiles(hand)) for name, hand in zip(WIND_NAMES, found.hands, strict=True)]
    walls = [" ".join(map(tile_name, wall)) for wall in found.walls]
    names = WIND_NAMES if len(walls) == len(WIND_NAMES) else ("",)
    return {
        "deal": _name(deals, deal),
        "dealer": WIND_NAMES[deal.dealer],
        "begin": _begin(deals, deal),
        "sides": sides,
        "hands": hands,
        "walls": list(zip(names, walls, strict=True)),
    }


def _stacks(stacks: Sequence[tuple[int, int]]) -> str:
    name: Callable[[int], str] = tile_name
    return " ".join("".join(map(name, stack)) for stack in stacks)


def _name(deals: Deals, deal: Deal) -> str:
    played = len(deals.deals) - deals.spares
    return f"Deal {deal.number}" if deal.number <= played else f"Deal {deal.number}, spare"


def _begin(deals: Deals, deal: Deal) -> str:
    """Where the tiles are taken from, in one sentence."""
    if deals.draws == OWN:
        return f"Everybody takes {HAND} tiles from the right end of the own wall, and draws on from there."
    hands, _ = wall_order(deals.rules, deals.draws, deal)
    first = hands[deal.dealer][0]
    dice = ", then ".join("-".join(map(str, throw)) for throw in deal.dice)
    return f"Nobody throws. The dice are {dice}: take from {WIND_NAMES[first.side]}'s wall, stack {first.stack}."
