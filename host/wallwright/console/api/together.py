"""Many tables of a session at once, under /api/v1/event; what would be done was shown on `pages.together`."""

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from ...event import together
from ...event.table_sheet import TableSheet
from ...naming import EventTable
from ...words import Listed, Say, Words, words
from ..guard import Site, place_of
from ..receipts import Given
from ..texts import DEAL_KINDS
from ..tournament.waiting import version_of
from . import PREFIX, PROBLEMS

TABLES_LIMIT = 1000

router = APIRouter(prefix=f"{PREFIX}/event", responses=PROBLEMS)


class SeenTables(BaseModel):
    """Which tables were shown, and the version of each."""

    tables: tuple[int, ...] = Field(max_length=TABLES_LIMIT)
    versions: tuple[int, ...] = Field(max_length=TABLES_LIMIT)

    def has(self, sheet: TableSheet) -> bool:
        """Say whether a table is as it was shown."""
        return (sheet.table, version_of(sheet)) in zip(self.tables, self.versions, strict=False)


class DoneTogether(BaseModel):
    """The tables with which it was done, sentences about those that were shown and left, and a checkpoint if any."""

    tables: tuple[int, ...]
    lines: tuple[str, ...] = ()
    checkpoint: str = ""


@router.post("/sessions/{session}/confirm-all", response_model=DoneTogether)
def confirm_all(session: int, body: SeenTables, given: Given) -> Any:
    """Confirm what these tables have told, where it is complete and undisputed."""
    return given.once(lambda: _done(given, session, body, together.confirm_all), body)


@router.post("/sessions/{session}/sign-all", response_model=DoneTogether)
def sign_all(session: int, body: SeenTables, given: Given) -> Any:
    """Take the signatures of these tables, where everything agrees."""
    return given.once(lambda: _done(given, session, body, together.sign_all), body)


def _done(given: Given, session: int, body: SeenTables, act: Any) -> DoneTogether:
    disputes = disputes_of(given.site, session)
    done: together.Together = given.do(lambda desk: act(desk, session, body.has, disputes))
    left = [one for one in done.left if one[0] in body.tables]
    return DoneTogether(tables=done.tables, lines=lines_of(left, given.say), checkpoint=done.checkpoint)


def disputes_of(site: Site, session: int) -> Mapping[tuple[int, int], Words]:
    """Return what is open in the hall about tables of a session: deals to decide, and calls."""
    found: dict[tuple[int, int], Words] = {}
    tables = site.event.ask(lambda desk: dict(desk.state.units))
    for table in site.desk.view.tables:
        for deal in table.deals:
            place = place_of(site, deal)
            if place is not None and place.session == session:
                found[place.table, place.deal or 0] = words(DEAL_KINDS[deal.kind])
        number = tables.get(table.unit or "")
        if table.call is not None and number is not None:
            found[number, 0] = words("a referee is called there")
    return found


def lines_of(left: Any, say: Say) -> tuple[str, ...]:
    """Return a line for every table that is left, with the reasons why."""
    text = "{table}: {why}"
    return tuple(words(text, table=EventTable(table), why=Listed(why, "; ")).said(say) for table, why in left)
