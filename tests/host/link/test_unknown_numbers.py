"""What the catalog hash does not keep out: a number without a name, or one that cannot be, wherever one may come.

It is shown as `state 200`, logged, and survived: by readers, `Table`, a hall's host, `run`, `watch`, and the console.
"""

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.host.console.hall import opened
from tests.host.fleet.served import Heard, Served, config_text, journalled, serving, stored
from tests.host.odd import UNKNOWN, OddApp, event_as, in_status, refusing, statuses_as
from tests.protocol import spec
from wallwright import cli
from wallwright.cli.run import change_record
from wallwright.errors import BadMessage, Refused
from wallwright.fleet import Fleet, load_hall
from wallwright.fleet.screen import change_line, hall_picture
from wallwright.journal import read_journal
from wallwright.link.reports import (
    SEALED,
    SECRET_EVENTS,
    UNREADABLE,
    WALL_SHOWN,
    Event,
    read_event,
    read_status,
    unknown_in,
)
from wallwright.table.table import Table, open_table
from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS, NUMBER_OF, STATUSES, Layout
from wallwright_protocol.lists import LISTS
from wallwright_simulator.hall import Hall
from wallwright_simulator.simulation import Simulation, attach

STATUS = STATUSES[NUMBER_OF["status"]]
ONE_OF = {
    "state": "states",
    "fault": "faults",
    "key": "keys",
    "source": "sources",
    "carriers": "carriers",
    "jog end": "jog ends",
    "seal loss": "seal losses",
    "purpose": "purposes",
    "refusal": "refusals",
    "wall mode": "wall modes",
    "deal kind": "deal kinds",
    "drive": "drives of the table",
    "message": None,
}
"""The unit, in SPEC.md, of a field that is one of a list -> the list's heading; messages are rows."""
WITHIN = ("side", "seat", "set", "0, 1", "pips", "stacks", "tiles", "reader", "wind", "dice", "s")
"""Units whose fields have a lowest and a highest value."""
GOOD = {"dice": 1, "dice_count": 2, "message": NUMBER_OF["open_lid"]}
"""Values of fields that may not be 0."""
FREE = (
    *("", "ms", "0.1 s", "bytes", "bits", "event", "blocks", "deals", "roll", "starts", "builds", "jams", "changes"),
    *("sets", "place", "chips", "input, level", "wire", "wire, level", "line", "samples", "windows"),
)
"""Units of fields that may hold any number."""
ELSEWHERE = {
    "self tests",
    "test results",
    "plan modes",
    "settings",
    "setting kinds",
    "setting units",
    "records",
    "measurements",
    "readers",
    "inputs of a side",
    "inputs of the table",
    "drives of a side",
    "lamps of a side",
    "parts of a carrier",
    "sorters",
    "sorter drives of a side",
    "sorter switches of a side",
    "store moves",
}
"""Lists that no field of an event or status names alone: codes of replies, arguments, bits."""
_names = count()


def fields_of(unit: str) -> Iterator[tuple[Layout, str]]:
    """The fields of events and of the status that SPEC.md gives this unit."""
    for messages, field, its_unit, _ in spec.table_below("| message | field | unit"):
        for message in messages.split(", "):
            name = message.removesuffix(" event")
            if its_unit == unit and (message.endswith(" event") or name == "status"):
                yield (STATUS if name == "status" else EVENTS[NUMBER_OF[name]]), field


def payload_with(layout: Layout, field: str, value: int) -> bytes:
    """A payload that can be, but for one value."""
    values: list[int | bytes] = []
    for name, letter in zip(layout.fields, _letters(layout.layout), strict=True):
        plain = name.partition("[")[0]
        times = int(name[:-1].partition("[")[2]) if name.endswith("]") else 1
        good: Any = b"" if letter == "s" else GOOD.get(plain, 0)
        values += [value if name == field else good] * times
    return layout.pack(*values)


def _letters(layout: str) -> Iterator[str]:
    return (letter for letter in layout if letter in "BHIs")


