"""Names that are withheld leave the hall in nothing: no extract, no page, no file for programs; ids tell who it is."""

import base64
import json
import re
import shlex
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from urllib.request import urlopen

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.host.event.test_event_cli import Result
from tests.host.season.conftest import FORMAT
from tests.host.season.halls import EAST, Run, day, printed, rows, small_format
from tests.host.season.serving import machine_of, season_server
from wallwright import cli
from wallwright.event import sanctions, setup
from wallwright.event.format import IN_HALL
from wallwright.event.player_lists import read_players
from wallwright.event.players import Player, Roster
from wallwright.event.state import EventState
from wallwright.event.state_parts import MAIN
from wallwright.event.store import read_event
from wallwright.journal import Entry
from wallwright.journal.kinds import desk as records
from wallwright.journal.kinds import plain
from wallwright.person_text import same_key
from wallwright.season.extract import make_extract, rebuild
from wallwright.season.extract_check import check_extract
from wallwright.season.extract_file import read
from wallwright.season.withheld import Withheld, stand_for

NAMES = ("Zoltán Kővári", "张伟", "Mary Quillfeather", "Ann Lee", "Bo Ek", "Cy Young", "Dee Dee", "Eve Adams")
PRIVATE = NAMES[:3]
Wallwright = Callable[..., Result]


