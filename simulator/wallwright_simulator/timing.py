"""How fast the parts of one machine are: the times that differ from machine to machine, before their small variation.

Makers choose motors, gears and belts as they please; what one table does in half a second takes another a third less or
more. Each time here has a factor of its own, for each part has a motor of its own. The times of a tile that rides past
something (how long it darkens the eye, how far apart tiles queue) follow one speed, that of the belt below the gate.
"""

import random
from dataclasses import dataclass, fields

from .mechanics import (
    BELT_TRAVEL_MS,
    DISC_TURN_MS,
    EYE_DARK_MS,
    GATE_PERIOD_MS,
    HEAD_CYCLE_MS,
    LID_MS,
    LIFT_DOWN_MS,
    LIFT_UP_MS,
    RING_SLOT_MS,
    TILE_SPACING_MS,
)

MOST_PERCENT = 30
"""The times of two machines differ by up to this much from the usual one's. Estimate."""
LEAST_FACTOR, MOST_FACTOR = 0.5, 2.0


@dataclass(frozen=True, slots=True)
class Timing:
    """Times of a machine in ms; the defaults are those of `mechanics`."""

    ring_slot_ms: int = RING_SLOT_MS
    disc_turn_ms: int = DISC_TURN_MS
    belt_travel_ms: int = BELT_TRAVEL_MS
    eye_dark_ms: int = EYE_DARK_MS
    head_cycle_ms: int = HEAD_CYCLE_MS
    lift_up_ms: int = LIFT_UP_MS
    lift_down_ms: int = LIFT_DOWN_MS
    lid_ms: int = LID_MS

    def tile_ms(self, usual_ms: int) -> int:
        """Return a time of a tile at the gate that is `usual_ms` on the usual machine."""
        return round(usual_ms * self.eye_dark_ms / EYE_DARK_MS)

    @property
    def gate_period_ms(self) -> int:
        """Two tiles enter the gate at least this far apart."""
        return self.tile_ms(GATE_PERIOD_MS)

    @property
    def tile_spacing_ms(self) -> int:
        """Tiles that queue at the gate stand this far apart, in ms of belt."""
        return self.tile_ms(TILE_SPACING_MS)

    @property
    def belt_capacity(self) -> int:
        """A belt holds so many tiles; the belt-full eye looks at the place of the last but one."""
        return max(2, self.belt_travel_ms // self.tile_spacing_ms)


USUAL = Timing()


def scaled(factor: float) -> Timing:
    """Return a machine all of whose parts take `factor` times as long; ValueError below 0.5 and above 2."""
    if not LEAST_FACTOR <= factor <= MOST_FACTOR:
        raise ValueError(f"timing {factor} is too far off: {LEAST_FACTOR} to {MOST_FACTOR} times the usual")
    return Timing(**{field.name: round(getattr(USUAL, field.name) * factor) for field in fields(Timing)})


def drawn(seed: int) -> Timing:
    """Return a machine of which each time differs from the usual by a factor of its own, up to MOST_PERCENT."""
    chance = random.Random(f"{seed}/timing")
    return Timing(
        **{
            field.name: round(
                getattr(USUAL, field.name) * chance.uniform(1 - MOST_PERCENT / 100, 1 + MOST_PERCENT / 100)
            )
            for field in fields(Timing)
        }
    )
