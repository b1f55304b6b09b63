"""The host's part in a roll: drawn after the commitment is on record, sent once, and only with a journal."""

from pathlib import Path
from typing import Any

import pytest

from tests.host.line import Board, Line
from tests.host.rolls import parts, port_of
from wallwright.errors import Refused
from wallwright.journal import Journal
from wallwright.journal.rolls import WITH_HOST, check_dice
from wallwright.link.connection import Connection
from wallwright.table.table import Table, open_table
from wallwright_protocol.codec import NUMBER_OF
from wallwright_simulator.noise import dying, good
from wallwright_simulator.simulation import Simulation


class Log:
    """A journal in memory that tells the order of things."""

    def __init__(self) -> None:
        self.told: list[tuple[str, Any]] = []

    def append_event(self, unit: str, event: Any, *, at_ms: int) -> bool:
        self.told.append((event.name, event.seq))
        return True

    def append(self, kind: str, body: Any, *, at_ms: int, unit: str | None = None) -> int:
        self.told.append((kind, body["roll"]))
        return len(self.told)


def test_a_commitment_is_stored_then_answered_and_only_then_forgotten_by_the_board() -> None:
    line = Line(Board(7))
    log = Log()
    seen: list[tuple[list[tuple[str, Any]], int]] = []
    execute = line.board.execute

    def watched(message: int, payload: bytes) -> tuple[int, bytes]:
        if message == NUMBER_OF["contribute"]:
            seen.append((list(log.told), line.board.ring.stored()))
        return execute(message, payload)

    line.board.responder._execute = watched
    with Table(Connection(line), log, parts(1)) as table:
        line.board.ring.add(1, "dice_committed", 1, bytes(32))
        table.pump(100)
        assert line.board.done.count("contribute") == 1
        assert seen == [([("dice_committed", 1), ("dice_contributed", 1)], 0)]
        assert line.board.ring.stored() == 1


def test_of_what_happened_before_the_host_came_only_the_open_commitment_is_answered() -> None:
    line = Line(Board(7))
    reveal = (0, 0, 1, 2, 0, 4, 0)
    # The link hands over four events at a time: these and the commitments to come end many a batch, opened since long.
    line.board.ring.add(1, "booted", 0, 1, 0)
    for roll in range(1, 31):
        line.board.ring.add(1, "dice_committed", roll, bytes(32))
        if roll < 30:
            line.board.ring.add(1, "dice_rolled", *reveal, roll, bytes(32), bytes(16), 0)
    log = Log()
    with Table(Connection(line), log, parts(1)) as table:
        table.pump(1000)
    assert [what for what in log.told if what[0] == "dice_contributed"] == [("dice_contributed", 30)]


def test_a_host_without_a_journal_takes_no_part() -> None:
    simulation = Simulation(22)
    with open_table(port_of(simulation)) as table:
        table.roll_dice(0)
        assert table.wait_for("dice_rolled", 1000).fields["contributed"] == 0


def test_parts_differ_and_have_sixteen_bytes(tmp_path: Path) -> None:
    simulation = Simulation(23)
    with (
        Journal(tmp_path / "journal") as journal,
        open_table(port_of(simulation), journal=journal) as table,
    ):
        for _ in range(3):
            table.roll_dice(0)
            table.wait_for("dice_rolled", 1000)
        sent = [entry.body["contribution"] for entry in journal.entries() if entry.kind == "dice_contributed"]
        assert [roll.verdict for roll in check_dice(journal.entries()).rolls] == [WITH_HOST] * 3
    assert {len(part) for part in sent} == {32}
    assert len(set(sent)) == len(sent) >= 3


def test_a_source_that_dies_refuses_dice_and_the_journal_still_passes(tmp_path: Path) -> None:
    simulation = Simulation(24, noise=dying(good(24), at_ms=5000))
    with (
        Journal(tmp_path / "journal") as journal,
        open_table(port_of(simulation), journal=journal) as table,
    ):
        table.roll_dice(0)
        table.pump(6000)
        table.roll_dice(1)
        with pytest.raises(Refused, match="no_random"):
            table.roll_dice(2)
        table.pump(100)
        assert [roll.verdict for roll in check_dice(journal.entries()).rolls] == [WITH_HOST] * 2
