"""A sample of prescribed walls while things fail, and whether the campaign would see what it looks for."""

import pytest

from tests.campaign.prescribed import Counts, main
from tests.campaign.prescribed_evening import CAUSES, Evening, Wall, draw_wall
from tests.firmware.prescribing import RING_18
from tests.length import length
from wallwright_firmware.sorting.sorter import Sorter
from wallwright_protocol import codes

WALLS = length(4, 400)
PLAIN = Wall(1, 0, 1, "ring", RING_18, 90_000, 108, codes.STRICT_WALL, ())


def swap(evening):
    """Two tiles with different faces change places in a carrier."""
    carrier = evening.table.sim.world.heads[0].carrier
    face = evening.table.sim.world.face
    other = next(at for at in range(1, len(carrier)) if face(carrier[at][0]) != face(carrier[0][0]))
    carrier[0][0], carrier[other][0] = carrier[other][0], carrier[0][0]


def test_no_wrong_wall_rises_no_table_sticks_and_no_byte_says_a_tile(seed, capsys):
    assert main(["--walls", str(WALLS), "--seed", str(seed)]) == 0, capsys.readouterr().out
    assert f'"walls": {WALLS}, "bad": 0' in capsys.readouterr().out


def test_every_cause_comes_alone_and_with_others(seed):
    drawn = [draw_wall(seed, number).causes for number in range(1_000)]
    assert {one for one in drawn if len(one) == 1} == {(cause,) for cause in CAUSES}
    assert () in drawn
    assert {len(one) for one in drawn} == set(range(len(CAUSES) + 1))
    assert drawn[9] == draw_wall(seed, 9).causes


def test_a_wall_that_changes_before_it_rises_is_seen(seed, monkeypatch):
    evening = Evening(PLAIN._replace(table=seed % 1000))
    do = evening.do

    def tricked(shown):
        if shown == "READY":
            swap(evening)
        do(shown)

    monkeypatch.setattr(evening, "do", tricked)
    outcome = evening.play()
    assert "a wrong wall rose" in outcome.wrong
    counts = Counts()
    counts.add(outcome)
    assert (counts.bad, counts.row()["wrong"]["a wrong wall rose"]) == (1, 1)


def test_a_wrong_wall_that_is_told_to_match_is_seen(seed, monkeypatch):
    evening = Evening(PLAIN._replace(table=seed % 1000))
    compare = Sorter._compare

    def tricked(self, now_ms):
        swap(evening)
        compare(self, now_ms)

    monkeypatch.setattr(Sorter, "_compare", tricked)
    assert "a wrong wall was told to match" in evening.play().wrong


@pytest.mark.parametrize(("what", "size"), [("tags", 6), ("faces", 8)])
def test_a_byte_too_many_is_seen(seed, what, size):
    evening = Evening(PLAIN._replace(table=seed % 1000))
    evening.table.equip()
    evening.release()
    assert not evening.table.leaks()
    said = getattr(evening.table.given[0], what)
    evening.table.bytes_out += (b"".join(said[:1]) if what == "tags" else said[40:])[1 : 1 + size]
    assert len(evening.table.leaks()) == 1


def test_a_host_that_comes_back_to_a_board_without_power_tries_until_that_is_back(seed):
    evening = Evening(PLAIN._replace(table=seed % 1000))
    evening.due += [
        (20_000, evening.go),
        (40_000, lambda: evening.cut_power(4_794)),
        (40_980, evening.come_back),
    ]
    outcome = evening.play()
    assert (outcome.end, outcome.wrong) == ("rebuilt", ())


def test_what_is_due_at_one_instant_happens_once_each(seed):
    evening = Evening(PLAIN._replace(table=seed % 1000))
    happened = []

    def first():
        evening.live(100)
        happened.append("first")

    evening.due += [(1_000, first), (1_000, lambda: happened.append("second"))]
    evening.live(2_000)
    assert happened == ["second", "first"]
    assert not evening.due
