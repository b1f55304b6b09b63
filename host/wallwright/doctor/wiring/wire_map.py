"""The map of a table's wires: which wire is which input, of which sense, which output drives what, and what sorts.

As TOML for people, as the fields of set_wiring for the board, and with every reason why it cannot be meant. Timings are
settings of the board; a map may name those that its machine needs. Nothing here talks to a table.
"""

import json
from binascii import crc32
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field

from wallwright_protocol.hardware import GUARD_WIRE, NO_SORTER, PARTS, SIDES, STANDARD_PARTS, WIRES
from wallwright_protocol.names import DRIVES, FITTED, INPUTS, LAMPS, named
from wallwright_protocol.sorters import SORTER_LEADS, SORTER_PLACES, is_sorter

from ...errors import BadConfig
from ...system.toml_file import Form, OneOf, Whole, load_toml, read_toml

OUTPUTS = (*DRIVES, *LAMPS)
"""What the outputs drive; the chain has as many, counted likewise."""
STOP = "emergency_stop"
_NONE = 255
_INVERTED = 128
_HEAD = b"WM\x01"
_SORTER_HEAD = b"WM\x02"
SORTERS = named("sorters")
"""Words for what sorts, by their numbers."""
_PLAIN = SORTERS[NO_SORTER]
CARRIER_PARTS = named("parts of a carrier")
"""Words for the parts of a carrier that let a board see and cut, by their bits from the lowest of PARTS on."""
_FIRST_PART = (PARTS & -PARTS).bit_length() - 1
_MISSED = {
    "reads_back": "a bit of an output register that changes by itself is mended, and nobody hears of it",
    "sensed": "nobody sees a drive that runs unasked, or one that does not come",
    "pumped": "the program cannot cut the motors' supply",
    "interlocked": "nobody compares the two switches of the lid",
}
"""The values of a board without them."""
_LEVELS = ("low", "high")
_ENDS = {
    "lid_open": "lid_is_open",
    "lid_close": "lid_is_closed",
    **{f"lift_raise_{side}": f"lift_up_{side}" for side in range(SIDES)},
    **{f"lift_lower_{side}": f"lift_down_{side}" for side in range(SIDES)},
    **{f"head_{side}": f"head_home_{side}" for side in range(SIDES)},
}
"""Drive -> the input at which it ends."""


_GUIDE = "docs/doctor.md"


class BadMap(BadConfig):
    """A map cannot be read or meant; the message names the key: a wire with two meanings, no emergency stop."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire of the input chain, 0 to 47; `on` is its level, 0 or 1, while its input is on."""

    number: int
    on: int

    def __str__(self) -> str:
        return f"{self.number}, on while {'high' if self.on else 'low'}"


@dataclass(frozen=True, slots=True)
class MapSorter:
    """What sorts a table's tiles, on the nodes of its line: "mouth", "flap" or "ring", holding places of a lane or
    magnets of the ring, and `lead_ms` from a mouth's reader to the flap, or to the mouth of the ring."""

    kind: str
    places: int = 0
    lead_ms: int = 0

    @property
    def fields(self) -> tuple[int, int, int]:
        """Its values in set_wiring."""
        return SORTERS.index(self.kind), self.places, self.lead_ms


