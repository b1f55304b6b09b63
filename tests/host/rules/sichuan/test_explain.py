"""The worked examples of the documentation, and settlements in words."""

import json
import re
from pathlib import Path

import pytest

from tests.host.rules.sichuan.support import CHENGDU, MIL
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import FinalHand, Winner
from wallwright.rules.sichuan.explain import explain
from wallwright.rules.sichuan.melds import parse_meld
from wallwright.rules.sichuan.records import read_deal, settle_record
from wallwright.rules.sichuan.tiles import parse_tile, parse_tiles

TEXT = (Path(__file__).parents[4] / "docs" / "settle-examples.md").read_text(encoding="utf-8")
BLOCKS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]


def test_there_are_four_examples():
    assert len(BLOCKS) == 8
    assert sum('"false": true' in json.dumps(settle_record(block)) for block in BLOCKS[::2]) == 1


@pytest.mark.parametrize("number", range(4))
def test_the_worked_examples_hold(number):
    answer = json.loads(json.dumps(settle_record(BLOCKS[2 * number])))
    wanted = BLOCKS[2 * number + 1]
    assert (answer["points"], answer["next_dealer"]) == (wanted["points"], wanted["next_dealer"])
    found = [{key: penalty[key] for key in ("seat", "points", "clause")} for penalty in answer["penalties"]]
    assert found == wanted["penalties"]


def test_the_first_example_in_words():
    block = re.search(r"```text\n(.*?)```", TEXT, re.DOTALL)
    assert block is not None
    deal = read_deal(BLOCKS[0])
    assert list(map(str, explain(deal.settle(), deal.ruleset))) == block[1].splitlines()


def test_words_for_every_kind_of_event():
    deal = DeclaredDeal(MIL, 0)
    deal.kong(0, "postponed")
    deal.breach(0)
    deal.hu("self_drawn", [Winner(1, parse_tiles("1133557799224s"), winning=parse_tile("4s"), void=0)])
    deal.kong(2, "promoted", robbed=True)
    deal.hu("robbed_kong", [Winner(3, false=True)], from_=2)
    deal.end(
        "wall", [FinalHand(0, parse_tiles("1234m12345p1s"), (parse_meld("postponed:6666p"),), 2), FinalHand(2, value=2)]
    )
    words = "\n".join(map(str, explain(deal.settle(), MIL)))
    for text in [
        "Rules: mil-2025, fan limit 3.",
        "The deal ended with the wall.",
        "Seat 0 declared a postponed kong; it is not paid, because its owner breached the forbidden suit (SBR-11.2).",
        "Seat 1 declared Hu on a tile of the wall.",
        "Seven pairs: 11s 22s 33s 44s 55s 77s 99s (SBR-5.1).",
        "full flush 2, seven pairs 2: 4 fans, worth 8 points, the limit (SBR-5.3).",
        "Seat 3 declared Hu by robbing a kong of seat 2.",
        "The Hu is false: found false by a referee (SBR-7.2).",
        "Seat 0 was not ready: holds its forbidden suit s (SBR-6.6).",
        "Seat 2 was ready, agreed at the table: worth 2 points.",
        "Seat 0 loses 24 points, which nobody receives: active breach of the forbidden suit (SBR-11.2).",
        "Seat 3 loses 24 points, which nobody receives: false Hu: found false by a referee (SBR-11.4).",
        "Next dealer: seat 1 (SBR-8.1).",
    ]:
        assert text in words, text


def test_words_without_a_limit_and_for_a_judged_hand():
    deal = DeclaredDeal(CHENGDU, 0)
    deal.kong(0, "postponed")
    deal.hu("self_drawn", [Winner(1, value=1)])
    deal.end("time_up")
    words = "\n".join(map(str, explain(deal.settle(), CHENGDU)))
    assert "no fan limit.\n" in words
    assert "The deal ended because time was up." in words
    assert "Seat 0 declared a postponed kong, which is worth nothing (SBR-6.3)." in words
    assert "Agreed at the table, no tiles: worth 1 point." in words


def test_a_deal_is_explained_in_the_order_of_play():
    """Every event is followed by what was paid for it, so that the lines add up as the deal went on."""
    deal = DeclaredDeal(MIL, 0)
    deal.kong(0, "concealed")
    deal.hu("discard", [Winner(1, value=4)], from_=2)
    deal.breach(3)
    deal.kong(2, "promoted")
    deal.hu("self_drawn", [Winner(0, value=1)])
    deal.end("wall", [FinalHand(2, value=1), FinalHand(3, value=0)])
    settlement = deal.settle()
    lines = list(map(str, explain(settlement, MIL)))
    begins = [line.split(" (")[0].split(":")[0] for line in lines]
    assert begins == [
        "Rules",
        "Seat 0 declared a concealed kong.",
        *(f"  Seat {seat} pays seat 0 2 points" for seat in (1, 2, 3)),
        "Seat 1 declared Hu on a discard of seat 2.",
        "  Agreed at the table, no tiles",
        "  Seat 2 pays seat 1 4 points",
        "Seat 3 breached the forbidden suit",
        "  Seat 3 loses 24 points, which nobody receives",
        "Seat 2 declared a promoted kong.",
        *(f"  Seat {seat} pays seat 2 1 point" for seat in (0, 3)),
        "Seat 0 declared Hu on a tile of the wall.",
        "  Agreed at the table, no tiles",
        *(f"  Seat {seat} pays seat 0 2 points" for seat in (2, 3)),
        "The deal ended with the wall.",
        "Seat 2 was ready, agreed at the table",
        "Seat 3 was not ready",
        "  Seat 3 pays seat 2 1 point",
        "Points",
        "Next dealer",
    ]
    paid = [
        tuple(map(int, re.findall(r"Seat (\d) pays seat (\d) (\d+)", line)[0])) for line in lines if " pays " in line
    ]
    points = [
        sum(p for _, to, p in paid if to == seat) - sum(p for by, _, p in paid if by == seat) for seat in range(4)
    ]
    points[3] -= 24
    assert tuple(points) == settlement.points
