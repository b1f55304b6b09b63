"""The MicroPythons that the firmware is tested in are what the tests take them for."""

import binascii
import random
import subprocess
import sys
from pathlib import Path

import pytest

from wallwright_simulator.runtimes import NoRuntime, Runtime, find_micropython

LIMIT_S = 100


def run(argv: tuple[str, ...], code: str, stdin: bytes = b"") -> bytes:
    """Run `code` in the VM; return what it wrote to stdout."""
    finished = subprocess.run([*argv, "-c", code], input=stdin, capture_output=True, timeout=LIMIT_S)
    assert finished.returncode == 0, finished.stderr.decode()
    return finished.stdout


def test_it_is_a_micropython_of_the_generation_that_boards_run(micropython_runtime: Runtime) -> None:
    answer = run(
        micropython_runtime.argv, "import sys; print(sys.implementation.name, *sys.implementation.version[:3])"
    )
    assert answer.split() == [b"micropython", *(str(part).encode() for part in micropython_runtime.version)]
    assert micropython_runtime.version >= (1, 24, 0)


def test_word_size_is_the_size_of_a_pointer(micropython_runtime: Runtime) -> None:
    pointer_bytes = int(run(micropython_runtime.argv, "import struct; print(struct.calcsize('P'))"))
    assert micropython_runtime.word_bits == 8 * pointer_bytes


def test_lane_b_is_32_bit_unless_it_is_debians_64_bit_build(micropython_runtime: Runtime) -> None:
    expected = {"A": 64, "B": 64 if any("x86_64" in part for part in micropython_runtime.argv) else 32}
    if micropython_runtime.lane in expected:
        assert micropython_runtime.word_bits == expected[micropython_runtime.lane]


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


def test_own_runtime_comes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Path(sys.executable).parent / "micropython"
    monkeypatch.setenv("MICROPYTHON", str(own))
    found = find_micropython()
    assert (found.lane, found.argv) == ("own", (str(own),))


def test_lane_a_is_taken_when_there_is_no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("MICROPYTHON", raising=False)
    monkeypatch.setenv("WALLWRIGHT_MICROPYTHON_ROOT", str(tmp_path))
    assert find_micropython().lane == "A"


def test_a_missing_runtime_is_refused_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("MICROPYTHON", raising=False)
    monkeypatch.setenv("WALLWRIGHT_MICROPYTHON_ROOT", str(tmp_path))
    with pytest.raises(NoRuntime, match="make micropython-32"):
        find_micropython("B")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(NoRuntime, match=r"lane A was found.*make test"):
        find_micropython("A")
    with pytest.raises(NoRuntime, match=r"make test.*make micropython-32"):
        find_micropython()


@pytest.mark.parametrize("program", ["/bin/echo", "/bin/false", "no/such/program"])
def test_a_program_that_is_no_micropython_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    monkeypatch.setenv("MICROPYTHON", program)
    with pytest.raises(NoRuntime, match=program):
        find_micropython()


def test_an_unknown_lane_is_refused() -> None:
    with pytest.raises(ValueError, match="'C'"):
        find_micropython("C")
