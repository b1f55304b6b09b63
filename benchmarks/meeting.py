"""The time that `wallwright status` takes at a board whose dictionary the program does not know, over 115,200 baud.

    .venv-dev/bin/python -m benchmarks.meeting

The whole program is timed, from its start to its end. The board's firmware runs in the 32-bit MicroPython, in real
time; its messages have other ids than ours. The line between them is a relay of this program: every byte takes ten bits
of the line's time, each direction for itself. Beside it the same with the program's own dictionary, which is not asked
for, and both without the line. Needs `make micropython-32`.
"""

import multiprocessing
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table as Grid

from tests.compat.other_release import Release
from wallwright_simulator.runtimes import find_micropython
from wallwright_simulator.serve import LOOPBACK, Server, TcpWire
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.vm import VmApp

BAUD_RATE = 115_200
S_A_BYTE = 10 / BAUD_RATE
PIECE = 16
"""Bytes that the relay passes on together, at the time at which the last of them is there."""
RUNS = 7
TARGET_S = 3.0
LONGEST_S = 60
OTHER_IDS = 0x80


def serve(is_known: bool, ports: Connection) -> None:
    """Be a table in real time until the process is ended."""
    runtime = find_micropython("B")
    with tempfile.TemporaryDirectory() as folder:
        if is_known:
            simulation = Simulation(1, firmware=partial(VmApp, runtime=runtime))
        else:
            release = Release(Path(folder))
            release.renumber(lambda number: number ^ OTHER_IDS)
            simulation = Simulation(1, firmware=release.firmware(runtime))
        wire = TcpWire(0, say=lambda _: None)
        ports.send(wire.name)
        Server(simulation, wire, 1.0, None, lambda _: None).run()


class Line:
    """A serial line to a board's port; `passed` are the bytes of each direction, to the board first."""

    def __init__(self, board: str) -> None:
        self._board = (LOOPBACK, int(board.rpartition(":")[2]))
        self._listener = socket.create_server((LOOPBACK, 0))
        self.name = f"socket://{LOOPBACK}:{self._listener.getsockname()[1]}"
        self.passed = [0, 0]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Take no more hosts."""
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                host, _ = self._listener.accept()
                board = socket.create_connection(self._board)
                for at, (source, drain) in enumerate(((host, board), (board, host))):
                    source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    threading.Thread(target=self._pass_on, args=(at, source, drain), daemon=True).start()

    def _pass_on(self, at: int, source: socket.socket, drain: socket.socket) -> None:
        free_s = 0.0
        # The end of either side is that of the other.
        with suppress(OSError), source, drain:
            while data := source.recv(PIECE):
                free_s = max(free_s, time.monotonic()) + len(data) * S_A_BYTE
                time.sleep(max(0.0, free_s - time.monotonic()))
                drain.sendall(data)
                self.passed[at] += len(data)
            drain.shutdown(socket.SHUT_RDWR)


@contextmanager
def table(is_known: bool) -> Iterator[str]:
    """Have a table; its port."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.Process(target=serve, args=(is_known, there))
    process.start()
    try:
        yield here.recv()
    finally:
        process.kill()
        process.join()


def status_s(port: str) -> float:
    """Ask for the status once, by a new program; how long that took."""
    command = [sys.executable, "-m", "wallwright", "status", "--port", port]
    before = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, timeout=LONGEST_S)
    return time.perf_counter() - before


def main() -> None:
    grid = Grid(title=f"`wallwright status`, {RUNS} programs each, s")
    for column in ("dictionary", "line", "best", "median", "longest", "bytes to the board", "from it"):
        grid.add_column(column, justify="left" if column in ("dictionary", "line") else "right")
    longest = 0.0
    for name, is_known in (("known", True), ("not known", False)):
        with table(is_known) as port:
            times = sorted(status_s(port) for _ in range(RUNS))
            grid.add_row(name, "none", f"{times[0]:.2f}", f"{median(times):.2f}", f"{times[-1]:.2f}", "", "")
            line = Line(port)
            times = sorted(status_s(line.name) for _ in range(RUNS))
            line.close()
            sizes = [f"{passed / RUNS:,.0f}" for passed in line.passed]
            longest = times[-1]
            grid.add_row(name, f"{BAUD_RATE:,}", f"{times[0]:.2f}", f"{median(times):.2f}", f"{longest:.2f}", *sizes)
    console = Console()
    console.print(grid)
    verdict = "met" if longest <= TARGET_S else "[red]missed[/red]"
    console.print(f"not known, {BAUD_RATE:,} baud, the longest, target ≤ {TARGET_S:.0f} s: {verdict}")


if __name__ == "__main__":
    main()
