"""A whole tracked deal as text, and back: what was dealt, the wall when it is known, and every action.

ruleset sichuan
dealer 0
hand 0 2m4579p1234566799s
...
wall 5s3p...            (in drawing order), or:  wall 55 unknown
0 void 2m
...

Where each player draws from the own wall (SBR-11.9) the seventh line has all four, by seat: `walls 5s3p... 7m... ...`,
or how many tiles each has, `walls 14 13 15 13 unknown`; a wall without tiles is `-`.
"""

from collections.abc import Callable, Sequence

from wallwright.rules.core.errors import NotationError, RulesError
from wallwright.rules.sichuan.actions import HU, TIME_UP, parse_action
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.ruleset import Ruleset, load_ruleset
from wallwright.rules.sichuan.tiles import format_tiles, parse_tiles, tile_name
from wallwright.text_files import lines_in

SEATS = 4
EMPTY = "-"
UNKNOWN = " unknown"


def format_deal(deal: Deal) -> str:
    """The text of a deal, one line for each fact and action. The ruleset is named, not written out."""
    lines = [f"ruleset {deal.ruleset.name}", f"dealer {deal.dealer}"]
    lines += [f"hand {seat} {format_tiles(hand)}" for seat, hand in enumerate(deal.dealt)]
    lines += [_format_wall(deal), *map(str, deal.log)]
    return "\n".join(lines) + "\n"


def parse_deal(text: str, find_ruleset: Callable[[str], Ruleset] = load_ruleset) -> Deal:
    """The deal that `format_deal` wrote, brought to where it was. `find_ruleset` turns the name into rules.

    NotationError tells the line. Actions are pushed as they are: ask `status` whether they were legal.
    """
    lines = lines_in(text)
    if len(lines) < 7:
        raise NotationError(f"a deal begins with 7 lines (ruleset, dealer, four hands, wall), this has {len(lines)}")
    at = 0
    try:
        ruleset = find_ruleset(_after(lines[0], "ruleset"))
        at = 1
        dealer = _number(_after(lines[1], "dealer"))
        hands = []
        for seat in range(4):
            at = 2 + seat
            hands.append(parse_tiles(_after(lines[at], f"hand {seat}")))
        at = 6
        deal = _begun(ruleset, dealer, hands, lines[6])
        for at in range(7, len(lines)):
            action = parse_action(lines[at])
            if not deal.pending:
                raise NotationError(f"{lines[at]!r}: the deal is over ({deal.end})")
            if action.seat != deal.pending[0] and action.verb not in (HU, TIME_UP):
                raise NotationError(f"{lines[at]!r}: seat {deal.pending[0]} is to decide")
            deal.push(action)
    except RulesError as error:
        raise NotationError(f"line {at + 1}: {error}") from error
    return deal


def _format_wall(deal: Deal) -> str:
    if deal.own_sizes:
        known = " ".join("".join(map(tile_name, own)) or EMPTY for own in deal.own_walls)
        return f"walls {known or ' '.join(map(str, deal.own_sizes)) + UNKNOWN}"
    return f"wall {f'{deal.wall_size}{UNKNOWN}' if deal.wall is None else ''.join(map(tile_name, deal.wall))}"


def _begun(ruleset: Ruleset, dealer: int, hands: Sequence[Sequence[int]], line: str) -> Deal:
    wall = _after(line, "walls" if ruleset.own_walls else "wall")
    is_known = not wall.endswith(UNKNOWN)
    if not ruleset.own_walls:
        tiles = parse_tiles(wall) if is_known else ()
        size = len(tiles) if is_known else _number(wall.removesuffix(UNKNOWN))
        return Deal(ruleset, dealer, hands, size, tiles if is_known else None)
    own = wall.removesuffix(UNKNOWN).split()
    if len(own) != SEATS:
        raise NotationError(f"{line!r} has {len(own)} walls; each of the {SEATS} players draws from the own one")
    if not is_known:
        sizes = tuple(map(_number, own))
        return Deal(ruleset, dealer, hands, sum(sizes), own_sizes=sizes)
    walls = [() if one == EMPTY else parse_tiles(one) for one in own]
    return Deal(ruleset, dealer, hands, sum(map(len, walls)), own_walls=walls)


def _after(line: str, word: str) -> str:
    if not line.startswith(word + " ") and line != word:
        raise NotationError(f"{line!r} should begin with {word!r}")
    return line[len(word) :].strip()


def _number(text: str) -> int:
    if not text.isdecimal():
        raise NotationError(f"{text!r} is not a number")
    return int(text)
