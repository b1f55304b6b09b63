"""What bots do with the tiles: take those that are there, in the order of the walls, and declare what they hold."""

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.host.people import Scored, people_at
from tests.host.tracking.truth import ROBBED, played
from tests.reference.wall import deal_and_draw
from wallwright.journal import Journal
from wallwright.play.bots_at_table import DealReport, PlayedTable
from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.bots import RandomBot, SmartBot
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.events import ROBBED_KONG_HU, Event, Hu
from wallwright.rules.sichuan.tiles import parse_tile, tile_name
from wallwright.table.table import open_table
from wallwright_simulator.players import Players
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.surface import Surface

Taken = tuple[tuple[int, int, int], int, int]
"""(side, stack, layer), the seat that took it, the tile."""


class Observer:
    """Stands beside the table: notes every raised wall, and every tile that leaves one."""

    def __init__(self, simulation: Simulation) -> None:
        self.walls: list[dict[tuple[int, int, int], int]] = []
        self.taken: list[list[Taken]] = []
        world = simulation.world
        draw_in, take = world.draw_in_walls, world.take

        def seen_draw_in() -> None:
            draw_in()
            self.walls.append(
                {
                    (side, stack, layer): tile
                    for side, wall in enumerate(world.walls)
                    for stack, tiles in enumerate(wall)
                    for layer, tile in enumerate(tiles)
                }
            )
            self.taken.append([])

        def seen_take(side: int, stack: int, layer: int, seat: int) -> int:
            tile = take(side, stack, layer, seat)
            self.taken[-1].append(((side, stack, layer), seat, tile))
            return tile

        world.draw_in_walls = seen_draw_in  # type: ignore[method-assign]
        world.take = seen_take  # type: ignore[method-assign]


def play(tmp_path: Path, seed: int, deals: int, *, random_bots: bool) -> tuple[Simulation, Observer, list[DealReport]]:
    simulation = Simulation(seed)
    observer = Observer(simulation)
    bot = RandomBot() if random_bots else SmartBot()
    with Journal(tmp_path / "journal") as journal:
        scored = Scored(journal)
        operated = scored.operate(open_table(attach(f"playing-{seed}", simulation), journal=scored.log))
        played = people_at(
            simulation,
            operated.run,
            scored.log,
            seed,
            check=operated.check,
            bot=bot,
            watch=lambda _: simulation.world.check_conserved(),
        )
        reports = []
        for report in played.play(deals):
            simulation.world.check_conserved()
            reports.append(report)
    return simulation, observer, reports


@pytest.mark.parametrize("random_bots", [False, True])
def test_tiles_are_taken_where_they_lie_in_the_order_of_the_walls(
    tmp_path: Path, seed: int, *, random_bots: bool
) -> None:
    _, observer, reports = play(tmp_path, seed % 10_000, 4, random_bots=random_bots)
    for wall, taken, report in zip(observer.walls, observer.taken, reports, strict=True):
        assert len(wall) == 108
        assert len(set(wall.values())) == 108
        assert len({tile >= 108 for tile in wall.values()}) == 1, "the walls are of one set"
        first, second = report.dice
        order, receivers = deal_and_draw(report.plan, report.dealer, (first, second))
        assert [place for place, _, _ in taken] == order[: len(taken)]
        assert [seat for _, seat, _ in taken[:53]] == receivers
        assert all(wall[place] == tile for place, _, tile in taken)
        if report.settlement.end == "wall":
            assert len(taken) == 108


def test_the_hands_that_are_declared_are_the_tiles_that_were_taken(tmp_path: Path, seed: int) -> None:
    """Count the faces: what winners and the others show at the end was dealt to or claimed by somebody."""
    simulation, observer, reports = play(tmp_path, seed % 10_000, 3, random_bots=False)
    world = simulation.world
    report = reports[-1]
    on_table = sorted(tile for _, _, tile in observer.taken[-1])
    held = sorted(tile for place in (world.hands, world.discards, *world.melds) for tiles in place for tile in tiles)
    assert held == on_table, "every tile that left the wall is in a hand, a meld or on the table"
    shown: dict[int, tuple[int, ...]] = {}
    for settled in report.settlement.hu:
        for at, winner in enumerate(settled.event.winners):
            assert winner.standing is not None
            assert winner.winning is not None
            # Of several winners on one tile, the first has it on the table.
            shown[winner.seat] = (*winner.standing, winner.winning) if at == 0 else winner.standing
    for judged in report.settlement.hands:
        assert judged.hand.standing is not None
        shown[judged.hand.seat] = judged.hand.standing
    assert len(shown) >= 3
    for seat, kinds in shown.items():
        assert sorted(parse_tile(world.face(tile)) for tile in world.hands[seat]) == sorted(kinds)


class Watched(Players):
    """People who note from where every claimed tile was taken."""

    def __init__(self, surface: Surface) -> None:
        super().__init__(cast(Any, surface))
        self.claimed_from: list[str] = []

    def claim(self, seat: int, tile: int) -> None:
        self.claimed_from += [name for name, place in self._world.places() if tile in place]
        super().claim(seat, tile)


def test_a_robbed_kong_is_robbed_from_the_pung_that_it_was_laid_onto() -> None:
    deal = played(ROBBED)
    surface = Surface()
    free = [list(range(4 * kind, 4 * kind + 4)) for kind in range(27)]
    surface.face = lambda tile: tile_name(tile // 4)  # type: ignore[attr-defined]
    people = Watched(surface)
    bot = SmartBot()
    table = PlayedTable(
        SimpleNamespace(world=surface, players=people, unit="T-1"),
        cast(Any, None),
        cast(Any, None),
        lambda: 0,
        deal.ruleset,
        (bot, bot, bot, bot),
        Random(1),
        print,
    )
    again = Deal(deal.ruleset, deal.dealer, deal.dealt, deal.wall_size)
    for seat, kinds in enumerate(deal.dealt):
        surface.hands[seat] += [free[kind].pop() for kind in kinds]
    told: list[Event] = []
    sheet = cast(Any, SimpleNamespace(declare=told.append))
    for action in deal.log:
        if action.verb == act.DRAW and action.tile is not None:
            surface.hands[action.seat].append(free[action.tile].pop())
        table._do(again, sheet, action)
    [robbed] = [event for event in told if isinstance(event, Hu) and event.by == ROBBED_KONG_HU]
    taken = [name for name in people.claimed_from if name.startswith("meld")]
    assert taken == [f"meld {robbed.from_}"]
    assert [event.by for event in told if isinstance(event, Hu)] == [
        event.by for event in deal.events if isinstance(event, Hu)
    ]
    winning = robbed.winners[0].winning
    assert robbed.from_ is not None
    assert winning is not None
    left = [[tile // 4 for tile in tiles] for tiles in surface.melds[robbed.from_] if tiles[0] // 4 == winning]
    assert left == [[winning] * 3], "the pung alone is left"
