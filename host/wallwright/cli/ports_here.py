"""USB ports of this machine, for somebody who has not said where the table is. No port is opened for it."""

import os
from pathlib import Path

from ..board.loader import find_disks
from ..link.discovery import list_usb_ports


def ports_here() -> tuple[str, ...]:
    """Return a line for each USB serial port, and for each board that is in its loader."""
    ports = (port.shown("" if _may_open(port.name) else "you may not open it") for port in list_usb_ports())
    loaders = (
        f"{disk.folder}: no port, but a board ({disk.chip}) in its loader; `wallwright board flash` puts firmware on it"
        for disk in find_disks()
    )
    return (*ports, *loaders)


def _may_open(name: str) -> bool:
    """Say whether this user has the right to a device; a name that is no file has no owner who could deny it."""
    return not Path(name).exists() or os.access(name, os.R_OK | os.W_OK)
