"""Plots as SVG elements of a page."""

import io

import matplotlib as mpl
from matplotlib.figure import Figure


def svg(figure: Figure) -> str:
    """Return a figure as an SVG element, the same bytes every time."""
    with mpl.rc_context({"svg.hashsalt": "wallwright", "svg.fonttype": "none"}):
        to = io.StringIO()
        figure.savefig(to, format="svg", metadata={"Date": None})
    text = to.getvalue()
    return text[text.index("<svg") :]
