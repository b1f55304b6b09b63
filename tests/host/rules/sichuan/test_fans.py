"""SBR-5.3 to 5.6: items, fans and values of hands; conditions that exclude each other."""

import itertools

import pytest

from tests.host.rules.sichuan.support import BOOK, CHENGDU, FOUR, MIL, UNLIMITED, melds, score
from wallwright.rules.core.errors import HandError
from wallwright.rules.sichuan.fans import CONDITIONS, condition_flags, wait_values
from wallwright.rules.sichuan.ruleset import PRESETS, load_ruleset
from wallwright.rules.sichuan.tiles import parse_suit, parse_tiles, tile_name

PLAIN = "123456s12345p99s"
"""Waits on 3p and 6p; either makes a hand without items."""


@pytest.mark.parametrize(
    ("standing", "winning", "sets", "conditions", "items"),
    [
        (PLAIN, "6p", "", (), {}),
        (PLAIN, "7p", "", (), None),
        ("456s789s5p", "5p", "pung:777p concealed:2222s", ("after_kong",), {"kong": 1, "win_after_kong": 1}),
        ("345s456p9p", "9p", "melded:2222s promoted:7777p", (), {"kong": 2}),
        ("345s456p9p", "9p", "postponed:2222s concealed:7777p", (), {"kong": 2}),
        # Four equal tiles: pung and chow, four chows, a pair and two chows, a declared pung and a chow.
        ("55556s123456p99p", "7s", "", (), {"root": 1}),
        ("111222233334s5p", "5p", "", (), {"root": 2}),
        ("1111223s456789p", "3s", "", (), {"root": 1}),
        ("67p12399s", "5p", "pung:555p pung:888s", (), {"root": 1}),
        ("111s33344p55s", "4p", "pung:999s", (), {"all_pungs": 1}),
        # Four sets declared make Golden Wait; a standing pung beside three is All Pungs alone.
        ("111s4p", "4p", "pung:999s pung:222p pung:333p", (), {"all_pungs": 1}),
        ("4p", "4p", "pung:999s pung:222p pung:333p pung:888s", (), {"all_pungs": 1, "golden_wait": 1}),
        (
            "4p",
            "4p",
            "concealed:9999s pung:222p pung:333p melded:8888s",
            (),
            {"kong": 2, "all_pungs": 1, "golden_wait": 1},
        ),
        ("1112345677899s", "9s", "", (), {"full_flush": 2}),
        ("2345678822278s", "9s", "", (), {"full_flush": 2, "root": 1}),
        ("1234445678999s", "4s", "", (), {"full_flush": 2, "root": 1}),
        ("1234567855512s", "9s", "", (), None),
        ("1133557799s224p", "4p", "", (), {"seven_pairs": 2}),
        ("11113355s99s224p", "4p", "", (), {"root": 1, "seven_pairs": 2}),
        ("111133335555s4p", "4p", "", (), {"root": 3, "seven_pairs": 2}),
        ("1133557799226s", "6s", "", (), {"full_flush": 2, "seven_pairs": 2}),
        (PLAIN, "6p", "", ("shoot_after_kong",), {"shoot_after_kong": 1}),
        (PLAIN, "6p", "", ("robbing_kong",), {"robbing_the_kong": 1}),
        (PLAIN, "6p", "", ("under_the_sea",), {"under_the_sea": 1}),
        (PLAIN, "6p", "", ("self_drawn", "under_the_sea"), {"under_the_sea": 1}),
        (PLAIN, "6p", "", ("self_drawn",), {}),
    ],
)
def test_sbr_5_3_items(standing, winning, sets, conditions, items):
    found = score(standing, winning, sets, conditions)
    assert found.complete == (items is not None)
    assert dict(found.items) == (items or {})
    assert found.fans == sum(found.items.values())
    assert found.value == (2**found.fans if found.complete else 0)


def test_sbr_5_3_the_value_stops_at_the_limit():
    values = [
        score("4p", "4p", "pung:999s melded:2222p concealed:3333p pung:888s", ruleset=r).value for r in (BOOK, FOUR)
    ]
    assert values == [8, 16]


