"""`wallwright log ...`: what a journal holds, and whether it is still what was written."""

import dataclasses
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...clocks import wall_ms
from ...link.reports import FIRST_DATE_MS
from ...shown_text import shown_line
from ...system.streams import say
from ..groups import group
from . import export, proof
from .arguments import AsJson, PathArgument

if TYPE_CHECKING:
    from ...journal import Checkpoint, Entry, Verdict

app = group("log", "Read, check, sign, copy and export journals.")

SHOW_HELP = """Print a journal, one entry a line, also while another program writes it.

Example: wallwright log show session.journal

With --json: {"id": 12, "at_ms": 24810, "unit": "SIM-1", "boot_id": 7, "seq": 9, "kind": "build_done", "body": {...}}.
Records of the host have no boot_id and seq.

With --deal 3 --moves: a deal that was tracked by tile readers, move by move, once it is over.
"""

VERIFY_HELP = """Find out whether a journal is what was written, and whether anybody else knows of more than it has.

\b
Examples: wallwright log verify session.journal
          wallwright log verify session.journal --checkpoint WALLWRIGHT2:840:K5...:J2...:7Q...
          wallwright log verify session.journal --witness /media/stick/hall.witness
          wallwright log verify session.journal --against /media/stick/hall-20261122T093000Z.backup
          wallwright log verify session.journal --key J2...

The command finds a change, a removal, an insertion or another order, and names the first entry concerned. An end that
was cut off, or a chain that was made anew, is found by a checkpoint that was printed or shown before, or that a witness
has kept. The command also names what a journal's database should not have. Exit code 1: it is not what was written.

A whole journal may be an older one, or another event's. The command says of which event it is, how many entries it has
and from when to when; and it asks the write-ahead file (-wal) beside it, the backups and witnesses' files in its
folder, those that its hall's file names (one beside it is found, or --hall), and backups, folders of them and copies
that are given with --against. Exit code 7: it is whole, and one of these knows of more entries, or of others; the
command says which and what to do. A witness that is a server cannot be asked.

The command names checkpoints that another key than this machine's has signed. With --key, the key that
`wallwright log keys` showed before the event on the machine that keeps the journal, a checkpoint by any other is wrong.

With --json: {"whole": false, "entries": 839, "hash": "9f...", "title": "event Open", "first_ms": 1764320000000,
"last_ms": 1764330000000, "findings": [{"entry": 840, "text": "..."}], "warnings": ["..."], "note": "...",
"checkpoints": [{"entry": 410, "key": "...", "own": true}]}; entries and hash are of the part that is whole, the
warnings are those of exit code 7, and own says that the key is this machine's.
"""

MORE_ELSEWHERE = 7
"""The exit code when a journal is whole, and something else knows of more entries, or of others."""

CHECKPOINT_HELP = """Sign a journal as it is now with this machine's key, and print the checkpoint.

Example: wallwright log checkpoint session.journal

Print it on paper, show it on the hall's screen, or send it to the players: the journal can then be checked against it
with `wallwright log verify` on any machine. With --json: {"entry": 840, "root": "...", "key": "...", "signature":
"...", "printed": "WALLWRIGHT2:840:..."}.
"""

WITNESS_HELP = """Sign a journal as it is now, and have witnesses keep the checkpoint; the journal is not written to.

\b
Examples: wallwright log witness session.journal /media/stick/hall.witness
          wallwright log witness session.journal https://club.example/witness

A witness is a file, to which a line is appended, or a URL that takes a POST of that line. It may be done while another
program writes the journal. Exit code 1: a witness has not kept it. With --json: {"printed": "WALLWRIGHT2:840:...",
"kept": ["/media/stick/hall.witness"], "failed": {"https://club.example/witness": "Connection refused"}}.
"""

KEYS_HELP = """Show this machine's public key, which signs checkpoints, and where its file is; both are made if need be.

Example: wallwright log keys

It is printed as it stands in checkpoints. Anybody who has the file can sign as this machine: keep one copy of it in a
safe place, and no other. With --json: {"key": "<hexadecimal>", "printed": "...", "path": "..."}.
"""

COPY_HELP = """Copy a journal into a new one, also while others write it, between files and servers.

\b
Examples: wallwright log copy hall.journal /media/stick/hall.journal
          wallwright log copy postgresql://wallwright@10.0.0.5/hall hall.journal

The copy has the same entries, hashes and checkpoints. With --json: {"entries": 840, "hash": "..."}.
"""

