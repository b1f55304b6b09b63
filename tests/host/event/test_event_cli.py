"""`wallwright event`: a session from the list of players to published standings, each command with an example."""

import csv
import json
import re
import shlex
import stat
from pathlib import Path

import pytest
from openpyxl import load_workbook

from tests.host.postgresql import Server
from wallwright import cli
from wallwright.backup.archive import restore
from wallwright.errors import EventRefused
from wallwright.journal import verify_journal

PLAYERS = "name,club\n" + "".join(f"P{n},\n" for n in range(1, 8)) + "[red]P8[/],\n"
DEAL = {
    "events": [
        {"type": "hu", "by": "discard", "from": 1, "winners": [{"seat": 0, "value": 4}]},
        {"type": "hu", "by": "self_drawn", "winners": [{"seat": 2, "value": 2}]},
        {"type": "hu", "by": "discard", "from": 1, "winners": [{"seat": 3, "value": 1}]},
    ],
    "end": "three_hu",
    "hands": [],
}


class Result:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = code
        self.out = out
        self.err = err

    @property
    def record(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.out)
        return found


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "keys"))

    def run(line: str, code: int = 0) -> Result:
        monkeypatch.setattr("sys.argv", ["wallwright", "event", *shlex.split(line)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        result = Result(int(caught.value.code or 0), printed.out, printed.err)
        assert result.code == code, printed
        return result

    return run


@pytest.fixture
def playing(run, tmp_path: Path):
    """An event whose first session runs."""
    (tmp_path / "players.csv").write_text(PLAYERS)
    (tmp_path / "deal.json").write_text(json.dumps(DEAL))
    run("new day.journal")
    run("players import day.journal players.csv")
    run("draw commit day.journal")
    run("draw add day.journal P1 '4 2'")
    run("draw reveal day.journal")
    run("start day.journal 1")
    return run


def test_a_list_of_a_spreadsheet_is_taken_as_it_is_understood(run, tmp_path: Path) -> None:
    lines = ["编号;选手;学校;俱乐部", *(f"{n};选手{n};一中;成都" for n in range(1, 5))]
    (tmp_path / "names.csv").write_bytes("\r\n".join(lines).encode("gb18030"))
    run("new day.journal")
    shown = run("players import day.journal names.csv --check").out
    assert "GB18030, semicolons between cells, a line names the columns" in shown
    assert 'column 2 "选手": name, such as 选手1' in shown
    assert 'column 3 "学校": passed over' in shown
    assert "4 players, pairs to be kept apart: 6. Nothing was taken." in shown
    assert "there are 0 players" in run("draw commit day.journal", 6).err
    taken = run("players import day.journal names.csv --columns -,name,club --json").record
    assert (taken["players"], taken["columns"], taken["encoding"]) == (4, ["-", "name", "club", "-"], "GB18030")
    (tmp_path / "bare.csv").write_text("Ann\tA\nBo\tB\nCy\t\nBo\tC\nDee\tA\n")
    wrong = run("players import day.journal bare.csv", 2)
    assert "tabs between cells, no line names the columns" in wrong.out
    assert "line 4 has the name of line 2, Bo; tell them apart" in wrong.err
    assert (
        "'nam' is no column; there are name, given" in run("players import day.journal bare.csv --columns nam", 2).err
    )
    assert "'utf-9' is no encoding" in run("players import day.journal bare.csv --encoding utf-9", 2).err


def test_players_come_and_go_while_it_is_played(playing) -> None:
    late = playing("players add day.journal 'Ann Lee' --club Chengdu --reason 'the train was late'")
    assert "Ann Lee is player 9." in late.out
    assert "session 2: Ann Lee at the extra table 3" in late.out
    assert "give a reason" in playing("players add day.journal Bo", 6).err
    playing("players rename day.journal 9 'Anne Lee' --reason 'was misspelt' --by dan")
    gone = playing("players withdraw day.journal P3 --reason 'is ill' --json").record
    assert (gone["player"], len(gone["lines"])) == (3, 5)
    assert "P3 plays again" in playing("players return day.journal P3 --reason 'is well again'").out
    changes = [json.loads(line) for line in playing("players list day.journal --changes --json").out.splitlines()]
    assert [(one["player"], one["change"]) for one in changes] == [
        (9, "added"),
        (9, "renamed"),
        (3, "withdrawn"),
        (3, "returned"),
    ]
    assert (changes[1]["old_name"], changes[1]["by"], changes[1]["reason"]) == ("Ann Lee", "dan", "was misspelt")
    players = [json.loads(line) for line in playing("players list day.journal --json").out.splitlines()]
    assert [one["name"] for one in players if not one["stand_in"]][-1] == "Anne Lee"


def test_an_agreed_value_that_the_kongs_contradict_needs_a_reason(playing, tmp_path: Path) -> None:
    kongs = [{"type": "kong", "seat": 0, "kind": "concealed"}] * 3
    win = {"type": "hu", "by": "self_drawn", "winners": [{"seat": 0, "value": 1}]}
    rest = {"end": "wall", "hands": [{"seat": seat, "value": 0} for seat in (1, 2, 3)]}
    (tmp_path / "low.json").write_text(json.dumps({"events": [*kongs, win], **rest}))
    refused = playing("result day.journal 1 1 --declared low.json --yes", 6)
    assert "1 was agreed, but with 3 declared kongs its hand is worth 8 at least (SBR-5.3)" in refused.err
    assert "give a reason" in refused.err
    entered = playing("result day.journal 1 1 --declared low.json --yes --json --reason 'the players insist'").record
    # Three concealed kongs and a Hu of 1, self-drawn: 2 + 2 + 2 + 1 + 1 from each of the others.
    assert (entered["entered"], entered["points"]) == (True, [24, -8, -8, -8])


def test_a_session_from_the_list_of_players_to_final_standings(playing, tmp_path: Path) -> None:
    shown = playing("result day.journal 1 1 --declared deal.json --json").record
    assert (shown["entered"], shown["points"]) == (False, [4, -8, 6, -2])
    assert "Entered, entry" in playing("result day.journal 1 1 --declared deal.json --yes").out
    playing("result day.journal 1 2 --points 8,-8,1,0 --reason 'as it stands'")
    playing("stop day.journal 1", 6)
    playing("stop day.journal 1 --reason 'a short day'")
    playing("sign-off day.journal 1 1")
    signed = playing("sign-off day.journal 1 2 --json").record
    assert signed["state"] == "provisional"
    assert str(signed["checkpoint"]).startswith("WALLWRIGHT")
    assert all(name in playing("standings day.journal").out for name in ("P1", "[red]P8[/]"))
    rows = [json.loads(line) for line in playing("standings day.journal --json --for live").out.splitlines()]
    assert sorted(row["total"] for row in rows) == sorted(["4", "-8", "6", "-2", "8", "-8", "1", "0"])
    published = playing("standings day.journal --for everybody --json").out.splitlines()
    assert all("session_1" in row for row in rows)
    assert all("session_1" not in json.loads(line) for line in published)
    assert len(published) == len(rows)
    playing("publish day.journal 1")
    assert "came from nowhere" in playing("check day.journal", 1).out
    playing("correct day.journal 1 2 1 --points 8,-8,0,0 --reason 'one point too many'")
    assert "sum to zero" in playing("check day.journal").out
    assert "one point too many" in playing("explain day.journal --session 1 --table 2 --deal 1").out
    appeal = playing(
        "appeal file day.journal 1 P2 --table 1 --deal 1 --reason 'The kong was not counted.' --json"
    ).record["appeal"]
    playing("finalise day.journal 1 --reason 'nobody appeals'", 6)
    playing(f"appeal decide day.journal {appeal} --upheld --reason ' '", 6)
    playing(f"appeal decide day.journal {appeal} --dismissed --reason 'It was declared too late.'")
    assert all(text in playing("appeal list day.journal").out for text in ("dismissed", "declared too late"))
    playing("approve day.journal 1 1", 6)
    playing("finalise day.journal 1", 6)
    playing("finalise day.journal 1 --reason 'nobody appeals'")
    assert "final" in playing("sessions day.journal").out
    assert verify_journal(tmp_path / "day.journal").is_whole


def test_the_draw_can_be_verified_by_anybody_and_its_seed_is_nobodys(run, tmp_path: Path) -> None:
    (tmp_path / "players.csv").write_text(PLAYERS + "P9,\n")
    run("new day.journal --format mil-2025")
    assert "--byes" in run("players import day.journal players.csv").out
    assert "--stand-ins" in run("draw commit day.journal", 6).err
    run("draw commit day.journal --byes")
    [seed] = tmp_path.glob("day.journal.main-seed-*")
    assert stat.S_IMODE(seed.stat().st_mode) == 0o600
    away = seed.rename(tmp_path / "away")
    assert "commit where you reveal" in run("draw reveal day.journal", 6).err
    away.rename(seed)
    run("draw reveal day.journal")
    assert not seed.exists()
    (tmp_path / "draw.json").write_text(run("draw show day.journal").out)
    assert "follow" in run("draw verify draw.json").out
    assert "the seats from the lots" in run("draw verify day.journal").out
    record = json.loads((tmp_path / "draw.json").read_text())
    record["lots"].reverse()
    (tmp_path / "draw.json").write_text(json.dumps(record))
    assert run("draw verify draw.json --json", 1).record["right"] is False
    assert "commit to a seed first" in run("draw reveal day.journal", 6).err


def test_clocks_penalties_substitutes_and_boards(playing) -> None:
    assert playing("pause day.journal 1 --table 2 --reason 'no light' --json").record["paused"] is True
    listed = playing("sessions day.journal 1").out
    assert "yes" in listed
    assert "False" not in listed
    playing("pause day.journal 1 --table 2 --end")
    left = playing("add-time day.journal 1 5 --table 2 --reason 'no light' --json").record["left_ms"]
    assert isinstance(left, int)
    assert 60 * 60_000 < left <= 65 * 60_000
    given = playing("penalty give day.journal P3 points --amount 4 --session 1 --reason late --json").record
    assert "points 1 to 8" in playing("penalty list day.journal").out
    playing(f"penalty withdraw day.journal {given['penalty']} --reason 'not late'")
    assert "not late" in playing("penalty list day.journal").out
    assert playing("substitute day.journal 1 P3 'Late Larry' --reason ill --json").record["player"] == 9
    playing("bind day.journal 1 SIM-1")
    playing("bind day.journal 1 SIM-2", 6)
    assert "SIM-1" in playing("sessions day.journal 1").out
    assert "Late Larry" in playing("seats day.journal 1").out
    playing("resume day.journal 1 --reason x", 6)
    playing("annul day.journal 1 1 --reason jam", 6)


def test_two_who_sat_on_each_others_seats_get_their_points(playing) -> None:
    def points() -> dict[str, int]:
        rows = map(json.loads, playing("standings day.journal --json --for live").out.splitlines())
        return {row["name"]: row["points"] for row in rows if row["points"]}

    playing("result day.journal 1 1 --points 8,-8,0,0 --reason x --yes")
    (winner, _), (loser, _) = sorted(points().items(), key=lambda one: -one[1])
    refused = playing(f"substitute day.journal 1 {winner} {loser} --reason 'sat on each other'", 6).err
    assert "swap the two seats" in refused
    told = playing(f"swap-seats day.journal 1 {winner} {loser} --from-deal 1 --reason 'sat on each other'").out
    assert "from deal 1 on: table 1, " in told
    assert "seat" not in told.replace("the seat of", ""), "seats are called as people call them"
    assert points() == {winner: -8, loser: 8}
    playing("swap-seats day.journal 1 --tables 1,2 --reason 'read the wrong plan'")
    assert not {winner, loser} & set(points()), "the points are those of the four who played there"
    playing("substitute day.journal 1 P1 'Late Larry' --from-deal 1 --reason 'P1 never came'")
    assert "Late Larry" in playing("seats day.journal 1").out
    assert "Late Larry" in playing("sessions day.journal 1").out
    playing("check day.journal")


def test_the_last_act_is_undone_and_both_stay_in_the_journal(playing) -> None:
    before = playing("export day.journal seats --format json").out
    playing("players withdraw day.journal P3 --reason 'the wrong one'")
    assert playing("export day.journal seats --format json").out != before
    assert "P3 has withdrawn" in playing("undo day.journal --reason 'it was P4'").out
    assert playing("export day.journal seats --format json").out == before
    kinds = [
        json.loads(line)["change"] for line in playing("players list day.journal --changes --json").out.splitlines()
    ]
    assert kinds == ["withdrawn", "undone"]
    for _ in ("start", "open"):
        playing("undo day.journal --reason 'too early'")
    assert "commit to another seed" in playing("undo day.journal --reason x", 6).err
    assert verify_journal("day.journal").is_whole


REFUSED = [
    ("undo day.journal", 2),
    ("undo none.journal --reason x", 6),
    ("swap-seats day.journal 1 --reason x", 2),
    ("swap-seats day.journal 1 P1 P2 --tables 1,2 --reason x", 2),
    ("swap-seats day.journal 1 --tables 1,x --reason x", 2),
    ("swap-seats day.journal 1 P1 --reason x", 6),
    ("swap-seats day.journal 1 P1 P2 --from-deal 7 --reason x", 6),
    ("substitute day.journal 1 P1 P2 --to-deal 1 --reason x", 2),
    ("standings none.journal", 6),
    ("new day.journal", 6),
    ("new other.journal --format riichi", 2),
    ("players import day.journal none.csv", 2),
    ("result day.journal 1 1", 2),
    ("result day.journal 1 1 --declared none.json", 2),
    ("result day.journal 1 1 --points 1,2,x,4 --reason x", 2),
    ("result day.journal 1 1 --points 1,2,-3,0 --fines 1 --reason x", 2),
    ("result day.journal 1 3 --points 1,-1,0,0 --reason x", 6),
    ("penalty give day.journal P1 points", 2),
    ("penalty give day.journal P1 points --amount x --reason y", 2),
    ("penalty give day.journal P99 warning --reason y", 6),
    ("explain day.journal", 2),
    ("seats day.journal 9", 6),
    ("sessions day.journal 9", 6),
    ("restore other.journal players.csv", 6),
    ("restore other.journal none.backup", 2),
    ("backup day.journal deal.json", 2),
]


def test_what_cannot_be_done_is_one_line_and_changes_nothing(playing, tmp_path: Path) -> None:
    before = (tmp_path / "day.journal").read_bytes()
    for line, code in REFUSED:
        failed = playing(line, code)
        assert failed.err.startswith("error: "), line
        assert failed.err.count("\n") == 1, line
        assert (tmp_path / "day.journal").read_bytes() == before, line
        assert not (tmp_path / "other.journal").exists(), line


def test_a_result_is_corrected_by_points_by_another_declaration_or_not_at_all(playing) -> None:
    playing("result day.journal 1 1 --declared deal.json --yes")
    for how, status, points in (
        ("--points 1,-1,0,0", "live", [1, -1, 0, 0]),
        ("--declared deal.json", "live", [4, -8, 6, -2]),
        ("--void", "voided", [4, -8, 6, -2]),
    ):
        done = playing(f"correct day.journal 1 1 1 {how} --reason 'read again' --json").record
        assert (done["status"], done["points"]) == (status, points), how


def test_papers_are_exported(playing, tmp_path: Path) -> None:
    playing("result day.journal 1 1 --declared deal.json --yes")
    printed = playing("export day.journal results --for live").out.splitlines()
    assert printed[0].startswith("session,table,deal,entry")
    assert len(printed) == 2
    assert playing("export day.journal results").out == "nothing\n"
    playing("export day.journal seats --format json --to seats.json")
    seats = [json.loads(line) for line in (tmp_path / "seats.json").read_text().splitlines()]
    assert len(seats) == 8
    playing("export day.journal standings --to no/where.csv", 2)


def test_a_backup_restores_to_the_same_standings_and_damage_is_found(playing, tmp_path: Path) -> None:
    playing("result day.journal 1 1 --declared deal.json --yes")
    made = playing("backup day.journal day.backup --json").record
    back = playing("restore again.journal day.backup --json").record
    assert {key: value for key, value in made.items() if key != "file"} == back
    named = playing("backup day.journal --json").record["file"]
    assert re.fullmatch(r"Chengdu Grand-Prix-\d{4}-\d\d-\d\d-\d{4}\.backup", str(named))
    assert (tmp_path / str(named)).exists()
    live = playing("standings day.journal --for live --json").out
    assert playing("standings again.journal --for live --json").out == live
    playing("restore again.journal day.backup", 2)
    whole = (tmp_path / "day.backup").read_bytes()
    (tmp_path / "day.backup").write_bytes(whole[: len(whole) // 2])
    playing("restore third.journal day.backup", 6)
    refused = 0
    for part in range(1, 16):
        data = bytearray(whole)
        data[len(data) * part // 20] ^= 1
        (tmp_path / "day.backup").write_bytes(data)
        third = tmp_path / f"third{part}.journal"
        try:
            restore(tmp_path / "day.backup", str(third))
        except EventRefused:
            refused += 1
            assert not third.exists()
        else:
            # Packed data has bits that mean nothing, such as codes that nothing in it uses.
            assert playing(f"standings {third.name} --for live --json").out == live
    assert refused > 12


def test_an_event_moves_from_a_server_to_a_file_and_back(playing, postgresql: Server) -> None:
    playing("result day.journal 1 1 --declared deal.json --yes")
    playing("backup day.journal day.backup")
    url = postgresql.database()
    playing(f"restore {url} day.backup")
    playing(f"penalty give {url} P1 warning --reason late")
    playing(f"restore {url} day.backup", 5)
    playing(f"backup {url} server.backup")
    playing("restore again.journal server.backup")
    rows = [playing(f"standings {place} --for live --json").out for place in ("day.journal", url, "again.journal")]
    assert rows[0] == rows[1] == rows[2]
    assert "late" in playing("penalty list again.journal").out


def test_a_paper_is_a_file_for_a_spreadsheet(playing, tmp_path: Path) -> None:
    playing("penalty give day.journal P3 points --amount 2 --session 1 --reason ＝late")
    playing("export day.journal penalties --for staff --format xlsx --to p.xlsx")
    playing("export day.journal penalties --for staff --to p.csv")
    book = [[str(value or "") for value in row] for row in load_workbook(tmp_path / "p.xlsx")["penalties"].values]
    assert book == list(csv.reader((tmp_path / "p.csv").read_text(encoding="utf-8-sig").splitlines()))
    assert book[1][book[0].index("reason")] == "'＝late"
    assert "--to" in playing("export day.journal penalties --format xlsx", 2).err
