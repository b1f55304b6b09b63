"""Accounts in Debian's Chromium: one is made, handed over by a link, taken over on a phone, reset and removed."""

from playwright.sync_api import Browser, expect

from tests.host.console.browsing import PHONE, checks_passed, shown, visiting
from tests.host.console.hall import PASSWORD
from tests.host.console.serving import Serving

NEW = "quite another one"


def test_an_account_goes_from_the_director_to_its_person(browser: Browser, serving: Serving) -> None:
    with (
        visiting(browser, serving, "director") as director,
        visiting(browser, serving, "public", PHONE) as phone,
    ):
        director.goto(f"{serving.address}/")
        director.get_by_role("link", name="director one").click()
        director.get_by_role("link", name="All accounts").click()
        director.get_by_label("Name", exact=True).fill("Ann Lee")
        director.get_by_label("Role", exact=True).select_option("Referee")
        director.get_by_role("button", name="Make the account").click()
        link = director.locator("dialog code")
        expect(link).to_contain_text("/welcome/")
        expect(director.get_by_alt_text("The link as a QR code")).to_be_visible()
        assert director.get_by_alt_text("The link as a QR code").evaluate(
            "one => one.decode().then(() => one.naturalWidth > 0)"
        )
        shown(director, "accounts-link")
        address = link.inner_text()
        assert address.startswith(serving.address)
        director.get_by_role("button", name="Close").click()
        expect(director.locator("#accounts")).to_contain_text("not taken over yet")
        phone.goto(address)
        shown(phone, "accounts-welcome-phone")
        phone.get_by_label("Password, ten characters or more").fill(NEW)
        phone.get_by_role("button", name="Set the password and sign in").click()
        phone.wait_for_url(f"{serving.address}/")
        expect(phone.get_by_role("link", name="Calls", exact=True)).to_be_visible()
        director.reload()
        expect(director.locator("#accounts")).not_to_contain_text("not taken over yet")
        assert checks_passed(director) > 20
        director.get_by_role("button", name="New link for Ann Lee").click()
        expect(director.locator("dialog")).to_contain_text("The password of Ann Lee ends now")
        director.get_by_role("button", name="Leave it").click()
        phone.goto(f"{serving.address}/calls")
        assert phone.url.endswith("/calls"), "who leaves it has done nothing"
        director.get_by_label("Role of Ann Lee", exact=True).select_option("Scorer")
        with director.expect_navigation():
            director.get_by_role("button", name="Set the role of Ann Lee").click()
        expect(director.get_by_label("Role of Ann Lee", exact=True)).to_have_value("scorer")
        shown(director, "accounts")
        director.get_by_role("button", name="Remove Ann Lee").click()
        director.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(director.locator("#accounts li")).to_have_count(1)
        phone.goto(f"{serving.address}/calls")
        assert "/sign-in" in phone.url


def test_everybody_changes_their_own_password_on_a_phone(browser: Browser, serving: Serving) -> None:
    with visiting(browser, serving, "scorer", PHONE, "zh-CN") as page:
        page.goto(f"{serving.address}/account")
        page.get_by_label("当前密码").fill("wrong one, sorry")
        page.get_by_label("新密码").fill(NEW)
        page.get_by_role("button", name="更改密码").click()
        expect(page.get_by_role("alert")).to_be_visible()
        page.get_by_label("当前密码").fill(PASSWORD)
        shown(page, "account-phone")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        with page.expect_navigation():
            page.get_by_role("button", name="更改密码").click()
        expect(page.get_by_label("当前密码")).to_have_value("")
    assert serving.place.accounts.sign_in("scorer one", NEW, serving.place.clock.now_ms) is not None
