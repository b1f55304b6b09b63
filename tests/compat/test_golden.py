"""Every released host and board meets today's, and what they said to each other then is read today as it was meant.

A folder under tests/compat/ that is named like a release is one, as `tools.golden` has written it: its wheel, which is
installed in an environment of its own, its dictionary, recorded sessions, and its client in JavaScript. The packages
that a wheel needs are those of today's environment. Tables run at PACE times their own time, for both ends are programs
of their own.
"""

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from filelock import FileLock

from tests.compat.test_binding import meaning, names_of
from tests.compat.uses import CHANGED, CHANGED_TO, PLAN
from tests.outsider.stepped import Client, clean, stepped
from tools.golden import COMPAT, DICTIONARY, HEADER, SAID, SESSIONS, USES, record, said
from wallwright.link import dictionaries
from wallwright.link.binding import OWN, Binding, fields_of
from wallwright.link.masking import body_of
from wallwright.link.trace import SENT, Splitter
from wallwright.link.trace_file import pieces_in
from wallwright_protocol.codec import Layout
from wallwright_protocol.dictionary import Dictionary, read_text
from wallwright_protocol.frame import encode
from wallwright_protocol.link import REQUEST as A_REQUEST
from wallwright_protocol.link import REQUEST_HEAD
from wallwright_protocol.messages import FROZEN, REPLY, REQUEST
from wallwright_simulator.simulation import Simulation

RELEASES = sorted(path for path in COMPAT.iterdir() if re.fullmatch(r"\d+\.\d+", path.name))
RECORDINGS = [path for release in RELEASES for path in sorted((release / SESSIONS).glob("*[!d].jsonl"))]
KEPT_CODES = (0, 1, 2, 8)
"""SPEC.md, section 9: ok, unknown_session, unknown_message and version_mismatch."""
PACE = 4
LIMIT_S = 200
PACKAGES = ("wallwright", "wallwright_firmware", "wallwright_protocol", "wallwright_simulator")
WHENCE = f"import {', '.join(PACKAGES)}; print({', '.join(f'{name}.__file__' for name in PACKAGES)}, sep='\\n')"


