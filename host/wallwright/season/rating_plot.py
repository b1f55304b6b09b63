"""A picture of what ratings foretold and what came: an SVG file, the same bytes every time."""

import math
from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ..study.svg import svg
from .rating_forecast import Bin


def reliability_plot(bins: Sequence[Bin], title: str) -> str:
    """Return the plot of how many won among those who were given a chance; bars are two standard errors."""
    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.6", linewidth=0.8, linestyle="--", label="as often as foretold")
    axes.axvline(0.25, color="0.8", linewidth=0.8, linestyle=":")
    errors = [2 * math.sqrt(one.foretold * (1 - one.foretold) / one.players) for one in bins]
    axes.errorbar(
        [one.foretold for one in bins],
        [one.won for one in bins],
        yerr=errors,
        marker="o",
        capsize=3,
        linestyle="none",
        label="players of held-out games",
    )
    for one in bins:
        axes.annotate(
            f"{one.players:,}", (one.foretold, one.won), xytext=(6, -10), textcoords="offset points", fontsize=8
        )
    high = min(1.0, max(one.high for one in bins) + 0.1)
    axes.set(title=title, xlabel="foretold chance to win the table", ylabel="won it", xlim=(0, high), ylim=(0, high))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.legend(loc="upper left")
    return svg(figure)
