"""The last of a board's life as pictures: a VCD file for GTKWave, and a timing diagram as SVG.

They take what `Emulator.do("trace")` returns: levels of the nets by their names in the table of pins, `outputs` as the
number that the output chain drives, and `poll` whenever the firmware has fed its watchdog.
"""

from collections.abc import Iterable
from xml.sax.saxutils import escape

from wallwright_firmware.boards.pins import FIRST_LAMP_PLACE
from wallwright_protocol.hardware import DRIVES

Change = tuple[float, str, float]
LAST_NS = 100_000_000
WIDTH, LEFT, RIGHT, ROW, HIGH = 1200, 110, 1160, 22, 14
HIDDEN = {"in_unused", "out_unused"}


def last(changes: Iterable[Change]) -> tuple[float, dict[str, list[tuple[float, int]]]]:
    """Return when the last 100 ms begin, and the changes of each signal in them, its level at their begin first.

    Of the outputs each that changes is a signal of its own.
    """
    listed = [(at, name, int(value)) for at, name, value in changes if name not in HIDDEN]
    begin = max((at for at, _, _ in listed), default=0.0) - LAST_NS
    rows: dict[str, list[tuple[float, int]]] = {}
    for at, name, value in listed:
        for row, level in _bits(value) if name == "outputs" else [(name, value)]:
            kept = rows.setdefault(row, [])
            if at < begin:
                kept[:] = [(begin, level)]
            elif row == "poll" or not kept or kept[-1][1] != level:
                kept.append((at, level))
    still = {name for name, kept in rows.items() if name.startswith(("drive", "lamp")) and len(kept) < 2}
    return begin, {name: rows[name] for name in sorted(rows) if name not in still}


def vcd(changes: Iterable[Change]) -> str:
    """Return the last 100 ms as a value change dump (IEEE 1364-2005, 18), in ns from their begin."""
    begin, rows = last(changes)
    codes = {name: chr(33 + number) for number, name in enumerate(rows)}
    text = ["$timescale 1 ns $end", "$scope module board $end"]
    text += [f"$var {'event' if name == 'poll' else 'wire'} 1 {code} {name} $end" for name, code in codes.items()]
    text += ["$upscope $end", "$enddefinitions $end"]
    every = sorted((at, codes[name], level) for name, kept in rows.items() for at, level in kept)
    shown = None
    for at, code, level in every:
        since = round(at - begin)
        if since != shown:
            text.append(f"#{since}")
            shown = since
        text.append(f"{level}{code}")
    return "\n".join(text) + "\n"


def svg(changes: Iterable[Change], title: str) -> str:
    """Return the last 100 ms as a timing diagram; what changes faster than a pixel is a filled block."""
    begin, rows = last(changes)
    height = 40 + ROW * len(rows) + 24
    scale = (RIGHT - LEFT) / LAST_NS
    text = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" font-family="sans-serif" '
        'font-size="12"><rect width="100%" height="100%" fill="white"/>',
        f'<text x="10" y="20" font-weight="bold">{escape(title)}</text>',
    ]
    bottom = 36 + ROW * len(rows)
    for ms in range(0, 101, 10):
        x = LEFT + ms * 1e6 * scale
        text.append(f'<path d="M{x:.1f} 32V{bottom}" stroke="#ddd"/>')
        text.append(f'<text x="{x:.1f}" y="{bottom + 16}" text-anchor="middle">{begin / 1e6 + ms:.0f} ms</text>')
    for number, (name, kept) in enumerate(rows.items()):
        base = 36 + ROW * number + HIGH
        text.append(f'<text x="{LEFT - 8}" y="{base}" text-anchor="end">{escape(name)}</text>')
        places = [(LEFT + (at - begin) * scale, level) for at, level in kept]
        text.append(_ticks(places, base) if name == "poll" else _wave(places, base))
    return "\n".join([*text, "</svg>"]) + "\n"


def _bits(value: int) -> list[tuple[str, int]]:
    drives = [(f"drive_{number:02}", value >> number & 1) for number in range(DRIVES)]
    return drives + [(f"lamp_{number}", value >> FIRST_LAMP_PLACE + number & 1) for number in range(8)]


def _ticks(places: list[tuple[float, int]], base: float) -> str:
    return f'<path d="{"".join(f"M{x:.1f} {base}v-{HIGH - 4}" for x, _ in places)}" stroke="#06c"/>'


def _wave(places: list[tuple[float, int]], base: float) -> str:
    path, blocks, fast = "", "", None
    for number, (x, level) in enumerate(places):
        end = places[number + 1][0] if number + 1 < len(places) else RIGHT
        if end - x < 1 and number + 1 < len(places):
            fast = x if fast is None else fast
            continue
        if fast is not None:
            blocks += f'<rect x="{fast:.1f}" y="{base - HIGH + 2}" width="{max(x - fast, 1):.1f}" height="{HIGH - 2}"/>'
            fast = None
        path += f"M{x:.1f} {base - (HIGH - 2) * level}H{end:.1f}"
        if number + 1 < len(places):
            path += f"v{(HIGH - 2) * (1 if level else -1)}"
    return f'<path d="{path}" fill="none" stroke="black"/><g fill="#888">{blocks}</g>'
