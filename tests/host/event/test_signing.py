"""Players sign their own table's results, where the format lets them; what is changed is signed anew."""

from dataclasses import replace

import pytest

from tests.host.event.paper import Paper
from wallwright.errors import EventRefused
from wallwright.event import results, running, sanctions, signing, together
from wallwright.event.format import EventFormat
from wallwright.event.format_file import load_format

ONE_DEAL = replace(load_format("chengdu-grand-prix"), deals=1, player_signing="pin")


def played(event_format: EventFormat = ONE_DEAL) -> Paper:
    """Two tables that have played their deal."""
    paper = Paper(8, event_format).draw().start()
    for table in (1, 2):
        paper.play(1, table, 1)
    return paper


def test_a_table_is_signed_off_when_its_four_have_signed() -> None:
    paper = played()
    four = paper.desk.sheet(1, 1).players
    done = [signing.sign(paper.desk, player, "pin") for player in four]
    assert done == [False, False, False, True]
    assert [sheet.signed_off for sheet in paper.state.sessions[1].tables] == [True, False]
    signed = [fact for fact in paper.log.facts() if fact.kind == "player_signed"]
    assert [fact.body["player"] for fact in signed] == list(four)
    deal = paper.desk.sheet(1, 1).deals[1]
    assert all(fact.body["results"] == [[1, deal.entry, "live"]] and fact.body["how"] == "pin" for fact in signed)
    assert paper.again().sessions[1].tables[0].signers == four


def test_nobody_signs_twice_or_before_the_end_or_for_another_table() -> None:
    paper = Paper(8, ONE_DEAL).draw().start()
    player = paper.desk.sheet(1, 1).players[0]
    with pytest.raises(EventRefused, match="plays on"):
        signing.sign(paper.desk, player, "pin")
    paper.play(1, 1, 1)
    signing.sign(paper.desk, player, "pin")
    with pytest.raises(EventRefused, match="has signed already"):
        signing.sign(paper.desk, player, "pin")
    running.sign_off(paper.desk, 1, 1)
    with pytest.raises(EventRefused, match="has been signed off"):
        signing.sign(paper.desk, paper.desk.sheet(1, 1).players[1], "pin")
    off = played(replace(ONE_DEAL, player_signing="none"))
    with pytest.raises(EventRefused, match="do not sign here"):
        signing.sign(off.desk, 1, "pin")
    waits = Paper(8, ONE_DEAL).draw()
    with pytest.raises(EventRefused, match="P1 sits at no table now"):
        signing.sign(waits.desk, 1, "pin")


def test_what_is_changed_is_signed_anew() -> None:
    paper = played()
    four = paper.desk.sheet(1, 1).players
    for player in four[:3]:
        signing.sign(paper.desk, player, "pin")
    results.void(paper.desk, 1, 1, 1, "a tile was missing")
    assert paper.desk.sheet(1, 1).signers == ()
    assert signing.sign(paper.desk, four[3], "pin") is False
    assert [signing.sign(paper.desk, player, "pin") for player in four[:3]] == [False, False, True]
    running.take_back_signature(paper.desk, 1, 1, "they want to look again")
    assert paper.desk.sheet(1, 1).signers == ()


def test_a_result_that_waits_for_a_referee_is_not_signed() -> None:
    paper = played()
    sheet = paper.desk.sheet(1, 1)
    sheet.deals[1].approved = False
    with pytest.raises(EventRefused, match="deal 1 waits for a referee"):
        signing.sign(paper.desk, sheet.players[0], "pin")


def test_nobody_signs_for_a_stand_in() -> None:
    paper = played()
    out, *others = paper.desk.sheet(1, 1).players
    running.stop_session(paper.desk, 1)
    house = sanctions.substitute(paper.desk, 1, out, "House", "had to leave")
    with pytest.raises(EventRefused, match="House sits at no table"):
        signing.sign(paper.desk, house, "pin")
    assert [signing.sign(paper.desk, player, "pin") for player in others] == [False, False, True]


def test_tables_whose_players_have_not_signed_are_not_signed_off_with_others() -> None:
    paper = played()
    signing.sign(paper.desk, paper.desk.sheet(1, 1).players[0], "pin")
    left = dict(together.find_to_sign(paper.desk, 1, {}).left)
    names = [paper.state.name(player) for player in paper.desk.sheet(1, 1).players[1:]]
    assert [str(one) for one in left[1]] == [f"{', '.join(names)} have not signed"]


def test_a_presets_players_do_not_sign_unless_a_file_says_so() -> None:
    assert {load_format(name).player_signing for name in ("chengdu-grand-prix", "mil-2025")} == {"none"}
