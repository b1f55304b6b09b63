"""The map of the wires as a file and on a board: what it says, what is refused, and what the table makes of it."""

import struct
import tomllib
from binascii import crc32
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.host.doctor.conftest import Result
from wallwright.cli.doctor.wire import SORTS_LATER
from wallwright.doctor.bench import Bench
from wallwright.doctor.wiring.on_board import read_map
from wallwright.doctor.wiring.wire_map import BadMap, MapSorter, Wire, WireMap, load_map, parse_map
from wallwright_protocol.names import DRIVES, INPUTS, LAMPS
from wallwright_simulator.harness import standard
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.sorters import read_hardware

Run = Callable[[str], Result]
STANDARD = WireMap(
    (0, 1, 2, 3),
    {name: Wire(number, 1) for number, name in enumerate(INPUTS)},
    {name: number for number, name in enumerate((*DRIVES, *LAMPS))},
    carrier=("reads_back", "sensed", "pumped"),
)
PARTS = {"reads_back": 16, "sensed": 32, "pumped": 64, "interlocked": 128}
STANDARD_LANES = 15 + 16 + 32 + 64


def record(lanes: int, inputs: list[int], outputs: list[int]) -> bytes:
    return b"WM\x01" + bytes([lanes, *inputs, *outputs])


def test_the_hash_is_that_of_the_boards_record() -> None:
    assert STANDARD.hash == f"{crc32(record(STANDARD_LANES, list(range(45)), list(range(32)))):08x}"
    inverted = WireMap((0,), {"emergency_stop": Wire(47, 0)}, {"disc": 31})
    inputs, outputs = [255] * 45, [255] * 32
    inputs[38], outputs[0] = 47 | 128, 31
    assert inverted.hash == f"{crc32(record(1, inputs, outputs)):08x}"
    assert WireMap.of_fields(1, tuple(inputs), tuple(outputs)) == inverted
    sorts = replace(inverted, sorter=MapSorter("ring", 18, 160))
    assert sorts.hash == f"{crc32(b'WM' + bytes([2, 1, *inputs, *outputs, 3, 18, 160])):08x}"
    assert WireMap.of_fields(1, tuple(inputs), tuple(outputs), (3, 18, 160)) == sorts


def test_a_file_says_all_that_a_map_has(seed: int) -> None:
    import random

    chance = random.Random(seed)
    for _ in range(20):
        wires, outputs = chance.sample(range(48), 45), chance.sample(range(32), 32)
        made = WireMap(
            (0, 1, 2, 3),
            {name: Wire(wire, chance.randrange(2)) for name, wire in zip(INPUTS, wires, strict=True)},
            dict(zip((*DRIVES, *LAMPS), outputs, strict=True)),
            {"debounce_ms": chance.randrange(2, 20)},
            chance.choice((None, MapSorter("ring", 18, 160), MapSorter("flap", 2, 170), MapSorter("mouth"))),
            chance.choice(((), ("reads_back",), STANDARD.carrier, ("reads_back", "pumped"))),
        )
        assert parse_map(made.to_toml()) == made
        assert tomllib.loads(made.to_toml())["hash"] == made.hash


@pytest.mark.parametrize("part", PARTS)
def test_a_part_of_the_carrier_is_a_bit_above_the_lanes_and_the_file_tells_what_is_missed_without(part: str) -> None:
    bare = replace(STANDARD, carrier=())
    assert bare.fields()[0] == 15
    has = replace(bare, carrier=(part,))
    assert has.fields()[0] == 15 + PARTS[part]
    assert WireMap.of_fields(15 + PARTS[part], *[tuple(range(n)) for n in (45, 32)]) == has
    assert f"# Without {part}: " in bare.to_toml()
    assert f"# Without {part}: " not in has.to_toml()


def test_a_file_from_before_there_were_such_parts_has_none() -> None:
    text = "".join(line for line in STANDARD.to_toml().splitlines(True) if not line.startswith("carrier"))
    assert parse_map(text) == replace(STANDARD, carrier=())


