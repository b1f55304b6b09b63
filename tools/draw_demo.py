"""Draws docs/demo.svg, the README's picture: what `wallwright demo` shows in the middle of a session.

Example: .venv-dev/bin/python -m tools.draw_demo
"""

import io
import re
import tempfile
from pathlib import Path
from random import Random

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console

from wallwright.cli.demo_session import View
from wallwright.journal import Journal
from wallwright.play.bots_at_table import PlayedTable
from wallwright.play.panel import Panel
from wallwright.rules.sichuan.bots import SmartBot
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.table.next_walls import ScoredDeals
from wallwright.table.operated import Operated, ScoredLog
from wallwright.table.table import Table, open_table
from wallwright_simulator.simulation import Simulation, attach

PICTURE = Path(__file__).parents[1] / "docs" / "demo.svg"
DEALS = 10
SHOWN = 6
"""The picture is taken after so many deals, while the next walls are half built."""
SEED = 1


def main() -> None:
    """Play, and take the picture."""
    console = Console(record=True, width=100, file=io.StringIO())
    simulation = Simulation(SEED, wash_s=None)
    ruleset = load_ruleset("sichuan")
    scored = ScoredDeals(ruleset.as_game())
    with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal") as journal:
        log = ScoredLog(journal, scored)
        table = open_table(attach("picture", simulation), journal=log)
        operated = Operated(table, lambda: scored.coming)
        view = View(table, DEALS, console)
        bot = SmartBot()
        done = 0

        def watch(text: str) -> None:
            view.doing(text)
            if done == SHOWN and text.startswith("playing") and _half_built(table):
                raise _Enough

        panel = Panel(simulation, operated.run, operated.check)
        played = PlayedTable(simulation, panel, log, table.wall_ms, ruleset, (bot,) * 4, Random(f"bots {SEED}"), watch)
        try:
            for report in played.play(DEALS):
                view.deal(report, operated.build_ms)
                done = report.number
        except _Enough:
            console.print(view.picture())
    # The template names a font on a server; the picture has to do with the reader's own.
    template = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    PICTURE.write_text(console.export_svg(title="wallwright demo", code_format=template) + "\n")


class _Enough(Exception):
    """The moment for the picture."""


def _half_built(table: Table) -> bool:
    status = table.last_status
    return status.state == "building" and 20 <= sum(status.stacks) <= 40


if __name__ == "__main__":
    main()