class Program(NamedTuple):
    """A release that is installed: its Python, where its packages are, its uses of a table, and its dictionary."""

    python: Path
    folder: Path
    uses: Path
    dictionary: Dictionary

    def start(self, folder: Path, *words: str | Path) -> "subprocess.Popen[str]":
        """Run its Python in that folder."""
        kept = os.environ if self is TODAY else CLEAN
        return subprocess.Popen(
            [self.python, *words],
            cwd=folder,
            env={**kept, "PYTHONUNBUFFERED": "1", "XDG_DATA_HOME": str(folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=1,
            text=True,
        )


CLEAN = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
TODAY = Program(Path(sys.executable), COMPAT.parents[1], COMPAT / USES, OWN)


def dictionary_of(release: Path) -> Dictionary:
    return read_text((release / DICTIONARY).read_bytes())


def wheel_of(release: Path) -> Path:
    (wheel,) = release.glob("*.whl")
    return wheel


@pytest.fixture(scope="session", params=RELEASES, ids=lambda release: release.name)
def released(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    """A release in an environment of its own, which all processes of a run share."""
    release: Path = request.param
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"release-{release.name}"
    runs = folder / "bin" / "python"
    with FileLock(f"{folder}.lock"):
        if not (folder / "made").exists():
            venv.create(folder, symlinks=True)
            place = subprocess.run(
                [runs, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                capture_output=True,
                check=True,
            )
            # A folder on the path, whose own .pth files, among them that of the checkout, are not read.
            Path(place.stdout.decode().strip(), "needed.pth").write_text(sysconfig.get_path("purelib") + "\n")
            words = ("install", "--quiet", "--no-compile", "--no-index", "--no-deps", "--disable-pip-version-check")
            subprocess.run([sys.executable, "-m", "pip", "--python", runs, *words, wheel_of(release)], check=True)
            (folder / "made").touch()
    found = subprocess.run([runs, "-c", WHENCE], capture_output=True, text=True, check=True, cwd=base, env=CLEAN)
    assert all(Path(line).is_relative_to(folder) for line in found.stdout.splitlines())
    return Program(runs, folder, release / USES, dictionary_of(release))


def used(host: Program, board: Program, folder: Path) -> dict[str, Any]:
    """Results of a host of one release that used a table of another one as uses.py says."""
    words = ("-m", "wallwright", "simulate", "--tcp", "0", "--pace", str(PACE), "--seed", "5")
    with board.start(folder, *words) as table:
        assert table.stdin is not None
        assert table.stdout is not None
        port = next(line for line in table.stdout if line.startswith("port: ")).split()[1]
        with host.start(folder, host.uses, port, folder) as user:
            assert user.stdin is not None
            assert user.stdout is not None
            for line in user.stdout:
                question = json.loads(line)
                if "result" in question:
                    break
                table.stdin.write(f"{question['key']}\n")
                done = f"{question['key']}: done"
                assert any(line.startswith(done) for line in iter(table.stdout.readline, ""))
                user.stdin.write("\n")
        table.communicate("q\n", timeout=LIMIT_S)
    assert user.returncode == 0, "the host has failed (see its standard error)"
    result: dict[str, Any] = question["result"]
    assert Path(result["from"]).is_relative_to(host.folder)
    assert result["board"]["catalog"] == f"{board.dictionary.catalog:08x}"
    return result


def check(result: dict[str, Any]) -> None:
    """All that is asked of a table was done, and was told as it was done."""
    assert (result["stacks"], result["deal"], result["status"]["deal"]) == (PLAN, 1, 1)
    rolled, told = result["dice"]
    assert rolled == told == result["status"]["dice"]
    assert result["fault"] == ["stopped", "stopped", None]
    assert result["changed"] == {**result["before"], CHANGED: CHANGED_TO} != result["before"]
    assert result["after"] == result["before"]
    assert "state: brought back" in result["restored"]
    counted = result["counters"]
    assert (counted["builds"], counted["deals"], counted["told"]["stopped"]) == (1, 1, 1)
    assert {"build_done", "walls_up", "dice_committed", "dice_rolled", "fault", "fault_cleared"} <= set(
        result["journal"]
    )
    assert f"{len(result['journal'])} entries all as they were written" in result["verified"][0]


def test_there_is_a_release() -> None:
    assert RELEASES
    assert len(RECORDINGS) >= 3 * len(RELEASES)


@pytest.mark.slow
def test_todays_host_operates_a_board_of_a_release(released: Program, tmp_path: Path) -> None:
    result = used(TODAY, released, tmp_path)
    check(result)
    assert result["strange"] == []


@pytest.mark.slow
def test_a_host_of_a_release_operates_todays_board(released: Program, tmp_path: Path) -> None:
    check(used(released, TODAY, tmp_path))


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_a_client_of_a_release_plays_three_deals_at_todays_board(release: Path, seed: int) -> None:
    client = Client(release / "client" / "client.js", release / "client" / HEADER.name)
    result = stepped(Simulation(seed % 1000), clean, clean, 3, 0, seed, client)
    assert result["catalog"] == OWN.catalog
    assert (result["deals"], len(result["rolls"]), result["lost"]) == (3, 3, 0)


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_every_name_of_a_release_is_known_and_every_layout_begins_as_it_was(release: Path) -> None:
    assert Binding(dictionary_of(release)).knows_more() == ()


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_the_frozen_rows_and_codes_are_those_of_a_release(release: Path) -> None:
    then = dictionary_of(release)
    rows = [then.row(name, direction) for name in FROZEN for direction in (REQUEST, REPLY)]
    assert None not in rows
    assert rows == [OWN.row(name, direction) for name in FROZEN for direction in (REQUEST, REPLY)]
    (codes,), (own,) = ([names for heading, _, names in one.lists if heading == "refusals"] for one in (then, OWN))
    assert [codes[number] for number in KEPT_CODES] == [own[number] for number in KEPT_CODES]


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: release.name)
def test_the_host_has_the_dictionary_of_a_release_without_asking(
    release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dictionaries, "_bound", {})
    then = dictionary_of(release)
    found = dictionaries.bound(then.catalog)
    assert found is not None
    assert found.board.text == then.text


def test_sessions_are_recorded_the_same_each_time(tmp_path: Path) -> None:
    once, again = tmp_path / "once", tmp_path / "again"
    record(once)
    record(again)
    files = sorted(path.name for path in once.iterdir())
    assert len(files) > 5
    assert [(once / name).read_bytes() for name in files] == [(again / name).read_bytes() for name in files]


@pytest.fixture(params=RECORDINGS, ids=lambda path: f"{path.parents[1].name}-{path.stem}")
def recording(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recorded session, with its board's dictionary and today's bound."""
    path: Path = request.param
    monkeypatch.setattr(dictionaries, "_bound", {OWN.catalog: Binding()})
    return path


def test_a_recorded_session_says_today_what_it_said_then(recording: Path) -> None:
    then = [json.loads(line) for line in recording.with_name(recording.stem + SAID).read_text().splitlines()]
    catalogs = {one["catalog"] for one in then if one["kind"] == "hello_reply"}
    assert catalogs == {dictionary_of(recording.parents[1]).catalog}
    # As JSON has it, which knows no tuples.
    today = [json.loads(json.dumps(one)) for one in said(pieces_in(recording))]
    for number, (old, new) in enumerate(zip(then, today, strict=True), 1):
        # Fields that came later stand behind.
        known = {name: value for name, value in new.get("fields", {}).items() if name in old.get("fields", {})}
        assert {**new, "fields": known} == {"fields": {}, **old}, f"frame {number}"


def test_a_recorded_session_is_written_today_byte_for_byte(recording: Path) -> None:
    """All frames are framed as they were, and today's host packs each request for that board as it was packed."""
    board = dictionary_of(recording.parents[1])
    binding = Binding(board)
    requests = 0
    for block in blocks_in(recording):
        body = body_of(block.data)
        assert encode(body) == block.data + b"\0"
        if block.direction != SENT or body[0] != A_REQUEST:
            continue
        row = next(one for one in board.rows if one[0] == body[REQUEST_HEAD - 1] and one[2] == REQUEST)
        values = own_values(board, row, body[REQUEST_HEAD:])
        assert binding.request(row[1], values) == (row[0], body[REQUEST_HEAD:])
        requests += 1
    assert requests > 10


def blocks_in(recording: Path) -> list[Any]:
    splitter = Splitter()
    return [block for piece in pieces_in(recording) for block in splitter.add(*piece)]


def own_values(board: Dictionary, row: Any, payload: bytes) -> list[Any]:
    """The values that today's program gives for the same request: its own numbers, and nothing in later fields."""
    sent = Layout(row).unpack_named(payload)
    mine = OWN.row(row[1], REQUEST)
    assert mine is not None
    values: list[Any] = []
    for field in fields_of(mine):
        if field.name not in sent:
            values += [b"" if field.item.endswith("s") else 0] * field.values
            continue
        value = sent[field.name]
        names = names_of(OWN, field.name)
        word = meaning(board, field.name, field.many, value, message=row[1])
        values += value if field.many else [names.index(word) if word in names else value]
    return values
