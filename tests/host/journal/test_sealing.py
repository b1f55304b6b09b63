"""Tags in the journal: unreadable while their deal runs, whatever happens to the host; readable by all afterwards."""

import base64
import pwd
import random
import stat
import struct
from pathlib import Path
from typing import NoReturn

import pytest
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from tests.host.entries import altered
from wallwright.errors import BadKey, JournalError
from wallwright.fleet.shared_journal import SharedJournal
from wallwright.journal import Entry, Journal, read_journal, verify_journal
from wallwright.journal.sealing import DEAL_KEY, FOLDER, disclosed_keys, open_entry, unsealed
from wallwright.link.reports import SEALED, Event

UNIT = "T-1"
TAG = "e00401af5533c6d2"


def told(seq: int, tag: str = TAG, reader: int = 4) -> Event:
    """A tag that has appeared."""
    return Event(seq, 7, 100 * seq, "tag_appeared", {}, 0, {"reader": reader, "tag": tag})


def walls_up(seq: int, deal: int) -> Event:
    return Event(seq, 7, 100 * seq, "walls_up", {"tile_set": 0, "deal": deal})


def everything(folder: Path) -> bytes:
    """Every byte of every file there, with its -wal, but for the keys."""
    files = [path for path in folder.rglob("*") if path.is_file() and FOLDER not in path.parts]
    assert files
    return b"".join(path.read_bytes() for path in files)


def opened(path: Path) -> list[Entry]:
    return list(unsealed(read_journal(path), disclosed_keys(read_journal(path))))


def key_files(own_key: Path) -> list[Path]:
    return sorted((own_key / "wallwright" / FOLDER).glob("*.json"))


def append_and_fail(journal: Journal, *events: Event) -> None:
    """A transaction that ends badly."""
    with journal.batch():
        for event in events:
            journal.append_event(UNIT, event, at_ms=2)
        raise RuntimeError("the disk is gone")


@pytest.fixture
def data_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A key folder of this test's own."""
    folder = tmp_path / "data"
    monkeypatch.setenv("XDG_DATA_HOME", str(folder))
    return folder


def test_a_running_deal_cannot_be_read_and_an_ended_one_by_anybody(tmp_path, data_home, seed):
    tags = [random.Random(seed + number).randbytes(8) for number in range(30)]
    path = tmp_path / "j" / "hall.journal"
    path.parent.mkdir()
    with Journal(path) as journal:
        journal.append_event(UNIT, walls_up(1, 1), at_ms=0)
        for seq in range(2, 30):
            journal.append_event(UNIT, told(seq, tags[seq].hex(), seq % 12 + 4), at_ms=seq)
        held = everything(tmp_path)
        for tag in tags:
            assert tag not in held
            assert tag.hex().encode() not in held
        assert b"tag_appeared" not in held
        assert {entry.kind for entry in opened(path)} == {"walls_up", SEALED}
        assert len(key_files(data_home)) == 1
        journal.append_event(UNIT, walls_up(30, 2), at_ms=99)
        assert key_files(data_home) == []
        journal.append_event(UNIT, told(31), at_ms=100)
    found = [entry for entry in opened(path) if entry.kind == "tag_appeared"]
    assert [entry.body["fields"] for entry in found] == [
        {"reader": seq % 12 + 4, "tag": tags[seq].hex()} for seq in range(2, 30)
    ]
    assert [entry.body["time_ms"] for entry in found] == [100 * seq for seq in range(2, 30)]
    assert opened(path)[-1].kind == SEALED
    assert verify_journal(path, []).is_whole


def test_the_end_of_a_deal_can_come_from_the_host_too(tmp_path, data_home):
    path = tmp_path / "hall.journal"
    with Journal(path) as journal:
        journal.append_event(UNIT, told(1), at_ms=1)
        journal.end_deal(UNIT, at_ms=2)
        journal.end_deal(UNIT, at_ms=2)
        journal.append_event(UNIT, told(2), at_ms=3)
    assert [entry.kind for entry in opened(path)] == ["tag_appeared", DEAL_KEY, SEALED]


def test_a_host_that_is_started_again_goes_on_with_the_deal(tmp_path, data_home):
    path = tmp_path / "hall.journal"
    with Journal(path) as journal:
        journal.append_event(UNIT, told(1), at_ms=1)
    with Journal(path) as journal:
        keys = journal.running_keys(UNIT)
        assert [entry.kind for entry in unsealed(journal.entries(), keys)] == ["tag_appeared"]
        assert journal.running_keys("T-2") == {}
        journal.append_event(UNIT, told(2), at_ms=2)
        assert journal.running_keys(UNIT) == keys
        journal.append_event(UNIT, walls_up(3, 1), at_ms=3)
    assert [entry.kind for entry in opened(path)] == ["tag_appeared", "tag_appeared", DEAL_KEY, "walls_up"]


def test_the_journal_of_a_hall_seals_and_discloses_as_well(tmp_path, data_home):
    path = tmp_path / "hall.journal"
    shared = SharedJournal(path)
    try:
        shared.append_event(UNIT, told(1), at_ms=1)
        shared.append_event("T-2", told(1), at_ms=1)
        (name,) = shared.running_keys(UNIT)
        shared.end_deal(UNIT, at_ms=2)
        assert shared.running_keys(UNIT) == {}
        assert list(disclosed_keys(read_journal(path))) == [name]
    finally:
        shared.close()
    assert [entry.kind for entry in opened(path)] == ["tag_appeared", SEALED, DEAL_KEY]


