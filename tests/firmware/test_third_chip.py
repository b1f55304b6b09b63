"""The board on any chip knows none; and a module with the names of `boards/chip.py` is all that a third one needs."""

import ast
import os
import struct
import subprocess
from pathlib import Path

import pytest

from tests.test_layout import imports
from wallwright_firmware.boards import pins
from wallwright_firmware.guard import CrashLog
from wallwright_firmware.hal import CRASH_SLOT, Hal
from wallwright_firmware.wiring import record, standard
from wallwright_protocol.codec import NUMBER_OF
from wallwright_protocol.codes import EMERGENCY_STOP
from wallwright_protocol.frame import Decoder
from wallwright_protocol.line import BAUD
from wallwright_protocol.link import EVENT, EVENT_LAYOUT, HELLO_REPLY
from wallwright_simulator.runtimes import Runtime

ROOT = Path(__file__).parents[2]
BOARDS = ROOT / "firmware/wallwright_firmware/boards"
PAGE = ROOT / "docs/recipes.md"
OF_A_CHIP = {"rp2", "uctypes", *(f"wallwright_firmware.boards.{one}" for one in ("pins", "pio", "sampler"))}
FAMILY = "wallwright_firmware.boards.rp2"
REGISTERS_FROM = 1 << 30
"""No address of a register of these chips is below, and no other number of the board's is above."""
ALL_OFF = bytes(pins.SENSE_REGISTERS + pins.OUT_REGISTERS).hex()
HEAP_KIB = 1024
LIMIT_S = 60


def known_of_a_chip(path: str, source: str) -> list[str]:
    """Names, registers and modules of one chip that a module of the board uses."""
    found = [one for one in sorted(imports(path, source)) if one in OF_A_CHIP or one.startswith(FAMILY)]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr.startswith("mem") and node.attr[3:].isdigit():
            found.append(node.attr)
        elif isinstance(node, ast.Constant) and type(node.value) is int and node.value >= REGISTERS_FROM:
            found.append(hex(node.value))
    return found


def reached(name: str) -> dict[str, str]:
    """The board's own modules that `name` imports, it included: their paths and texts."""
    found: dict[str, str] = {}
    waiting = [name]
    while waiting:
        path = f"firmware/{waiting.pop().replace('.', '/')}.py"
        if path not in found and (ROOT / path).is_file():
            found[path] = (ROOT / path).read_text()
            waiting += imports(path, found[path])
    return found


def test_the_board_on_any_chip_knows_none() -> None:
    modules = {path: text for path, text in reached("wallwright_firmware.boards.board").items() if "/boards/" in path}
    assert {Path(path).stem for path in modules} == {"board", "chip", "files", "line_port", "measure", "uart"}
    assert {path: known for path, text in modules.items() if (known := known_of_a_chip(path, text))} == {}


@pytest.mark.parametrize(
    "source", ["import rp2", "from .pins import PIN_MEASURE", "from . import rp2040", "machine.mem32[8]", "0x40058000"]
)
def test_what_only_one_chip_has_is_seen(source: str) -> None:
    assert len(known_of_a_chip("firmware/wallwright_firmware/boards/board.py", source)) == 1


def names(path: Path, of: str) -> set[str]:
    """The names that a class gives a value, a type or a function."""
    (body,) = [one.body for one in ast.parse(path.read_text()).body if isinstance(one, ast.ClassDef) and one.name == of]
    found = set()
    for node in body:
        if isinstance(node, ast.FunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign):
            found.add(ast.unparse(node.target))
        elif isinstance(node, ast.Assign):
            found |= {one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)}
    return found - {"__init__"}


