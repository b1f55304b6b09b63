"""What the board keeps of a table's life and of its adjustment: counters with hints for maintenance, and settings."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.hardware import SET_SIZES, SIDES
from wallwright_protocol.names import FAULTS, SETTING_KINDS, SETTINGS
from wallwright_protocol.settings import LIMIT, OF_MACHINE, SIZE

from ..errors import BadName, BadSetting, NotOnBoard
from ..link.numbers import name_of, number_of, unnamed
from ..table.table import Table

MIN_BUILDS = 40
"""Fewer builds are judged as if they were so many: it takes two of a kind to be a habit."""
JAMS_PER_100 = 5
"""A healthy lane jams less than once in a hundred builds; one in twenty is what players begin to complain of."""
REPEATS_PER_100 = 5
"""The same for anything else that the table gets over by itself."""
MOTOR_HOURS = 500
"""Geared motors with brushes are made for some 1,000 hours; half-way they are worth a look."""


_FITTED = tuple(SETTING_KINDS[kind] for kind in OF_MACHINE)
BLOCK = 64
WINDOW_BITS = 4096
"""SPEC.md: get_noise."""


@dataclass(frozen=True, slots=True)
class Counters:
    """What was counted: `jams` by side and `told` by fault since the clearing, `motor_s` of each drive in all."""

    boots: int
    builds: int
    deals: int
    builds_since_clearing: int
    jams: tuple[int, ...]
    told: Mapping[str, int]
    motor_s: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Setting:
    """A number that fits the firmware to one machine, its game and its owner; SPEC.md has the kinds and units. A board
    may have settings that this program does not know."""

    name: str
    kind: str
    unit: str
    value: int
    default: int
    lowest: int
    highest: int

    @property
    def is_fitted(self) -> bool:
        """Whether it is measured at one machine."""
        return self.kind in _FITTED

    @property
    def is_limit(self) -> bool:
        """Whether no healthy part of the machine goes beyond it."""
        return self.kind == SETTING_KINDS[LIMIT]


@dataclass(frozen=True, slots=True)
class NoiseSeen:
    """Of the random source's bits in `windows` of 512 samples that were tested: the share of the value that is more
    frequent, and of bits that are as the one before; None while there are none. Of an ideal source both are 0.5."""

    windows: int
    most_common: float | None
    same: float | None


def _named(*faults: int) -> tuple[str, ...]:
    return tuple(FAULTS[fault] for fault in faults)


CARE: tuple[tuple[tuple[str, ...], str], ...] = (
    (_named(codes.FACE_UP_STUCK), "clean the magnet ring and the tiles' magnets; sort out tiles that do not turn"),
    (_named(codes.BELT_FULL_STUCK, codes.EYE_DEAD, codes.FOREIGN_TILE), "clean the eyes of the lanes"),
    (
        _named(codes.PUSH_WITHOUT_COUNT, codes.COUNT_WITHOUT_PUSH, codes.SIDE_OVER),
        "clean the head vanes and the counting eyes",
    ),
    (_named(codes.DISC_STALLED, codes.RING_STALLED), "look for dirt under disc and ring, and at their vanes and belts"),
    (
        _named(codes.LIFT_STALL, codes.LIFT_LIMITS, codes.LIFT_SINKING),
        "grease the lifts, look at their switches and brakes",
    ),
    (_named(codes.LID_OBSTRUCTED, codes.LID_LIMITS), "look at the lid's rails and switches"),
    (_named(codes.KEY_STUCK), "look for keys that stay pressed; clean or replace them"),
    (_named(codes.BROWN_OUT), "look at the power supply and its plug"),
)
"""Faults that tell of the same wear or dirt -> what to do when they are told too often for the number of builds."""
ONCE_IS_ENOUGH: tuple[tuple[str, str], ...] = (
    (FAULTS[codes.RANDOM_FAILED], "have the board replaced: its random source has failed"),
    (FAULTS[codes.STORE_FAILED], "have the board replaced: its memory has failed"),
    (FAULTS[codes.WATCHDOG_RESET], "keep the service file and report it: the board's program had stopped"),
    (FAULTS[codes.CRASHED], "keep the service file and report it: the board's program had failed"),
    (
        FAULTS[codes.CRASH_LOOP],
        "have the firmware brought to a release that is mended: its program failed again and again",
    ),
    (FAULTS[codes.RUN_LIMIT], "look for a sensor that does not answer: a drive ran into its limit"),
)


def read_counters(table: Table) -> Counters:
    """Ask the board for its counters."""
    boots, builds, deals, cleared_at, *jams = REPLIES[NUMBER_OF["get_counters"]].unpack(table.request("get_counters"))
    told = {name: row[0] for name, row in _listed(table, "get_fault_counts", "fault")}
    ran = {name: row[0] for name, row in _listed(table, "get_drive_times", "drive")}
    return Counters(
        boots,
        builds,
        deals,
        builds - cleared_at,
        tuple(jams),
        {name: count for name, count in told.items() if count},
        {name: tenths / 10 for name, tenths in ran.items()},
    )


def read_noise(table: Table) -> NoiseSeen:
    """Ask the board what it has seen of its random source: of the last 64 windows, or of those since its start."""
    windows, ones, changes, last_ones, last_changes = REPLIES[NUMBER_OF["get_noise"]].unpack(table.request("get_noise"))
    if last_ones or last_changes:
        windows, ones, changes = BLOCK, last_ones, last_changes
    if not windows:
        return NoiseSeen(0, None, None)
    share = ones / (windows * WINDOW_BITS)
    return NoiseSeen(windows, max(share, 1 - share), 1 - changes / (windows * (WINDOW_BITS - 1)))


def hints(counters: Counters) -> Iterator[str]:
    """Yield what should be done, as sentences that give the figures they rest on; nothing when all is well."""
    builds = counters.builds_since_clearing
    often = max(builds, MIN_BUILDS)
    for side, jams in enumerate(counters.jams):
        if jams * 100 >= JAMS_PER_100 * often:
            yield f"lane {side}: {jams} jams in {builds} builds: clean its belt, gate and stacking head"
    for names, care in CARE:
        count = sum(counters.told.get(name, 0) for name in names)
        if count * 100 >= REPEATS_PER_100 * often:
            yield f"{', '.join(name for name in names if name in counters.told)}: {count} in {builds} builds: {care}"
    for name, care in ONCE_IS_ENOUGH:
        if counters.told.get(name):
            yield f"{name}: {counters.told[name]} times: {care}"
    for drive, seconds in counters.motor_s.items():
        if seconds >= MOTOR_HOURS * 3600:
            yield f"{drive}: {seconds / 3600:.0f} hours: have its motor's brushes and gear looked at"


def clear_counters(table: Table) -> None:
    """Count jams and faults anew, after maintenance; the motors keep their time. Refused while a drive runs."""
    table.request("clear_counters")


def read_settings(table: Table) -> list[Setting]:
    """Ask the board for all settings that it has."""
    return [
        Setting(name, name_of("setting_kind", kind), name_of("setting_unit", unit), *values)
        for name, (*values, kind, unit) in _listed(table, "get_settings", "setting")
    ]


def read_fitted(table: Table) -> list[Setting]:
    """Ask the board for the settings that are measured at its machine."""
    return [setting for setting in read_settings(table) if setting.is_fitted]


def change_settings(table: Table, wanted: Mapping[str, int]) -> None:
    """Set some settings on the board, which stores them: all of them or, when one is wrong, none.

    Raises BadName, BadSetting when a value is outside the board's limits, NotOnBoard, Refused while a drive runs. What
    belongs to the game is changed first, for the board may refuse that alone: away from rest, and with stacks in the
    carriers.
    """
    kinds = check_settings(table, wanted)
    size = SETTING_KINDS[SIZE]
    for name in sorted(wanted, key=lambda name: kinds[name] != size):
        table.request("set_setting", setting_number(name), wanted[name])
        if kinds[name] == size:
            table.ask_info()


def setting_number(name: str) -> int:
    """Return the number that requests have for a setting of this program, or of a board that was asked for it."""
    number = number_of("setting", name)
    assert number is not None, "every name of a setting gets a number"
    return number


def check_settings(table: Table, wanted: Mapping[str, int]) -> dict[str, str]:
    """Return the kind of each; raise BadName, BadSetting or NotOnBoard for what the board would not take."""
    there = {setting.name: setting for setting in read_settings(table)} if wanted else {}
    for name, value in wanted.items():
        if name not in there:
            if name in SETTINGS:
                raise NotOnBoard("set_setting", name)
            raise BadName(f"no setting is called {name!r}; there are {', '.join(there)}")
        if name == "set_tiles" and value not in SET_SIZES:
            raise BadSetting(f"there is no set of {value} tiles; set_tiles takes {', '.join(map(str, SET_SIZES))}")
        if name == "sides_out" and value not in (0, *(1 << side for side in range(SIDES))):
            raise BadSetting(f"sides_out cannot be {value}; it takes 0 for none, or 1, 2, 4 or 8 for side 0, 1, 2 or 3")
        now = there[name]
        if not now.lowest <= value <= now.highest:
            raise BadSetting(f"{name} cannot be {value} {now.unit}; the board takes {now.lowest} to {now.highest}")
    return {name: there[name].kind for name in wanted}


def _listed(table: Table, request: str, kind: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Ask for a list page by page; yield the name and the values of each thing on it, by the board's own numbers."""
    names = table.names(kind)
    at = size = 0
    while at < size or not at:
        page = REPLIES[NUMBER_OF[request]].unpack_named(table.request(request, at))
        size = page.pop("size")
        rows = list(zip(*page.values(), strict=True))[: size - at]
        for row in rows:
            yield names[at] if at < len(names) else unnamed(kind, at), row
            at += 1
        if not rows:
            return
