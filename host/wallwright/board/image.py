"""Firmware images, as `make firmware` builds them: what is to be flashed, and a record of what that is.

The record follows the program on the next page of 256 bytes, where the chip never looks: a head (`_HEAD`), the facts as
JSON, and the licences of all that is inside, packed with bzip2. The hash in the head is that of the program, so an
image that was damaged or put together by hand is refused. It says nothing of who built it.
"""

import binascii
import bz2
import hashlib
import struct
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..errors import BadImage
from ..system.disk import read_whole
from .uf2 import PAYLOAD, NotUf2, read_uf2, write_uf2

MAGIC = b"Wallwright image"
RECORD_VERSION = 1
_HEAD = struct.Struct("<16sHHII32s")
"""Magic, version of the record, bytes of the facts, bytes of the licences, CRC-32 of both, SHA-256 of the program."""
_LONGEST = 8 << 20
"""Bytes of a file; a board has 2 or 4 MiB of flash, and UF2 doubles them."""
_LONGEST_LICENCES = 1 << 20


class _Facts(BaseModel):
    """What a record says; it may say more."""

    model_config = ConfigDict(strict=True)
    chip: str = Field(pattern="^(rp2040|rp2350)$")
    version: str = Field(pattern=r"^\d{1,3}\.\d{1,3}\.\d{1,3}$")
    protocol: int = Field(ge=0, le=0xFF)
    catalog: str = Field(pattern=r"^[0-9a-f]{8}$")
    micropython: str = Field(pattern=r"^[\w.+-]{1,32}$")
    inputs: str = Field(pattern=r"^[0-9a-f]{64}$")


@dataclass(frozen=True)
class Image:
    """One image. `catalog` is the hash that hello compares, `inputs` that of everything the image was built from."""

    chip: str
    version: tuple[int, int, int]
    protocol: int
    catalog: int
    micropython: str
    inputs: str
    licences: str = field(repr=False)
    program: bytes = field(repr=False)
    """The flash from its begin, without the record."""

    def flash(self) -> bytes:
        """Return what is written to the flash from its begin: the program and the record."""
        facts = _Facts(
            chip=self.chip,
            version=".".join(map(str, self.version)),
            protocol=self.protocol,
            catalog=f"{self.catalog:08x}",
            micropython=self.micropython,
            inputs=self.inputs,
        )
        text = facts.model_dump_json().encode()
        packed = bz2.compress(self.licences.encode())
        program = self.program + b"\xff" * (-len(self.program) % PAYLOAD)
        crc = binascii.crc32(text + packed)
        digest = hashlib.sha256(program).digest()
        head = _HEAD.pack(MAGIC, RECORD_VERSION, len(text), len(packed), crc, digest)
        return program + head + text + packed

    def file(self) -> bytes:
        """Return the UF2 file."""
        return write_uf2(self.flash(), self.chip)


def read_image(path: Path) -> Image:
    """Return the image in a file; raises BadImage, which says what is wrong with it."""
    return image_of(path, bytes_of(path))


def bytes_of(path: Path) -> bytes:
    """Return what is in the file of an image. BadImage when it cannot be read, or is too long for one."""
    try:
        return read_whole(path, _LONGEST)
    except OSError as error:
        raise BadImage(f"{path}: {error.strerror}") from error


def image_of(path: Path, data: bytes) -> Image:
    """Return the image that these bytes of a file are; raises BadImage."""
    try:
        chip, flash = read_uf2(data)
    except NotUf2 as error:
        raise BadImage(f"{path} is no whole UF2 file: {error}; copy or build it again") from error
    try:
        return parse_flash(chip, flash)
    except BadImage as error:
        raise BadImage(f"{path}: {error}") from error


def parse_flash(chip: str, flash: bytes) -> Image:
    """Return the image whose program and record begin `flash`, as a file or a board has it; raises BadImage."""
    at = _find_record(flash)
    head = flash[at : at + _HEAD.size]
    if at < 0 or len(head) < _HEAD.size:
        raise BadImage("it is no image of Wallwright's firmware; `make firmware` builds one")
    _, version, text_bytes, packed_bytes, crc, digest = _HEAD.unpack(head)
    if version != RECORD_VERSION:
        raise BadImage(f"its record has version {version}, this program knows {RECORD_VERSION}; update this program")
    begin = at + _HEAD.size
    text, packed = flash[begin : begin + text_bytes], flash[begin + text_bytes : begin + text_bytes + packed_bytes]
    program = flash[:at]
    is_whole = len(packed) == packed_bytes and binascii.crc32(text + packed) == crc
    if not is_whole or hashlib.sha256(program).digest() != digest:
        raise BadImage("it is damaged; copy or build it again")
    try:
        facts = _Facts.model_validate_json(text)
        licences = bz2.BZ2Decompressor().decompress(packed, _LONGEST_LICENCES).decode()
    except (ValidationError, OSError, UnicodeDecodeError) as error:
        raise BadImage("its record says what no build of ours says; build the image again") from error
    if facts.chip != chip:
        raise BadImage(f"its blocks are for the {chip}, its record is of the {facts.chip}")
    major, minor, patch = map(int, facts.version.split("."))
    return Image(
        facts.chip,
        (major, minor, patch),
        facts.protocol,
        int(facts.catalog, 16),
        facts.micropython,
        facts.inputs,
        licences,
        program,
    )


def _find_record(flash: bytes) -> int:
    """Return where the record begins, which is a page; -1 if there is none."""
    at = flash.rfind(MAGIC)
    while at > 0 and at % PAYLOAD:
        at = flash.rfind(MAGIC, 0, at)
    return at