NAMED = [(unit, layout, field) for unit in ONE_OF for layout, field in fields_of(unit)]
RANGED = [(unit, layout, field) for unit in WITHIN for layout, field in fields_of(unit)]


def test_every_list_and_every_unit_of_the_protocol_is_thought_of() -> None:
    """A new list, or a field of a new kind, fails here until somebody has said what its unknown numbers become."""
    headings = {heading for heading, _, _ in LISTS}
    assert headings == {heading for heading in ONE_OF.values() if heading} | ELSEWHERE
    units = {row[2] for row in spec.table_below("| message | field | unit")}
    requested = {"setting", "plan mode", "record", "measurement", "sorter"}
    answered = {
        "settings",
        "faults",
        "drives",
        "setting kind",
        "setting unit",
        "by unit",
        "self test",
        "test result",
        "tests",
    }
    assert units - {*ONE_OF, *WITHIN, *FREE, *requested, *answered, "input", "seal loss"} == set()
    assert {unit for unit, _, _ in NAMED} == set(ONE_OF)
    assert {unit for unit, _, _ in RANGED} == set(WITHIN)
    assert len(NAMED) > 12
    assert len(RANGED) > 30


@pytest.mark.parametrize(("unit", "layout", "field"), NAMED, ids=lambda one: getattr(one, "name", one))
def test_a_number_without_a_name_is_shown_by_its_kind(unit: str, layout: Layout, field: str) -> None:
    payload = payload_with(layout, field, UNKNOWN)
    read = read_status(payload) if layout is STATUS else read_event(1, 1, 0, 0, layout.number, payload)
    shown = getattr(read, field) if layout is STATUS else read.fields[field]  # type: ignore[union-attr]
    assert shown == f"{unit} {UNKNOWN}"
    assert unknown_in(read) == (shown,)


@pytest.mark.parametrize(("unit", "layout", "field"), RANGED, ids=lambda one: getattr(one, "name", one))
def test_a_number_that_cannot_be_is_not_taken_for_one_that_can(unit: str, layout: Layout, field: str) -> None:
    for value in {"stacks": (20, 255), "pips": (0, 7, 99), "0, 1": (2,)}.get(unit, (254,)):
        wide = 60_000 if unit == "tiles" and layout.name == "fault" else value
        if unit == "tiles" and wide < 304:
            continue  # a byte holds no number of tiles that cannot be
        payload = payload_with(layout, field, wide)
        what = f"{field.partition('[')[0].replace('_', ' ')} {wide}"
        if layout is STATUS:
            if (unit, value) == ("pips", 0):
                continue  # both are 0 before the first roll
            with pytest.raises(BadMessage, match=what):
                read_status(payload)
            continue
        event = read_event(1, 7, 2, 9, layout.number, payload)
        assert (event.name, event.seq, event.lost) == (UNREADABLE, 7, 2)
        if layout.name in (*SECRET_EVENTS, WALL_SHOWN):
            assert event.fields == {"message": SEALED}
            assert event.secret == {"payload": payload.hex()}
        else:
            assert event.fields == {"message": layout.name, "why": what, "payload": payload.hex()}


def test_a_die_before_one_that_was_thrown_cannot_be_0() -> None:
    for dice in ((0, 3, 3), (3, 0, 3), (0, 0, 3)):
        values = [codes.IDLE, 0, codes.NO_SIDE, 0, 0, *(0,) * 12, b"", *(0,) * 8, 108, 2, 0, *dice, *(0,) * 8]
        with pytest.raises(BadMessage, match="dice 0"):
            read_status(STATUS.pack(*values))


STRANGE_STATUS = (
    in_status(0, bytes([UNKNOWN])),
    in_status(1, bytes([UNKNOWN + 1])),
    in_status(17, bytes(5) + bytes([1 << 7])),
    in_status(23, bytes(3) + b"\x81"),
    in_status(27, b"\x00\x01"),
)
"""A state and a fault without a name, and bits of inputs, drives and lamps that have none."""
SHOWN_STATUS = ("state 200", "fault 201", "input 47", "drive 24", "drive 31", "lamp 8")
EVENT_IDS = (0, 0x7E, 0x7F, UNKNOWN, 255)


