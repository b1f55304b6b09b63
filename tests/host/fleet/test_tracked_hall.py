"""A hall, restarted between two deals that nobody declares: its journal has them as the bots played them."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.host.fleet.far import FarTable
from tests.host.fleet.served import Heard, config_text, serving
from tests.host.people import people_at
from tests.host.tiles.test_secrecy import forms
from wallwright.cli.run import change_record
from wallwright.errors import BadName, NotConnected
from wallwright.fleet import Fleet, load_hall
from wallwright.fleet.tracked import TrackedDeals
from wallwright.journal import read_journal
from wallwright.link.reports import SECRET_EVENTS
from wallwright.play.bots_at_table import DealReport
from wallwright.tiles.enrolment import Enrolment, enrolment_path, save_enrolment
from wallwright_simulator.hall import Hall
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation

SEED = 3


class Unheard:
    """What the bots declare does not reach the hall."""

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        return 0


@contextmanager
def enrolled(simulation: Simulation) -> Iterator[set[str]]:
    """The table's tags, while its list is on this machine."""
    world = simulation.world
    path = enrolment_path(simulation.unit)
    save_enrolment(path, Enrolment(simulation.unit, world.tiles, (world.tags(0), world.tags(1))))
    try:
        yield {*world.tags(0), *world.tags(1)}
    finally:
        path.unlink()


def test_deals_of_bots_are_in_the_journal_of_a_hall_that_was_restarted(tmp_path: Path) -> None:
    simulation = Simulation(SEED, readers=ALL_READERS)
    far = FarTable(simulation)
    file = tmp_path / "hall.toml"
    file.write_text(config_text("hall.journal", [f'name = "A1"\nport = "{far.wire.name}"']))
    played: list[DealReport] = []
    shown: list[str] = []
    reports: dict[Path, bytes] = {}

    def watch(text: str) -> None:
        assert far.fleet is not None
        shown.append(repr(far.fleet.state()))
        if not played and not reports and text.startswith("playing, 3"):
            far.lose_link()
            reports.update({path: path.read_bytes() for path in (tmp_path / "hall.reports").rglob("*.txt")})

    table = people_at(simulation, far.pump, Unheard(), SEED, watch=watch)
    deals = table.play(3)
    try:
        with enrolled(simulation) as tags:
            with Fleet(load_hall(file)) as fleet:
                far.meet(fleet)
                played.append(next(deals))
                assert "tracked" not in {change.kind for change in far.changes}, "deal 1 goes on"
            with Fleet(load_hall(file)) as fleet:
                far.meet(fleet)
                played += deals
                far.until(lambda: sum(change.kind == "tracked" for change in far.changes) == 2)
    finally:
        far.wire.close()
    journal = tmp_path / "hall.journal"
    results = {entry.body["deal"]: entry.body["points"] for entry in read_journal(journal, kinds=["deal_result"])}
    assert results == {report.number: list(report.settlement.points) for report in played[:2]}
    assert [entry.body["deal"] for entry in read_journal(journal, kinds=["deal_moves"])] == [1, 2]
    assert not any(entry.body.get("deal") == 3 for entry in read_journal(journal) if entry.seq is None)

    lines = [json.dumps(change_record(change)) for change in far.changes]
    with_tags = {record["event"] for record in map(json.loads, lines) if any(tag in repr(record) for tag in tags)}
    assert with_tags == set(), "a wall is shown when its deal is over, and its tags are in the journal alone"
    walls = list(read_journal(journal, kinds=["wall_part"]))
    assert any(tag in repr(entry.body) for entry in walls for tag in tags)
    [report] = reports.values()
    assert b"tag_sealed" in report, "it has frames of the deal that went on"
    for name in SECRET_EVENTS:
        assert not any(name in line for line in lines), "nobody hears whether a tile came, went or moved"
        assert name.encode() not in report
    assert not [tag for tag in tags for form in forms(bytes.fromhex(tag)) if form in report]
    assert shown
    assert not any(tag in text for text in shown for tag in tags)
    for number in (1, 2):
        (noted,) = [at for at, c in enumerate(far.changes) if c.kind == "tracked" and c.body["deal"] == number]
        (over,) = [at for at, line in enumerate(lines) if is_walls(json.loads(line), number + 1)]
        assert over < noted, "a deal is told of when the walls of the next one are up"


def is_walls(record: dict[str, Any], deal: int) -> bool:
    return record.get("event") == "walls_up" and record["deal"] == deal


def test_a_table_is_not_tracked_when_its_hall_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, str]] = []
    monkeypatch.setattr(TrackedDeals, "see", lambda deals, table, unit, event: seen.append((table, event.name)))
    simulations = (Simulation(21), Simulation(22))
    hall = Hall(simulations)
    file = tmp_path / "hall.toml"
    tables = [f'name = "A{number}"\nport = "{port}"' for number, port in enumerate(hall.ports, 1)]
    file.write_text(config_text("hall.journal", [tables[0], tables[1] + "\ntrack = false"]))
    with serving(hall) as served, Fleet(load_hall(file)) as fleet:
        heard = Heard(fleet.news)
        for number, simulation in enumerate(simulations, 1):
            heard.event(f"A{number}", "booted")
            served.do(partial(simulation.players.press_dice, 0))
            heard.event(f"A{number}", "key_pressed")
    assert {table for table, _ in seen} == {"A1"}
    assert [name for _, name in seen].count("key_pressed") == 1


def test_a_question_of_a_table_that_is_not_there_cannot_be_answered(tmp_path: Path) -> None:
    file = tmp_path / "hall.toml"
    file.write_text(config_text("hall.journal", [f'name = "A1"\nport = "{tmp_path / "none"}"']))
    with Fleet(load_hall(file)) as fleet:
        with pytest.raises(BadName, match="no table is called 'A9'"):
            fleet.answer("A9", 1, 1)
        with pytest.raises(NotConnected, match="not been here since"):
            fleet.answer("A1", 1, 1)
