"""`wallwright deals ...`: draw deals for duplicate mahjong, keep them sealed, print them, exchange them, check them."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ..errors import BadInput
from ..refusals import what_to_do
from ..system.disk import need_none, write_named_new
from .groups import group
from .one_table import AsJson, Port, Trace, opened, print_json
from .passwords import PasswordFile, read_password

HELP = """Draw deals for duplicate mahjong: the same walls at every table. Print, exchange and check them.

Deals lie encrypted in a FILE until they are played. The commands ask for its password, or read it as one line when the
input is no terminal. No command prints a tile to the terminal.
"""
DRAW_HELP = """Draw deals, and write them to a new FILE, encrypted by a password; print the commitment to publish.

Example: wallwright deals draw spring.deals --event "Spring pairs" --deals 16 --spares 2

All comes from 256 bits of the system's random source. The commitment is SHA-256 of a nonce and all deals: whoever has
it can check after the session that nobody changed them.

With --json: {"event": "Spring pairs", "ruleset": "mil-2025", "deals": 18, "spares": 2, "commitment": "..."}
"""
PRINT_HELP = """Write curtain cards for walls that are built by hand, and the sheet of whoever checks them, as HTML.

Example: wallwright deals print spring.deals --cards cards.html --sheet sheet.html

A card shows one wall of one deal to the person who builds it. Print from a browser; whoever has seen the sheet plays
none of these deals. With --lang zh both are in Chinese.
"""
EXPORT_HELP = """Write the deals to a new file that everybody can read: JSON, or text made like bridge's PBN.

Example: wallwright deals export spring.deals --out spring.json

The name says which of the two: .json, or .txt for text. Do it after the last table has played: the file shows every
tile, with nonce and seed, so that everybody can draw the deals again.
"""
ANNOUNCE_HELP = """Write what everybody may know of sealed deals before the session to a new file: the announcement.

Example: wallwright deals announce spring.deals --out spring-announced.json

It has the commitment, the ruleset, how many deals are spare, and who deals each; no tile. A director chooses it in the
console of a served hall, on the page of the deals, before the first session; the deals themselves stay on this machine.
"""
IMPORT_HELP = """Read deals from JSON or text, and write them to a new FILE, encrypted by a password.

Example: wallwright deals import spring.txt spring.deals
"""
VERIFY_HELP = """Check deals: the set of each wall, that the seed gives these deals, and the commitment.

Example: wallwright deals verify spring.json --commitment 5f3c...

A sealed FILE is checked too, by its password, and nothing of it is shown. Exit code 2, with the first thing that is
wrong.

With --json: {"event": "Spring pairs", "ruleset": "mil-2025", "deals": 18, "spares": 2, "commitment": "...", "seeded":
true}; "seeded" is false where others drew the deals, and only their commitment can be checked.
"""

TRUST_HELP = """Let a board build what this machine's director signs, and nobody else's deals.

Example: wallwright deals trust --port /dev/ttyACM0

The director's key is made on first use; it lies beside this user's other keys. A table without a wall sorter refuses.

With --json: {"unit": "EAST-7", "director": "..."}, the public key in hexadecimal.
"""
RELEASE_HELP = """Sign one deal for one board, and let it build these walls next, once.

Example: wallwright deals release spring.deals --deal 3 --port /dev/ttyACM0

The board keeps the deal in its memory for that build alone, and shows on all four displays that its wall is prescribed.
Its tiles have to be enrolled here. In the mode "hands" the tiles of each hand may lie in any order; in "strict" every
tile has its place. Exit code 4 when the board does not take it, with why.

With --json: {"unit": "EAST-7", "deal": 3, "build": 41, "prescription_hash": "...", "refusal": "ok"}
"""
STATION_HELP = """Release to every table of a served hall the deal that its next walls are for, until none is to come.

Example: wallwright deals station spring.deals --server https://hall.local:8443 --user mei

