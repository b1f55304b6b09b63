"""Deals with chosen tiles, and a way to play them by the text of their actions."""

from wallwright.rules.classical.deal import Deal
from wallwright.rules.classical.play import FULL_SET, settle
from wallwright.rules.classical.ruleset import load_rules
from wallwright.rules.classical.sitting import Sitting
from wallwright.rules.core.acts import parse_act
from wallwright.rules.core.tiles import parse_tiles


def sitting(ruleset="cumberland", options=None, **more):
    """A deal to be played. `ruleset` may have options changed."""
    return Sitting(load_rules(ruleset, options), **more)


def deal_of(under, *hands, head="", tail="", length=None):
    """A deal from East on: what the hands begin with, and the tiles that come next from the head and from the tail.

    Hands and the wall, up to `length` tiles of it, are filled from what is left, without flowers as long as it goes.
    """
    left = list(FULL_SET)
    given = [list(parse_tiles(text)) for text in hands]
    head, tail = list(parse_tiles(head)), list(parse_tiles(tail))
    for kind in [kind for one in (*given, head, tail) for kind in one]:
        left.remove(kind)
    # Far apart from one another, and flowers last of all.
    left = [kind for start in range(7) for kind in left[start::7] if kind < 34] + [kind for kind in left if kind >= 34]
    by_seat: list[list[int]] = [[], [], [], []]
    for number in range(4):
        size = 14 if number == 0 else 13
        hand = given[number] if number < len(given) else []
        by_seat[(under.east + number) % 4] = [*hand, *left[: size - len(hand)]]
        left = left[size - len(hand) :]
    wall = [*head, *(left if length is None else left[: length - len(head) - len(tail)]), *reversed(tail)]
    return Deal(under, by_seat, len(wall), wall, list(reversed(range(len(wall)))))


def run(deal, *texts):
    """Carry out actions by their text; what nobody mentions is passed, drawn and laid out. The deal is returned."""
    for text in texts:
        action = parse_act(text)
        while action not in deal.legal():
            legal = deal.legal()
            by_itself = [one for one in legal if one.verb in ("pass", "draw", "replace", "flower")]
            assert by_itself, f"{text}: it may be {[str(one) for one in legal]}"
            deal.apply(by_itself[0])
        deal.apply(action)
    return deal


def pending(deal):
    """The seat that decides."""
    return deal.legal()[0].seat


def sets(deal, seat):
    """The sets of a seat as text."""
    return [str(one) for one in deal.state.sets[seat]]


def won(deal):
    """Seat, way, who gave the tile, conditions; None when nobody won."""
    found = deal.state.won
    if found is None:
        return None
    (seat,) = found.winners
    return seat, found.by, found.from_, set(deal.final_hand(seat).conditions)


def items(deal, seat):
    """The items of a seat's hand when the deal is over."""
    score = settle(deal).scores[seat]
    assert score is not None
    return score.items


def legal(deal, seat=None):
    """The texts of what may be done now, without the seat; empty when another seat is to decide."""
    actions = deal.legal()
    return [str(one)[2:] for one in actions if seat in (None, one.seat)]


def reach(deal, seat, verb):
    """Let everything pass until a seat may do something; whether that came."""
    while not deal.is_over:
        actions = deal.legal()
        if actions[0].seat == seat and any(one.verb == verb for one in actions):
            return True
        by_itself = [one for one in actions if one.verb in ("pass", "draw", "replace", "flower")]
        if not by_itself:
            return False
        deal.apply(by_itself[0])
    return False


def throw_away(deal, seat, but=""):
    """Pass and draw until the seat discards, any tile but one."""
    assert reach(deal, seat, "discard")
    tile = next(text for text in legal(deal) if text.startswith("discard") and text != f"discard {but}")
    return run(deal, f"{seat} {tile}")
