"""The main job: a simulated table, four bots, deals that are scored and journalled."""

import json
import re
import signal
from pathlib import Path

import pytest

from tests.host.programs import RUNNER
from wallwright.cli.demo import demo
from wallwright.errors import BadInput, JournalError
from wallwright.journal import Entry, read_journal
from wallwright.rules.sichuan.followed import Followed
from wallwright.rules.sichuan.records import read_deal
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.rules.sichuan.wall import break_wall
from wallwright.tiles.enrolment import load_enrolment
from wallwright.tracking.reported_reads import track_journal

KEYS = {"deal", "dealer", "dice", "break", "plan", "build_s", "winners", "points", "penalties"}


def play(capsys: pytest.CaptureFixture[str], seed: int, deals: int, journal: Path | None = None) -> str:
    demo(deals=deals, seed=seed, journal=journal, pace=None, as_json=True)
    return capsys.readouterr().out


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> list[Entry]:
    """The journal of ten deals, seed 5."""
    path = tmp_path_factory.mktemp("demo") / "session.journal"
    demo(deals=10, seed=5, journal=path, pace=None, as_json=True)
    return list(read_journal(path))


def test_each_line_of_json_is_a_deal(capsys: pytest.CaptureFixture[str], seed: int) -> None:
    lines = [json.loads(line) for line in play(capsys, seed % 10_000, 3).splitlines()]
    assert [line["deal"] for line in lines] == [1, 2, 3]
    for line in lines:
        assert line.keys() >= KEYS
        dealer = line["dealer"]
        assert [line["plan"][(dealer + step) % 4] for step in range(4)] == [14, 13, 14, 13]
        where = break_wall((line["dice"][0], line["dice"][1]), dealer)
        assert line["break"] == {"seat": where.seat, "indent": where.indent}
        assert 18 <= line["build_s"] <= 35
        assert sum(line["points"]) == -sum(fine["points"] for fine in line["penalties"])
    assert [line["dealer"] for line in lines[1:]] == [line["next_dealer"] for line in lines[:-1]]


def test_people_read_of_each_deal_what_programs_read(capsys: pytest.CaptureFixture[str]) -> None:
    found = [json.loads(line) for line in play(capsys, 5, 10).splitlines()]
    demo(deals=10, seed=5, journal=None, pace=None, as_json=False)
    lines = [line for line in capsys.readouterr().out.splitlines() if re.match(r"\d+ +seat", line)]
    for line, one in zip(lines, found, strict=True):
        assert line.startswith(f"{one['deal']:<4d}  seat {one['dealer']}  {one['dice'][0]} + {one['dice'][1]}  ")
        assert f"  {'/'.join(map(str, one['plan']))}  {one['build_s']:5.1f}s  " in line
        assert " ".join(f"{points:+4d}" for points in one["points"]) in line


def test_the_same_seed_prints_and_journals_the_same_bytes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, seed: int
) -> None:
    outputs = [play(capsys, seed % 1000, 4, tmp_path / name) for name in ("one", "two")]
    assert outputs[0] == outputs[1]
    assert list(read_journal(tmp_path / "one")) == list(read_journal(tmp_path / "two"))
    assert play(capsys, seed % 1000 + 1, 4) != outputs[0]


def test_the_journal_alone_gives_every_result_again(session: list[Entry]) -> None:
    started = {entry.body["deal"]: entry.body for entry in session if entry.kind == "deal_started"}
    results = [entry.body for entry in session if entry.kind == "deal_result"]
    assert [result["deal"] for result in results] == list(range(1, 11))
    for result in results:
        declared = [
            {key: value for key, value in entry.body.items() if key != "deal"}
            for entry in session
            if entry.kind == "declared" and entry.body["deal"] == result["deal"]
        ]
        start = started[result["deal"]]
        deal = read_deal(
            {
                "ruleset": start["ruleset"],
                "dealer": start["dealer"],
                "events": declared,
                "end": result["end"],
                "hands": result["hands"],
            }
        )
        assert list(deal.settle().points) == result["points"]


