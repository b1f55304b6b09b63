"""How well tables shuffle, as the console shows it: a table's line, its page, and walls that come meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from tests.host.console.browsing import PHONE, checks_passed, shown, visiting
from tests.host.console.hall import Place, opened
from tests.host.console.serving import Serving
from tests.host.fleet.served import until
from tests.host.study.told import ToldTable, fair, slanted
from wallwright.console.hall.shuffling import ShufflingWatch
from wallwright.console.pages.shuffling import MOST_POINTS, plot_of
from wallwright.journal import Journal


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal of a fair table and of one that does not mix."""
    path = tmp_path_factory.mktemp("told") / "hall.journal"
    generator = np.random.default_rng(4)
    with Journal(path) as journal, journal.batch():
        ToldTable(journal, "U-A1").play(60, fair, generator)
        ToldTable(journal, "U-A2").play(60, partial(slanted, rho=0.25), generator)
        ToldTable(journal, "U-A3", heads=False, seats=False).play(5, fair, generator)
    return path.read_bytes()


@contextmanager
def watched(place: Place, folder: Path, told: bytes) -> Iterator[ShufflingWatch]:
    """The console follows that journal, as `wallwright serve` has it."""
    path = folder / "hall.journal"
    path.write_bytes(told)
    watch = ShufflingWatch(path)
    place.site.shuffling = watch
    place.desk._shuffling = watch.of
    place.desk.listen(watch.hear)
    watch.start()
    try:
        until(lambda: all(walls_of(watch, unit) == 57 for unit in ("U-A1", "U-A2")))
        place.look()
        yield watch
    finally:
        watch.close()


def walls_of(watch: ShufflingWatch, unit: str) -> int:
    found = watch.of(unit)
    return 0 if found is None else found.walls


def test_each_table_has_its_evidence(tmp_path: Path, told: bytes) -> None:
    with opened(tmp_path, "A1", "A2", "A3") as place, watched(place, tmp_path, told):
        client = place.signed_in("scorer")
        tables = {one["name"]: one for one in client.get("/api/v1/hall").json()["tables"]}
        assert tables["A1"]["shuffling"]["walls"] == 57
        assert tables["A1"]["shuffling"]["alarm_at"] is None
        assert tables["A1"]["shuffling"]["evidence"] < 100
        assert 0 < tables["A2"]["shuffling"]["alarm_at"] <= 57
        assert tables["A3"]["shuffling"] is None
        hall = client.get("/").text
        assert hall.count("The walls of this table are not fair.") == 1
        assert "/tables/A2/shuffling" in hall
        assert "evidence " in client.get("/tables/A1").text
        assert "not fair" not in client.get("/tables/A1").text
        assert "not fair" in client.get("/tables/A2").text
        assert "Fairness" not in client.get("/tables/A3").text
        assert "The evidence reached 1,000 at wall" in client.get("/tables/A2/shuffling").text
        even = client.get("/tables/A1/shuffling").text
        assert "polyline" in even
        assert "The evidence reached" not in even
        assert "No wall of this table could be compared yet" in client.get("/tables/A3/shuffling").text
        assert client.get("/tables/A9/shuffling").status_code == 404


def test_a_wall_that_is_revealed_is_read_at_once(tmp_path: Path, told: bytes) -> None:
    with opened(tmp_path, "A1", "A2", "A3") as place, watched(place, tmp_path, told) as watch:
        with Journal(tmp_path / "hall.journal") as journal, journal.batch():
            new = ToldTable(journal, "U-A3", boot=9)
            new.play(6, fair, np.random.default_rng(6))
        assert watch.of("U-A3") is None
        place.fleet.tell("A3", "wall_part", deal=6, first=0, tiles=26, tags="")
        place.look()
        until(lambda: walls_of(watch, "U-A3") == 3)
        place.look()
        table = place.signed_in("scorer").get("/api/v1/tables/A3").json()
        assert table["shuffling"]["walls"] == 3


def test_a_journal_that_cannot_be_read_leaves_the_console_as_it_is(tmp_path: Path) -> None:
    with opened(tmp_path, "A1") as place:
        watch = ShufflingWatch(tmp_path / "none.journal")
        place.site.shuffling = watch
        watch.start()
        try:
            assert "could be compared yet" in place.signed_in("scorer").get("/tables/A1/shuffling").text
        finally:
            watch.close()


def test_a_long_course_keeps_its_highest_evidence() -> None:
    evidence = [1.0] * 4000
    evidence[2345] = 900.0
    plot = plot_of(evidence)
    heights = [float(point.partition(",")[2]) for point in plot.points.split()]
    assert len(heights) <= MOST_POINTS
    by_text = {text: height for height, text in plot.levels}
    assert by_text["1,000"] < min(heights) < by_text["100"]
    assert max(heights) == by_text["1"]
    assert len(plot_of([0.5]).points.split()) == 1


@pytest.mark.parametrize("locale", ["en-US", "zh-CN"])
def test_the_page_is_read_on_a_phone(
    browser: Browser, serving: Serving, tmp_path: Path, told: bytes, locale: str
) -> None:
    with watched(serving.place, tmp_path, told), visiting(browser, serving, "scorer", PHONE, locale) as page:
        page.goto(f"{serving.address}/tables/A2")
        page.locator("a[href='/tables/A2/shuffling']").first.click()
        expect(page.get_by_role("alert")).to_contain_text("1,000")
        expect(page.get_by_role("img")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert checks_passed(page) > 10
        shown(page, f"shuffling-{locale}")
        page.goto(serving.address)
        shown(page, f"shuffling-hall-{locale}")
