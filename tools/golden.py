"""Writes the folder of a release under tests/compat/, by which later ones are held to meet it: `-m tools.golden`.

In it are the wheel without images, the board's dictionary, recorded sessions of this release's host with its board and
what each of their frames says, the client in JavaScript, and the uses of a table by this host. All of it is as
committed, and comes out the same each time. A folder that is there is left alone: releases do not change. The
dictionary goes to the host as well.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from wallwright.errors import BoardReset, Refused
from wallwright.journal import Journal
from wallwright.link.frames import decode
from wallwright.link.numbers import NOWHERE, name_of
from wallwright.link.trace import Splitter
from wallwright.link.trace_file import Piece, Recorder, pieces_in
from wallwright.table.table import Table, open_table
from wallwright_protocol import codes, settings
from wallwright_protocol.dictionary import own
from wallwright_protocol.messages import MESSAGES, REQUEST
from wallwright_protocol.names import DRIVES, MEASUREMENTS, RECORDS
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.readers import KINDS
from wallwright_simulator.simulation import Simulation, attach

from .firmware.sources import ROOT

COMPAT = ROOT / "tests" / "compat"
HEADER = ROOT / "docs" / "headers" / "wallwright_wire.mjs"
CLIENT_FILES = (*(ROOT / "tests" / "outsider" / f"{name}.js" for name in ("client", "link", "wire", "hostile")), HEADER)
RELEASED = ROOT / "host" / "wallwright" / "link" / "released"
"""The dictionaries that later wheels bring, so that no board of those releases is asked for its own."""
DICTIONARY = "dictionary.txt"
USES = "uses.py"
SESSIONS = "sessions"
SAID = ".said.jsonl"
"""Suffix of the contents of a recording's frames, one a line; the recording has the same name with `.jsonl`."""
BITS = {"inputs": "input", "drives": "drive", "lamps": "lamp", "readers": "reader"}
"""Fields whose bits have names."""
PLACED = {"inputs": "input", "outputs": "place"}
"""Fields that have a wire for each name."""
NUMBERED = ("setting_kind", "setting_unit", "sorter")
LOOKS = tuple(row[1] for row in MESSAGES if row[2] == REQUEST and row[1].startswith("get_") and not row[4])
BUILD_MS = 120_000
MOVE_MS = 20_000
TOO_MUCH = 65_535


