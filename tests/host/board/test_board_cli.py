"""`wallwright board ...` as its user has it: at a served table in real time, and at simulated ones."""

import io
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from tests.host.board.boards import INPUTS, LATER, Bench, image_bytes, image_file, of_another_release
from tests.host.cli.test_simulate import Served
from wallwright.board import bundled
from wallwright.board.loader import INFO
from wallwright.cli import board
from wallwright.cli.board import keys
from wallwright.cli.program import app
from wallwright.errors import BadImage
from wallwright_protocol.messages import CATALOG_HASH

PAGE = Path(__file__).parents[3] / "docs" / "board.md"
COMMANDS = [
    *(f"board {command.name}" for command in board.app.registered_commands),
    *(f"board keys {command.name}" for command in keys.app.registered_commands),
]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    made = Served("--tcp", "0", "--seed", "6", "--loader", str(tmp_path / "RPI-RP2"))
    yield made
    made.process.kill()
    made.process.communicate()


def test_a_served_table_is_updated_and_then_flashed_by_hand(run, served: Served, tmp_path: Path) -> None:
    image = tmp_path / "wallwright-rp2040.uf2"
    image.write_bytes(image_bytes())
    ways = f"--folder {tmp_path / 'RPI-RP2'} --image {image} --port {served.port}"
    unsigned = run(f"board update {ways}")
    assert unsigned.code == 2
    assert f"sign it with `wallwright board keys sign {image}`" in unsigned.err
    run("board keys make club")
    run(f"board keys sign {image}")

    def agree() -> None:
        served.said(r"panels: UPDATE\?")
        served.press("l2")

    person = threading.Thread(target=agree)
    person.start()
    updated = run(f"board update {ways}")
    person.join()
    assert updated.code == 0, updated.err
    assert "signed by club" in updated.err
    assert f"image {INPUTS[:16]}" in updated.err
    (about,) = run(f"board info --port {served.port} --json").records
    assert about == {
        "port": served.port,
        "unit": "SIM-6",
        "firmware": "0.1.0",
        "chip": "rp2040",
        "image": INPUTS[:16],
        "tiles": 108,
        "protocol": 1,
        "catalog": f"{CATALOG_HASH:08x}",
        "is_of_this_release": True,
        "lacks": [],
        "map": about["map"],
    }
    assert re.fullmatch("[0-9a-f]{8}", str(about["map"]))
    assert run(f"board update {ways}").err == "SIM-6 has this image already\n"
    nobody = run(f"board flash {ways}")
    assert nobody.code == 3
    assert f"has no {INFO}" in nobody.err
    assert "<------- BOOTSEL" in nobody.err
    served.press("u")
    served.said("u: done")
    flashed = run(f"board flash {ways}")
    assert flashed.code == 0, flashed.err
    assert re.search(r"signed by club\nunit      SIM-6.*\nNext: wallwright doctor", flashed.err, re.DOTALL)


def test_a_loader_wants_a_folder_that_is_free(run, tmp_path: Path) -> None:
    result = run(f"simulate --tcp 0 --loader {tmp_path}")
    assert result.code == 2
    assert "is there already" in result.err


def test_backup_and_restore(run, bench: Bench, tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    assert run(f"board backup {path} --port {bench.port}").out == f"{path}: unit SIM-7, with: state; wiring\n"
    assert run(f"board restore {path} --port {bench.port}").out == "state: brought back\nwiring: brought back\n"
    other = Bench(tmp_path / "other", "board-cli-other", seed=8)
    refused = run(f"board restore {path} --port {other.port}")
    assert refused.code == 2
    assert "give --other-unit" in refused.err
    assert run(f"board restore {path} --port {other.port} --other-unit").code == 0


def test_a_board_of_another_release_is_operated_and_told_with_the_command_for_it(run, bench, monkeypatch) -> None:
    of_another_release(monkeypatch)
    assert run(f"status --port {bench.port}").code == 0
    result = run(f"board info --port {bench.port}")
    assert result.code == 1
    assert f"catalog {LATER.catalog:08x}: another than this program's" in result.out
    assert f"wallwright board update --port {bench.port}" in result.err


def test_several_ports_go_one_after_the_other_and_all_are_told(run, bench: Bench, tmp_path: Path) -> None:
    file = image_file(tmp_path)
    bench.sim.board.image = INPUTS[:16].encode()
    bench.sim.cut_power(500)
    gone = "socket://127.0.0.1:1"
    result = run(f"board update --port {bench.port} --port {gone} --image {file.path}")
    assert result.code == 3
    assert "SIM-7 has this image already" in result.err
    assert gone in result.err
    assert result.err.endswith("1 of 2 are up to date.\n")


@pytest.mark.parametrize("line", ["board update", "board update --all --port sim://"])
def test_which_boards_are_meant_has_to_be_said(run, line: str) -> None:
    assert run(line).code == 2


def test_the_images_that_came_along_are_found_by_chip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "IMAGES", tmp_path / "images")
    monkeypatch.setattr(bundled, "BUILT", tmp_path / "build")
    with pytest.raises(BadImage, match="`make firmware`"):
        bundled.bundled_image("rp2040")
    for folder in ("build", "images"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "wallwright-rp2040.uf2").touch()
        assert bundled.bundled_image("rp2040").parent.name == folder


def test_keys_are_made_listed_and_removed(run) -> None:
    assert "no key is trusted here" in run("board keys list").out
    run("board keys make club")
    (key,) = run("board keys list --json").records
    assert (key["name"], key["is_own"], key["is_project"]) == ("club", True, False)
    assert run(f"board keys trust again {key['public']}").code == 2
    assert "its private half is deleted" in run("board keys remove club").out
    assert run(f"board keys trust builder {key['public']}").code == 0
    assert "trusted" in run("board keys list").out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_an_example_and_a_place_in_the_page(run, command: str) -> None:
    result = run(f"{command} --help")
    assert result.code == 0
    assert f"wallwright {command}" in result.out.partition("Example:")[2]
    assert f"wallwright {command}" in PAGE.read_text()


def test_the_page_describes_no_command_that_is_not_there() -> None:
    assert set(re.findall(r"^## `wallwright (board \w+)`", PAGE.read_text(), re.MULTILINE)) == {
        f"board {name}"
        for name in typer.main.get_command(app).commands["board"].commands  # type: ignore[attr-defined]
    }


def test_a_terminal_sees_how_much_was_copied_and_a_file_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    for is_terminal, said in ((True, "\rcopied 33 %\rcopied 99 %\rcopied 100 %\n"), (False, "")):
        errors = io.StringIO()
        monkeypatch.setattr(errors, "isatty", lambda is_terminal=is_terminal: is_terminal)
        monkeypatch.setattr("sys.stderr", errors)
        show = board._progress()
        for done in (100, 299, 300):
            show(done, 300)
        assert errors.getvalue() == said
