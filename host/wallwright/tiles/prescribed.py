"""Was the wall that was revealed the one that had been drawn beforehand? Place by place, after the reveal of both.

Places of a hand may have been exchanged where the wall was prescribed by hands: then a hand is compared as a set.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ..duplicate.deals import Deal, Deals, wall_order
from ..naming import seat_name
from ..rules.core.tiles import NAMES, tile_name
from ..rules.core.walls import Place
from .enrolment import Enrolment

_LAYERS = ("lower", "upper")


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a wall compares with a deal. `difference` is the first one in a sentence, empty where there is none.

    `unknown` is how many places nobody knows, for no reader has read them; they contradict nothing.
    """

    difference: str
    unknown: int

    @property
    def match(self) -> bool:
        """Whether nothing differs."""
        return not self.difference


def compare_wall(
    deals: Deals, number: int, wall: Sequence[str], enrolment: Enrolment, *, by_hands: bool = False
) -> Comparison:
    """Compare a wall, tags in hexadecimal in the order of the wall, with a deal; "" is a tile that is not known.

    BadDeals when there is no such deal.
    """
    deal = deals.deal(number)
    if len(wall) != len(deal.faces):
        return Comparison(f"the wall has {len(wall)} tiles where deal {number} has {len(deal.faces)}", 0)
    faces = [_face(tag, enrolment) for tag in wall]
    loose = _exchanged(deals, deal) if by_hands else {}
    for hand, seat in sorted((places, seat) for seat, places in loose.items()):
        there = Counter(faces[at] for at in hand if faces[at])
        for face in sorted(there - Counter(NAMES[deal.faces[at]] for at in hand)):
            return Comparison(f"{seat_name(seat)}'s hand: {face} lay there, and is none of its tiles", _unknown(faces))
    every = {at for places in loose.values() for at in places}
    for at, place in enumerate(_places(deal)):
        wanted = tile_name(deal.faces[at])
        if at not in every and faces[at] not in ("", wanted):
            where = f"side {place.side}, stack {place.stack}, the {_LAYERS[place.layer]} tile"
            return Comparison(f"{where}: {wanted} was drawn, and {faces[at]} lay there", _unknown(faces))
    return Comparison("", _unknown(faces))


def _face(tag: str, enrolment: Enrolment) -> str:
    if not tag:
        return ""
    found = enrolment.find(tag)
    return f"a tile with the strange tag {tag}" if found is None else found[1]


def _unknown(faces: Sequence[str]) -> int:
    return faces.count("")


def _places(deal: Deal) -> list[Place]:
    sides = enumerate(deal.plan)
    return [Place(side, stack, layer) for side, stacks in sides for stack in range(1, stacks + 1) for layer in (0, 1)]


def _exchanged(deals: Deals, deal: Deal) -> dict[int, tuple[int, ...]]:
    """By seat, the numbers of the places of its hand."""
    number = {place: at for at, place in enumerate(_places(deal))}
    hands, _ = wall_order(deals.rules, deals.draws, deal)
    return {seat: tuple(sorted(number[place] for place in hand)) for seat, hand in enumerate(hands)}
