"""The pages of a season: published into a folder, served, and read in Debian's Chromium down to a deal's proof."""

import json
import os
import re
import threading
from base64 import b32encode, b64decode, b64encode
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urldefrag, urljoin
from urllib.request import Request, urlopen
from xml.etree.ElementTree import fromstring

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests import needs
from tests.host.console.browsing import CHROMIUM, PATIENCE_MS, PHONE, checks_passed, shown
from tests.host.season.halls import EAST, STRANGER, WEST, Run, day, extract, printed, rows
from tests.host.season.serving import SEASON, season_server
from tests.length import length
from tests.proofs.served import DaysPage, days_pages
from wallwright.console.season import served
from wallwright.journal.entry import to_json
from wallwright.journal.season_address import SeasonAddress
from wallwright.season.days import withdraw_day
from wallwright.season.desk import open_season
from wallwright.season.extract import make_extract
from wallwright.season.extract_check import check_extract
from wallwright.season.report.sender import SeasonServer

ATOM = "{http://www.w3.org/2005/Atom}"


class Links(HTMLParser):
    """What a page leads to, and the names in it that links may lead to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: set[str] = set()
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src", "data-check") and value:
                self.links.add(value)
            if name == "id" and value:
                self.ids.add(value)


@contextmanager
def web_server(folder: Path) -> Iterator[str]:
    """Somebody's web server, which knows nothing of seasons."""

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its name there)
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def reading(phone: bool = False) -> Iterator[Page]:
    """A page in a browser; what it complains about fails the test."""
    needs.program("chromium")
    with sync_playwright() as playwright:
        browser: Browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport=PHONE if phone else {"width": 1280, "height": 860})
        page.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
        page.on("request", lambda request: complaints.append(request.url) if "127.0.0.1" not in request.url else None)
        try:
            yield page
        finally:
            browser.close()
        assert not complaints


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def summaries(feed: bytes) -> list[str | None]:
    return [entry.findtext(f"{ATOM}summary") for entry in fromstring(feed).iter(f"{ATOM}entry")]


