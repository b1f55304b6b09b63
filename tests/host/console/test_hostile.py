"""Names, words, numbers and bytes that mean harm: answered with a sentence, shown as what they are, never obeyed."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser
from starlette.testclient import TestClient

from tests.host.console.browsing import PHONE, visiting
from tests.host.console.hall import BASE, Place, opened
from tests.host.console.serving import Serving
from tests.host.console.test_access import VALUES
from wallwright.console.guard import csrf_of
from wallwright.console.people.access import RULES
from wallwright.console.people.person import Person
from wallwright.event import sanctions
from wallwright.event.player_lists import read_players
from wallwright.event.players import NAME_LIMIT

NAMES = (
    "<script>document.owned = 1</script>",
    '"><img src=x onerror="document.owned = 1">',
    "'; DROP TABLE entries; --",
    "{{ 7 * 7 }}${7*7}<%= 7*7 %>",
    "M" * NAME_LIMIT,
    "שחקן 12 (ملك) 3",
    "&lt;b&gt;熊猫&amp;",
    "../../etc/passwd?x=1#y",
)
"""As players may be called; what is not printable or longer is refused before it gets here."""
WORDS = (*NAMES, "\u202eeslaf si siht", "a\x00b\x1b[31m", "W" * 500)
"""As reasons may read."""
BODIES = (
    b"",
    b"[",
    b"[" * 60_000,
    b'{"a":' * 10_000,
    b"\xff\xfe",
    b"null",
    b"1" * 5000,
    b'{"version":1e999,"reason":"x"}',
    b'{"version":' + b"9" * 5000 + b"}",
    b'{"version":10000000000000000000000000000000000000000,"session":99999999999999999999,"player":99999999999999999999}',
    b'{"name":"\\ud800","password":"\\ud800\\ud800\\ud800","token":"\\ud800","reason":"\\ud800","version":0}',
    b'{"record":{"a":"\\ud800"},"version":0,"reason":"x"}',
    b'{"record":{"a":NaN,"b":1e999},"version":0,"reason":"x"}',
    b'{"record":{"dealer":1e999,"events":[[[]],9],"hands":{"0":null},"end":[]},"version":0,"reason":"x"}',
    b'{"record":' + b'{"a":' * 9000 + b"1" + b"}" * 9000 + b',"version":0,"reason":"x"}',
    b'{"points":[1e308,-1e308,0,0],"minutes":1e308,"deal":1,"version":0,"reason":"x"}',
)
TYPES = ("text/plain", "multipart/form-data; boundary=x", "application/json; charset=utf-16", "")
VALUES_OF_PATHS = (
    "1" + "0" * 30,
    "-1",
    "9223372036854775808",
    "%00",
    "%FF%FE",
    "%E2%80%AE",
    "..%2F..%2Fetc%2Fpasswd",
    "%3Cscript%3E",
    "%27%3B%20DROP%20TABLE%20x%3B%20--",
    "x" * 10_000,
    "~1",
)
QUERIES = ("lang=%00", f"lang={'x' * 5000}", "step=1" + "0" * 30, "step=-1", "deal=1" + "0" * 30, "show=%3Cscript%3E")
QUERIES_OF_ALL = f"{'&'.join(QUERIES)}&format=..%2Fx&kind=%00&%FF=%FF"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Where everybody is the director, and a session is played."""
    with opened(tmp_path, "A1", "<script>T</script>", "'; --/~", guest=Person("<b>guest", "director")) as place:
        begin(place)
        yield place


def begin(place: Place) -> None:
    """A session of players with such names, and penalties for such reasons."""
    book = place.begin_event(len(NAMES), names=NAMES)
    dan = Person("<i>dan</i>", "director")
    for step in ("open", "start"):
        book.step(dan, 1, step, "")
    for number, word in enumerate(WORDS):
        book.do(dan, partial(sanctions.give_penalty, player=number % len(NAMES) + 1, name="warning", reason=word))


