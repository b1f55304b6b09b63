"""`wallwright demo --game`: every game at a simulated table, from the walls to the standings, with its journal."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer
from typer.testing import CliRunner

from tests.host.entries import altered
from wallwright.cli.demo import demo
from wallwright.cli.log import show
from wallwright.cli.log.export import replay
from wallwright.cli.program import app
from wallwright.journal import Entry, read_journal
from wallwright.journal.kinds.deals import DealStarted
from wallwright.journal.kinds.tables import TagAppeared, TagMoved, WallsUp
from wallwright.journal.rolls import WITH_HOST, WRONG, check_dice
from wallwright.journal.sealing import disclosed_keys, unsealed
from wallwright.rules.core.notation import parse_deal
from wallwright.rules.core.registry import find_game
from wallwright.tiles.enrolment import load_enrolment
from wallwright.tiles.verify import AGREES, verify_wall
from wallwright.tracking.zones import HANDS
from wallwright_simulator.simulation import attached

GAMES = ("hong-kong", "hong-kong-modern", "cumberland", "balsall")
DEALS = 6
SEED = 2
STACKS = {"hong-kong": 17, "hong-kong-modern": 17, "cumberland": 18, "balsall": 18}


class Played(NamedTuple):
    """What a session has printed and journalled."""

    game: str
    lines: list[dict[str, Any]]
    entries: list[Entry]
    path: Path


def play(capsys: pytest.CaptureFixture[str], game: str, deals: int, seed: int, journal: Path | None = None) -> str:
    demo(game=game, deals=deals, seed=seed, journal=journal, as_json=True)
    return capsys.readouterr().out


@pytest.fixture(scope="module", params=GAMES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Six deals of each game."""
    path = tmp_path_factory.mktemp(request.param) / "session.journal"
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout.write", said.append)
        demo(game=request.param, deals=DEALS, seed=SEED, journal=path, as_json=True)
    return Played(request.param, [json.loads(line) for line in said], list(read_journal(path)), path)


def test_each_line_is_settled_by_its_own_record(played: Played) -> None:
    game = find_game(played.game)
    assert [line["deal"] for line in played.lines] == list(range(1, DEALS + 1))
    for line in played.lines:
        assert line["plan"] == [STACKS[played.game]] * 4
        settled = game.settle(line["record"])
        assert settled["points"] == line["points"]
        assert settled["next_dealer"] == line["next_dealer"]
        assert game.next_deal(line["record"], settled) == line["kept"]
        if game.sums_to_zero(line["record"]) and not line["begin"].get("goulash"):
            assert sum(line["points"]) == 0
    assert 2 * sum(line["end"] == "win" for line in played.lines) >= DEALS


