"""`tools/programs.py`: missing programs are named, and installing them leaves no file behind."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.programs import COMPLETE, laid

ROOT = Path(__file__).parents[1]


def told(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run it where no program is on the path, apt neither."""
    argv = [sys.executable, "-m", "tools.programs", *words]
    return subprocess.run(argv, cwd=ROOT, env={"PATH": "", **environment}, capture_output=True, text=True, check=False)


def test_missing_programs_are_named_in_one_line_with_their_packages() -> None:
    done = told("chromium", "caddy")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0].startswith(
        "== Missing: chromium, caddy. apt install chromium-headless-shell fonts-noto-cjk caddy downloads 65 MB"
    )
    assert "the end of the run lists them" in done.stdout


@pytest.mark.parametrize("words", [("--needed", "caddy"), ("caddy",)], ids=["needed", "all are needed"])
def test_a_missing_program_that_is_needed_is_an_error(words: tuple[str, ...]) -> None:
    done = told(*words, **({} if "--needed" in words else {COMPLETE: "1"}))
    assert done.returncode == 1
    assert "Only root on a Debian system" in done.stderr


@pytest.mark.parametrize("fails", [False, True])
def test_a_file_that_is_laid_goes_with_its_folders(tmp_path: Path, fails: bool) -> None:
    path = tmp_path / "etc" / "createcluster.d" / "tests.conf"
    try:
        with laid(path, "create_main_cluster = false\n", 0o644):
            assert path.read_text() == "create_main_cluster = false\n"
            if fails:
                raise OSError
    except OSError:
        pass
    assert not list(tmp_path.iterdir())


def test_a_file_that_was_there_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "policy-rc.d"
    path.write_text("own")
    with laid(path, "other", 0o755):
        assert path.read_text() == "own"
    assert path.read_text() == "own"
