"""Draws what all motors of a simulated table draw together, from the key press to whole walls.

Example: .venv-dev/bin/python -m tools.draw_current > docs/current-of-a-build.svg
"""

from collections.abc import Sequence

from wallwright_simulator.currents import SUPPLY_A, highest_a, spans, sum_a
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.world import World

SEED, TILES = 1, 108
READY_BY_MS = 90_000
BEGINNING_MS = 400
WIDTH, HEIGHT, LEFT, TOP, GAP, TEXT = 900, 240, 60, 50, 80, 13
MOST_A = 12
EVERY_MS = 2
"""A point of the curve between two changes of the drives."""

Log = Sequence[tuple[int, int]]
Points = list[tuple[int, float]]


def log_of_a_build() -> tuple[Log, int]:
    """Return the log of the drives, from the key press on, and when the walls were whole."""
    world = World(SEED, TILES, log_drives=True)
    simulation = Simulation(SEED, TILES, world=world)
    simulation.players.press_lift(0)
    while simulation.board.displays[0] != "READY" and simulation.now_ms < READY_BY_MS:
        simulation.run_until(simulation.next_ms())
    return world.drive_log, simulation.now_ms


def curve(log: Log, until_ms: int, every_ms: int) -> Points:
    """Return the sum over time: before and after each change, and so often in between."""
    points = [(0, 0.0)]
    changes = [*log, (until_ms, 0)]
    for (at_ms, since), (next_ms, _) in zip(spans(log), changes[1:], strict=True):
        points.append((at_ms, points[-1][1]))
        end_ms = min(next_ms, until_ms)
        points += [(time_ms, sum_a(since, time_ms)) for time_ms in (*range(at_ms, end_ms, every_ms), end_ms)]
        if next_ms >= until_ms:
            break
    return points


def panel(title: str, points: Points, until_ms: int, step_ms: int, top: int) -> list[str]:
    """Return one picture of the curve, with its axes and the supply's limit."""

    def across(time_ms: float) -> float:
        return LEFT + WIDTH * time_ms / until_ms

    def up(ampere: float) -> float:
        return top + HEIGHT * (1 - ampere / MOST_A)

    lines = [f'<text x="{LEFT}" y="{top - 12}" font-weight="bold">{title}</text>']
    for ampere in range(0, MOST_A + 1, 2):
        y = up(ampere)
        lines.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{LEFT + WIDTH}" y2="{y:.1f}" stroke="#dde1e7"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y + TEXT / 3:.1f}" text-anchor="end">{ampere} A</text>')
    for time_ms in range(0, until_ms + 1, step_ms):
        shown = f"{time_ms // 1000} s" if step_ms >= 1000 else f"{time_ms} ms"
        lines.append(f'<text x="{across(time_ms):.1f}" y="{top + HEIGHT + 18}" text-anchor="middle">{shown}</text>')
    path = " ".join(f"{across(time_ms):.1f},{up(ampere):.1f}" for time_ms, ampere in points)
    lines.append(f'<polyline points="{path}" fill="none" stroke="#1f4e79" stroke-width="1.2"/>')
    limit = up(SUPPLY_A)
    lines.append(
        f'<line x1="{LEFT}" y1="{limit:.1f}" x2="{LEFT + WIDTH}" y2="{limit:.1f}" stroke="#c0392b" stroke-width="2"/>'
    )
    lines.append(
        f'<text x="{LEFT + WIDTH}" y="{limit - 5:.1f}" text-anchor="end" fill="#c0392b">supply {SUPPLY_A:.0f} A</text>'
    )
    return lines


def draw() -> str:
    """Return the picture as SVG: the whole build, and its beginning."""
    log, end_ms = log_of_a_build()
    whole, beginning = curve(log, end_ms, 20), curve(log, BEGINNING_MS, EVERY_MS)
    width, height = LEFT + WIDTH + 30, TOP + 2 * HEIGHT + GAP + 40
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif"'
            f' font-size="{TEXT}">',
            f'<rect width="{width}" height="{height}" fill="white"/>',
            *panel(
                f"All motors together, a simulated build of {TILES} tiles: {highest_a(log):.1f} A at the most",
                whole,
                end_ms,
                2000,
                TOP,
            ),
            *panel(f"Its first {BEGINNING_MS} ms", beginning, BEGINNING_MS, 50, TOP + HEIGHT + GAP),
            "</svg>",
            "",
        ]
    )


if __name__ == "__main__":
    print(draw(), end="")
