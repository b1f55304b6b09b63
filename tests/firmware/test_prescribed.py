"""Walls that were drawn beforehand, through the real wire, the real firmware and a simulated table that sorts."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.firmware.prescribing import DIRECTOR, FLAP_2, LONGEST_MS, MOUTH, RING_18, Director, fault_of, made, public
from tests.scenarios.power import clear_by_hand
from tests.scenarios.table import Table
from wallwright_protocol import codes
from wallwright_protocol.names import REFUSALS
from wallwright_protocol.prescribing import pack, sent
from wallwright_protocol.prescription import HASH_BYTES, HEAD_BYTES, MOST_BYTES, SIGNATURE_BYTES, digest, signed
from wallwright_protocol.wall import TAG_BYTES
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.sorter import Hardware
from wallwright_simulator.sorters import read_hardware

EVERY = [(RING_18, codes.STRICT_WALL), (FLAP_2, codes.STRICT_WALL), (MOUTH, codes.HANDS_WALL)]
"""What sorts, and the mode of the walls that it is asked for: a mouth alone takes too long for the other one."""
every_sorter = pytest.mark.parametrize(("hardware", "mode"), EVERY, ids=["ring", "flap", "mouth"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hardware", "tiles", "mode"),
    [
        (RING_18, 108, codes.STRICT_WALL),
        (RING_18, 108, codes.HANDS_WALL),
        (RING_18, 136, codes.STRICT_WALL),
        (read_hardware("ring", magnets=9), 108, codes.HANDS_WALL),
        (FLAP_2, 108, codes.HANDS_WALL),
        (FLAP_2, 136, codes.STRICT_WALL),
        (read_hardware("flap"), 108, codes.HANDS_WALL),
        (MOUTH, 108, codes.HANDS_WALL),
    ],
)
def test_the_wall_that_was_drawn_stands_there(seed: int, hardware: Hardware, tiles: int, mode: int) -> None:
    table = Director(seed % 1000, hardware, tiles)
    assert made(table, mode)
    assert [(row["match"], row["inferred"]) for row in table.named("wall_prescribed")] == [(1, 0)]
    assert [row["wall_mode"] for row in table.named("build_started")] == [mode]
    assert table.sim.board.displays == ["P READY"] * 4


@pytest.mark.slow
def test_no_byte_from_the_board_says_a_tile_before_the_deal_is_over(seed: int) -> None:
    table = Director(seed % 1000)
    one = table.drawn()
    assert made(table)
    assert len(table.bytes_out) > 3_000
    for tag in one.tags:
        for at in range(TAG_BYTES - 3):
            assert tag[at : at + 4] not in table.bytes_out or tag[at : at + 4] in table.sim.unit.encode()
    assert not [name for name, _ in table.events if name.startswith(("tag_", "wall_part"))]
    assert not table.app.sorting._data  # type: ignore[union-attr]


@pytest.mark.slow
def test_dealer_and_dice_are_those_of_the_deal_and_nothing_is_rolled(seed: int) -> None:
    table = Director(seed % 1000)
    assert made(table)
    table.raise_walls()
    assert table.app.cycle.state == codes.WALLS_UP
    table.sim.players.draw_in()
    assert table.request("roll_dice", 0, codes.CUT, 2)[0] == "wrong_state"
    table.sim.players.press_dice(3)
    table.run(1_000)
    assert table.app.cycle.state == codes.LOWERING
    status = table.request("get_status")[1]
    assert (status["dealer"], status["dice"], status["wall_mode"]) == (1, (2, 5, 0), codes.STRICT_WALL)
    assert not table.named("dice_rolled")
    table.run(40_000, "build_done")
    assert [row["wall_mode"] for row in table.named("build_started")] == [codes.STRICT_WALL, codes.ORDINARY_WALL]
    assert len(table.standing()) == 108


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "hardware", "mode"),
    [
        *[(script, *EVERY[0]) for script in ("readers miss 2%", "tag 5 dead")],
        *[(script, *sorter) for script in ("readers miss 2%\ntag 5 dead", "readers late 2%") for sorter in EVERY],
    ],
)
def test_reads_that_fail_cost_time_and_no_wall(seed: int, script: str, hardware: Hardware, mode: int) -> None:
    table = Director(seed % 1000, hardware, script=script)
    right = made(table, mode)
    (told,) = table.named("wall_prescribed")
    assert told["match"] == right
    assert told["inferred"] <= ("dead" in script)
    if not right:
        assert fault_of(table) == "wall_differs"
        assert not table.app.cycle.whole or table.app.cycle.state == codes.FAULT


@pytest.mark.slow
@every_sorter
def test_a_tile_that_lacks_ends_the_build_after_eight_minutes_and_ordinary_walls_may_follow_from_empty_carriers(
    seed: int, hardware: Hardware, mode: int
) -> None:
    table = Director(seed % 1000, hardware, script="tile 3 missing")
    table.equip()
    assert table.prescribe(table.drawn(mode)) == "ok"
    table.request("start_build")
    assert table.run(LONGEST_MS, "fault")
    assert fault_of(table) == "prescribed_late"
    assert not table.named("build_done")
    # No key takes an ordinary wall in its place: it lets the same build go on.
    table.run(300)
    table.sim.players.press_dice(2)
    table.run(400)
    assert fault_of(table) == "prescribed_late"
    for _ in range(2):
        table.sim.players.press_lift(1)
        table.run(1_000)
    assert (table.app.cycle.state, table.app.cycle.wall_mode) == (codes.BUILDING, mode)
    assert table.request("prescribe_cancel")[0] == "wrong_state"
    assert table.request("stop")[0] == "ok"
    assert table.request("clear_fault")[0] == "ok"
    assert table.request("prescribe_cancel")[0] == "ok"
    assert fault_of(table) == "walls_unknown"
    assert table.request("start_build")[0] == "fault_active"
    clear_by_hand(table.sim.world)
    assert table.request("clear_fault")[0] == "ok"
    assert table.request("get_status")[1]["wall_mode"] == codes.ORDINARY_WALL
    assert table.request("start_build")[0] == "ok"
    table.run(100_000, "fault")
    assert fault_of(table) == "tile_missing"


@pytest.mark.slow
def test_a_tile_that_lacks_is_not_taken_for_one_that_nobody_reads_for_ever(seed: int) -> None:
    """Reads are lost meanwhile, so that another tile comes in its place; nobody could see that coming."""
    table = Director(seed % 1000, script="readers miss 5%\ntile 3 missing")
    table.equip()
    assert table.prescribe(table.drawn()) == "ok"
    faults = []
    while "prescribed_late" not in faults:
        assert table.request("start_build")[0] == "ok"
        assert table.run(LONGEST_MS, "fault")
        faults.append(fault_of(table))
        clear_by_hand(table.sim.world)
        assert table.request("clear_fault")[0] == "ok"
    *differed, _ = faults
    assert differed == ["wall_differs"] * len(differed)
    assert len(differed) <= 2


@pytest.mark.slow
def test_a_whole_wall_that_is_given_up_before_it_was_compared_does_not_rise(seed: int) -> None:
    table = Director(seed % 1000)
    table.equip()
    assert table.prescribe(table.drawn()) == "ok"
    table.request("start_build")
    assert table.run(LONGEST_MS, "build_done")
    assert table.request("prescribe_cancel")[0] == "ok"
    assert fault_of(table) == "walls_unknown"
    assert table.request("raise_walls")[0] == "fault_active"
    clear_by_hand(table.sim.world)
    assert table.request("clear_fault")[0] == "ok"
    assert table.request("start_build")[0] == "ok"
    assert table.run(LONGEST_MS, "build_done")
    assert [row["wall_mode"] for row in table.named("build_started")] == [codes.STRICT_WALL, codes.ORDINARY_WALL]
    assert not table.named("wall_prescribed")


@pytest.mark.slow
@pytest.mark.parametrize("state", [codes.READY, codes.LID_OPEN])
def test_walls_that_wait_below_are_given_up_and_another_deal_is_built(seed: int, state: int) -> None:
    """A deal that was replaced at all tables is not played at the one that was quicker than the director."""
    table = Director(seed % 1000)
    assert made(table)
    world, players = table.sim.world, table.sim.players
    if state == codes.LID_OPEN:
        players.press_lift(0)
        table.run(9_000)
        players.push_in()
    assert table.app.cycle.state == state
    assert table.request("prescribe_cancel")[0] == "ok"
    table.run(100)
    assert (fault_of(table), table.sim.board.displays) == ("walls_unknown", ["P E33"] * 4)
    assert table.request("raise_walls")[0] == "fault_active"
    for side in range(4):
        for tile in world.free_carrier(side):
            world.put_in_drum(tile) if state == codes.READY else world.lay_down(tile)
    table.run(1_000)
    players.press_lift(0)
    table.run(1_000)
    another = table.drawn()
    assert another.tile_set == (0 if state == codes.READY else 1)
    assert table.prescribe(another) == "ok"
    if state == codes.LID_OPEN:
        assert table.sim.board.displays == ["TILE?"] * 4
        players.press_lift(2)
        table.run(6_000)
    players.press_lift(3)
    assert table.run(LONGEST_MS, "wall_prescribed")
    assert table.is_built(another)


@pytest.mark.slow
def test_a_release_that_is_taken_back_under_walls_that_are_up_leaves_these(seed: int) -> None:
    table = Director(seed % 1000)
    assert made(table)
    table.raise_walls()
    assert table.prescribe(table.drawn()) == "ok"
    assert table.request("prescribe_cancel")[0] == "ok"
    assert (table.app.cycle.state, table.sim.board.displays) == (codes.WALLS_UP, ["P DICE?"] * 4)
    table.sim.players.draw_in()
    table.sim.players.press_dice(0)
    table.run(400)
    assert table.app.cycle.dice == (2, 5, 0)


@every_sorter
def test_a_tile_of_no_set_is_a_fault_at_once(seed: int, hardware: Hardware, mode: int) -> None:
    table = Director(seed % 1000, hardware)
    table.equip()
    one = table.drawn(mode)
    tags = (*one.tags[:-1], b"\xff" * 8)
    assert table.prescribe(one._replace(tags=tags)) == "ok"
    table.request("start_build")
    assert table.run(LONGEST_MS, "fault")
    assert fault_of(table) == "foreign_tag"
    assert not table.named("build_done")


@pytest.mark.parametrize("hardware", [RING_18, FLAP_2])
def test_a_scraper_or_a_flap_that_sticks_stops_the_table(seed: int, hardware: Hardware) -> None:
    table = Director(seed % 1000, hardware)
    table.equip()
    assert table.prescribe(table.drawn()) == "ok"
    table.request("start_build")
    table.run(5_000)
    sorter = table.sim.world.sorter
    assert sorter is not None
    for solenoid in sorter.solenoids.values():
        solenoid.stick(True)
    assert table.run(LONGEST_MS, "fault")
    assert fault_of(table) in ("sorter_stuck", "wall_differs")


@pytest.mark.slow
@pytest.mark.parametrize(("hardware", "takes_ms"), [(RING_18, 150_000), (FLAP_2, 400_000)])
def test_a_host_that_is_gone_stops_no_wall(seed: int, hardware: Hardware, takes_ms: int) -> None:
    table = Director(seed % 1000, hardware)
    table.equip()
    one = table.drawn()
    assert table.prescribe(one) == "ok"
    table.request("start_build")
    table.sim.run_until(table.sim.now_ms + takes_ms)
    assert table.is_built(one)
    table.sim.read()
    table.connect()
    table.run(2_000)
    assert [row["match"] for row in table.named("wall_prescribed")] == [1]


@pytest.mark.slow
def test_what_cannot_be_built_is_refused_by_name_before_anything_moves(seed: int) -> None:
    table = Director(seed % 1000)
    one = table.drawn()
    data = pack(one)
    assert table.send(sent(data, bytes(64))) == "no_director"
    assert table.request("set_director", bytes(32))[0] == "wrong_state"
    table.equip()
    stranger = Ed25519PrivateKey.from_private_bytes(bytes(32))
    assert table.prescribe(one, stranger) == "unsigned"
    assert table.prescribe(one._replace(unit=b"SIM-X")) == "other_table"
    assert table.prescribe(one._replace(build=one.build + 1)) == "expired"
    assert table.prescribe(one._replace(tile_set=1 - one.tile_set)) == "other_set"
    assert table.prescribe(one._replace(enrolment=bytes(32))) == "not_enrolled"
    assert table.prescribe(Director(1, tiles=136).drawn()._replace(unit=one.unit)) == "other_game"
    assert table.send(sent(data, bytes(64))[:-1] + b"!") == "ok"
    table.run(100)
    assert REFUSALS[table.named("prescription_judged")[-1]["refusal"]] == "bad_prescription"
    five = bytearray(data)
    five[88] = five[89]
    by_hand = bytes(five)
    table.send(sent(by_hand, bytes(64)))
    table.run(100)
    assert REFUSALS[table.named("prescription_judged")[-1]["refusal"]] in ("impossible", "unsigned")
    shortest = HEAD_BYTES + SIGNATURE_BYTES + HASH_BYTES
    for size, offset in ((shortest - 1, 0), (MOST_BYTES + 1, 0), (1_300, 200)):
        assert table.request("prescribe", size, offset, b"WP")[0] == "bad_argument"
    for size in (shortest, MOST_BYTES):
        assert table.request("prescribe", size, 0, b"WP")[0] == "ok"
    assert table.prescribe(one) == "ok"
    assert table.prescribe(one) == "prescribed_already"
    assert table.request("prescribe_cancel")[0] == "ok"
    assert table.prescribe(one) == "ok"
    assert table.sim.world._mask == 0
    assert table.request("start_build")[0] == "ok"
    assert table.prescribe(one) == "prescribed_already"
    assert table.request("prescribe_cancel")[0] == "wrong_state"
    assert table.run(LONGEST_MS, "wall_prescribed")
    assert table.prescribe(one) == "expired"
    assert signed(digest(data)) not in bytes(table.bytes_out)


def test_a_key_of_the_directors_that_cannot_be_stored_is_a_fault_and_counts_for_nothing(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Director(seed % 1000)
    assert table.request("begin_service")[0] == "ok"
    monkeypatch.setattr(table.sim.board, "save", lambda slot, data: False)
    assert table.request("set_director", public(DIRECTOR))[0] == "fault_active"
    cycle = table.app.cycle
    assert (cycle.fault, cycle.fault_side) == (codes.STORE_FAILED, codes.NO_SIDE)
    assert table.sim.board.displays == [f"E{codes.STORE_FAILED}"] * 4
    assert table.send(sent(pack(table.drawn()), bytes(64))) == "no_director"


def test_a_table_that_cannot_sort_refuses_and_loads_nothing_of_it(seed: int) -> None:
    host = Table(seed, readers=ALL_READERS).connect()
    for name, *values in (("prescribe", 1300, 0, b"WP"), ("prescribe_cancel",), ("set_director", bytes(32))):
        code, _ = host.request(name, *values)
        assert REFUSALS[code] == "no_sorter"
    assert host.do("get_sorter") == {"sorter": 0, "sorter_places": 0, "build": 1, "director": bytes(32)}


@pytest.mark.slow
@pytest.mark.parametrize("hardware", [read_hardware("ring", magnets=9), FLAP_2, MOUTH])
def test_a_build_that_people_interrupt_goes_on_from_where_it_was(seed: int, hardware: Hardware) -> None:
    table = Director(seed % 1000, hardware)
    table.equip()
    one = table.drawn(codes.HANDS_WALL)
    assert table.prescribe(one) == "ok"
    table.request("start_build")
    for _ in range(2):
        table.run(40_000)
        assert table.request("open_lid")[0] == "ok"
        table.run(5_000)
        assert table.app.cycle.state == codes.LID_OPEN
        table.sim.players.press_lift(0)
        table.run(3_000)
        assert table.app.cycle.state == codes.BUILDING
    assert table.run(LONGEST_MS, "wall_prescribed")
    assert table.named("wall_prescribed")[0]["match"] == 1
    assert table.is_built(one)


@pytest.mark.parametrize("hardware", [FLAP_2, MOUTH])
def test_lanes_that_sort_build_ordinary_walls_too(seed: int, hardware: Hardware) -> None:
    table = Director(seed % 1000, hardware)
    assert table.request("start_build")[0] == "ok"
    assert table.run(LONGEST_MS, "build_done")
