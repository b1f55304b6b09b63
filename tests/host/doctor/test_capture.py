"""`entropy capture` and `entropy assess`: what a source gives goes to a file as it is, and what is said of it there."""

import json
import signal

import numpy as np
import pytest

from tests.host.programs import start_interpreter
from tests.length import length
from wallwright.cli import INTERRUPTED
from wallwright.cli.entropy import CLAIM
from wallwright.doctor.capture import AFTER_A_START, capture, capture_restarts
from wallwright.doctor.upkeep import NoiseSeen, read_noise
from wallwright.entropy.assessment import NEEDED, assess
from wallwright.table.table import open_table
from wallwright_firmware.entropy import MIN_ENTROPY
from wallwright_simulator import noise
from wallwright_simulator.simulation import Simulation, attach

SAMPLES = 20_000
TESTED_MS = 4_000
"""The three windows of a start are tested by then."""


def source_of(name, size):
    """What the source of that name gives from its beginning."""
    return noise.NAMED[name](1)(0, size)


def table_with(name, source=None):
    simulation = Simulation(1, noise=source or noise.NAMED[name](1))
    return simulation, attach(f"noise-{name}-{id(simulation)}", simulation)


def filled(port, out, samples=SAMPLES):
    told = []
    with open_table(port) as table:
        capture(table, port, out, samples, lambda done, of: told.append((done, of)))
        assert table.status().state == "idle"
    return told


def test_a_capture_is_a_piece_of_what_the_source_gives(tmp_path):
    out = tmp_path / "raw.bin"
    _, port = table_with("good")
    told = filled(port, out, 1234)
    raw = out.read_bytes()
    assert len(raw) == 1234
    assert raw in source_of("good", 20_000)
    assert told[0] == (0, 1234)
    assert told[-1] == (1234, 1234)
    assert json.loads(out.with_name("raw.bin.json").read_text())["kind"] == "simulated"


# By NIST's own program, for 20,000 samples of eight bits from the beginning of each source; here they come later.
BOUNDS = {"good": (5.5, 6.6), "biased": (0.2, 0.415), "sticky84": (0.98, 1.1), "sticky95": (0.25, 0.32)}


@pytest.mark.parametrize("name", BOUNDS)
def test_from_the_source_through_the_link_to_the_assessment(name, tmp_path):
    """What the health tests let pass the assessment sees: a source of 0.95 has a third of what is claimed."""
    out = tmp_path / "raw.bin"
    _, port = table_with(name)
    filled(port, out)
    low, high = BOUNDS[name]
    found = assess(np.frombuffer(out.read_bytes(), np.uint8), 8)
    assert low <= found.assessed <= high
    with open_table(port) as table:
        table.pump(TESTED_MS)
        faults = [event.fields["fault"] for event in table.events() if event.name == "fault"]
        seen = read_noise(table)
    if name == "biased":
        assert faults == ["random_failed"]
    else:
        assert faults == []
        assert seen.windows == 3
        assert seen.same == pytest.approx({"good": 0.5, "sticky84": 0.84, "sticky95": 0.95}[name], abs=0.02)
        assert seen.most_common == pytest.approx(0.5, abs=0.05)


def test_no_bits_tested_is_none(tmp_path):
    _, port = table_with("dead")
    with open_table(port) as table:
        assert read_noise(table) == NoiseSeen(0, None, None)


def test_a_capture_that_was_stopped_goes_on(run, tmp_path):
    out = tmp_path / "raw.bin"
    _, port = table_with("good")
    with open_table(port) as table:

        def stop(done, of):
            if done == 600:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            capture(table, port, out, 2000, stop)
        assert table.status().state == "idle", "the table can be used again"
    assert out.stat().st_size == 600
    before = out.read_bytes()
    done = run(f"entropy capture --port {port} --samples 1500 --out {out}")
    assert (done.code, out.stat().st_size) == (0, 1500), done.err
    assert "1,500 samples of SIM-1" in done.out
    assert out.read_bytes()[:600] == before
    again = run(f"entropy capture --port {port} --samples 1500 --out {out}")
    assert (again.code, out.stat().st_size) == (0, 1500)


def test_ctrl_c_ends_it_with_what_is_there(tmp_path):
    out = tmp_path / "raw.bin"
    command = ("entropy", "capture", "--port", "sim://?seed=1", "--out", str(out), "--samples", "60000000")
    process = start_interpreter(*command)
    while not out.exists() or not out.stat().st_size:
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == INTERRUPTED
    assert "goes on" in told


