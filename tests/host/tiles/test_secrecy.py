"""While a deal runs, no output of the host tells which tile is where: each is searched for every tag of the set."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.host.tiles.played import Counting, Played, play
from wallwright.cli.log import entry_line
from wallwright.cli.trace import _record, blocks
from wallwright.fleet.screen import change_line
from wallwright.fleet.state import Change, News
from wallwright.journal import Journal, read_journal
from wallwright.journal.sealing import FOLDER, disclosed_keys, unsealed
from wallwright.link.reports import SEALED, SECRET_EVENTS, Event, event_record
from wallwright.link.trace_file import read_recording
from wallwright.link.trace_replay import replay
from wallwright.table.live import _event_line
from wallwright.table.table import Table

LOOK_EVERY = 50
"""Every so many acts of the bots all outputs are searched."""


def forms(tag: bytes) -> Iterator[bytes]:
    """How a tag may be written; of base64, what it is wherever in a group of three bytes it begins."""
    yield tag
    yield tag.hex().encode()
    yield tag.hex().upper().encode()
    yield tag.hex(" ").encode()
    yield repr(tag)[2:-1].encode()
    for shift in range(3):
        yield base64.b64encode(bytes(shift) + tag)[4 if shift else 0 :][:8]


def outputs(played: Played, table: Table, events: list[Event]) -> dict[str, bytes]:
    """Everything that a person, a program or a thief of files gets to see now, by name."""
    entries = list(read_journal(played.journal))
    traffic = blocks(read_recording(played.folder / "hall.trace").pieces)
    shown = {
        "journal in lines": [entry_line(entry) for entry in entries],
        "journal in JSON": [json.dumps(entry.values()) for entry in entries],
        "journal, opened with what it discloses": [
            entry_line(entry) for entry in unsealed(entries, disclosed_keys(entries))
        ],
        "trace of an error": [table.trace()],
        "recording in lines": [block.line() for block in traffic],
        "recording in JSON": [json.dumps(_record(block)) for block in traffic],
        "events as text": [repr(event) for event in events],
        "events live": [str(_event_line(event)) for event in events],
        "events in JSON": [json.dumps(event_record(event)) for event in events],
        "hall's screen": [change_line(change) for change in told(events)],
        "status": [repr(table.last_status), repr(table.notes)],
    }
    found = {name: "\n".join(lines).encode() for name, lines in shown.items()}
    files = [path for path in played.folder.rglob("*") if path.is_file() and FOLDER not in path.parts]
    return found | {path.name: path.read_bytes() for path in files}


def told(events: list[Event]) -> list[Change]:
    """What is told of events in a hall."""
    news = News()
    for event in events:
        news.tell(Change(0, "T", "event", event=event))
    return news.take(0) or []


NAMELESS = (
    "journal in lines",
    "journal in JSON",
    "trace of an error",
    "recording in lines",
    "recording in JSON",
    "hall's screen",
)
"""Outputs that do not even say whether a tile came, went or moved."""


@pytest.fixture
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_no_output_shows_a_tile_of_a_running_deal_and_the_journal_shows_all_afterwards(
    tmp_path, data_home, seed, capfd
):
    seed %= 1000
    looks = 0
    (tmp_path / "hall").mkdir()

    seen: list[Event] = []

    def look(played: Played, table: Table, journal: Counting) -> None:
        nonlocal looks, seen
        seen = journal.seen
        looks += 1
        # From the third deal on a set is in play again whose tags are known from its first deal.
        if looks % LOOK_EVERY or table.last_status.deal > 2:
            return
        world = played.simulation.world
        hidden = world.readers.tags if table.last_status.deal < 2 else world.readers.tags[world.tiles :]
        for name, data in outputs(played, table, seen).items():
            found = [form for tag in hidden for form in forms(tag) if form in data]
            assert not found, f"{name} shows {found[0]!r}"
            assert name not in NAMELESS or not any(secret.encode() in data for secret in SECRET_EVENTS), name

    played = play(tmp_path / "hall", seed, 2, look=look)
    assert looks >= 2 * LOOK_EVERY
    assert any(event.name in SECRET_EVENTS for event in seen)
    world = played.simulation.world
    printed = "".join(capfd.readouterr())
    assert not [tag for tag in world.readers.tags if tag.hex() in printed]

    kinds = [entry.kind for entry in read_journal(played.journal)]
    assert kinds.count(SEALED) > 150
    with Journal(played.journal) as journal:
        journal.end_deal(played.simulation.unit, at_ms=0)
    entries = list(read_journal(played.journal))
    opened = [entry for entry in unsealed(entries, disclosed_keys(entries)) if entry.kind in SECRET_EVENTS]
    assert len(opened) == kinds.count(SEALED)
    told = {entry.body["fields"]["tag"] for entry in opened}
    assert told <= {tag.hex() for tag in world.readers.tags}
    # What the journal says of each tag at the end is where its tile lies in the world.
    at = {}
    for entry in opened:
        fields = entry.body["fields"]
        at[fields["tag"]] = None if entry.kind == "tag_left" else fields.get("to", fields.get("reader"))
    truth = {
        world.readers.tags[tile].hex(): reader
        for reader, tiles in enumerate(world.read_places())
        for tile in tiles
        if reader >= 4
    }
    assert {tag: reader for tag, reader in at.items() if reader is not None} == truth


def test_a_recording_of_a_table_with_readers_replays_as_it_was(tmp_path, own_key):
    (tmp_path / "hall").mkdir()
    played = play(tmp_path / "hall", 3, 1)
    recording = read_recording(played.folder / "hall.trace")
    lines = [block.line() for block in blocks(recording.pieces)]
    assert any(line.endswith("tag_sealed") for line in lines)
    # The bots' hands are not in a recording, so only what came before the first key can be the same.
    first = recording._replace(port="sim://?seed=3&readers=all", pieces=recording.pieces[:20])
    assert replay(first).difference is None


def test_a_host_that_is_killed_in_a_deal_leaves_nothing_readable_but_its_key(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "hall").mkdir()

    class Killed(Exception):
        pass

    def look(played: Played, table: Table, journal: Counting) -> None:
        if journal.counts["tag_appeared"] > 60:
            raise Killed

    with pytest.raises(Killed):
        play(tmp_path / "hall", 5, 1, look=look)
    path = tmp_path / "hall" / "hall.journal"
    entries = list(read_journal(path))
    assert SEALED in {entry.kind for entry in unsealed(entries, disclosed_keys(entries))}
    with Journal(path) as journal:
        keys = journal.running_keys("SIM-5")
    assert SEALED not in {entry.kind for entry in unsealed(entries, keys)}
