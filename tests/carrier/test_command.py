"""`python -m carrier` writes the netlist, the parts and the drawings; the drawings of the documents are these."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from carrier.drawings import DRAWINGS
from wallwright_firmware.boards import pins

ROOT = Path(__file__).parents[2]


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


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_of_the_documents_is_not_stale(name: str) -> None:
    drawn = DRAWINGS[name]()
    assert (ROOT / "docs" / f"{name}.svg").read_text() == drawn, "run: .venv-dev/bin/python tools/generate_docs.py"
    ElementTree.fromstring(drawn)


def test_the_block_diagram_names_the_pins_of_the_firmware() -> None:
    words = " ".join(node.text or "" for node in ElementTree.fromstring(DRAWINGS["carrier-blocks"]()).iter())
    for number, net, _, _ in pins.PINS:
        if net:
            assert f"GP{number}" in words.replace(",", " ").split()
            assert net.lower() in words.replace(",", " ").replace(":", " ").split()