def odd_simulation(seed: int) -> tuple[Simulation, OddApp]:
    simulation = Simulation(seed, firmware=OddApp)
    assert isinstance(simulation.app, OddApp)
    return simulation, simulation.app


def tell_all(app: OddApp) -> int:
    """Let every event with a number without a name, or with one that cannot be, happen; return how many."""
    told = 0
    # Of each unit one field: all of them are more than a connection tells as strange.
    ranged = {unit: (layout, field, 254) for unit, layout, field in RANGED if unit != "tiles" and layout is not STATUS}
    for layout, field, value in [(layout, field, UNKNOWN) for _, layout, field in NAMED] + [*ranged.values()]:
        if layout is not STATUS:
            app.happen(layout.name, *layout.unpack(payload_with(layout, field, value)))
            told += 1
    for _ in EVENT_IDS:
        app.happen("booted", 0, 1, 0)
    ids = iter(EVENT_IDS)
    renamed: dict[bytes, int] = {}

    def other_id(body: bytes) -> list[bytes]:
        seq = body[5:9]
        if seq not in renamed and event_as("booted", 1)(body) != [body]:
            renamed[seq] = next(ids)
        return event_as("booted", renamed[seq])(body) if seq in renamed else [body]

    app.changes.append(other_id)
    return told + len(EVENT_IDS)


def test_a_table_goes_on_whatever_number_comes() -> None:
    simulation, app = odd_simulation(51)
    with open_table(attach(f"odd-{next(_names)}", simulation)) as table:
        app.changes += [*STRANGE_STATUS, statuses_as(0, 0x61, UNKNOWN)]
        told = tell_all(app)
        seen: list[Event] = []
        for _ in range(60):
            table.pump(500)
            seen += table.events()
        assert len([event for event in seen if event.name != "state_changed"]) >= told
        assert {f"event {number}" for number in EVENT_IDS} <= {event.name for event in seen}
        assert table.last_status.state == table.state == "state 200"
        assert table.status().fault == "fault 201"
        strange = "\n".join(table.strange())
        for shown in (*SHOWN_STATUS, *(f"event {number}" for number in EVENT_IDS), "status 97", UNREADABLE):
            assert shown in strange
        app.changes.append(refusing("lower_lifts", UNKNOWN))
        with pytest.raises(Refused, match="refusal 200, its state is state 200"):
            table.lower_lifts()
        app.changes.clear()
        table.pump(2000)
        assert table.state == "idle", "it is believed again as soon as it says what is known"
        table.start_build()


def test_impossible_statuses_are_passed_over_and_the_last_good_one_stays() -> None:
    simulation, app = odd_simulation(52)
    with open_table(attach(f"odd-{next(_names)}", simulation)) as table:
        table.pump(3000)
        app.changes.append(in_status(40, b"\x63\x01"))
        before = table.last_status
        table.pump(5000)
        assert table.last_status is before
        assert ["dice 99" in text for text in table.strange()] == [True] * len(table.notes)
        with pytest.raises(BadMessage, match="dice 99"):
            table.status()
        app.changes.clear()
        table.pump(1500)
        assert table.last_status.uptime_ms > before.uptime_ms


@pytest.fixture
def odd_hall(tmp_path: Path) -> Iterator[tuple[Fleet, Heard, Served, Simulation, OddApp]]:
    """A hall of one odd table, and its host."""
    simulation, app = odd_simulation(53)
    hall = Hall([simulation], pace=4)
    file = tmp_path / "hall.toml"
    file.write_text(config_text(tmp_path / "hall.journal", [f'name = "A1"\nport = "{hall.ports[0]}"']))
    with serving(hall) as served, Fleet(load_hall(file)) as fleet:
        heard = Heard(fleet.news)
        heard.kind("A1", "connected")
        yield fleet, heard, served, simulation, app


