"""The hall of `serve --demo --game`: tables set to the game, deals of bots, and the tournament that they are told."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import pytest

from tests.host.console.test_serve import started
from tests.host.fleet.served import until
from tests.host.programs import RUNNER
from wallwright.clocks import wall_ms
from wallwright.console.demo import hall as demo_hall
from wallwright.console.demo.hall import DemoHall
from wallwright.console.tournament.book import Book
from wallwright.event import running, setup
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.standings import standings
from wallwright.event.state import EventState
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.journal import Entry, Journal, read_journal
from wallwright.journal.replay import replay_entries
from wallwright.journal.rolls import WRONG, check_dice
from wallwright.rules.core.registry import find_game

TABLES = 2
SETS = {"hong-kong": (136, 3), "balsall": (144, 3), "cumberland": (144, 2)}


class Opened(NamedTuple):
    """A hall before anybody has come, and its journal."""

    game: str
    hall: DemoHall
    entries: list[Entry]
    state: EventState


@pytest.fixture(scope="module", params=SETS)
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(demo_hall, "TABLES", TABLES)
        with DemoHall(tmp_path_factory.mktemp("hall"), 3, request.param) as hall:
            entries = list(read_journal(hall.config.journal))
            yield Opened(request.param, hall, entries, EventState().apply_all(entries))


def of_kind(opened: Opened, kind: str) -> list[dict[str, Any]]:
    return [dict(entry.body) for entry in opened.entries if entry.kind == kind]


@pytest.mark.slow
def test_the_tables_are_set_to_the_game_and_their_deals_count(opened: Opened) -> None:
    tiles, dice = SETS[opened.game]
    assert {2 * sum(one["fields"]["stacks"]) for one in of_kind(opened, "build_done")} == {tiles}
    assert {one["fields"]["wash_s"] for one in of_kind(opened, "build_done")} == {60}
    rolls = check_dice(opened.entries)
    assert (rolls.count(WRONG), {len(roll.dice) for roll in rolls.rolls}) == (0, {dice})
    assert opened.state.notes == []
    assert opened.state.format is not None
    assert opened.state.format.game.name == opened.game
    results = of_kind(opened, "deal_result")
    assert len(results) >= 4
    game = find_game(opened.game)
    for result in results:
        settled = game.settle(result["record"])
        assert (settled["points"], game.next_deal(result["record"], settled)) == (result["points"], result["kept"])
    assert sum(len(sheet.counted()) for sheet in opened.state.sessions[1].tables) == len(results)
    shown = standings(opened.state)
    assert sum(row.points for row in shown.rows) == sum(sum(result["points"]) for result in results)
    assert replay_entries(opened.entries).agrees


@pytest.mark.slow
def test_every_act_of_a_deal_has_its_time(opened: Opened) -> None:
    cut: dict[tuple[str | None, int], int] = {}
    for entry in opened.entries:
        if entry.kind == "dice_rolled" and entry.body["fields"]["purpose"] == "cut":
            cut[entry.unit, entry.body["fields"]["deal"]] = entry.body["time_ms"]
        elif entry.kind == "deal_moves":
            times = entry.body["times"]
            assert times == sorted(times)
            assert cut[entry.unit, entry.body["deal"]] < times[0]
            after = cut.get((entry.unit, entry.body["deal"] + 1))
            assert after is None or times[-1] < after


@pytest.mark.slow
def test_winners_move_where_the_format_says_so(opened: Opened) -> None:
    moved = of_kind(opened, "winners_moved")
    assert [one["deal"] for one in moved] == (list(range(1, len(moved) + 1)) if opened.game == "cumberland" else [])
    played = [len(sheet.deals) for sheet in opened.state.sessions[1].tables]
    if opened.game == "cumberland":
        assert max(played) - min(played) <= 1, "all play their deals together (CUM-8.2)"
        assert len(moved) >= 2


@pytest.mark.slow
def test_the_hands_of_the_last_deal_are_shown(opened: Opened) -> None:
    results = [one for one in of_kind(opened, "deal_result") if one["hu"]]
    assert results
    plays = [opened.hall._play[name] for name in ("A1", "A2")]
    last = [play.last for play in plays if play.last is not None]
    assert last
    for one in last:
        seats = {hand.seat for hand in one.hands}
        assert seats == set(range(4) if opened.game == "cumberland" and one.winners else one.winners)


@pytest.mark.slow
def test_the_page_of_a_table_shows_the_game_that_is_played_there() -> None:
    arguments = ("--demo", "--game", "balsall", "--seed", "5")
    with started(*arguments) as (_, address), httpx2.Client(base_url=address, timeout=60) as client:

        def tables() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = client.get("/api/v1/hall").json()["tables"]
            return found

        until(lambda: all(table["is_connected"] for table in tables()))
        walls = [table["wall"] for table in tables() if table["wall"] and table["wall"]["dice"]]
        assert len(walls) > 4
        for wall in walls:
            assert (wall["plan"], len(wall["dice"]), wall["washed_s"]) == ([18, 18, 18, 18], 3, 60)
        # A table whose next walls are being built says it when they are up, and people lower others meanwhile.
        said = "60 s, before these walls were built"
        until(lambda: any(said in client.get(f"/tables/{one['name']}").text for one in tables() if one["wall"]))
        event = client.get("/api/v1/event").json()
        assert event["name"] == "Balsall evening"
        assert sum(sheet["deals"] for sheet in event["sessions"][0]["tables"]) > 24
        for place in ("/screen", "/event/sessions/1/tables/2", "/event/sessions/1", "/event/standings"):
            assert client.get(place).status_code == 200, place


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--demo", "--game", "bridge"), "'bridge' is no ruleset: use cumberland, balsall, hong-kong"),
        (("--config", "hall.toml", "--game", "balsall"), "give it with --demo"),
    ],
)
def test_a_game_that_cannot_be_shown_is_one_line(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    run = RUNNER.finish("serve", *arguments, cwd=tmp_path)
    assert (run.returncode, run.stderr.count("\n")) == (2, 1)
    assert said in run.stderr


def told(deal: int, winner: int) -> dict[str, Any]:
    """The result of a deal of Cumberland, as a table's host tells it."""
    hands = [{"points": 84 if seat == winner else 4} for seat in range(4)]
    record = {"ruleset": "cumberland", "east": 0, "round_wind": "S", "winner": winner, "by": "self_drawn"}
    record |= {"hands": hands, "hands_played": deal - 1, "first_dealer": 0}
    game = find_game("cumberland")
    settled = game.settle(record)
    won = {"seat": winner, "by": "self_drawn", "from": None, "false": False, "value": 84}
    body = {"deal": deal, "end": "win", "hands": (), "points": settled["points"], "payments": (), "penalties": ()}
    rest = {"kongs": (), "next_dealer": settled["next_dealer"], "kept": game.next_deal(record, settled)}
    return {**body, "hu": (won,), **rest, "record": record}


