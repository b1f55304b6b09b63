"""One run of the campaign: a table, people, a cause that begins in a stage of the cycle, and what came of it.

When the stages are is taken from the states of the same table with nothing wrong. What may never happen is watched by
the world, from its own places and drives; what the table says is read from its panels.
"""

import random
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from tests.campaign.causes import CAUSES, Cause
from tests.campaign.person import Person
from tests.scenarios.power import app_of
from tests.scenarios.table import Table
from wallwright_firmware.app import App
from wallwright_protocol.codes import (
    AS_SET,
    BUILDING,
    FIXED,
    IDLE,
    LID_CLOSING,
    LID_OPEN,
    LID_OPENING,
    LIFTING,
    LOWERING,
    NOTICE,
    READY,
    SEVERITIES,
    SHUFFLING,
    STARTING,
    WALLS_UP,
)
from wallwright_protocol.hardware import DEFAULT_PLANS, DRIVES, SET_SIZES, SIDES
from wallwright_protocol.names import FAULTS
from wallwright_simulator.faults import BoardReset, HostSilent, Key, PowerCut, ProgramCrash, parse_faults
from wallwright_simulator.injection import Injection

DEALS = 2
TABLES = 24
"""Different tables that are tried; each has to be timed with nothing wrong first."""
MOST_STEPS = 60
CHECKED_MS = 4_500
EDGE_MS = 3_000

HOSTS = ("without host", "with host", "host lost")
WASH_S = 20
STAGES = (
    "idle",
    "set washed",
    "build begins",
    "build",
    "build ends",
    "drum checked",
    "ready",
    "lid opens",
    "lid open",
    "lid closes",
    "walls rise",
    "walls up",
    "lifts sink",
    "other set washed",
)
STATES = (
    *(IDLE, SHUFFLING, BUILDING, READY, LID_OPENING, LID_OPEN, LID_CLOSING, LIFTING, WALLS_UP, LOWERING),
    *(SHUFFLING, BUILDING),
)
"""What the firmware is in, one after the other."""
FROM_START = "from the start"
MOST_LACKING = ("tile_missing", "face_up_stuck", "slow_build", "tile_too_many")
"""Faults of the whole table: their side is the one that lacks most, or where a tile came out."""
OF_A_LOST_HOST = frozenset({"host_silent"})
OF_A_LIFT_KEY = frozenset({"wash_cut"})
RIGHT, QUIET, MISSED, WRONG, BROKEN = "right", "quiet", "missed", "wrong", "broken"


class Run(NamedTuple):
    """What is tried: everything follows from it."""

    cause: Cause
    stage: str
    host: str
    seed: int
    tiles: int = 108


class Outcome(NamedTuple):
    """What came of a run.

    `said` tells it in words; `took_ms` is the whole run; `again` counts faults after mending; `jams` those that the
    table has counted, told or got over by itself; `told` are the faults and notices that it has counted.
    """

    run: Run
    script: str
    result: str
    said: str
    took_ms: int
    again: int
    jams: int
    told: frozenset[str]

    def line(self) -> str:
        """Everything that is needed to repeat it."""
        run = self.run
        return (
            f"{self.result}: {self.script!r} seed {run.seed}, {run.tiles} tiles, {run.stage}, {run.host}: {self.said}"
        )


class Well(NamedTuple):
    """A run with nothing wrong: stage -> when it begins and ends, and the time of the whole."""

    stages: dict[str, tuple[int, int]]
    took_ms: int


def draw_runs(count: int, seed: int, only: str = "", tiles: int = 108) -> list[Run]:
    """So many runs in which every cause meets every stage and host before any meets them again.

    `only` leaves the causes whose line contains it. ValueError when there is none. The tables have sets of `tiles`.
    """
    chance = random.Random(seed)
    every = [
        (cause, stage, host)
        for cause in CAUSES
        if only in cause.line
        for stage in (STAGES if cause.has_stages else (FROM_START,))
        for host in HOSTS
    ]
    if not every:
        raise ValueError(f"no cause has {only!r} in its line; tests/campaign/causes.py lists them")
    runs: list[Run] = []
    while len(runs) < count:
        chance.shuffle(every)
        runs += [Run(cause, stage, host, chance.randrange(TABLES), tiles) for cause, stage, host in every]
    return runs[:count]


