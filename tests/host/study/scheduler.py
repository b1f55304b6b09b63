"""A scheduler of Dask and two workers, as `wallwright study scheduler` and `worker` start them."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.host.fleet.served import until


@contextlib.contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Give the address, and what kills the first worker."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    with contextlib.ExitStack() as stack:

        def start(*line: str) -> "subprocess.Popen[bytes]":
            command = [sys.executable, "-c", "from wallwright.cli import main; main()", "study", *line]
            process = subprocess.Popen(
                command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, cwd=folder
            )
            stack.callback(process.wait)
            stack.callback(end, process)
            return process

        def end(process: "subprocess.Popen[bytes]") -> None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)

        start("scheduler", "--port", str(port))
        until(lambda: _answers(port))
        first = start("worker", address)
        start("worker", address)
        yield address, lambda: end(first)


def _answers(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
