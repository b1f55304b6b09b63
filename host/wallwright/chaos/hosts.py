"""The host's processes: started and kept running as a service manager would, killed, stopped, starved of disk.

A process that ends by itself is a broken promise, unless it says that its journal cannot be had while that is so.
"""

import importlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..system.disk import write_whole
from .host import OFFSET_BYTES

AGAIN_S = 0.1
"""A process that has ended is started again after so long."""
EARLY = -signal.SIGTERM
"""How a program ends that is asked to before it has begun."""
JOURNAL_CODE = 5
"""The exit code of a program whose journal cannot be had."""
LINES = 30
END_LIMIT_S = 20.0
RIVAL_S = 15.0
"""Of two hosts one may find the journal in use for so long after the second one was started."""
FULL_BYTES = 4096
"""A disk is full when files may not be longer than this: what they have already may be written again, as on any."""
LOOPBACK = "127.0.0.1"


class Host:
    """One process: `wallwright serve` with these words, which answers at `port`."""

    def __init__(
        self, clock: Path, words: Sequence[str], port: int, environment: Mapping[str, str] | None = None
    ) -> None:
        self.port = port
        self.said: deque[str] = deque(maxlen=LINES)
        command = [sys.executable, "-m", "wallwright.chaos.host", str(clock), "serve", *words, "--port", str(port)]
        # Ctrl-C is for the rehearsal alone, which ends this.
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            env=environment,
            start_new_session=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def has_ended(self) -> bool:
        """Whether it runs no more."""
        return self.process.poll() is not None

    def signal(self, number: int) -> None:
        """Send a signal, if it still runs."""
        self.process.send_signal(number)

    def limit_files(self, is_full: bool) -> None:
        """Let no file grow beyond FULL_BYTES, or let all grow again."""
        resource: Any = importlib.import_module("resource")
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        with suppress(ProcessLookupError):
            resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (FULL_BYTES if is_full else hard, hard))

    def kill(self) -> None:
        """End it by SIGKILL."""
        self.process.kill()
        self.close()

    def close(self) -> None:
        """Wait for its end, and take what it has said last."""
        self.process.wait()
        self._reader.join()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with suppress(OSError):
            self.process.stdin.close()
        self.process.stdout.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line.rstrip())


class Hosts:
    """The host that operates the hall, and at times a second one that waits for its place.

    `words(number)` are the options of host 0 and of host 1. `may_fail()` says whether the journal cannot be had just
    now. `problems` are sentences.
    """

    def __init__(self, clock: Path, words: Callable[[int], Sequence[str]], may_fail: Callable[[], bool]) -> None:
        self.problems: list[str] = []
        self.starts = 0
        self._clock = clock
        self._words = words
        self._may_fail = may_fail
        self._ports = (free_port(), free_port())
        self._number = 0
        self._is_full = False
        self._is_asked = False
        self._due_s = 0.0
        self._second_s = float("-inf")
        self._second: Host | None = None
        self.set_clock(0)
        self._host = self._start(0)

    @property
    def address(self) -> tuple[str, int]:
        """Where the console of the present host answers."""
        return LOOPBACK, self._host.port

    def look(self) -> None:
        """Start what has ended again, when its time has come."""
        second = self._second
        if second is not None and second.has_ended:
            self._judge(second, JOURNAL_CODE)
            self._second = None
        if not self._host.has_ended:
            return
        now_s = time.monotonic()
        if self._due_s == 0.0:
            self._due_s = now_s + AGAIN_S
            if self._host.process.returncode != -_signal("SIGKILL"):
                early = EARLY if self._is_asked else 0
                is_excused = self._may_fail() or now_s - self._second_s < RIVAL_S
                self._judge(self._host, JOURNAL_CODE if is_excused else 0, early)
            self._host.close()
            self._take_over()
        elif now_s >= self._due_s:
            self._due_s = 0.0
            self._host = self._start(self._number)

    def kill(self) -> None:
        """Kill the host. A second one that waits takes its place."""
        self._host.kill()
        self._take_over()

    def stop(self) -> None:
        """Let the host do nothing until `go_on`."""
        self._host.signal(_signal("SIGSTOP"))

    def go_on(self) -> None:
        """Let whoever was stopped go on."""
        self._host.signal(_signal("SIGCONT"))

    def restart(self) -> None:
        """Ask the host to end, as a service manager does; it is started again."""
        self._is_asked = True
        self._host.signal(signal.SIGTERM)

    def start_second(self) -> None:
        """Start another host while this one operates the hall: with a file as the journal it has to refuse."""
        if self._second is None:
            self._second_s = time.monotonic()
            self._second = self._start(1 - self._number)

    def fill_disk(self, is_full: bool) -> None:
        """Let the disk be full for the present host and those to come, or let it have room again."""
        self._is_full = is_full
        for host in (self._host, self._second):
            if host is not None and not host.has_ended:
                host.limit_files(is_full)

    def set_clock(self, offset_ms: int) -> None:
        """Let the hosts' clock show so much more than this machine's."""
        data = offset_ms.to_bytes(OFFSET_BYTES, "little", signed=True)
        if self._clock.exists():
            with self._clock.open("r+b") as file:
                file.write(data)
        else:
            write_whole(self._clock, data)

    def end(self) -> None:
        """End in order; a host that does not, or not with 0, is a broken promise."""
        if not self._host.has_ended:
            self.go_on()
            self.restart()
            try:
                self._host.process.wait(END_LIMIT_S)
            except subprocess.TimeoutExpired:
                self.problems.append(f"the host was asked to end, and had not after {END_LIMIT_S:g} s")
            else:
                self._judge(self._host, EARLY)
        self.close()

    def close(self) -> None:
        """End whatever runs at once."""
        for host in (self._host, self._second):
            if host is not None:
                host.kill()

    def _take_over(self) -> None:
        """Let a second host that waits be the one that operates the hall."""
        if self._second is not None and not self._second.has_ended:
            self._host, self._second = self._second, None
            self._number = 1 - self._number
            self._due_s = 0.0

    def _start(self, number: int) -> Host:
        self.starts += 1
        self._is_asked = False
        host = Host(self._clock, self._words(number), self._ports[number])
        if self._is_full:
            host.limit_files(True)
        return host

    def _judge(self, host: Host, *allowed: int) -> None:
        code = host.process.returncode
        if code not in (0, *allowed):
            host.close()
            last = " / ".join(host.said)
            self.problems.append(f"the host ended by itself with {code}: {last}")


def free_port() -> int:
    """Return a TCP port of this machine that nobody has just now."""
    with socket.create_server((LOOPBACK, 0)) as listener:
        return int(listener.getsockname()[1])


def can_break_hosts() -> bool:
    """Whether this system lets a program stop others and limit their files; Linux does."""
    return sys.platform == "linux" and hasattr(os, "fork")


def _signal(name: str) -> int:
    # Types know of no such signal where there is none.
    return int(getattr(signal, name))
