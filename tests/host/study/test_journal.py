"""`wallwright study journal` as its user runs it, on a table that was played and on journals whose bias is known."""

import json
from dataclasses import replace
from functools import partial
from itertools import islice
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.host.study.test_walls import Plots
from tests.host.study.told import PLAN, TILES, ToldTable, fair, slanted, write_hall
from tests.host.tiles.played import play
from wallwright import cli
from wallwright.journal import read_journal
from wallwright.journal.kinds.tables import WallPart
from wallwright.study.findings import FEWEST
from wallwright.study.journal import _problem
from wallwright.study.revealed import KINDS, UNKNOWN, Counted, RevealedWalls, read_rebuilt
from wallwright_simulator.world import World


@pytest.fixture
def study(monkeypatch, capsys):
    """Runs the command: its code, what it printed, and its errors."""

    def study(*line):
        monkeypatch.setattr("sys.argv", ["wallwright", "study", "journal", *map(str, line)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return int(caught.value.code or 0), printed.out, printed.err

    return study


def rebuilt(path):
    return list(read_rebuilt(read_journal(path, kinds=KINDS), RevealedWalls()))


def test_the_order_of_falling_is_the_one_in_which_people_push(tmp_path, monkeypatch):
    """A real table is played; what its journal says of the order is held against the tiles themselves."""
    fell = []
    sweeping = World.sweeping

    def note(world):
        order = sweeping(world)
        fell.append([(world.readers.tags[tile], side) for tile, side in order])
        return order

    monkeypatch.setattr(World, "sweeping", note)
    played = play(tmp_path, seed=3, deals=4)
    walls = rebuilt(played.journal)
    assert [wall.deal for wall in walls] == [3]
    wall = walls[0]
    assert (wall.unit, wall.plan, wall.has_seats) == (played.simulation.unit, (13, 14, 13, 14), True)
    revealed = _tags_of(played.journal, wall.deal)
    first, *_ = (order for order in fell if {tag for tag, _ in order} == set(revealed))
    # Readers tell in which order tiles came to a hand, and people sort theirs: places within a hand may differ.
    # Of ranks that had nothing to do with each other among the 55 of the hands the correlation were 0.87.
    rank = {tag: at for at, (tag, _) in enumerate(first)}
    side = dict(first)
    assert sorted(wall.ranks) == list(range(TILES))
    known = dict(zip(revealed, wall.ranks, strict=True))
    middle_and_walls = [tag for tag, _ in first if known[tag] < 53]
    assert [known[tag] for tag in middle_and_walls] == list(range(53))
    assert np.corrcoef([rank[tag] for tag in revealed], wall.ranks)[0, 1] > 0.95
    assert [side[tag] for tag in revealed] == list(wall.pushed)


def _tags_of(path, deal):
    parts = [entry.said for entry in read_journal(path) if isinstance(entry.said, WallPart) and entry.said.deal == deal]
    data = b"".join(part.data for part in sorted(parts, key=lambda part: part.first))
    return [data[at : at + 8] for at in range(0, len(data), 8)]


@pytest.fixture(scope="module")
def hall(tmp_path_factory):
    """A hall of three tables: a fair one, one that does not mix, and one without readers at its seats."""

    def tables(journal):
        generator = np.random.default_rng(11)
        ToldTable(journal, "FAIR").play(70, fair, generator, 60)
        ToldTable(journal, "STIFF").play(70, partial(slanted, rho=0.15), generator, 0)
        ToldTable(journal, "BLIND", seats=False).play(70, fair, generator, 60)

    return write_hall(tmp_path_factory.mktemp("hall") / "hall.journal", tables)


def test_each_table_gets_its_verdict(study, hall, tmp_path):
    code, printed, errors = study(hall, "--out", tmp_path / "out")
    assert (code, errors) == (0, "")
    blind, even, stiff, _ = printed.splitlines()
    assert even.startswith("FAIR: No evidence in 67 walls; a correlation above 0.03")
    assert "STIFF: In 67 walls, tiles that fell first stand towards one end of the walls (rho 0.1" in stiff
    assert blind.startswith("BLIND: No evidence in 67 walls")
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    tables = {one["unit"]: one for one in report["tables"]}
    assert [tables[unit]["seat_readers"] for unit in ("FAIR", "STIFF", "BLIND")] == [True, True, False]
    assert (tables["FAIR"]["wash_s"], tables["STIFF"]["wash_s"]) == (60, 0)
    assert tables["STIFF"]["alarm_at"] is not None
    assert tables["FAIR"]["alarm_at"] is None
    assert report["alarm_at_evidence"] == 1000
    for table in tables.values():
        for test in table["tests"]:
            assert test["n"] == 67
            assert test["smallest_effect"] > 2 * test["se"] > 0
    page = Plots()
    page.feed((tmp_path / "out" / "report.html").read_text(encoding="utf-8"))
    assert page.plots == len(list((tmp_path / "out").glob("*.svg"))) == 3
    with np.load(tmp_path / "out" / "builds.npz") as arrays:
        assert arrays["STIFF/rho"].shape == (67,)
    again = study(hall, "--out", tmp_path / "out", "--json")
    assert json.loads(again[1]) == report


def test_fair_walls_have_the_means_that_are_named(hall):
    from wallwright.study.journal import measure_rebuilt

    generator = np.random.default_rng(5)
    wall = rebuilt(hall)[0]
    # A quarter of the tiles is unknown, as where readers miss some.
    holes = generator.random(TILES) < 0.25
    walls = []
    for _ in range(3000):
        order = generator.permutation(TILES)
        ranks = np.where(holes, UNKNOWN, 0)
        ranks[~holes] = generator.permutation(int((~holes).sum()))
        place = np.argsort(order)
        together = [
            UNKNOWN if holes[at] or holes[place[order[at] ^ 1]] else int(place[order[at] ^ 1]) for at in range(TILES)
        ]
        pushed = [UNKNOWN if holes[at] else int(order[at]) % 4 for at in range(TILES)]
        walls.append(replace(wall, ranks=tuple(map(int, ranks)), pushed=tuple(pushed), together=tuple(together)))
    measured, means = measure_rebuilt(walls)
    for name, values in measured.values.items():
        spare = values - means[name]
        assert abs(spare.mean()) < 4.5 * spare.std() / np.sqrt(len(spare)), name


def test_thirty_walls_are_enough_and_one_less_are_not() -> None:
    counted = Counted(up=33, sealed=33, revealed=32)
    walls: Any = [SimpleNamespace(wash_s=60)] * FEWEST
    assert _problem(walls, counted) == ""
    assert _problem(walls[1:], counted).startswith("29 walls can be compared with the set's wall before, 30 are needed")


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ({"heads": False, "seats": False}, "the board committed to no wall; it has no readers at its stacking heads"),
        ({"deals": 1}, "none of its 1 walls was revealed yet"),
        ({"deals": 20}, "17 walls can be compared with the set's wall before, 30 are needed (19 were revealed)"),
        ({"washes": (20, 60)}, "its walls were washed for different times (33 for 20 s, 34 for 60 s); choose one"),
        ({"washes": (None, 60)}, "its walls were washed for different times (33 for unknown, 34 for 60 s); choose one"),
    ],
)
def test_what_shows_nothing_gets_no_verdict_in_one_line(study, tmp_path, table, why):
    options = {key: value for key, value in table.items() if key in ("heads", "seats")}
    washes = table.get("washes", (None,))

    def tables(journal):
        told = ToldTable(journal, "EAST", **options)
        for wash in washes:
            told.play(table.get("deals", 35), fair, np.random.default_rng(2), wash)

    path = write_hall(tmp_path / "hall.journal", tables)
    code, printed, errors = study(path)
    assert (code, errors) == (1, "")
    assert printed.startswith(f"EAST: no verdict: {why}")
    assert printed.count("\n") == 1
    if len(washes) > 1:
        code, printed, _ = study(path, "--wash", "60")
        assert (code, printed.partition(";")[0]) == (0, "EAST: No evidence in 34 walls")


