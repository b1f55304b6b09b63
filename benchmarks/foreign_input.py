"""Memory and time that files of strangers cost their readers, and how long other pages wait meanwhile.

    .venv-dev/bin/python -m benchmarks.foreign_input

Commands read bombs from files and from standard input, each as a process of its own. A season's server is sent extracts
by an admitted hall, four at a time, while another client asks for its first page over and over; what judges them is a
process of its own, whose memory is told behind the server's. A server of somebody else's answers a command without end.
"""

import hashlib
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import BinaryIO, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from rich.console import Console
from rich.table import Table as Grid

from wallwright.errors import WallwrightError
from wallwright.journal import printed_key, public_bytes, read_key
from wallwright.journal.entry import Head, row_text
from wallwright.journal.season_address import SeasonAddress
from wallwright.season.desk import admit_hall, create, open_season
from wallwright.season.extract_file import LONGEST
from wallwright.season.format_file import load_format
from wallwright.season.report import sender

TARGET_MB = 300
TARGET_PAGE_S = 0.3
MOST_S = 120
"""A command that takes longer is ended, and told so."""
MB = 1 << 20
GB = 1 << 30
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PROGRAM = (sys.executable, "-m", "wallwright")
STARTER = """
import os, sys
_, status, used = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
os.write(int(sys.argv[1]), f"{os.waitstatus_to_exitcode(status)} {used.ru_maxrss}".encode())
"""
"""A small process starts each command: the memory of who starts it is in that which the system tells of it."""
ASKER = """
import select, sys, time
from urllib.request import urlopen
slowest = 0.0
while not select.select([sys.stdin], [], [], 0.02)[0]:
    began = time.perf_counter()
    with urlopen(f"{sys.argv[1]}/index.html") as answer:
        answer.read()
    slowest = max(slowest, time.perf_counter() - began)
print(slowest)
"""
LISTS = b"[" + b"[]," * (5 * MB) + b"0]"
LETTERS = '{"extract":"🐼'.encode() + b"a" * (15 * MB) + b'"}'
STRINGS = b"[" + '"🐼",'.encode() * 1_900_000 + b"0]"
"""As many values of an extract as are read, of the kind that takes the most memory."""

Fill = Callable[[Path], object]


class Input(NamedTuple):
    """The input of a command: as FILE, or on its standard input where FILE is not among its words."""

    command: str
    fill: Fill


def of(data: bytes) -> Fill:
    return lambda path: path.write_bytes(data)


