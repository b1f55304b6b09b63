"""docs/hardware.md: its commands are there, and its sequence leads to a first build on a simulated table."""

import re
import shlex
from pathlib import Path

import pytest

from tests.host.board.boards import image_bytes
from tests.host.hardware_page import COMMANDS, PAGE, ROOT, Run, runner, to_a_first_build, to_a_first_deal, to_a_map
from wallwright.fleet.config import load_hall
from wallwright_simulator.harness import standard
from wallwright_simulator.simulation import Simulation, attach


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


def test_the_page_begins_with_what_nobody_has_built() -> None:
    bold = re.findall(r"\*\*(.+?)\*\*", PAGE, re.DOTALL)[0]
    assert PAGE.index(bold) < PAGE.index("\n## ")
    for word in ("Emulated:", "Built by nobody yet:", "what-can-hurt-people"):
        assert word in bold
    assert "\n## What can hurt people\n" in PAGE


def test_what_the_page_links_to_is_there() -> None:
    targets = re.findall(r"\]\(([^)]+)\)", PAGE)
    assert len(targets) > 5
    headings = {re.sub(r"[^\w -]", "", line).lower().replace(" ", "-") for line in re.findall(r"^#+ (.+)$", PAGE, re.M)}
    for target in targets:
        file, _, heading = target.partition("#")
        assert not file or (ROOT / "docs" / file).is_file(), target
        assert file or heading in headings, target


def test_the_goals_of_make_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text()
    goals = set(re.findall(r"`make ([\w-]+)`", PAGE)) | set(re.findall(r"^    make ([\w-]+)", PAGE, re.M))
    assert "carrier" in goals
    for goal in goals:
        assert re.search(rf"^{goal}:", makefile, re.MULTILINE), goal


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_exists_with_its_options(run, command: str) -> None:
    words = shlex.split(command, comments=True)
    path = [word for word in words[: _first_option(words)] if re.fullmatch(r"[a-z-]+", word)]
    result = run(shlex.join([*path, "--help"]))
    assert result.code == 0
    assert re.match(rf"Usage: .*wallwright {' '.join(path)} \[", result.out)
    for option in words:
        if option.startswith("--"):
            assert re.search(rf"{option}\b", result.out), option


def _first_option(words: list[str]) -> int:
    return next((at for at, word in enumerate(words) if word.startswith("-")), len(words))


def test_the_file_of_the_hall_is_read_as_it_is_printed(tmp_path: Path) -> None:
    printed = re.findall(r"^    (journal = .+?)\n\n`serve`", PAGE, re.MULTILINE | re.DOTALL)
    path = tmp_path / "hall.toml"
    path.write_text(printed[0].replace("\n    ", "\n"))
    hall = load_hall(path)
    assert str(hall.journal).endswith("day.journal")
    assert [(table.name, table.sought.port) for table in hall.tables] == [("1", "/dev/ttyUSB0")]


def test_the_page_leads_from_a_new_board_to_a_first_deal(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "wallwright.uf2").write_bytes(image_bytes())
    simulation = Simulation(5, harness=standard(range(4)))
    port = attach("hardware-page", simulation)
    to_a_map(run, simulation, port, "--image wallwright.uf2", monkeypatch)
    to_a_first_build(run, simulation, port, monkeypatch)
    to_a_first_deal(run, simulation, port, simulation.unit, monkeypatch)
