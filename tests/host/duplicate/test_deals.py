"""`wallwright deals` as a director uses it: drawn, kept, printed, exchanged, checked, and drawn again by a stranger."""

import hashlib
import json
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wallwright import cli
from wallwright.duplicate.deals import BREAK, OWN, BadDeals, dealt
from wallwright.duplicate.drawing import commitment, draw_deals
from wallwright.duplicate.json_form import deals_record, read_record
from wallwright.duplicate.text import read_text, write_text
from wallwright.rules.core.tiles import tile_name

USAGE = 2
CHARACTERS = st.characters(codec="utf-8", categories=["L", "N", "P", "S"], exclude_characters='"')
NAMES = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
TILE = re.compile(r"\b[1-9][mpszf]\b|\b[1-9][mpszf][1-9][mpszf]\b")


@pytest.fixture
def deals(monkeypatch, capsys, tmp_path):
    """Runs a command in a folder with a file `password`: its code, what it printed, and its errors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "password").write_text("correct horse\n")

    def deals(line, password="password"):
        monkeypatch.setattr("sys.argv", ["wallwright", "deals", *line.split(), "--password-file", password])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return caught.value.code or 0, printed.out, printed.err

    return deals


def stranger(seed: bytes, deal: int, dice: int) -> tuple[list[int], list[str]]:
    """Dice and tiles of a deal of 108, as docs/duplicate.md says they are drawn; nothing of ours is used."""
    data = b""
    for block in range(100):
        head = b"wallwright deals 1" + bytes(1) + seed
        data += hashlib.sha256(head + bytes([deal >> 8, deal & 255]) + block.to_bytes(4, "big")).digest()
    words = [int(data[at : at + 4].hex(), 16) for at in range(0, len(data), 4)]

    def below(end):
        word = words.pop(0)
        while word >= 2**32 // end * end:
            word = words.pop(0)
        return word % end

    thrown = [below(6) + 1 for _ in range(dice)]
    tiles = [name for name in NAMES for _ in range(4)]
    for last in reversed(range(1, 108)):
        other = below(last + 1)
        tiles[last], tiles[other] = tiles[other], tiles[last]
    return thrown, tiles


def flat(deal):
    return [stack[at : at + 2] for side in deal["sides"] for stack in side for at in (0, 2)]


@pytest.mark.parametrize("mode", ["own", "break"])
def test_a_stranger_draws_the_same_deals_from_what_was_revealed(deals, tmp_path, mode):
    _, said, _ = deals(f"draw a.deals --event Spring --deals 5 --spares 1 --draw-from {mode} --json")
    published = json.loads(said)["commitment"]
    assert deals("export a.deals --out a.json")[0] == 0
    assert deals("export a.deals --out a.txt")[0] == 0
    shown = json.loads((tmp_path / "a.json").read_text())
    for deal in shown["deals"]:
        dice, tiles = stranger(bytes.fromhex(shown["seed"]), deal["deal"], 0 if mode == "own" else 2)
        assert ([die for throw in deal["dice"] for die in throw], flat(deal)) == (dice, tiles)
        assert deal["dealer"] == (deal["deal"] - 1) % 4
    text = (tmp_path / "a.txt").read_text()
    nonce = text.split('"')[1]
    committed = text[text.index("[Event") :].encode()
    again = hashlib.sha256(b"wallwright commitment 1\0" + bytes.fromhex(nonce) + committed).hexdigest()
    assert again == published == shown["commitment"]
    for name in ("a.json", "a.txt", "a.deals"):
        code, said, _ = deals(f"verify {name} --commitment {published}")
        assert (code, "6 deals" in said, "the one that was published" in said) == (0, True, True)
        code, _, error = deals(f"verify {name} --commitment {'0' * 64}")
        assert (code, "not the deals that were committed to" in error) == (USAGE, True)


def test_own_walls_are_thirteen_tiles_and_the_draws_behind_them():
    drawn = draw_deals("x", "mil-2025", OWN, 4)
    for deal in drawn.deals:
        found = dealt(drawn.rules, OWN, deal)
        assert [len(wall) for wall in found.walls] == [15, 13, 15, 13]
        for side in range(4):
            order = [kind for stack in deal.side(side) for kind in reversed(stack)]
            assert (found.hands[side], found.walls[side]) == (tuple(sorted(order[:13])), tuple(order[13:]))


def test_hands_from_the_break_follow_the_worked_example_of_the_rules():
    # SBR-2.2, 2.3: 6 and 4 break South's wall after four stacks; the wall's head is one tile there, then 9 stacks.
    drawn = next(deal for seed in range(999) for deal in [draw_one(seed)] if deal.deals[0].dice == ((6, 4),))
    deal = drawn.deals[0]
    found = dealt(drawn.rules, BREAK, deal)
    south, east = deal.side(1), deal.side(0)
    # East's first four tiles are the two stacks behind the break, the upper tile first.
    taken = [south[4][1], south[4][0], south[5][1], south[5][0]]
    assert not Counter(taken) - Counter([*found.hands[0], found.walls[0][0]])
    north, west = deal.side(3), deal.side(2)
    rest = [*north[-9:], *west, *south[:4]]
    # One tile heads the wall, below the one that East took last; the dealer has drawn first.
    assert list(found.walls[0][2:]) == [kind for stack in rest for kind in reversed(stack)]
    assert len(found.walls[0]) == 1 + 55
    assert sum(map(len, found.hands)) == 52
    assert len(east) == 14


def draw_one(seed):
    return draw_deals("x", "mil-2025", BREAK, 1, random_bytes=lambda count: seed.to_bytes(count, "big"))


@settings(deadline=None)
@given(
    st.binary(min_size=32, max_size=32),
    st.sampled_from(["mil-2025", "sichuan", "hong-kong", "cumberland", "balsall"]),
    st.sampled_from([BREAK, OWN]),
    st.integers(1, 4),
    st.integers(0, 2),
    st.text(CHARACTERS, min_size=1, max_size=20),
    st.booleans(),
)  # fmt: skip
def test_json_and_text_give_the_same_deals_back(seed, ruleset, draws, count, spares, event, seeded):
    drawn = draw_deals(event, ruleset, draws, count, spares, lambda size: seed[:size])
    if not seeded:
        drawn = type(drawn)(event, ruleset, draws, drawn.deals, spares, drawn.nonce)
    assert read_text(write_text(drawn)) == drawn
    assert read_record(json.loads(json.dumps(deals_record(drawn)))) == drawn
    for deal in drawn.deals:
        found = dealt(drawn.rules, draws, deal)
        every = [kind for part in (*found.hands, *found.walls) for kind in part]
        assert sorted(every) == sorted(deal.faces)


CHANGES = {
    "Event": ("[Event", "[Evemt", '[Event "..."] is due here'),
    "magic": ("% wallwright deals 1", "% wallwright deals 2", "its first line is not"),
    "ruleset": ("mil-2025", "mil-1825", "name a preset"),
    "other game": ('"mil-2025"', '"hong-kong"', "are no wall of hong-kong"),
    "draw": ('Draw "own"', 'Draw "tail"', "it is break or own"),
    "spares": ('Spares "1"', 'Spares "3"', "at least one is to be played"),
    "number": ('Deal "2"', 'Deal "3"', "stands where deal 2 is due"),
    "dealer": ('Dealer "1"', 'Dealer "4"', "seats are 0 to 3"),
    "dice": ('Dice ""', 'Dice "3 4"', "nobody throws where each draws"),
    "nonce": ('Nonce "', 'Nonce "g', "is not 64 digits"),
    "half a stack": ('Side0 "', 'Side0 "1m ', "is no stack of two tiles"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_text_that_was_changed_is_refused_in_one_line(deals, tmp_path, name):
    deals("draw a.deals --event Spring --deals 2 --spares 1")
    deals("export a.deals --out a.txt")
    before, after, problem = CHANGES[name]
    text = (tmp_path / "a.txt").read_text()
    assert before in text
    (tmp_path / "b.txt").write_text(text.replace(before, after, 1))
    code, said, error = deals("verify b.txt")
    assert (code, said, error.count("\n"), problem in error) == (USAGE, "", 1, True), error


JSON_CHANGES = {
    "a key too many": ({"more": 1}, "deal 1: it has not the keys"),
    "three sides": ({"sides": [[], [], []]}, "deal 1: sides are four lists of stacks"),
    "a side that is none": ({"sides": [[], [], [], 5]}, "deal 1: sides are four lists of stacks"),
    "no side at all": ({"sides": [1, 2, 3, 4]}, "deal 1: sides are four lists of stacks"),
    "a throw that is none": ({"dice": [[1], 5]}, "deal 1: dice are lists of numbers, throw by throw"),
    "no throws": ({"dice": 5}, "deal 1: dice are lists of numbers, throw by throw"),
    "a die that is none": ({"dice": [["x"]]}, "deal 1: dice is 'x'"),
    "a dealer that is none": ({"dealer": "east"}, "deal 1: dealer"),
}


@pytest.mark.parametrize("name", JSON_CHANGES)
def test_json_that_was_changed_is_refused_in_one_line(deals, tmp_path, name):
    deals("draw a.deals --event Spring --deals 2")
    deals("export a.deals --out a.json")
    record = json.loads((tmp_path / "a.json").read_text())
    change, problem = JSON_CHANGES[name]
    record["deals"][0] |= change
    (tmp_path / "b.json").write_text(json.dumps(record))
    code, said, error = deals("verify b.json")
    assert (code, said, error.count("\n"), problem in error) == (USAGE, "", 1, True), error


def test_five_equal_tiles_a_missing_one_and_a_changed_order_are_each_named(deals, tmp_path):
    deals("draw a.deals --event Spring --deals 2")
    deals("export a.deals --out a.txt")
    lines = (tmp_path / "a.txt").read_text().split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith("[Side0"))
    stacks = lines[at].removeprefix('[Side0 "').removesuffix('"]').split(" ")
    swapped = next(one for one in range(1, len(stacks)) if stacks[one] != stacks[0])
    order = list(stacks)
    order[0], order[swapped] = order[swapped], order[0]
    for new, problem in (
        (" ".join(["1m1m", "1m1m", "1m1m", *stacks[3:]]), "tiles 1m in it, and a set has 4"),
        (" ".join(stacks[1:]), "are no wall of mil-2025"),
        (" ".join(order), "deal 1 is not the one that the seed stands for"),
    ):
        changed = [*lines[:at], f'[Side0 "{new}"]', *lines[at + 1 :]]
        (tmp_path / "b.txt").write_text("\n".join(changed))
        code, _, error = deals("verify b.txt")
        assert (code, problem in error) == (USAGE, True), error


def test_deals_of_others_are_imported_and_keep_their_commitment(deals, tmp_path):
    deals("draw a.deals --event Spring --deals 2")
    deals("export a.deals --out a.txt")
    text = re.sub(r"\[Seed .*\]\n", "", (tmp_path / "a.txt").read_text())
    (tmp_path / "theirs.txt").write_text(text.replace("\n", "\r\n"))
    code, said, _ = deals("import theirs.txt b.deals")
    assert (code, "delete it" in said) == (0, True)
    first = json.loads(deals("verify a.deals --json")[1])
    second = json.loads(deals("verify b.deals --json")[1])
    assert (first.pop("seeded"), second.pop("seeded")) == (True, False)
    assert first == second
    assert deals("import theirs.txt b.deals")[0] == USAGE  # It replaces nothing.


def test_sealed_deals_open_with_their_password_alone_and_show_nothing(deals, tmp_path):
    deals("draw a.deals --event Spring --deals 3")
    sealed = (tmp_path / "a.deals").read_text()
    assert not TILE.search(sealed)
    (tmp_path / "other").write_text("correct house\n")
    code, _, error = deals("verify a.deals", password="other")
    assert (code, "this is not its password, or the file was changed" in error) == (USAGE, True)
    record = json.loads(sealed)
    box = bytearray.fromhex(record["box"])
    box[7] ^= 1
    for change in ({"box": box.hex()}, {"deals": 2}, {"event": "Summer"}, {"commitment": "0" * 64}):
        (tmp_path / "b.deals").write_text(json.dumps(record | change))
        code, _, error = deals("verify b.deals")
        assert (code, "or the file was changed" in error) == (USAGE, True), change
    (tmp_path / "short").write_text("horse\n")
    code, _, error = deals("draw c.deals --event x --deals 1", password="short")
    assert (code, "8 at the least" in error, (tmp_path / "c.deals").exists()) == (USAGE, True, False)


def test_no_command_prints_a_tile_to_the_terminal(deals, tmp_path):
    lines = (
        "draw a.deals --event Spring --deals 2", "print a.deals --cards cards.html --sheet sheet.html",
        "export a.deals --out a.txt", "export a.deals --out a.json", "verify a.txt", "verify a.deals --json",
        "import a.json b.deals", "print a.deals", "export a.deals --out /dev/stdout",
        "print a.deals --cards /dev/stdout",
    )  # fmt: skip
    for line in lines:
        _, said, error = deals(line)
        assert not TILE.search(said + error), line
    assert TILE.search((tmp_path / "sheet.html").read_text())


def test_four_curtain_cards_hold_the_deal_as_its_builders_see_it(deals, tmp_path):
    deals("draw a.deals --event <Spring> --deals 3")
    deals("export a.deals --out a.json")
    deals("print a.deals --deal 2 --cards cards.html --sheet sheet.html")
    sides = json.loads((tmp_path / "a.json").read_text())["deals"][1]["sides"]
    page = (tmp_path / "cards.html").read_text().replace("&#39;", "'")
    cards = page.split('<section class="card">')[1:]
    assert len(cards) == 4
    for card, stacks, name in zip(cards, sides, ("East", "South", "West", "North"), strict=True):
        assert f"<h2>Deal 2 · {name}'s wall · South deals</h2>" in card
        upper, lower = re.findall(r"<tr>(<td.*?)</tr>", card)
        assert re.findall(r"</svg>(\w+)", upper) == [stack[2:] for stack in reversed(stacks)]
        assert re.findall(r"</svg>(\w+)", lower) == [stack[:2] for stack in reversed(stacks)]
        assert card.count('class="hand"') == 13
    assert "&lt;Spring&gt;" in page
    sheet = (tmp_path / "sheet.html").read_text()
    assert all(" ".join(stacks) in sheet for stacks in sides)


@pytest.mark.parametrize("draws", ["own", "break"])
def test_cards_and_sheet_are_printed_in_chinese_with_the_same_tiles(deals, tmp_path, draws):
    deals(f"draw a.deals --event 春季 --deals 2 --spares 1 --draw-from {draws}")
    for lang in ("en", "zh"):
        deals(f"print a.deals --cards {lang}-cards.html --sheet {lang}-sheet.html --lang {lang}")
    for name, said in (("cards", ("第 1 盘 · 东家牌墙 · 东家坐庄", "先摆下层")), ("sheet", ("东家手牌", "承诺值"))):
        pages = [(tmp_path / f"{lang}-{name}.html").read_text() for lang in ("en", "zh")]
        assert ['lang="en"' in pages[0], 'lang="zh-Hans"' in pages[1]] == [True, True]
        text = re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]+>", "", pages[1], flags=re.DOTALL)
        assert all(
            one in text for one in (*said, "第 3 盘（备用）", "不掷骰" if draws == "break" else "每家从自己牌墙的右端")
        )
        assert not re.search(r"[A-Za-z]{3,}", re.sub(r"[0-9a-f]{64}|([1-9][mpszf])+", "", text))
        assert len({tuple(TILE.findall(page)) for page in pages}) == 1
    code, _, error = deals("print a.deals --cards new.html --lang de")
    assert (code, "--lang is 'de'; it is en or zh" in error) == (USAGE, True), error


def test_commitments_differ_with_the_nonce_alone():
    one = draw_deals("x", "mil-2025", OWN, 1)
    other = type(one)(one.event, one.ruleset, one.draws, one.deals, one.spares, bytes(32), one.seed)
    assert commitment(one) != commitment(other)
    assert tile_name(one.deals[0].faces[0]) in NAMES


def test_too_many_deals_and_an_unknown_number_are_refused():
    with pytest.raises(BadDeals, match="1 to 999"):
        draw_deals("x", "mil-2025", OWN, 990, 10)
    with pytest.raises(BadDeals, match="no deal 3"):
        draw_deals("x", "mil-2025", OWN, 2).deal(3)


@pytest.mark.parametrize(
    "line",
    [
        "draw a.deals --event x --deals 1",
        "export a.deals --out a.json",
        "print a.deals --cards a.json",
        "print a.deals --cards new.html --sheet a.json",
        "import a.json a.deals",
    ],
)
def test_a_file_that_is_there_is_refused_before_anybody_types_a_password(deals, tmp_path, line):
    deals("draw a.deals --event Spring --deals 2")
    deals("export a.deals --out a.json")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    code, _, error = deals(line, password="of-no-file")
    assert (code, "it cannot be written (File exists)" in error) == (USAGE, True), error
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before
