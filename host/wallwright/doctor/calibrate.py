"""Calibration of a table: measure in service and in builds, find limits, keep the old ones, store with consent.

While it measures, the board only tries limits: they are stored by nothing and go with the connection, so that a cut
cable or a power loss leaves the table as it was. The report has the limits of before; `restore` brings them back."""

import contextlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from wallwright_protocol.names import FITTED

from ..errors import BadConfig, LinkError, Refused
from ..link.reports import Event
from ..system.disk import read_whole
from ..system.strict_json import BadJson, read_json
from ..table.table import Table
from .bench import Bench, Look
from .builds import Built, run_builds
from .limits import Limit, Measured, Unhealthy, new_limits
from .measure import measure_in_service, measured, no_samples, take_build
from .profiles import Profile
from .steps import Person
from .upkeep import Setting, change_settings, read_fitted, setting_number

CLEAR_TABLE = "Lid, lifts, heads and drum will move. Is nothing on lid and lifts, and is nobody's hand near?"
TRIAL_RETURN_MS = 1400
"""How long belts of unknown length run back while they are measured."""
REPORT_VERSION = 1
LONGEST = 4_000_000
"""Bytes of a report that are read."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured: strokes a head, ways of each lift and the lid, builds."""

    strokes: int = 10
    ways: int = 3
    builds: int = 2


@dataclass(frozen=True, slots=True)
class Calibration:
    """What was measured at the table `unit`, and the limits that follow from it."""

    unit: str
    profile: Profile | None
    found: dict[str, Measured]
    limits: tuple[Limit, ...]
    builds: int


def calibrate(
    bench: Bench, person: Person, say: Callable[[str], None], effort: Effort, profile: Profile | None = None
) -> Calibration:
    """Measure, and return what follows; nothing is stored. A limit that nothing was measured for is the profile's.

    Raises Unhealthy when the table has to be mended first or the person does not agree, and what jogs and builds raise.
    Whatever happens, nothing runs afterwards and the board uses its stored limits again.
    """
    table = bench.table
    before = read_fitted(table)
    start = {} if profile is None else profile.settings()
    samples = no_samples()
    built = 0
    if not person.agrees(CLEAR_TABLE):
        raise Unhealthy("nothing was measured: clear the table, then begin again")
    try:
        try:
            for what in measure_in_service(bench, effort.strokes, effort.ways, samples):
                say(what)
        except Refused as refused:
            raise _not_empty(refused) from refused

        def hear(looks: Sequence[Look], events: Sequence[Event]) -> None:
            if not take_build(looks, events, samples):
                say("changes of inputs were missed, so this build is not measured")

        if effort.builds:
            _try(table, _trial(new_limits(_moved(samples), before, start), before))
            for done in run_builds(bench, person, effort.builds, hear):
                built += 1
                say(_words(done))
                # From now on the table builds by what was found, so that it is tried before it is stored.
                _try(table, new_limits(_moved(samples), before, start))
    finally:
        _leave(table)
    found = _moved(samples)
    return Calibration(table.info.unit, profile, found, tuple(new_limits(found, before, start)), built)


def store(table: Table, limits: Sequence[Limit]) -> list[str]:
    """Store the new limits; return the names of their settings. When it is cut short the old ones come back."""
    wanted = {limit.setting: limit.value for limit in limits if limit.value != limit.before}
    old = {limit.setting: limit.before for limit in limits if limit.value != limit.before}
    _change(table, wanted, old)
    return list(wanted)


def report(calibration: Calibration, made_at: datetime) -> dict[str, Any]:
    """Return all that is known, as plain values; `read_report` takes the limits of before from it."""
    profile = calibration.profile
    return {
        "wallwright_calibration": REPORT_VERSION,
        "unit": calibration.unit,
        "made_at": made_at.isoformat(timespec="seconds"),
        "builds": calibration.builds,
        "profile": None if profile is None else profile.name,
        "measured": {
            name: {part: list(samples) for part, samples in each.parts.items()}
            for name, each in calibration.found.items()
        },
        "expected": {} if profile is None else {name: figure.value for name, figure in profile.figures.items()},
        "limits": [
            asdict(limit) | {"profile": None if profile is None else profile.settings().get(limit.setting)}
            for limit in calibration.limits
        ],
    }


