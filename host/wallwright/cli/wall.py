"""`wallwright wall ...`: was the wall that was played the wall that had been built?"""

from pathlib import Path
from typing import Annotated, Any

import typer

from ..tiles.enrolment import Enrolment, enrolment_path, load_enrolment
from ..tiles.verify import AGREES, UNVERIFIABLE, WallVerdict, verify_wall
from .one_table import AsJson, print_json

VERIFY_HELP = """Verify the wall of a deal that is over, from the journal.

Example: wallwright wall verify --journal hall.journal --deal 12 --unit EAST-7

The board commits to a wall before it rises and shows it after the deal. The command checks the commitment, the count,
the tiles where their tags are enrolled (`wallwright tiles enrol`), and that all drawn tiles lay in the wall. Exit code
1: it does not agree, or cannot be verified, or not yet; the line says which.

With --json: {"unit": "EAST-7", "deal": 12, "verdict": "agrees", "tiles": 108, "unread": 0, "drawn": 87, "commitment":
"...", "problems": [], "doubts": [], "wall": ["1m", ...]}; a tile that is not enrolled has its tag in the wall, one that
was not read has "".
"""

app = typer.Typer(
    name="wall",
    help="Verify that the played wall is the wall that was built.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def wall() -> None:
    """Make `wall` a group."""


@app.command("verify", help=VERIFY_HELP)
def verify(
    journal: Annotated[str, typer.Option("--journal", help="The journal's file or PostgreSQL URL.")],
    deal: Annotated[int, typer.Option("--deal", min=1, help="Number of the deal, as in the event walls_up.")],
    unit: Annotated[str, typer.Option("--unit", help="The table, when several have that deal.")] = "",
    tiles: Annotated[
        Path | None, typer.Option("--tiles", help="List of tags, if it is not this machine's own.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify; exit with 1 unless all agrees."""
    from ..journal import read_journal

    enrolment = load_enrolment(tiles) if tiles else None
    found = verify_wall(read_journal(journal), deal, unit, enrolment)
    if tiles is None:
        enrolment = load_enrolment(enrolment_path(found.unit))
        if enrolment is not None:
            found = verify_wall(read_journal(journal), deal, found.unit, enrolment)
    if as_json:
        print_json(_record(found, enrolment))
    else:
        print("\n".join(_lines(found)))
    if found.verdict != AGREES:
        raise typer.Exit(1)


def _record(found: WallVerdict, enrolment: Enrolment | None) -> dict[str, Any]:
    names = ("unit", "deal", "verdict", "unread", "drawn", "commitment", "problems", "doubts")
    faces = [_face(tag, enrolment) for tag in found.wall]
    return {name: getattr(found, name) for name in names} | {"tiles": len(found.wall), "wall": faces}


def _face(tag: str, enrolment: Enrolment | None) -> str:
    tile = None if enrolment is None else enrolment.find(tag)
    return tag if tile is None else tile[1]


def _lines(found: WallVerdict) -> list[str]:
    lines = [f"{found.unit}, deal {found.deal}: {found.verdict}"]
    if found.wall:
        drawn = "" if found.drawn is None else f", {found.drawn} of them read at the seats"
        lines.append(f"  {len(found.wall)} tiles, {found.unread} of them not known{drawn}")
    if found.commitment:
        lines.append(f"  commitment {found.commitment}")
    lines += [f"  WRONG: {problem}" for problem in found.problems]
    lead = "because" if found.verdict == UNVERIFIABLE else "note"
    return lines + [f"  {lead}: {doubt}" for doubt in found.doubts]
