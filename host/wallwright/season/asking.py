"""A season together with the tables of all its deals, ready to be asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from ..errors import BadInput
from .desk import extracts_of, read_season
from .state import SeasonState
from .tables import Tables, bring_up, tables_of

EXTRA = ("duckdb", "numpy", "openskill", "matplotlib", "pypinyin")


@contextmanager
def asking(place: str, database: str = "", jobs: str = "1") -> Iterator[tuple[SeasonState, Tables]]:
    """Give the season at `place` and its tables, with all days that have come: in files, or in the `database`.

    Extracts of days that have come are checked by as many `jobs` as `study.jobs` takes. BadInput without the
    extra `season`, or for what is no URL; BadExtract for a day whose extract does not hold.
    """
    missing = [name for name in EXTRA if find_spec(name) is None]
    if missing:
        raise BadInput(f"this needs {', '.join(missing)}: pip install 'wallwright[season]'")
    from .deal_files import DealFiles
    from .deal_server import open_server

    state = read_season(place)
    tables: Tables = open_server(database) if database else DealFiles(tables_of(place))
    try:
        bring_up(tables, state, extracts_of(place), jobs)
        yield state, tables
    finally:
        tables.close()
