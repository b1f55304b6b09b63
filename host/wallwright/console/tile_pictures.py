"""Pictures of all 42 kinds of tiles, drawn by this module: one SVG file with a symbol for each, `1m` to `8f`.

Each has its number or letter in a corner, so that it can be read by who does not know the suits and characters. The
seasons have red numbers, the plants blue ones (CLA-1.3).
"""

from collections.abc import Callable, Iterator
from math import cos, pi, sin

from ..rules.core.tiles import NAMES

WIDTH, HEIGHT = 60, 80
_NUMERALS = "一二三四五六七八九"
_RED, _GREEN, _BLUE, _INK = "#b3261e", "#1c6b46", "#1d4f91", "#20262b"
_GOLD, _PALE = "#c98a12", "#fffdf6"

_ROWS = {
    1: (1,), 2: (1, 1), 3: (1, 1, 1), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 7: (1, 2, 2, 2), 8: (2, 2, 2, 2),
    9: (3, 3, 3),
}  # fmt: skip
"""How many dots or sticks lie in each row of a number."""


_RED_STICKS = {(5, 1), (7, 0), (9, 1)}


_HONOURS = (
    ("E", "東", _INK), ("S", "南", _INK), ("W", "西", _INK), ("N", "北", _INK), ("Wh", "", _BLUE), ("G", "發", _GREEN),
    ("R", "中", _RED),
)  # fmt: skip
"""Letter, character and colour of 1z to 7z; the white dragon is a frame."""


def tile_sheet() -> str:
    """Return the file with all symbols."""
    return f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(map(_symbol, NAMES))}</svg>'


def _symbol(name: str) -> str:
    number, letter = int(name[0]), name[1]
    face = {"m": _characters, "p": _dots, "s": _bamboo, "z": _honours, "f": _flowers}[letter](number)
    corner, colour = str(number), {"m": _RED, "p": _BLUE, "s": _GREEN}.get(letter)
    if letter == "z":
        corner, _, colour = _HONOURS[number - 1]
    elif letter == "f":
        corner, colour = str((number - 1) % 4 + 1), _RED if number <= 4 else _BLUE
    return (
        f'<symbol id="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect x="1" y="5" width="58" height="74" rx="8" fill="#2f7d5b"/>'
        f'<rect x="1" y="1" width="58" height="74" rx="8" fill="{_PALE}" stroke="#b9b29c"/>'
        f'<text x="7" y="15" font-size="12" font-family="sans-serif" fill="{colour}">{corner}</text>{face}</symbol>'
    )


def _characters(number: int) -> str:
    style = 'text-anchor="middle" font-family="serif" font-weight="bold"'
    return (
        f'<text x="32" y="36" font-size="27" fill="{_INK}" {style}>{_NUMERALS[number - 1]}</text>'
        f'<text x="30" y="67" font-size="28" fill="{_RED}" {style}>萬</text>'
    )


def _dots(number: int) -> str:
    if number == 1:
        return "".join(
            f'<circle cx="30" cy="40" r="{radius}" fill="{fill}"/>'
            for radius, fill in ((17, _BLUE), (13, _PALE), (10, _RED), (4, _PALE))
        )
    radius = 5.5 if number > 4 else 7.5
    colours = (_BLUE, _GREEN, _RED)
    points = {row: "".join(f"M{x:g} {y:g}h0" for at, x, y in _places(number) if at == row) for row in range(4)}
    dots = "".join(_line(path, colours[row % 3], 2 * radius) for row, path in points.items() if path)
    return dots + _line("".join(points.values()), _PALE, 0.8 * radius)


def _bamboo(number: int) -> str:
    if number == 1:
        return (
            f'<path d="M30 66 V34" stroke="{_GREEN}" stroke-width="5" stroke-linecap="round"/>'
            f'<path d="M30 44 C14 42 12 28 15 20 C26 22 31 32 30 44 Z" fill="{_GREEN}"/>'
            f'<path d="M30 52 C46 50 49 36 46 27 C35 30 29 40 30 52 Z" fill="{_GREEN}"/>'
            f'<circle cx="30" cy="26" r="5" fill="{_RED}"/>'
        )
    length = {1: 30, 2: 24, 3: 17, 4: 12}[len(_ROWS[number])]
    points = {
        row: "".join(f"M{x:g} {y - length / 2:g}v{length}" for at, x, y in _places(number) if at == row)
        for row in range(4)
    }
    red = "".join(path for row, path in points.items() if (number, row) in _RED_STICKS)
    green = "".join(path for row, path in points.items() if (number, row) not in _RED_STICKS)
    return _line(green, _GREEN, 5) + (_line(red, _RED, 5) if red else "")


def _places(number: int) -> Iterator[tuple[int, float, float]]:
    """Row, x and y of every dot or stick."""
    rows = _ROWS[number]
    for row, count in enumerate(rows):
        y = 42 + (row - (len(rows) - 1) / 2) * {1: 0, 2: 28, 3: 20, 4: 15}[len(rows)]
        for column in range(count):
            yield row, 30 + (column - (count - 1) / 2) * 16, y


def _honours(number: int) -> str:
    _, character, colour = _HONOURS[number - 1]
    if not character:
        frames = ((13, 22, 34, 44, 4), (19, 28, 22, 32, 1.5))
        return "".join(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="2" fill="none" stroke="{colour}"'
            f' stroke-width="{stroke}"/>'
            for x, y, width, height, stroke in frames
        )
    style = 'text-anchor="middle" font-family="serif" font-weight="bold"'
    return f'<text x="31" y="59" font-size="42" fill="{colour}" {style}>{character}</text>'


