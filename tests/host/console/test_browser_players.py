"""Lists of players and changes of them at the console, in Debian's Chromium."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.host.console.before_play import ask, begin, take
from tests.host.console.browsing import PHONE, checks_passed, live, shown, visiting
from tests.host.console.serving import Serving
from tests.host.fleet.served import until

PASTED = "Nr\tVerein\tSpieler\n" + "".join(f"{n}\tClub {n % 3}\tPlayer {n}\n" for n in range(1, 9))


@pytest.fixture
def drawn(serving: Serving) -> Serving:
    serving.stop()
    serving.place.begin_event(8)
    serving.start()
    return serving


@pytest.fixture
def begun(serving: Serving) -> Serving:
    serving.stop()
    begin(serving.place, "chengdu-grand-prix")
    serving.start()
    return serving


def test_cells_of_a_spreadsheet_are_pasted_and_their_columns_chosen(browser: Browser, begun: Serving) -> None:
    with visiting(browser, begun, "director") as page:
        page.goto(f"{begun.address}/setup")
        page.get_by_label("Or paste it").fill(PASTED)
        page.get_by_role("button", name="What does it say?").click()
        expect(page.get_by_label("The first line names the columns")).to_be_checked()
        expect(page.locator("#players-found")).to_contain_text("8 players, pairs to be kept apart: 7")
        page.get_by_label("Column 2: Verein").focus()
        page.get_by_label("Column 2: Verein").select_option("not used")
        expect(page.locator("#players-found")).to_contain_text("8 players, pairs to be kept apart: 0")
        expect(page.get_by_label("Column 2: Verein")).to_be_focused()
        page.get_by_label("Column 3: Spieler").select_option("not used")
        expect(page.locator("#players-found")).to_contain_text("no column has the names")
        expect(page.get_by_role("button", name="Take these players")).to_be_hidden()
        page.get_by_label("Column 3: Spieler").select_option("Name, or family name")
        page.get_by_label("Column 2: Verein").select_option("Club")
        expect(page.locator("#players-found")).to_contain_text("8 players, pairs to be kept apart: 7")
        shown(page, "players-columns")
        assert checks_passed(page) > 20
        page.get_by_role("button", name="Take these players").click()
        expect(page.locator("#players-now li")).to_have_count(8)
    players = begun.place.site.event.ask(lambda desk: desk.state.roster).players
    assert (players[4].name, players[4].club) == ("Player 5", "Club 2")


def test_an_answer_that_comes_late_does_not_take_a_newer_choice_back(browser: Browser, begun: Serving) -> None:
    with visiting(browser, begun, "director") as page:
        page.goto(f"{begun.address}/setup")
        page.get_by_label("Or paste it").fill(PASTED)
        page.get_by_role("button", name="What does it say?").click()
        expect(page.locator("#players-found")).to_contain_text("8 players, pairs to be kept apart: 7")
        held: list[Route] = []
        page.route("**/players/preview", lambda route: route.continue_() if held else held.append(route))
        page.get_by_label("Column 2: Verein").select_option("not used")
        page.get_by_label("Column 1: Nr").select_option("Id for seasons")
        expect(page.locator("#players-found")).to_contain_text("8 players, pairs to be kept apart: 0")
        with page.expect_response("**/players/preview"):
            held[0].continue_()
        page.wait_for_timeout(200)
        expect(page.get_by_label("Column 1: Nr")).to_have_value("id")


def test_a_list_in_doubt_is_read_as_a_tap_on_a_phone_chooses(browser: Browser, begun: Serving) -> None:
    with visiting(browser, begun, "director", PHONE) as page:
        page.goto(f"{begun.address}/setup")
        page.get_by_label("Or paste it").fill("7,Lee,Ann,GBR\n8,Ek,Bo,SWE\n9,Ro,Cy,FRA\n10,Sa,Di,GBR\n")
        page.get_by_role("button", name="What does it say?").click()
        found = page.locator("#players-found")
        expect(found).to_contain_text("which column has the given names?")
        expect(found.get_by_role("list")).to_have_count(2)
        expect(found.get_by_role("list").nth(0)).to_contain_text("Ann Lee · GBR")
        expect(found.get_by_role("list").nth(1)).to_contain_text("Lee Ann · GBR")
        expect(page.get_by_role("button", name="Take these players")).to_be_hidden()
        shown(page, "players-doubt-phone")
        assert checks_passed(page) > 10
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        found.get_by_role("button", name="Read it like this").nth(1).click()
        expect(found).to_contain_text("4 players, pairs to be kept apart: 1")
        page.get_by_role("button", name="Take these players").click()
        expect(page.locator("#players-now li")).to_have_count(4)
    players = begun.place.site.event.ask(lambda desk: desk.state.roster).players
    assert [one.name for one in players] == ["Lee Ann", "Ek Bo", "Ro Cy", "Sa Di"]


def test_a_file_of_excel_in_chinese_is_read_on_a_phone(browser: Browser, begun: Serving, tmp_path: Path) -> None:
    lines = ["姓名,俱乐部", *(f"选手{n},成都" for n in range(1, 9))]
    path = tmp_path / "players.csv"
    path.write_bytes("\r\n".join(lines).encode("gb18030"))
    with visiting(browser, begun, "director", PHONE, "zh-CN") as page:
        page.goto(f"{begun.address}/setup")
        page.get_by_label("文件").set_input_files(path)
        expect(page.locator("#players-found")).to_contain_text("8 名选手")
        expect(page.get_by_label("字符编码")).to_have_value("gb18030")
        shown(page, "players-file-phone")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.get_by_label("字符编码").select_option("utf-8")
        expect(page.locator("#players-found")).to_contain_text("不是 UTF-8 编码")
        expect(page.get_by_role("button", name="导入这些选手")).to_be_hidden()
        page.get_by_label("字符编码").select_option("gb18030")
        page.get_by_role("button", name="导入这些选手").click()
        expect(page.locator("#players-now li")).to_have_count(8)


def test_players_come_and_go_during_the_event(browser: Browser, drawn: Serving) -> None:
    event = drawn.place.site.event
    with visiting(browser, drawn, "director") as page:
        page.goto(f"{drawn.address}/setup")
        page.get_by_text("Add a player").click()
        page.locator("#add-name").fill("Ann Lee")
        page.locator("#add-reason").fill("the train was late")
        page.get_by_role("button", name="Add the player").click()
        expect(page.locator("#said")).to_contain_text("session 1: Ann Lee at the extra table 3")
        expect(page.locator("#player-changes")).to_contain_text("Ann Lee: the train was late")
        page.get_by_text("Correct a name").click()
        page.locator("#rename-player").fill("9")
        page.locator("#rename-name").fill("Anne Lee")
        page.locator("#rename-reason").fill("was misspelt")
        page.get_by_role("button", name="Correct the name").click()
        expect(page.locator("#player-changes li").first).to_contain_text("Ann Lee → Anne Lee: was misspelt")
        page.get_by_text("Withdraw a player").click()
        page.locator("#withdraw-player").fill("P3")
        page.locator("#withdraw-reason").fill("is ill")
        shown(page, "players-changes")
        page.get_by_role("button", name="Withdraw the player").click()
        expect(page.locator("#player-changes li").first).to_contain_text("P3: is ill")
        expect(page.locator("#players-now li", has_text="P3")).to_contain_text("withdrawn")
        assert checks_passed(page) > 20
        assert event.ask(lambda desk: sorted(desk.state.withdrawn)) == [3]
        page.get_by_text("Let a player return").click()
        page.locator("#return-reason").fill("is well again")
        page.get_by_role("button", name="Let them play again").click()
        until(lambda: event.ask(lambda desk: not desk.state.withdrawn))


def test_a_withdrawn_player_is_told_so_on_a_phone_and_why_stays_inside(browser: Browser, drawn: Serving) -> None:
    with visiting(browser, drawn, "director", PHONE) as page:
        page.goto(f"{drawn.address}/setup")
        page.get_by_text("Withdraw a player").click()
        page.locator("#withdraw-player").fill("3")
        page.locator("#withdraw-reason").fill("a private matter")
        page.get_by_role("button", name="Withdraw the player").click()
        expect(page.locator("#player-changes")).to_contain_text("P3")
        shown(page, "players-withdrawn-phone")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with visiting(browser, drawn, "public", PHONE) as page:
        page.goto(f"{drawn.address}/players/3")
        expect(page.get_by_text("Withdrawn from the rest of the event.")).to_be_visible()
        for path in ("/players/3", "/players", "/event/standings", "/draws/main"):
            page.goto(f"{drawn.address}{path}")
            assert "private matter" not in page.content()


def test_how_tables_are_filled_stays_chosen_while_a_player_comes(browser: Browser, begun: Serving) -> None:
    place = begun.place
    director = place.signed_in("director", "dan")
    assert take(director, "name\n" + "".join(f"P{n}\n" for n in range(1, 7)))[0] == 200
    with visiting(browser, begun, "director") as page:
        page.goto(f"{begun.address}/draws/main")
        live(page, begun)
        page.locator("#fill-byes").check()
        page.locator("#fill-byes").evaluate("box => { box.dataset.old = 'yes' }")
        assert ask(director, "players/add", name="Late")[0] == 200
        place.look()
        expect(page.locator("#fill-byes:not([data-old])")).to_be_checked()
        expect(page.locator("fieldset.modes")).to_contain_text("3 sit out")


def test_a_change_in_the_middle_of_the_draw_ends_its_commitment(browser: Browser, begun: Serving) -> None:
    with visiting(browser, begun, "director") as page:
        page.goto(f"{begun.address}/setup")
        page.get_by_label("Or paste it").fill("".join(f"P{n}\n" for n in range(1, 8)))
        page.get_by_role("button", name="What does it say?").click()
        page.get_by_role("button", name="Take these players").click()
        expect(page.locator("#players-now li")).to_have_count(7)
        page.goto(f"{begun.address}/draws/main")
        page.locator("#fill-stand-ins").check()
        page.get_by_role("button", name="Commit to a seed").click()
        expect(page.get_by_role("button", name="Reveal the seed")).to_be_visible()
        page.goto(f"{begun.address}/setup")
        page.get_by_text("Add a player").click()
        page.locator("#add-name").fill("Late")
        page.locator("#add-reason").fill("missed the train")
        page.get_by_role("button", name="Add the player").click()
        expect(page.locator("#said")).to_contain_text("commit to another seed")
        page.goto(f"{begun.address}/draws/main")
        expect(page.get_by_role("alert")).to_contain_text("The players have changed since this commitment")
        expect(page.get_by_role("button", name="Reveal the seed")).to_have_count(0)
        shown(page, "draw-stale")
        page.locator("#commit-reason").fill("a late player")
        page.get_by_role("button", name="Commit to a new seed").click()
        expect(page.get_by_role("button", name="Reveal the seed")).to_be_visible()
