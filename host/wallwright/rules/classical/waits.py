"""Which tiles complete a hand that lacks one, whatever they are worth. (CUM-4.1, BAL-5.2, BAL-6)"""

from collections import Counter
from collections.abc import Sequence

from wallwright.rules.classical.hand import HAND, LOOSE, Hand
from wallwright.rules.classical.ruleset import Balsall, Rules
from wallwright.rules.classical.special import ALONE, concealed_rows, is_near
from wallwright.rules.core.readings import completing, is_regular, pack_tiles, unpack_tiles
from wallwright.rules.core.sets import TileSet
from wallwright.rules.core.tiles import COPIES, EAST, STANDING


def waiting_tiles(standing: Sequence[int], sets: Sequence[TileSet], rules: Rules) -> tuple[int, ...]:
    """The kinds that complete standing tiles and sets, sorted; one that the player has four times already is none."""
    if len(standing) + 3 * len(sets) != HAND:
        return ()
    found = set(completing(pack_tiles(standing)))
    if isinstance(rules, Balsall) and not sets and is_near(standing):
        # Rows with sets laid down, hidden treasure and the great snake, are regular hands as well.
        for kind in range(STANDING):
            hand = Hand(tuple(standing), (), EAST, EAST, kind, LOOSE)
            if kind not in found and next(concealed_rows(hand, rules), None) is not None:
                found.add(kind)
    held = Counter((*standing, *(kind for one in sets for kind in one.tiles)))
    return tuple(sorted(kind for kind in found if held[kind] < COPIES))


def is_complete(hand: int, rules: Rules) -> bool:
    """Whether a packed hand, which lacks no tile, is complete."""
    if is_regular(hand) or not isinstance(rules, Balsall) or hand % 255 != ALONE:
        return is_regular(hand)
    *standing, last = unpack_tiles(hand)
    return next(concealed_rows(Hand(tuple(standing), (), EAST, EAST, last, LOOSE), rules), None) is not None
