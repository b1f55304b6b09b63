"""Voltage at the motors' terminals: the register's bits, past switches that have failed, as far as there is supply.

A switch that has failed closed gives voltage whatever its bit is, one that has failed open none. Behind each switch the
board senses the voltage: with every latch of its chains, each SAMPLE_MS, and reads with the next latch what the senses
were at the one before.
"""

from collections import deque

from .clock import NEVER

SAMPLE_MS = 5
"""The outputs are written again so often. What a real board takes; it may take twice as long."""


class Terminals:
    """`powered` are the drives with voltage; `stuck_on` and `stuck_off` those whose switch has failed; `shows` and
    `hides` those whose sense has, and shows it or not whatever there is."""

    def __init__(self) -> None:
        self.powered = 0
        self.stuck_on = 0
        self.stuck_off = 0
        self.shows = self.hides = 0
        self._changes: deque[tuple[int, int]] = deque(((-1, 0),))

    def power(self, now_ms: int, registers: int, fed: int) -> int:
        """The bits of the registers, or the drives that are `fed`, are these from now on; return what has voltage."""
        powered = (registers | self.stuck_on) & ~self.stuck_off & fed
        if powered != self.powered:
            self.powered = powered
            self._change(now_ms)
        return powered

    def stick(self, bits: int, on: bool | None) -> None:
        """Let the switches of these drives fail closed or open, or be good again (None)."""
        self.stuck_on &= ~bits
        self.stuck_off &= ~bits
        if on is True:
            self.stuck_on |= bits
        elif on is False:
            self.stuck_off |= bits

    def stick_sense(self, now_ms: int, bits: int, on: bool | None) -> None:
        """Let the senses of these drives show voltage, or none, whatever there is, or be good again (None)."""
        self.shows &= ~bits
        self.hides &= ~bits
        if on is True:
            self.shows |= bits
        elif on is False:
            self.hides |= bits
        self._change(now_ms)

    @property
    def stuck(self) -> tuple[int, int]:
        """The drives whose senses show voltage, and none, whatever the registers' bits are."""
        return self.stuck_on | self.shows, self.stuck_off & ~self.shows | self.hides

    def sample(self, now_ms: int) -> tuple[int, int]:
        """Return the newest sample that the board has read, as (time of it, drives whose senses showed voltage)."""
        at_ms = _sampled_ms(now_ms)
        found = 0
        for changed_ms, powered in self._changes:
            if changed_ms < at_ms:
                found = powered
        return at_ms, found

    def next_ms(self, now_ms: int) -> int:
        """Return when the board next reads another sample than now, NEVER while nothing changes."""
        at_ms = _sampled_ms(now_ms)
        for changed_ms, _ in self._changes:
            if changed_ms >= at_ms:
                return (changed_ms // SAMPLE_MS + 2) * SAMPLE_MS
        return NEVER

    def _change(self, now_ms: int) -> None:
        """Keep what the senses show from now on."""
        changes = self._changes
        changes.append((now_ms, (self.powered | self.shows) & ~self.hides))
        while len(changes) > 1 and changes[1][0] < _sampled_ms(now_ms):
            changes.popleft()


def _sampled_ms(now_ms: int) -> int:
    return now_ms - now_ms % SAMPLE_MS - SAMPLE_MS
