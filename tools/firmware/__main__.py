"""Builds what `make firmware` promises, build/wallwright-CHIP.uf2 for each chip, and the image of the line's nodes.

With --again it builds them from nothing in a new folder as well, and fails when any byte differs.
"""

import sys
import tempfile
from pathlib import Path

from . import pins
from .build import build, get_image, inputs_hash, put
from .sources import ROOT, CannotBuild, get_sources

IMAGES = (*[(chip, "board") for chip in pins.CHIPS], ("rp2040", "node"))
"""Chip and program of each."""


def main(arguments: list[str]) -> int:
    """Build the images; return 1 when one cannot be built, 2 when two builds differ."""
    try:
        if arguments == ["--again"]:
            return build_again()
        for chip, program in IMAGES:
            target = path_of(chip, program)
            image = get_image(chip, program)
            if not target.is_file() or target.read_bytes() != image.read_bytes():
                put(image, target)
            print(f"   {target.relative_to(ROOT)} ({target.stat().st_size:,} bytes)")
    except CannotBuild as error:
        print(f"make firmware: {error}", file=sys.stderr)
        return 1
    return 0


def build_again() -> int:
    """Compare the images with others, which are built from nothing; return 2 when they differ."""
    different = 0
    for chip, program in IMAGES:
        path = path_of(chip, program)
        with tempfile.TemporaryDirectory(prefix="another-folder-") as folder:
            again = build(chip, program, inputs_hash(chip, program), get_sources(), Path(folder) / "and-another")
        if again == path.read_bytes():
            print(f"   {path.name}: the same {len(again):,} bytes")
        else:
            print(f"{path.name}: two builds of the same inputs differ", file=sys.stderr)
            different = 2
    return different


def path_of(chip: str, program: str) -> Path:
    """Return where a program's image of a chip is built."""
    return ROOT / "build" / (f"wallwright-{chip}.uf2" if program == "board" else f"wallwright-{program}-{chip}.uf2")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
