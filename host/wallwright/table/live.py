"""The live views of a terminal: a table as it stands, and walls as they grow."""

from collections import deque
from datetime import UTC, datetime

from rich.console import Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table as Grid
from rich.text import Text

from wallwright_protocol.hardware import SIDES
from wallwright_protocol.names import DRIVES

from ..errors import BoardReset, TableFault
from ..link.reports import Event, Status, unknown_in
from ..system.terminal import drawing_console
from .table import Table

REFRESH_MS = 250
EVENTS_SHOWN = 8
_BY_SIDE = tuple(name for name in DRIVES if name[-1].isdigit())


def watch_table(table: Table) -> None:
    """Show the table until the caller is interrupted. A reset of the board is shown like an event."""
    news: deque[Text] = deque(maxlen=EVENTS_SHOWN)
    console = drawing_console()
    with Live(console=console, auto_refresh=False) as live:
        while True:
            news.extend(_event_line(event) for event in table.events() if not event.is_secret)
            news.extend(Text(f"{_clock()}  {text}", style="red") for text in table.strange())
            live.update(Group(status_grid(table, table.last_status), "", *news), refresh=True)
            try:
                table.pump(REFRESH_MS)
            except BoardReset as reset:
                news.append(Text(f"{_clock()}  {reset}", style="red"))
                table.reconnect()


def watch_build(table: Table, timeout_ms: int) -> Event:
    """Show a bar a side until "build_done"; raises what `Table.wait_for` does."""
    columns = (TextColumn("side {task.description}"), BarColumn(), MofNCompleteColumn())
    bars = Progress(*columns, console=drawing_console(), transient=True)
    tasks = [bars.add_task(str(side), total=table.last_status.plan[side]) for side in range(SIDES)]

    def is_built(table: Table) -> bool:
        now = table.last_status
        for side in range(SIDES):
            bars.update(tasks[side], completed=now.stacks[side], total=now.plan[side])
        return table.state == "ready"

    with bars:
        table.run_until(is_built, timeout_ms)
    return table.wait_for("build_done", 0)


def status_grid(table: Table, now: Status) -> Grid:
    """Return the picture of a status: the table above, a column a side below."""
    fault = Text("none")
    if now.fault is not None:
        fault = Text(str(TableFault(now.fault, now.fault_side, 0, 0)), style="bold red")
    head = Grid.grid(padding=(0, 2))
    head.add_row("table", f"{table.info.unit}, firmware {table.info.firmware}, {table.info.tiles} tiles")
    head.add_row("state", Text(now.state, style="bold"))
    head.add_row("fault", fault)
    head.add_row("deal", f"{now.deal}, dealer {now.dealer}, dice {'-' if now.dice is None else now.dice}")
    head.add_row("drives", " ".join(name for name in now.drives if name not in _BY_SIDE) or "-")
    unknown = unknown_in(now)
    if unknown:
        head.add_row("unknown", Text(", ".join(unknown), style="red"))
    sides = Grid()
    sides.add_column("side")
    for side in range(SIDES):
        sides.add_column(str(side), min_width=14)
    both = enumerate(zip(now.stacks, now.plan, strict=True))
    sides.add_row("stacks", *("out" if side in now.sides_out else f"{have} of {want}" for side, (have, want) in both))
    sides.add_row("in the head", *(str(count) for count in now.loose_tiles))
    sides.add_row("drives", *("\n".join(_of_side(now.drives, side)) or "-" for side in range(SIDES)))
    sides.add_row("sensors", *("\n".join(_of_side(now.inputs, side)) or "-" for side in range(SIDES)))
    picture = Grid.grid()
    picture.add_row(head)
    picture.add_row(sides)
    return picture


def _of_side(names: tuple[str, ...], side: int) -> list[str]:
    return [name.rsplit("_", 1)[0] for name in names if name.endswith(f"_{side}")]


def _event_line(event: Event) -> Text:
    fields = " ".join(f"{name}={value}" for name, value in event.fields.items())
    style = "red" if event.name == "fault" else ""
    return Text(f"{_clock()}  {event.seq:5d}  {event.name}  {fields}", style=style)


def _clock() -> str:
    return datetime.now(UTC).astimezone().strftime("%H:%M:%S")