def test_sbr_3_2_a_hand_with_its_forbidden_suit_is_not_complete():
    assert score(PLAIN, "6p", void="m").complete
    assert not score(PLAIN, "6p", void="p").complete
    assert not score("345s456s9s", "9s", "melded:2222m pung:777s", void="m").complete


def test_sbr_5_2_declared_sets_count_as_suits():
    assert not score("345s456p9p", "9p", "pung:222m pung:777p").complete


def test_three_pungs_in_a_row_are_read_as_pungs():
    assert dict(score("222333444s555p6p", "6p").items) == {"all_pungs": 1}


def test_sbr_5_5_the_reading_worth_more_counts():
    found = score("1122334455667p", "7p")
    assert (found.form, dict(found.items)) == ("seven_pairs", {"full_flush": 2, "seven_pairs": 2})


def test_sbr_5_5_equal_worth_counts_as_regular():
    # Read as chows the hand has flush and root, three fans; the limit of three makes seven pairs worth the same.
    hand = ("1122223344556s", "6s")
    readings = {ruleset.name: score(*hand, ruleset=ruleset).form for ruleset in (BOOK, FOUR)}
    assert readings == {"sichuan": "regular", "sichuan-4": "seven_pairs"}


def test_sbr_5_6_the_largest_hand():
    sets = "concealed:1111s concealed:3333s melded:5555s promoted:9999s"
    found = score("7s", "7s", sets, ("after_kong", "self_drawn", "under_the_sea"))
    assert dict(found.items) == {
        "kong": 4,
        "all_pungs": 1,
        "golden_wait": 1,
        "full_flush": 2,
        "win_after_kong": 1,
        "under_the_sea": 1,
    }
    assert (found.fans, found.value) == (10, 1024)
    assert score("7s", "7s", sets, ("after_kong", "under_the_sea"), BOOK).value == 8


TABLE_9 = {
    "kong": "root all_pungs golden_wait full_flush win_after_kong shoot_after_kong robbing_the_kong under_the_sea",
    "root": "full_flush seven_pairs win_after_kong shoot_after_kong robbing_the_kong under_the_sea",
    "all_pungs": "golden_wait full_flush win_after_kong shoot_after_kong under_the_sea",
    "golden_wait": "full_flush win_after_kong shoot_after_kong under_the_sea",
    "full_flush": "seven_pairs win_after_kong shoot_after_kong robbing_the_kong under_the_sea",
    "seven_pairs": "shoot_after_kong under_the_sea",
    "win_after_kong": "under_the_sea",
    "shoot_after_kong": "under_the_sea",
}
"""The book's table of what goes together, each pair once."""

EXAMPLES = [
    ("345s456p9p", "9p", "melded:2222s promoted:7777p"),
    ("46s456p99p", "5s", "melded:2222s promoted:7777p"),
    ("67p12399s", "5p", "pung:555p melded:8888s"),
    ("68p12399s", "7p", "pung:888p melded:5555s"),
    ("4p", "4p", "concealed:9999s pung:222p pung:333p melded:8888s"),
    ("4s", "4s", "concealed:9999s pung:222s pung:333s melded:8888s"),
    ("1133557799226s", "6s", ""),
    ("11113355s99s224p", "4p", ""),
    ("2223467999s", "5s", "melded:1111s"),
    ("2223445s", "6s", "melded:9999s pung:777s"),
    ("2223456888s", "1s", "pung:777s"),
    ("2222345677788s", "8s", ""),
    ("55556s123456p99p", "7s", ""),
    (PLAIN, "6p", ""),
]


def test_sbr_5_4_conditions_of_one_tile_exclude_each_other():
    together = set()
    for one, other in itertools.combinations(CONDITIONS, 2):
        for ruleset in (UNLIMITED, MIL):
            try:
                condition_flags(frozenset((one, other)), ruleset)
            except HandError:
                continue
            together.add((ruleset.name, one, other))
    common = {
        ("self_drawn", "after_kong"),
        ("self_drawn", "under_the_sea"),
        ("after_kong", "under_the_sea"),
        ("shoot_after_kong", "under_the_sea"),
    }
    assert together == {
        *((UNLIMITED.name, *pair) for pair in common),
        *((MIL.name, *pair) for pair in common),
        (MIL.name, "shoot_after_kong", "robbing_kong"),
    }


