"""Checkpoints reach a season while days are played, and what parts from them is named."""

import json
import signal
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from tests.host.console.test_serve import started
from tests.host.fleet.served import config_text, until
from tests.host.journal.test_witness import opener
from tests.host.programs import RUNNER
from tests.host.season.halls import EAST, WEST, Run, day, printed, rows
from tests.host.season.serving import SEASON, AsHall, Network, hall, kept, kinds, machine_of, season_server
from wallwright import cli
from wallwright.errors import EventRefused
from wallwright.event.disclosure import when_over
from wallwright.event.store import read_state
from wallwright.journal import Checkpoint, Journal
from wallwright.journal.merkle import MerkleTree
from wallwright.journal.tree import JournalTree
from wallwright.journal.witness import Witnessing
from wallwright.journal.witness_places import Sender, witness_line
from wallwright.season import seen
from wallwright.season.desk import read_season
from wallwright.season.extract import make_extract
from wallwright.season.report.during_play import SeasonWitness, send_checkpoint
from wallwright.season.report.receiving import Reports


@pytest.fixture(autouse=True)
def looks_at_once(at_once: None) -> None:
    pass


def test_checkpoints_are_seen_during_play_and_what_parts_from_them_is_named(
    season: Run, tmp_path: Path, as_hall: AsHall
) -> None:
    played = day(tmp_path / "live.journal", range(1, 9), 12, "live")
    played.run(2)
    place = str(played.path)
    told: list[str] = []
    with season_server("year.season") as address:
        over: list[object] = [None]
        reporter = SeasonWitness(hall(address, EAST), place, EAST, lambda: over[0], told.append)
        witnessing = Witnessing(place, opener(place), lambda: 1, (), told.append)
        reporter.follow(witnessing)

        def sign() -> Checkpoint:
            witnessing.look(is_last=True)
            assert witnessing.newest is not None
            checkpoint = Checkpoint.sign(witnessing.tree.frontier(), EAST)
            reporter.keep(f"{checkpoint} 2016-09-15T01:00:00Z")
            return checkpoint

        first = sign()
        with urlopen(f"{address}/index.html") as page:
            assert f"In play in East: entry {first.entry} seen at " in page.read().decode()
        (row,) = [row for row in rows(season("days year.season --json")) if not row["players"]]
        assert str(row["status"]).startswith(f"in play: entry {first.entry} seen at")
        backup = (tmp_path / "live.journal").read_bytes()
        played.go_on(3, first=3)
        second = sign()
        assert [one.entries for one in seen.SeenFiles(Path("year.season.reports")).all()] == [second.entry]

        # The same laptop with another history, and with one that was cut; another hall's journal.
        forks = []
        for name, text in (("cut", ""), ("fork", "another end")):
            path = tmp_path / f"{name}.journal"
            path.write_bytes(backup)
            if text:
                with Journal(path) as journal:
                    for number in range(second.entry):
                        journal.append("note", {"text": f"{text} {number}"}, at_ms=1)
            tree = JournalTree(path)
            tree.follow()
            forks.append((name, tree))
        for (_, tree), said in zip(forks, ("the journal was cut: it ends with entry", "this is a fork"), strict=True):
            with pytest.raises(EventRefused, match=said):
                send_checkpoint(hall(address, EAST), tree, Checkpoint.sign(tree.frontier(), EAST), 1, 0)
        with pytest.raises(EventRefused, match="not proved to be of this hall's journal"):
            send_checkpoint(hall(address, WEST), tree, Checkpoint.sign(tree.frontier(), EAST), 1, 0)
        with pytest.raises(EventRefused, match="not proved to be of this hall's journal"):
            send_checkpoint(hall(address, EAST), _Lying(tree), Checkpoint.sign(tree.frontier(), EAST), 1, 0)
        assert "another history was signed too" in season("days year.season").out
        with urlopen(f"{address}/api/reports.json") as answer:
            (playing,) = json.load(answer)["in_play"]
        assert playing["parted"] == str(Checkpoint.sign(tree.frontier(), EAST))
        (kept_file,) = Path("year.season.reports").glob("*.seen.json")
        noted = json.loads(kept_file.read_text())
        # Somebody who cleared that away goes on; the extract of the cut journal is still refused.
        kept_file.write_text(json.dumps(noted | {"parted": None}))
        played.go_on(4, first=4)
        sign()
        played.go_on(5, first=5)
        over[0] = when_over(read_state(place))
        assert over[0] is not None
        cut = make_extract(str(tmp_path / "cut.journal"), EAST)
        with pytest.raises(EventRefused, match="was seen during play: its journal was cut"):
            hall(address, EAST).send(cut)
        assert "it is another, or was cut" in as_hall(EAST, "cut.journal", address, 2).err
        sign()
        sign()
    assert told == [f"the season at {address} has the day"]
    (one,) = read_season("year.season").days.values()
    assert one.seen is not None
    assert one.seen.fits
    assert one.day.entries >= Checkpoint.parse(one.seen.checkpoint).entry > second.entry
    assert not [row for row in rows(season("days year.season --json")) if not row["players"]]
    season("verify year.season")


