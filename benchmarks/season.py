"""A season of many days: what a day costs that is added, and what questions cost that are asked of all deals.

    .venv-dev/bin/python -m benchmarks.season [--days 20] [--journal 10000] [--deals 10000 1000000] [--postgresql 10000]

Three parts. The first holds days through the event's own desk, results drawn from bots' deals, makes signed extracts of
them, and takes the time from the extracts to the list and the ratings: 20 days of 400 players, 5 sessions and 10 deals
have to be listed and rated within 5 s once they were added. The second writes days of that size straight into the
tables, as many as have so many deals, and asks; its figures are those of one machine, and the slope says what more
deals need. The third writes journals of seasons of many days, and lists them; it takes processor time.
"""

import argparse
import math
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich.console import Console
from rich.table import Table as Grid

from wallwright.chaos.server import running_server
from wallwright.event.format_file import load_format
from wallwright.event.players import Player
from wallwright.journal import printed_key, public_bytes
from wallwright.journal.kinds.season import DayAdded, SeasonDay
from wallwright.season.day import COUNTS, Day, DayDeal, DayPlayer, DayRow
from wallwright.season.days import add_day, facts_of
from wallwright.season.deal_files import DealFiles
from wallwright.season.deal_server import open_server
from wallwright.season.desk import admit_hall, create, extracts_of, open_season, read_season
from wallwright.season.drawn_day import DrawnDay, Pool
from wallwright.season.extract import make_extract
from wallwright.season.format_file import load_format as load_season_format
from wallwright.season.persons import People
from wallwright.season.rating_list import rating_lists
from wallwright.season.standings import standings
from wallwright.season.state import SeasonState
from wallwright.season.tables import DEALS_OF, TOTALS, Tables, bring_up, desk_rows, rows_of, tables_of

TARGET_S = 5.0
PLAYERS, SESSIONS, DEALS = 400, 5, 10
A_DAY = PLAYERS // 4 * SESSIONS * DEALS
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
FIRST_MS, DAY_MS = 1_472_864_400_000, 86_400_000
PERSONS_A_DAY = 20
"""New persons for each day of the season: 200,000 in 10,000 days."""


def timed(what: Callable[[], object]) -> float:
    began = time.perf_counter()
    what()
    return time.perf_counter() - began


def laptop(console: Console, folder: Path, days: int) -> None:
    """The days of a Grand Prix from their extracts to the list."""
    extracts = list(drawn_extracts(folder, range(days)))
    place = str(folder / "year.season")
    grid = Grid(title=f"{days} days of {PLAYERS} players, {SESSIONS} sessions, {DEALS} deals: {days * A_DAY:,} deals")
    for column in ("what", "s"):
        grid.add_column(column, justify="left" if column == "what" else "right")
    with open_season(place, "benchmark", new=True) as desk:
        create(desk, load_season_format("chengdu-grand-prix-2016"))
        admit_hall(desk, "East", printed_key(public_bytes(KEY)))
    took = []
    for number, data in enumerate(extracts):
        began = time.perf_counter()
        with open_season(place, "benchmark") as desk:
            add_day(desk, data, f"{number}.extract")
        took.append(time.perf_counter() - began)
    grid.add_row("add the first day: all its proofs checked, its entry written", f"{took[0]:.2f}")
    grid.add_row(f"add day {days}", f"{took[-1]:.2f}")
    tables = DealFiles(tables_of(place))
    first = timed(lambda: bring_up(tables, read_season(place), extracts_of(place)))
    grid.add_row("make the tables of all days from their extracts, all proofs checked", f"{first:.2f}")
    tables.close()
    tables = DealFiles(folder / "again.tables")
    second = timed(lambda: bring_up(tables, read_season(place), extracts_of(place), "2"))
    grid.add_row("the same by two processes", f"{second:.2f}")
    tables.close()
    listed = timed(lambda: standings(read_season(place)))
    grid.add_row("list everybody, from the season's journal", f"{listed:.2f}")
    tables = DealFiles(tables_of(place))
    rated = timed(lambda: (bring_up(tables, read_season(place), extracts_of(place)), list(rating_lists(tables))))
    grid.add_row("rate everybody, from the tables", f"{rated:.2f}")
    tables.close()
    met = "met" if listed + rated <= TARGET_S else "MISSED"
    grid.add_row(f"list and rate; target {TARGET_S:g} s: {met}", f"{listed + rated:.2f}")
    console.print(grid)


