"""What is in the flash: UF2 files, as the chip's own loader takes them.

Source: "USB Flashing Format (UF2)", Microsoft.
"""

import os
import struct
from pathlib import Path

from .kinds import RP2040, Kind

FLASH_START = 0x10000000
BLOCK = 512
MAGICS = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
"""The first two words of a block and the last one."""
IMAGE = RP2040.image
NODE_IMAGE = "wallwright-node-rp2040.uf2"


class ImageError(ValueError):
    """There is no image, or it is none for this chip. The text says what to do."""


def find_image(name: str = IMAGE) -> Path:
    """Return the image that $WALLWRIGHT_IMAGE names, or else what `make firmware` has built; ImageError without one.

    The images of a node, NODE_IMAGE, and of other chips are sought beside it.
    """
    named = os.environ.get("WALLWRIGHT_IMAGE")
    path = Path(named) if named else Path(__file__).resolve().parents[3] / "build" / IMAGE
    if name != IMAGE:
        path = path.with_name(name)
    if not path.is_file():
        raise ImageError(f"there is no firmware image {path}: run `make firmware`, or name one in $WALLWRIGHT_IMAGE")
    return path


def read_uf2(data: bytes, kind: Kind = RP2040) -> list[tuple[int, bytes]]:
    """Return the parts of a UF2 file as (offset in the flash, bytes), those that follow each other joined.

    ImageError when a block is none, is for another chip, lies outside the flash, or is missing.
    """
    parts: list[tuple[int, bytearray]] = []
    numbers = set()
    total = 0
    if not data or len(data) % BLOCK:
        raise ImageError(f"a UF2 file has blocks of {BLOCK} bytes; this one has {len(data)} bytes")
    for start in range(0, len(data), BLOCK):
        first, second, _flags, at, size, number, total, family = struct.unpack_from("<8I", data, start)
        if (first, second, struct.unpack_from("<I", data, start + BLOCK - 4)[0]) != MAGICS or size > BLOCK - 36:
            raise ImageError(f"block {start // BLOCK} is not a UF2 block")
        if family != kind.family:
            raise ImageError(f"block {number} is for the chip family {family:#010x}, not for the {kind.name}")
        offset = at - FLASH_START
        if not 0 <= offset <= kind.flash_bytes - size:
            raise ImageError(f"block {number} is for the address {at:#010x}, which is not in the flash")
        numbers.add(number)
        payload = data[start + 32 : start + 32 + size]
        if parts and parts[-1][0] + len(parts[-1][1]) == offset:
            parts[-1][1].extend(payload)
        else:
            parts.append((offset, bytearray(payload)))
    missing = set(range(total)) - numbers
    if missing:
        raise ImageError(f"{len(missing)} of {total} blocks are missing, the first is {min(missing)}")
    return [(offset, bytes(part)) for offset, part in parts]
