"""Halls report by themselves: over real HTTP, with networks that fail, keys that are wrong and journals that are."""

import http.client
import json
import socket
import threading
from collections.abc import Collection, Iterator
from hashlib import sha256
from pathlib import Path
from urllib.request import urlopen

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.host.console.test_places import certified
from tests.host.console.test_proxies import free_port
from tests.host.season.halls import EAST, STRANGER, WEST, Run, day, printed, rows
from tests.host.season.serving import SEASON, AsHall, Network, hall, kept, kinds, season_server
from wallwright.console.season import reports
from wallwright.errors import BadInput, EventRefused
from wallwright.event.results import correct_points
from wallwright.event.store import read_event
from wallwright.journal import Entry, Journal, read_journal
from wallwright.season import desk
from wallwright.season.desk import open_season, read_season
from wallwright.season.errors import NotAdmitted, OldChallenge, SeasonAway
from wallwright.season.extract import make_extract
from wallwright.season.extract_file import LONGEST
from wallwright.season.report import door, receiving, sender, uploads
from wallwright.season.report.receiving import Reports
from wallwright.season.report.signing import ANSWER, PREFIX, sign_request

LATE = "it comes late, for the final's seats are drawn and stay as they are"


@pytest.fixture(autouse=True)
def looks_at_once(at_once: None) -> None:
    pass


def test_a_hall_sends_its_day_and_it_is_there_once(season: Run, as_hall: AsHall, made: Path) -> None:
    with season_server("year.season") as address:
        told = json.loads(as_hall(EAST, "one.journal --json", address).out)
        assert told["state"] == "added"
        before = kinds()
        # The same once more, and from two programs at once: the same answer, and no other entry.
        assert json.loads(as_hall(EAST, "one.journal --json", address).out) == told
        answers: list[object] = []
        data = (made / "two.extract").read_bytes()
        threads = [threading.Thread(target=lambda: answers.append(hall(address, WEST).send(data))) for _ in range(4)]
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        assert len(answers) == 4
        assert all(one == answers[0] for one in answers)
        assert "is in the season, by entry" in as_hall(WEST, "two.extract", address).out
    assert kinds() == [*before, "season_day_added"]
    assert kept() == []
    entries = list(read_journal("year.season", kinds=["season_day_added"]))
    assert told["entry"] == entries[0].id
    assert [entry.body["by"] for entry in entries] == ["East, by itself", "West, by itself"]
    assert "2 days hold" in season("verify year.season").out


