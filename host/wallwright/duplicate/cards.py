"""What is printed for halls whose tables cannot sort: curtain cards, one a wall, and the sheet of whoever checks them.

A curtain card shows one side of one deal as its builder looks at it, so four people build a deal, and nobody of them
sees all of it. The checker's sheet has all four sides and the hands of every deal. Both are written in the language of
`say`, which HTML calls `language`; tiles are written as everywhere, 3p for three of dots.
"""

from collections.abc import Callable, Iterable, Sequence

import jinja2

from ..naming import WIND_NAMES, WINDS, seat_name, with_seats
from ..rules.core.tiles import format_tiles, tile_name
from ..words import Listed, Say, Seat, Words, english, words
from .deals import HAND, OWN, Deal, Deals, dealt, wall_order
from .drawing import commitment

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader(__package__, ""), autoescape=True, undefined=jinja2.StrictUndefined
)


def curtain_cards(deals: Deals, numbers: Iterable[int], pictures: str, say: Say = english, language: str = "en") -> str:
    """Return a page of HTML with four cards a deal. `pictures` is SVG with a symbol for each tile, named like it."""
    cards = [_card(deals, deals.deal(number), side, say) for number in numbers for side in range(4)]
    return _page("cards.html", deals, say, language, cards=cards, pictures=pictures)


def checkers_sheet(deals: Deals, numbers: Iterable[int], say: Say = english, language: str = "en") -> str:
    """Return a page of HTML with all sides and hands of the deals."""
    checked = [_checked(deals, deals.deal(number), say) for number in numbers]
    return _page("checker.html", deals, say, language, checked=checked)


def _page(template: str, deals: Deals, say: Say, language: str, **values: object) -> str:
    values |= {"_": say, "language": language, "event": deals.event, "commitment": commitment(deals)}
    return _TEMPLATES.get_template(template).render(values)


def _card(deals: Deals, deal: Deal, side: int, say: Say) -> dict[str, object]:
    """Stack 1 is at the builder's right, so the row is written from the last stack to the first."""
    hands, _ = wall_order(deals.rules, deals.draws, deal)
    of_hand = {place for place in hands[side] if place.side == side} if deals.draws == OWN else set()
    stacks = deal.side(side)
    rows = [
        [(tile_name(stacks[stack - 1][layer]), (side, stack, layer) in of_hand) for stack in range(len(stacks), 0, -1)]
        for layer in (1, 0)
    ]
    return {
        "deal": _name(deals, deal).said(say),
        "side": seat_name(side, say=say),
        "dealer": seat_name(deal.dealer, say=say),
        "numbers": range(len(stacks), 0, -1),
        "rows": rows,
        "begin": _begin(deals, deal).said(with_seats(say, WINDS)),
    }


def _checked(deals: Deals, deal: Deal, say: Say) -> dict[str, object]:
    found = dealt(deals.rules, deals.draws, deal)
    seats = tuple(map(say, WIND_NAMES))
    sides = [(name, _stacks(deal.side(side))) for side, name in enumerate(seats)]
    hands = [(name, format_tiles(hand)) for name, hand in zip(seats, found.hands, strict=True)]
    walls = [" ".join(map(tile_name, wall)) for wall in found.walls]
    names = seats if len(walls) == len(seats) else ("",)
    return {
        "deal": _name(deals, deal).said(say),
        "dealer": seats[deal.dealer],
        "begin": _begin(deals, deal).said(with_seats(say, WINDS)),
        "sides": sides,
        "hands": hands,
        "walls": list(zip(names, walls, strict=True)),
    }


def _stacks(stacks: Sequence[tuple[int, int]]) -> str:
    name: Callable[[int], str] = tile_name
    return " ".join("".join(map(name, stack)) for stack in stacks)


def _name(deals: Deals, deal: Deal) -> Words:
    played = len(deals.deals) - deals.spares
    return words("Deal {number}" if deal.number <= played else "Deal {number}, spare", number=deal.number)


def _begin(deals: Deals, deal: Deal) -> Words:
    """Where the tiles are taken from, in one or two sentences."""
    if deals.draws == OWN:
        text = "Everybody takes {hand} tiles from the right end of the own wall, and draws on from there."
        return words(text, hand=HAND)
    hands, _ = wall_order(deals.rules, deals.draws, deal)
    first = hands[deal.dealer][0]
    text = "Nobody throws. The dice are {dice}: take from the wall of {seat}, stack {stack}."
    throws = tuple(Words("-".join(map(str, throw))) for throw in deal.dice)
    return words(text, dice=Listed(throws, ", then "), seat=Seat(first.side), stack=first.stack)
