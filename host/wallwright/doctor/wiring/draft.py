"""What a search has found so far: kept in a file beside the map, so that it goes on where it was cut off."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from wallwright_protocol.hardware import SIDES, WIRES
from wallwright_protocol.names import INPUTS
from wallwright_protocol.sorters import is_sorter

from ...system.disk import write_named
from ...system.strict_json import read_json_file
from .wire_map import CARRIER_PARTS, OUTPUTS, SORTERS, BadMap, MapSorter, Wire, WireMap

_KEYS = {"unit", "lanes", "claim_keys", "inputs", "outputs", "skipped", "sorter", "carrier"}


@dataclass
class Draft:
    """Of the board `unit`: `inputs` and `outputs` as in a map; `skipped` are inputs that the table lacks. `sorter` and
    `carrier` are what the map from before says: no wire of the board tells them."""

    unit: str
    lanes: tuple[int, ...] = ()
    claim_keys: bool = False
    inputs: dict[str, Wire] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    sorter: MapSorter | None = None
    carrier: tuple[str, ...] = ()

    def map(self) -> WireMap:
        """Return the map that has been found."""
        return WireMap(self.lanes, dict(self.inputs), dict(self.outputs), sorter=self.sorter, carrier=self.carrier)

    def name_of_wire(self, number: int) -> str | None:
        """Return the input that has this wire."""
        return next((name for name, wire in self.inputs.items() if wire.number == number), None)

    def name_of_output(self, number: int) -> str | None:
        """Return what this output drives."""
        return next((name for name, output in self.outputs.items() if output == number), None)


def draft_path(path: Path) -> Path:
    """Return where the draft of a map is."""
    return path.with_name(f"{path.name}.draft")


def save_draft(path: Path, draft: Draft) -> None:
    """Keep a draft, whole or not at all; BadPath when it cannot be written."""
    record = {
        "unit": draft.unit,
        "lanes": draft.lanes,
        "claim_keys": draft.claim_keys,
        "inputs": {name: [wire.number, wire.on] for name, wire in draft.inputs.items()},
        "outputs": draft.outputs,
        "skipped": draft.skipped,
        "sorter": asdict(draft.sorter) if draft.sorter else None,
        "carrier": draft.carrier,
    }
    write_named(draft_path(path), (json.dumps(record, indent=1) + "\n").encode())


def load_draft(path: Path, unit: str) -> Draft | None:
    """Return the draft of a map if there is one. BadMap when it is another table's or cannot be read."""
    draft = draft_path(path)
    if not draft.exists():
        return None
    remedy = f"delete {draft.name} to begin anew"
    try:
        record: Any = read_json_file(draft)
    except (OSError, ValueError) as error:
        raise BadMap(str(draft), f"it cannot be read ({error}); {remedy}") from None
    if not _fits(record):
        raise BadMap(str(draft), f"it is not what a search leaves behind; {remedy}")
    if record["unit"] != unit:
        raise BadMap(str(draft), f"it is of the table {record['unit']}, and this is {unit}; {remedy}")
    return Draft(
        unit,
        tuple(record["lanes"]),
        record["claim_keys"],
        {name: Wire(number, on) for name, (number, on) in record["inputs"].items()},
        dict(record["outputs"]),
        list(record["skipped"]),
        MapSorter(**record["sorter"]) if record["sorter"] else None,
        tuple(record["carrier"]),
    )


def _fits(record: Any) -> bool:
    if not isinstance(record, dict) or set(record) != _KEYS or not isinstance(record["unit"], str):
        return False
    inputs, outputs, lanes, skipped = (record[key] for key in ("inputs", "outputs", "lanes", "skipped"))
    return (
        isinstance(record["claim_keys"], bool)
        and isinstance(lanes, list)
        and all(type(lane) is int and 0 <= lane < SIDES for lane in lanes)
        and isinstance(skipped, list)
        and all(name in INPUTS for name in skipped)
        and _is_sorter(record["sorter"])
        and isinstance(record["carrier"], list)
        and all(part in CARRIER_PARTS for part in record["carrier"])
        and isinstance(inputs, dict)
        and all(name in INPUTS and _is_wire(wire) for name, wire in inputs.items())
        and isinstance(outputs, dict)
        and all(
            name in OUTPUTS and type(output) is int and 0 <= output < len(OUTPUTS) for name, output in outputs.items()
        )
    )


def _is_wire(wire: Any) -> bool:
    return (
        isinstance(wire, list)
        and len(wire) == 2
        and all(type(number) is int for number in wire)
        and 0 <= wire[0] < WIRES
        and wire[1] in (0, 1)
    )


def _is_sorter(sorter: Any) -> bool:
    if sorter is None:
        return True
    if not isinstance(sorter, dict) or set(sorter) != {"kind", "places", "lead_ms"} or sorter["kind"] not in SORTERS:
        return False
    numbers = sorter["places"], sorter["lead_ms"]
    return all(type(number) is int for number in numbers) and is_sorter(SORTERS.index(sorter["kind"]), *numbers)
