"""A drum in which tiles have places: how well it mixes depends on where tiles fall, and on how long it turns.

A tile that falls first lies outermost, near the side that pushed it. While the disc turns, tiles diffuse over it, are
reflected at its edge, and lag behind it towards the centre. How often a magnet meets a tile, how often that one lies
face up and how often it turns over is the same as in `Drum`, so builds take as long. Which tile it is differs: of those
that lie so, the one nearest to the mouth among the `rim` outermost.

This is a model with plausible constants. No table has been measured; docs/fairness.md says what is known. A tile's path
follows from the seed, the load, the tile, where it fell and the time for which the disc has turned, and from nothing
that a controller does.
"""

import random
from cmath import phase, rect
from math import cos, log, pi, sin, sqrt
from typing import Any, NamedTuple

from wallwright_protocol.hardware import SIDES

from .clock import Agenda
from .drum import Drum
from .mechanics import (
    DISC_TURN_MS,
    DRUM_D,
    DRUM_F,
    DRUM_RADIUS_CM,
    DRUM_RIM,
    DRUM_SLIP,
    FALL_ANGLE,
    FALL_NOISE,
    RING_SLOT_MS,
    STIR_STEP_MS,
)

TURN = 2 * pi


class Mixing(NamedTuple):
    """The constants of a drum: `d` in cm2/s, the others as `mechanics` has them. ValueError from `checked`."""

    d: float = DRUM_D
    f: float = DRUM_F
    rim: int = DRUM_RIM
    slip: float = DRUM_SLIP

    def checked(self) -> "Mixing":
        """Return it; ValueError says what cannot be."""
        if not 0 <= self.d <= 1000:
            raise ValueError(f"D is {self.d}: it is a constant of diffusion from 0 to 1000 cm2/s")
        for name, value in (("f", self.f), ("slip", self.slip)):
            if not 0 <= value <= 1:
                raise ValueError(f"{name} is {value}: it is a share from 0 to 1")
        if self.rim < 1:
            raise ValueError(f"rim is {self.rim}: a magnet meets one of at least 1 tile")
        return self


def read_mixing(text: str) -> Mixing | None:
    """Read "ideal" (None), "places", or "places:d=2.25,rim=80" with constants; ValueError says what is wrong."""
    name, _, rest = text.partition(":")
    if name == "ideal" and not rest:
        return None
    if name != "places":
        raise ValueError(f"no drum is called {text!r}: there are ideal, places, and places:d=2.25,f=0.5,rim=80,slip=0")
    values: dict[str, Any] = {}
    for part in filter(None, rest.split(",")):
        key, _, value = part.partition("=")
        if key not in Mixing._fields:
            raise ValueError(f"a drum has no {key!r}: its constants are {', '.join(Mixing._fields)}")
        try:
            values[key] = int(value) if key == "rim" else float(value)
        except ValueError:
            raise ValueError(f"{key} takes a number, not {value!r}, as in places:d=2.25,rim=80") from None
    return Mixing(**values).checked()


class _Place:
    """A tile's place after `step` steps, in cm from the centre of the disc, which turns with it; `spare` is a normal
    number of the stream that was drawn with its fall and not used."""

    __slots__ = ("at", "spare", "step", "stream")

    def __init__(self, at: complex, step: int, stream: random.Random, spare: float | None) -> None:
        self.at = at
        self.step = step
        self.stream = stream
        self.spare = spare

    def stir(self, steps: int, spread: float, lag: float) -> None:
        """Move by `steps` steps: `spread` in cm is the deviation of each, `lag` the angle by which the centre lags.

        Normal numbers come in pairs, by Box and Muller, the same and in the same order as from `random.gauss`.
        """
        x, y, radius = self.at.real, self.at.imag, abs(self.at)
        spare, uniform = self.spare, self.stream.random
        for _ in range(steps):
            if lag:
                behind = lag * (radius / DRUM_RADIUS_CM - 1)
                along, across = cos(behind), sin(behind)
                x, y = x * along - y * across, x * across + y * along
            angle, far = TURN * uniform(), sqrt(-2 * log(1 - uniform()))
            one, other = cos(angle) * far, sin(angle) * far
            if spare is not None:
                one, other, spare = spare, one, other
            x += one * spread
            y += other * spread
            radius = abs(complex(x, y))
            if radius > DRUM_RADIUS_CM:
                back = abs(2 * DRUM_RADIUS_CM - radius) / radius
                x, y = x * back, y * back
                radius = abs(complex(x, y))
        self.at = complex(x, y)
        self.spare = spare
        self.step += steps


