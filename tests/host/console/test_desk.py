"""The desk: which tables need somebody, in which order, and what is remembered of them."""

from dataclasses import replace

from structlog.testing import capture_logs

from tests.host.console.hall import Place
from tests.host.fleet.served import until
from wallwright.console.hall.desk import HISTORY
from wallwright.fleet.state import SEARCHING


def test_those_that_need_somebody_come_first_and_the_most_urgent_before_them(tmp_path) -> None:
    place = Place(tmp_path, "A1", "A2", "A3", "A4", "A5")
    fleet = place.fleet
    fleet.change("A1", state="lid_open")
    fleet.tables["A2"] = replace(fleet.tables["A2"], link=SEARCHING, problem="the cable is out")
    fleet.tell("A3", "referee_called", side=0)
    fleet.change("A5", state="fault", fault="tile_missing", fault_side=2)
    place.look()
    assert [(table.name, table.attention) for table in place.desk.view.attention] == [
        ("A5", "fault"),
        ("A3", "referee"),
        ("A2", "away"),
    ]
    place.clock.now_ms += 120_001
    place.look()
    assert [table.name for table in place.desk.view.attention] == ["A5", "A3", "A2", "A1"]
    fleet.change("A1", state="walls_up")
    place.look()
    assert [table.name for table in place.desk.view.attention] == ["A5", "A3", "A2"]


def test_a_fault_says_where_it_is_and_what_to_do(place: Place) -> None:
    place.fleet.change("A1", state="fault", fault="tile_missing", fault_side=2)
    place.look()
    [table] = place.desk.view.attention
    assert table.fault is not None
    assert (table.fault.name, table.fault.side) == ("tile_missing", 2)
    assert "floor" in table.fault.what_to_do
    assert table.may == ("clear_fault",)


def test_the_status_of_a_table_that_is_away_is_not_shown_as_its_state(place: Place) -> None:
    place.fleet.change("A1", state="building", drives=("disc",))
    place.fleet.tables["A1"] = replace(place.fleet.tables["A1"], link=SEARCHING)
    place.look()
    table = place.desk.view.tables[0]
    assert (table.state, table.moving, table.may) == ("searching", (), ())


def test_the_history_of_a_table_is_bounded_and_newest_first(place: Place) -> None:
    for seq in range(HISTORY + 10):
        place.fleet.tell("A1", "key_pressed", seq=seq, side=seq % 4, key="lift")
    place.look()
    history = place.desk.history("A1")
    assert len(history) == HISTORY
    assert history[0].fields["side"] == (HISTORY + 9) % 4
    assert place.desk.history("A2") == ()


def test_how_long_ago_a_table_was_heard_counts_from_its_last_status(place: Place) -> None:
    place.clock.now_ms += 5_000
    place.look()
    assert place.clock.now_ms - place.desk.view.tables[0].heard_ms == 5_000
    place.fleet.change("A1", uptime_ms=6_000)
    place.look()
    assert [place.clock.now_ms - table.heard_ms for table in place.desk.view.tables] == [0, 5_000]


def test_a_listener_with_a_bug_is_told_of_and_the_others_hear_on(tmp_path) -> None:
    place = Place(tmp_path)
    heard = []

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    place.desk.listen(broken)
    place.desk.listen(lambda view, _: heard.append(view.at_ms))
    with capture_logs() as logs:
        place.desk.start()
        place.fleet.tell("A1", "referee_called", side=0)
        until(lambda: bool(heard))
        so_far = len(heard)
        place.fleet.tell("A2", "referee_called", seq=2, side=0)
        until(lambda: len(heard) > so_far and len(place.desk.view.calls) == 2)
        place.fleet.news.end()
        place.desk.close()
    assert len(logs) >= 2
    assert {entry["log_level"] for entry in logs} == {"critical"}
    assert all("ZeroDivisionError" in entry["trace"] for entry in logs)
    place.accounts.close()
