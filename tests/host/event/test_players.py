"""Players from a file: all mistakes at once, and what to do when tables do not come out even."""

import pytest

from wallwright.errors import BadPlayers
from wallwright.event.players import MOST, choices, load_players, parse_players, read_roster, with_stand_ins

FILE = """name, club, apart
Ann Lee, Chengdu, Dan
"Bo, jr.", chengdu,
Cy,,

Dan,,Ann Lee; cy
"""


def test_players_clubs_and_pairs_are_read() -> None:
    roster = parse_players(FILE, "x.csv")
    assert [(one.number, one.name, one.club) for one in roster.players] == [
        (1, "Ann Lee", "Chengdu"),
        (2, "Bo, jr.", "chengdu"),
        (3, "Cy", ""),
        (4, "Dan", ""),
    ]
    assert roster.clashes() == {(1, 2), (1, 4), (3, 4)}
    assert read_roster(roster.record()) == roster


def test_a_file_of_a_spreadsheet_is_read(tmp_path) -> None:
    path = tmp_path / "players.csv"
    path.write_bytes(("\N{ZERO WIDTH NO-BREAK SPACE}name\r\n" + "\r\n".join("ABCD")).encode())
    assert [one.name for one in load_players(path).players] == ["A", "B", "C", "D"]


def test_all_mistakes_come_at_once_with_their_lines() -> None:
    text = "name,club,apart\nA,,B\n,x,\nC,,C\na,,\nD,,,E\n"
    with pytest.raises(BadPlayers) as caught:
        parse_players(text, "x.csv")
    said = map(str, caught.value.problems)
    assert [line.split(" ")[1] for line in said] == ["3", "5", "6", "2", "4"]


@pytest.mark.parametrize("text", ["", "nam\nA", "name,name\nA", "name,age\nA,3", "name\nA\nB\nC\n", 'name\n"A\n'])
def test_no_list_of_players_is_said_so(text: str) -> None:
    with pytest.raises(BadPlayers):
        parse_players(text, "x.csv")


def test_no_list_is_longer_than_an_event_takes() -> None:
    lines = ["name,club", *(f"P{number},one" for number in range(1, MOST + 1))]
    assert len(parse_players("\n".join(lines), "x.csv").players) == MOST
    with pytest.raises(BadPlayers, match=f"{MOST + 1} players; an event takes {MOST}"):
        parse_players("\n".join([*lines, "one more,"]), "x.csv")


def test_other_files_are_refused(tmp_path) -> None:
    with pytest.raises(BadPlayers, match="check the path"):
        load_players(tmp_path / "none.csv")
    (tmp_path / "latin.csv").write_bytes(b"name\nJos\xe9\n")
    with pytest.raises(BadPlayers, match="UTF-8"):
        load_players(tmp_path / "latin.csv")


def test_a_number_that_does_not_fit_is_answered_with_what_can_be_done() -> None:
    assert choices(16) == ()
    assert [line.split(":")[0] for line in map(str, choices(17))] == ["--stand-ins", "--byes"]
    assert "3 people" in str(choices(17)[0])
    assert "1 player sits" in str(choices(17)[1])


@pytest.mark.parametrize("count", [4, 5, 6, 7, 18])
def test_stand_ins_fill_the_tables(count: int) -> None:
    names = ["Stand-in 1", *(f"P{number}" for number in range(count - 1))]
    roster = parse_players("name\n" + "\n".join(names), "x.csv")
    full = with_stand_ins(roster)
    assert len(full.players) % 4 == 0
    assert len(full.players) - count < 4
    assert full.players[:count] == roster.players
    assert len({player.name for player in full.players}) == len(full.players)
    assert all(player.stand_in for player in full.players[count:])
