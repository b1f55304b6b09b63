"""An evening of pairs in Debian's Chromium: `wallwright serve`, a director's station, two tables that sort, players.

What leaves before the reveal is kept and searched: answers to the browser, streams, the API, the log of the server,
the station's terminal, the files of the hall.
"""

import json
import os
import re
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx2
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.host.cli.test_simulate import Served as Simulated
from tests.host.console.browsing import DESK, PHONE, shown, visiting
from tests.host.console.hall import PASSWORD
from tests.host.console.leaving import Kept, secrets_of
from tests.host.console.serving import Serving
from tests.host.console.test_serve import started
from tests.host.event.test_pair_movements import roster
from tests.host.event.test_pairs import FORMAT
from tests.host.fleet.served import config_text
from tests.host.programs import RUNNER
from wallwright.clocks import wall_ms
from wallwright.doctor.bench import Bench
from wallwright.duplicate.announced import announced
from wallwright.duplicate.deals import OWN, Deals
from wallwright.duplicate.drawing import check_drawn, commitment, draw_deals
from wallwright.duplicate.sealed import read_open, seal
from wallwright.event import running, setup
from wallwright.event.format_file import parse_format
from wallwright.event.same_deals import commit_deals
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event
from wallwright.journal import read_journal
from wallwright.journal.kinds.tables import WallPrescribed
from wallwright.table.table import open_table
from wallwright.tiles.enrolment import Enrolment, enrolment_path, save_enrolment
from wallwright.tiles.prescribed import compare_wall
from wallwright.tiles.station import director_key, trust_director
from wallwright.tiles.verify import AGREES, verify_wall
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.sorters import read_hardware

SEEDS = (61, 62)
PACE = "3"
DEALS_PASSWORD = "a long one for deals"
SEATED = ("East", "South", "West", "North")
RESULTS = {(1, 1): (3, -1, -1, -1), (2, 1): (-6, 2, 2, 2), (1, 2): (0, 8, 0, -8), (2, 2): (0, 0, 0, 0)}
"""Points by seat, by table and deal, as they stand on the score sheets."""


def sorting(seed: int) -> Simulated:
    """A table in real time, some times faster, with a ring that sorts."""
    return Simulated("--tcp", "0", "--pace", PACE, "--seed", str(seed), "--hardware", "ring", "--magnets", "18")


def enrolment(seed: int) -> Enrolment:
    """The list of the tags of that table, as if somebody had enrolled them."""
    same = Simulation(seed, hardware=read_hardware("ring", magnets=18))
    return Enrolment(same.unit, same.world.tiles, (same.world.tags(0), same.world.tags(1)))


def bring_up(table: Simulated) -> None:
    """From ready walls to walls that are drawn in: the lid opens, people push their tiles in, and close it."""
    table.press("l0")
    table.said("DROP")
    table.press("p", "l0")
    table.said("DICE")
    table.press("w")


def begin(journal: Path, deals: Deals, units: Sequence[str]) -> None:
    """Four pairs at two tables, who play two deals in one session."""
    with open_event(str(journal), "dan", wall_ms, new=True) as desk:
        setup.create(desk, parse_format(FORMAT.format(kind="pairs", sessions=1, deals=2), "test"))
        setup.import_players(desk, roster(4, 2), "a list")
        setup.commit_draw(desk, MAIN, bytes(32))
        setup.reveal_draw(desk, MAIN, bytes(32))
        commit_deals(desk, announced(deals))
        for table, unit in enumerate(units, 1):
            setup.bind_table(desk, table, unit)
        running.open_session(desk, 1)
        running.start_session(desk, 1)


def station(folder: Path, address: str) -> Any:
    """The director's station, as a program of its own, with the director's own files."""
    line = ["deals", "station", folder / "a.deals", "--server", address, "--user", "ann", "--json"]
    line += ["--password-file", folder / "deals.txt", "--user-password-file", folder / "ann.txt"]
    return RUNNER.start(*map(str, line), env={**os.environ, "XDG_DATA_HOME": str(folder / "director")})


