"""Writes what a study found: `report.json` for programs, `report.html` with plots, which are SVG files too,
`builds.npz` with all numbers.

The same study gives the same bytes.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ..system.disk import write_whole
from .cells import PLACES, Cell, Plan
from .findings import LEVEL, POWER, Comparison, compare, comparison_records, power, significant, verdict, walls_to_show
from .gains import gains_plot, hands_plot, memory_record
from .measures import MEASURES, SEGMENTS, Measured, fair_means
from .memory import Played
from .pages import render
from .svg import svg
from .walls import measured, played, to_bytes

SHOWN_BY = (100, 1_000, 10_000)
"""Numbers of walls whose smallest visible correlation the plot has."""
PLAY = (
    "Tiles fall in a stated mix: each from any of the four sides, in an order that has nothing to do with its face. "
    "Mouths are always free to take. No firmware and no people are in this study."
)


def write_report(folder: Path, plan: Plan) -> dict[str, Any]:
    """Write all files into the folder of a finished study, and return what report.json says."""
    found = {cell: measured(folder, plan, cell) for cell in plan.cells}
    plays = {cell: played(folder, plan, cell) for cell in plan.cells}
    tests = {cell: compare(one.values, fair_means(plan.stacks)) for cell, one in found.items()}
    shown = iter(significant([test.p for cell in plan.cells for test in tests[cell]]))
    cells = [
        _cell_record(cell, found[cell], tests[cell], [next(shown) for _ in tests[cell]], plays[cell])
        for cell in plan.cells
    ]
    record = {
        "game": plan.game,
        "tiles": 2 * sum(plan.stacks),
        "seed": plan.seed,
        "level": LEVEL,
        "power": POWER,
        "play": PLAY,
        "cells": cells,
    }
    write_whole(folder / "report.json", f"{json.dumps(record, indent=1)}\n".encode())
    arrays = {f"{cell.name}/{name}": one.values[name] for cell, one in found.items() for name in MEASURES}
    for cell, play in plays.items():
        arrays |= {} if play is None else {f"{cell.name}/{name}": values for name, values in play._asdict().items()}
    write_whole(folder / "builds.npz", to_bytes(arrays))
    plots = {
        "correlation": _correlation(plan, cells),
        "thirds": _thirds(cells),
        "power": _power(plan, cells),
        "maps": _maps(found),
    }
    if plan.play:
        plots |= {"gains": gains_plot(cells), "hands": hands_plot(cells)}
    for name, picture in plots.items():
        write_whole(folder / f"{name}.svg", picture.encode())
    write_whole(folder / "report.html", render("report.html", record=record, plots=plots).encode())
    return record


def _cell_record(
    cell: Cell, found: Measured, tests: tuple[Comparison, ...], shown: list[bool], play: Played | None
) -> dict[str, Any]:
    by_name = {test.measure: test for test in tests}
    rho = by_name["rho"]
    tiles = int(found.map.sum()) // rho.n
    return {
        "name": cell.name,
        "drum": cell.drum,
        "D": cell.d,
        "wash_s": cell.wash_s,
        "memory": None if play is None else memory_record(play),
        "builds": rho.n,
        "rho": round(rho.mean, 5),
        "rho_se": round(rho.error, 5),
        "first_third": round(by_name["first_third"].mean, 5),
        "builds_that_show_it": walls_to_show(abs(rho.mean), tiles) if rho.mean else None,
        "verdict": verdict(tests, shown),
        "tests": comparison_records(tests, shown),
    }


def _lines(cells: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The cells of each drum, by wash."""
    lines: dict[str, list[dict[str, Any]]] = {}
    for one in sorted(cells, key=lambda one: one["wash_s"]):
        label = f"D = {one['D']:g} cm²/s" if one["drum"] == PLACES else "ideal drum"
        lines.setdefault(label, []).append(one)
    return lines


def _correlation(plan: Plan, cells: list[dict[str, Any]]) -> str:
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for label, points in _lines(cells).items():
        washes, rhos = [one["wash_s"] for one in points], [one["rho"] for one in points]
        axes.errorbar(washes, rhos, yerr=[2 * one["rho_se"] for one in points], marker="o", capsize=3, label=label)
    tiles = 2 * sum(plan.stacks)
    for at, walls in enumerate(SHOWN_BY, start=1):
        least = next(rho for rho in np.geomspace(0.001, 1, 2000) if walls_to_show(rho, tiles) <= walls)
        axes.axhline(least, color="0.6", linewidth=0.8, linestyle=":")
        axes.annotate(
            f"{walls:,} walls show this",
            (at / len(SHOWN_BY), least),
            xycoords=("axes fraction", "data"),
            ha="right",
            va="bottom",
            fontsize=8,
            color="0.35",
        )
    axes.set(xlabel="wash before the build, s", ylabel="correlation of falling and place")
    axes.legend()
    return svg(figure)


def _thirds(cells: list[dict[str, Any]]) -> str:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for label, points in _lines(cells).items():
        axes.plot(
            [one["wash_s"] for one in points], [100 * one["first_third"] for one in points], marker="o", label=label
        )
    fair = next(test["fair"] for test in cells[0]["tests"] if test["measure"] == "first_third")
    axes.axhline(100 * fair, color="0.4", linewidth=0.8, linestyle="--", label="fair")
    axes.set(
        xlabel="wash before the build, s", ylabel="of the third that fell first,\n% in the first third of its wall"
    )
    axes.legend()
    return svg(figure)


def _power(plan: Plan, cells: list[dict[str, Any]]) -> str:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    walls = np.geomspace(10, 100_000, 200)
    for one in cells:
        axes.plot(walls, 100 * power(abs(one["rho"]), walls, 2 * sum(plan.stacks)), label=one["name"])
    axes.axhline(100 * POWER, color="0.4", linewidth=0.8, linestyle="--")
    axes.set(xscale="log", xlabel="walls in a study", ylabel="% of studies that show the correlation", ylim=(0, 102))
    axes.legend(fontsize=7, ncols=2)
    return svg(figure)


def _maps(found: dict[Cell, Measured]) -> str:
    columns = min(3, len(found))
    rows = -(-len(found) // columns)
    figure = Figure(figsize=(3.6 * columns, 3.4 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for each in axes.flat[len(found) :]:
        each.set_axis_off()
    for each, (cell, one) in zip(axes.flat, found.items(), strict=False):
        across = one.map.sum(axis=0, keepdims=True)
        share = one.map / np.maximum(across, 1) * SEGMENTS
        image = each.imshow(share, origin="lower", cmap="RdBu_r", vmin=0, vmax=2, extent=(0, 1, 0, 1))
        each.set_title(cell.name, fontsize=9)
        each.set(xlabel="along the wall, from the right end", ylabel="order of falling, first below")
    figure.colorbar(image, ax=axes, label="as often as in fair walls", shrink=0.8)
    return svg(figure)
