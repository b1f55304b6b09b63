"""`wallwright trace`: live, recorded, shown, and replayed to the firmware; and files that are no recordings."""

import json
import re
import shlex
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest
import typer

from wallwright import cli
from wallwright.cli import program
from wallwright.duplicate import sealed
from wallwright.errors import BadInput, LinkError, Refused
from wallwright.link import trace_file
from wallwright.link.trace import RECEIVED, SENT, Splitter
from wallwright.link.trace_file import HOST_CLOCK, Piece, Recorder, Recording, read_recording
from wallwright.link.trace_replay import replay
from wallwright.table.table import open_table
from wallwright_protocol import link
from wallwright_protocol.codec import NUMBER_OF
from wallwright_protocol.frame import Decoder, encode
from wallwright_simulator.simulation import Simulation, attach

LINE = re.compile(r" *\d+ (->|<-) \S.*")
NAMES = count()


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process; a path may be given as it is."""

    def run(line: str, *paths: Path) -> Result:
        monkeypatch.setattr("sys.argv", ["wallwright", *shlex.split(line), *map(str, paths)])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return Result(int(caught.value.code or 0), printed.out, printed.err)

    return run


def record_deal(path: Path, port: str) -> None:
    """A host plans, builds and asks for what it gets and for what is refused."""
    with Recorder(path, port) as recorder, open_table(port, tap=recorder.add) as table:
        table.set_plan((13, 14, 13, 14), 1)
        table.start_build()
        with pytest.raises(Refused):
            table.raise_walls()
        table.wait_for("build_done", 60_000)
        table.roll_dice(2)
        table.open_lid()
        table.pump(3000)
        table.stop()
        table.pump(500)


@pytest.mark.parametrize("command", ["trace", "trace show", "trace replay"])
def test_help_has_an_example(run: Run, command: str) -> None:
    result = run(f"{command} --help")
    assert result.code == 0
    assert f"wallwright {command} " in result.out.partition("Example")[2]


def test_a_live_trace_shows_every_frame_with_time_and_direction(run: Run) -> None:
    result = run("trace --port sim://?seed=3 --seconds 5")
    lines = result.out.splitlines()
    assert (result.code, result.err) == (0, "")
    assert all(LINE.fullmatch(line) for line in lines)
    assert " -> hello version=" in lines[0]
    assert " <- hello ok " in lines[1]
    assert any("get_info unit=SIM-3" in line for line in lines)
    # Those of the table's own accord, one a second from 1 to 5 s.
    assert sum(f"{second}001 <- boot=" in line for line in lines for second in range(1, 5)) == 4
    times = [int(line.split()[0]) for line in lines]
    assert times == sorted(times)
    assert 4900 < times[-1] < 5100


def test_what_is_recorded_is_what_was_shown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.trace"
    live = run("trace --port sim://?seed=3 --seconds 3 --record", path)
    shown = run("trace show", path)
    assert shown == live
    as_json = run("trace show --json", path)
    assert len(as_json.records) == len(live.out.splitlines())
    first, second = as_json.records[:2]
    assert (first["t_ms"], first["dir"], first["kind"]) == (0, "->", "hello")
    assert (second["dir"], second["kind"], second["code"]) == ("<-", "hello_reply", "ok")
    (info,) = [r for r in as_json.records if r["kind"] == "reply" and r["message"] == "get_info"]
    assert info["fields"] == {"unit": "SIM-3", "firmware": [0, 1, 0], "tiles": 108, "sets": 2}


def test_a_listener_takes_no_event_off_the_table(run: Run) -> None:
    simulation = Simulation(3)
    port = attach(f"listened-to-{next(NAMES)}", simulation)
    run(f"trace --port {port} --seconds 3")
    again = run(f"trace --port {port} --seconds 1 --json").records
    hello = next(record for record in again if record["kind"] == "hello_reply")
    assert hello["stored_event"] == 0
    assert [r["seq"] for r in again if r["kind"] == "event"] == list(range(1, hello["newest_event"] + 1))


def test_a_reset_is_said_and_the_trace_goes_on(run: Run) -> None:
    result = run("trace --port sim://?faults=cut+power+at+5+s+for+1+s --seconds 20 --json")
    assert result.code == 0
    assert re.fullmatch(r"note: the board was reset [^\n]+\n", result.err)
    boots = [record["boot_id"] for record in result.records if record["kind"] == "hello_reply"]
    assert len(boots) == len(set(boots)) == 2
    assert result.records[-1]["t_ms"] > 19_000


def test_a_recording_of_a_simulated_table_is_repeated_to_the_byte(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deal.trace"
    record_deal(path, "sim://?seed=8&wash_s=0&faults=tile+5+weak+magnet")
    result = run("trace replay", path)
    assert (result.code, result.err) == (0, "")
    frames = [r for r in run("trace show --json", path).records if r["dir"] == "<-"]
    assert f"The same: {len(frames)} frames from the board" in result.out
    (record,) = run("trace replay --json", path).records
    assert (record["same"], record["compared"]) == (True, len(frames))


def changed(recording: Recording, direction: str, kind: int, change: Callable[[bytes], bytes]) -> Recording:
    """The recording with the first frame of this kind changed."""
    pieces = list(recording.pieces)
    for at, piece in enumerate(pieces):
        frames = [frame + b"\0" for frame in piece.data.split(b"\0")[:-1]]
        for number, frame in enumerate(frames):
            (body,) = Decoder().feed(frame)
            if piece.direction == direction and body[0] == kind:
                frames[number] = encode(change(body))
                pieces[at] = piece._replace(data=b"".join(frames))
                return recording._replace(pieces=tuple(pieces))
    raise AssertionError("no such frame")


def test_the_first_frame_that_differs_is_told(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deal.trace"
    record_deal(path, "sim://?seed=8&wash_s=0")
    recording = read_recording(path)

    def spoil(body: bytes) -> bytes:
        return body[:-1] + bytes([body[-1] ^ 1])

    spoilt = changed(recording, RECEIVED, link.EVENT, spoil)
    first_event = [block.data[1] for block in received(recording)].index(link.EVENT) + 1
    difference = replay(spoilt).difference
    assert difference is not None
    assert difference.number == first_event
    assert difference.recorded is not None
    assert difference.replayed is not None
    assert difference.recorded.data != difference.replayed.data
    other = tmp_path / "spoilt.trace"
    with Recorder(other, recording.port) as recorder:
        for piece in spoilt.pieces:
            recorder.add(*piece)
    result = run("trace replay", other)
    assert result.code == 1
    headline, then, now = result.out.splitlines()
    assert headline == f"Frame {first_event} from the board differs."
    assert then.startswith("recorded ")
    assert "<- event 1 " in then
    assert now.startswith("replayed ")
    (record,) = run("trace replay --json", other).records
    assert record["same"] is False
    assert record["recorded"]["fields"] != record["replayed"]["fields"]


def received(recording: Recording) -> list[Any]:
    splitter = Splitter()
    return [block for piece in recording.pieces if piece.direction == RECEIVED for block in splitter.add(*piece)]


def test_another_command_of_the_host_shows_in_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "deal.trace"
    record_deal(path, "sim://?seed=8&wash_s=0")
    stop = bytes([NUMBER_OF["stop"]])

    def other_request(body: bytes) -> bytes:
        return body[:7] + stop if body[7] == NUMBER_OF["get_status"] else body

    recording = read_recording(path)
    pieces = [
        piece._replace(data=b"".join(encode(other_request(body)) for body in Decoder().feed(piece.data)))
        if piece.direction == SENT
        else piece
        for piece in recording.pieces
    ]
    difference = replay(recording._replace(pieces=tuple(pieces))).difference
    assert difference is not None


def test_a_frame_that_does_not_come_and_one_too_many_are_differences(tmp_path: Path) -> None:
    path = tmp_path / "deal.trace"
    record_deal(path, "sim://?seed=8&wash_s=0")
    recording = read_recording(path)
    halves = [at for at, piece in enumerate(recording.pieces) if piece.direction == RECEIVED]
    without = recording.pieces[: halves[-3]] + recording.pieces[halves[-3] + 1 :]
    assert replay(recording._replace(pieces=without)).difference is not None
    *rest, last = recording.pieces
    status = recording.pieces[halves[-1]].data
    longer = (*rest, last, Piece(last.time_ms + 1, RECEIVED, status))
    difference = replay(recording._replace(pieces=longer)).difference
    assert difference is not None
    assert difference.replayed is None


def test_of_a_real_port_what_is_accepted_and_refused_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "real.trace"
    port = attach(f"real-{next(NAMES)}", Simulation(9, 136))
    with Recorder(path, port) as recorder, open_table(port, tap=recorder.add) as table:
        table.set_plan((17, 17, 17, 17), 0)
        table.start_build()
        with pytest.raises(Refused):
            table.raise_walls()
        table.pump(5000)
    recording = read_recording(path)._replace(clock=HOST_CLOCK, port="/dev/ttyACM0")
    result = replay(recording)
    assert result.difference is None
    assert "tiles=136" in result.port
    # One HELLO and five requests had an answer.
    assert result.compared == 6
    refused = changed(recording, RECEIVED, link.REPLY, lambda body: body[: link.REPLY_HEAD - 1] + b"\x05")
    difference = replay(refused).difference
    assert difference is not None
    assert difference.number == 2


def test_a_recording_is_read_as_it_was_written_and_a_torn_last_line_left_out(tmp_path: Path) -> None:
    path = tmp_path / "some.trace"
    pieces = (Piece(0, SENT, bytes(range(0xDF, -1, -1))), Piece(7, RECEIVED, b""), Piece(7, RECEIVED, b"\xff\0\0"))
    with Recorder(path, "/dev/ttyACM0") as recorder:
        for piece in pieces:
            recorder.add(*piece)
    assert read_recording(path) == Recording("/dev/ttyACM0", HOST_CLOCK, pieces)
    whole = path.read_bytes()
    for cut_at in range(1, len(whole.splitlines()[-1]) + 1):
        path.write_bytes(whole[:-cut_at])
        assert read_recording(path).pieces == pieces[:-1]


def test_a_recording_is_shown_as_it_is_read_and_is_kept_whole_up_to_a_limit(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "long.trace"
    with Recorder(path, "/dev/ttyACM0") as recorder:
        for time_ms in range(5):
            recorder.add(time_ms, RECEIVED, b"\1\1\0" * 2)
    with path.open("a") as file:
        file.write("this is no line of a recording\n")
    shown = run("trace show", path)
    assert (shown.code, len(shown.out.splitlines())) == (2, 10)
    assert "line 7: it is not JSON" in shown.err
    for limit in ("MOST_PIECES", "MOST_FRAMES"):
        with monkeypatch.context() as lower:
            lower.setattr(trace_file, limit, 4)
            replayed = run("trace replay", path)
        assert (replayed.code, replayed.out) == (2, "")
        assert "give a shorter recording" in replayed.err


HEAD = '{"wallwright_trace": 1, "port": "x", "clock": "host"}\n'


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: it is not JSON"),
        ("[]\n", "line 1: it is not JSON"),
        ("{}\n", "no recording"),
        ('{"wallwright_trace": 2}\n', "older or newer"),
        ('{"wallwright_trace": 1}\n', "line 1: it lacks the port"),
        ('{"wallwright_trace": 1, "port": "x", "clock": "sun"}\n', "line 1: it lacks the port"),
        (HEAD + "x\n", "line 2: it is not JSON"),
        (HEAD + "[" * 100_000 + "\n", "line 2: it is not JSON"),
        (HEAD + "{}\n", "line 2: a line has t_ms"),
        (HEAD + '{"t_ms": true, "dir": "->", "hex": ""}\n', "line 2: a line has t_ms"),
        (HEAD + '{"t_ms": 1, "dir": "to", "hex": ""}\n', "line 2: a line has t_ms"),
        (HEAD + '{"t_ms": -1, "dir": "->", "hex": ""}\n', "line 2: its time"),
        (HEAD + f'{{"t_ms": {2**62}, "dir": "->", "hex": ""}}\n', "line 2: its time is more than"),
        (HEAD + '{"t_ms": 1, "dir": "->", "hex": "0g"}\n', "line 2: its hex"),
        (HEAD + '{"t_ms": 2, "dir": "->", "hex": ""}\n{"t_ms": 1, "dir": "->", "hex": ""}\n', "line 3: its time"),
    ],
)
def test_a_file_that_is_no_recording_is_refused_by_its_line(run: Run, tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "wrong.trace"
    path.write_text(text)
    with pytest.raises(BadInput, match=problem):
        read_recording(path)
    for command in ("show", "replay"):
        result = run(f"trace {command}", path)
        assert (result.code, result.out) == (2, "")
        assert re.fullmatch(r"error: [^\n]+\n", result.err)


MORE = {
    "dice": "--seat 0",
    "deals release": "drawn.deals --deal 1 --password-file password",
    "doctor jog": "--drive conveyor_0 --ms 1",
    "doctor service-file": "file.zip",
    "doctor wire": "--map map.json",
    "doctor calibrate": "report.json --yes",
    "entropy capture": "--out samples.bin",
}
"""What a command needs besides the port."""


def test_every_command_of_a_table_prints_the_trace_of_what_has_failed_when_wanted(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(port: str) -> NoReturn:
        error = LinkError(f"{port} is lost")
        error.trace = "the last frames"
        raise error

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("wallwright.table.table.open_table", lost)
    monkeypatch.setattr(sealed, "unseal", lambda file, password: ())
    (tmp_path / "password").write_text("of the deals")
    commands = [("", typer.main.get_command(program.app))]
    for path, command in commands:
        commands += [(f"{path} {name}".strip(), one) for name, one in getattr(command, "commands", {}).items()]
    traced = {path for path, command in commands if any("--trace" in one.opts for one in command.params)}
    assert traced > MORE.keys()
    for path in traced:
        line = f"{path} {MORE.get(path, '')} --port sim://"
        assert run(line) == (3, "", "error: sim:// is lost\n"), path
        assert run(f"{line} --trace").err == "the last frames\nerror: sim:// is lost\n", path


def test_wrong_use_is_one_line(run: Run, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("precious")
    for line, paths in [
        ("trace --json", ()),
        ("trace show", ()),
        ("trace show", (tmp_path / "missing",)),
        ("trace show", (tmp_path,)),
        ("trace --port sim:// show", (there,)),
        ("trace --port sim:// --seconds -1", ()),
        ("trace --port sim:// --record", (there,)),
        ("trace --port sim:// --record", (tmp_path / "no" / "folder",)),
    ]:
        result = run(line, *paths)
        assert (result.code, result.out) == (2, ""), line
        assert re.fullmatch(r"error: [^\n]+\n", result.err), line
    assert there.read_text() == "precious"


def test_a_port_that_cannot_be_opened_leaves_no_file(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "new.trace"
    assert run("trace --port /dev/there-is-no-such-port --record", path).code == 3
    assert not path.exists()
    assert run("trace --port sim:// --seconds 1 --record", path).code == 0
    assert path.exists()


def test_a_recording_of_a_table_that_is_not_there_any_more_cannot_be_replayed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "gone.trace"
    with Recorder(path, "sim://?name=long-gone") as recorder:
        recorder.add(0, SENT, b"x")
    result = run("trace replay", path)
    assert result.code == 3
    assert "long-gone" in result.err
