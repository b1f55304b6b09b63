"""Every request in every state, by SPEC.md: what section 8 says of it is what the firmware does, at a whole table.

The states are reached as people and hosts reach them. What is refused is asked in one run for each state, since it
changes nothing; what may change the state is asked at a table of its own.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.protocol import spec
from tests.scenarios.table import Host, Table
from wallwright_firmware.store import LEAST_BYTES
from wallwright_protocol import codes
from wallwright_protocol.names import REFUSALS, STATES
from wallwright_protocol.settings import DEFAULTS, STAND

SEED = 11
STAND_MS = DEFAULTS[STAND]
PLAN = (14, 13, 14, 13)
DISC = 0
GOOD: dict[str, tuple[Any, ...]] = {
    "set_plan": (*PLAN, 0, codes.HELD, 10),
    "roll_dice": (0, codes.CUT, 0),
    "set_throw": (codes.CUT, 2, 0),
    "set_deal": (0, 0, 0, 0, 0),
    "contribute": (1, b"sixteen bytes it"),
    "jog": (DISC, 100),
    "get_drive": (DISC,),
    "get_settings": (0,),
    "get_fault_counts": (0,),
    "get_drive_times": (0,),
    "set_setting": (0, 5),
    "try_setting": (0, 5),
    "set_enrolment": (bytes(32),),
    "prescribe": (1232, 0, bytes(200)),
    "set_director": (bytes(32),),
    "get_record": (0, 0),
    "get_dictionary": (0,),
    "measure": (2,),
    "put_record": (0, LEAST_BYTES, 0, bytes(200)),
    "set_wiring": (15, *range(45), *range(32), 0, 0, 0),
    "jog_wire": (0, 100, 255, 38 | 128, bytes(6)),
}
"""Arguments with which nothing but the state, and what its row names, can be in the way."""
SORTING = ("prescribe", "prescribe_cancel", "set_director")
LEAVING = (
    "start_build",
    "open_lid",
    "raise_walls",
    "lower_lifts",
    "hurry",
    "clear_fault",
    "begin_service",
    "end_service",
    "begin_wiring",
    "jog",
)
"""What is asked at a table of its own where it is accepted; `stop` comes last at each."""


class Row:
    """What SPEC.md says of one request."""

    def __init__(self, states: str, conditions: str, refusals: str) -> None:
        named, _, after = states.partition(";")
        everywhere = named.startswith("all")
        but = named.removeprefix("all but ").split(", ") if everywhere else []
        self.states = set(STATES) - set(but) if everywhere else set(named.split(", "))
        assert self.states <= set(STATES), states
        assert after in ("", " after `random_failed` all")
        self.needs_rest = "no drive is on" in conditions
        self.refusals = re.findall(r"`(\w+)`", refusals)

    def wanted(self, name: str, state: str, *, moves: bool) -> str:
        """The answer to good arguments in `state`, where a drive is on or not."""
        if name in SORTING:
            return "no_sorter"  # tests/firmware/test_prescribed.py asks a table that has one
        if name == "set_enrolment":
            return "wrong_state"  # this table has no readers
        if name == "reboot_to_loader" and state in self.states:
            return "no_consent"  # nobody has pressed a key
        if name in ("set_enrolment", "set_wiring", "jog_wire"):
            return "wrong_state"  # this table has no readers, and it is wired
        if state in self.states and not (self.needs_rest and moves):
            return "ok"
        return "fault_active" if state == "fault" and "fault_active" in self.refusals else "wrong_state"


ROWS = {
    name: Row(*cells[1:])
    for cells in spec.table_below("When each request is accepted")
    for name in cells[0].split(", ")
}


def at(state: str) -> tuple[Table, Host]:
    """A table in that state, and its host."""
    table = Table(SEED)
    host = table.connect()
    table.run(3000)  # the first seed is committed
    PATHS[state](table, host)
    assert now(host) == state
    return table, host


def now(host: Host) -> str:
    return str(STATES[host.do("get_status")["state"]])


def until(state: str, table: Table, host: Host) -> None:
    wanted = STATES.index(state)
    assert table.run(90_000, lambda: [event.values["state"] for event in host.named("state_changed")][-1:] == [wanted])


def go(*steps: str) -> Callable[[Table, Host], None]:
    """Take the steps one by one: requests, and states to wait for."""

    def walk(table: Table, host: Host) -> None:
        for step in steps:
            if step in STATES:
                until(step, table, host)
            elif step == "push_in":
                table.sim.players.push_in()
            elif step == "draw_in":
                table.sim.players.draw_in()
            elif step == "dice_key":
                table.press_dice()
            elif step == "wait":
                table.run(1000)
            elif step == "hold":
                host.do("set_plan", *GOOD["set_plan"])
            elif step == "lift_key":
                table.press_lift()
            else:
                host.do(step, *GOOD.get(step, ()))

    return walk


READY = ("start_build", "ready")
OPEN = (*READY, "open_lid", "lid_open", "push_in")
RISING = (*OPEN, "wait", "raise_walls", "lifting")
UP = (*RISING, "walls_up", "draw_in")
PATHS: dict[str, Callable[[Table, Host], None]] = {
    "idle": go(),
    "building": go("start_build", "wait"),
    "ready": go(*READY),
    "checking": go(*READY, "open_lid"),
    "lid_opening": go(*READY, "open_lid", "lid_opening"),
    "lid_open": go(*OPEN),
    "lid_closing": go(*OPEN, "wait", "raise_walls"),
    "lifting": go(*RISING),
    "walls_up": go(*UP),
    "lowering": go(*UP, "lower_lifts"),
    "shuffling": go("hold", *UP, "lower_lifts", "shuffling"),
    "holding": go("hold", *UP, "lower_lifts", "holding"),
    "asking": go("hold", *UP, "lower_lifts", "holding", "lift_key", "asking"),
    "fault": go("stop"),
    "pausing": go("start_build", *["wait"] * 10, "open_lid"),
    "stopped_raising": go(*RISING, "wait", "stop", "clear_fault"),
    "stopped_lowering": go(*UP, "dice_key", "wait", "stop", "clear_fault", "wait"),
    "service": go("begin_service"),
}


def asked(host: Host, name: str) -> str:
    """The answer to that request with good arguments."""
    values = GOOD.get(name, ())
    host._table.world.act()
    if name == "contribute":
        values = (host.named("dice_committed")[-1].values["roll"], *values[1:])
    return REFUSALS[host.request(name, *values)[0]]


def test_every_state_but_the_first_is_reached_and_every_request_has_a_row() -> None:
    """The board is `starting` in its first poll alone, before it hears anybody."""
    assert set(PATHS) == set(STATES) - {"starting"}
    assert set(ROWS) == {row.name for row in spec.ROWS if row.direction == "request"}


@pytest.mark.parametrize("state", PATHS)
def test_what_is_refused_changes_nothing_and_what_does_not_leave_the_state_is_done(state: str) -> None:
    table, host = at(state)
    with table:
        if state == "lowering":  # lifts that have just risen stand before they go down
            assert table.run(STAND_MS + 50, lambda: bool(table.world.mask))
        moves = bool(table.world.mask)
        for name, row in sorted(
            ROWS.items(), key=lambda item: item[0] == "roll_dice"
        ):  # then there is no seed at first
            wanted = row.wanted(name, state, moves=moves)
            if name == "stop" or (name in LEAVING and wanted == "ok") or (name == "restart" and wanted == "ok"):
                continue
            assert (name, asked(host, name)) == (name, wanted)
            assert now(host) == state, name
        assert asked(host, "stop") == "ok"
        assert now(host) == "fault"


def leaving() -> Iterator[tuple[str, str]]:
    for name in LEAVING:
        for state in PATHS:
            if state in ROWS[name].states and (name != "clear_fault" or state == "fault"):
                yield name, state


@pytest.mark.parametrize(("name", "state"), [*leaving()])
def test_what_leaves_the_state_is_done_there(name: str, state: str) -> None:
    table, host = at(state)
    with table:
        if ROWS[name].needs_rest:
            assert table.run(30_000, lambda: not table.world.mask)  # a table that is ready looks for a tile too many
            table.run(STAND_MS)  # a belt may only stand before it turns the other way
            assert table.run(30_000, lambda: not table.world.mask)
        before = len(host.events)
        assert asked(host, name) == "ok"
        table.run(200)
        told = host.events[before:]
        assert any(event.name == "command_accepted" for event in told)
        assert name == "jog" or now(host) != state or table.shown == "NO MAP"


@pytest.mark.parametrize("state", sorted(ROWS["restart"].states))
def test_a_board_that_is_restarted_rests_afterwards(state: str) -> None:
    table, host = at(state)
    with table:
        assert asked(host, "restart") == "ok"
        table.run(2000)
        assert table.world.mask == 0
        again = table.connect()
        assert [event.name for event in again.events][:1] == ["booted"]
        assert now(again) == "idle"


BAD = [name for name, row in ROWS.items() if "bad_argument" in row.refusals and name not in SORTING]


@pytest.mark.parametrize("name", BAD)
def test_a_bad_argument_is_refused_as_such_in_every_kind_of_state(name: str) -> None:
    """It comes before the fault, the state and what drives do."""
    special: dict[str, tuple[Any, ...]] = {
        "contribute": (99, bytes(16)),
        "get_dictionary": (0xFFFF,),
        "set_plan": (*PLAN[:3], 14, 0, 0, 0),
        "put_record": (0, 296, 200, bytes(200)),
        "set_wiring": (16, *range(45), *range(32), 0, 0, 0),
        "jog_wire": (0, 1501, 255, 38 | 128, bytes(6)),
    }
    bad = special.get(name, (255,) * len(GOOD[name]))
    for state in ("idle", "building", "fault", "service"):
        table, host = at(state)
        with table:
            code, _ = host.request(name, *bad)
            assert REFUSALS[code] == "bad_argument", state


@pytest.mark.parametrize("state", ["idle", "fault", "service"])
def test_what_cannot_be_read_is_refused_before_anything_else(state: str) -> None:
    table, host = at(state)
    with table:
        for message in range(256):
            host.requester.request(table.now_ms, message, bytes(200))
            host._finish()
            _, answered, code, payload = host.happened.pop()
            known = any(row.number == message and row.direction == "request" for row in spec.ROWS)
            assert (answered, REFUSALS[code]) == (message, "wrong_length" if known else "unknown_message")
            assert payload == b""
        assert now(host) == state


def test_the_emergency_stop_keeps_the_fault_and_a_failed_source_is_cleared_in_any_state() -> None:
    table, host = at("idle")
    with table:
        table.sim.world.emergency_stop(True)
        until("fault", table, host)
        assert asked(host, "clear_fault") == "fault_active"
        table.sim.world.emergency_stop(False)
        table.run(100)
        assert asked(host, "clear_fault") == "ok"
        assert asked(host, "clear_fault") == "wrong_state"