def client_of(place: Place) -> TestClient:
    client = TestClient(place.app, base_url=BASE, follow_redirects=False)
    client.headers["X-CSRF-Token"] = csrf_of("")
    return client


def endpoints(*methods: str) -> list[tuple[str, str, dict[str, str]]]:
    """All that answer once, with values that their paths may have."""
    found = []
    for method, path in sorted(RULES):
        if method in methods and not path.startswith(("/live/", "/api/v1/stream")):
            found.append(
                (method, path, VALUES | ({"table": "1"} if path.startswith(("/event/", "/api/v1/event/")) else {}))
            )
    return found


def test_whatever_is_sent_is_answered_with_a_sentence(place: Place) -> None:
    client = client_of(place)
    number = 0
    for method, path, values in endpoints("POST"):
        for body, kind in (*((body, "application/json") for body in BODIES), *((b'{"a":1}', kind) for kind in TYPES)):
            number += 1
            headers = {"Idempotency-Key": f"hostile-{number}", "Content-Type": kind}
            answer = client.request(method, path.format(**values), content=body, headers=headers)
            what = (method, path, body[:80], kind, answer.status_code, answer.text[:200])
            assert answer.status_code < 500, what
            assert answer.status_code == 200 or isinstance(answer.json()["problem"], str), what


def test_whatever_a_path_or_a_query_says_is_answered(place: Place) -> None:
    client = client_of(place)
    number = 0
    for method, path, values in endpoints("GET", "POST"):
        paths = [
            path.format(**values | {name: value}) for name in re.findall(r"{(\w+)}", path) for value in VALUES_OF_PATHS
        ] + ([f"{path.format(**values)}?{QUERIES_OF_ALL}"] if method == "GET" else [])
        for one in paths:
            number += 1
            body = {"version": 0, "reason": "x"} if method == "POST" else None
            answer = client.request(method, one, json=body, headers={"Idempotency-Key": f"hostile-{number}"})
            assert answer.status_code < 500, (method, one[:200], answer.text[:200])


def test_such_names_are_shown_as_what_they_are(place: Place) -> None:
    client = client_of(place)
    seen = ""
    for _, path, values in endpoints("GET"):
        for table in ("2", values["table"], quote("<script>T<~1script>", safe="")):
            page = client.get(path.format(**values | {"table": table}))
            if "html" not in page.headers.get("content-type", "") or page.status_code != 200:
                continue
            assert "<script>document" not in page.text, path
            assert "<script>T" not in page.text, path
            assert "<img src=x" not in page.text, path
            assert not re.search(r"<[bi]>(guest|dan)", page.text), path
            assert not re.search(r"49\$|\$49|&lt;%= 49|\$\{7\*7\}49", page.text), path
            assert "&lt;b&gt;熊猫" not in page.text, path
            seen += page.text
    for shown in ("&lt;script&gt;document", "DROP TABLE", "&amp;lt;b&amp;gt;熊猫", "{{ 7 * 7 }}", "eslaf si siht"):
        assert shown in seen, f"{shown} is on none of the pages"


def test_what_nobody_can_read_is_no_name(place: Place) -> None:
    for name in ("\u202eeman", "a\x00b", "M" * (NAME_LIMIT + 1), "\ud800", "M" * 10_000):
        with pytest.raises(Exception, match=r"which cannot be in a text|up to 64 characters"):
            read_players(f"name\n{name}\n", "players.csv").checked("players.csv")


@pytest.mark.parametrize("role", ["director", "public"])
def test_a_browser_is_not_led_astray_and_the_page_stays_as_wide_as_the_phone(
    browser: Browser, serving: Serving, role: str
) -> None:
    serving.stop()
    begin(serving.place)
    serving.start()
    paths = ["/screen", "/players", "/players/1", "/players/5"]
    paths += ["/", "/event", "/event/sessions/1/tables/1", "/event/sessions/1/tables/2"] if role == "director" else []
    with visiting(browser, serving, role, PHONE) as page:
        page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
        for path in paths:
            page.goto(serving.address + path)
            assert page.evaluate("document.owned") is None
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{path} is wider than a phone"