This is the director's machine: deals, key and lists of tags stay here, and the console of `wallwright serve` hands on
what is signed for one board and one build. Tables have to trust this director (`wallwright deals trust`), and the event
has committed to these deals. It asks for the deals' password and then for the account's. Ctrl-C ends it at any time:
what was released is built, and started again it goes on: the console says which table has which deal. While it runs,
it takes a deal that a spare one has replaced back from every table that has it, walls that wait below among them. What
is in the way at a table is printed, and tried again. Exit code 4 when a board has refused a deal, with --once also when
something was in the way.

With --json, a line each: {"table": "A1", "unit": "EAST-7", "deal": 3, "build": 41, "prescription_hash": "...",
"refusal": "ok"}; of a deal that was taken back {"table": "A1", "unit": "EAST-7", "deal": 3, "withdrawn": true}
"""
WITHDRAW_HELP = """Take a deal back from one board, and have the walls of it given up that stand in part or whole.

Example: wallwright deals withdraw --port /dev/ttyACM0

People then take these walls out, and a lift key has the table build ordinary ones. Other tables still play the deal, so
its result at this table is none: void it there, or let a spare deal replace it at all tables (`wallwright event deals
replace`), which `wallwright deals station` carries out at every table by itself.

With --json: {"unit": "EAST-7", "withdrawn": true}
"""
TAKE_OUT = "take out what was built of it (E33), then press a lift key."
OK = "ok"
REFUSED_EXIT = 4

app = group("deals", HELP)

File = Annotated[Path, typer.Argument(metavar="FILE", help="The sealed deals: spring.deals.", show_default=False)]
Only = Annotated[list[int] | None, typer.Option("--deal", min=1, help="This deal; once for each. Else all.")]


@app.command(help=DRAW_HELP)
def draw(
    file: File,
    event: Annotated[str, typer.Option(help="What the session is called.")],
    deals: Annotated[int, typer.Option(min=1, max=999, help="How many are to be played.")],
    spares: Annotated[int, typer.Option(min=0, max=99, help="Substitutes for deals that are spoilt.")] = 0,
    ruleset: Annotated[str, typer.Option(help="A preset, whose set, walls and dice are used.")] = "mil-2025",
    draw_from: Annotated[
        str, typer.Option("--draw-from", help='"own": each draws from the own wall (SBR-11.9); or the "break".')
    ] = "own",
    password_file: PasswordFile = None,
    as_json: AsJson = False,
) -> None:
    """Draw; the command's help is DRAW_HELP."""
    from ..duplicate.drawing import draw_deals
    from ..duplicate.sealed import seal

    drawn = draw_deals(event, ruleset, draw_from, deals, spares)
    need_none(file)
    known = seal(file, drawn, read_password(password_file, again=True))
    if as_json:
        print_json(asdict(known))
        return
    print(f"{file}: {known.deals} deals, {known.spares} of them spare.")
    print(f"Publish before the session: {known.commitment}")


@app.command("print", help=PRINT_HELP)
def print_deals(
    file: File,
    cards: Annotated[Path | None, typer.Option("--cards", help="Write the curtain cards here.")] = None,
    sheet: Annotated[Path | None, typer.Option("--sheet", help="Write the checker's sheet here.")] = None,
    only: Only = None,
    lang: Annotated[str, typer.Option("--lang", help='Language of what is printed: "en" or "zh".')] = "en",
    password_file: PasswordFile = None,
) -> None:
    """Print; the command's help is PRINT_HELP."""
    from ..console.texts import HTML_LANGUAGES, translator
    from ..console.tile_pictures import tile_sheet
    from ..duplicate.cards import checkers_sheet, curtain_cards
    from ..duplicate.sealed import unseal

    if cards is None and sheet is None:
        raise BadInput("say where to write: --cards FILE, --sheet FILE, or both")
    if lang not in HTML_LANGUAGES:
        raise BadInput(f"--lang is {lang!r}; it is {' or '.join(HTML_LANGUAGES)}")
    say, language = translator(lang), HTML_LANGUAGES[lang]
    for path in (cards, sheet):
        if path is not None:
            need_none(path)
    deals = unseal(file, read_password(password_file))
    numbers = only or range(1, len(deals.deals) + 1)
    pages = []
    if cards is not None:
        pages.append((cards, curtain_cards(deals, numbers, tile_sheet(), say, language)))
    if sheet is not None:
        pages.append((sheet, checkers_sheet(deals, numbers, say, language)))
    for path, page in pages:
        write_named_new(path, page.encode())
        print(f"Print {path} from a browser.")


