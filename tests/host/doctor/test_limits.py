"""The rules by hand: which limit follows from which samples, and what is no healthy machine."""

import re
from pathlib import Path

import pytest

from wallwright.doctor.limits import PRESS_MS, RULES, Measured, Unhealthy, new_limits
from wallwright.doctor.upkeep import Setting
from wallwright_firmware.drivers import travel
from wallwright_protocol import settings
from wallwright_protocol.names import FITTED, SETTING_KINDS, SETTINGS

DOCUMENT = Path(__file__).parents[3] / "docs/doctor.md"
BOARD = [
    Setting(name, SETTING_KINDS[kind], "ms", usual, usual, low, high)
    for name, kind, usual, low, high in zip(
        SETTINGS, settings.KINDS, settings.DEFAULTS, settings.LOWEST, settings.HIGHEST, strict=True
    )
    if name in FITTED
]


def limits(**samples: dict[str, list[int]]) -> dict[str, int]:
    found = {name: Measured(name, parts) for name, parts in samples.items()}
    return {limit.setting: limit.value for limit in new_limits(found, BOARD, {})}


def test_the_worked_example_of_the_document() -> None:
    got = limits(stroke_ms={"side 0": [498, 500], "side 1": [510, 507]}, eye_dark_ms={"side 0": [80, 82] * 6})
    # 498 less 10 %; 510 more 60 %; 80 less 25 %; 82 more 25 %
    assert got["least_stroke_ms"] == 448
    assert got["stroke_limit_ms"] == 816
    assert (got["shortest_dark_ms"], got["longest_dark_ms"]) == (60, 102)
    assert got["lid_limit_ms"] == 3500, "what was not measured stays"


def test_a_share_that_is_too_small_gives_way_to_the_milliseconds() -> None:
    got = limits(stroke_ms={"side 0": [250, 250]}, disc_turn_ms={"the disc": [600, 600]})
    assert got["least_stroke_ms"] == 220
    assert got["stroke_limit_ms"] == 500
    assert got["disc_limit_ms"] == 1000


def test_a_belt_s_limit_lies_above_the_shortest_time_to_the_eye() -> None:
    assert limits(belt_ms={"side 0": [900, 700], "side 1": [2500]})["belt_return_ms"] == 875


def test_few_odd_samples_among_many_set_no_limit_but_must_keep_within_it() -> None:
    many = [80] * 99
    assert limits(eye_dark_ms={"side 0": [*many, 95]})["longest_dark_ms"] == 100
    with pytest.raises(Unhealthy, match=r"eye_dark_ms was 140 at side 0, 1 of 100 times.*clean it"):
        limits(eye_dark_ms={"side 0": [*many, 140]})


def test_lifts_that_differ_share_a_limit_by_which_each_goes_its_whole_way() -> None:
    got = limits(lift_up_ms={"side 0": [2430], "side 1": [2600]})
    assert got["least_lift_up_ms"] + PRESS_MS > 2600
    with pytest.raises(Unhealthy, match=r"2400 to 2900.*side 1"):
        limits(lift_up_ms={"side 0": [2400], "side 1": [2900]})


def test_what_the_board_does_not_take_is_cut_or_the_machine_is_refused() -> None:
    assert limits(lift_up_ms={"side 0": [3300]})["lift_limit_ms"] == 4800
    with pytest.raises(Unhealthy, match="ring_limit_ms=9000"):
        limits(ring_turn_ms={"the ring": [9500, 9500]})


def test_too_few_samples_are_told_with_their_part() -> None:
    with pytest.raises(Unhealthy, match="eye_dark_ms was seen only 3 times at side 2"):
        limits(eye_dark_ms={"side 1": [80] * 30, "side 2": [80] * 3})


def test_the_rules_are_of_settings_that_there_are_and_press_as_the_firmware_does() -> None:
    assert {rule.setting for rule in RULES} == set(FITTED) - {"debounce_ms", "standing_limit_ms"}
    assert PRESS_MS == travel.PRESS_MS


def test_the_rules_are_those_of_the_document() -> None:
    table = DOCUMENT.read_text(encoding="utf-8").partition("| limit | lies |")[2].partition("\n\n")[0]
    written: dict[str, tuple[int, int]] = {}
    for names, lies in re.findall(r"^\| (`[^|]+) \| ([^|]+) \|", table, re.MULTILINE):
        settings = re.findall(r"`(\w+)`", names)
        percents = [int(text) for text in re.findall(r"(\d+) %", lies)]
        least_ms = [int(text) for text in re.findall(r"(\d+)(?= ms| and \d+ ms)", lies)]
        for at, name in enumerate(settings):
            of_lid = "the lid" in lies and "lid" in name
            percent = percents[-1] if of_lid else percents[at if len(percents) == len(settings) else 0]
            written[name] = percent, (least_ms[at if len(least_ms) == len(settings) else 0] if least_ms else 0)
    assert {rule.setting: (abs(rule.percent), abs(rule.least_ms)) for rule in RULES} == written
