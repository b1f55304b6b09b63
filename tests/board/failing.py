"""A board one of whose modules fails: while motors run, when a host asks for what it does, or at the start.

Every function of the module raises, from the moment that the test chooses on, the first that is called. What sorts is
loaded by a board that has such parts, and fails there. Modules and functions are read from the files that go into the
image, and what the board loads of them from their imports.
"""

import ast
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.board.building import BUILDING_MS, LIFT_MS, logged
from tests.board.test_sorter import RING_ON_LINE
from tests.firmware.prescribing import DIRECTOR, FLAP_2, MOUTH, Director
from wallwright.errors import Refused, WallwrightError
from wallwright.table.table import Table
from wallwright_protocol import codes
from wallwright_protocol.hardware import COUNT_EYE, DICE_KEY, SET_SIZES, input_number
from wallwright_protocol.prescribing import pack, sent
from wallwright_protocol.prescription import digest, signed
from wallwright_protocol.settings import BELT_RETURN
from wallwright_simulator.chip import ChipSimulation, Emulator
from wallwright_simulator.chip.files import STATE_FILE, boot_program, file_system, state_file, with_map
from wallwright_simulator.chip.process import MakesChip
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.sorter import PLAIN, Hardware

ROOT = Path(__file__).parents[2]
WALL = "wallwright_protocol.wall"
LANE_TIMES = "wallwright_firmware.drivers.lane_times"
HEAD = "wallwright_firmware.drivers.head"
SORTING = "wallwright_firmware.sorting."
SORTERS = "wallwright_protocol.sorters"
PRESCRIPTION = "wallwright_protocol.prescription"
OTHER_SORTERS = {"flaps": FLAP_2, "eddies": MOUTH, "tides": MOUTH}
"""Modules that a board with a ring does not load."""
CHECKING = (PRESCRIPTION, f"{SORTING}ed25519", f"{SORTING}prescribed")
"""Modules that have their part before the build begins."""
AT_START = (
    "wallwright_firmware.boards.files",
    "wallwright_firmware.drivers.lift",
    f"{SORTING}eddies",
    SORTERS,
)
"""Modules that are called before anything can move; `eddies` then, and not again in the first minutes of a build."""
NEVER_CALLED = (
    "wallwright_firmware.boards.pins",
    "wallwright_firmware.guard",
    "wallwright_firmware.hal",
    "wallwright_protocol.codes",
    "wallwright_protocol.constants",
    "wallwright_protocol.lists",
    "wallwright_protocol.messages",
)
"""Modules that only make tables while they are loaded, or are asked by other programs than the board's; the contract
that a board fills in; and the one that keeps the reason of a failure, which tests/firmware/test_main.py lets fail."""
REQUESTS = (
    ("roll_dice", 0, 0, 0),
    ("get_record", codes.STATE_RECORD, 0),
    ("set_setting", BELT_RETURN, 1600),
    ("begin_service",),
    ("jog", 2, 100),
    ("measure", codes.MEASURED_NOISE),
    ("reboot_to_loader",),
    ("end_service",),
)
FOLDERS = (ROOT / "protocol", ROOT / "firmware")
MAIN = ROOT / "firmware/main.py"
SPOILT_MS = 10_000
"""A board that first replaces the functions of a module asks to be started by then."""
MOTION_MS = 300
"""While motors run, whatever takes part in that is called within this long."""
SORTS_MS = 20_000
"""While a prescribed wall is checked or built, whatever takes part in that is called within this long."""
STROKES_MS = 3_000
"""Every head has begun a stroke by then."""
FAILS = """
import sys
import machine
import {module}
import wallwright_firmware.app, wallwright_firmware.garbage, wallwright_firmware.guard
import wallwright_firmware.boards.board, wallwright_firmware.boards.rp2
def spoil(owner, name, works):
    def fail(*args, **named):
        if machine.mem32[{scratch}]:
            machine.mem32[{scratch}] = 0
            raise ValueError("on purpose")
        return works(*args, **named)
    setattr(owner, name, fail)
module = sys.modules["{module}"]
works = {{}}
for owner, name in {functions}:
    if owner:
        owner = getattr(module, owner)
        spoil(owner, name, getattr(owner, name))
    else:
        works[id(getattr(module, name))] = getattr(module, name)
for other in list(sys.modules.values()):
    for name in dir(other):
        found = getattr(other, name)
        if id(found) in works:
            spoil(other, name, found)
"""
"""What runs before the firmware. The emulator sets the scratch register, which nobody else uses and a reset keeps."""


