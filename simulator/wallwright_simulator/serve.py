"""A simulated table in real time, behind a pseudo-terminal or a TCP port of this machine, which any program may open.

Keys are pressed by lines on the standard input; those of one line are pressed at once. What the panels show, which
lamps are lit, and what the people do is printed. The loop sleeps until something is due, the host writes, or somebody
presses a key.

A board gives its host up after ten seconds of its own time, and a host speaks every two of its own: at more than four
times the pace of a real table they lose each other.
"""

import importlib
import os
import select
import socket
import time
from collections.abc import Callable
from typing import Any, Protocol

from wallwright_protocol.hardware import DICE_LAMP, LAMPS_PER_SIDE, LIFT_LAMP, SIDES
from wallwright_protocol.link import NEVER

from .keyboard import HELP, Hands, Keyboard
from .table import Table

READ_SIZE = 4096
LOOPBACK = "127.0.0.1"
LOOK_S = 1.0
"""No wait is longer: Ctrl-C ends none on Windows."""
SLICE_MS = 20
PATIENCE_S = 0.1
"""A table catches up with the clock for this long at the most before its host and its keys are served again."""
REPORT_MS = 2000
"""While stacks are built they are shown this often."""

Say = Callable[[str], None]


class Wire(Protocol):
    """Where the host is, or will be; nothing here blocks."""

    name: str
    """What the host opens."""

    def handles(self) -> list[int]:
        """Return the descriptors whose readiness means that `read` has something to do."""

    def read(self) -> bytes:
        """Return what the host has sent, if anything."""

    def write(self, data: bytes) -> None:
        """Send to the host; what it does not take now is lost, as it is on a board whose host does not read."""

    def close(self) -> None:
        """Close everything."""


def has_pty() -> bool:
    """Say whether this system has pseudo-terminals; Windows has none."""
    return hasattr(os, "openpty")


class PtyWire:
    """A pseudo-terminal. It keeps its own end of the host's side open, so hosts may come and go."""

    def __init__(self) -> None:
        # Types know of none of this where it is not.
        posix: Any = os
        self._master, self._slave = posix.openpty()
        importlib.import_module("tty").setraw(self._slave)
        posix.set_blocking(self._master, False)
        self.name: str = posix.ttyname(self._slave)

    def handles(self) -> list[int]:
        """See Wire.handles."""
        return [self._master]

    def read(self) -> bytes:
        """See Wire.read."""
        try:
            return os.read(self._master, READ_SIZE)
        except BlockingIOError:
            return b""

    def write(self, data: bytes) -> None:
        """See Wire.write."""
        try:
            os.write(self._master, data)
        except BlockingIOError:
            return  # nobody reads

    def close(self) -> None:
        """See Wire.close."""
        os.close(self._slave)
        os.close(self._master)


class TcpWire:
    """A port on the loopback address, for one host at a time; another one is turned away."""

    def __init__(self, port: int, say: Say = print) -> None:
        """Listen on `port`, or on any that is free for 0. OSError when it is taken."""
        self._say = say
        self._host: socket.socket | None = None
        self._listener = socket.create_server((LOOPBACK, port))
        self._listener.setblocking(False)
        self.name = f"socket://{LOOPBACK}:{self._listener.getsockname()[1]}"

    def handles(self) -> list[int]:
        """See Wire.handles."""
        return [self._listener.fileno()] + ([self._host.fileno()] if self._host else [])

    def read(self) -> bytes:
        """See Wire.read."""
        data = b"" if self._host is None else self._receive(self._host)
        self._accept()
        return data

    def write(self, data: bytes) -> None:
        """See Wire.write."""
        if self._host is None:
            return
        try:
            self._host.send(data)
        except BlockingIOError:
            return  # the host does not read
        except OSError:
            self._hang_up()

    def close(self) -> None:
        """See Wire.close."""
        if self._host is not None:
            self._host.close()
        self._listener.close()

    def _receive(self, host: socket.socket) -> bytes:
        try:
            data = host.recv(READ_SIZE)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""  # reset by the host, which is gone as after a close
        if not data:
            self._hang_up()
        return data

    @staticmethod
    def _has_hung_up(host: socket.socket) -> bool:
        """Say whether a host has ended without that having been read: it may be the one that comes back."""
        try:
            return not host.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True

    def _accept(self) -> None:
        try:
            host, _ = self._listener.accept()
        except BlockingIOError:
            return
        if self._host is not None and self._has_hung_up(self._host):
            self._hang_up()
        if self._host is not None:
            host.close()
            self._say("a second host was turned away")
            return
        host.setblocking(False)
        host.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._host = host
        self._say("a host has connected")

    def _hang_up(self) -> None:
        assert self._host is not None
        self._host.close()
        self._host = None
        self._say("the host has gone")


