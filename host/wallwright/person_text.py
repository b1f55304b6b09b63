"""Text that people write: names, clubs, ids, reasons. It is folded before it is kept, and refused where it cannot be.

    folded("Anna\\u00a0 Li ")        "Anna Li": what is stored
    refusal("Anna\\x1b")             "character 5 is ESCAPE (U+001B), ...": None where nothing is wrong
    same_key("ＡＮＮＡ  li")          "anna li": two texts are the same when their keys are equal
    looks_like("Аnna Li")           two names with equal looks are told apart by nobody; ask

Unicode decides (UAX 15 for forms, UAX 44 for white space, UAX 31 and RFC 5892, A.1 and A.2, for joiners, UTS 39 for
looks). A text in another direction is written in logical order, so marks of direction are dropped; an override, which
makes a text read as another one, is refused. Ideographs keep their variation selectors: names are written with them.
Nothing here knows how long a text may be.
"""

import re
import unicodedata
from typing import Final

from .words import Words, words

_SPACES: Final = re.compile("[\t \u00a0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]+")
"""White_Space without what ends a line, and BRAILLE PATTERN BLANK, which shows as a blank."""
_ENDS: Final = " \n\v\f\r\x85\u2028\u2029"
"""White_Space that is left then. Within a text an end of a line is refused: two names may have been pasted as one."""
_LINE_ENDS: Final = re.compile(f"[{_ENDS}]")
_DROPPED: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u200b\u200e\u200f"
    "\u202a-\u202c\u2060-\u2064\u2066-\u206f\u3164\ufeff\uffa0]"
)
"""Shows as nothing: soft hyphens, zero width spaces, byte order marks, fillers, marks and ends of direction."""
_JOINERS: Final = re.compile("[\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Shows as nothing, and shapes what is beside it: kept where a script needs it."""
_ZWNJ, _ZWJ = "\u200c", "\u200d"
_EMOJI_STYLES: Final = "\ufe0e\ufe0f"
_VIRAMA: Final = 9
"""The canonical combining class of what kills a vowel (UAX 44)."""
_CURSIVE: Final = re.compile("(ARABIC|SYRIAC|MONGOLIAN|NKO|MANDAIC|PHAGS-PA|MANICHAEAN|HANIFI ROHINGYA) LETTER|ADLAM ")
"""Begins the names of letters that join."""
_IDEOGRAPH: Final = re.compile("[\u2e80-\u2fd5\u3005-\u3007\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]")
_RESERVED: Final = re.compile("[\U00020000-\U0002fffd\U00030000-\U0003fffd]")
"""Ideographs, also those that are newer than the Unicode of this Python: rare ones are in people's names."""
_LOST: Final = "\ufffc\ufffd"
"""Stand where something was that is lost: an object, a character that could not be read."""
_CONTROLS: Final = {
    "\0": "NULL",
    "\a": "BELL",
    "\b": "BACKSPACE",
    "\t": "TABULATION",
    "\n": "LINE FEED",
    "\v": "LINE TABULATION",
    "\f": "FORM FEED",
    "\r": "CARRIAGE RETURN",
    "\x1b": "ESCAPE",
    "\x7f": "DELETE",
    "\x85": "NEXT LINE",
}
"""Names of controls (ISO 6429); Unicode gives them none."""
_LOOKS: Final = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеіјорсухѕԁԛԝһ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ" "I1|0" "カロニハエトタヘベペ",
    "ABESlJKMHOPCTYXaeijopcyxsdqwh" "ABEZHlKMNOPTYXovp" "lllO" "力口二八工卜夕へべぺ",
)  # fmt: skip
"""One letter for those that are drawn alike in Latin, Cyrillic and Greek, in kana and ideographs (UTS 39, part 4)."""


def is_plain(text: str) -> bool:
    """Say whether a text is of ASCII that can be printed: nothing of it is folded but blanks, and nothing refused."""
    return text.isascii() and text.isprintable()


