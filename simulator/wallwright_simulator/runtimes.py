"""Finds a real MicroPython on this machine, to run the board's files in.

Two are known, both Debian's unix port in the version of the boards' images. Lane A is that of 64 bit, which `make test`
unpacks below `.micropython/`, lane B that of 32 bit, as on the chip, from `make micropython-32`. They have their own
loader and libraries, so nothing on the system changes. Memory and integer sizes mean something on lane B only.
$MICROPYTHON names a runtime of one's own.

This module starts nothing but a short probe; what runs inside, and over which pipe, is the caller's.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LANES = ("A", "B")
PROBE = "import sys; print(sys.implementation.name, '.'.join(map(str, sys.implementation[1][:3])), sys.maxsize)"
PROBE_LIMIT_S = 20
FOLDER = Path(__file__).resolve().parents[2] / ".micropython"
# Debian's names of the architecture, the loader and the folder of libraries.
PLACES = {
    "A": ("amd64", "usr/lib64/ld-linux-x86-64.so.2", "usr/lib/x86_64-linux-gnu"),
    "B": ("i386", "usr/lib/ld-linux.so.2", "usr/lib/i386-linux-gnu"),
}
HOW_TO_GET = {
    "A": "run `make micropython-64` (Debian on x86-64 only)",
    "B": "run `make micropython-32` (Debian on x86 only)",
}


class NoRuntime(Exception):
    """No MicroPython was found, or the one that was named does not start. The text says what to run."""


@dataclass(frozen=True)
class Runtime:
    """A MicroPython that has been seen to start."""

    argv: tuple[str, ...]
    lane: str
    """`A`, `B`, or `own` for the one that $MICROPYTHON names."""
    word_bits: int
    """32 on a build like the chip's, 64 on a desktop build."""
    version: tuple[int, int, int]

    def with_heap(self, heap_kib: int = 192) -> tuple[str, ...]:
        """The argv prefix that gives the VM a heap of `heap_kib` KiB instead of the runtime's own, larger one.

        192 KiB is what a Pico has left for Python. A build of 64 bits needs twice the memory for the same objects.
        """
        return (*self.argv, "-X", f"heapsize={heap_kib}k")


def find_micropython(lane: str | None = None) -> Runtime:
    """Return the runtime of `lane` (`A` or `B`), or the first of $MICROPYTHON, lane B and lane A when None.

    Raises NoRuntime when there is none, or when the one found does not start, and ValueError for an unknown lane.
    """
    if lane is not None and lane not in LANES:
        raise ValueError(f"there is no MicroPython lane {lane!r}; the lanes are {' and '.join(LANES)}")
    if lane is None:
        own = os.environ.get("MICROPYTHON")
        if own:
            return _probe([own], "own", "give $MICROPYTHON the path of a MicroPython, or unset it")
    for name in ("B", "A") if lane is None else (lane,):
        if (argv := _argv(name)) is not None:
            return _probe(argv, name, HOW_TO_GET[name])
    wanted = "no MicroPython was found" if lane is None else f"no MicroPython of lane {lane} was found"
    hints = "; or ".join(HOW_TO_GET[name] for name in (LANES if lane is None else (lane,)))
    raise NoRuntime(f"{wanted}: {hints}")


def _argv(lane: str) -> list[str] | None:
    """Return how to start it; None where it is not."""
    architecture, loader, libraries = PLACES[lane]
    root = FOLDER / architecture
    if not ((root / loader).is_file() and (root / "usr/bin/micropython").is_file()):
        return None
    return [str(root / loader), "--library-path", str(root / libraries), str(root / "usr/bin/micropython")]


def _probe(argv: Sequence[str], lane: str, how_to_get: str) -> Runtime:
    """Start it once and read its version and word size, so that a caller never meets a runtime that cannot run."""
    try:
        answer = subprocess.run(
            [*argv, "-c", PROBE],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PROBE_LIMIT_S,
            check=True,
        ).stdout.split()
    except (OSError, subprocess.SubprocessError) as error:
        raise NoRuntime(f"{' '.join(argv)} does not start ({error}): {how_to_get}") from error
    if len(answer) != 3 or answer[0] != "micropython":
        raise NoRuntime(f"{' '.join(argv)} is not a MicroPython (it answered {' '.join(answer)!r}): {how_to_get}")
    major, minor, patch = (int(part) for part in answer[1].split("."))
    # sys.maxsize is the largest small integer's word there: 2**31 - 1 or 2**63 - 1.
    return Runtime(tuple(argv), lane, int(answer[2]).bit_length() + 1, (major, minor, patch))
