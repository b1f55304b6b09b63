"""What people write is folded, refused by name and place, and compared, by Unicode's own rules."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright.person_text import folded, looks_like, refusal, same_key

ANY = st.text(
    st.characters()
    | st.sampled_from("\u200c\u200d\ufe0f\u0301\u094d\u00a0\u3000\u2028\u202e\u200b\U000e0100邊神अب😀eİ ")
)

FOLDED = {
    "blanks": ("\u3000Ann\u00a0\u2007\tLee\u202f", "Ann Lee"),
    "a name as spreadsheets write it in Japan": ("佐藤\u3000健", "佐藤 健"),
    "accents of their own": ("Zoe\u0308 Ngo\u0302", "Zoë Ngô"),
    "nothing that is seen": ("\ufeffAn\u00adn\u200b Le\u2060e\u200e\u3164", "Ann Lee"),
    "accents around a zero width space": ("e\u200b\u0301", "é"),
    "joiners of no use": ("A\u200dnn\u200c", "Ann"),
    "Persian": ("می\u200cنا حسین\u200cپور", "می\u200cنا حسین\u200cپور"),
    "Persian with a joiner at the end": ("مینا\u200c", "مینا"),
    "Sinhala": ("ශ්\u200dරී", "ශ්\u200dරී"),
    "Hindi": ("क्\u200cष", "क्\u200cष"),
    "Bengali": ("র\u200d্যান্ডি", "র\u200d্যান্ডি"),
    "an ideographic variation": ("渡邊\U000e0100 葛\U000e0100", "渡邊\U000e0100 葛\U000e0100"),
    "a variation of nothing": ("A\U000e0100nn\ufe0f \ufe00", "Ann"),
    "a family": ("Ann 👩\u200d💻 ❤\ufe0f\u200d🔥 👩🏽\u200d🚀", "Ann 👩\u200d💻 ❤\ufe0f\u200d🔥 👩🏽\u200d🚀"),
    "isolates of a messenger": ("\u2068Ann\u2069 \u202aLee\u202c", "Ann Lee"),
    "a pattern of blanks": ("Ann\u2800\u2800Lee", "Ann Lee"),
    "an ideograph newer than this Python": ("\U0002ebf0\U0003134a", "\U0002ebf0\U0003134a"),
}
REFUSED = {
    "Ann\x1b[31m": "character 4 is ESCAPE (U+001B)",
    "\0": "character 1 is NULL (U+0000)",
    "Ann\u00a0 \u202eeeL": "character 5 is RIGHT-TO-LEFT OVERRIDE (U+202E)",
    "\u202dAnn": "character 1 is LEFT-TO-RIGHT OVERRIDE (U+202D)",
    "Ann\nLee": "character 4 is LINE FEED (U+000A)",
    "Ann\u2028Lee": "character 4 is LINE SEPARATOR (U+2028)",
    "Ann\x84": "character 4 is a control character (U+0084)",
    "A\ue000": "character 2 is a character of private use (U+E000)",
    "A\udcff": "character 2 is a byte or half of a character that could not be read (U+DCFF)",
    "A\ufdd0": f"character 2 is no character of Unicode {unicodedata.unidata_version} (U+FDD0)",
    "A\U0002ffff": f"character 2 is no character of Unicode {unicodedata.unidata_version} (U+2FFFF)",
    "M\ufffdller": "character 2 is REPLACEMENT CHARACTER (U+FFFD)",
    "\U0001f3f4\U000e0067": "character 2 is TAG LATIN SMALL LETTER G (U+E0067)",
}
SAME = (
    ("Ann Lee", "ＡＮＮ\u3000ｌｅｅ"),
    ("Ann  Lee", "Ann Lee"),
    ("Zoë", "ZOE\u0308"),
    ("Groß", "GROSS"),
    ("渡邊\U000e0100", "渡邊"),
    ("می\u200cنا", "مینا"),
    ("ﾀﾅｶ", "タナカ"),
    ("ΝΙΚΟΣ", "νικοσ"),
)
ALIKE = (
    ("Anna Li", "Аnna Li"),
    ("Anna Li", "AnnaLi"),
    ("MOHA", "МОНА"),
    ("Stand-in 10", "Stand-in l0"),
    ("ロロ", "口口"),
)
OTHERS = (("Ann", "Anna"), ("José", "Jose"), ("Li Wei", "Li Wen"), ("渡邊", "渡邉"), ("Kai", "Kal"), ("Ян", "Ян К"))


@pytest.mark.parametrize(("text", "stored"), FOLDED.values(), ids=FOLDED)
def test_a_text_is_folded(text: str, stored: str) -> None:
    assert folded(text) == stored
    assert refusal(text) is None


@pytest.mark.parametrize("text", REFUSED, ids=ascii)
def test_a_character_that_cannot_be_is_named_with_its_place(text: str) -> None:
    assert str(refusal(text)) == f"{REFUSED[text]}, which cannot be in a text; leave it out"


@pytest.mark.parametrize(("one", "other"), SAME, ids=ascii)
def test_two_texts_are_the_same(one: str, other: str) -> None:
    assert same_key(one) == same_key(other)


@pytest.mark.parametrize(("one", "other"), ALIKE, ids=ascii)
def test_two_names_look_the_same(one: str, other: str) -> None:
    assert same_key(one) != same_key(other)
    assert looks_like(one) == looks_like(other)


@pytest.mark.parametrize(("one", "other"), OTHERS, ids=ascii)
def test_two_names_look_different(one: str, other: str) -> None:
    assert looks_like(one) != looks_like(other)


@given(ANY)
def test_folding_twice_changes_nothing_and_leaves_one_form(text: str) -> None:
    once = folded(text)
    assert folded(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert once == " ".join(once.split(" "))
    assert "  " not in once
    assert same_key(once) == same_key(text)
    assert same_key(same_key(text)) == same_key(text)
    assert looks_like(once) == looks_like(text)
    assert str(refusal(once)) == str(refusal(text))


def test_each_character_is_shown_or_refused_or_gone() -> None:
    """Of all characters beside a letter, none stays that Python holds unprintable, but rare ideographs."""
    for number in range(sys.maxunicode + 1):
        one = chr(number)
        stored = folded(f"a{one}b")
        is_rare = 0x20000 <= number <= 0x3FFFD and unicodedata.category(one) == "Cn"
        assert stored.isprintable() or is_rare or refusal(stored) is not None, hex(number)
        if one.isalnum() and one.isprintable() and one not in "\u115f\u1160\u3164\uffa0":
            assert refusal(stored) is None, hex(number)