def enter(page: Page, address: str, table: int, deal: int) -> None:
    """Write the points of a deal as they stand at the table."""
    page.goto(f"{address}/event/sessions/1/tables/{table}")
    page.get_by_text("Points by a referee's word").click()
    for seat, points in enumerate(RESULTS[table, deal]):
        page.locator(f"#points-{seat}").fill(str(points))
    page.locator("#rule-reason").fill("from the score sheet")
    with page.expect_navigation():
        page.get_by_role("button", name="Write these points").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def where(page: Page, table: int) -> Any:
    """The row of a table on the director's page."""
    return page.locator(".walls-of li").filter(has_text=f"Table {table}")


@pytest.mark.timeout(600)  # two walls are built at three times a real table's pace, some 50 s
def test_an_evening_of_the_same_deals_from_the_release_to_the_travellers(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "hall"
    home.mkdir()
    deals = draw_deals("evening", "mil-2025-duplicate", OWN, 2, 1)
    seal(tmp_path / "a.deals", deals, DEALS_PASSWORD)
    (tmp_path / "deals.txt").write_text(DEALS_PASSWORD + "\n")
    (tmp_path / "ann.txt").write_text(PASSWORD + "\n")
    people = [sorting(seed) for seed in SEEDS]
    enrolled = [enrolment(seed) for seed in SEEDS]
    kept = Kept()
    try:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "director"))
        for one, tags in zip(people, enrolled, strict=True):
            with open_table(one.port) as table:
                with Bench(table).in_service():
                    table.request("set_enrolment", tags.digest())
                trust_director(table, director_key())
        save_enrolment(enrolment_path(enrolled[0].unit), enrolled[0])
        monkeypatch.setenv("XDG_DATA_HOME", str(home))
        begin(home / "hall.journal", deals, [one.unit for one in enrolled])
        file = home / "hall.toml"
        tables = [f'name = "A{number}"\nport = "{port}"' for number, port in enumerate((one.port for one in people), 1)]
        file.write_text(config_text(home / "hall.journal", tables))
        with started("--config", str(file), "--log", "json") as (process, address):
            token = process.stdout.readline().strip().rpartition("/")[2]
            kept.read("the server's output", process.stdout)
            kept.read("the server's log", process.stderr)
            play(tmp_path, browser, people, enrolled, (address, token), deals, kept)
        entries = list(read_journal(home / "hall.journal"))
    finally:
        # Shown where the test fails.
        print(*(f"{name}: {said.getvalue()[-1500:]!r}" for name, said in kept.said.items() if " " in name), sep="\n")
        for one in people:
            one.process.kill()
            one.process.communicate()
    built = [one.said for one in entries if isinstance(one.said, WallPrescribed)]
    assert [one.match for one in built] == [1] * 4
    # What was sealed while others had still to play it is open to everybody, and is the wall that was drawn.
    for tags in enrolled:
        found = verify_wall(entries, 1, tags.unit, tags)
        assert (found.verdict, found.unread) == (AGREES, 0), found
        assert compare_wall(deals, 1, found.wall, tags).match
    assert {where for where in kept.said if where.startswith("stream")} == {f"stream {path}" for path in STREAMS}


ENDING = re.compile(r"^(?!.*/live/)")
"""Addresses of what has an end; a stream has none, and is read by `Kept.stream`."""
STREAMS = ("/live/event/deals", "/live/hall", "/live/tables/A1", "/live/event", "/live/screen", "/api/v1/stream")