def folded(text: str) -> str:
    """Return a text as it is stored: in NFC, each run of blanks one blank, none at its ends, nothing idle in it."""
    if is_plain(text) and "  " not in text:
        return text.strip(" ")
    seen = _SPACES.sub(" ", _DROPPED.sub("", text)).strip(_ENDS)
    if _JOINERS.search(seen):
        kept = ""
        for at, one in enumerate(seen):
            if not _JOINERS.match(one) or _is_needed(one, kept, seen[at + 1 :]):
                kept += one
        seen = _SPACES.sub(" ", kept).strip(_ENDS)
    return unicodedata.normalize("NFC", seen)


def one_line(text: str) -> str:
    """Return a text of several lines, such as a ruling, as one: an end of a line in it counts as a blank."""
    return folded(_LINE_ENDS.sub(" ", text))


def refusal(text: str) -> Words | None:
    """Return why a text cannot be taken: its first character that may not be in one, counted from 1 once it is folded.

    Such are controls and line ends, overrides of direction, tags, private and unassigned characters, surrogates.
    """
    if is_plain(text):
        return None
    for place, one in enumerate(folded(text), 1):
        category = unicodedata.category(one)
        is_newer = category == "Cn" and _RESERVED.match(one)
        if (category[0] == "C" or category in {"Zl", "Zp"} or one in _LOST) and not (_JOINERS.match(one) or is_newer):
            text = "character {place} is {name} ({code}), which cannot be in a text; leave it out"
            return words(text, place=place, name=_name(one, category), code=f"U+{ord(one):04X}")
    return None


def same_key(text: str) -> str:
    """Return what two texts are the same by: NFKC and case folding (toNFKC_Casefold of UAX 31), nothing unseen."""
    key = unicodedata.normalize("NFD", folded(text))
    for _ in range(2):
        key = unicodedata.normalize("NFKC", key.casefold())
    return " ".join(_JOINERS.sub("", _DROPPED.sub("", key)).split())


def looks_like(text: str) -> str:
    """Return what two names look the same by, whose `same_key` may differ: letters by their shape, without blanks."""
    shown = unicodedata.normalize("NFKC", folded(text)).translate(_LOOKS)
    return same_key(shown).replace(" ", "")


def _is_needed(joiner: str, before: str, after: str) -> bool:
    """Say whether a joiner or a variation selector shapes what is beside it."""
    last = before[-1:]
    if not last or last.isspace() or (_JOINERS.match(last) and not (last in _EMOJI_STYLES and joiner == _ZWJ)):
        return False
    category = unicodedata.category(last)
    if joiner in _EMOJI_STYLES:
        return category[0] in "SNP" or bool(_IDEOGRAPH.match(last))
    if joiner > _EMOJI_STYLES:
        return bool(_IDEOGRAPH.match(last))
    if joiner >= "\ufe00":
        return category == "Lo"
    if joiner not in (_ZWNJ, _ZWJ):
        return _is_cursive(last)
    following = after[:1]
    if _VIRAMA in map(unicodedata.combining, last + following):
        return True
    if joiner == _ZWJ:
        drawn = next((one for one in reversed(before) if one not in _EMOJI_STYLES), "")
        return all(one and unicodedata.category(one) in {"So", "Sk"} for one in (drawn, following))
    letters = (next((one for one in part if not unicodedata.combining(one)), "") for part in (reversed(before), after))
    return all(map(_is_cursive, letters))


def _is_cursive(one: str) -> bool:
    return bool(one) and bool(_CURSIVE.match(unicodedata.name(one, "")))


def _name(one: str, category: str) -> str | Words:
    if category == "Cc":
        return _CONTROLS.get(one, words("a control character"))
    if category == "Co":
        return words("a character of private use")
    if category == "Cs":
        return words("a byte or half of a character that could not be read")
    return unicodedata.name(one, "") or words("no character of Unicode {version}", version=unicodedata.unidata_version)