def test_winners_move_when_tables_have_told_the_last_result_that_was_missing(tmp_path: Path) -> None:
    """CUM-8.2, and no scorer has entered anything."""
    path = tmp_path / "hall.journal"
    with open_event(str(path), "dan", wall_ms, new=True) as desk:
        setup.create(desk, load_format("cumberland-evening"))
        setup.import_players(desk, Roster(tuple(Player(number, f"P{number}") for number in range(1, 9))), "a list")
        setup.commit_draw(desk, MAIN, b"s" * 32)
        setup.reveal_draw(desk, MAIN, b"s" * 32)
        for table in (1, 2):
            setup.bind_table(desk, table, f"T-{table}")
        running.open_session(desk, 1)
        running.start_session(desk, 1)
        one, other = (sheet.players for sheet in desk.session(1).tables)
    book = Book(str(path))
    for table, winner in ((1, 2), (2, 3)):
        with Journal(path) as journal:
            journal.append("deal_result", told(1, winner), at_ms=wall_ms(), unit=f"T-{table}")
        book.follow()
        moved = [entry.body for entry in read_journal(path, kinds=("winners_moved",))]
        assert len(moved) == table - 1, "they wait for each other"
    assert (moved[0]["deal"], moved[0]["by"]) == (1, "the tables")
    assert book.players_at(1, 1) == tuple(f"P{number}" for number in (one[0], one[1], other[3], one[3]))
    assert book.players_at(1, 2) == tuple(f"P{number}" for number in (other[0], other[1], other[2], one[2]))
    book.follow()
    assert len(list(read_journal(path, kinds=("winners_moved",)))) == 1, "once"
