"""Registers of a part of the chip that hold what is written, and the four addresses at which each can be written."""

from collections.abc import Callable

WRITES = (
    lambda old, new: new,
    lambda old, new: old ^ new,
    lambda old, new: old | new,
    lambda old, new: old & ~new,
)
"""Of the aliases: as it is, XOR, set, clear (RP2350 datasheet 2.1.3)."""


class Registers:
    """A part: `read` and `write` are what a program does, `held` is what the aliases change."""

    def __init__(self, values: dict[int, int] | None = None) -> None:
        self.values = dict(values or {})

    def read(self, offset: int) -> int:
        """Return a register."""
        return self.held(offset)

    def write(self, offset: int, value: int) -> None:
        """Write a register."""
        self.values[offset] = value

    def held(self, offset: int) -> int:
        """Return what a register holds, without doing what a read does."""
        return self.values.get(offset, 0)


class Answers(Registers):
    """Registers some of which answer by a rule; `answers` has it by their offsets, and takes the part itself."""

    def __init__(self, answers: dict[int, Callable[["Answers"], int]], values: dict[int, int] | None = None) -> None:
        super().__init__(values)
        self._answers = answers

    def read(self, offset: int) -> int:
        """Return a register."""
        answer = self._answers.get(offset)
        return self.held(offset) if answer is None else answer(self)
