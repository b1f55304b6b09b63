"""`--faults FILE` of the demo and of `simulate`, and `faults=` of a simulated port."""

from pathlib import Path
from urllib.parse import quote

import pytest

import wallwright
from wallwright.cli.demo import demo
from wallwright.cli.simulate import simulate
from wallwright.errors import BadInput, PortError, TableFault
from wallwright.journal import read_journal


def write(folder: Path, script: str) -> Path:
    path = folder / "faults.txt"
    path.write_text(script)
    return path


def test_the_demo_gets_over_a_jam_and_its_journal_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "session.journal"
    script = write(tmp_path, "jam lane 2 at 8.3 s frees 100 %  # on the first try\n")
    demo(deals=1, seed=3, journal=journal, pace=None, faults=script, as_json=True)
    assert capsys.readouterr().out.startswith('{"deal": 1')
    notices = [entry.body["fields"] for entry in read_journal(journal) if entry.kind == "notice"]
    assert [(notice["fault"], notice["side"]) for notice in notices] == [("lane_jam", 2)]


def test_the_demo_ends_with_the_words_of_a_fault_that_needs_a_person(tmp_path: Path) -> None:
    with pytest.raises(TableFault, match="tile_missing at side"):
        demo(deals=1, seed=3, pace=None, faults=write(tmp_path, "tile 57 missing"), as_json=True)


@pytest.mark.parametrize("command", [demo, lambda faults: simulate(pty=True, faults=faults)])
def test_a_wrong_script_is_one_clear_error(tmp_path: Path, command) -> None:
    script = write(tmp_path, "extra tile\njam lane 7 at 3 s\n")
    with pytest.raises(BadInput, match=r"faults\.txt, line 2: .*'7' is not a side, 0 to 3; write jam lane"):
        command(faults=script)
    with pytest.raises(BadInput, match="name a text file"):
        command(faults=tmp_path / "none")


def test_a_simulated_port_takes_faults_in_its_name_or_in_a_file(tmp_path: Path) -> None:
    script = "tile 57 missing; tile 58 missing"
    for source in (script, str(write(tmp_path, script.replace(";", "\n")))):
        with wallwright.open_table(f"sim://?seed=3&faults={quote(source)}") as table:
            table.start_build()
            with pytest.raises(TableFault, match="tile_missing"):
                table.wait_for("build_done", 120_000)
    with pytest.raises(PortError, match="is no fault"):
        wallwright.open_table("sim://?seed=3&faults=all+broken")
