"""Whatever a board or the fleet can tell, and whatever keeps a table away, is a sentence in both languages."""

import ast
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wallwright.fleet
from tests.host.console.hall import Place
from wallwright import errors
from wallwright.console.hall.calls import KINDS
from wallwright.console.hall.desk import UNREAD
from wallwright.console.texts import HAPPENINGS, OUTAGE_FACTS, OUTAGES, happening_text, outage_text, translator
from wallwright.fleet.state import SEARCHING, Change
from wallwright.link.reconnect import outage_name
from wallwright.link.reports import EVENT_NAMES, SECRET_EVENTS, UNREADABLE
from wallwright_protocol.names import SEAL_LOSSES

FIELDS: dict[str, dict[str, Any]] = {
    "jog_done": {"drive": "conveyor_2", "ran_ms": 700, "jog_end": "time"},
    "wall_sealed": {"deal": 4, "tiles": 108, "unread": 2, "commitment": "00"},
    "wall_revealed": {"deal": 4, "nonce": "00"},
    "wall_part": {"deal": 4, "first": 27, "tags": ()},
    "claim": {"seat": 2},
    "crashed": {"module": "firmware/drivers/lane", "line": 120, "error": "ValueError", "times": 1},
    "tracked": {"deal": 4, "points": [3, -1, -1, -1], "unit": "U", "text": "in English"},
    "question": {"deal": 4, "text": "in English"},
    "disputed": {"deal": 4, "text": "in English"},
    "to_declare": {"deal": 4, "text": "in English"},
    "untracked": {"text": "it has no list of tags"},
    "journal": {"works": True, "text": "in English"},
    "overrun": {"missed": 7, "text": "in English"},
    UNREADABLE: {"message": "wall_part"},
    "tag_unread": {},
}


def told_by_the_fleet() -> set[str]:
    """The kinds of changes, as they stand in the modules that tell them."""
    found = set(KINDS.values())
    for module in Path(wallwright.fleet.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("._say", "Change")):
                kinds = [argument for argument in node.args if isinstance(argument, ast.Constant) and argument.value]
                found |= {kind.value for kind in kinds if isinstance(kind.value, str)}
    return found - {"event"}


def test_there_is_a_sentence_for_all_that_can_be_told_and_for_nothing_else() -> None:
    told = told_by_the_fleet()
    assert {"connected", "tracked", "overrun", "journal"} <= told
    assert set(HAPPENINGS) == (told | set(EVENT_NAMES) | {UNREADABLE}) - SECRET_EVENTS


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("kind", FIELDS)
def test_a_sentence_has_its_values_and_no_names_of_fields(kind: str, language: str) -> None:
    told = happening_text(kind, FIELDS[kind], translator(language))
    assert not any(mark in told for mark in "{}=_")
    for name in ("deal", "tiles", "unread", "first", "ran_ms", "missed"):
        assert str(FIELDS[kind].get(name, "")) in told
    assert language == "en" or not any(word in told for word in ("deal", "tiles", "journal"))


def test_what_is_so_and_what_is_not_are_told_apart() -> None:
    english = translator("en")
    assert happening_text("journal", {"works": False, "text": "x"}, english) == "The journal takes nothing"
    assert happening_text("claim", {"seat": None}, english) == "A discard is claimed"
    assert happening_text("claim", {"seat": 0}, english) == "Claim from seat 0"
    assert happening_text("fault", {"fault": "stopped", "side": None}, english) == "Fault Stopped"
    assert happening_text("tracked", FIELDS["tracked"], english) == "Deal 4 is worked out from its tiles: +3 -1 -1 -1"
    told = {happening_text("wall_unverifiable", {"deal": 1, "seal_loss": loss}, english) for loss in SEAL_LOSSES}
    assert len(told) == len(SEAL_LOSSES)
    assert not any("_" in text for text in told)


def test_reads_of_tiles_leave_room_for_what_people_want_to_know(place: Place) -> None:
    place.fleet.tell("A1", "fault", seq=1, fault="stopped", side=None, found=0, wanted=0)
    for seq in range(2, 200):
        place.fleet.tell("A1", UNREAD, seq=seq)
    place.look()
    assert [one.kind for one in place.desk.history("A1")] == ["fault"]


def kinds_of(error: type[errors.WallwrightError]) -> set[type[errors.WallwrightError]]:
    below = error.__subclasses__()
    return {error} if not below else {kind for one in below for kind in kinds_of(one)}


def test_whatever_keeps_a_table_away_says_what_a_person_can_do() -> None:
    project = {kind for kind in kinds_of(errors.LinkError) if kind.__module__ == "wallwright.errors"}
    named = {outage_name(kind.__new__(kind)) for kind in project | {errors.BadKey}}
    assert named - {"not_connected"} == set(OUTAGES)
    assert set(OUTAGE_FACTS) < set(OUTAGES)
    assert outage_text(None, None, translator("zh")) == "正在寻找。"
    assert outage_text("of_tomorrow", "it hides", translator("en")) == "it hides"


def test_nobody_is_told_to_connect_again_who_cannot(place: Place) -> None:
    for error in (errors.BoardReset(1, 2), errors.ConnectionLost()):
        place.fleet.tables["A1"] = replace(
            place.fleet.tables["A1"], link=SEARCHING, problem=str(error), outage=outage_name(error)
        )
        place.fleet.news.tell(Change(0, "A1", "searching", {"outage": outage_name(error), "text": str(error)}))
        place.look()
        assert "connect again" not in str(errors.NotConnected("A1", str(error)))
        ria = place.signed_in("referee")
        for path in ("/", "/tables/A1"):
            page = ria.get(path).text
            assert "connect again" not in page
            assert OUTAGES[outage_name(error)].split(".")[0] in page
