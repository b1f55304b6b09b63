"""The fault language: lines become values and values become lines; what is wrong is said with what is allowed."""

import dataclasses
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright_simulator import faults
from wallwright_simulator.faults import CLASSES, FORMS, Fault, FaultError, load_faults, parse_fault, parse_faults
from wallwright_simulator.supply_faults import Contactor, Interlock, NobodyStarts, Pump, StartPressed, StartStuck

SIDES = st.integers(0, 3)
TIMES = st.integers(0, 10**9)
DURATIONS = st.none() | TIMES
SHARES = st.integers(0, 1000)
EYES = st.sampled_from(["count", "belt"])
HOW = st.sampled_from(["dead", "blocked"])
INPUTS = st.integers(0, 44)
ON_OFF = st.sampled_from(["on", "off"])

FIELDS: dict[type[Fault], tuple[st.SearchStrategy[Any], ...]] = {
    faults.Jam: (
        st.sampled_from(["lane", "head"]),
        SIDES,
        TIMES,
        DURATIONS,
        SHARES,
    ),
    faults.Eye: (
        SIDES,
        EYES,
        HOW,
        TIMES,
        DURATIONS,
    ),
    faults.WeakEye: (
        SIDES,
        EYES,
        SHARES,
        TIMES,
        DURATIONS,
    ),
    faults.HeadVane: (
        SIDES,
        st.sampled_from(["home", "pushed"]),
        HOW,
        TIMES,
        DURATIONS,
    ),
    faults.DrumVane: (
        st.sampled_from(["disc", "ring"]),
        HOW,
        TIMES,
        DURATIONS,
    ),
    faults.LiftSwitch: (
        SIDES,
        st.sampled_from(["up", "down"]),
        ON_OFF,
        TIMES,
        DURATIONS,
    ),
    faults.LidSwitch: (
        st.sampled_from(["open", "closed"]),
        ON_OFF,
        TIMES,
        DURATIONS,
    ),
    faults.Key: (
        SIDES,
        st.sampled_from(["lift", "dice", "referee"]),
        TIMES,
        DURATIONS,
    ),
    faults.Readers: (
        st.sampled_from(["miss", "late", "double", "ghost"]),
        SHARES,
        TIMES,
        DURATIONS,
    ),
    faults.DeadReader: (
        st.integers(0, 15),
        TIMES,
        DURATIONS,
    ),
    faults.DeadTag: (st.integers(0, 303),),
    faults.ForeignTag: (
        st.integers(0, 15),
        TIMES,
        DURATIONS,
    ),
    faults.Tile: (
        st.integers(0, 303),
        st.sampled_from(["weak magnet", "missing", "stays face up"]),
    ),
    faults.ExtraTile: (),
    faults.EmptyDrum: (),
    faults.WrongSet: (st.integers(0, 152),),
    faults.ForeignTile: (st.sampled_from(["bigger", "smaller"]),),
    faults.Stall: (
        st.sampled_from(["disc", "ring", "lid"]),
        TIMES,
        DURATIONS,
    ),
    faults.SideStall: (
        st.sampled_from(["conveyor", "lift"]),
        SIDES,
        TIMES,
        DURATIONS,
    ),
    faults.Sinking: (
        SIDES,
        TIMES,
    ),
    faults.Obstructed: (
        TIMES,
        DURATIONS,
    ),
    faults.EmergencyStop: (
        st.sampled_from(["press", "release"]),
        TIMES,
    ),
    faults.SorterPart: (
        st.sampled_from(["scraper", "knock off", "flap"]),
        SIDES,
        st.sampled_from(["sticks", "slow", "bounces"]),
        TIMES,
        DURATIONS,
    ),
    faults.DoubleTiles: (
        SHARES,
        TIMES,
        DURATIONS,
    ),
    faults.PowerCut: (
        TIMES,
        TIMES,
    ),
    faults.BoardReset: (
        st.sampled_from(["watchdog", "brown out"]),
        TIMES,
    ),
    faults.ProgramCrash: (TIMES,),
    faults.ProgramHang: (TIMES,),
    Contactor: (
        st.sampled_from(["first", "second"]),
        TIMES,
        DURATIONS,
    ),
    Pump: (
        ON_OFF,
        TIMES,
        DURATIONS,
    ),
    StartStuck: (
        TIMES,
        DURATIONS,
    ),
    NobodyStarts: (
        TIMES,
        DURATIONS,
    ),
    StartPressed: (TIMES,),
    Interlock: (
        ON_OFF,
        TIMES,
        DURATIONS,
    ),
    faults.HostSilent: (
        TIMES,
        DURATIONS,
    ),
    faults.Noise: (
        st.sampled_from(["stuck", "dead", "biased"]),
        TIMES,
    ),
    faults.Drive: (
        st.sampled_from(["disc", "ring", "lid open", "lid close"]),
        ON_OFF,
        TIMES,
        DURATIONS,
    ),
    faults.SideDrive: (
        st.sampled_from(["conveyor reverse", "conveyor", "head", "lift raise", "lift lower"]),
        SIDES,
        ON_OFF,
        TIMES,
        DURATIONS,
    ),
    faults.Sense: (
        st.sampled_from(["disc", "ring", "lid open", "lid close"]),
        ON_OFF,
        TIMES,
        DURATIONS,
    ),
    faults.SideSense: (
        st.sampled_from(["conveyor reverse", "conveyor", "head", "lift raise", "lift lower"]),
        SIDES,
        ON_OFF,
        TIMES,
        DURATIONS,
    ),
    faults.Flip: (
        st.integers(0, 31),
        TIMES,
    ),
    faults.Input: (
        INPUTS,
        ON_OFF,
        TIMES,
        DURATIONS,
    ),
    faults.Touching: (
        INPUTS,
        INPUTS,
        TIMES,
        DURATIONS,
    ),
}
ANY_FAULT = st.one_of([st.builds(fault, *fields) for fault, fields in FIELDS.items()])


