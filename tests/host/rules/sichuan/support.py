"""What the tests of the rules share: short ways to write tiles, hands and deals, and seeded randomness."""

import random
from collections.abc import Sequence

from wallwright.rules.core.walls import deal_seats
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.fans import HandScore, score_hand
from wallwright.rules.sichuan.melds import Meld, parse_meld
from wallwright.rules.sichuan.ruleset import Ruleset, load_ruleset
from wallwright.rules.sichuan.tiles import full_set, parse_suit, parse_tile, parse_tiles, tile_name

BOOK = load_ruleset("sichuan")
FOUR = load_ruleset("sichuan-4")
CHENGDU = load_ruleset("chengdu-2016")
MIL = load_ruleset("mil-2025")
UNLIMITED = FOUR.with_changes(fan_limit=None)


def counts(text: str) -> list[int]:
    """27 counts of the tiles in a text."""
    found = [0] * 27
    for kind in parse_tiles(text):
        found[kind] += 1
    return found


def melds(text: str) -> tuple[Meld, ...]:
    """ "pung:777p concealed:2222s" -> declared sets."""
    return tuple(parse_meld(word) for word in text.split())


def score(
    standing: str,
    winning: str,
    sets: str = "",
    conditions: Sequence[str] = (),
    ruleset: Ruleset = UNLIMITED,
    void: str | None = None,
) -> HandScore:
    """score_hand with everything as text."""
    suit = None if void is None else parse_suit(void)
    return score_hand(parse_tiles(standing), parse_tile(winning), ruleset, melds(sets), frozenset(conditions), suit)


def names(kinds: Sequence[int]) -> list[str]:
    """Kinds as "5s"."""
    return [tile_name(kind) for kind in kinds]


def random_deal(ruleset: Ruleset, rng: random.Random, dealer: int = 0) -> Deal:
    """A deal from a shuffled set, with its wall known."""
    tiles = list(full_set())
    rng.shuffle(tiles)
    hands: list[list[int]] = [[], [], [], []]
    for seat, kind in zip(deal_seats(dealer), tiles, strict=False):
        hands[seat].append(kind)
    return Deal(ruleset, dealer, hands, 55, tiles[53:])
