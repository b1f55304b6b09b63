"""Which faces a set of tiles has: for host and simulator. The board counts tiles and does not load this file.

Names are MPSZ: 1m to 9m, 1p to 9p, 1s to 9s (characters, dots, bamboo), 1z to 4z the winds east, south, west, north,
5z white, 6z green, 7z red. Two names are this project's own: 1f to 8f are flowers, one tile each (1f to 4f the seasons,
5f to 8f the plants), and 1j is a joker.
"""

COPIES = 4
SUITED = tuple(f"{rank}{suit}" for suit in "mps" for rank in range(1, 10))
HONOURS = tuple(f"{rank}z" for rank in range(1, 8))
FLOWERS = tuple(f"{number}f" for number in range(1, 9))
JOKERS = ("1j",) * 8


def _four_each(*kinds: str) -> tuple[str, ...]:
    return tuple(kind for kind in kinds for _ in range(COPIES))


FACES = {
    108: _four_each(*SUITED),
    112: _four_each(*SUITED, "7z"),
    116: _four_each(*SUITED, "7z", "6z"),
    120: _four_each(*SUITED, "7z", "6z", "5z"),
    136: _four_each(*SUITED, *HONOURS),
    144: _four_each(*SUITED, *HONOURS) + FLOWERS,
    152: _four_each(*SUITED, *HONOURS) + FLOWERS + JOKERS,
}
"""Number of tiles in a set -> the face of each index. The sets between 108 and 136 have dragons and no winds."""


def set_faces(tiles: int) -> tuple[str, ...]:
    """The faces of a set of `tiles` tiles, by index. ValueError names the sets there are."""
    if tiles not in FACES:
        raise ValueError(f"no set of {tiles} tiles is known: use one of {', '.join(map(str, FACES))}")
    return FACES[tiles]
