"""Copies of the checkout in which tests are run on changed code."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from itertools import count
from pathlib import Path

LEFT_OUT = (".git", ".venv*", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
FOLDERS = ("", "protocol", "firmware", "simulator", "host")
TEST_LIMIT_S = 60
"""A mutant that makes a test last this long is killed by it."""


class Tree:
    """A copy of `root` in `folder`."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root, self._copy = root, folder
        self._times = count(1)
        shutil.copytree(root, folder, symlinks=True, ignore=shutil.ignore_patterns(*LEFT_OUT))

    def put(self, path: str, text: str) -> None:
        """Write a module. Each has a time of its own, so that Python takes no older one's code for it."""
        (self._copy / path).write_text(text, encoding="utf-8")
        at_s = next(self._times)
        os.utime(self._copy / path, (at_s, at_s))

    def run(
        self,
        tests: Iterable[str],
        *options: str,
        paths: tuple[Path, ...] = (),
        limit_s: float | None = None,
        **env: str,
    ) -> list[str]:
        """Run tests, browsers' left out; return what failed.

        What lasts longer than `limit_s` in all has failed nothing: it may be the machine.
        """
        chosen = self._copy / "chosen-tests"
        chosen.write_text("\n".join(tests), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider", *options]
        command += [f"--timeout={TEST_LIMIT_S}", "--ignore-glob=*browser*", f"@{chosen}"]
        path = os.pathsep.join(map(str, (*paths, *(self._copy / folder for folder in FOLDERS))))
        environment = {**os.environ, **env, "PYTHONPATH": path}
        try:
            done = subprocess.run(
                command, cwd=self._copy, env=environment, capture_output=True, text=True, timeout=limit_s
            )
        except subprocess.TimeoutExpired:
            return []
        failed = re.findall(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", done.stdout, re.MULTILINE)
        return [] if done.returncode in (0, 5) else failed or ["the run"]

    def remove(self) -> None:
        """Delete the copy."""
        shutil.rmtree(self._copy)
