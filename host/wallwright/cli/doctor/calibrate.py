"""`wallwright doctor calibrate`: measure a table, show limits that fit it, store them when the technician agrees."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..one_table import AsJson, Port, Trace, opened, print_json

if TYPE_CHECKING:
    from ...doctor.bench import Bench
    from ...doctor.steps import Person

CALIBRATE_HELP = """Measure how long the parts of this table take, and set the limits that fit it.

Example: wallwright doctor calibrate table-7.json --port /dev/ttyACM0

It moves the lid, every lift and head and the drum in service, then builds walls. Between two builds you push the tiles
in and draw the walls in, as in `doctor test-build`. The report holds every sample and the limits of before and after;
beside it a picture is written, table-7.svg. The command shows the limits and stores them only when you say yes. Until
then the table's limits stay, whatever happens to this program, the cable or the power.

    wallwright doctor calibrate table-7.json --restore --port /dev/ttyACM0

brings back the limits of before that report. A profile is a machine of which figures are known: its limits stand where
nothing was measured, and are shown beside those found.

Exit code 4 when the table has to be mended first, stopped with a fault or stood in the way of a part.
With --json: one record, the report, with "stored": the settings that were changed.
"""


class _Unasked:
    """Agrees to everything and does nothing: for `--yes`."""

    def agrees(self, question: str) -> bool | None:
        return bool(question)

    def does(self, task: str) -> bool | None:
        return None if task else True


def add_commands(app: typer.Typer) -> None:
    """Put the command under `app`."""
    app.command("calibrate", help=CALIBRATE_HELP)(calibrate)


def calibrate(
    path: Annotated[Path, typer.Argument(help="The report: to be written, or with --restore to be read.")],
    port: Port,
    profile: Annotated[
        str | None, typer.Option(help="A known machine to begin from, or the path of a .toml file.")
    ] = None,
    strokes: Annotated[int, typer.Option(min=2, max=100, help="Strokes of each head.")] = 10,
    ways: Annotated[int, typer.Option(min=1, max=20, help="Ways of the lid and of each lift.")] = 3,
    builds: Annotated[
        int, typer.Option(min=0, max=20, help="Walls to be built; without any, eyes and belts are left.")
    ] = 2,
    undo: Annotated[bool, typer.Option("--restore", help="Bring back the limits of before this report.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", help="The table is clear and the limits shall be stored: ask nothing.")
    ] = False,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Calibrate a table, or undo that."""
    from ...doctor.bench import Bench
    from ...doctor.person import Terminal

    if path.suffix == ".svg":
        raise typer.BadParameter(f"{path} is to be the report; its picture ends in .svg", param_hint="PATH")
    with opened(port, trace) as table:
        person: Person = _Unasked() if yes else Terminal(sys.stdin.fileno(), _say, table.pump)
        try:
            if undo:
                _restore(Bench(table), person, path, as_json)
            else:
                _calibrate(Bench(table), person, path, profile, (strokes, ways, builds), as_json)
        except KeyboardInterrupt:
            _say("\nEverything is stopped, and the table's limits are as they were.\n")
            raise typer.Exit(130) from None


def _calibrate(
    bench: "Bench", person: "Person", path: Path, profile: str | None, effort: tuple[int, int, int], as_json: bool
) -> None:
    from datetime import UTC, datetime

    from ...doctor.calibrate import Effort, report, report_text, store
    from ...doctor.calibrate import calibrate as measure
    from ...doctor.calibrate_picture import picture
    from ...doctor.profiles import load_profile
    from ...doctor.service_file import check_is_free
    from ...system.disk import write_named_new

    drawn = path.with_suffix(".svg")
    check_is_free(path)
    check_is_free(drawn)
    start = None if profile is None else load_profile(profile)
    found = measure(bench, person, lambda line: _say(f"{line}\n"), Effort(*effort), start)
    values = report(found, datetime.now(UTC))
    # The limits of before are on the disk before the board forgets them.
    write_named_new(path, report_text(values).encode())
    write_named_new(drawn, picture(values).encode())
    if not as_json:
        print("\n".join(_lines(values)), flush=True)
    stored: list[str] = []
    if person.agrees("Store these limits on the board?"):
        stored = store(bench.table, found.limits)
    if as_json:
        print_json(values | {"stored": stored})
    elif stored:
        print(f"Stored. wallwright doctor calibrate {path} --restore brings back those of before.")
    else:
        print("Nothing was stored: the table has the limits that it had.")


def _restore(bench: "Bench", person: "Person", path: Path, as_json: bool) -> None:
    from ...doctor.calibrate import restore, to_restore

    differing = to_restore(bench.table, path)
    if not as_json:
        print(
            "\n".join(f"{name:<20}{now:6d} -> {then}" for name, (now, then) in differing.items())
            or "The table has these limits already."
        )
    agreed = bool(differing) and bool(person.agrees("Store these limits on the board?"))
    if agreed:
        restore(bench.table, differing)
    if as_json:
        print_json({"restored": sorted(differing) if agreed else []})
    elif differing:
        print("Stored." if agreed else "Nothing was stored: the table has the limits that it had.")


def _lines(values: dict[str, Any]) -> list[str]:
    expected = values["expected"]
    lines = []
    for name, parts in values["measured"].items():
        samples = sorted(sample for part in parts.values() for sample in part)
        beside = f", {expected[name]} by the profile" if name in expected else ""
        middle = samples[len(samples) // 2]
        lines.append(f"{name:<20}{middle:6d}   ({samples[0]} to {samples[-1]}, {len(samples)} times{beside})")
    lines.append("")
    lines.append(f"{'limit':<20}{'new':>6}{'before':>8}{'usual':>7}{'profile':>9}   from")
    for row in values["limits"]:
        profile = "" if row["profile"] is None else str(row["profile"])
        source = row["quantity"] or "not measured"
        lines.append(f"{row['setting']:<20}{row['value']:6d}{row['before']:8d}{row['usual']:7d}{profile:>9}   {source}")
    return lines


def _say(text: str) -> None:
    """Talk to the person; the standard output is for results."""
    sys.stderr.write(text)
    sys.stderr.flush()
