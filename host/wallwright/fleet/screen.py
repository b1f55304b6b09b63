"""The hall on a terminal: a row a table, those that need somebody first, and the last things that happened."""

from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime

from rich.console import Group
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

from ..errors import TableFault
from ..system.heartbeat import Heartbeat
from ..system.terminal import drawing_console
from .fleet import Fleet
from .state import CONNECTED, Change, HallState, TableState

REFRESH_S = 0.5
NEWS_SHOWN = 6
FRAME_LINES = 6
"""Lines of the picture that are neither a table nor news."""


def show_hall(fleet: Fleet, heart: Heartbeat) -> None:
    """Show the hall until the news end."""
    console = drawing_console()
    news: deque[Change] = deque(maxlen=NEWS_SHOWN)
    with Live(console=console, auto_refresh=False) as live:
        while (changes := fleet.news.take(REFRESH_S)) is not None:
            heart.beat()
            news.extend(change for change in changes if change.kind != "event")
            live.update(hall_picture(fleet.state(), news, console.height), refresh=True)


def hall_picture(hall: HallState, news: Sequence[Change], height: int) -> Group:
    """Return the picture of a hall that fits into `height` lines."""
    room = max(1, height - FRAME_LINES - NEWS_SHOWN)
    tables = sorted(hall.tables, key=lambda table: not needs_somebody(table))
    grid = Grid(expand=True)
    for title in ("table", "unit", "state", "deal", "waiting", "lost"):
        grid.add_column(title, no_wrap=True)
    grid.add_column("note", ratio=1, no_wrap=True, overflow="ellipsis")
    for table in tables[:room]:
        grid.add_row(*map(Text, _cells(table)), style="bold red" if needs_somebody(table) else "")
    here = sum(table.link == CONNECTED for table in tables)
    foot = f"{here} of {len(tables)} tables connected"
    if len(tables) > room:
        foot += f", {len(tables) - room} not shown"
    journal = Text("" if hall.journal_problem is None else hall.journal_problem, style="bold red")
    return Group(grid, Text(foot), journal, *(Text(change_line(change), no_wrap=True) for change in news))


def needs_somebody(table: TableState) -> bool:
    """Say whether a person should look at this table."""
    return table.link != CONNECTED or (table.status is not None and table.status.fault is not None)


def change_line(change: Change) -> str:
    """Return a change as one line for a person."""
    time = datetime.fromtimestamp(change.at_ms / 1000, UTC).astimezone().strftime("%H:%M:%S")
    said = change.text
    if change.event is not None:
        said = " ".join([change.event.name, *(f"{name}={value}" for name, value in change.event.fields.items())])
    return f"{time}  {change.table or '-':<8}  {change.kind:<9}  {said}"


def _cells(table: TableState) -> tuple[str, ...]:
    status = table.status
    note = table.problem or ""
    if status is not None and status.fault is not None and not note:
        note = str(TableFault(status.fault, status.fault_side, 0, 0))
    state = table.link if table.link != CONNECTED or status is None else status.state
    return (
        table.name,
        "" if table.info is None else table.info.unit,
        state,
        "" if status is None else str(status.deal),
        str(table.waiting),
        str(table.lost),
        note,
    )
