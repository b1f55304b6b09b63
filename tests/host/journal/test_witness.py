"""Checkpoints are signed while play goes on, and kept elsewhere; whoever makes another history is found by them."""

import json
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.host.fleet.served import until
from tests.host.journal.conftest import Log, stored, tamper
from tests.host.journal.test_chain import chained, replace_all
from wallwright.errors import BadInput
from wallwright.fleet.config import load_hall
from wallwright.journal import Checkpoint, Journal, verify_journal
from wallwright.journal.witness import EVERY_ENTRIES, EVERY_MS, RETRY_MS, WITNESSED, Witnessing
from wallwright.journal.witness_places import Sender, WitnessFile, find_witness, read_witness

Row = tuple[Any, ...]


class Clock:
    def __init__(self) -> None:
        self.now_ms = 1_795_000_000_000

    def __call__(self) -> int:
        return self.now_ms


def write(place: str, count: int = 1) -> None:
    with Journal(place) as journal, journal.batch():
        for number in range(count):
            journal.append("deal_result", {"deal": number, "points": [number, -number, 0, 0]}, at_ms=number)


def opener(place: str) -> Callable[[Callable[[Journal], Any]], Any]:
    def turn(action: Callable[[Journal], Any]) -> Any:
        with Journal(place) as journal, journal.batch():
            return action(journal)

    return turn


@contextmanager
def receiving(status: int = 200) -> Iterator[tuple[str, list[str]]]:
    """Any HTTP server that takes a POST will do: its address, and what it was sent."""
    got: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(status)
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/witness", got
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_checkpoint_comes_with_time_with_entries_and_with_one_for_paper(place: str) -> None:
    write(place, 3)
    clock = Clock()
    seen = []
    witnessing = Witnessing(place, opener(place), clock)

    def look() -> int:
        witnessing.look()
        assert witnessing.newest is not None
        seen.append(witnessing.newest.checkpoint)
        return witnessing.newest.checkpoint.entry

    assert look() == 4
    assert [row[5] for row in stored(place)] == ["deal_result"] * 3 + [WITNESSED]
    write(place)
    assert look() == 4
    clock.now_ms += EVERY_MS - 1
    assert look() == 4
    clock.now_ms += 1
    assert look() == 5
    clock.now_ms += 9 * EVERY_MS
    assert look() == 5
    with Journal(place) as journal:
        paper = journal.checkpoint(at_ms=1)
    assert look() == paper.entry + 1
    write(place)
    witnessing.look(is_last=True)
    assert witnessing.newest is not None
    seen.append(witnessing.newest.checkpoint)
    assert verify_journal(place, [*seen, paper]).is_whole
    for number, row in enumerate(stored(place), 1):
        opening = witnessing.tree.opening(number)
        assert (opening is not None) == (row[5] == "deal_result")
        assert opening is None or opening.leaf == witnessing.tree.leaf(number)


def test_many_entries_are_signed_before_it_is_time(tmp_path: Path) -> None:
    place = str(tmp_path / "session.journal")
    witnessing = Witnessing(place, opener(place), Clock())
    write(place)
    witnessing.look()
    for count, signed in ((EVERY_ENTRIES - 1, 2), (1, EVERY_ENTRIES + 2)):
        write(place, count)
        witnessing.look()
        assert witnessing.newest is not None
        assert witnessing.newest.checkpoint.entry == signed


def test_the_salt_of_the_leaves_is_another_each_time(tmp_path: Path) -> None:
    place = str(tmp_path / "session.journal")
    write(place)
    for _ in range(2):
        Witnessing(place, opener(place), Clock()).look()
    salts = {json.loads(row[6])["salt"] for row in stored(place) if row[5] == WITNESSED}
    assert [len(salt) for salt in salts] == [64, 64]


def changed(rows: list[Row]) -> list[Row]:
    return [(*rows[0][:6], '{"points":[99]}', rows[0][7]), *rows[1:]]


@pytest.mark.parametrize(
    "attack",
    [
        lambda rows: rows[:-2],
        lambda rows: chained(changed(rows)),
        lambda rows: chained([*changed(rows), (6, *rows[1][1:])]),
    ],
    ids=["cut off", "made anew", "made anew and gone on with"],
)
def test_a_journal_that_was_exchanged_is_signed_no_more(
    tmp_path: Path, attack: Callable[[list[Row]], list[Row]]
) -> None:
    place = str(tmp_path / "session.journal")
    write(place, 4)
    clock, told = Clock(), list[str]()
    witnessing = Witnessing(place, opener(place), clock, tell=told.append)
    witnessing.look()
    before = witnessing.newest
    assert before is not None
    tamper(place, *replace_all(attack(stored(place))))
    for _ in range(3):
        clock.now_ms += max(EVERY_MS, RETRY_MS)
        witnessing.look()
    assert witnessing.newest is before
    assert len(told) == 1
    assert re.search("were cut off|is not what was written|is not what this program read before", told[0])


