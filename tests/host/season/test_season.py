"""`wallwright season`: days of two halls, each command as people type it, and all that is refused."""

import json
import shutil
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.host.journal.conftest import tamper
from tests.host.season.halls import EAST, STRANGER, WEST, Run, day, extract, printed, rows
from tests.host.season.serving import season_server
from tests.host.season.test_formats import CHENGDU
from wallwright.event import setup
from wallwright.event.store import read_event
from wallwright.journal import Journal, read_journal
from wallwright.journal.entry import Entry
from wallwright.journal.kinds import plain
from wallwright.journal.kinds.season import DayAdded
from wallwright.season.days import facts_of
from wallwright.season.desk import read_season
from wallwright.season.extract import make_extract
from wallwright.season.extract_check import check_extract
from wallwright.season.extract_file import read, sign
from wallwright.season.persons import People
from wallwright.season.qualifiers import qualifiers
from wallwright.season.standings import standings
from wallwright.season.state import SeasonState


def test_the_list_is_the_sum_of_the_best_days_as_somebody_adds_them_up(full: Run, made: Path) -> None:
    worth: dict[str, list[Fraction]] = {}
    for name in ("one", "two", "three", "four"):
        found = check_extract((made / f"{name}.extract").read_bytes(), name).day
        ids = {one.number: one.id for one in found.players}
        for row in found.standings:
            worth.setdefault(ids[row.player], []).append(row.total)
            # The day's own rule: the best four of five sessions (SBR-9.2).
            assert row.total == sum(sorted(one.points for one in row.scores)[1:])
    totals = {person: sum(sorted(days)[-2:]) for person, days in worth.items()}
    listed = rows(full("standings year.season --json"))
    assert {str(row["person"]): Fraction(str(row["total"])) for row in listed} == totals
    assert [Fraction(str(row["total"])) for row in listed] == sorted(totals.values(), reverse=True)
    assert [row["rank"] for row in listed] == list(range(1, 17))


def test_a_league_counts_places_at_home_and_away(run: Run, tmp_path: Path, made: Path) -> None:
    (tmp_path / "league.toml").write_text('base = "league"\nbest_home = 1\nbest_away = 1\n')
    run("new year.season --format league.toml")
    for name, key in (("East", EAST), ("West", WEST)):
        run(f"hall year.season {name} {printed(key)}")
    shares = [12, 9, 7, 5, 4, 3, 2, 1]
    worth: dict[str, list[tuple[str, Fraction]]] = {}
    for name in ("one", "two", "three", "four"):
        run(f"add year.season {name}.extract")
        found = check_extract((made / f"{name}.extract").read_bytes(), name).day
        ids = {one.number: one.id for one in found.players}
        ranks = sorted(row.rank or 0 for row in found.standings)
        for row in found.standings:
            # All who are equal take the places from the first of theirs on, and share what these give.
            places = [place for place, rank in enumerate(ranks) if rank == row.rank]
            share = Fraction(sum(shares[place] for place in places), len(places))
            worth.setdefault(ids[row.player], []).append((found.hall, share))
    wanted = {}
    for person, days in worth.items():
        home = [value for hall, value in days if hall == days[0][0]]
        away = [value for hall, value in days if hall != days[0][0]]
        wanted[person] = max(home, default=Fraction(0)) + max(away, default=Fraction(0))
    listed = rows(run("standings year.season --json"))
    assert {str(row["person"]): Fraction(str(row["total"])) for row in listed} == wanted
    for line in listed:
        mine = [str(line[f"day_{number}"]) for number in range(1, 5)]
        assert sum((Fraction(one) for one in mine if one and one[0] != "("), Fraction(0)) == Fraction(
            str(line["total"])
        )


def test_a_season_for_ratings_alone_has_no_list_and_rates_every_day(run: Run) -> None:
    run("new year.season --format rating-only")
    for name, key in (("East", EAST), ("West", WEST)):
        run(f"hall year.season {name} {printed(key)}")
    for name in ("one", "two", "three", "four"):
        run(f"add year.season {name}.extract")
    assert rows(run("standings year.season --json")) == []
    assert rows(run("qualifiers year.season --json")) == []
    (found,) = rows(run("rating year.season --json"))
    assert (found["days"], len(found["rated"])) == (4, 16)