def test_the_made_up_chip_has_the_names_that_are_asked_for_and_no_others_and_the_recipe_tells_them() -> None:
    asked = names(BOARDS / "chip.py", "Chip")
    made_up = Path(__file__).with_name("third_chip.py")
    assert names(made_up, "Chip") == asked
    assert names(made_up, "Sampler") - {"start_ms", "pressed"} == names(BOARDS / "chip.py", "Samples")
    page = PAGE.read_text()
    assert [name for name in sorted(asked) if f"`{name}`" not in page] == []
    host, line = (constants(BOARDS / file) for file in ("board.py", "line_port.py"))
    assert f"{host['HOST_BAUD']:,} baud with {host['HOST_BUFFER']} bytes of buffer" in page
    assert f"{BAUD:,} with {line['BUFFER']}" in page
    assert f"{host['SPI_HZ'] // 1_000_000} MHz, highest bit first" in page


def constants(path: Path) -> dict[str, int]:
    """The whole numbers that a module which no computer can import has by name."""
    return {
        ast.unparse(node.targets[0]): node.value.value
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign)
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, int)
    }


def run_on_third_chip(runtime: Runtime, folder: Path, *lacks: str) -> list[str]:
    """Run main.py on the made-up chip, with its files and a map in `folder`; return what it printed."""
    (folder / "wiring.bin").write_bytes(record(standard()))
    path = os.pathsep.join(str(ROOT / part) for part in ("protocol", "firmware"))
    finished = subprocess.run(
        [*runtime.with_heap(HEAP_KIB), str(ROOT / "tests/firmware/third_chip.py"), *lacks],
        cwd=folder,
        env={"MICROPYPATH": path},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    return finished.stdout.splitlines()


def crash_in(folder: Path) -> bytes:
    """The error that the board has kept for its next start; b"" without one."""

    class Stored(Hal):
        def load(self, slot: int) -> bytes:
            file = folder / "crash.bin"
            return file.read_bytes() if slot == CRASH_SLOT and file.is_file() else b""

    return CrashLog(Stored()).error


def test_the_program_runs_on_a_chip_that_it_does_not_know(micropython_runtime: Runtime, tmp_path: Path) -> None:
    lines = run_on_third_chip(micropython_runtime, tmp_path)
    assert lines[0] == "pin OUT_ENABLE out 1", "before anything else"
    assert {"spi 9 OUT_CLOCK OUT_DATA OUT_BACK", "uart 7 HOST_TX HOST_RX", "uart 8 LINE_TX LINE_RX"} <= set(lines)
    on = lines.index("set OUT_ENABLE 0")
    assert lines[on - 3 : on] == [f"out {ALL_OFF}", "set OUT_LATCH 0", "set OUT_LATCH 1"]
    decoder = Decoder()
    frames = decoder.feed(bytes.fromhex("".join(line[5:] for line in lines if line.startswith("sent "))))
    assert frames[0][0] == HELLO_REPLY
    size = struct.calcsize(EVENT_LAYOUT)
    told = [(frame[size - 1], frame[size]) for frame in frames if frame[0] == EVENT and len(frame) > size]
    assert (NUMBER_OF["fault"], EMERGENCY_STOP) in told
    off = len(lines) - lines[::-1].index("set OUT_ENABLE 0")
    assert lines[-2] == "reset"
    end = lines.index("set OUT_ENABLE 1", off)
    assert lines[end : end + 5] == ["set OUT_ENABLE 1", "pump stopped", *lines[on - 3 : on]]
    assert crash_in(tmp_path) == b"OSError"
    word, kept = lines[-1].split()
    assert word == "kept"
    assert 500 < int(kept) <= 700


@pytest.mark.parametrize("lacked", sorted(names(BOARDS / "chip.py", "Chip")))
def test_a_chip_that_lacks_a_name_switches_nothing_on(
    micropython_runtime: Runtime, tmp_path: Path, lacked: str
) -> None:
    lines = run_on_third_chip(micropython_runtime, tmp_path, lacked)
    assert {line for line in lines if line.startswith("out ")} <= {"out 00000000", f"out {ALL_OFF}"}
    assert [line[-1] for line in lines if "OUT_ENABLE" in line][-1:] in ([], ["1"])
    assert lines[-2] == "reset"
    assert crash_in(tmp_path) == (b"" if lacked == "PINS" else b"AttributeError")
