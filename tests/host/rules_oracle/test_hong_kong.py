"""Hong Kong by the engine and by the reference: random hands, waits, deals and breaks, by their JSON shapes. (HKO)"""

import random
from collections import Counter
from itertools import product
from typing import Any

from tests.length import length
from tests.reference import hong_kong
from tests.reference.full_set import ALL_TILES
from tests.reference.hong_kong_settle import settle
from tests.reference.two_ended import break_
from wallwright.rules.hong_kong.game import GAME

OPTIONS: dict[str, list[Any]] = {
    "flowers": [False, True],
    "last_discard": [False, True],
    "seven_pairs": [0, 4],
    "all_chows_pair": ["any", "suited"],
    "concealed_hand": [0, 1],
    "mixed_terminals": [0, 1],
    "limit_faan": [7, 8, 10, 13],
    "min_faan": [0, 1, 3],
    "flowers_for_minimum": [False, True],
    "points_table": ["spicy", "half_spicy", "laak"],
    "max_base": [64, 128, "none"],
    "payment": ["half", "full"],
    "robbed_pays": ["discard", "all"],
    "multi_win": ["nearest", "all"],
    "false_win_dealer": ["stay", "pass"],
    "dealer_repeat": [True, False],
}


def options(rng: random.Random) -> dict[str, Any]:
    """Some options, others than the preset's or the same."""
    return {name: rng.choice(values) for name, values in OPTIONS.items() if rng.random() < 0.25}


def sets_and_pair(rng: random.Random) -> tuple[list[list[str]], str]:
    """Four sets, often of few suits and many honours, and a pair."""
    suits = rng.choice(("m", "p", "s", "mz", "pz", "sz", "z", "mps", "mpsz", "mpsz"))
    kinds = [tile for tile in ALL_TILES if tile[1] in suits]
    if rng.random() < 0.1:
        kinds = [tile for tile in ALL_TILES if tile[0] in "19" and tile[1] != "z"] + (
            [tile for tile in ALL_TILES if tile[1] == "z"] if rng.random() < 0.5 else []
        )
    if rng.random() < 0.15:
        kinds = [tile for tile in ALL_TILES if tile[1] == "z"] * 3 + kinds
    chows = rng.choice((0.0, 0.4, 0.8, 1.0))
    found = []
    for _ in range(4):
        tile = rng.choice(kinds)
        rank = int(tile[0])
        if tile[1] != "z" and rank <= 7 and rng.random() < chows:
            found.append([f"{rank + step}{tile[1]}" for step in range(3)])
        else:
            found.append([tile] * rng.choice((3, 3, 3, 4)))
    return found, rng.choice(kinds)


def irregular(rng: random.Random) -> list[str]:
    """Fourteen tiles that may be an irregular hand or Nine Gates."""
    form = rng.randrange(3)
    if form == 0:
        orphans = [tile for tile in ALL_TILES if tile[0] in "19" or tile[1] == "z"]
        return [*orphans, rng.choice(orphans)]
    if form == 1:
        return [tile for tile in rng.sample(rng.choice((ALL_TILES, ALL_TILES[-16:])), 7) for _ in range(2)]
    suit = rng.choice("mps")
    return [f"{rank}{suit}" for rank in (1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, rng.randint(1, 9))]


def tiles_of(rng: random.Random) -> tuple[list[str], list[dict[str, str]]]:
    """Fourteen tiles of a hand, and those of them that are laid down; most are complete."""
    if rng.random() < 0.12:
        return irregular(rng), []
    sets, pair = sets_and_pair(rng)
    standing, melds = [pair, pair], []
    down = rng.choice((0.0, 0.3, 0.7, 1.0))
    for one in sets:
        if len(one) == 4 or rng.random() < down:
            kind = "kong" if len(one) == 4 else "pung" if one[0] == one[1] else "chow"
            meld = {"kind": kind, "tiles": "".join(one)}
            if kind == "kong" or (kind == "pung" and rng.random() < 0.1):
                types = ("concealed", "melded", "promoted", "postponed") if kind == "kong" else ("concealed", "melded")
                meld["type"] = rng.choice(types)
            melds.append(meld)
        else:
            standing += one
    if rng.random() < 0.1:
        standing[rng.randrange(len(standing))] = rng.choice(ALL_TILES)
    return standing, melds


def case(rng: random.Random) -> dict[str, Any]:
    """What `rules score` reads: a hand that can be held, and a way of winning that can be."""
    while True:
        standing, melds = tiles_of(rng)
        everything = Counter([*standing, *(tile for meld in melds for tile in in_pairs(meld["tiles"]))])
        if max(everything.values()) <= 4:
            break
    rng.shuffle(standing)
    winning = standing.pop()
    kongs = sum(meld["kind"] == "kong" for meld in melds)
    chosen = options(rng)
    record: dict[str, Any] = {
        "ruleset": rng.choice(("hong-kong", "hong-kong-modern")),
        "options": chosen,
        "standing": "".join(standing),
        "melds": melds,
        "winning": winning,
        "seat_wind": rng.choice("ESWN"),
        "round_wind": rng.choice("ESWN"),
    }
    if chosen.get("flowers"):
        record["flowers"] = rng.sample([f"{number}f" for number in range(1, 9)], rng.choice((0, 0, 1, 2, 4, 6, 8)))
    ways: list[tuple[str, list[str]]] = [("discard", []), ("self_drawn", []), ("self_drawn", ["last_tile"])]
    ways += [("discard", ["last_discard"])]
    if everything[winning] == 1:
        ways += [("robbed_kong", [])] * 3
    if kongs:
        ways += [("loose", []), ("self_drawn", ["after_kong"]), ("loose", ["last_tile"])]
    if kongs > 1:
        ways += [("loose", ["kong_on_kong"])] * 2
    if not melds:
        first = ("self_drawn", ["heavenly"]) if record["seat_wind"] == "E" else ("discard", ["earthly"])
        ways += [first] if rng.random() < 0.3 else []
    record["by"], record["conditions"] = rng.choice(ways)
    return record


