"""`wallwright event extract`: what an extract proves without the journal, and that nobody can change it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.host.event.test_event_cli import DEAL, run  # noqa: F401 (fixture)
from tests.host.journal.golden import rows
from wallwright.errors import EventRefused, JournalDamaged
from wallwright.event import entries, running, sat, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.results import rule_result
from wallwright.event.setup import create
from wallwright.event.standings import standings
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event, read_event
from wallwright.event.undo import undo
from wallwright.journal import Checkpoint, Entry, Journal, public_bytes, read_journal, signing_key
from wallwright.journal.checkpoint import printed_key
from wallwright.journal.entry import Head, row_text, to_json
from wallwright.journal.leaves import leaf_of
from wallwright.journal.merkle import MerkleTree, leaf_hash, node_hash
from wallwright.journal.proofs import extends, multiproof_root
from wallwright.journal.tree import JournalTree
from wallwright.season.compare import fork_of
from wallwright.season.errors import BadExtract
from wallwright.season.extract import make_extract, rebuild
from wallwright.season.extract_check import check_extract
from wallwright.season.extract_file import read, sign

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))


def write(
    path: Path, change: Callable[[Entry], Mapping[str, Any]] = lambda entry: entry.body, last: int = 1 << 30
) -> Path:
    """A day at simulated tables, with a table by hand, a swap, a substitution, corrections and stand-ins."""
    with Journal(path) as journal, journal.batch():
        for row in rows("golden-event")[:last]:
            journal.append_entry(Entry.of(*row[:6], json.loads(row[6])))
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write(tmp_path_factory.mktemp("day") / "day.journal"))


@pytest.fixture(scope="module")
def data(place: str) -> bytes:
    return make_extract(place, KEY)


def test_the_standings_of_the_day_follow_from_the_extract_alone(place: str, data: bytes) -> None:
    day = check_extract(data, "x", public_bytes(KEY)).day
    state = read_event(place)
    there = [(row.rank, row.player, row.total, row.table_points, row.note) for row in standings(state).rows]
    assert [(row.rank, row.player, row.total, row.table_points, row.note) for row in day.standings] == there
    sheets = [(session.number, sheet) for session in state.sessions.values() for sheet in session.tables]
    counted = {
        (number, sheet.table, deal.deal): (deal.players, deal.points)
        for number, sheet in sheets
        for deal in sheet.counted()
    }
    assert {
        (one.session, one.table, one.deal): (one.seats, one.points) for one in day.deals if one.kind == "counts"
    } == counted
    assert [one.before for one in day.deals if one.is_corrected] == [(16, 768)]
    assert (day.date, day.game, day.ruleset, day.status) == ("2026-01-03", "sichuan", "sichuan", "final")
    assert 0 < day.began_ms < day.ended_ms


def test_a_penalty_that_was_withdrawn_costs_nothing_there_either(run, tmp_path: Path) -> None:  # noqa: F811 (fixture)
    path = write(tmp_path / "day.journal")
    before = standings(read_event(str(path))).rows
    given = run("penalty give day.journal 1 points --amount 4 --session 1 --reason 'late' --json").record["penalty"]
    run(f"penalty withdraw day.journal {given} --reason 'it was the bus'")
    run("extract day.journal day.extract")
    data = (tmp_path / "day.extract").read_bytes()
    assert b"it was the bus" not in data
    told = {row.player: row.points for row in check_extract(data, "day.extract").day.standings}
    assert told == {row.player: row.points for row in before}


def test_the_journal_makes_the_same_bytes_again_also_when_it_has_grown(place: str, data: bytes, tmp_path: Path) -> None:
    extract = read(data, "x").extract
    assert rebuild(place, extract, KEY) == data
    longer = write(tmp_path / "longer.journal")
    with Journal(longer) as journal:
        journal.append("note", {"text": "later"}, at_ms=1)
    assert rebuild(str(longer), extract, KEY) == data
    assert make_extract(str(longer), KEY) != data


def test_tiles_reasons_and_who_is_kept_apart_are_not_in_it(place: str, data: bytes, tmp_path: Path) -> None:
    text = data.decode()
    assert not any(f'"{word}"' in text for word in ("hands", "record", "hu", "kongs", "dice", "events"))
    assert "was called away" not in text  # why somebody was substituted
    assert "seats 0 and 1 were swapped" not in text  # a correction that was corrected
    assert "a phone rang" in text  # the format lets everybody read why a penalty was given

    def hidden(entry: Entry) -> Mapping[str, Any]:
        body = entry.body
        if entry.kind == "event_created":
            body["format"]["penalty_reasons"] = "staff"
        if entry.kind == "players_imported":
            body["roster"]["apart"] = [[1, 2]]
        return body

    # Its own checkpoints are about other entries then, so they are left out.
    path = tmp_path / "staff.journal"
    with Journal(path) as journal, journal.batch():
        for row in rows("golden-event"):
            entry = Entry.of(*row[:6], json.loads(row[6]))
            body = {"text": "none"} if entry.kind == "checkpoint" else hidden(entry)
            journal.append_entry(Entry.of(*row[:5], "note" if entry.kind == "checkpoint" else row[5], body))
    staff = make_extract(str(path), KEY)
    assert b"a phone rang" not in staff
    assert b'"apart":[[1,2]]' not in staff
    assert len(check_extract(staff, "x").day.standings) == 13


@pytest.mark.parametrize(
    ("where", "change"),
    [
        ("results", lambda one: {**one, "points": [one["points"][1], one["points"][0], *one["points"][2:]]}),
        ("results", lambda one: {**one, "points": [5, -5, 5, -5]}),
        ("results", lambda one: {**one, "table": one["table"] % 3 + 1}),
        ("results", lambda one: {**one, "entry": one["entry"] + 1}),
        ("entries", lambda one: [*one[:1], one[1] + 1, *one[2:]]),
        ("entries", lambda one: [*one[:4], {**one[4], "by": "somebody else"}]),
        ("stated", lambda one: [one[0] + 1, *one[1:]]),
        ("stated", lambda one: [*one[:3], "result_recorded", one[4]]),
        ("proof", None),
        ("keys", None),
        ("openings", None),
        ("leaves", None),
        ("since", lambda one: {**one, "proof": one["proof"][:-4] + "AAA="}),
    ],
)
def test_whoever_changes_an_extract_is_found_out_even_by_the_hall_s_own_key(
    data: bytes, where: str, change: Callable[[Any], Any] | None, seed: int
) -> None:
    body = json.loads(data)["extract"]
    if change is None:
        at = Random(seed).randrange(0, len(body[where]) - 4)
        body[where] = body[where][:at] + ("B" if body[where][at] == "A" else "A") + body[where][at + 1 :]
    else:
        at = Random(seed).randrange(len(body[where]))
        body[where][at] = change(body[where][at])
    if body == json.loads(data)["extract"]:
        return
    signed = json.loads(data) | {"extract": body}
    text = (to_json(signed) + "\n").encode()
    with pytest.raises(BadExtract, match="x: "):
        check_extract(text, "x")
    with pytest.raises(BadExtract):
        check_extract(sign(read(text, "x").extract, KEY), "x")


def test_a_result_that_is_left_out_or_told_twice_is_found(data: bytes) -> None:
    body = json.loads(data)["extract"]
    for results in (body["results"][1:], [*body["results"], body["results"][0]]):
        text = (to_json(json.loads(data) | {"extract": {**body, "results": results}}) + "\n").encode()
        with pytest.raises(BadExtract):
            check_extract(sign(read(text, "x").extract, KEY), "x")


def test_another_key_another_text_and_no_extract_are_refused_in_one_line(data: bytes) -> None:
    for text, key, said in (
        (data, public_bytes(OTHER), "another key has signed it"),
        (sign(read(data, "x").extract, OTHER), None, "it was changed after the hall signed it"),
        (data.replace(b'":', b'": ', 1), None, "its text is not the one"),
        (data[:-131] + data[-131:].upper(), None, "its signature is not 128 small hexadecimal digits"),
        (data[:-40], None, "this is no extract"),
        (b"{}", None, "this is no extract"),
        (b"\xff", None, "this is no extract"),
    ):
        with pytest.raises(BadExtract, match=said) as caught:
            check_extract(text, "day.extract", key)
        assert "\n" not in str(caught.value)


def test_published_checkpoints_are_compared(place: str, data: bytes, tmp_path: Path) -> None:
    tree = JournalTree(place)
    tree.follow()
    frontier = tree._tree.frontier
    then = Checkpoint.sign(frontier(1000), KEY)
    with pytest.raises(BadExtract, match="no proof that its journal has grown from the checkpoint of entry 1000"):
        check_extract(data, "x", published=[then])
    check_extract(make_extract(place, KEY, [then]), "x", published=[then, Checkpoint.sign(frontier(tree.size), KEY)])
    cut = write(tmp_path / "cut.journal", last=tree.size - 1)
    with pytest.raises(BadExtract, match="the journal was cut, or there is a newer extract"):
        check_extract(make_extract(str(cut), KEY), "x", published=[Checkpoint.sign(frontier(tree.size), KEY)])
    with pytest.raises(BadExtract, match="the journal was cut"):
        rebuild(str(cut), read(data, "x").extract, KEY)
    other = MerkleTree()
    for number in range(1000):
        other.append(leaf_hash(b"%d" % number))
    fork = Checkpoint.sign(other.frontier(1000), KEY)
    with pytest.raises(BadExtract, match="it is another, or was cut"):
        make_extract(place, KEY, [fork])
    with pytest.raises(BadExtract, match="one of the two is a fork"):
        check_extract(make_extract(place, KEY, [then]), "x", published=[fork])


def test_no_extract_is_made_while_results_are_under_embargo_or_of_a_changed_journal(tmp_path: Path) -> None:
    moves = [row[0] for row in rows("golden-event") if row[5] == "session_moved"]
    for last, said in ((moves[0], "no session is published"), (moves[-3], "in play")):
        path = write(tmp_path / f"{last}.journal", last=last)
        with pytest.raises(EventRefused, match=said):
            make_extract(str(path), KEY)
    path = write(tmp_path / "changed.journal")
    raw = path.read_bytes()
    assert raw.count(b'"Club 7"')
    path.write_bytes(raw.replace(b'"Club 7"', b'"Club 8"'))
    with pytest.raises(JournalDamaged, match="no extract is made of it"):
        make_extract(str(path), KEY)


def test_the_command_writes_it(run, tmp_path: Path) -> None:  # noqa: F811
    write(tmp_path / "day.journal")
    told = run("extract day.journal --json").record
    found = (tmp_path / "day.extract").read_bytes()
    day = check_extract(found, "x", public_bytes(signing_key())).day
    assert (told["sha256"], told["day"], told["bytes"]) == (day.extract, day.id, len(found))
    assert day.hall == printed_key(public_bytes(signing_key()))
    assert len(found) < 40_000
    run("extract day.journal again.extract --since WALLWRIGHT2:1", 2)
    assert not (tmp_path / "again.extract").exists()
    assert "holds no event" in run("extract nothing.journal", 6).err


def test_who_sat_where_and_what_was_undone_are_in_the_extract_without_their_reasons(tmp_path: Path) -> None:
    place = str(tmp_path / "day.journal")
    chosen = replace(load_format("chengdu-grand-prix"), sessions=1, best_of=())
    with open_event(place, "Ref", new=True) as desk:
        setup.create(desk, chosen)
        setup.import_players(desk, Roster(tuple(Player(n, f"P{n}") for n in range(1, 9))), "x")
        setup.commit_draw(desk, MAIN, bytes(32))
        setup.reveal_draw(desk, MAIN, bytes(32))
        running.open_session(desk, 1)
        running.start_session(desk, 1)
        entries.withdraw_player(desk, 3, "told to nobody")
        undo(desk, "told to nobody")
        for table, points in ((1, (8, -8, 0, 0)), (2, (0, 4, 0, -4))):
            rule_result(desk, 1, table, (1, -1, 0, 0), "told to everybody")
            undo(desk, "told to nobody")
            rule_result(desk, 1, table, points, "told to everybody")
        sat.swap_tables(desk, 1, (1, 2), "told to nobody")
        sat.swap_players(desk, 1, desk.sheet(1, 1).players[:2], "told to nobody", to_deal=1)
        sat.sat_instead(desk, 1, desk.sheet(1, 2).players[3], "Val", "told to nobody", from_deal=1)
        running.stop_session(desk, 1, "time")
        for table in (1, 2):
            running.sign_off(desk, 1, table)
        running.publish(desk, 1)
    data = make_extract(place, KEY)
    assert b"told to nobody" not in data
    day, state = check_extract(data, "x", public_bytes(KEY)).day, read_event(place)
    assert [(row.rank, row.player, row.points) for row in day.standings] == [
        (row.rank, row.player, row.points) for row in standings(state).rows
    ]
    for one in day.deals:
        deal = state.sessions[1].tables[one.table - 1].deals[one.deal]
        assert (one.seats, one.points) == (deal.players, deal.points)
    assert len(day.deals) == 2


def guessed(entries: list[Entry], data: bytes) -> list[int]:
    """The entries that somebody finds out who has an extract and the right guess at each text, but no hash."""
    body = json.loads(data)["extract"]
    shown = {one[0] for one in body["entries"]}
    leaves = set(check_extract(data, "x").leaves.values())
    head, found = Head(), []
    for entry in entries:
        if entry.id not in shown:
            if leaf_of(head.hash, (*entry[:6], entry.text), row_text((*entry[:6], entry.text))) not in leaves:
                break
            found.append(entry.id)
        head = head.after_entry(entry)
    return found


def test_who_is_kept_apart_cannot_be_guessed_in_an_event_that_begins_with_a_salt(run, tmp_path: Path) -> None:  # noqa: F811
    lines = ["name,apart", "Ann,Bo", *("Bo", "Cy", "Dee", "Eve", "Finn", "Gus", "Hal")]
    (tmp_path / "players.csv").write_text("\n".join(lines))
    (tmp_path / "deal.json").write_text(json.dumps(DEAL))
    for begin in (lambda: run("new day.journal"), lambda: unsalted(tmp_path / "other.journal")):
        begin()
    found = {}
    for name in ("day", "other"):
        run(f"players import {name}.journal players.csv")
        run(f"draw commit {name}.journal")
        run(f"draw reveal {name}.journal")
        run(f"start {name}.journal 1")
        for table in (1, 2):
            run(f"result {name}.journal 1 {table} --declared deal.json --yes")
        run(f"stop {name}.journal 1 --reason 'time is up'")
        for table in (1, 2):
            run(f"sign-off {name}.journal 1 {table}")
        run(f"publish {name}.journal 1")
        told = run(f"extract {name}.journal").err
        entries = list(read_journal(tmp_path / f"{name}.journal"))
        found[name] = guessed(entries, (tmp_path / f"{name}.extract").read_bytes())
        assert ("no random record before them" in told) is (name == "other")
        imported = next(entry.id for entry in entries if entry.kind == "players_imported")
        assert (imported in found[name]) is (name == "other")
    assert found["day"] == []


def unsalted(path: Path) -> None:
    """An event that began as older releases began it."""
    with open_event(str(path), "dan", new=True) as desk:
        create(desk, load_format("chengdu-grand-prix"))


def root_by_definition(leaves: list[bytes]) -> bytes:
    """RFC 9162, 2.1.1, word for word."""
    if len(leaves) == 1:
        return leaves[0]
    split = max(1 << bit for bit in range(12) if 1 << bit < len(leaves))
    return node_hash(root_by_definition(leaves[:split]), root_by_definition(leaves[split:]))


def test_multiproofs_and_consistency_proofs_by_the_definition(seed: int) -> None:
    chance = Random(seed)
    leaves = [leaf_hash(chance.randbytes(8)) for _ in range(140)]
    tree = MerkleTree()
    for leaf in leaves:
        tree.append(leaf)
    for _ in range(200):
        size = chance.randint(1, len(leaves))
        shown = chance.sample(range(size), chance.randint(1, size))
        proof = tree.multiproof(shown, size)
        root = root_by_definition(leaves[:size])
        known = {number: leaves[number] for number in shown}
        assert multiproof_root(known, size, proof) == root
        if len(shown) < size:
            assert multiproof_root({**known, shown[0]: leaf_hash(b"")}, size, proof) != root
            with pytest.raises(ValueError):
                multiproof_root(known, size, proof[1:])
        with pytest.raises(ValueError):
            multiproof_root(known, size, (*proof, bytes(32)))
        first = chance.randint(1, size)
        path = tree.consistency(first, size)
        before = root_by_definition(leaves[:first])
        assert extends(first, before, size, root, path)
        assert not extends(first, bytes(32), size, root, path)
        assert not extends(first, before, size, bytes(32), path)
        if first < size:
            assert not extends(first, before, size, root, path[:-1])


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("table_points", [4, 3, 2]),
        ("tie_break", 7),
        ("rank_by", 7),
        ("best_of", [[1], 2]),
        ("ruleset", {"name": "x", "y": 1}),
    ],
)
def test_a_hall_that_signs_a_format_that_nobody_can_play_is_refused(
    data: bytes, key: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = json.loads(data)["extract"]
    body["entries"][0][4]["format"][key] = value
    extract = read((to_json({"extract": body, "signature": "00" * 64}) + "\n").encode(), "x").extract
    # Somebody whose journal is odd from its begin has proofs for it.
    root = Checkpoint.parse(body["checkpoint"]).hash
    monkeypatch.setattr("wallwright.season.extract_check.multiproof_root", lambda *_: root)
    with pytest.raises(BadExtract, match=r"none that an event can have|ask the hall"):
        check_extract(sign(extract, KEY), "x")


@pytest.mark.parametrize(
    ("since", "other", "said"),
    [
        ({}, b"a", ""),
        ({5: b"root"}, b"a", ""),
        ({5: b"no"}, b"a", "the journal has not grown from the entries up to 5 that were signed before"),
        ({}, b"b", "entry 3 is another in each"),
    ],
)
def test_an_extract_continues_another_unless_it_shows_something_else(
    since: dict[int, bytes], other: bytes, said: str
) -> None:
    old: Any = SimpleNamespace(day=SimpleNamespace(size=5), root=b"root", leaves={3: b"a", 4: b"c"})
    new: Any = SimpleNamespace(day=SimpleNamespace(size=9), root=b"later", since=since, leaves={3: other})
    assert fork_of(old, new) == said
