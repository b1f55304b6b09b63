"""What the report says of walls that bots have played: the gain of one who remembers, and the hands as dealt."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.special import ndtri

from .memory import Played
from .svg import svg

CONFIDENCE = 0.95


def memory_record(play: Played) -> dict[str, Any]:
    """Return it as plain values: the gain in points a deal, the mean of all seats, with its interval; hands by turn."""
    gain, error = _mean(play.gains.mean(axis=1))
    reach = -float(ndtri((1 - CONFIDENCE) / 2)) * error
    hands = [_mean(play.shanten[:, turn]) for turn in range(4)]
    winners = [_mean(play.winners[:, turn]) for turn in range(4)]
    return {
        "walls": len(play.gains),
        "gain": round(gain, 4),
        "gain_se": round(error, 4),
        "interval": [round(gain - reach, 4), round(gain + reach, 4)],
        "verdict": _verdict(gain, reach),
        "shanten_by_turn": [round(mean, 4) for mean, _ in hands],
        "shanten_se": [round(error, 4) for _, error in hands],
        "winners_by_turn": [round(mean, 4) for mean, _ in winners],
    }


def gains_plot(cells: Sequence[dict[str, Any]]) -> str:
    """Draw the gain of every cell with its interval."""
    figure = Figure(figsize=(8, 1.2 + 0.4 * len(cells)), layout="constrained")
    axes = figure.subplots()
    for at, one in enumerate(reversed(cells)):
        low, high = one["memory"]["interval"]
        axes.plot([low, high], [at, at], color="C0")
        axes.plot(one["memory"]["gain"], at, "o", color="C0")
    axes.axvline(0, color="0.4", linewidth=0.8, linestyle="--")
    axes.set_yticks(range(len(cells)), [one["name"] for one in reversed(cells)])
    axes.set(xlabel="gain of who remembers, points a deal")
    return svg(figure)


def hands_plot(cells: Sequence[dict[str, Any]]) -> str:
    """Draw how far dealt hands are from complete, by turn."""
    figure = Figure(figsize=(8, 4), layout="constrained")
    axes = figure.subplots()
    for at, one in enumerate(cells):
        shanten, errors = one["memory"]["shanten_by_turn"], one["memory"]["shanten_se"]
        turns = np.arange(4) + 0.6 * ((at + 0.5) / len(cells) - 0.5)
        axes.errorbar(turns, shanten, yerr=[2 * error for error in errors], fmt="o", capsize=3, label=one["name"])
    axes.set_xticks(range(4), ["dealer", "second", "third", "fourth"])
    axes.set(xlabel="turn", ylabel="shanten of the 13 tiles dealt")
    axes.legend(fontsize=7, ncols=2)
    return svg(figure)


def _mean(values: NDArray[Any]) -> tuple[float, float]:
    """The mean with its standard error, which is 0 of a single value."""
    return float(values.mean()), float(values.std(ddof=1)) / sqrt(len(values)) if len(values) > 1 else 0.0


def _verdict(gain: float, reach: float) -> str:
    if gain - reach > 0:
        return f"Who remembers gains {gain:.2f} points a deal, between {gain - reach:.2f} and {gain + reach:.2f}."
    return f"No gain was shown ({gain:.2f} points a deal, between {gain - reach:.2f} and {gain + reach:.2f})."
