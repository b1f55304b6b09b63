"""The programs that build an image, under names that are the same for every checkout.

CMake keeps a hash of each command, and makes all that a command had made anew when it reads otherwise; with the path of
a checkout's environment in it, two checkouts that build in turns would each time compile all of MicroPython.
"""

import shlex
import shutil
import sys
import tempfile
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from .sources import cache

CALLED = ("mpy-cross", "python")


def own_cmake() -> Path:
    """Return cmake: a copy, for CMake finds out by itself where it lies. Its folder is whole or not there."""
    target = cache() / f"cmake-{version('cmake')}"
    if not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix="new-") as folder:
            new = Path(folder) / "cmake"
            shutil.copytree(
                Path(str(files("cmake"))) / "data", new, ignore=shutil.ignore_patterns("cpack*", "ctest*", "doc")
            )
            try:
                new.rename(target)
            except OSError:
                if not target.is_dir():  # else somebody was faster
                    raise
    return target / "bin/cmake"


def write_callers(folder: Path) -> None:
    """Write callers of this environment's programs into a folder that one build at a time has."""
    folder.mkdir(parents=True, exist_ok=True)
    here = Path(sys.executable).parent
    for name in CALLED:
        program = sys.executable if name == "python" else str(here / name)
        caller = folder / name
        caller.write_text(f'#!/bin/sh\nexec {shlex.quote(program)} "$@"\n', encoding="utf-8")
        caller.chmod(0o755)
