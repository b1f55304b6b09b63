"""What of the host reads files that others made, as targets: each file is taken, or refused by one of our errors.

Whatever is taken can be written again and is the same then. The files are in a folder of the process, which is kept in
memory where the system has such a place.
"""

import json
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

from wallwright.board.errors import BadSignature, Unsigned
from wallwright.board.keys import signature_path, signer
from wallwright.errors import BadCheckpoint, BadConfig, BadEnrolment, BadExport, BadInput, BadPlayers, JournalError
from wallwright.event.draw import verify
from wallwright.event.format_file import parse_format
from wallwright.event.player_lists import Reading, read_players
from wallwright.fleet.config import load_hall
from wallwright.journal import Checkpoint, Entry, Journal, read_journal, verify_journal
from wallwright.journal.exporting import export_lines, read_export
from wallwright.journal.mjai import TYPES, mjai_lines
from wallwright.link.trace_file import read_recording
from wallwright.person_text import refusal, same_key
from wallwright.rules.core.errors import RulesError
from wallwright.rules.sichuan.ruleset import parse_ruleset
from wallwright.season.errors import BadExtract
from wallwright.season.extract_check import told_day
from wallwright.season.extract_file import parse as parse_extract
from wallwright.season.extract_file import text_of as text_of_extract
from wallwright.system.strict_json import BadJson, read_json
from wallwright.tiles.enrolment import load_enrolment, save_enrolment

_MEMORY = Path("/dev/shm")


def fuzz_json(data: bytes) -> None:
    """What is read is what any reader reads, and can be written by any writer."""
    try:
        value = read_json(data)
    except BadJson:
        return
    assert value == json.loads(data.decode("utf-8-sig"))
    assert read_json(json.dumps(value, allow_nan=False, ensure_ascii=False).encode()) == value


def fuzz_export(data: bytes) -> None:
    """Lines of an export: what can be read of them comes out again when it is exported."""
    entries: list[Entry] = []
    with suppress(BadExport):
        entries.extend(read_export(data.splitlines(keepends=True)))
    if entries:
        assert list(read_export(export_lines(entries))) == entries


def fuzz_mjai(data: bytes) -> None:
    """A line a body, under a kind of a deal: whatever they are, there are games of known lines."""
    kinds = ("deal_started", "declared", "deal_result", "deal_moves", "result_recorded")
    entries = []
    for number, text in enumerate(data.splitlines()):
        with suppress(BadJson):
            body = read_json(text[1:])
            if text and isinstance(body, dict):
                entries.append(Entry.of(number + 1, 5, "T-1", None, None, kinds[text[0] % len(kinds)], body))
    assert all(json.loads(line)["type"] in TYPES for line in mjai_lines(entries))


def fuzz_players(data: bytes) -> None:
    """A list of players: nobody twice, names that can be shown, and something to say for each of several ways."""
    with suppress(BadPlayers):
        found = read_players(data, "list")
        for way in (found, *found.others):
            names = [player.name for player in way.roster.players]
            assert len({same_key(name) for name in names}) == len(names)
            assert all(refusal(name) is None for name in names)
            assert not found.others or way.choice != Reading()


def fuzz_checkpoint(data: bytes) -> None:
    """Printed, and as the body of an entry; no other signature than those of the corpus can be right."""
    with suppress(BadCheckpoint, UnicodeDecodeError):
        found = Checkpoint.parse(data.decode())
        assert Checkpoint.parse(str(found)) == found
    with suppress(BadCheckpoint, BadJson):
        found = Checkpoint.read(read_json(data))
        assert Checkpoint.read(found.record()) == found


