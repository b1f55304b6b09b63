"""A technician gives a table sets of another size, by the command, and it builds their walls."""

from itertools import count

import pytest

from wallwright.doctor.upkeep import change_settings, read_settings
from wallwright.errors import BadPlan, Refused
from wallwright.table.table import Table, open_table
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.world import World

PLAN = (17, 17, 17, 17)
NAMES = count()


@pytest.fixture
def port() -> str:
    """A table with two sets of 136 tiles whose board is a new one."""
    return attach(f"size-{next(NAMES)}", Simulation(5, world=World(5, 136)))


def values(table: Table) -> dict[str, int]:
    return {setting.name: setting.value for setting in read_settings(table)}


def test_the_command_sets_the_size_and_the_table_builds_its_walls(run, port: str) -> None:
    result = run(f"doctor settings --port {port} --set set_tiles=136")
    assert result.code == 0
    assert "set_tiles              136 tiles  (108 to 152, usually 108)" in result.out
    with open_table(port) as table:
        assert (table.info.tiles, table.status().plan) == (136, PLAN)
        table.start_build()
        assert table.wait_for("build_done", 120_000).fields["stacks"] == PLAN


def test_a_size_that_no_set_has_is_refused_with_those_that_there_are(run, port: str) -> None:
    result = run(f"doctor settings --port {port} --set debounce_ms=8 --set set_tiles=140")
    assert result.code == 2
    assert "there is no set of 140 tiles; set_tiles takes 108, 112, 116, 120, 136, 144, 152" in result.err
    with open_table(port) as table:
        assert (values(table)["debounce_ms"], table.info.tiles) == (5, 108)


def test_a_plan_of_the_other_size_is_refused(port: str) -> None:
    with open_table(port) as table:
        with pytest.raises(BadPlan, match="has 68 stacks; this table's 108 tiles make 54"):
            table.set_plan(PLAN)
        change_settings(table, {"set_tiles": 136})
        table.set_plan(PLAN)
        with pytest.raises(BadPlan, match="has 54 stacks; this table's 136 tiles make 68"):
            table.set_plan((14, 13, 14, 13))


def test_stacks_that_stand_are_not_given_up_and_nothing_else_is_set(port: str) -> None:
    with open_table(port) as table:
        change_settings(table, {"set_tiles": 136})
        table.start_build()
        table.pump(5000)
        with pytest.raises(Refused, match="wrong_state"):
            change_settings(table, {"set_tiles": 108})
        table.stop()
        table.clear_fault()
        table.wait_state("idle", 5000)
        with pytest.raises(Refused, match="walls_below"):
            change_settings(table, {"debounce_ms": 8, "set_tiles": 108})
        assert (values(table)["debounce_ms"], values(table)["set_tiles"], table.info.tiles) == (5, 136, 136)
