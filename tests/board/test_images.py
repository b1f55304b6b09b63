"""The images that `make firmware` has built: what they say of themselves, and whether a chip's boot ROM starts them."""

import struct
import zlib
from pathlib import Path

import pytest

from tools.firmware import pins
from tools.firmware.build import inputs_hash
from wallwright.board.image import Image, read_image
from wallwright_firmware.app import App
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION

ROOT = Path(__file__).parents[2]
FLASH = 0x10000000


@pytest.fixture(params=sorted(pins.CHIPS))
def image(request: pytest.FixtureRequest) -> Image:
    return read_image(ROOT / "build" / f"wallwright-{request.param}.uf2")


def test_an_image_says_what_it_is(image: Image) -> None:
    assert (image.version, image.protocol, image.catalog) == (App.VERSION, PROTOCOL_VERSION, CATALOG_HASH)
    assert image.inputs == inputs_hash(image.chip), "it is older than this checkout: make firmware"
    assert image.inputs[:16].encode() in image.program
    for owner in ("Damien P. George", "Raspberry Pi (Trading) Ltd", "Ha Thach", "Apache License", "Red Hat"):
        assert owner in image.licences, owner


def test_no_image_holds_a_path_of_the_machine_that_built_it(image: Image) -> None:
    home = str(Path.home()).encode()
    assert str(ROOT).encode() not in image.program
    assert home == b"/" or home + b"/" not in image.program


def bzip2_crc(data: bytes) -> int:
    """The CRC-32 of the RP2040's boot ROM (datasheet 2.8.1.3.1): polynomial 0x04C11DB7, not reflected, no final XOR."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = crc << 1 ^ (0x104C11DB7 if crc & 0x80000000 else 0)
    return crc


def test_the_rp2040_starts_its_image() -> None:
    program = read_image(ROOT / "build/wallwright-rp2040.uf2").program
    # The ROM runs the first 256 bytes if their checksum is right; they go on at the vectors after them.
    assert bzip2_crc(program[:252]) == struct.unpack_from("<I", program, 252)[0]
    assert zlib.crc32(program[:252]) != struct.unpack_from("<I", program, 252)[0]
    stack, reset = struct.unpack_from("<2I", program, 256)
    assert 0x20000000 < stack <= 0x20042000
    assert FLASH < reset < FLASH + len(program)
    assert reset % 2 == 1


def test_the_rp2350_starts_its_image() -> None:
    program = read_image(ROOT / "build/wallwright-rp2350.uf2").program
    # RP2350 datasheet 5.9: a loop of blocks that begins in the first 4 KiB, one of which is an IMAGE_DEF.
    starts = [at for at in range(0, 4096, 4) if program[at : at + 4] == bytes.fromhex("d3deffff")]
    assert len(starts) == 1
    at, met = starts[0], []
    while at not in met:
        met.append(at)
        assert program[at : at + 4] == bytes.fromhex("d3deffff")
        item, words = at + 4, 0
        while program[item] != 0xFF:  # PICOBIN_BLOCK_ITEM_2BS_LAST
            if program[item] == 0x42:  # IMAGE_TYPE: an executable, secure, for the ARM cores of an RP2350
                assert struct.unpack_from("<BBH", program, item) == (0x42, 1, 0x1021)
            words += program[item + 1]
            item += 4 * program[item + 1]
        _, its_words, _, way, end = struct.unpack_from("<BHBiI", program, item)
        assert (its_words, end) == (words, 0xAB123579)
        at += way
    assert at == starts[0]
    stack, reset = struct.unpack_from("<2I", program, 0)
    assert 0x20000000 < stack <= 0x20082000
    assert FLASH < reset < FLASH + len(program)
