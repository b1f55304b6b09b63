"""A solenoid with a spring: a scraper, a knock-off, a flap. Current draws it to its end, the spring brings it back.

It has an end switch at either end, and is nowhere while it moves. Faults: it sticks where it is, it is slow, or it
bounces at an end, so that it arrives later than it touches. Without power it springs back, unless it sticks.
"""

import random
from collections.abc import Callable

from .clock import NEVER, Agenda
from .mechanics import SOLENOID_BACK_MS, SOLENOID_BOUNCE_MS, SOLENOID_MS


class Solenoid:
    """At rest to begin with; `at_rest` and `at_end` are its switches, `strokes` counts its ways out, for wear.

    `arrived` is called when it has reached its end. `slow` makes its ways take so many times as long, `bounces` is the
    share of arrivals, in permille, at which it bounces.
    """

    __slots__ = (
        "_agenda",
        "_arrived",
        "_chance",
        "_on",
        "_row",
        "_stuck",
        "at_end",
        "at_rest",
        "bounces",
        "slow",
        "strokes",
    )

    def __init__(self, agenda: Agenda, chance: random.Random, arrived: Callable[[], None]) -> None:
        self.at_rest = True
        self.at_end = False
        self.strokes = 0
        self.slow = 1
        self.bounces = 0
        self._agenda = agenda
        self._chance = chance
        self._arrived = arrived
        self._on = False
        self._stuck = False
        self._row = agenda.add(self._arrive)

    def run(self, on: bool) -> None:
        """Switch the current; half way it turns round and takes the whole time."""
        if on != self._on:
            self._on = on
            self.strokes += on
            self._go()

    def stick(self, stuck: bool) -> None:
        """It stays where it is from now on, or follows current and spring again."""
        self._stuck = stuck
        self._go()

    def _go(self) -> None:
        if self._stuck or (self.at_end if self._on else self.at_rest):
            self._agenda.plan(self._row, NEVER)
            return
        self.at_rest = self.at_end = False
        takes_ms = self.slow * (SOLENOID_MS if self._on else SOLENOID_BACK_MS)
        if self.bounces and self._chance.randrange(1000) < self.bounces:
            takes_ms += SOLENOID_BOUNCE_MS
        self._agenda.plan(self._row, self._agenda.now_ms + takes_ms)

    def _arrive(self) -> None:
        self._agenda.plan(self._row, NEVER)
        self.at_end = self._on
        self.at_rest = not self._on
        if self._on:
            self._arrived()
