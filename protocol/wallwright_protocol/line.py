"""The line of readers and displays: one RS-485 pair on which the board asks and its nodes answer. docs/line.md.

Frames are those of `frame.py`; a body begins with its kind and the address of the node that it is for or from. Nobody
speaks unasked, so nothing collides: the board asks one node a slot. A node numbers what its antennas and its key see
and says it again until the board has taken it, with how long ago each was, so that a lost frame and a late question
cost neither a change nor its time. At rest question and answer are the same bytes each time.

CALL and HERE stay as they are for ever: two ends of different versions can always tell each other so.
This module has the layouts; `wallwright_firmware.line` is the board's end, `wallwright_firmware.nodes.node` the node's.
"""

import struct

from .hardware import DISPLAY_LETTERS, READERS_PER_SEAT, SIDES

LINE_VERSION = 1
BAUD = 500000
NODES = SIDES
"""Node n serves side and seat n; its address is n."""
ANTENNAS = 1 + READERS_PER_SEAT
"""Of a node: 0 is that of the side's stacking head, 1 to 3 those of the seat's hand, declared sets and discards."""
KEY = ANTENNAS
"""Stands for the claim key where a change otherwise names an antenna."""
MOUTH = 5
"""The antenna at the drum's mouth, of a node with parts that sort."""
THERE = 0x80
"""Set in a change whose tag is seen from now on, or whose key is pressed; clear when it ceases."""

SLOT_MS = 7
"""From one question to the next: the board asks each of four nodes every 28 ms, and 32 when slots begin a ms late."""
ANSWER_MS = 3
"""A node that is asked has begun to answer by then; a called one so much after the delay that it has drawn."""
CALL_SLOT_MS = 14
CALL_DELAY_MS = 2
"""A called node waits for 0 to 3 times this, by chance, so that two with one address are both heard."""
CHANGES = 4
"""Changes in one answer at the most, so that it fits its slot: 57 bytes of frame, 1.2 ms."""
NO_PANEL = 0
"""The number of what a panel shows that nobody has told yet; the board counts from 1 to 255, and then from 1 again."""
TEXT_BYTES = DISPLAY_LETTERS
NO_START = 0
"""Asked with this for its start, a node begins anew: the board knows nothing of it and is told all that is so."""

WORK_MS = 150
"""A node that has had no WORK for so long lets its solenoids go, and its holding places rest: springs do the rest."""

CALL, ASK, SHOW, WORK = 0x21, 0x22, 0x23, 0x24
HERE, ANSWER, WORKED = 0xA1, 0xA2, 0xA3

BODIES = (
    (CALL, "CALL", "board", "<BBB", ("kind", "address", "nonce")),
    (ASK, "ASK", "board", "<BBHBB", ("kind", "address", "start", "taken", "panel")),
    (SHOW, "SHOW", "board", "<BBHBBB8s", ("kind", "address", "start", "taken", "panel", "lamps", "text")),
    (WORK, "WORK", "board", "<BBHBBBH", ("kind", "address", "start", "taken", "panel", "drives", "moves")),
    (HERE, "HERE", "node", "<BBB8sB", ("kind", "address", "version", "unit", "antennas")),
    (ANSWER, "ANSWER", "node", "<BBHBBB", ("kind", "address", "start", "first", "panel", "antennas")),
    (WORKED, "WORKED", "node", "<BBHBBBB", ("kind", "address", "start", "first", "panel", "antennas", "switches")),
)
"""(kind, name, who sends it, format, fields); an ANSWER and a WORKED go on with their changes."""
CALL_LAYOUT, ASK_LAYOUT, SHOW_LAYOUT, WORK_LAYOUT, HERE_LAYOUT, ANSWER_LAYOUT, WORKED_LAYOUT = [
    row[3] for row in BODIES
]
QUESTION_BYTES = {row[0]: struct.calcsize(row[3]) for row in BODIES if row[2] == "board"}
"""How long each body of the board is."""
CHANGE_LAYOUT = "<BH8s"
CHANGE_FIELDS = ("what", "age_ms", "tag")
ANSWER_BYTES = 7
CHANGE_BYTES = 11


def here(address: int, unit: bytes, antennas: int) -> bytes:
    """Return the body of a HERE."""
    return struct.pack(HERE_LAYOUT, HERE, address, LINE_VERSION, unit, antennas)


def question(body: bytes) -> "tuple[int, int, int, int, bytes]":
    """Return start, taken, panel, lamps and text of a question; the text is empty but for a SHOW."""
    _, _, start, taken, panel = struct.unpack_from(ASK_LAYOUT, body)
    shows = body[0] == SHOW
    return start, taken, panel, body[6] if shows else 0, body[7:] if shows else b""


def answer(
    address: int, start: int, first: int, panel: int, antennas: int, found: "list[tuple[int, int, bytes]]"
) -> bytes:
    """Return the body of an ANSWER with these changes, as `changes` returns them; their ages end at 65 s."""
    body = struct.pack(ANSWER_LAYOUT, ANSWER, address, start, first, panel, antennas)
    return body + b"".join([struct.pack(CHANGE_LAYOUT, what, min(age, 0xFFFF), tag) for what, age, tag in found])


def changes(body: bytes) -> "list[tuple[int, int, bytes]]":
    """Return the changes of an ANSWER as (what, age in ms, tag); empty when its length is none that it can have."""
    size = len(body) - ANSWER_BYTES
    if size % CHANGE_BYTES or size > CHANGES * CHANGE_BYTES:
        return []
    return [struct.unpack_from(CHANGE_LAYOUT, body, at) for at in range(ANSWER_BYTES, len(body), CHANGE_BYTES)]


def call_delay_ms(unit: bytes, nonce: int) -> int:
    """Return how long the node `unit` waits with its answer to the call with this nonce."""
    mixed = nonce * 0x9D
    for byte in unit:
        mixed = (mixed ^ byte) * 0x6B & 0xFFFF
    return (mixed >> 11 & 3) * CALL_DELAY_MS