def serve_pty(simulation: Table, pace: float = 1.0, *, keys: int | None = None, say: Say = print) -> None:
    """Serve the table on a new pseudo-terminal until `q` is read from the descriptor `keys`, or Ctrl-C."""
    _serve(simulation, PtyWire(), pace, keys, say)


def serve_tcp(simulation: Table, port: int, pace: float = 1.0, *, keys: int | None = None, say: Say = print) -> None:
    """Likewise on TCP port `port` of the loopback address, 0 for any free one; OSError when it is taken."""
    _serve(simulation, TcpWire(port, say), pace, keys, say)


def _serve(simulation: Table, wire: Wire, pace: float, keys: int | None, say: Say) -> None:
    say(f"port: {wire.name}")
    keyboard = None if keys is None else Keyboard(keys)
    try:
        Server(simulation, wire, pace, keyboard, say).run()
    finally:
        if keyboard is not None:
            keyboard.close()
        wire.close()


class Server:
    """One simulated table, `pace` times as fast as a real one, between a wire and a person at the keyboard."""

    def __init__(self, simulation: Table, wire: Wire, pace: float, keys: Keyboard | None, say: Say) -> None:
        self._simulation = simulation
        self._wire = wire
        self._pace = pace
        self._keys = keys
        self._hands = Hands(simulation, say)
        self._say = say
        self._line = b""
        self._shown: tuple[object, ...] = ()
        self._report_due = 0
        self._start_ms = simulation.now_ms
        self._start_s = time.monotonic()

    def run(self) -> None:
        """Go on until `q`. The end of the keyboard's input is no reason to stop."""
        if self._keys is not None:
            self._say(HELP)
        while not self._hands.have_ended:
            self._catch_up()
            ready = select.select(self._sources(), [], [], self._wait_s())[0]
            # The time at which it came, not the one at which the wait began.
            self._catch_up()
            data = self._wire.read()
            if data:
                self._simulation.write(data)
            if self._keys is not None and self._keys.fileno() in ready:
                self._read_keys(self._keys)

    def press(self, line: str) -> None:
        """Do what a line of the keyboard says."""
        self._hands.do(line)

    def _sources(self) -> list[int]:
        return self._wire.handles() + ([] if self._keys is None else [self._keys.fileno()])

    def _now_ms(self) -> int:
        return self._start_ms + int((time.monotonic() - self._start_s) * 1000 * self._pace)

    def _wait_s(self) -> float:
        due = self._simulation.next_ms()
        if due >= NEVER:
            return LOOK_S
        # Up to the next whole millisecond: a wait cut short would be repeated with nothing to do.
        left_s = (due + 1 - self._start_ms) / 1000 / self._pace - (time.monotonic() - self._start_s)
        return min(LOOK_S, max(0.0, left_s))

    def _catch_up(self) -> None:
        simulation = self._simulation
        until_ms = max(self._now_ms(), simulation.now_ms)
        began_s = time.monotonic()
        simulation.run_until(min(until_ms, simulation.now_ms + SLICE_MS))
        self._report()
        while simulation.now_ms < until_ms:
            if time.monotonic() - began_s > PATIENCE_S:
                # An emulated board is slower than a real one: its time falls behind, and its host is still heard.
                self._start_s += (until_ms - simulation.now_ms) / 1000 / self._pace
                break
            simulation.run_until(min(until_ms, simulation.now_ms + SLICE_MS))
            self._report()
        data = simulation.read()
        if data:
            self._wire.write(data)

    def _read_keys(self, keys: Keyboard) -> None:
        data = keys.read()
        if not data:
            self._keys = None
        *lines, self._line = (self._line + data).split(b"\n")
        for line in lines:
            self.press(line.decode("utf-8", "replace"))

    def _report(self) -> None:
        """Say what the panels show, so soon that the lamps of a fault are in the first step of its pattern."""
        simulation = self._simulation
        world = simulation.world
        panels = tuple(simulation.board.displays)
        stacks = tuple(len(head.carrier) for head in world.heads)
        shown = (panels, stacks)
        if shown == self._shown or (self._shown and panels == self._shown[0] and simulation.now_ms < self._report_due):
            return
        self._shown = shown
        self._report_due = simulation.now_ms + REPORT_MS
        texts = panels[0] if len(set(panels)) == 1 else " | ".join(panels)
        counts = " ".join(str(count) for count in stacks)
        lamps = " ".join(_lit(simulation.board.lamp_mask)) or "none"
        self._say(f"{simulation.now_ms / 1000:9.1f} s  panels: {texts:<8}  stacks: {counts:<11}  lit: {lamps}")


def _lit(mask: int) -> list[str]:
    """Return the keys whose lamps are lit, as they are typed."""
    return [
        f"{key}{side}"
        for key, kind in (("l", LIFT_LAMP), ("d", DICE_LAMP))
        for side in range(SIDES)
        if mask >> side * LAMPS_PER_SIDE + kind & 1
    ]
