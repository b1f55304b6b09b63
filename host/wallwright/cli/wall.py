"""`wallwright wall ...`: was the wall that was played the wall that had been built?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..system.streams import say
from ..tiles.enrolment import Enrolment, enrolment_path, load_enrolment
from ..tiles.verify import AGREES, UNVERIFIABLE, WallVerdict, verify_wall
from .groups import group
from .one_table import AsJson, print_json

if TYPE_CHECKING:
    from ..tiles.prescribed import Comparison

VERIFY_HELP = """Verify the wall of a deal that is over, from the journal.

Example: wallwright wall verify --journal hall.journal --deal 12 --unit EAST-7

The board commits to a wall before it rises and shows it after the deal. The command checks the commitment, the count,
the tiles where their tags are enrolled (`wallwright tiles enrol`), and that all drawn tiles lay in the wall. Exit code
1: it does not agree, or cannot be verified, or not yet; the line says which.

With --prescription, a file of `wallwright deals export`, it also checks that the wall is the one that had been drawn:
the deals by their seed, the prescription that the board was given, then drawn and revealed wall place by place. The
first difference is printed.

With --json: {"unit": "EAST-7", "deal": 12, "verdict": "agrees", "tiles": 108, "unread": 0, "drawn": 87, "commitment":
"...", "problems": [], "doubts": [], "wall": ["1m", ...]}; a tile that is not enrolled has its tag in the wall, one that
was not read has "". With --prescription: "prescribed": {"deal": 3, "signed": true, "match": true, "unknown": 0,
"difference": ""}; "signed" says whether the board was given this deal, and is null of a wall that it did not sort.
"""

app = group("wall", "Verify that the played wall is the wall that was built.")


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
    prescription: Annotated[
        Path | None, typer.Option("--prescription", help="The deals, revealed: JSON or text.", show_default=False)
    ] = None,
    drawn_deal: Annotated[
        int | None, typer.Option("--drawn-deal", min=1, help="Number of the drawn deal, if it is not the same.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Verify; exit with 1 unless all agrees."""
    from ..duplicate.drawing import check_drawn
    from ..duplicate.sealed import read_open
    from ..journal import read_journal
    from ..tiles.prescribed import built_wall, compare_wall, is_prescription

    deals = None if prescription is None else read_open(prescription)
    if deals is not None:
        check_drawn(deals)
        deals.deal(drawn_deal or deal)

    enrolment = load_enrolment(tiles) if tiles else None
    found = verify_wall(read_journal(journal), deal, unit, enrolment)
    if tiles is None:
        enrolment = load_enrolment(enrolment_path(found.unit))
        if enrolment is not None:
            found = verify_wall(read_journal(journal), deal, found.unit, enrolment)
    compared = signed = None
    if deals is not None and found.wall and enrolment is not None:
        number = drawn_deal or deal
        built = built_wall(read_journal(journal), deal, found.unit)
        if built is not None:
            signed = is_prescription(built, deals, number, found.unit, enrolment)
        by_hands = built is not None and built.mode == "hands"
        compared = compare_wall(deals, number, found.wall, enrolment, by_hands=by_hands)
    if as_json:
        prescribed = {} if deals is None else {"prescribed": _prescribed(drawn_deal or deal, compared, signed)}
        print_json(_record(found, enrolment) | prescribed)
    else:
        say(*_lines(found), *([] if deals is None else _drawn_lines(drawn_deal or deal, compared, signed)))
    if found.verdict != AGREES or signed is False or (deals is not None and (compared is None or not compared.match)):
        raise typer.Exit(1)


def _record(found: WallVerdict, enrolment: Enrolment | None) -> dict[str, Any]:
    names = ("unit", "deal", "verdict", "unread", "drawn", "commitment", "problems", "doubts")
    faces = [_face(tag, enrolment) for tag in found.wall]
    return {name: getattr(found, name) for name in names} | {"tiles": len(found.wall), "wall": faces}


def _prescribed(number: int, compared: "Comparison | None", signed: bool | None) -> dict[str, Any]:
    if compared is None:
        return {"deal": number, "signed": None, "match": None, "unknown": None, "difference": ""}
    return {
        "deal": number,
        "signed": signed,
        "match": compared.match,
        "unknown": compared.unknown,
        "difference": compared.difference,
    }


def _drawn_lines(number: int, compared: "Comparison | None", signed: bool | None) -> list[str]:
    if signed is False:
        return [f"  WRONG: the prescription that the board was given is not that of the drawn deal {number}"]
    if compared is None:
        return [
            f"  the drawn deal {number} was not compared: the wall is not shown, or its tiles are not enrolled here"
        ]
    if compared.difference:
        return [f"  WRONG: not the drawn deal {number}: {compared.difference}"]
    unknown = f", but for {compared.unknown} that nobody knows" if compared.unknown else ""
    given = "" if signed is None else "; the board was given this deal"
    return [f"  every tile lay where deal {number} has it{unknown}{given}"]


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
