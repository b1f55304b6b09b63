"""The days of a season as tables, and what is asked of them: the same SQL for DuckDB and for PostgreSQL.

The tables follow from the extracts; whoever loses them makes them again. Players stand in them by their numbers in the
day; `season_keys` has by day and number the key that the day's list gives, `season_splits` and `season_merges` what
somebody has said since of who is who, and `season_who` puts the three together.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ..journal.kinds.season import SeasonDay
from ..study.jobs import shared
from .day import COUNTS, Day
from .days import KeptExtract, kept_extract
from .desk import extracts_of
from .errors import BadExtract
from .persons import People, key_of
from .rating import games_of
from .state import SeasonState

Row = tuple[Any, ...]


class Table(NamedTuple):
    """A table: its name, and its columns with their types, as both databases call them."""

    name: str
    columns: Mapping[str, str]


DAYS = Table(
    "season_days",
    {
        "day": "uuid",
        "extract": "text",
        "date": "text",
        "name": "text",
        "hall": "text",
        "game": "text",
        "ruleset": "text",
    },
)
"""A row a day; `hall` is the printed key."""
SEATS = Table(
    "season_seats",
    {
        "day": "uuid",
        "session": "integer",
        "table_no": "integer",
        "deal": "integer",
        "entry": "bigint",
        "counts": "boolean",
        "seat": "integer",
        "player": "integer",
        "points": "bigint",
        "won": "boolean",
    },
)
"""A row for each deal and seat; `entry` is that of the day's journal, `won` whether the seat had a Hu."""
GAMES = Table(
    "season_games",
    {
        "day": "uuid",
        "session": "integer",
        "table_no": "integer",
        "first_deal": "integer",
        "player": "integer",
        "points": "bigint",
    },
)
"""A row for each player of a game that is rated (`rating.games_of`)."""
KEYS = Table("season_keys", {"day": "uuid", "player": "integer", "key": "text", "name": "text"})
SPLITS = Table("season_splits", {"day": "uuid", "player": "integer", "person": "text"})
MERGES = Table("season_merges", {"key": "text", "person": "text"})
OF_A_DAY = (DAYS, KEYS, SEATS, GAMES)
OF_THE_DESK = (SPLITS, MERGES)

WHO = """
CREATE VIEW season_who AS
SELECT k.day, k.player, COALESCE(m.person, s.person, k.key) AS person, k.name
FROM season_keys k
LEFT JOIN season_splits s ON s.day = k.day AND s.player = k.player
LEFT JOIN season_merges m ON m.key = COALESCE(s.person, k.key)
"""
TOTALS = """
SELECT w.person, COUNT(*) AS days, CAST(SUM(t.sessions) AS bigint) AS sessions, CAST(SUM(t.deals) AS bigint) AS deals,
       CAST(SUM(t.won) AS bigint) AS won, CAST(SUM(t.points) AS bigint) AS points
FROM (
    SELECT day, player, COUNT(DISTINCT session) AS sessions, COUNT(*) AS deals,
           SUM(CASE WHEN won THEN 1 ELSE 0 END) AS won, SUM(points) AS points
    FROM season_seats WHERE counts GROUP BY day, player
) t
JOIN season_who w ON w.day = t.day AND w.player = t.player
GROUP BY w.person ORDER BY 6 DESC, 1
"""
"""What everybody has played, and the points of deals, without penalties: the most points first."""
_DEALS = """
SELECT {columns}y.date, REPLACE(CAST(y.day AS text), '-', '') AS day, y.name, s.session, s.table_no, s.deal, s.seat,
       s.points, s.won, s.counts, s.entry
FROM season_who w
JOIN season_days y ON y.day = w.day
JOIN season_seats s ON s.day = w.day AND s.player = w.player
{which}ORDER BY {columns}y.date, y.day, s.session, s.entry
"""
DEALS_OF = _DEALS.format(columns="", which="WHERE w.person = :person\n")
"""All deals of a person, with the entries of the days' journals that say them."""
DEALS = _DEALS.format(columns="w.person, ", which="")
"""Those of everybody, one person after the other; the key is the first column."""
DEALS_COLUMNS = ("date", "day", "name", "session", "table", "deal", "seat", "points", "won", "counts", "entry")
GAMES_PLAYED = """
SELECT y.game, y.ruleset, y.date, REPLACE(CAST(y.day AS text), '-', '') AS day, g.session, g.table_no, g.first_deal,
       w.person, g.points
FROM season_games g
JOIN season_who w ON w.day = g.day AND w.player = g.player
JOIN season_days y ON y.day = g.day
ORDER BY y.game, y.ruleset, y.date, y.day, g.session, g.table_no, g.first_deal, w.person
"""
"""The rated games, what is rated together one after the other, each in the order of `rating.Game`."""
NOT_RATED = """
SELECT y.game, y.ruleset, COUNT(*) FROM (
    SELECT DISTINCT s.day, s.session, s.table_no
    FROM season_seats s
    LEFT JOIN season_games g
        ON g.day = s.day AND g.session = s.session AND g.table_no = s.table_no AND g.player = s.player
    WHERE s.counts AND g.player IS NULL
) t
JOIN season_days y ON y.day = t.day
GROUP BY y.game, y.ruleset
"""
"""How many tables of sessions had deals that count and are in no rated game, by what is rated together."""


