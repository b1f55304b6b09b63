"""An evening at a table that sorts: a wall is released, things fail, and people do what the panels ask for.

What stands in the carriers when lifts leave their lower ends, and when a wall is told to match, is compared with what
was prescribed, from the simulator's own places; what the board has sent or stored is searched for tags and for faces.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

from tests.firmware.prescribing import FLAP_2, MOUTH, RING_18, Director
from tests.scenarios.power import clear_by_hand
from tests.scenarios.watch import is_fault
from wallwright_protocol import codes
from wallwright_protocol.hardware import SIDES
from wallwright_protocol.names import FAULTS
from wallwright_protocol.prescribing import Prescription
from wallwright_simulator.power import Unpowered
from wallwright_simulator.sorter import Hardware
from wallwright_simulator.surface import PhysicalError

SORTERS = (*[("ring", RING_18, 90_000)] * 8, ("flap", FLAP_2, 250_000), ("mouth", MOUTH, 420_000))
"""Of ten tables eight have rings; with each how long its builds take, in ms, roughly."""
LOST = "readers miss 2%"
CAUSES = ("dead tag", "missing tile", "foreign tag", "power cut", "host gone")
OF_NO_SET = b"\xff" * 8
GONE_MS = (5_000, 600_000)
OFF_MS = (100, 5_000)
PATIENCE_MS = 520_000
"""Longer than a table builds a prescribed wall before it says that this takes too long."""
STEP_MS = 20
MEND_MS = 1_500
PUSH_MS = 1_000
"""People need longer to push all tiles in."""
ACT_MS = 1_000
"""By then the panels show what came of an act."""
ACTS = 60
TAG_WINDOW = 6
FACE_WINDOW = 8
"""So many bytes of a tag, or faces one after the other, are no chance."""


class Wall(NamedTuple):
    """What is tried: wall `number` of a run with that seed, on the table of seed `table`."""

    seed: int
    number: int
    table: int
    sorter: str
    hardware: Hardware
    builds_ms: int
    tiles: int
    mode: int
    causes: tuple[str, ...]


class Outcome(NamedTuple):
    """What came of a wall. `end` is match, rebuilt, ordinary, stuck or broken; `wrong` says what may not be."""

    wall: Wall
    end: str
    inferred: bool
    faults: tuple[str, ...]
    wrong: tuple[str, ...]
    minutes: float

    def line(self) -> str:
        """What happened, in one line with what repeats it."""
        wall = self.wall
        mode = "hands" if wall.mode == codes.HANDS_WALL else "strict"
        what = f"{wall.sorter}, {wall.tiles} tiles {mode}, {' + '.join(wall.causes) or 'lost reads alone'}"
        return f"--seed {wall.seed} --first {wall.number} --walls 1: {what}: {self.end}; {'; '.join(self.wrong)}"


def draw_wall(seed: int, number: int) -> Wall:
    """Wall `number`: lost reads alone, each cause alone, two of them, and as many as chance will have, in turn."""
    chance = random.Random(f"{seed}/prescribed/{number}")
    sorter, hardware, builds_ms = SORTERS[chance.randrange(len(SORTERS))]
    turn = number % (len(CAUSES) + 3)
    if turn < len(CAUSES):
        causes = [CAUSES[turn]]
    else:
        causes = chance.sample(CAUSES, (0, 2, chance.randint(2, len(CAUSES)))[turn - len(CAUSES)])
    tiles = 136 if sorter != "mouth" and chance.random() < 0.1 else 108
    mode = chance.choice((codes.STRICT_WALL, codes.HANDS_WALL))
    return Wall(seed, number, chance.randrange(2**31), sorter, hardware, builds_ms, tiles, mode, tuple(sorted(causes)))


class Watched(Director):
    """A director's table at which every wall that rises, or is told to match, is compared with what was prescribed."""

    def __init__(self, wall: Wall) -> None:
        self.wrong: list[str] = []
        self.given: list[Prescription] = []
        self.is_alone = False
        self.was_up = False
        self.risen = 0
        super().__init__(wall.table, wall.hardware, wall.tiles, LOST)

    @property
    def shown(self) -> str:
        """What the panels show, without the mark of a prescribed wall."""
        return self.sim.board.displays[0].removeprefix("P ")

    @property
    def is_up(self) -> bool:
        """Whether a lift that holds stacks is not down."""
        world = self.sim.world
        return any(head.carrier and not lift.at_start for head, lift in zip(world.heads, world.lifts, strict=True))

    def pump(self) -> None:
        """Bring bytes from one to the other, if there is a host, and look at the table."""
        before = len(self.events)
        if self.is_alone:
            self.bytes_out += self.sim.read()
        else:
            super().pump()
        for name, fields in self.events[before:]:
            if name == "wall_prescribed" and fields["match"] and not (self.is_up or self.is_built(self.given[-1])):
                self.wrong.append("a wrong wall was told to match")
        is_up = self.is_up
        if is_up and not self.was_up and self.sim.board.displays[0].startswith("P "):
            self.risen += 1
            if not self.is_built(self.given[-1]):
                self.wrong.append("a wrong wall rose")
        self.was_up = is_up

    def leaks(self) -> list[str]:
        """What the board has sent or stored and may not."""
        found = []
        places = [bytes(self.bytes_out), *map(bytes, self.sim.board.slots.data)]
        for one in self.given:
            tags = {tag[at : at + TAG_WINDOW] for tag in one.tags for at in range(len(tag) - TAG_WINDOW + 1)}
            rows = {one.faces[at : at + FACE_WINDOW] for at in range(len(one.faces) - FACE_WINDOW + 1)}
            for what, windows in (("a tag", tags), ("the order of faces", rows)):
                if any(window in place for window in windows for place in places):
                    found.append(f"{what} has left the board")
        return found