def test_each_day_sends_its_best_and_the_list_the_rest(full: Run) -> None:
    found = rows(full("qualifiers year.season --json"))
    listed = [row["person"] for row in rows(full("standings year.season --json"))]
    assert [row["number"] for row in found] == list(range(1, 10))
    by_day = [row for row in found if row["by"] == "day"]
    assert sorted(row["day"] for row in by_day) == ["2016-09-03", "2016-09-03", "2016-09-05", "2016-09-12"]
    rest = [person for person in listed if person not in {row["id"] for row in by_day}]
    assert [row["id"] for row in found if row["by"] == "list"] == rest[:5]


def test_whoever_asks_is_led_down_to_the_deal(full: Run, made: Path) -> None:
    leader = rows(full("standings year.season --json"))[0]
    told = full(f"explain year.season {leader['person']}").out
    assert f"= {leader['total']}, rank 1." in told
    state = read_season("year.season")
    person = People(state).by_key[str(leader["person"])]
    for day_of, result in person.days:
        deals = rows(full(f"explain year.season {person.key} --day {day_of.date} --json"))
        assert [row["session"] for row in deals] == sorted([*range(1, 6)] * 2)
        sessions = [sum(row["points"] for row in deals if row["session"] == n) for n in range(1, 6)]
        assert sum(sorted(sessions)[1:]) == int(result.total)
    assert "nobody is called" in full("explain year.season Nobody", 6).err
    assert "several persons are called 'Player'" in full("explain year.season Player", 6).err


def test_all_of_it_is_verified_and_a_changed_extract_is_found(full: Run, tmp_path: Path) -> None:
    assert "4 days hold" in full("verify year.season").out
    checked = full("check one.extract --journal one.journal").out
    assert "the journal makes the same" in checked
    shutil.copy(tmp_path / "one.journal", tmp_path / "forged.journal")
    tamper(str(tmp_path / "forged.journal"), ("UPDATE entries SET at_ms = at_ms + 1 WHERE id = 1", ()))
    assert "entry 1 is not what was written" in full("check one.extract --journal forged.journal", 5).err
    kept = next((tmp_path / "year.season.days").iterdir())
    before = kept.read_bytes()
    kept.write_bytes(before.replace(b"Player", b"Prayer", 1))
    assert "it was changed after the hall signed it" in full("verify year.season", 1).out
    kept.unlink()
    assert "bring it back from a backup" in full("verify year.season", 1).out
    kept.write_bytes(before)
    full("verify year.season")
    with Journal(tmp_path / "year.season") as journal:
        body = next(read_journal(tmp_path / "year.season", kinds=["season_day_added"])).body
        body["day"]["results"][0]["total"] = "1000"
        journal.append("season_day_replaced", {"day": body["day"], "before": "x", "reason": "mine"}, at_ms=1)
    assert "does not say what the extract proves" in full("verify year.season", 1).out


def test_an_extract_is_fetched_from_where_it_is_published(full: Run) -> None:
    one = read_season("year.season").in_order()[0]
    full("new other.season --format format.toml")
    for name, key in (("East", EAST), ("West", WEST)):
        full(f"hall other.season {name} {printed(key)}")
    with season_server("year.season") as address:
        full(f"add other.season {address}/extracts/{one.day.extract}.json")
        said = full(f"add other.season {address}/extracts/{'0' * 64}.json", 2).err
        assert "cannot be fetched (Not Found)" in said
        assert "this is no extract" in full(f"add other.season {address}/index.html", 2).err
    assert "cannot be fetched" in full(f"add other.season {address}/extracts/{one.day.extract}.json", 2).err
    assert [day.day.extract for day in read_season("other.season").days.values()] == [one.day.extract]


