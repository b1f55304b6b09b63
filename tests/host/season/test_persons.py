"""`wallwright season persons`: ids, names, merges and splits, each said by a person and taken back by one."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.host.season.conftest import FORMAT
from tests.host.season.halls import EAST, WEST, Run, day, extract, printed, rows
from wallwright.console.qr import path_of
from wallwright.event.player_lists import read_players
from wallwright.season.desk import read_season
from wallwright.season.persons import People

NAMES = {
    1: ["Zhang Wei", "Li Wenlong", "Vitaly Novikov", "Ann Lee", "Ann Lee2", "Bo", "Cy", "Dee"],
    2: ["张伟", "Li Wen Long", "Vitaly Novikow", "Ann Lee", "Eve", "Finn", "Gus", "Hal"],
}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two days: on the first some have ids, on the second nobody has, and names are written otherwise."""
    folder = tmp_path_factory.mktemp("names")
    for number, (key, date) in enumerate(((EAST, 0), (WEST, 3)), 1):
        played = day(folder / f"{number}.journal", range(1, 9), date, f"names {number}", ids=False)
        played.players = tuple(
            replace(one, name=name, id=f"MIL-{one.number}" if number == 1 and one.number < 4 else "")
            for one, name in zip(played.players, NAMES[number], strict=True)
        )
        played.run(1)
        extract(played, key, folder / f"{number}.extract")
    return folder


@pytest.fixture
def season(run: Run, tmp_path: Path, made: Path) -> Run:
    (tmp_path / "format.toml").write_text(FORMAT)
    run("new year.season --format format.toml")
    run(f"hall year.season East {printed(EAST)}")
    run(f"hall year.season West {printed(WEST)}")
    for number in (1, 2):
        shutil.copy(made / f"{number}.extract", tmp_path)
        run(f"add year.season {number}.extract")
    return run


def people(season: Run) -> dict[str, dict[str, Any]]:
    return {row["person"]: row for row in rows(season("persons list year.season --json"))}


def test_nobody_is_taken_for_somebody_else_because_of_a_name(season: Run) -> None:
    found = people(season)
    assert len(found) == 16
    assert sorted(row["name"] for row in found.values()).count("Ann Lee") == 2
    assert {"MIL-1", "MIL-2", "MIL-3"} < set(found)
    assert len(rows(season("standings year.season --json"))) == 16


def test_names_that_are_alike_are_proposed_and_nothing_else_is_done(season: Run) -> None:
    found = rows(season("persons propose year.season --json"))
    pairs = {(row["name"], row["other_name"]) for row in found} | {(row["other_name"], row["name"]) for row in found}
    for one, other in (
        ("Zhang Wei", "张伟"),
        ("Li Wenlong", "Li Wen Long"),
        ("Vitaly Novikov", "Vitaly Novikow"),
        ("Ann Lee", "Ann Lee"),
    ):
        assert (one, other) in pairs
    assert ("Ann Lee", "Ann Lee2") in pairs  # of the other day; those of one day are two persons
    assert all(row["person"][:8] != row["other"][:8] for row in found)
    assert not {"Bo", "Cy", "Eve"} & {name for pair in pairs for name in pair}
    assert [row["alike"] for row in found] == sorted((row["alike"] for row in found), reverse=True)
    assert len(people(season)) == 16


def test_a_merge_is_said_by_somebody_and_taken_back(season: Run) -> None:
    second = next(key for key, row in people(season).items() if row["name"] == "张伟")
    before = rows(season("standings year.season --json"))
    assert "give one" in season(f"persons merge year.season MIL-1 {second}", 6).err
    done = season(f"persons merge year.season MIL-1 {second} --reason 'I know him' --json").record
    assert (done["person"], done["days"]) == ("MIL-1", 2)
    found = people(season)
    assert len(found) == 15
    assert (found["MIL-1"]["name"], found["MIL-1"]["other_names"]) == ("张伟", "Zhang Wei")
    assert "Names as written: 张伟, Zhang Wei" in season("explain year.season MIL-1").out
    assert "is one person already" in season(f"persons merge year.season MIL-1 {second} --reason x", 6).err
    (row,) = rows(season("persons changes year.season --json"))
    assert (row["entry"], row["what"], row["reason"]) == (done["entry"], "merged", "I know him")
    assert sorted(row["who"].split(", ")) == sorted(["MIL-1", second])
    season(f"persons undo year.season {done['entry']} --reason 'it was his brother'")
    assert rows(season("standings year.season --json")) == before
    assert "no merge and no split that stands" in season(f"persons undo year.season {done['entry']} --reason x", 6).err
    season("verify year.season")


def test_two_of_one_day_are_two_persons(season: Run) -> None:
    assert "sat at the tables of one day" in season("persons merge year.season MIL-1 MIL-2 --reason x", 6).err
    assert "several persons are called 'Ann Lee'" in season("persons merge year.season 'Ann Lee' Bo --reason x", 6).err


def test_a_badge_that_somebody_else_had_is_split_off(season: Run) -> None:
    first = read_season("year.season").in_order()[0].day
    done = season("persons split year.season 2016-09-03 1 --reason 'his brother played' --json").record
    assert done["person"] == f"{first.day[:8]}/1"
    (row,) = rows(season("persons changes year.season --json"))
    assert (row["entry"], row["what"], row["reason"]) == (done["entry"], "split", "his brother played")
    assert row["who"] == f"player 1 of {first.day[:8]} is {first.day[:8]}/1"
    assert "MIL-1" not in people(season)
    assert "has no player 99" in season("persons split year.season 2016-09-03 99 --reason x", 6).err
    season(f"persons undo year.season {done['entry']} --reason 'it was him'")
    assert "MIL-1" in people(season)
    second = next(key for key, row in people(season).items() if row["name"] == "Eve")
    season(f"persons split year.season 2016-09-03 1 {second} --reason 'Eve had his badge'")
    state = read_season("year.season")
    assert People(state).of(first.day, 1) == second
    assert len(People(state).by_key[second].days) == 2


def test_chinese_names_are_found_by_their_sounds(season: Run) -> None:
    for text in ("zhangwei", "zhang wei", "zw", "张", "伟"):
        found = {row["name"] for row in rows(season(f"persons list year.season --search '{text}' --json"))}
        assert "张伟" in found, text
    assert rows(season("persons list year.season --search mil-2 --json"))[0]["name"] == "Li Wenlong"
    assert rows(season("persons list year.season --search nobody --json")) == []


def test_badges_have_keys_of_their_own_that_lists_take(season: Run, tmp_path: Path) -> None:
    keys = season("persons badges badges.html --count 6 --json").record["keys"]
    assert isinstance(keys, list)
    page = (tmp_path / "badges.html").read_text()
    assert len(set(keys)) == 6
    for key in keys:
        size, path = path_of(key)
        assert f'viewBox="0 0 {size} {size}"' in page
        assert page.count(path) == 1
        assert page.count(f"<code>{key}</code>") == 1
    assert "badges.html" in season("persons badges badges.html", 2).err
    found = read_players("name,id\n" + "".join(f"P{n},{key}\n" for n, key in enumerate(keys)), "x").checked("x")
    assert [one.id for one in found.players] == keys
