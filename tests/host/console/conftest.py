"""The console of a hall of paper, and a browser before it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests import needs
from tests.host.console.before_play import begin
from tests.host.console.browsing import CHROMIUM
from tests.host.console.hall import Place, opened
from tests.host.console.serving import Serving


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """Two tables, A1 and A2, ready, and nobody who has an account yet."""
    with opened(tmp_path) as place:
        yield place


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    needs.program("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    """Six tables, and the console on a port of this machine."""
    place = Place(tmp_path, *(f"A{number}" for number in range(1, 7)))
    serving = Serving(place)
    yield serving
    serving.stop()
    place.accounts.close()


@pytest.fixture
def empty(place: Place) -> Place:
    """An event that was begun on the command line, and nothing else."""
    begin(place, "chengdu-grand-prix")
    return place
