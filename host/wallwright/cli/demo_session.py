"""The session that `wallwright demo` plays."""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from wallwright_protocol.codes import HANDS_WALL, STRICT_WALL
from wallwright_protocol.dice import CONTRIBUTION_SIZE

from ..doctor.sides import leave_out
from ..doctor.upkeep import change_settings
from ..duplicate.deals import BREAK, OWN
from ..duplicate.drawing import draw_deals
from ..errors import BadInput
from ..journal import Journal
from ..link.simulator import read_drum, read_faults, reader_mask, simulated_table, simulator
from ..play.bots_of_turns import TurnsTable
from ..play.panel import Panel
from ..play.people import People, Report, people_at
from ..rehearsal.director import Director, ToldLog
from ..rules.core.errors import RulesError
from ..rules.core.game import CUT, EAST
from ..rules.core.game_rules import GameRules, preset_rules
from ..rules.found import has_own_walls
from ..system.disk import write_whole
from ..system.terminal import drawing_console
from ..table.deal_orders import set_deal, set_throw
from ..table.next_walls import ScoredDeals
from ..table.operated import Operated, ScoredLog
from ..table.table import Table, open_table
from ..tiles.enrolment import Enrolment

SEATS = ("0", "1", "2", "3")


def play(
    *,
    game: str,
    deals: int,
    seed: int,
    journal: Path | None,
    pace: float | None,
    faults: Path | None,
    readers: str,
    drum: str,
    prescribed: bool,
    hardware: str,
    magnets: int | None,
    places: int | None,
    out: int | None,
    as_json: bool,
) -> None:
    """Play a session, by the options of `wallwright demo`."""
    script = read_faults(faults)
    fitted = reader_mask(readers)
    mixing = read_drum(drum)
    try:
        sorter = simulator("sorters").read_hardware(hardware, magnets, places)
    except ValueError as error:
        raise BadInput(str(error)) from error
    if prescribed and hardware == "plain":
        raise BadInput("--prescribed needs a table that sorts its tiles: --hardware ring --magnets 18")
    if out is not None and hardware != "plain":
        raise BadInput("--out needs a table that takes tiles as they come: leave --hardware away")
    rules = _rules(game)
    if out is not None and has_own_walls(game):
        raise BadInput(f"--out leaves a player without a wall, and in {game} each draws from the own wall")
    setup = rules.game.table(rules.asked({}))
    with ExitStack() as stack:
        if journal is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wallwright-")))
            path = folder / "demo.journal"
        else:
            path = journal
        log = stack.enter_context(Journal(path))
        simulation = simulated_table(
            seed,
            setup.tiles,
            pace=pace,
            faults=script,
            readers=fitted,
            mixing=mixing,
            wash_s=None,
            hardware=sorter,
        )
        port = simulator("simulation").attach(f"demo-{seed}", simulation)
        contribution = partial(Random(f"contributions {seed}").randbytes, CONTRIBUTION_SIZE)
        scored = ScoredDeals(rules)
        told = ToldLog(ScoredLog(log, scored))
        table = stack.enter_context(open_table(port, journal=told, contribution=contribution))
        if table.last_status.dice_count != setup.dice:
            change_settings(table, {"dice_count": setup.dice})
        if out is not None:
            leave_out(table, out)
        operated = Operated(table, lambda: scored.coming)
        view = View(table, deals, drawing_console(stderr=as_json), quiet=as_json)
        stack.enter_context(view.live())
        drawn = Random(f"deals {seed}")
        director = None
        # Without actuators some walls of the mode strict take longer than eight minutes.
        mode = HANDS_WALL if hardware == "mouth" else STRICT_WALL
        if prescribed:
            own = draw_deals("demo", rules.preset, OWN if has_own_walls(game) else BREAK, deals, 0, drawn.randbytes)
            director = Director(table, _tags(simulation), own, range(1, deals + 1), told, drawn, mode)

        def rest(for_ms: int) -> None:
            operated.run(for_ms)
            if director is not None:
                director.look()

        panel = Panel(simulation, rest, operated.check)
        chance = Random(f"bots {seed}")
        people = people_at(rules, simulation, panel, told, table.wall_ms, chance, view.doing)
        totals = [0, 0, 0, 0]
        interrupted = False
        try:
            dealer = _east(table, rules, people)
            for report in (
                people.play(deals, dealer=dealer) if director is None else _prescribed(people, director, deals)
            ):
                totals = [total + points for total, points in zip(totals, report.points, strict=True)]
                more = {} if director is None else director.record(report.number)
                if as_json:
                    sys.stdout.write(json.dumps(report.record() | more | {"build_s": operated.build_ms / 1000}) + "\n")
                    sys.stdout.flush()
                else:
                    view.deal(report, operated.build_ms)
            # No walls follow that would say it of the last deal.
            log.end_deal(simulation.unit, at_ms=table.wall_ms())
        except KeyboardInterrupt:
            interrupted = True
            view.say("Stopped.")
        if not as_json:
            view.standings(totals)
            view.say(f"Journal: wallwright log show {path}" if journal else "With --journal PATH the journal is kept.")
        if journal is not None and (fitted or director is not None):
            tags = _keep_tags(simulation, Path(f"{journal}.tiles"))
            if readers == "all":
                view.say(f"A deal, from its tags: wallwright track {path} --deal 1 --tiles {tags}")
            shown = "" if director is None else f" --prescription {director.keep(Path(f'{journal}.deals.json'))}"
            view.say(f"Its wall: wallwright wall verify --journal {path} --deal 1 --tiles {tags}{shown}")
    if interrupted:
        raise typer.Exit(130)


