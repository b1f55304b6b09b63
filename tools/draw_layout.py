"""Draws the layout from the imports: which wing of the host stands on which, and the other three parts below.

Example: .venv-dev/bin/python -m tools.draw_layout > docs/layout.svg
"""

import ast
import re
import tomllib
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
HOST = "wallwright"
PARTS = ("wallwright_protocol",)
"""What the host stands on outside of itself."""
CELL, TOP, LEFT, TEXT = 20, 110, 150, 13


def wings() -> list[str]:
    """Return the host's wings from the top down, as the contract in pyproject.toml has them."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    (layers,) = (one["layers"] for one in contracts if one.get("containers") == [HOST])
    return [wing.strip() for layer in layers for wing in layer.split("|") if "__" not in wing]


def arrows(names: list[str]) -> set[tuple[str, str]]:
    """Return which of these imports which; what only types need does not count."""
    graph = grimp.build_graph(HOST, *PARTS, exclude_type_checking_imports=True, cache_dir=None)
    full = {name: name if name in PARTS else f"{HOST}.{name}" for name in names}
    return {
        (one, other)
        for one in names
        for other in names
        if one != other and graph.direct_import_exists(importer=full[one], imported=full[other], as_packages=True)
    }


def summary(name: str) -> str:
    """Return the first sentence of a wing's docstring."""
    folder = ROOT / "host" / HOST / name if name not in PARTS else ROOT / "protocol" / name
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    text = (ast.get_docstring(ast.parse(path.read_text())) or "").split("\n\n")[0].replace("\n", " ")
    return re.split(r"[.:;] ", text)[0].rstrip(".")


def draw() -> str:
    """Return the picture as SVG: a row imports the columns that have a dot in it, all of them left of the diagonal."""
    names = [*wings(), *PARTS][::-1]
    found = arrows(names)
    size = CELL * len(names)
    width, height = LEFT + size + 520, TOP + size + 20
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif"'
        f' font-size="{TEXT}">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for at, name in enumerate(names):
        y = TOP + CELL * at
        middle = y + CELL / 2 + TEXT / 3
        shown = name.removeprefix("wallwright_")
        if at % 2 == 0:
            lines.append(f'<rect x="0" y="{y}" width="{width}" height="{CELL}" fill="#f2f4f7"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{middle:.1f}" text-anchor="end" font-weight="bold">{shown}</text>')
        lines.append(f'<text x="{LEFT + size + 12}" y="{middle:.1f}" fill="#444">{escape(summary(name))}</text>')
        x = LEFT + CELL * at + CELL / 2 + TEXT / 3
        lines.append(f'<text transform="translate({x:.1f} {TOP - 8}) rotate(-60)">{shown}</text>')
        lines.append(f'<rect x="{LEFT + CELL * at}" y="{y}" width="{CELL}" height="{CELL}" fill="#c5ccd6"/>')
    for one, other in sorted(found):
        column, row = LEFT + CELL * names.index(other) + CELL // 2, TOP + CELL * names.index(one) + CELL // 2
        colour = "#c0392b" if names.index(other) > names.index(one) else "#1f4e79"
        lines.append(f'<circle cx="{column}" cy="{row}" r="5" fill="{colour}"/>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    print(draw(), end="")
