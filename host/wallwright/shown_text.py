"""Text of anybody as it is shown: what controls a terminal, or shows as nothing, becomes a visible escape.

    shown("Anna\\x1b[2J")            'Anna\\\\u001b[2J': ends of lines are left
    shown_line("Anna\\nBert")        'Anna\\\\u000aBert': one line, whatever the text was

The escapes are those of JSON (RFC 8259, section 7), so that a text in JSON reads the same as before. Joiners and
variation selectors are left: names are written with them (`person_text`).
"""

import re
from typing import Final

_UNSEEN: Final = (
    "\x00-\t\x0b-\x1f\x7f-\x9f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f"
    "\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
)
"""Cc, Cf without joiners, Cs, Zl and Zp of Unicode (UAX 44), and the blocks in which more of Cf is to come."""
_IN_TEXT: Final = re.compile(f"(?!\r\n)[{_UNSEEN}]")
_IN_LINE: Final = re.compile(f"[{_UNSEEN}\n]")


def shown(text: str) -> str:
    """Return a text of several lines as it is shown; line feeds, alone or behind a carriage return, end its lines."""
    return _IN_TEXT.sub(_escape, text)


def shown_line(text: str) -> str:
    """Return a text as it is shown in one line."""
    return _IN_LINE.sub(_escape, text)


def _escape(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD800 + (code - 0x10000 >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
