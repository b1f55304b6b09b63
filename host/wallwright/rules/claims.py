"""What stands of the claims on one tile: within three seconds, Hu before pung and kong (SBR-4.5, 11.7)."""

from collections.abc import Iterable
from typing import NamedTuple

from wallwright.rules.actions import HU, PASS, Action

CLAIM_WINDOW_MS = 3000
"""How long a tile may be claimed, from the moment it lies open (SBR-4.5)."""


class Claim(NamedTuple):
    """A claim as heard: `at_ms` after the tile lay open."""

    at_ms: int
    action: Action


def standing_claims(answers: Iterable[Action]) -> tuple[Action, ...]:
    """All Hu, in the order given; without Hu the pung or kong (there can be only one); nothing when all passed."""
    claims = [answer for answer in answers if answer.verb != PASS]
    return tuple(claim for claim in claims if claim.verb == HU) or tuple(claims[:1])


def judge_claims(heard: Iterable[Claim]) -> tuple[Action, ...]:
    """The claims that stand of those heard in any order; who was first inside the window does not matter.

    A player who claims again raises the claim: Hu replaces pung or kong, and nothing replaces Hu (SBR-11.7).
    """
    by_seat: dict[int, Action] = {}
    for claim in sorted(heard, key=lambda claim: claim.at_ms):
        seat = claim.action.seat
        if 0 <= claim.at_ms <= CLAIM_WINDOW_MS and (seat not in by_seat or claim.action.verb == HU):
            by_seat[seat] = claim.action
    return standing_claims(by_seat.values())
