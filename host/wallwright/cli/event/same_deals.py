"""`wallwright event deals commit | replace | reveal | travellers`: the deals that all tables play."""

from pathlib import Path
from typing import Annotated

import typer

from ..groups import group
from ..passwords import PasswordFile, read_password
from .common import AsJson, By, DealNumber, Place, Reason, SessionNumber, print_done, print_rows, who

DEALS_HELP = """Play the same deals at all tables, in a format whose duplicate is pairs, teams or players.

Example: wallwright event deals commit day.journal spring.deals
"""
COMMIT_HELP = """Write the commitment to sealed deals into the journal, before the first session.

Example: wallwright event deals commit day.journal spring.deals

The journal gets the commitment and who deals each deal; no tile. The command asks for the password of the FILE. In a
hall that is served a director does the same in the console, by what `wallwright deals announce` writes.
"""
REPLACE_HELP = """Let all tables play a spare deal in the place of one that was spoilt.

Example: wallwright event deals replace day.journal 1 3 --reason "a wall fell over at table 2"

What was played of it counts for nothing, at every table.
"""
REVEAL_HELP = """Show the deals to everybody, after the last table has played and signed.

Example: wallwright event deals reveal day.journal spring.deals
"""
TRAVELLERS_HELP = """Print what every table has made of a deal, once the deals are shown.

Example: wallwright event deals travellers day.journal 1 3

Match points are those of East and West, and of South and North; a deal that nobody else has played has none.
"""

File = Annotated[Path, typer.Argument(metavar="FILE", help="The sealed deals.", show_default=False)]

deals_app = group("deals", DEALS_HELP)


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.add_typer(deals_app)


@deals_app.command("commit", help=COMMIT_HELP)
def commit(place: Place, file: File, password_file: PasswordFile = None, by: By = "", as_json: AsJson = False) -> None:
    """Commit to the deals."""
    from ...duplicate.announced import announced
    from ...duplicate.sealed import unseal
    from ...event.same_deals import commit_deals
    from ...event.store import open_event, read_event

    read_event(place)  # what is wrong with the journal is said before anybody types
    deals = unseal(file, read_password(password_file))
    with open_event(place, who(by)) as desk:
        commit_deals(desk, announced(deals))
        assert desk.state.deals is not None
        committed, count = desk.state.deals.commitment, desk.state.deals.to_play
    print_done(as_json, f"{count} deals. Commitment, to be shown to everybody: {committed}", commitment=committed)


@deals_app.command("replace", help=REPLACE_HELP)
def replace(
    place: Place, session: SessionNumber, deal: DealNumber, reason: Reason = "", by: By = "", as_json: AsJson = False
) -> None:
    """Replace a deal."""
    from ...event.same_deals import replace_deal
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        spare = replace_deal(desk, session, deal, reason)
    text = f"All tables play deal {spare} of the file as deal {deal} of session {session}."
    print_done(as_json, text, session=session, deal=deal, spare=spare)


@deals_app.command("reveal", help=REVEAL_HELP)
def reveal(place: Place, file: File, password_file: PasswordFile = None, by: By = "", as_json: AsJson = False) -> None:
    """Show the deals."""
    from ...duplicate.sealed import unseal
    from ...event.same_deals import reveal_deals
    from ...event.store import open_event, read_event

    read_event(place)  # what is wrong with the journal is said before anybody types
    deals = unseal(file, read_password(password_file))
    with open_event(place, who(by)) as desk:
        reveal_deals(desk, deals)
    print_done(as_json, f"{len(deals.deals)} deals are in the journal, for everybody.", deals=len(deals.deals))


@deals_app.command("travellers", help=TRAVELLERS_HELP)
def travellers(place: Place, session: SessionNumber, deal: DealNumber, as_json: AsJson = False) -> None:
    """Print the results of a deal side by side."""
    from ...event.same_deals import traveller_rows
    from ...event.store import read_event

    print_rows(traveller_rows(read_event(place), session, deal), as_json, f"Session {session}, deal {deal}")