def in_pairs(text: str) -> list[str]:
    return [text[at : at + 2] for at in range(0, len(text), 2)]


def test_random_hands_are_worth_what_the_reference_says() -> None:
    seed = random.Random().randrange(1 << 32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    met: Counter[str] = Counter()
    for _ in range(length(1_000, 100_000)):
        record = case(rng)
        found, wanted = GAME.score(record), hong_kong.best(record)
        assert found in (wanted or [{"complete": False}]), record
        items = found.get("items", {"not complete": 1})
        assert isinstance(items, dict)
        met.update(items)
    assert len(met) >= 30, met


def test_random_waits_are_those_of_the_reference() -> None:
    seed = random.Random().randrange(1 << 32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    ready = 0
    for _ in range(length(60, 5_000)):
        record = case(rng)
        asked = {name: record[name] for name in ("ruleset", "options", "standing", "melds")}
        found = GAME.waits(asked)["waits"]
        assert isinstance(found, list)
        assert sorted(found) == sorted(hong_kong.waits(record)), record
        ready += bool(found)
    assert ready > 30


def deal(rng: random.Random) -> dict[str, Any]:
    """What `rules settle` reads."""
    hand = case(rng)
    record: dict[str, Any] = {"ruleset": hand["ruleset"], "options": {**hand["options"], "min_faan": 0}}
    record |= {"dealer": rng.randrange(4), "round_wind": rng.choice("ESWN")}
    kind = rng.random()
    if kind < 0.1:
        return record | {"events": [], "end": "wall"}
    if kind < 0.2:
        return record | {"events": [{"type": "false_win", "seat": rng.randrange(4)}], "end": "false_win"}
    seat, by = rng.randrange(4), hand["by"]
    giver = None if by in ("self_drawn", "loose") else (seat + rng.randint(1, 3)) % 4
    before: list[dict[str, Any]] = []
    first = [name for name in ("heavenly", "earthly") if name in hand["conditions"]]
    suits = Counter(meld["tiles"][1] for meld in hand["melds"] if meld.get("type") != "concealed")
    if any(suits[suit] >= 3 for suit in "mps") and rng.random() < 0.7:
        before.append({"type": "nine_pieces", "seat": seat})
        if sum(suits.values()) == 4 and rng.random() < 0.7:
            before.append({"type": "twelve_pieces", "seat": seat, "from": (seat + rng.randint(1, 3)) % 4})
    winners: list[dict[str, Any]]
    if first or not hong_kong.is_complete(hand) or rng.random() < 0.2:
        rules = hong_kong.rules_of(record)
        worth = [hong_kong.base(faan, rules) for faan in range(rules["limit_faan"] + 1)]
        winners = [{"seat": seat, "points": rng.choice(worth)}]
        if giver is not None and rng.random() < 0.4:
            others = [one for one in range(4) if one not in (seat, giver)]
            winners += [{"seat": one, "points": rng.choice(worth)} for one in rng.sample(others, rng.randint(1, 2))]
    else:
        shown: tuple[str, ...] = ("standing", "melds", "winning", "conditions", "flowers")
        tiles = {name: hand[name] for name in shown if name in hand}
        winners = [{"seat": seat, **tiles}]
    event: dict[str, Any] = {"type": "hu", "by": by, "winners": winners}
    if giver is not None:
        event["from"] = giver
    return record | {"events": [*before, event], "end": "win"}


def test_random_deals_are_settled_as_the_reference_does() -> None:
    seed = random.Random().randrange(1 << 32)
    print(f"seed {seed}")
    rng = random.Random(seed)
    clauses: Counter[str] = Counter()
    for _ in range(length(700, 50_000)):
        record = deal(rng)
        found: dict[str, Any] = GAME.settle(record)
        wanted = settle(record)
        paid = [(one["from"], one["to"], one["points"], one["clause"]) for one in found["payments"]]
        assert sorted(paid) == sorted(wanted["payments"]), record
        assert [found[key] for key in ("points", "next_dealer", "round_wind")] == (
            [wanted[key] for key in ("points", "next_dealer", "round_wind")]
        ), record
        assert sum(found["points"]) == 0
        clauses.update(clause for *_, clause in paid)
    assert set(clauses) == {f"HKO-6.{number}" for number in (4, 5, 6, 7, 8)} | {"HKO-7.1"}


def test_every_throw_breaks_the_wall_as_the_reference_does() -> None:
    for dice, dealer, flowers in product(product(range(1, 7), repeat=3), range(4), (False, True)):
        record = {"ruleset": "hong-kong", "options": {"flowers": flowers}, "dealer": dealer, "dice": list(dice)}
        assert GAME.break_wall(record) == break_(record)
