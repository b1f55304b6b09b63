"""`wallwright doctor measure`: how good a board's chip is, beside the emulated one."""

from pathlib import Path
from typing import Annotated

import typer

from ..one_table import AsJson, Port, Trace, opened, print_json

MEASURE_HELP = """Have a board measure itself, and show its figures beside those of the emulated chip.

Example: wallwright doctor measure --port /dev/ttyACM0 --out my-pico.json

Collections of memory, writes and erases of the flash, samples of the inputs that were lost meanwhile, random bits,
outputs, inputs, polls. It takes a few seconds; nothing moves, the table stands in service, and is left as it was found.
A board without a table will do. How fast an input is seen takes a bridge between two pins, which is named when it is
missing. --out writes a file that can be sent to the project.

With --json: what that file holds, {"kind": "measured", "unit": "...", "chip": "rp2040", "image": "...", "figures":
{"collections": {"count": 5, "least_us": 10912, ...}, ...}}; the kind is emulated or simulated where no board is.
"""


def measure(
    port: Port,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the figures to this new file.")
    ] = None,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Measure, and compare."""
    from ...doctor.chip_figures import compare, emulated_report, measure_board, what_to_bridge
    from ...system.disk import write_named_new

    def say(what: str) -> None:
        if not as_json:
            typer.echo(f"{what} ...", err=True)

    command = f"wallwright doctor measure --port '{port}'"
    with opened(port, trace) as table:
        report = measure_board(table, port, command, say)
    if out is not None:
        write_named_new(out, report.file())
    if as_json:
        print_json(report.model_dump())
        return
    emulated = emulated_report()
    print(f"{report.unit}, firmware {report.firmware}, {report.chip}, image {report.image or 'not known'}")
    print(f"{'':36}{report.kind:>12}{'emulated':>12}")
    for row in compare(report, emulated):
        print(f"{row.what:36}{row.here:>12}{row.emulated:>12} {row.unit}".rstrip())
    print(f"The emulated figures are of: {emulated.command}")
    if bridge := what_to_bridge(report):
        print(bridge)
