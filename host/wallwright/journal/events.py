"""The events of tables as records: the body of an event's entry, and what that says."""

from typing import Any

from ..link.reports import Event
from .kinds import KINDS, Record, read_record


def kind_of(event: Event) -> str:
    """Return the kind of an event's entry: its name, marked where a host's own records have that name."""
    found = KINDS.get(event.name)
    return event.name if found is None or found.IS_EVENT else f"event {event.name}"


def event_body(event: Event, lost: int = 0) -> dict[str, Any]:
    """Return the body of an event's entry; `lost` events before it were overwritten."""
    return {"fields": dict(event.fields), "time_ms": event.time_ms} | ({"lost": lost} if lost else {})


def event_said(event: Event) -> Record:
    """Return what an event says, as a value of its kind; an `Unknown` where it has none, as that of a tag's events."""
    return read_record(kind_of(event), event_body(event))
