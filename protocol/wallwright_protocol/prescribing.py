"""A prescription as a value: for who prescribes. A board reads its bytes as they are, and does not load this module."""

import struct

from . import codes
from .hardware import MOST_DICE, SIDES
from .prescription import (
    HEAD_BYTES,
    HEAD_FORMAT,
    MAGIC,
    VERSION,
    PrescriptionError,
    checks,
    digest,
    tags_at,
)
from .wall import TAG_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    class Prescription(NamedTuple):
        """What a prescription says; `tags` has the tags of the set in rising order, `tag_faces` their face classes."""

        mode: int
        tiles: int
        tile_set: int
        dealer: int
        dice: "tuple[int, ...]"
        plan: "tuple[int, ...]"
        deal: int
        build: int
        event: bytes
        unit: bytes
        enrolment: bytes
        faces: bytes
        groups: bytes
        tags: "tuple[bytes, ...]"
        tag_faces: bytes
else:
    from collections import namedtuple

    Prescription = namedtuple(
        "Prescription",
        "mode tiles tile_set dealer dice plan deal build event unit enrolment faces groups tags tag_faces",
    )


def sent(data: bytes, signature: bytes) -> bytes:
    """Return what goes to a board in parts: the prescription, its signature, and the SHA-256 of both."""
    return data + signature + digest(data + signature)


def pack(prescription: Prescription) -> bytes:
    """Return the bytes of a prescription without a signature. Raises PrescriptionError when it cannot be built."""
    one = prescription
    game = (one.mode, one.tiles, one.tile_set, one.dealer) + tuple(one.dice) + tuple(one.plan)
    who = (one.event, one.unit, one.enrolment)
    sizes = (len(one.faces), len(one.tags), len(one.tag_faces), len(one.groups))
    places = one.tiles if one.mode == codes.HANDS_WALL else 0
    if sizes != (one.tiles, one.tiles, one.tiles, places):
        text = "places, tags, their faces and groups are %d, %d, %d and %d, not %d each" % (sizes + (one.tiles,))
        raise PrescriptionError(codes.IMPOSSIBLE, text)
    too_long = len(one.event) > 16 or len(one.unit) > 16 or len(one.enrolment) != 32
    if too_long or len(one.dice) != MOST_DICE or len(one.plan) != SIDES:
        raise PrescriptionError(codes.BAD_PRESCRIPTION, "event, table, enrolment, dice or plan have another length")
    if max(game) > 0xFF or min(game) < 0 or not 0 <= one.deal <= 0xFFFF or not 0 <= one.build <= 0xFFFFFFFF:
        raise PrescriptionError(codes.BAD_PRESCRIPTION, "a number is too large or below 0")
    if any(len(tag) != TAG_BYTES for tag in one.tags):
        raise PrescriptionError(codes.BAD_PRESCRIPTION, "a tag has %d bytes" % TAG_BYTES)
    head = struct.pack(HEAD_FORMAT, MAGIC, VERSION, *game, one.deal, one.build, *who)
    data = head + bytes(one.faces) + bytes(one.groups) + b"".join(one.tags) + bytes(one.tag_faces)
    for _ in checks(data):
        pass
    return data


def unpack(data: bytes) -> Prescription:
    """Return what the bytes of a prescription say. Raises PrescriptionError for bytes that no board would take."""
    for _ in checks(data):
        pass
    values = struct.unpack(HEAD_FORMAT, data[:HEAD_BYTES])
    mode, tiles = values[2:4]
    at = tags_at(data)
    ends = at + tiles * TAG_BYTES
    tags = tuple([bytes(data[place : place + TAG_BYTES]) for place in range(at, ends, TAG_BYTES)])
    event, unit = values[15].rstrip(b"\0"), values[16].rstrip(b"\0")
    faces = bytes(data[HEAD_BYTES : HEAD_BYTES + tiles])
    groups = bytes(data[HEAD_BYTES + tiles : at])
    return Prescription(
        mode,
        tiles,
        values[4],
        values[5],
        values[6:9],
        values[9:13],
        values[13],
        values[14],
        event,
        unit,
        values[17],
        faces,
        groups,
        tags,
        bytes(data[ends:]),
    )
