"""What fails when, in waves: faults that overlap, then quiet until all are back in play. All follows from a seed.

Times are real seconds. A wave does not depend on how long the ones before took, so the same seed gives the same waves
on any machine.
"""

from dataclasses import dataclass
from random import Random
from typing import Final

WAVE_S = 8.0
"""Faults begin within this time; they last longer."""
LATE_S = 2.0
CLOCK_MS = 2 * 3_600_000
"""The host's clock jumps by up to so much, either way."""
SHARES = (0.05, 0.3)
"""Of what is written on a bad line, this much is lost or spoilt."""

POWER_CUT, WATCHDOG = "power_cut", "watchdog"
RESET, UNPLUG, DARK, LOSE, SPOIL, DELAY = "reset", "unplug", "half_open", "loss", "garbage", "delay"
KILL, STOP, RESTART, SECOND_HOST, DISK_FULL, CLOCK = "kill", "stop", "restart", "second_host", "disk_full", "clock"
SERVER_CRASH, SERVER_RESTART = "server_crash", "server_restart"

BOARD: Final = {POWER_CUT: (0.2, 3.0), WATCHDOG: (0.0, 0.0)}
NETWORK: Final = {
    RESET: (0.0, 0.0),
    UNPLUG: (0.5, 5.0),
    # A host needs 7.8 s to be sure that nobody is there.
    DARK: (4.0, 8.0),
    LOSE: (1.0, 5.0),
    SPOIL: (1.0, 5.0),
    DELAY: (1.0, 5.0),
}
HOST: Final = {
    KILL: (0.0, 0.0),
    STOP: (0.5, 6.0),
    RESTART: (0.0, 0.0),
    SECOND_HOST: (1.0, 4.0),
    DISK_FULL: (1.0, 5.0),
    CLOCK: (1.0, 5.0),
}
SERVER: Final = {SERVER_CRASH: (0.0, 2.0), SERVER_RESTART: (0.0, 2.0)}
"""Kinds of faults, and how long they last."""
GROUPS: Final = {"board": BOARD, "network": NETWORK, "host": HOST, "server": SERVER}
_BOARD_CHANCE = 0.15
_NETWORK_CHANCE = 0.8
_SECOND_CHANCE = 0.4
"""Of a second fault of the hosts in one wave."""
_SERVER_CHANCE = 0.5


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that begins `at_s` after its wave and lasts `for_s`, at a `table` or, where that is None, for all.

    `amount` is the share of a bad line, the s of a delay, or the ms of a jump of the clock.
    """

    at_s: float
    kind: str
    for_s: float
    table: int | None = None
    amount: float = 0.0

    @property
    def end_s(self) -> float:
        """When it is over, in its wave."""
        return self.at_s + self.for_s


def draw_wave(seed: int, number: int, tables: int, *, has_server: bool) -> tuple[Fault, ...]:
    """Return the faults of wave `number`, from 1, in the order in which they begin; `has_server`: of PostgreSQL too."""
    chance = Random(f"chaos {seed} {number}")
    faults = []
    for table in range(tables):
        for kinds, likely in ((BOARD, _BOARD_CHANCE), (NETWORK, _NETWORK_CHANCE)):
            if chance.random() < likely:
                faults.append(_draw(chance, kinds, chance.uniform(0, WAVE_S), table))
    # One after the other: what is to be killed has to run.
    at_s = chance.uniform(0, WAVE_S / 2)
    for _ in range(1 + (chance.random() < _SECOND_CHANCE)):
        faults.append(_draw(chance, HOST, at_s))
        at_s = faults[-1].end_s + chance.uniform(0, LATE_S)
    if has_server and chance.random() < _SERVER_CHANCE:
        faults.append(_draw(chance, SERVER, chance.uniform(0, WAVE_S)))
    return tuple(sorted(faults, key=lambda fault: fault.at_s))


def _draw(chance: Random, kinds: dict[str, tuple[float, float]], at_s: float, table: int | None = None) -> Fault:
    kind = chance.choice(list(kinds))
    amount = 0.0
    if kind in (LOSE, SPOIL):
        amount = chance.uniform(*SHARES)
    elif kind == DELAY:
        amount = chance.uniform(0.05, 0.5)
    elif kind == CLOCK:
        amount = float(chance.randint(-CLOCK_MS, CLOCK_MS))
    return Fault(round(at_s, 3), kind, round(chance.uniform(*kinds[kind]), 3), table, round(amount, 3))