@cache
def well(seed: int, host: str, tiles: int) -> Well:
    """What the same table and people do with nothing wrong."""
    changes: list[tuple[int, int]] = []

    class Staged(App):
        """Tells when its state changes."""

        def poll(self, now_ms: int, rx: bytes) -> bytes:
            tx = super().poll(now_ms, rx)
            if self.cycle.state not in (STARTING, changes[-1][1] if changes else STARTING):
                changes.append((now_ms, self.cycle.state))
            return tx

    table = _table(seed, host, tiles, Staged)
    person = Person(table, DEALS)
    person.by_host = host == "with host"
    while not person.is_done():
        person.step()
    assert not person.faults, f"seed {seed}, {host}, {tiles} tiles: {person.faults} with nothing wrong"
    assert tuple(state for _, state in changes[: len(STATES)]) == STATES
    asked, washes, builds, ready, opens, drop, closes, rise, up, down, again, builds_again = (
        time_ms for time_ms, _ in changes[: len(STATES)]
    )
    marks = (
        *(asked, washes, builds, builds + EDGE_MS, ready - EDGE_MS, ready, ready + CHECKED_MS),
        *(opens, drop, closes, rise, up, down, again, builds_again),
    )
    return Well(dict(zip(STAGES, pairwise(marks), strict=True)), table.now_ms)


def play(run: Run) -> Outcome:
    """Carry out a run."""
    chance = random.Random(f"{run.seed}/{run.cause.line}/{run.stage}/{run.host}")
    begin_ms, end_ms = well(run.seed, run.host, run.tiles).stages[run.stage] if run.cause.has_stages else (0, 1)
    at_ms = chance.randrange(begin_ms, end_ms)
    side = chance.randrange(SIDES)
    tile = chance.randrange(run.tiles)
    size = chance.choice([each for each in SET_SIZES if each != run.tiles])
    script = run.cause.line.format(side=side, tile=tile, size=size, at=at_ms / 1000, later=(at_ms + 3_000) / 1000)
    faults = parse_faults(script)
    table = _table(run.seed, run.host, run.tiles)
    person = Person(table, DEALS)
    host_leaves = run.host == "host lost" or any(
        isinstance(fault, HostSilent | PowerCut | BoardReset | ProgramCrash) for fault in faults
    )
    person.by_host = run.host == "with host" and not host_leaves
    if table.host and host_leaves:
        table.sim.later(max(at_ms, table.now_ms), table.disconnect)
    for fault in faults:
        if isinstance(fault, Key):
            table.sim.later(max(at_ms, table.now_ms), table.world.act)
    table.sim.injection = Injection(table.world, faults, table.sim)
    try:
        result, said = _end(table, person)
    except Exception as error:
        error.add_note(f"{script!r} seed {run.seed}, {run.stage}, {run.host}")
        raise
    if not result:
        result, said = _judge(run.cause, side if run.cause.has_side else None, person)
    again = max(0, len(person.faults) - 1)
    # A board whose program has failed starts again, and has no counters meanwhile.
    counted = () if result == BROKEN else app_of(table).counters.values()
    told = frozenset(name for name, count in zip(FAULTS, counted[1 + SIDES : -DRIVES], strict=False) if count)
    known = run.cause.names | run.cause.guesses | run.cause.tells | (OF_A_LOST_HOST if host_leaves else set())
    known |= OF_A_LIFT_KEY if " lift stuck" in run.cause.line else set()
    strange = {name for name in told - known if SEVERITIES[FAULTS.index(name)] == NOTICE}
    if strange and result not in (BROKEN, WRONG):
        result, said = WRONG, f"{', '.join(sorted(strange))} was told"
    return Outcome(run, script, result, said, table.now_ms, again, sum(counted[1 : 1 + SIDES]), told)


def _table(seed: int, host: str, tiles: int, firmware: type[App] = App) -> Table:
    table = Table(seed, firmware=firmware, tiles=tiles, wash_s=WASH_S)
    plan = DEFAULT_PLANS[tiles]
    table.world.plans = [plan, plan[1:] + plan[:1]]
    if host != HOSTS[0]:
        table.connect().do("set_plan", *plan, 0, FIXED, AS_SET)
    return table


def _end(table: Table, person: Person) -> tuple[str, str]:
    """Play to the end; what may never happen, in words."""
    try:
        for _ in range(MOST_STEPS):
            if person.is_done():
                break
            person.step()
            table.world.check_conserved()
        else:
            return BROKEN, f"not done after {MOST_STEPS} acts: {person.asked[-6:]} {person.faults}"
    except AssertionError as error:
        return BROKEN, f"{error} (after {person.faults})"
    return "", ""


def _judge(cause: Cause, side: int | None, person: Person) -> tuple[str, str]:
    if not person.faults:
        return (QUIET if cause.quiet else MISSED), "no fault was shown"
    for _, name, where in person.faults:
        place = "" if where is None else f" at side {where}"
        if name in cause.guesses:
            continue
        if name not in cause.names:
            return WRONG, f"{name}{place} was shown"
        if side is not None and where is not None and where != side and name not in MOST_LACKING:
            return WRONG, f"{name} was shown at side {where} and not {side}"
        return RIGHT, name
    return WRONG, f"{name}{place} was shown, and no better name after it"
