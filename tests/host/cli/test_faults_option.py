"""`--faults FILE` of the demo and of `simulate`, and `faults=` of a simulated port."""

from pathlib import Path
from urllib.parse import quote

import pytest

import wallwright
from wallwright.cli.demo import demo
from wallwright.cli.simulate import simulate
from wallwright.errors import BadInput, NotInTime, PortError, TableFault
from wallwright.journal import read_journal
from wallwright.play.people_at_table import DealStopped


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


@pytest.mark.parametrize(
    ("game", "seed"), [("sichuan", 5), ("mil-2025-duplicate", 5), ("hong-kong", 1), ("balsall", 5)]
)
def test_who_takes_a_tile_of_the_other_set_calls_the_referee(tmp_path: Path, game: str, seed: int) -> None:
    journal = tmp_path / "session.journal"
    # With as many tiles as a set has, none is left over, and the strange one is in the walls.
    script = write(tmp_path, "tile 57 missing\nextra tile")
    with pytest.raises(DealStopped, match=r"deal [1-9] does not count: .* has the back of the other set; put") as said:
        demo(game=game, deals=9, seed=seed, journal=journal, faults=script, as_json=True)
    told = list(read_journal(journal))
    assert [entry.body["fields"]["side"] for entry in told if entry.kind == "referee_called"] == [said.value.seat]
    assert said.value.deal not in [entry.body["deal"] for entry in told if entry.kind == "deal_result"]


def test_a_demo_that_waits_in_vain_says_what_the_table_has_told_of_and_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotInTime, match=r"within 500 s .*ready; it has told of key_stuck at side 1\): Take away what"):
        demo(deals=4, seed=2, faults=write(tmp_path, "key 1 lift stuck at 0 s"), as_json=True)


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("tag 3 dead", "give it some with readers=lanes"),
        ("flap 1 sticks at 3 s", "give it some with hardware=flap"),
        ("set of 108 tiles in the drum", "another size than this table's has 112"),
        ("tile 303 missing", "are 0 to 215"),
        ("cut power at 3 s for 0.01 s", "needs 100 ms to start"),
        ("tile 110 missing; " * 3 + "extra tile; " * 250, "is not on the table"),
    ],
)
def test_faults_that_do_not_fit_the_table_are_refused(tmp_path: Path, script: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        demo(deals=1, seed=1, faults=write(tmp_path, script), as_json=True)


@pytest.mark.parametrize("script", ["cut power at 0 s for 3 s", "brown out resets board at 0 s"])
def test_a_table_may_be_without_power_at_first(tmp_path: Path, capsys: pytest.CaptureFixture[str], script: str) -> None:
    demo(deals=1, seed=1, faults=write(tmp_path, script), as_json=True)
    assert capsys.readouterr().out.startswith('{"deal": 1')


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
