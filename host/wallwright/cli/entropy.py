"""`wallwright entropy`: raw samples of a board's random source, and how much entropy they have at least."""

import dataclasses
import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..errors import BadInput
from . import INTERRUPTED
from .groups import group
from .one_table import Port, Trace, opened

if TYPE_CHECKING:
    from rich.progress import Progress

    from ..entropy.assessment import Assessment, RestartTest

HELP = "Capture raw samples of a board's random source, and assess them by SP 800-90B."
CAPTURE_HELP = """Write raw samples of a board's random source to a file, one a byte.

\b
Examples:
  wallwright entropy capture --port /dev/ttyACM0 --out raw.bin
  wallwright entropy capture --port /dev/ttyACM0 --out restarts.bin --restarts 1000

They are what the board's health tests see, before anything is made of them. The table stands in service meanwhile, and
can be used again afterwards; a board without a table will do. A capture that was stopped goes on with the same command.
With --restarts the board starts anew so many times, and the file gets the first 1,000 samples of each start.
"""
ASSESS_HELP = """Estimate the min-entropy of captured samples by NIST SP 800-90B, section 6.3; test restarts by 3.1.4.

\b
Examples:
  wallwright entropy assess raw.bin
  wallwright entropy assess raw.bin --restarts restarts.bin
  wallwright entropy assess bits.bin --bits 1

It needs the extra: pip install 'wallwright[entropy]'. A million samples of eight bits take some minutes. Exit code 4
when samples of eight bits have less than the firmware claims, 1 bit, or the restart test gives nothing.

With --json: {"samples": 1000000, "width": 8, "symbols": 256, "estimates": [{"name": "collision", "of": "bits", "bits":
0.958}, ...], "h_original": 7.86, "h_bitstring": 0.90, "assessed": 7.23, "restarts": null}; "bits" is of one sample or
of one bit, as "of" says.
"""
EXTRA = ("numpy", "scipy")
CLAIM = 1.0
"""Bits of min-entropy in a sample of eight that the firmware claims (docs/dice.md)."""
FAILED_EXIT = 4

app = group("entropy", HELP)


@app.callback()
def entropy() -> None:
    """Group; its help is HELP."""


@app.command(help=CAPTURE_HELP)
def capture(
    port: Port,
    out: Annotated[Path, typer.Option(help="The file; a new one, or that of the same capture.")],
    samples: Annotated[int, typer.Option(min=1, max=64_000_000, help="How many, in a row.")] = 1_000_000,
    restarts: Annotated[
        int | None, typer.Option(min=1, max=64_000, help="Instead: 1,000 samples after each of so many starts.")
    ] = None,
    trace: Trace = False,
) -> None:
    """Capture; the command's help is CAPTURE_HELP."""
    from ..doctor.capture import capture as capture_samples
    from ..doctor.capture import capture_restarts

    with opened(port, trace) as table, _bar("samples") as bar:
        task = bar.add_task("samples", total=None)

        def tell(done: int, of: int) -> None:
            bar.update(task, completed=done, total=of)

        try:
            if restarts is None:
                capture_samples(table, port, out, samples, tell)
            else:
                capture_restarts(table, port, out, restarts, tell)
        except KeyboardInterrupt:
            typer.echo(f"Stopped. {out} keeps what is done; the same command goes on.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        unit = table.info.unit
    how = "" if restarts is None else f", the first of each of {restarts:,} starts"
    typer.echo(f"{out}: {out.stat().st_size:,} samples of {unit}{how}")


@app.command(help=ASSESS_HELP)
def assess(
    file: Annotated[Path, typer.Argument(help="Samples in a row, one a byte.", show_default=False)],
    bits: Annotated[int, typer.Option(min=1, max=8, help="Of a sample.")] = 8,
    restarts: Annotated[
        Path | None, typer.Option(help="1,000 samples of each of 1,000 starts of the same board.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Assess; the command's help is ASSESS_HELP."""
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        raise BadInput(f"an assessment needs {', '.join(missing)}: pip install 'wallwright[entropy]'")
    from ..entropy.assessment import assess as assess_samples
    from ..entropy.assessment import read_samples, restart_test

    samples = read_samples(file, bits)
    rows = None if restarts is None else read_samples(restarts, bits)
    tested = None
    with _bar() as bar:
        task = bar.add_task("", total=None)

        def tell(what: str, done: int, of: int) -> None:
            bar.update(task, description=what, completed=done, total=of)

        found = assess_samples(samples, bits, tell)
        if rows is not None:
            tested = restart_test(rows, bits, found.assessed, tell)
    if as_json:
        told = None if tested is None else dataclasses.asdict(tested) | {"assessed": tested.assessed}
        record = dataclasses.asdict(found) | {"assessed": found.assessed, "restarts": told}
        typer.echo(json.dumps(record))
    else:
        typer.echo("\n".join([*_lines(file, found), *([] if tested is None else _restart_lines(tested))]))
    awarded = found.assessed if tested is None else tested.assessed
    if (bits == 8 and awarded < CLAIM) or (tested is not None and tested.problem):
        raise typer.Exit(FAILED_EXIT)


def _lines(file: Path, found: "Assessment") -> Iterator[str]:
    yield f"{file}: {found.samples:,} samples of {found.width} bits, {found.symbols} different"
    if found.symbols == 1:
        yield "They are all the same: no entropy."
        return
    yield f"{'estimator':30}{'a sample':>10}{'a bit':>10}"
    for name in dict.fromkeys(each.name for each in found.estimates):
        by = {each.of: each.bits for each in found.estimates if each.name == name}
        yield f"{name:30}" + "".join(f"{_figure(by.get(of)):>10}" for of in ("samples", "bits"))
    of_bits = "" if found.h_bitstring is None else f", by its bits {found.width} x {found.h_bitstring:.3f}"
    yield f"Min-entropy of a sample: {found.assessed:.3f} bits (by samples {found.h_original:.3f}{of_bits})"
    if found.width == 8:
        yield f"The firmware claims {CLAIM:g}: {'it has that' if found.assessed >= CLAIM else 'it has less'}."


def _restart_lines(tested: "RestartTest") -> Iterator[str]:
    if tested.rows is not None and tested.columns is not None:
        yield f"After restarts: rows {tested.rows:.3f}, columns {tested.columns:.3f} bits a sample"
    yield f"Restart test: {tested.problem or f'passed, {tested.assessed:.3f} bits a sample'}"


def _figure(bits: float | None) -> str:
    return "–" if bits is None else f"{bits:.3f}"


@contextmanager
def _bar(what: str = "estimators") -> "Iterator[Progress]":
    """Show how far it is, and how long it takes yet."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ..system.terminal import drawing_console

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(what))
    with Progress(*columns, TimeRemainingColumn(), console=drawing_console(stderr=True), transient=True) as bar:
        yield bar
