"""A board one of whose modules fails in the middle of a build."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.board.building import build
from wallwright.table.table import Table
from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.chip.files import program

FAILS_MS = 2600
"""The chip's own clock starts with its power, as the table's does."""
FAILS = """
import time
import wallwright_firmware.{module} as module
def spoil(owner, name, works):
    def fail(*args):
        if time.ticks_ms() > {fails_ms}: raise ValueError("on purpose")
        return works(*args)
    setattr(owner, name, fail)
spoil(module.{owner}, "{name}", module.{owner}.{name})
"""
FAILING = {
    "app": ("App", "poll"),
    "boards.line_port": ("LinePort", "send"),
    "boards.measure": ("Times", "add"),
    "boards.rp2": ("Board", "feed_watchdog"),
    "boards.sampler": ("Sampler", "take"),
    "boards.uart": ("Port", "take"),
    "build": ("Build", "vane"),
    "counters": ("Counters", "drives"),
    "drivers.inputs": ("Inputs", "take_edges"),
    "drivers.lane": ("Lane", "head_home"),
    "garbage": ("Garbage", "after_poll"),
    "line": ("Line", "poll"),
    "line_node": ("Node", "question"),
    "readers": ("Readers", "take_news"),
    "safety": ("Outputs", "poll"),
    "wiring": ("Wiring", "drive"),
}
"""Modules that take part in a build, and what of them fails."""


def crash_in(
    module: str,
    chip: Callable[..., ChipSimulation],
    operate: Callable[[ChipSimulation], Table],
    seed: int,
) -> tuple[ChipSimulation, Mapping[str, Any]]:
    """Let the module fail while motors run; return the table after the next start, and what that told."""
    owner, name = FAILING[module]
    text = FAILS.format(module=module, owner=owner, name=name, fails_ms=FAILS_MS)
    simulation = build(chip, seed, flash=[program(text)])
    assert simulation.world.drive_log[-1][0] < FAILS_MS
    while simulation.resets == 0 and simulation.now_ms < FAILS_MS + 5000:
        simulation.run_until(simulation.now_ms + 1)
    assert simulation.resets == 1
    off_ms, mask = simulation.world.drive_log[-1]
    assert mask == 0
    assert off_ms < simulation.now_ms, "the outputs go off before the reason is kept, and the chip is reset after that"
    simulation.run_until(simulation.now_ms + 1200)
    table = operate(simulation)
    table.pump(200)
    (crashed,) = [event.fields for event in table.events() if event.name == "crashed"]
    return simulation, crashed