@app.command(help=EXPORT_HELP)
def export(
    file: File,
    out: Annotated[Path, typer.Option("--out", help="The new file: NAME.json or NAME.txt.", show_default=False)],
    password_file: PasswordFile = None,
) -> None:
    """Export; the command's help is EXPORT_HELP."""
    from ..duplicate.json_form import deals_record
    from ..duplicate.sealed import unseal
    from ..duplicate.text import write_text

    if out.suffix not in (".json", ".txt"):
        raise BadInput(f"{out}: name it .json for programs, or .txt for people")
    need_none(out)
    deals = unseal(file, read_password(password_file))
    text = write_text(deals) if out.suffix == ".txt" else json.dumps(deals_record(deals), indent=1) + "\n"
    write_named_new(out, text.encode())
    print(f"{out} shows {len(deals.deals)} deals to whoever reads it.")


@app.command(help=ANNOUNCE_HELP)
def announce(
    file: File,
    out: Annotated[Path, typer.Option("--out", help="The new file: NAME.json.", show_default=False)],
    password_file: PasswordFile = None,
) -> None:
    """Announce; the command's help is ANNOUNCE_HELP."""
    from ..duplicate.announced import announced, announced_record
    from ..duplicate.sealed import unseal

    need_none(out)
    known = announced(unseal(file, read_password(password_file)))
    write_named_new(out, (json.dumps(announced_record(known), indent=1) + "\n").encode())
    print(f"{out} announces {len(known.dealers)} deals, {known.spares} of them spare, and shows no tile.")
    print(f"Publish before the session: {known.commitment}")


@app.command("import", help=IMPORT_HELP)
def import_deals(
    source: Annotated[Path, typer.Argument(metavar="DEALS", help="JSON or text.", show_default=False)],
    file: File,
    password_file: PasswordFile = None,
) -> None:
    """Import; the command's help is IMPORT_HELP."""
    from ..duplicate.drawing import check_drawn
    from ..duplicate.sealed import read_open, seal

    deals = read_open(source)
    check_drawn(deals)
    need_none(file)
    known = seal(file, deals, read_password(password_file, again=True))
    print(f"{file}: {known.deals} deals, {known.spares} of them spare. {source} still shows them: delete it.")
    print(f"Publish before the session: {known.commitment}")


@app.command(help=TRUST_HELP)
def trust(port: Port, as_json: AsJson = False, trace: Trace = False) -> None:
    """Trust; the command's help is TRUST_HELP."""
    from ..tiles.station import director_key, trust_director

    key = director_key()
    with opened(port, trace) as table:
        public = trust_director(table, key).hex()
        unit = table.info.unit
    if as_json:
        print_json({"unit": unit, "director": public})
    else:
        print(f"{unit} builds what the director with the key {public} has signed.")


