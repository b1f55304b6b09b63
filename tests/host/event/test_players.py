"""Players from a file: all mistakes at once, and what to do when tables do not come out even."""

import pytest

from wallwright.errors import BadPlayers
from wallwright.event.lists.cells import DELIMITERS
from wallwright.event.player_lists import Reading, load_players, read_players
from wallwright.event.players import MOST, Roster, choices, read_roster, with_stand_ins

FILE = """name, club, apart
Ann Lee, Chengdu, Dan
"Bo, jr.", chengdu,
Cy,,

Dan,,Ann Lee; cy
"""


def parse_players(text: str, source: str) -> Roster:
    return read_players(text, source).checked(source)


def test_players_clubs_and_pairs_are_read() -> None:
    roster = parse_players(FILE, "x.csv")
    assert [(one.number, one.name, one.club) for one in roster.players] == [
        (1, "Ann Lee", "Chengdu"),
        (2, "Bo, jr.", "chengdu"),
        (3, "Cy", ""),
        (4, "Dan", ""),
    ]
    assert roster.clashes() == {(1, 2), (1, 4), (3, 4)}
    assert read_roster(roster.listed()) == roster


def test_a_file_of_a_spreadsheet_is_read(tmp_path) -> None:
    path = tmp_path / "players.csv"
    path.write_bytes(("\N{ZERO WIDTH NO-BREAK SPACE}name\r\n" + "\r\n".join("ABCD")).encode())
    assert [one.name for one in load_players(path).roster.players] == ["A", "B", "C", "D"]


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
    (tmp_path / "noise.csv").write_bytes(b"name\n\x81\0\x8d\x90\n")
    with pytest.raises(BadPlayers, match="UTF-8"):
        load_players(tmp_path / "noise.csv")
    (tmp_path / "book.xlsx").write_bytes(b"PK\x03\x04 and so on")
    with pytest.raises(BadPlayers, match="save the sheet as CSV"):
        load_players(tmp_path / "book.xlsx")
    (tmp_path / "names.csv").write_text("name\n熊猫\n", encoding="gb18030")
    with pytest.raises(BadPlayers, match=r"not UTF-8 \(byte 5\)"):
        load_players(tmp_path / "names.csv", Reading(encoding="utf-8"))


PEOPLE = (("李雷", "成都"), ("韩梅梅", "重庆"), ("张伟", "成都"), ("王芳", "绵阳"))
WESTERN = (("José Núñez", "Málaga"), ("Zoë Müller", "Köln"), ("Åsa Öberg", "Malmö"), ("François", ""))
TRADITIONAL = (("陳大文", "香港"), ("黃小明", "臺北"), ("張麗華", "九龍"), ("劉德凱", ""))


def table(people, sign: str, header: tuple[str, ...] = ("Name", "Club")) -> str:
    return "".join(f"{sign.join(line)}\r\n" for line in (header, *people) if line)


def understood(found) -> tuple[tuple[str, str], ...]:
    assert found.problems == ()
    return tuple((one.name, one.club) for one in found.roster.players)


@pytest.mark.parametrize(
    ("people", "header", "codec", "label"),
    [
        (PEOPLE, ("姓名", "俱乐部"), "utf-8", "UTF-8"),
        (PEOPLE, ("姓名", "俱乐部"), "utf-8-sig", "UTF-8"),
        (PEOPLE, ("姓名", "俱乐部"), "utf-16", "UTF-16"),
        (PEOPLE, ("姓名", "俱乐部"), "gb18030", "GB18030"),
        (PEOPLE, ("Name", "Club"), "gb18030", "GB18030"),
        (TRADITIONAL, ("姓名", "團體"), "big5", "Big5"),
        (WESTERN, ("Name", "Club"), "cp1252", "Windows-1252"),
        (WESTERN, ("Name", "Club"), "utf-16", "UTF-16"),
    ],
)
@pytest.mark.parametrize("sign", [sign for name, sign in DELIMITERS.items() if name != "none"])
def test_a_list_is_read_in_any_encoding_with_any_sign_between_cells(
    tmp_path, people, header, codec: str, label: str, sign: str
) -> None:
    if sign == "，" and label == "Windows-1252":
        sign = ";"  # which has no such character
    (tmp_path / "players.csv").write_bytes(table(people, sign, header).encode(codec))
    found = load_players(tmp_path / "players.csv")
    assert understood(found) == people
    assert (found.encoding, DELIMITERS[found.delimiter], found.has_header) == (label, sign, True)


