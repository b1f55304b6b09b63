"""What a table needs of a journal."""

from collections.abc import Mapping
from typing import Any, Protocol

from .reports import Event


class EventLog(Protocol):
    """Where a table's events are kept for good: `wallwright.journal.Journal`."""

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        """Return the event's number after it is safe on disk; 0 when it was there already."""

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Return the number of a record of the host after it is safe on disk."""
