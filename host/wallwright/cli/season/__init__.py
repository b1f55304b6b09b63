"""`wallwright season ...`: days of many halls as one season. The commands are in the package `season`."""

from ..groups import group
from . import days, draw, lists, persons, publish, rehearse, report, setup, tables

HELP = """Add up days of many halls: who is who, what counts, who qualifies; all of it proved. docs/season.md has more.

\b
Example:
  wallwright season new year.season --format chengdu-grand-prix-2016
  wallwright season hall year.season "East hall" J2...
  wallwright season add year.season day.extract
  wallwright season standings year.season
  wallwright season qualifiers year.season

A day comes as the extract that its hall has made of its journal with `wallwright event extract`, or `season report` of
the hall sends it to `wallwright serve --season`. What was added stands
in the season's own journal, which `wallwright log verify` checks; `wallwright season verify` checks all proofs as well.
"""

app = group("season", HELP)
for _part in (setup, days, report, persons, lists, tables, publish, draw, rehearse):
    _part.add_commands(app)
