"""The characters of a list: its bytes as text, by the encoding that somebody has said or by all that may be meant.

What is certain is read (a mark at the beginning, valid UTF-8); of what is not, every likely text is given. What none
of the usual encodings makes words of is left to a detector, and its answer is a guess.
"""

import codecs
import re
from dataclasses import dataclass, replace

from charset_normalizer import from_bytes

from ...errors import BadSetting
from ...text_files import lines_in
from . import plausible

_LABELS = {
    "utf-8": "UTF-8", "utf-8-sig": "UTF-8", "utf-16": "UTF-16", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16",
    "utf-32": "UTF-32", "gb18030": "GB18030", "gbk": "GBK", "big5": "Big5", "big5hkscs": "Big5-HKSCS",
    "cp932": "Shift_JIS", "shift_jis": "Shift_JIS", "euc_jp": "EUC-JP", "iso2022_jp": "ISO-2022-JP",
    "cp949": "EUC-KR", "euc_kr": "EUC-KR", "mac-roman": "Mac Roman", "koi8-r": "KOI8-R",
    **{f"cp{number}": f"Windows-{number}" for number in range(1250, 1259)},
}  # fmt: skip
_USUAL = (
    "gb18030", "big5", "cp932", "euc_jp", "cp949", "cp1252", "cp1251", "cp1250", "koi8-r", "mac-roman", "cp866",
    "mac-cyrillic", "cp850", "iso8859-2", "iso8859-5", "big5hkscs", "cp1253", "cp1254",
)  # fmt: skip
"""The encodings in which lists come, those that are met most often first."""
_NO_TEXT = ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined")
"""What Python counts among its encodings, and nobody saves a list in."""
_SURE, _LIKELY, _CLOSE = 0.5, 0.3, 0.1
_KNOWN_LABEL, _LANGUAGE = 0.1, 0.12
_MOST = 3
_LONGEST_SAMPLE = 20_000


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text, Python's name of its encoding, and whether a detector has guessed it of bytes that fit no usual one."""

    text: str
    codec: str
    is_guess: bool = False

    @property
    def label(self) -> str:
        """What people call the encoding."""
        return label_of_codec(self.codec)


def label_of_codec(codec: str) -> str:
    """Return what people call an encoding."""
    return _LABELS.get(codec, codec.replace("_", "-").upper())


def check_encoding(name: str) -> str:
    """Return Python's name of a text encoding, "" for none. BadSetting when there is none of that name."""
    if not name:
        return ""
    try:
        found = codecs.lookup(name.strip()).name
        # Without a byte to read, Python does not look whether it makes text.
        b"a".decode(found)
    except UnicodeError:
        # One byte is no text of UTF-16.
        pass
    except (LookupError, ValueError):
        found = ""
    if not found or found.replace("_", "-") in _NO_TEXT:
        raise BadSetting(
            f"{name!r} is no encoding of texts; some are utf-8, utf-16, gb18030, big5, shift_jis, euc-kr, windows-1251 "
            "and windows-1252, and each of Python's is taken by its name"
        )
    return {"utf-8": "utf-8-sig"}.get(found, found)


def texts_of(data: bytes) -> tuple[Decoded, ...]:
    """Return the texts that bytes may be, the most likely first: one if there is no doubt, none if nothing fits."""
    certain = _certain(data)
    if certain is not None:
        return (certain,)
    found: dict[str, str] = {}
    for codec in _USUAL:
        text = _decoded(data, codec)
        if text is not None:
            found.setdefault(text, codec)
    samples = {text: _sample(text) for text in found}
    scores = {text: plausible.score(samples[text]) for text in found}
    worth = {text: _worth(samples[text], scores[text]) for text in found if scores[text] >= _LIKELY}
    if not worth:
        return _guessed(data)
    ranked = sorted(worth, key=lambda text: -worth[text])
    best = ranked[0]
    near = [Decoded(text, found[text]) for text in ranked if worth[best] - worth[text] < _CLOSE]
    if scores[best] >= _SURE:
        return tuple(near[:_MOST])
    guessed = [one for one in _guessed(data) if one.text not in ranked]
    return (*guessed[: _MOST - 1], *(replace(one, is_guess=True) for one in near))[:_MOST]


def _sample(text: str) -> str:
    """The beginning, and behind it the lines in which not all is ASCII."""
    if len(text) <= _LONGEST_SAMPLE:
        return text
    start = text[: _LONGEST_SAMPLE // 2]
    far = (line for line in lines_in(text[len(start) :]) if not line.isascii())
    return start + "\n" + "\n".join(far)[: _LONGEST_SAMPLE // 2]


def _worth(text: str, score: float) -> float:
    """How likely a text is, of all that its bytes may be: also by words that name columns, and by few languages."""
    return score + _KNOWN_LABEL * min(plausible.known_labels(text), 2) - _LANGUAGE * plausible.languages(text)


def _certain(data: bytes) -> Decoded | None:
    """What a mark, escapes, or the rules of UTF-8 and UTF-16 leave no doubt of."""
    for mark, codec in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            text = _decoded(data, codec)
            return None if text is None else Decoded(text, codec)
    if b"\0" in data:
        for codec, at in (("utf-16-le", 1), ("utf-16-be", 0)):
            text = _decoded(data, codec)
            is_turned = data[at::2].count(0) <= data[1 - at :: 2].count(0)
            if text is not None and not is_turned and "\0" not in text and plausible.score(text) >= _LIKELY:
                return Decoded(text, codec)
        return None
    if re.search(rb"\x1b[$(]", data):
        for codec in ("iso2022_jp", "iso2022_jp_2", "iso2022_kr"):
            text = _decoded(data, codec)
            if text is not None:
                return Decoded(text, codec)
    text = _decoded(data, "utf-8-sig")
    return None if text is None else Decoded(text, "utf-8-sig")


def _decoded(data: bytes, codec: str) -> str | None:
    try:
        return data.decode(codec)
    except UnicodeError:
        return None


def _guessed(data: bytes) -> tuple[Decoded, ...]:
    """What a detector takes bytes for that no usual encoding makes words of."""
    if b"\0" in data:
        return ()
    found: dict[str, str] = {}
    for match in from_bytes(data):
        found.setdefault(str(match), match.encoding)
    return tuple(Decoded(text, codec, is_guess=True) for text, codec in list(found.items())[:_MOST])
