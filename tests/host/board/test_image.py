"""Images and what they say of themselves: read as they were written, refused when anything in them was changed."""

import binascii
import bz2
import hashlib
import json
import random
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from wallwright.board.image import Image, parse_flash, read_image
from wallwright.board.uf2 import write_uf2
from wallwright.errors import BadImage

LICENCES = "MIT\n===\n\nDo what you like. © somebody\n"


def image(seed: int, bytes_: int = 3000) -> Image:
    program = random.Random(seed).randbytes(bytes_)
    return Image("rp2040", (1, 20, 3), 1, 0xBEEF, "1.25.0", "0f" * 32, LICENCES, program)


def test_an_image_is_read_from_its_file_as_it_was_written(tmp_path: Path, seed: int) -> None:
    wanted = image(seed)
    path = tmp_path / "image.uf2"
    path.write_bytes(wanted.file())
    found = read_image(path)
    assert found.program[:3000] == wanted.program
    assert set(found.program[3000:]) == {0xFF}
    assert replace(found, program=wanted.program) == wanted
    assert found.file() == wanted.file()


def test_the_record_lies_where_any_program_finds_it(seed: int) -> None:
    flash = image(seed).flash()
    at = flash.index(b"Wallwright image")
    assert at == 3072
    version, text_bytes, packed_bytes, crc, digest = struct.unpack_from("<HHII32s", flash, at + 16)
    text, packed = flash[at + 60 :][:text_bytes], flash[at + 60 + text_bytes :]
    assert (version, len(packed)) == (1, packed_bytes)
    assert crc == binascii.crc32(text + packed)
    assert digest == hashlib.sha256(flash[:at]).digest()
    assert bz2.decompress(packed).decode() == LICENCES
    facts = {"chip": "rp2040", "version": "1.20.3", "protocol": 1, "catalog": "0000beef"}
    assert json.loads(text) == facts | {"micropython": "1.25.0", "inputs": "0f" * 32}


def test_no_bit_can_change_without_notice(seed: int) -> None:
    draw = random.Random(seed)
    flash = image(seed, 700).flash()
    record = flash.index(b"Wallwright image")
    for at in [draw.randrange(len(flash)) for _ in range(200)] + [*range(record, record + 60)]:
        spoiled = bytearray(flash)
        spoiled[at] ^= 1 << draw.randrange(8)
        with pytest.raises(BadImage):
            parse_flash("rp2040", bytes(spoiled))


def test_a_program_that_holds_the_magic_word_itself_is_none_the_less_found(seed: int) -> None:
    wanted = replace(image(seed), program=b"x" * 100 + b"Wallwright image" + b"y" * 500)
    assert parse_flash("rp2040", wanted.flash()).program.startswith(wanted.program)


def with_facts(seed: int, **changed: object) -> bytes:
    """A flash whose record has other facts and is whole."""
    flash = image(seed).flash()
    at = flash.index(b"Wallwright image")
    version, size, _, _, digest = struct.unpack_from("<HHII32s", flash, at + 16)
    facts = json.loads(flash[at + 60 :][:size]) | changed
    text, packed = json.dumps(facts).encode(), flash[at + 60 + size :]
    head = struct.pack("<HHII32s", version, len(text), len(packed), binascii.crc32(text + packed), digest)
    return flash[: at + 16] + head + text + packed


@pytest.mark.parametrize(
    "changed",
    [
        {"chip": "esp32"},
        {"chip": "rp2350"},
        {"version": "1.2"},
        {"version": 3},
        {"catalog": "beef"},
        {"protocol": "1"},
        {"protocol": -1},
        {"inputs": "../../etc"},
        {"micropython": "\x1b[31m"},
    ],
)
def test_a_record_that_no_build_writes_is_refused(changed: dict[str, object], seed: int) -> None:
    with pytest.raises(BadImage):
        parse_flash("rp2040", with_facts(seed, **changed))


def test_a_later_build_may_say_more(seed: int) -> None:
    assert parse_flash("rp2040", with_facts(seed, colour="blue")).version == (1, 20, 3)


def test_a_file_that_is_no_image_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "other.uf2"
    with pytest.raises(BadImage, match=r"other\.uf2: No such file"):
        read_image(path)
    path.write_bytes(b"a letter to somebody")
    with pytest.raises(BadImage, match=r"other\.uf2 is no whole UF2 file: .*copy or build it again"):
        read_image(path)
    path.write_bytes(write_uf2(bytes(5000), "rp2040"))
    with pytest.raises(BadImage, match=r"other\.uf2: it is no image of Wallwright's firmware; `make firmware`"):
        read_image(path)
    path.write_bytes(bytes(9 << 20))
    with pytest.raises(BadImage, match=r"other\.uf2: it is longer than 8,388,608 bytes"):
        read_image(path)


def test_licences_that_unpack_for_ever_do_not(seed: int) -> None:
    bomb = replace(image(seed), licences="x" * (64 << 20))
    assert len(parse_flash("rp2040", bomb.flash()).licences) <= 1 << 20
