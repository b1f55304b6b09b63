"""How fast the rules are, beside other engines on the same hands, in one run on one core.

    .venv-dev/bin/python -m benchmarks.rules_engine

`mahjong` comes with `make quick`, `rlcard` with `make bench`; the latter
plays another form of mahjong, but also 108 or more tiles, four hands and random players.
"""

import importlib
import importlib.util
import random
import time
from collections.abc import Callable, Sequence

from mahjong.agari import Agari
from mahjong.hand_calculating.hand import HandCalculator
from mahjong.hand_calculating.hand_config import HandConfig
from mahjong.shanten import Shanten

from wallwright.rules.core import bots as core
from wallwright.rules.core.distance import suit_missing
from wallwright.rules.core.packed import suit_table
from wallwright.rules.core.readings import completing, is_regular, pack_tiles
from wallwright.rules.core.tiles import tile_set
from wallwright.rules.hong_kong import bots as hong_kong
from wallwright.rules.hong_kong.faan import score_hand as score_hong_kong
from wallwright.rules.hong_kong.hands import Hand
from wallwright.rules.hong_kong.play import play as play_hong_kong
from wallwright.rules.hong_kong.play import shuffled_deal as shuffled_hong_kong
from wallwright.rules.hong_kong.ruleset import load_ruleset as load_hong_kong
from wallwright.rules.sichuan.bots import Bot, RandomBot, SmartBot
from wallwright.rules.sichuan.fans import score_hand
from wallwright.rules.sichuan.hands import is_complete, waits
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.rules.sichuan.shanten import shanten
from wallwright.rules.sichuan.tiles import full_set

SEED = 2026
HANDS = 6000
RULES = load_ruleset("sichuan-4")

Counts = list[int]


def complete_hand(rng: random.Random) -> Counts:
    """Four sets and a pair in two suits, no fifth copy."""
    while True:
        suits = rng.sample((0, 9, 18), 2)
        counts = [0] * 27
        for _ in range(4):
            first = rng.choice(suits)
            if rng.random() < 0.7:
                start = first + rng.randrange(7)
                tiles = [start, start + 1, start + 2]
            else:
                tiles = [first + rng.randrange(9)] * 3
            for kind in tiles:
                counts[kind] += 1
        counts[rng.choice(suits) + rng.randrange(9)] += 2
        if max(counts) <= 4:
            return counts