WRONG = {
    "no TOML": ("[", "no TOML"),
    "another version": ("version = 2", "version is 2, it must be 1"),
    "no lanes": ("version = 1\nlanes = []", "it must be a list of the sides"),
    "a fifth lane": ("version = 1\nlanes = [4]", "it must be a list of the sides"),
    "a part of a carrier that there is not": ('version = 1\nlanes = [0]\ncarrier = ["radar"]', "carrier"),
    "an input on the wire of the lid's interlock": (
        'version = 1\nlanes = [0]\ncarrier = ["interlocked"]\n[inputs]\nemergency_stop = { wire = 45, on = "low" }',
        "wire 45 is emergency_stop, and the lid's interlock reports on it",
    ),
    "senses that nothing brings back": (
        'version = 1\nlanes = [0]\ncarrier = ["sensed"]\n[inputs]\nemergency_stop = { wire = 8, on = "low" }',
        "carrier has sensed without reads_back",
    ),
    "a key too many": ("version = 1\nwires = 3", "there is no 'wires'; there are version, hash, lanes"),
    "an input that there is not": (
        "version = 1\nlanes = [0]\n[inputs]\nmouth = 3",
        "inputs: there is no 'mouth'; there are ",
    ),
    "a sorter that there is not": (
        'version = 1\nlanes = [0]\n[sorter]\nkind = "store"',
        "sorter: kind is 'store'",
    ),
    "a ring without a lead": (
        'version = 1\nlanes = [0]\n[inputs]\nemergency_stop = { wire = 8, on = "low" }\n'
        '[sorter]\nkind = "ring"\nplaces = 18',
        "places can be 4 to 24, lead_ms 120 to 250",
    ),
    "a wire that there is not": (
        'version = 1\nlanes = [0]\n[inputs]\nemergency_stop = { wire = 48, on = "low" }',
        "inputs.emergency_stop: wire is 48, it must be a whole number from 0 to 47",
    ),
    "no level": (
        "version = 1\nlanes = [0]\n[inputs]\nemergency_stop = 38",
        "inputs.emergency_stop is 38, it must be written as in ",
    ),
    "no emergency stop": ("version = 1\nlanes = [0]", "emergency_stop has no wire"),
    "one wire twice": (
        'version = 1\nlanes = [0]\n[inputs]\nemergency_stop = { wire = 8, on = "low" }\n'
        'lid_is_open = { wire = 8, on = "high" }',
        "wire 8 is emergency_stop and lid_is_open",
    ),
    "one output twice": (
        'version = 1\nlanes = [0]\n[inputs]\nemergency_stop = { wire = 8, on = "low" }\n[outputs]\ndisc = 3\nring = 3',
        "output 3 drives disc and ring",
    ),
    "no end": (
        'version = 1\nlanes = [0]\n[inputs]\nemergency_stop = { wire = 8, on = "low" }\n[outputs]\nlift_raise_0 = 3',
        "lift_up_0, at which it ends, has no wire",
    ),
    "a side without a lane": (
        'version = 1\nlanes = [0]\n[inputs]\nemergency_stop = { wire = 8, on = "low" }\n[outputs]\nconveyor_2 = 3',
        "side 2 is not among the lanes",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_meant_is_refused_and_the_board_left_alone(
    name: str, tmp_path: Path, run: Run, port: str, simulation: Simulation
) -> None:
    text, why = WRONG[name]
    before = simulation.board.slots.data[4]
    path = tmp_path / "map.toml"
    path.write_text(text)
    with pytest.raises(BadMap, match=why):
        load_map(path)
    done = run(f"doctor map --port {port} --set {path}")
    assert done.code == 2
    assert why in " ".join(done.err.split())
    assert simulation.board.slots.data[4] == before


def test_the_table_shows_its_map_and_what_is_printed_can_be_put_on_another(
    tmp_path: Path, run: Run, port: str, simulation: Simulation
) -> None:
    shown = run(f"doctor map --port {port}")
    path = tmp_path / "map.toml"
    text = shown.out.replace("disc = 0", "disc = 1").replace("ring = 1", "ring = 0")
    path.write_text(text.replace("debounce_ms = 5", "debounce_ms = 7"))
    wanted = load_map(path)
    done = run(f"doctor map --port {port} --set {path}")
    assert (done.code, done.out) == (0, f"The board goes by the map {wanted.hash} now.\n")
    assert run(f"status --port {port} --json").records[0]["wiring"] == wanted.hash
    assert f"map {wanted.hash}" in run(f"status --port {port}").out
    (shown_again,) = run(f"doctor map --port {port} --json").records
    assert shown_again["hash"] == wanted.hash
    assert shown_again["timings"]["debounce_ms"] == 7  # type: ignore[index]
    simulation.cut_power(500)
    simulation.run_until(simulation.now_ms + 2000)
    assert run(f"status --port {port} --json").records[0]["wiring"] == wanted.hash
    assert simulation.board.slots.data[4] == record(
        STANDARD_LANES, list(range(45)), [1, 0, *range(2, 32)]
    ) + struct.pack("<I", int(wanted.hash, 16))


def test_a_timing_that_the_board_would_not_take_keeps_the_map_off_it(
    tmp_path: Path, run: Run, port: str, simulation: Simulation
) -> None:
    path = tmp_path / "map.toml"
    path.write_text(run(f"doctor map --port {port}").out.replace("lid_limit_ms = 3500", "lid_limit_ms = 9000"))
    before = simulation.board.slots.data[4]
    done = run(f"doctor map --port {port} --set {path}")
    assert done.code == 2
    assert "lid_limit_ms cannot be 9000 ms" in " ".join(done.err.split())
    assert simulation.board.slots.data[4] == before
    assert run(f"status --port {port} --json").records[0]["state"] == "idle"


def test_a_board_whose_map_was_cut_says_so_and_takes_another(
    tmp_path: Path, run: Run, port: str, simulation: Simulation
) -> None:
    path = tmp_path / "map.toml"
    path.write_text(run(f"doctor map --port {port}").out)
    simulation.board.slots.data[4] = b"WM"
    simulation.cut_power(500)
    simulation.run_until(simulation.now_ms + 2000)
    shown = run(f"doctor map --port {port}")
    assert (shown.code, shown.out) == (4, "")
    assert "nothing is connected" in shown.err
    status = run(f"status --port {port}").out
    assert "wiring_unknown" in status
    assert "wiring    nothing is connected" in status
    assert run(f"doctor map --port {port} --set {path}").code == 0
    assert run(f"status --port {port} --json").records[0]["state"] == "idle"


@pytest.mark.parametrize("is_pressed", [False, True])
def test_a_new_board_of_the_reference_carrier_gets_its_map_by_one_command(run: Run, is_pressed: bool) -> None:
    simulation = Simulation(11, harness=standard(range(4)))
    port = attach(f"new-board-{is_pressed}", simulation)
    simulation.world.emergency_stop(is_pressed)
    shown = run(f"doctor map --port {port}")
    assert shown.code == 4
    assert "--standard" in shown.err
    assert "nothing is connected" in run(f"board info --port {port}").out
    done = run(f"doctor map --port {port} --standard")
    assert (done.code, done.out) == (0, f"The board goes by the map {STANDARD.hash} now.\n")
    status = run(f"status --port {port} --json").records[0]
    assert (status["fault"], status["wiring"]) == ("emergency_stop" if is_pressed else None, STANDARD.hash)
    assert simulation.board.slots.data[4] == record(STANDARD_LANES, list(range(45)), list(range(32))) + struct.pack(
        "<I", int(STANDARD.hash, 16)
    )


def test_a_file_and_the_standard_map_are_not_put_on_a_board_together(run: Run, port: str) -> None:
    done = run(f"doctor map --port {port} --standard --set x.toml")
    assert done.code == 2
    assert "not both" in " ".join(done.err.split())


def test_a_table_that_moves_refuses_a_map(tmp_path: Path, run: Run, port: str) -> None:
    path = tmp_path / "map.toml"
    path.write_text(STANDARD.to_toml())
    from wallwright.table.table import open_table

    with open_table(port) as table:
        table.start_build()
        table.pump(500)
    done = run(f"doctor map --port {port} --set {path}")
    assert done.code == 4
    assert "the table refuses begin_service" in " ".join(done.err.split())


def test_the_library_reads_the_map_of_a_board(bench: Bench) -> None:
    found = read_map(bench.table)
    assert found is not None
    assert (found.lanes, found.inputs, found.outputs) == (STANDARD.lanes, STANDARD.inputs, STANDARD.outputs)
    assert found.hash == STANDARD.hash == bench.table.status().wiring


@pytest.mark.parametrize(
    ("changes", "is_due"),
    [
        ("", False),
        ("lead_ms = 170", True),
        ("places = 9", True),
        ('kind = "mouth"\nplaces = 0\nlead_ms = 0', True),
        ('kind = "plain"', True),
    ],
)
def test_who_changes_anything_of_what_sorts_is_told_that_it_takes_a_start(
    run: Run, tmp_path: Path, changes: str, is_due: bool
) -> None:
    port = attach(f"bench-sorts-{len(changes)}", Simulation(11, hardware=read_hardware("ring", 18)))
    path = tmp_path / "table.toml"
    sorter = {"kind": '"ring"', "places": "18", "lead_ms": "160"}

    def put(**values: str) -> Result:
        text = "".join(f"{key} = {value}\n" for key, value in (sorter | values).items())
        path.write_text(STANDARD.to_toml() + "[sorter]\n" + text)
        return run(f"doctor map --port {port} --set {path}")

    assert SORTS_LATER in put().out, "it had a map without"
    done = put(**dict(line.split(" = ") for line in changes.splitlines()))
    assert done.code == 0
    assert (SORTS_LATER in done.out) == is_due


def test_who_puts_a_map_that_shows_a_fault_on_a_board_hears_of_the_start_too(run: Run, tmp_path: Path) -> None:
    port = attach("bench-sorts-fault", Simulation(11, hardware=read_hardware("ring", 18)))
    path = tmp_path / "table.toml"
    told = []
    for lead_ms in (160, 170, 170):
        text = STANDARD.to_toml().replace(
            'lid_is_open = { wire = 36, on = "high" }', 'lid_is_open = { wire = 36, on = "low" }'
        )
        path.write_text(f'{text}[sorter]\nkind = "ring"\nplaces = 18\nlead_ms = {lead_ms}\n')
        done = run(f"doctor map --port {port} --set {path}")
        assert (done.code, done.out) == (4, "")
        told.append(SORTS_LATER in done.err)
    assert told == [True, True, False]


def test_a_program_is_told_so_too(run: Run, tmp_path: Path) -> None:
    port = attach("bench-sorts-json", Simulation(11, hardware=read_hardware("ring", 18)))
    path = tmp_path / "table.toml"
    due = []
    for lead_ms in (160, 170, 170):
        path.write_text(f'{STANDARD.to_toml()}[sorter]\nkind = "ring"\nplaces = 18\nlead_ms = {lead_ms}\n')
        due.append(run(f"doctor map --port {port} --set {path} --json").records[0]["restart_due"])
    assert due == [True, True, False]
    assert "restart_due" not in run(f"doctor map --port {port} --json").records[0]
