"""UF2, the format of the files that a board's boot loader takes: blocks of 512 bytes with 256 bytes of flash each.

The format is Microsoft's (uf2, "UF2 Block Structure"); the families are those of the RP2040's datasheet 2.8.4.2 and the
RP2350's 5.5.3. This reads and writes one gapless piece of flash; the format knows more, which no board of ours needs.
"""

import struct

BLOCK = 512
PAYLOAD = 256
FLASH = 0x10000000
"""Where both chips map their flash."""
FAMILIES = {"rp2040": 0xE48BFF56, "rp2350": 0xE48BFF59}
"""Chip -> family. The RP2350's is that of a secure image for its ARM cores (RP2350-ARM-S)."""

_HEAD = struct.Struct("<8I")
_MAGIC = (0x0A324655, 0x9E5D5157)
_END = struct.pack("<I", 0x0AB16F30)
_HAS_FAMILY = 0x2000
_NOT_FOR_FLASH = 0x1
_DATA_BYTES = BLOCK - _HEAD.size - len(_END)


class NotUf2(ValueError):
    """A file is no UF2 file for one of our chips, or a damaged one; the message says where."""


def write_uf2(flash: bytes, chip: str) -> bytes:
    """Return the file that puts `flash` at the flash's begin; its last page is filled up with 0xFF."""
    pages = [flash[at : at + PAYLOAD].ljust(PAYLOAD, b"\xff") for at in range(0, len(flash), PAYLOAD)]
    blocks = []
    for number, page in enumerate(pages):
        address = FLASH + number * PAYLOAD
        head = _HEAD.pack(*_MAGIC, _HAS_FAMILY, address, PAYLOAD, number, len(pages), FAMILIES[chip])
        blocks.append(head + page.ljust(_DATA_BYTES, b"\0") + _END)
    return b"".join(blocks)


def read_uf2(file: bytes) -> tuple[str, bytes]:
    """Return the chip that a file is for, and the flash that it writes from the flash's begin.

    Raises NotUf2 when blocks are missing, out of order, of several chips, or when they leave gaps.
    """
    if not file or len(file) % BLOCK:
        raise NotUf2(f"{len(file)} bytes are no whole number of blocks of {BLOCK}")
    count = len(file) // BLOCK
    family = 0
    pages = []
    for number in range(count):
        block = file[number * BLOCK : (number + 1) * BLOCK]
        *magic, flags, address, size, its_number, of, its_family = _HEAD.unpack_from(block)
        if tuple(magic) != _MAGIC or not block.endswith(_END):
            raise NotUf2(f"block {number} lacks the marks of UF2")
        if flags & _NOT_FOR_FLASH or not flags & _HAS_FAMILY or size != PAYLOAD:
            raise NotUf2(f"block {number} is not one of {PAYLOAD} bytes for the flash of a named chip")
        if (its_number, of) != (number, count):
            raise NotUf2(f"block {number} says that it is {its_number} of {of}, and the file has {count}")
        if address != FLASH + number * PAYLOAD:
            raise NotUf2(f"block {number} is for address {address:#x} instead of {FLASH + number * PAYLOAD:#x}")
        family = family or its_family
        if its_family != family:
            raise NotUf2(f"block {number} is for another chip than the first one")
        pages.append(block[_HEAD.size : _HEAD.size + PAYLOAD])
    chip = next((name for name, known in FAMILIES.items() if known == family), "")
    if not chip:
        raise NotUf2(f"it is for the family {family:#x}, which is neither the RP2040's nor the RP2350's")
    return chip, b"".join(pages)
