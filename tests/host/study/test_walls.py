"""`wallwright study walls` as its user runs it: results, bad input, stops, killed workers, a scheduler."""

import contextlib
import io
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from tests.host.cli.test_program import run
from tests.host.programs import start_interpreter
from tests.host.study.scheduler import scheduler
from wallwright.cli import main

__all__ = ["run"]

SMALL = ("--drum", "ideal,places", "--D", "5", "--wash", "0,20", "--builds", "210", "--seed", "3")


class Plots(HTMLParser):
    """Counts the plots of a page and collects its words."""

    def __init__(self):
        super().__init__()
        self.plots = 0
        self.words = []

    def handle_starttag(self, tag, attrs):
        self.plots += tag == "svg"

    def handle_data(self, data):
        self.words.append(data)


def study(*options, out):
    """Run the command; its code, what it printed, and its errors."""
    printed, errors = io.StringIO(), io.StringIO()
    words = ["wallwright", "study", "walls", *options, "--out", str(out)]
    with (
        patch.object(sys, "argv", words),
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(errors),
        pytest.raises(SystemExit) as ended,
    ):
        main()
    return ended.value.code or 0, printed.getvalue(), errors.getvalue()


def files(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A small study, made by one process."""
    folder = tmp_path_factory.mktemp("study") / "small"
    code, printed, errors = study(*SMALL, out=folder)
    assert code == 0, errors
    return folder, printed


def test_a_study_tells_a_fair_drum_from_one_that_has_to_mix(finished):
    folder, printed = finished
    report = json.loads((folder / "report.json").read_text())
    cells = {one["name"]: one for one in report["cells"]}
    assert list(cells) == ["ideal-wash0", "ideal-wash20", "places-d5-wash0", "places-d5-wash20"]
    assert all(one["builds"] == 210 for one in cells.values())
    # What an independent study of this model found: 0.37 and 0.07, 51 and 36 %.
    assert cells["places-d5-wash0"]["rho"] == pytest.approx(0.37, abs=0.035)
    assert cells["places-d5-wash20"]["rho"] == pytest.approx(0.07, abs=0.035)
    assert cells["places-d5-wash0"]["first_third"] == pytest.approx(0.51, abs=0.03)
    assert cells["places-d5-wash0"]["drum"] == "places"
    assert (cells["places-d5-wash20"]["D"], cells["places-d5-wash20"]["wash_s"]) == (5, 20)
    assert "No evidence in 210 walls; a correlation above 0.0" in printed.splitlines()[0]
    assert "stand towards one end of the walls" in printed.splitlines()[2]
    for cell in cells.values():
        for test in cell["tests"]:
            assert test["smallest_effect"] > 2 * test["se"] > 0
            assert test["n"] == 210


def test_the_page_has_its_plots_and_says_what_was_found(finished):
    folder, printed = finished
    page = Plots()
    page.feed((folder / "report.html").read_text(encoding="utf-8"))
    words = " ".join(page.words)
    assert page.plots == len(list(folder.glob("*.svg"))) == 4
    for line in printed.splitlines()[:-1]:
        assert line.partition(": ")[2] in words
    assert "Simulated." in words


def test_every_wall_is_kept(finished):
    folder, _ = finished
    with np.load(folder / "builds.npz") as arrays:
        rho = arrays["places-d5-wash0/rho"]
    report = json.loads((folder / "report.json").read_text())
    assert rho.shape == (210,)
    assert rho.mean() == pytest.approx(report["cells"][2]["rho"], abs=1e-5)


def wait_for(what, condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end, f"{what} took longer than a minute"
        time.sleep(0.02)


def test_a_stopped_study_goes_on_and_comes_to_the_same(finished, tmp_path):
    folder, _ = finished
    out = tmp_path / "stopped"
    process = start_interpreter("study", "walls", *SMALL, "--out", str(out))
    wait_for("a batch", lambda: any(out.glob("batches/*.npz")))
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on" in errors
    assert "Traceback" not in errors
    kept = set(files(out))
    assert "report.json" not in kept
    assert study(*SMALL, out=out)[0] == 0
    assert kept <= set(files(out))
    assert files(out) == files(folder)


def children(pid):
    return [int(line) for line in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_two_processes_make_the_same_files_though_one_is_killed(finished, tmp_path):
    folder, printed = finished
    out = tmp_path / "killed"
    process = start_interpreter("study", "walls", *SMALL, "--jobs", "2", "--out", str(out))
    wait_for("a batch", lambda: any(out.glob("batches/*.npz")) or process.poll() is not None)
    for child in children(process.pid)[-1:]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    again, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert again.splitlines()[:-1] == printed.splitlines()[:-1]
    assert files(out) == files(folder)


def test_workers_of_a_scheduler_make_the_same_files_though_one_is_killed(finished, tmp_path):
    folder, _ = finished
    out = tmp_path / "shared"
    with scheduler(tmp_path) as (address, kill_one):
        process = start_interpreter("study", "walls", *SMALL, "--jobs", address, "--out", str(out))
        wait_for("a batch", lambda: any(out.glob("batches/*.npz")) or process.poll() is not None)
        kill_one()
        _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert files(out) == files(folder)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--drum", "pail"), "--drum pail: there are ideal and places"),
        (("--drum", "places", "--D", "0"), "--D 0: give a constant of mixing above 0"),
        (("--D", "two"), "--D two: give numbers with commas between them"),
        (("--wash", "300"), "--wash 300: give seconds from 0 to 240"),
        (("--wash", "0.5"), "--wash 0.5: give whole seconds"),
        (("--game", "poker"), "'poker' is no ruleset: use"),
        (("--jobs", "many"), "--jobs many: give a number of processes, or the address of a scheduler"),
    ],
)
def test_bad_input_is_refused_in_one_line(run, options, why, tmp_path):
    told = run(shlex.join(("study", "walls", "--builds", "10", *options, "--out", str(tmp_path / "out"))))
    assert told.code == 2
    assert told.out == ""
    assert why in told.err
    assert told.err.count("\n") <= 2


def test_a_scheduler_that_does_not_answer_is_said_in_one_line(tmp_path):
    code, printed, errors = study("--builds", "10", "--jobs", "tcp://127.0.0.1:1", out=tmp_path / "out")
    assert code == 2
    assert printed == ""
    assert "no scheduler answers at tcp://127.0.0.1:1" in errors
    assert errors.count("\n") <= 2


@pytest.mark.parametrize("options", [("--drum", "pail"), ("--jobs", "many"), ("--play", "1", "--game", "hong-kong")])
def test_bad_input_is_refused_before_what_draws_is_imported(options, tmp_path):
    """Plots and statistics take a second to import."""
    code = "import sys; from wallwright.cli import main\ntry: main()\nfinally: print(*sys.modules, file=sys.stderr)"
    line = [sys.executable, "-c", code, "study", "walls", *options, "--out", str(tmp_path / "out")]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "wallwright.study.cells" in done.stderr.split()
    assert not {"matplotlib", "scipy", "distributed"} & set(done.stderr.split())


def test_a_folder_with_anything_else_is_left_as_it_is(run, finished, tmp_path):
    folder, _ = finished
    before = files(folder)
    told = run(f"study walls --builds 10 --out {folder}")
    assert told.code == 2
    assert "has another study" in told.err
    assert files(folder) == before
    (tmp_path / "letter.txt").write_text("mine")
    told = run(f"study walls --builds 10 --out {tmp_path}")
    assert told.code == 2
    assert "is no study" in told.err
    assert files(tmp_path) == {"letter.txt": b"mine"}


def test_a_damaged_batch_is_named_and_made_again(finished, tmp_path):
    folder, _ = finished
    out = tmp_path / "copy"
    shutil.copytree(folder, out)
    batch = out / "batches" / "places-d5-wash0-000001.npz"
    batch.write_bytes(batch.read_bytes()[:100])
    code, _, errors = study(*SMALL, out=out)
    assert code == 2
    assert "places-d5-wash0-000001.npz is damaged; delete it" in errors
    batch.unlink()
    assert study(*SMALL, out=out)[0] == 0
    assert files(out) == files(folder)


def test_a_full_disk_is_said_and_the_study_goes_on_when_there_is_room(finished, tmp_path):
    folder, _ = finished
    out = tmp_path / "full"
    line = [sys.executable, "-m", "wallwright", "study", "walls", *SMALL, "--out", str(out)]
    full = partial(resource.setrlimit, resource.RLIMIT_FSIZE, (1000, 1000))
    done = subprocess.run(line, capture_output=True, text=True, check=False, preexec_fn=full)
    assert done.returncode not in (0, 1)
    assert done.stderr.endswith("error: File too large; make room on the disk\n")
    assert set(files(out)) == {"study.json"}
    assert study(*SMALL, out=out)[0] == 0
    assert files(out) == files(folder)


def test_too_few_walls_have_no_verdict_and_other_games_their_own_walls(run, tmp_path):
    told = run(f"study walls --builds 10 --game hong-kong --json --out {tmp_path / 'few'}")
    assert told.code == 0
    report = json.loads(told.out)
    assert report["tiles"] == 136
    assert report["cells"][0]["verdict"] == "No verdict: 10 walls are too few, 30 are needed."
