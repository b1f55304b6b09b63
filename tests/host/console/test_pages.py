"""The pages: whatever somebody is called or has typed is text in them; nothing is loaded from elsewhere."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.host.console.hall import PASSWORD, Place, opened
from wallwright.console.pages import views
from wallwright.console.pages.views import ENVIRONMENT
from wallwright.console.static import STATIC
from wallwright.fleet.state import SEARCHING
from wallwright.shown_text import shown

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE accounts; --",
    "{{ 7 * 7 }}{% raw %}",
    "\u202eelbat\u202c \u2067שולחן\u2069",
    "𝕬" * 10_000,
    "a&b=c?d#e% /~1/~",
    "a\x00\x1b[2J\x7f\x9b\u2028\u200b",
)
TEMPLATES = Path(views.__file__).parents[1] / "templates"
SHORT = tuple(text[:32] for text in HOSTILE)


class Reader(HTMLParser):
    """The elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


def check_harmless(page: str) -> Reader:
    read = Reader(page)
    assert shown(page) == page
    for tag, attributes in read.elements:
        assert tag not in ("iframe", "object", "style")
        assert tag != "img" or re.fullmatch(r"/players/\d+/qr\.svg", str(attributes["src"]))
        assert not any(name.startswith("on") or name == "style" for name in attributes)
        if tag == "script":
            assert str(attributes["src"]).startswith("/static/")
        for name in ("href", "src", "hx-get", "data-api", "sse-connect", "action"):
            value = attributes.get(name)
            assert value is None or value.startswith(("/", "#")), (tag, name, value)
            assert value is None or not value.startswith("//")
    return read


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", SHORT)
def test_a_table_may_be_called_anything(tmp_path: Path, name: str, language: str) -> None:
    with opened(tmp_path, name, "B") as place:
        client = place.signed_in("director")
        client.cookies.set("lang", language)
        place.fleet.change(name, state="fault", fault="lane_jam", fault_side=1, drives=("disc", "conveyor_0"))
        place.look()
        hall = check_harmless(client.get("/").text)
        assert shown(name) in hall.text
        links = [str(attributes.get("href")) for tag, attributes in hall.elements if tag == "a"]
        [link] = [link for link in links if link.startswith("/tables/") and link != "/tables/B"]
        page = client.get(link)
        assert page.status_code == 200
        assert shown(name) in check_harmless(page.text).text
        question = client.get(f"{link}/confirm/stop")
        assert shown(name) in check_harmless(question.text).text
        asked = client.post(f"/api/v1{link}/commands/clear_fault", headers={"Idempotency-Key": "hostile-name"})
        assert asked.json()["table"] == name
        assert place.fleet.papers[name].asked == ["clear_fault"]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_a_board_or_a_person_says_is_text(place: Place, text: str) -> None:
    name = text[:64] if text.isprintable() else "ann"
    client = place.signed_in("director", name)
    assert name in Reader(client.get("/").text).text
    place.fleet.tables["A1"] = replace(place.fleet.tables["A1"], link=SEARCHING, problem=text)
    place.fleet.tell("A2", text, side=text)
    place.look()
    assert shown(text) in check_harmless(client.get("/").text).text
    assert shown(text) in check_harmless(client.get("/tables/A2").text).text


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_is_typed_breaks_the_door(place: Place, text: str) -> None:
    place.accounts.add("ann", "director", PASSWORD)
    client = place.client()
    for body in ({"name": text[:64], "password": text[:900]}, {"name": text, "password": text}):
        assert client.post("/api/v1/session", json=body).status_code in (401, 413, 422)
    for path in ("/first/{}", "/tables/{}", "/static/{}", "/?show={}", "/sign-in?lang={}"):
        answer = client.get(path.format(re.sub(r"[/?#%\x00-\x1f\x7f]", "", text[:200])))
        assert answer.status_code in (200, 303, 404)
        if answer.status_code != 303:
            check_harmless(answer.text)
    for cookie in ("wallwright_session", "lang", "theme"):
        other = place.client()
        other.cookies.set(cookie, re.sub(r"[^\x21-\x7e]|[;,\"\\]", "", text[:500]))
        check_harmless(other.get("/sign-in").text)
    assert len(place.accounts.people()) == 1


