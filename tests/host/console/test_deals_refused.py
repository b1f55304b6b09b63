"""A wrong or damaged file of deals, given to the console: what is wrong with it is said in the reader's language."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.host.console.hall import Place
from tests.host.console.test_deals_page import FOUR_TABLES, Evening
from tests.host.console.test_refusals import CHINESE
from wallwright.duplicate.deals import BREAK, OWN
from wallwright.duplicate.drawing import draw_deals
from wallwright.duplicate.json_form import MARK, deals_record
from wallwright.duplicate.text import MAGIC, write_text

KEYS = (MARK, "event", "ruleset", "draw", "spares", "nonce", "seed", "commitment", "deals")
"""Names in a file, which are the same in every language."""
CHARACTER = re.compile("[\u4e00-\u9fff]")
FIRST = "deals", 0
OWN_WALLS = draw_deals("day", "mil-2025-duplicate", OWN, 2, 1)
BROKEN_WALL = draw_deals("day", "hong-kong", BREAK, 1)


def record(*path: str | int, value: object) -> str:
    """The deals as JSON, with another value at a place."""
    return json.dumps(changed(deals_record(OWN_WALLS), *path, value=value))


def changed(found: dict[str, Any], *path: str | int, value: object) -> dict[str, Any]:
    at: Any = found
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return found


def text(old: str, new: str) -> str:
    """The deals as text, of which the first `old` is replaced."""
    lines = write_text(OWN_WALLS)
    assert old in lines
    return lines.replace(old, new, 1)


def five_equal() -> str:
    found = deals_record(OWN_WALLS)
    found["deals"][0]["sides"][0][:3] = ["1m1m", "1m1m", "1m1m"]
    return json.dumps(found)


TOLD: dict[str, tuple[str | Callable[[], str], tuple[str, ...]]] = {
    "no JSON": ("1m2m", (MAGIC, MARK)),
    "a comma is missing": ('{"a": 1 "b": 2}', (MAGIC, MARK)),
    "NaN": ('{"a": NaN}', (MAGIC, MARK, "NaN")),
    "a number of any size": ('{"a": 1' + "0" * 30 + "}", (MAGIC, MARK)),
    "a list in lists": ("[" * 100, (MAGIC, MARK)),
    "half a character": ('"\\ud800"', (MAGIC, MARK, "d800")),
    "JSON of something else": ("{}", (MARK,)),
    "a key more": (lambda: record("more", value=1), ("'more'", *KEYS)),
    "no texts": (lambda: record("event", value=1), ("event", "ruleset", "draw", "commitment", "deals")),
    "another commitment": (lambda: record("commitment", value="x"), ()),
    "no nonce": (lambda: record("nonce", value="x"), ("nonce",)),
    "spares in words": (lambda: record("spares", value="one"), ("spares", "'one'")),
    "too many spares": (lambda: record("spares", value=3), ()),
    "an event without a name": (lambda: record("event", value=""), ()),
    "an unknown ruleset": (lambda: record("ruleset", value="house"), ("ruleset", "'house'", "mil-2025", "hong-kong")),
    "no such draw": (lambda: record("draw", value="sky"), ("draw", "'sky'", "break", "own")),
    "no deals": (lambda: record("deals", value=[]), ()),
    "keys of a deal": (lambda: record(*FIRST, value={}), ("dealer", "deal", "dice", "sides")),
    "three sides": (lambda: record(*FIRST, "sides", value=[[], [], []]), ("sides",)),
    "no dice": (lambda: record(*FIRST, "dice", value=[3]), ("dice",)),
    "a die in words": (lambda: record(*FIRST, "dice", value=[["six"]]), ("dice", "'six'")),
    "dice for nothing": (lambda: record(*FIRST, "dice", value=[[3]]), ()),
    "a fifth dealer": (lambda: record(*FIRST, "dealer", value=4), ()),
    "the second deal first": (lambda: record(*FIRST, "deal", value=2), ()),
    "a tile of no kind": (lambda: record(*FIRST, "sides", 0, 0, value="1m9x"), ("'1m9x'", "'9x'")),
    "three tiles": (lambda: record(*FIRST, "sides", 0, 0, value="1m9p1s"), ("'1m9p1s'",)),
    "a short side": (lambda: record(*FIRST, "sides", 0, value=["1m9p"]), ("MIL",)),
    "five equal tiles": (five_equal, ()),
    "text of another kind": (MAGIC + "1\n", (MAGIC,)),
    "text that ends": (MAGIC + "\n", ("[Nonce ...]",)),
    "another tag": (lambda: text("[Event ", "[Even "), ('[Event "..."]',)),
    "no number": (lambda: text('[Deal "1"]', '[Deal "one"]'), ("'one'",)),
    "no digits": (lambda: text('[Nonce "', '[Nonce "x'), ("'x" + OWN_WALLS.nonce.hex()[:19] + "'",)),
    "no stack": (lambda: text('[Side0 "', '[Side0 "1m '), ("'1m'",)),
    "no tile": (lambda: text('[Side0 "', '[Side0 "x '), ("'x'",)),
    "dice that no game throws": (
        lambda: json.dumps(changed(deals_record(BROKEN_WALL), *FIRST, "dice", value=[[1, 1, 1, 1]])),
        (),
    ),
}
"""What is given for deals, and the names in what is said of it that are the same in every language."""


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """One after which nobody plays any more."""
    found = Evening(Place(tmp_path_factory.mktemp("evening"), *FOUR_TABLES))
    found.play_out()
    return found


def refused(evening: Evening, deals: str, **headers: str) -> str:
    director = evening.place.signed_in("director")
    headers["Idempotency-Key"] = f"deals-{evening.place.clock.now_ms}"
    evening.place.clock.now_ms += 1
    answer = director.post("/api/v1/event/deals/reveal", json={"deals": deals}, headers=headers)
    assert answer.status_code in (400, 409, 422)
    problem: str = answer.json()["problem"]
    return problem


def english(problem: str, names: tuple[str, ...] = ()) -> list[str]:
    """The words of a sentence without these names; a letter alone is part of a tile's."""
    for one in names:
        assert one in problem, f"{one} is not in {problem}"
        problem = problem.replace(one, "")
    assert CHARACTER.search(problem), problem
    return re.findall("[A-Za-z]{2,}", problem.replace("JSON", ""))


@pytest.mark.parametrize("name", TOLD)
def test_what_is_wrong_with_a_file_of_deals_is_said_in_chinese(evening: Evening, name: str) -> None:
    given, names = TOLD[name]
    deals = given if isinstance(given, str) else given()
    problem = refused(evening, deals, **CHINESE)
    assert english(problem, names) == [], problem
    assert not CHARACTER.search(refused(evening, deals))


def test_deals_of_another_seed_are_told_apart_from_those_that_were_drawn(evening: Evening) -> None:
    deals = evening.day.deals
    other = json.dumps(deals_record(replace(deals, seed=bytes(32))))
    assert "deal 1 is not the one that the seed stands for" in refused(evening, other)
    assert english(refused(evening, other, **CHINESE)) == []
    assert english(refused(evening, json.dumps(deals_record(evening.day.other_deals())), **CHINESE)) == []


def test_a_copy_that_has_ended_too_early_is_refused_in_chinese_wherever_that_was(evening: Evening) -> None:
    whole = write_text(evening.day.deals)
    for end in range(len(MAGIC), len(whole) - 1, 97):
        problem = refused(evening, whole[:end], **CHINESE)
        assert english(re.sub(r"\[\w+ [^]]*\]|'[^']*'", "", problem)) == [], problem
