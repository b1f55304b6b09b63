"""What a board measures of itself, beside the same figures of the emulated chip.

Nothing moves, and the table stands in service meanwhile. The figures of the emulated chip are the file of a run like
any other, `emulated.json`; it holds the command that made it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.messages import CATALOG_HASH
from wallwright_protocol.names import MEASUREMENTS

from ..errors import BadPath
from ..link.reports import harmless
from ..table.table import Table
from .bench import Bench

EMULATED = "emulated.json"
POLLS_MS = 3000
"""For so long the polls of a table that stands still are counted."""
Kind = Literal["measured", "emulated", "simulated"]
"""Of a board on a port; of a board's image on the emulated chip; of a table that is simulated without a chip."""

_FIELDS = {
    "collections": ("count", "least_us", "mean_us", "most_us", "samples_lost", "free_bytes", "heap_bytes"),
    "flash": ("count", "least_us", "mean_us", "most_us", "samples_lost", "erases"),
    "noise": ("bits", "ones", "changes", "longest_run"),
    "inputs": ("count", "least_us", "mean_us", "most_us", "pulses"),
    "outputs": ("count", "least_us", "mean_us", "most_us"),
    "polls": ("count", "least_us", "mean_us", "most_us"),
}
"""Measurement -> what its values are (SPEC.md, section 10)."""


class Report(BaseModel):
    """A run: who measured, how, and `figures` by measurement; those of which the board knows nothing are left out."""

    model_config = ConfigDict(strict=True)
    format: Literal[1] = 1
    kind: Kind
    command: str
    unit: str
    firmware: str
    chip: str
    image: str
    catalog: str
    figures: dict[str, dict[str, int]]

    def file(self) -> bytes:
        """Return the file that a person can send."""
        return (self.model_dump_json(indent=2) + "\n").encode()


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the comparison; a figure that is not there is "–"."""

    what: str
    here: str
    emulated: str
    unit: str


def measure_board(table: Table, port: str, command: str, progress: Callable[[str], None]) -> Report:
    """Have the board measure everything. Refused when the table does not stand still; the service ends as it began."""
    if table.status().fault is not None:  # in which nothing moves either
        return _measure(table, port, command, progress)
    with Bench(table).in_service():
        return _measure(table, port, command, progress)


def emulated_report() -> Report:
    """Return the figures of the emulated chip that came with this program."""
    return read_report(files(__package__).joinpath(EMULATED).read_bytes(), EMULATED)


def read_report(data: bytes, name: str) -> Report:
    """Return what a file holds; BadPath when it holds no report."""
    try:
        return Report.model_validate_json(data)
    except ValidationError as error:
        raise BadPath(f"{name} was not written by `wallwright doctor measure --out`; measure again") from error


def compare(here: Report, emulated: Report) -> list[Row]:
    """Return the lines that a person reads."""
    rows = []
    for what, measurement, field, unit in _SHOWN:
        first, second = (_value(report.figures.get(measurement, {}), measurement, field) for report in (here, emulated))
        rows.append(Row(what, first, second, unit))
    return rows


def board_of(table: Table, port: str) -> tuple[Kind, str, str]:
    """Return what kind of a board this is, its chip and its image, each "" where it does not say."""
    chip, image = map(_text, REPLIES[NUMBER_OF["get_image"]].unpack(table.request("get_image")))
    return _kind(port, image), chip, image


def what_to_bridge(report: Report) -> str:
    """Return what to do for the figures of the inputs when they are missing; "" when they are there."""
    figures = report.figures.get("inputs")
    if report.kind == "simulated" or figures is None or figures["count"]:
        return ""
    return (
        "No input has followed the spare pin. For these figures take a Pico without a carrier, connect GP22 (pin 29) "
        "and GP4 (pin 6) through 1 kOhm, and measure again."
    )


def _measure(table: Table, port: str, command: str, progress: Callable[[str], None]) -> Report:
    figures = {}
    for name in MEASUREMENTS:
        progress(name)
        if name == "polls":
            _ask(table, name)  # what was before, with all that a board does once
            table.pump(POLLS_MS)
        values = _ask(table, name)
        if any(values):
            figures[name] = dict(zip(_FIELDS[name], values, strict=False))
    kind, chip, image = board_of(table, port)
    info = table.info
    return Report(
        kind=kind,
        command=command,
        unit=info.unit,
        firmware=info.firmware,
        chip=chip,
        image=image,
        catalog=f"{CATALOG_HASH:08x}",
        figures=figures,
    )


def _ask(table: Table, name: str) -> tuple[Any, ...]:
    return REPLIES[NUMBER_OF["measure"]].unpack(table.request("measure", MEASUREMENTS.index(name)))


def _kind(port: str, image: str) -> Kind:
    if image == "simulated":
        return "simulated"
    return "emulated" if port.startswith("sim://") else "measured"


def _text(field: Any) -> str:
    return harmless(bytes(field).rstrip(b"\0").decode("latin-1"))


def _value(figures: dict[str, int], measurement: str, field: str) -> str:
    if field not in figures or (measurement == "inputs" and not figures["count"]):
        return "–"
    return f"{figures[field]:,}"


_SHOWN = (
    ("collection, mean", "collections", "mean_us", "us"),
    ("collection, longest", "collections", "most_us", "us"),
    ("samples lost in collections", "collections", "samples_lost", ""),
    ("heap that is free", "collections", "free_bytes", "bytes"),
    ("write of 200 bytes, mean", "flash", "mean_us", "us"),
    ("write of 200 bytes, longest", "flash", "most_us", "us"),
    ("writes that erased a sector, of 24", "flash", "erases", ""),
    ("samples lost in writes", "flash", "samples_lost", ""),
    ("random bits", "noise", "bits", ""),
    ("of them ones", "noise", "ones", ""),
    ("neighbours that differ", "noise", "changes", ""),
    ("longest run of equal bits", "noise", "longest_run", ""),
    ("input seen, mean", "inputs", "mean_us", "us"),
    ("input seen, longest", "inputs", "most_us", "us"),
    ("outputs written, mean", "outputs", "mean_us", "us"),
    ("outputs written, longest", "outputs", "most_us", "us"),
    ("poll at rest, mean", "polls", "mean_us", "us"),
    ("poll at rest, longest", "polls", "most_us", "us"),
)
