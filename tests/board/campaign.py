"""What takes longer than `make test-board` may: `make board-campaign`, which prints the figures of every build."""

import random
from contextlib import ExitStack
from copy import deepcopy

import pytest

from tests.board.bad_wire import Day
from tests.board.building import LIFT_MS, HeadStops, build, check_walls, logged
from tests.board.conftest import SETTLED_MS
from tests.board.cuts import SETTING, Watched, setting_of, started, told
from tests.board.failing import AT_START, crash_at_start, crash_in, crash_in_sorter, failing, hardware_for
from tests.board.polls import check_polls, noting
from tests.board.real_node import RealMouth
from tests.board.signed_wall import drawn, events_to, give, standing
from tests.board.test_measure import FOUND_MS
from tests.board.test_sorter import REAL, RING_ON_LINE
from tests.firmware.prescribing import LONGEST_MS
from tests.host.doctor.wirer import Wirer, wire_up
from tests.host.hardware_page import UNIT, to_a_first_build, to_a_first_deal, to_a_map
from wallwright.doctor.chip_figures import measure_board
from wallwright.doctor.upkeep import change_settings
from wallwright.doctor.wiring.wire_map import load_map
from wallwright.duplicate.deals import OWN
from wallwright.duplicate.drawing import draw_deals
from wallwright.journal import Journal
from wallwright.table.table import open_table
from wallwright_protocol import codes
from wallwright_protocol.hardware import DEFAULT_PLANS, LID_IS_OPEN
from wallwright_simulator.chip.files import FLASH_OFFSET
from wallwright_simulator.chip.image import find_image
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.sorter import PLAIN
from wallwright_simulator.timing import USUAL
from wallwright_simulator.vm import VmApp
from wallwright_simulator.world import World

INSTRUCTIONS = 4
CUTS = 200
"""At random instructions of builds, CUT_EVERY of them apart on average: the builds are cut in their first seconds."""
CUT_PARTS = 8
CUT_EVERY = 8_000_000
DARK_MS = 100
CUTS_A_WRITE = 6
SETTINGS = 20
PARTS = 4
LINK_MINUTES = 5
"""Of the table's time: one frame in twelve fails, and all that is rare every half a minute."""
DAY_MINUTES = 24 * 60
"""For so long in a MicroPython like the chip's: on the emulated chip it would take five days."""
XIP_MISSES = (0, 50)
SIZES = (108, 136, 144)
LID_OPEN_MS = 10_000
WALLS_UP_MS = 20_000
LATEST_ANSWER_MS = 5
"""The longest question and answer, and this, are over within a slot of the line."""
SORTS_MS = 3000
LATCHED_BYTES = 125_000
CAMS = (0.5, 0.7, 1.3)
"""How long a turn of the heads takes, in times of the usual one."""


@pytest.mark.parametrize("xip_miss", XIP_MISSES)
@pytest.mark.parametrize("tiles", SIZES)
@pytest.mark.parametrize("number", range(5))
def test_the_host_builds_the_walls(chip, operate, seed, number, tiles, xip_miss, monkeypatch):
    """With a slow flash all readers are there too, and the board notes its polls."""
    if not xip_miss:
        build_by_host(logged(chip, seed + number, tiles), operate, monkeypatch, tiles)
        return
    notes = [noting(tiles)]
    simulation = logged(chip, seed + number, tiles, xip_miss=xip_miss, readers=ALL_READERS, flash=notes)
    build_by_host(simulation, operate, monkeypatch, tiles)
    check_polls(simulation)


@pytest.mark.parametrize("cam", CAMS)
def test_the_host_builds_the_walls_by_other_cams(chip, operate, seed, cam, monkeypatch):
    """With the least stroke that `doctor calibrate` takes for them."""
    simulation = logged(chip, seed, cam=cam, xip_miss=XIP_MISSES[-1])
    build_by_host(simulation, operate, monkeypatch, 108, least_stroke_ms=round(0.9 * cam * USUAL.head_cycle_ms))


