"""What is refused of sessions, results and people is refused in the language of who asks."""

import re
from fractions import Fraction

import pytest

from tests.host.console.hall import Place
from tests.host.console.test_event import ask
from tests.host.console.test_running import TABLE, Hall
from wallwright.console.texts import translator
from wallwright.event import lifecycle
from wallwright.event.limits import check_penalty
from wallwright.rules.core.errors import RulesError
from wallwright.words import Named, told_by

ENGLISH = re.compile(r"[A-Za-z]{2,}")


@pytest.fixture
def hall(place: Place) -> Hall:
    found = Hall(place)
    for client in (found.dan, found.ria, found.sam):
        client.headers["Accept-Language"] = "zh-CN"
    return found


def refused(hall: Hall, path: str, **body: object) -> str:
    """Return why, without the names of players."""
    status, told = ask(hall.dan, path, **body)
    assert status == 409, (path, body, told)
    problem = told["problem"]
    for sheet in hall.session.tables:
        for _, name in sheet.players:
            problem = problem.replace(name, "")
    return str(problem)


def test_a_step_that_cannot_be_taken_is_refused_in_chinese(hall: Hall) -> None:
    assert refused(hall, "sessions/1/open") == "第 1 轮正在进行，不能“公布座位”；现在可以：结束本轮"
    assert refused(hall, "sessions/2/start") == "第 1 轮正在进行；必须先完成签字"
    assert (
        refused(hall, "sessions/1/stop")
        == "第 1 桌，第 2 桌，第 3 桌，第 4 桌还有剩余时间和局数；如仍要执行，请写明理由"
    )
    assert refused(hall, "sessions/2/publish") == "第 2 轮尚未公布座位，不能“公布成绩”；现在可以：公布座位"
    assert refused(hall, "sessions/9/open").startswith("第 9 轮还没有座位表")


def test_what_is_refused_while_a_session_is_played_is_refused_in_chinese(hall: Hall) -> None:
    hall.play()
    (first, _), (second, _) = hall.sheet.players[0], hall.session.tables[1].players[0]
    seen = hall.sees(reason="r")
    told = [
        refused(hall, "sessions/1/add-time", minutes=0, reason="r"),
        refused(hall, "sessions/1/add-time", minutes=3, reason=""),
        refused(hall, "sessions/2/add-time", minutes=3, reason="r"),
        refused(hall, f"{TABLE}/end_pause"),
        refused(hall, "sessions/1/tables/9/pause", reason="r"),
        refused(hall, f"{TABLE}/take-back", **seen),
        refused(hall, f"{TABLE}/sign-off", **hall.sees()),
        refused(hall, f"{TABLE}/approve", **hall.sees(deals=[7])),
        refused(hall, f"{TABLE}/void", **hall.sees(deal=7, reason="r")),
        refused(hall, f"{TABLE}/rule", **hall.sees(points=[1, -1, 0, 0], reason="")),
        refused(hall, "appeals", session=1, player=first, text="t"),
        refused(hall, "appeals/999/decide", upheld=True, ruling="r"),
        refused(hall, "penalties", player=first, name="points", reason="r"),
        refused(hall, "penalties", player=first, name="points", amount="77", reason="r"),
        refused(hall, "penalties/999/withdraw", reason="r"),
        refused(hall, f"{TABLE}/substitute", **hall.sees(out=first, into=str(second), reason="r")),
    ]
    assert [one for one in told if ENGLISH.search(one)] == []


def test_an_open_appeal_is_told_of_in_chinese(hall: Hall) -> None:
    hall.play()
    hall.end()
    player, name = hall.sheet.players[1]
    number = ask(hall.ria, "appeals", session=1, player=player, text="t", table=1, deal=1)[1]["entry"]
    ask(hall.dan, "sessions/1/publish")
    status, told = ask(hall.dan, "sessions/1/finalise", reason="now")
    assert (status, told["problem"]) == (409, f"{name} 的申诉 {number}（第 1 轮，第 1 桌，第 1 局）尚未裁定；请先裁定")


def test_english_is_what_it_was(place: Place) -> None:
    hall = Hall(place)
    assert ask(hall.dan, "sessions/1/open")[1]["problem"] == "session 1 is running, so open is not possible: stop"
    with pytest.raises(RulesError, match=r"^points of 77: it is from 1 to 8 in steps of 1$") as caught:
        check_penalty("points", Fraction(77))
    assert told_by(caught.value).said(translator("zh")) == "扣分 77 分：应为 1 至 8 分，每级 1 分"


def test_a_name_without_words_in_a_language_is_said_as_it_is() -> None:
    assert Named("step", "jump").said(translator("zh")) == "jump"
    assert {Named("step", step).said(translator("en")) for step in lifecycle.MEANINGS} == set(lifecycle.MEANINGS)