def zeros(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(GB)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def repeated(head: bytes, line: bytes, size: int) -> Fill:
    def fill(path: Path) -> None:
        with path.open("wb") as file:
            file.write(head)
            for _ in range(size // (len(line) * 10_000)):
                file.write(line * 10_000)

    return fill


def backup(members: Callable[[zipfile.ZipFile], None]) -> Fill:
    def fill(path: Path) -> None:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            members(archive)

    return fill


def of_zeros(archive: zipfile.ZipFile) -> None:
    archive.writestr("manifest.json", "{}")
    with archive.open("event.journal", "w", force_zip64=True) as file:
        for _ in range(3900):
            file.write(bytes(MB))


def of_names(archive: zipfile.ZipFile) -> None:
    for number in range(100_000):
        archive.writestr(f"beside/{number}", b"")


def journal(*rows: tuple[str, int], hash_in: bool = True) -> Fill:
    """A journal with rows of so many bytes behind its first entries, each chained as a row of a host's would be."""

    def fill(path: Path) -> None:
        subprocess.run([*PROGRAM, "event", "new", str(path)], check=True, capture_output=True)
        with closing(sqlite3.connect(path)) as connection, connection:
            last = connection.execute("SELECT id, hash FROM entries ORDER BY id DESC LIMIT 1").fetchone()
            head = Head(*last)
            for kind, size in rows:
                body = json.dumps({"text": "a" * size}) if kind == "note" else "[" + "[]," * (size // 3) + "0]"
                row = (head.id + 1, 1, None, None, None, "note", body)
                head = Head(row[0], hashlib.sha256(head.hash + row_text(row)).digest() if hash_in else bytes(32))
                connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, head.hash))

    return fill


COMMANDS = {
    "rules: a line of 24 MB": Input("rules settle", of(b"[" + b"[]," * (8 * MB) + b"0]\n")),
    "rules: a line of 1 MB": Input("rules score", of(json.dumps({"standing": "1" * 1_000_000}).encode() + b"\n")),
    "rules: a line without end": Input("rules settle", endless),
    "a password without end": Input("users password hall.users director", endless),
    "ruleset: a heading of 400 kB": Input("rules deals --ruleset FILE.toml", of(b"[" + b"a." * 200_000 + b"a]")),
    "ruleset: a heading of 250 kB": Input("rules deals --ruleset FILE.toml", of(b"[" + b"a." * 125_000 + b"a]")),
    "format: 250 kB of names": Input(
        "event new x.journal --format FILE.toml", of(b"".join(b"k%d = 1\n" % number for number in range(22_000)))
    ),
    "season add: 15 MB of lists": Input("season add year.season FILE", of(LISTS)),
    "season add: 15 MB of letters": Input("season add year.season FILE", of(LETTERS)),
    "season check: 15 MB of texts": Input("season check FILE", of(STRINGS)),
    "log proof: 15 MB of texts": Input("log proof FILE", of(STRINGS)),
    "players: 4 MB of lines": Input("event players import event.journal FILE", of(b"name\n" + b"a,b\n" * (MB - 10))),
    "players: a workbook of 1 GB": Input(
        "event players import event.journal FILE.xlsx",
        backup(lambda archive: archive.writestr("xl/workbook.xml", bytes(GB // 2))),
    ),
    "backup: 3.9 GB in 3.8 MB": Input("backup restore FILE back", backup(of_zeros)),
    "backup: 100,000 names": Input("backup restore FILE back", backup(of_names)),
    "journal: a row of 900 MB": Input("log show FILE", journal(("note", 900 * MB), hash_in=False)),
    "journal: 20 rows of 15 MB": Input("log show FILE", journal(*[("note", 15 * MB)] * 20)),
    "journal: 15 MB of lists": Input("log show FILE", journal(("lists", 15 * MB))),
    "log verify: a row of 900 MB": Input("log verify FILE", journal(("note", 900 * MB), hash_in=False)),
    "log verify: 1 GB of zeros": Input("log verify FILE", zeros),
    "log verify: /dev/zero": Input("log verify FILE", endless),
    "log import: 16 MB of lists in a line": Input("log import FILE new.journal", of(LISTS)),
    "log import: 400 MB of lines": Input(
        "log import FILE new.journal",
        repeated(b'{"format":"wallwright-journal","version":1}\n', b'{"entry":1,"at_ms":1}\n', 400 * MB),
    ),
    "witness: a line without end": Input("log verify event.journal --witness FILE", endless),
    "trace show: 250 MB of frames": Input(
        "trace show FILE",
        repeated(
            b'{"wallwright_trace":1,"port":"x","clock":"host"}\n',
            b'{"t_ms":1,"dir":"->","hex":"%s"}\n' % (b"01" * 500),
            250 * MB,
        ),
    ),
    "trace replay: 15 MB of frames": Input(
        "trace replay FILE",
        repeated(
            b'{"wallwright_trace":1,"port":"sim://?seed=1","clock":"table"}\n',
            b'{"t_ms":1,"dir":"<-","hex":"%s"}\n' % (b"0100" * 250),
            15 * MB,
        ),
    ),
    "image: 1 GB": Input("board flash --image FILE", zeros),
    "faults: /dev/zero": Input("demo --deals 1 --faults FILE", endless),
    "samples: /dev/zero": Input("entropy assess FILE", endless),
    "a pipe that gives nothing": Input("doctor calibrate FILE --restore --yes --port sim://?seed=1", os.mkfifo),
}
EXTRACTS = {
    "lists, 15 MB": LISTS,
    "objects, 14 MB": b"[" + b'{"":0},' * (2 * MB) + b"0]",
    "letters of four bytes, 15 MB": LETTERS,
    "texts of four bytes, 13 MB": STRINGS,
    "depth, 15 MB": b"[" * (15 * MB),
}


def commands(grid: Grid, folder: Path) -> None:
    for words in ("event new event.journal", "users add hall.users director --role director --link"):
        subprocess.run([*PROGRAM, *words.split()], cwd=folder, check=True, capture_output=True)
    for what, (command, fill) in COMMANDS.items():
        name = next((word for word in command.split() if word.startswith("FILE")), "FILE")
        fill(folder / name)
        if not (folder / name).is_symlink():
            (folder / name).chmod(0o600)
        with Path(os.devnull if name in command else folder / name).open("rb") as given:
            code, peak, seconds = measured(command.split(), folder, given)
        assert code in {0, 1, 2, 3, 5, 6, "ended"}, (what, code)
        grid.add_row(what, peak, f"{seconds:.1f}", "")
        (folder / name).unlink()


def measured(words: list[str], folder: Path, given: BinaryIO) -> tuple[int | str, str, float]:
    """Run a command; return its exit code, its peak of memory in MB, and its seconds."""
    began = time.perf_counter()
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [sys.executable, "-c", STARTER, str(writing), *PROGRAM, *words],
        cwd=folder,
        stdin=given,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=[writing],
        start_new_session=True,
    )
    os.close(writing)
    with os.fdopen(reading) as told:
        try:
            process.wait(MOST_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return "ended", "?", time.perf_counter() - began
        code, peak = told.read().split()
    return int(code), f"{int(peak) / 1024:.0f}", time.perf_counter() - began


def endless_server(grid: Grid, folder: Path) -> None:
    """Have a command ask a server whose answer has 10 GB."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            with suppress(OSError):
                for _ in range(10 * 1024):
                    self.wfile.write(bytes(MB))

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server, Path(os.devnull).open("rb") as nothing:
        threading.Thread(target=server.serve_forever).start()
        url = f"http://127.0.0.1:{server.server_port}/day.json"
        _, peak, seconds = measured(["season", "add", "year.season", url], folder, nothing)
        grid.add_row("season add: a server's answer of 10 GB", peak, f"{seconds:.1f}", "")
        server.shutdown()


def season(grid: Grid, folder: Path) -> None:
    with serving(folder) as (process, url, key):
        address = SeasonAddress.told(url, printed_key(key))
        wait = slowest_page(url, lambda: time.sleep(3))
        grid.add_row("a season's server at rest", f"{peak_mb(process.pid):.0f}", "", f"{wait:.2f}")
        for what, data in EXTRACTS.items():
            assert len(data) <= LONGEST
            children = Children(process.pid)
            began = time.perf_counter()
            slowest = slowest_page(url, lambda data=data: four(address, data))
            took = time.perf_counter() - began
            peak = f"{peak_mb(process.pid):.0f} + {children.end():.0f}"
            grid.add_row(f"four extracts of {what}", peak, f"{took:.1f}", f"{slowest:.2f}")


def four(address: SeasonAddress, data: bytes) -> None:
    """Have a hall send four extracts at once, which differ in their last bytes; all are refused."""

    def send(number: int) -> None:
        try:
            sender.SeasonServer(address, KEY).send(data + b" " * number)
        except WallwrightError:
            return
        raise AssertionError("the extract was taken")

    threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


class Children:
    """Looks for the most memory that a child of a process has (Linux)."""

    def __init__(self, parent: int) -> None:
        self._most, self._is_over = 0.0, threading.Event()
        self._thread = threading.Thread(target=self._watch, args=(parent,))
        self._thread.start()

    def end(self) -> float:
        self._is_over.set()
        self._thread.join()
        return self._most

    def _watch(self, parent: int) -> None:
        while not self._is_over.wait(0.05):
            for task in Path(f"/proc/{parent}/task").iterdir():
                try:
                    found = [peak_mb(int(child)) for child in (task / "children").read_text("ascii").split()]
                except (OSError, StopIteration):
                    continue
                self._most = max(self._most, *found, 0.0)


def slowest_page(url: str, meanwhile: Callable[[], object]) -> float:
    """Have another process ask for the first page while something is done; return its longest wait, in s."""
    asking = subprocess.Popen([sys.executable, "-c", ASKER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    meanwhile()
    told, _ = asking.communicate()
    return float(told)


@contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str, bytes]]:
    with open_season(str(folder / "year.season"), "benchmark", new=True) as desk:
        create(desk, load_format("rating-only"))
        admit_hall(desk, "East", printed_key(public_bytes(KEY)))
    command = [*PROGRAM, "serve", "--season", "year.season", "--port", "0"]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        url, key = process.stdout.readline().partition("DAY ")[2].rstrip("`\n").split()
        yield process, url, read_key(key)
    finally:
        process.terminate()
        process.wait()


def peak_mb(process: int) -> float:
    """Return the most memory that a process has had, in MB (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024


def main() -> None:
    console = Console(width=110)
    load = os.getloadavg()[0]
    grid = Grid(title=f"Targets: {TARGET_MB} MB, {TARGET_PAGE_S} s a page; {os.cpu_count()} cores, load {load:.0f}")
    for column in ("input", "peak, MB", "s", "slowest page meanwhile, s"):
        grid.add_column(column, justify="left" if column == "input" else "right")
    with tempfile.TemporaryDirectory() as place:
        season(grid, Path(place))
        endless_server(grid, Path(place))
        commands(grid, Path(place))
    console.print(grid)


if __name__ == "__main__":
    main()