def play(
    folder: Path,
    browser: Browser,
    people: Sequence[Simulated],
    enrolled: Sequence[Enrolment],
    door: tuple[str, str],
    deals: Deals,
    kept: Kept,
) -> None:
    """The evening, from the director's first account to the travellers."""
    address, token = door
    there = cast(Serving, SimpleNamespace(address=address))
    with (
        visiting(browser, there, "public", DESK) as page,
        visiting(browser, there, "public", PHONE) as phone,
        visiting(browser, there, "public", PHONE, "zh-CN") as chinese,
    ):
        for one in (page, phone, chinese):
            one.route(ENDING, kept.see)
        page.goto(f"{address}/first/{token}")
        page.locator("#name").fill("ann")
        page.locator("#password").fill(PASSWORD)
        with page.expect_navigation():
            page.get_by_role("button", name="Make the account").click()
        phone.goto(f"{address}/players/1")
        expect(phone.locator(".place")).to_contain_text("table")
        page.goto(f"{address}/event")
        page.get_by_role("link", name="Deals of all tables").click()
        expect(page.locator('[data-where="unasked"]')).to_have_count(2)
        expect(page.get_by_text("No director's machine asks")).to_be_visible()
        shown(page, "evening-nobody-asks")
        cookies = {one["name"]: one["value"] for one in page.context.cookies() if "name" in one and "value" in one}
        with httpx2.Client(base_url=address, timeout=60, cookies=cookies) as client:
            streams = [kept.stream(client, path) for path in STREAMS]
            for stream in streams:
                stream.__enter__()
            director = station(folder, address)
            readers = [
                kept.read("the station's output", director.stdout),
                kept.read("the station's errors", director.stderr),
            ]
            try:
                first_deal(page, phone, people, enrolled, folder)
                second_deal(page, people, address)
                before_the_reveal(page, chinese, client, address)
                director.wait(60)
            finally:
                director.kill()
                director.wait()
                for reader in readers:
                    reader.join()
                director.stdout.close()
                director.stderr.close()
            for stream in streams:
                stream.__exit__(None, None, None)
            search(kept, folder, deals, enrolled)
        reveal(page, phone, chinese, folder, address, deals)


def first_deal(
    page: Page, phone: Page, people: Sequence[Simulated], enrolled: Sequence[Enrolment], folder: Path
) -> None:
    """One table is in the way until the list of its tags is on the director's machine; then both build deal 1."""
    expect(where(page, 1)).to_have_attribute("data-where", "released")
    expect(where(page, 2)).to_have_attribute("data-where", "blocked")
    assert page.locator(".walls-of li").first.inner_text().startswith("Table 2")
    expect(where(page, 2)).to_contain_text("The list of this table's tags is not on the director's machine")
    shown(page, "evening-in-the-way")
    here = enrolment_path(enrolled[1].unit).relative_to(folder / "hall")
    save_enrolment(folder / "director" / here, enrolled[1])
    expect(where(page, 2)).to_have_attribute("data-where", "released")
    for table in people:
        table.press("l0")
    for number, table in enumerate(people, 1):
        table.said("READY")
        expect(where(page, number)).to_have_attribute("data-where", "matched")
    shown(page, "evening-matched")
    for number, table in enumerate(people, 1):
        bring_up(table)
        # The walls of deal 1 are up, so the next ones are for deal 2.
        expect(where(page, number)).to_contain_text("rawn deal 2")
        table.press("d0")
        expect(where(page, number)).to_contain_text("plays deal 1")
    phone.reload()
    expect(phone.locator(".left").first).to_contain_text("until the end")
    shown(phone, "evening-phone")


def second_deal(page: Page, people: Sequence[Simulated], address: str) -> None:
    """While deal 1 is played both tables build deal 2; then that is played."""
    for number, table in enumerate(people, 1):
        table.said("READY")
        expect(where(page, number)).to_have_attribute("data-where", "matched")
    shown(page, "evening-building-while-playing")
    for number in (1, 2):
        enter(page, address, number, 1)
    page.goto(f"{address}/event/deals")
    expect(page.get_by_role("row", name="1 drawn deal 1 East 2 of 2")).to_be_visible()
    for number, table in enumerate(people, 1):
        bring_up(table)
        expect(where(page, number)).to_have_attribute("data-where", "done")
        table.press("d1")
        expect(where(page, number)).to_contain_text("plays deal 2")
    for number in (1, 2):
        enter(page, address, number, 2)


