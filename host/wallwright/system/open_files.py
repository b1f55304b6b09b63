"""How many files and connections this process may have open at once."""

import importlib
from typing import Any

FILES_PER_TABLE = 6
"""Descriptors: five of a USB port, one to wake its thread."""
FILES_BESIDE = 64


def _limits_of_the_system() -> Any:
    """Return the module that knows them; None on Windows, which counts no open files of a program."""
    try:
        return importlib.import_module("resource")
    except ImportError:
        return None


_SYSTEM = _limits_of_the_system()


def allow_files(tables: int, connections: int = 0) -> int:
    """Let this process have what so many tables and connections need, as far as the system permits it.

    Returns how many connections there is room for beside the tables; `connections` or fewer.
    """
    if _SYSTEM is None:
        return connections
    beside = FILES_PER_TABLE * tables + FILES_BESIDE
    soft, hard = _SYSTEM.getrlimit(_SYSTEM.RLIMIT_NOFILE)
    if soft == _SYSTEM.RLIM_INFINITY:
        return connections
    wanted = beside + connections
    if soft < wanted:
        soft = wanted if hard == _SYSTEM.RLIM_INFINITY else min(wanted, hard)
        _SYSTEM.setrlimit(_SYSTEM.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, int(soft) - beside))
