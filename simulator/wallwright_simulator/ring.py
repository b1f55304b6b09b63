"""The magnet ring as a store: each magnet carries a tile past all four mouths until one takes it.

A magnet that is empty when it comes before a mouth's reader picks a tile up from the drum, as `drum` has it. Then the
tile stands before the reader, and a part of a slot later it is at the mouth. There a scraper that is out takes it onto
the belt; one that is drawn back lets it pass, as does a mouth whose belt is full or does not run forwards. A scraper on
its way does either, by chance. Between reader and mouth a knock-off that has reached its end sends the tile back into
the drum. The magnets hold their tiles without power, and the ring stays where it is.

A turn takes as long as that of today's ring: with twice as many magnets one passes a given mouth twice as often. Mouth
L lies L * magnets // 4 magnets and L quarters of a slot behind mouth 0. The vane leaves its slot a quarter of a slot
before magnet 0 comes to the reader of mouth 0.
"""

from collections.abc import Iterator
from functools import partial

from wallwright_protocol.hardware import KNOCK_OFF, SCRAPER, SIDES

from .belt import Belt
from .clock import NEVER, Agenda
from .drum import Drum
from .solenoid import Solenoid
from .sorter import Hardware, Sorter, Streams


class RingSorter(Sorter):
    """`magnets` has a list of the tiles on each: one or none, or two where `doubles` says so.

    `doubles` is the share, in permille, of the magnets that pick up a second tile with their first.
    """

    def __init__(self, agenda: Agenda, hardware: Hardware, drum: Drum, stream: Streams) -> None:
        super().__init__(hardware)
        self.source = self
        self.magnets: list[list[int]] = [[] for _ in range(hardware.places)]
        self.doubles = 0
        self.lead_ms = min(hardware.lead_ms, drum.slot_ms - 1)
        self._agenda = agenda
        self._drum = drum
        self._slot_ms = drum.slot_ms
        self._mouths: list[Belt] = []
        self._open = [False] * SIDES
        self._before: list[int | None] = [None] * SIDES
        self._turning = self._mixing = False
        self._turned_ms = self._zero_ms = 0
        self._slots = [0] * SIDES
        self._first_slots = [0] * SIDES
        self._load = drum.load
        self._falls = [stream(f"knocks/{side}") for side in range(SIDES)]
        self._half_way = stream("scrapers")
        self._second = stream("doubles")
        self._come_row = len(agenda.due)
        for side in range(SIDES):
            agenda.add(partial(self._come, side))
        self._pass_row = len(agenda.due)
        for side in range(SIDES):
            agenda.add(partial(self._pass, side))
        for side in range(SIDES):
            chance = stream(f"solenoids/{side}")
            self.solenoids[side, SCRAPER] = Solenoid(agenda, chance, _nothing)
            self.solenoids[side, KNOCK_OFF] = Solenoid(agenda, chance, partial(self._knock, side))

    def join(self, belts: list[Belt]) -> None:
        """The table's belts are made, by side."""
        self._mouths = belts

    def open(self, lane: int) -> None:
        """The mouth of `lane` takes tiles from now on."""
        self._open[lane] = True

    def shut(self, lane: int) -> None:
        """The mouth of `lane` takes no tiles from now on."""
        self._open[lane] = False

    def put_back(self, tile: int, face_up: bool, lane: int | None = None) -> None:
        """A tile falls back into the drum from a belt."""
        self._drum.put_back(tile, face_up, lane)

    def turn(self, ring: bool, disc: bool) -> None:
        """Ring and disc turn from now on, or they do not; tiles are picked up while both do."""
        self._mixing = disc
        if ring == self._turning:
            return
        now_ms = self._agenda.now_ms
        if ring:
            self._zero_ms = now_ms - self._turned_ms
        else:
            self._turned_ms = now_ms - self._zero_ms
        self._turning = ring
        for side in range(SIDES):
            self._aim(side)

    def read_places(self) -> list[list[int]]:
        """The tiles before the reader of each mouth."""
        return [[] if magnet is None else self.magnets[magnet] for magnet in self._before]

    def places(self) -> Iterator[tuple[str, list[int]]]:
        """Every magnet."""
        for number, tiles in enumerate(self.magnets):
            yield f"magnet {number}", tiles

    def _aim(self, side: int) -> None:
        """Find the next times at which a magnet comes before the reader of a side, and to its mouth."""
        agenda = self._agenda
        if not self._turning:
            agenda.plan(self._come_row + side, NEVER)
            agenda.plan(self._pass_row + side, NEVER)
            return
        come_ms = self._zero_ms + self._slot_ms * (side + 1) // SIDES + self._slots[side] * self._slot_ms
        agenda.plan(self._come_row + side, come_ms)
        pass_ms = NEVER if self._before[side] is None else come_ms - self._slot_ms + self.lead_ms
        agenda.plan(self._pass_row + side, pass_ms)

    def _come(self, side: int) -> None:
        """A magnet comes before the reader of a side."""
        slot = self._slots[side]
        self._slots[side] = slot + 1
        magnet = (slot - side * len(self.magnets) // SIDES) % len(self.magnets)
        self._before[side] = magnet
        tiles = self.magnets[magnet]
        if self.solenoids[side, KNOCK_OFF].at_end:
            self._drop(side, tiles)
        elif not tiles and self._mixing:
            self._pick_up(side, slot, tiles)
        self._aim(side)
        if tiles:
            self.moved()

    def _pick_up(self, side: int, slot: int, tiles: list[int]) -> None:
        drum = self._drum
        if drum.load != self._load:
            self._load = drum.load
            self._first_slots = self._slots[:]
            self._first_slots[side] = slot
        tile = drum.offer(side, max(0, slot - self._first_slots[side]))
        if tile is None:
            return
        tiles.append(tile)
        if self.doubles and self._second.randrange(1000) < self.doubles:
            lying = [each for each, up in zip(drum.tiles, drum.face_up(), strict=True) if not up]
            if lying:
                other = self._second.choice(lying)
                drum.take_out(other)
                tiles.append(other)

    def _pass(self, side: int) -> None:
        """The magnet that was before the reader of a side is at its mouth."""
        magnet = self._before[side]
        assert magnet is not None
        self._before[side] = None
        self._aim(side)
        tiles = self.magnets[magnet]
        if not tiles:
            return
        scraper = self.solenoids[side, SCRAPER]
        takes = scraper.at_rest or (not scraper.at_end and self._half_way.random() < 0.5)
        while tiles and takes and self._open[side]:
            self._mouths[side].take_in(tiles.pop(0))
        self.moved()

    def _knock(self, side: int) -> None:
        """The knock-off of a side has reached its end."""
        magnet = self._before[side]
        if magnet is not None and self.magnets[magnet]:
            self._drop(side, self.magnets[magnet])
            self.moved()

    def _drop(self, side: int, tiles: list[int]) -> None:
        while tiles:
            self._drum.put_back(tiles.pop(), self._falls[side].random() < 0.5, side)


def _nothing() -> None:
    """Whether a scraper stands or moves matters when a magnet comes."""