def test_the_table_and_the_score_sheet_tell_one_story(session: list[Entry]) -> None:
    """Walls up, dice and builds as the board numbered them, beside the deals that the host wrote."""
    seqs = [entry.seq for entry in session if entry.seq is not None]
    assert seqs == list(range(1, len(seqs) + 1)), "every event of the board, once, in order"
    started = [entry.body for entry in session if entry.kind == "deal_started"]
    built = [entry.body["fields"] for entry in session if entry.kind == "build_done"]
    rolled = [entry.body["fields"] for entry in session if entry.kind == "dice_rolled"]
    raised = [entry.body["fields"] for entry in session if entry.kind == "walls_up"]
    assert [one["dice"] for one in started] == [one["dice"] for one in rolled]
    assert [one["plan"] for one in started] == [one["stacks"] for one in built][:10]
    assert [one["plan"] for one in started] == [
        [14, 13, 14, 13] if one["dealer"] % 2 == 0 else [13, 14, 13, 14] for one in started
    ]
    assert [one["deal"] for one in raised] == list(range(1, 11))
    assert [one["tile_set"] for one in raised] == [0, 1] * 5
    assert [one["seat"] for one in rolled] == [one["dealer"] for one in started]


def test_the_next_walls_are_built_while_the_deal_is_played(session: list[Entry]) -> None:
    """A Hu tells the next dealer; the plan is latched then, by the host alone, mostly before the deal is over."""
    early = 0
    for at, entry in enumerate(session):
        if entry.kind == "declared" and entry.body["type"] == "hu":
            following = [one.kind for one in session[at:]]
            if "build_started" in following and following.index("build_started") < following.index("deal_result"):
                early += 1
    assert early >= 5
    states = [entry.body["fields"]["state"] for entry in session if entry.kind == "state_changed"]
    assert states.count("holding") >= 9
    assert "asking" not in states, "nobody had to say at the table who deals next"


def test_an_existing_journal_is_not_touched(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine"
    path.write_text("diary")
    with pytest.raises(JournalError, match="choose another path"):
        play(capsys, 1, 1, path)
    assert path.read_text() == "diary"


def test_ctrl_c_ends_the_demo_with_a_journal_that_can_be_read(tmp_path: Path) -> None:
    """In a process of its own, in the middle of a deal: exit 130, one word on it, no traceback."""
    path = tmp_path / "session.journal"
    process = RUNNER.start("demo", "--deals", "1000", "--json", "--journal", path)
    assert process.stdout is not None
    played = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate()
    assert process.returncode == 130
    assert errors == "Stopped.\n"
    played += [json.loads(line) for line in rest.splitlines()]
    entries = list(read_journal(path))
    results = [entry.body for entry in entries if entry.kind == "deal_result"]
    assert [result["points"] for result in results][: len(played)] == [line["points"] for line in played]
    assert [entry.id for entry in entries] == list(range(1, len(entries) + 1))
    shown = RUNNER.finish("log", "show", path)
    assert len(shown.stdout.splitlines()) == len(entries)


def test_with_readers_every_deal_comes_out_of_its_tags_as_it_was_declared(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "session.journal"
    demo(deals=2, seed=4, journal=path, pace=None, readers="all", as_json=True)
    shown = capsys.readouterr().err
    assert f"wallwright track {path} --deal 1 --tiles {path}.tiles" in shown
    assert f"wallwright wall verify --journal {path} --deal 1 --tiles {path}.tiles" in shown
    enrolment = load_enrolment(Path(f"{path}.tiles"))
    assert enrolment is not None
    entries = list(read_journal(path))
    results = {entry.body["deal"]: entry.body["points"] for entry in entries if entry.kind == "deal_result"}
    assert results.keys() == {1, 2}
    for deal, points in results.items():
        outcome = track_journal(entries, deal, Followed(load_ruleset("sichuan")), enrolment)
        assert outcome.account is not None
        assert list(outcome.account.settlement.points) == points


def test_a_drum_in_which_tiles_have_places_gives_other_tiles(tmp_path: Path) -> None:
    deals = []
    for drum in ("ideal", "places", "places:d=1"):
        path = tmp_path / drum
        demo(deals=1, seed=4, journal=path, readers="lanes", drum=drum, as_json=True)
        deals.append([entry.body for entry in read_journal(path) if entry.kind == "declared"])
    assert all(deals)
    assert deals[0] != deals[1] != deals[2] != deals[0]
    with pytest.raises(BadInput, match="--drum: no drum is called 'pails'"):
        demo(deals=1, seed=4, drum="pails")


def test_readers_that_there_are_not_are_refused() -> None:
    with pytest.raises(BadInput, match="none, lanes, all"):
        demo(deals=1, seed=1, journal=None, pace=None, readers="some")
