"""Deals are explained in Chinese as they are in English: every kind of line, with the same values."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import wallwright.rules.sichuan
from tests.host.console.hall import Place
from tests.host.rules.sichuan.support import BOOK, CHENGDU, FOUR, MIL
from wallwright.console.people.person import Person
from wallwright.console.voice import Voice
from wallwright.rules.sichuan.bots import RandomBot, SmartBot
from wallwright.rules.sichuan.explain import explain
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.records import read_deal
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.rules.sichuan.settlement import Settlement
from wallwright.words import Listed, Sayable, Words

SAY = Voice("zh")
DEALS = 40
LATIN = re.compile(r"SBR-\d+\.\d+|MIL")
"""What stays as it is in Chinese: clauses, and the name of a league."""


def played(seed: int) -> Iterator[tuple[Settlement, Ruleset]]:
    """Deals of bots under all rules, half of the players careless."""
    for number in range(DEALS):
        chance = Random(f"{seed} {number}")
        ruleset = (BOOK, FOUR, CHENGDU, MIL)[number % 4]
        _, deal = shuffled_deal(ruleset, number % 4, chance)
        smart, careless = SmartBot(), RandomBot()
        play(deal, (smart, careless, smart, smart), chance)
        yield deal.settle(), ruleset


MADE: tuple[tuple[Ruleset, dict[str, Any]], ...] = (
    (
        BOOK,
        {
            "events": [
                {"type": "hu", "by": "discard", "from": 2, "winners": [{"seat": 0, "value": 4}]},
                {"type": "hu", "by": "self_drawn", "winners": [{"seat": 1, "false": True, "referee": "安"}]},
                {
                    "type": "hu",
                    "by": "self_drawn",
                    "winners": [
                        {
                            "seat": 2,
                            "standing": "1122334455669s",
                            "winning": "1m",
                            "false": True,
                            "referee": "安",
                        }
                    ],
                },
            ],
            "end": "three_hu",
            "hands": [],
        },
    ),
    (BOOK, {"events": [], "end": "time_up", "hands": []}),
    (
        MIL,
        {
            "events": [
                {"type": "kong", "seat": 0, "kind": "concealed"},
                {"type": "breach", "seat": 0},
                {"type": "kong", "seat": 2, "kind": "promoted", "robbed": True},
                {"type": "hu", "by": "robbed_kong", "from": 2, "winners": [{"seat": 3, "false": True}]},
                {"type": "hu", "by": "self_drawn", "winners": [{"seat": 0, "value": 1}]},
            ],
            "end": "wall",
            "hands": [{"seat": 1, "value": 1}, {"seat": 2, "value": 2}],
        },
    ),
    (
        MIL,
        {
            "events": [{"type": "kong", "seat": 1, "kind": "concealed"}, {"type": "breach", "seat": 1}],
            "end": "wall",
            "hands": [
                {"seat": 0, "value": 0},
                {"seat": 1, "value": 2},
                {"seat": 2, "value": 4},
                {"seat": 3, "value": 1},
            ],
        },
    ),
    (
        BOOK,
        {
            "events": [
                {"type": "kong", "seat": 0, "kind": "postponed"},
                {"type": "kong", "seat": 3, "kind": "postponed"},
                {"type": "kong", "seat": 2, "kind": "melded", "from": 1},
                {
                    "type": "hu",
                    "by": "discard",
                    "from": 2,
                    "after_kong": True,
                    "winners": [{"seat": 0, "items": ["root"]}],
                },
                {
                    "type": "hu",
                    "by": "self_drawn",
                    "winners": [{"seat": 1, "standing": "1133557799224s", "winning": "4s", "void": "s"}],
                },
                {
                    "type": "hu",
                    "by": "discard",
                    "from": 2,
                    "winners": [
                        {
                            "seat": 3,
                            "standing": "1122334466m",
                            "winning": "9m",
                            "melds": [{"kind": "kong", "tiles": "8888m", "type": "postponed"}],
                        }
                    ],
                },
            ],
            "end": "three_hu",
            "hands": [],
        },
    ),
    (
        BOOK,
        {
            "events": [
                {"type": "kong", "seat": 0, "kind": "concealed"},
                {
                    "type": "hu",
                    "by": "self_drawn",
                    "after_kong": True,
                    "winners": [
                        {
                            "seat": 0,
                            "standing": "5m",
                            "winning": "5m",
                            "melds": [
                                {"kind": "kong", "tiles": "1111m", "type": "concealed"},
                                *({"kind": "pung", "tiles": tiles} for tiles in ("222m", "333m", "444m")),
                            ],
                            "conditions": ["under_the_sea"],
                        }
                    ],
                },
                {"type": "kong", "seat": 3, "kind": "promoted", "robbed": True},
                {
                    "type": "hu",
                    "by": "robbed_kong",
                    "from": 3,
                    "winners": [{"seat": 2, "standing": "123456789s1255p", "winning": "3p", "void": "m"}],
                },
                {"type": "kong", "seat": 3, "kind": "concealed"},
                {
                    "type": "hu",
                    "by": "discard",
                    "from": 3,
                    "after_kong": True,
                    "winners": [{"seat": 1, "standing": "1112224566699s", "winning": "9s"}],
                },
            ],
            "end": "three_hu",
            "hands": [],
        },
    ),
)


def made() -> Iterator[tuple[Settlement, Ruleset]]:
    """What bots do not do: a breach, a false Hu, a referee's word."""
    for ruleset, record in MADE:
        yield read_deal({"dealer": 0, **record}, ruleset).settle(), ruleset


