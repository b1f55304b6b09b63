"""The watched world finds what it is there to find: each rule is broken once, by hand."""

import pytest

from tests.scenarios.owners import DRUM_RESTS_MS, TOLD_MS
from tests.scenarios.power import app_of
from tests.scenarios.table import Table
from tests.scenarios.watch import ENDS, LONGEST_MS, PAST_END_MS, PAUSE_MS, REACTION_MS, Broken, WatchedWorld
from wallwright_firmware.service import Service
from wallwright_protocol import codes
from wallwright_protocol.hardware import (
    CONVEYOR,
    CONVEYOR_REVERSE,
    DISC,
    HEAD,
    LID_CLOSE,
    LID_OPEN,
    LIFT_KEY,
    LIFT_LOWER,
    LIFT_RAISE,
    RING,
    SIDES,
    drive_bit,
    input_number,
)
from wallwright_protocol.link import NEVER

PLAN = (1, 0, 0, 0)


def run_to(world, until_ms):
    while world.now_ms < until_ms:
        world.advance(until_ms)


@pytest.fixture
def world():
    made = WatchedWorld(1)
    made.plans = [(0, 0, 0, 0)]
    made.act()
    return made


@pytest.fixture
def lid_half_open(world):
    world.drive(LID_OPEN)
    run_to(world, 700)
    world.drive(0)
    world.act()
    return world


@pytest.fixture
def lift_half_up(world):
    world.drive(drive_bit(2, LIFT_RAISE))
    run_to(world, 700)
    world.drive(0)
    world.act()
    return world


@pytest.mark.parametrize("mask", [DISC, RING, *(drive_bit(side, LIFT_RAISE) for side in range(SIDES))])
def test_disc_ring_and_lifts_with_the_lid_open(lid_half_open, mask):
    with pytest.raises(Broken, match="interlock"):
        lid_half_open.drive(mask)


@pytest.mark.parametrize("mask", [LID_OPEN, LID_CLOSE, drive_bit(2, HEAD)])
def test_lid_and_head_with_a_lift_up(lift_half_up, mask):
    with pytest.raises(Broken, match="interlock"):
        lift_half_up.drive(mask)


def test_a_head_whose_own_lift_is_down_may_run_beside_a_lift_that_is_up(lift_half_up):
    lift_half_up.drive(drive_bit(1, HEAD))


@pytest.mark.parametrize("kind", [LIFT_RAISE, LIFT_LOWER])
def test_a_lift_whose_head_is_not_at_home(world, kind):
    world.drive(drive_bit(0, HEAD))
    run_to(world, 100)
    with pytest.raises(Broken, match="interlock"):
        world.drive(drive_bit(0, HEAD) | drive_bit(0, kind))


def test_an_interlock_that_breaks_while_a_drive_is_on(world, monkeypatch):
    monkeypatch.setattr(world._owners, "look", lambda *_: "")
    world.drive(drive_bit(3, HEAD) | drive_bit(3, LIFT_RAISE))
    with pytest.raises(Broken, match="interlock"):
        run_to(world, 1_000)


@pytest.mark.parametrize("kinds", [(CONVEYOR, CONVEYOR_REVERSE), (LIFT_RAISE, LIFT_LOWER)])
def test_two_directions_at_once(world, kinds):
    with pytest.raises(Broken, match="interlock"):
        world.drive(sum(drive_bit(1, kind) for kind in kinds))


def test_two_directions_of_the_lid_at_once(world):
    with pytest.raises(Broken, match="interlock"):
        world.drive(LID_OPEN | LID_CLOSE)


@pytest.mark.parametrize("bit", LONGEST_MS)
def test_a_drive_that_is_on_for_too_long(world, bit, monkeypatch):
    monkeypatch.setattr(world, "_check_end", lambda *_: None)
    monkeypatch.setattr(world._owners, "look", lambda *_: "")
    world.lid.block(True)
    for lift in world.lifts:
        lift.block(True)
    for head in world.heads:
        head.block()
    world.drive(bit)
    run_to(world, LONGEST_MS[bit])
    with pytest.raises(Broken, match="has run since 0 ms"):
        run_to(world, LONGEST_MS[bit] + 1_000)


