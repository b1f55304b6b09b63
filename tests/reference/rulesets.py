"""What differs between the four rulesets, as plain values. (SBR-5.3, SBR-10, SBR-11)"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Rules:
    """The differences; whatever is the same in all four is written into the reference itself."""

    name: str
    fan_limit: int | None
    long_walls: str = "dealer"
    forbidden_first: bool = False
    """Forbidden tiles must leave the hand before any other. (SBR-10.1)"""
    wait_is_one_point: bool = False
    """A ready hand at the wall's end is worth 1. (SBR-10.3)"""
    passive_is_free: bool = True
    """No penalty at the wall's end for who only ever discarded the forbidden suit; Chengdu knows no such exception."""
    penalty_after_three_hu: bool = False
    """Tiles of the forbidden suit cost 48 at either end. (SBR-10.2)"""
    shoot_voids_turn: bool = False
    """Hu on the discard after kongs takes the payments of all kongs of that turn, not of the last alone. (SBR-6.4)"""
    wall_end_kongs: bool = True
    """Fans of declared kongs count for a waiting hand. (SBR-6.5)"""
    league_2025: bool = False
    """Penalties of 24 in place of 48 and 8, and what goes with them. (SBR-11.2 to SBR-11.5)"""


RULESETS = {
    rules.name: rules
    for rules in (
        Rules("sichuan", fan_limit=3),
        Rules("sichuan-4", fan_limit=4),
        Rules(
            "chengdu-2016",
            fan_limit=None,
            forbidden_first=True,
            wait_is_one_point=True,
            passive_is_free=False,
            penalty_after_three_hu=True,
        ),
        Rules("mil-2025", fan_limit=3, long_walls="east_west", forbidden_first=True, league_2025=True),
    )
}
# The decisions that no preset takes, in one ruleset.
OTHERWISE = Rules("decided otherwise", fan_limit=4, shoot_voids_turn=True, wall_end_kongs=False)
KNOWN = {**RULESETS, OTHERWISE.name: OTHERWISE}