@given(ANY_FAULT)
def test_a_fault_is_read_back_from_its_line(fault: Fault) -> None:
    assert parse_fault(str(fault)) == fault


def test_every_class_is_tried_by_hypothesis() -> None:
    assert FIELDS.keys() == set(CLASSES)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("jam lane 2 at 8.3 s", faults.Jam("lane", 2, 8300)),
        ("jam lane 2 at 8.3 s for 5 s frees 2.5 %", faults.Jam("lane", 2, 8300, 5000, 25)),
        ("jam lane 2 at 8.3 s frees 0 %", faults.Jam("lane", 2, 8300, None, 0)),
        ("jam head 1 at 4 s", faults.Jam("head", 1, 4000)),
        ("eye 3 count misses 2 %", faults.WeakEye(3, "count", 20)),
        ("eye 3 count blocked at 9 s for 2 s", faults.Eye(3, "count", "blocked", 9000, 2000)),
        ("eye 0 belt dead", faults.Eye(0, "belt", "dead")),
        ("vane 1 home dead", faults.HeadVane(1, "home", "dead")),
        ("vane ring blocked at 1.002 s", faults.DrumVane("ring", "blocked", 1002)),
        ("tile 57 weak magnet", faults.Tile(57, "weak magnet")),
        ("tile 9 stays face up", faults.Tile(9, "stays face up")),
        ("extra tile", faults.ExtraTile()),
        ("set of 136 tiles in the drum", faults.WrongSet(136)),
        ("foreign tile smaller", faults.ForeignTile("smaller")),
        ("stall disc at 3 s for 2 s", faults.Stall("disc", 3000, 2000)),
        ("stall conveyor 2 at 3 s", faults.SideStall("conveyor", 2, 3000)),
        ("lift 2 sinks at 40 s", faults.Sinking(2, 40_000)),
        ("switch lift 2 up stuck on", faults.LiftSwitch(2, "up", "on")),
        ("switch lid closed stuck off at 0.5 s", faults.LidSwitch("closed", "off", 500)),
        ("key 1 lift stuck", faults.Key(1, "lift")),
        ("lid obstructed at 30 s for 4 s", faults.Obstructed(30_000, 4000)),
        ("release emergency stop at 7 s", faults.EmergencyStop("release", 7000)),
        ("brown out resets board at 12 s", faults.BoardReset("brown out", 12_000)),
        ("program hangs at 2 s", faults.ProgramHang(2000)),
        ("contactor second welded at 3 s", Contactor("second", 3000)),
        ("pump stuck on", Pump("on")),
        ("start button stuck at 1 s for 2 s", StartStuck(1000, 2000)),
        ("nobody presses start", NobodyStarts()),
        ("press start at 5 s", StartPressed(5000)),
        ("lid interlock stuck on at 4 s", Interlock("on", 4000)),
        ("cut power at 12 s for 3 s", faults.PowerCut(12_000, 3000)),
        ("host silent at 5 s", faults.HostSilent(5000)),
        ("noise biased at 1 s", faults.Noise("biased", 1000)),
        ("readers ghost 1.5 % at 2 s", faults.Readers("ghost", 15, 2000)),
        ("reader 13 dead for 9 s", faults.DeadReader(13, 0, 9000)),
        ("tag 200 dead", faults.DeadTag(200)),
        ("foreign tag 4 at 3 s for 1 s", faults.ForeignTag(4, 3000, 1000)),
        ("drive lid open stuck on at 8.3 s", faults.Drive("lid open", "on", 8300)),
        ("drive conveyor 2 stuck off", faults.SideDrive("conveyor", 2, "off")),
        ("drive conveyor reverse 2 stuck on for 3 s", faults.SideDrive("conveyor reverse", 2, "on", 0, 3000)),
        ("output 31 flips at 2 s", faults.Flip(31, 2000)),
        ("input 36 stuck off at 2 s", faults.Input(36, "off", 2000)),
        ("inputs 1 and 2 touch", faults.Touching(1, 2)),
    ],
)
def test_lines_mean_what_they_say_and_are_given_back(line: str, fault: Fault) -> None:
    assert parse_fault(line) == fault
    assert str(fault) == line


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("  Jam LANE 2 at 8.30s ", "jam lane 2 at 8.3 s"),
        ("jam lane 2 at 8.3 s until cleared", "jam lane 2 at 8.3 s"),
        ("cut power at 12.0 s for 3s", "cut power at 12 s for 3 s"),
        ("eye 3 count misses 2.0%", "eye 3 count misses 2 %"),
        ("eye 3 count dead at 0 s", "eye 3 count dead"),
    ],
)
def test_what_is_written_otherwise_means_the_same(line: str, same: str) -> None:
    assert str(parse_fault(line)) == same


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("jam lane 4 at 8 s", "'4' is not a side, 0 to 3"),
        ("jam lane 2 at 8.3", "'8.3' is not a time such as 8.3 s"),
        ("jam lane 2 at 8.3333 s", "'8.3333' is not a time"),
        ("jam lane 2 at -1 s", "'-' is not a time"),
        ("jam lane 2", "the end stands where 'at' is expected"),
        ("jam lane 2 at 8 s twice", "'twice' is too much"),
        ("eye 3 count misses 100.1 %", "'100.1' is not a share"),
        ("eye 3 nose dead", "'nose'"),
        ("eye 3 count ded", "'ded' is not understood here; write eye SIDE count|belt dead|blocked"),
        ("tile 304 missing", "'304' is not a tile, 0 to 303"),
        ("vane 1 disc dead", "'disc' is not home or pushed"),
        ("explode", "there are:\n  jam lane|head SIDE"),
        ("reader 20 dead", "'20' is not a tile reader, 0 to 19"),
        ("noise quiet at 3 s", "'quiet' is not stuck or dead or biased"),
        ("input 45 stuck on", "'45' is not an input, 0 to 44"),
        ("output 32 flips at 2 s", "'32' is not an output, 0 to 31"),
    ],
)
def test_a_wrong_line_is_told_what_is_wrong_and_what_is_allowed(line: str, said: str) -> None:
    with pytest.raises(FaultError) as error:
        parse_fault(line)
    assert said in str(error.value)
    assert repr(line) in str(error.value)


