"""The events of tables as records: the body of an event's entry, and what that says."""

from typing import Any

from ..link.reports import Event
from .kinds import Record, read_record


def event_body(event: Event, lost: int = 0) -> dict[str, Any]:
    """Return the body of an event's entry; `lost` events before it were overwritten."""
    return {"fields": dict(event.fields), "time_ms": event.time_ms} | ({"lost": lost} if lost else {})


def event_said(event: Event) -> Record:
    """Return what an event says, as a value of its kind; an `Unknown` where it has none, as that of a tag's events."""
    return read_record(event.name, event_body(event))