def _flowers(number: int) -> str:
    character, drawn = _PLANTS[number - 1]
    style = 'text-anchor="middle" font-family="serif" font-weight="bold"'
    return f'<text x="45" y="20" font-size="18" fill="{_INK}" {style}>{character}</text>{drawn()}'


def _spring() -> str:
    """A sprout with its first blossom."""
    return (
        f"{_line('M30 70 C31 60 29 54 30 46', _GREEN, 3)}"
        f'<path d="M30 64 C20 64 14 58 13 51 C23 51 29 56 30 64 Z" fill="{_GREEN}"/>'
        f'<path d="M30 60 C40 60 46 54 47 47 C37 47 31 52 30 60 Z" fill="{_GREEN}"/>{_blossom(30, 39, 6.2, "#d9628f")}'
    )


def _summer() -> str:
    """The sun."""
    return f'<circle cx="30" cy="47" r="11" fill="{_RED}"/>{_rays(30, 47, (15, 21), 8, _GOLD, 3)}'


def _autumn() -> str:
    """A leaf that has turned."""
    return (
        f'<path d="M30 28 C46 34 46 54 30 64 C14 54 14 34 30 28 Z" fill="{_GOLD}"/>'
        f"{_line('M30 34 V71', _RED, 2.5)}{_line('M30 50 L22 43 M30 50 L38 43 M30 58 L23 52 M30 58 L37 52', _RED, 2)}"
    )


def _winter() -> str:
    """A flake of snow."""
    arm = _line("M30 47V27M30 33L25 28M30 33L35 28", _BLUE, 2.8)
    return "".join(f'<g transform="rotate({60 * turn} 30 47)">{arm}</g>' for turn in range(6))


def _plum() -> str:
    """Blossoms on a bare branch."""
    branch = _line("M13 71 C24 66 30 58 36 48 M27 61 C24 54 22 48 21 42", "#6b4a2f", 3.5)
    return f"{branch}{_blossom(38, 42, 6, _RED)}{_blossom(19, 37, 4.4, _RED)}"


def _orchid() -> str:
    """Long leaves, and a flower above them."""
    leaves = _line("M30 71 C28 56 20 46 11 42 M30 71 C33 56 41 50 49 49 M30 71 C30 60 29 54 31 44", _GREEN, 3)
    petals = _line("M31 39 V27 M31 39 L24 29 M31 39 L38 29 M31 39 L19 36 M31 39 L43 36", "#7a4a9e", 5)
    return f'{leaves}{petals}<circle cx="31" cy="41" r="3" fill="{_GOLD}"/>'


def _bamboo_plant() -> str:
    """A stalk with its joints and leaves."""
    joints = "".join(_line(f"M26 {y} v11.5", _GREEN, 6) for y in (28, 43.5, 59))
    leaves = "M29 41 C39 38 46 41 49 47 C40 50 33 48 29 41 Z M29 56 C38 52 45 54 49 60 C41 64 34 62 29 56 Z"
    return f'{joints}<path d="{leaves} M23 56 C18 49 12 48 8 51 C11 58 17 60 23 56 Z" fill="{_GREEN}"/>'


def _chrysanthemum() -> str:
    """Two rings of narrow petals."""
    stalk = (
        f'{_line("M30 70 V54", _GREEN, 3)}<path d="M30 68 C36 68 41 65 43 60 C36 59 32 62 30 68 Z" fill="{_GREEN}"/>'
    )
    petals = _rays(30, 41, (6, 14), 14, _GOLD, 3.6) + _rays(30, 41, (3, 8), 9, "#e8b93c", 3.2)
    return f'{stalk}{petals}<circle cx="30" cy="41" r="3" fill="{_RED}"/>'


_PLANTS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("春", _spring), ("夏", _summer), ("秋", _autumn), ("冬", _winter), ("梅", _plum), ("蘭", _orchid),
    ("竹", _bamboo_plant), ("菊", _chrysanthemum),
)  # fmt: skip
"""Character and drawing of 1f to 8f."""


def _line(path: str, colour: str, width: float) -> str:
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linecap="round"/>'


def _rays(x: float, y: float, reach: tuple[float, float], count: int, colour: str, width: float) -> str:
    """So many strokes round a middle, from one distance to another."""
    ends = zip(_round(x, y, reach[0], count), _round(x, y, reach[1], count), strict=True)
    return _line("".join(f"M{a:.0f} {b:.0f} {c:.0f} {d:.0f}" for (a, b), (c, d) in ends), colour, width)


def _blossom(x: float, y: float, radius: float, colour: str) -> str:
    """Five petals round a golden middle."""
    petals = "".join(f"M{u:.1f} {v:.1f}h0" for u, v in _round(x, y, radius, 5))
    return f'{_line(petals, colour, radius * 1.7)}<circle cx="{x}" cy="{y}" r="{radius * 0.55:.1f}" fill="{_GOLD}"/>'


def _round(x: float, y: float, radius: float, count: int) -> Iterator[tuple[float, float]]:
    """So many points round a middle, the first above it."""
    for turn in range(count):
        angle = 2 * pi * turn / count
        yield x + radius * sin(angle), y - radius * cos(angle)
