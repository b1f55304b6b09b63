"""Explanations of Hong Kong deals in Chinese: the same clauses, and no English left."""

import re
from random import Random
from typing import Any

from tests.host.console.test_explained import LATIN, SAY
from tests.host.rules_oracle.test_hong_kong import deal
from wallwright.rules.core.tile_words import Tiles
from wallwright.rules.core.tiles import FLOWERS, parse_tiles
from wallwright.rules.hong_kong.explain import ITEMS
from wallwright.rules.hong_kong.game import GAME
from wallwright.words import english

RECORDS: list[dict[str, Any]] = [
    {"events": [], "end": "time_up", "options": {"time_up": "stop"}, "round_wind": "W"},
    {"events": [{"type": "false_win", "seat": 2, "what": "set"}], "end": "false_win", "round_wind": "N"},
    {"events": [{"type": "false_win", "seat": 1, "what": "count"}], "end": "false_win", "round_wind": "S"},
]


def test_lines_of_random_deals_are_chinese_and_name_the_same_clauses() -> None:
    seed = Random().randrange(1 << 32)
    print(f"seed {seed}")
    rng = Random(seed)
    records = [*({"ruleset": "hong-kong", "dealer": 3, **one} for one in RECORDS), *(deal(rng) for _ in range(400))]
    said = set()
    for record in records:
        for line in GAME.explain(record):
            chinese = line.said(SAY)
            assert not re.search("[A-Za-z]", LATIN.sub("", chinese).replace("HKO", "")), (str(line), chinese)
            assert re.findall(r"HKO-[0-9., ]+\d", chinese) == re.findall(r"HKO-[0-9., ]+\d", str(line))
            said.add(line.text)
    assert len(said) > 20


def test_every_item_has_a_chinese_name() -> None:
    assert [name for name, item in ITEMS.items() if re.search("[A-Za-z]", item.said(SAY))] == []


def test_honours_and_flowers_are_said_by_name() -> None:
    assert Tiles(parse_tiles("5s1z1m7z")).said(english) == "1m5s17z"
    assert Tiles(parse_tiles("5s1z1m7z")).said(SAY) == "1万5条东中"
    assert Tiles(FLOWERS).said(SAY) == "春夏秋冬梅兰竹菊"
