"""The systemd unit of a hall: what starts, watches and fences the program that operates it.

The program may write the hall's folder and a folder for its keys, use serial ports and the network, and nothing else.
"""

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MARK = "# Written by `wallwright service install`."
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}")
WATCHDOG_S = 30
START_S = 180
"""Longer than the program waits for a database."""
LOW_PORTS = 1024

_UNIT = {
    "After": "network-online.target postgresql.service time-sync.target",
    "Wants": "network-online.target",
    # A program that cannot start at all is given up after some minutes; one that is killed twice an hour is not.
    "StartLimitIntervalSec": "300",
    "StartLimitBurst": "20",
}
_SERVICE = {
    "Type": "notify",
    "NotifyAccess": "main",
    "WatchdogSec": str(WATCHDOG_S),
    "TimeoutStartSec": str(START_S),
    "TimeoutStopSec": "30",
    "Restart": "always",
    "RestartSec": "2",
    # A wrong option or hall file does not mend itself.
    "RestartPreventExitStatus": "2",
    "UMask": "0077",
}
_FENCE = {
    "NoNewPrivileges": "yes",
    "LockPersonality": "yes",
    "RestrictAddressFamilies": "AF_UNIX AF_INET AF_INET6",
    "RestrictNamespaces": "yes",
    "RestrictRealtime": "yes",
    "RestrictSUIDSGID": "yes",
    "SystemCallArchitectures": "native",
    "SystemCallFilter": "@system-service",
    "SystemCallErrorNumber": "EPERM",
}
"""What every user may ask of systemd."""
_SYSTEM_FENCE = {
    "ProtectSystem": "strict",
    "PrivateTmp": "yes",
    "DevicePolicy": "closed",
    "DeviceAllow": ("char-ttyACM rw", "char-ttyUSB rw", "char-ttyS rw"),
    "ProtectClock": "yes",
    "ProtectControlGroups": "yes",
    "ProtectHostname": "yes",
    "ProtectKernelLogs": "yes",
    "ProtectKernelModules": "yes",
    "ProtectKernelTunables": "yes",
    "ProtectProc": "invisible",
    "RemoveIPC": "yes",
}
"""What the system's own manager can do besides."""
_HOMES = ("/home", "/root", "/run/user")


@dataclass(frozen=True, slots=True)
class Service:
    """A hall as a service: the file of the hall, the command with its options, and who runs it.

    `user` None is a service of the user's own manager. `group` may use serial ports, where the system has such a group;
    `written` are folders beside the hall's that the program writes, such as that of its backups.
    """

    hall: Path
    command: Sequence[str]
    name: str
    user: str | None = None
    group: str | None = None
    port: int | None = None
    written: Sequence[Path] = ()


def unit_text(service: Service) -> str:
    """Return the unit's file."""
    start = [sys.executable, "-m", "wallwright", *service.command]
    own: dict[str, str | Sequence[str]] = {
        "ExecStart": " ".join(map(_quoted, start)),
        "WorkingDirectory": str(service.hall.parent).replace("%", "%%"),
        **_SERVICE,
        **_FENCE,
    }
    if service.user is not None:
        own |= _of_system(service, start[0])
    about = {"Description": f"Wallwright: the tables of {service.hall}".replace("%", "%%")}
    target = "default.target" if service.user is None else "multi-user.target"
    parts: dict[str, Mapping[str, str | Sequence[str]]] = {
        "Unit": {**about, **_UNIT},
        "Service": own,
        "Install": {"WantedBy": target},
    }
    return f"{MARK}\n" + "\n".join(f"[{title}]\n{_lines(values)}" for title, values in parts.items())


def _of_system(service: Service, program: str) -> dict[str, str | Sequence[str]]:
    assert service.user is not None
    is_low = service.port is not None and 0 < service.port < LOW_PORTS
    capability = "CAP_NET_BIND_SERVICE" if is_low else ""
    folders = [service.hall.parent, *service.written]
    homes = any(str(path).startswith(f"{home}/") for path in (*folders, program) for home in _HOMES)
    return {
        "User": service.user,
        **({"SupplementaryGroups": service.group} if service.group else {}),
        # The service's keys and lists of tags; the user's own are in a home that it does not see.
        "StateDirectory": service.name,
        "StateDirectoryMode": "0700",
        "Environment": f"XDG_DATA_HOME=%S/{service.name}",
        "ReadWritePaths": tuple(_quoted(str(path)) for path in folders),
        "ProtectHome": "read-only" if homes else "yes",
        **_SYSTEM_FENCE,
        "CapabilityBoundingSet": capability,
        "AmbientCapabilities": capability,
    }


def _lines(values: Mapping[str, str | Sequence[str]]) -> str:
    lines = []
    for name, value in values.items():
        lines += [f"{name}={one}\n" for one in ([value] if isinstance(value, str) else value)]
    return "".join(lines)


def _quoted(word: str) -> str:
    """Return a word as systemd reads it: nothing in it is a specifier, a variable or an end."""
    plain = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return plain if re.fullmatch(r"[\w@:./=,+-]+", plain) else f'"{plain}"'
