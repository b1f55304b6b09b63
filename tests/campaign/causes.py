"""What the campaign lets go wrong, and which faults the table may name for it: strict, and as data.

A line is one of the fault language with `{side}`, `{tile}`, `{at}` (seconds) and `{later}` (three seconds after) to
fill in. `names` are the faults that say what is wrong; `quiet` causes may pass without one, because the table gets over
them by itself or nobody has to do anything.
"""

from typing import NamedTuple


class Cause(NamedTuple):
    """One thing that goes wrong."""

    line: str
    names: frozenset[str]
    quiet: bool

    @property
    def has_stages(self) -> bool:
        """Whether it begins at a time."""
        return "{at}" in self.line

    @property
    def has_side(self) -> bool:
        """Whether it concerns one side."""
        return "{side}" in self.line


def named(line: str, *names: str) -> Cause:
    """A cause that must end in one of these faults."""
    return Cause(line, frozenset(names), quiet=False)


def healed(line: str, *names: str) -> Cause:
    """A cause that the table may get over by itself."""
    return Cause(line, frozenset(names), quiet=True)


CAUSES = (
    # A tile sticks: before the eye it is a jam, in the eye the eye is blocked as well. One of the last tiles of a build
    # sticks without a queue behind it, and looks the same as one on the floor.
    healed("jam lane {side} at {at} s", "lane_jam", "eye_blocked", "tile_missing"),
    healed("jam lane {side} at {at} s for 4 s frees 0 %", "lane_jam", "eye_blocked", "tile_missing"),
    named("jam lane {side} at {at} s frees 0 %", "lane_jam", "eye_blocked", "tile_missing"),
    healed("jam head {side} at {at} s", "head_jam"),
    healed("jam head {side} at {at} s for 1 s frees 0 %", "head_jam"),
    named("jam head {side} at {at} s frees 0 %", "head_jam"),
    # Eyes. One that overlooks tiles is dirty, which is in the words of eye_dead. One that dies while a tile passes has
    # seen a small tile.
    named("eye {side} count dead at {at} s", "eye_dead", "foreign_tile"),
    healed("eye {side} count dead at {at} s for 2 s", "eye_dead", "foreign_tile"),
    named("eye {side} count blocked at {at} s", "eye_blocked"),
    healed("eye {side} count blocked at {at} s for 2 s", "eye_blocked"),
    healed("eye {side} count misses 5 % at {at} s", "eye_dead"),
    healed("eye {side} belt dead at {at} s"),
    healed("eye {side} belt blocked at {at} s"),
    # Vanes. Without its home vane a head never ends its stroke, pushes again and again, and keeps lifts from moving.
    named("vane {side} home dead at {at} s", "head_jam", "push_without_count", "run_limit", "interlock"),
    named("vane {side} home blocked at {at} s", "head_jam", "push_without_count", "run_limit"),
    named("vane {side} pushed dead at {at} s", "count_without_push"),
    named("vane {side} pushed blocked at {at} s", "count_without_push", "push_without_count"),
    named("vane disc dead at {at} s", "disc_stalled"),
    named("vane ring blocked at {at} s", "ring_stalled"),
    # Motors. A lane whose conveyor stands gets no tiles, lets none into the head, or stands with one in its eye.
    named("stall disc at {at} s", "disc_stalled"),
    healed("stall disc at {at} s for 3 s", "disc_stalled"),
    named("stall ring at {at} s", "ring_stalled"),
    healed("stall ring at {at} s for 3 s", "ring_stalled"),
    named("stall conveyor {side} at {at} s", "side_short", "lane_jam", "eye_blocked", "tile_missing"),
    healed("stall conveyor {side} at {at} s for 3 s", "side_short", "lane_jam", "eye_blocked", "tile_missing"),
    named("stall lift {side} at {at} s", "lift_stall"),
    healed("stall lift {side} at {at} s for 3 s", "lift_stall"),
    named("stall lid at {at} s", "lid_obstructed"),
    healed("stall lid at {at} s for 3 s", "lid_obstructed"),
    healed("lid obstructed at {at} s", "lid_obstructed"),
    healed("lid obstructed at {at} s for 3 s", "lid_obstructed"),
    named("lift {side} sinks at {at} s", "lift_sinking"),
    # Switches. Which of two contradicts the other, or whether the lift stalls or sinks, the switches alone cannot tell.
    named("switch lift {side} up stuck on at {at} s", "lift_limits"),
    named("switch lift {side} up stuck off at {at} s", "lift_stall", "lift_sinking"),
    named("switch lift {side} down stuck on at {at} s", "lift_limits"),
    named("switch lift {side} down stuck off at {at} s", "lift_limits", "lift_stall"),
    named("switch lid open stuck on at {at} s", "lid_limits"),
    named("switch lid open stuck off at {at} s", "lid_limits", "lid_obstructed"),
    named("switch lid closed stuck on at {at} s", "lid_limits"),
    named("switch lid closed stuck off at {at} s", "lid_limits", "lid_obstructed", "interlock"),
    # People, power and the host.
    healed("key {side} lift stuck at {at} s"),
    healed("key {side} dice stuck at {at} s"),
    named("press emergency stop at {at} s", "emergency_stop"),
    named("press emergency stop at {at} s; release emergency stop at {later} s", "emergency_stop"),
    healed("cut power at {at} s for 2 s", "walls_unknown"),
    healed("host silent at {at} s for 15 s"),
    healed("noise stuck at {at} s", "random_failed"),
    healed("noise dead at {at} s", "random_failed"),
    # Tiles. A single one that does not come looks the same on the floor and in the drum.
    named("tile {tile} missing", "tile_missing"),
    healed("tile {tile} weak magnet", "tile_missing"),
    named("tile {tile} stays face up", "tile_missing", "face_up_stuck"),
    named("extra tile", "tile_too_many"),
    named("foreign tile bigger", "foreign_tile"),
    named("foreign tile smaller", "foreign_tile"),
)