def test_every_answer_forbids_what_no_page_needs(place: Place) -> None:
    client = place.signed_in("screen")
    for path in ("/", "/tables/A1", "/static/console.js", "/api/v1/hall", "/nothing", "/api/v1/nothing", "/metrics"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "*" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] in ("no-store", "no-cache")


def test_what_pages_load_is_here_and_names_no_other_place(place: Place) -> None:
    page = place.signed_in("screen").get("/").text
    loaded = re.findall(r'(?:src|href)="(/static/[^"#]+)', page)
    assert len(loaded) >= 5
    for path in loaded:
        assert path.removeprefix("/static/") in STATIC
    for name, file in STATIC.items():
        if not name.startswith("htmx"):
            found = re.findall(rb"https?://[^\s\"')]+", file.content)
            assert set(found) <= {b"http://www.w3.org/2000/svg"}, name


def test_a_page_and_all_that_it_loads_is_small(tmp_path: Path) -> None:
    with opened(tmp_path, *(f"T{number}" for number in range(24))) as place:
        client = place.signed_in("screen")
        page = client.get("/")
        loaded = set(re.findall(r'(?:src|href)="(/static/[^"#]+)', page.text)) | {"/static/tiles.svg"}
        assert len(page.content) + sum(len(client.get(path).content) for path in loaded) < 150_000


def test_what_has_not_changed_is_not_sent_again(place: Place) -> None:
    client = place.client()
    first = client.get("/static/console.css")
    again = client.get("/static/console.css", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_the_question_before_a_stop_names_what_stops(place: Place) -> None:
    place.fleet.change("A1", state="building", drives=("disc", "conveyor_0", "conveyor_2"))
    place.fleet.tables["A2"] = replace(place.fleet.tables["A2"], link=SEARCHING)
    place.look()
    client = place.signed_in("scorer")
    assert "drum disc, belt (East), belt (West)" in client.get("/tables/A1/confirm/stop").text
    every = client.get("/confirm/stop-all").text
    assert "A1: drum disc, belt (East), belt (West)" in every
    assert "Not reached from here: A2" in every


def test_a_role_is_told_before_it_presses_what_it_may_not(place: Place) -> None:
    assert "may not" in place.signed_in("scorer").get("/tables/A1/confirm/open_lid").text
    assert "may not" not in place.signed_in("operator").get("/tables/A1/confirm/open_lid").text


def test_a_page_speaks_the_language_that_is_asked_for(place: Place) -> None:
    client = place.signed_in("screen")
    assert '<html lang="zh-Hans"' in client.get("/", headers={"Accept-Language": "zh-CN"}).text
    assert "全场停止" in client.get("/?lang=zh").text
    assert "Stop all tables" in client.get("/", headers={"Accept-Language": "fr"}).text


def test_a_side_that_is_out_is_named_in_the_hall_and_at_its_table(place: Place) -> None:
    guest = place.signed_in("screen")
    assert "no wall" not in guest.get("/").text + guest.get("/tables/A1").text
    place.fleet.change("A1", plan=(18, 18, 0, 18), stacks=(18, 4, 0, 0), sides_out=(2,))
    place.look()
    assert Reader(guest.get("/").text).text.count("West builds no wall") == 1
    page = guest.get("/tables/A1").text
    assert "0/0" not in page
    assert "0 / 0" not in page
    assert "West no wall" in page
    assert ">no wall</text>" in page


def test_no_template_has_a_number_that_needs_a_syntax_tree() -> None:
    """Jinja reads a number with a point by `ast`, which CPython 3.11 refuses at some depths of the stack, by luck."""
    names = ENVIRONMENT.list_templates()
    assert len(names) > 40
    for name in names:
        source = (TEMPLATES / name).read_text(encoding="utf-8")
        assert [text for _, kind, text in ENVIRONMENT.lex(source) if kind == "float"] == [], name
