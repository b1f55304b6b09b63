"""Deals of bots, acted out with tiles under the simulator's readers and the firmware's filter: what a tracker is told.

The tiles go where players would put them; what readers make of that, and how they err, is the simulator's one model of
errors. A benchmark uses this too.
"""

import heapq
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, cast

from wallwright.rules.core.walls import deal_seats
from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.actions import Action
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.events import ROBBED_KONG_HU, SELF_DRAWN_HU, Event, Hu
from wallwright.rules.sichuan.melds import Meld, MeldType
from wallwright.tracking import ZoneEvent
from wallwright.tracking.zones import DISCARDS, HANDS, MELDS, MOVED, Told
from wallwright_firmware.hal import Hal
from wallwright_firmware.readers import Readers
from wallwright_protocol import codes
from wallwright_protocol.hardware import READERS
from wallwright_protocol.link import NEVER
from wallwright_simulator.readers import ALL_READERS, TileReaders, tag_of

TILES = 108
THINK_MS = {act.VOID: 1_500, act.DRAW: 1_000, act.DISCARD: 2_000, act.PUNG: 900, act.KONG: 1_200, act.HU: 1_500}
_TOLD: dict[str, Told] = {"tag_appeared": "appeared", "tag_left": "left", "tag_moved": "moved"}


@dataclass(frozen=True, slots=True)
class Acted:
    """A deal that was acted out: the truth, the tags with their kinds, what was told, and the wall as heads read it."""

    deal: Deal
    tiles: dict[bytes, int]
    events: tuple[ZoneEvent, ...]
    wall: tuple[bytes | None, ...]


class Bench:
    """A table of readers and nothing else: tiles are put into their zones, and time passes."""

    def __init__(self, seed: int, shares: dict[str, int], tiles: int = TILES) -> None:
        self.seed = seed
        self.tiles = tiles
        self.now_ms = 0
        self.zones: list[list[int]] = [[] for _ in range(READERS)]
        self.told: list[ZoneEvent] = []
        self.passed: set[bytes] = set()
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._numbers = count()
        self.readers = TileReaders(self, ALL_READERS)
        self.readers.shares.update(shares)
        hal = _Reads(self.readers)
        self._filter = Readers(hal, cast(Any, self), cast(Any, self), cast(Any, self))

    # What the simulator's readers ask of a world.

    def later(self, time_ms: int, call: Callable[[], None]) -> None:
        heapq.heappush(self._queue, (time_ms, next(self._numbers), call))

    def stream(self, name: str) -> random.Random:
        return random.Random(f"{self.seed}/{name}")

    def read_places(self) -> list[list[int]]:
        return self.zones

    # What the firmware's readers ask of the parts beside them.

    state = codes.READY

    def add_tag(self, now_ms: int, name: str, source: int, reader: int, tag: bytes) -> None:
        told = _TOLD[name]
        self.told.append(ZoneEvent(now_ms, told, reader, tag, source if told == MOVED else -1))

    def read(self, _side: int, tag: bytes, _at_ms: int) -> None:
        self.passed.add(tag)

    # What the players do.

    def move(self, tiles: list[int], zone: int) -> None:
        for tile in tiles:
            self._lift(tile)
            self.zones[zone].append(tile)
        self.readers.look()

    def take_away(self, tile: int) -> None:
        self._lift(tile)
        self.readers.look()

    def _lift(self, tile: int) -> None:
        for there in self.zones:
            if tile in there:
                there.remove(tile)

    def press(self, seat: int) -> None:
        self.told.append(ZoneEvent(self.now_ms, "claim", seat=seat))

    def wait(self, for_ms: int) -> None:
        end_ms = self.now_ms + for_ms
        while True:
            due = min(self._queue[0][0] if self._queue else NEVER, self._filter.due)
            if due > end_ms:
                break
            self.now_ms = max(self.now_ms, due)
            while self._queue and self._queue[0][0] <= self.now_ms:
                heapq.heappop(self._queue)[2]()
            while self._filter.take_reads():
                pass
            if self._filter.due <= self.now_ms:
                self._filter.poll(self.now_ms)
        self.now_ms = end_ms

    def passes_head(self, tile: int) -> None:
        self.zones[0].append(tile)
        self.readers.look()
        self.wait(60)
        self.zones[0].clear()
        self.readers.look()


class _Reads(Hal):
    """The reads of a simulated table, for the firmware."""

    readers = ALL_READERS

    def __init__(self, readers: TileReaders) -> None:
        self._readers = readers

    def next_read(self) -> bool:
        if not self._readers.reads:
            return False
        read = self._readers.reads.pop(0)
        self.read_reader, self.read_tag, self.read_there, self.read_ms = read.reader, read.tag, read.there, read.at_ms
        return True

    def load(self, _slot: int) -> bytes:
        return b""


