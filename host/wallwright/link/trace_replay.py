"""Recorded traffic played to the firmware in the simulator: does it answer today as it did then?

What the host had sent is sent again, the same bytes at the same times, to a simulated table that has just been switched
on. How much of the answers can be the same depends on the recording:

- One of a simulated port (`clock` is "table") is repeated exactly, its seed and its scripted faults too: every frame
  from the board must be the same, byte for byte and in the same order, but for tags, which a recording does not have.
- One of a real port comes from another machine with other times, tiles and random numbers. What must be the same is
  which requests are accepted, and with what code the others are refused: requests are told apart by connection and
  sequence, and one that had no answer then is left out.

Only the wire is in a recording. Keys pressed and tiles pushed by people are not replayed, nor is what the table had
done before: record from power-up, and look for the reason there first when a recording of a used table differs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from .frames import decode
from .masking import masked
from .ports import Transport
from .trace import RECEIVED, SENT, Block, Splitter
from .trace_file import TABLE_CLOCK, Piece, Recording
from .transport import open_transport

DEFAULT_TILES = 108
"""Of a table that was not asked how many it has."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first frame that is not as recorded: its number among those compared, from 1, and itself, if it is there."""

    number: int
    recorded: Block | None
    replayed: Block | None


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of it: `sent` frames of the host, `compared` of the board's, `difference` if there is any."""

    port: str
    sent: int
    compared: int
    difference: Difference | None


def replay(recording: Recording) -> Replay:
    """Play a recording to a simulated table. Raises what `open_transport` does for a port that cannot be opened."""
    exact = recording.clock == TABLE_CLOCK
    port = recording.port if exact else f"sim://?tiles={_tiles(recording)}"
    transport = open_transport(port)
    try:
        answers = _play(recording, transport)
    finally:
        transport.close()
    then = _blocks(recording.pieces, RECEIVED)
    now = _blocks(answers, RECEIVED)
    compared, difference = _compare(then, now) if exact else _compare_answers(then, now)
    return Replay(port, len(_blocks(recording.pieces, SENT)), compared, difference)


def _play(recording: Recording, transport: Transport) -> list[Piece]:
    answers: list[Piece] = []

    def read_until(time_ms: int) -> None:
        while True:
            data = transport.read(max(0, time_ms - transport.now_ms()))
            if data:
                answers.append(Piece(transport.now_ms(), RECEIVED, data))
            elif transport.now_ms() >= time_ms:
                return

    for piece in recording.pieces:
        read_until(piece.time_ms)
        if piece.direction == SENT:
            transport.write(piece.data)
    return answers


def _blocks(pieces: Sequence[Piece], direction: str) -> list[Block]:
    splitter = Splitter()
    blocks = [block for piece in pieces if piece.direction == direction for block in splitter.add(*piece)]
    return [block._replace(data=masked(block.data, block.catalog)) for block in blocks]


def _tiles(recording: Recording) -> int:
    for block in _blocks(recording.pieces, RECEIVED):
        record = decode(block.data, block.catalog)
        if record.get("message") == "get_info" and "fields" in record:
            return int(record["fields"]["tiles"])
    return DEFAULT_TILES


def _compare(then: list[Block], now: list[Block]) -> tuple[int, Difference | None]:
    """Return how many frames were compared up to the first that differs in a byte, and that."""
    # The recording ends with a read; what the board has sent since is no difference.
    end = len(then)
    now = now[:end] + [block for block in now[end:] if then and block.time_ms < then[-1].time_ms]
    for number, (old, new) in enumerate(zip_longest(then, now), 1):
        if old is None or new is None or old.data != new.data:
            return number, Difference(number, old, new)
    return end, None


def _compare_answers(then: list[Block], now: list[Block]) -> tuple[int, Difference | None]:
    """Return how many answers were compared up to the first that has another code, and that."""
    today = {_question(block): block for block in now}
    asked: dict[tuple[Any, ...], Block] = {}
    for block in then:
        # A repeated request has its answer twice, and it is the same.
        asked.setdefault(_question(block), block)
    asked.pop((), None)
    for number, (question, old) in enumerate(asked.items(), 1):
        new = today.get(question)
        if new is None or decode(old.data, old.catalog)["code"] != decode(new.data, new.catalog)["code"]:
            return number, Difference(number, old, new)
    return len(asked), None


def _question(block: Block) -> tuple[Any, ...]:
    """Return what a frame of the board answers; nothing when it is no answer."""
    record = decode(block.data, block.catalog)
    if record["kind"] == "hello_reply":
        return ("hello", record["session"])
    if record["kind"] == "reply":
        return ("request", record["session"], record["sequence"], record["message"])
    return ()
