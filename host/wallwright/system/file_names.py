"""Names of files from what people have called something: safe on every system that such a file may be taken to."""

import re
import unicodedata

_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
"""What Windows refuses in a name, the separators of the others among it."""
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
"""Names of devices on Windows, with any ending."""
LONGEST = 120
"""Bytes of UTF-8 in a name. A file system allows 255 with all that is added; a Chinese character has three."""


def safe_name(text: str, otherwise: str) -> str:
    """Return `text` as the beginning of a file's name, or `otherwise` when nothing of it can be in one."""
    seen = "".join(one for one in unicodedata.normalize("NFC", text) if unicodedata.category(one)[0] != "C")
    name = re.sub(r"\s+", " ", _FORBIDDEN.sub("-", seen)).strip(" .-~")
    name = name.encode()[:LONGEST].decode(errors="ignore").rstrip(" .-")
    if not name:
        return otherwise
    return f"{otherwise}-{name}" if _RESERVED.fullmatch(name) else name
