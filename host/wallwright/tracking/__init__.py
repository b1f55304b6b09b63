"""Deals that log themselves: what tile readers saw becomes the actions of a deal, or one short question.

    tracker = Tracker(setup)            which rules, dealer, tags and readers
    tracker.feed(event)                 each `ZoneEvent` of the deal in the order told; never answers anything
    outcome = tracker.finish(wall)      after the deal's end, with the revealed wall when the table seals its walls
    outcome.settlement, outcome.question, outcome.notices

Nothing of a running deal leaves the tracker: it has no text form, logs nothing, and says nothing before `finish`.
"""

from .model import ErrorModel
from .outcome import Notice, Outcome, Question
from .tracker import Setup, Tracker
from .zones import Tag, ZoneEvent

__all__ = [
    "ErrorModel",
    "Notice",
    "Outcome",
    "Question",
    "Setup",
    "Tag",
    "Tracker",
    "ZoneEvent",
]
