"""Lets the client have a simulated table whose time passes while the client waits: it says how long it would."""

import json
import select
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests import needs
from wallwright_simulator.serve import Server, TcpWire
from wallwright_simulator.table import Table

LIMIT_S = 200


class Client(NamedTuple):
    """The client of a release, and the header that it has."""

    script: Path
    header: Path


HEADER = Path(__file__).parents[2] / "docs/headers/wallwright_wire.mjs"
OURS = Client(Path(__file__).parent / "client.js", HEADER)

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
def running(port: str, *arguments: str, client: Client = OURS) -> Iterator["subprocess.Popen[str]"]:
    """The client at that port; it has ended well when this has."""
    node = needs.program("node")
    command = [node, str(client.script), str(client.header), port.rpartition(":")[2], *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        try:
            yield process
        finally:
            process.kill()


def stepped(
    simulation: Table, up: Carry, down: Carry, deals: int, frames: int, seed: int, client: Client = OURS
) -> dict[str, Any]:
    """Let the client have that table, whose time passes while the client waits; return what the client reports."""
    wire = TcpWire(0, say=lambda _: None)
    said: list[str] = []
    people = Server(simulation, wire, 1.0, None, said.append)
    ways = Way(up), Way(down)
    got = sent = 0
    try:
        with running(wire.name, "stepped", str(deals), str(frames), str(seed), client=client) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for line in process.stdout:
                question = json.loads(line)
                if "result" in question:
                    return dict(question["result"])
                if "key" in question:
                    people.press(question["key"])
                    problem = "" if ": done" in said[-1] else said[-1]
                    process.stdin.write(json.dumps({"problem": problem}) + "\n")
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
                process.stdin.write(json.dumps({"now": simulation.now_ms, "sent": sent}) + "\n")
        raise AssertionError(f"the client has ended with {process.returncode} (see its standard error)")
    finally:
        wire.close()


def send_all(wire: TcpWire, data: bytes) -> None:
    """Send in pieces that every kernel's buffer takes while the other end reads."""
    host = wire._host
    assert host is not None
    host.setblocking(True)
    host.sendall(data)
    host.setblocking(False)
