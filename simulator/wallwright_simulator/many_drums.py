"""Thousands of drums at once, in arrays: those of `places` and `drum`, for studies of many builds. Needs NumPy.

It was written from the model's description, not from `places`, so that each checks the other; a test holds their curves
together. Mouths are free to take at every slot, as in `ideal`: there are no belts, heads or firmware here.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wallwright_protocol.hardware import SIDES, TILES_PER_STACK

from .mechanics import (
    CATCH_HALF,
    CATCH_LIMIT,
    DISC_TURN_MS,
    DRUM_RADIUS_CM,
    FALL_ANGLE,
    FALL_NOISE,
    REPELLED_FLIPS,
    RING_SLOT_MS,
    STIR_STEP_MS,
)
from .places import Mixing

MOST_SLOTS = 2_000
"""A build that has not ended after so many turns past each mouth never will."""


class Walls(NamedTuple):
    """What the drums gave: `ranks[build, place]` is the rank of falling, 0 the first, of the tile at a place.

    Places are counted side by side, by stack from the right end, lower before upper; `side`, `stack` and `layer` say of
    each which it is. `pushed[build, rank]` is the side that pushed a tile, `ms[build]` how long the ring turned.
    """

    ranks: NDArray[np.int16]
    pushed: NDArray[np.int8]
    side: NDArray[np.int16]
    stack: NDArray[np.int16]
    layer: NDArray[np.int16]
    ms: NDArray[np.int32]


def build_walls(
    builds: int,
    plan: Sequence[int],
    generator: np.random.Generator,
    *,
    mixing: Mixing | None = None,
    wash_ms: int = 0,
) -> Walls:
    """Build so many walls of `plan` stacks a side, each from a full drum of its own.

    Without `mixing` the drum is ideal. The disc turns alone for `wash_ms` first.
    """
    wanted = np.array(plan) * TILES_PER_STACK
    tiles = int(wanted.sum())
    pushed = generator.integers(0, SIDES, (builds, tiles), dtype=np.int8)
    drums = _Places(pushed, generator, mixing.checked()) if mixing else None
    face_up = generator.random((builds, tiles)) < 0.5
    there = np.ones((builds, tiles), dtype=bool)
    taken = np.zeros((builds, SIDES), dtype=np.int64)
    left = np.full(builds, tiles)
    ms = np.zeros(builds, dtype=np.int32)
    starts = np.concatenate(([0], np.cumsum(wanted)[:-1]))
    ranks = np.zeros((builds, tiles), dtype=np.int16)
    for slot in range(MOST_SLOTS):
        if not left.any():
            break
        for lane in range(SIDES):
            now_ms = slot * RING_SLOT_MS + RING_SLOT_MS * (lane + 1) // SIDES
            chance = CATCH_LIMIT * left / (left + CATCH_HALF)
            met = np.flatnonzero((taken[:, lane] < wanted[lane]) & (generator.random(builds) < chance))
            if not len(met):
                continue
            tile = np.where(there[met], generator.random((len(met), tiles)), -1).argmax(axis=1)
            up = face_up[met, tile]
            if drums:
                tile = drums.nearest(met, there[met], face_up[met] == up[:, None], lane, wash_ms + now_ms)
            turns = up & (generator.random(len(met)) < REPELLED_FLIPS)
            face_up[met[turns], tile[turns]] = False
            met, tile = met[~up], tile[~up]
            ranks[met, starts[lane] + taken[met, lane]] = tile
            there[met, tile] = False
            taken[met, lane] += 1
            left[met] -= 1
            ms[met] = now_ms
    else:
        raise RuntimeError(f"walls were not whole after {MOST_SLOTS} slots")
    side = np.repeat(np.arange(SIDES), wanted).astype(np.int16)
    place = np.concatenate([np.arange(count) for count in wanted])
    stack, layer = np.divmod(place, TILES_PER_STACK)
    return Walls(ranks, pushed, side, stack.astype(np.int16), layer.astype(np.int16), ms)


class _Places:
    """Where the tiles of all drums lie, in cm from the centres, in coordinates that turn with the discs."""

    def __init__(self, pushed: NDArray[np.int8], generator: np.random.Generator, mixing: Mixing) -> None:
        self._generator = generator
        self._mixing = mixing
        self._step = 0
        shape = pushed.shape
        rank = (np.arange(shape[1]) + 0.5) / shape[1]
        angle = pushed * (2 * np.pi / SIDES) + generator.normal(0, FALL_ANGLE, shape)
        inner = np.sqrt(generator.random(shape))
        radius = mixing.f * np.sqrt(1 - rank) + (1 - mixing.f) * inner + generator.normal(0, FALL_NOISE, shape)
        self._at = self._inside(radius * DRUM_RADIUS_CM * np.exp(1j * angle))
        self._unit = self._at
        self._radius = np.abs(self._at)
        self._look()

    def nearest(
        self,
        rows: NDArray[np.int64],
        there: NDArray[np.bool_],
        wanted: NDArray[np.bool_],
        lane: int,
        stirred_ms: int,
    ) -> NDArray[np.int64]:
        """Of each of these drums the `wanted` tile nearest to the mouth of `lane`, among the outermost `there`.

        Where none of those is wanted it is the outermost that is.
        """
        self._stir(stirred_ms // STIR_STEP_MS)
        radius = np.where(there, self._radius[rows], -1.0)
        tiles = radius.shape[1]
        rim = min(self._mixing.rim, tiles)
        least = np.partition(radius, tiles - rim, axis=1)[:, tiles - rim]
        angle = lane * (2 * np.pi / SIDES) - 2 * np.pi * stirred_ms / DISC_TURN_MS
        towards = (self._unit[rows] * np.exp(-1j * angle)).real
        inner = radius < least[:, None]
        towards[inner] = radius[inner] / DRUM_RADIUS_CM - 4
        towards[~(there & wanted)] = -9.0
        nearest: NDArray[np.int64] = towards.argmax(axis=1)
        return nearest

    def _stir(self, step: int) -> None:
        if step == self._step:
            return
        spread = np.sqrt(2 * self._mixing.d * STIR_STEP_MS / 1000)
        lag = self._mixing.slip * 2 * np.pi * STIR_STEP_MS / DISC_TURN_MS
        for _ in range(step - self._step):
            at = self._at * np.exp(1j * lag * (np.abs(self._at) / DRUM_RADIUS_CM - 1))
            noise = self._generator.normal(0, spread, (2, *at.shape))
            self._at = self._inside(at + noise[0] + 1j * noise[1])
        self._step = step
        self._look()

    def _look(self) -> None:
        self._radius = np.abs(self._at)
        self._unit = self._at / np.maximum(self._radius, 1e-9)

    @staticmethod
    def _inside(at: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """Reflect at the edge what has passed it."""
        radius = np.abs(at)
        beyond = radius > DRUM_RADIUS_CM
        at[beyond] *= np.abs(2 * DRUM_RADIUS_CM - radius[beyond]) / radius[beyond]
        return at
