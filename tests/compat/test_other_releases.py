"""A hall with boards of a later and of an earlier release: what both know works, through the real firmware.

The later one has other ids, one more fault, state and event, and one more field; the earlier one lacks two requests,
a setting and a field. Both run in a MicroPython.
"""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.compat.other_release import FIRMWARE, PROTOCOL, Release
from tests.outsider.stepped import clean, stepped
from wallwright.board.backup import restore_board, save_board
from wallwright.board.link import open_board
from wallwright.errors import BoardReset, NotOnBoard
from wallwright.journal import Entry, Journal, read_journal
from wallwright.journal.kinds import KINDS, Unknown
from wallwright.journal.kinds.record import kind
from wallwright.journal.kinds.tables import Fault, Notice, Restored, TableEvent
from wallwright.link import dictionaries
from wallwright.link.binding import OWN, Binding
from wallwright.link.frames import decode
from wallwright.link.trace import Block, Splitter
from wallwright.table.table import Table, open_table
from wallwright_protocol import codes
from wallwright_simulator.runtimes import Runtime
from wallwright_simulator.simulation import Simulation, attach

pytestmark = pytest.mark.micropython

BUILD_MS = 120_000
LATER_BY = 0x80
NAMES = count()

Made = tuple[Simulation, str]
MakeRelease = Callable[[Path], Release]
Meet = Callable[[MakeRelease], Made]


@kind("weighed", by="a table of the later release")
class Weighed(TableEvent):
    """A kind that a host of the later release has in its list."""

    tile_set: int
    grams: int


del KINDS["weighed"]


def later(folder: Path) -> Release:
    release = Release(folder)
    codes, messages = PROTOCOL + "codes.py", PROTOCOL + "messages.py"
    release.change(codes, 'IDLE = number("idle")', 'WEIGHING = number("weighing")\nIDLE = number("idle")')
    release.change(codes, "SIDE_OVER = fault(", 'DRUM_HOT = fault("drum_hot", NOTICE, 0)\nSIDE_OVER = fault(')
    release.change(codes, 'GOULASH = number("goulash")', 'MILKY = number("milky")\nGOULASH = number("goulash")')
    status = '"sides_out",\n    )\n)'
    release.change(messages, status, status.replace(",\n", ',\n        "grams",\n', 1))
    release.change(
        messages, 'const("<BBBBB4B4B4B6sIHHBBBBHBBB3BIIIIHBBB")', 'const("<BBBBB4B4B4B6sIHHBBBBHBBB3BIIIIHBBBH")'
    )
    release.change(
        messages,
        '    (0x60, "status"',
        '    (0x61, "weighed", EVENT, "<BH", ("tile_set", "grams")),\n    (0x60, "status"',
    )
    release.change(
        FIRMWARE + "status.py",
        "            build.settings[SIDES_OUT],\n",
        "            build.settings[SIDES_OUT],\n            2160,\n",
    )
    release.change(
        FIRMWARE + "cycle.py",
        '        self._events.add(now_ms, "build_done"',
        '        self._events.add(now_ms, "weighed", 1, 2160)\n        self.notice(codes.DRUM_HOT, codes.NO_SIDE, 1)\n'
        '        self._events.add(now_ms, "build_done"',
    )
    release.renumber(lambda number: number ^ LATER_BY)
    return release


def earlier(folder: Path) -> Release:
    release = Release(folder)
    messages = PROTOCOL + "messages.py"
    for name in ("get_noise", "hurry"):
        release.drop(messages, f'"{name}"')
    release.change(FIRMWARE + "dice.py", 'answers = ("contribute", "get_noise")', 'answers = ("contribute",)')
    release.change(FIRMWARE + "operation.py", '        "hurry",\n', "")
    release.change(messages, '        "unchecked",\n        "sides_out",\n    )\n)', "    )\n)")
    release.change(messages, "IIIIHBBB", "IIIIHB")
    for field in ("1 if build.unchecked else 0", "build.settings[SIDES_OUT]"):
        release.change(FIRMWARE + "status.py", f"            {field},\n", "")
    return release


@pytest.fixture
def meet(tmp_path: Path, micropython_runtime: Runtime) -> Iterator[Meet]:
    """Start a table with the firmware of another release."""
    started: list[Simulation] = []

    def meet(release: MakeRelease) -> Made:
        started.append(Simulation(11, firmware=release(tmp_path).firmware(micropython_runtime)))
        return started[-1], attach(f"release-{next(NAMES)}", started[-1])

    yield meet
    for simulation in started:
        simulation.close()


def play_a_deal(table: Table, simulation: Simulation) -> tuple[int, ...]:
    """Build, bring the walls up, throw, and lower the lifts."""
    table.set_plan((13, 14, 13, 14), dealer=1)
    table.start_build()
    assert table.wait_for("build_done", BUILD_MS).fields["stacks"] == (13, 14, 13, 14)
    table.open_lid()
    table.wait_state("lid_open", 20_000)
    simulation.players.push_in()
    table.raise_walls()
    table.wait_for("walls_up", 20_000)
    simulation.players.draw_in()
    dice = table.roll_dice(1)
    assert table.status().dice == dice
    return dice


