"""What remembering gains: the bot that remembers, and the report of a study that bots have played."""

import json
from random import Random

import numpy as np
import pytest

from tests.host.study.test_walls import Plots, files
from wallwright import cli
from wallwright.rules.sichuan.bots import SmartBot
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.study.memory import TILES, RememberingBot

RULES = load_ruleset("sichuan")


@pytest.fixture
def study(monkeypatch, capsys):
    """Runs the command: its code, what it printed, and its errors."""

    def study(out, *line):
        monkeypatch.setattr("sys.argv", ["wallwright", "study", "walls", "--out", str(out), *line])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return int(caught.value.code or 0), printed.out, printed.err

    return study


def test_where_every_place_is_as_likely_remembering_changes_nothing(seed):
    even = np.full((2, TILES), 1 / TILES)
    for number in range(4):
        points = []
        for bot in (SmartBot(), RememberingBot([0.25] * 27, even, range(13))):
            _, deal = shuffled_deal(RULES, 0, Random(f"{seed} {number}"))
            points.append(play(deal, [bot, SmartBot(), SmartBot(), SmartBot()], Random(number)).settle().points)
        assert points[0] == points[1]


def worth_of_each(places, early):
    """Of every kind that a seat does not see whole, what the bot that remembers counts an unseen tile for."""
    _, deal = shuffled_deal(RULES, 0, Random(1))
    view = deal.view(0)
    count = dict(SmartBot().unseen(view))
    worth = dict(RememberingBot(early, places, range(13)).unseen(view))
    return {kind: worth[kind] / count[kind] for kind in count if count[kind]}


def test_tiles_that_are_likely_to_come_count_for_more():
    """What fell first stands behind the tiles dealt: it comes yet, and the others are in hands."""
    places = np.zeros((2, TILES))
    places[0, 53:] = 1 / 55
    places[1, :53] = 1 / 53
    each = worth_of_each(places, [1.0] * 9 + [0.5] * 9 + [0.0] * 9)
    first = {round(worth, 9) for kind, worth in each.items() if kind < 9}
    half = {round(worth, 9) for kind, worth in each.items() if 9 <= kind < 18}
    later = {worth for kind, worth in each.items() if kind >= 18}
    assert len(first) == len(half) == 1
    assert later == {0}
    worth = first.pop()
    assert 0 < worth < 1
    assert worth == pytest.approx(2 * half.pop())


def test_tiles_that_come_soon_count_for_more_than_those_at_the_end():
    places = np.zeros((2, TILES))
    places[0, 53:60] = 1 / 7
    places[1, 100:] = 1 / 8
    each = worth_of_each(places, [1.0] * 13 + [0.0] * 14)
    soon = min(worth for kind, worth in each.items() if kind < 13)
    late = max(worth for kind, worth in each.items() if kind >= 13)
    assert soon > 2 * late > 0


def test_the_report_begins_with_who_profits(study, tmp_path):
    line = ("--drum", "places", "--D", "1", "--builds", "40", "--play", "7", "--seed", "2")
    code, printed, _ = study(tmp_path / "one", *line)
    assert code == 0
    report = json.loads((tmp_path / "one" / "report.json").read_text())
    memory = report["cells"][0]["memory"]
    assert printed.startswith(f"places-d1-wash0: {memory['verdict']}\n")
    assert memory["walls"] == 7
    low, high = memory["interval"]
    assert low < memory["gain"] < high
    assert (low > 0) == memory["verdict"].startswith("Who remembers gains")
    assert all(1 < one < 6 for one in memory["shanten_by_turn"])
    page = (tmp_path / "one" / "report.html").read_text(encoding="utf-8")
    assert page.index("Who profits") < page.index("What was found")
    read = Plots()
    read.feed(page)
    assert read.plots == len(list((tmp_path / "one").glob("*.svg"))) == 6
    assert memory["verdict"] in " ".join(read.words)
    with np.load(tmp_path / "one" / "builds.npz") as arrays:
        gains, points = arrays["places-d1-wash0/gains"], arrays["places-d1-wash0/points"]
    assert gains.shape == points.shape == (7, 4)
    assert memory["gain"] == pytest.approx(gains.mean(), abs=1e-4)
    # What the bots that remember nothing get sums to zero.
    assert not points.sum(axis=1).any()
    assert study(tmp_path / "two", *line, "--jobs", "2")[0] == 0
    assert files(tmp_path / "two") == files(tmp_path / "one")


def test_bots_play_walls_of_the_ideal_drum_too(study, tmp_path):
    code, printed, _ = study(tmp_path / "out", "--drum", "ideal", "--builds", "40", "--play", "7", "--seed", "2")
    assert code == 0
    assert printed.startswith("ideal-wash0: ")
    assert json.loads((tmp_path / "out" / "report.json").read_text())["cells"][0]["memory"]["walls"] == 7


def test_bots_play_sichuan_alone(study, tmp_path):
    code, printed, errors = study(tmp_path / "out", "--game", "hong-kong", "--play", "5")
    assert (code, printed) == (2, "")
    assert "--play: hong-kong takes replacements from the tail of its walls" in errors
    assert not (tmp_path / "out").exists()