@pytest.mark.parametrize("other", ["another board", "starts", "no note", "a broken note"])
def test_it_does_not_go_on_with_other_samples(other, run, tmp_path):
    out = tmp_path / "raw.bin"
    _, port = table_with("good")
    filled(port, out, 400)
    note = out.with_name("raw.bin.json")
    if other == "another board":
        note.write_text(note.read_text().replace("SIM-1", "SIM-2"))
    elif other == "starts":
        note.write_text(note.read_text().replace("false", "true"))
    elif other == "no note":
        note.unlink()
    else:
        note.write_text("{")
    before = out.read_bytes()
    done = run(f"entropy capture --port {port} --samples 600 --out {out}")
    assert done.code == 2
    assert "another name" in done.err
    assert out.read_bytes() == before


def test_a_source_that_does_not_deliver_ends_it_and_a_table_that_builds_is_left_alone(run, tmp_path):
    _, port = table_with("dead")
    done = run(f"entropy capture --port {port} --out {tmp_path / 'raw.bin'}")
    assert done.code == 4
    assert "0 of 200 samples" in done.err
    _, port = table_with("good")
    with open_table(port) as table:
        table.start_build()
    done = run(f"entropy capture --port {port} --out {tmp_path / 'other.bin'}")
    assert done.code == 4


def test_a_board_in_a_fault_hands_out_samples_and_stays_in_it(tmp_path):
    _, port = table_with("good")
    with open_table(port) as table:
        table.stop()
        capture(table, port, tmp_path / "raw.bin", 400, lambda *_: None)
        assert table.status().fault == "stopped"


def test_each_start_of_the_board_gives_a_row(tmp_path):
    out = tmp_path / "restarts.bin"
    _, port = table_with("good")
    with open_table(port) as table:
        boots = {table.boot_id}

        def tell(done, of):
            boots.add(table.boot_id)
            if done == 3 * AFTER_A_START and of == 5 * AFTER_A_START:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            capture_restarts(table, port, out, 5, tell)
        first = out.read_bytes()
        assert (len(first), len(boots)) == (3 * AFTER_A_START, 4)
        with out.open("ab") as file:
            file.write(b"a row that was cut")
        capture_restarts(table, port, out, 4, tell)
        assert table.status().state == "idle"
    whole = out.read_bytes()
    assert whole[: len(first)] == first
    assert len(whole) == 4 * AFTER_A_START
    assert len(boots) == 5
    given = source_of("good", 40_000)
    places = [given.index(whole[at : at + AFTER_A_START]) for at in range(0, len(whole), AFTER_A_START)]
    assert places == sorted(places), "a simulated source goes on where it was"


def test_files_that_are_not_samples_are_refused_in_one_line(run, tmp_path):
    short = tmp_path / "short.bin"
    short.write_bytes(bytes(1234))
    for line, told in (
        (f"entropy assess {short}", "1,234 samples, and the standard needs 1,000,000"),
        (f"entropy assess {tmp_path / 'none.bin'}", "No such file"),
        (f"entropy assess {tmp_path}", "directory"),
    ):
        done = run(line)
        assert (done.code, done.out) == (2, "")
        assert told in done.err
        assert len(done.err.splitlines()) == 1
    wide = tmp_path / "wide.bin"
    wide.write_bytes(bytes(NEEDED - 1) + b"\x02")
    done = run(f"entropy assess {wide} --bits 1")
    assert done.code == 2
    assert "the sample 2, which is not of 1 bits" in done.err


def test_samples_that_are_all_the_same_have_none(run, tmp_path):
    stuck = tmp_path / "stuck.bin"
    stuck.write_bytes(b"\xff" * NEEDED)
    done = run(f"entropy assess {stuck}")
    assert done.code == 4
    assert "no entropy" in done.out
    (record,) = run(f"entropy assess {stuck} --json").records
    assert (record["assessed"], record["symbols"]) == (0.0, 1)


def test_the_claim_that_is_compared_is_the_firmware_s():
    assert CLAIM == MIN_ENTROPY


VERDICTS = [("stuck", 4), ("good", 0), ("sticky84", 0), ("sticky95", 4)]
"""Where not all samples are equal it takes minutes."""


@pytest.mark.parametrize(("name", "code"), VERDICTS[: length(1, len(VERDICTS))])
def test_a_million_samples_from_the_command_to_the_verdict(name, code, run, tmp_path):
    out = tmp_path / "raw.bin"
    done = run(f"entropy capture --port 'sim://?seed=1&noise={name}' --out {out}")
    assert done.code == 0, done.err
    found = run(f"entropy assess {out}")
    assert found.code == code
    assert "1,000,000 samples of 8 bits" in found.out
