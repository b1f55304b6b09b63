"""`wallwright season rating | totals | deals`: all deals as Parquet files and on PostgreSQL, and what is asked."""

import json
import shutil
from collections import Counter, defaultdict
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.host.postgresql import Server
from tests.host.season.halls import EAST, WEST, Run, day, extract, printed, rows
from wallwright.journal.kinds.season import PersonsMerged, PersonSplit
from wallwright.season import deal_files, deal_server
from wallwright.season.asking import asking
from wallwright.season.day import COUNTS
from wallwright.season.desk import open_season
from wallwright.season.extract_check import check_extract
from wallwright.season.tables import DEALS, GAMES_PLAYED

NAMES = ("one", "two", "three", "four")


def counted(made: Path) -> dict[str, Counter[str]]:
    """What everybody has played, added up deal by deal from the extracts."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for name in NAMES:
        here = check_extract((made / f"{name}.extract").read_bytes(), name).day
        ids = {one.number: one.id for one in here.players}
        sessions = set()
        for deal in here.deals:
            assert deal.kind == COUNTS
            for seat, (number, points) in enumerate(zip(deal.seats, deal.points, strict=True)):
                sessions.add((ids[number], deal.session))
                found[ids[number]].update(deals=1, won=seat in deal.winners, points=points)
        for number in {number for deal in here.deals for number in deal.seats}:
            found[ids[number]]["days"] += 1
        for person, _ in sessions:
            found[person]["sessions"] += 1
    return found


def test_totals_are_what_the_extracts_add_up_to_wherever_the_tables_are(
    full: Run, made: Path, postgresql: Server
) -> None:
    wanted = counted(made)
    listed = rows(full("totals year.season --json"))
    assert {
        row["person"]: Counter({name: row[name] for name in ("days", "sessions", "deals", "won", "points")})
        for row in listed
    } == wanted
    assert [row["points"] for row in listed] == sorted((one["points"] for one in wanted.values()), reverse=True)
    url = postgresql.schema()
    for line in ("totals", "deals 'Player 07'", "rating --held-out 1"):
        command, _, rest = line.partition(" ")
        on_disk = full(f"{command} year.season {rest} --json").out
        assert on_disk
        assert full(f"{command} year.season {rest} --json --database '{url}'").out == on_disk


def test_a_person_s_deals_lead_to_the_entries_that_say_them(full: Run, made: Path) -> None:
    listed = rows(full("deals year.season M07 --json"))
    wanted = []
    for name in NAMES:
        here = check_extract((made / f"{name}.extract").read_bytes(), name).day
        (number,) = [one.number for one in here.players if one.id == "M07"] or [0]
        wanted += [
            (here.date, here.id, deal.session, deal.table, deal.deal, deal.entry, deal.points[deal.seats.index(number)])
            for deal in sorted(here.deals, key=lambda one: one.entry)
            if number in deal.seats
        ]
    fields = ("date", "day", "session", "table", "deal", "entry", "points")
    assert [tuple(row[name] for name in fields) for row in listed] == wanted
    assert len(wanted) == 3 * 10
    # What `explain` says of the same day, from the extract itself.
    explained = rows(full("explain year.season M07 --day 2016-09-12 --json"))
    assert [row["points"] for row in explained] == [row["points"] for row in listed if row["date"] == "2016-09-12"]
    assert "nobody is called" in full("deals year.season Nobody", 6).err


def test_two_questions_at_once_get_all_of_their_answers(
    full: Run, postgresql: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (deal_files, deal_server):
        monkeypatch.setattr(module, "_FETCHED", 3)
    for database in ("", postgresql.schema()):
        with asking("year.season", database) as (_, tables):
            alone = list(tables.ask(DEALS))
            assert len(alone) == 4 * 2 * 10 * 4
            games = list(tables.ask(GAMES_PLAYED))
            assert len(games) == 4 * 10 * 4
            together = list(zip_longest(tables.ask(DEALS), tables.ask(GAMES_PLAYED)))
            assert together == list(zip_longest(alone, games))


def test_a_day_that_comes_costs_that_day_and_one_that_goes_takes_its_files(season: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        season(f"add year.season {name}.extract")
    season("totals year.season")
    tables = tmp_path / "year.season.tables"
    before = {path: path.stat().st_mtime_ns for path in tables.rglob("*") if path.is_file()}
    assert len(before) == 2 * 4
    season("add year.season three.extract")
    season("totals year.season")
    after = {path: path.stat().st_mtime_ns for path in tables.rglob("*") if path.is_file()}
    assert len(after) == 3 * 4
    assert {path: after[path] for path in before} == before
    played = day(tmp_path / "one.journal", range(1, 9), 0, "one")
    played.correct(1, 1, 1, (120, -40, -40, -40), "counted wrongly")
    extract(played, EAST, tmp_path / "one.extract")
    season("add year.season one.extract --reason 'an appeal'")
    points = {str(row["person"]): row["points"] for row in rows(season("totals year.season --json"))}
    assert len({path.parent for path in tables.rglob("*.parquet")}) == 3
    assert any(path not in before for path in tables.rglob("season_seats.parquet"))
    season("withdraw year.season 2016-09-05 --reason 'a fault'")
    assert len(rows(season("totals year.season --json"))) == 16
    # Whoever loses them makes them again.
    shutil.rmtree(tables)
    season("add year.season three.extract")
    assert {str(row["person"]): row["points"] for row in rows(season("totals year.season --json"))} == points


def test_who_is_who_changes_what_is_asked_and_no_file(full: Run, tmp_path: Path, made: Path) -> None:
    wanted = counted(made)
    full("totals year.season")
    day_one = check_extract((made / "one.extract").read_bytes(), "one").day
    with open_season("year.season", "me") as desk:
        desk.write(PersonsMerged(persons=("M01", "M09"), reason="one and the same"))
        desk.write(PersonSplit(day=day_one.id, player=2, person="M55", reason="somebody else"))
    points = {row["person"]: (row["points"], row["days"]) for row in rows(full("totals year.season --json"))}
    merged = wanted["M01"]["points"] + wanted["M09"]["points"]
    assert points["M01"] == (merged, wanted["M01"]["days"] + wanted["M09"]["days"])
    assert "M09" not in points
    assert points["M55"][0] + points["M02"][0] == wanted["M02"]["points"]
    assert "M09" not in full("rating year.season").out


def test_the_ratings_are_the_same_bytes_in_whatever_order_days_came(season: Run, tmp_path: Path) -> None:
    for name in NAMES:
        season(f"add year.season {name}.extract")
    first = season("rating year.season --json --held-out 2").out
    season("new other.season --format format.toml")
    season(f"hall other.season East {printed(EAST)}")
    season(f"hall other.season West {printed(WEST)}")
    for name in reversed(NAMES):
        season(f"add other.season {name}.extract")
    assert season("rating other.season --json --held-out 2").out == first
    told = json.loads(first)
    assert (told["game"], told["ruleset"], told["games"], told["days"]) == ("sichuan", "sichuan", 4 * 10, 4)
    assert {row["person"]: (row["games"], row["days"]) for row in told["rated"]}["M07"] == (15, 3)
    assert told["held_out"]["games"] == 20
    assert [row["rating"] for row in told["rated"]] == sorted((row["rating"] for row in told["rated"]), reverse=True)


def test_tables_with_a_stand_in_are_not_rated_and_are_counted(season: Run, tmp_path: Path) -> None:
    played = day(tmp_path / "nine.journal", range(1, 10), 20, "nine")
    played.run()
    found = check_extract(extract(played, EAST, tmp_path / "nine.extract").read_bytes(), "nine").day
    strange = {one.number for one in found.players if one.stand_in}
    assert len(strange) == 3
    tables = {(deal.session, deal.table): strange & set(deal.seats) for deal in found.deals}
    left_out = sum(map(bool, tables.values()))
    season("add year.season nine.extract")
    season("add year.season one.extract")
    told = json.loads(season("rating year.season --json").out)
    assert (told["games"], told["left_out"]) == (len(tables) - left_out + 10, left_out)
    assert f"Not rated: {left_out} tables of a session" in season("rating year.season").out


def test_what_was_foretold_is_said_and_plotted(full: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = full("rating year.season --held-out 2 --plot rating.svg").out
    assert "The last 2 days, 20 games, each foretold from the days before." in said
    assert said.count("foretell better than") == 2
    picture = (tmp_path / "rating.svg").read_bytes()
    assert picture.startswith(b"<svg")
    assert (tmp_path / "rating.svg").stat().st_mode & 0o077 == 0
    full("rating year.season --held-out 2 --plot again.svg")
    assert (tmp_path / "again.svg").read_bytes() == picture
    assert "days with rated games: 4; hold out fewer" in full("rating year.season --held-out 4", 2).err
    assert "--held-out" in full("rating year.season --plot rating.svg", 2).err


def test_what_cannot_be_is_refused(season: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Nobody has played a game yet." in season("rating year.season").out
    assert "write postgresql://USER@HOST/DATABASE" in season("rating year.season --database mysql", 2).err
    monkeypatch.setattr("wallwright.season.asking.find_spec", lambda name: None)
    assert "pip install 'wallwright[season]'" in season("rating year.season", 2).err
