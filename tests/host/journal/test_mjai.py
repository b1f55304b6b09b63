"""The deals of a journal as mjai, against a reader that knows mjai and nothing of this program.

The reader follows mjai as its programs read it (https://github.com/gimite/mjai): 13 tiles a hand at the start, a tile
is drawn before one is discarded, a claim takes the last discard and its own tiles from the hand, a Hu is on the
tile drawn or offered last.
"""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.host.journal.deals import declared_deal, write_deals
from tests.host.tracking.test_turns import ROBBED
from tests.host.tracking.truth_turns import played_turns
from wallwright.cli.program import app
from wallwright.journal import Entry, Journal, read_journal
from wallwright.journal.mjai import mjai_lines
from wallwright.play.score_sheet import sheet_of_played
from wallwright.rules.core.notation import format_deal
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.events import Hu, Kong
from wallwright.rules.sichuan.ruleset import PRESETS, load_ruleset

UNKNOWN = "?"
KEYS = {
    "start_game": {"names"},
    "start_kyoku": {"bakaze", "kyoku", "honba", "kyotaku", "oya", "dora_marker", "scores", "tehais"},
    "tsumo": {"actor", "pai"},
    "dahai": {"actor", "pai", "tsumogiri"},
    "chi": {"actor", "target", "pai", "consumed"},
    "pon": {"actor", "target", "pai", "consumed"},
    "daiminkan": {"actor", "target", "pai", "consumed"},
    "kakan": {"actor", "pai", "consumed"},
    "ankan": {"actor", "consumed"},
    "hora": {"actor", "target", "pai"},
    "ryukyoku": {"reason"},
    "end_kyoku": {"deltas"},
    "end_game": set(),
}


class Reader:
    """Plays a game of mjai and asserts that nothing in it is impossible; counts what it has seen."""

    def __init__(self) -> None:
        self.seen = Counter[str]()
        self.scores = [0] * 4
        self.hands: list[Counter[str]] = []
        self.pons: set[tuple[int, str]] = set()
        self.offered: tuple[int, str] | None = None
        self.drawn: tuple[int, str] | None = None
        self.won: list[tuple[int, int]] = []
        self.kongs: list[tuple[int, str]] = []

    def read(self, line: dict[str, Any]) -> None:
        kind = line.pop("type")
        assert KEYS[kind] <= line.keys() <= KEYS[kind] | {"hora_tehais"}, kind
        assert (kind == "start_game") == (not self.seen)
        self.seen[kind] += 1
        getattr(self, kind, lambda **_: None)(**line)

    def start_kyoku(self, oya: int, scores: list[int], tehais: list[list[str]], **_: object) -> None:
        assert (scores, [len(hand) for hand in tehais], oya in range(4)) == (self.scores, [13] * 4, True)
        self.hands = [Counter(hand) for hand in tehais]
        self.offered, self.drawn = None, None
        self.pons, self.won, self.kongs = set(), [], []

    def tsumo(self, actor: int, pai: str) -> None:
        assert self.drawn is None
        assert sum(self.hands[actor].values()) % 3 == 1
        self.hands[actor][pai] += 1
        self.drawn, self.offered = (actor, pai), None

    def dahai(self, actor: int, pai: str, tsumogiri: bool) -> None:
        assert self.drawn is None or self.drawn[0] == actor
        assert not tsumogiri or self.drawn == (actor, pai)
        self.take(actor, [pai])
        self.offered, self.drawn = (actor, pai), None

    def pon(self, actor: int, target: int, pai: str, consumed: list[str]) -> None:
        assert (self.offered, consumed) == ((target, pai), [pai] * 2)
        self.take(actor, consumed)
        self.pons.add((actor, pai))
        self.offered = None

    def chi(self, actor: int, target: int, pai: str, consumed: list[str]) -> None:
        assert (self.offered, actor) == ((target, pai), (target + 1) % 4)
        ranks = sorted(int(tile[0]) for tile in (pai, *consumed))
        assert {tile[1] for tile in (pai, *consumed)} == {pai[1]}
        assert ranks == [ranks[0], ranks[0] + 1, ranks[0] + 2]
        self.take(actor, consumed)
        self.offered = None

    def daiminkan(self, actor: int, target: int, pai: str, consumed: list[str]) -> None:
        if pai != UNKNOWN:
            assert (self.offered, consumed) == ((target, pai), [pai] * 3)
        assert actor != target
        self.kong(actor, "melded", consumed, 3)

    def ankan(self, actor: int, consumed: list[str]) -> None:
        self.kong(actor, "concealed", consumed, 4)

    def kakan(self, actor: int, pai: str, consumed: list[str]) -> None:
        if pai != UNKNOWN:
            assert ((actor, pai) in self.pons, consumed) == (True, [pai] * 3)
        self.kong(actor, "added", [pai], 1)
        self.offered = (actor, pai)

    def kong(self, actor: int, kind: str, tiles: list[str], count: int) -> None:
        assert len(tiles) == count
        self.take(actor, tiles)
        self.kongs.append((actor, kind))
        self.drawn, self.offered = None, None

    def hora(self, actor: int, target: int, pai: str, hora_tehais: object = None) -> None:
        if self.offered is not None and self.offered[1] != UNKNOWN:
            assert self.offered == (target, pai)
        elif self.drawn is not None:
            assert self.drawn == (actor, pai) == (target, pai)
            self.drawn = None
        self.won.append((actor, target))

    def end_kyoku(self, deltas: list[int]) -> None:
        self.scores = [before + more for before, more in zip(self.scores, deltas, strict=True)]

    def take(self, actor: int, tiles: list[str]) -> None:
        if UNKNOWN not in self.hands[actor]:
            assert not Counter(tiles) - self.hands[actor]
            self.hands[actor] -= Counter(tiles)


