"""No set is washed whose wall is prescribed, and every other one is, whatever is taken back in between."""

import pytest

from tests.firmware.prescribing import LONGEST_MS, Director
from tests.scenarios.power import clear_by_hand
from wallwright_protocol import codes
from wallwright_protocol.names import FAULTS, REFUSALS

WASH_S = 5
BUILDS_MS = 120_000
"""Longer than an ordinary wall takes with its wash."""
ROUND_MS = range(-2, 8)
"""When something is done, in ms after the lifts were down: before and after the board has begun to build."""


def equipped(seed: int) -> Director:
    table = Director(seed % 1000, wash_s=WASH_S)
    table.equip()
    return table


def released_under_walls(seed: int) -> Director:
    """A table whose ordinary walls are up and drawn in, with a prescription for the walls that follow."""
    table = equipped(seed)
    assert table.request("start_build")[0] == "ok"
    assert table.run(BUILDS_MS, "build_done")
    table.run(6_000)
    table.raise_walls()
    assert table.app.cycle.state == codes.WALLS_UP
    assert table.prescribe(table.drawn()) == "ok"
    table.sim.players.draw_in()
    return table


def lifts_down_ms(seed: int) -> int:
    """When that table's lifts are down after a dice key; the same for each such table."""
    table = released_under_walls(seed)
    table.sim.players.press_dice(1)
    while table.app.cycle.state not in (codes.SHUFFLING, codes.BUILDING):
        table.sim.run_until(table.sim.now_ms + 1)
    return int(table.sim.now_ms)


def started(table: Director) -> list[tuple[int, int]]:
    """Of each build: its wall mode, and for how many seconds its set was washed."""
    return [(row["wall_mode"], row["wash_s"]) for row in table.named("build_started")]


def noticed(table: Director) -> list[str]:
    return [FAULTS[row["fault"]] for row in table.named("notice")]


@pytest.mark.slow
@pytest.mark.parametrize("by", ["key", "start_build"])
def test_a_table_at_rest_builds_at_once_and_washes_the_ordinary_set_that_follows(seed: int, by: str) -> None:
    table = equipped(seed)
    assert table.prescribe(table.drawn()) == "ok"
    if by == "key":
        table.sim.players.press_lift(2)
    else:
        assert table.request("start_build")[0] == "ok"
    table.run(1_000)
    assert started(table) == [(codes.STRICT_WALL, 0)]
    assert table.run(LONGEST_MS, "wall_prescribed")
    table.raise_walls()
    table.sim.players.draw_in()
    table.sim.players.press_dice(1)
    assert table.run(BUILDS_MS, "build_done")
    assert started(table) == [(codes.STRICT_WALL, 0), (codes.ORDINARY_WALL, WASH_S)]
    assert [row["wash_s"] for row in table.named("build_done")] == [0, WASH_S]
    assert "wash_cut" not in noticed(table)


@pytest.mark.slow
@pytest.mark.parametrize("then", ["", "hurry", "start_build"])
def test_a_prescription_that_is_taken_back_as_the_build_begins_leaves_no_ordinary_set_unwashed(
    seed: int, then: str
) -> None:
    at_ms = lifts_down_ms(seed)
    ends = set()
    for after_ms in ROUND_MS:
        table = released_under_walls(seed)
        table.sim.players.press_dice(1)
        table.sim.run_until(at_ms + after_ms - 1)
        refusal, _ = table.request("prescribe_cancel")
        hurries = bool(then) and table.request(then)[0] == "ok"
        table.run(WASH_S * 1000 + 5_000)
        mode, wash_s = started(table)[-1]
        assert len(started(table)) == 2
        assert (mode == codes.ORDINARY_WALL) == (refusal == "ok")
        if mode == codes.ORDINARY_WALL and hurries:
            assert "wash_cut" in noticed(table)
        else:
            assert wash_s == (WASH_S if mode == codes.ORDINARY_WALL else 0)
            assert "wash_cut" not in noticed(table)
        ends.add(refusal)
    assert ends == {"ok", "wrong_state"}, "both sides of the moment are tried"