@given(st.text("jam lanehdtfrseyoubcki0123456789 .%#;", max_size=60))
def test_any_text_is_faults_or_an_error_that_names_a_line(text: str) -> None:
    found: tuple[Fault, ...] = ()
    said = "line 1: "
    try:
        found = parse_faults(text)
    except FaultError as error:
        said = str(error)
    assert said.startswith("line 1: ")
    assert parse_faults("\n".join(map(str, found))) == found


def test_a_script_has_comments_empty_lines_and_semicolons() -> None:
    script = "# a bad day\n\njam lane 2 at 8.3 s  # soon; and again\nextra tile; tile 3 missing\n"
    assert [str(fault) for fault in parse_faults(script)] == ["jam lane 2 at 8.3 s", "extra tile", "tile 3 missing"]
    with pytest.raises(FaultError, match=r"^line 3: 'oops'"):
        parse_faults("extra tile\n\nextra tile; oops\n")


def test_a_script_is_read_from_a_file_or_taken_as_it_is(tmp_path) -> None:
    path = tmp_path / "bad day.txt"
    path.write_text("extra tile\njam head 1 at 4 s\n")
    assert (
        load_faults(str(path))
        == parse_faults("extra tile; jam head 1 at 4 s")
        == load_faults("extra tile;jam head 1 at 4 s")
    )
    path.write_text("extra tile\njam\n")
    with pytest.raises(FaultError, match=r"bad day\.txt, line 2: 'jam'"):
        load_faults(str(path))
    with pytest.raises(FaultError, match="name a text file"):
        load_faults(str(tmp_path / "missing"))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: faults.Jam("lane", 4, 0), "side is 4: it is a side, 0 to 3"),
        (lambda: faults.Jam("drum", 1, 0), "part is 'drum': it is lane or head"),
        (lambda: faults.Jam("lane", 1, 8.3), "at_ms is 8.3"),  # type: ignore[arg-type]
        (lambda: faults.Jam("lane", 1, -1), "at_ms is -1"),
        (lambda: faults.WeakEye(1, "count", 1001), "misses is 1001"),
        (lambda: faults.Tile(3, "lost"), "how is 'lost'"),
    ],
)
def test_values_are_checked_as_lines_are(make, said: str) -> None:
    with pytest.raises(FaultError) as error:
        make()
    assert said in str(error.value)


def test_a_fault_cannot_be_changed() -> None:
    fault = faults.Jam("lane", 1, 8)
    with pytest.raises(dataclasses.FrozenInstanceError):
        fault.side = 2  # type: ignore[misc]


def test_every_form_is_shown_for_people() -> None:
    assert len(FORMS) == len(CLASSES) > 20
    assert "jam lane|head SIDE at TIME [for TIME] [until cleared] [frees SHARE]" in FORMS
    assert not any("<" in form or ":" in form for form in FORMS)


DOCUMENT = Path(__file__).parents[2] / "docs" / "fault-injection.md"


def test_the_document_lists_every_form_in_order_and_its_script_is_right() -> None:
    # What follows is of whole halls.
    text = DOCUMENT.read_text(encoding="utf-8").partition("\n## A hall in which")[0]
    rows = [line.split("` |")[0].removeprefix("| `") for line in text.splitlines() if line.startswith("| `")]
    assert tuple(row.replace("\\|", "|") for row in rows if row.split(" ")[0] != "line") == FORMS
    (script,) = (block.partition("\n")[2] for block in text.split("```")[1::2])
    assert len(parse_faults(script)) == 5
    assert len(load_faults(unquote_plus(text.split("&faults=")[2].split("`")[0]))) == 2
