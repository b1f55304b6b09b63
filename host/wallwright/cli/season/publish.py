"""`wallwright season publish`: the pages of a season as files."""

from pathlib import Path
from typing import Annotated

import typer

from ..event.common import AsJson, print_done
from .common import Jobs, Season
from .tables import Database

PUBLISH_HELP = """Write the pages of a season into a folder that any web server or object store can have.

Example: wallwright season publish year.season site

Calendar, days, list, qualifiers, everybody's results and ratings with plots, in English and Chinese; an Atom feed
(feed.atom), the same for programs (api/), and the signed extracts (extracts/), with which the pages of the days check
their proofs in the browser. Published again, it writes what has changed and deletes what is gone. The files are yours
alone at first, as whatever this program writes: chmod -R a+rX SITE lets a web server read them.

It needs the extra: pip install 'wallwright[season]'.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("publish", help=PUBLISH_HELP)(publish)


def publish(
    place: Season,
    folder: Annotated[Path, typer.Argument(metavar="SITE", help="A new folder, or one published before.")],
    database: Database = "",
    jobs: Jobs = "1",
    as_json: AsJson = False,
) -> None:
    """Write the pages."""
    from ...console.season.publish import publish as write
    from ...console.season.site import SeasonSite
    from ...season.asking import asking
    from ...study.jobs import check_jobs

    check_jobs(jobs)
    with asking(place, database, jobs) as (state, tables):
        there, changed, gone = write(folder, SeasonSite(place, state, tables).contents())
    said = f"{folder}: {there:,} files, {changed:,} of them written, {gone:,} deleted."
    print_done(as_json, said, files=there, written=changed, deleted=gone)