def test_other_columns_are_passed_over_and_named() -> None:
    text = table(
        [("1", "Lee", "Ann", "x@y", "A"), ("2", "李", "雷", "", ""), ("3", "Bo", "", "", "B"), ("4", "Cy")],
        "\t",
        ("No.", "Last name", "First name", "E-mail", "Club"),
    )
    found = read_players(text, "x")
    assert understood(found) == (("Ann Lee", "A"), ("李雷", ""), ("Bo", "B"), ("Cy", ""))
    assert [(one.label, one.role) for one in found.columns] == [
        ("No.", "-"),
        ("Last name", "name"),
        ("First name", "given"),
        ("E-mail", "-"),
        ("Club", "club"),
    ]
    assert found.columns[4].cells == ("A", "", "B", "")


def test_columns_can_be_chosen() -> None:
    found = read_players(table(PEOPLE, "\t"), "x", Reading(columns=("club", "name")))
    assert [one.role for one in found.columns] == ["club", "name"]
    assert any("has the name of line 2" in str(one) for one in found.problems)
    nothing = read_players(table(PEOPLE, "\t"), "x", Reading(columns=("-", "club")))
    assert "no column has the names" in str(nothing.problems[0])


def test_a_list_without_a_header_begins_with_the_first_column_of_words() -> None:
    numbered = [(str(number), *line) for number, line in enumerate(WESTERN, 1)]
    found = read_players(table(numbered, ";", ()), "x")
    assert (found.has_header, [one.role for one in found.columns]) == (False, ["-", "name", "-"])
    assert [one.name for one in found.roster.players] == [name for name, _ in WESTERN]
    forced = read_players(table(numbered, ";", ()), "x", Reading(header=True))
    assert (forced.has_header, [one.name for one in forced.roster.players]) == (True, [n for n, _ in WESTERN[1:]])


def test_one_name_a_line_may_have_commas() -> None:
    found = read_players("Name\nLee, Ann\nBo\nCy\nRay, Dee\n", "x")
    assert [one.name for one in found.roster.players] == ["Lee, Ann", "Bo", "Cy", "Ray, Dee"]
    assert found.delimiter == "none"
    quoted = read_players('"Lee, ""Ann"""\nBo\nCy\nDee\n', "x")
    assert (quoted.delimiter, quoted.roster.players[0].name) == ("none", 'Lee, "Ann"')
    plain = read_players("Ann\nBo\nCy\nDee\n", "x")
    assert (plain.delimiter, len(plain.roster.players)) == ("none", 4)


def test_a_line_that_names_the_sign_is_believed() -> None:
    found = read_players("sep=|\r\nname|club\r\nA, B|x;y\r\nB|\r\n7|\r\nD|\r\n", "x")
    assert found.delimiter == "bar"
    assert [(one.name, one.club) for one in found.roster.players] == [("A, B", "x;y"), ("B", ""), ("D", "")]
    assert [str(one) for one in found.problems] == ["line 5: 7 is a number, no name"]


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


def test_ids_are_taken_with_the_names_and_are_one_player_s_each() -> None:
    found = parse_players("name,会员号\nAnn,MIL-1\nBo,\nCy,MIL-3\nDee,\n", "players.csv")
    assert [one.id for one in found.players] == ["MIL-1", "", "MIL-3", ""]
    assert read_roster(found.listed()) == found
    with pytest.raises(BadPlayers, match="line 4 has the id of line 2, MIL-1"):
        parse_players("name,id\nAnn,MIL-1\nBo,\nCy,MIL-1\nDee,\n", "players.csv")
