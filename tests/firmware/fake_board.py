"""A board with nothing behind it: tests set levels and edges, and read what was driven."""

import random
from collections import deque

from wallwright_firmware.hal import SLOTS, WIRING_SLOT, Hal
from wallwright_firmware.wiring import record, standard
from wallwright_protocol.hardware import HEAD_HOME, LID_IS_CLOSED, LIFT_DOWN, SIDES, WIRES, input_number


class FakeBoard(Hal):
    """Wired and mapped by the standard. `at_rest`: lifts down, heads home, lid closed. `noise` is all that its random
    source will ever give. `saved` tells slot and data of every write, with the drives. `wash_s` is in `Hal`."""

    def __init__(self, *, at_rest: bool = True, noise: bytes | None = None, wash_s: int = Hal.wash_s) -> None:
        self.wash_s = wash_s
        self.levels = bytearray(WIRES)
        self.edges: deque[tuple[int, int, int]] = deque()
        self.driven: list[int] = []
        self.lit = 0
        self.shown = [""] * SIDES
        self.raw = noise
        self.random = random.Random(7)
        self.slots = [b""] * SLOTS
        self.slots[WIRING_SLOT] = record(standard())
        self.saved: list[tuple[int, bytes, int]] = []
        self.can_save = True
        self.left = self.restarted = 0
        if at_rest:
            self.levels[LID_IS_CLOSED] = 1
            for side in range(SIDES):
                self.levels[input_number(side, LIFT_DOWN)] = 1
                self.levels[input_number(side, HEAD_HOME)] = 1

    def edge(self, at_ms: int, number: int, level: int) -> None:
        self.levels[number] = level
        self.edges.append((at_ms, number, level))

    def has_edges(self) -> bool:
        return len(self.edges) > 0

    def next_edge(self) -> bool:
        if not self.edges:
            return False
        self.edge_ms, self.edge_input, self.edge_level = self.edges.popleft()
        return True

    def level(self, number: int) -> int:
        return self.levels[number]

    def drive(self, mask: int) -> None:
        self.driven.append(mask)

    def lamps(self, mask: int) -> None:
        self.lit = mask

    def show(self, side: int, text: str) -> None:
        self.shown[side] = text

    def noise(self, count: int) -> bytes:
        if self.raw is None:
            return self.random.randbytes(count)
        drawn, self.raw = self.raw[:count], self.raw[count:]
        return drawn

    def reboot_to_loader(self) -> None:
        self.left += 1

    def restart(self) -> None:
        self.restarted += 1

    def load(self, slot: int) -> bytes:
        return self.slots[slot]

    def save(self, slot: int, data: bytes) -> bool:
        if self.can_save:
            self.slots[slot] = data
            self.saved.append((slot, data, self.driven[-1] if self.driven else 0))
        return self.can_save