def test_the_tile_of_a_robbed_kong_is_the_winners_in_what_is_declared(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The pung stays a pung (CLA-3.8), and the hand of its owner is not long by the fourth tile. Few deals end so."""
    path = tmp_path / "session.journal"
    last = json.loads(play(capsys, "cumberland", 2, 271, path).splitlines()[-1])
    record = last["record"]
    assert (record["by"], record["from"], record["hands"][0]["standing"]) == ("robbed_kong", 0, "44567p34s")
    moves = [entry.body["text"] for entry in read_journal(path, kinds=("deal_moves",))][-1]
    assert parse_deal(moves).declared() == record


def test_the_wall_is_broken_by_the_dice_on_record(played: Played) -> None:
    for line in played.lines:
        dice = [throw["dice"] for throw in line["throws"]]
        asked = {"ruleset": played.game, "dealer": line["dealer"], "dice": dice if len(dice) > 1 else dice[0]}
        first: Any = find_game(played.game).break_wall(asked)["first"]
        assert line["break"] == {"seat": first[0], "indent": first[1] - 1}


def hong_kong_stays(line: dict[str, Any]) -> bool:
    """HKO-8.1."""
    return line["end"] == "wall" or line["dealer"] in line["winners"]


def balsall_stays(line: dict[str, Any]) -> bool:
    """BAL-8.5, BAL-8.6, BAL-9.2: whoever wins a goulash, the dice pass."""
    won = bool(line["winners"])
    return not won or (line["dealer"] in line["winners"] and not line["begin"]["goulash"])


STAYS: dict[str, Callable[[dict[str, Any]], bool]] = {
    "hong-kong": hong_kong_stays,
    "hong-kong-modern": hong_kong_stays,
    "cumberland": hong_kong_stays,  # CUM-8.1: after winning and after a stale hand
    "balsall": balsall_stays,
}


def test_dealers_rotate_as_the_clauses_say(played: Played) -> None:
    for line, after in zip(played.lines, played.lines[1:], strict=False):
        assert after["dealer"] == (line["dealer"] + (not STAYS[played.game](line))) % 4
        assert {**after["begin"], **line["kept"]} == after["begin"]
        if played.game == "balsall":
            assert after["begin"]["goulash"] == (not line["winners"]), "BAL-8.1"


def test_the_journal_alone_gives_every_deal_again_move_by_move(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    replay(str(played.path))
    assert f"{DEALS} deals scored again, {DEALS} of them also move by move" in capsys.readouterr().out
    results = [entry.body for entry in played.entries if entry.kind == "deal_result"]
    assert [result["record"] for result in results] == [line["record"] for line in played.lines]


def test_a_deal_is_shown_move_by_move(played: Played, capsys: pytest.CaptureFixture[str]) -> None:
    show(str(played.path), deal=2, moves=True)
    lines = capsys.readouterr().out.splitlines()
    line = played.lines[1]
    assert lines[1] == f"Deal 2, rules {played.game}, dealer seat {line['dealer']}"
    points = ", ".join(f"seat {seat} {points:+d}" for seat, points in enumerate(line["points"]))
    assert lines[-1] == f"The deal ended: {line['end']}. Points: {points}"
    assert sum("discards" in one for one in lines) >= 1


def test_every_throw_is_on_record_with_its_purpose(played: Played) -> None:
    report = check_dice(played.entries)
    assert report.count(WRONG) == 0
    wanted = [throw for line in played.lines for throw in line["throws"]]
    of_deals = [roll for roll in report.rolls if roll.purpose != "east"]
    assert [(roll.purpose, roll.seat, list(roll.dice)) for roll in of_deals] == [
        (throw["purpose"], throw["seat"], throw["dice"]) for throw in wanted
    ]
    assert all(roll.verdict == WITH_HOST for roll in of_deals)
    for_east = [roll for roll in report.rolls if roll.purpose == "east"]
    assert bool(for_east) == (played.game in ("cumberland", "balsall")), "CUM-2.1, BAL-2.2, HKO-8.3"
    if for_east:
        most = {seat: sum(roll.dice) for roll in for_east for seat in (roll.seat,)}
        assert most[played.lines[0]["dealer"]] == max(most.values())


def test_no_tile_is_lost(played: Played) -> None:
    simulation = attached(f"demo-{SEED}")
    assert simulation is not None
    simulation.world.check_conserved()


def test_the_same_seed_prints_and_journals_the_same_bytes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    outputs = [play(capsys, "cumberland", 2, 9, tmp_path / name) for name in ("one", "two")]
    assert outputs[0] == outputs[1]
    assert list(read_journal(tmp_path / "one")) == list(read_journal(tmp_path / "two"))


def test_a_club_plays_with_flowers_and_its_wall_is_sealed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    club, path = tmp_path / "club.toml", tmp_path / "club.journal"
    club.write_text('base = "hong-kong"\nflowers = true\nmin_faan = 1\n')
    demo(game=str(club), deals=2, seed=4, journal=path, readers="all", as_json=True)
    first = json.loads(capsys.readouterr().out.splitlines()[0])
    assert first["record"]["options"] == {"flowers": True, "min_faan": 1}
    assert sum(first["plan"]) == 72
    found = verify_wall(read_journal(path), 1, "", load_enrolment(Path(f"{path}.tiles")))
    assert (found.verdict, found.problems) == (AGREES, ())
    replay(str(path))
    assert "2 deals scored again, 2 of them also move by move" in capsys.readouterr().out


def test_a_ruleset_that_there_is_not_is_refused() -> None:
    with pytest.raises(typer.BadParameter, match="'bridge' is no ruleset: use cumberland, balsall, hong-kong"):
        demo(game="bridge", deals=1)


def test_the_demonstrations_hall_has_no_partners() -> None:
    told = CliRunner().invoke(app, ["serve", "--demo", "--game", "mil-2025-duplicate"])
    assert told.exit_code == 2
    assert "rehearse --format mil-2025-pairs" in told.output
    assert "Setting up" not in told.output


def test_each_draws_from_the_own_wall(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """SBR-11.9, at a table whose walls nobody has prescribed; its readers tell where every tile of a hand has lain."""
    path = tmp_path / "own.journal"
    demo(game="mil-2025-duplicate", deals=2, seed=1, journal=path, readers="all", as_json=True)
    said = capsys.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [(line["dice"], line["break"]) for line in lines] == [([], {})] * 2
    entries = list(read_journal(path))
    tags = load_enrolment(Path(f"{path}.tiles"))
    assert tags is not None
    line = lines[0]
    found = verify_wall(entries, line["deal"], "", tags)
    assert (found.verdict, found.doubts) == (AGREES, ())
    starts = [2 * sum(line["plan"][:side]) for side in range(5)]
    for seat in range(4):
        own = found.wall[starts[seat] : starts[seat + 1]]
        first = [one for one in hands_of(entries, line["deal"])[seat] if one in found.wall]
        dealt = 14 if seat == line["dealer"] else 13
        # The thirteen places from the right end on: stack by stack, and of the last stack the upper tile.
        assert sorted(first[:dealt]) == sorted([*own[:12], own[13], *([own[12]] if dealt == 14 else [])])
    replay(str(path))
    assert "2 deals scored again" in capsys.readouterr().out
    tracked = ["track", str(path), "--deal", "1", "--tiles", f"{path}.tiles", "--write", "--json"]
    told = CliRunner().invoke(app, tracked)
    assert told.exit_code == 0, told.output
    moves = json.loads(told.output)["moves"]
    assert "walls " in moves["text"]
    assert moves["text"].splitlines()[1] == f"dealer {line['dealer']}"
    # It comes to what the players have declared, and is there for every reader of the journal.
    replay(str(path))
    assert "2 deals scored again, 1 of them also move by move" in capsys.readouterr().out
    shown = CliRunner().invoke(app, ["log", "show", str(path), "--deal", "1", "--moves"])
    points = ", ".join(f"seat {seat} {one:+d}" for seat, one in enumerate(line["points"]))
    assert f"Points: {points}" in shown.output
    exported = CliRunner().invoke(app, ["log", "export", str(path), "--format", "mjai"])
    kyoku = exported.output.split('"type":"start_kyoku"')[1]
    assert '"?"' not in kyoku.partition("tsumo")[0].partition("tehais")[2]
    assert json.dumps(line["points"], separators=(",", ":")) in kyoku


def test_what_was_drawn_from_another_ones_wall_is_a_doubt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The journal says that all drew from the own wall, and they have drawn from one wall, from its break on."""
    path = tmp_path / "one.journal"
    demo(game="mil-2025", deals=2, seed=1, journal=path, readers="all", as_json=True)
    entries = list(read_journal(path))
    said = [
        altered(entry, body={**entry.body, "ruleset": "mil-2025-duplicate"})
        if isinstance(entry.said, DealStarted)
        else entry
        for entry in entries
    ]
    found = verify_wall(said, 1, "", load_enrolment(Path(f"{path}.tiles")))
    assert found.verdict == AGREES
    assert sum("was read first in the hand of seat" in one for one in found.doubts) > 20
    assert not verify_wall(entries, 1, "", load_enrolment(Path(f"{path}.tiles"))).doubts


def hands_of(entries: list[Entry], deal: int) -> list[list[str]]:
    """By seat, the tags that its hand reader has told, in their order, while that deal was on the table."""
    found: list[list[str]] = [[], [], [], []]
    now = 0
    for entry in unsealed(entries, disclosed_keys(entries)):
        if isinstance(entry.said, WallsUp):
            now = entry.said.deal
        elif isinstance(entry.said, TagAppeared | TagMoved) and now == deal:
            reader = entry.said.reader if isinstance(entry.said, TagAppeared) else entry.said.to
            if reader in HANDS:
                found[HANDS.index(reader)].append(entry.said.tag)
    return found
