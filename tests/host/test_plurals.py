"""What is counted is one table, and several tables."""

import re
from string import Formatter

import pytest

from tools.messages import messages
from wallwright.console.texts import translator
from wallwright.words import english, plural, words

ONE_OF_SEVERAL = re.compile(
    r"\b1 (?:[a-z]+ )?(?:boards|changes|days|deals|events|fans|games|hands|hours|kongs|minutes|pairs|people|places"
    r"|players|points|roots|seats|seconds|sessions|sets|stacks|stand-ins|tables|tiles|times|tries|walls)\b"
)
NAMES = {"seat", "next", "dealer", "session", "table", "deal", "most", "hand", "plan", "text"}
"""Values that are a name, a number or a text of something, the stacks of four sides, or a limit that is never 1."""


def filled(text: str, name: str, count: int | str) -> str:
    """The English text with this count; everything else in it is 2."""
    return translator("en")(text, **values(text) | {name: count})


def values(text: str) -> dict[str, int | str]:
    return {one: 2 for _, one, _, _ in Formatter().parse(text) if one}


def counts() -> list[tuple[str, str]]:
    """Every text that a page can show, with each of its values that may be a number."""
    return [
        (one.text, name)
        for one in messages()
        if one.context is None
        for _, name, spec, conversion in Formatter().parse(one.text)
        if name and name not in NAMES and not spec and not conversion
    ]


def test_no_text_says_one_of_several() -> None:
    told = {filled(text, name, 1) for text, name in counts()}
    assert len(told) > 300
    assert [one for one in told if ONE_OF_SEVERAL.search(one)] == []


@pytest.mark.parametrize("count", [0, 2])
def test_none_and_two_are_several(count: int) -> None:
    for text, name in counts():
        assert filled(text, name, count) == str(text).format(**values(text) | {name: count})


def test_one_is_said_on_pages_and_on_a_terminal() -> None:
    left = plural("{count} minute until the end", "{count} minutes until the end")
    tables, points = plural("table", "tables"), plural("{points} point", "{points} points", "points")
    for say in (translator("en"), english):
        assert say(left, count=1) == "1 minute until the end"
        assert say(left, count=11) == "11 minutes until the end"
        assert (say(tables, count=1), say(tables, count=2), say(tables)) == ("table", "tables", "tables")
        assert [say(points, points=told) for told in ("-1", "+1", 1)] == ["-1 point", "+1 point", "1 point"]
        assert [say(points, points=told) for told in ("-2", "0", "1/2")] == ["-2 points", "0 points", "1/2 points"]
    assert translator("zh")(tables, count=1) == translator("zh")(tables, count=2) == "张牌桌"
    short = plural(
        "there is {count} player; an event needs {least}", "there are {count} players; an event needs {least}"
    )
    assert str(words(short, count=1, least=4)) == "there is 1 player; an event needs 4"
    assert words(short, count=3, least=4).said(translator("zh")) == "只有 3 名选手，至少需要 4 名"
