"""Commands that ask a server, and something else answers: one sentence, whatever it is."""

import http.server
import json
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.host.every_command import HALL_KEY
from tests.host.programs import Runner
from tests.length import LONG
from wallwright.duplicate.deals import OWN
from wallwright.duplicate.drawing import draw_deals
from wallwright.duplicate.sealed import seal

PASSWORD = "correct horse"
SOME = 12
"""Answers of a console in the suite; `make campaign` gives all."""
ODD = (
    b"",
    b"5",
    b"null",
    b"[]",
    b"{}",
    b"[5]",
    b"[" * 200_000,
    b'{"a":' * 100_000,
    b"\xff",
    b"NaN",
    b'{"problem": []}',
)
SORTER = {
    "unit": "SIM-1", "sorter": 1, "build": 1, "tile_set": 0, "director": "", "enrolment": "", "takes": True,
    "boot_id": 1, "deal": None, "commitment": None, "has": None, "withdrawn": [],
}  # fmt: skip
STEPS = {
    "/api/v1/session": {"csrf": "x"},
    "/api/v1/hall": {"tables": [{"name": "A1"}]},
    "/api/v1/tables/A1/sorter": SORTER,
}
"""What a station asks a console for, and what it takes from one."""


@contextmanager
def answering(answers: dict[str, bytes]) -> Iterator[str]:
    """A server that gives these answers by the path that is asked for, and "{}" to all else; yields its address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answers.get(self.path, b"{}"))

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_station_takes_nothing_else_for_a_console(runner: Runner, tmp_path: Path, seed: int) -> None:
    seal(tmp_path / "a.deals", draw_deals("day", "mil-2025", OWN, 1), PASSWORD)
    (tmp_path / "password").write_text(f"{PASSWORD}\n")
    password = str(tmp_path / "password")
    line = f"deals station {tmp_path}/a.deals --user ann --once --password-file {password}".split()
    line += ["--user-password-file", password, "--server"]
    good = {path: json.dumps(answer).encode() for path, answer in STEPS.items()}
    wrong = [(path, odd) for path in STEPS for odd in ODD]
    wrong += [("/api/v1/tables/A1/sorter", json.dumps(SORTER | {key: {}}).encode()) for key in SORTER]
    for path, odd in wrong if LONG else random.Random(seed).sample(wrong, SOME):
        with answering(good | {path: odd}) as address:
            told = runner.run(*line, address)
        # What is in the way at one table stops no other one, and is told with its name.
        code, begin = (4, "A1: ") if path.endswith("/sorter") else (3, "error: ")
        assert (told.code, told.err[: len(begin)]) == (code, begin), (path, odd[:20], told.err[-2000:])
        assert "is no console of this release (" in told.err
        assert told.err[:-1].isprintable(), told.err


def test_a_hall_takes_nothing_else_for_a_season(runner: Runner, tmp_path: Path) -> None:
    (tmp_path / "day.extract").write_text("x")
    assert runner.run("event", "new", str(tmp_path / "day.journal")).code == 0
    for odd in ODD:
        with answering({"/api/v1/season": odd}) as address:
            told = runner.run("season", "report", str(tmp_path / "day.journal"), address, HALL_KEY)
        assert told.code == 3, (odd[:20], told)
        assert told.err == f"error: {address}: no season answers there (status 200); check the URL\n"