def test_a_season_that_is_away_is_told_once_and_tried_again(season: Run, tmp_path: Path) -> None:
    told: list[str] = []
    with season_server("year.season") as address:
        # Three connections end before anything has come through.
        network = Network(int(address.rpartition(":")[2]), [0, 0, 0])
        with network.address() as cut:
            reporter = SeasonWitness(hall(cut, EAST), "one.journal", EAST, lambda: None, told.append)
            witnessing = Witnessing("one.journal", opener("one.journal"), lambda: 1)
            reporter.follow(witnessing)
            witnessing.look()
            assert witnessing.newest is not None
            line = witness_line(str(Checkpoint.sign(witnessing.tree.frontier(), EAST)), 1)
            sender = Sender(reporter, told.append, retry_s=0.01)
            sender.send(line)
            until(lambda: sender.kept_line == line)
            sender.close()
    assert len(told) == 2
    assert "has not kept a checkpoint" in told[0]
    assert "does not answer" in told[0]
    assert told[1] == f"witness {cut} keeps checkpoints again"
    assert [one.entries for one in seen.SeenFiles(Path("year.season.reports")).all()] == [witnessing.tree.size]


def test_a_laptop_that_was_lost_needs_the_organiser_s_word_and_the_page_says_so(season: Run, tmp_path: Path) -> None:
    played = day(tmp_path / "lost.journal", range(1, 9), 12, "lost")
    played.run()
    tree = JournalTree(played.path)
    tree.follow()
    (tmp_path / "lost.extract").write_bytes(make_extract(str(played.path), EAST))
    with Journal(played.path) as journal:
        journal.append("note", {"text": "which the backup has not"}, at_ms=1)
    longer = JournalTree(played.path)
    longer.follow()
    with season_server("year.season") as address:
        send_checkpoint(hall(address, EAST), longer, Checkpoint.sign(longer.frontier(), EAST), 1, 0)
        refused = season("add year.season lost.extract", 6).err
        assert f"it ends with entry {tree.size}, and entry {longer.size} was seen during play" in refused
        season("add year.season lost.extract --reason 'the laptop broke, and a backup was restored'")
        with urlopen(f"{address}/index.html") as page:
            assert "not the journal that was seen during play" in page.read().decode()
    status = rows(season("days year.season --json"))[0]["status"]
    assert status == "final; not what was seen during play: the laptop broke, and a backup was restored"
    # By file, an extract has to have the proof; the message says how it is made.
    assert Reports("year.season").state.days
    season("verify year.season")


def test_a_hall_that_is_served_reports_by_itself(
    season: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(machine_of(EAST, tmp_path)))
    with season_server("year.season") as address:
        options = ["--event", "one.journal", "--report-to", address, "--season-key", printed(SEASON)]
        with started(*options) as (process, _):
            until(lambda: kinds()[-1] == "season_day_added")
            process.send_signal(signal.SIGTERM)
            assert process.wait() == 0
            assert f"the season at {address} has the day" in process.stderr.read()
    (one,) = read_season("year.season").days.values()
    assert one.seen is not None
    assert (one.seen.fits, one.day.key) == (True, printed(EAST))
    for line, said in (
        ("serve --event one.journal --report-to https://x", "give both, or none"),
        ("serve --season year.season --report-to https://x --season-key x", "alone"),
        (f"serve --event one.journal --report-to x --season-key {printed(SEASON)}", "no address of a season's server"),
        ("serve --event one.journal --report-to https://x --season-key J2", "key is cut"),
    ):
        monkeypatch.setattr("sys.argv", ["wallwright", *line.split()])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        assert (caught.value.code, said in capsys.readouterr().err) == (2, True), line