def modules() -> dict[str, Path]:
    """Return the files of protocol and firmware, by the names of their modules."""
    found = {}
    for folder in FOLDERS:
        for path in sorted(folder.glob("wallwright_*/**/*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def loaded() -> list[str]:
    """Return the modules that the board's program loads, with every module that one of them imports, late ones too."""
    known = modules()
    found: set[str] = set()
    waiting = [("main", MAIN)]
    while waiting:
        name, path = waiting.pop()
        for one in _imports(
            ast.parse(path.read_text(encoding="utf-8")), name if path.stem == "__init__" else name.rpartition(".")[0]
        ):
            if one in known and one not in found:
                found.add(one)
                waiting.append((one, known[one]))
    return sorted(found)


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Give the names that a module may import, but for those that only a type checker does."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1]) if node.level else ""
            origin = ".".join(filter(None, (base, node.module)))
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)
        else:
            yield from _imports(node, package)


def failing() -> list[str]:
    """Return the modules of the board's program that have functions and are called once it runs."""
    return [name for name in loaded() if functions(name) and name not in AT_START + NEVER_CALLED]


def functions(module: str) -> list[tuple[str, str]]:
    """Return what a module can be called by: (class or "", name), without what is made by a decorator."""
    found = []
    for node in ast.parse(modules()[module].read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            found.append(("", node.name))
        elif isinstance(node, ast.ClassDef):
            found += [
                (node.name, one.name)
                for one in node.body
                if isinstance(one, ast.FunctionDef) and not one.decorator_list
            ]
    return found


def acts(module: str, simulation: ChipSimulation, table: Table) -> Iterator[None]:
    """What people and a host do at a table whose build is under way, until every module has had its part."""
    sensors, players = simulation.world.sensors, simulation.players
    if module == WALL:
        table.wait_for("wall_sealed", 60_000)
    if module == LANE_TIMES:
        sensors.set_next(input_number(0, COUNT_EYE), 1)
        table.pump(5000)
        yield
    if module == HEAD:
        table.pump(STROKES_MS)
        yield
    players.press_claim(0)
    yield
    table.open_lid()
    yield
    table.pump(9000)
    yield
    table.stop()
    yield
    table.clear_fault()
    yield
    for name, *values in REQUESTS:
        with suppress(Refused):
            table.request(str(name), *values)
        yield
    sensors.set_next(input_number(1, DICE_KEY), 1)
    yield
    players.press_referee(1)
    yield


def crash_in(
    module: str,
    chip: Callable[..., ChipSimulation],
    operate: Callable[[ChipSimulation], Table],
    seed: int,
    emulator: MakesChip = Emulator,
) -> tuple[ChipSimulation, Mapping[str, Any]]:
    """Let the module fail while motors run, or with the first act after that which needs it.

    Returns the table after the next start, and what that told of the failure.
    """
    simulation = _table(module, chip, seed, emulator=emulator)
    _wait_for_start(simulation)
    simulation.players.press_lift(0)
    simulation.run_until(simulation.now_ms + BUILDING_MS - LIFT_MS)
    assert simulation.world.drive_log[-1][1]
    table = operate(simulation)
    table.wait_state("building", 2000)
    if not _fails(simulation, MOTION_MS):
        _act(module, simulation, table)
    assert simulation.resets == 1, f"nothing of {module} was called"
    assert simulation.world.drive_log[-1][1] == 0
    simulation.run_until(simulation.now_ms + 1200)
    table.reconnect()
    table.pump(300)
    (told,) = [event.fields for event in table.events() if event.name == "crashed"]
    return simulation, told


def crash_in_sorter(module: str, chip: Callable[..., ChipSimulation], seed: int) -> Mapping[str, Any]:
    """Let a module of what sorts fail, at a board that has it: while a prescribed wall is built, or checked.

    Returns what the next start told of the failure.
    """
    hardware = hardware_for(module)
    simulation = _table(module, chip, seed, hardware)
    _wait_for_start(simulation)
    table = Director(seed, hardware, sim=simulation)
    table.equip()
    one = table.drawn()
    if module in CHECKING:
        data = pack(one)
        assert table.send(sent(data, DIRECTOR.sign(signed(digest(data))))) == "ok"
    else:
        assert table.prescribe(one) == "ok"
        assert table.request("start_build")[0] == "ok"
    assert _fails(simulation, SORTS_MS), f"nothing of {module} was called"
    simulation.run_until(simulation.now_ms + SPOILT_MS)
    assert simulation.resets == 1
    assert not any(mask for _, mask in simulation.world.drive_log[-1:])
    table.connect()
    table.run(300)
    (told,) = table.named("crashed")
    return told | {"error": told["error"].rstrip(b"\0").decode()}


def hardware_for(module: str) -> Hardware:
    """Return what a table has whose board loads this module."""
    name = module.removeprefix(SORTING)
    if name != module or module in (SORTERS, PRESCRIPTION, "wallwright_firmware.line_sorter"):
        return OTHER_SORTERS.get(name, RING_ON_LINE)
    return PLAIN


def crash_at_start(module: str, chip: Callable[..., ChipSimulation], seed: int) -> ChipSimulation:
    """Likewise with the first call of it after power-up; nothing has been switched on by then."""
    simulation = _table(module, chip, seed, hardware_for(module), power=False)
    simulation.power_on()
    simulation.chip.do("crash")
    while not simulation.resets:
        assert simulation.now_ms < SPOILT_MS, f"nothing of {module} was called"
        simulation.run_until(simulation.now_ms + 100)
    _wait_for_start(simulation)
    return simulation


def _table(
    module: str,
    chip: Callable[..., ChipSimulation],
    seed: int,
    hardware: Hardware = PLAIN,
    emulator: MakesChip = Emulator,
    **options: Any,
) -> ChipSimulation:
    text = FAILS.format(module=module, functions=functions(module), scratch=emulator.kind.scratch)
    files = with_map(hardware) | {STATE_FILE: state_file(SET_SIZES[0], wash_s=0)}
    flash = [file_system(files | boot_program(text), emulator.kind)]
    options |= {"flash": flash, "emulator": emulator}
    return logged(chip, seed, readers=ALL_READERS, hardware=hardware, **options)


def _wait_for_start(simulation: ChipSimulation) -> None:
    end_ms = simulation.now_ms + SPOILT_MS
    while simulation.board.displays[0] != "START?":
        assert simulation.now_ms < end_ms, "the board does not ask to be started"
        simulation.run_until(simulation.now_ms + 100)


def _fails(simulation: ChipSimulation, ms: int) -> bool:
    """Let the next call of the module fail; say whether there was one in that time. All is off then."""
    simulation.chip.do("crash")
    armed_ms = simulation.now_ms
    was_on = bool(simulation.world.drive_log and simulation.world.drive_log[-1][1])
    while simulation.resets == 0 and simulation.now_ms < armed_ms + ms:
        simulation.run_until(simulation.now_ms + 1)
    if simulation.resets and was_on:
        off_ms, mask = simulation.world.drive_log[-1]
        assert mask == 0
        assert armed_ms <= off_ms < simulation.now_ms, "off before the reason is kept, and a reset after that"
    return simulation.resets > 0


def _act(module: str, simulation: ChipSimulation, table: Table) -> None:
    try:
        for _ in acts(module, simulation, table):
            table.pump(200)
    except WallwrightError:
        assert simulation.resets == 1, "else the table would have answered"
