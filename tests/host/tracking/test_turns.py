"""Deals with chows, flowers and a wall of two ends, acted out under readers, come back as they were played."""

import json
import re
import tracemalloc
from itertools import pairwise
from pathlib import Path

import pytest
from typer.testing import CliRunner

from wallwright.cli.program import app
from wallwright.journal import Journal, read_journal
from wallwright.journal.kinds.deals import DealResult
from wallwright.rules.core import acts
from wallwright.rules.core.errors import NotationError
from wallwright.rules.core.notation import ToldDeal, format_deal
from wallwright.rules.core.turn_state import ROBBED_KONG
from wallwright.tracking.moves import read_deal
from wallwright.tracking.notes import note_deal

from .acted_turns import ActedTurns
from .truth_turns import PlayedTurns, acted_turns, is_exact, is_silently_wrong, played_turns, tracked_turns

GAMES = ("hong-kong", "flowers", "cumberland", "balsall")
SEED = 3


def late_claims(played: PlayedTurns) -> int:
    """How many claims came after the next tile had been drawn."""
    log = played.told.deal.log
    claims = (acts.PUNG, acts.KONG, acts.HU)
    return sum(one.verb == acts.DRAW and then.verb in claims and one.seat != then.seat for one, then in pairwise(log))


def acted(name: str, seed: int, *, miss: int = 0) -> tuple[PlayedTurns, ActedTurns]:
    played = played_turns(name, seed)
    return played, acted_turns(played, seed, miss=miss)


@pytest.mark.parametrize("name", GAMES)
def test_readers_without_errors_give_every_act(name: str) -> None:
    played, told = acted(name, SEED)
    for wall in (True, False):
        outcome = tracked_turns(told, played.rules, wall=wall)
        assert outcome.account is not None, wall
        assert is_exact(outcome.account, played), wall
        assert outcome.account.settlement.points == played.points
        times = [at_ms for at_ms in outcome.account.times if at_ms is not None]
        assert times == sorted(times)


@pytest.mark.parametrize("name", GAMES)
def test_reads_that_are_lost_are_made_up_for_by_the_wall(name: str) -> None:
    played, told = acted(name, SEED, miss=20)
    outcome = tracked_turns(told, played.rules)
    assert outcome.account is not None
    assert not is_silently_wrong(outcome.account, played)


def test_which_of_two_draws_in_a_row_came_first_is_doubted() -> None:
    """At its first turn a seat draws and replaces a dealt flower; one of the two tiles is not read when it comes."""
    played, told = acted("cumberland", TWO_DRAWS, miss=20)
    account = tracked_turns(told, played.rules, wall=False).account
    assert account is not None
    assert not is_exact(account, played)
    assert not is_silently_wrong(account, played)


TWO_DRAWS = 4


def test_what_nobody_saw_is_not_kept_in_every_way_that_it_may_have_been() -> None:
    """Without a wall there are so many ways that all of them took 90 MB; of other deals 1.6 GB."""
    played, told = acted("hong-kong", MANY_WAYS, miss=20)
    tracemalloc.start()
    outcome = tracked_turns(told, played.rules, wall=False)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert outcome.question is not None
    assert peak < 30_000_000


MANY_WAYS = 18


def test_any_legal_course_of_play_is_followed() -> None:
    verbs = set()
    for seed in (3, 4):
        played = played_turns("flowers", seed, "random")
        outcome = tracked_turns(acted_turns(played, seed), played.rules)
        assert outcome.account is not None, seed
        assert is_exact(outcome.account, played), seed
        verbs |= {act.verb for act in played.told.deal.log}
    assert verbs >= {acts.DRAW, acts.REPLACE, acts.FLOWER, acts.DISCARD, acts.CHOW, acts.PUNG, acts.KONG}


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_late_claims_put_the_tile_drawn_back(seed: int) -> None:
    """HKO-4.7."""
    played = played_turns("hong-kong", seed, "random", late=True)
    assert late_claims(played) > 0
    told = acted_turns(played, seed)
    for wall in (True, False):
        outcome = tracked_turns(told, played.rules, wall=wall)
        assert outcome.account is not None, wall
        assert is_exact(outcome.account, played), wall
        times = [at_ms for at_ms in outcome.account.times if at_ms is not None]
        assert times == sorted(times)


def test_late_claims_beside_lost_reads_are_not_told_wrongly() -> None:
    found = 0
    for seed in range(10):
        played = played_turns("hong-kong", seed, "random", late=True)
        account = tracked_turns(acted_turns(played, seed, miss=20), played.rules).account
        assert account is None or not is_silently_wrong(account, played), seed
        found += account is not None
    assert found > 4