def texts_of(said: Sayable | int | str) -> Iterator[str]:
    """Every text of which a line is made."""
    if isinstance(said, Words):
        yield said.text
        for _, value in said.values:
            yield from texts_of(value)
    elif isinstance(said, Listed):
        yield said.separator
        for part in said.parts:
            yield from texts_of(part)


def texts_met(deals: Iterable[tuple[Settlement, Ruleset]]) -> set[str]:
    """The texts of all lines of these deals, each of which was looked at in Chinese."""
    met: set[str] = set()
    for settlement, ruleset in deals:
        for line in explain(settlement, ruleset):
            met |= set(texts_of(line))
            chinese = line.said(SAY)
            assert not re.search("[A-Za-z]", LATIN.sub("", chinese)), (str(line), chinese)
            assert re.findall(r"SBR-[0-9.]+\d", chinese) == re.findall(r"SBR-[0-9.]+\d", str(line))
    return met


def test_lines_of_random_deals_are_chinese() -> None:
    seed = Random().randrange(1 << 32)
    print(f"seed {seed}")
    assert len(texts_met(played(seed))) > 30


RULES = Path(wallwright.rules.sichuan.__file__).parent


def said_of_deals() -> set[str]:
    """Every English text of which the rules' explanations are made, and none with which something is refused."""
    found = {Listed(()).separator, " "}
    for module in RULES.glob("*.py"):
        tree = (
            ast.parse(module.read_text())
            if module.stem not in ("agreed", "declared", "doubts", "tiles")
            else ast.Module([], [])
        )
        refusing = {
            id(one)
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise)
            or (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "problem")
            for one in ast.walk(node)
        }
        for node in ast.walk(tree):
            said: ast.expr | None = None
            if isinstance(node, ast.Call) and id(node) not in refusing:
                at = {"words": 0, "plural": 1, "Listed": 1}.get(getattr(node.func, "id", ""), len(node.args))
                said = node.args[at] if at < len(node.args) else None
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "text":
                said = node.value
            for one in (said.body, said.orelse) if isinstance(said, ast.IfExp) else (said,):
                found |= {one.value} if isinstance(one, ast.Constant) and isinstance(one.value, str) else set()
    assert len(found) > 50
    return found


def test_every_kind_of_line_is_chinese() -> None:
    met = texts_met((*played(1), *made()))
    assert said_of_deals() - met == set(), "no deal here comes to these lines"


def test_a_preview_is_in_the_language_of_the_request(place: Place) -> None:
    book = place.begin_event()
    for step in ("open", "start"):
        book.step(Person("dan", "director"), 1, step, "")
    record = {
        "deal": 30,
        "dealer": 2,
        "events": [{"type": "hu", "by": "discard", "from": 1, "winners": [{"seat": 0, "value": 4}]}],
        "end": "time_up",
    }
    told = {}
    with place.signed_in("scorer") as ann:
        for language in ("en", "zh"):
            path = f"/api/v1/event/sessions/1/tables/1/preview?lang={language}"
            answer = ann.post(path, json={"record": record}, headers={"Idempotency-Key": "preview-1"})
            assert answer.status_code == 200, answer.text
            told[language] = answer.json()
    first, second, third, _ = (name for _, name in book.view.sessions[0].tables[0].players)
    east, south, dong, nan = f"East ({first})", f"South ({second})", f"东（{first}）", f"南（{second}）"
    assert [len(told[one]["lines"]) for one in ("en", "zh")] == [7, 7]
    assert f"  {south} pays {east} 4 points: Hu of {east} on the discard of {south} (SBR-6.1)." in told["en"]["lines"]
    assert f"  {nan}付{dong} 4 分：{dong}接炮胡，{nan}点炮（SBR-6.1）。" in told["zh"]["lines"]
    assert told["zh"]["irregular"] == [
        "下一局是第 1 局，不是第 30 局",
        f"应由{dong}坐庄，不是西（{third}）（SBR-8.1）",
        "每轮只打 10 局（SBR-9.1）",
        "四川麻将规定时间到时打完正在进行的一局（SBR-4.9）",
    ]
    assert len(told["en"]["irregular"]) == 4