class PlacesDrum(Drum):
    """A drum whose tiles have places; `turn_ms` is one turn of its disc."""

    __slots__ = (
        "_fallen",
        "_outer",
        "_outer_step",
        "_places",
        "_since_ms",
        "_stirred_ms",
        "_stirring",
        "mixing",
        "turn_ms",
    )

    def __init__(
        self,
        agenda: Agenda,
        seed: int,
        *,
        slot_ms: int = RING_SLOT_MS,
        mixing: Mixing | None = None,
        turn_ms: int = DISC_TURN_MS,
    ) -> None:
        self.mixing = (mixing or Mixing()).checked()
        self.turn_ms = turn_ms
        self._places: dict[int, _Place] = {}
        self._fallen: dict[int, int] = {}
        self._stirred_ms = 0
        self._since_ms = 0
        self._stirring = False
        self._outer: list[tuple[float, int, float, float]] = []
        self._outer_step = -1
        super().__init__(agenda, seed, slot_ms=slot_ms)

    def stir(self, on: bool) -> None:
        """The disc turns from now on, with the ring or alone, or it rests."""
        if on != self._stirring:
            self._stirred_ms = self.stirred_ms
            self._since_ms = self._agenda.now_ms
            self._stirring = on

    @property
    def stirred_ms(self) -> int:
        """For how long the disc has turned since the drum was made."""
        return self._stirred_ms + (self._agenda.now_ms - self._since_ms if self._stirring else 0)

    def copy(self, agenda: Agenda) -> "PlacesDrum":
        """The same drum with the same luck to come, at rest and on another agenda."""
        other = super().copy(agenda)
        assert isinstance(other, PlacesDrum)
        other._stirred_ms = self.stirred_ms
        other._fallen = dict(self._fallen)
        for tile, place in self._places.items():
            stream = random.Random()
            stream.setstate(place.stream.getstate())
            other._places[tile] = _Place(place.at, place.step, stream, place.spare)
        return other

    def places(self) -> dict[int, tuple[float, float]]:
        """By tile of the drum: how far it lies from the centre, in cm, and its angle in the room, in radians."""
        turned = self._turned()
        step = self.stirred_ms // STIR_STEP_MS
        return {
            tile: (abs(at), phase(at) + turned) for tile, at in ((tile, self._at(tile, step)) for tile in self.tiles)
        }

    def _empty(self, agenda: Agenda) -> Drum:
        return PlacesDrum(agenda, self._seed, slot_ms=self.slot_ms, mixing=self.mixing, turn_ms=self.turn_ms)

    def _fall(self, tile: int, side: int | None, rank: float | None) -> None:
        fallen = self._fallen[tile] = self._fallen.get(tile, 0) + 1
        stream = random.Random(f"{self._seed}/places/{self.load}/{tile}/{fallen}")
        spare = None
        if side is None:
            radius, angle = sqrt(stream.random()), stream.uniform(-pi, pi)
        else:
            angle = mouth_angle(side) + stream.gauss(0, FALL_ANGLE)
            if rank is None:
                radius, spare = 1.0, stream.gauss(0, 1)
            else:
                radius = fall_radius(rank, self.mixing.f, stream)
        at = rect(radius * DRUM_RADIUS_CM, angle - self._turned())
        self._places[tile] = _Place(at, self.stirred_ms // STIR_STEP_MS, stream, spare)
        self._outer_step = -1

    def _left(self, tile: int) -> None:
        del self._places[tile]
        self._outer = [one for one in self._outer if one[1] != tile]

    def _met(self, lane: int, luck: int) -> int:
        """Whether a tile face up or one face down is met, is as if any could be; which one it is, places decide."""
        is_up = self._lies_up(self.tiles[super()._met(lane, luck)])
        step = self.stirred_ms // STIR_STEP_MS
        if step != self._outer_step:
            self._look(step)
        mouth = rect(1, mouth_angle(lane) - self._turned())
        x, y = mouth.real, mouth.imag
        rim = [one for one in self._outer[: self.mixing.rim] if self._lies_up(one[1]) == is_up]
        rim = rim or [next(one for one in self._outer if self._lies_up(one[1]) == is_up)]
        return self.tiles.index(max(rim, key=lambda one: one[2] * x + one[3] * y)[1])

    def _look(self, step: int) -> None:
        """Order the tiles from the outermost on, each with the direction in which it lies on the disc."""
        self._outer_step = step
        self._outer = []
        for tile in self.tiles:
            at = self._at(tile, step)
            radius = abs(at) or 1.0
            self._outer.append((-radius, tile, at.real / radius, at.imag / radius))
        self._outer.sort()

    def _turned(self) -> float:
        """The angle of the disc in the room, in radians."""
        return TURN * (self.stirred_ms % self.turn_ms) / self.turn_ms

    def _at(self, tile: int, step: int) -> complex:
        """Where a tile lies on the disc after so many steps."""
        place = self._places[tile]
        steps = step - place.step
        if steps:
            spread = sqrt(2 * self.mixing.d * STIR_STEP_MS / 1000)
            place.stir(steps, spread, self.mixing.slip * TURN * STIR_STEP_MS / self.turn_ms)
        return place.at


def mouth_angle(lane: int) -> float:
    """The angle of a side's mouth in the room, in radians."""
    return TURN * lane / SIDES


def fall_radius(rank: float, f: float, stream: random.Random) -> float:
    """How far from the centre a tile of `rank` 0 (the first) to 1 falls, as a part of the radius."""
    radius = f * sqrt(1 - rank) + (1 - f) * sqrt(stream.random()) + stream.gauss(0, FALL_NOISE)
    radius = abs(radius)
    return radius if radius <= 1 else max(0.0, 2 - radius)
