"""UF2 files, against blocks that are put together here by the words of the format's own description."""

import random
import struct

import pytest

from wallwright.board.uf2 import NotUf2, read_uf2, write_uf2

RP2040, RP2350_ARM_S = 0xE48BFF56, 0xE48BFF59
NAMES = {RP2040: "rp2040", RP2350_ARM_S: "rp2350"}


def block(number: int, of: int, page: bytes, family: int = RP2040, flags: int = 0x2000, at: int | None = None) -> bytes:
    address = 0x10000000 + 256 * number if at is None else at
    words = [0x0A324655, 0x9E5D5157, flags, address, 256, number, of, family]
    head = b"".join(word.to_bytes(4, "little") for word in words)
    return head + page + bytes(476 - 256) + (0x0AB16F30).to_bytes(4, "little")


@pytest.mark.parametrize("family", NAMES)
def test_a_file_is_blocks_of_512_bytes_with_256_of_flash_each(family: int, seed: int) -> None:
    flash = random.Random(seed).randbytes(256 * 5 + 3)
    pages = [flash[at : at + 256].ljust(256, b"\xff") for at in range(0, len(flash), 256)]
    file = b"".join(block(number, 6, page, family) for number, page in enumerate(pages))
    assert write_uf2(flash, NAMES[family]) == file
    assert read_uf2(file) == (NAMES[family], b"".join(pages))


PAGE = bytes(range(256))
TWO = block(0, 2, PAGE) + block(1, 2, PAGE)


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (b"", "no whole number"),
        (TWO[:-1], "no whole number"),
        (TWO[:512], "0 of 2, and the file has 1"),
        (block(1, 2, PAGE) + block(0, 2, PAGE), "1 of 2"),
        (TWO[:-1] + b"x", "block 1 lacks the marks"),
        (b"x" + TWO[1:], "block 0 lacks the marks"),
        (block(0, 2, PAGE) + block(1, 2, PAGE, RP2350_ARM_S), "another chip"),
        (block(0, 1, PAGE, 0xE48BFF57), "neither"),
        (block(0, 1, PAGE, flags=0), "named chip"),
        (block(0, 1, PAGE, flags=0x2001), "named chip"),
        (block(0, 1, PAGE, at=0x10000100), "0x10000100 instead of 0x10000000"),
        (block(0, 2, PAGE) + block(1, 2, PAGE, at=0x10000200), "0x10000200"),
        (block(0, 1, PAGE, at=0x20000000), "0x20000000"),
    ],
)
def test_what_would_put_something_else_into_the_flash_is_refused(file: bytes, why: str) -> None:
    with pytest.raises(NotUf2, match=why):
        read_uf2(file)


def test_a_byte_that_is_changed_in_a_head_is_found_or_changes_nothing_else(seed: int) -> None:
    draw = random.Random(seed)
    good = read_uf2(TWO)
    for _ in range(300):
        at = draw.randrange(2) * 512 + draw.randrange(32)
        spoiled = bytearray(TWO)
        spoiled[at] ^= 1 << draw.randrange(8)
        try:
            chip, flash = read_uf2(bytes(spoiled))
        except NotUf2:
            continue
        # What is left are flags that say nothing about where the pages go.
        assert (chip, flash) == good
        assert struct.unpack_from("<I", spoiled, at // 512 * 512 + 8)[0] & 0x2001 == 0x2000
