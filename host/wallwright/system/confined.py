"""Programs that read what strangers have sent, each in a process of its own with little memory and time.

    told = run_confined("wallwright.event.lists.unpacking", data)      in a program: None when it needs too much
    confine()                                                          first of all in that module
    answer(found)                                                      at its end

The program that asks goes on meanwhile, before this one where both want the processor, and is as large afterwards as
before. Windows knows the time limit alone, and other systems than Linux count all of a process's addresses.
"""

import logging
import os
import subprocess
import sys
from typing import Final

_LOG = logging.getLogger(__name__)
MOST_BYTES: Final = 200 << 20
"""Memory of a process besides the files of its libraries, which all processes share."""
_MOST_ADDRESSES: Final = 1 << 30
_NICENESS: Final = 10
MOST_CPU_SECONDS: Final = 20
MOST_SECONDS: Final = 30


def run_confined(module: str, data: bytes) -> bytes | None:
    """Return what `python -m module` prints for that input; None when it takes too much memory or time, or fails."""
    # Without -P a folder that somebody has sent could have modules in it.
    command = [sys.executable, "-P", "-m", module]
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        _LOG.warning("%s has taken more than %s s and was ended", module, MOST_SECONDS)
        return None
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        _LOG.warning("%s has ended with %s: %.200s", module, done.returncode, last)
        return None
    return done.stdout


def confine() -> None:
    """Let this process have no more than a stranger's file may take."""
    if sys.platform == "win32":
        return
    import resource

    os.nice(_NICENESS)
    memory = (resource.RLIMIT_DATA, MOST_BYTES) if sys.platform == "linux" else (resource.RLIMIT_AS, _MOST_ADDRESSES)
    for kind, most in (memory, (resource.RLIMIT_CPU, MOST_CPU_SECONDS), (resource.RLIMIT_CORE, 0)):
        resource.setrlimit(kind, (most, most))


def answer(found: bytes) -> None:
    """Give the program that asks what was found, which no terminal shows."""
    sys.stdout.buffer.write(found)