def test_a_journal_without_tables_is_refused(study, hall, tmp_path):
    path = write_hall(tmp_path / "hall.journal", lambda journal: None)
    code, printed, errors = study(path)
    assert (code, printed) == (2, "")
    assert "no walls went up in it" in errors
    code, _, errors = study(hall, "--unit", "NORTH")
    assert code == 2
    assert "no walls of NORTH went up in it" in errors
    (tmp_path / "letter.txt").write_text("mine")
    code, _, errors = study(hall, "--out", tmp_path)
    assert code == 2
    assert "has other files; choose another --out" in errors


def test_two_journals_of_a_hall_are_one_study(study, hall):
    code, printed, _ = study(hall, hall, "--unit", "FAIR")
    assert code == 0
    assert "No evidence in 134 walls" in printed


def test_a_wall_between_that_was_not_revealed_is_no_wall_before(tmp_path):
    def tables(journal):
        told = ToldTable(journal, "EAST")
        generator = np.random.default_rng(2)
        told.play(6, fair, generator)
        told._hidden.clear()
        told.play(6, fair, generator)

    walls = rebuilt(write_hall(tmp_path / "hall.journal", tables))
    assert [wall.deal for wall in walls] == [3, 4, 5, 7, 9, 10, 11]
    assert all(len(wall.ranks) == 2 * sum(PLAN) for wall in islice(walls, 2))
