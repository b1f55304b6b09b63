"""A table whose host asks for anything at any time: every request in every state, with good and with bad arguments.

Around it people play, lean on keys, stop the table and mend it. The world watches whose every drive is, where it ends
and for how long it runs. `.venv-dev/bin/python -m tests.campaign.requests --rounds 20` goes through all states and
requests so often.
"""

import argparse
import random
import re
import sys
from collections.abc import Sequence

from tests.campaign.person import Person, asks
from tests.scenarios.power import app_of
from tests.scenarios.scenarios import plan_of
from tests.scenarios.table import Table
from tests.scenarios.watch import Broken, is_fault
from wallwright_firmware.store import LEAST_BYTES
from wallwright_protocol import codes, messages, names
from wallwright_protocol.codec import REQUESTS
from wallwright_protocol.hardware import (
    DRIVES,
    EMERGENCY_STOP,
    INPUTS,
    LANE_READERS,
    MOST_DICE,
    OUTPUTS,
    REFEREE_KEY,
    SIDES,
    input_number,
)
from wallwright_protocol.names import PLAN_MODES
from wallwright_protocol.settings import DEFAULTS, HIGHEST, KINDS, LOWEST, OF_MACHINE
from wallwright_simulator.surface import PhysicalError

NAMES = tuple(sorted(layout.name for layout in REQUESTS.values()))
STATES = frozenset(range(len(names.STATES))) - {codes.STARTING}
"""Nothing is heard in `starting`: it ends with the board's first poll."""
PAIRS = frozenset((state, name) for state in STATES for name in NAMES)
HELD = (codes.SHUFFLING, codes.HOLDING, codes.ASKING)
FORMATS = {row[1]: row[3] for row in messages.MESSAGES if row[2] == messages.REQUEST}
EDGES = {
    "B": (0, 1, 2, 3, 4, 13, 14, 19, 20, 23, 24, 25, 127, 128, 254, 255),
    "H": (0, 1, 2, 5, 100, 1_500, 4_000, 9_500, 10_000, 10_001, 32_767, 32_768, 65_535),
    "I": (0, 1, 2, 3, 2**31 - 1, 2**31, 2**32 - 1),
}
"""Numbers at which something may begin or end, by their format."""
PLANS = (plan_of(0), plan_of(1), (15, 13, 13, 13), (19, 19, 10, 6))
WASHES = (0, codes.AS_SET, 10)
"""A table has its set washed for 0 s unless its plan says otherwise."""
GOOD_SHARE = 0.6
GUARDS = (f"E{codes.RUN_LIMIT:02d}", f"E{codes.INTERLOCK:02d}")
LEAVING = (
    "stop",
    "clear_fault",
    "begin_service",
    "end_service",
    "start_build",
    "hurry",
    "open_lid",
    "raise_walls",
    "lower_lifts",
)
"""What mostly ends a state comes mostly last in it."""
CALM_SHARE = 0.9
MOST_STEPS = 20_000
"""Many times more than it takes to meet all pairs once."""
TABLE_STEPS = 250
"""After so many steps another table is taken."""
OFF_MS = 500
AWAY_MS = 11_000
"""A host that was away for longer than the board waits for it finds no service any more."""
WAITS_MS = (1, 2, 20, 150, 600, 2_500, 9_000)

Values = tuple[int | bytes, ...]


def any_values(name: str, chance: random.Random) -> Values:
    """Arguments of the right form, at the edges of what the form allows or anywhere in it."""
    values: list[int | bytes] = []
    for count, kind in re.findall(r"(\d*)([BHIs])", FORMATS[name]):
        if kind == "s":
            values.append(chance.choice((bytes(int(count)), b"\xff" * int(count), chance.randbytes(int(count)))))
        else:
            for _ in range(int(count or 1)):
                most = {"B": 255, "H": 65_535, "I": 2**32 - 1}[kind]
                values.append(chance.choice((*EDGES[kind], chance.randint(0, most))))
    return tuple(values)


def good_values(name: str, chance: random.Random) -> Values:
    """Arguments with which only the state can be in the way, as a rule."""
    seat = chance.randrange(SIDES)
    setting = chance.choice([number for number, kind in enumerate(KINDS) if kind in OF_MACHINE])
    good: dict[str, Values] = {
        "set_plan": (*chance.choice(PLANS), seat, chance.randrange(len(PLAN_MODES)), chance.choice(WASHES)),
        "roll_dice": (seat, chance.randrange(codes.PURPOSES), chance.randrange(MOST_DICE + 1)),
        "set_throw": (chance.randrange(codes.PURPOSES), chance.randrange(MOST_DICE + 1), seat),
        "set_deal": (seat, chance.randrange(SIDES), chance.randrange(SIDES), chance.randrange(2), 20),
        "jog": (chance.randrange(DRIVES), chance.choice((1, 40, 300, 1_400, 1_900, 3_500))),
        "get_drive": (chance.randrange(DRIVES),),
        "get_settings": (setting,),
        "get_fault_counts": (chance.randrange(codes.FAULTS),),
        "get_drive_times": (chance.randrange(DRIVES),),
        "set_setting": (setting, chance.choice((LOWEST[setting], DEFAULTS[setting], HIGHEST[setting]))),
        "get_record": (chance.randrange(2), 0),
        "measure": (chance.randrange(6),),
        "put_record": (0, LEAST_BYTES, 0, bytes(200)),
        "try_setting": (setting, chance.choice((LOWEST[setting], DEFAULTS[setting], HIGHEST[setting]))),
        "set_wiring": (15, *range(INPUTS), *range(OUTPUTS), 0, 0, 0),
        "jog_wire": (DRIVES, 100, 255, EMERGENCY_STOP | 128, bytes(6)),
    }
    return good.get(name, any_values(name, chance))