def test_a_motion_without_an_act(world):
    run_to(world, REACTION_MS + 1)
    with pytest.raises(Broken, match="11 ms after the last act"):
        world.drive(DISC)


def test_a_motion_may_pause_but_not_after_a_fault(world):
    world.drive(DISC)
    run_to(world, 500)
    world.drive(0)
    run_to(world, 500 + PAUSE_MS)
    world.drive(DISC)
    world.drive(0)
    world.shown = lambda: "E22"
    run_to(world, 700 + PAUSE_MS)
    world.shown = lambda: "READY"
    with pytest.raises(Broken, match="after the last act"):
        world.drive(DISC)


def test_a_motion_of_a_table_that_has_lost_its_host_needs_no_act(world):
    world.host_gone_ms = 500
    run_to(world, 500)
    world.drive(DISC)


def test_a_motion_while_a_fault_is_shown(world):
    world.shown = lambda: "E22"
    with pytest.raises(Broken, match="panel shows E22"):
        world.drive(DISC)


def test_a_drive_that_stays_on_after_an_emergency_stop(world):
    world.drive(DISC)
    run_to(world, 100)
    world.emergency_stop(True)
    with pytest.raises(Broken, match="emergency stop"):
        run_to(world, 100 + REACTION_MS + 1)


def test_walls_that_are_not_as_planned(world):
    world.plans = [PLAN]
    world.drive(drive_bit(0, LIFT_RAISE))
    world.drive(0)
    assert world.rises == []
    world.heads[0].carrier.extend([[5, 6], [7, 8]])
    with pytest.raises(Broken, match="planned were"):
        world.drive(drive_bit(0, LIFT_RAISE))


def test_walls_with_a_stack_of_one(world):
    world.plans = [PLAN]
    world.heads[0].carrier.append([5])
    with pytest.raises(Broken, match="two tiles"):
        world.drive(drive_bit(0, LIFT_RAISE))
    world.heads[0].carrier[0].append(6)
    world.drive(0)
    world.drive(drive_bit(0, LIFT_RAISE))
    assert world.rises == [PLAN]


# Ends


@pytest.mark.parametrize("bit", [LID_OPEN, drive_bit(1, LIFT_RAISE)])
def test_a_drive_that_presses_on_at_its_end(world, bit):
    world.drive(bit)
    while not world.levels[ENDS[bit]]:
        world.advance(4_000)
    run_to(world, world.now_ms + PAST_END_MS)
    with pytest.raises(Broken, match="past its end, which was reached at"):
        run_to(world, world.now_ms + 50)


def test_a_head_that_goes_round_again(world):
    world.drive(drive_bit(2, HEAD))
    with pytest.raises(Broken, match="past its end"):
        run_to(world, 700)


# Owners


def test_drives_of_two_works_at_once(world):
    with pytest.raises(Broken, match="no work of a table"):
        world.drive(LID_OPEN | drive_bit(0, CONVEYOR_REVERSE))


def test_a_ring_without_the_disc(world):
    with pytest.raises(Broken, match="nobody owns it"):
        world.drive(RING)


def test_belts_that_feed_from_a_drum_at_rest(world):
    world.drive(DISC | RING | drive_bit(0, CONVEYOR))
    run_to(world, 2_000)
    world.drive(drive_bit(0, CONVEYOR))
    run_to(world, 2_000 + DRUM_RESTS_MS)
    with pytest.raises(Broken, match="nobody owns it"):
        run_to(world, 2_100 + DRUM_RESTS_MS)


@pytest.fixture
def serviced(world):
    """A world in service, whose host is there."""
    world.host_gone_ms = 60_000
    answer(world, "begin_service")
    return world


def answer(world, name, *values, is_done=True):
    world.ask(name, values)
    world.answer(name, values, is_done)


def jog(world, bit, for_ms):
    """A jog that is accepted, with the drive on before the answer is there."""
    world.ask("jog", (bit.bit_length() - 1, for_ms))
    world.drive(bit)
    world.answer("jog", (bit.bit_length() - 1, for_ms), True)


def test_a_jog_that_nobody_has_asked_for(serviced):
    with pytest.raises(Broken, match="nobody has asked for"):
        serviced.drive(RING)


