"""`wallwright doctor service-file | counters | settings`: what the board keeps, and what goes to whoever mends it."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from wallwright_protocol.hardware import SET_SIZES
from wallwright_protocol.names import SETTING_MEANINGS

from ..one_table import AsJson, Port, Trace, opened, print_json

if TYPE_CHECKING:
    from ...doctor.upkeep import Counters, NoiseSeen

SERVICE_FILE_HELP = """Write all that there is to know of a table into one zip, for somebody who was not there.

Example: wallwright doctor service-file table-7.zip --port /dev/ttyACM0 --journal session.journal

It holds versions, status, every input and output, settings, counters, the history of faults, the events that the board
still holds, and the last frames of the link, decoded. The history is that of the journal, or else what the board still
holds. It moves nothing and works in a fault too.
"""

COUNTERS_HELP = """Show what the table has counted in its life, and what should be looked after.

Example: wallwright doctor counters --port /dev/ttyACM0

Jams, notices and faults count since the counters were cleared, which belongs to the end of every maintenance; starts,
builds and running times count for ever. A power loss costs what was counted since the last act or arrival.

The line `random` is of the bits of the board's random source in the last 64 windows that it has tested, or in those
since its start. It raises no alarm; docs/entropy.md says what to make of it.
"""
SETTINGS_HELP = f"""Show the numbers that fit the firmware to this machine, or change some of them.

Example: wallwright doctor settings --port /dev/ttyACM0 --set lift_limit_ms=4000

The board stores a change at once, and refuses a value that could do harm. Nothing may run meanwhile.

set_tiles is the size of a set: {", ".join(map(str, SET_SIZES))} tiles; dice_count is how many dice are thrown at once.
They can be changed while the table is idle or in service, with no stacks in its carriers; then put two sets of that
size in. `wallwright table setup` sets both for a game. wash_s is for how many seconds the disc mixes a set before it is
built.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("service-file", help=SERVICE_FILE_HELP)(service_file)
    app.command("counters", help=COUNTERS_HELP)(counters)
    app.command("settings", help=SETTINGS_HELP)(settings)


def service_file(
    path: Annotated[Path, typer.Argument(help="The zip to be written.", show_default=False)],
    port: Port,
    journal: Annotated[Path | None, typer.Option(help="Take the history of faults from this journal.")] = None,
    trace: Trace = False,
) -> None:
    """Write the service file."""
    from datetime import UTC, datetime

    from ...doctor.bench import Bench
    from ...doctor.service_file import check_is_free, contents, history, write_zip
    from ...journal import read_journal

    check_is_free(path)
    entries = None if journal is None else read_journal(journal)
    with opened(port, trace) as table:
        past = None if entries is None else history(entries, table.info.unit)
        files = contents(Bench(table), datetime.now(UTC), past)
    write_zip(path, files)
    print(f"{path}: {', '.join(files)}")


def counters(
    port: Port,
    clear: Annotated[bool, typer.Option("--clear", help="After maintenance: count jams and faults anew.")] = False,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Show the counters, as they were before they are cleared."""
    from ...doctor.upkeep import clear_counters, hints, read_counters, read_noise

    with opened(port, trace) as table:
        found = read_counters(table)
        noise = read_noise(table)
        if clear:
            clear_counters(table)
    if as_json:
        noted = {"noise": dataclasses.asdict(noise), "hints": list(hints(found))}
        print_json(dataclasses.asdict(found) | noted)
    else:
        print("\n".join(_counter_lines(found, noise, list(hints(found)))))


def _noise_line(noise: "NoiseSeen") -> str:
    if noise.most_common is None or noise.same is None:
        return "no bits tested yet"
    shares = f"{noise.most_common:.1%} of the bits have one value, {noise.same:.1%} that of the bit before"
    return f"{shares}, in {noise.windows} windows"


def _counter_lines(found: "Counters", noise: "NoiseSeen", advice: list[str]) -> list[str]:
    running = {name: seconds for name, seconds in found.motor_s.items() if seconds}
    return [
        f"starts    {found.boots}",
        f"builds    {found.builds}, {found.builds_since_clearing} since the counters were cleared",
        f"deals     {found.deals}",
        f"jams      {'  '.join(f'lane {side}: {count}' for side, count in enumerate(found.jams))}",
        f"told      {', '.join(f'{name} {count}' for name, count in found.told.items()) or 'no faults, no notices'}",
        *(
            f"{'ran' if at == 0 else '':<10}{name:<20}{seconds / 3600:10.2f} h"
            for at, (name, seconds) in enumerate(running.items())
        ),
        f"random    {_noise_line(noise)}",
        *(f"look at   {line}" for line in advice or ["nothing: all is well"]),
    ]


def settings(
    port: Port,
    changes: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change one; may be repeated.")
    ] = None,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Change what is to be changed, then show all."""
    from ...doctor.upkeep import change_settings, read_settings

    wanted = dict(_parse_change(text) for text in changes or [])
    with opened(port, trace) as table:
        change_settings(table, wanted)
        found = read_settings(table)
    for setting in found:
        meaning = SETTING_MEANINGS.get(setting.name, "this program does not know it")
        if as_json:
            print_json(dataclasses.asdict(setting) | {"meaning": meaning})
        else:
            mark = "" if setting.value == setting.default else f", usually {setting.default}"
            limits = f"({setting.lowest} to {setting.highest}{mark})"
            print(f"{setting.name:<20}{setting.value:6d} {setting.unit:<7}{limits:<30}{meaning}")


def _parse_change(text: str) -> tuple[str, int]:
    name, found, value = text.partition("=")
    if not found or not value.strip().isdecimal():
        raise typer.BadParameter(f"{text!r} is no setting with a whole number, as in debounce_ms=8", param_hint="--set")
    return name.strip(), int(value)
