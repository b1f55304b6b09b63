"""What viewers are sent: the hall in HTML, one table in HTML, or everything as JSON for programs."""

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Generic, TypeVar

from ..hall.desk import Happening
from ..hall.model import HallView, TableView
from ..texts import minutes
from ..tournament.view import EventView, SessionView, SheetView
from .feed import json_message, message

T = TypeVar("T")
Happenings = tuple[Happening, ...]
Show = Callable[[HallView], HallView]
"""What makes of a hall what the viewers of a channel may see."""

AGES_MS = 1000
"""How long ago tables were heard is sent this often, all in one message."""


class HallChannel:
    """The page of the hall as it is `shown`: `body(view)` is all of it, `card(table)` one table.

    A change within a table sends its card; when other tables need somebody than before, everything is sent.
    """

    def __init__(
        self, body: Callable[[HallView], str], card: Callable[[TableView], str], shown: Show = lambda view: view
    ) -> None:
        self._show = shown
        self._body = body
        self._card = card
        self._before: HallView | None = None
        self._ages_ms = 0

    def whole(self, view: HallView) -> bytes:
        """See Channel.whole."""
        return message("hall", self._body(self._show(view))) + _ages(view)

    def changes(self, view: HallView, happenings: tuple[Happening, ...]) -> bytes:  # noqa: ARG002 (as Channel has it)
        """See Channel.changes."""
        view = self._show(view)
        before, self._before = self._before, view
        if before is None:
            return b""
        data = b""
        if _frame(before) != _frame(view):
            data = message("hall", self._body(view)) + _ages(view)
        else:
            for old, new in zip(before.tables, view.tables, strict=True):
                if _shown(old) != _shown(new):
                    data += message(f"t{new.number}", self._card(new))
        if data or abs(view.at_ms - self._ages_ms) >= AGES_MS:
            self._ages_ms = view.at_ms
            data += _ages(view)
        return data


class PageChannel:
    """A page that is sent whole, as the event `name`, when anything of it has changed.

    With `has_ages` it is also sent how long ago tables were heard.
    """

    def __init__(self, name: str, body: Callable[[HallView], str], *, has_ages: bool = False) -> None:
        self._name = name
        self._has_ages = has_ages
        self._body = body
        self._before: str | None = None
        self._ages_ms = 0

    def whole(self, view: HallView) -> bytes:
        """See Channel.whole."""
        return message(self._name, self._body(view)) + self._ages(view)

    def changes(self, view: HallView, happenings: tuple[Happening, ...]) -> bytes:  # noqa: ARG002 (as Channel has it)
        """See Channel.changes."""
        body = self._body(view)
        before, self._before = self._before, body
        if before is not None and before != body:
            return message(self._name, body) + self._ages(view)
        if abs(view.at_ms - self._ages_ms) < AGES_MS:
            return b""
        self._ages_ms = view.at_ms
        return self._ages(view)

    def _ages(self, view: HallView) -> bytes:
        return _ages(view) if self._has_ages else b""


class ValueChannel(Generic[T]):
    """A page, sent whole as the event `name`, that shows one value: `body(look())`, whenever the value has changed.

    The value is looked at when `source()` is another object than before: some hundred players each look at their own.
    """

    def __init__(
        self, name: str, source: Callable[[], object], look: Callable[[], T], body: Callable[[T], str]
    ) -> None:
        self._name = name
        self._source = source
        self._look = look
        self._body = body
        self._seen: object = None
        self._before: T | None = None

    def whole(self, view: HallView) -> bytes:  # noqa: ARG002 (as Channel has it)
        """See Channel.whole."""
        return message(self._name, self._body(self._look()))

    def changes(self, view: HallView, happenings: tuple[Happening, ...]) -> bytes:  # noqa: ARG002 (as Channel has it)
        """See Channel.changes."""
        source = self._source()
        if source is self._seen:
            return b""
        self._seen = source
        before, now = self._before, self._look()
        self._before = now
        return b"" if before is None or before == now else message(self._name, self._body(now))