class Tables(Protocol):
    """Where the tables are: files, or a database."""

    def kept(self) -> frozenset[str]:
        """Return the SHA-256 of the extracts whose days are there."""

    def add(self, extract: str, tables: Iterable[tuple[Table, Sequence[Row]]]) -> None:
        """Keep the tables of a day, all or none."""

    def drop(self, extract: str) -> None:
        """Forget the tables of a day."""

    def show(self, tables: Iterable[tuple[Table, Sequence[Row]]]) -> None:
        """Make everything ready to be asked, with what the desk has said."""

    def ask(self, query: str, values: Mapping[str, Any] | None = None) -> Iterator[Row]:
        """Yield the rows of an answer; something else may be asked meanwhile."""

    def close(self) -> None:
        """Let go of what is open."""


def tables_of(place: str) -> Path:
    """Return the folder in which a season keeps its tables, beside that of the extracts."""
    return extracts_of(place).with_suffix(".tables")


def bring_up(tables: Tables, state: SeasonState, folder: Path, jobs: str = "1") -> int:
    """Make the tables those of the season, of the extracts in its `folder`; return how many days were added.

    The extracts are checked by as many `jobs` as `study.jobs` takes. BadExtract when that of a day that is to be added
    does not hold.
    """
    wanted = {one.day.extract: one for one in state.days.values()}
    kept = tables.kept()
    for extract in sorted(kept - wanted.keys()):
        tables.drop(extract)
    added = sorted(wanted.keys() - kept)

    def fetch(extract: str) -> tuple[KeptExtract, SeasonDay]:
        facts = wanted[extract].whole()
        return kept_extract(folder, facts), facts

    for extract, made in shared(_made, added, fetch, jobs):
        if isinstance(made, tuple):
            raise BadExtract(*made)
        tables.add(extract, made)
    tables.show(desk_rows(state))
    return len(added)


def _made(kept: tuple[KeptExtract, SeasonDay]) -> list[tuple[Table, list[Row]]] | tuple[str, str]:
    """Return the tables of a day, or what is wrong with its extract; what a worker does."""
    extract, facts = kept
    try:
        return list(rows_of(extract.checked().day, facts))
    except BadExtract as error:
        return error.path, error.problem


def rows_of(day: Day, facts: SeasonDay) -> Iterator[tuple[Table, list[Row]]]:
    """Yield the rows of a day for each table of OF_A_DAY; `facts` are what the season's journal says of it."""
    numbers = {one.number for one in facts.results}
    yield DAYS, [(day.id, day.extract, day.date, day.name, day.hall, day.game, day.ruleset)]
    yield KEYS, [(day.id, one.number, key_of(facts, one), one.name) for one in facts.results]
    yield (
        SEATS,
        [
            (
                day.id,
                deal.session,
                deal.table,
                deal.deal,
                deal.entry,
                deal.kind == COUNTS,
                seat,
                player,
                points,
                seat in deal.winners,
            )
            for deal in day.deals
            for seat, (player, points) in enumerate(zip(deal.seats, deal.points, strict=True))
        ],
    )
    games = games_of(day, str)
    yield (
        GAMES,
        [
            (day.id, game.session, game.table, game.first_deal, int(seat.person), seat.points)
            for game in games
            for seat in game.seats
            if int(seat.person) in numbers
        ],
    )


def desk_rows(state: SeasonState) -> Iterator[tuple[Table, list[Row]]]:
    """Yield the rows of each table of OF_THE_DESK."""
    people = People(state)
    yield SPLITS, [(one.day, one.player, one.person) for one in state.splits.values()]
    merged = sorted({key for one in state.merges.values() for key in one.persons})
    yield MERGES, [(key, people.root(key)) for key in merged]
