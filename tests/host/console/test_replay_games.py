"""Finished deals of other games than Sichuan step by step: as a simulated table has told them, and as declared."""

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import DESK, PHONE, checks_passed, shown, visiting
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.console.test_pages import check_harmless
from wallwright.cli.demo import demo
from wallwright.console.replays.deals import Deals
from wallwright.console.replays.replay import END, START, Position
from wallwright.errors import BadDeal
from wallwright.journal import Entry, Journal, read_journal
from wallwright.rules.core.notation import format_deal, parse_deal
from wallwright.rules.core.registry import find_game
from wallwright.rules.core.tiles import copies_of, parse_tile, tile_name

SEEDS = {"hong-kong": 4, "cumberland": 6, "balsall": 2}
"""Of sessions with every kind of step in the first three deals; the second of Balsall is a goulash."""
DEALS = 6
SIZES = {"hong-kong": 136, "cumberland": 144, "balsall": 144}
CLAUSES = {"hong-kong": "HKO-6", "cumberland": "CUM-8.1", "balsall": "BAL-"}
"""A clause that the result of every deal that was won names."""
VERBS = {
    "hong-kong": {"draw", "discard", "pass", "chow", "pung", "own kong", "wins", "call"},
    "cumberland": {"draw", "discard", "pass", "chow", "pung", "own kong", "wins", "flower", "replace"},
    "balsall": {"draw", "discard", "pass", "chow", "pung", "wins", "flower", "replace", "give"},
}
"""What bots do in these deals, at the least."""


class Played:
    """Six deals of a game that bots have played at a simulated table, with the table's journal."""

    def __init__(self, game: str, path: Path) -> None:
        self.game = game
        self.path = path
        self.unit = f"SIM-{SEEDS[game]}"
        entries = list(read_journal(path))
        self.results: list[Entry] = [one for one in entries if one.kind == "deal_result"]
        self.texts = [one.body["text"] for one in entries if one.kind == "deal_moves"]

    def without_moves(self, path: Path) -> Deals:
        """The deals as a table tells them that reads no tiles."""
        with Journal(path) as journal:
            for entry in read_journal(self.path):
                if entry.kind in ("deal_started", "deal_result"):
                    journal.append(entry.kind, entry.body, at_ms=entry.at_ms, unit=entry.unit)
        return Deals(path)