MIGRATE_HELP = """Bring a journal of an older Wallwright to the present schema; whatever writes it does so as well.

Example: wallwright log migrate old.journal

Entries without hashes are chained as they are. With --json: {"notice": "..."}, empty when there was nothing to do.
"""


export.add_commands(app)
proof.add_commands(app)


@app.callback()
def log() -> None:
    """Make `log` a group."""


@app.command("show", help=SHOW_HELP)
def show(
    path: PathArgument,
    deal: Annotated[int | None, typer.Option(min=0, help="With --moves: the deal's number.")] = None,
    moves: Annotated[bool, typer.Option("--moves", help="Print the moves of a tracked deal.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print all entries, or the moves of one deal."""
    from ...journal import read_journal

    if moves or deal is not None:
        from ...tracking.moves import show_moves

        show_moves(read_journal(path), deal, moves=moves, as_json=as_json)
        return
    for entry in read_journal(path):
        print(json.dumps(entry.values(), ensure_ascii=False) if as_json else shown_line(entry_line(entry)))


@app.command("verify", help=VERIFY_HELP)
def verify(
    path: PathArgument,
    checkpoint: Annotated[
        list[str] | None, typer.Option(help="A checkpoint as it was printed; may be repeated.")
    ] = None,
    witness: Annotated[
        list[Path] | None, typer.Option(help="A file in which a witness has kept checkpoints; may be repeated.")
    ] = None,
    against: Annotated[
        list[Path] | None, typer.Option(help="A backup, a folder of backups, or a copy; may be repeated.")
    ] = None,
    hall: Annotated[Path | None, typer.Option(help="The hall's file: its witnesses and backups are asked.")] = None,
    key: Annotated[str | None, typer.Option(help="The key, as it was printed, that has to have signed.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check the chain; exit with 1 when it is not whole, with 7 when others know of more."""
    from ...backup.elsewhere import claims_elsewhere
    from ...journal import Checkpoint, own_key, read_key, verify_journal
    from ...journal.claims import beside, contradictions
    from ...journal.witness_places import read_witness

    kept = [one for file in witness or () for one in read_witness(file)]
    printed = [Checkpoint.parse(text) for text in checkpoint or ()]
    files = beside(path)
    claims, unread = claims_elsewhere(path, against or (), hall)
    claims += files.claims
    asked = {claim.entry for claim in claims}
    verdict = verify_journal(path, [*printed, *kept], None if key is None else read_key(key), asked)
    warnings = [*files.problems, *contradictions(claims, verdict), *unread]
    own = own_key()
    if as_json:
        print(json.dumps(_verdict_record(verdict, own) | {"warnings": warnings, "note": files.note}))
    else:
        _print_verdict(verdict, own)
        for line in (*filter(None, [files.note]), *(f"WARNING: {warning}" for warning in warnings)):
            say(line)
        if verdict.is_whole and not (checkpoint or kept or warnings):
            print("What a printed checkpoint says can be compared with --checkpoint, a witness's file with --witness.")
    if not verdict.is_whole:
        raise typer.Exit(1)
    if warnings:
        raise typer.Exit(MORE_ELSEWHERE)


@app.command("checkpoint", help=CHECKPOINT_HELP)
def checkpoint(path: PathArgument, as_json: AsJson = False) -> None:
    """Append a checkpoint and print it."""
    from ...journal import Journal, read_journal

    read_journal(path)  # a journal that there is not is not to be made for this
    with Journal(path) as journal:
        signed = journal.checkpoint(at_ms=wall_ms())
    print(json.dumps(checkpoint_record(signed)) if as_json else signed)


@app.command("witness", help=WITNESS_HELP)
def witness(
    path: PathArgument,
    places: Annotated[list[str], typer.Argument(metavar="WITNESS...", help="Files or URLs.", show_default=False)],
    as_json: AsJson = False,
) -> None:
    """Sign without a record, and send; exit with 1 when one has not kept it."""
    from ...journal.witness import sign_journal
    from ...journal.witness_places import find_witness, keep_at, witness_line

    witnesses = tuple(map(find_witness, places))
    signed = sign_journal(path)
    problems = {one.name: keep_at(one, witness_line(str(signed), wall_ms())) for one in witnesses}
    failed = {name: problem for name, problem in problems.items() if problem}
    if as_json:
        kept = [name for name in problems if name not in failed]
        print(json.dumps({"printed": str(signed), "kept": kept, "failed": failed}))
    else:
        print(signed)
        for name, problem in problems.items():
            print(f"{name} has not kept it: {problem}" if problem else f"kept by {name}")
    if failed:
        raise typer.Exit(1)


@app.command("keys", help=KEYS_HELP)
def keys(as_json: AsJson = False) -> None:
    """Print the public key."""
    from ...journal import key_path, printed_key, public_bytes, signing_key

    key = public_bytes(signing_key())
    record = {"key": key.hex(), "printed": printed_key(key), "path": str(key_path())}
    print(json.dumps(record) if as_json else f"{printed_key(key)}  {key_path()}")


@app.command("copy", help=COPY_HELP)
def copy(
    source: PathArgument,
    target: Annotated[str, typer.Argument(metavar="COPY", help="A new file, or an empty database's URL.")],
    as_json: AsJson = False,
) -> None:
    """Copy all entries."""
    from ...journal import copy_journal

    head = copy_journal(source, target)
    record = {"entries": head.id, "hash": head.hash.hex()}
    print(json.dumps(record) if as_json else f"{head.id} entries copied; the hash is {head.hash.hex()}")


@app.command("migrate", help=MIGRATE_HELP)
def migrate(path: PathArgument, as_json: AsJson = False) -> None:
    """Open it for writing, which does it, if it is an older one."""
    from ...journal import Journal
    from ...journal.addresses import find_place
    from ...journal.schema import SCHEMA_VERSION
    from ...journal.shape import version_of

    notice = ""
    if version_of(find_place(path)) != SCHEMA_VERSION:
        with Journal(path) as journal:
            notice = journal.notice
    print(json.dumps({"notice": notice}) if as_json else "It has the present schema.")


def _verdict_record(verdict: "Verdict", own: bytes | None) -> dict[str, Any]:
    return {
        "whole": verdict.is_whole,
        "entries": verdict.head.id,
        "hash": verdict.head.hash.hex(),
        "title": verdict.title,
        "first_ms": verdict.first_ms,
        "last_ms": verdict.last_ms,
        "findings": [dataclasses.asdict(finding) for finding in verdict.findings],
        "checkpoints": [
            {"entry": one.entry, "key": one.key.hex(), "own": one.key == own} for one in verdict.checkpoints
        ],
    }


def _print_verdict(verdict: "Verdict", own: bytes | None) -> None:
    for finding in verdict.findings:
        say(finding.text)
    state = "all as they were written" if verdict.is_whole else "as they were written, up to there"
    print(f"{verdict.head.id} entries {state}; the hash is {verdict.head.hash.hex()}")
    if verdict.head.id:
        times = f"{_time(verdict.first_ms).strip()} to {_time(verdict.last_ms).strip()}"
        say(f"{verdict.title or 'no event or season was begun in it'}; from {times}")
    for signer in dict.fromkeys(one.key for one in verdict.checkpoints):
        numbers = sorted({one.entry for one in verdict.checkpoints if one.key == signer})
        print(f"signed up to {', '.join(map(str, numbers))} by {_signer(signer, own)}")


def _signer(key: bytes, own: bytes | None) -> str:
    from ...journal import printed_key

    if key == own:
        return f"key {printed_key(key)}, which is this machine's"
    whose = "this machine has none" if own is None else f"this machine's is {printed_key(own)}"
    return f"ANOTHER key {printed_key(key)} ({whose}): compare it with the one that was printed before the event"


def checkpoint_record(signed: "Checkpoint") -> dict[str, Any]:
    """Return a checkpoint as plain values, with its printed form."""
    return signed.record() | {"printed": str(signed)}


def entry_line(entry: "Entry") -> str:
    """Return an entry as one line for a person."""
    number = "" if entry.seq is None else f"#{entry.seq}"
    fields = entry.body if entry.seq is None else entry.fields
    text = "  ".join(f"{name} {_value(value)}" for name, value in fields.items())
    lost = (
        f"  ({entry.body['lost']} events before it were lost)" if entry.seq is not None and "lost" in entry.body else ""
    )
    what = f"{entry.unit or '-':<10} {number:>6}  {entry.kind:<18} {text}{lost}"
    return f"{entry.id:6d}  {_time(entry.at_ms)}  {what}".rstrip()


def _time(at_ms: int) -> str:
    if at_ms < FIRST_DATE_MS:
        return f"{at_ms / 1000:10.3f} s"
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3] + " UTC"


def _value(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, list) and all(isinstance(item, int) for item in value):
        return ",".join(str(item) for item in value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
