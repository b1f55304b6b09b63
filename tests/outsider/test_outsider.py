"""A second client, in another language, from SPEC.md and its header, against the real firmware behind a TCP port.

The link, the dice and what hostile frames do are worked out from the document's text, and so is whether the header says
what the document says: what one of them lacks or has wrong fails here. Time is virtual but in one test: the client says
how long it would wait.
"""

import json
import os
import random
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests import needs
from tests.link_failures.bad_line import BadLine
from tests.protocol.spec import PATH as SPEC
from wallwright_protocol.messages import CATALOG_HASH
from wallwright_simulator.serve import Server, TcpWire
from wallwright_simulator.simulation import Simulation

CLIENT = Path(__file__).parent / "client.js"
READER = Path(__file__).parent / "spec.js"
HEADER = Path(__file__).parents[2] / "docs/headers/wallwright_wire.mjs"
DEALS = 5
BAD_DEALS = 20
HOSTILE = 50_000
LIMIT_S = 200
PACE = 4

Frames = list[bytes]
Carry = Callable[[bytes], Frames]


def clean(frame: bytes) -> Frames:
    return [frame]


class Way:
    """One direction of the line between client and board: whole frames go through `carry`."""

    def __init__(self, carry: Carry) -> None:
        self._carry = carry
        self._rest = b""

    def pass_on(self, data: bytes) -> bytes:
        *whole, self._rest = (self._rest + data).split(b"\0")
        return b"".join(piece for block in whole for piece in self._carry(block + b"\0"))


@contextmanager
def running(port: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    """The client at that port; it has ended well when this has."""
    node = needs.program("node")
    command = [node, str(CLIENT), str(HEADER), port.rpartition(":")[2], *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as client:
        try:
            yield client
        finally:
            client.kill()


def stepped(simulation: Simulation, up: Carry, down: Carry, deals: int, frames: int, seed: int) -> dict[str, Any]:
    """Let the client have that table, whose time passes while the client waits; return what the client reports."""
    wire = TcpWire(0, say=lambda _: None)
    said: list[str] = []
    people = Server(simulation, wire, 1.0, None, said.append)
    ways = Way(up), Way(down)
    got = sent = 0
    try:
        with running(wire.name, "stepped", str(deals), str(frames), str(seed)) as client:
            assert client.stdin is not None
            assert client.stdout is not None
            for line in client.stdout:
                question = json.loads(line)
                if "result" in question:
                    return dict(question["result"])
                if "key" in question:
                    people.press(question["key"])
                    problem = "" if said[-1].endswith(": done") else said[-1]
                    client.stdin.write(json.dumps({"problem": problem}) + "\n")
                    continue
                while got < question["sent"]:
                    assert select.select(wire.handles(), [], [], LIMIT_S)[0]
                    data = wire.read()
                    got += len(data)
                    simulation.write(ways[0].pass_on(data))
                simulation.run_until_output(question["until"])
                data = ways[1].pass_on(simulation.read())
                sent += len(data)
                send_all(wire, data)
                client.stdin.write(json.dumps({"now": simulation.now_ms, "sent": sent}) + "\n")
        raise AssertionError(f"the client has ended with {client.returncode} (see its standard error)")
    finally:
        wire.close()


def send_all(wire: TcpWire, data: bytes) -> None:
    """Send in pieces that every kernel's buffer takes while the other end reads."""
    host = wire._host
    assert host is not None
    host.setblocking(True)
    host.sendall(data)
    host.setblocking(False)


@pytest.mark.timeout(LIMIT_S)
def test_five_deals_and_fifty_thousand_hostile_frames_on_a_clean_line(seed: int) -> None:
    simulation = Simulation(seed % 1000)
    result = stepped(simulation, clean, clean, DEALS, HOSTILE, seed)
    assert result["unit"] == simulation.unit
    assert result["catalog"] == CATALOG_HASH
    assert result["deals"] == len(result["rolls"]) == DEALS
    assert [roll["roll"] for roll in result["rolls"]] == list(range(1, DEALS + 1))
    assert (result["lost"], result["dropped"]) == (0, 0)
    assert result["frame_errors"] > 0
    assert result["answers"] > HOSTILE / 2


@pytest.mark.timeout(LIMIT_S)
def test_deals_on_a_bad_line(seed: int) -> None:
    simulation = Simulation(seed % 1000)
    rng = random.Random(seed)
    up, down = BadLine(rng), BadLine(rng)
    result = stepped(simulation, up.carry, down.carry, BAD_DEALS, 0, seed)
    assert result["deals"] == len(result["rolls"]) == BAD_DEALS
    assert result["lost"] == 0
    fates = up.fates + down.fates
    assert min(fates[fate] for fate in ("lost", "damaged", "doubled", "late")) > 0, fates
    assert result["frame_errors"] + result["dropped"] > 0
    board = simulation.app.events  # type: ignore[attr-defined]
    assert board.stored() <= result["events"] <= board.newest()


@pytest.mark.timeout(LIMIT_S)
def test_it_talks_to_the_table_that_the_program_simulates() -> None:
    """The way of somebody who has the program and the document, in real time; a deal would take too long."""
    command = [sys.executable, "-m", "wallwright", "simulate", "--tcp", "0", "--pace", str(PACE), "--seed", "5"]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as table:
        assert table.stdout is not None
        port = next(line for line in table.stdout if line.startswith("port: ")).split()[1]
        try:
            with running(port, str(PACE), "0", "0", "0") as client:
                assert client.stdout is not None
                result = json.loads(client.stdout.read())["result"]
        finally:
            table.communicate("q\n", timeout=LIMIT_S)
    assert (result["unit"], result["catalog"], result["deals"]) == ("SIM-5", CATALOG_HASH, 0)


def differences(header: Path) -> list[str]:
    """Where a header says something else than SPEC.md, by the reading of it in JavaScript."""
    command = [needs.program("node"), str(READER), str(SPEC), str(header)]
    return list(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout))


def test_the_header_says_what_the_document_says() -> None:
    assert differences(HEADER) == []


@pytest.mark.parametrize(
    ("right", "wrong", "where"),
    [
        ('"set_throw": Row(0x1B', '"set_throw": Row(0x1A', "/REQUESTS/set_throw/id: 26, not 27"),
        ('Field("roll", 3, "I"', 'Field("roll", 4, "I"', "/REPLIES/roll_dice/fields/1/at: 4, not 3"),
        (
            'Field("after_ms", 2, "I", "ms")',
            'Field("after_ms", 2, "I", "s")',
            "/EVENTS/side_done/fields/2/unit: s, not ms",
        ),
        ('"claim_key_2", "claim_key_3",', '"claim_key_2"', "/INPUTS/44: undefined, not claim_key_3"),
        ('"wash_cut": 43', '"wash_cut": 44', "/LISTS/faults/wash_cut: 44, not 43"),
        ('"timing", "ms", 5, 2', '"timing", "ms", 5, 1', "/SETTINGS/debounce_ms/lowest: 1, not 2"),
    ],
)
def test_a_header_that_says_something_else_is_found(tmp_path: Path, right: str, wrong: str, where: str) -> None:
    text = HEADER.read_text()
    assert text.count(right) == 1
    (tmp_path / "spoilt.mjs").write_text(text.replace(right, wrong))
    assert differences(tmp_path / "spoilt.mjs") == [where]
