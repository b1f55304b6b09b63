"""`wallwright event undo`: the last act of the desk."""

import typer

from .common import AsJson, By, Place, Reason, print_done, who

HELP = """Undo what was done last at the desk, while nothing has followed from it.

Example: wallwright event undo day.journal --reason "the wrong player"

A withdrawal with all seats that followed from it is one act. After it is undone the one before it is the last. The
journal keeps both. What everybody has seen stays: results of a published session, draws, signatures.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("undo", help=HELP)(undo)


def undo(place: Place, reason: Reason, by: By = "", as_json: AsJson = False) -> None:
    """Undo."""
    from ...event import undo as undoing
    from ...event.store import open_event

    with open_event(place, who(by)) as desk:
        line = undoing.undo(desk, reason).said(desk.state.say_seats)
        undone = desk.state.undone[-1]
    entries = [one.id for one in undone.entries]
    print_done(as_json, f"Undone. {line}", entry=undone.entry, undone=entries, line=line)
