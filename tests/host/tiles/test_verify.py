"""`wallwright wall verify` on deals that bots have played: what agrees, and everything that may not."""

import dataclasses
import json
import shlex
from collections import Counter
from pathlib import Path

import pytest

from tests.host.entries import altered
from tests.host.tiles.played import WALL_PARTS, Played, play_until_shown
from wallwright import cli
from wallwright.errors import BadDeal
from wallwright.journal import Entry, Journal, read_journal
from wallwright.journal.sealing import disclosed_keys, unsealed
from wallwright.link.reports import Event
from wallwright.tiles.enrolment import enrolment_path, save_enrolment
from wallwright.tiles.verify import AGREES, NOT_YET, UNVERIFIABLE, WRONG, verify_wall

UNIT = "SIM-11"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A deal and half of the next, read without an error; the wall of the first has been shown meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        return play_until_shown(tmp_path_factory.mktemp("deals"), 11)


@pytest.fixture
def entries(played: Played) -> list[Entry]:
    return list(read_journal(played.journal))


def changed(entries: list[Entry], kind: str, change, deal: int = 1) -> list[Entry]:
    """The entries with `change(fields)` done to the first of that kind and deal."""
    found = []
    done = False
    for entry in entries:
        if not done and entry.kind == kind and entry.body["fields"].get("deal") == deal:
            fields = dict(entry.body["fields"])
            change(fields)
            entry = altered(entry, body={**entry.body, "fields": fields})
            done = True
        found.append(entry)
    assert done
    return found


def test_a_wall_that_was_played_agrees_tile_by_tile(played, entries):
    found = verify_wall(entries, 1, enrolment=played.enrolment())
    assert (found.verdict, found.problems, found.doubts, found.unread) == (AGREES, (), (), 0)
    assert len(found.wall) == 108
    faces = Counter(played.enrolment().find(tag) for tag in found.wall)
    assert set(faces.values()) == {4}
    assert found.drawn is not None
    assert 53 <= found.drawn <= 108


def test_a_wall_that_is_still_shut_says_so(entries):
    found = verify_wall(entries, 2)
    assert found.verdict == NOT_YET
    assert found.wall == ()
    assert len(found.commitment) == 64


def test_without_a_list_of_tags_the_tiles_are_a_doubt(entries):
    found = verify_wall(entries, 1)
    assert found.verdict == AGREES
    assert len(found.doubts) == 1
    assert "not enrolled" in found.doubts[0]


def flip(name: str, digit: int = 0):
    def change(fields):
        text = fields[name]
        fields[name] = text[:digit] + f"{int(text[digit], 16) ^ 1:x}" + text[digit + 1 :]

    return change


@pytest.mark.parametrize(
    ("kind", "change", "said"),
    [
        ("wall_sealed", flip("commitment", 63), "not the one"),
        ("wall_revealed", flip("nonce"), "not the one"),
        ("wall_part", flip("tags", 63), "not the one"),
        ("wall_sealed", lambda fields: fields.update(unread=2), "2 places were said to be unknown, and 0 are"),
        ("wall_sealed", lambda fields: fields.update(tiles=110), "108 of 110 tiles"),
    ],
)
def test_whatever_is_changed_is_found(played, entries, kind, change, said):
    found = verify_wall(changed(entries, kind, change), 1, enrolment=played.enrolment())
    assert found.verdict == WRONG
    assert any(said in problem for problem in found.problems)


def test_a_part_that_is_missing_is_found(entries):
    parts = [entry for entry in entries if entry.kind == "wall_part" and entry.body["fields"]["deal"] == 1]
    assert len(parts) == WALL_PARTS
    found = verify_wall([entry for entry in entries if entry is not parts[2]], 1)
    assert found.verdict == WRONG
    assert "82 of 108 tiles were revealed" in found.problems


def test_tiles_of_another_table_or_set_are_found(played, entries):
    good = played.enrolment()
    tag, face = next(iter(good.sets[0].items()))
    less = {each: name for each, name in good.sets[0].items() if each != tag}
    unknown = dataclasses.replace(good, sets=(less, good.sets[1]))
    assert verify_wall(entries, 1, enrolment=unknown).problems == (f"tag {tag} is of no tile of this table",)
    moved = dataclasses.replace(good, sets=(less, {**good.sets[1], tag: face}))
    assert verify_wall(entries, 1, enrolment=moved).problems == (
        "the wall mixes the sets: 107 of set 0 and 1 of set 1",
    )
    named = dataclasses.replace(good, sets=({**less, tag: "9s"}, good.sets[1]))
    assert face != "9s"
    assert verify_wall(entries, 1, enrolment=named).problems == ("there are 5 tiles 9s in it",)


