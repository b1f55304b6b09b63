"""A picture of what ratings foretold and what came: an SVG file, the same bytes every time."""

import math
from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from ..study.svg import svg
from .rating_forecast import Bin


def reliability_plot(shown: Mapping[str, Sequence[Bin]]) -> str:
    """Return the plots, a title each, of how many won among those who were given a chance; bars are two standard
    errors, the figures are players.
    """
    figure = Figure(figsize=(5 * len(shown), 5), layout="constrained")
    for axes, (title, bins) in zip(figure.subplots(1, len(shown), squeeze=False)[0], shown.items(), strict=True):
        _plot(axes, title, bins)
    return svg(figure)


def _plot(axes: Axes, title: str, bins: Sequence[Bin]) -> None:
    axes.plot([0, 1], [0, 1], color="0.6", linewidth=0.8, linestyle="--", label="as often as foretold")
    axes.axvline(0.25, color="0.8", linewidth=0.8, linestyle=":")
    foretold, won = [one.foretold for one in bins], [one.won for one in bins]
    errors = [2 * math.sqrt(one.foretold * (1 - one.foretold) / one.players) for one in bins]
    label = "players of held-out games"
    axes.errorbar(foretold, won, yerr=errors, marker="o", capsize=3, linestyle="none", label=label)
    for one in bins:
        beside = (6, -10)
        axes.annotate(
            f"{one.players:,}", (one.foretold, one.won), xytext=beside, textcoords="offset points", fontsize=8
        )
    high = min(1.0, max(one.high for one in bins) + 0.1)
    axes.set(title=title, xlabel="foretold chance to win the table", ylabel="won it", xlim=(0, high), ylim=(0, high))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.legend(loc="upper left")