class EventChannel:
    """The page of the tournament: `body(view)` is all of it, `row(view, session, table)` what is shown of a table,
    `part(view, name)` one of the `PARTS`.

    What has changed within these is sent by itself, as clocks are: there is less to send, and nobody loses what they
    type because a table has told a deal.
    """

    PARTS = ("waits", "staff_ranks")

    def __init__(
        self,
        look: Callable[[], EventView],
        body: Callable[[EventView], str],
        row: Callable[[SessionView, SheetView], str],
        part: Callable[[EventView, str], str],
    ) -> None:
        self._look = look
        self._body = body
        self._row = row
        self._part = part
        self._before: EventView | None = None

    def whole(self, view: HallView) -> bytes:  # noqa: ARG002 (as Channel has it)
        """See Channel.whole."""
        return message("event", self._body(self._look()))

    def changes(self, view: HallView, happenings: tuple[Happening, ...]) -> bytes:  # noqa: ARG002 (as Channel has it)
        """See Channel.changes."""
        before, now = self._before, self._look()
        self._before = now
        if before is None:
            return b""
        if _rest(before) != _rest(now):
            return message("event", self._body(now))
        data = b""
        for old, new in zip(before.sessions, now.sessions, strict=True):
            if new.left_ms is not None and old.left_ms != new.left_ms:
                data += message(f"clock{new.number}", minutes(new.left_ms))
            for was, sheet in zip(old.tables, new.tables, strict=True):
                name = f"{new.number}-{sheet.table}"
                if _still(was) != _still(sheet):
                    data += message(f"row{name}", self._row(new, sheet))
                elif sheet.own_left_ms is not None and was.own_left_ms != sheet.own_left_ms:
                    data += message(f"clock{name}", minutes(sheet.own_left_ms))
        for name in self.PARTS:
            if getattr(before, name) != getattr(now, name):
                data += message(name, self._part(now, name))
        return data


class ApiChannel:
    """Everything, for programs: of the hall `shown`, of what happens `told`."""

    def __init__(
        self,
        shown: Show = lambda view: view,
        told: Callable[[HallView, Happenings], Happenings] = lambda _, happenings: happenings,
    ) -> None:
        self._shown = shown
        self._told = told
        self._before: HallView | None = None

    def whole(self, view: HallView) -> bytes:
        """See Channel.whole."""
        return json_message("hall", asdict(self._shown(view)))

    def changes(self, view: HallView, happenings: Happenings) -> bytes:
        """See Channel.changes."""
        data = b"".join(json_message("happening", asdict(one)) for one in self._told(view, happenings))
        view = self._shown(view)
        before, self._before = self._before, view
        if before is not None and _troubles(before) != _troubles(view):
            data += json_message("hall", asdict(view))
        elif before is not None:
            for old, new in zip(before.tables, view.tables, strict=True):
                if _shown(old) != _shown(new):
                    data += json_message("table", asdict(new))
        return data


def _ages(view: HallView) -> bytes:
    """Seconds since each table was heard, None for one that never was."""
    ages = [(view.at_ms - table.heard_ms) // 1000 if table.heard_ms else None for table in view.tables]
    return json_message("ages", ages)


def _frame(view: HallView) -> object:
    waiting = tuple(call.taken_by is None for call in view.calls), len(view.deals)
    return (tuple(table.name for table in view.attention), _troubles(view), _connected(view), waiting)


def _troubles(view: HallView) -> tuple[str | None, ...]:
    return view.journal_problem, view.backup_problem


def _connected(view: HallView) -> int:
    return sum(table.is_connected for table in view.tables)


def _rest(event: EventView) -> object:
    """An event without the clocks and what is sent by itself."""
    sessions = tuple(replace(one, left_ms=None if one.left_ms is None else 0, tables=()) for one in event.sessions)
    tables = tuple(len(one.tables) for one in event.sessions)
    return replace(event, at_ms=0, sessions=sessions, ranks=(), staff_ranks=(), waits=()), tables


def _still(sheet: SheetView) -> SheetView:
    """A table of an event without its clock."""
    return replace(sheet, own_left_ms=None if sheet.own_left_ms is None else 0)


def _shown(table: TableView) -> TableView:
    """A table without what every status changes."""
    return replace(table, heard_ms=0)
