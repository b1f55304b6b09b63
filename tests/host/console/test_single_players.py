"""Single players through the API: who has withdrawn is offered nowhere, and a second tap does nothing twice."""

from tests.host.console.before_play import ask
from tests.host.console.hall import Place


def test_who_has_withdrawn_is_no_substitute(place: Place) -> None:
    book = place.begin_event(8)
    dan = place.signed_in("director")
    status, told = ask(dan, "players/withdraw", player="P3", reason="is ill")
    assert (status, told["player"], len(told["lines"])) == (200, 3, 5)
    table, four = next(
        (sheet.table, sheet.players) for sheet in book.ask(lambda desk: desk.session(1)).tables if 8 in sheet.players
    )
    assert "<option>P3</option>" not in dan.get(f"/event/sessions/1/tables/{table}").text
    view = book.view.sessions[0].tables[table - 1]
    path = f"sessions/1/tables/{table}/substitute"
    status, told = ask(dan, path, out=four[0], into="P3", reason="x", version=view.version)
    assert (status, told["problem"]) == (409, "P3 has withdrawn; let them return first")
    assert "P3" not in dan.get("/players/badges").text


def test_a_player_who_is_sent_twice_is_added_once(place: Place) -> None:
    book = place.begin_event(8)
    dan = place.signed_in("director")
    first = ask(dan, "players/add", key="the-same-key", name="Ann", reason="came late")
    assert ask(dan, "players/add", key="the-same-key", name="Ann", reason="came late") == first
    assert [one.name for one in book.ask(lambda desk: desk.state.roster).players].count("Ann") == 1
    assert ask(dan, "players/add", name="ann", reason="came late")[0] == 409
    assert ask(dan, "players/rename", player="nobody", name="B", reason="x")[0] == 409
