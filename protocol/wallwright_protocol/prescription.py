"""A prescription: the wall that a director has drawn for one deal, and one table is to build once.

This is the one definition for the director's station, the host and the board; SPEC.md shows its bytes. A board gets it
in parts with `prescribe`, as `data` and the director's signature of `signed(data)` (Ed25519, RFC 8032). It says which
face class lies in every place, and which tag has which class, for a board reads tags and knows no faces. A face class
is the place of a face among the different faces of its set, in the order of `tile_sets.FACES`.

The places are in the order of a wall that is sealed: sides 0 to 3; of a side the stacks from the right end as its owner
sees it; of a stack the lower tile, then the upper one. Places of one hand, a `group` above 0, may exchange their tiles:
who is dealt them all does not care where each of them lay. A wall in which every place is its own has no groups.

Here is what a board needs of it; `prescribing` makes one. Nothing here signs or encrypts.
"""

import hashlib
import struct

from . import codes
from .constants import const
from .hardware import CARRIER_STACKS, MOST_DICE, SET_SIZES, SETS, SIDES, TILES_PER_STACK
from .wall import TAG_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HEAD_FORMAT = const("<2sBBBBB3B4BHI16s16s32s")
MAGIC = b"WP"
VERSION = const(1)
HEAD_BYTES = struct.calcsize(HEAD_FORMAT)
SIGNATURE_BYTES = const(64)
KEY_BYTES = const(32)
"""Of an Ed25519 signature, and of a public key."""
HASH_BYTES = const(32)
MOST_BYTES = HEAD_BYTES + SET_SIZES[-1] * (2 + TAG_BYTES + 1) + SIGNATURE_BYTES + HASH_BYTES
"""What is sent at the most, and what a board has to hold."""
PART_BYTES = const(200)
"""Bytes in one `prescribe` at the most."""
GROUPS = SIDES
"""A group is the hand of seat 0 to 3, numbered from 1."""
_SIGNED = b"prescription 1\n"
_FOURS = 136
_STEP = const(16)
"""So many places are looked at between two steps of `checks`."""


class PrescriptionError(ValueError):
    """A prescription that cannot be built; `refusal` is its number of `codes`, the text says what is wrong."""

    def __init__(self, refusal: int, text: str) -> None:
        super().__init__(text)
        self.refusal = refusal


def copies(tiles: int, face: int) -> int:
    """Return how many tiles of a face class a set of `tiles` has: four, one of each flower, all jokers; 0 for none."""
    fours = min(tiles, _FOURS) // 4
    if face < fours:
        return 4
    flowers = min(tiles - 4 * fours, 8)
    if face < fours + flowers:
        return 1
    return tiles - 4 * fours - flowers if face == fours + flowers else 0


def size_of(head: "bytes | bytearray") -> int:
    """Return the bytes of the whole prescription without its signature, by its head."""
    mode, tiles = head[3], head[4]
    return HEAD_BYTES + tiles * (2 + TAG_BYTES + (mode == codes.HANDS_WALL))


def tags_at(head: "bytes | bytearray") -> int:
    """Return where the tags begin; the face class of each follows behind all of them."""
    return HEAD_BYTES + head[4] * (2 if head[3] == codes.HANDS_WALL else 1)


def digest(data: "bytes | bytearray | memoryview") -> bytes:
    """Return the prescription's hash: SHA-256 of its bytes without the signature."""
    return hashlib.sha256(data).digest()


def signed(prescription_hash: bytes) -> bytes:
    """Return what a director signs of a prescription with this hash: 47 bytes."""
    return _SIGNED + prescription_hash


def checks(data: "bytes | bytearray") -> "Iterator[None]":
    """Check what can be checked of the bytes alone, in steps that a board has time for.

    Raises PrescriptionError for other bytes than these, and for a wall that cannot be built.
    """
    if len(data) < HEAD_BYTES or data[:2] != MAGIC or data[2] != VERSION:
        raise PrescriptionError(codes.BAD_PRESCRIPTION, "these are no bytes of a prescription of version %d" % VERSION)
    values = struct.unpack(HEAD_FORMAT, data[:HEAD_BYTES])
    mode, tiles, tile_set, dealer = values[2:6]
    dice = values[6:9]
    plan = values[9:13]
    if mode not in (codes.STRICT_WALL, codes.HANDS_WALL):
        raise PrescriptionError(codes.BAD_PRESCRIPTION, "%d is no mode of a prescribed wall" % mode)
    if tiles not in SET_SIZES:
        raise PrescriptionError(codes.OTHER_GAME, "no set of %d tiles is known" % tiles)
    if len(data) != size_of(data):
        raise PrescriptionError(codes.BAD_PRESCRIPTION, "%d bytes are too few or too many" % len(data))
    if tile_set >= SETS or dealer >= SIDES:
        raise PrescriptionError(codes.BAD_PRESCRIPTION, "there is no set %d, or no seat %d" % (tile_set, dealer))
    if max(dice) > 6 or not dice[0] or len(dice) != MOST_DICE:
        raise PrescriptionError(codes.BAD_PRESCRIPTION, "no dice show %s" % (dice,))
    if sum(plan) * TILES_PER_STACK != tiles or min(plan) == 0 or max(plan) > CARRIER_STACKS:
        raise PrescriptionError(codes.IMPOSSIBLE, "stacks of %s a side are no wall of %d tiles" % (plan, tiles))
    yield
    yield from _copies_checks(data, HEAD_BYTES, tiles, "places")
    at = HEAD_BYTES + tiles
    if mode == codes.HANDS_WALL:
        if max(data[at : at + tiles]) > GROUPS:
            raise PrescriptionError(codes.BAD_PRESCRIPTION, "a place belongs to no hand that there is")
        at += tiles
    before = bytes(TAG_BYTES)
    for number in range(tiles):
        tag = bytes(data[at : at + TAG_BYTES])
        if tag <= before:
            raise PrescriptionError(codes.IMPOSSIBLE, "the tags do not rise: one is there twice, or is none")
        before = tag
        at += TAG_BYTES
        if number % _STEP == _STEP - 1:
            yield
    yield from _copies_checks(data, at, tiles, "tags")


def _copies_checks(data: "bytes | bytearray", at: int, tiles: int, what: str) -> "Iterator[None]":
    """Check that of `tiles` bytes from `at` on each face class is there as often as the set has it."""
    counts = bytearray(tiles)
    for number in range(tiles):
        face = data[at + number]
        most = copies(tiles, face)
        if not most:
            raise PrescriptionError(codes.OTHER_GAME, "a set of %d tiles has no face class %d" % (tiles, face))
        counts[face] += 1
        if counts[face] > most:
            text = "face class %d is there more than %d times among the %s" % (face, most, what)
            raise PrescriptionError(codes.IMPOSSIBLE, text)
        if number % _STEP == _STEP - 1:
            yield