def _rules(game: str) -> GameRules:
    try:
        return preset_rules(game)
    except RulesError as error:
        raise typer.BadParameter(str(error), param_hint="--game") from error


def _east(table: Table, rules: GameRules, people: People) -> int:
    """Let everybody throw for East where the game wants that; return who deals first."""
    dice = rules.game.dice_for_east(rules.asked({}))
    if not dice or not isinstance(people, TurnsTable):
        return 0
    east = people.throw_for_east(lambda seat: set_throw(table, EAST, dice, seat))
    set_throw(table, CUT)
    set_deal(table, east, east, 0)
    return east


def _keep_tags(simulation: Any, path: Path) -> Path:
    """Write the list of the simulated tags, as `wallwright tiles enrol` makes one of a real table."""
    write_whole(path, _tags(simulation).to_bytes())
    return path


def _tags(simulation: Any) -> Enrolment:
    world = simulation.world
    return Enrolment(simulation.unit, world.tiles, (world.tags(0), world.tags(1)))


def _prescribed(people: People, director: Director, deals: int) -> Iterator[Report]:
    """Play the deals that were drawn, each dealt by whom it says."""
    for number in range(1, deals + 1):
        yield from people.play(1, dealer=director.deals.deal(number).dealer)


class View:
    """The screen of a demo: the table as it stands below, the deals played above."""

    def __init__(self, table: Table, deals: int, console: Console, *, quiet: bool = False) -> None:
        self._table = table
        self._deals = deals
        self._quiet = quiet
        self._done = 0
        self._doing = "starting"
        self._console = console
        if not quiet:
            wide = " " * 4 * (table.last_status.dice_count - 2)
            self.say(
                f"deal  dealer  dice{wide}  break           walls        build   winners    points of seats 0 to 3"
            )

    def live(self) -> AbstractContextManager[object]:
        """While this is open, the table is shown below the lines, on a terminal."""
        if self._quiet or not self._console.is_terminal:
            return nullcontext()
        return Live(get_renderable=self.picture, console=self._console, refresh_per_second=8, transient=True)

    def doing(self, text: str) -> None:
        """Show what goes on."""
        self._doing = text

    def say(self, text: str) -> None:
        """Print a line above the picture."""
        self._console.print(Text(text), soft_wrap=True)

    def deal(self, report: Report, build_ms: int) -> None:
        """Print the line of a finished deal."""
        self._done = report.number
        broken = report.wall_break
        where = f"seat {broken['seat']}, indent {broken['indent']}" if broken else "own walls       "
        points = " ".join(f"{one:+4d}" for one in report.points)
        winners = " ".join(str(seat) for seat in report.winners) or "none"
        dice = " + ".join(map(str, report.dice))
        self.say(
            f"{report.number:<4d}  seat {report.dealer}  {dice}  {where}"
            f"  {'/'.join(map(str, report.plan))}  {build_ms / 1000:5.1f}s  {winners:9s}  {points}"
            f"{'  ' if report.remark else ''}{report.remark}"
        )

    def standings(self, totals: list[int]) -> None:
        """Print the points of the session, best first."""
        grid = Grid(title="Standings")
        for name in ("rank", "seat", "points"):
            grid.add_column(name, justify="right")
        for seat in sorted(range(4), key=lambda seat: -totals[seat]):
            rank = 1 + sum(total > totals[seat] for total in totals)
            grid.add_row(str(rank), str(seat), f"{totals[seat]:+d}")
        self._console.print(grid)

    def picture(self) -> Grid:
        """Return the table as it stands."""
        status = self._table.last_status
        grid = Grid(show_header=False, box=None)
        grid.add_row("deal", f"{min(self._done + 1, self._deals)} of {self._deals}: {self._doing}")
        grid.add_row("table", f"{status.state}, {status.uptime_ms / 1000:.0f} s since power-up")
        for side in SEATS:
            stacks, plan = status.stacks[int(side)], status.plan[int(side)]
            wall = "out" if int(side) in status.sides_out else f"{'#' * stacks}{'.' * (plan - stacks)} {stacks}/{plan}"
            grid.add_row(f"side {side}", wall)
        return grid
