"""How a wall is committed to before it rises, and what it is shown as after its deal; docs/readers.md has the order.

This is the one definition for board and host, and for anyone who checks a wall later.
"""

import hashlib
import struct

TAG_BYTES = 8
"""An ISO 15693 UID, the highest byte first."""
NO_TAG = bytes(TAG_BYTES)
"""Stands for a tag that is not known, and for none."""
PART_TILES = 26
"""Tiles in one wall_part at the most; each says how many it has, so that parts fit a wall of any size."""


def commitment(deal: int, nonce: bytes, wall: bytes) -> bytes:
    """Return SHA-256 of the deal as u32, the nonce of 32 bytes and the wall, TAG_BYTES a tile."""
    return hashlib.sha256(struct.pack("<I", deal) + nonce + wall).digest()
