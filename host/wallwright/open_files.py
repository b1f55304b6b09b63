"""How many files and connections this process may have open at once."""

import resource

FILES_PER_TABLE = 6
"""Descriptors: five of a USB port, one to wake its thread."""
FILES_BESIDE = 64


def allow_files(tables: int, connections: int = 0) -> int:
    """Let this process have what so many tables and connections need, as far as the system permits it.

    Returns how many connections there is room for beside the tables; `connections` or fewer.
    """
    beside = FILES_PER_TABLE * tables + FILES_BESIDE
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return connections
    wanted = beside + connections
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return max(1, min(connections, soft - beside))