@pytest.fixture
def wallwright(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Wallwright:
    """Runs any command in the hall that has EAST's key."""

    def run_it(line: str, code: int = 0) -> Result:
        with monkeypatch.context() as own:
            own.setenv("XDG_DATA_HOME", str(machine_of(EAST, tmp_path)))
            own.setattr("sys.argv", ["wallwright", *shlex.split(line)])
            with pytest.raises(SystemExit) as caught:
                cli.main()
        found = capsys.readouterr()
        assert int(caught.value.code or 0) == code, found
        return Result(code, found.out, found.err)

    return run_it


def players(private: tuple[str, ...]) -> tuple[Player, ...]:
    return tuple(
        Player(number, name, "Chengdu", id=f"K{number}", private=name in private)
        for number, name in enumerate(NAMES, 1)
    )


def played(folder: Path, name: str, date: int, private: tuple[str, ...], names: str = "everybody") -> None:
    """A day whose people write names wherever they can."""
    one = day(folder / f"{name}.journal", range(1, 9), date, name)
    one.event_format = replace(small_format(), names=names)
    one.players = players(private)
    with one._desk() as desk:
        setup.create(desk, one.event_format)
        setup.import_players(desk, Roster(one.players), "names of 张伟.csv")
        secret = bytes(range(32))
        setup.commit_draw(desk, MAIN, secret)
        setup.contribute(desk, MAIN, "Mary Quillfeather", "zoltán kővári threw 3 1")
        setup.reveal_draw(desk, MAIN, secret)
    one.go_on(finalise=False)
    with one._desk() as desk:
        reason = "张伟没来, and Mary Quillfeather told it"
        sanctions.give_penalty(desk, 4, "points", reason, amount=Fraction(5), session=1)
    one.correct(1, 1, 1, (6, -2, -2, -2), "Zoltán Kővári has shown the tiles")


def everything(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield str(path), path.read_bytes()


def forms(name: str) -> set[bytes]:
    """A name as it may stand in bytes: as text, escaped for JSON and for pages, in Base64, by its parts."""
    parts = {name, *(part for part in name.split() if len(part) > 3)}
    found = set()
    for one in parts:
        found |= {one.encode(), json.dumps(one)[1:-1].encode(), one.encode("utf-16-le"), one.upper().encode()}
        found |= {"".join(f"&#{ord(sign)};" if ord(sign) > 127 else sign for sign in one).encode()}
        found |= {base64.b64encode(one.encode())[:-4]} if len(one) > 6 else set()
    return found


def leaks(folder: Path, names: tuple[str, ...] = PRIVATE) -> list[tuple[str, bytes]]:
    """Return the places of a name. Four letters come up by chance in a signature, so they have to be a word."""
    sought = [form for name in names for form in forms(name)]
    words = {form: re.compile(rb"(?<![\w+/=])%s(?![\w+/=])" % form) for form in sought if re.fullmatch(rb"\w{4}", form)}
    return [
        (path, form)
        for path, data in everything(folder)
        for form in sought
        if (words[form].search(data) if form in words else form in data)
    ]


@pytest.fixture
def season(run: Run, tmp_path: Path) -> Run:
    (tmp_path / "format.toml").write_text(FORMAT)
    run("new year.season --format format.toml")
    run(f"hall year.season East {printed(EAST)}")
    return run


@pytest.mark.parametrize(("private", "names"), [(PRIVATE, "everybody"), ((), IN_HALL)])
def test_no_byte_that_leaves_the_hall_has_a_name_that_is_withheld(
    season: Run, wallwright: Wallwright, tmp_path: Path, private: tuple[str, ...], names: str
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    for number, name in enumerate(("a", "b")):
        played(tmp_path, name, 3 * number, private, names)
        wallwright(f"event extract {name}.journal out/{name}.extract")
        season(f"add year.season out/{name}.extract")
    hidden = PRIVATE if private else NAMES
    assert "张伟" in wallwright("event players list a.journal").out, "the hall's own desk sees it"
    season("publish year.season out/site")
    for form in ("csv", "json"):
        season(f"export year.season standings --format {form} --to out/list.{form}")
    with season_server("year.season") as address:
        persons = [str(path.relative_to(out / "site")) for path in (out / "site/api/persons").iterdir()]
        assert len(persons) == len(NAMES)
        for path in ("index.html", "api/standings.json", "api/persons.json", "feed.atom", *persons):
            with urlopen(f"{address}/{path}") as answer:
                (out / path.replace("/", "-")).write_bytes(answer.read())
    assert leaks(out, hidden) == []
    assert leaks(tmp_path / "year.season.days", hidden) == []
    shown = (out / "a.extract").read_text()
    assert all((name in shown) == (name not in hidden) for name in NAMES)

    # In each language a name that is withheld is called so wherever a page has a name.
    site = out / "site"
    for folder, called, other in ((site, "Name withheld", "姓名保密"), (site / "zh", "姓名保密", "Name withheld")):
        kinds = {"index": [folder / "index.html"]}
        kinds |= {name: sorted((folder / name).glob("*.html")) for name in ("days", "persons")}
        for pages in kinds.values():
            text = "".join(page.read_text() for page in pages)
            found = {int(number) for number in re.findall(rf"{called} (\d+)", text)}
            assert found == {number for number, name in enumerate(NAMES, 1) if name in hidden}
            assert other not in text

    # Who it is stays known, by the id, on both days.
    (row,) = [row for row in rows(season("standings year.season --json")) if row["person"] == "K2"]
    assert row["name"] == stand_for(2)
    assert all(row[f"day_{number}"] for number in (1, 2))
    assert "2016-09-03" in season("explain year.season K2").out
    assert rows(season("persons list year.season --search 'withheld 2' --json"))[0]["person"] == "K2"
    assert "Name withheld" not in season("persons propose year.season").out
    season("verify year.season")
    season("check out/a.extract --journal a.journal")
    data = (out / "a.extract").read_bytes()
    checked = check_extract(data, "a")
    assert rebuild("a.journal", read(data, "a").extract, EAST) == data
    there = {one.number: (one.name, one.private) for one in checked.day.players}
    assert there[1] == (stand_for(1), True)
    assert there[8] == ((NAMES[7], False) if private else (stand_for(8), True))
    # The standings are those of the journal, whose desk knows the names.
    state = read_event("a.journal")
    assert state.players[2].name == "张伟"


def test_a_list_without_private_names_has_the_seed_of_its_draw_and_one_with_them_has_not(tmp_path: Path) -> None:
    """Seed and commitment would tell whoever tries names which one fits."""
    for name, private in (("open", ()), ("kept", PRIVATE)):
        played(tmp_path, name, 0, private)
    seeds = {}
    for name in ("open", "kept"):
        signed = read(make_extract(str(tmp_path / f"{name}.journal"), EAST), name)
        said = [*signed.extract.entries, *signed.extract.stated]
        seeds[name] = [one.body["seed"] for one in said if one.kind == records.DrawRevealed.KIND]
    assert seeds == {"open": [bytes(range(32)).hex()], "kept": [""]}


def test_a_name_that_is_withheld_later_takes_a_new_extract_and_the_organiser_s_word(
    season: Run, wallwright: Wallwright, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    played(tmp_path, "a", 0, ())
    wallwright("event extract a.journal before.extract")
    season("add year.season before.extract")
    wallwright("event players privacy a.journal 'Mary Quillfeather' private --reason 'has asked for it'")
    assert "is withheld already" in wallwright("event players privacy a.journal 3 private --reason x", 6).err
    wallwright("event extract a.journal out/after.extract")
    assert "give a --reason" in season("add year.season out/after.extract", 6).err
    season("add year.season out/after.extract --reason 'a name is withheld'")
    assert "Mary Quillfeather" in season("days year.season 2016-09-03").out, "the organiser sees what has changed"
    season("publish year.season out/site")
    assert leaks(out, ("Mary Quillfeather",)) == []
    assert [one["change"] for one in rows(wallwright("event players list a.journal --changes --json"))] == ["private"]
    season("verify year.season")
    # It is shown again when that was a mistake.
    wallwright("event players privacy a.journal 3 public --reason 'was a mistake'")
    wallwright("event extract a.journal again.extract")
    season("add year.season again.extract --reason 'the name may be shown'")
    assert "Mary Quillfeather" in season("standings year.season").out


def test_a_list_says_whose_name_is_withheld(wallwright: Wallwright, tmp_path: Path) -> None:
    found = read_players("name,private\nAnn,yes\nBo,\n张伟,是\nEve,No\n", "x").checked("x")
    assert [one.private for one in found.players] == [True, False, True, False]
    (problem,) = read_players("name,private\nAnn,perhaps\nBo,\nCy,\nEve,\n", "x").problems
    assert str(problem) == "line 2: whether the name is private is said by yes or no, not by 'perhaps'"
    (tmp_path / "players.csv").write_text("name,private\nAnn Lee,yes\nBo,\nCy,\nEve,no\n")
    wallwright("event new day.journal")
    wallwright("event players import day.journal players.csv")
    wallwright("event players add day.journal Gus --private")
    wallwright("event players rename day.journal 1 'Ann Li' --reason misspelt")
    listed = rows(wallwright("event players list day.journal --json"))
    assert [row["name"] for row in listed if row.get("private")] == ["Ann Li", "Gus"]


_WORDS = st.text("abcdéßsＡﬁ 张伟李Z'-.", min_size=1, max_size=9).map(str.strip).filter(bool)


@given(
    st.lists(st.tuples(_WORDS, st.booleans()), min_size=1, max_size=8, unique_by=lambda one: same_key(one[0])),
    st.data(),
)
def test_no_list_has_a_withheld_name_and_every_other_one_stays(
    listed: list[tuple[str, bool]], data: st.DataObject
) -> None:
    given_players = [Player(number, name, private=private) for number, (name, private) in enumerate(listed, 1)]
    said = records.PlayersImported(roster=Roster(tuple(given_players)).listed(), source="x", by="x")
    entry = Entry.of(1, 1, None, None, None, said.KIND, plain(said))
    state = EventState()
    state.roster = Roster(tuple(given_players))
    withheld = Withheld(state, [entry])
    order = data.draw(st.permutations(given_players))
    earlier = {"roster": {"players": [{"number": at, "name": one.name} for at, one in enumerate(order)]}}
    told = withheld.hide(said, earlier)["roster"]["players"]
    assert [one["name"] for one in told] == [stand_for(one.number) if one.private else one.name for one in order]
    for one in given_players:
        if one.private:
            assert f"; {one.name}," not in withheld.text(f"; {one.name}, who came late")
