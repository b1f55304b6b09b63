"""Profiles: the modelled machine is the simulator's, and a file with a mistake is refused with what is wrong."""

from pathlib import Path

import pytest

from wallwright.doctor.limits import QUANTITIES
from wallwright.doctor.profiles import GRADES, load_profile, profile_names, read_profile
from wallwright.errors import BadConfig, BadName
from wallwright_protocol.names import FITTED, SETTINGS
from wallwright_protocol.settings import DEFAULTS
from wallwright_simulator import mechanics

ROOT = Path(__file__).parents[3]
GOOD = 'title = "x"\n[figures.lid_ms]\nvalue = 1500\ngrade = "measured"\nsource = "a stopwatch"\n'


def test_the_modelled_machine_is_that_of_the_simulator_and_the_firmware() -> None:
    profile = load_profile("modelled")
    assert {name: figure.value for name, figure in profile.figures.items()} == {
        "eye_dark_ms": mechanics.EYE_DARK_MS,
        "stroke_ms": mechanics.HEAD_CYCLE_MS,
        "belt_ms": mechanics.BELT_TRAVEL_MS,
        "lift_up_ms": mechanics.LIFT_UP_MS,
        "lift_down_ms": mechanics.LIFT_DOWN_MS,
        "lid_ms": mechanics.LID_MS,
        "disc_turn_ms": mechanics.DISC_TURN_MS,
        "ring_turn_ms": mechanics.RING_SLOT_MS * mechanics.RING_MAGNETS,
        "slot_ms": mechanics.RING_SLOT_MS,
        "ring_magnets": mechanics.RING_MAGNETS,
        "gate_period_ms": mechanics.GATE_PERIOD_MS,
        "tile_spacing_ms": mechanics.TILE_SPACING_MS,
        "bounce_ms": mechanics.BOUNCE_MS,
        "variation_percent": mechanics.VARIATION_PERCENT,
    }
    assert profile.settings() == {name: usual for name, usual in zip(SETTINGS, DEFAULTS, strict=True) if name in FITTED}


@pytest.mark.parametrize("name", profile_names())
def test_every_number_of_every_profile_has_source_and_grade(name: str) -> None:
    profile = load_profile(name)
    assert set(QUANTITIES) <= profile.figures.keys()
    assert {figure.grade for figure in (*profile.figures.values(), *profile.limits.values())} <= set(GRADES)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (("1500", "1.5"), "figures.lid_ms: value is 1.5, it must be a whole number from 1 to 60000"),
        (("1500", "true"), "value is True, it must be a whole number"),
        (("1500", "0"), "from 1 to 60000"),
        (("measured", "sure"), "grade is 'sure', it must be one of datasheet, measured"),
        (("a stopwatch", " "), "source is ' ', it must be words that say where"),
        (("lid_ms", "door_ms"), "figures: there is no 'door_ms'; there are eye_dark_ms"),
        (("figures.lid_ms", "limits.lid_ms"), "limits: there is no 'lid_ms'; there are "),
        (
            ("grade", "rank"),
            "figures.lid_ms lacks grade; figures.lid_ms: there is no 'rank'; there are value, grade, so",
        ),
        (("title", "name"), r"it lacks title \(words .*\); there is no 'name'; there are title, figures, limits"),
        (('"x"', "7"), "title is 7, it must be words that say which machine"),
        (("[figures.lid_ms]", "[figures"), "this is no TOML"),
    ],
)
def test_a_bad_profile_is_refused_with_what_is_wrong(change: tuple[str, str], what: str) -> None:
    assert read_profile("own", GOOD).figures["lid_ms"].value == 1500
    with pytest.raises(BadConfig, match=what):
        read_profile("own", GOOD.replace(*change))


def test_one_s_own_file_is_named_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(GOOD)
    assert load_profile(str(path)).title == "x"
    with pytest.raises(BadName, match="no profile is called 'my'; there are modelled"):
        load_profile("my")
    for bad in (tmp_path / "none.toml", tmp_path):
        with pytest.raises((BadConfig, BadName)):
            load_profile(str(bad))
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadConfig, match="no TOML: it is empty"):
        load_profile(str(path))
