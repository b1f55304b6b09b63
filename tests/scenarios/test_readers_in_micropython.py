"""Readers, events of tags and the sealed wall in a real MicroPython: byte for byte what they are in CPython."""

from functools import partial
from itertools import zip_longest
from typing import Any

import pytest

from wallwright_firmware.app import App
from wallwright_protocol.codec import EVENTS
from wallwright_protocol.requester import Requester
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Firmware, Simulation
from wallwright_simulator.vm import VmApp

SCRIPT = "readers miss 3 %; readers ghost 5 %; readers double 5 %; readers late 3 %; cut power at 136 s for 1 s"
NAMES = {
    "tag_appeared",
    "tag_left",
    "tag_moved",
    "wall_sealed",
    "wall_revealed",
    "wall_part",
    "wall_unverifiable",
    "claim",
}


def told(simulation: Simulation) -> list[Any]:
    """Play two deals and a bit, a host listening from the middle on; return all that it is told."""
    players, world = simulation.players, simulation.world
    host = Requester()
    happened: list[Any] = []

    def run(ms: int, listen: bool = True) -> None:
        until = simulation.now_ms + ms
        while simulation.now_ms < until:
            simulation.run_until(min(until, simulation.now_ms + 100))
            if listen:
                news = host.receive(simulation.now_ms, simulation.read()) + host.poll(simulation.now_ms)
                for item in news:
                    if item[0] == "event":
                        host.stored(simulation.now_ms, item[2])
                    elif item[0] == "reset":
                        host.hello(simulation.now_ms, len(happened) + 1)
                happened.extend(news)
                simulation.write(host.take())

    def deal() -> None:
        players.press_lift(0)
        run(3000)
        players.push_in()
        players.press_lift(0)
        run(5000)
        players.draw_in()
        players.press_dice(1)
        run(4000)
        for seat in range(4):
            players.take(seat, [(seat, stack, layer) for stack in range(6) for layer in (1, 0)])
            run(500)
            tile = world.hands[seat][0]
            players.discard(seat, tile)
            run(700)
            players.claim((seat + 1) % 4, tile)
            players.press_claim((seat + 1) % 4)
            run(300)
        run(34_000)

    players.press_lift(0)
    run(35_000, listen=False)
    host.hello(simulation.now_ms, 99)
    deal()
    deal()
    deal()
    return happened


class Noted:
    """A firmware whose polls are written down."""

    def __init__(self, firmware: Firmware) -> None:
        self.firmware = firmware
        self.due = firmware.due
        self.polls: list[tuple[int, bytes, bytes, int]] = []

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        tx = self.firmware.poll(now_ms, rx)
        self.due = self.firmware.due
        self.polls.append((now_ms, rx, tx, self.due))
        return tx

    def close(self) -> None:
        getattr(self.firmware, "close", lambda: None)()


@pytest.mark.parametrize(("script", "events"), [("", NAMES - {"wall_unverifiable"}), (SCRIPT, NAMES)])
def test_deals_at_a_table_with_readers_are_byte_for_byte_the_same(script, events, seed, micropython_runtime):
    results = []
    for firmware in (App, partial(VmApp, runtime=micropython_runtime)):
        noted: list[Noted] = []

        def make(board, unit, tiles, firmware=firmware, noted=noted):
            noted.append(Noted(firmware(board, unit, tiles)))
            return noted[-1]

        simulation = Simulation(seed % 1000, faults=parse_faults(script), readers=ALL_READERS, firmware=make)
        try:
            happened = told(simulation)
        finally:
            for one in noted:
                one.close()
        results.append((happened, [poll for one in noted for poll in one.polls]))
    names = {EVENTS[item[5]].name for item in results[0][0] if item[0] == "event"}
    assert events <= names
    for outside, inside in zip(*results, strict=True):
        for number, (one, other) in enumerate(zip_longest(outside, inside)):
            assert one == other, f"number {number} differs"
