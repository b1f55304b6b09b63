"""Tiles in sentences."""

from typing import NamedTuple

from wallwright.rules.core.tiles import SUITED, format_tiles, tile_name
from wallwright.words import Named, Say


class Tiles(NamedTuple):
    """Tiles sorted by kind, each run with its letter: 123m55p."""

    kinds: tuple[int, ...]

    def said(self, say: Say) -> str:
        """Return them in a language; suited runs differ in their letter, honours and flowers may have names."""
        kinds = sorted(self.kinds)
        suited = [tile_name(kind) for kind in kinds if kind < SUITED]
        runs = {letter: "".join(name[0] for name in suited if name[1] == letter) for letter in "mps"}
        others = [kind for kind in kinds if kind >= SUITED]
        names = [Named("tile", tile_name(kind)).said(say) for kind in others]
        said = format_tiles(others) if names == list(map(tile_name, others)) else "".join(names)
        return "".join(ranks + say(letter) for letter, ranks in runs.items() if ranks) + said
