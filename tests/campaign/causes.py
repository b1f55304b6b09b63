"""What the campaign lets go wrong, and which faults the table may name for it: strict, and as data.

A line is one of the fault language with `{side}`, `{tile}`, `{size}` (of another set), `{at}` (seconds) and `{later}`
(three seconds after) to fill in. `names` are the faults that say what is wrong; `quiet` causes may pass without one,
because the table gets over them by itself or nobody has to do anything. `tells` are notices that a cause brings when it
lasts. `guesses` may come first where the sensors cannot tell yet: people do what they say, and one of `names` has to
follow.
"""

from typing import NamedTuple


class Cause(NamedTuple):
    """One thing that goes wrong."""

    line: str
    names: frozenset[str]
    quiet: bool
    guesses: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset()

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


def guessed(cause: Cause, *guesses: str) -> Cause:
    """The cause, with what may be named before the right name comes."""
    return cause._replace(guesses=frozenset(guesses))


def telling(cause: Cause, *notices: str) -> Cause:
    """The cause, with the notices that it brings."""
    return cause._replace(tells=frozenset(notices))


JAM = ("lane_jam", "eye_blocked", "eye_dead", "tile_missing")
"""A tile sticks: before the eye it is a jam, in the eye the eye is blocked as well. While the eye has seen nothing yet
since power came, a tile that sticks before it and a dead eye look the same, and the words of eye_dead tell to look for
both. One of the last tiles of a build sticks without a queue behind it, and looks the same as one on the floor."""
UNCOUNTED = ("tile_missing", "side_short", "face_up_stuck")
"""A tile that the eye has missed stands in the head, whose gate lets no third one in. When fewer tiles than reach the
belt-full eye are left, those that queue behind it look the same as tiles that lie on the floor or in the drum. Who
looks there finds none; then the table names the eye and has the head emptied."""
UNFED = ("lane_unplugged", "side_short", "tile_missing")
"""A set that is too small leaves one lane without tiles."""
STANDING = (*UNFED, "lane_jam", "eye_blocked")
"""A belt that stands from the first tile on brings nothing, which looks the same as one without its plug."""

CAUSES = (
    healed("jam lane {side} at {at} s", *JAM),
    healed("jam lane {side} at {at} s for 4 s frees 0 %", *JAM),
    named("jam lane {side} at {at} s frees 0 %", *JAM),
    healed("jam head {side} at {at} s", "head_jam"),
    healed("jam head {side} at {at} s for 1 s frees 0 %", "head_jam"),
    named("jam head {side} at {at} s frees 0 %", "head_jam"),
    # Eyes. One that sees no more, or overlooks a tile, leaves the others standing on the belt, as a tile that sticks
    # does; the words of lane_jam tell to look for both. One that dies while a tile passes has seen a small tile.
    guessed(named("eye {side} count dead at {at} s", "eye_dead", "lane_jam", "foreign_tile"), *UNCOUNTED),
    guessed(healed("eye {side} count dead at {at} s for 2 s", "eye_dead", "lane_jam", "foreign_tile"), *UNCOUNTED),
    named("eye {side} count blocked at {at} s", "eye_blocked"),
    healed("eye {side} count blocked at {at} s for 2 s", "eye_blocked"),
    guessed(healed("eye {side} count misses 5 % at {at} s", "eye_dead", "lane_jam"), *UNCOUNTED),
    healed("eye {side} belt dead at {at} s"),
    telling(healed("eye {side} belt blocked at {at} s"), "belt_full_stuck"),
    # Vanes. A head that is not seen at home keeps its lift from moving. Home before the push leaves open which of the
    # two vanes is at fault; home in the last tenth of a stroke is believed, and the head then stands with its gate
    # still shut, which looks like a jam.
    named("vane {side} home dead at {at} s", "head_jam", "interlock"),
    named("vane {side} home blocked at {at} s", "head_jam", "count_without_push", "lane_jam"),
    named("vane {side} pushed dead at {at} s", "count_without_push"),
    named("vane {side} pushed blocked at {at} s", "count_without_push", "push_without_count"),
    named("vane disc dead at {at} s", "disc_stalled"),
    named("vane ring blocked at {at} s", "ring_stalled"),
    # Motors. A lane whose conveyor stands gets no tiles, lets none into the head, or stands with one in its eye.
    named("stall disc at {at} s", "disc_stalled"),
    healed("stall disc at {at} s for 3 s", "disc_stalled"),
    named("stall ring at {at} s", "ring_stalled"),
    healed("stall ring at {at} s for 3 s", "ring_stalled"),
    named("stall conveyor {side} at {at} s", *STANDING),
    healed("stall conveyor {side} at {at} s for 3 s", *STANDING),
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
    telling(healed("key {side} lift stuck at {at} s"), "key_stuck"),
    telling(healed("key {side} dice stuck at {at} s"), "key_stuck"),
    named("press emergency stop at {at} s", "emergency_stop"),
    named("press emergency stop at {at} s; release emergency stop at {later} s", "emergency_stop"),
    healed("cut power at {at} s for 2 s", "walls_unknown"),
    telling(healed("watchdog resets board at {at} s", "walls_unknown"), "watchdog_reset"),
    telling(healed("brown out resets board at {at} s", "walls_unknown"), "brown_out"),
    telling(healed("program crashes at {at} s", "walls_unknown"), "crashed"),
    telling(healed("host silent at {at} s for 15 s"), "host_silent"),
    healed("noise stuck at {at} s", "random_failed"),
    healed("noise dead at {at} s", "random_failed"),
    # Tiles. A single one that does not come looks the same on the floor and in the drum.
    named("tile {tile} missing", "tile_missing"),
    healed("tile {tile} weak magnet", "tile_missing"),
    named("tile {tile} stays face up", "tile_missing", "face_up_stuck"),
    named("drum empty", "drum_empty"),
    named("extra tile", "tile_too_many"),
    # One tile more than the walls have may be all that comes before the drum is found to be at its end.
    # One lane alone that lacks tiles is looked at first.
    guessed(named("set of {size} tiles in the drum", "wrong_set", "tile_too_many"), *UNFED),
    named("foreign tile bigger", "foreign_tile"),
    named("foreign tile smaller", "foreign_tile"),
)