class Asker:
    """One table and all who act at it. `reached` has (state, request), with the answers that came."""

    def __init__(self, seed: int, chance: random.Random) -> None:
        self.chance = chance
        self.table = Table(seed, readers=LANE_READERS)
        self.table.world.plans = {turned for plan in PLANS for turned in turns(plan)}
        self.person = Person(self.table, 1_000_000)
        self.reached: dict[tuple[int, str], set[int]] = {}
        self.jogged: set[tuple[int, str]] = set()
        self.requests = 0
        self.sessions = 1
        self.is_spoilt = False
        self.table.connect(self.sessions)

    @property
    def state(self) -> int:
        """What the firmware is in; only for counting what was met."""
        return app_of(self.table).cycle.state

    def ask(self, name: str, values: Values) -> int:
        """Ask for this; return the code."""
        host = self.table.host
        if host is None:
            self.sessions += 1
            host = self.table.connect(self.sessions)
        state, runs = self.state, bool(self.table.world.mask)
        code, _ = host.request(name, *values)
        self.requests += 1
        self.reached.setdefault((state, name), set()).add(code)
        if state == codes.SERVICE and runs:
            self.jogged.add((state, name))
        if name == "restart" and code == codes.OK:
            self.table.disconnect()
            self.table.run(AWAY_MS)
        if name == "set_plan" and code == codes.OK:
            self.table.world.plans = {*self.table.world.plans, *turns(values[:SIDES])}
        self.table.world.check_conserved()
        return code

    def ask_anything(self, wanted: frozenset[tuple[int, str]] = frozenset()) -> None:
        """Ask for something: in this state what is still `wanted` in it, if there is such."""
        chance = self.chance
        here = sorted(name for state, name in wanted if state == self.state)
        calm = [name for name in here if name not in LEAVING]
        name = chance.choice((calm if chance.random() < CALM_SHARE else here) or here or NAMES)
        values = (good_values if chance.random() < GOOD_SHARE else any_values)(name, chance)
        if name == "jog_wire":
            # A lamp: what drives do without interlocks is a technician's business.
            values = (chance.randint(DRIVES, 255), *values[1:])
        self.ask(name, values)

    def wait(self, for_ms: int = 0) -> None:
        """Let so much time go by, or any."""
        self.table.run(for_ms or self.chance.choice(WAITS_MS))
        if self.table.sim.is_in_loader:
            self.table.sim.cut_power(OFF_MS)  # nobody has an image at hand
            self.table.run(OFF_MS)
        self.table.world.check_conserved()
        self.check_guards()

    def check_guards(self) -> None:
        """Nothing is wrong with this table, so that its last guards have nothing to do."""
        if self.table.shown[:3] in GUARDS:
            raise Broken(f"a guard of the firmware had to help: {self.table.shown}")

    def jog(self) -> None:
        """Drive something as a technician would, and ask for more while it runs."""
        self.ask("begin_service", ())
        self.ask("jog", good_values("jog", self.chance))

    def press(self) -> None:
        """Press a key or two, whatever the panel shows."""
        sides = self.chance.sample(range(SIDES), self.chance.choice((1, 1, 2)))
        kind = self.chance.choice(("lift", "lift", "dice", "referee"))
        for side in sides:
            if kind == "lift":
                self.table.press_lift(side)
            elif kind == "dice":
                self.table.press_dice(side)
            else:
                self.table.press(input_number(side, REFEREE_KEY))

    def stop(self) -> None:
        """Press the emergency stop, and release it after a while."""
        self.table.world.emergency_stop(True)
        self.wait(self.chance.choice((30, 800)))
        self.table.world.emergency_stop(False)

    def lose_host(self) -> None:
        """The host goes for longer than the board waits for it, or not for so long."""
        self.table.disconnect()
        self.wait(self.chance.choice((500, AWAY_MS)))

    def go_on(self) -> None:
        """Do what the panels ask for, so that the table comes on in its cycle."""
        if self.state == codes.SERVICE:
            self.ask("end_service", ())
        if self.table.shown == "NO MAP":
            self.ask("set_wiring", good_values("set_wiring", self.chance))
            self.ask("clear_fault", ())
        self.check_guards()
        if is_fault(self.table.shown):
            self.mend_settings()
        if self.table.world.lid.at_end and not any(self.table.world.loose):
            self.table.sim.players.push_in()
        if asks(self.table):
            try:
                self.person.step()
            except PhysicalError:
                # The walls have come up under others that nobody has pushed in: hands full of tiles, not motors.
                self.is_spoilt = True
        else:
            self.wait()

    def seek(self, wanted: frozenset[int]) -> bool:
        """Bring about a state that seldom comes by itself, if the next act can; say whether it can."""
        state = self.state
        if state == codes.HOLDING and codes.ASKING in wanted:
            self.table.press_lift(self.chance.randrange(SIDES))
            self.wait(20)
        elif state in (codes.WALLS_UP, codes.LOWERING) and wanted.intersection(HELD):
            self.ask("set_plan", (*PLANS[0], self.chance.randrange(SIDES), codes.HELD, WASHES[-1]))
            self.go_on()
        elif (state, True) in (
            (codes.LIFTING, codes.STOPPED_RAISING in wanted),
            (codes.LOWERING, codes.STOPPED_LOWERING in wanted),
        ):
            self.wait(self.chance.randrange(100, 1_500))
            self.ask("stop", ())
            self.ask("clear_fault", ())
        elif state == codes.BUILDING and codes.PAUSING in wanted:
            self.ask("open_lid", ())
        else:
            return False
        return True

    def mend_settings(self) -> None:
        """Nobody can build walls with numbers that fit another machine."""
        for number, usual in enumerate(DEFAULTS):
            self.ask("set_setting", (number, usual))


