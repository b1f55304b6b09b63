"""`make bench-check` fails where a tree is slower, and not where one run was."""

from itertools import cycle
from pathlib import Path

import pytest

from tools import bench_check

OLD, NEW = Path("old"), Path("new")


@pytest.mark.parametrize(
    ("times", "is_slower"),
    [
        ((1.06,), True),
        ((1.04,), False),
        ((1.0, 1.2, 1.2, 1.2, 1.2), False),
        ((1.06, 1.06, 1.0, 1.0, 1.0), False),
        ((0.5,), False),
    ],
    ids=["6 % slower", "4 % slower", "as fast once", "slower in two pairs of five", "twice as fast"],
)
def test_a_work_is_slower_when_its_least_time_and_most_pairs_are(monkeypatch, times, is_slower):
    turns = {OLD: cycle((1.0,)), NEW: cycle(times)}
    monkeypatch.setattr(bench_check, "spent", lambda tree, words: next(turns[tree]))
    comparison = bench_check.Comparison(())
    comparison.run(OLD, NEW)
    assert comparison.is_slower() is is_slower


def test_a_work_that_counts_is_measured_with_the_programs_that_it_starts():
    burns = "sum(i * i for i in range(3_000_000))"
    alone = bench_check.spent(OLD, ("-c", burns))
    through = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burns!r}], check=True)"
    assert bench_check.spent(OLD, ("-c", through)) > alone / 2


def test_a_clone_without_the_release_says_what_to_do(tmp_path, monkeypatch):
    release = tmp_path / "last-release"
    release.write_text("0" * 40)
    monkeypatch.setattr(bench_check, "RELEASE", release)
    with pytest.raises(SystemExit, match="git fetch --unshallow"):
        bench_check.unpacked(tmp_path)
