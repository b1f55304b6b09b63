"""The program `wallwright`, run quickly: each run is a fork of a process that has loaded the whole of it.

    .venv-dev/bin/python -m tests.host.programs DOOR        forks for each order that comes through this socket

A run has its own process id, streams, environment, folder, umask and signals, and enters by `wallwright.cli.main`. It
does not show what the program loads, and when: tests of that start an interpreter.
"""

import ctypes
import gc
import importlib
import json
import os
import pkgutil
import resource
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL, PIPE, CompletedProcess, TimeoutExpired
from typing import IO, Any, NamedTuple, Self

LONGEST_ORDER = 200_000
LIMIT_S = 100.0
ROOT = Path(__file__).parents[2]


class Told(NamedTuple):
    """The end of a command: its exit code, and its text on the standard error."""

    code: int
    err: str


class Program:
    """A run that goes on; it is used as a `subprocess.Popen` with texts."""

    def __init__(self, pid: int, door: socket.socket, streams: list[IO[str] | None]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdin, self.stdout, self.stderr = streams
        self._door = door
        self._end = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return the exit code, or None while it goes on."""
        with suppress(TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float = LIMIT_S) -> int:
        """Wait for its end, `timeout` seconds at most, and return the exit code: of a signal the number, negative."""
        if self.returncode is None:
            poll = select.poll()
            poll.register(self._end, select.POLLIN)
            if not poll.poll(timeout * 1000):
                raise TimeoutExpired("wallwright", timeout)
            os.close(self._end)
            self._door.send(json.dumps({"ended": self.pid}).encode())
            self.returncode = int(self._door.recv(LONGEST_ORDER))
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it has not ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float = LIMIT_S) -> tuple[str, str]:
        """Read what it still says, until its end, which has to come in `timeout` seconds."""
        said = ["", ""]

        def read(number: int, stream: IO[str] | None) -> None:
            if stream is not None and not stream.closed:
                with stream:
                    said[number] = stream.read()

        if self.stdin is not None:
            with suppress(BrokenPipeError):
                self.stdin.close()
        readers = [threading.Thread(target=read, args=one) for one in enumerate((self.stdout, self.stderr))]
        for reader in readers:
            reader.start()
        self.wait(timeout)
        for reader in readers:
            reader.join()
        return said[0], said[1]


class Runner:
    """A process that runs commands, from the first one on until the end of the `with`."""

    def __init__(self) -> None:
        self._door: socket.socket | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._door is not None:
            self._door.close()
            self._process.wait()
            self._door = None

    def start(
        self,
        *argv: str | os.PathLike[str],
        stdin: int = DEVNULL,
        stdout: int = PIPE,
        stderr: int = PIPE,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        limit: int | None = None,
        is_bound: bool = False,
    ) -> Program:
        """Start a command. Its streams are PIPE, DEVNULL or a file's number; the rest is as for `run`."""
        theirs: list[int] = []
        ours: list[IO[str] | None] = []
        for stream, mode in ((stdin, os.O_RDONLY), (stdout, os.O_WRONLY), (stderr, os.O_WRONLY)):
            own = None
            if stream == PIPE:
                ends = os.pipe()
                theirs.append(ends[mode == os.O_WRONLY])
                own = os.fdopen(ends[mode == os.O_RDONLY], "w" if mode == os.O_RDONLY else "r", encoding="utf-8")
            else:
                theirs.append(os.open(os.devnull, mode) if stream == DEVNULL else os.dup(stream))
            ours.append(own)
        umask = os.umask(0)
        os.umask(umask)
        order = {
            "argv": [os.fspath(word) for word in argv],
            "cwd": os.fspath(cwd or Path.cwd()),
            "env": dict(os.environ if env is None else env),
            "umask": umask,
            "limit": limit,
            "is_bound": is_bound,
        }
        door = self._opened()
        socket.send_fds(door, [json.dumps(order).encode()], theirs)
        for one in theirs:
            os.close(one)
        return Program(int(door.recv(LONGEST_ORDER)), door, ours)

    def finish(self, *argv: str | os.PathLike[str], **options: Any) -> CompletedProcess[str]:
        """Run a command to its end."""
        done = self.start(*argv, **options)
        out, err = done.communicate()
        return CompletedProcess(argv, done.wait(), out, err)

    def run(self, *argv: str, stdout: str = os.devnull, limit: int | None = None, is_bound: bool = False) -> Told:
        """Run a command; `limit` is how many bytes a file may have, and `is_bound` says that modes of files bind
        it, as they don't bind the superuser.
        """
        out = os.open(stdout, os.O_WRONLY)
        with tempfile.TemporaryFile() as said:
            program = self.start(*argv, stdout=out, stderr=said.fileno(), limit=limit, is_bound=is_bound)
            code = program.wait()
            os.close(out)
            said.seek(0)
            return Told(code, said.read().decode())

    def _opened(self) -> socket.socket:
        if self._door is None:
            self._door, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                line = [sys.executable, "-m", "tests.host.programs", str(theirs.fileno())]
                self._process = subprocess.Popen(line, cwd=ROOT, pass_fds=[theirs.fileno()])
        return self._door


RUNNER = Runner()
"""That of all tests of this process."""


def start_interpreter(*argv: str) -> "subprocess.Popen[str]":
    """Start a command in an interpreter of its own, as one needs that starts further processes of Python."""
    command = [sys.executable, "-c", "from wallwright.cli import main; main()", *argv]
    return subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True)


def _main(door: socket.socket) -> None:
    import wallwright
    from wallwright import cli

    # Loaded once, for all.
    for module in pkgutil.walk_packages(wallwright.__path__, "wallwright."):
        if not module.name.endswith("__main__") and ".migrations" not in module.name:
            importlib.import_module(module.name)
    gc.freeze()
    while True:
        told, streams, _, _ = socket.recv_fds(door, LONGEST_ORDER, 3)
        if not told:
            os._exit(0)
        order: dict[str, Any] = json.loads(told)
        if "ended" in order:
            answer = os.waitstatus_to_exitcode(os.waitpid(order["ended"], 0)[1])
        else:
            answer = os.fork()
            if answer == 0:
                code = 70
                try:
                    door.close()
                    code = _run(cli.main, order, streams)
                finally:
                    os._exit(code)
            for one in streams:
                os.close(one)
        door.send(str(answer).encode())


def _run(main: Any, order: dict[str, Any], streams: list[int]) -> int:
    for number, one in enumerate(streams):
        os.dup2(one, number)
        os.close(one)
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False, errors="backslashreplace")
    os.environ.clear()
    os.environ.update(order["env"])
    os.chdir(order["cwd"])
    os.umask(order["umask"])
    sys.argv = ["wallwright", *order["argv"]]
    if order["limit"] is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (order["limit"], order["limit"]))
    if order["is_bound"] and os.geteuid() == 0:
        _give_up_privileges()
    code = 0
    # At its end an interpreter waits for threads like this.
    for step in (main, lambda: sys.stdout.flush(), threading._shutdown):  # type: ignore[attr-defined]
        try:
            step()
        except SystemExit as ended:
            code = ended.code or code  # type: ignore[assignment]
        except Exception:  # noqa: BLE001 (it is what is looked for)
            traceback.print_exc()
            code = 1
    sys.stderr.flush()
    return code


def _give_up_privileges() -> None:
    """Have nothing but its user's own permissions (capset(2)); it stays the user that may read the interpreter."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capset((ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()):
        raise OSError(ctypes.get_errno(), "capset")


if __name__ == "__main__":
    _main(socket.socket(fileno=int(sys.argv[1])))
