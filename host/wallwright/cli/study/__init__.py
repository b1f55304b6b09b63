"""`wallwright study ...`: how well tables shuffle, found out by many walls."""

from ..groups import group
from .journal import JOURNAL_HELP, journal
from .walls import SCHEDULER_HELP, WALLS_HELP, WORKER_HELP, scheduler, walls, worker
from .wash_test import WASH_TEST_HELP, wash_test

HELP = """Study how well a table shuffles, by many walls. It needs the extra: pip install 'wallwright[study]'."""

app = group("study", HELP)


@app.callback()
def study() -> None:
    """Group; its help is HELP."""


app.command(help=WALLS_HELP)(walls)
app.command(help=JOURNAL_HELP)(journal)
app.command("wash-test", help=WASH_TEST_HELP)(wash_test)
app.command(help=SCHEDULER_HELP)(scheduler)
app.command(help=WORKER_HELP)(worker)
