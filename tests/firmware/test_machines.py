"""Every state of the board's machines is reached and left by what happens at a simulated table."""

from collections.abc import Callable
from functools import partial

import pytest

from tests.firmware.prescribing import FLAP_2, MOUTH, RING_18, Director
from tests.followed import Steps, check_all_states, follow
from tests.scenarios.table import Table
from tools.machine_page import BOARD, HOST, LINK, states_of
from wallwright_firmware.app import App
from wallwright_firmware.build import Build
from wallwright_firmware.dice import Dice
from wallwright_firmware.drivers import passage
from wallwright_firmware.drivers.belt import Belt
from wallwright_firmware.drivers.drum import Rotor
from wallwright_firmware.drivers.head import Head
from wallwright_firmware.drivers.travel import Travel
from wallwright_firmware.setup import Setup
from wallwright_firmware.sorting.eddies import Eddy
from wallwright_firmware.sorting.flaps import FlapSorter, Place
from wallwright_firmware.sorting.mouth import Mouth
from wallwright_firmware.sorting.prescribed import Prescribed
from wallwright_firmware.sorting.tides import Tide, TideSorter
from wallwright_firmware.wash import Wash
from wallwright_protocol import codes
from wallwright_protocol.codes import RANDOM_FAILED
from wallwright_protocol.hardware import COUNT_EYE, DICE_KEY, REFEREE_KEY, SIDES, input_number
from wallwright_protocol.machine import Machine
from wallwright_simulator.board import SimulatedBoard
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.injection import Injection
from wallwright_simulator.sorter import Hardware

SLOWER = 2.8
"""Heads of 1.4 s a stroke: the belts fill up, and return before the last stroke has ended."""


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Steps:
    return follow(monkeypatch)


def evening(script: str, *, slow_heads: bool = False) -> tuple[Table, list[App]]:
    """A table at which this goes wrong, and its app."""
    apps: list[App] = []

    def app(board: SimulatedBoard, unit: bytes, tiles: int) -> App:
        apps.append(App(board, unit, tiles))
        return apps[-1]

    table = Table(3, firmware=app)
    if slow_heads:
        for head in table.world.heads:
            head._marks_ms = [int(mark * SLOWER) for mark in head._marks_ms]
    table.sim.injection = Injection(table.world, parse_faults(script), table.sim)
    return table, apps


def a_lane_in_all_it_can_get_into() -> None:
    """Builds with stuck tiles and heads, a pause in a stroke, a stop, and a tile too many."""
    table, _ = evening("jam lane 1 at 4 s frees 60 %; jam head 2 at 5 s frees 60 %")
    table.press_lift()
    table.until("READY", 90_000)
    table, _ = evening("", slow_heads=True)
    table.press_lift()
    table.run(9_000)
    table.press_lift(0)
    table.press_lift(2)
    table.until("TILE?", 10_000)
    table.press_lift(0)
    table.until("READY", 120_000)
    table.run(10_000)
    table, _ = evening("press emergency stop at 6 s; release emergency stop at 7 s; extra tile")
    table.press_lift()
    table.until_fault()
    table.run(1_000)
    table.press_lift()
    table.run(1_000)
    table.press_lift()
    table.until_fault()


def a_lid_and_a_lift_with_something_in_their_way() -> None:
    """The lid stalls for a moment on its way up, and a lift for so long that it stays a fault."""
    table, _ = evening("stall lid at 41 s for 4 s; stall lift 2 at 60 s")
    table.press_lift()
    table.until("READY", 40_000)
    table.run(40_000 - table.now_ms)
    table.press_lift()
    table.until("DROP", 20_000)
    table.sim.players.push_in()
    table.run(59_000 - table.now_ms)
    table.press_lift()
    table.until_fault()


def a_drum_that_gets_stuck() -> None:
    """The disc stands for a moment, and comes round; the ring stands for good."""
    table, _ = evening("stall disc at 3 s for 6.5 s; stall ring at 25 s")
    table.press_lift()
    table.until_fault()
    table.press_lift()
    table.run(1_000)
    table.press_lift()
    table.run(1_000)


def a_wash_that_ends_and_one_that_a_key_cuts() -> None:
    """Walls after a whole wash, and after one that was cut short."""
    for waits_ms in (12_000, 4_000):
        table = Table(3, wash_s=10)
        table.press_lift()
        table.run(waits_ms)
        table.press_lift()
        table.run(1_000)


def dice_whose_source_fails() -> None:
    """A roll, a source that fails while the next seed is gathered, and one that was mended."""
    table, _ = evening("noise dead at 10 s")
    host = table.connect()
    table.run(10_000 - table.now_ms)
    host.do("roll_dice", 0, codes.CUT, 0)
    assert table.run(10_000, lambda: any(event.values["fault"] == RANDOM_FAILED for event in host.named("fault")))
    table.sim.injection.mend()
    host.do("clear_fault")
    table.run(5_000)
    host.do("roll_dice", 0, codes.CUT, 0)


