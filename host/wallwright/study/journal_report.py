"""Writes what a study of journals found: `report.json` for programs, `report.html` with plots, which are SVG files too,
`builds.npz` with what was measured of every wall.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from ..errors import BadInput
from ..system.disk import write_whole
from ..system.private import make_folder
from .findings import LEVEL, POWER
from .journal import Told, record_of
from .martingale import FALSE_ALARM, TABLE_YEAR_DEALS, THRESHOLD
from .measures import SEGMENTS
from .pages import render
from .svg import svg
from .walls import to_bytes

SMALLEST_SHOWN = 1e-3
"""Evidence below it is drawn there: it says no more than that nothing was found."""


def journal_record(told: Sequence[Told]) -> dict[str, Any]:
    """Return what report.json says."""
    return {
        "level": LEVEL,
        "power": POWER,
        "false_alarm_a_table_year": FALSE_ALARM,
        "table_year_deals": TABLE_YEAR_DEALS,
        "alarm_at_evidence": THRESHOLD,
        "tables": [record_of(one) for one in told],
    }


def check_folder(folder: Path) -> None:
    """BadInput unless a report may be written there: a new folder, an empty one, or one with such a report."""
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder} is no folder; choose another --out")
    if folder.exists() and any(folder.iterdir()) and not (folder / "report.json").exists():
        raise BadInput(f"{folder} has other files; choose another --out")


def write_journal_report(folder: Path, told: Sequence[Told]) -> None:
    """Write all files."""
    make_folder(folder)
    record = journal_record(told)
    write_whole(folder / "report.json", f"{json.dumps(record, indent=1)}\n".encode())
    judged = [one for one in told if one.measured is not None]
    arrays = {
        f"{one.unit}/{name}": values for one in judged if one.measured for name, values in one.measured.values.items()
    }
    write_whole(folder / "builds.npz", to_bytes(arrays))
    plots = {"evidence": _evidence(judged), "rho": _rho(judged), "maps": _maps(judged)} if judged else {}
    for name, picture in plots.items():
        write_whole(folder / f"{name}.svg", picture.encode())
    write_whole(folder / "report.html", render("journal.html", record=record, plots=plots).encode())


def _evidence(told: Sequence[Told]) -> str:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for one in told:
        seen = [max(standing.evidence, SMALLEST_SHOWN) for standing in one.standings]
        axes.plot(range(1, len(seen) + 1), seen, label=one.unit)
    axes.axhline(THRESHOLD, color="0.4", linewidth=0.8, linestyle="--")
    axes.set(xlabel="walls", ylabel="evidence", yscale="log")
    axes.legend(fontsize=7)
    return svg(figure)


def _rho(told: Sequence[Told]) -> str:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    most = 2
    for one in told:
        assert one.measured is not None
        rho = one.measured.values["rho"]
        walls = np.arange(1, len(rho) + 1)
        axes.plot(walls, np.cumsum(rho) / walls, label=one.unit)
        most = max(most, len(rho))
    walls = np.arange(1, most + 1)
    tiles = sum(told[0].walls[0].plan) * 2
    for sign in (1, -1):
        axes.plot(walls, sign * 2 / np.sqrt(walls * (tiles - 1)), color="0.5", linewidth=0.8, linestyle=":")
    axes.set(xlabel="walls", ylabel="mean correlation so far")
    axes.legend(fontsize=7)
    return svg(figure)


def _maps(told: Sequence[Told]) -> str:
    columns = min(3, len(told))
    rows = -(-len(told) // columns)
    figure = Figure(figsize=(3.6 * columns, 3.4 * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False)
    for each in axes.flat[len(told) :]:
        each.set_axis_off()
    for each, one in zip(axes.flat, told, strict=False):
        assert one.measured is not None
        across = one.measured.map.sum(axis=0, keepdims=True)
        share = one.measured.map / np.maximum(across, 1) * SEGMENTS
        image = each.imshow(share, origin="lower", cmap="RdBu_r", vmin=0, vmax=2, extent=(0, 1, 0, 1))
        each.set_title(one.unit, fontsize=9)
        each.set(xlabel="along the wall, from the right end", ylabel="order of falling, first below")
    figure.colorbar(image, ax=axes, label="as often as in fair walls", shrink=0.8)
    return svg(figure)
