"""The mechanics of one table: motors are switched by the drive mask, sensors answer with edges, tiles move.

It knows nothing of the firmware: what a motor does depends on where its part stands and on nothing else. Time is in
whole ms and jumps from event to event. Everything follows from one seed and from what is done to the world; every
consumer of chance has a stream of its own, so that no one's luck depends on what another has used.

Motors have power only while `supply` is on, whatever the mask says: the emergency stop cuts it, START restores it.
"""

import random
from collections.abc import Callable

from wallwright_protocol.hardware import (
    BELT_FULL,
    CLAIM_KEY_0,
    CONVEYOR,
    CONVEYOR_REVERSE,
    COUNT_EYE,
    DICE_KEY,
    DISC,
    DISC_VANE,
    DRIVES,
    DRIVES_PER_SIDE,
    EMERGENCY_STOP,
    HEAD,
    LID_CLOSE,
    LID_IS_CLOSED,
    LID_IS_OPEN,
    LID_OPEN,
    LIFT_DOWN,
    LIFT_KEY,
    LIFT_LOWER,
    LIFT_RAISE,
    LIFT_UP,
    REFEREE_KEY,
    RING,
    RING_VANE,
    SETS,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_protocol.tile_sets import set_faces

from .belt import Belt
from .clock import Agenda, Timetable
from .drum import Drum
from .head import Head
from .mechanics import (
    BOUNCE_MS,
    COVER_MS,
    KEY_PRESS_MS,
    RING_MAGNETS,
    VARIATION_PERCENT,
)
from .places import Mixing, PlacesDrum
from .readers import NO_READERS, TileReaders
from .rotor import Rotor
from .sensors import Sensors
from .sorter import PLAIN, Hardware
from .sorters import make_sorter
from .supply import ModelledSupply
from .surface import PhysicalError, Surface
from .terminals import Terminals
from .timing import USUAL, Timing
from .travel import Travel

_SIDE_DRIVES = (1 << DRIVES_PER_SIDE) - 1
_SIDE_SHIFTS = tuple(drive_bit(side, 0).bit_length() - 1 for side in range(SIDES))
_KEYS = frozenset(
    [input_number(side, kind) for side in range(SIDES) for kind in (LIFT_KEY, DICE_KEY, REFEREE_KEY)]
    + [CLAIM_KEY_0 + seat for seat in range(SIDES)]
)


class World(Surface):
    """A table with two sets of `tiles` tiles: set 0 in the drum, set 1 on the table, lifts down, lid closed.

    `levels` are the raw inputs; `edges` collects their changes as (time_ms, input number, level) until the reader
    clears it; `drive_log` the changes of the drive mask as (time_ms, mask), when `log_drives` is on. `readers` is
    the mask of the tile readers that there are, `timing` how fast this machine is. With `mixing` the tiles have places
    in the drum (`PlacesDrum`); without it every catch is drawn from all of its tiles alike.
    `hardware` is what sorts them, with readers at the mouths and at the heads; `sorter` is None where nothing does.
    """

    def __init__(
        self,
        seed: int = 0,
        tiles: int = 108,
        *,
        log_drives: bool = False,
        readers: int = NO_READERS,
        timing: Timing = USUAL,
        mixing: Mixing | None = None,
        hardware: Hardware = PLAIN,
    ) -> None:
        super().__init__()
        self.seed = seed
        self.tiles = tiles
        self.timing = timing
        self.hardware = hardware
        self.drive_log: list[tuple[int, int]] = []
        self._faces = set_faces(tiles)
        self._log_drives = log_drives
        self._mask = 0
        self.terminals = Terminals()
        self._held_until: dict[int, int] = {}
        machine = self.stream("machine")

        def vary(time_ms: int) -> int:
            return round(time_ms * machine.uniform(1 - VARIATION_PERCENT / 100, 1 + VARIATION_PERCENT / 100))

        agenda = self.agenda = Agenda()
        self._timetable = Timetable(agenda)
        sensors = self.sensors = Sensors(agenda, self.stream("contacts"))
        self.levels = sensors.levels
        self.edges = sensors.edges
        self.lid = Travel(agenda, sensors, LID_IS_CLOSED, LID_IS_OPEN, vary(timing.lid_ms), vary(timing.lid_ms))
        self.drum: Drum
        slot_ms = vary(timing.ring_slot_ms) * RING_MAGNETS // hardware.magnets
        if mixing is None:
            self.drum = Drum(agenda, seed, slot_ms=slot_ms)
        else:
            self.drum = PlacesDrum(agenda, seed, slot_ms=slot_ms, mixing=mixing, turn_ms=timing.disc_turn_ms)
        self.odd_ms: dict[int, int] = {}
        """For tiles of another size, how long each darkens a count eye."""
        self.lifts: list[Travel] = []
        self.heads: list[Head] = []
        self.belts: list[Belt] = []
        self.sorter = make_sorter(hardware, agenda, self.drum, self.stream)
        source = self.sorter.source if self.sorter else self.drum
        make_belt = self.sorter.make_belt if self.sorter else Belt
        for side in range(SIDES):
            down, up = input_number(side, LIFT_DOWN), input_number(side, LIFT_UP)
            lift = Travel(agenda, sensors, down, up, vary(timing.lift_up_ms), vary(timing.lift_down_ms))
            head = Head(agenda, sensors, side, lift, vary(timing.head_cycle_ms))
            falls = self.stream(f"falls/{side}")
            travel_ms = vary(timing.belt_travel_ms)
            belt = make_belt(agenda, sensors, side, source, head, travel_ms, falls, self.odd_ms, timing)
            self.lifts.append(lift)
            self.heads.append(head)
            self.belts.append(belt)
        self.drum.join(self.belts)
        if self.sorter:
            self.sorter.join(self.belts)
        self.disc = Rotor(agenda, sensors, DISC_VANE, vary(timing.disc_turn_ms), self._turn_drum)
        self.ring = Rotor(agenda, sensors, RING_VANE, hardware.magnets * self.drum.slot_ms, self._turn_drum)
        self.supply = ModelledSupply(agenda, sensors, self._supply_changed)
        self._hands = self.stream("hands")
        dropped = list(range(tiles))
        self._hands.shuffle(dropped)
        self.drum.drop(dropped, self._lying(tiles), [tile % SIDES for tile in range(tiles)])
        self.pile.extend(range(tiles, SETS * tiles))
        self._hands.shuffle(self.pile)
        self.held: dict[int, int] = {}
        """By reader, the tile of the table that somebody holds to it."""
        self.readers = TileReaders(self, readers | hardware.readers)
        if self.readers.fitted:
            self.moved = self.readers.look
            for head in self.heads:
                head.moved = self.readers.look
            if self.sorter:
                self.sorter.moved = self.readers.look

    @property
    def now_ms(self) -> int:
        """The present time."""
        return self.agenda.now_ms

    @property
    def next_ms(self) -> int:
        """The time of the next mechanical event with the drives as they are; `NEVER` when none will come."""
        return self.agenda.next_ms

    def advance(self, until_ms: int) -> None:
        """Let time run to `until_ms`, its events included, or to the first that changes an input or what is read."""
        agenda = self.agenda
        if until_ms < agenda.now_ms:
            raise ValueError(f"time cannot go back from {agenda.now_ms} to {until_ms} ms")
        edges = self.edges
        reads = self.readers.reads
        known = len(edges) + len(reads)
        while agenda.step(until_ms):
            if len(edges) + len(reads) != known:
                return

    def drive(self, mask: int) -> None:
        """Switch every motor on or off, by the bits of `mask` as numbered in the hardware contract."""
        if mask >> DRIVES:
            raise ValueError(f"drive mask {mask:#x} has bits that no motor is connected to")
        if self._log_drives and mask != self._mask:
            self.drive_log.append((self.now_ms, mask))
        self._mask = mask
        self._power()

    def stick(self, drives: int, on: bool | None) -> None:
        """Let the switches of these drives fail closed or open, or be good again (None)."""
        self.terminals.stick(drives, on)
        self._power()

    def face(self, tile: int) -> str:
        """The face of a tile, as `tiles` of this package names them."""
        return self._faces[tile % self.tiles]

    def tags(self, number: int) -> dict[str, str]:
        """Return the tags of set `number` as hexadecimal, each with the face of its tile: what somebody would enrol."""
        tiles = range(number * self.tiles, (number + 1) * self.tiles)
        return {self.readers.tags[tile].hex(): self.face(tile) for tile in tiles}

    def set_of(self, tile: int) -> int:
        """The set, 0 or 1, that a tile belongs to by its back."""
        return tile // self.tiles

    def press(self, number: int, duration_ms: int = KEY_PRESS_MS) -> None:
        """Press the key of input `number` now, for `duration_ms`.

        PhysicalError when that input is no key or the key is still pressed; ValueError when the time is too short.
        """
        if number not in _KEYS:
            raise PhysicalError(f"input {number} is not a key")
        if duration_ms <= BOUNCE_MS:
            raise ValueError(f"a key cannot be pressed for {duration_ms} ms: use more than {BOUNCE_MS}")
        now_ms = self.now_ms
        if now_ms < self._held_until.get(number, 0):
            raise PhysicalError(f"key {number} is still pressed, until {self._held_until[number]} ms")
        self._held_until[number] = now_ms + duration_ms + BOUNCE_MS
        self.sensors.contact_at(now_ms, number, 1)
        self.sensors.contact_at(now_ms + duration_ms, number, 0)

    def cover(self, side: int, kind: int) -> None:
        """Hold a hand before an eye of `side`, COUNT_EYE or BELT_FULL, for COVER_MS; PhysicalError for other inputs."""
        if kind not in (COUNT_EYE, BELT_FULL):
            raise PhysicalError(f"input kind {kind} is not an eye")
        number = input_number(side, kind)
        self.sensors.contact_at(self.now_ms, number, 1)
        self.sensors.contact_at(self.now_ms + COVER_MS, number, 0)

    def emergency_stop(self, pressed: bool) -> None:
        """Press the emergency stop, which stays in, or release it. The power is gone when the contactors are open."""
        if pressed != self.supply.is_stopped:
            self.sensors.contact_at(self.now_ms, EMERGENCY_STOP, int(pressed))
            self.supply.stop(pressed)

    def draw_in_walls(self) -> None:
        """People draw all raised walls in from the lifts. PhysicalError when one is not up or old walls stand."""
        for side in range(SIDES):
            if not self.lifts[side].at_end and (
                self.heads[side].carrier or not any(lift.at_end for lift in self.lifts)
            ):
                raise PhysicalError(f"the wall of side {side} cannot be drawn in: its lift is not up")
            if any(self.walls[side]):
                raise PhysicalError(f"the wall of side {side} cannot be drawn in: an old wall stands in the way")
        for side in range(SIDES):
            self.walls[side] = self.heads[side].carrier[:]
            self.heads[side].carrier.clear()

    def push_in(self) -> None:
        """People push everything on the table into the drum, hands and all. PhysicalError when the lid is not open.

        Tiles fall in the order of `sweeping`, each face up or down by chance. What lies in the drum stays there, so
        that pushing in a second set mixes the two.
        """
        if not self.lid.at_end:
            raise PhysicalError("tiles can only be pushed in while the lid is open")
        pushed = self.sweeping()
        self.sweep()
        self.drum.drop([tile for tile, _ in pushed], self._lying(len(pushed)), [side for _, side in pushed])

    def remove_tile(self, tile: int) -> None:
        """A tile of the drum or of the table gets lost: it is `loose` from now on. PhysicalError inside the lanes."""
        if tile in self.drum.tiles:
            self.drum.take_out(tile)
            self.loose.append(tile)
        else:
            self.lose(tile)

    def put_in_drum(self, tile: int) -> None:
        """A hand puts one tile from the table or the floor into the drum, by the lid or the service door."""
        self.lose(tile)
        self.loose.remove(tile)
        self.drum.put_back(tile, self._hands.random() < 0.5)

    def free_head(self, side: int) -> list[int]:
        """A person opens a stacking head, turns it home and takes out its tiles, `loose` from then on; return them."""
        tiles = self.heads[side].free()
        self.loose.extend(tiles)
        return tiles

    def free_carrier(self, side: int) -> list[int]:
        """A person takes all stacks out of a carrier by the service door; return the tiles, `loose` from then on."""
        tiles = [tile for stack in self.heads[side].carrier for tile in stack]
        self.heads[side].carrier.clear()
        self.loose.extend(tiles)
        return tiles

    def lay_down(self, tile: int) -> None:
        """A person lays a tile from the floor or the fingers on the table."""
        self.loose.remove(tile)
        self.pile.append(tile)

    def return_tile(self, tile: int) -> None:
        """A person finds a lost tile and puts it where its set is: on the table, or into the drum."""
        on_table = {self.set_of(each) for name, place in self.places() if name != "loose" for each in place}
        if self.set_of(tile) in on_table:
            self.lay_down(tile)
        else:
            self.put_in_drum(tile)

    def free_lane(self, side: int) -> None:
        """A person frees what sticks at the gate of a lane; it stays there and goes on with the belt."""
        self.belts[side].release()

    def later(self, time_ms: int, call: Callable[[], None]) -> None:
        """Let `call` happen at `time_ms`, now or later: how somebody outside brings about what this world does not."""
        self._timetable.enter(time_ms, call)

    def read_places(self) -> list[list[int]]:
        """The tiles that each reader has before it, by its number in the hardware contract."""
        places = [head.tiles for head in self.heads]
        for seat in range(SIDES):
            melds = [tile for meld in self.melds[seat] for tile in meld]
            places.extend((self.hands[seat], melds, self.discards[seat]))
        for reader, tile in self.held.items():
            places[reader] = [*places[reader], tile]
        return [*places, *self.sorter.read_places()] if self.sorter else places

    def hold(self, reader: int, tile: int | None) -> None:
        """Somebody holds a tile of the table to a reader and leaves it there, or takes away (None) what is there."""
        if tile is None:
            self.held.pop(reader, None)
        else:
            self.held[reader] = tile
        self.moved()

    def stream(self, name: str) -> random.Random:
        """Chance of its own for the consumer `name`."""
        return random.Random(f"{self.seed}/{name}")

    def locations(self) -> dict[int, str]:
        """Where every tile is: drum, belt, head, carrier, wall, hand, meld, discards, magnet, store, pile or loose.

        AssertionError when one is in two places.
        """
        places = [("drum", self.drum.tiles), *self.places(), *(self.sorter.places() if self.sorter else ())]
        for side in range(SIDES):
            places.append((f"belt {side}", self.belts[side].tiles))
            places.append((f"head {side}", self.heads[side].tiles))
            places.extend((f"carrier {side}", stack) for stack in self.heads[side].carrier)
        found: dict[int, str] = {}
        for name, tiles in places:
            for tile in tiles:
                if tile in found:
                    raise AssertionError(f"tile {tile} is in two places: {found[tile]} and {name}")
                found[tile] = name
        return found

    def check_conserved(self) -> None:
        """AssertionError unless every tile of both sets is in exactly one place."""
        missing = set(range(SETS * self.tiles)) ^ self.locations().keys()
        if missing:
            raise AssertionError(f"tiles in no place, or of no set: {sorted(missing)}")

    def _lying(self, count: int) -> list[bool]:
        return [self._hands.random() < 0.5 for _ in range(count)]

    def _power(self) -> None:
        """Give the motors what mask and supply leave them, and tell those for which that is a change."""
        before = self.terminals.powered
        mask = self.terminals.power(self.now_ms, self._mask, self.supply.feeds)
        changed = mask ^ before
        if changed & DISC:
            self.disc.run(bool(mask & DISC))
        if changed & RING:
            self.ring.run(bool(mask & RING))
        if changed & (LID_OPEN | LID_CLOSE):
            self.lid.run(bool(mask & LID_OPEN), bool(mask & LID_CLOSE))
        for side, shift in enumerate(_SIDE_SHIFTS):
            if changed >> shift & _SIDE_DRIVES:
                self._power_side(side, mask >> shift, changed >> shift)

    def _supply_changed(self) -> None:
        self._power()
        if self.sorter:
            self.sorter.supply(self.supply.is_on)

    def _turn_drum(self) -> None:
        """The ring brings tiles while both it and the disc turn."""
        self.drum.stir(self.disc.turning)
        self.drum.turn(self.disc.turning and self.ring.turning)
        if self.sorter:
            self.sorter.turn(self.ring.turning, self.disc.turning)

    def _power_side(self, side: int, mask: int, changed: int) -> None:
        if changed & (1 << CONVEYOR | 1 << CONVEYOR_REVERSE):
            self.belts[side].run((mask >> CONVEYOR & 1) - (mask >> CONVEYOR_REVERSE & 1))
        if changed >> HEAD & 1:
            self.heads[side].run(bool(mask >> HEAD & 1))
        if changed & (1 << LIFT_RAISE | 1 << LIFT_LOWER):
            self.lifts[side].run(bool(mask >> LIFT_RAISE & 1), bool(mask >> LIFT_LOWER & 1))