def test_files_and_servers_keep_checkpoints_and_one_that_is_away_stops_nothing(tmp_path: Path) -> None:
    place = str(tmp_path / "session.journal")
    write(place, 3)
    file, away, clock, told = tmp_path / "hall.witness", tmp_path / "stick" / "hall.witness", Clock(), list[str]()
    with receiving() as (url, got), receiving(302) as (moved, _):
        witnesses = [*map(find_witness, (str(file), str(away), url, moved, "http://127.0.0.1:9/nobody"))]
        witnessing = Witnessing(place, opener(place), clock, witnesses, told.append)
        with witnessing:
            until(lambda: witnessing.newest is not None and len(told) == 3 and file.exists() and len(got) == 1)
            first = witnessing.newest
            write(place)
        # What was written last is signed at the end, and sent where somebody is.
        until(lambda: len(got) == 2)
    assert first is not None
    assert witnessing.newest is not None
    last = witnessing.newest.checkpoint
    assert (first.checkpoint.entry, last.entry) == (4, 5)
    lines = [f"{first.checkpoint} 2026-11-18T11:06:40Z\n", f"{last} 2026-11-18T11:06:40Z\n"]
    assert got == lines == file.read_text().splitlines(keepends=True)
    failed = {line.partition(" has not kept")[0] for line in told}
    assert failed == {f"witness {one}" for one in (away, moved, "http://127.0.0.1:9/nobody")}
    assert sum("status 302" in line for line in told) == 1


def test_a_witness_that_comes_back_gets_the_newest_checkpoint(tmp_path: Path) -> None:
    path, told = tmp_path / "stick" / "hall.witness", list[str]()
    sender = Sender(WitnessFile(path), told.append, retry_s=0.01)
    sender.send("one")
    until(lambda: len(told) == 1)
    sender.send("two")
    path.parent.mkdir()
    until(lambda: len(told) == 2)
    sender.close()
    assert path.read_text() == "two\n"
    assert told[1] == f"witness {path} keeps checkpoints again"


def test_a_line_that_was_cut_takes_none_along_and_is_named(tmp_path: Path, log: Log) -> None:
    place, file = tmp_path / "session.journal", tmp_path / "hall.witness"
    write(str(place), 3)
    assert log("witness", place, file).code == 0
    whole = file.read_bytes()
    file.write_bytes(whole[:100])
    assert log("witness", place, file).code == 0
    assert file.read_bytes().splitlines()[1].split()[0] == whole.split()[0]
    answer = log("verify", place, "--witness", file)
    assert answer.code == 2
    assert f"{file}, line 1: " in answer.error
    file.write_bytes(b"\n" + whole)
    assert log("verify", place, "--witness", file).code == 0


def test_a_history_that_was_made_anew_is_found_by_what_a_witness_has_kept(tmp_path: Path, log: Log) -> None:
    """Attack: who has the key changes an entry, makes the chain anew, and signs that."""
    place, file = tmp_path / "session.journal", tmp_path / "hall.witness"
    write(str(place), 5)
    answer = log("witness", place, file, "--json")
    told = json.loads(answer.out)
    assert (told["kept"], told["failed"]) == ([str(file)], {})
    assert read_witness(file) == (Checkpoint.parse(told["printed"]),)
    assert len(stored(str(place))) == 5
    # A copy: this process knows the journal that it has read.
    place = Path(shutil.copy(place, tmp_path / "anew.journal"))
    rows = stored(str(place))
    changed = (*rows[2][:6], '{"deal":2,"points":[-2,2,0,0]}', rows[2][7])
    tamper(str(place), *replace_all(chained([*rows[:2], changed, *rows[3:]])))
    assert log("checkpoint", place).code == 0
    assert log("verify", place).code == 0
    answer = log("verify", place, "--witness", file)
    assert answer.code == 1
    assert "the entries up to 5 are not those that were signed" in answer.out


def test_a_witness_that_fails_is_told_by_the_command(tmp_path: Path, log: Log) -> None:
    place, file = tmp_path / "session.journal", tmp_path / "hall.witness"
    write(str(place))
    with receiving(500) as (url, _):
        answer = log("witness", place, file, url)
    assert answer.code == 1
    assert f"kept by {file}" in answer.out
    assert f"{url} has not kept it: the server answers with status 500" in answer.out
    assert log("witness", tmp_path / "none.journal", file).code != 0


@pytest.mark.parametrize(
    "wrong",
    ["", " ", "ftp://host/x", "http://", "http://a b/", "http://[::1", "https://ann:secret@host/", "http://h:x/"],
)
def test_what_can_be_no_witness_is_refused_at_once(tmp_path: Path, wrong: str) -> None:
    with pytest.raises(BadInput, match="witness"):
        find_witness(wrong)
    with pytest.raises(BadInput, match="this is no file"):
        find_witness(str(tmp_path))
    file = tmp_path / "hall.toml"
    file.write_text(f'journal = "hall.journal"\nwitnesses = ["{wrong}"]\n[[table]]\nname = "A1"\nport = "COM5"\n')
    with pytest.raises(BadInput, match="witness"):
        load_hall(file)


def test_the_halls_file_names_witnesses_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    lines = ['journal = "hall.journal"', 'witnesses = ["w", "https://club.example:8443/w?key=1"]', "[[table]]"]
    file.write_text("\n".join([*lines, 'name = "A1"', 'port = "COM5"']))
    names = [one.name for one in load_hall(file).witnesses]
    assert names == [str(tmp_path / "w"), "https://club.example:8443/w"]