def test_sbr_5_4_the_books_table_holds_and_every_pair_of_it_occurs():
    allowed = {frozenset((one, other)) for one, others in TABLE_9.items() for other in others.split()}
    seen = set()
    for standing, winning, sets in EXAMPLES:
        for size in range(4):
            for conditions in itertools.combinations(CONDITIONS, size):
                try:
                    found = score(standing, winning, sets, conditions)
                except HandError:
                    continue
                assert found.complete
                assert found.items.get("kong", 0) <= 4
                assert found.items.get("root", 0) <= 3
                pairs = {frozenset(pair) for pair in itertools.combinations(found.items, 2)}
                assert pairs <= allowed, (standing, sets, conditions)
                seen |= pairs
    assert seen == allowed


def test_sbr_11_5_robbing_in_a_chain_shoots_as_well():
    found = score(PLAIN, "6p", "", ("robbing_kong", "shoot_after_kong"), MIL)
    assert dict(found.items) == {"shoot_after_kong": 1, "robbing_the_kong": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((PLAIN + "2p", "6p"), "15 tiles"),
        (("55556s123456p99p", "5s"), "a fifth 5s"),
        (("5555555555555s", "5s"), "a fifth 5s"),
        (("5s", "5s", "concealed:5555s concealed:5555s concealed:5555s concealed:5555s"), "a fifth 5s"),
        (("67p12399s", "5p", "concealed:5555p pung:888s"), "a fifth 5p"),
        ((PLAIN, "6p", "", ("after_kong",)), "needs a declared kong"),
        ((PLAIN, "3p", "", ("golden",)), "unknown condition 'golden'"),
        (("123456s12345p66p", "6p", "", ("robbing_kong",)), "robbed 6p is the fourth copy"),
        (("4p", "4p", "pung:999s pung:222p pung:333p pung:888s", ("robbing_kong",)), "robbed 4p"),
    ],
)
def test_hands_that_cannot_exist_are_refused(arguments, message):
    with pytest.raises(HandError, match=message):
        score(*arguments)


def test_every_preset_scores_the_same_items():
    for name in PRESETS:
        assert dict(score("345s456p9p", "9p", "melded:2222s promoted:7777p", ruleset=load_ruleset(name)).items) == {
            "kong": 2
        }


def values(standing, sets="", ruleset=UNLIMITED, void=None):
    suit = None if void is None else parse_suit(void)
    found = wait_values(parse_tiles(standing), ruleset, melds(sets), suit)
    return {tile_name(kind): value for kind, value in found.items()}


def test_sbr_6_5_the_best_of_the_waits_counts():
    assert values("1112345678999s", ruleset=BOOK) == {f"{rank}s": 8 if rank in (1, 9) else 4 for rank in range(1, 10)}


def test_sbr_6_5_declared_kongs_count_unless_the_ruleset_says_no():
    hand = ("345s456p9p", "melded:2222s promoted:7777p")
    assert values(*hand) == {"9p": 4}
    assert values(*hand, ruleset=UNLIMITED.with_changes(wall_end_kongs=False)) == {"9p": 1}


def test_sbr_6_5_no_winning_tile_conditions_but_golden_wait_counts():
    assert values("4p", "pung:999s pung:222p pung:333p pung:888s") == {"4p": 4}


def test_sbr_10_3_a_waiting_hand_is_worth_one_point():
    assert set(values("1112345678999s", ruleset=CHENGDU).values()) == {1}


def test_sbr_6_6_copies_elsewhere_do_not_spoil_the_wait():
    # All four 5p are the player's own: three declared, one standing, or four in the concealed kong.
    assert set(values("5p123s", "pung:555p pung:888s pung:999s")) == {"5p"}
    assert values("46p123s99s", "concealed:5555p pung:888s") == {"5p": 2}


def test_sbr_3_3_a_hand_with_its_forbidden_suit_waits_on_nothing():
    assert values(PLAIN, void="p") == {}
    assert set(values(PLAIN, void="m")) == {"3p", "6p"}
    assert values("345s456p9p", "pung:222m pung:777p", void="m") == {}


def test_a_waiting_hand_has_thirteen_tiles():
    with pytest.raises(HandError, match="14 tiles"):
        wait_values(parse_tiles(PLAIN + "3p"), BOOK)