def drawn_extracts(folder: Path, days: Iterable[int]) -> Iterator[bytes]:
    """Hold days through the event's own desk, and make their extracts."""
    event_format = load_format("chengdu-grand-prix")
    pool = Pool.played(event_format.sichuan, 5, Random(1))
    players = tuple(Player(n, f"Player {n}", id=f"P{n:04}") for n in range(1, PLAYERS + 1))
    for day in days:
        path = folder / f"{day}.journal"
        DrawnDay(path, event_format, players, FIRST_MS + day * DAY_MS, pool, Random(day)).run()
        yield make_extract(str(path), KEY)


def journals(console: Console, sizes: list[int]) -> None:
    """Seasons of so many days, of which the journal alone is there: what everybody reads who adds a day or lists."""
    grid = Grid(title=f"The journal of a season, {PLAYERS} players a day")
    for column in ("days", "read, s", "then add a day, s", "who is who, s", "list, s", "memory, MB"):
        grid.add_column(column, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        # Later than all others, so that it is not taken for one of theirs.
        (extract,) = drawn_extracts(Path(folder), [100_000])
    season = replace(load_season_format("rating-only"), best_of=4)
    for days in sizes:
        with tempfile.TemporaryDirectory() as folder:
            place = str(Path(folder) / "year.season")
            with open_season(place, "benchmark", new=True) as desk:
                create(desk, season)
                admit_hall(desk, "East", printed_key(public_bytes(KEY)))
                for number in range(days):
                    desk.write(DayAdded(day=facts(number, days)))
                    # What it knows is not to grow here, but where it is measured.
                    desk.state.days.clear()
            del desk
            began = time.process_time()
            state = read_season(place)
            read = time.process_time()
            people = People(state)
            known = time.process_time()
            standings(state, people)
            listed = time.process_time()
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            del state, people
            with open_season(place, "benchmark") as desk:
                before = time.process_time()
                add_day(desk, extract, "day.extract")
                added = time.process_time() - before
        took = (read - began, added, known - read, listed - known)
        grid.add_row(f"{days:,}", *(f"{seconds:.2f}" for seconds in took), f"{memory:,.0f}")
    console.print(grid)


def facts(number: int, days: int) -> SeasonDay:
    """What the season's journal keeps of a day whose totals are drawn."""
    day = drawn(number, days, deals=False)
    rng = Random(number)
    totals = {row.player: Fraction(rng.randrange(-90, 90)) for row in day.standings}
    rows = tuple(replace(row, rank=row.player, total=totals[row.player]) for row in day.standings)
    return facts_of(replace(day, standings=rows))


def drawn(number: int, days: int, *, deals: bool = True) -> Day:
    """A day whose points are drawn: players of the season's persons, each table with the same four for a session."""
    rng = Random(number)
    people = max(PLAYERS, PERSONS_A_DAY * days)
    here = [f"P{n:06}" for n in rng.sample(range(people), PLAYERS)]
    day_id = f"{number:032x}"
    played = []
    entry = 0
    for session in range(1, SESSIONS + 1) if deals else ():
        seats = rng.sample(range(1, PLAYERS + 1), PLAYERS)
        for deal in range(1, DEALS + 1):
            for table in range(PLAYERS // 4):
                entry += 1
                won = rng.randrange(4)
                pays = rng.randrange(1, 17)
                points = [-pays, -pays, -pays, -pays]
                points[won] = 3 * pays
                four = seats[4 * table], seats[4 * table + 1], seats[4 * table + 2], seats[4 * table + 3]
                told = points[0], points[1], points[2], points[3]
                played.append(DayDeal(session, table + 1, deal, COUNTS, four, told, entry, winners=(won,)))
    date = time.strftime("%Y-%m-%d", time.gmtime((FIRST_MS + number // 4 * DAY_MS) / 1000))
    players = tuple(DayPlayer(n, f"Player {one}", id=one) for n, one in enumerate(here, 1))
    rows = tuple(DayRow(n, n, Fraction(0), 0, Fraction(0), 0, ()) for n in range(1, PLAYERS + 1))
    names = ("hall", "sichuan", "sichuan")
    return Day(day_id, "Day", date, *names, {}, "final", players, (), tuple(played), rows, day_id * 2, "", entry)


def fill(tables: Tables, days: int, since: int) -> Iterator[float]:
    """Add days `since` to `days`; yield what each takes, without what it takes to draw it."""
    for number in range(since, days):
        day = drawn(number, days)
        yield timed(lambda day=day: tables.add(day.extract, rows_of(day, facts_of(day))))


def ask(tables: Tables) -> list[float]:
    """Ask everything once; return the seconds of each."""
    who = "P000007"
    return [
        timed(lambda: tables.show(desk_rows(SeasonState()))),
        timed(lambda: list(tables.ask(TOTALS))),
        timed(lambda: list(tables.ask(DEALS_OF, {"person": who}))),
        timed(lambda: list(rating_lists(tables))),
    ]


def federation(console: Console, sizes: list[int], make: Callable[[Path], Tables], of: str) -> None:
    """The tables of so many deals, each size in a place of its own."""
    grid = Grid(title=f"Deals in {of}")
    for column in ("deals", "days", "add a day, ms", "the last ten", "bytes a deal", "open, s", "totals, s",
                   "a person's deals, s", "rate all, s", "memory, MB"):  # fmt: skip
        grid.add_column(column, justify="right")
    found = []
    for deals in sizes:
        days = max(1, deals // A_DAY)
        with tempfile.TemporaryDirectory() as folder:
            tables = make(Path(folder))
            took = list(fill(tables, days, 0))
            size = sum(path.stat().st_size for path in Path(folder).rglob("*.parquet")) / (days * A_DAY)
            asked = ask(tables)
            tables.close()
        found.append((days * A_DAY, asked))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        last = took[-10:]
        grid.add_row(
            f"{days * A_DAY:,}", f"{days:,}", f"{1000 * sum(took) / days:.1f}", f"{1000 * sum(last) / len(last):.1f}",
            f"{size:.1f}" if size else "–", *(f"{seconds:.3f}" for seconds in asked), f"{memory:,.0f}",
        )  # fmt: skip
    console.print(grid)
    if len(found) > 1:
        (few, fast), (many, slow) = found[-2:]
        slopes = [math.log(after / before) / math.log(many / few) for before, after in zip(fast, slow, strict=True)]
        console.print(f"Slope from {few:,} to {many:,} deals (1: time grows as the deals do): open, totals, a person's "
                      f"deals, ratings: {', '.join(f'{slope:.2f}' for slope in slopes)}")  # fmt: skip
        more = 100_000_000 / many
        guess = ", ".join(f"{last * more ** max(slope, 0):.0f} s" for last, slope in zip(slow, slopes, strict=True))
        console.print(f"100,000,000 deals by that slope: {guess}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--days", type=int, default=4, help="days of the first part; 0 leaves it out")
    parser.add_argument("--deals", type=int, nargs="*", default=[10_000, 100_000], help="sizes, in Parquet files")
    parser.add_argument("--postgresql", type=int, nargs="*", default=[10_000], help="sizes, in PostgreSQL")
    parser.add_argument("--journal", type=int, nargs="*", default=[20, 200], help="days of a season's journal")
    options = parser.parse_args()
    console = Console(width=140)
    with tempfile.TemporaryDirectory() as folder:
        if options.days:
            laptop(console, Path(folder), options.days)
    if options.journal:
        journals(console, options.journal)
    if options.deals:
        federation(console, options.deals, lambda path: DealFiles(path / "tables"), "Parquet files, asked by DuckDB")
    if options.postgresql:
        with running_server() as server:
            federation(console, options.postgresql, lambda _: open_server(server.database()), "PostgreSQL")


if __name__ == "__main__":
    main()