@app.command(help=RELEASE_HELP)
def release(
    file: File,
    deal: Annotated[int, typer.Option("--deal", min=1, help="Number of the deal.")],
    port: Port,
    mode: Annotated[str, typer.Option("--mode", help="strict or hands.")] = "strict",
    password_file: PasswordFile = None,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Release; the command's help is RELEASE_HELP."""
    from ..duplicate.sealed import unseal
    from ..tiles.station import director_key, mode_number, release

    number = mode_number(mode)
    deals = unseal(file, read_password(password_file))
    with opened(port, trace) as table:
        released = release(table, deals, deal, director_key(), number)
    if as_json:
        print_json(asdict(released))
    elif released.refusal == OK:
        print(f"{released.unit} builds deal {deal} next, as its build {released.build}.")
    else:
        print(f"{released.unit} does not build deal {deal}: {released.refusal}; {what_to_do(released.refusal)}")
    if released.refusal != OK:
        raise typer.Exit(REFUSED_EXIT)


@app.command("withdraw", help=WITHDRAW_HELP)
def withdraw_deal(port: Port, as_json: AsJson = False, trace: Trace = False) -> None:
    """Withdraw; the command's help is WITHDRAW_HELP."""
    from ..tiles.station import withdraw

    with opened(port, trace) as table:
        withdraw(table)
        unit = table.info.unit
    if as_json:
        print_json({"unit": unit, "withdrawn": True})
    else:
        print(f"{unit} builds ordinary walls next; {TAKE_OUT}")


@app.command(help=STATION_HELP)
def station(
    file: File,
    server: Annotated[str, typer.Option("--server", help="Address of the console: https://HOST:PORT.")],
    user: Annotated[str, typer.Option("--user", help="A director's account there.")],
    table: Annotated[
        list[str] | None, typer.Option("--table", help="This table; once for each. Else all.", show_default=False)
    ] = None,
    mode: Annotated[str, typer.Option("--mode", help="strict or hands.")] = "strict",
    once: Annotated[bool, typer.Option("--once", help="Look at the tables once, and end.")] = False,
    certificate: Annotated[
        Path | None, typer.Option("--certificate", help="Trust this certificate of the console.", show_default=False)
    ] = None,
    password_file: PasswordFile = None,
    user_password_file: Annotated[
        Path | None,
        typer.Option("--user-password-file", help="First line: the account's password.", show_default=False),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Release to a hall; the command's help is STATION_HELP."""
    import time

    from ..duplicate.sealed import unseal
    from ..tiles.hall_station import LOOK_S, Console, ConsolePlace, Station, Withdrawn
    from ..tiles.station import director_key, mode_number

    number = mode_number(mode)
    place = ConsolePlace(server, certificate)
    deals = unseal(file, read_password(password_file))
    console = Console(place, user, read_password(user_password_file, whose=f"Password of {user}"))
    names = tuple(table or console.names())
    here = Station(console, deals, director_key(), number)
    refused = False
    while not here.is_over:
        for name, released in here.look(names):
            if isinstance(released, str):
                refused = refused or once
                print(f"{name}: {released}", file=sys.stderr, flush=True)
                continue
            if isinstance(released, Withdrawn):
                if as_json:
                    print_json({"table": name, **asdict(released), "withdrawn": True})
                else:
                    print(f"{name}: deal {released.deal} was replaced; {TAKE_OUT}", flush=True)
                continue
            refused = refused or released.refusal != OK
            if as_json:
                print_json({"table": name, **asdict(released)})
            elif released.refusal == OK:
                print(f"{name}: builds deal {released.deal} next, as its build {released.build}.", flush=True)
            else:
                why = f"{released.refusal}; {what_to_do(released.refusal)}"
                print(f"{name}: does not build deal {released.deal}: {why}", flush=True)
        if once:
            break
        time.sleep(LOOK_S)
    if here.is_over and not as_json:
        print("No deal is to come at these tables.")
    if refused:
        raise typer.Exit(REFUSED_EXIT)


@app.command(help=VERIFY_HELP)
def verify(
    source: Annotated[Path, typer.Argument(metavar="DEALS", help="Sealed deals, JSON or text.", show_default=False)],
    promised: Annotated[str, typer.Option("--commitment", help="What was published before the session.")] = "",
    password_file: PasswordFile = None,
    as_json: AsJson = False,
) -> None:
    """Verify; the command's help is VERIFY_HELP."""
    from ..duplicate.drawing import check_drawn, commitment
    from ..duplicate.sealed import is_sealed, read_open, unseal

    deals = unseal(source, read_password(password_file)) if is_sealed(source) else read_open(source)
    check_drawn(deals, promised)
    seeded = deals.seed is not None
    found = {
        "event": deals.event,
        "ruleset": deals.ruleset,
        "deals": len(deals.deals),
        "spares": deals.spares,
        "commitment": commitment(deals),
        "seeded": seeded,
    }
    if as_json:
        print_json(found)
        return
    how = "drawn from their seed" if seeded else "without a seed: nobody can say how they were drawn"
    print(f"{source}: {len(deals.deals)} deals of {deals.ruleset}, each a whole set, {how}.")
    agrees = ", the one that was published" if promised else "; compare it with the one that was published"
    print(f"Commitment {found['commitment']}{agrees}.")
