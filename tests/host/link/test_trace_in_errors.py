"""Every error of a link that was once open carries the last frames, decoded; the command line prints them."""

import inspect
from collections.abc import Callable
from itertools import count

import pytest

from tests.host.line import Board, Line
from wallwright import errors
from wallwright.errors import LinkError, TableError, WallwrightError
from wallwright.link import connection
from wallwright.link.binding import OWN, Binding
from wallwright.link.connection import Connection
from wallwright.link.trace import CAPACITY
from wallwright.table import table
from wallwright.table.table import Table, open_table
from wallwright_protocol import codes, link, messages
from wallwright_protocol.dictionary import Dictionary
from wallwright_protocol.frame import Decoder, encode
from wallwright_simulator.simulation import Simulation, attach

NAMES = count()


def a_line() -> tuple[Table, Line]:
    line = Line(Board())
    return Table(Connection(line)), line


def a_table() -> tuple[Table, Simulation]:
    simulation = Simulation(5)
    return open_table(attach(f"in-errors-{next(NAMES)}", simulation)), simulation


def mute(_: bytes) -> list[bytes]:
    return []


def not_a_table() -> None:
    line = Line(Board())
    line.to_host = mute
    Table(Connection(line))


def version_mismatch() -> None:
    line = Line(Board())

    def answer(frame: bytes) -> list[bytes]:
        connection = Decoder().feed(frame)[0][7:11]
        head = bytes([link.HELLO_REPLY]) + bytes([7, 0, 0, 0]) + connection
        version = (messages.PROTOCOL_VERSION + 1).to_bytes(2, "little")
        line.noise = encode(head + version + bytes(4) + bytes([codes.VERSION_MISMATCH]) + bytes(8))
        return []

    line.to_board = answer
    Table(Connection(line))


def no_answer() -> None:
    table, line = a_line()
    line.to_host = mute
    table.status()


def board_reset() -> None:
    table, line = a_line()
    line.board = Board(boot_id=8)
    table.open_lid()


def connection_lost() -> None:
    table, line = a_line()
    Connection(line).connect()
    table.pump(10_000)


def bad_reply() -> None:
    table, line = a_line()
    line.board.status = lambda: b"\xab"  # type: ignore[method-assign]
    table.status()


def bad_board() -> None:
    line = Line(Board())
    line.board.responder._execute = lambda *_: (codes.NO_RANDOM, b"")
    Table(Connection(line))


def bad_introduction() -> None:
    line = Line(Board())
    line.board.status = lambda: b"\xab"  # type: ignore[method-assign]
    Table(Connection(line))


def port_gone() -> None:
    table, simulation = a_table()
    simulation.port.close()  # type: ignore[attr-defined]
    table.pump(1000)


def not_on_board() -> None:
    link_to = Connection(Line(Board()))
    link_to.connect()
    link_to._binding = Binding(Dictionary([row for row in OWN.rows if row[1] != "hurry"], OWN.lists))
    link_to.request("hurry")


def refused() -> None:
    table, _ = a_table()
    table.lower_lifts()


def table_fault() -> None:
    table, _ = a_table()
    table.start_build()
    table.stop()
    table.wait_for("build_done", 60_000)


def not_in_time() -> None:
    table, _ = a_table()
    table.wait_for("walls_up", 100)


CASES: list[tuple[type[WallwrightError], Callable[[], None]]] = [
    (errors.NotATable, not_a_table),
    (errors.VersionMismatch, version_mismatch),
    (errors.NoAnswer, no_answer),
    (errors.BoardReset, board_reset),
    (errors.ConnectionLost, connection_lost),
    (errors.BadMessage, bad_reply),
    (errors.BadBoard, bad_board),
    (errors.BadMessage, bad_introduction),
    (errors.PortGone, port_gone),
    (errors.Refused, refused),
    (errors.NotOnBoard, not_on_board),
    (errors.TableFault, table_fault),
    (errors.NotInTime, not_in_time),
]


@pytest.mark.parametrize(("kind", "cause"), CASES, ids=lambda case: getattr(case, "__name__", None))
def test_an_error_of_the_link_or_the_table_shows_what_was_said(
    kind: type[WallwrightError], cause: Callable[[], None]
) -> None:
    with pytest.raises(kind) as caught:
        cause()
    lines = caught.value.trace.splitlines()
    assert 1 <= len(lines) <= CAPACITY + 2
    assert any(" -> hello version=" in line for line in lines)


def test_no_kind_of_error_that_session_and_table_know_is_left_out() -> None:
    known = {kind for module in (connection, table) for _, kind in inspect.getmembers(module, inspect.isclass)}
    kinds = {kind for kind in known if issubclass(kind, LinkError | TableError)}
    leaves = {kind for kind in kinds if not any(kind is not other and issubclass(other, kind) for other in kinds)}
    assert leaves <= {kind for kind, _ in CASES}
    assert len(leaves) >= 9


def test_a_port_that_cannot_be_opened_again_shows_what_was_said_before() -> None:
    table, simulation = a_table()
    simulation.port.close()  # type: ignore[attr-defined]
    with pytest.raises(errors.PortGone):
        table.pump(1000)
    simulation.port = "another program"
    with pytest.raises(errors.PortBusy) as caught:
        table.reconnect()
    assert "get_status" in caught.value.trace


def test_the_last_two_hundred_frames_are_kept() -> None:
    table, _ = a_table()
    for _ in range(CAPACITY):
        table.status()
    with pytest.raises(errors.Refused) as caught:
        table.lower_lifts()
    lines = caught.value.trace.splitlines()
    assert len(lines) == CAPACITY == 200
    assert "lower_lifts refused" in lines[-1]
