"""Deals that others have still to play stay sealed in the journal until they are shown."""

import pytest

from tests.host.tiles.test_secrecy import forms
from wallwright.journal import Journal, read_journal
from wallwright.journal.kinds.house import DealKey
from wallwright.journal.kinds.tables import TagAppeared, TagSealed, WallPart
from wallwright.journal.sealing import disclosed_keys, unsealed
from wallwright.link.reports import Event

TAGS = [bytes((0xE0, 4, 7, number, 11, 13, 17, 19)) for number in range(1, 9)]
COMMITTED = {
    "commitment": "ab" * 32,
    "ruleset": "mil-2025-duplicate",
    "draws": "own",
    "spares": 0,
    "dealers": [0, 1],
    "by": "dan",
}


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


class Board:
    """A table that tells of two deals: what was prescribed, read and shown."""

    def __init__(self, path, unit):
        self.path, self.unit, self.seq = path, unit, 0

    def tell(self, journal, name, secret=None, **fields):
        self.seq += 1
        event = Event(self.seq, 7, 100 * self.seq, name, fields, 0, secret or {})
        journal.append_event(self.unit, event, at_ms=1_800_000_000_000)

    def play(self, journal, deal, *, prescribed):
        if prescribed:
            self.tell(journal, "wall_prescribed", deal=deal, prescription_hash="cd" * 32, inferred=0, match=1)
        self.tell(journal, "walls_up", tile_set=0, deal=deal)
        self.tell(journal, "tag_appeared", {"reader": 4, "tag": TAGS[deal].hex()})

    def show(self, journal, deal):
        self.tell(journal, "wall_part", {"tags": b"".join(TAGS).hex()}, deal=deal, first=0, tiles=8)


def kinds(path, unit):
    return [entry.kind for entry in read_journal(path) if entry.unit == unit]


def is_told(path):
    data = path.read_bytes()
    return any(form in data for tag in TAGS for form in forms(tag))


def test_prescribed_walls_and_reads_stay_sealed_until_the_deals_are_shown(tmp_path):
    path = tmp_path / "hall.journal"
    first, second = Board(path, "T-1"), Board(path, "T-2")
    with Journal(path) as journal:
        journal.append("deals_committed", COMMITTED, at_ms=1)
        for board in (first, second):
            board.play(journal, 1, prescribed=True)
            board.play(journal, 2, prescribed=True)
    # The host is started again meanwhile.
    with Journal(path) as journal:
        first.show(journal, 1)
        assert kinds(path, "T-1").count("deal_key") == 0
        assert kinds(path, "T-1")[-1] == "tag_sealed"
        assert not is_told(path)
        assert len(journal.running_keys("T-1")) == 1
        journal.append("deals_revealed", {"deals": {}, "by": "dan"}, at_ms=2)
    entries = list(read_journal(path))
    assert [entry.unit for entry in entries if isinstance(entry.said, DealKey)] == ["T-1", "T-2"]
    opened = list(unsealed(entries, disclosed_keys(entries)))
    assert not any(isinstance(entry.said, TagSealed) for entry in opened)
    [part] = [entry.said for entry in opened if isinstance(entry.said, WallPart)]
    assert (part.deal, part.data) == (1, b"".join(TAGS))
    seen = [entry.said.tag for entry in opened if isinstance(entry.said, TagAppeared)]
    assert seen == [TAGS[1].hex(), TAGS[2].hex()] * 2
    with Journal(path) as journal:
        second.show(journal, 1)
    assert kinds(path, "T-2")[-1] == "wall_part", "whoever is late shows what everybody knows"


@pytest.mark.parametrize(("committed", "prescribed"), [(False, True), (True, False)])
def test_walls_that_nobody_else_plays_are_shown_after_their_own_deal(tmp_path, committed, prescribed):
    path = tmp_path / "hall.journal"
    board = Board(path, "T-1")
    with Journal(path) as journal:
        if committed:
            journal.append("deals_committed", COMMITTED, at_ms=1)
        board.play(journal, 1, prescribed=prescribed)
        board.play(journal, 2, prescribed=prescribed)
        board.show(journal, 1)
    [part] = [entry.said for entry in read_journal(path) if isinstance(entry.said, WallPart)]
    assert part.data == b"".join(TAGS)
    assert kinds(path, "T-1").count("deal_key") == 1


def undone(journal, board):
    with journal.batch():
        journal.append("deals_committed", COMMITTED, at_ms=1)
        board.play(journal, 2, prescribed=True)
        raise ZeroDivisionError


def test_what_was_not_kept_is_not_taken_for_a_commitment(tmp_path):
    path = tmp_path / "hall.journal"
    board = Board(path, "T-1")
    with Journal(path) as journal:
        board.play(journal, 1, prescribed=True)
        with pytest.raises(ZeroDivisionError):
            undone(journal, board)
        board.play(journal, 2, prescribed=True)
        board.show(journal, 1)
    assert kinds(path, "T-1")[-1] == "wall_part"
