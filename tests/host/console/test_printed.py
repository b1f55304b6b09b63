"""What is printed: score sheets, slips, the report; and on no printed page a form, a menu or a button."""

from fractions import Fraction

import pytest
from playwright.sync_api import Browser

from tests.host.console.browsing import shown, visiting
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.console.test_access import VALUES
from tests.host.console.test_pages import check_harmless
from tests.host.console.test_taken_home import DAN, play
from wallwright.console.people.access import RULES
from wallwright.event import running, sanctions
from wallwright.event.desk import Desk


def fill(place: Place) -> None:
    """Two sessions: one published, with a penalty, one in play."""

    def act(desk: Desk) -> None:
        play(desk, 1)
        player = desk.sheet(1, 1).players[0]
        sanctions.give_penalty(desk, player, "points", "was late", amount=Fraction(2), session=1)
        running.publish(desk, 1)
        running.open_session(desk, 2)
        running.start_session(desk, 2)

    place.begin_event(8).do(DAN, act)


def text_of(place: Place, role: str, path: str) -> str:
    answer = place.signed_in(role).get(path)
    assert answer.status_code == 200, path
    return check_harmless(answer.text).text


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_score_sheets_have_a_table_each_with_names_and_lines(place: Place, lang: str) -> None:
    fill(place)
    answer = place.signed_in("scorer").get(f"/event/sessions/2/score-sheets?lang={lang}").text
    assert answer.count('class="paper"') == 2
    for sheet in answer.split('class="paper"')[1:]:
        assert sheet.count('<tr><th scope="row">') == 10 + 2 + 1, "ten deals, two more, the total"
    names = place.site.event.ask(lambda desk: [desk.state.name(one) for one in desk.sheet(2, 1).players])
    first = answer.split('class="paper"')[1]
    assert [first.index(f"<bdi>{name}</bdi>") for name in names] == sorted(
        first.index(f"<bdi>{one}</bdi>") for one in names
    )
    assert place.signed_in("scorer").get("/event/sessions/99/score-sheets").status_code == 404
    assert place.client().get("/event/sessions/2/score-sheets").status_code == 303


def test_slips_have_the_points_that_are_signed(place: Place) -> None:
    fill(place)
    text = text_of(place, "scorer", "/event/sessions/1/slips")
    sheet = place.site.event.view.session(1).tables[0]  # type: ignore[union-attr]
    for (_, name), points in zip(sheet.players, sheet.points, strict=True):
        assert name in text
        assert (f"{points:+d}" if points else "0") in text
    assert text.count("Signature") == 2
    assert "Deals: 0" not in text_of(place, "scorer", "/event/sessions/2/slips")


def test_the_report_has_all_that_everybody_may_know(place: Place) -> None:
    fill(place)
    text = text_of(place, "public", "/event/report")
    book = place.site.event
    for wanted in ("Standings", "Session 1", "was late", "Points taken 2", book.view.checkpoints[0].text, "Commitment"):
        assert wanted in text, wanted
    assert book.draws[0].commitment in text
    assert all(row.name in text for row in book.view.ranks)
    assert "Session 2" not in text.partition("Penalties")[0]


CONTROLS = "form, button, input, select, textarea, summary, nav, dialog, .links, .acts"


def test_no_printed_page_has_a_form_a_menu_or_a_button(browser: Browser, serving: Serving) -> None:
    fill(serving.place)
    skipped = (
        "/static/",
        "/live/",
        "/api/",
        ".svg",
        "{paper}",
        "/backup",
        "/confirm",
        "/together/",
        "/metrics",
        "{token}",
        "{entry}",
    )
    paths = sorted(
        path.format(**VALUES | ({"table": "1"} if "{session}" in path else {}))
        for (method, path), roles in RULES.items()
        if method == "GET" and "director" in roles and not any(one in path for one in skipped)
    )
    assert {"/", "/event", "/event/report", "/event/sessions/1/slips", "/event/sessions/1/tables/1"} <= set(paths)
    seen = {}
    with visiting(browser, serving, "director") as page:
        page.emulate_media(media="print")
        for path in paths:
            page.goto(serving.address + path, wait_until="domcontentloaded")
            seen[path] = page.evaluate(
                """(controls) => [...document.querySelectorAll(controls)].filter((one) => {
                  if (one.matches("form") && one.querySelector(":scope > p.grow")) return false;
                  return one.checkVisibility() && one.getBoundingClientRect().height > 0;
                }).map((one) => one.outerHTML.slice(0, 90))""",
                CONTROLS,
            )
            if path in ("/event/report", "/event/sessions/1/slips", "/event/sessions/1/score-sheets"):
                shown(page, f"printed {path.rpartition('/')[2]}")
    assert {path: found for path, found in seen.items() if found} == {}
