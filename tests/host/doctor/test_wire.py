"""`wallwright doctor wire`: some tables wired anyhow are mapped right or refused with the reason, and what ends it."""

import json
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from tests.campaign.wiring import search
from tests.host.doctor.conftest import Result
from tests.host.doctor.wirer import Mistake, Wired, Wirer, wire_up, wrong_in
from wallwright.doctor.wiring.by_jog import parse_what
from wallwright.doctor.wiring.draft import Draft, draft_path, load_draft, save_draft
from wallwright.doctor.wiring.finish import put_on_board
from wallwright.doctor.wiring.on_board import begin_wiring
from wallwright.doctor.wiring.search import Found, Search
from wallwright.doctor.wiring.wire_map import BadMap, MapSorter, Wire, WireMap, load_map
from wallwright.doctor.wiring.wires import WireEdge, Wires
from wallwright.errors import Refused, TableFault
from wallwright.table.table import open_table
from wallwright_protocol.hardware import GUARD_WIRE, PARTS
from wallwright_protocol.names import INPUTS
from wallwright_simulator.simulation import Simulation, attach

_NAMES = count()
Run = Callable[[str], Result]


@pytest.mark.parametrize("mistakes", [0, 1, 2])
def test_a_table_wired_anyhow_is_mapped_right_or_refused_with_the_right_reason(seed: int, mistakes: int) -> None:
    table = f"{seed}/{mistakes}/{next(_NAMES)}"
    done = search(wire_up(table, mistakes), seed)
    assert done.wrong == "", done.made.mistakes
    assert not done.simulation.world.drive_log or done.simulation.world.drive_log[-1][1] == 0


def test_the_report_of_a_lid_s_interlock_is_no_input(seed: int) -> None:
    simulation = Simulation(seed, parts=PARTS)
    guard = simulation.world.supply.guard
    with open_table(attach(f"wire-{next(_NAMES)}", simulation)) as table:
        begin_wiring(table)
        every, but_one = Wires(table), Wires(table, interlocked=True)
        table.pump(500)
        for sticks, level in ((False, 1), (None, 0)):
            every.look()
            but_one.look()
            levels = but_one.levels
            guard.stick(sticks)
            table.pump(100)
            assert every.look() == (WireEdge(GUARD_WIRE, level),)
            assert every.levels[GUARD_WIRE] == level
            assert but_one.look() == ()
            assert but_one.levels == levels