def test_a_connection_that_is_cut_goes_on_where_it_was(
    season: Run, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "PART", 2048)
    data = (made / "one.extract").read_bytes()
    count = -(-len(data) // sender.PART)
    assert count > 4
    with season_server("year.season") as address:
        port = int(address.rpartition(":")[2])
        # In the middle of the third part, of a header, and before anything.
        network = Network(port, [7000, 100, 0, 5000])
        with network.address() as cut:
            said: list[int] = []
            assert hall(cut, EAST).send(data, lambda have, _: said.append(have))["state"] == "added"
    assert len(network.heard) == 5
    assert sorted(set(said)) == [at * 2048 for at in range(count)]
    # What had come is not sent again: of each cut no more than one part is lost.
    assert sum(map(len, network.heard)) < len(data) + 3 * (2048 + 800) + (count + 5) * 600
    assert kinds().count("season_day_added") == 1


def test_a_server_that_starts_anew_goes_on_with_what_it_has(
    season: Run, made: Path, monkeypatch: pytest.MonkeyPatch, as_hall: AsHall
) -> None:
    monkeypatch.setattr(sender, "PART", 2048)
    data = (made / "one.extract").read_bytes()
    with season_server("year.season") as address:
        port = int(address.rpartition(":")[2])
        network = Network(port, [7000, *[0] * 20])
        with network.address() as cut:
            assert "does not answer" in as_hall(EAST, "one.extract", cut, 3).err
    (part,) = kept()
    have = (Path("year.season.reports") / part).stat().st_size
    assert 0 < have < len(data)
    assert "does not answer" in as_hall(EAST, "one.extract", address, 3).err
    with season_server("year.season") as address:
        said: list[int] = []
        assert hall(address, EAST).send(data, lambda have, _: said.append(have))["state"] == "added"
    assert said[0] == have


def test_nobody_is_believed_who_has_not_the_key(
    season: Run, as_hall: AsHall, made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = (made / "one.extract").read_bytes()
    before = kinds()
    with season_server("year.season") as address:
        assert "is the key of no hall of this season" in as_hall(STRANGER, "one.journal", address, 6).err
        # Another hall's day, and a season that is not the one that was named.
        assert "another key has signed it" in as_hall(WEST, "one.extract", address, 2).err
        assert "this is no extract" in as_hall(EAST, "format.toml", address, 2).err
        assert "and not the one that was given" in as_hall(EAST, "one.extract", address, 6, printed(STRANGER)).err
        with monkeypatch.context() as lying:
            # It says that it is the season, and cannot sign as it does.
            lying.setattr(reports.Desk, "printed", printed(STRANGER))
            assert "not signed by the season" in as_hall(EAST, "one.extract", address, 3, printed(STRANGER)).err
        assert "no address of a season" in as_hall(EAST, "one.extract", "ftp://x", 2).err
        assert "no season answers there (status 404)" in as_hall(EAST, "one.extract", f"{address}/zh", 3).err
        with pytest.raises(EventRefused, match="no hall"):
            hall(address, STRANGER).send(data)
        season(f"hall year.season North {printed(STRANGER)}")
        with pytest.raises(EventRefused, match="a hall reports its own days"):
            hall(address, STRANGER).send(data)
    assert kept() == []
    assert kinds() == [*before, "season_hall_admitted"]


def test_the_server_s_certificate_is_checked_as_well(season: Run, as_hall: AsHall, tmp_path: Path) -> None:
    certificate, key = certified(tmp_path)
    with season_server("year.season", certificate, key) as address:
        assert "certificate verify failed" in as_hall(EAST, "one.extract", address, 3).err
        assert "no certificate can be read" in as_hall(EAST, "one.extract --certificate one.extract", address, 2).err
        as_hall(EAST, f"one.extract --certificate {certificate}", address)
    assert kinds()[-1] == "season_day_added"
    with pytest.raises(BadInput, match="certificate and key cannot be used"), season_server("year.season", key, key):
        pass


def test_a_request_is_done_once_and_as_it_was_signed(season: Run, made: Path) -> None:
    data = (made / "one.extract").read_bytes()[:500]
    target = f"{PREFIX}/extracts/{'ab' * 32}?at=0&total=5000"
    season_key = bytes.fromhex(SEASON.public_key().public_bytes_raw().hex())
    with season_server("year.season") as address:
        connection = http.client.HTTPConnection(address.removeprefix("http://"))

        def ask(method: str, path: str, body: bytes, authorization: str) -> tuple[int, dict[str, str], str]:
            connection.request(method, path, body, {"Authorization": authorization} if authorization else {})
            answer = connection.getresponse()
            signature = answer.headers.get(ANSWER, "")
            return answer.status, json.loads(answer.read()), signature

        challenge = bytes.fromhex(ask("GET", PREFIX, b"", "")[1]["challenge"])

        def signed(body: bytes, nonce: int, key: Ed25519PrivateKey = EAST, challenge: bytes = challenge) -> str:
            return sign_request(key, season_key, "PUT", target, body, challenge, bytes([nonce] * 16))[1]

        assert ask("PUT", target, data, "")[0] == 403
        assert ask("PUT", target, data, "Wallwright x")[::2] == (403, "")
        once = signed(data, 1)
        assert ask("PUT", target, data, once)[:2] == (200, {"state": "partial", "have": 500})
        status, told, signature = ask("PUT", target, data, once)
        assert (status, told["problem"]) == (403, "this request was made before; nothing is done a second time")
        assert signature
        for header, body, path, said in (
            (signed(data, 2), data + b"x", target, "not the one that was signed"),
            (signed(data, 3), data, target.replace("at=0", "at=500"), "not signed by the key"),
            (signed(data, 4)[:-4] + "0000", data, target, "not signed by the key"),
            (signed(data, 5, STRANGER), data, target, "the key of no hall"),
            (signed(data, 6, challenge=bytes(32)), data, target, "sign again"),
        ):
            status, told, _ = ask("PUT", path, body, header)
            assert said in told["problem"]
            assert status == (401 if said == "sign again" else 403)
        assert ask("GET", PREFIX, b"", "")[0] == 200
        connection.close()
    (part,) = kept()
    assert (Path("year.season.reports") / part).read_bytes() == data


def test_a_challenge_is_good_for_a_while_and_is_asked_for_anew(season: Run) -> None:
    now_s = [1000.0]
    public = SEASON.public_key().public_bytes_raw()
    one = door.Door(public, lambda: now_s[0])
    halls = {printed(EAST): "East"}
    first = one.challenge()

    def ask(challenge: bytes, nonce: int) -> None:
        asked, header = sign_request(EAST, public, "GET", PREFIX, b"", challenge, bytes([nonce] * 16))
        one.check(asked, bytes.fromhex(header.rpartition(":")[2]), halls)

    ask(first, 1)
    now_s[0] += door.PERIOD_S
    assert one.challenge() != first
    ask(first, 2)
    with pytest.raises(NotAdmitted, match="made before"):
        ask(first, 1)
    now_s[0] += door.PERIOD_S
    with pytest.raises(OldChallenge) as old:
        ask(first, 3)
    ask(old.value.challenge, 3)
    now_s[0] += 10 * door.PERIOD_S
    with pytest.raises(OldChallenge):
        ask(old.value.challenge, 4)
    with season_server("year.season") as address:
        east = hall(address, EAST)
        east._challenge = first
        assert east.ask("GET", f"/extracts/{9:064x}") == {"state": "unknown", "have": 0}


def test_a_server_reads_each_entry_of_its_season_once(season: Run, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A day that comes costs what the day costs, however long the season is."""
    reports = Reports("year.season")
    asked: list[int] = []

    def read(place: str, after: int = 0, kinds: Collection[str] = ()) -> Iterator[Entry]:
        asked.append(after)
        return read_journal(place, after, kinds)

    for module in (desk, receiving):
        monkeypatch.setattr(module, "read_journal", read)
    begun = reports.state.last
    for name, key in (("one", EAST), ("two", WEST), ("three", EAST)):
        data = (made / f"{name}.extract").read_bytes()
        told = reports.take_part(sha256(data).hexdigest(), printed(key), len(data), 0, data)
        assert told["state"] == receiving.ADDED
    assert reports.state.last == begun + 3
    assert min(asked) == begun
    assert asked.count(begun) < len(asked)


def test_a_season_is_served_at_the_port_that_was_asked_for(season: Run) -> None:
    port = free_port()
    with season_server("year.season", port=port), urlopen(f"http://127.0.0.1:{port}/index.html") as answer:
        assert answer.status == 200


def test_while_the_organiser_writes_a_hall_waits(season: Run, made: Path) -> None:
    data = (made / "one.extract").read_bytes()
    with season_server("year.season") as address:
        with open_season("year.season", "the organiser"), pytest.raises(SeasonAway, match="it is tried again later"):
            hall(address, EAST).send(data)
        (part,) = kept()
        assert (Path("year.season.reports") / part).stat().st_size == len(data)
        assert hall(address, EAST).send(data)["state"] == "added"
    assert kept() == []


@pytest.mark.parametrize(
    ("total", "is_taken"), [(-1, False), (0, False), (1, True), (LONGEST, True), (LONGEST + 1, False)]
)
def test_an_extract_has_a_byte_at_least_and_so_many_at_the_most(tmp_path: Path, total: int, is_taken: bool) -> None:
    place = uploads.Uploads(tmp_path)
    if is_taken:
        assert place.put("a" * 64, "b" * 64, total, 0, b"x") == 1
    else:
        with pytest.raises(BadInput, match="16,777,216 bytes at the most"):
            place.put("a" * 64, "b" * 64, total, 0, b"x")
        assert list(tmp_path.iterdir()) == []


def test_a_hall_cannot_fill_the_season_s_disk(season: Run, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with season_server("year.season") as address:
        east = hall(address, EAST)
        for number in range(uploads.MOST + 2):
            east.ask("PUT", f"/extracts/{number:064x}?at=0&total=1000", b"x" * 10)
        assert [name.split("-")[1][-1] for name in kept()] == ["2", "3", "4", "5"]
        with pytest.raises(EventRefused, match="16,777,216 bytes at the most"):
            east.ask("PUT", f"/extracts/{9:064x}?at=0&total=99999999", b"x")
        with pytest.raises(EventRefused, match="begun with another length"):
            east.ask("PUT", f"/extracts/{5:064x}?at=10&total=2000", b"x")
        # More than there is to come, or not what comes next: the server says how much it has.
        for at, size in ((10, 991), (9, 1), (11, 1)):
            assert east.ask("PUT", f"/extracts/{5:064x}?at={at}&total=1000", b"x" * size)["have"] == 10
        with pytest.raises(SeasonAway, match="262,144 bytes at the most"):
            east.ask("PUT", f"/extracts/{5:064x}?at=10&total=900000", b"x" * (reports.PART_LIMIT + 1))
        with pytest.raises(EventRefused, match="its parts do not make it"):
            east.ask("PUT", f"/extracts/{5:064x}?at=10&total=1000", b"x" * 990)
        assert len(kept()) == uploads.MOST - 1
        for target in ("/extracts/x", "/checkpoints/x", f"/extracts/{5:064x}/x", f"/extracts/{'AB' * 32}"):
            with pytest.raises((EventRefused, SeasonAway)):
                east.ask("GET", target)
        monkeypatch.setattr(door, "MOST", 3)
        with pytest.raises(SeasonAway, match="East asks too often"):
            east.ask("GET", f"/extracts/{9:064x}")
        assert hall(address, WEST).ask("GET", f"/extracts/{9:064x}")["state"] == "unknown"


def test_what_comes_late_or_was_withdrawn_is_named_and_what_needs_a_word_waits(
    season: Run, as_hall: AsHall, tmp_path: Path, made: Path
) -> None:
    old = (made / "one.extract").read_bytes()
    with season_server("year.season") as address:
        as_hall(EAST, "one.extract", address)
        as_hall(WEST, "two.extract", address)
        played = day(tmp_path / "one.journal", range(1, 9), 0, "one")
        played.correct(1, 1, 1, (120, -40, -40, -40), "the hand was counted wrongly")
        before = kinds()
        told = json.loads(as_hall(EAST, "one.journal --json", address, 1).out)
        assert (told["state"], told["why"]) == ("waiting", "this is a later extract of Grand Prix of 2016-09-03")
        assert json.loads(as_hall(EAST, "one.journal --json", address, 1).out) == told
        assert kinds() == before
        (waits,) = [row for row in rows(season("days year.season --json")) if "waiting" in str(row["status"])]
        with urlopen(f"{address}/index.html") as page:
            assert "Waits for the organiser: Grand Prix of 2016-09-03, East" in page.read().decode()
        assert "give a --reason" in season(f"add year.season {waits['extract']}", 6).err
        season(f"add year.season {waits['extract']} --reason 'an appeal was upheld'")
        assert json.loads(as_hall(EAST, "one.journal --json", address).out)["replaced"] == 1
        assert not [row for row in rows(season("days year.season --json")) if "waiting" in str(row["status"])]
        with pytest.raises(EventRefused, match="it comes late, a newer one of Grand Prix of 2016-09-03"):
            hall(address, EAST).send(old)
        # An entry more, and nothing else: that changes nothing, and is said so.
        with Journal(tmp_path / "one.journal") as journal:
            journal.append("note", {"text": "x"}, at_ms=1)
        before = kinds()
        assert json.loads(as_hall(EAST, "one.journal --json", address).out)["replaced"] == 1
        season("withdraw year.season 2016-09-03 --reason x", 6)
        (found,) = [one.day for one in read_season("year.season").days.values() if one.day.key == printed(WEST)]
        season(f"withdraw year.season {found.day} --reason 'the hall had the wrong rules'")
        for data in (made / "two.extract").read_bytes(), make_extract(str(_longer(tmp_path / "two.journal")), WEST):
            with pytest.raises(EventRefused, match="was withdrawn from the season: the hall had the wrong rules"):
                hall(address, WEST).send(data)
    assert kinds() == [*before, "season_day_withdrawn"]
    assert not [name for name in kept() if name.endswith(".part")]


def test_a_day_that_comes_after_the_final_s_draw_is_late_and_needs_a_word(season: Run, made: Path) -> None:
    for name in ("one", "two", "three"):
        season(f"add year.season {name}.extract")
    season("draw commit year.season --reason 'the fourth day was called off'")
    season("draw reveal year.season")
    before = kinds()
    assert "it comes late, for the final's seats are drawn" in season("add year.season four.extract", 6).err
    with season_server("year.season") as address:
        told = hall(address, WEST).send((made / "four.extract").read_bytes())
        assert (told["state"], told["why"]) == ("waiting", LATE)
        assert kinds() == before
        (waits,) = [row for row in rows(season("days year.season --json")) if row["status"] == f"waiting: {LATE}"]
        season(f"add year.season {waits['extract']} --reason 'it was played after all'")
        assert hall(address, WEST).send((made / "four.extract").read_bytes())["state"] == "added"
        with urlopen(f"{address}/index.html") as page:
            assert "came late: it was played after all" in page.read().decode()
    (late,) = [row for row in rows(season("days year.season --json")) if row["date"] == "2016-09-12"]
    assert late["status"] == "final; taken because: it was played after all"


def test_a_day_that_becomes_final_needs_nobody_s_word(season: Run, tmp_path: Path) -> None:
    played = day(tmp_path / "open.journal", range(1, 9), 12, "open")
    played.run(finalise=False)
    with season_server("year.season") as address:
        east = hall(address, EAST)
        assert east.send(make_extract(str(played.path), EAST))["state"] == "added"
        with played._desk() as desk:
            for number in range(1, 6):
                played._finalise(desk, number)
        assert east.send(make_extract(str(played.path), EAST))["state"] == "added"
        # The same points once more open a session to appeals again; a hall could go to and fro for ever.
        first = read_event(str(played.path)).sessions[1].tables[0]
        deal = min(first.deals.values(), key=lambda one: one.deal)
        with played._desk() as desk:
            correct_points(desk, 1, first.table, deal.deal, deal.points, "they were right")
        assert east.send(make_extract(str(played.path), EAST))["state"] == "waiting"
    (one,) = read_season("year.season").days.values()
    assert (one.day.status, one.past[0].reason) == ("final", "no result has changed; the day is final")


def test_who_keeps_the_season_s_server_waiting_is_let_go(season: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        season_server("year.season") as address,
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), timeout=20) as silent,
    ):
        silent.sendall(f"PUT {PREFIX}/extracts/{'ab' * 32}?at=0&total=9 HTTP/1.1\r\nHost: x\r\n".encode())
        monkeypatch.setattr("wallwright.console.slow_clients.PATIENCE_S", 0.0)
        assert silent.recv(1) == b""


def _longer(path: Path) -> Path:
    with Journal(path) as journal:
        journal.append("note", {"text": "x"}, at_ms=1)
    return path
