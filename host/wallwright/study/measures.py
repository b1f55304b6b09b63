"""What is measured of a wall, given the rank of falling of the tile at each place; and how batches of walls are made.

A batch depends on the study's seed, the cell and its own index alone, so it is the same whoever makes it and when.
"""

import zlib
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..link.simulator import simulator
from .cells import PLACES, Cell

BATCH = 200
"""Walls of one batch."""
SEGMENTS = 12
"""Rows and columns of the map from the rank of falling to the place along the wall."""
MEASURES = ("rho", "first_third", "lower", "same_side", "neighbours")


class Measured(NamedTuple):
    """What was measured of some walls: by name of MEASURES a number a wall, and how often segment came to segment."""

    values: dict[str, NDArray[np.float64]]
    map: NDArray[np.int64]


def along(stacks: tuple[int, ...]) -> NDArray[np.float64]:
    """Return of each place how far along its wall it is, 0 the right end, 1 the left."""
    return np.concatenate([np.repeat((np.arange(count) + 0.5) / count, 2) for count in stacks])


def fair_means(stacks: tuple[int, ...]) -> dict[str, float]:
    """Return the mean that each measure has on fair walls, exactly."""
    tiles = 2 * sum(stacks)
    return {
        "rho": 0.0,
        "first_third": len(np.flatnonzero(along(stacks) < 1 / 3)) / tiles,
        "lower": 0.5,
        "same_side": 0.25,
        "neighbours": 1.0,
    }


def measure(ranks: NDArray[Any], pushed: NDArray[Any], stacks: tuple[int, ...]) -> Measured:
    """Measure walls: `ranks[wall, place]` as `many_drums` gives them, `pushed[wall, rank]` the side that pushed a tile.

    rho is the correlation of the rank with the place along the wall from its right end; first_third the share of the
    third that fell first in the first third of the walls; lower the share of the first half in the lower layer;
    same_side the share that stands at the side that pushed it; neighbours the pairs that fell one after the other and
    stand in one stack.
    """
    walls, tiles = ranks.shape
    far = along(stacks)
    side = np.repeat(np.arange(len(stacks)), 2 * np.array(stacks))
    lower = np.arange(tiles) % 2 == 0
    centred = ranks - ranks.mean(axis=1, keepdims=True)
    place = far - far.mean()
    rho = centred @ place / np.sqrt((centred**2).sum(axis=1) * (place**2).sum())
    third = ranks < tiles / 3
    half = ranks < tiles / 2
    from_side = np.take_along_axis(pushed, ranks.astype(np.int64), axis=1)
    pairs = ranks.reshape(walls, tiles // 2, 2)
    values = {
        "rho": rho,
        "first_third": third[:, far < 1 / 3].sum(axis=1) / third.sum(axis=1),
        "lower": half[:, lower].sum(axis=1) / half.sum(axis=1),
        "same_side": (from_side == side).mean(axis=1),
        "neighbours": (np.abs(pairs[:, :, 0] - pairs[:, :, 1]) == 1).sum(axis=1).astype(np.float64),
    }
    rows = ranks.astype(np.int64) * SEGMENTS // tiles
    columns = np.broadcast_to((far * SEGMENTS).astype(np.int64), rows.shape)
    counts = np.bincount((rows * SEGMENTS + columns).ravel(), minlength=SEGMENTS * SEGMENTS)
    return Measured(values, counts.reshape(SEGMENTS, SEGMENTS))


def batch(cell: Cell, stacks: tuple[int, ...], seed: int, index: int, walls: int) -> Measured:
    """Build and measure batch number `index` of a cell."""
    sequence = np.random.SeedSequence(entropy=seed, spawn_key=(zlib.crc32(cell.name.encode()), index))
    mixing = simulator("places").Mixing(d=cell.d) if cell.drum == PLACES else None
    built = simulator("many_drums").build_walls(
        walls, stacks, np.random.default_rng(sequence), mixing=mixing, wash_ms=cell.wash_s * 1000
    )
    return measure(built.ranks, built.pushed, stacks)
