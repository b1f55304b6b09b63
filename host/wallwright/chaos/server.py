"""A PostgreSQL server of one's own, to be broken: a cluster in a temporary folder, reached through a socket in it.

For rehearsals and tests, on POSIX systems alone; its programs are those of Debian's package, or on the path.
"""

import importlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

from ..errors import BadInput
from ..system.private import FILE, open_private

MISSING = "PostgreSQL is not installed (Debian: apt install postgresql)"
START_LIMIT_S = 110
SETTINGS = {
    "listen_addresses": "''",
    "shared_buffers": "8MB",
    "max_connections": "40",
    "autovacuum": "off",
}


def programs() -> Path:
    """Return the folder of `initdb` and `postgres`: the newest version that Debian's packages have put in place.

    BadInput when there is none.
    """
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("initdb")
    if not found and on_path is None:
        raise BadInput(MISSING)
    return found[-1].parent if found else Path(str(on_path)).resolve().parent


class Server:
    """A cluster that can be stopped and started, and new places in it for journals."""

    def __init__(self, folder: Path, *, is_durable: bool = False) -> None:
        # Without it nothing here is about the server's disk, so it need not wait for that.
        self._settings = SETTINGS | ({} if is_durable else {"fsync": "off", "full_page_writes": "off"})
        self._programs = programs()
        self._data = folder / "data"
        self._folder = folder
        self._numbers = count()
        # The server refuses to run as root, and its own user is made by the package.
        self._user: dict[str, Any] = {}
        posix: Any = os
        if posix.geteuid() == 0:
            user = importlib.import_module("pwd").getpwnam("postgres")
            self._user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            posix.chown(folder, user.pw_uid, user.pw_gid)
        options = ["--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--username=wallwright", "--no-sync"]
        self._run("initdb", "--pgdata", str(self._data), *options)

    def start(self) -> None:
        """Start it and wait until it answers."""
        settings = self._settings | {"unix_socket_directories": f"'{self._folder}'"}
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self._control("start", "--log", str(self._folder / "log"), "--options", options)

    def start_recovering(self) -> None:
        """Start it, to answer nobody until `recover`: as after a power cut, when it reads its log first."""
        signal = self._data / "standby.signal"
        signal.touch(FILE)
        if self._user:
            posix: Any = os
            posix.chown(signal, self._user["user"], self._user["group"])
        self._settings["hot_standby"] = "off"
        try:
            self.start()
        finally:
            del self._settings["hot_standby"]

    def recover(self) -> None:
        """Let it end its recovery; return when it answers."""
        self._control("promote")

    def stop(self) -> None:
        """Stop it as a power cut for its clients: connections end at once."""
        self._control("stop", "--mode", "fast")

    def crash(self) -> None:
        """Stop it without any goodbye; it has to recover when it is started again."""
        self._control("stop", "--mode", "immediate")

    def database(self, options: str = "") -> str:
        """Make a database and return its URL."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} {options}")
        return f"postgresql://wallwright@/{name}?host={self._folder}"

    def schema(self) -> str:
        """Make an empty schema, which takes less time and disk than a database, and return a URL that leads there."""
        name = f"test_{next(self._numbers)}"
        self.execute(f"CREATE SCHEMA {name}")
        return f"postgresql://wallwright@/postgres?host={self._folder}&options=-csearch_path%3D{name}"

    def execute(self, statement: str, database: str = "postgres") -> None:
        """Run a statement on its own."""
        psycopg = importlib.import_module("psycopg")
        with psycopg.connect(f"host={self._folder} user=wallwright dbname={database}", autocommit=True) as connection:
            connection.execute(statement.encode())

    def _control(self, action: str, *arguments: str) -> None:
        self._run("pg_ctl", action, "--pgdata", str(self._data), "--wait", f"--timeout={START_LIMIT_S}", *arguments)

    def _run(self, program: str, *arguments: str) -> None:
        # Output goes to a file: the server would keep a pipe open for as long as it runs.
        log = self._folder / "commands.log"
        with open_private(log, "a", encoding="utf-8") as output:
            done = subprocess.run(
                [str(self._programs / program), *arguments],
                cwd=self._folder,
                stdout=output,
                stderr=subprocess.STDOUT,
                check=False,
                **self._user,
            )
        if done.returncode:
            raise BadInput(f"{program} failed: {log.read_text(encoding='utf-8')}")


@contextmanager
def running_server(*, is_durable: bool = False) -> Iterator[Server]:
    """Start a server, which is gone afterwards; `is_durable`: what it commits is on the disk.

    Raises BadInput when that cannot be done here.
    """
    # A folder of its own: others may be closed to the server's user, or too long a name for a socket.
    with tempfile.TemporaryDirectory(prefix="wallwright-pg-") as name:
        server = Server(Path(name), is_durable=is_durable)
        server.start()
        try:
            yield server
        finally:
            server.stop()