def test_an_event_that_comes_twice_is_kept_once_and_ends_no_deal_twice(tmp_path, data_home):
    with Journal(tmp_path / "hall.journal") as journal:
        assert journal.append_event(UNIT, walls_up(1, 1), at_ms=1)
        assert journal.append_event(UNIT, told(2), at_ms=1)
        assert not journal.append_event(UNIT, told(2), at_ms=2)
        assert not journal.append_event(UNIT, walls_up(1, 1), at_ms=2)
        assert [entry.kind for entry in journal.entries()] == ["walls_up", SEALED]


def test_a_disclosure_that_did_not_reach_the_disk_is_made_again(tmp_path, data_home):
    path = tmp_path / "hall.journal"
    with Journal(path) as journal:
        journal.append_event(UNIT, told(1), at_ms=1)
        for _ in range(3):
            with pytest.raises(RuntimeError, match="disk"):
                append_and_fail(journal, walls_up(2, 1), told(3))
            journal.append("note", {}, at_ms=3)
            assert key_files(data_home)
        journal.append_event(UNIT, walls_up(2, 1), at_ms=4)
        assert key_files(data_home) == []
        journal.append_event(UNIT, told(3), at_ms=5)
    kinds = [entry.kind for entry in opened(path) if entry.kind not in ("note", DEAL_KEY)]
    assert kinds == ["tag_appeared", "walls_up", SEALED]


def test_tables_and_journals_have_keys_of_their_own(tmp_path, data_home):
    names = set()
    for path in (tmp_path / "a.journal", tmp_path / "b.journal"):
        with Journal(path) as journal:
            for unit in ("T-1", "T-2", "../T/3"):
                journal.append_event(unit, told(1), at_ms=1)
                names |= set(journal.running_keys(unit))
            journal.end_deal("T-1", at_ms=2)
            assert [entry.kind for entry in opened(path)] == ["tag_appeared", SEALED, SEALED, DEAL_KEY]
    assert len(names) == 6
    for path in key_files(data_home):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_every_sealed_entry_has_the_same_size_and_no_two_are_alike(tmp_path, data_home, seed):
    rng = random.Random(seed)
    with Journal(tmp_path / "hall.journal") as journal:
        for seq in range(1, 60):
            name = rng.choice(("tag_appeared", "tag_left", "tag_moved"))
            where = {"from": 4, "to": 15} if name == "tag_moved" else {"reader": rng.randrange(16)}
            event = Event(seq, 7, 1, name, {}, 0, {**where, "tag": TAG})
            journal.append_event(UNIT, event, at_ms=1)
        boxes = [entry.body["fields"]["box"] for entry in journal.entries()]
    assert len(set(boxes)) == 59
    assert len(set(map(len, boxes))) == 1


def test_a_sealed_entry_that_was_changed_or_moved_is_refused(tmp_path, data_home):
    path = tmp_path / "hall.journal"
    with Journal(path) as journal:
        journal.append_event(UNIT, told(1), at_ms=1)
        journal.append_event(UNIT, told(2), at_ms=1)
        journal.end_deal(UNIT, at_ms=2)
    first, second, _ = read_journal(path)
    (key,) = disclosed_keys(read_journal(path)).values()
    assert open_entry(first, key).body["fields"]["tag"] == TAG
    for changed in (
        altered(first, body=second.body),
        altered(first, unit="T-2"),
        altered(first, boot_id=8),
        altered(first, body={"fields": {"key": key.name, "box": "AAAA"}}),
    ):
        with pytest.raises(BadKey, match="log verify"):
            open_entry(changed, key)


@pytest.mark.parametrize(
    "inside", ["", "5", "{}", "[" * 200_000, '{"kind": 5, "fields": {}}', '{"kind": "x", "fields": []}', "\udc80"]
)
def test_whoever_has_a_key_can_seal_nothing_that_ends_a_reader(tmp_path, data_home, inside):
    path = tmp_path / "hall.journal"
    with Journal(path) as journal:
        journal.append_event(UNIT, told(1), at_ms=1)
        journal.end_deal(UNIT, at_ms=2)
    first, _ = read_journal(path)
    (key,) = disclosed_keys(read_journal(path)).values()
    event = told(1)
    nonce, context = struct.pack("<IQ", event.boot_id, event.seq), f"{UNIT}/{event.boot_id}/{event.seq}".encode()
    box = ChaCha20Poly1305(key.key).encrypt(nonce, inside.encode(errors="surrogateescape"), context)
    shown = {**first.body, "fields": {"key": key.name, "box": base64.b64encode(box).decode()}}
    with pytest.raises(BadKey, match="has no event in it"):
        open_entry(altered(first, body=shown), key)


def test_a_key_that_cannot_be_read_or_made_is_said_and_nothing_is_written_open(tmp_path, data_home):
    path = tmp_path / "hall.journal"
    with Journal(path) as journal:
        journal.append_event(UNIT, told(1), at_ms=1)
        (file,) = key_files(data_home)
        file.write_text("{}")
    with Journal(path) as journal, pytest.raises(BadKey, match="no key of a deal"):
        journal.append_event(UNIT, told(2), at_ms=1)
    file.unlink()
    file.parent.rmdir()
    file.parent.write_text("in the way")
    with Journal(path) as journal, pytest.raises(JournalError, match="no key can be made"):
        journal.append_event(UNIT, told(2), at_ms=1)
    assert [entry.kind for entry in read_journal(path)] == [SEALED]


def test_a_user_without_a_home_can_keep_the_journal_of_a_blind_table(tmp_path, monkeypatch):
    def nobody(_: int) -> NoReturn:
        raise KeyError("no such user")

    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    with Journal(tmp_path / "hall.journal") as journal:
        journal.append_event(UNIT, walls_up(1, 1), at_ms=1)
        with pytest.raises(BadKey, match="XDG_DATA_HOME"):
            journal.append_event(UNIT, told(2), at_ms=1)