@pytest.fixture(scope="module", params=SIZES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    path = tmp_path_factory.mktemp(request.param) / "session.journal"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout.write", lambda _: 0)
        demo(game=request.param, deals=DEALS, seed=SEEDS[request.param], journal=path, as_json=True)
    return Played(request.param, path)


def tiles_at(position: Position) -> Counter[str]:
    """All tiles that are not in the wall; what was claimed lies among the discards as well."""
    found: Counter[str] = Counter()
    for seat in position.seats:
        assert seat.hand is not None
        found.update((*seat.hand, *seat.flowers, *seat.discards, *(() if seat.latest is None else (seat.latest,))))
        found.update(kind for meld in seat.melds for kind in meld)
    return found


def test_every_step_shows_all_tiles_of_the_set_once(played: Played) -> None:
    deals = Deals(played.path)
    seen: set[str] = set()
    for text, found in zip(played.texts, reversed(deals.of(played.unit)), strict=True):
        replay, told = deals.replay(found), parse_deal(text)
        assert [move.seat for move in replay.moves] == [None, *(act.seat for act in told.log), None]
        assert (replay.moves[0].verb, replay.moves[-1].verb) == (START, END)
        seen |= {move.verb for move in replay.moves[1:-1]}
        left, given = replay.at(0).wall_left, 0
        assert left == SIZES[played.game] - 53
        again = told.game.start(told.ruleset.asked(told.begin), told.dealt, told.deal.wall_size)
        for step, move in enumerate(replay.moves):
            if 0 < step <= len(told.log):
                again.apply(told.log[step - 1])
            position = replay.at(step)
            left -= move.verb in ("draw", "replace")
            assert position.wall_left == left
            given = 0 if move.handed else given + (move.verb == "give")
            claimed = Counter(kind for river in again.state.rivers for kind in river) - Counter(again.state.unclaimed)
            shown = tiles_at(position) - Counter(map(tile_name, claimed.elements()))
            assert shown.total() == SIZES[played.game] - left - given, (step, move)
            assert all(number <= copies_of(parse_tile(name)) for name, number in shown.items())
            if move.handed:
                assert {len(one.tiles) for one in move.handed} <= {1, 2, 3}, "BAL-8.3"
                assert {one.from_ for one in move.handed} == {one.to for one in move.handed} == {0, 1, 2, 3}
    assert seen >= VERBS[played.game]


def test_the_last_step_has_the_result_and_says_why(played: Played) -> None:
    deals, game = Deals(played.path), find_game(played.game)
    for result, found in zip(played.results, reversed(deals.of(played.unit)), strict=True):
        replay = deals.replay(found)
        end = replay.at(len(replay.moves) - 1)
        assert end.points == tuple(result.body["points"])
        assert replay.at(len(replay.moves) - 2).points is None
        settled: Any = game.settle(result.body["record"])
        said = "\n".join(map(str, end.lines))
        assert len(re.findall(r" pays? ", said)) >= len(settled["payments"])
        assert all(payment["clause"] in said for payment in settled["payments"])
        winners = {seat for seat in range(4) if end.seats[seat].has_won}
        assert winners == set(game.winners(result.body["record"]))
        if "round_wind" in result.body["record"]:
            assert any("Wind of the round" in str(fact) for fact in replay.facts)


def test_a_goulash_is_shown_with_its_six_exchanges(played: Played) -> None:
    """BAL-8.3: all lay down, then all hands change; it is one step that says who has got what."""
    if played.game != "balsall":
        return
    deals = Deals(played.path)
    replays = [deals.replay(found) for found in deals.of(played.unit)]
    goulashes = [replay for replay in replays if any("goulash" in str(fact) for fact in replay.facts)]
    assert len(goulashes) == 1
    [replay] = goulashes
    exchanges = [step for step, move in enumerate(replay.moves) if move.handed]
    assert len(exchanges) == 6
    for step in exchanges:
        before, after = replay.at(step - 1), replay.at(step)
        for handed in replay.moves[step].handed:
            got, had = after.seats[handed.to].hand, before.seats[handed.to].hand
            assert got is not None
            assert had is not None
            assert not Counter(handed.tiles) - Counter(got)
            assert len(got) >= len(had)


def test_a_declared_deal_shows_what_was_declared_and_the_hands(played: Played, tmp_path: Path) -> None:
    deals = played.without_moves(tmp_path / "declared.journal")
    for result, found in zip(played.results, reversed(deals.of(played.unit)), strict=True):
        replay = deals.replay(found)
        record = result.body["record"]
        winners = set(find_game(played.game).winners(record))
        end = replay.at(len(replay.moves) - 1)
        assert end.points == tuple(result.body["points"])
        assert {seat for seat in range(4) if end.seats[seat].has_won} == winners
        assert [move.verb for move in replay.moves].count("wins") == bool(winners)
        for seat in winners:
            shown = end.seats[seat]
            assert shown.hand is not None
            tiles = len(shown.hand) + sum(min(3, len(meld)) for meld in shown.melds)
            assert (tiles, shown.latest is not None) == (13, True)
            assert replay.at(0).seats[seat].hand is None, "no face before it was shown"
        if played.game == "cumberland" and winners:
            assert all(seat.hand is not None for seat in end.seats), "CUM-3.3: all four hands are shown"
        assert deals.record(found) == {
            key: value for key, value in record.items() if key not in ("ruleset", "options")
        }, "what a correction begins with"


@pytest.mark.parametrize(("language", "why"), [("en", "Why these points"), ("zh-CN", "得分的由来")])
def test_a_guest_is_shown_every_kind_of_step(played: Played, place: Place, language: str, why: str) -> None:
    place.site.deals = deals = Deals(played.path)
    guest = place.client()
    guest.headers["Accept-Language"] = language
    said = ""
    for found in deals.of(played.unit)[-3:]:
        replay = deals.replay(found)
        steps = {move.verb: step for step, move in enumerate(replay.moves)}
        handed = [step for step, move in enumerate(replay.moves) if move.handed]
        for step in (*steps.values(), *handed[:1]):
            page = guest.get(f"/replays/{found.entry}?step={step}")
            assert page.status_code == 200
            check_harmless(page.text)
            said += page.text
    assert why in said
    assert CLAUSES[played.game] in said
    if language != "en":
        english = ("lays out", "replacement", "claims", "gives away", "hands change", "Wind of the round", ">won<")
        assert not [text for text in english if text in said]


def test_moves_that_stop_before_the_end_are_refused(played: Played, tmp_path: Path) -> None:
    path = tmp_path / "cut.journal"
    told = parse_deal(played.texts[0])
    told.deal.undo()
    result = played.results[0]
    with Journal(path) as journal:
        journal.append("deal_result", result.body, at_ms=1, unit=played.unit)
        times = [None] * len(told.log)
        moves = {"deal": result.body["deal"], "text": format_deal(told), "times": times, "doubtful": [], "notices": []}
        journal.append("deal_moves", moves, at_ms=2, unit=played.unit)
    deals = Deals(path)
    with pytest.raises(BadDeal, match="do not reach its end"):
        deals.replay(deals.of(played.unit)[0])


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_a_deal_is_stepped_through_in_a_browser(
    browser: Browser, serving: Serving, played: Played, locale: str
) -> None:
    serving.place.site.deals = deals = Deals(played.path)
    wanted = {"hong-kong": ("chow", "wins"), "cumberland": ("flower", "replace"), "balsall": ("handed", "give")}
    for found in deals.of(played.unit):
        replay = deals.replay(found)
        steps = {move.verb: step for step, move in enumerate(replay.moves)}
        if handed := [step for step, move in enumerate(replay.moves) if move.handed]:
            steps["handed"] = handed[-1]
        if steps.keys() >= {"wins", *wanted[played.game]}:
            break
    last = len(replay.moves) - 1
    with visiting(browser, serving, "public", PHONE, locale) as page:
        for verb in (*wanted[played.game], END):
            page.goto(f"{serving.address}/replays/{found.entry}?step={steps[verb]}")
            expect(page.locator(".steps b")).to_have_text(f"{steps[verb]} / {last}")
            for size in (PHONE, DESK):
                page.set_viewport_size(size)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "wider than the screen"
                shown(page, f"replay-{played.game}-{verb}-{locale}-{size['width']}")
            assert checks_passed(page) > 10
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".steps b")).to_have_text(f"{last - 1} / {last}")
        page.wait_for_load_state()  # keys are heard once the page's scripts have run
        page.keyboard.press("ArrowRight")
        expect(page.locator("section .why").last).to_contain_text(CLAUSES[played.game])
