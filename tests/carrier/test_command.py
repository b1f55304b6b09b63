"""The command of `carrier` writes the netlist, the parts and the drawings; the drawings of the documents are these."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from wallwright_firmware.boards import pins

ROOT = Path(__file__).parents[2]
DRAWN = ("carrier-blocks", "carrier-side", "carrier-power")


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-m", "carrier", *arguments]
    return subprocess.run(argv, cwd=folder, capture_output=True, text=True, timeout=100)


def test_it_writes_netlist_parts_and_drawings_and_nothing_else(tmp_path: Path) -> None:
    done = run("build/carrier", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    written = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert written == sorted(done.stdout.split())
    assert "build/carrier/wallwright-carrier.net" in written
    assert "build/carrier/bill-of-materials.csv" in written
    assert sum(name.endswith(".svg") for name in written) == 3


def test_without_a_folder_it_says_what_it_wants(tmp_path: Path) -> None:
    done = run(folder=tmp_path)
    assert done.returncode == 2
    assert "into which folder" in done.stderr


@pytest.fixture
def drawings() -> Mapping[str, Callable[[], str]]:
    """What draws is not imported before it is needed: no other test is to have 46 MB of it."""
    from carrier.drawings import DRAWINGS

    return DRAWINGS


def test_the_drawings_are_those_of_the_documents(drawings: Mapping[str, Callable[[], str]]) -> None:
    assert set(drawings) == set(DRAWN)


@pytest.mark.parametrize("name", DRAWN)
def test_a_drawing_of_the_documents_is_not_stale(name: str, drawings: Mapping[str, Callable[[], str]]) -> None:
    drawn = drawings[name]()
    assert (ROOT / "docs" / f"{name}.svg").read_text() == drawn, "run: .venv-dev/bin/python -m tools.generate_docs"
    ElementTree.fromstring(drawn)


def test_the_block_diagram_names_the_pins_of_the_firmware(drawings: Mapping[str, Callable[[], str]]) -> None:
    words = " ".join(node.text or "" for node in ElementTree.fromstring(drawings["carrier-blocks"]()).iter())
    for number, net, _, _ in pins.PINS:
        if net:
            assert f"GP{number}" in words.replace(",", " ").split()
            assert net.lower() in words.replace(",", " ").replace(":", " ").split()