def turns(plan: Sequence[int | bytes]) -> list[tuple[int, ...]]:
    """A plan for each dealer."""
    sides = [int(side) for side in plan if not isinstance(side, bytes)]
    return [tuple(sides[(side - turn) % SIDES] for side in range(SIDES)) for turn in range(SIDES)]


class Round:
    """Tables, one after the other, until every request has been asked in every state, and in service beside a jog."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.answers: dict[tuple[int, str], set[int]] = {}
        self.jogged: set[tuple[int, str]] = set()
        self.requests = self.steps = self.virtual_ms = self.rises = 0

    def missing(self) -> frozenset[tuple[int, str]]:
        """What was not yet asked."""
        return PAIRS - set(self.answers)

    def is_done(self) -> bool:
        """Whether all was asked."""
        return not self.missing() and len(self.jogged) == len(NAMES)

    def play(self) -> None:
        """Until all is met. AssertionError with the seed when that does not come, or when the world finds something."""
        while not self.is_done():
            assert self.steps < MOST_STEPS, f"seed {self.seed}: not met: {named(self.missing())}, {self.jogged}"
            table_seed = self.chance.randrange(2**32)
            asker = Asker(table_seed, self.chance)
            try:
                self._play(asker)
            except AssertionError as error:
                error.add_note(f"seed {self.seed}, table {table_seed}, after {self.steps} steps")
                raise
            self.virtual_ms += asker.table.now_ms
            self.requests += asker.requests
            self.rises += len(asker.table.world.rises)

    def _play(self, asker: Asker) -> None:
        moves = {
            asker.press: 6,
            asker.stop: 1,
            asker.lose_host: 1,
            asker.jog: 4,
            asker.ask_anything: 10,
            asker.wait: 4,
        }
        for _ in range(TABLE_STEPS):
            self.steps += 1
            missing = self.missing()
            wanted = [pair for pair in missing if pair[0] == asker.state]
            if wanted and self.chance.random() < 0.9:
                asker.ask_anything(missing)
            elif asker.state == codes.SERVICE and asker.table.world.mask and self.chance.random() < 0.7:
                left = frozenset((codes.SERVICE, name) for name in NAMES) - self.jogged
                asker.ask_anything(left)
            elif not missing and self.chance.random() < 0.5:
                asker.jog()
            elif self.chance.random() < 0.5 and asker.seek(frozenset(state for state, _ in missing)):
                pass
            elif self.chance.random() < 0.6:
                asker.go_on()
            else:
                self.chance.choices(list(moves), list(moves.values()))[0]()
            for pair, found in asker.reached.items():
                self.answers.setdefault(pair, set()).update(found)
            self.jogged |= asker.jogged
            if self.is_done() or asker.is_spoilt:
                return


def named(pairs: frozenset[tuple[int, str]]) -> list[str]:
    """Pairs in words."""
    return sorted(f"{name} in {names.STATES[state]}" for state, name in pairs)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play rounds, and print what was met."""
    parser = argparse.ArgumentParser(prog=".venv-dev/bin/python -m tests.campaign.requests", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    given = parser.parse_args(arguments)
    print(f"{given.rounds} rounds, seed {given.seed} (repeat with --seed {given.seed})")
    chance = random.Random(given.seed)
    requests = hours = rises = 0
    for _ in range(given.rounds):
        played = Round(chance.randrange(2**32))
        played.play()
        print(f"  {played.steps} steps, {played.requests} requests", flush=True)
        requests += played.requests
        hours += played.virtual_ms
        rises += played.rises
    print(
        f"{requests} requests, each of {len(NAMES)} in each of {len(STATES)} states in every round, "
        f"{hours / 3.6e6:.1f} h of the tables' time, {rises} sides of walls raised: nothing that may not be"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
