"""What a host tells a board of the deal at hand, as a program says it."""

from itertools import count

import pytest

from wallwright.errors import BadName, BadSeat, BadSetting, BoardReset
from wallwright.table.deal_orders import set_deal, set_throw
from wallwright.table.table import Table, open_table
from wallwright_simulator.simulation import Simulation, attach

NAMES = count()


def opened(simulation: Simulation) -> Table:
    return open_table(attach(f"orders-{next(NAMES)}", simulation))


def test_a_key_throws_for_what_was_ordered_and_the_status_says_so() -> None:
    simulation = Simulation(3)
    with opened(simulation) as table:
        table.pump(3_000)
        set_throw(table, "seats", 3, seat=2)
        assert table.status().purpose == "seats"
        for side in (1, 2):
            simulation.players.press_dice(side)
            table.pump(1_000)
        rolled = [event.fields for event in table.events() if event.name == "dice_rolled"]
        assert [(one["seat"], one["purpose"], len(one["dice"])) for one in rolled] == [(2, "seats", 3)]
        assert table.status().dice == rolled[0]["dice"]
        set_throw(table, "cut")
        assert table.status().purpose == "cut"


@pytest.mark.slow
def test_a_program_throws_for_anything() -> None:
    with opened(Simulation(3)) as table:
        assert len(table.roll_dice(1)) == 2
        assert len(table.roll_dice(1, "east", 1)) == 1
        assert len(table.roll_dice(2, "round_wind", 3)) == 3
        assert table.wait_for("dice_rolled", 1_000).fields["purpose"] == "cut"
        assert table.wait_for("dice_rolled", 1_000).fields["purpose"] == "east"


def test_what_was_told_of_a_deal_comes_back_after_a_power_loss() -> None:
    simulation = Simulation(3)
    with opened(simulation) as table:
        set_deal(table, 1, 3, 2, "goulash", 20)
        simulation.cut_power(500)
        with pytest.raises(BoardReset):
            table.pump(5_000)
        table.reconnect()
        restored = table.wait_for("restored", 3_000).fields
        now = table.status()
        for told in (
            restored,
            {name: getattr(now, name) for name in ("dealer", "east", "round_wind", "deal_kind", "pot")},
        ):
            assert (told["east"], told["dealer"], told["round_wind"]) == (1, 3, 2)
            assert (told["deal_kind"], told["pot"]) == ("goulash", 20)


@pytest.mark.parametrize(
    ("error", "values", "said"),
    [
        (BadSeat, (4, 0, 0), "4"),
        (BadSeat, (0, 4, 0), "4"),
        (BadSetting, (0, 0, 4), "there is no wind 4; winds are 0 .east. to 3 .north."),
        (BadName, (0, 0, 0, "halved"), "no kind of a deal is called 'halved'; there are usual, goulash"),
        (BadSetting, (0, 0, 0, "usual", 65_536), "a pot cannot hold 65536 chips; a board keeps 0 to 65535"),
    ],
)
def test_what_cannot_be_of_a_deal_is_refused_before_the_board_is_asked(
    error: type[Exception], values: tuple[int, ...], said: str
) -> None:
    with opened(Simulation(3)) as table, pytest.raises(error, match=said):
        set_deal(table, *values)  # type: ignore[arg-type]


def test_what_nobody_throws_is_refused_before_the_board_is_asked() -> None:
    with opened(Simulation(3)) as table:
        with pytest.raises(BadSetting, match="4 dice cannot be thrown at once; throw 1 to 3"):
            table.roll_dice(0, "cut", 4)
        with pytest.raises(BadName, match="no purpose of a throw is called 'luck'; there are cut, east"):
            set_throw(table, "luck")  # type: ignore[arg-type]
        with pytest.raises(BadSeat):
            set_throw(table, "cut", 2, 4)
