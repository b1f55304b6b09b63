"""docs/sorting-ring.svg: the ring that sorts, from above, with the figures of the modelled machine."""

from math import cos, pi, sin

from wallwright_protocol.hardware import SIDES
from wallwright_simulator.mechanics import MOUTH_LEAD_MS, RING_MAGNETS, RING_SLOT_MS, SOLENOID_MS

MAGNETS = 18
WIDTH, HEIGHT = 860, 640
CENTRE = (320, 320)
RING, DRUM, DISC = 200, 236, 150
"""Radii."""
LEAD = 26
"""Degrees of the ring between a mouth and its reader."""
CARRIED = frozenset({1, 2, 4, 7, 8, 11, 13, 16})
"""Magnets that are drawn with a tile."""
LEGEND = (
    ("reader", f"Reader of the mouth: names the tile {MOUTH_LEAD_MS} ms before it is there."),
    ("knock", "Knock-off: sends a tile that is not wanted back into the drum."),
    ("scraper", "Scraper: out, it takes the tile onto the belt; drawn back, it lets it pass."),
    ("belt", "Belt, counting eye, stacking head and carrier, as in every table."),
    ("head", "Reader of the head: sees again what was taken, before the walls rise."),
)
STYLE = """
text { font: 15px 'DejaVu Sans', sans-serif; fill: #222; } .small { font-size: 13px; }
.drum { fill: #f4f1ea; stroke: #555; stroke-width: 2; } .disc { fill: #e6e0d4; stroke: #999; }
.ring { fill: none; stroke: #999; stroke-width: 16; } .magnet { fill: #555; } .tile { fill: #fffdf5; stroke: #2c7a4b; }
.reader { fill: #2f6fb0; } .knock { fill: #c0392b; } .scraper { fill: #2c9a5b; } .belt { fill: #ddd; stroke: #777; }
.head { fill: #8e44ad; } .turn { fill: none; stroke: #222; stroke-width: 2; marker-end: url(#arrow); }
"""


def picture() -> str:
    """Return the drawing as SVG."""
    x, y = CENTRE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<title>A ring that sorts, seen from above</title>",
        f"<style>{STYLE}</style>",
        '<defs><marker id="arrow" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 10 5 0 10z"/></marker></defs>',
        f'<circle class="drum" cx="{x}" cy="{y}" r="{DRUM}"/>',
        f'<circle class="disc" cx="{x}" cy="{y}" r="{DISC}"/>',
        f'<circle class="ring" cx="{x}" cy="{y}" r="{RING}"/>',
        *_magnets(),
        *(f'<g transform="rotate({-90 * side} {x} {y})">{_mouth()}</g>' for side in range(SIDES)),
        *_words(),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _at(degrees: float, radius: float) -> tuple[float, float]:
    """A point of the ring, by its angle from the mouth of side 0 against the way the ring turns."""
    angle = pi / 2 + degrees * pi / 180
    return CENTRE[0] + radius * cos(angle), CENTRE[1] + radius * sin(angle)


def _magnets() -> list[str]:
    found = []
    for number in range(MAGNETS):
        degrees = 360 * (number + 0.5) / MAGNETS
        x, y = _at(degrees, RING)
        found.append(f'<circle class="magnet" cx="{x:.1f}" cy="{y:.1f}" r="6"/>')
        if number in CARRIED:
            found.append(
                f'<rect class="tile" x="{x - 9:.1f}" y="{y - 12:.1f}" width="18" height="24" rx="3" '
                f'transform="rotate({degrees:.0f} {x:.1f} {y:.1f})"/>'
            )
    return found


def _mouth() -> str:
    """The parts at the mouth of side 0, which is below; the ring comes to it from the left."""
    x, y = CENTRE
    reader_x, reader_y = _at(LEAD, RING + 20)
    knock_x, knock_y = _at(LEAD / 2, RING + 20)
    return "".join(
        [
            f'<rect class="belt" x="{x - 14}" y="{y + RING + 10}" width="28" height="72"/>',
            f'<rect class="belt" x="{x - 70}" y="{y + RING + 82}" width="140" height="22"/>',
            f'<rect class="head" x="{x - 14}" y="{y + RING + 66}" width="28" height="10"/>',
            f'<rect class="reader" x="{reader_x - 14:.1f}" y="{reader_y - 6:.1f}" width="28" height="12" rx="3" '
            f'transform="rotate({LEAD} {reader_x:.1f} {reader_y:.1f})"/>',
            f'<path class="knock" d="M{knock_x - 7:.1f} {knock_y + 8:.1f} h14 l-7 -22z"/>',
            f'<path class="scraper" d="M{x + 14} {y + RING + 12} l18 -30 8 5 -18 30z"/>',
        ]
    )


def _words() -> list[str]:
    x, y = CENTRE
    turn_s = RING_SLOT_MS * RING_MAGNETS / 1000
    found = [
        f'<text x="{x}" y="{y - 8}" text-anchor="middle">drum: tiles on the turning disc</text>',
        f'<text class="small" x="{x}" y="{y + 14}" text-anchor="middle">'
        f"ring of {MAGNETS} magnets, a turn in {turn_s:.1f} s</text>",
        f'<path class="turn" d="M{x - 90} {y + 84} A 124 124 0 0 0 {x + 90} {y + 84}"/>',
        f'<text class="small" x="{x}" y="{y + 74}" text-anchor="middle">a solenoid takes {SOLENOID_MS} ms</text>',
    ]
    places = [(x, y + 293), (x + 293, y), (x, y - 293), (x - 293, y)]
    for side, (at_x, at_y) in enumerate(places):
        turned = f' transform="rotate({-90 * side} {at_x} {at_y})"' if side % 2 else ""
        found.append(f'<text class="small" x="{at_x}" y="{at_y + 4}" text-anchor="middle"{turned}>side {side}</text>')
    for row, (name, text) in enumerate(LEGEND):
        top = 120 + 88 * row
        found.append(f'<rect class="{name}" x="650" y="{top}" width="22" height="14"/>')
        found += [
            f'<text class="small" x="680" y="{top + 12 + 17 * line}">{part}</text>'
            for line, part in enumerate(_lines(text))
        ]
    return found


def _lines(text: str) -> list[str]:
    """Break a text for the legend."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > 24:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