def fuzz_extract(data: bytes) -> None:
    """What somebody signs who may write anything: a day comes of it, or one line that says why not.

    Proofs are passed over, since whoever makes a journal up has them.
    """
    with suppress(BadExtract):
        signed = parse_extract(data.partition(b"\n")[0], "x")
        again = text_of_extract(signed)
        assert parse_extract(again, "x") == signed
        day = told_day(signed.extract, Checkpoint(0, bytes(32), bytes(32), bytes(64)), {}, "", "x")
        assert {row.player for row in day.standings} <= {one.number for one in day.players}
        assert {one.session for one in day.deals} <= {one.number for one in day.sessions}


def fuzz_tiles(data: bytes) -> None:
    """The file of a table's tags: what is taken is written as it will be read."""
    path = _file("tiles.json", data)
    with suppress(BadEnrolment):
        found = load_enrolment(path)
        assert found is not None
        save_enrolment(path, found)
        assert load_enrolment(path) == found


def fuzz_hall(data: bytes) -> None:
    """A hall's file, the same text as an event's format and as a ruleset."""
    with suppress(BadConfig):
        load_hall(_file("hall.toml", data))
    with suppress(UnicodeDecodeError):
        text = data.decode()
        with suppress(BadConfig):
            parse_format(text, "format")
        with suppress(RulesError):
            parse_ruleset(text, "rules")


def fuzz_signatures(data: bytes) -> None:
    """The file of signatures beside an image: none of it is wrong, or there twice, in a file that is taken.

    Nobody trusts a key here, so that each file that is taken ends in Unsigned.
    """
    image = _file("image.uf2", b"image")
    signature_path(image).write_bytes(data)
    with suppress(BadSignature):
        try:
            signer(image, b"image")
        except Unsigned:
            # Without what UTF-16 and marks of byte order add.
            rows = data.replace(b"\0", b"").decode("ascii", errors="ignore").split()[4:]
            assert len(rows) % 2 == 0
            assert len(set(rows[::2])) == len(rows) // 2


def fuzz_trace(data: bytes) -> None:
    """A recorded trace: times go forward."""
    with suppress(BadInput):
        times = [piece.time_ms for piece in read_recording(_file("trace", data)).pieces]
        assert times == sorted(times)


def fuzz_draw(data: bytes) -> None:
    """The transcript of a draw: right, or what is wrong with it."""
    with suppress(BadJson):
        record = read_json(data)
        if isinstance(record, dict):
            assert all(isinstance(problem, str) for problem in verify(record))


def fuzz_journal(data: bytes) -> None:
    """Bytes changed in a journal's file, four a change: a place (two, from the front or the end), a length, a value."""
    content = bytearray(_journal())
    for at in range(0, len(data) - 3, 4):
        place = int.from_bytes(data[at : at + 2], "little") % len(content)
        content[place : place + data[at + 2] % 16] = bytes([data[at + 3]]) * (data[at + 2] % 16)
    path = _file("some.journal", bytes(content[: len(_journal())]))
    with suppress(JournalError):
        list(read_journal(path))
    with suppress(JournalError):
        verify_journal(path)


READERS: dict[str, Callable[[bytes], None]] = {
    "json": fuzz_json,
    "export": fuzz_export,
    "mjai": fuzz_mjai,
    "players": fuzz_players,
    "checkpoint": fuzz_checkpoint,
    "extract": fuzz_extract,
    "tiles": fuzz_tiles,
    "hall": fuzz_hall,
    "signatures": fuzz_signatures,
    "trace": fuzz_trace,
    "draw": fuzz_draw,
    "journal": fuzz_journal,
}


@cache
def _folder() -> Path:
    import atexit

    folder = Path(tempfile.mkdtemp(prefix="wallwright-fuzz-", dir=_MEMORY if _MEMORY.is_dir() else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _file(name: str, data: bytes) -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


@cache
def _journal() -> bytes:
    """The file of a journal with a few entries."""
    path = _folder() / "made.journal"
    with Journal(path) as journal:
        for number in range(5):
            journal.append("note", {"text": f"entry {number}", "points": [8, -8, 0, 0]}, at_ms=number, unit="T-1")
    return path.read_bytes()
