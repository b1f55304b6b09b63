"""The wires between the mechanics of one table and its board: in any order, of either sense, and perhaps wrong.

Inputs and outputs are numbered as in the hardware contract; wires are bits of the board's chains. A wire that nothing
is connected to stays at 0. Two inputs whose wires touch are of one kind, so that either of them shows on both wires.
"""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from wallwright_protocol.hardware import DRIVES, INPUTS, INPUTS_PER_SIDE, OUTPUTS, SIDES, WIRES

_LAMPS_PER_SIDE = 2
_DRIVES_PER_SIDE = 5


@dataclass(frozen=True)
class Harness:
    """`inputs` input -> wire, `outputs` drive or, from 24 on, lamp -> wire; what is in neither is not connected.

    The inputs in `inverted` are on while their wire is at 0; `shorts` are pairs of inputs whose wires touch. `lanes`
    are the sides that have one.
    """

    inputs: dict[int, int]
    outputs: dict[int, int]
    inverted: frozenset[int] = frozenset()
    shorts: tuple[tuple[int, int], ...] = ()
    lanes: tuple[int, ...] = tuple(range(SIDES))
    _sources: list[tuple[int, ...]] = field(init=False, repr=False, compare=False)
    _wires: list[tuple[int, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        sources: list[set[int]] = [set() for _ in range(WIRES)]
        for number, wire in self.inputs.items():
            sources[wire].add(number)
        for one, other in self.shorts:
            for number in (one, other):
                sources[self.inputs[number]] |= {one, other}
        object.__setattr__(self, "_sources", [tuple(sorted(numbers)) for numbers in sources])
        object.__setattr__(self, "_wires", [tuple(w for w in range(WIRES) if n in sources[w]) for n in range(INPUTS)])

    def level(self, levels: bytearray, wire: int) -> int:
        """Return the level of a wire while the inputs have these."""
        sources = self._sources[wire]
        if not sources:
            return 0
        return int(any(levels[number] for number in sources)) ^ (sources[0] in self.inverted)

    def wires_of(self, number: int) -> tuple[int, ...]:
        """Return the wires on which an input shows."""
        return self._wires[number]

    def packed(self, levels: bytearray) -> bytes:
        """Return the levels of all wires as the bytes of their chain while the inputs have these."""
        found = bytearray(WIRES >> 3)
        for wire in range(WIRES):
            found[wire >> 3] |= self.level(levels, wire) << (wire & 7)
        return bytes(found)

    def driven(self, drives: int, lamps: int) -> tuple[int, int]:
        """Return the masks of drives and lamps that these outputs reach."""
        on = drives | lamps << DRIVES
        mask = sum(1 << output for output, wire in self.outputs.items() if on >> wire & 1)
        return mask & (1 << DRIVES) - 1, mask >> DRIVES

    def wires_with(self, drives: int) -> int:
        """Return the outputs of the first 24 behind which there is voltage while these drives have it."""
        return sum(1 << wire for output, wire in self.outputs.items() if wire < DRIVES and drives >> output & 1)


def shuffled(seed: int | str, lanes: Iterable[int] = range(SIDES)) -> Harness:
    """Return wires that somebody has connected in any order, each input of either sense."""
    chance = random.Random(f"{seed}/wires")
    there = tuple(lanes)
    wires = chance.sample(range(WIRES), INPUTS)
    outputs = chance.sample(range(OUTPUTS), OUTPUTS)
    inverted = frozenset(number for number in range(INPUTS) if chance.random() < 0.5)
    return Harness(
        {number: wires[number] for number in range(INPUTS) if _input_side(number) in (None, *there)},
        {output: outputs[output] for output in range(OUTPUTS) if _output_side(output) in (None, *there)},
        inverted,
        (),
        there,
    )


def standard(lanes: Iterable[int]) -> Harness:
    """Return the standard wiring of a table that has these lanes."""
    there = tuple(lanes)
    return Harness(
        {number: number for number in range(INPUTS) if _input_side(number) in (None, *there)},
        {output: output for output in range(OUTPUTS) if _output_side(output) in (None, *there)},
        lanes=there,
    )


def _input_side(number: int) -> int | None:
    return number // INPUTS_PER_SIDE if number < SIDES * INPUTS_PER_SIDE else None


def _output_side(output: int) -> int | None:
    if output >= DRIVES:
        return (output - DRIVES) // _LAMPS_PER_SIDE
    return (output - 2) // _DRIVES_PER_SIDE if 2 <= output < 2 + SIDES * _DRIVES_PER_SIDE else None