@pytest.mark.parametrize("number", range(10))
def test_a_board_without_a_map_moves_and_lights_nothing_on_a_table_wired_anyhow(seed: int, number: int) -> None:
    """From its first power-up on, whatever people press and a host asks for; but for the one output that is jogged."""
    made = wire_up(f"{seed}/no map/{number}")
    simulation = made.table(seed)
    world, board = simulation.world, simulation.board
    lit: set[int] = set()

    def wait(ms: int) -> None:
        for _ in range(ms // 10):
            simulation.run_until(simulation.now_ms + 10)
            lit.add(board.lamp_mask)

    wait(2000)
    assert board.displays == ["NO MAP"] * 4
    with open_table(attach(f"wire-{next(_NAMES)}", simulation)) as table:
        for side in range(4):
            simulation.players.press_lift(side)
            simulation.players.press_dice(side)
            wait(300)
        for act in (table.start_build, table.open_lid, table.clear_fault, table.raise_walls):
            with pytest.raises(Refused, match="fault"):
                act()
            wait(100)
        simulation.cut_power(500)
        wait(3000)
        assert board.displays == ["NO MAP"] * 4
        assert (world.drive_log, lit) == ([], {0})
    with open_table(attach(f"wire-{next(_NAMES)}", simulation)) as table:
        begin_wiring(table)
        table.status()
        stop = made.map().inputs["emergency_stop"]
        assert Wires(table).jog(made.harness.outputs[0], 100, stop, ()).end == "time"
        wait(1000)
    assert [mask for _, mask in world.drive_log] == [1, 0]
    assert lit == {0}


def one(seed: int, kind: str) -> Wired:
    """A table with one mistake of that kind."""
    for number in range(1000):
        made = wire_up(f"{seed}/{kind}/{number}", 1)
        if made.mistakes[0].kind == kind:
            return made
    raise AssertionError(kind)


WORDS = {
    "open": "not connected",
    "vane": "wrong side of the cam",
    "dead": "no output is",
    "backwards": "against its arrow",
}


@pytest.mark.parametrize("kind", WORDS)
def test_each_mistake_is_told_in_words(seed: int, kind: str) -> None:
    done = search(one(seed, kind), seed)
    assert done.wrong == ""
    assert any(WORDS[kind] in problem.text for problem in done.found.problems)
    assert done.found.wire_map is None


def test_the_judge_of_these_tests_finds_what_is_wrong(seed: int) -> None:
    made = wire_up(seed)
    right = made.map()
    assert wrong_in(made, "found", set(), right) == ""
    swapped = dict(right.inputs)
    swapped["lid_is_open"], swapped["lid_is_closed"] = swapped["lid_is_closed"], swapped["lid_is_open"]
    assert wrong_in(made, "found", set(), WireMap(right.lanes, swapped, right.outputs)) == "another map"
    assert wrong_in(made, "refused", {("ring", "dead")}, None)
    broken = Wired(made.harness, (Mistake("dead", ("disc",), frozenset({("disc", "dead")})),))
    assert wrong_in(broken, "found", set(), right)
    assert wrong_in(broken, "refused", {("ring", "dead")}, None)
    assert wrong_in(broken, "refused", {("disc", "dead"), ("ring", "dead")}, None)
    assert wrong_in(broken, "refused", {("disc", "dead")}, None) == ""


def test_walls_are_built_by_the_map_that_was_found(seed: int) -> None:
    made = wire_up(f"{seed}/walls")
    simulation = made.table(seed)
    person = Wirer(made, simulation)
    port = attach(f"wire-{next(_NAMES)}", simulation)
    with open_table(port) as table:
        found = Search(table, person, Draft(table.info.unit), lambda _: None).run()
        assert found.wire_map is not None
        assert put_on_board(table, person, found.wire_map)
        assert table.status().wiring == found.wire_map.hash
        assert table.status().state == "idle"
        table.set_plan([14, 13, 14, 13])
        table.start_build()
        built = table.wait_for("build_done", 90_000)
        assert built.fields["stacks"] == (14, 13, 14, 13)
    assert [len(head.carrier) for head in simulation.world.heads] == [14, 13, 14, 13]


def test_a_table_without_all_lanes_is_mapped_and_builds_nothing(seed: int) -> None:
    made = wire_up(f"{seed}/lanes", lanes=(0, 2))
    done = search(made, seed)
    assert done.wrong == ""
    assert done.found.wire_map is not None
    assert done.found.wire_map.lanes == (0, 2)
    with open_table(attach(f"wire-{next(_NAMES)}", done.simulation)) as table:
        assert put_on_board(table, done.person, done.found.wire_map)
        table.start_build()
        with pytest.raises(TableFault, match="plan_impossible"):
            table.wait_for("build_done", 1000)


class Left(Exception):
    """The program is cut off."""


def test_a_search_that_was_cut_off_goes_on_and_the_board_has_nothing_of_it(seed: int, tmp_path: Path) -> None:
    made = wire_up(f"{seed}/cut")
    simulation = made.table(seed)
    path = tmp_path / "table.toml"
    port = attach(f"wire-{next(_NAMES)}", simulation)
    kept: list[int] = []

    def keep(draft: Draft) -> None:
        save_draft(path, draft)
        kept.append(len(draft.inputs))
        if len(kept) == 20:
            raise Left

    with open_table(port) as table, pytest.raises(Left):
        Search(table, Wirer(made, simulation), Draft(table.info.unit), keep).run()
    assert simulation.board.slots.data[4] == b""
    with open_table(port) as table:
        draft = load_draft(path, table.info.unit)
        assert draft is not None
        assert len(draft.inputs) == kept[-1] > 10
        person = Wirer(made, simulation)
        found = Search(table, person, draft, lambda _: None).run()
    assert found.wire_map is not None
    assert (found.wire_map.inputs, found.wire_map.outputs) == (made.map().inputs, made.map().outputs)
    assert len([text for text in person.told if text.startswith("Now ")]) < 40


def test_a_step_back_asks_for_the_act_before_again(seed: int) -> None:
    made = wire_up(f"{seed}/back")
    simulation = made.table(seed)
    person = Wirer(made, simulation)
    tell = person.tell

    def tell_and_go_back(text: str) -> None:
        if "dice key of side 0" in text and len([each for each in person.told if "lift key of side 0" in each]) == 1:
            person.types.append("b")
            person.told.append(text)
        else:
            tell(text)

    person.tell = tell_and_go_back  # type: ignore[method-assign]
    with open_table(attach(f"wire-{next(_NAMES)}", simulation)) as table:
        found = Search(table, person, Draft(table.info.unit), lambda _: None).run()
    assert len([text for text in person.told if "lift key of side 0" in text]) == 2
    assert found.wire_map is not None
    assert found.wire_map.inputs == made.map().inputs


@pytest.mark.parametrize("how", ["a key", "the emergency stop"])
def test_a_jog_that_somebody_stops_ends_the_search_with_everything_off(seed: int, how: str) -> None:
    made = wire_up(f"{seed}/stopped")
    simulation = made.table(seed)
    person = Wirer(made, simulation)
    world = simulation.world
    ask = person.ask

    def ask_and_stop(question: str) -> str:
        if "Is the lid closed" in question:
            if how == "a key":
                world.later(simulation.now_ms + 130, lambda: world.press(INPUTS.index("dice_key_2"), 400))
            else:
                world.later(simulation.now_ms + 130, lambda: world.emergency_stop(True))
        return ask(question)

    person.ask = ask_and_stop  # type: ignore[method-assign]
    with open_table(attach(f"wire-{next(_NAMES)}", simulation)) as table:
        found = Search(table, person, Draft(table.info.unit), lambda _: None).run()
    assert found == Found(None, (), found.steps)
    assert any(how in text for text in person.told if "Now" not in text)
    # Where the first jog is stopped before it begins, no drive was ever on.
    assert not world.drive_log or world.drive_log[-1][1] == 0


def test_a_terminal_at_its_end_leaves_the_search_unfinished(tmp_path: Path, run: Run, seed: int) -> None:
    simulation = wire_up(f"{seed}/nobody").table(seed)
    port = attach(f"wire-{next(_NAMES)}", simulation)
    path = tmp_path / "table.toml"
    done = run(f"doctor wire --port {port} --map {path} --json")
    assert done.code == 4
    assert done.records[0]["verdict"] == "unfinished"
    assert json.loads((tmp_path / "table-report.json").read_text()) == done.records[0]
    assert not path.exists()
    assert draft_path(path).exists()
    assert simulation.board.slots.data[4] == b""
    status = run(f"status --port {port} --json").records[0]
    assert (status["fault"], status["wiring"]) == ("wiring_unknown", None)


def test_the_command_writes_map_and_report(
    tmp_path: Path, run: Run, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = wire_up(f"{seed}/command")
    simulation = made.table(seed)
    person = Wirer(made, simulation)
    monkeypatch.setattr("wallwright.doctor.person.Terminal", lambda *_: person)
    path = tmp_path / "table.toml"
    name = attach(f"wire-{next(_NAMES)}", simulation)
    done = run(f"doctor wire --port {name} --map {path}")
    assert done.code == 0, done.err
    found = run(f"doctor map --port {name} --json").records[0]
    assert found["hash"] == made.map().hash
    assert sorted(each.name for each in tmp_path.iterdir()) == ["table-report.json", "table.toml"]
    assert all(each.stat().st_mode & 0o077 == 0 for each in tmp_path.iterdir())
    assert json.loads((tmp_path / "table-report.json").read_text())["hash"] == made.map().hash


def test_the_command_keeps_what_sorts_the_tiles_which_no_wire_tells(
    tmp_path: Path, run: Run, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = wire_up(f"{seed}/sorter")
    simulation = made.table(seed)
    path = tmp_path / "table.toml"
    path.write_text(replace(made.map(), sorter=MapSorter("ring", 18, 130)).to_toml())
    name = attach(f"wire-{next(_NAMES)}", simulation)
    assert run(f"doctor map --port {name} --set {path}").code == 0
    nobody = run(f"doctor wire --port {name} --map {path}")
    assert nobody.code == 4
    monkeypatch.setattr("wallwright.doctor.person.Terminal", lambda *_: Wirer(made, simulation))
    done = run(f"doctor wire --port {name} --map {path}")
    assert done.code == 0, done.err
    sorter = {"kind": "ring", "places": 18, "lead_ms": 130}
    assert run(f"doctor map --port {name} --json").records[0]["sorter"] == sorter
    assert load_map(path).sorter == MapSorter("ring", 18, 130)


SORTS = '{"unit": "SIM-11", "lanes": [], "claim_keys": false, "inputs": {}, "outputs": {}, "skipped": [], "sorter": %s}'
SPOILT = (
    *(SORTS % one for one in ("7", "{}", '{"kind": "ring", "places": 3, "lead_ms": 130}', '{"kind": []}')),
    "{",
    "[]",
    '{"unit": "SIM-11"}',
    "[" * 100_000,
)


@pytest.mark.parametrize("text", SPOILT)
def test_a_draft_that_cannot_be_read_is_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "table.toml"
    draft_path(path).write_text(text)
    with pytest.raises(BadMap, match=r"delete table.toml.draft"):
        load_draft(path, "SIM-11")


def test_a_draft_of_another_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    save_draft(path, Draft("SIM-1", (0,), False, {"disc_vane": Wire(3, 0)}, {"disc": 7}, ["ring_vane"]))
    assert load_draft(path, "SIM-1") == Draft(
        "SIM-1", (0,), False, {"disc_vane": Wire(3, 0)}, {"disc": 7}, ["ring_vane"]
    )
    with pytest.raises(BadMap, match="of the table SIM-1, and this is SIM-2"):
        load_draft(path, "SIM-2")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("n", ("", False)),
        ("d", ("disc", False)),
        ("R-", ("ring", True)),
        ("f2", ("conveyor_2", False)),
        (" b0 ", ("conveyor_reverse_0", False)),
        ("k3", ("dice_lamp_3", False)),
        ("f4", (None, False)),
        ("again", (None, False)),
    ],
)
def test_what_a_person_may_say_of_an_output(said: str, meant: tuple[str | None, bool]) -> None:
    assert parse_what(said) == meant


def test_wires_can_be_asked_for_in_a_port(run: Run) -> None:
    """As seen from outside: with the standard map a table that is wired otherwise is all wrong."""
    assert run("status --port sim://?wires=3 --json").records[0]["state"] == "fault"
    assert run("status --port sim://?lanes=01 --json").records[0]["state"] != "idle"
    refused = run("status --port sim://?lanes=04")
    assert refused.code == 3
    assert "lanes takes the sides" in " ".join(refused.err.split())
