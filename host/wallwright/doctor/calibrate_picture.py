"""The picture of a calibration: for each quantity its samples, and the limits before and after, as one SVG."""

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from .limits import HIGH, LOW, RULES

WIDTH, ROW, TOP, LEFT, RIGHT = 960, 86, 64, 150, 40
LANE = 8
"""Height of a part's line of dots."""
INK, NEW, OLD, DOT = "#222", "#1a7f37", "#b35900", "#2457a6"


def picture(report: Mapping[str, Any]) -> str:
    """Return the SVG of a report as `calibrate.report` makes it: samples as dots, a line for each part."""
    rows = [(name, parts) for name, parts in report["measured"].items() if any(parts.values())]
    height = TOP + ROW * len(rows) + 16
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        ' font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{height}" fill="white"/>',
        _text(16, 24, f"Table {report['unit']}, {report['made_at']}, builds: {report['builds']}", size=16),
        f'<g fill="{DOT}"><circle cx="20" cy="42" r="3"/></g>',
        _text(30, 46, "measured, a line for each part"),
        f'<path d="M240 34v16" stroke="{NEW}" stroke-width="2"/>',
        _text(248, 46, "limit from now on; healthy is the green band"),
        f'<path d="M540 34v16" stroke="{OLD}" stroke-width="2" stroke-dasharray="3 3"/>',
        _text(548, 46, "limit before"),
    ]
    for at, (name, parts) in enumerate(rows):
        drawn += _row(TOP + ROW * at, name, parts, report)
    return "\n".join([*drawn, "</svg>\n"])


def _row(top: int, name: str, parts: Mapping[str, list[int]], report: Mapping[str, Any]) -> Iterator[str]:
    limits: dict[str, dict[str, int]] = {row["setting"]: row for row in report["limits"]}
    rules = [rule for rule in RULES if rule.quantity == name and rule.setting in limits and not rule.is_scaled]
    shown = {rule.setting: rule.end if rule.percent > 0 else HIGH for rule in rules}
    samples = [sample for part in parts.values() for sample in part]
    marks = samples + [limits[setting][when] for setting in shown for when in ("value", "before")]
    low, high = min(marks), max(marks)
    room = max(high - low, 10) * 0.06
    scale = (WIDTH - LEFT - RIGHT) / (high - low + 2 * room)

    def x(ms: float) -> float:
        return round(LEFT + (ms - low + room) * scale, 1)

    def new(end: str, otherwise: int) -> float:
        return x(next((limits[setting]["value"] for setting, its in shown.items() if its == end), otherwise))

    base = top + 18 + LANE * len(parts)
    begin = new(LOW, low) if LOW in shown.values() else x(low - room)
    finish = new(HIGH, high) if HIGH in shown.values() else x(high + room)
    width, height = round(finish - begin, 1), base - top - 8
    if name != "belt_ms":  # what comes later has only waited for a tile
        yield f'<rect x="{begin}" y="{top + 8}" width="{width}" height="{height}" fill="#e6f4ea"/>'
    yield f'<path d="M{LEFT} {base}H{WIDTH - RIGHT}" stroke="#999"/>'
    yield _text(16, top + 26, name.removesuffix("_ms").replace("_", " "), size=13)
    yield _text(16, top + 42, f"{min(samples)} to {max(samples)} ms")
    yield _text(16, top + 58, f"{len(samples)} samples")
    for line, part in enumerate(parts.values()):
        y = top + 16 + LANE * line
        dots = "".join(f'<circle cx="{x(ms)}" cy="{y}" r="2.5"/>' for ms in sorted(set(part)))
        yield f'<g fill="{DOT}" fill-opacity="0.7">{dots}</g>'
    for place, setting in enumerate(shown):
        value, before = limits[setting]["value"], limits[setting]["before"]
        yield f'<path d="M{x(before)} {top + 8}V{base}" stroke="{OLD}" stroke-width="2" stroke-dasharray="3 3"/>'
        yield f'<path d="M{x(value)} {top + 4}V{base + 4}" stroke="{NEW}" stroke-width="2"/>'
        anchor = "start" if x(value) < WIDTH / 2 else "end"
        words = f"{setting.removesuffix('_ms').replace('_', ' ')} {value} ms (before {before})"
        yield _text(x(value), base + 15 + 11 * (place % 2), words, anchor=anchor, colour=NEW, size=10)


def _text(x: float, y: float, words: str, *, anchor: str = "start", colour: str = INK, size: int = 12) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">{escape(words)}</text>'
