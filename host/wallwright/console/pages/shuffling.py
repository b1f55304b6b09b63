"""The page that shows how well a table shuffles that knows its tiles."""

from collections.abc import Sequence
from math import log10
from typing import Any, NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from ...errors import BadName
from ...study.martingale import TABLE_YEAR_DEALS, THRESHOLD
from ...words import words
from ..guard import Asking, Here, TableName
from ..hall.shuffling import evidence_text
from .views import page

LEVELS = (0.01, 0.1, 1.0, 10.0, 100.0, THRESHOLD)
"""Of the plot, from below; evidence that is out of its range is drawn at the edge."""
LEFT, RIGHT, TOP, BOTTOM = 54, 472, 14, 210
MOST_POINTS = 400

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


class Plot(NamedTuple):
    """The plot of a course: heights with their numbers, and the points of its line."""

    levels: tuple[tuple[float, str], ...]
    points: str


@router.get("/tables/{table}/shuffling")
def shuffling_page(table: TableName, request: Request, site: Here, asking: Asking) -> Response:
    """The evidence against a table's walls."""
    found = site.desk.view.table(table)
    if found is None:
        raise BadName(words("no table is called {name}", name=repr(table)))
    course = None if site.shuffling is None else site.shuffling.course(found.unit)
    plot = None if course is None else plot_of(course.evidence)
    values: dict[str, Any] = {
        "name": table,
        "course": course,
        "plot": plot,
        "threshold": THRESHOLD,
        "year": float(TABLE_YEAR_DEALS),
    }
    return page(request, "shuffling.html", asking, **values)


def plot_of(evidence: Sequence[float]) -> Plot:
    """Draw a course; where it has many walls, the highest evidence of some that follow each other."""
    step = -(-len(evidence) // MOST_POINTS)
    highest = [max(evidence[at : at + step]) for at in range(0, len(evidence), step)]
    across = (RIGHT - LEFT) / max(len(highest) - 1, 1)
    points = " ".join(f"{LEFT + across * at:.1f},{_height(one):.1f}" for at, one in enumerate(highest))
    return Plot(tuple((_height(level), evidence_text(level)) for level in LEVELS), points)


def _height(evidence: float) -> float:
    low, high = log10(LEVELS[0]), log10(LEVELS[-1])
    share = (log10(min(max(evidence, LEVELS[0]), 2 * LEVELS[-1])) - low) / (high - low)
    return BOTTOM - share * (BOTTOM - TOP - 14)