def build_by_host(simulation, operate, monkeypatch, tiles, **settings):
    """Let a host build the walls, with these settings changed before."""
    simulation.run_until(2500)
    stops = HeadStops(simulation, monkeypatch)
    table = operate(simulation)
    change_settings(table, settings)
    table.set_plan(DEFAULT_PLANS[tiles], dealer=0)
    table.start_build()
    built = table.wait_for("build_done", timeout_ms=120_000)
    assert built.fields["stacks"] == DEFAULT_PLANS[tiles]
    check_walls(simulation, stops, DEFAULT_PLANS[tiles])


def test_the_page_leads_from_a_blank_chip_to_a_first_deal(chip, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    simulation = chip(5, blank=True)
    port = attach("whole-page-on-a-chip", simulation)
    to_a_map(run, simulation, port, f"--image {find_image()}", monkeypatch)
    to_a_first_build(run, simulation, port, monkeypatch)
    to_a_first_deal(run, simulation, port, UNIT, monkeypatch)
    assert simulation.resets == 0


def test_the_wizard_finds_the_wires_of_a_table_that_is_wired_anyhow(chip, run, seed, tmp_path, monkeypatch):
    """On a new board; its claim keys are on the nodes of the line, as the displays are."""
    made = wire_up(f"{seed}/chip")
    world = World(seed % 1000, 108, log_drives=True)
    simulation = chip(seed % 1000, world=world, harness=made.harness)
    person = Wirer(made, simulation, [("claim keys", "n")])
    monkeypatch.setattr("wallwright.doctor.person.Terminal", lambda *_: person)
    simulation.run_until(SETTLED_MS)
    path = tmp_path / "table.toml"
    done = run(f"doctor wire --port {attach('wired-anyhow', simulation)} --map {path}")
    assert done.code == 0, done
    assert simulation.resets == 0
    found, wanted = load_map(path), made.map()
    assert found.outputs == wanted.outputs
    assert found.inputs == {name: wire for name, wire in wanted.inputs.items() if not name.startswith("claim_key")}
    assert all(mask & (mask - 1) == 0 for _, mask in world.drive_log), "one at a time"


@pytest.mark.parametrize("mode", [codes.STRICT_WALL, codes.HANDS_WALL])
def test_a_real_node_sorts_for_the_wall_that_a_director_has_signed(chip, operate, seed, mode, tmp_path, monkeypatch):
    """The host's own station gives it; one node is its own image on a chip of its own. In the end the walls rise."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    simulation = chip(seed % 1000, readers=ALL_READERS, hardware=RING_ON_LINE, wash_s=0, real_node=REAL)
    simulation.run_until(SETTLED_MS)
    table = operate(simulation)
    deals = draw_deals("day", "mil-2025", OWN, 1, random_bytes=random.Random(seed).randbytes)
    give(table, simulation.world, deals, mode)
    mouth = RealMouth(simulation)
    began_ms = simulation.now_ms
    table.start_build()
    events = events_to(table, "wall_prescribed", LONGEST_MS)
    print(f"whole and compared after {(simulation.now_ms - began_ms) / 1000:.1f} s")
    mouth.listen()
    print(*mouth.figures(), sep="\n")
    assert (events[-1].fields["match"], events[-1].fields["inferred"]) == (1, 0)
    assert standing(simulation.world, deals, mode) == drawn(deals, mode)
    assert not mouth.unread()
    assert min(mouth.spared_ms()) >= 0
    assert max(mouth.delays_ms) <= LATEST_ANSWER_MS
    assert 100 * len(mouth.late_answers()) < len(mouth.delays_ms)
    table.open_lid()
    table.run_until(lambda _: bool(simulation.world.levels[LID_IS_OPEN]), LID_OPEN_MS)
    simulation.players.push_in()
    table.raise_walls()
    events += events_to(table, "walls_up", WALLS_UP_MS)
    assert not {event.name for event in events} & {"fault", "notice"}
    assert mouth.resets == simulation.resets == 0


def test_a_board_with_a_ring_has_most_of_its_heap_free_while_it_builds_what_is_prescribed(chip, tmp_path, monkeypatch):
    """The host keeps each event, so that none waits in the board; `-rP` shows the figures of docs/duplicate.md."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    free = {}
    for name, hardware in (("without a sorter", PLAIN), ("with a ring", RING_ON_LINE)):
        simulation = chip(1, readers=ALL_READERS, hardware=hardware, wash_s=0)
        simulation.run_until(FOUND_MS)
        with (
            Journal(tmp_path / f"{name}.journal") as journal,
            open_table(attach(name, simulation), journal=journal) as table,
        ):
            free[name] = free_bytes(table)
            if hardware != PLAIN:
                give(table, simulation.world, draw_deals("day", "mil-2025", OWN, 1), codes.STRICT_WALL)
                free["given"] = free_bytes(table)
                table.start_build()
                table.pump(SORTS_MS)
                assert table.state == "building"
                table.stop()
                free["latched"] = free_bytes(table)
    print(free)
    assert free["latched"] >= LATCHED_BYTES


def free_bytes(table):
    """Ask the board how much of its heap is free behind a collection, half a second after the last event."""
    table.pump(500)
    return measure_board(table, "sim://", "tests", lambda _: None).figures["collections"]["free_bytes"]


@pytest.mark.parametrize("module", failing())
def test_an_exception_in_any_module_turns_the_outputs_off(chip, operate, seed, module):
    if hardware_for(module) == PLAIN:
        _, crashed = crash_in(module, chip, operate, seed)
    else:
        crashed = crash_in_sorter(module, chip, seed)
    assert crashed["error"] == "ValueError"


@pytest.mark.parametrize("module", AT_START)
def test_an_exception_in_any_module_at_the_start_switches_nothing_on(chip, seed, module):
    simulation = crash_at_start(module, chip, seed)
    assert simulation.resets == 1
    assert not any(mask for _, mask in simulation.world.drive_log)
    assert simulation.board.displays[0] == "START?"


@pytest.mark.parametrize("number", range(INSTRUCTIONS))
def test_a_power_cut_at_any_instruction_leaves_the_flash_that_its_writes_say(chip, seed, number):
    """What `Watched` works out is what a chip has that loses its power there."""
    made, cut = (chip(1, flash=(), power=False) for _ in range(2))
    watched = Watched(made, 1)
    cut.cut_after(random.Random(seed + number).randrange(1_000_000, 60_000_000))
    for simulation in (made, cut):
        simulation.power_on()
        simulation.run_until(SETTLED_MS)
    assert not cut.is_on
    assert cut.chip.flash()[FLASH_OFFSET:] in [left.files for left in watched.left()]


def part_of(watched, part):
    """Every fourth of the cuts; `-rP` shows how many they are."""
    cuts = list(watched.left())[part::PARTS]
    print(f"{len(cuts)} power cuts")
    return cuts


@pytest.mark.parametrize("part", range(PARTS))
def test_a_power_cut_at_any_moment_of_the_first_start_leaves_a_table_that_starts(chip, seed, part):
    """File system, crash log and first record are being written then. A new board has no map, and says so."""
    simulation = chip(seed % 1000, flash=(), power=False)
    watched = Watched(simulation, CUTS_A_WRITE)
    simulation.power_on()
    simulation.run_until(SETTLED_MS)
    for cut in part_of(watched, part):
        with started(simulation, cut.files) as table:
            assert [fault["fault"] for fault in told(table, "fault")] == ["wiring_unknown"], f"cut at {cut.at_ms} ms"
            assert told(table, "notice") == []


@pytest.mark.parametrize("part", range(PARTS))
def test_a_power_cut_at_any_moment_of_a_setting_loses_none_that_was_confirmed(chip, operate, seed, part):
    simulation = chip(seed % 1000)
    table = operate(simulation)
    table.wait_state("idle", SETTLED_MS)
    values = [setting_of(table)]
    confirmed = [0]
    watched = Watched(simulation, CUTS_A_WRITE)
    for value in range(3000, 3000 + 20 * SETTINGS, 20):
        change_settings(table, {SETTING: value})
        values.append(value)
        confirmed.append(simulation.now_ms)
    table.close()
    for cut in part_of(watched, part):
        with started(simulation, cut.files) as again:
            assert again.state == "idle", f"cut at {cut.at_ms} ms"
            assert told(again, "fault", "notice") == []
            last = max(number for number, at_ms in enumerate(confirmed) if at_ms <= cut.at_ms)
            assert setting_of(again) in values[last : last + 2], f"cut at {cut.at_ms} ms"


@pytest.mark.parametrize("part", range(PARTS))
def test_a_power_cut_while_a_build_begins_is_known_of_or_nothing_had_moved(chip, operate, seed, part):
    simulation = logged(chip, seed)
    table = operate(simulation)
    table.wait_state("idle", SETTLED_MS)
    change_settings(table, {SETTING: 3100})
    watched = Watched(simulation, CUTS_A_WRITE)
    table.start_build()
    table.run_until(lambda _: bool(simulation.world.drive_log and simulation.world.drive_log[-1][1]), SETTLED_MS)
    moved_ms = next(at_ms for at_ms, mask in simulation.world.drive_log if mask)
    table.close()
    for cut in part_of(watched, part):
        with started(simulation, cut.files) as again:
            (restored,) = told(again, "restored")
            allowed = {"empty", "unknown"} if cut.at_ms < moved_ms else {"unknown"}
            assert restored["carriers"] in allowed, f"cut at {cut.at_ms} ms, moved at {moved_ms} ms"
            assert setting_of(again) == 3100


@pytest.mark.parametrize("part", range(CUT_PARTS))
def test_a_power_cut_at_any_instruction_of_a_build_leaves_a_table_that_asks(chip, seed, part):
    """The build goes on; at each of these instructions a copy of the table and of its flash loses its power."""
    rng = random.Random(seed + part)
    simulation = build(chip, seed + part)
    for number in range(CUTS // CUT_PARTS):
        simulation.run_instructions(rng.randrange(1, 2 * CUT_EVERY))
        at_ms = simulation.now_ms
        assert simulation.world.drive_log[-1][1], "a build is under way"
        world = deepcopy(simulation.world)
        flash = (FLASH_OFFSET, simulation.chip.flash()[FLASH_OFFSET:])
        cut = chip(number, world=world, flash=[flash], power=False)
        cut.power_off()
        cut.run_until(at_ms + DARK_MS)
        cut.power_on()
        asks = [f"E{codes.WALLS_UNKNOWN}"] * 4
        while cut.board.displays != asks:
            assert cut.now_ms < at_ms + DARK_MS + LIFT_MS, f"cut at {at_ms} ms: {cut.board.displays}"
            cut.run_until(cut.now_ms + 10)
        assert world.drive_log[-1] == (at_ms, 0)
        assert cut.resets == 0
        world.check_conserved()
        cut.close()
    print(f"{CUTS // CUT_PARTS} power cuts up to {at_ms} ms")


def test_a_bad_link_for_minutes_loses_no_event_and_doubles_none(chip, seed):
    live(chip(seed % 1000), seed, LINK_MINUTES)


def test_a_bad_link_for_a_day_loses_no_event_and_doubles_none(micropython_runtime, seed):
    with ExitStack() as stack:

        def firmware(*args):
            return stack.enter_context(VmApp(*args, runtime=micropython_runtime))

        live(Simulation(seed % 1000, firmware=firmware), seed, DAY_MINUTES)


def live(simulation, seed, minutes):
    """Let the link of a table at rest fail for so long."""
    simulation.run_until(SETTLED_MS)
    day = Day(simulation, random.Random(seed))
    while simulation.now_ms < minutes * 60_000:
        day.act()
    day.settle()
    print(day.told())
    assert min(day.unplugged, day.pauses, day.hosts - 1, *day.fates.values()) > 0
