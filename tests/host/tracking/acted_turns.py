"""Deals with chows, flowers and a wall of two ends, acted out as `acted` does it with Sichuan's.

What the players do with a tile follows from how the deal stands before and after each act.
"""

import random
from copy import copy
from dataclasses import dataclass
from typing import Any

from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.turns import Turns
from wallwright.rules.core.walls import deal_seats
from wallwright.tracking import ZoneEvent
from wallwright.tracking.zones import DISCARDS, HANDS, MELDS
from wallwright_simulator.readers import tag_of

from .acted import Bench

THINK_MS = {
    acts.DRAW: 1_000,
    acts.REPLACE: 900,
    acts.FLOWER: 900,
    acts.DISCARD: 2_000,
    acts.CHOW: 1_200,
    acts.PUNG: 900,
    acts.KONG: 1_200,
    acts.HU: 1_500,
    acts.GIVE: 600,
}


class Ends:
    """The two ends of a wall of so many tiles, of which places are taken."""

    def __init__(self, size: int, tail: tuple[int, ...]) -> None:
        self._orders = {acts.DRAW: tuple(range(size)), acts.REPLACE: tail}
        self._taken: list[int] = []

    def take(self, verb: str) -> int:
        """The next place of that end."""
        self._taken.append(next(place for place in self._orders[verb] if place not in self._taken))
        return self._taken[-1]

    def put_back(self) -> None:
        """The place that was taken last has its tile again."""
        self._taken.pop()


@dataclass(frozen=True, slots=True)
class ActedTurns:
    """A deal that was acted out: the truth, the tags with their kinds, what was told, and the wall as heads read it."""

    deal: Turns
    tiles: dict[bytes, int]
    events: tuple[ZoneEvent, ...]
    wall: tuple[bytes | None, ...]
    tail: tuple[int, ...]


def act_out_turns(
    deal: Turns,
    start: Turns,
    tail: tuple[int, ...],
    seed: int,
    *,
    keys: bool = False,
    hesitate_ms: int = 0,
    **shares: int,
) -> ActedTurns:
    """Act out a finished deal; `start` is the same before its first act with its wall, and `tail` the places of that
    wall in the order of replacements. `shares` are the readers' errors in permille, by name; with `keys`, who claims
    presses one, `hesitate_ms` later than usual.
    """
    assert start.wall is not None
    dealt = [kind for hand in deal.dealt for kind in hand]
    faces = tuple(sorted((*dealt, *start.wall)))
    chance = random.Random(f"{seed}/players")
    bench = Bench(seed, shares, len(faces))
    spare: dict[int, list[int]] = {}
    for tile, kind in enumerate(faces):
        spare.setdefault(kind, []).append(tile)
    hands = [iter(hand) for hand in deal.dealt]
    order = [spare[kind].pop() for kind in (*(next(hands[seat]) for seat in deal_seats(deal.dealer)), *start.wall)]
    for tile in order:
        bench.passes_head(tile)
    bench.wait(2_000)
    passed = frozenset(bench.passed)
    bench.told.clear()
    start.wall = None
    actor = _Actor(bench, start, order, tail, faces, chance)
    actor.keys, actor.hesitate_ms = keys, hesitate_ms
    actor.deal_out()
    for act in deal.log:
        actor.do(act)
    bench.wait(4_000)
    tags = [tag_of(seed, tile) for tile in range(len(faces))]
    wall = tuple(tags[tile] if tags[tile] in passed else None for tile in order)
    return ActedTurns(deal, dict(zip(tags, faces, strict=True)), tuple(bench.told), wall, tail)


class _Actor:
    def __init__(
        self, bench: Bench, shadow: Turns, order: list[int], tail: tuple[int, ...], faces: Any, chance: random.Random
    ) -> None:
        self._bench, self._shadow, self._faces, self._chance = bench, shadow, faces, chance
        self._dealt = order[: len(order) - shadow.wall_size]
        self._wall = order[len(self._dealt) :]
        self._ends = Ends(len(self._wall), tail)
        self._offered = self._drawn = -1
        self.keys, self.hesitate_ms = False, 0

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

    def do(self, act: Act) -> None:
        bench, shadow, seat = self._bench, self._shadow, act.seat
        before = copy(shadow.state)
        bench.wait(int(THINK_MS.get(act.verb, 0) * self._chance.uniform(0.5, 1.3)))
        is_late = act in shadow.late()
        claiming = before.queue or is_late
        if claiming and self.keys and act.verb != acts.PASS:
            bench.wait(self.hesitate_ms)
            bench.press(seat)
        shadow.apply(act)
        if is_late:
            self._ends.put_back()
            bench.take_away(self._drawn)
            bench.wait(self._chance.randint(100, 3_000))
        elif act.verb in (acts.DRAW, acts.REPLACE):
            self._drawn = self._wall[self._ends.take(act.verb)]
            bench.move([self._drawn], HANDS[seat])
        elif act.verb == acts.FLOWER:
            bench.move([self._held(seat, act.tile)], MELDS[seat])
        elif act.verb == acts.DISCARD:
            self._offered = self._held(seat, act.tile)
            bench.move([self._offered], DISCARDS[seat])
        elif act.verb == acts.KONG and not claiming and shadow.state.face == "promoted":
            self._offered = self._held(seat, act.tile)
            bench.move([self._offered], MELDS[seat])
        elif act.verb == acts.KONG and not claiming and shadow.state.sets == before.sets:
            # Others are asked first whether they rob it.
            own = [tile for tile in bench.zones[HANDS[seat]] if self._faces[tile] == act.tile]
            self._offered = own[0]
            bench.move(own, MELDS[seat])
        self._hand_over(shadow.handed())
        self._lay(before.sets)
        won = shadow.state.won
        if won is not None and won.from_ is not None:
            bench.wait(500)
            bench.move([self._offered], HANDS[won.winners[0]])

    def _hand_over(self, handed: tuple[tuple[int, int, int], ...]) -> None:
        """All tiles of an exchange go at once."""
        chosen: list[tuple[int, int]] = []
        for seat, kind, to in handed:
            mine = (tile for tile in self._bench.zones[HANDS[seat]] if self._faces[tile] == kind)
            chosen.append((next(tile for tile in mine if tile not in dict(chosen)), to))
        for tile, to in chosen:
            self._bench.move([tile], HANDS[to])

    def _lay(self, before: Any) -> None:
        """New sets are laid down, with the tile claimed unless all tiles were in the hand."""
        for seat in range(4):
            for made in self._shadow.state.sets[seat][len(before[seat]) :]:
                own = list(made.tiles)
                if made.is_concealed and self._offered in self._bench.zones[MELDS[seat]]:
                    continue
                if not made.is_concealed:
                    own.remove(self._faces[self._offered])
                hand = self._bench.zones[HANDS[seat]]
                tiles: list[int] = []
                for kind in own:
                    tiles.append(next(tile for tile in hand if self._faces[tile] == kind and tile not in tiles))
                if made.is_concealed:
                    self._bench.move(tiles, MELDS[seat])
                    continue
                if self._chance.random() < 0.5:
                    self._bench.move([self._offered], HANDS[seat])
                    self._bench.wait(self._chance.randint(100, 900))
                self._bench.move([self._offered, *tiles], MELDS[seat])

    def _held(self, seat: int, kind: int | None) -> int:
        return next(tile for tile in self._bench.zones[HANDS[seat]] if self._faces[tile] == kind)
