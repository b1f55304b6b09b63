"""What stands of the claims on one tile: within three seconds, Hu before pung and kong (SBR-4.5, 11.7)."""

from collections.abc import Iterable

from wallwright.rules.sichuan.actions import HU, PASS, Action

CLAIM_WINDOW_MS = 3000
"""How long a tile may be claimed, from the moment it lies open (SBR-4.5)."""


def standing_claims(answers: Iterable[Action]) -> tuple[Action, ...]:
    """All Hu, in the order given; without Hu the pung or kong (there can be only one); nothing when all passed."""
    claims = [answer for answer in answers if answer.verb != PASS]
    return tuple(claim for claim in claims if claim.verb == HU) or tuple(claims[:1])