def test_a_jog_of_another_drive(serviced):
    jog(serviced, RING, 1_000)
    with pytest.raises(Broken, match="nobody has asked for"):
        serviced.drive(RING | DISC)


def test_a_jog_that_goes_on_for_too_long(serviced):
    jog(serviced, RING, 1_000)
    run_to(serviced, 1_000 + TOLD_MS)
    with pytest.raises(Broken, match="until 1000 ms"):
        run_to(serviced, 1_100)


def test_a_jog_that_a_refused_jog_makes_longer(serviced):
    jog(serviced, RING, 1_000)
    answer(serviced, "jog", RING.bit_length() - 1, 5_000, is_done=False)
    with pytest.raises(Broken, match="until 1000 ms"):
        run_to(serviced, 1_100)


@pytest.mark.parametrize("act", ["key", "stop", "host"])
def test_a_jog_that_goes_on_whatever_people_do(serviced, act):
    jog(serviced, RING, 9_000)
    run_to(serviced, 100)
    if act == "key":
        serviced.press(input_number(1, LIFT_KEY))
    elif act == "stop":
        serviced.emergency_stop(True)
    else:
        serviced.host_gone_ms = 100
    with pytest.raises(Broken, match=r"although a key|emergency stop|without its host"):
        run_to(serviced, 200)


@pytest.mark.parametrize("name", ["stop", "end_service"])
def test_a_drive_that_is_on_after_what_stops_it(serviced, name):
    jog(serviced, RING, 9_000)
    with pytest.raises(Broken, match=f"on after {name}"):
        answer(serviced, name)


def test_a_motion_that_a_refused_request_begins(world):
    run_to(world, 100)
    world.ask("start_build", ())
    world.drive(DISC | RING)
    with pytest.raises(Broken, match="start_build, which was refused"):
        world.answer("start_build", (), False)


def test_a_refused_request_is_no_act(world):
    run_to(world, 100)
    answer(world, "start_build", is_done=False)
    with pytest.raises(Broken, match="after the last act"):
        world.drive(DISC)


def test_a_drive_that_is_on_under_a_fault(world):
    world.drive(DISC)
    world.shown = lambda: "E22"
    with pytest.raises(Broken, match="panel shows E22"):
        run_to(world, 100)


# The firmware's old fault: a refused begin_service forgot the drive of the jog that ran.


def forgetful(monkeypatch):
    """Service as it was."""
    begin = Service.begin

    def forget(self):
        self._drive = 255
        return begin(self)

    def end_jog(self, why):
        if self._started_ms != NEVER:
            self._outputs.off(1 << self._drive)
            self._started_ms = self._cycle.due = NEVER

    monkeypatch.setattr(Service, "begin", forget)
    monkeypatch.setattr(Service, "end_jog", end_jog)


def test_a_service_that_keeps_its_drive_is_let_be_and_one_that_forgets_it_is_found(monkeypatch):
    for is_broken in (False, True):
        if is_broken:
            forgetful(monkeypatch)
        table = Table(3)
        host = table.connect()
        host.do("begin_service")
        host.do("jog", LID_OPEN.bit_length() - 1, 1_000)
        table.run(300)
        assert host.request("begin_service")[0] == codes.WRONG_STATE
        if is_broken:
            with pytest.raises(Broken, match="until"):
                table.run(5_000)
        else:
            table.run(5_000)
            assert not table.world.mask
            assert [event.values["jog_end"] for event in host.named("jog_done")] == [codes.BY_TIME]


def test_the_firmware_s_own_guards_stop_at_its_end_what_a_broken_service_forgets(monkeypatch):
    forgetful(monkeypatch)
    table = Table(3)
    monkeypatch.setattr(table.world, "_check_drives", lambda: None)
    host = table.connect()
    host.do("begin_service")
    host.do("jog", LID_OPEN.bit_length() - 1, 3_000)
    table.run(300)
    host.request("begin_service")
    table.until_fault(3_000)
    assert app_of(table).cycle.fault == codes.RUN_LIMIT
    assert table.now_ms < 1_600 + 500 + 100, "at its end, and not at its time limit"
