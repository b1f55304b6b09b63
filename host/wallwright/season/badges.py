"""Keys that a hall issues to players without a federation's number, on badges to be printed.

A key is 80 random bits, so that two halls never issue the same one; it says nothing of whom it belongs to. Its QR code
has the key alone: a scanner types it into the column `id` of a list.
"""

import base64
from collections.abc import Callable, Sequence
from html import escape

BYTES = 10
PREFIX = "H"
_GROUP = 4

_STYLE = """
@page { size: A4; margin: 12mm }
body { font-family: sans-serif; margin: 0; display: grid; grid-template-columns: 1fr 1fr; gap: 4mm }
section { border: .3mm solid #000; padding: 4mm; break-inside: avoid }
section { display: grid; grid-template-columns: 30mm 1fr; gap: 4mm }
svg { width: 30mm; height: 30mm }
p { margin: 0; border-bottom: .3mm solid #000; align-self: end; height: 9mm }
code { font-size: 9pt; grid-column: 1 / 3; text-align: center }
"""


def new_key(randbytes: Callable[[int], bytes]) -> str:
    """Return a new key: H-ABCD-EFGH-IJKL-MNOP, letters and the digits 2 to 7."""
    text = base64.b32encode(randbytes(BYTES)).decode()
    return "-".join([PREFIX, *(text[at : at + _GROUP] for at in range(0, len(text), _GROUP))])


def badge_page(hall: str, badges: Sequence[tuple[str, int, str]]) -> str:
    """Return a page to be printed, a badge for each key with its QR code: (key, modules a side, SVG path)."""
    cards = "".join(
        f'<section><svg viewBox="0 0 {size} {size}" role="img" aria-label="{escape(key)}">'
        f'<path d="{escape(path)}" stroke="#000" fill="none"/></svg><p></p><code>{escape(key)}</code></section>\n'
        for key, size, path in badges
    )
    return (
        f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(hall)}</title>'
        f"<style>{_STYLE}</style>\n{cards}</html>\n"
    )
