"""What is counted is one table, and several tables."""

import re
from string import Formatter

import pytest

from tests.host.console.test_texts import said
from wallwright.console.texts import translator
from wallwright.plurals import counted
from wallwright.words import words

ONE_OF_SEVERAL = re.compile(
    r"\b1 (?:[a-z]+ )?(?:boards|changes|days|deals|events|fans|games|hands|hours|kongs|minutes|pairs|people|places"
    r"|players|points|roots|seats|seconds|sessions|sets|stacks|stand-ins|tables|tiles|times|tries|walls)\b"
)
NAMES = {"seat", "next", "dealer", "session", "table", "deal", "most"}
"""Values that are a name or a number of something, or a limit that is never 1."""


def filled(text: str, name: str, count: int | str) -> str:
    """The English text with this count; everything else in it is 2."""
    values = {one: count if one == name else 2 for _, one, _, _ in Formatter().parse(text) if one}
    return translator("en")(text, **values)


def counts() -> list[tuple[str, str]]:
    """Every text that a page can show, with each of its values that may be a number."""
    return sorted(
        (text, name)
        for text in said()
        for _, name, spec, conversion in Formatter().parse(text)
        if name and name not in NAMES and not spec and not conversion
    )


def test_no_text_says_one_of_several() -> None:
    told = {filled(text, name, 1) for text, name in counts()}
    assert len(told) > 300
    assert [one for one in told if ONE_OF_SEVERAL.search(one)] == []


@pytest.mark.parametrize("count", [0, 2])
def test_none_and_two_are_several(count: int) -> None:
    for text, name in counts():
        assert counted(text, {name: count}) == text


def test_one_is_said_on_pages_and_on_a_terminal() -> None:
    say = translator("en")
    assert say("{count} minutes until the end", count=1) == "1 minute until the end"
    assert say("{count} minutes until the end", count=11) == "11 minutes until the end"
    assert (say("tables", count=1), say("tables", count=2)) == ("table", "tables")
    assert translator("zh")("tables", count=1) == "张牌桌"
    assert str(words("there are {count} players; an event needs {least}", count=1, least=4)) == (
        "there is 1 player; an event needs 4"
    )
    assert filled("left the seat with {points} points in this session", "points", "-1") == (
        "left the seat with -1 point in this session"
    )