def act_out(
    deal: Deal,
    seed: int,
    *,
    keys: bool = False,
    hesitate_ms: int = 0,
    clear_up: bool = False,
    upset: Callable[[Bench], None] | None = None,
    **shares: int,
) -> Acted:
    """Act out a finished deal whose wall is known. `shares` are the readers' errors in permille, by name; `upset` may
    break something before it starts; with `keys`, who claims presses one, `hesitate_ms` later than
    usual; `clear_up`: people push tiles together before they open the lid.
    """
    chance = random.Random(f"{seed}/players")
    bench = Bench(seed, shares)
    if upset is not None:
        upset(bench)
    tiles = _tiles_of(deal)
    for tile in tiles:
        bench.passes_head(tile)
    bench.wait(2_000)
    passed = frozenset(bench.passed)
    bench.told.clear()
    actor = _Actor(bench, deal, tiles, chance, keys, hesitate_ms)
    actor.deal_out()
    for action in deal.log:
        actor.do(action)
    bench.wait(4_000)
    if clear_up:
        for zone in (*HANDS, *MELDS):
            bench.move(bench.zones[zone][::2], DISCARDS[chance.randrange(4)])
            bench.wait(700)
    tags = [tag_of(seed, tile) for tile in range(TILES)]
    wall = tuple(tags[tile] if tags[tile] in passed else None for tile in tiles)
    return Acted(deal, {tag: tile // 4 for tile, tag in enumerate(tags)}, tuple(bench.told), wall)


def _tiles_of(deal: Deal) -> list[int]:
    """A tile for each place of the wall in the order in which they are taken."""
    spare = {kind: [4 * kind + copy for copy in range(4)] for kind in range(27)}
    hands = [iter(hand) for hand in deal.dealt]
    walls = deal.own_walls or (deal.wall or (),)
    kinds = [next(hands[seat]) for seat in deal_seats(deal.dealer)] + [kind for wall in walls for kind in wall]
    return [spare[kind].pop() for kind in kinds]


class _Actor:
    def __init__(
        self, bench: Bench, deal: Deal, tiles: list[int], chance: random.Random, keys: bool, hesitate_ms: int
    ) -> None:
        self._hesitate_ms = hesitate_ms
        self._bench = bench
        self._dealt = tiles[: len(tiles) - deal.wall_size]
        left = iter(tiles[len(self._dealt) :])
        own = [iter([next(left) for _ in range(size)]) for size in deal.own_sizes]
        self._walls: list[Iterator[int]] = own or [left] * 4
        self._chance = chance
        self._keys = keys
        # Plays the deal again beside the tiles, and says what each action has led to.
        self._shadow = deal.anew()
        self._offered = -1

    def deal_out(self) -> None:
        seats = deal_seats(self._shadow.dealer)
        at = 0
        while at < len(seats):
            end = at + 1
            while end < len(seats) and seats[end] == seats[at] and end - at < 4:
                end += 1
            self._bench.move(self._dealt[at:end], HANDS[seats[at]])
            self._bench.wait(self._chance.randint(500, 1_200))
            at = end

    def do(self, action: Action) -> None:
        bench, shadow, seat = self._bench, self._shadow, action.seat
        melds = [shadow.melds(other) for other in range(4)]
        declared = len(shadow.events)
        bench.wait(int(THINK_MS.get(action.verb, 0) * self._chance.uniform(0.5, 1.3)))
        claiming = shadow.offered is not None
        if claiming and self._keys and action.verb != act.PASS:
            bench.wait(self._hesitate_ms)
            bench.press(seat)
        own_pung = action.verb == act.KONG and not claiming and Meld(MeldType.PUNG, action.tile or 0) in melds[seat]
        shadow.push(action)
        if action.verb == act.DRAW:
            bench.move([next(self._walls[seat])], HANDS[seat])
        elif action.verb == act.DISCARD:
            self._offered = self._held(seat, action)
            bench.move([self._offered], DISCARDS[seat])
        elif own_pung:
            self._offered = self._held(seat, action)
            bench.move([self._offered], MELDS[seat])
        for other in range(4):
            self._lay(other, melds[other], shadow.melds(other))
        for event in shadow.events[declared:]:
            self._take_won(event)

    def _held(self, seat: int, action: Action) -> int:
        return next(tile for tile in self._bench.zones[HANDS[seat]] if tile // 4 == action.tile)

    def _lay(self, seat: int, before: tuple[Meld, ...], after: tuple[Meld, ...]) -> None:
        known = {meld.tile for meld in before}
        for meld in after:
            if meld.tile in known:
                continue
            held = [tile for tile in self._bench.zones[HANDS[seat]] if tile // 4 == meld.tile]
            if meld.type is MeldType.CONCEALED:
                self._bench.move(held, MELDS[seat])
                continue
            held = held[: 2 if meld.type is MeldType.PUNG else 3]
            if self._chance.random() < 0.5:
                # Taken to the hand first, as some players do.
                self._bench.move([self._offered], HANDS[seat])
                self._bench.wait(self._chance.randint(100, 900))
            self._bench.move([self._offered, *held], MELDS[seat])

    def _take_won(self, event: Event) -> None:
        if isinstance(event, Hu) and event.by != SELF_DRAWN_HU:
            if event.by == ROBBED_KONG_HU:
                self._bench.wait(500)
            self._bench.move([self._offered], HANDS[event.winners[0].seat])
