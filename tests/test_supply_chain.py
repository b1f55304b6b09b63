"""What is installed: by hash, under licences that fit ours, and listed in the bill of materials of the wheel."""

import importlib.metadata
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.markers import Marker

from tests import needs
from tools import install

ROOT = Path(__file__).parent.parent
LOCKS = sorted((ROOT / "lock").glob("*.txt"))
PERMISSIVE = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "PSF-2.0",
    "Zlib",
}
ALSO = {"psycopg": "LGPL-3.0-only", "psycopg-binary": "LGPL-3.0-only"}
"""Of an extra that whoever keeps a journal on PostgreSQL chooses."""
TOOLS_ALSO = PERMISSIVE | {"MPL-2.0"}
"""For what is installed for tests alone."""
UNSTATED = {"atheris": "Apache-2.0", "axe-playwright-python": "MIT"}
"""Their packages do not say it in their metadata, their projects do."""
SPDX = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "MIT license": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "PSFL": "PSF-2.0",
    "Python Software Foundation License": "PSF-2.0",
}


def locked(lock: Path) -> dict[str, tuple[str, bool, int]]:
    """Version, whether it is for some platforms only, and the number of hashes of each distribution in a lock.

    Of two versions it is that of this Python.
    """
    found = {}
    for block in re.split(r"\n(?=\S)", lock.read_text()):
        if match := re.match(r"([\w.-]+)==(\S+)(?: ; ([^\\]+))?", block):
            name, version, marker = match.groups()
            if name not in found or Marker(marker).evaluate():
                found[name] = (version, marker is not None, block.count("--hash=sha256:"))
    assert found, lock
    return found


def licences(name: str) -> set[str]:
    """What its metadata name, as SPDX identifiers."""
    about = importlib.metadata.metadata(name).json
    said = str(about.get("license_expression") or "")
    if said:
        return set(re.split(r" (?:AND|OR) ", said.strip("()")))
    if name in UNSTATED:
        return {UNSTATED[name]}
    classed = [line.rpartition(" :: ")[2] for line in about.get("classifier", []) if line.startswith("License")]
    named = [one for one in classed if one in SPDX] or [str(about.get("license")).partition("\n")[0]]
    return {SPDX.get(one, one) for one in named}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_whatever_is_installed_has_the_hash_of_its_lock(lock: Path) -> None:
    assert all(hashes for _, _, hashes in locked(lock).values()), lock
    assert "://" not in lock.read_text(), "a lock names no index"
    makefile = (ROOT / "Makefile").read_text()
    if lock.stem == "uv":
        installer = (ROOT / "tools" / "install.py").read_text()
        assert '"--only-binary", ":all:", "--require-hashes", "-r", str(LOCK)' in installer
        return
    (groups,) = re.findall(r"^GROUPS = (.*)$", makefile, re.MULTILINE)
    assert f"lock/{lock.name}" in makefile or lock.stem in groups.split()
    installs = [line for line in makefile.splitlines() if "-r lock/" in line]
    assert all("$(LOCKED)" in line for line in installs)
    assert "LOCKED = $(INSTALL) --only-binary :all: --require-hashes" in makefile


@pytest.mark.parametrize("lock", ["run", "code", "test", "types", "build", "carrier", "docs", "uv"])
def test_every_licence_fits(lock: str) -> None:
    if lock in needs.GROUPS:
        needs.group(lock)
    needed = locked(ROOT / "lock" / "run.txt")
    met = 0
    for name, (version, is_for_some, _) in locked(ROOT / "lock" / f"{lock}.txt").items():
        try:
            assert importlib.metadata.version(name) == version
        except importlib.metadata.PackageNotFoundError:
            assert is_for_some, f"{name} is not installed"
            continue
        allowed = PERMISSIVE if name in needed else TOOLS_ALSO
        assert licences(name) <= allowed | {ALSO.get(name, "MIT")}, f"{name}: {licences(name)}"
        met += 1
    assert met > (0 if lock == "uv" else 3)


def test_uv_is_told_of_the_indexes_that_pip_was_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "file:///first/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "file:///second/simple\nfile:///third/simple")
    monkeypatch.setenv("PIP_FIND_LINKS", "/wheels")
    found = install.settings()
    assert found["UV_DEFAULT_INDEX"] == "file:///first/simple"
    assert found["UV_INDEX"] == "file:///second/simple file:///third/simple"
    assert found["UV_FIND_LINKS"] == "/wheels"


def test_what_has_a_licence_of_its_own_is_no_part_of_what_everybody_installs() -> None:
    assert not ALSO.keys() & locked(ROOT / "lock" / "run.txt").keys()


def test_the_bill_of_materials_lists_what_the_wheel_needs_with_hashes(tmp_path: Path) -> None:
    (rule,) = re.findall(r"-m (cyclonedx_py .*?)\n\t@", (ROOT / "Makefile").read_text().replace("\\\n", ""), re.DOTALL)
    bill = tmp_path / "bill.json"
    words = [str(bill) if word.startswith("dist/") else word for word in rule.split()]
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=200
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(bill.read_text())
    assert (told["bomFormat"], told["metadata"]["component"]["name"]) == ("CycloneDX", "wallwright")
    needed = {name: (version, hashes) for name, (version, _, hashes) in locked(ROOT / "lock" / "run.txt").items()}
    listed = {}
    for part in told["components"]:
        files = [one["hashes"] for one in part["externalReferences"] if "hashes" in one]
        listed[part["name"]] = (part["version"], sum(len(one) for one in files))
    assert listed == needed
