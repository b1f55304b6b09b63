"""Programs in a process of their own: what needs too much is ended, and who has asked hears it."""

import os
from pathlib import Path

import pytest

from wallwright.system import confined

BEGIN = "import sys, time\nfrom wallwright.system.confined import confine\nconfine()\n"


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path / "stranger.py"


def test_it_answers_what_it_finds_and_imports_nothing_from_where_it_is_called(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program.write_text(BEGIN + "import json\nprint(len(sys.stdin.buffer.read()))\n")
    folder = tmp_path / "sent"
    folder.mkdir()
    (folder / "json.py").write_text("raise SystemExit('a file that was sent is run')")
    monkeypatch.chdir(folder)
    assert confined.run_confined("stranger", b"x" * 100_000) == b"100000\n"


@pytest.mark.parametrize(
    "eats", ["found = bytearray(1 << 30)", "found = ['%d' % n for n in range(20_000_000)]", "import os; os.abort()"]
)
def test_it_has_so_much_memory_and_is_ended_when_it_needs_more(program: Path, eats: str) -> None:
    program.write_text(f"{BEGIN}{eats}\nprint(1)\n")
    assert confined.run_confined("stranger", b"") is None


def test_it_has_so_much_time(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confined, "MOST_SECONDS", 0.5)
    program.write_text(f"{BEGIN}time.sleep(600)\n")
    assert confined.run_confined("stranger", b"") is None


def test_its_processor_time_and_dumps_are_limited_and_others_go_before_it(program: Path) -> None:
    program.write_text(
        f"{BEGIN}import os, resource as r\n"
        "print(r.getrlimit(r.RLIMIT_CPU)[0], r.getrlimit(r.RLIMIT_CORE)[0], os.nice(0))\n"
    )
    niceness = min(os.nice(0) + 10, 19)
    assert confined.run_confined("stranger", b"") == f"20 0 {niceness}\n".encode()
