"""Draws the deals of a session from a seed, commits to them, and draws them again for whoever checks.

The order in which a deal takes numbers from its stream: each die of each throw, as a number below 6 and one more; then
the shuffle of the whole set, which begins sorted by kind: 1m to 9m, 1p to 9p, 1s to 9s, winds, dragons, flowers.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable

from ..rules.core.game_rules import GameRules
from ..words import words
from .deals import NONCE_BYTES, OWN, BadDeals, Deal, Deals, check_deals, preset, set_of, wrong_count
from .stream import MOST_DEALS, SEED_BYTES, Stream
from .text import canonical

COMMITMENT_LABEL = b"wallwright commitment 1\0"


def draw_deals(
    event: str,
    ruleset: str,
    draws: str,
    count: int,
    spares: int = 0,
    random_bytes: Callable[[int], bytes] = secrets.token_bytes,
) -> Deals:
    """Draw `count` deals and `spares` more. `random_bytes` is the system's random source. BadDeals for what cannot be.

    The first deal is dealt by seat 0, and each further one by the next seat.
    """
    if not 1 <= count + spares <= MOST_DEALS:
        raise wrong_count(count + spares)
    seed = random_bytes(SEED_BYTES)
    nonce = random_bytes(NONCE_BYTES)
    drawn = Deals(event, ruleset, draws, derive(seed, ruleset, draws, count + spares), spares, nonce, seed)
    check_deals(drawn)
    return drawn


def derive(seed: bytes, ruleset: str, draws: str, count: int) -> tuple[Deal, ...]:
    """Return the deals that a seed stands for."""
    if len(seed) != SEED_BYTES:
        raise BadDeals(words("the seed has {count} bytes where it has {wanted}", count=len(seed), wanted=SEED_BYTES))
    rules = preset(ruleset)
    return tuple(_derive(seed, rules, draws, number) for number in range(1, count + 1))


def commitment(deals: Deals) -> str:
    """Return SHA-256 of label, nonce and the deals as text, in hexadecimal: it is published before the session."""
    return hashlib.sha256(COMMITMENT_LABEL + deals.nonce + canonical(deals).encode()).hexdigest()


def check_drawn(deals: Deals, promised: str = "") -> None:
    """Raise BadDeals unless the deals are those of their seed, where they have one, and of a promised commitment."""
    check_deals(deals)
    if deals.seed is not None:
        again = derive(deals.seed, deals.ruleset, deals.draws, len(deals.deals))
        for deal, one in zip(deals.deals, again, strict=True):
            if deal != one:
                problem = "deal {deal} is not the one that the seed stands for; somebody changed it"
                raise BadDeals(words(problem, deal=deal.number))
    if promised and not hmac.compare_digest(promised.strip().lower().encode(), commitment(deals).encode()):
        problem = "these are not the deals that were committed to: the commitment is another one"
        raise BadDeals(words(problem))


def _derive(seed: bytes, rules: GameRules, draws: str, number: int) -> Deal:
    stream = Stream(seed, number)
    dealer = (number - 1) % 4
    thrown: tuple[tuple[int, ...], ...] = ()
    while draws != OWN and (throw := rules.throw(dealer, thrown)) is not None:
        thrown = (*thrown, tuple(stream.below(6) + 1 for _ in range(throw.dice)))
    whole = list(set_of(rules))
    plan = rules.plan(len(whole), dealer)
    assert plan is not None
    stream.shuffle(whole)
    return Deal(number, dealer, thrown, plan, tuple(whole))
