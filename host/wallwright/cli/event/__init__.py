"""`wallwright event ...`: a tournament run from its journal. The commands are in the package `event`."""

from ..groups import group
from . import appeals, extract, penalties, players, rehearse, results, same_deals, seats, sessions, setup, show, undo

HELP = """Run a tournament: players, draw, sessions, results, standings. docs/events.md goes through a day.

\b
Example:
  wallwright event new day.journal --format chengdu-grand-prix
  wallwright event players import day.journal players.csv
  wallwright event draw commit day.journal
  wallwright event draw reveal day.journal
  wallwright event start day.journal 1

Everything that counts is an entry of the journal, which `wallwright log verify` checks; the rest is computed from it.
"""

app = group("event", HELP)
for _part in (setup, players, sessions, results, seats, penalties, appeals, show, extract, same_deals, undo, rehearse):
    _part.add_commands(app)
