"""What tests of the console in Debian's Chromium share: visitors with a role, and what axe says."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from axe_playwright_python.base import AXE_FILE_PATH
from playwright.sync_api import Browser, Page, ViewportSize, expect
from playwright.sync_api import TimeoutError as NotInTime

from tests.host.console.serving import Serving
from tests.host.fleet.served import until

CHROMIUM = "/usr/bin/chromium-headless-shell"
"""Chromium without the windows, menus and extensions of the whole browser, which took a third of these tests' time."""
PATIENCE_MS = 60_000
"""A slow machine is given this long for anything; a quick one never waits for it."""
PICTURE_MS = 15_000
DESK: ViewportSize = {"width": 1280, "height": 860}
PHONE: ViewportSize = {"width": 390, "height": 844}
EXPECTED = (
    "ERR_CONNECTION_REFUSED",
    "ERR_CONNECTION_RESET",
    "ERR_INCOMPLETE_CHUNKED_ENCODING",
    "[object Event]",
    "status of 401",
    "of 403",
    "of 404",
    "of 409",
    "of 422",
)
"""What the browser and htmx say of a server that is gone, a wrong password, a page too old or not there, a late act."""
SCREENSHOTS = os.environ.get("WALLWRIGHT_SCREENSHOTS")
"""Where pictures of the pages go, if anywhere."""


@contextmanager
def visiting(
    browser: Browser, serving: Serving, role: str, size: ViewportSize = DESK, locale: str = "en-US", dark: bool = False
) -> Iterator[Page]:
    """A page of somebody with a role, signed in. What the browser complains about fails the test."""
    context = browser.new_context(viewport=size, locale=locale, color_scheme="dark" if dark else "light")
    context.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    if role != "public":
        session = serving.place.signed_in(role).cookies["wallwright_session"]
        context.add_cookies([{"name": "wallwright_session", "value": session, "url": serving.address}])
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda line: complaints.append(line.text) if line.type == "error" else None)
    page.on("request", lambda request: complaints.append(request.url) if "127.0.0.1" not in request.url else None)
    try:
        yield page
        unexpected = [line for line in complaints if not any(one in line for one in EXPECTED)]
        assert not unexpected, f"{page.url}: {unexpected}"
    except BaseException:
        shown(page, f"failed {os.environ['PYTEST_CURRENT_TEST'].rpartition('::')[2]} {role}")
        raise
    finally:
        context.close()


def live(page: Page, serving: Serving) -> None:
    """Wait until the page gets its news."""
    until(
        lambda: (
            page.evaluate("1") == 1 and serving.place.site.open_feed is not None and serving.place.site.feed.viewers > 0
        )
    )


def shown(page: Page, name: str) -> None:
    """Keep a picture, if pictures are kept."""
    if SCREENSHOTS:
        path = f"{SCREENSHOTS}/{name}.png"
        try:
            page.screenshot(path=path, timeout=PICTURE_MS)
        except NotInTime:
            # The page was being loaded anew meanwhile: then no picture comes of the old one.
            page.screenshot(path=path)


def checks_passed(page: Page) -> int:
    """How many of axe's checks have passed; none that is serious may have failed."""
    bad, passed = page.evaluate(_checks())
    assert not bad, (page.url, bad)
    return int(passed)


@cache
def _checks() -> str:
    """A script that says what is serious and counts the rest; to hand over what passed takes a third of the time."""
    run = "const found = await axe.run({resultTypes: ['violations']})"
    bad = "found.violations.filter(one => ['serious', 'critical'].includes(one.impact))"
    told = f"{bad}.map(one => [one.id, one.nodes.map(node => node.html)])"
    return f"async () => {{ {Path(AXE_FILE_PATH).read_text()}; {run}; return [{told}, found.passes.length] }}"
