"""What is flashed: UF2 files, and what a machine lacks that has no emulated board."""

import struct

import pytest
import serial

import wallwright_simulator.urls
from wallwright_simulator.chip import ImageError, NoEmulator, find_image, read_uf2
from wallwright_simulator.chip.process import find_emulator

RP2040, RP2350 = 0xE48BFF56, 0xE48BFF59


def block(number, total, at, payload, family=RP2040):
    """One block as Microsoft's page on UF2 lays it out."""
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0x2000, at, len(payload), number, total, family)
    return head + payload.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)


PAGE = bytes(range(256))
WHOLE = block(0, 3, 0x10000000, PAGE) + block(1, 3, 0x10000100, PAGE[::-1]) + block(2, 3, 0x10040000, b"\x01" * 256)


def test_blocks_that_follow_each_other_are_one_part():
    assert read_uf2(WHOLE) == [(0, PAGE + PAGE[::-1]), (0x40000, b"\x01" * 256)]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "blocks of 512 bytes; this one has 0"),
        (WHOLE[:-1], "1535 bytes"),
        (WHOLE[:512] + WHOLE[1024:], "1 of 3 blocks are missing, the first is 1"),
        (WHOLE[:-4] + b"\0\0\0\0", "block 2 is not a UF2 block"),
        (block(0, 1, 0x10000000, PAGE, RP2350), "chip family 0xe48bff59, not for the RP2040"),
        (block(0, 1, 0x101FFF80, PAGE), "0x101fff80, which is not in the flash"),
        (block(0, 1, 0x20000000, PAGE), "not in the flash"),
    ],
)
def test_a_file_that_cannot_be_flashed_is_refused(data, says):
    with pytest.raises(ImageError, match=says):
        read_uf2(data)


def test_who_has_no_image_learns_how_to_build_one(monkeypatch, tmp_path):
    monkeypatch.setenv("WALLWRIGHT_IMAGE", str(tmp_path / "none.uf2"))
    with pytest.raises(ImageError, match=r"none\.uf2: run `make firmware`"):
        find_image()


def test_who_has_no_emulator_learns_how_to_get_one(monkeypatch, tmp_path):
    monkeypatch.setenv("WALLWRIGHT_CHIP", str(tmp_path))
    with pytest.raises(NoEmulator, match="run `make chip`"):
        find_emulator()


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("sim://?board=rp2350", "board takes rp2040, not 'rp2350'"),
        ("sim://?xip_miss=50", "unknown option xip_miss"),
        ("sim://?board=rp2040&tiles=100", "no set of 100 tiles"),
        ("sim://?board=rp2040&readers=all", "no tile readers"),
        ("sim://?board=rp2040", "run `make firmware`"),
    ],
)
def test_a_port_says_what_an_emulated_board_cannot_be(url, says, monkeypatch, tmp_path):
    monkeypatch.setenv("WALLWRIGHT_IMAGE", str(tmp_path / "none.uf2"))
    monkeypatch.setattr(serial, "protocol_handler_packages", [wallwright_simulator.urls.__name__])
    with pytest.raises(serial.SerialException, match=says):
        serial.serial_for_url(url)
