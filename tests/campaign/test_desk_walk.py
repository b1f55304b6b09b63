"""The desk of an event, at random: a short walk, and that no command and no endpoint is left out of it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.campaign.desk import asking, commands
from tests.campaign.desk.hall import hall
from tests.campaign.desk.parts import Broken
from tests.campaign.desk.reading import Reading
from tests.campaign.desk_walk import Walks
from tests.length import length


def test_whatever_is_done_at_the_desk_nothing_that_was_played_goes_without_a_word(tmp_path: Path, seed: int) -> None:
    print(f"seed {seed}")
    with hall(tmp_path) as place:
        walks = Walks(place)
        walks.go(length(2, 20), seed)
    wrote = {name for name, count in walks.taken.items() if count}
    assert walks.steps > 100
    assert len(wrote) > 15, wrote
    assert any(name.startswith("POST ") for name in wrote)
    assert any(name in commands.CHANGES for name in wrote)


SEATS = {"tables": [[1, 2, 3, 4]], "byes": []}
DRAWN = {"stage": "main", "players": [[one, f"P{one}"] for one in (1, 2, 3, 4)]}
RESULT = {"session": 1, "table": 1, "deal": 1, "points": [3, -1, -1, -1], "penalties": []}
PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("event_created", {"format": {"sessions": 1, "deals": 2}}),
    (
        "players_imported",
        {"roster": {"players": [{"number": n, "name": f"P{n}", "stand_in": False} for n in range(1, 6)]}},
    ),
    ("draw_committed", DRAWN),
    ("draw_revealed", {"stage": "main", "lots": [1, 2, 3, 4]}),
    ("seats_planned", {"stage": "main", "first": 1, "sessions": [SEATS]}),
    ("session_moved", {"session": 1, "trigger": "open"}),
    ("session_moved", {"session": 1, "trigger": "start"}),
    ("result_recorded", RESULT),
]


@pytest.mark.parametrize(
    ("kind", "body", "why"),
    [
        ("seats_planned", {"stage": "main", "first": 1, "sessions": [SEATS]}, "seats for session 1, which is running"),
        ("draw_committed", DRAWN, "seats for session 1, which is running"),
        ("result_recorded", RESULT, "a result in the place of entry 8"),
        ("player_substituted", {"session": 1, "table": 1, "seat": 0, "out": 2, "in": 5}, "does not sit on seat 0"),
        (
            "player_substituted",
            {"session": 1, "table": 1, "seat": 0, "out": 1, "in": 2},
            r"players \[2\] sit .* two places",
        ),
        (
            "player_substituted",
            {"session": 1, "table": 1, "seat": 0, "out": 1, "in": 9},
            r"nobody has the numbers \{9\}",
        ),
        (
            "penalty_given",
            {"session": 1, "player": 9, "name": "warning", "amount": "0"},
            "something that is not there: 9",
        ),
        ("session_moved", {"session": 1, "trigger": "publish"}, "is running, and takes the step publish"),
        ("deal_forgotten", {}, "does not know: deal_forgotten"),
    ],
)
def test_a_reading_of_an_export_finds_what_cannot_be(kind: str, body: dict[str, Any], why: str) -> None:
    known = Reading()
    known.read(exported(PLAYED))
    assert known.points_of(1) == {1: 3, 2: -1, 3: -1, 4: -1}
    with pytest.raises(Broken, match=why):
        known.read(exported([*PLAYED, (kind, body)]))


def test_a_reading_of_an_export_finds_entries_that_have_gone() -> None:
    known = Reading()
    known.read(exported(PLAYED))
    with pytest.raises(Broken, match="not in the export any more"):
        known.read(exported(PLAYED[:-1]))


def exported(entries: list[tuple[str, dict[str, Any]]]) -> str:
    lines = [{"entry": number, "kind": kind, "body": body} for number, (kind, body) in enumerate(entries, 1)]
    return "\n".join(map(json.dumps, ({}, *lines, {"entries": len(lines)})))


def test_every_command_and_every_endpoint_is_walked() -> None:
    assert commands.all_commands() == {*commands.CHANGES, *commands.READS, *commands.ELSEWHERE}
    assert asking.all_endpoints() == {*asking.CHANGES, *asking.QUESTIONS}