@pytest.mark.slow
def test_a_hall_s_host_goes_on_whatever_number_comes(
    odd_hall: tuple[Fleet, Heard, Served, Simulation, OddApp], tmp_path: Path
) -> None:
    fleet, heard, served, simulation, app = odd_hall

    def turn_odd() -> int:
        app.changes.extend([*STRANGE_STATUS, statuses_as(0x61)])
        return tell_all(app)

    told = served.do(turn_odd)
    for shown in (*SHOWN_STATUS, *(f"event {number}" for number in EVENT_IDS), "status 97"):
        heard.until(lambda change, shown=shown: change.kind == "strange" and shown in change.body["text"])  # type: ignore[misc]
    heard.until(lambda change: change.event is not None and change.event.name == f"event {EVENT_IDS[-1]}")
    served.do(lambda: app.changes.append(refusing("open_lid", UNKNOWN)))
    with pytest.raises(Refused, match="refusal 200"):
        fleet.call("A1", Table.open_lid).result(60)
    assert fleet.call("A1", Table.status).result(60).state == "state 200"
    [state] = fleet.state().tables
    assert state.link == "connected"
    assert [change.kind for change in heard.changes if change.kind in ("searching", "ended")] == []
    for change in heard.changes:
        json.dumps(change_record(change))
        assert change_line(change).isprintable()
    assert hall_picture(fleet.state(), heard.changes[-6:], 30).renderables
    boot_id, _ = state.boot_id, served.do(lambda: stored(simulation))
    fleet.stop()
    kept = journalled(tmp_path / "hall.journal", "SIM-53")[boot_id]
    assert kept == list(range(1, len(kept) + 1)), "an event is missing"
    assert len(kept) > told
    kinds = [entry.kind for entry in read_journal(tmp_path / "hall.journal")]
    assert kinds.count("strange") == len([change for change in heard.changes if change.kind == "strange"])


@pytest.mark.parametrize("as_json", [False, True])
def test_watch_shows_whatever_number_comes(
    as_json: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    simulation, app = odd_simulation(54)
    port = attach(f"odd-{next(_names)}", simulation)
    pump = Table.pump
    pumps = count()
    app.changes += STRANGE_STATUS

    def pump_for_a_while(table: Table, timeout_ms: int) -> None:
        number = next(pumps)
        if number == 2:
            app.happen("referee_called", 1)
            app.changes.append(event_as("referee_called", UNKNOWN))
        if number > 12:
            raise KeyboardInterrupt
        pump(table, timeout_ms)

    monkeypatch.setattr(Table, "pump", pump_for_a_while)
    monkeypatch.setattr("sys.argv", ["wallwright", "watch", "--port", port, *(["--json"] if as_json else [])])
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code in (0, None)
    printed = capsys.readouterr()
    assert printed.err == ""
    for shown in ("state 200", "fault 201", "input 47", "drive 24", "event 200"):
        assert shown in printed.out


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_console_shows_whatever_number_comes(tmp_path: Path, language: str) -> None:
    with opened(tmp_path, "A1", "A2") as place:
        client = place.signed_in("director")
        client.cookies.set("lang", language)
        place.fleet.change(
            "A1", state="state 200", drives=("drive 24", "disc"), inputs=("input 47",), lamps=("lamp 8",)
        )
        place.fleet.change("A2", state="fault", fault="fault 201", fault_side=None)
        for _, layout, field in NAMED:
            if layout is not STATUS:
                event = read_event(1, 1, 0, 0, layout.number, payload_with(layout, field, UNKNOWN))
                place.fleet.tell("A1", event.name, **event.fields)
        for number in EVENT_IDS:
            place.fleet.tell("A1", f"event {number}", payload="00")
        place.look()
        hall, page = client.get("/").text, client.get("/tables/A1").text
        assert "state 200" in hall
        for shown in ("state 200", "drive 24", "event 200"):
            assert shown in page
        assert "Fault 201" in client.get("/tables/A2").text
        view = place.desk.view.table("A1")
        assert view is not None
        assert view.may == ("stop",), "what is unknown can be stopped, and nothing else"
        asked = client.post("/api/v1/tables/A1/commands/stop", headers={"Idempotency-Key": f"odd-key-{language}"})
        assert asked.status_code == 200, asked.text
        assert place.fleet.papers["A1"].asked == ["stop"]