def test_the_exchanges_of_a_goulash_are_followed() -> None:
    """BAL-8.3."""
    played = played_turns("goulash", SEED)
    told = acted_turns(played, SEED)
    for wall in (True, False):
        outcome = tracked_turns(told, played.rules, wall=wall)
        assert outcome.account is not None, wall
        assert is_exact(outcome.account, played), wall
        assert sum(act.verb == acts.GIVE for act in outcome.account.deal.log) == 48


def test_a_gift_that_was_not_read_leaves_a_doubt() -> None:
    played = played_turns("goulash", UNREAD_GIFT)
    account = tracked_turns(acted_turns(played, UNREAD_GIFT, miss=20), played.rules).account
    assert account is not None
    assert not is_silently_wrong(account, played)
    assert acts.GIVE in {account.deal.log[number].verb for number in account.doubtful}


UNREAD_GIFT = 0


@pytest.mark.parametrize(
    ("name", "clause"), [("cumberland", "CUM-3.1"), ("balsall", "BAL-3.1"), ("prompts", "HKO-4.7")]
)
def test_claims_after_the_time_of_the_ruleset_are_told_where_there_are_keys(name: str, clause: str) -> None:
    """The club's own `claim_ms`; Hong Kong's prompts where no claim may be late."""
    played = played_turns(name, KEYS)
    window_ms = played.rules.ways.claim_ms
    in_time = tracked_turns(acted_turns(played, KEYS, keys=True), played.rules, keys=True).account
    assert in_time is not None
    assert in_time.notices == ()
    told = acted_turns(played, KEYS, keys=True, hesitate_ms=window_ms)
    late = tracked_turns(told, played.rules, keys=True).account
    assert late is not None
    assert is_exact(late, played)
    assert late.notices
    for notice in late.notices:
        said = re.fullmatch(rf"seat \d claimed (\d\.\d) s after the tile lay open \({clause}\)", notice.text)
        assert said is not None
        assert float(said[1]) * 1000 >= window_ms
    silent = tracked_turns(acted_turns(played, KEYS, hesitate_ms=window_ms), played.rules).account
    assert silent is not None
    assert silent.notices == ()


KEYS = 3


def test_a_robbed_kong_is_one() -> None:
    played, told = acted("hong-kong", ROBBED)
    won = played.told.deal.state.won
    assert won is not None
    assert won.by == ROBBED_KONG
    outcome = tracked_turns(told, played.rules)
    assert outcome.account is not None
    assert is_exact(outcome.account, played)


ROBBED = 257
"""A deal of Hong Kong in which a kong is robbed that was concealed and is shown."""


def test_a_tracked_deal_is_in_the_journal_with_its_moves(tmp_path: Path) -> None:
    played, told = acted("cumberland", 3)
    account = tracked_turns(told, played.rules).account
    assert account is not None
    path = tmp_path / "hall.journal"
    with Journal(path) as journal:
        note_deal(account, 4, journal, unit="T-1", clock=lambda: 5_000, start={})
    kinds = [entry.kind for entry in read_journal(path)]
    assert kinds == ["deal_started", "deal_result", "deal_moves"]
    (result,) = [entry.said for entry in read_journal(path) if isinstance(entry.said, DealResult)]
    assert result.points == played.points
    shown = CliRunner().invoke(app, ["log", "show", str(path), "--deal", "4", "--moves"])
    assert shown.exit_code == 0, shown.output
    lines = shown.output.splitlines()
    assert lines[1] == f"Deal 4, rules cumberland, dealer seat {account.deal.dealer}"
    replacement = next(number for number, act in enumerate(account.deal.log) if act.verb == acts.REPLACE)
    assert "draws from the tail" in lines[6 + replacement]
    record = json.loads(CliRunner().invoke(app, ["log", "show", str(path), "--deal", "4", "--moves", "--json"]).output)
    assert record["settlement"]["points"] == list(played.points)


def test_a_deal_is_read_again_from_its_text() -> None:
    for name in ("flowers", "cumberland"):
        played, told = acted(name, SEED)
        account = tracked_turns(told, played.rules).account
        assert account is not None
        assert isinstance(account.deal, ToldDeal)
        text = format_deal(account.deal)
        again = read_deal(text)
        assert list(map(str, again.log)) == list(map(str, account.deal.log))
        assert again.settle().points == played.points
        with pytest.raises(NotationError, match="line"):
            read_deal(text.replace("discard", "pung", 1))
