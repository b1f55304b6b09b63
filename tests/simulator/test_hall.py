"""Many tables in one thread, behind ports of their own, with people who play."""

import os
import socket
import time
from collections.abc import Callable

import pytest

from wallwright_protocol.frame import Decoder
from wallwright_protocol.link import HELLO_REPLY
from wallwright_protocol.requester import Requester
from wallwright_simulator.hall import Hall, People
from wallwright_simulator.serve import TcpWire
from wallwright_simulator.simulation import Simulation

LIMIT_S = 100


def until(hall: Hall, done: Callable[[], bool]) -> None:
    end = time.monotonic() + LIMIT_S
    while not done():
        assert time.monotonic() < end
        hall.step(0.05)


def connected(port: str) -> socket.socket:
    host, number = port.removeprefix("socket://").split(":")
    client = socket.create_connection((host, int(number)))
    client.setblocking(False)
    return client


def hello(hall: Hall, client: socket.socket) -> int:
    """Shake hands; return the boot id of the table there."""
    requester = Requester()
    requester.hello(0, 1)
    client.send(requester.take())
    decoder = Decoder()
    answers: list[bytes] = []

    def heard() -> bool:
        try:
            answers.extend(decoder.feed(client.recv(4096)))
        except BlockingIOError:
            return False
        return any(body[0] == HELLO_REPLY for body in answers)

    until(hall, heard)
    body = next(body for body in answers if body[0] == HELLO_REPLY)
    return int.from_bytes(body[1:5], "little")


@pytest.mark.slow
def test_people_play_deal_after_deal_at_every_table() -> None:
    simulations = [Simulation(seed) for seed in range(3)]
    people = [People(table, 3000) for table in simulations]
    hall = Hall(simulations, people, pace=200)
    until(hall, lambda: all(four.deals >= 2 for four in people))
    hall.close()
    for simulation in simulations:
        simulation.world.check_conserved()


def test_every_table_has_a_port_of_its_own() -> None:
    hall = Hall([Simulation(seed) for seed in range(3)])
    assert len(set(hall.ports)) == 3
    clients = [connected(port) for port in hall.ports]
    boots = [hello(hall, client) for client in clients]
    assert boots == [table.app.responder.boot_id for table in hall.simulations]  # type: ignore[attr-defined]
    for client in clients:
        client.close()
    hall.close()


def test_a_host_that_was_killed_finds_its_place_free_at_once() -> None:
    wire = TcpWire(0, say=lambda _: None)
    first = connected(wire.name)
    wire.read()
    first.send(b"last words")
    first.close()
    second = connected(wire.name)
    second.send(b"first words")
    heard = [wire.read() for _ in range(4)]
    assert [data for data in heard if data] == [b"last words", b"first words"]
    wire.write(b"welcome")
    second.setblocking(True)
    assert second.recv(100) == b"welcome"
    second.close()
    wire.close()


class Pipes:
    """A port of pipes: what comes in at `first` opens `second`, a write finds that the host has gone from both."""

    def __init__(self) -> None:
        self.name = "pipes"
        self.first = os.pipe()
        self.second: tuple[int, int] | None = None
        self.is_open = True
        self.heard = b""

    def handles(self) -> list[int]:
        return [pipe[0] for pipe in (self.first, self.second) if pipe and self.is_open]

    def read(self) -> bytes:
        if not self.is_open:
            return b""
        if self.second is not None:
            self.heard += os.read(self.second[0], 100)
            return b""
        data = os.read(self.first[0], 100)
        self.second = os.pipe()
        return data

    def write(self, data: bytes) -> None:
        self.close()

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            for end in self.first + (self.second or ()):
                os.close(end)


def test_a_descriptor_that_goes_from_one_table_s_host_to_another_s_is_watched_for_the_new_one() -> None:
    wires = [Pipes(), Pipes()]
    new_wires = iter(wires)
    hall = Hall([Simulation(1), Simulation(2)], new_wire=lambda: next(new_wires))
    requester = Requester()
    requester.hello(0, 1)
    old = wires[1].handles()
    os.write(wires[1].first[1], requester.take())  # the board answers, and the port finds its host gone
    until(hall, lambda: not wires[1].is_open)
    os.write(wires[0].first[1], b"x")
    until(hall, lambda: wires[0].second is not None)
    assert wires[0].second is not None
    assert wires[0].second[0] in old
    os.write(wires[0].second[1], b"y")
    until(hall, lambda: wires[0].heard == b"y")
    hall.close()


def test_a_table_at_rest_is_left_in_peace() -> None:
    simulation = Simulation(1)
    hall = Hall([simulation])
    until(hall, lambda: simulation.board.displays[0] == "START?")
    end = time.monotonic() + 0.5
    steps = 0
    while time.monotonic() < end:
        hall.step(10.0 if steps > 100 else end - time.monotonic())
        steps += 1
    assert steps < 50
    hall.close()
