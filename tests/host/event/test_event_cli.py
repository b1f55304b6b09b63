"""`wallwright event`: a session from the list of players to published standings, each command with an example."""

import json
import re
import shlex
import stat
from pathlib import Path

import pytest

from tests.host.postgresql import Server
from wallwright import cli
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
COMMANDS = [
    "new",
    "import",
    "bind",
    "seats",
    "sessions",
    "start",
    "pause",
    "add-time",
    "stop",
    "resume",
    "sign-off",
    "publish",
    "finalise",
    "result",
    "correct",
    "approve",
    "annul",
    "penalty",
    "substitute",
    "standings",
    "explain",
    "check",
    "export",
    "backup",
    "restore",
]


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
    run("import day.journal players.csv")
    run("draw commit day.journal")
    run("draw add day.journal --of P1 --text '4 2'")
    run("draw reveal day.journal")
    run("start day.journal 1")
    return run


@pytest.mark.parametrize(
    "command",
    [
        *COMMANDS,
        "rehearse",
        *(f"draw {step}" for step in ("commit", "add", "reveal", "verify")),
        *(f"appeal {step}" for step in ("file", "decide", "list")),
    ],
)
def test_every_command_has_help_with_an_example_of_itself(run, command: str) -> None:
    example = run(f"{command} --help").out.partition("Example")[2]
    assert f"wallwright event {command} " in example


def test_every_command_is_among_those_tested(run) -> None:
    listed = re.findall(r"^  ([a-z-]+)  ", run("--help").out.partition("Commands:")[2], re.MULTILINE)
    assert sorted(listed) == sorted([*COMMANDS, "draw", "appeal", "rehearse"])


def test_a_session_from_the_list_of_players_to_final_standings(playing, tmp_path: Path) -> None:
    shown = playing("result day.journal 1 1 --deal deal.json --json").record
    assert (shown["entered"], shown["points"]) == (False, [4, -8, 6, -2])
    assert "Entered, entry" in playing("result day.journal 1 1 --deal deal.json --yes").out
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
    assert all("session_1" not in json.loads(line) for line in published)
    playing("publish day.journal 1")
    assert "came from nowhere" in playing("check day.journal", 1).out
    playing("correct day.journal 1 2 1 --points 8,-8,0,0 --reason 'one point too many'")
    assert "sum to zero" in playing("check day.journal").out
    assert "one point too many" in playing("explain day.journal --session 1 --table 2 --deal 1").out
    appeal = playing("appeal file day.journal 1 P2 'The kong was not counted.' --table 1 --deal 1 --json").record[
        "appeal"
    ]
    playing("finalise day.journal 1 --reason 'nobody appeals'", 6)
    playing(f"appeal decide day.journal {appeal} --upheld --ruling ' '", 6)
    playing(f"appeal decide day.journal {appeal} --dismissed --ruling 'It was declared too late.'")
    assert all(text in playing("appeal list day.journal").out for text in ("dismissed", "declared too late"))
    playing("approve day.journal 1 1", 6)
    playing("finalise day.journal 1", 6)
    playing("finalise day.journal 1 --reason 'nobody appeals'")
    assert "final" in playing("sessions day.journal").out
    assert verify_journal(tmp_path / "day.journal").is_whole


def test_the_draw_can_be_verified_by_anybody_and_its_seed_is_nobodys(run, tmp_path: Path) -> None:
    (tmp_path / "players.csv").write_text(PLAYERS + "P9,\n")
    run("new day.journal --format mil-2025")
    assert "--byes" in run("import day.journal players.csv").out
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
    given = playing("penalty day.journal --player P3 --give points --amount 4 --session 1 --reason late --json").record
    assert "points 1 to 8" in playing("penalty day.journal").out
    playing(f"penalty day.journal --withdraw {given['penalty']} --reason 'not late'")
    assert "not late" in playing("penalty day.journal").out
    assert playing("substitute day.journal 1 P3 'Late Larry' --reason ill --json").record["player"] == 9
    playing("bind day.journal 1 SIM-1")
    playing("bind day.journal 1 SIM-2", 6)
    assert "SIM-1" in playing("sessions day.journal 1").out
    assert "Late Larry" in playing("seats day.journal 1").out
    playing("resume day.journal 1 --reason x", 6)
    playing("annul day.journal 1 1 --reason jam", 6)


REFUSED = [
    ("standings none.journal", 6),
    ("new day.journal", 6),
    ("new other.journal --format riichi", 2),
    ("import day.journal none.csv", 2),
    ("result day.journal 1 1", 2),
    ("result day.journal 1 1 --deal none.json", 2),
    ("result day.journal 1 1 --points 1,2,x,4 --reason x", 2),
    ("result day.journal 1 1 --points 1,2,-3,0 --fines 1 --reason x", 2),
    ("result day.journal 1 3 --points 1,-1,0,0 --reason x", 6),
    ("penalty day.journal --player P1", 2),
    ("penalty day.journal --player P1 --give points --amount x --reason y", 2),
    ("penalty day.journal --player P99 --give warning --reason y", 6),
    ("explain day.journal", 2),
    ("seats day.journal 9", 6),
    ("sessions day.journal 9", 6),
    ("restore players.csv other.journal", 6),
    ("restore none.backup other.journal", 2),
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


def test_papers_are_exported(playing, tmp_path: Path) -> None:
    playing("result day.journal 1 1 --deal deal.json --yes")
    printed = playing("export day.journal results --for live").out.splitlines()
    assert printed[0].startswith("session,table,deal,entry")
    assert len(printed) == 2
    assert playing("export day.journal results").out == "nothing\n"
    playing("export day.journal seats --format json --to seats.json")
    seats = [json.loads(line) for line in (tmp_path / "seats.json").read_text().splitlines()]
    assert len(seats) == 8
    playing("export day.journal standings --to no/where.csv", 2)


def test_a_backup_restores_to_the_same_standings_and_damage_is_found(playing, tmp_path: Path) -> None:
    playing("result day.journal 1 1 --deal deal.json --yes")
    made = playing("backup day.journal day.backup --json").record
    back = playing("restore day.backup again.journal --json").record
    assert made == back
    live = playing("standings day.journal --for live --json").out
    assert playing("standings again.journal --for live --json").out == live
    playing("restore day.backup again.journal", 2)
    whole = (tmp_path / "day.backup").read_bytes()
    for part in range(1, 16):
        data = bytearray(whole)
        data[len(data) * part // 20] ^= 1
        (tmp_path / "day.backup").write_bytes(data)
        playing("restore day.backup third.journal", 6)
        assert not (tmp_path / "third.journal").exists()


def test_an_event_moves_from_a_server_to_a_file_and_back(playing, postgresql: Server) -> None:
    playing("result day.journal 1 1 --deal deal.json --yes")
    playing("backup day.journal day.backup")
    url = postgresql.database()
    playing(f"restore day.backup {url}")
    playing(f"penalty {url} --player P1 --give warning --reason late")
    playing(f"restore day.backup {url}", 5)
    playing(f"backup {url} server.backup")
    playing("restore server.backup again.journal")
    rows = [playing(f"standings {place} --for live --json").out for place in ("day.journal", url, "again.journal")]
    assert rows[0] == rows[1] == rows[2]
    assert "late" in playing("penalty again.journal").out


def test_formulas_do_not_reach_a_spreadsheet() -> None:
    from wallwright.event.sheets import to_csv

    assert to_csv([{"name": "=1+1", "points": -3, "total": "-2.5"}]) == "name,points,total\n'=1+1,-3,-2.5\n"