def declared_in(deal: Deal) -> tuple[list[tuple[int, str]], list[tuple[int, int]]]:
    """Kongs and Hu of a deal, by the rules."""
    kinds = {"promoted": "added", "postponed": "added"}
    kongs = [(one.seat, kinds.get(one.type, one.type)) for one in deal.events if isinstance(one, Kong)]
    hus = [one for one in deal.events if isinstance(one, Hu)]
    return kongs, [(each.seat, each.seat if one.from_ is None else one.from_) for one in hus for each in one.winners]


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("is_tracked", [True, False])
def test_another_reader_plays_the_deals_and_comes_to_the_same(
    tmp_path: Path, seed: int, preset: str, is_tracked: bool
) -> None:
    with Journal(tmp_path / "session.journal") as journal:
        deals = write_deals(journal, 20, seed, ruleset=load_ruleset(preset), is_tracked=is_tracked)
        paid = [entry.body["points"] for entry in journal.entries() if entry.kind == "deal_result"]
    reader = Reader()
    played = iter(zip(deals, paid, strict=True))
    for text in mjai_lines(read_journal(tmp_path / "session.journal")):
        line = json.loads(text)
        before = list(reader.scores)
        reader.read(line)
        if text.startswith('{"type":"end_kyoku"'):
            deal, points = next(played)
            kongs, won = declared_in(deal)
            assert (sorted(reader.kongs), sorted(reader.won)) == (sorted(kongs), sorted(won))
            assert [after - one for after, one in zip(reader.scores, before, strict=True)] == points
            assert reader.seen["ryukyoku"] == sum(one.end != "three_hu" for one in deals[: reader.seen["end_kyoku"]])
    assert next(played, None) is None
    assert (reader.seen["start_kyoku"], reader.seen["end_game"]) == (20, 1)
    moves = {"tsumo", "dahai", "pon"}
    assert moves <= reader.seen.keys() if is_tracked else not moves & reader.seen.keys()


def test_another_reader_plays_a_session_of_hong_kong(tmp_path: Path) -> None:
    path = str(tmp_path / "session.journal")
    played = CliRunner().invoke(
        app, ["demo", "--game", "hong-kong", "--deals", "3", "--seed", "2", "--journal", path, "--json"]
    )
    assert played.exit_code == 0, played.output
    exported = CliRunner().invoke(app, ["log", "export", path, "--format", "mjai"])
    assert exported.exit_code == 0, exported.output
    reader = Reader()
    for text in exported.output.splitlines():
        reader.read(json.loads(text))
    results = [entry.body for entry in read_journal(path) if entry.kind == "deal_result"]
    assert reader.scores == [sum(points) for points in zip(*(body["points"] for body in results), strict=True)]
    assert (reader.seen["start_kyoku"], reader.seen["end_kyoku"]) == (3, 3)
    assert reader.seen["hora"] + reader.seen["ryukyoku"] == 3
    assert min(reader.seen[kind] for kind in ("tsumo", "dahai", "chi", "pon")) > 0