def hu_of(standing: str, winning: str) -> dict[str, Any]:
    return {"type": "hu", "by": "self_drawn", "winners": [{"seat": 0, "standing": standing, "winning": winning}]}


REFUSED: tuple[tuple[dict[str, Any], str, str], ...] = (
    (
        {"events": [{"type": "kong", "seat": 1, "kind": "melded", "from": 1}], "end": "wall", "hands": []},
        "event 1: South ({1}) cannot claim a kong from its own discard",
        "第 1 项：南（{1}）不能杠自己打出的牌",
    ),
    (
        {"events": [], "end": "three_hu", "hands": []},
        "the end is three_hu, but 0 players have declared Hu",
        "结束方式是三家胡牌，但有 0 家胡牌",
    ),
    (
        {
            "events": [
                {"type": "hu", "by": "self_drawn", "winners": [{"seat": 0, "standing": "11111m", "winning": "2m"}]}
            ],
            "end": "time_up",
        },
        "East ({0}): 5 standing tiles and 0 sets are not a hand of 13",
        "东（{0}）：5 张立牌和 0 组碰杠凑不成 13 张",
    ),
    (
        {
            "events": [
                {
                    "type": "hu",
                    "by": "self_drawn",
                    "winners": [{"seat": 2, "standing": "1111223344567s", "winning": "1s"}],
                }
            ],
            "end": "time_up",
        },
        "a fifth 1s among the hands shown",
        "亮出的牌里有第五张1条",
    ),
)


@pytest.mark.parametrize(("record", "english", "chinese"), REFUSED)
def test_a_refusal_is_in_the_language_of_the_request(
    place: Place, record: dict[str, Any], english: str, chinese: str
) -> None:
    book = place.begin_event()
    for step in ("open", "start"):
        book.step(Person("dan", "director"), 1, step, "")
    path = "/api/v1/event/sessions/1/tables/1/preview"
    with place.signed_in("scorer") as ann:
        told = {one: ann.post(f"{path}?lang={one}", json={"record": record}) for one in ("en", "zh")}
    assert [answer.status_code for answer in told.values()] == [409, 409]
    names = [name for _, name in book.view.sessions[0].tables[0].players]
    assert told["en"].json()["problem"].startswith(f"this cannot have happened: {english.format(*names)}")
    assert told["zh"].json()["problem"].startswith(f"不可能这样：{chinese.format(*names)}")


def test_what_may_be_mistyped_is_asked_in_the_language_of_the_request(place: Place) -> None:
    """The answer has what the page asks by; the same key is answered with it again."""
    book = place.begin_event()
    for step in ("open", "start"):
        book.step(Person("dan", "director"), 1, step, "")
    found = book.sheet(1, 1)
    assert found is not None
    hands = [
        {"seat": 1, "standing": "147m258p369s1234m"},
        {"seat": 2, "standing": "1112223334447p", "void": "p"},
        {"seat": 3, "value": 0},
    ]
    record = {"events": [hu_of("1122334455669s", "1m")], "end": "wall", "hands": hands}
    wanted = [
        {"kind": "false_hu", "seat": 0, "event": 0, "why": "没有胡牌牌型"},
        {"kind": "not_ready", "seat": 1, "event": None, "why": "没有牌可胡"},
        {"kind": "forbidden_suit", "seat": 2, "event": None, "why": "查花猪：终局手里有缺门的筒"},
    ]
    with place.signed_in("scorer") as ann:
        for path, body in (
            ("preview", {}),
            ("results", {"version": found[0].version}),
            ("results", {"version": found[0].version}),
        ):
            answer = ann.post(
                f"/api/v1/event/sessions/1/tables/1/{path}?lang=zh",
                json={"record": record, **body},
                headers={"Idempotency-Key": "asked-once"},
            )
            assert answer.status_code == 409, answer.text
            assert [{**one, "why": one["why"].replace("和", "胡")} for one in answer.json()["doubts"]] == wanted
            assert "诈" in answer.json()["problem"]