@pytest.mark.parametrize("how", ["the file", "options"])
@pytest.mark.parametrize("command", ["run", "serve"])
def test_a_hall_whose_file_names_its_season_reports_by_itself(
    season: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, how: str
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(machine_of(EAST, tmp_path)))
    table = 'name = "A1"\nport = "/dev/there-is-no-such-port"'
    with season_server("year.season") as address:
        text = config_text("one.journal", [table])
        options = ["--report-to", address, "--season-key", printed(SEASON)]
        if how == "the file":
            text = f'report_to = "{address}"\nseason_key = "{printed(SEASON)}"\n{text}'
            options = []
        (tmp_path / "hall.toml").write_text(text)
        process = RUNNER.start(
            command, "--config", "hall.toml", *options, *(["--port", "0"] if command == "serve" else [])
        )
        try:
            assert process.stdout is not None
            # It can be ended from then on.
            assert any("The console" in line or "A1" in line for line in process.stdout)
            until(lambda: kinds()[-1] == "season_day_added")
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=100)
        finally:
            process.kill()
            process.communicate()
        assert process.returncode == 0
        assert f"the season at {address} has the day" in errors
    (one,) = read_season("year.season").days.values()
    assert one.seen is not None
    assert (one.seen.fits, one.day.key) == (True, printed(EAST))


@pytest.mark.parametrize("command", ["run", "serve"])
def test_what_a_hall_cannot_report_is_one_line_before_anything_is_opened(
    season: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    (tmp_path / "hall.toml").write_text(
        config_text("new.journal", ['name = "A1"\nport = "/dev/there-is-no-such-port"'])
    )
    key = f"--season-key {printed(SEASON)}"
    for options, said in (
        (f"--report-to https://x {key}", "there is no tournament to report to the season; begin one with"),
        ("--report-to https://x", "give both, or none"),
        (key, "give both, or none"),
        ("--season-certificate x.pem", "give that too"),
        (f"--report-to x {key}", "no address of a season's server"),
        ("--report-to https://x --season-key J2", "key is cut"),
    ):
        monkeypatch.setattr("sys.argv", ["wallwright", command, "--config", "hall.toml", *options.split()])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        assert (caught.value.code, said in capsys.readouterr().err) == (2, True), options
    text = (tmp_path / "hall.toml").read_text().replace("new.journal", "one.journal")
    head = f'report_to = "https://x"\nseason_key = "{printed(SEASON)}"\nseason_certificate = "no.pem"\n'
    (tmp_path / "hall.toml").write_text(head + text)
    monkeypatch.setattr("sys.argv", ["wallwright", command, "--config", "hall.toml"])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert (caught.value.code, "no.pem: no certificate can be read" in capsys.readouterr().err) == (2, True)
    assert not (tmp_path / "new.journal").exists()


def test_what_is_no_report_is_refused_and_nothing_is_kept(season: Run, tmp_path: Path) -> None:
    tree = JournalTree(tmp_path / "one.journal")
    tree.follow()
    checkpoint = Checkpoint.sign(tree.frontier(), EAST)
    inclusion = [one.hex() for one in tree.multiproof(1, tree.size)]
    good: dict[str, object] = {
        "checkpoint": str(checkpoint),
        "entry": 1,
        "leaf": tree.leaf(1).hex(),
        "inclusion": inclusion,
        "before": 0,
        "proof": [],
    }
    target = f"/checkpoints/{seen.journal_id(tree.leaf(1))}"
    wrong: list[Any] = [
        *({"entry": entry} for entry in (0, -1, 2, tree.size + 1, 2**70, "1", None)),
        *({"leaf": leaf} for leaf in ("", "x", "00" * 32, "00" * 31, 1)),
        {"inclusion": []},
        {"inclusion": [*inclusion, "00" * 32]},
        {"inclusion": ["zz"]},
        {"checkpoint": "WALLWRIGHT2:1:A:B:C"},
        {"checkpoint": str(Checkpoint.sign(tree.frontier(), WEST))},
        {"more": 1},
    ]
    with season_server("year.season") as address:
        east = hall(address, EAST)
        bodies = [b"", b"[" * 100_000, b"\xff", *(json.dumps(good | one).encode() for one in wrong)]
        for body in bodies:
            with pytest.raises(EventRefused, match="checkpoint"):
                east.ask("POST", target, body)
        with pytest.raises(EventRefused, match="not proved to be of this hall's journal"):
            east.ask("POST", f"/checkpoints/{0:032x}", json.dumps(good).encode())
        assert kept() == []
        assert east.ask("POST", target, json.dumps(good).encode()) == {"entries": tree.size}
        # What is known already is no news, and the hall is told how far it is.
        assert east.ask("POST", target, json.dumps(good | {"before": 3}).encode()) == {"entries": tree.size}
        assert east.tell_journal(target.rpartition("/")[2])["checkpoints"] == [str(checkpoint)]


class _Lying(JournalTree):
    """It shows another leaf than the one that is there."""

    def __init__(self, tree: JournalTree) -> None:
        self._tree: MerkleTree = tree._tree

    def leaf(self, entry: int) -> bytes:
        return bytes(32)
