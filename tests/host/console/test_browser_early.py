"""A person is quicker than the page's scripts, or a script never arrives: nothing is lost, and nothing leaks."""

import re
from importlib.resources import files

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.host.console.browsing import PHONE, visiting
from tests.host.console.hall import PASSWORD
from tests.host.console.serving import Serving

NEW = "quite another one"
SCRIPTS = re.compile(r"/static/(?!early)\w+(\.min)?\.js$")


def held_back(page: Page, address: str) -> list[Route]:
    """Open a page whose scripts are on their way still; the routes let them arrive."""
    routes: list[Route] = []
    page.route(SCRIPTS, lambda route: routes.append(route))
    page.goto(address, wait_until="commit")
    return routes


def let_go(page: Page, routes: list[Route]) -> None:
    """The scripts arrive, and those of the next page at once."""
    for route in routes:
        route.continue_()
    page.route(SCRIPTS, lambda route: route.continue_())


@pytest.mark.parametrize("act", ["click", "enter"])
def test_a_form_sent_before_the_scripts_are_there_is_sent_by_them(browser: Browser, serving: Serving, act: str) -> None:
    with visiting(browser, serving, "scorer", PHONE) as page:
        routes = held_back(page, f"{serving.address}/account")
        page.get_by_label("Password now").fill(PASSWORD)
        page.get_by_label("New password").fill(NEW)
        if act == "click":
            page.get_by_role("button", name="Change the password").click(no_wait_after=True)
        else:
            page.get_by_label("New password").press("Enter", no_wait_after=True)
        assert page.url == f"{serving.address}/account"
        expect(page.get_by_label("New password")).to_have_value(NEW)
        with page.expect_navigation():
            let_go(page, routes)
        assert page.url == f"{serving.address}/account"
        expect(page.get_by_label("New password")).to_have_value("")
    assert serving.place.accounts.sign_in("scorer one", NEW, serving.place.clock.now_ms) is not None


def test_a_second_press_before_the_scripts_are_there_does_nothing_twice(browser: Browser, serving: Serving) -> None:
    with visiting(browser, serving, "director") as page:
        routes = held_back(page, f"{serving.address}/accounts")
        page.get_by_label("Name", exact=True).fill("Ann Lee")
        make = page.get_by_role("button", name="Make the account")
        make.click(no_wait_after=True)
        make.click(no_wait_after=True)
        let_go(page, routes)
        expect(page.locator("dialog code")).to_contain_text("/welcome/")
        page.get_by_role("button", name="Close").click()
        expect(page.locator("#accounts li")).to_have_count(2)
        expect(page.locator("#said .bad")).to_have_count(0)


def test_without_its_scripts_a_page_sends_nothing_and_says_so(browser: Browser, serving: Serving) -> None:
    with visiting(browser, serving, "scorer", PHONE) as page:
        page.route("**/static/console.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
        page.goto(f"{serving.address}/account")
        page.get_by_label("Password now").fill(PASSWORD)
        page.get_by_label("New password").fill(NEW)
        page.get_by_role("button", name="Change the password").click()
        expect(page.get_by_role("alert")).to_contain_text("Nothing was sent")
        assert page.url == f"{serving.address}/account"
        expect(page.get_by_label("New password")).to_have_value(NEW)
    assert serving.place.accounts.sign_in("scorer one", PASSWORD, serving.place.clock.now_ms) is not None


def test_a_browser_without_scripts_never_puts_a_password_into_an_address() -> None:
    forms = [
        form
        for template in files("wallwright.console").joinpath("templates").iterdir()
        for form in re.findall(r"<form.*?</form>", template.read_text(), re.DOTALL)
        if 'type="password"' in form
    ]
    assert len(forms) >= 4
    assert [form for form in forms if 'method="post"' not in form.partition(">")[0]] == []