def test_from_the_calendar_to_a_deal_and_its_proof(full: Run, tmp_path: Path) -> None:
    full("publish year.season site")
    leader = rows(full("standings year.season --json"))[0]
    with web_server(tmp_path / "site") as address, reading() as page:
        page.goto(f"{address}/index.html")
        shown(page, "season index")
        assert checks_passed(page) > 10
        page.locator("#calendar").get_by_role("link", name="Grand Prix").first.click()
        page.get_by_role("button", name="Check the proofs").click()
        expect(page.locator("#checked")).to_contain_text("The proof holds: 20 results on this page")
        assert checks_passed(page) > 10
        page.get_by_text("Session 1, table 2").click()
        expect(page.locator("details[open] td.proof")).to_have_count(2)
        shown(page, "season day")
        # Somebody is found by a part of the name, and a number of theirs leads to the deal.
        page.goto(f"{address}/index.html")
        page.get_by_role("searchbox").fill(str(leader["name"]).lower())
        expect(page.locator("#everybody li:visible")).to_have_count(1)
        page.locator("#everybody li:visible a").click()
        expect(page.locator(".figure").first).to_contain_text(str(leader["total"]))
        shown(page, "season person")
        assert checks_passed(page) > 10
        dates = page.locator("svg.plot").first.locator("text[text-anchor]")
        assert all(re.fullmatch(r"2016-09-\d\d", one) for one in dates.all_text_contents())
        assert dates.count() in (1, 2)
        person = page.url
        deal = rows(full(f"deals year.season {leader['person']} --json"))[3]
        page.get_by_role("link", name=f"deal {deal['deal']}", exact=True).nth(3 // 2).click()
        target = page.locator(f"#e{deal['entry']}")
        expect(target).to_be_visible()
        seat = page.locator("table", has=target).locator("th", has_text=str(leader["name"]))
        column = seat.evaluate("cell => cell.cellIndex")
        assert target.locator("td").nth(column).inner_text() == f"{deal['points']:+d}"
        page.get_by_role("link", name="中文").click()
        expect(page.get_by_role("button", name="核对证明")).to_be_visible()
        # A phone breaks names between words, not between letters.
        page.set_viewport_size(PHONE)
        page.goto(person)
        shown(page, "season person on a phone")
        lines = page.locator("td a").evaluate_all("all => all.map(one => one.getClientRects().length)")
        assert 0 < max(lines) <= 2


ANYBODYS = bytes([1, *bytes(31)])
"""The neutral element: under this key the signature of this point and the number 0 fits every message."""


def signed_by_nobody(told: dict[str, Any]) -> bytes:
    """The file with a checkpoint and a signature under the neutral key."""
    _, size, root, *_ = told["extract"]["checkpoint"].split(":")
    signature = ANYBODYS + bytes(32)
    values = ":".join(b32encode(one).decode().rstrip("=") for one in (ANYBODYS, signature))
    extract = told["extract"] | {"checkpoint": f"WALLWRIGHT2:{size}:{root}:{values}"}
    return (to_json({"extract": extract, "signature": signature.hex()}) + "\n").encode()


def with_true_leaf(told: bytes, entry: int, points: list[int]) -> bytes:
    """The file with other points of an entry, whose true leaf is stated beside them."""
    checked = check_extract(told, "x")
    body = json.loads(told)
    extract = body["extract"]
    for one in extract["results"]:
        one["points"] = points if one["entry"] == entry else one["points"]
    extract["stated"].append([entry, 1, None, "penalty_withdrawn", {}])
    extract["leaves"] = b64encode(b64decode(extract["leaves"]) + checked.leaves[entry]).decode()
    return (to_json(body) + "\n").encode()


def test_a_page_finds_that_its_server_lies(full: Run, tmp_path: Path) -> None:
    """Attack: the season's server changes the page, the file, or both; the hall has signed the file."""
    full("publish year.season site")
    site = tmp_path / "site"
    (page_file,) = [path for path in (site / "days").iterdir() if "2016-09-12" in path.read_text()]
    text = page_file.read_text()
    name = text.partition('data-check="../')[2].partition('"')[0]
    told = (site / name).read_bytes()
    result = json.loads(told)["extract"]["results"][3]
    points, entry = result["points"], result["entry"]
    other = [points[1], points[0], *points[2:]] if points[0] != points[1] else [9, -3, -3, -3]
    row = re.findall(f'<tr id="e{entry}">.*?</tr>\n', text)[0]
    last = re.findall(r'<tr id="e\d+">.*?</tr>\n', text)[-1]
    checkpoint = json.loads(told)["extract"]["checkpoint"]

    def written(values: list[int]) -> bytes:
        return f"[{','.join(map(str, values))}]".encode()

    def cells(values: list[int]) -> str:
        return "".join(f'<td class="right">{points:+d}</td>' for points in values)

    falsified = text.replace(row, row.replace(cells(points), cells(other)))
    nobodys = signed_by_nobody(json.loads(told))
    anybodys = json.loads(nobodys)["extract"]["checkpoint"]
    lies = {
        "points on the page": (falsified, told),
        "points in the file": (text, told.replace(written(points), written(other), 1)),
        "points in both, the true leaf beside them": (falsified, with_true_leaf(told, entry, other)),
        "a name": (text, told.replace(b"Player 01", b"Player 10", 1)),
        "a hash more": (text, told.replace(b'"proof":"', b'"proof":"AAAA', 1)),
        "a key with which anybody can sign": (text.replace(checkpoint, anybodys), nobodys),
        "two rows exchanged": (text.replace(row, "@").replace(last, row).replace("@", last), told),
        "a row without a name": (falsified.replace(f' id="e{entry}"', ""), told),
        "a row of an entry that is none": (text.replace(f">{entry}</td></tr>", ">1</td></tr>"), told),
        "a row left out": (text.replace(row, ""), told),
        "a row twice": (text.replace(row, row + row), told),
        "a row outside of its table": (text.replace(row, "").replace("</main>", f"<table>{row}</table></main>"), told),
        "another table": (text.replace("Session 1, table 1", "Session 1, table 2"), told),
        "another deal": (text.replace(row, row.replace("<td>", "<td>1")), told),
        "another checkpoint": (text.replace(checkpoint, checkpoint.replace("WALLWRIGHT2:", "WALLWRIGHT2:1")), told),
        "no key in the words": (text.replace("{key}", "AOQQ"), told),
    }  # fmt: skip
    with web_server(site) as address, reading() as page:
        page.route("**/extracts/*", lambda route: route.continue_(headers={"cache-control": "no-cache"}))
        for lie, (shown_text, shown_extract) in lies.items():
            assert (shown_text, shown_extract) != (text, told), lie
            page_file.write_text(shown_text)
            (site / name).write_bytes(shown_extract)
            page.goto(f"{address}/days/{page_file.name}?{quote(lie)}")
            page.get_by_role("button", name="Check the proofs").click()
            expect(page.locator("#checked"), lie).to_contain_text("The proof does not hold")
            expect(page.locator("td.proof"), lie).to_have_count(0)
        # A file that another hall has signed is true of that hall: the page names the key by which it was proved.
        strangers = make_extract("four.journal", STRANGER)
        theirs = json.loads(strangers)["extract"]["checkpoint"]
        page_file.write_text(text.replace(checkpoint, theirs))
        (site / name).write_bytes(strangers)
        page.goto(f"{address}/days/{page_file.name}?stranger")
        page.get_by_role("button", name="Check the proofs").click()
        expect(page.locator("#checked")).to_contain_text(f"signed by the key {printed(STRANGER)}.")
        expect(page.locator("#checked")).to_contain_text("Not proved here: that the hall has left nothing out")
        expect(page.locator("#checked")).not_to_contain_text(printed(WEST))


def test_a_day_s_page_says_what_a_case_proves_and_nothing_else(season: Run, tmp_path: Path, seed: int) -> None:
    """Attack: the season's server sends what a case has, as page and as the hall's file."""
    season("add year.season one.extract")
    season("publish year.season site")
    (true,) = (tmp_path / "site" / "days").iterdir()
    pages = list(days_pages())
    assert len(pages) > 480
    one: DaysPage
    with web_server(tmp_path / "site") as address, reading() as page:
        page.route("**/days/*", lambda route: route.fulfill(body=one.text(true.read_text()), content_type="text/html"))
        page.route("**/extracts/*", lambda route: route.fulfill(body=one.case["text"], content_type="application/json"))
        for one in Random(seed).sample(pages, length(5, len(pages))):
            page.goto(f"{address}/days/{true.name}")
            page.get_by_role("button", name="Check the proofs").click()
            page.locator("#checked:is(.fails, .proof)").wait_for()
            said, words = page.locator("#checked").inner_text(), page.locator("[data-check]").get_attribute("data-why")
            assert said.partition(" Not proved here:")[0] == one.says(json.loads(words or "")), one.name
            assert said.startswith("The proof holds") == one.accepted, one.name
            assert page.locator("td.proof").count() == (len(one.case["rows"]) if one.accepted else 0), one.name


def test_every_link_leads_somewhere_and_nothing_is_from_elsewhere(full: Run, tmp_path: Path) -> None:
    assert "0 deleted" in full("publish year.season site").out
    published = files(tmp_path / "site")
    pages = {path: Links(data.decode()) for path, data in published.items() if path.endswith(".html")}
    assert len(pages) == 2 * (1 + 4 + 16)
    for path, found in pages.items():
        for link in found.links:
            place, name = urldefrag(urljoin(f"x/{path}", link) if not link.startswith("#") else f"x/{path}{link}")
            target = place.removeprefix("x/")
            assert target in published, (path, link)
            assert not name or target not in pages or name in pages[target].ids or name == "mark", (path, link)
    assert sorted(json.loads(published["files.json"])) == sorted(published.keys() - {"files.json"})
    for one in json.loads(published["api/season.json"])["days"]:
        here = check_extract(published[one["extract"]], "x").day
        assert (here.date, here.checkpoint) == (one["date"], one["checkpoint"])
    listed = rows(full("standings year.season --json"))
    told = json.loads(published["api/standings.json"])
    assert [(one["rank"], one["person"], one["total"]) for one in told] == [
        (row["rank"], row["person"], str(row["total"])) for row in listed
    ]


@pytest.mark.parametrize(("umask", "file", "folder"), [(0o022, 0o644, 0o755), (0o077, 0o600, 0o700)])
def test_what_is_published_may_be_read_as_the_user_s_own_files(
    season: Run, tmp_path: Path, umask: int, file: int, folder: int
) -> None:
    before = os.umask(umask)
    try:
        season("publish year.season a/site")
    finally:
        os.umask(before)
    modes = {path: path.stat().st_mode & 0o777 for path in (tmp_path / "a", *(tmp_path / "a").rglob("*"))}
    assert {mode for path, mode in modes.items() if path.is_file()} == {file}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {folder}
    assert len(modes) > 15
    assert (tmp_path / "year.season").stat().st_mode & 0o077 == 0


def test_what_is_published_again_is_what_has_changed(full: Run, tmp_path: Path) -> None:
    assert ", 0 of them written" not in full("publish year.season site").out
    assert ", 0 of them written, 0 deleted." in full("publish year.season site").out
    before = files(tmp_path / "site")
    assert json.loads(full("publish year.season site --json").out)["written"] == 0
    with open_season(str(tmp_path / "year.season"), "Ann") as desk:
        # As programs have let through that did not look at such characters.
        withdraw_day(desk, "2016-09-12", "a \x0bfault <b>")
    told = json.loads(full("publish year.season site --json").out)
    after = files(tmp_path / "site")
    assert told["deleted"] == len(before.keys() - after.keys()) == 3
    assert summaries(after["feed.atom"]).count("a \\u000bfault <b>") == 1
    assert b"fault &lt;b&gt;" in after["index.html"]
    assert len({entry.findtext(f"{ATOM}id") for entry in fromstring(after["feed.atom"]).iter(f"{ATOM}entry")}) == 4
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("mine")
    assert "has other things in it" in full("publish year.season mine", 2).err
    (tmp_path / "site" / "files.json").write_text('["../year.season"]')
    assert "names files outside" in full("publish year.season site", 2).err
    assert (tmp_path / "year.season").exists()


def test_a_corrected_day_is_shown_with_its_reason(
    season: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("one", "two", "three"):
        season(f"add year.season {name}.extract")
    monkeypatch.setattr(served, "LOOK_S", 0)
    monkeypatch.setattr(served, "WAIT_S", 60)
    with season_server("year.season") as address:
        season("publish year.season site")
        for path, data in files(tmp_path / "site").items():
            if path != "files.json":
                with urlopen(f"{address}/{path}") as answer:
                    assert answer.read() == data, path
                    assert "default-src 'none'" in answer.headers["content-security-policy"]
        with urlopen(f"{address}/") as answer:
            tag = answer.headers["etag"]
        with pytest.raises(HTTPError) as same:
            urlopen(Request(f"{address}/", headers={"if-none-match": tag}))
        assert same.value.code == 304
        somebody = json.loads(files(tmp_path / "site")["api/persons.json"])[0]["page"].replace(".html", "")
        nowhere = ("nothing.html", "zh/feed.atom", "days/x.html", "..%2f..%2fyear.season", "persons/x.html")
        for strange in (*nowhere, f"{somebody}.json", f"api/{somebody}.html", f"{somebody}.", "api/", "zh"):
            with pytest.raises(HTTPError) as missing:
                urlopen(f"{address}/{strange}")
            assert missing.value.code == 404
        # What the desk writes meanwhile is there.
        played = day(tmp_path / "two.journal", range(9, 17), 0, "two")
        played.correct(1, 1, 1, (120, -40, -40, -40), "the hand was counted wrongly")
        extract(played, WEST, tmp_path / "two.extract")
        season("add year.season two.extract --reason 'an appeal was upheld'")
        with urlopen(f"{address}/index.html") as answer:
            assert "corrected: an appeal was upheld" in answer.read().decode()
        # A day whose extract is lost leaves the pages as they were, and whoever serves them hears of it.
        season("add year.season four.extract")
        for kept in Path("year.season.days").iterdir():
            kept.rename(kept.with_suffix(".lost"))
        with urlopen(f"{address}/index.html") as answer:
            assert "2016-09-12" not in answer.read().decode()
        assert "the pages show the season as it was" in capsys.readouterr().err
        for kept in Path("year.season.days").iterdir():
            kept.rename(kept.with_suffix(".json"))
        with urlopen(f"{address}/index.html") as answer:
            assert "2016-09-12" in answer.read().decode()
        feed = urlopen(f"{address}/feed.atom")
    assert summaries(feed.read()).count("an appeal was upheld") == 1


def test_a_final_is_on_top_and_its_finalists_are_who_they_are(full: Run, tmp_path: Path) -> None:
    full("draw commit year.season")
    full("draw add year.season 'Ann Lee' '4 2 6'")
    full("draw reveal year.season")
    full("final year.season final.journal")
    final = day(tmp_path / "final.journal", range(1, 10), 60, "final")
    final.go_on()
    # Its hall reports it by itself, and by its seats it is known for what it is.
    with (
        served.taking_reports("year.season", SEASON, lambda: 1) as address,
        closing(SeasonServer(SeasonAddress.told(address, printed(SEASON)), EAST)) as hall,
    ):
        assert hall.send(make_extract(str(final.path), EAST))["state"] == "added"
    full("publish year.season site")
    site = files(tmp_path / "site")
    listed = json.loads(full("standings year.season --json").out.splitlines()[0])
    told = json.loads(site["api/season.json"])["days"][-1]
    assert told["final"] is True
    (winner,) = [one for one in json.loads(site["api/persons.json"]) if one["person"] == listed["person"]]
    assert winner["page"].encode() in site["index.html"].partition(b'id="final"')[2].partition(b"</a>")[0]
    assert site[told["page"]].count(winner["page"].encode()) > 1
    played = json.loads(site[f"api/{winner['page'].replace('.html', '.json')}"])
    assert {one["day"] for one in played["deals"]} > {told["day"]}
    assert played["ratings"][0]["days"][-1]["day"] == told["day"]