@dataclass(frozen=True, slots=True)
class WireMap:
    """`lanes` are the sides that have one, `inputs` name -> wire, `outputs` name of a drive or lamp -> output, 0 to 31.

    `timings` are settings of the board, name -> ms, that belong to this machine; others stay as they are. `sorter` is
    None where nothing sorts. `carrier` are those of CARRIER_PARTS that the board's carrier has.
    """

    lanes: tuple[int, ...]
    inputs: Mapping[str, Wire]
    outputs: Mapping[str, int]
    timings: Mapping[str, int] = field(default_factory=dict)
    sorter: MapSorter | None = None
    carrier: tuple[str, ...] = ()

    @classmethod
    def of_fields(
        cls, lanes: int, inputs: tuple[int, ...], outputs: tuple[int, ...], sorter: tuple[int, ...] = (0, 0, 0)
    ) -> Self:
        """Make a map from the fields of get_wiring."""
        return cls(
            tuple(side for side in range(SIDES) if lanes >> side & 1),
            {
                name: Wire(wire & ~_INVERTED, 0 if wire & _INVERTED else 1)
                for name, wire in zip(INPUTS, inputs, strict=True)
                if wire != _NONE
            },
            {name: output for name, output in zip(OUTPUTS, outputs, strict=True) if output != _NONE},
            sorter=MapSorter(SORTERS[sorter[0]], *sorter[1:]) if sorter[0] else None,
            carrier=_parts_in(lanes),
        )

    def fields(self) -> tuple[int, ...]:
        """Return the values of set_wiring."""
        inputs = [
            _NONE if wire is None else wire.number | (0 if wire.on else _INVERTED)
            for wire in map(self.inputs.get, INPUTS)
        ]
        outputs = (self.outputs.get(name, _NONE) for name in OUTPUTS)
        sorter = self.sorter.fields if self.sorter else (0, 0, 0)
        parts = sum(1 << _FIRST_PART + CARRIER_PARTS.index(part) for part in self.carrier)
        return (parts + sum(1 << side for side in self.lanes), *inputs, *outputs, *sorter)

    @property
    def lacks(self) -> tuple[str, ...]:
        """The parts that the carrier lacks."""
        return tuple(part for part in CARRIER_PARTS if part not in self.carrier)

    @property
    def hash(self) -> str:
        """What the board shows in its status while it goes by this map."""
        fields = bytes(self.fields())
        return f"{crc32(_SORTER_HEAD + fields if self.sorter else _HEAD + fields[:-3]):08x}"

    def problems(self) -> Iterator[str]:
        """Yield every reason for which no board takes this map."""
        if STOP not in self.inputs:
            yield f"{STOP} has no wire; no table runs without"
        seen: dict[int, str] = {}
        for name, wire in self.inputs.items():
            if wire.number in seen:
                yield f"wire {wire.number} is {seen[wire.number]} and {name}; it can be one of them"
            seen.setdefault(wire.number, name)
        used: dict[int, str] = {}
        for name, output in self.outputs.items():
            if output in used:
                yield f"output {output} drives {used[output]} and {name}; it can be one of them"
            used.setdefault(output, name)
        for drive, end in _ENDS.items():
            if drive in self.outputs and end not in self.inputs:
                yield f"{drive} has output {self.outputs[drive]} and {end}, at which it ends, has no wire"
        if "interlocked" in self.carrier and GUARD_WIRE in seen:
            yield f"wire {GUARD_WIRE} is {seen[GUARD_WIRE]}, and the lid's interlock reports on it"
        if "sensed" in self.carrier and "reads_back" not in self.carrier:
            yield "carrier has sensed without reads_back, and senses come back with what the outputs hold"
        if self.sorter and not is_sorter(*self.sorter.fields):
            least, most = SORTER_PLACES[self.sorter.fields[0]]
            leads = (0, 0) if self.sorter.kind == "mouth" else SORTER_LEADS
            yield (
                f"sorter is a {self.sorter.kind} with {self.sorter.places} places and a lead of {self.sorter.lead_ms} "
                f"ms; places can be {least} to {most}, lead_ms {leads[0]} to {leads[1]}"
            )
        for name in (*self.inputs, *self.outputs):
            if side_of(name) not in (None, *self.lanes) and not name.startswith(("claim_key", *_LAMP_KINDS)):
                yield f"{name} is wired, and side {side_of(name)} is not among the lanes"

    def to_toml(self) -> str:
        """Return the text of its file."""
        lines = [
            "# Which wire is which input and which output drives what: `wallwright doctor map` puts it on a board.",
            "# Wires are counted along the chains from the board on, 8 a register. `on` is the level of a wire while",
            "# its input is on: an eye dark, a vane in its slot, a switch reached, a key pressed.",
            "version = 1",
            f"hash = {self.hash!r}".replace("'", '"'),
            f"lanes = {list(self.lanes)}",
            "# Parts of the carrier that let the board see and cut (docs/hardware.md).",
            *(f"# Without {part}: {_MISSED[part]}." for part in self.lacks),
            f"carrier = {json.dumps(self.carrier)}",
            "",
            "[inputs]",
        ]
        for name in INPUTS:
            if name in self.inputs:
                wire = self.inputs[name]
                lines.append(f'{name} = {{ wire = {wire.number}, on = "{"high" if wire.on else "low"}" }}')
        lines += ["", "[outputs]"]
        lines += [f"{name} = {self.outputs[name]}" for name in OUTPUTS if name in self.outputs]
        if self.sorter:
            kind, places, lead_ms = self.sorter.kind, self.sorter.places, self.sorter.lead_ms
            lines += [
                "",
                "# What sorts the tiles, on the nodes of the line (docs/line.md); lead_ms from the mouth's reader on.",
            ]
            lines += ["[sorter]", f'kind = "{kind}"', f"places = {places}", f"lead_ms = {lead_ms}"]
        if self.timings:
            lines += ["", "# ms; `wallwright doctor settings` explains them.", "[timings]"]
            lines += [f"{name} = {self.timings[name]}" for name in FITTED if name in self.timings]
        return "\n".join(lines) + "\n"


