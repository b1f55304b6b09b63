"""Everything that is wrong with a tracked deal: tiles that cannot be where they are, and actions against the rules."""

from typing import TYPE_CHECKING

from wallwright.rules.sichuan.packed import ALL, HIGH, ONE, OVER_FOUR, pack_tiles, size, unpack
from wallwright.rules.sichuan.tiles import KINDS, tile_name

if TYPE_CHECKING:
    from wallwright.rules.sichuan.deal import Deal


def deal_status(deal: "Deal") -> tuple[str, ...]:
    """One sentence for each thing that is wrong, empty when nothing is.

    First the deal as dealt, then the actions so far: each is tried again from the start, and those that were not
    legal are named with the reason. When the deal as dealt is wrong, the actions are not tried.
    """
    dealt = _dealt_problems(deal)
    if dealt:
        return tuple(dealt)
    again = deal.anew()
    problems = []
    for number, action in enumerate(deal.log, 1):
        reason = again.why_not(action)
        if reason is not None:
            problems.append(f"action {number} ({action}) is against the rules: {reason}")
        again.push(action)
        impossible = _tile_problems(again)
        if impossible:
            problems += [f"after action {number} ({action}) {problem}" for problem in impossible]
            break
    return tuple(problems)


def _dealt_problems(deal: "Deal") -> list[str]:
    problems = []
    if deal.dealer not in range(4):
        return [f"the dealer is seat {deal.dealer}: seats are 0 to 3"]
    if len(deal.dealt) != 4:
        return [f"{len(deal.dealt)} hands are dealt where 4 are wanted"]
    for kind in (kind for tiles in (*deal.dealt, deal.wall or (), *deal.own_walls) for kind in tiles):
        if kind not in range(KINDS):
            return [f"{kind} is not a tile: kinds are 0 to 26"]
    for seat, hand in enumerate(deal.dealt):
        wanted = 14 if seat == deal.dealer else 13
        if len(hand) != wanted:
            problems.append(f"seat {seat} was dealt {len(hand)} tiles where {wanted} are wanted")
    most = 108 - sum(map(len, deal.dealt))
    if not 0 <= deal.wall_size <= most:
        problems.append(f"the wall has {deal.wall_size} tiles; at most {most} are left")
    if deal.wall is not None and len(deal.wall) != deal.wall_size:
        problems.append(f"the wall is given with {len(deal.wall)} tiles but said to have {deal.wall_size}")
    if deal.ruleset.own_walls != bool(deal.own_sizes) or len(deal.own_sizes) not in (0, 4):
        which = "each player draws from the own wall" if deal.ruleset.own_walls else "all draw from one wall"
        problems.append(f"by {deal.ruleset.name} {which}")
    elif deal.own_sizes and sum(deal.own_sizes) != deal.wall_size:
        problems.append(f"the four walls have {sum(deal.own_sizes)} tiles but are said to have {deal.wall_size}")
    everything = sum(map(pack_tiles, (*deal.dealt, *deal.own_walls))) + pack_tiles(deal.wall or ())
    if max(everything.to_bytes(28, "little")) > 4:
        problems += [f"{count} copies of {tile_name(k)}" for k, count in enumerate(unpack(everything)) if count > 4]
    return problems


def _tile_problems(deal: "Deal") -> list[str]:
    """What an action that was not legal may have done to the tiles."""
    problems = []
    known = deal.pool()
    for seat in range(4):
        hand = deal.packed_hand(seat)
        if hand < 0 or hand & ~(7 * ALL) or hand + OVER_FOUR & HIGH:
            return [f"seat {seat} has given a tile that it did not hold"]
        tiles = size(hand) + 3 * len(deal.melds(seat))
        if tiles not in (13, 14):
            problems.append(f"seat {seat} has {tiles} tiles (a kong counting three)")
        known += hand + sum(ONE[meld.tile] * len(meld.tiles) for meld in deal.melds(seat))
    if known + OVER_FOUR & HIGH:
        problems += [
            f"there are {count} copies of {tile_name(k)}" for k, count in enumerate(unpack(known)) if count > 4
        ]
    if not 0 <= deal.wall_left <= deal.wall_size:
        problems.append(f"{deal.wall_left} tiles are left in the wall")
    return problems