def test_a_tile_that_came_out_of_turn_is_a_doubt(played, entries):
    opened = list(unsealed(entries, disclosed_keys(entries)))
    up = [entry.id for entry in opened if entry.kind == "walls_up"]
    drawn = [
        entry
        for entry in opened
        if entry.kind == "tag_appeared"
        and up[0] < entry.id < up[1]
        and entry.body["fields"]["reader"] in (4, 7, 10, 13)
    ]
    assert len(drawn) > 60
    last = drawn[-1]
    early = altered(last, body={**last.body, "time_ms": drawn[54].body["time_ms"]})
    found = verify_wall([early if entry is last else entry for entry in opened], 1, enrolment=played.enrolment())
    assert found.verdict == AGREES
    assert found.doubts
    assert all("after one that lay behind it in the wall" in doubt for doubt in found.doubts)


def test_a_tile_that_came_from_elsewhere_is_found(tmp_path, own_key):
    # A tag that no tile of the wall has lies in a hand during the first deal.
    played = play_until_shown(tmp_path, 11, "foreign tag 4 at 60 s for 60 s")
    found = verify_wall(read_journal(played.journal), 1)
    assert found.verdict == WRONG
    (problem,) = found.problems
    assert "was played and did not lie in the wall" in problem


def test_readers_that_err_accuse_nobody(tmp_path, own_key, seed):
    script = "readers miss 3 %; readers ghost 3 %; readers late 3 %; readers double 3 %"
    played = play_until_shown(tmp_path, seed % 1000, script)
    found = verify_wall(read_journal(played.journal), 1, enrolment=played.enrolment())
    assert found.problems == ()
    assert found.verdict == AGREES
    assert found.unread == next(
        entry.body["fields"]["unread"] for entry in read_journal(played.journal) if entry.kind == "wall_sealed"
    )


def test_a_power_loss_is_named_as_the_reason(tmp_path, own_key):
    with Journal(tmp_path / "j") as journal:
        sealed = {"deal": 1, "tiles": 108, "unread": 0, "commitment": "ab" * 32}
        for seq, boot_id, kind, fields in (
            (1, 7, "wall_sealed", sealed),
            (2, 7, "walls_up", {"tile_set": 0, "deal": 1}),
            (1, 8, "wall_unverifiable", {"deal": 1, "seal_loss": "power"}),
            (2, 8, "walls_up", {"tile_set": 1, "deal": 2}),
        ):
            journal.append_event("T", _event(seq, boot_id, kind, fields), at_ms=seq)
    found = verify_wall(read_journal(tmp_path / "j"), 1)
    assert (found.verdict, found.commitment) == (UNVERIFIABLE, "ab" * 32)
    assert "power loss" in found.doubts[0]
    assert "did not commit" in verify_wall(read_journal(tmp_path / "j"), 2).doubts[0]


def _event(seq, boot_id, kind, fields):
    return Event(seq, boot_id, seq, kind, fields)


def test_a_deal_that_is_not_there_or_of_several_tables_is_refused(tmp_path, entries):
    with pytest.raises(BadDeal, match="no walls went up"):
        verify_wall(entries, 9)
    with pytest.raises(BadDeal, match="no walls of EAST went up"):
        verify_wall(entries, 1, "EAST")
    with Journal(tmp_path / "j") as journal:
        for unit in ("A", "B"):
            journal.append_event(unit, _event(1, 7, "walls_up", {"tile_set": 0, "deal": 1}), at_ms=1)
    with pytest.raises(BadDeal, match="A, B each have one"):
        verify_wall(read_journal(tmp_path / "j"), 1)
    assert verify_wall(read_journal(tmp_path / "j"), 1, "B").unit == "B"


def run(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line)])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    return int(caught.value.code or 0), capsys.readouterr().out


def test_the_command_says_it_in_words_and_in_json(played, monkeypatch, capsys):
    line = f"wall verify --journal {played.journal} --deal"
    code, text = run(f"{line} 1", monkeypatch, capsys)
    assert code == 0
    assert text.startswith("SIM-11, deal 1: agrees\n  108 tiles, 0 of them not known, ")
    assert "not enrolled" in text
    code, text = run(f"{line} 2", monkeypatch, capsys)
    assert code == 1
    assert "deal 2: not revealed" in text
    save_enrolment(enrolment_path(UNIT), played.enrolment())
    code, text = run(f"{line} 1 --json", monkeypatch, capsys)
    record = json.loads(text)
    assert code == 0
    assert (record["verdict"], record["tiles"], record["doubts"]) == ("agrees", 108, [])
    assert sorted(Counter(record["wall"]).values()) == [4] * 27
    elsewhere = Path(played.folder / "tags.json")
    save_enrolment(elsewhere, dataclasses.replace(played.enrolment(), sets=({}, {})))
    code, text = run(f"{line} 1 --tiles {elsewhere}", monkeypatch, capsys)
    assert code == 1
    assert text.count("is of no tile of this table") == 108