def a_panel_at_which_the_game_is_set() -> None:
    """Keys that are let go too soon, a game that is set, and one that nobody goes on with."""
    table, _ = evening("")
    for held_ms in (1_000, 4_000, 4_000):
        table.world.press(input_number(0, DICE_KEY), held_ms)
        table.run(100)
        table.world.press(input_number(0, REFEREE_KEY), held_ms - 200)
        table.run(5_000)
        if table.shown.startswith("SET"):
            table.press_dice(1)
            table.run(200)
            table.press_lift(1)
            table.until("DICE 2", 1_000)
            table.run(200)
            table.press_lift(2)
            table.run(1_000)
            if table.shown.startswith("OUT"):
                table.press_dice(1)
                table.run(200)
                table.press_lift(1)
            table.until("START?", 1_000)
    table.run(40_000)


def a_prescribed_wall_with_a_tile_that_nobody_reads() -> None:
    """All is taken, held or knocked off but one tile, which comes in last."""
    prescribed(RING_18)


def prescribed(hardware: Hardware) -> None:
    """Such a wall on these parts."""
    table = Director(3, hardware, script="tag 5 dead")
    table.equip()
    assert table.build(table.drawn(codes.HANDS_WALL))["inferred"] == 1


REACHED: dict[type[Machine], Callable[[], None]] = {
    Mouth: a_prescribed_wall_with_a_tile_that_nobody_reads,
    Place: partial(prescribed, FLAP_2),
    Tide: partial(prescribed, MOUTH),
    Eddy: partial(prescribed, MOUTH),
    Prescribed: a_prescribed_wall_with_a_tile_that_nobody_reads,
    Wash: a_wash_that_ends_and_one_that_a_key_cuts,
    Build: a_lane_in_all_it_can_get_into,
    Rotor: a_drum_that_gets_stuck,
    Belt: a_lane_in_all_it_can_get_into,
    Head: a_lane_in_all_it_can_get_into,
    Dice: dice_whose_source_fails,
    Setup: a_panel_at_which_the_game_is_set,
    Travel: a_lid_and_a_lift_with_something_in_their_way,
}


def test_every_machine_of_the_page_is_driven_here():
    assert {shown.machine for shown in BOARD} == set(REACHED)


@pytest.mark.parametrize("shown", [*BOARD, *LINK, *HOST], ids=lambda shown: shown.machine.__name__)
def test_every_act_of_a_table_is_a_method_and_every_state_has_its_words(shown):
    states = set(shown.machine.table)
    assert states == set(states_of(shown.module))
    for rows in shown.machine.table.values():
        for following, act in rows.values():
            assert following in states
            assert not act or callable(getattr(shown.machine, act))


@pytest.mark.slow
@pytest.mark.parametrize("shown", BOARD, ids=lambda shown: shown.machine.__name__)
def test_every_state_of_a_machine_is_reached_and_left(shown, steps):
    REACHED[shown.machine]()
    check_all_states(shown, steps)


def test_a_machine_begins_in_the_first_state_of_its_table():
    _, (app,) = evening("")
    lane = app.build.lanes[0]
    sorting, by_flaps, by_belts = (Director(1, hardware).app.sorting for hardware in (RING_18, FLAP_2, MOUTH))
    assert sorting is not None
    assert by_flaps is not None
    assert by_belts is not None
    assert isinstance(by_flaps.sorter, FlapSorter)
    assert isinstance(by_belts.sorter, TideSorter)
    machines: list[Machine] = [
        app.build,
        app.cycle.wash,
        app.build.drum.rotors[0],
        lane.belt,
        lane.head,
        app.cycle.lid,
        Dice(app.hal, app.events, app.cycle.steps, lambda: None),
        app.make_setup(),
        sorting,
        sorting.sorter.mouths[0],
        by_flaps.sorter._places[0][0],
        by_belts.sorter.mouths[0],
        by_belts.sorter._eddies[0],
    ]
    begins = {row.machine: each.state for row in BOARD for each in machines if isinstance(each, row.machine)}
    assert begins == {shown.machine: next(iter(shown.machine.table)) for shown in BOARD}


@pytest.mark.slow
def test_every_value_of_a_passage_is_reached_and_left():
    changes: set[tuple[int, int]] = set()

    def play(script: str, *keys_ms: int, stop_in_eye: bool = False) -> None:
        """A lift key is pressed at these times; after the last one the evening goes on for a minute."""
        table, (app,) = evening(script)
        lanes = app.build.lanes
        before = [lane.passage for lane in lanes]

        def look() -> bool:
            for lane in lanes:
                if lane.passage != before[lane.side]:
                    changes.add((before[lane.side], lane.passage))
                    before[lane.side] = lane.passage
            return stop_in_eye and any(table.world.levels[input_number(side, COUNT_EYE)] for side in range(SIDES))

        for key_ms in keys_ms:
            table.run(key_ms - table.now_ms, look)
            table.press_lift()
        if table.run(60_000, look):
            stop_in_eye = False
            table.world.emergency_stop(True)
            table.run(1_000, look)
            table.world.emergency_stop(False)
            for _ in range(2):
                table.run(1_000, look)
                table.press_lift()
            table.run(5_000, look)

    play("", 100, stop_in_eye=True)
    play("jam lane 1 at 4 s frees 0 %", 100, 80_000)
    play("extra tile", 100)
    play("eye 2 count blocked at 0.5 s for 4 s", 1_000, 8_000)
    names = {state: words.name for state, words in states_of(passage).items()}
    every = {names[value] for value in passage.PASSAGES}
    assert {names[value] for _, value in changes} == every
    assert {names[value] for value, _ in changes} == every