def test_what_does_not_fit_is_refused_and_nothing_is_taken(season: Run, tmp_path: Path, made: Path) -> None:
    def refused(line: str, code: int, said: str) -> None:
        before = len(list(read_journal("year.season")))
        assert said in season(line, code).err
        assert len(list(read_journal("year.season"))) == before

    season("add year.season one.extract")
    refused("add year.season one.extract", 6, "is not counted twice")
    data = (made / "two.extract").read_bytes()
    points = json.loads(data)["extract"]["results"][0]["points"]
    forged = data.replace(json.dumps(points, separators=(",", ":")).encode(), b"[99,-33,-33,-33]", 1)
    (tmp_path / "forged.extract").write_bytes(sign(read(forged, "x").extract, WEST))
    refused("add year.season forged.extract", 2, "its proof does not hold")
    (tmp_path / "strange.extract").write_bytes(make_extract(str(made / "two.journal"), STRANGER))
    refused("add year.season strange.extract", 6, "which no hall of this season has")
    (tmp_path / "cut.extract").write_bytes(data[:-100])
    refused("add year.season cut.extract", 2, "this is no extract")
    refused("add year.season nothing.extract", 2, "nothing.extract")
    refused("add year.season one.extract --final", 6, "is not counted twice")
    refused("add year.season two.extract --final", 6, "seats were not drawn yet")
    refused("draw commit year.season", 6, "3 of 4 days are not there yet")
    refused("withdraw year.season 2017-01-01 --reason x", 6, "no day is called")

    # Somebody of day one, in the other hall on the same morning.
    both = day(tmp_path / "both.journal", range(8, 16), 0, "both")
    both.run()
    extract(both, WEST, tmp_path / "both.extract")
    refused("add year.season both.extract", 6, "Player 08 was in two halls at once")
    other = day(tmp_path / "other.journal", range(20, 28), 4, "other")
    other.event_format = replace(other.event_format, best_of=())
    other.run()
    extract(other, WEST, tmp_path / "other.extract")
    refused("add year.season other.extract", 6, "all of its sessions count, and in this season the best 4 of 5 do")
    rules = day(tmp_path / "rules.journal", range(20, 28), 4, "rules")
    rules.event_format = replace(rules.event_format, ruleset=replace(rules.event_format.sichuan, name="house"))
    rules.run()
    extract(rules, WEST, tmp_path / "rules.extract")
    refused("add year.season rules.extract", 6, "played by the rules house, and this season is for sichuan or chengdu")
    for name in ("two", "three", "four"):
        season(f"add year.season {name}.extract")
    fifth = day(tmp_path / "fifth.journal", range(20, 28), 4, "fifth")
    fifth.run()
    extract(fifth, WEST, tmp_path / "fifth.extract")
    refused("add year.season fifth.extract", 6, "has its 4 days")
    assert "holds no season" in season("standings nothing.season", 6).err


def test_a_journal_that_was_cut_or_forked_is_named_as_that(season: Run, tmp_path: Path) -> None:
    season("add year.season one.extract")
    entries = list(read_journal(tmp_path / "one.journal"))

    def write(name: str, kept: list[Entry], more: str = "") -> None:
        with Journal(tmp_path / name) as journal:
            with journal.batch():
                for entry in kept:
                    journal.append_entry(entry)
            if more:
                journal.append("note", {"text": more}, at_ms=1)
        (tmp_path / f"{name}.extract").write_bytes(make_extract(str(tmp_path / name), EAST))

    write("cut", entries[:-1])
    # The last entry made the last session final.
    assert "it comes late, or its journal was cut" in season("add year.season cut.extract", 6).err
    write("fork", entries[:-1], "another end")
    assert "this is a fork of Grand Prix of 2016-09-03" in season("add year.season fork.extract", 6).err
    write("longer", entries, "one more")
    assert "give a --reason" in season("add year.season longer.extract", 6).err
    season("add year.season longer.extract --reason 'a note was added'")
    assert len(read_season("year.season").days) == 1
    (tmp_path / "copied.extract").write_bytes(make_extract(str(tmp_path / "longer"), WEST))
    refused = season("add year.season copied.extract --reason 'it is ours'", 6).err
    assert "this has the id of Grand Prix of 2016-09-03, which East has played, and West has signed it" in refused
    (tmp_path / "day.journal").write_bytes((tmp_path / "one.journal").read_bytes()[:-8192])
    assert season("add year.season day.journal", 5).err.startswith("error: ")


def test_a_correction_takes_the_place_of_a_day_and_shows_what_it_changed(full: Run, tmp_path: Path) -> None:
    before = rows(full("standings year.season --json"))
    played = day(tmp_path / "four.journal", range(1, 9), 9, "four")
    sheet = check_extract((tmp_path / "four.extract").read_bytes(), "x").day.deals[0]
    played.correct(1, sheet.table, sheet.deal, (120, -40, -40, -40), "the hand was counted wrongly")
    extract(played, WEST, tmp_path / "four.extract")
    full("add year.season four.extract --reason 'an appeal was upheld'")
    told = rows(full("days year.season 2016-09-12 --json"))
    assert told[0]["what"] == f"session 1, table {sheet.table}, deal {sheet.deal}"
    assert told[0]["after"] == "+120 -40 -40 -40 (counts)"
    assert {row["reason"] for row in told} == {"an appeal was upheld"}
    assert rows(full("standings year.season --json")) != before
    full("verify year.season")