@pytest.mark.slow
def test_nobody_takes_a_prescription_back_between_the_polls_in_which_its_build_begins(seed: int) -> None:
    """A board's polls take milliseconds, so that bytes come between them; a simulated table's take none."""
    at_ms = lifts_down_ms(seed)
    table = released_under_walls(seed)
    app, poll = table.app, table.app.poll
    came: list[bytes] = []
    latched: list[bool] = []

    def between(now_ms: int, rx: bytes) -> bytes:
        """Keep what comes until the set is not to be washed any more, and the plan not latched yet."""
        came.append(rx)
        if app.cycle.state != codes.BUILDING:
            return poll(now_ms, b"")
        held = b"".join(came)
        came.clear()
        if held:
            latched.append(app.cycle.wall_mode != codes.ORDINARY_WALL)
        return poll(now_ms, held)

    table.sim.players.press_dice(1)
    table.sim.run_until(at_ms - 2)
    vars(app)["poll"] = between
    refusal, _ = table.request("prescribe_cancel")
    table.run(1_000)
    assert not latched[0], "it came before the plan was latched"
    assert refusal == "wrong_state"
    assert started(table)[-1] == (codes.STRICT_WALL, 0)


@pytest.mark.parametrize("is_taken_back", [False, True])
def test_a_prescription_that_comes_during_a_wash_ends_it_unless_it_is_taken_back_at_once(
    seed: int, is_taken_back: bool
) -> None:
    table = equipped(seed)
    one = table.drawn()
    app = table.app
    poll = app.poll
    taken_back: list[int] = []

    def watched(now_ms: int, rx: bytes) -> bytes:
        """Take the prescription back in the very poll in which it was found good."""
        tx = poll(now_ms, rx)
        if is_taken_back and not taken_back and app.sorting is not None and app.sorting.is_next():
            taken_back.append(app.sorting.cancel(now_ms))
        return tx

    vars(app)["poll"] = watched
    table.sim.players.press_lift(0)
    while app.cycle.state != codes.SHUFFLING:
        table.run(20)
    began_ms = table.sim.now_ms
    assert table.prescribe(one) == "ok"
    assert table.named("build_started") or table.run(BUILDS_MS, "build_started")
    ((mode, wash_s),) = started(table)
    if is_taken_back:
        assert taken_back == [codes.OK]
        assert (mode, wash_s) == (codes.ORDINARY_WALL, WASH_S)
    else:
        assert mode == codes.STRICT_WALL
        assert wash_s == (table.sim.now_ms - began_ms) // 1000 < WASH_S, "what was turned is told"
    assert "wash_cut" not in noticed(table)


@pytest.mark.slow
def test_a_prescription_that_is_too_old_when_the_build_begins_leaves_the_set_to_be_washed(seed: int) -> None:
    table = equipped(seed)
    assert table.request("start_build")[0] == "ok"
    assert table.run(BUILDS_MS, "build_done")
    table.run(6_000)
    assert table.prescribe(table.drawn()) == "ok"
    table.raise_walls()
    table.sim.players.draw_in()
    table.sim.players.press_dice(1)
    assert table.run(BUILDS_MS, "build_done")
    assert REFUSALS[table.named("prescription_judged")[-1]["refusal"]] == "other_set"
    assert started(table) == [(codes.ORDINARY_WALL, WASH_S)] * 2


@pytest.mark.slow
def test_a_wall_that_differed_is_built_once_more_without_a_wash_unless_it_is_given_up(seed: int) -> None:
    table = Director(seed % 1000, script="\n".join(f"reader {reader} dead" for reader in range(4)), wash_s=WASH_S)
    table.equip()
    assert table.prescribe(table.drawn()) == "ok"
    for is_given_up in (False, True):
        assert table.request("start_build")[0] == "ok"
        assert table.run(LONGEST_MS, "fault")
        assert FAULTS[table.app.cycle.fault] == "wall_differs"
        clear_by_hand(table.sim.world)
        assert table.request("clear_fault")[0] == "ok"
        if is_given_up:
            assert table.request("prescribe_cancel")[0] == "ok"
    assert table.request("start_build")[0] == "ok"
    assert table.run(BUILDS_MS, "build_started")
    assert started(table) == [(codes.STRICT_WALL, 0)] * 2 + [(codes.ORDINARY_WALL, WASH_S)]
