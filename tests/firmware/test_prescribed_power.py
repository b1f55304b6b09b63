"""Prescribed walls and power losses: what is gone with the board's memory, and what has to be there again."""

import pytest

from tests.firmware.prescribing import FLAP_2, LONGEST_MS, MOUTH, RING_18, Director, fault_of, made
from tests.firmware.stored import fields_of
from tests.scenarios.power import clear_by_hand
from wallwright_protocol import codes
from wallwright_simulator.sorter import Hardware


@pytest.mark.slow
def test_after_a_power_loss_walls_that_are_up_still_have_their_own_dice(seed: int) -> None:
    """Before they are up nothing of the deal is stored, and a tile never."""
    table = Director(seed % 1000)
    assert made(table)
    slots = table.sim.board.slots.data[:2]
    assert not any(bytes((1, 2, 5, 0)) in fields_of(bytes(slot))["drawn"] for slot in slots if slot)
    table.raise_walls()
    table.sim.players.draw_in()
    table.sim.cut_power(500)
    table.run(3_000)
    table.connect()
    assert table.sim.board.displays == ["P DICE?"] * 4
    assert table.request("get_status")[1]["wall_mode"] == codes.STRICT_WALL
    assert table.request("roll_dice", 0, codes.CUT, 2)[0] == "wrong_state"
    table.sim.players.press_dice(3)
    table.run(400)
    assert (table.app.cycle.dealer, table.app.cycle.dice) == (1, (2, 5, 0))
    table.sim.cut_power(500)
    table.run(3_000)
    table.connect()
    assert table.sim.board.displays == ["P25 LOW?"] * 4
    table.sim.players.press_lift(2)
    assert table.run(200_000, "build_done")
    assert not table.named("dice_rolled")
    assert [row["wall_mode"] for row in table.named("build_started")] == [codes.STRICT_WALL, codes.ORDINARY_WALL]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hardware", "at_ms"), [(RING_18, 15_000), (RING_18, 80_000), (FLAP_2, 80_000), (MOUTH, 80_000)]
)
def test_a_power_loss_takes_the_prescription_and_no_such_wall_rises(seed: int, hardware: Hardware, at_ms: int) -> None:
    table = Director(seed % 1000, hardware)
    table.equip()
    one = table.drawn()
    assert table.prescribe(one) == "ok"
    table.request("start_build")
    table.run(at_ms)
    table.sim.cut_power(500)
    table.run(3_000)
    table.connect()
    table.run(1_000)
    assert fault_of(table) == "walls_unknown"
    assert table.request("raise_walls")[0] == "fault_active"
    assert table.request("get_status")[1]["wall_mode"] == codes.ORDINARY_WALL
    for slot in table.sim.board.slots.data:
        assert not any(tag in slot for tag in one.tags)
    clear_by_hand(table.sim.world)
    assert table.request("clear_fault")[0] == "ok"
    assert table.request("start_build")[0] == "ok"
    assert table.run(100_000, "build_done"), "a tile is left where the sorter held it"


@pytest.mark.slow
@pytest.mark.parametrize("state", [codes.LID_OPEN, codes.LIFTING])
def test_a_power_loss_after_the_played_tiles_fell_leaves_the_sets_apart(seed: int, state: int) -> None:
    """The other set is in the drum then, so what stood in the carriers stays on the table."""
    table = Director(seed % 1000)
    assert made(table)
    world, players = table.sim.world, table.sim.players
    players.press_lift(0)
    table.run(9_000)
    players.push_in()
    if state == codes.LIFTING:
        players.press_lift(1)
        table.run(2_500)
    assert table.app.cycle.state == state
    table.sim.cut_power(500)
    table.run(3_000)
    table.connect()
    table.run(100)
    assert fault_of(table) == "walls_unknown"
    for side in range(4):
        for tile in world.free_carrier(side):
            world.lay_down(tile)
    assert table.request("clear_fault")[0] == "ok"
    one = table.drawn()
    assert one.tile_set == 1
    assert table.prescribe(one) == "ok"
    table.run(1_000)
    if state == codes.LID_OPEN:
        players.press_lift(2)
        table.run(6_000)
        assert table.request("start_build")[0] == "ok"
    else:
        players.press_dice(2)  # the lifts are up; the next build begins once they are down
    assert table.run(LONGEST_MS, "wall_prescribed")
    assert table.is_built(one)