def main() -> int:
    """Write the folder of the release that pyproject.toml names; return 1 when it cannot be done."""
    version: str = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    folder = COMPAT / version.rpartition(".")[0]
    if folder.exists():
        print(
            f"{folder} is there, and a release stays as it is; remove it if this one was not published", file=sys.stderr
        )
        return 1
    changed = _git("status", "--porcelain", "--", ".", f":!{folder.relative_to(ROOT)}")
    if changed:
        print(f"a release is what is committed; commit or remove first:\n{changed}", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as made:
        release = Path(made, "release")
        release.mkdir()
        build_wheel(release, folder.name)
        (release / DICTIONARY).write_bytes(own().text)
        record(release / SESSIONS)
        (release / "client").mkdir()
        for script in CLIENT_FILES:
            shutil.copy(script, release / "client")
        shutil.copy(COMPAT / USES, release)
        shutil.copytree(release, folder)
    RELEASED.mkdir(exist_ok=True)
    shutil.copy(folder / DICTIONARY, RELEASED / f"{folder.name}.txt")
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            print(f"{path.stat().st_size:>9,} {path.relative_to(ROOT)}")
    return 0


def build_wheel(folder: Path, release: str) -> None:
    """Build the wheel of what is committed, away from the images of `make firmware`, which no test of it flashes."""
    with tempfile.TemporaryDirectory() as clean:
        archive = Path(clean, "tree.tar")
        _git("archive", "--output", str(archive), "HEAD")
        tree = Path(clean, "tree")
        shutil.unpack_archive(archive, tree, filter="data")
        # From an earlier writing of this release, which has its own dictionary anyway.
        (tree / RELEASED.relative_to(ROOT) / f"{release}.txt").unlink(missing_ok=True)
        # hatchling's own date, which is always the same.
        environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
        words = ("-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(tree))
        subprocess.run([sys.executable, *words], env=environment, check=True, stdout=subprocess.DEVNULL)


def record(folder: Path) -> None:
    """Record every session, the same bytes each time."""
    folder.mkdir()
    for name, (session, table) in RECORDED.items():
        _record(folder / f"{name}.jsonl", session, table())
        lines = [json.dumps(one) + "\n" for one in said(pieces_in(folder / f"{name}.jsonl"))]
        (folder / f"{name}{SAID}").write_text("".join(lines), encoding="ascii")


def said(pieces: Iterable[Piece]) -> Iterator[dict[str, Any]]:
    """Yield what every frame says, in names and not in numbers, which belong to a release."""
    frames = Splitter()
    for piece in pieces:
        for one in frames.add(*piece):
            record = decode(one.data, one.catalog)
            named = {name: _in_words(name, value) for name, value in record.get("fields", {}).items()}
            yield {"t_ms": one.time_ms, "dir": one.direction, **record} | ({"fields": named} if named else {})


def _in_words(field: str, value: Any) -> Any:
    """Return the value of a field with names for what `decode` leaves as numbers."""
    if field in BITS and not isinstance(value, tuple):
        mask = int.from_bytes(bytes.fromhex(value), "little") if isinstance(value, str) else value
        return [name_of(BITS[field], bit) for bit in range(mask.bit_length()) if mask >> bit & 1]
    if field in PLACED and isinstance(value, tuple):
        return {name_of(PLACED[field], at): wire for at, wire in enumerate(value) if wire != NOWHERE}
    if field in NUMBERED:
        return name_of(field, value) if isinstance(value, int) else [name_of(field, one) for one in value]
    return list(value) if isinstance(value, tuple) else value


def _record(path: Path, session: Callable[[Table, Simulation], None], simulation: Simulation) -> None:
    drawn = Random(path.stem)
    port = attach(f"golden-{path.stem}", simulation)
    with (
        tempfile.TemporaryDirectory() as folder,
        patch("wallwright.link.connection.secrets.randbelow", drawn.randrange),
        Recorder(path, port) as recorder,
        Journal(Path(folder, "golden.journal")) as journal,
        open_table(port, journal=journal, contribution=lambda: drawn.randbytes(16), tap=recorder.add) as table,
    ):
        session(table, simulation)


def play(table: Table, simulation: Simulation) -> None:
    """Play a deal by requests and by keys, with a jam, and lose the power and the program in the next build."""
    players = simulation.players
    table.set_plan((13, 14, 13, 14), dealer=1, mode="held")
    table.start_build()
    table.wait_for("build_done", BUILD_MS)
    table.set_plan((13, 14, 13, 14), dealer=1)
    table.wait_state("ready", MOVE_MS)
    table.request("set_deal", 2, 1, 3, codes.GOULASH, 40)
    players.press_lift(0)
    table.wait_state("lid_open", MOVE_MS)
    players.push_in()
    table.raise_walls()
    table.wait_for("walls_up", MOVE_MS)
    table.request("set_throw", codes.CUT, 3, 1)
    players.press_referee(3)
    table.roll_dice(1)
    players.draw_in()
    players.press_dice(1)
    table.wait_for("build_started", BUILD_MS)
    for happens in (partial(simulation.cut_power, 500), simulation.crash):
        happens()
        with suppress(BoardReset):
            table.pump(MOVE_MS)
        table.reconnect()
        table.pump(2000)
    table.stop()
    table.pump(1000)
    table.clear_fault()
    table.pump(1000)
    table.status()


def care(table: Table, _: Simulation) -> None:
    """Look at everything, change settings, move a drive and measure, as a technician does."""

    def ask(name: str, *values: int | bytes) -> None:
        with suppress(Refused):
            table.request(name, *values)

    for name in LOOKS:
        ask(name)
    for first in (0, 16, 32):
        ask("get_settings", first)
        ask("get_drive_times", first)
    for first in (0, 32):
        ask("get_fault_counts", first)
    for offset in range(0, len(own().packed()), 200):
        ask("get_dictionary", offset)
    ask("set_setting", settings.LIFT_LIMIT, 4000)
    ask("set_setting", settings.LIFT_LIMIT, TOO_MUCH)
    ask("begin_service")
    ask("set_setting", settings.DICE_COUNT, 3)
    ask("try_setting", settings.LID_LIMIT, 3000)
    ask("end_trial")
    ask("get_drive", DRIVES.index("lid_open"))
    ask("jog", DRIVES.index("lid_open"), 300)
    table.wait_for("jog_done", MOVE_MS)
    for number in range(len(RECORDS)):
        ask("get_record", number, 0)
    ask("put_record", 0, 4, 0, bytes(4))
    for measurement in range(len(MEASUREMENTS)):
        ask("measure", measurement)
    ask("end_service")
    ask("clear_counters")
    ask("hurry")
    ask("prescribe_cancel")
    table.pump(1000)


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True, text=True).stdout


RECORDED: dict[str, tuple[Callable[[Table, Simulation], None], Callable[[], Simulation]]] = {
    "deal": (play, lambda: Simulation(11, faults=parse_faults("jam lane 2 at 8.3 s frees 40 %"))),
    "tags": (play, lambda: Simulation(12, readers=KINDS["all"])),
    "care": (care, lambda: Simulation(13)),
}
"""Name -> what happens, and the table at which it does."""

if __name__ == "__main__":
    sys.exit(main())
