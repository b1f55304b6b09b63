"""For a Python whose path begins with this folder: our own modules find no more of the system than Windows has.

Libraries keep all of it, since they know systems by name and would choose what Windows has if they were on it. What
differs there without an absence (files that are open, code pages) this does not show.
"""

import builtins
import os
import select
import socket
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

OURS = ("wallwright", "wallwright_simulator", "wallwright_protocol", "wallwright_firmware", "__main__")
ABSENT = {
    "crypt", "fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty",
}  # fmt: skip
LACKS = {
    "os": {
        "O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "O_SYNC", "chown", "chroot", "eventfd", "eventfd_read",
        "eventfd_write", "EFD_CLOEXEC", "EFD_NONBLOCK", "fchmod", "fchown", "fdatasync", "fork", "forkpty", "getegid",
        "geteuid", "getgid", "getloadavg", "getpgid", "getsid", "getuid", "killpg", "lchown", "memfd_create", "mkfifo",
        "nice", "openpty", "pipe2", "posix_fadvise", "posix_fallocate", "posix_spawn", "pread", "preadv", "pwrite",
        "pwritev", "sched_getaffinity", "sched_yield", "sendfile", "setgid", "setpgid", "setsid", "setuid", "statvfs",
        "sync", "sysconf", "tcgetpgrp", "ttyname", "uname", "wait", "wait3", "wait4",
    },
    "select": {"poll", "epoll", "kqueue", "POLLIN", "POLLOUT", "POLLHUP", "POLLERR"},
    "selectors": {"PollSelector", "EpollSelector", "KqueueSelector", "DevpollSelector"},
    "signal": {
        "SIGALRM", "SIGCHLD", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGUSR1", "SIGUSR2", "alarm", "pthread_kill",
        "pthread_sigmask", "setitimer", "sigwait", "siginterrupt",
    },
    "socket": {"AF_UNIX", "SO_REUSEPORT", "SO_PEERCRED", "recv_fds", "send_fds"},
    "time": {"tzset", "clock_gettime", "clock_settime", "clock_gettime_ns", "CLOCK_BOOTTIME", "CLOCK_MONOTONIC"},
}  # fmt: skip
"""What Python has on Linux and not on Windows, of the modules that ours use or might."""

_import = builtins.__import__


class _Less(ModuleType):
    """A module that lacks some of its names."""

    def __init__(self, whole: ModuleType, changed: Mapping[str, Any]) -> None:
        super().__init__(whole.__name__)
        self.__dict__.update(changed)
        self._whole = whole

    def __getattr__(self, name: str) -> Any:
        if name in LACKS[self.__name__]:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r} on this system")
        return getattr(self._whole, name)


def _select_sockets(
    read: Sequence[Any], write: Sequence[Any], error: Sequence[Any], timeout: float | None = None
) -> tuple[list[Any], list[Any], list[Any]]:
    """As Windows has it: it waits for sockets and for nothing else."""
    for one in (*read, *write, *error):
        handle = one if isinstance(one, int) else one.fileno()
        try:
            socket.socket(fileno=os.dup(handle)).close()
        except OSError as cause:
            raise OSError(10038, "an operation was attempted on something that is not a socket") from cause
    return select.select(read, write, error, timeout)


_CHANGED: dict[str, dict[str, Any]] = {"select": {"select": _select_sockets}}
_SEEN: dict[str, ModuleType] = {}


def _seen_by_ours(module: ModuleType) -> ModuleType:
    name = module.__name__
    if name not in LACKS:
        return module
    if name not in _SEEN:
        _SEEN[name] = _Less(module, _CHANGED.get(name, {}))
    return _SEEN[name]


def _restricted(
    name: str,
    globals: Mapping[str, Any] | None = None,  # noqa: A002 (the name that the interpreter gives)
    locals: Mapping[str, Any] | None = None,  # noqa: A002
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> ModuleType:
    importer = (globals or {}).get("__name__", "")
    if level or importer.partition(".")[0] not in OURS:
        return _import(name, globals, locals, fromlist or (), level)
    if name in ABSENT:
        raise ModuleNotFoundError(f"No module named {name!r} on this system", name=name)
    module = _import(name, globals, locals, fromlist or (), level)
    if fromlist and name in LACKS:
        for wanted in fromlist:
            if wanted in LACKS[name]:
                raise ImportError(f"cannot import name {wanted!r} from {name!r} on this system", name=name)
    return _seen_by_ours(module)


def _import_module(name: str, package: str | None = None) -> ModuleType:
    # The frame that asks, as the hook above has it from its globals.
    importer = sys._getframe(1).f_globals.get("__name__", "")
    if importer.partition(".")[0] in OURS and name in ABSENT:
        raise ModuleNotFoundError(f"No module named {name!r} on this system", name=name)
    return _seen_by_ours(_whole_import_module(name, package))


import importlib  # noqa: E402 (after what it is to be replaced by)

_whole_import_module = importlib.import_module
importlib.import_module = _import_module
builtins.__import__ = _restricted
