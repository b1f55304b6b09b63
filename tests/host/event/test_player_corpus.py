"""Lists of players as people have them, in tests/data/players: each is read right, asked about, or refused in words.

Beside each list a file says what is right: `players` (name, club, id), `apart`, what is `said` of lines and columns
that are passed over; or the names by each way to read it that is `asked` about; or what it is `refused` with.
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from wallwright import cli
from wallwright.errors import BadPlayers
from wallwright.event.player_lists import read_players

LISTS = Path(__file__).parents[2] / "data" / "players"
RIGHT = {path.with_suffix("").name: json.loads(path.read_text(encoding="utf-8")) for path in LISTS.glob("*.json")}
ENCODINGS = (
    "utf-8", "utf-16", "gb18030", "big5", "cp932", "euc_jp", "cp949", "cp1252", "cp1251", "cp1250", "koi8-r", "cp866",
    "mac-roman", "cp850", "iso8859-2", "cp1253", "cp1254",
)  # fmt: skip


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "keys"))

    def run(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["wallwright", "event", *words])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return int(caught.value.code or 0), printed.out, printed.err

    return run


def test_every_list_of_the_folder_has_its_right_reading() -> None:
    assert {path.name for path in LISTS.iterdir() if path.suffix != ".json"} == set(RIGHT)
    assert len(RIGHT) >= 60


@pytest.mark.parametrize("name", sorted(RIGHT))
def test_a_list_is_read_right_or_nothing_of_it_is_taken(run, tmp_path: Path, name: str) -> None:
    right = RIGHT[name]
    journal = str(tmp_path / "day.journal")
    assert run("new", journal)[0] == 0
    code, out, err = run("players", "import", journal, str(LISTS / name), "--json", *right.get("options", ()))
    taken = [json.loads(line) for line in run("players", "list", journal, "--json")[1].splitlines()]
    if "players" in right:
        assert (code, err) == (0, "")
        assert [[one["name"], one["club"], one.get("id", "")] for one in taken] == right["players"]
        told = json.loads(out)["notes"]
        assert all(any(said in note for note in told) for said in right["said"]), told
        assert len(told) >= len(right["said"])
        assert json.loads(out)["clashes"] >= len(right.get("apart", ()))
        return
    assert (code, taken) == (2, [])
    if "refused" in right:
        assert right["refused"] in err
        return
    assert "is not certain" in err
    ways = json.loads(out)["readings"]
    assert [[one["name"] for one in way["roster"]] for way in ways] == right["asked"]
    for way in ways:
        # The options that are shown choose the way that they are shown with.
        code, _, err = run("players", "import", journal, str(LISTS / name), "--json", *shlex.split(way["options"]))
        assert (code, err) == (0, "")
        taken = [json.loads(line) for line in run("players", "list", journal, "--json")[1].splitlines()]
        assert [one["name"] for one in taken] == [one["name"] for one in way["roster"]]


def test_the_first_way_is_taken_for_who_says_yes_and_all_are_shown_to_who_does_not(run, tmp_path: Path) -> None:
    journal, path = str(tmp_path / "day.journal"), str(LISTS / "en_no_header_parts.csv")
    run("new", journal)
    code, out, _ = run("players", "import", journal, path)
    assert code == 2
    for shown in ("Reading 1 of", "--columns -,name,given,club,id", "Ann Lee", "Reading 2 of", "Lee Ann"):
        assert shown in out
    assert run("players", "import", journal, path, "--yes", "--json")[0] == 0
    assert "Ann Lee" in run("players", "list", journal, "--json")[1]


@pytest.mark.parametrize("name", sorted(name for name, right in RIGHT.items() if right.get("players")))
def test_in_no_encoding_is_a_list_taken_for_another_one_in_silence(name: str) -> None:
    """The names of the corpus in every encoding that can hold them: read as in UTF-8, or asked about."""
    lines = ["Name;Club", *(";".join(one[:2]) for one in RIGHT[name]["players"])]
    text = "\r\n".join(lines)
    wanted = [one[:2] for one in RIGHT[name]["players"]]
    held = 0
    for codec in ENCODINGS:
        try:
            data = text.encode(codec)
        except UnicodeEncodeError:
            continue
        held += 1
        found = read_players(data, "list")
        ways = [[[one.name, one.club] for one in way.roster.players] for way in (found, *found.others)]
        assert wanted in ways, codec
        assert len(ways) == 1 or found.doubts, codec
    assert held > 1


def test_each_way_to_name_an_encoding_is_taken(run, tmp_path: Path) -> None:
    journal = str(tmp_path / "day.journal")
    run("new", journal)
    for encoding in ("windows-1251", "cp1251", "CP1251", "1251", "Windows_1251"):
        code, out, _ = run("players", "import", journal, str(LISTS / "ru_cp1251.csv"), "--encoding", encoding, "--json")
        assert (code, json.loads(out)["encoding"]) == (0, "Windows-1251")
    for encoding in ("rot13", "base64", "idna", "klingon", "undefined", "unicode_escape", "\u0131"):
        code, _, err = run("players", "import", journal, str(LISTS / "ru_cp1251.csv"), "--encoding", encoding)
        assert (code, "is no encoding of texts" in err) == (2, True), err


def test_a_workbook_that_ends_its_reader_leaves_the_program_as_it_is() -> None:
    """A cell in the last row and column of a sheet: the reader asks for half a terabyte, and its process is ended."""
    far = (LISTS / "book_far_cell.xlsx").read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "wallwright.event.lists.unpacking"], input=far, capture_output=True, check=False
    )
    assert done.returncode != 0
    with pytest.raises(BadPlayers, match="too much room"):
        read_players(far, "far.xlsx")
