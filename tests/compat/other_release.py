"""Firmware of another release, to meet with: our sources with what a release changes, run in a real MicroPython.

A changed copy of protocol and firmware, with the dictionary that its own tables make. The table around it, which has
no wire of its own, is the simulator's as it is.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from wallwright_protocol.dictionary import DICTIONARY_FILE
from wallwright_protocol.messages import FROZEN
from wallwright_simulator.board import SimulatedBoard
from wallwright_simulator.runtimes import Runtime
from wallwright_simulator.simulation import Firmware
from wallwright_simulator.vm import VmApp
from wallwright_simulator.vm.app import source_path

MADE = """
from pathlib import Path
from wallwright_protocol.dictionary import module_of, own
Path({path!r}).write_text(module_of(own()))
"""
PROTOCOL = "wallwright_protocol/"
FIRMWARE = "wallwright_firmware/"


class Release:
    """A copy in `folder`; `change` it, then `firmware` is what a Simulation takes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for source in source_path():
            for package in (PROTOCOL, FIRMWARE):
                if (source / package).is_dir():
                    skip = shutil.ignore_patterns("__pycache__", "*.md", "*.so")
                    shutil.copytree(source / package, folder / package, ignore=skip)

    def change(self, path: str, old: str, new: str, times: int = 1) -> None:
        """Put one text in place of another, which has to be there so often."""
        text = (self.folder / path).read_text()
        assert text.count(old) == times, f"{path} has {text.count(old)} times {old!r}"
        (self.folder / path).write_text(text.replace(old, new))

    def drop(self, path: str, part: str) -> None:
        """Leave out the lines with that text, of which there has to be one."""
        lines = (self.folder / path).read_text().splitlines(keepends=True)
        left = [line for line in lines if part not in line]
        assert len(left) < len(lines), f"{path} has no {part!r}"
        (self.folder / path).write_text("".join(left))

    def renumber(self, by: Callable[[int], int]) -> None:
        """Give every message another id, but for the frozen ones."""
        path = self.folder / PROTOCOL / "messages.py"

        def other(row: re.Match[str]) -> str:
            return row[0] if row[2] in FROZEN else f'(0x{by(int(row[1], 16)):02X}, "{row[2]}"'

        path.write_text(re.sub(r'\(0x([0-9A-F]{2}), "(\w+)"', other, path.read_text()))

    def firmware(self, runtime: Runtime) -> Callable[[SimulatedBoard, bytes, int], Firmware]:
        """Make the dictionary of what the copy has become, and return what runs it."""
        code = MADE.format(path=str(self.folder / DICTIONARY_FILE))
        subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(self.folder)}, check=True)
        return partial(VmApp, runtime=runtime, path=[self.folder])
