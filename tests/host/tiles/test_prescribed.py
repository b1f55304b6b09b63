"""`wallwright wall verify --prescription`: the wall that a board has shown, compared with deals that were drawn."""

import json

import pytest

from tests.host.tiles.played import play_until_shown
from wallwright import cli
from wallwright.duplicate.deals import BREAK, Deal, Deals, dealt
from wallwright.duplicate.text import write_text
from wallwright.journal import read_journal
from wallwright.journal.kinds.tables import BuildStarted
from wallwright.rules.core.tiles import NAMES
from wallwright.tiles.enrolment import save_enrolment
from wallwright.tiles.prescribed import compare_wall
from wallwright.tiles.verify import verify_wall

DICE = ((6, 4),)
SAME = {"unknown": 0, "difference": ""}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    return play_until_shown(tmp_path_factory.mktemp("played"), 5)


@pytest.fixture
def wall(played, tmp_path, monkeypatch, capsys):
    """Runs the command with a file of deals: its code and what it printed."""
    save_enrolment(tmp_path / "tiles.json", played.enrolment())

    def verify(deals, *more):
        (tmp_path / "deals.txt").write_text(write_text(deals))
        line = ("wall", "verify", "--journal", played.journal, "--deal", 1, "--tiles", tmp_path / "tiles.json")
        prescription = ("--prescription", tmp_path / "deals.txt", *more)
        monkeypatch.setattr("sys.argv", ["wallwright", *map(str, (*line, *prescription))])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return caught.value.code or 0, printed.out + printed.err

    return verify


def drawn(played, change=lambda faces: faces):
    """Deals of which the first is the wall that was shown, changed."""
    found = verify_wall(read_journal(played.journal), 1)
    enrolment = played.enrolment()
    faces = [NAMES.index(enrolment.find(tag)[1]) for tag in found.wall]
    a, b, c, d = next(one.said.plan for one in read_journal(played.journal) if isinstance(one.said, BuildStarted))
    dealer = 0 if a == 14 else 1
    deal = Deal(1, dealer, DICE, (a, b, c, d), tuple(change(faces)))
    return Deals("day", "sichuan", BREAK, (deal,), 0, bytes(32))


def swapped(at):
    def change(faces):
        other = next(one for one in range(at + 1, 108) if faces[one] != faces[at])
        faces[at], faces[other] = faces[other], faces[at]
        return faces

    return change


def test_a_wall_that_was_drawn_agrees(wall, played):
    code, said = wall(drawn(played))
    assert (code, "every tile lay where deal 1 has it" in said) == (0, True), said
    code, said = wall(drawn(played), "--json")
    assert json.loads(said)["prescribed"] == {"deal": 1, "signed": None, "match": True} | SAME


# Place 0 is the lower tile of stack 1 of side 0; side 1 begins behind the stacks of side 0.
@pytest.mark.parametrize(
    ("at", "where"), [(0, "side 0, stack 1, the lower tile"), (3, "side 0, stack 2, the upper tile")]
)
def test_the_first_difference_is_printed(wall, played, at, where):
    deals = drawn(played, swapped(at))
    code, said = wall(deals)
    tile = NAMES[deals.deals[0].faces[at]]
    assert (code, f"WRONG: not the drawn deal 1: {where}: {tile} was drawn" in said) == (1, True), said


def test_a_deal_that_there_is_not_is_refused(wall, played):
    code, said = wall(drawn(played), "--drawn-deal", 2)
    assert (code, "there is no deal 2" in said) == (2, True)


def test_by_hands_a_hand_is_a_set_and_the_rest_lies_in_order(played):
    deals, enrolment = drawn(played), played.enrolment()
    tags = list(verify_wall(read_journal(played.journal), 1).wall)
    hands = dealt(deals.rules, BREAK, deals.deals[0])
    assert sum(map(len, hands.hands)) == 52
    # Two tiles of one hand: 6 + 4 breaks South's wall behind stack 4, and East takes stacks 5 and 6.
    start = 2 * (deals.deals[0].plan[0] + 4)
    dealer = deals.deals[0].dealer
    if dealer != 0:
        pytest.fail("the first deal is that of seat 0")
    first = next(at for at in range(start + 1, start + 4) if deals.deals[0].faces[at] != deals.deals[0].faces[start])
    tags[start], tags[first] = tags[first], tags[start]
    assert not compare_wall(deals, 1, tags, enrolment).match
    assert compare_wall(deals, 1, tags, enrolment, by_hands=True).match
    # East's tile for one of South's: stacks 7 and 8.
    other = next(at for at in range(start + 4, start + 8) if deals.deals[0].faces[at] != deals.deals[0].faces[start])
    tags[start], tags[other] = tags[other], tags[start]
    found = compare_wall(deals, 1, tags, enrolment, by_hands=True)
    assert "'s hand: " in found.difference
    assert compare_wall(deals, 1, ["", *tags[1:]], enrolment).unknown == 1


def test_by_hands_the_dealers_fourteenth_tile_is_of_the_hand(played):
    deals, enrolment = drawn(played), played.enrolment()
    deal = deals.deals[0]
    tags = list(verify_wall(read_journal(played.journal), 1).wall)
    # 24 stacks are dealt in three rounds, then the dealer takes the upper tiles of the first and the third stack: of 13
    # stacks of South nine are behind the break, then come 14 of East, and the 27th is the fourth of North.
    assert (deal.dealer, deal.plan) == (0, (14, 13, 14, 13))
    jump, first = 2 * (14 + 13 + 14 + 3) + 1, 2 * (14 + 4)
    one = next(at for at in range(first, first + 4) if deal.faces[at] != deal.faces[jump])
    tags[one], tags[jump] = tags[jump], tags[one]
    assert not compare_wall(deals, 1, tags, enrolment).match
    found = compare_wall(deals, 1, tags, enrolment, by_hands=True)
    assert found.match, found.difference