class Evening:
    """People and a director at one table, from the release of a wall to walls that are up."""

    def __init__(self, wall: Wall) -> None:
        self.wall = wall
        self.chance = random.Random(f"{wall.seed}/people/{wall.number}")
        self.table = Watched(wall)
        self.faults: list[str] = []
        self.is_given_up = False
        self.is_released = False
        self.lates = 0
        self.presses = 0
        self.mends: dict[str, Callable[[], None]] = {}
        self.due: list[tuple[int, Callable[[], None]]] = []

    def play(self) -> Outcome:
        """Act until walls are up."""
        table = self.table
        table.equip()
        self.release()
        self.break_things()
        assert table.request("start_build")[0] == "ok"
        end = "stuck"
        for _ in range(ACTS):
            if not self.live(PATIENCE_MS, self.asks):
                table.wrong.append(f"the panels show {table.shown!r} for ever")
                break
            if table.shown == "DICE?" and table.is_up:
                end = self.end()
                break
            self.act(table.shown)
        else:
            table.wrong.append(f"no walls are up after {ACTS} acts; the panels show {table.shown!r}")
        table.wrong += table.leaks()
        inferred = any(row["inferred"] and row["match"] for row in table.named("wall_prescribed"))
        return Outcome(self.wall, end, inferred, tuple(self.faults), tuple(table.wrong), table.sim.now_ms / 60_000)

    def end(self) -> str:
        """What kind of walls is up."""
        table = self.table
        is_built = table.is_built(table.given[-1])
        if is_built == self.is_given_up:
            table.wrong.append("prescribed walls are up that were given up" if is_built else "ordinary walls are up")
        if not is_built:
            return "ordinary"
        if not table.risen:
            table.wrong.append("prescribed walls are up that the panels had as ordinary ones")
        return "rebuilt" if self.faults else "match"

    def release(self) -> None:
        """The director releases a deal for the next build."""
        one = self.table.drawn(self.wall.mode)
        self.table.given.append(one)
        found = self.table.prescribe(one)
        assert found == "ok", found
        self.is_released = True

    def break_things(self) -> None:
        """Let happen what the wall's causes are; drawn so that it is the same whatever else happens."""
        world, chance, start_ms = self.table.sim.world, self.chance, self.table.sim.now_ms
        tiles = chance.sample(range(self.wall.tiles), 3)
        at_ms = [start_ms + chance.randrange(self.wall.builds_ms) for _ in range(2)]
        off_ms, gone_ms = chance.randint(*OFF_MS), chance.randint(*GONE_MS)
        if "dead tag" in self.wall.causes:
            world.readers.kill_tag(tiles[0], True)
            self.mends["prescribed_late"] = lambda: world.readers.kill_tag(tiles[0], False)
        if "missing tile" in self.wall.causes:
            world.remove_tile(tiles[1])
            self.mends["tile_missing"] = lambda: world.return_tile(tiles[1])
        if "foreign tag" in self.wall.causes:
            tag, world.readers.tags[tiles[2]] = world.readers.tags[tiles[2]], OF_NO_SET
            self.mends["foreign_tag"] = lambda: world.readers.tags.__setitem__(tiles[2], tag)
        if "power cut" in self.wall.causes:
            self.due.append((at_ms[0], lambda: self.cut_power(off_ms)))
        if "host gone" in self.wall.causes:
            self.due += [(at_ms[1], self.go), (at_ms[1] + gone_ms, self.come_back)]

    def live(self, ms: int, until: Callable[[], bool] = lambda: False) -> bool:
        """Let time go by, and happen what is due, until something is so; say whether it is."""
        sim = self.table.sim
        end_ms = sim.now_ms + ms
        while not until() and sim.now_ms < end_ms:
            sim.run_until(min(end_ms, sim.now_ms + STEP_MS))
            self.table.pump()
            while ready := [due for due in self.due if due[0] <= sim.now_ms]:
                self.due.remove(ready[0])  # what it does may let time go by, and the others happen
                ready[0][1]()
        return until()

    def takes(self, ms: int) -> bool:
        """Be at it for so long; whether the panels still show the same then."""
        shown = self.table.shown
        return not self.live(ms, lambda: self.table.shown != shown)

    def asks(self) -> bool:
        """Whether the panels ask somebody to do something."""
        shown = self.table.shown
        return not self.table.sim.world._mask and (is_fault(shown) or shown.endswith(("?", "READY", "DROP")))

    def cut_power(self, off_ms: int) -> None:
        self.is_released = False
        self.table.sim.cut_power(off_ms)
        self.live(off_ms + 3_000)
        if not self.table.is_alone:
            self.table.connect()

    def go(self) -> None:
        self.table.is_alone = True

    def come_back(self) -> None:
        """The host is there again; at a board without power it tries until that is back."""
        self.live(OFF_MS[1], lambda: not isinstance(self.table.sim.app, Unpowered))
        self.table.is_alone = False
        self.table.connect()

    def act(self, shown: str) -> None:
        """Do what the panels ask for, and wait until they show something else."""
        self.do(shown)
        self.live(ACT_MS, lambda: self.table.shown != shown)

    def do(self, shown: str) -> None:
        """Do what the panels ask for. Somebody always wants the walls to rise at once."""
        if is_fault(shown):
            if not self.table.is_alone:
                self.table.request("raise_walls")
            self.mend(FAULTS[int(shown[1:3])])
            return
        players = self.table.sim.players
        if shown in ("START?", "DICE?") and not self.is_released and not self.is_given_up:
            self.live(2 * GONE_MS[1], lambda: not self.table.is_alone)
            self.release()
        self.presses += 1
        if shown == "DICE?":  # the lifts are up, and what they held was taken off after a power loss
            players.press_dice(self.presses % SIDES)
            return
        if shown == "DROP" and self.table.sim.world.lid.at_end:
            if not self.takes(PUSH_MS):
                return
            players.push_in()
        players.press_lift(self.presses % SIDES)

    def mend(self, fault: str) -> None:
        """What the words of a fault say; a key that is pressed sooner was meant for something else."""
        if not self.takes(MEND_MS):
            return
        self.faults.append(fault)
        if fault == "prescribed_late":
            self.lates += 1
            if self.lates > 1 or self.chance.random() < 0.5:
                self.give_up()
                return
        if fault in ("walls_unknown", "wall_differs"):
            self.empty()
        elif fault in self.mends:
            self.mends.pop(fault)()
        elif fault == "foreign_tag":
            self.exchange()
        elif self.chance.random() < 0.5:
            while self.mends:
                self.mends.popitem()[1]()
        self.press()

    def empty(self) -> None:
        """Take out what is in carriers and heads: into the drum, or onto the table if the played tiles are in there."""
        world = self.table.sim.world
        if not any(head.carrier for head in world.heads) or not (
            world.lid.at_end or 1 in map(world.set_of, world.drum.tiles)
        ):
            clear_by_hand(world)
            return
        if world.lid.at_end:
            world.push_in()
        for side in range(SIDES):
            for tile in world.free_carrier(side) + world.free_head(side):
                world.lay_down(tile)

    def exchange(self) -> None:
        """All tiles in the drum and in what sorts are strange: they come out, and what lacks goes in."""
        world = self.table.sim.world
        ours = self.table.given[-1].tile_set
        for tile in self.table.sim.players.clear_sorter():
            (world.put_in_drum if world.set_of(tile) == ours else world.lay_down)(tile)
        for tile in [tile for tile in world.drum.tiles if world.set_of(tile) != ours]:
            world.remove_tile(tile)
            world.lay_down(tile)
        for tile in [tile for tile in world.pile if world.set_of(tile) == ours]:
            world.put_in_drum(tile)

    def give_up(self) -> None:
        """The director has ordinary walls built."""
        self.live(2 * GONE_MS[1], lambda: not self.table.is_alone)
        self.is_given_up = True
        self.table.request("clear_fault")
        self.table.request("prescribe_cancel")

    def press(self) -> None:
        self.presses += 1
        self.table.sim.players.press_lift(self.presses % SIDES)


def play(wall: Wall) -> Outcome:
    """Try one wall."""
    try:
        return Evening(wall).play()
    except (AssertionError, LookupError, PhysicalError, TypeError, ValueError) as error:
        return Outcome(wall, "broken", False, (), (f"{type(error).__name__}: {error}",), 0.0)
