"""What is known of a draw, kept in a file: which test reaches which mutant, and which tests have killed it."""

import hashlib
import json
from pathlib import Path
from typing import Any

from tools.mutants.draw import Mutant


class State:
    """What `file` keeps of mutants of the checkout at `root`; nothing if their modules have changed since."""

    def __init__(self, root: Path, file: Path, chosen: list[Mutant]) -> None:
        self._root, self._file = root, file
        kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        digest = hashlib.sha256(
            repr([(one, (root / one.path).read_text(encoding="utf-8")) for one in chosen]).encode()
        ).hexdigest()
        if kept.get("digest") != digest:
            kept = {"digest": digest, "files": {}, "killed": {}, "tried": {}}
        self._kept = kept

    def unknown(self, files: list[str]) -> list[str]:
        """Return the test files that are new or have changed since they were run."""
        known = self._kept["files"]
        return [file for file in files if known.get(file, {}).get("hash") != self._hash(file)]

    def learn(self, files: list[str], lines: list[str]) -> None:
        """Take in what a run of these test files has written."""
        found: dict[str, Any] = {file: {"hash": self._hash(file), "tests": {}} for file in files}
        for line in lines:
            what, *more, test = line.split("\t")
            known = found.get(test.partition("::")[0])
            if known is None:
                continue
            kept = known["tests"].setdefault(test, {"seconds": 0.0, "reached": [], "failed": False})
            if what != "time":
                kept["reached"].append(int(what))
            elif more == ["failed"]:
                kept["failed"] = True
            else:
                kept["seconds"] += float(more[0])
        self._kept["files"].update(found)
        self._save()

    def reaching(self, number: int) -> list[tuple[float, str]]:
        """Return the tests that reach a mutant and that it has not been tried with, by their seconds."""
        tried = set(self._kept["tried"].get(str(number), ()))
        return sorted(
            (one["seconds"], test)
            for known in self._kept["files"].values()
            for test, one in known["tests"].items()
            if number in one["reached"] and not one["failed"] and f"{known['hash']} {test}" not in tried
        )

    def reaching_files(self, number: int) -> set[str]:
        """Return the test files with a test that reaches a mutant."""
        files = self._kept["files"].items()
        return {file for file, known in files if any(number in one["reached"] for one in known["tests"].values())}

    def seconds(self, file: str) -> float:
        """Return what the tests of a file take."""
        return float(sum(one["seconds"] for one in self._kept["files"].get(file, {"tests": {}})["tests"].values()))

    def told(self, number: int, tests: list[str], killers: list[str]) -> None:
        """Take in with which tests a mutant was tried, and which have noticed."""
        files = self._kept["files"]
        names = [f"{files.get(test.partition('::')[0], {}).get('hash')} {test}" for test in tests]
        self._kept["tried"].setdefault(str(number), []).extend(names)
        if killers:
            self._kept["killed"][str(number)] = killers
        self._save()

    def killers(self) -> dict[int, list[str]]:
        """Return, for each mutant that is killed, the tests that have."""
        return {int(number): killers for number, killers in self._kept["killed"].items()}

    def _save(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.with_suffix(".new").write_text(json.dumps(self._kept), encoding="utf-8")
        self._file.with_suffix(".new").replace(self._file)

    def _hash(self, file: str) -> str:
        return hashlib.sha256((self._root / file).read_bytes()).hexdigest()[:16]
