"""Pictures of the tiles, drawn by this module: one SVG file with a symbol for each, `1m` to `9s`.

Each has its number in a corner, so that it can be read by who does not know the suits.
"""

from collections.abc import Iterator

WIDTH, HEIGHT = 60, 80
_NUMERALS = "一二三四五六七八九"
_RED, _GREEN, _BLUE, _INK = "#b3261e", "#1c6b46", "#1d4f91", "#20262b"
_SUITS = "mps"

_ROWS = {
    1: (1,), 2: (1, 1), 3: (1, 1, 1), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 7: (1, 2, 2, 2), 8: (2, 2, 2, 2),
    9: (3, 3, 3),
}  # fmt: skip
"""How many dots or sticks lie in each row of a number."""


_RED_STICKS = {(5, 1), (7, 0), (9, 1)}


def tile_sheet() -> str:
    """Return the file with all symbols."""
    symbols = "".join(_symbol(number, suit) for suit in _SUITS for number in range(1, 10))
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


def _symbol(number: int, suit: str) -> str:
    face = {"m": _characters, "p": _dots, "s": _bamboo}[suit](number)
    colour = {"m": _RED, "p": _BLUE, "s": _GREEN}[suit]
    return (
        f'<symbol id="{number}{suit}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect x="1" y="5" width="58" height="74" rx="8" fill="#2f7d5b"/>'
        f'<rect x="1" y="1" width="58" height="74" rx="8" fill="#fffdf6" stroke="#b9b29c"/>'
        f'<text x="7" y="15" font-size="12" font-family="sans-serif" fill="{colour}">{number}</text>{face}</symbol>'
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
            for radius, fill in ((17, _BLUE), (13, "#fffdf6"), (10, _RED), (4, "#fffdf6"))
        )
    radius = 5.5 if number > 4 else 7.5
    colours = (_BLUE, _GREEN, _RED)
    return "".join(
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colours[row % 3]}"/>'
        f'<circle cx="{x}" cy="{y}" r="{radius * 0.4}" fill="#fffdf6"/>'
        for row, x, y in _places(number)
    )


def _bamboo(number: int) -> str:
    if number == 1:
        return (
            f'<path d="M30 66 V34" stroke="{_GREEN}" stroke-width="5" stroke-linecap="round"/>'
            f'<path d="M30 44 C14 42 12 28 15 20 C26 22 31 32 30 44 Z" fill="{_GREEN}"/>'
            f'<path d="M30 52 C46 50 49 36 46 27 C35 30 29 40 30 52 Z" fill="{_GREEN}"/>'
            f'<circle cx="30" cy="26" r="5" fill="{_RED}"/>'
        )
    length = {1: 30, 2: 24, 3: 17, 4: 12}[len(_ROWS[number])]
    return "".join(
        f'<path d="M{x} {y - length / 2} v{length}" stroke="{_RED if (number, row) in _RED_STICKS else _GREEN}"'
        f' stroke-width="5" stroke-linecap="round"/>'
        for row, x, y in _places(number)
    )


def _places(number: int) -> Iterator[tuple[int, float, float]]:
    """Row, x and y of every dot or stick."""
    rows = _ROWS[number]
    for row, count in enumerate(rows):
        y = 42 + (row - (len(rows) - 1) / 2) * {1: 0, 2: 28, 3: 20, 4: 15}[len(rows)]
        for column in range(count):
            yield row, 30 + (column - (count - 1) / 2) * 16, y
