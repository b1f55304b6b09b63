"""Frames encoded and decoded a second: beside PyPI's cobs with binascii in the same run, and in three runtimes.

    .venv-dev/bin/python -m benchmarks.codec

Needs `make micropython-32`. `link.py` measures what the link makes of a line.
"""

import binascii
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from cobs import cobs
from rich.console import Console
from rich.table import Table

import wallwright_protocol
from wallwright_firmware.app import App
from wallwright_protocol import link
from wallwright_protocol.codec import EVENTS, NUMBER_OF, STATUSES
from wallwright_protocol.frame import MAX_BODY, Decoder, encode
from wallwright_simulator.runtimes import find_micropython
from wallwright_simulator.simulation import Simulation

FRAMES = 2_000
ROUNDS = 15
READ_BYTES = 64
"""What a host reads at a time, so that the decoder is measured on cut frames."""

BUILDING_MS = 10_000
"""A table builds by then."""
STATUS = STATUSES[NUMBER_OF["status"]]

INSIDE = """
import time
from wallwright_protocol import link
from wallwright_protocol.codec import NUMBER_OF, STATUSES
from wallwright_protocol.frame import Decoder, encode

now_us = getattr(time, "ticks_us", None) or (lambda: time.perf_counter_ns() // 1000)
layout = STATUSES[NUMBER_OF["status"]]
body = bytes.fromhex("STATUS_BODY")
payload = body[link.STATUS_HEAD:]
values = layout.unpack(payload)
frame = encode(body)
decoder = Decoder()
for work in (
    lambda: encode(body),
    lambda: decoder.feed(frame),
    lambda: layout.pack(*values),
    lambda: layout.unpack(payload),
):
    best_us = 1 << 29
    for _ in range(10):
        start = now_us()
        for _ in range(500):
            work()
        best_us = min(best_us, now_us() - start)
    print(500 * 1000000 // best_us)
"""
"""Runs in every runtime, and prints how often a second each of four things can be done."""


def bodies() -> dict[str, bytes]:
    """Frames as a table in the middle of a build sends and gets them, and the longest one."""
    side_done = EVENTS[NUMBER_OF["side_done"]]
    simulation = Simulation(1, 108)
    simulation.players.press_lift(0)
    simulation.run_until(BUILDING_MS)
    app = simulation.app
    assert isinstance(app, App)
    status = app.status.payload()
    return {
        "request": struct.pack(link.REQUEST_LAYOUT, link.REQUEST, 0x1F2E3D4C, 7, NUMBER_OF["roll_dice"]) + b"\x02\0\0",
        "event": struct.pack(link.EVENT_LAYOUT, link.EVENT, 0x0BADCAFE, 41, 40, 95_000, side_done.number)
        + side_done.pack(3, 13, 21_400),
        "status": struct.pack(link.STATUS_LAYOUT, link.STATUS, 0x0BADCAFE, STATUS.number) + status,
        "longest": bytes(range(1, MAX_BODY + 1)),
    }


def oracle_encode(body: bytes) -> bytes:
    return bytes(cobs.encode(body + binascii.crc32(body).to_bytes(4, "little"))) + b"\x00"


def encode_all(encoder: Callable[[bytes], bytes], body: bytes) -> int:
    return sum(encoder(body)[-1] == 0 for _ in range(FRAMES))


def oracle_decode(reads: list[bytes]) -> int:
    good = 0
    kept = b""
    for data in reads:
        *blocks, kept = (kept + data).split(b"\x00")
        for block in blocks:
            data_and_crc = cobs.decode(block)
            good += binascii.crc32(data_and_crc[:-4]).to_bytes(4, "little") == data_and_crc[-4:]
    return good


def our_decode(reads: list[bytes]) -> int:
    decoder = Decoder()
    return sum(len(decoder.feed(data)) for data in reads)


def seconds(work: Callable[[], int]) -> float:
    start = time.perf_counter()
    done = work()
    assert done == FRAMES, done
    return time.perf_counter() - start


def frames_per_s(ours: Callable[[], int], theirs: Callable[[], int]) -> tuple[float, float]:
    """The best of several rounds of each, taken in turn so that both meet the same machine."""
    times = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
    return FRAMES / min(mine for mine, _ in times), FRAMES / min(other for _, other in times)


def speed_table() -> Table:
    table = Table(title="Frames a second; ratio to cobs (C) + crc32")
    for column in ("frame", "bytes", "encode/s", "ratio", "decode/s", "ratio"):
        table.add_column(column, justify="left" if column == "frame" else "right")
    for name, body in bodies().items():
        frame = encode(body)
        assert frame == oracle_encode(body)
        stream = frame * FRAMES
        reads = [stream[at : at + READ_BYTES] for at in range(0, len(stream), READ_BYTES)]
        encoding = frames_per_s(partial(encode_all, encode, body), partial(encode_all, oracle_encode, body))
        decoding = frames_per_s(partial(our_decode, reads), partial(oracle_decode, reads))
        cells = [
            f"{text}" for ours, theirs in (encoding, decoding) for text in (f"{ours:,.0f}", f"{ours / theirs:.2f}")
        ]
        table.add_row(name, str(len(frame)), *cells)
    return table


def runtime_table() -> Table:
    """The same lines in CPython and in both MicroPythons. Each is its best of several rounds."""
    table = Table(title="A status in three runtimes: frames, and payloads by the message table")
    for column in ("runtime", "encode/s", "decode/s", "pack/s", "unpack/s"):
        table.add_column(column, justify="left" if column == "runtime" else "right")
    commands = {"CPython": [sys.executable]}
    for name, lane in (("MicroPython, 64 bit", "A"), ("MicroPython, 32 bit", "B")):
        commands[name] = list(find_micropython(lane).argv)
    folder = str(Path(wallwright_protocol.__path__[0]).parent)
    script = INSIDE.replace("STATUS_BODY", bodies()["status"].hex())
    for name, command in commands.items():
        done = subprocess.run(
            [*command, "-c", script],
            env={"MICROPYPATH": folder, "PYTHONPATH": folder},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        table.add_row(name, *(f"{int(times):,}" for times in done.stdout.split()))
    return table


if __name__ == "__main__":
    console = Console()
    console.print(speed_table())
    console.print(runtime_table())