def random_hand(rng: random.Random) -> Counts:
    """Fourteen tiles of two suits."""
    suits = rng.sample((0, 1, 2), 2)
    counts = [0] * 27
    for kind in rng.sample([kind for kind in full_set() if kind // 9 in suits], 14):
        counts[kind] += 1
    return counts


def exchanged(counts: Counts, rng: random.Random) -> Counts:
    """One tile of the hand for another: a near miss, mostly."""
    counts = counts[:]
    counts[rng.choice([kind for kind, count in enumerate(counts) if count])] -= 1
    counts[rng.choice([kind for kind, count in enumerate(counts) if count < 4])] += 1
    return counts


def without_one(counts: Counts, rng: random.Random) -> tuple[Counts, int]:
    """Thirteen tiles and the one taken away."""
    winning = rng.choice([kind for kind, count in enumerate(counts) if count])
    rest = counts[:]
    rest[winning] -= 1
    return rest, winning


def rate(work: Callable[[], object], items: int, rounds: int = 7) -> float:
    """Items a second in the best of some rounds."""
    best = min(_timed(work) for _ in range(rounds))
    return items / best


def _timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def report(what: str, ours: float, other: tuple[str, float] | None = None, target: float | None = None) -> None:
    """One line of the table."""
    line = f"{what:<44} {ours:>13,.0f} /s"
    if other is not None:
        name, theirs = other
        line += f"   {name} {theirs:>9,.0f} /s   {ours / theirs:>6.1f} x"
        if target is not None:
            line += f"   target {target:g} x: {'met' if ours / theirs >= target else 'MISSED'}"
    print(line, flush=True)


def hands() -> None:
    """Completeness, waits, scores and distances, one hand at a time."""
    rng = random.Random(SEED)
    whole = [complete_hand(rng) for _ in range(HANDS // 3)]
    mixed = [*whole, *(exchanged(counts, rng) for counts in whole), *(random_hand(rng) for _ in whole)]
    rng.shuffle(mixed)
    lacking = [without_one(counts, rng)[0] for counts in mixed]
    theirs = [[*counts, *[0] * 7] for counts in mixed]
    agari = Agari()

    mahjong_checks = rate(lambda: [agari.is_agari(counts) for counts in theirs], len(theirs))
    report("complete?", rate(lambda: list(map(is_complete, mixed)), len(mixed)), ("mahjong", mahjong_checks), 3)

    some = [[*counts, *[0] * 7] for counts in lacking[:1000]]
    mahjong_waits = rate(lambda: [mahjong_wait_set(agari, counts) for counts in some], len(some))
    report("waits", rate(lambda: list(map(waits, lacking)), len(lacking)), ("mahjong", mahjong_waits), 50)

    report("score with items", our_scores(whole, rng), ("mahjong", mahjong_scores(whole[:1000], rng)), 15)

    other = Shanten()
    mahjong_distances = rate(
        lambda: [other.calculate_shanten(counts, use_kokushi=False) for counts in theirs[:1000]], 1000
    )
    suit_missing.cache_clear()
    first = rate(lambda: list(map(shanten, mixed)), len(mixed), rounds=1)
    report("distance (shanten), tables empty", first, ("mahjong", mahjong_distances))
    report("distance (shanten)", rate(lambda: list(map(shanten, mixed)), len(mixed)), ("mahjong", mahjong_distances))


def hands_of_34() -> None:
    """The same of hands with honours, as Hong Kong has them."""
    rng = random.Random(SEED)
    whole = [complete_hand_of_34(rng) for _ in range(HANDS // 3)]
    changed = [exchanged(counts, rng) for counts in whole]
    anyhow = [counted(rng.sample(tile_set(range(34)), 14)) for _ in whole]
    mixed = [*whole, *changed, *anyhow]
    rng.shuffle(mixed)
    packed = [pack_tiles(tiles_of(counts)) for counts in mixed]
    lacking = [without_one(counts, rng)[0] for counts in mixed]
    agari = Agari()

    theirs = rate(lambda: [agari.is_agari(counts) for counts in mixed], len(mixed))
    report("complete? (34 kinds)", rate(lambda: list(map(is_regular, packed)), len(packed)), ("mahjong", theirs), 3)

    some = lacking[:1000]
    theirs = rate(lambda: [mahjong_wait_set(agari, counts, 34) for counts in some], len(some))
    asked = [pack_tiles(tiles_of(counts)) for counts in lacking]
    report("waits (34 kinds)", rate(lambda: list(map(completing, asked)), len(asked)), ("mahjong", theirs), 50)

    rules = load_hong_kong("hong-kong")
    scored = []
    for counts in whole:
        rest, winning = without_one(counts, rng)
        scored.append(Hand(tiles_of(rest), winning))
    theirs = mahjong_scores(whole[:1000], rng)
    ours = rate(lambda: [score_hong_kong(hand, rules) for hand in scored], len(scored))
    report("score with items, Hong Kong", ours, ("mahjong", theirs), 15)


def counted(tiles: Sequence[int]) -> Counts:
    """34 counts by kind."""
    return [tiles.count(kind) for kind in range(34)]


def tiles_of(counts: Counts) -> tuple[int, ...]:
    """The kinds of counts, sorted."""
    return tuple(kind for kind, count in enumerate(counts) for _ in range(count))


def complete_hand_of_34(rng: random.Random) -> Counts:
    """Four sets and a pair of any kinds, no fifth copy."""
    while True:
        counts = [0] * 34
        for _ in range(4):
            kind = rng.randrange(34)
            start = kind if kind < 27 and kind % 9 < 7 and rng.random() < 0.7 else None
            for tile in [kind] * 3 if start is None else [start, start + 1, start + 2]:
                counts[tile] += 1
        counts[rng.randrange(34)] += 2
        if max(counts) <= 4:
            return counts


def mahjong_wait_set(agari: Agari, counts: Counts, kinds: int = 27) -> list[int]:
    """The waits by trying every tile, as that library leaves its users to do."""
    found = []
    for kind in range(kinds):
        if counts[kind] < 4:
            counts[kind] += 1
            if agari.is_agari(counts):
                found.append(kind)
            counts[kind] -= 1
    return found


def our_scores(whole: Sequence[Counts], rng: random.Random) -> float:
    """Full scores a second from plain tiles."""
    conditions = frozenset(("under_the_sea",))
    asked = []
    for counts in whole:
        rest, winning = without_one(counts, rng)
        asked.append((tuple(kind for kind in range(27) for _ in range(rest[kind])), winning))
    return rate(lambda: [score_hand(tiles, winning, RULES, (), conditions) for tiles, winning in asked], len(asked))


def mahjong_scores(whole: Sequence[Counts], rng: random.Random) -> float:
    """Full (riichi) scores a second of the same hands; riichi is declared, so that each has a value."""
    calculator = HandCalculator()
    asked = []
    for counts in whole:
        tiles = [4 * kind + copy for kind, count in enumerate(counts) for copy in range(count)]
        asked.append((tiles, rng.choice(tiles)))
    config = HandConfig(is_riichi=True)
    for tiles, winning in asked[:50]:
        assert calculator.estimate_hand_value(tiles, winning, config=config).error is None
    return rate(
        lambda: [calculator.estimate_hand_value(tiles, winning, config=config) for tiles, winning in asked],
        len(asked),
    )


def deals() -> None:
    """Whole deals a second, every action checked and logged, with their settlement."""
    theirs = ("rlcard", rlcard_rate()) if importlib.util.find_spec("rlcard") else None
    report("deals, random bots", deal_rate(RandomBot(), 400), theirs, 28)
    if theirs is None:
        print("rlcard is not installed, so deals are not compared")
    report("deals, smart bots", deal_rate(SmartBot(), 60))
    report("deals of Hong Kong, random bots", hong_kong_rate(core.RandomBot(), 100))
    report("deals of Hong Kong, smart bots", hong_kong_rate(hong_kong.SmartBot(), 15))


def deal_rate(bot: Bot, count: int) -> float:
    """Deals a second with four bots of one kind."""
    rng = random.Random(SEED)

    def work() -> None:
        for number in range(count):
            _dice, deal = shuffled_deal(RULES, number % 4, rng)
            play(deal, [bot] * 4, rng).settle()

    return rate(work, count, rounds=3)


def hong_kong_rate(bot: core.Bot[hong_kong.View], count: int) -> float:
    """Deals of Hong Kong a second with four bots of one kind."""
    rng = random.Random(SEED)
    rules = load_hong_kong("hong-kong")

    def work() -> None:
        for number in range(count):
            _dice, deal = shuffled_hong_kong(rules, number % 4, "E", rng)
            play_hong_kong(deal, [bot] * 4, rng).settle()

    return rate(work, count, rounds=3)


def rlcard_rate() -> float:
    """Games a second of rlcard's mahjong with its random agents."""
    # By name, as the package carries no types.
    make = importlib.import_module("rlcard").make
    agent = importlib.import_module("rlcard.agents").RandomAgent
    table = make("mahjong", config={"seed": SEED})
    table.set_agents([agent(num_actions=table.num_actions) for _ in range(4)])

    def work() -> None:
        for _ in range(25):
            table.run(is_training=False)

    return rate(work, 25, rounds=3)


def main() -> None:
    """Print the table."""
    began = time.process_time()
    entries = len(suit_table())
    print(f"table of {entries:,} suit patterns built in {time.process_time() - began:.2f} s; seed {SEED}")
    hands()
    hands_of_34()
    deals()


if __name__ == "__main__":
    main()