def test_the_final_is_drawn_played_and_listed(full: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full("draw commit year.season")
    assert "a seed was committed to already" in full("draw commit year.season", 6).err
    full("draw add year.season 'Ann Lee' '4 2 6'")
    assert "session 1, table 1:" in full("draw reveal year.season").out
    shown = json.loads(full("draw show year.season").out)
    assert len(shown["lots"]) == 9
    assert (tmp_path / "year.season").exists()
    assert not list(tmp_path.glob("year.season.main-seed-*"))
    found = rows(full("qualifiers year.season --json"))
    full("final year.season final.journal")
    final = day(tmp_path / "final.journal", range(1, 10), 60, "final")
    final.go_on()
    extract(final, EAST, tmp_path / "final.extract")
    other = day(tmp_path / "other.journal", range(1, 10), 60, "other")
    other.run(3)
    extract(other, EAST, tmp_path / "other.extract")
    assert "are not those that were drawn" in full("add year.season other.extract --final", 6).err
    drawn = setup.transcript(read_event("final.journal"), "main").record()
    assert drawn == shown
    assert setup.plans_agree(read_event("final.journal"), "main")
    full("final year.season twin.journal")
    twin = day(tmp_path / "twin.journal", range(1, 10), 61, "twin")
    twin.go_on()
    extract(twin, EAST, tmp_path / "twin.extract")
    full("draw commit year.season --reason 'second thoughts'")
    assert "another draw of the final's seats is begun" in full("final year.season again.journal", 6).err
    full("add year.season final.extract --final")
    assert "the final was played; its seats stay" in full("draw reveal year.season", 6).err
    assert "for a reason" in full("draw withdraw year.season", 6).err
    assert "were drawn before stay" in full("draw withdraw year.season --reason 'it was played'").out
    assert json.loads(full("draw show year.season").out) == shown
    kept = sorted(tmp_path.glob("year.season.days/*"))
    assert "the season has its final" in full("add year.season twin.extract --final", 6).err
    assert sorted(tmp_path.glob("year.season.days/*")) == kept, "nothing of it is taken"
    listed = rows(full("standings year.season --json"))
    assert [row["rank"] for row in listed[:9]] == sorted(row["rank"] for row in listed[:9])
    assert {row["person"] for row in listed[:9]} == {row["id"] for row in found}
    # It counts for nothing else.
    assert len(rows(full("days year.season --json"))) == 5
    assert len(listed) == 9 + 16
    full("verify year.season")
    assert "the final was played" in full("draw commit year.season --reason again", 6).err


def test_a_final_waits_until_all_days_are_final(season: Run, tmp_path: Path) -> None:
    for name in ("one", "two", "three"):
        season(f"add year.season {name}.extract")
    open_day = day(tmp_path / "open.journal", range(1, 9), 12, "open")
    open_day.run(finalise=False)
    extract(open_day, EAST, tmp_path / "open.extract")
    season("add year.season open.extract")
    assert "not yet final: Grand Prix of 2016-09-15" in season("draw commit year.season", 6).err


def entries_of(made: Path) -> list[dict[str, Any]]:
    names = ("one", "two", "three", "four")
    days = [check_extract((made / f"{name}.extract").read_bytes(), name).day for name in names]
    return [plain(DayAdded(day=facts_of(one))) for one in days]


def told(bodies: list[tuple[str, dict[str, Any]]]) -> object:
    """What a season comes to."""
    entries = [("season_created", {"format": CHENGDU}), *bodies]
    state = SeasonState().apply_all(
        Entry.of(number, 0, None, None, None, kind, body) for number, (kind, body) in enumerate(entries, 1)
    )
    people = {key: one.days for key, one in People(state).by_key.items()}
    return standings(state), qualifiers(state), people


def test_the_order_of_days_changes_nothing(made: Path) -> None:
    added = [("season_day_added", body) for body in entries_of(made)]
    assert len({repr(told(list(order))) for order in permutations(added)}) == 1


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_taking_a_day_out_and_adding_it_again_is_as_if_nothing_had_happened(made: Path, data: st.DataObject) -> None:
    days = entries_of(made)
    steps: list[tuple[str, dict[str, Any]]] = [("season_day_added", body) for body in days]
    before = told(steps)
    for body in data.draw(st.lists(st.sampled_from(days), max_size=6)):
        steps.append(("season_day_withdrawn", {"day": body["day"]["day"], "reason": "x"}))
        steps.append(("season_day_added", body))
    assert repr(told(steps)) == repr(before)