def before_the_reveal(page: Page, chinese: Page, client: httpx2.Client, address: str) -> None:
    """Both tables sign, the session is published; pages and API are asked for all that they would tell."""
    page.goto(f"{address}/event")
    for table in (1, 2):
        page.get_by_role("button", name=f"Sign off, table {table}").click()
        expect(page.get_by_role("button", name=f"Sign off, table {table}")).to_have_count(0)
    page.get_by_label("Reason: Stop the session").fill("both tables have played")
    page.get_by_label("Yes, end it for all tables").check()
    page.get_by_role("button", name="Stop the session").click()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("under appeal").first).to_be_visible()
    chinese.goto(f"{address}/event/standings")
    expect(chinese.get_by_role("link", name="各桌成绩对照")).to_have_count(0)
    assert chinese.goto(f"{address}/event/travellers").status == 409  # type: ignore[union-attr]
    for path in ("/", "/tables/A1", "/tables/A2", "/event/deals", "/screen", "/players/1", "/event/standings"):
        page.goto(f"{address}{path}")
    for path in ("/hall", "/tables/A1", "/tables/A2/events", "/event", "/event/deals", "/tables/A1/sorter"):
        assert client.get(f"/api/v1{path}").status_code == 200, path
    page.goto(f"{address}/metrics")


def search(kept: Kept, folder: Path, deals: Deals, enrolled: Sequence[Enrolment]) -> None:
    """Nothing that has left, and nothing on the hall's disk, has a tag, the nonce, the seed or the order of faces."""
    said = {name: data.getvalue() for name, data in kept.said.items()}
    said |= {str(path): path.read_bytes() for path in (folder / "hall").rglob("*") if path.is_file()}
    wanted = {
        "answers to browsers",
        "the server's log",
        "the station's output",
        "the station's errors",
        *(f"stream {path}" for path in STREAMS),
        *(str(folder / "hall" / name) for name in ("hall.journal", "hall.users")),
    }
    assert wanted <= set(said), wanted - set(said)
    assert all(said[name] for name in wanted), [name for name in wanted if not said[name]]
    secrets = secrets_of(deals, [tag for one in enrolled for tags in one.sets for tag in tags])
    found = [(name, secret) for name, data in said.items() for secret in secrets if secret in data]
    assert not found, found[:3]
    released = [json.loads(line) for line in said["the station's output"].splitlines() if line]
    assert sorted((one["table"], one["deal"]) for one in released) == [("A1", 1), ("A1", 2), ("A2", 1), ("A2", 2)]


def reveal(page: Page, phone: Page, chinese: Page, folder: Path, address: str, deals: Deals) -> None:
    """The director shows the deals to everybody, who sees what both tables have made of them."""
    exported = folder / "deals.json"
    line = ["deals", "export", folder / "a.deals", "--out", exported, "--password-file", folder / "deals.txt"]
    assert RUNNER.finish(*map(str, line)).returncode == 0
    page.goto(f"{address}/event/deals")
    promised = page.locator("code.long").inner_text()
    assert promised == commitment(deals)
    page.locator("#revealed").set_input_files(exported)
    shown(page, "evening-reveal")
    page.locator("#reveal").click()
    page.wait_for_url("**/event/travellers")
    boards = page.locator("section.board")
    expect(boards).to_have_count(2)
    # 3 and -1 against -6 and 2: the difference of the pairs at East and West is 6, 3 match points.
    cells = boards.first.locator("tbody tr").first.locator("td.right").all_inner_texts()
    assert cells == ["+3", "-3"] or cells == ["3", "-3"], cells
    shown(page, "evening-travellers")
    phone.goto(f"{address}/event/standings")
    phone.get_by_role("link", name="Travellers").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Travellers")
    assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    shown(phone, "evening-travellers-phone")
    chinese.goto(f"{address}/event/travellers")
    expect(chinese.get_by_role("heading", level=1)).to_have_text("各桌成绩对照")
    check_drawn(read_open(exported), promised)
    page.goto(f"{address}/event/deals")
    expect(page.get_by_text("The deals are revealed.")).to_be_visible()