def test_all_that_happens_in_hong_kong_has_its_line(tmp_path: Path) -> None:
    """Overruled claims, late ones, which undo a draw, and a robbed kong are among it. (HKO-4.4 to 4.7)"""
    deals = [played_turns("hong-kong", seed, "random", late=True).told for seed in range(20)]
    deals.append(played_turns("hong-kong", ROBBED).told)
    late = 0
    with Journal(tmp_path / "session.journal") as journal:
        for number, told in enumerate(deals, 1):
            sheet_of_played(told, number, journal, unit="T-1", clock=lambda: 5, start={})
            moves = {"deal": number, "text": format_deal(told), "times": [None] * len(told.log), "doubtful": []}
            journal.append("deal_moves", {**moves, "notices": []}, at_ms=5, unit="T-1")
            acts = zip(told.log, told.log[1:], strict=False)
            late += sum(
                one.verb == "draw" and then.verb in ("pung", "kong", "hu") and one.seat != then.seat
                for one, then in acts
            )
    assert late > 5
    reader = Reader()
    ended = iter(deals)
    for text in mjai_lines(read_journal(tmp_path / "session.journal")):
        reader.read(json.loads(text))
        if text.startswith('{"type":"end_kyoku"'):
            deal = next(ended).deal
            won = deal.state.won
            source = None if won is None else won.from_
            assert reader.won == (
                [] if won is None else [(seat, seat if source is None else source) for seat in won.winners]
            )
            laid = [(seat, str(one.type)) for seat in range(4) for one in deal.state.sets[seat] if one.is_kong]
            robbed = won is not None and won.robbed is not None
            assert len(reader.kongs) == len(laid) + robbed
    assert next(ended, None) is None
    assert min(reader.seen[kind] for kind in ("chi", "pon", "daiminkan", "ankan", "kakan", "hora")) > 0


@pytest.mark.parametrize(
    ("game", "why"),
    [
        ("cumberland", "it knows no flowers and no points that need not sum to zero;"),
        ("balsall", "it knows no flowers;"),
    ],
)
def test_a_table_with_another_game_is_refused(tmp_path: Path, game: str, why: str) -> None:
    told = played_turns(game, 3).told
    path = tmp_path / "session.journal"
    with Journal(path) as journal:
        sheet_of_played(told, 1, journal, unit="T-1", clock=lambda: 5, start={})
    refused = CliRunner().invoke(app, ["log", "export", str(path), "--format", "mjai"])
    assert refused.exit_code != 0
    assert f"mjai cannot say the game {game}: {why}" in str(refused.exception)


def test_each_table_has_a_game_of_its_own(tmp_path: Path, seed: int) -> None:
    with Journal(tmp_path / "session.journal") as journal:
        write_deals(journal, 2, seed, unit="T-1", is_tracked=True)
        write_deals(journal, 3, seed + 1, unit="T-2")
        for session, table in ((1, 4), (1, 4), (2, 4)):
            told = {"session": session, "table": table, "deal": 1, "dealer": 0, **declared_deal(seed, "sichuan")}
            journal.append("result_recorded", told, at_ms=4)
        entries = list(journal.entries())
    readers: list[Reader] = []
    for text in mjai_lines(entries):
        line = json.loads(text)
        if line["type"] == "start_game":
            readers.append(Reader())
        readers[-1].read(line)
    assert [reader.seen["end_kyoku"] for reader in readers] == [2, 3, 2, 1]


def test_a_deal_without_a_result_is_not_there(tmp_path: Path, seed: int) -> None:
    with Journal(tmp_path / "session.journal") as journal:
        write_deals(journal, 1, seed)
        entries = [entry for entry in journal.entries() if entry.kind != "deal_result"]
    assert [json.loads(line)["type"] for line in mjai_lines(entries)] == ["start_game", "end_game"]


def test_records_that_nobody_writes_are_passed_over(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    with Journal(tmp_path / "session.journal") as journal:
        write_deals(journal, 1, seed)
        written = list(journal.entries())
    good = list(mjai_lines(written))
    assert len(good) > 3
    bodies: list[dict[str, Any]] = [
        {},
        {"deal": 1},
        {"deal": 1, "dealer": 0},
        {"deal": 1, "type": "kong"},
        {"deal": []},
    ]
    kinds = ("deal_started", "declared", "deal_result", "deal_moves", "result_recorded", "x")
    for _ in range(200):
        others = [Entry.of(n, 5, "T-1", None, None, rng.choice(kinds), rng.choice(bodies)) for n in range(1, 9)]
        assert list(mjai_lines(others)) == []
        assert list(mjai_lines([*others[:4], *written, *others[4:]])) == good
