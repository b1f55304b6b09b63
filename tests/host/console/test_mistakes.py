"""What is wrong with a value is said in the reader's language, and so are a journal's reasons of payments."""

import re
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, ValidationError

from tests.host.console.hall import Place
from wallwright.console.mistakes import mistakes
from wallwright.console.voice import Voice
from wallwright.errors import JournalFull
from wallwright.event.draw import verify
from wallwright.event.seating import SessionSeating
from wallwright.event.seating_check import check_seating
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.events import FinalHand, Winner
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.words import Seat, words


class Body(BaseModel):
    minutes: int = Field(1, ge=-5, le=5)
    reason: str = Field("late", min_length=2, max_length=4)
    tables: tuple[int, ...] = Field((), max_length=2)
    role: Literal["scorer", "referee"] = "scorer"
    upheld: bool = True
    amount: Annotated[str, Field(pattern="^[0-9]*$")] = ""


@pytest.mark.parametrize(
    ("field", "value", "english", "chinese"),
    [
        ("minutes", "x", "minutes: it has to be a whole number", "分钟：须为整数"),
        ("minutes", None, "minutes: it has to be a whole number", "分钟：须为整数"),
        ("minutes", 9, "minutes: it is 5 or less", "分钟：不得大于 5"),
        ("minutes", -9, "minutes: it is -5 or more", "分钟：不得小于 -5"),
        ("reason", 7, "reason: it has to be a text", "理由：须为文字"),
        ("reason", "", "reason: it has 2 characters at least", "理由：至少 2 个字符"),
        ("reason", "too long", "reason: it has 4 characters at the most", "理由：最多 4 个字符"),
        ("tables", 1, "tables: it has to be a list", "各桌：须为列表"),
        ("tables", [1, 2, 3], "tables: it has 2 entries at the most", "各桌：最多 2 项"),
        ("tables", ["x"], "tables.0: it has to be a whole number", "各桌.0：须为整数"),
        ("role", "king", "role: it is one of 'scorer', 'referee'", "身份：须为下列之一：'scorer', 'referee'"),
        ("amount", "x", "amount: it is not written like this", "数额：格式不正确"),
        ("upheld", "x", "upheld: it has to be true or false", "upheld：须为是或否（true 或 false）"),
    ],
)
def test_a_wrong_value_is_told_with_its_field_and_what_is_expected(
    field: str, value: Any, english: str, chinese: str
) -> None:
    with pytest.raises(ValidationError) as caught:
        Body.model_validate({field: value})
    # A request has its body in front.
    errors = [{**error, "loc": ("body", *error["loc"])} for error in caught.value.errors()]
    assert mistakes(errors).said(Voice("en")) == english
    assert mistakes(errors).said(Voice("zh")) == chinese


def test_a_request_with_wrong_values_is_refused_in_the_readers_language(place: Place) -> None:
    path = "/api/v1/session"
    for body, english, chinese in (
        ({"name": 5}, "name: it has to be a text; password: it is missing", "姓名或名称：须为文字；密码：缺少此项"),
        ([], "body: it has to be an object with fields", "请求内容：须为含有各项的对象"),
    ):
        for language, wanted in (("en", english), ("zh", chinese)):
            answer = place.client().post(f"{path}?lang={language}", json=body)
            assert (answer.status_code, answer.json()) == (422, {"problem": wanted})


def test_reasons_of_payments_are_said_as_if_no_journal_had_them_in_english() -> None:
    chinese = Voice("zh").at("甲乙丙丁")
    ruleset = load_ruleset("sichuan")
    discarded = DeclaredDeal(ruleset, 0)
    discarded.kong(1, "melded", from_=2)
    discarded.hu("discard", [Winner(0, value=4)], from_=1)
    discarded.hu("self_drawn", [Winner(2, value=2)])
    discarded.end("time_up")
    robbed = DeclaredDeal(ruleset, 0)
    robbed.kong(1, "promoted", robbed=True)
    robbed.hu("robbed_kong", [Winner(0, value=2)], from_=1)
    robbed.hu("self_drawn", [Winner(2, false=True, referee="Ria of B")])
    robbed.end("wall", [FinalHand(1, value=0), FinalHand(3, value=4)])
    reasons = [one.why for deal in (discarded, robbed) for one in deal.settle().payments]
    assert len({why.text for why in reasons}) == 6
    held = words("the hand holds its forbidden suit {suit}", suit=words("p"))
    reasons.append(words("false Hu of {seat}: {why}", seat=Seat(3), why=held))
    for why in reasons:
        assert chinese.reason(str(why)) == why.said(chinese)
        assert "seat" not in chinese.reason(str(why))
    assert chinese.reason("a reason of tomorrow, {strange}") == "a reason of tomorrow, {strange}"
    assert chinese.reason("seat 2 does what is new") == "西（丙） does what is new"


def test_what_is_wrong_with_a_draw_is_said_in_the_readers_language() -> None:
    players = ((1, "Ann"), (2, "Bo"), (3, "Cy"), (4, "Di"))
    record = {
        "stage": "main",
        "seed": "00",
        "players": players,
        "contributions": [],
        "commitment": "00",
        "lots": (1, 1, 1, 1),
    }
    plan = [SessionSeating(((1, 1, 2, 9),), (3, 4))]
    told = [*verify(record), *check_seating(plan, (1, 2, 3, 4, 5), frozenset()).problems]
    assert len(told) >= 6
    for text in told:
        chinese = Voice("zh").reason(text)
        assert Voice("en").reason(text) == text
        assert not re.search("[a-z]", chinese), (text, chinese)


def test_a_journal_that_takes_nothing_is_told_in_the_readers_language(place: Place) -> None:
    place.fleet.journal_problem = JournalFull("hall.journal", "the disk is full")
    place.look()
    referee = place.signed_in("referee")
    for path in ("/", "/calls"):
        page = referee.get(f"{path}?lang=zh").text
        assert "<b>日志无法写入</b> journal hall.journal: the disk is full" in page, path