def journalled(path: Path) -> list[Entry]:
    """The events of a journal."""
    return [entry for entry in read_journal(path) if entry.seq is not None]


@pytest.mark.parametrize("release", [later, earlier])
def test_a_deal_a_fault_a_power_cut_and_a_backup(release: MakeRelease, meet: Meet, tmp_path: Path) -> None:
    simulation, port = meet(release)
    with Journal(tmp_path / "other.db") as journal, open_table(port, journal=journal) as table:
        play_a_deal(table, simulation)
        table.request("set_deal", 2, 1, 3, codes.GOULASH, 40)
        told = table.status()
        assert (told.east, told.dealer, told.round_wind, told.deal_kind, told.pot) == (2, 1, 3, "goulash", 40)
        table.stop()
        assert table.status().fault == "stopped"
        table.clear_fault()
        table.wait_for("fault_cleared", 1000)
        simulation.cut_power(500)
        with pytest.raises(BoardReset):
            table.run_until(lambda _: False, 5000)
        table.reconnect()
        assert table.status().deal == 1
        table.pump(2000)
    entries = journalled(tmp_path / "other.db")
    names = [entry.kind for entry in entries]
    assert {"build_done", "walls_up", "dice_rolled", "fault", "fault_cleared", "restored"} <= set(names)
    (fault,) = [entry.said for entry in entries if entry.kind == "fault"]
    assert isinstance(fault, Fault)
    assert fault.fault == "stopped"
    (restored,) = [entry.said for entry in entries if entry.kind == "restored"]
    assert isinstance(restored, Restored)
    assert (restored.deal, restored.deal_kind, restored.pot) == (1, "goulash", 40)
    with open_board(port) as board:
        saved = save_board(board, "2026-11-29T12:00:00")
        assert not board.info.is_of_this_release
        assert saved.unit == board.info.unit == "SIM-11"
        brought_back: list[str] = []
        restore_board(board, saved, brought_back.append)
    assert len(brought_back) == len(saved.kept)


def test_what_only_the_board_knows_is_told_by_its_name_and_read_by_a_later_host(
    meet: Meet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulation, port = meet(later)
    path = tmp_path / "later.db"
    with Journal(path) as journal, open_table(port, journal=journal) as table:
        play_a_deal(table, simulation)
        strange = table.strange()
    assert any("says weighed, which this program does not know" in one for one in strange)
    assert any("says drum_hot, which this program does not know" in one for one in strange)
    (notice,) = [entry.said for entry in journalled(path) if entry.kind == "notice"]
    assert isinstance(notice, Notice)
    assert (notice.fault, notice.side, notice.tries) == ("drum_hot", None, 1)
    (weighed,) = [entry.said for entry in journalled(path) if entry.kind == "weighed"]
    assert isinstance(weighed, Unknown)
    assert weighed.body["fields"] == {"tile_set": 1, "grams": 2160}
    # A host of the board's release, and the same journal.
    monkeypatch.setitem(KINDS, "weighed", Weighed)
    read_again = [entry.said for entry in journalled(path) if entry.kind == "weighed"]
    assert read_again == [Weighed(time_ms=weighed.body["time_ms"], tile_set=1, grams=2160)]


def test_what_the_board_lacks_is_refused_by_its_name_and_the_table_goes_on(meet: Meet) -> None:
    simulation, port = meet(earlier)
    with open_table(port) as table:
        assert (table.status().unchecked, table.last_status.sides_out) == (False, ())
        with pytest.raises(
            NotOnBoard, match="this board's firmware has no hurry, so that hurry was not sent: update it"
        ):
            table.request("hurry")
        play_a_deal(table, simulation)
        assert table.strange() == ()
    with open_board(port) as board:
        assert board.info.lacks == (
            *("unchecked of get_status", "sides_out of get_status", "hurry", "get_noise"),
            *("unchecked of status", "sides_out of status"),
        )


@pytest.mark.parametrize("release", [later, earlier])
def test_a_client_in_another_language_plays_deals(release: MakeRelease, meet: Meet, seed: int) -> None:
    simulation, _ = meet(release)
    result = stepped(simulation, clean, clean, 2, 0, seed)
    assert result["catalog"] != OWN.catalog
    assert (result["deals"], len(result["rolls"]), result["lost"]) == (2, 2, 0)


def test_a_dictionary_is_asked_for_once(meet: Meet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dictionaries, "_bound", {OWN.catalog: Binding()})
    _, port = meet(later)
    frames: list[Block] = []
    splitter = Splitter()
    with open_table(port, tap=lambda *piece: frames.extend(splitter.add(*piece))) as table:
        asked = [one for one in frames if decode(one.data, one.catalog).get("message") == "get_dictionary"]
        first = len(frames)
        table.reconnect()
        assert table.status().state == "idle"
    assert 2 * 15 <= len(asked) <= 2 * 20  # a request and a reply for every 200 bytes
    assert all(decode(one.data, one.catalog).get("message") != "get_dictionary" for one in frames[first:])
