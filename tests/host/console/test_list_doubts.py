"""Lists of players at the console: read as the command line reads them, and taken in a chosen way where in doubt."""

from base64 import b64encode
from typing import Any

import pytest

from tests.host.console.before_play import ask, begin, version
from tests.host.console.hall import Place
from tests.host.event.test_player_corpus import LISTS, RIGHT

PREVIEW = "/api/v1/event/players/preview"
IN_DOUBT = ["en_no_header_parts.csv", "pl_one_accent.csv", "book_two.xlsx", "xx_unknown_words.csv"]


@pytest.mark.parametrize("name", ["en_form.csv", "ru_cp1251.csv", "zh_gb18030.csv", "book_form.xlsx", "book_open.ods"])
def test_the_console_reads_a_list_as_the_command_line_does(place: Place, name: str) -> None:
    begin(place, "chengdu-grand-prix")
    dan = place.signed_in("director")
    shown = dan.post(PREVIEW, json=_body(name)).json()
    assert (shown["problems"], shown["doubts"], shown["readings"]) == ([], [], [])
    assert [[one["name"], one["club"]] for one in shown["players"]] == [one[:2] for one in RIGHT[name]["players"]]
    assert all(any(said in note for note in shown["notes"]) for said in RIGHT[name]["said"])


@pytest.mark.parametrize("name", IN_DOUBT)
def test_the_console_takes_what_is_in_doubt_only_in_the_way_that_is_chosen(place: Place, name: str) -> None:
    begin(place, "chengdu-grand-prix")
    dan = place.signed_in("director")
    shown = dan.post(PREVIEW, json=_body(name)).json()
    assert shown["doubts"]
    status, refused = ask(dan, "players", **_body(name), version=shown["version"])
    assert (status, "is not certain" in refused["problem"]) == (422, True), refused
    for way, names in zip(shown["readings"], RIGHT[name]["asked"], strict=True):
        status, taken = ask(dan, "players", **_body(name), **way["choice"], version=version(dan))
        assert (status, [one["name"] for one in taken["players"]]) == (200, names)


def _body(name: str) -> dict[str, Any]:
    return {"data": b64encode((LISTS / name).read_bytes()).decode(), "source": name}
