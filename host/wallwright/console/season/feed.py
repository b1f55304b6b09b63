"""The Atom feed (RFC 4287) of a season: days as they come, are corrected, and are taken out."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from ...season.state import DayInSeason, DayTold, SeasonState
from ...shown_text import shown_line

ATOM = "http://www.w3.org/2005/Atom"
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class News(NamedTuple):
    """Something that has happened: when in ms, a name of its own that never changes, what, why, and the page."""

    at_ms: int
    id: str
    title: str
    text: str
    page: str = ""


def atom(state: SeasonState, days: Sequence[DayInSeason]) -> str:
    """Return the feed, the latest first. A day is new when it ends; entries stay the same once they are there."""
    assert state.format is not None
    news = sorted(_news(state, days), reverse=True)
    feed = Element("feed", xmlns=ATOM)
    name = _plain(state.format.name)
    SubElement(feed, "id").text = f"urn:wallwright:season:{name}"
    SubElement(feed, "title").text = name
    SubElement(feed, "updated").text = _time(news[0].at_ms if news else 0)
    SubElement(SubElement(feed, "author"), "name").text = name
    SubElement(feed, "link", rel="self", href="feed.atom")
    for one in news:
        entry = SubElement(feed, "entry")
        SubElement(entry, "id").text = one.id
        SubElement(entry, "title").text = _plain(one.title)
        SubElement(entry, "updated").text = _time(one.at_ms)
        SubElement(entry, "summary").text = _plain(one.text)
        if one.page:
            SubElement(entry, "link", href=one.page)
    indent(feed)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(feed, "unicode") + "\n"


def _plain(text: str) -> str:
    """Return a text with what nobody sees in it shown, and without what XML cannot have."""
    return _NOT_XML.sub("\ufffd", shown_line(text))


def _news(state: SeasonState, days: Sequence[DayInSeason]) -> Iterator[News]:
    for one in days:
        hall = state.hall(one.day)
        title = f"{one.day.name}, {one.day.date}, {hall}"
        page = f"days/{one.day.day}.html"
        first: DayTold = one.past[0] if one.past else one
        players = f"{len(first.results)} players"
        yield News(first.day.ended_ms, f"urn:sha256:{first.day.extract}", title, players, page)
        for past, after in zip(one.past, (*(later.day for later in one.past), one.day)[1:], strict=True):
            yield News(past.at_ms, f"urn:sha256:{after.extract}", f"{title}: corrected", past.reason, page)
    for day, gone in state.withdrawn.items():
        title = f"{gone.day.name}, {gone.day.date}: withdrawn"
        yield News(gone.at_ms, f"urn:wallwright:withdrawn:{day}:{gone.entry}", title, gone.reason)


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