def standard_map() -> WireMap:
    """Return the map of a table that is wired as the reference carrier (docs/hardware.md): every wire by its number."""
    inputs = {name: Wire(number, 1) for number, name in enumerate(INPUTS)}
    return WireMap(
        tuple(range(SIDES)),
        inputs,
        {name: number for number, name in enumerate(OUTPUTS)},
        carrier=_parts_in(STANDARD_PARTS),
    )


def _parts_in(lanes: int) -> tuple[str, ...]:
    """Return the parts of the carrier that a map's byte of lanes has."""
    return tuple(part for at, part in enumerate(CARRIER_PARTS, _FIRST_PART) if lanes >> at & 1)


class _WireForm(Form):
    wire: Annotated[Whole, Field(ge=0, le=WIRES - 1)]
    on: Annotated[str, OneOf(*_LEVELS)]


_InputWire = Annotated[_WireForm, Field(description='written as in { wire = 7, on = "high" }, or "low"')]


class _SorterForm(Form):
    kind: Annotated[str, OneOf(*SORTERS)] = _PLAIN
    places: Annotated[Whole, Field(ge=0, le=255)] = 0
    lead_ms: Annotated[Whole, Field(ge=0, le=255)] = 0


class _MapFile(Form):
    version: Annotated[Whole, Field(ge=1, le=1, description="1, the only one that this program knows")]
    hash: str = ""
    lanes: Annotated[
        tuple[Annotated[Whole, Field(ge=0, le=SIDES - 1)], ...],
        Field(min_length=1, description="a list of the sides that have one, as in [0, 1, 2, 3]"),
    ]
    carrier: Annotated[
        tuple[Annotated[str, OneOf(*CARRIER_PARTS)], ...],
        Field(description=f"a list of what the carrier has of {', '.join(CARRIER_PARTS)}"),
    ] = ()
    inputs: dict[Annotated[str, OneOf(*INPUTS)], _InputWire] = Field(default_factory=dict)
    outputs: dict[Annotated[str, OneOf(*OUTPUTS)], Annotated[Whole, Field(ge=0, le=len(OUTPUTS) - 1)]] = Field(
        default_factory=dict
    )
    timings: dict[Annotated[str, OneOf(*FITTED)], Annotated[Whole, Field(ge=0, le=65_535)]] = Field(
        default_factory=dict
    )
    sorter: _SorterForm = Field(default_factory=_SorterForm)


_LAMP_KINDS = tuple(name[:-2] for name in LAMPS)


def side_of(name: str) -> int | None:
    """Return the side that the name of an input or output ends in; None for what the table has once."""
    last = name.rpartition("_")[2]
    return int(last) if last.isdecimal() else None


def load_map(path: Path) -> WireMap:
    """Read a map. BadMap when it is none, or when a board would not take it."""
    return _map_of(load_toml(path, _GUIDE, BadMap), str(path))


def parse_map(text: str, name: str = "map") -> WireMap:
    """Read the text of a map; BadMap names the line or the key. `name` is what the error calls the map."""
    return _map_of(read_toml(name, text, _GUIDE, BadMap), name)


def _map_of(table: Mapping[str, Any], name: str) -> WireMap:
    form, mistakes = _MapFile.read(table)
    if form is None:
        raise BadMap(name, "; ".join(mistakes))
    found = WireMap(
        tuple(sorted(set(form.lanes))),
        {key: Wire(wire.wire, _LEVELS.index(wire.on)) for key, wire in form.inputs.items()},
        form.outputs,
        form.timings,
        MapSorter(form.sorter.kind, form.sorter.places, form.sorter.lead_ms) if form.sorter.kind != _PLAIN else None,
        tuple(part for part in CARRIER_PARTS if part in form.carrier),
    )
    if mistakes := list(found.problems()):
        raise BadMap(name, "; ".join(mistakes))
    return found
