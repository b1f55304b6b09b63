"""A circuit under construction: its parts, and the nets that join their pins."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from . import kinds
from .kinds import Kind


@dataclass
class Board:
    """A circuit under construction: its parts and nets by name."""

    circuit: Any = field(default_factory=kinds.skidl.Circuit)
    nets: dict[str, Any] = field(default_factory=dict)
    parts: dict[str, Any] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    wires: dict[str, dict[int, str]] = field(default_factory=dict)
    """The net of each pin that is wired, by part and pin."""
    waiting: dict[str, list[Any]] = field(default_factory=dict)
    """Pins by the net that they are to be on: SKiDL takes long for each time that a net grows."""

    def add(self, reference: str, kind: Kind, value: str, nets: dict[int, str]) -> None:
        """Put a part in; `nets` has the net of each pin that is wired. The rest is marked as left open on purpose."""
        if reference in self.parts:
            raise ValueError(f"there are two {reference}")
        pins_ = [kinds.skidl.Pin(num=number, name=name, func=how) for number, (name, how) in sorted(kind.pins.items())]
        part = kinds.skidl.Part(
            name=kind.part.split(",")[0],
            tool=kinds.skidl.SKIDL,
            dest=kinds.skidl.TEMPLATE,
            pins=pins_,
        )(circuit=self.circuit, ref=reference, tag=reference, value=value, footprint=kind.footprint)
        part.fields["Part"] = kind.part
        if unknown := nets.keys() - kind.pins.keys():
            raise ValueError(f"{reference} has no pin {sorted(unknown)}")
        for pin in part.pins:
            if (number := int(pin.num)) in nets:
                self.waiting.setdefault(nets[number], []).append(pin)
            else:
                pin.do_erc = False
        self.parts[reference] = part
        self.kinds[reference] = kind
        self.wires[reference] = dict(nets)

    def net(self, name: str) -> Any:
        """Return a net by its name, a new one if need be."""
        if name not in self.nets:
            self.nets[name] = kinds.skidl.Net(name, circuit=self.circuit)
        return self.nets[name]

    def wire(self) -> None:
        """Put the pins that wait on their nets."""
        for name, pins_ in self.waiting.items():
            self.net(name).connect(*pins_)
        self.waiting.clear()

    def two(self, reference: str, kind: Kind, value: str, first: str, second: str) -> None:
        """Put in a part of two pins."""
        self.add(reference, kind, value, {1: first, 2: second})

    def feed(self, names: Iterable[str]) -> None:
        """Say that something outside the circuit feeds these nets."""
        for name in names:
            self.net(name).drive = kinds.skidl.POWER


def pin(kind: Kind, name: str) -> int:
    """Return the number of a kind's pin."""
    return next(number for number, (named, _) in kind.pins.items() if named == name)


def ohms(value: float) -> str:
    """Return a resistance as the bill of materials has it."""
    return f"{value / 1000:g}k" if value >= 1000 else f"{value:g}"