def report_text(values: dict[str, Any]) -> str:
    """Return a report as it is written."""
    return json.dumps(values, indent=1, ensure_ascii=False) + "\n"


def read_report(path: Path) -> tuple[str, dict[str, int]]:
    """Return the unit of a report and the limits that its table had before, by setting; BadConfig when it is none."""
    try:
        values = read_json(read_whole(path, LONGEST))
    except (OSError, BadJson) as error:
        raise BadConfig(str(path), f"it is no report of a calibration: {error}") from error
    if not isinstance(values, dict) or values.get("wallwright_calibration") != REPORT_VERSION:
        raise BadConfig(
            str(path), "it is no report of a calibration: use a file that wallwright doctor calibrate wrote"
        )
    unit, rows = values.get("unit"), values.get("limits")
    if not isinstance(unit, str) or not isinstance(rows, list) or not rows:
        raise BadConfig(str(path), "the report names no table or no limits")
    before = {}
    for row in rows:
        setting, value = (row.get("setting"), row.get("before")) if isinstance(row, dict) else (None, None)
        if setting not in FITTED or type(value) is not int:
            raise BadConfig(str(path), f"the report has a limit that cannot be: {setting!r} was {value!r}")
        before[setting] = value
    return unit, before


def to_restore(table: Table, path: Path) -> dict[str, tuple[int, int]]:
    """Return the settings that a report has otherwise, as (now, then); BadConfig when it is of another table."""
    unit, before = read_report(path)
    if unit != table.info.unit:
        raise BadConfig(str(path), f"it is a report of table {unit}; this is {table.info.unit}")
    now = {setting.name: setting.value for setting in read_fitted(table)}
    return {name: (now[name], then) for name, then in before.items() if now[name] != then}


def restore(table: Table, differing: dict[str, tuple[int, int]]) -> None:
    """Store the limits of before; when it is cut short those of now come back."""
    _change(table, {name: then for name, (_, then) in differing.items()}, {n: now for n, (now, _) in differing.items()})


def _change(table: Table, wanted: dict[str, int], old: dict[str, int]) -> None:
    try:
        change_settings(table, wanted)
    except BaseException:
        # Half of the limits fit no machine. When the link is gone too, the report still has the old ones.
        with contextlib.suppress(LinkError):
            change_settings(table, old)
        raise


def _moved(samples: Any) -> dict[str, Measured]:
    """Return what was measured, but for what only helps to measure."""
    return {name: each for name, each in measured(samples).items() if name != "leave_ms"}


def _trial(limits: Sequence[Limit], board: Sequence[Setting]) -> list[Limit]:
    """Return limits by which tiles of any size and belts of any length can be measured."""
    ends = {setting.name: (setting.lowest, setting.highest) for setting in board}
    wide = {
        "shortest_dark_ms": ends["shortest_dark_ms"][0],
        "longest_dark_ms": ends["longest_dark_ms"][1],
        "belt_return_ms": TRIAL_RETURN_MS,
    }
    return [
        Limit(limit.setting, limit.before, wide.get(limit.setting, limit.value), limit.usual, limit.quantity)
        for limit in limits
    ]


def _try(table: Table, limits: Sequence[Limit]) -> None:
    for limit in limits:
        table.request("try_setting", setting_number(limit.setting), limit.value)


def _leave(table: Table) -> None:
    """Stop what still builds, for by its stored limits it might not end well, and use those again."""
    # A link that is gone ends the trial by itself, and the first error is the one to be told.
    with contextlib.suppress(LinkError):
        if table.status().drives and table.status().state != "fault":
            table.request("stop")
        table.request("end_trial")


def _not_empty(refused: Refused) -> Unhealthy | Refused:
    if refused.refusal != "walls_below":
        return refused
    return Unhealthy("stacks stand in the carriers, so that heads and lifts may not be tried: raise the walls first")


def _words(done: Built) -> str:
    return f"build {done.number}: {done.duration_ms / 1000:.1f} s, {', '.join(map(str, done.stacks))} stacks"
