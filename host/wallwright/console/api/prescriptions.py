"""The API of prescribed walls, for the director's station: what a table builds next, and the prescription for it.

A prescription is in the memory of the server and of the board alone: nothing here writes it down.
`wallwright deals station` is the program that asks here.
"""

import base64
import hashlib
from dataclasses import asdict
from functools import partial
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from wallwright_protocol.prescription import MOST_BYTES

from ...clocks import lasting_ms
from ...errors import BadInput, EventRefused
from ...event.desk import Desk as EventDesk
from ...event.same_deals import walls_for, withdrawn_deals
from ...tiles.prescribed import deal_of
from ...tiles.station import NextBuild
from ...words import words
from ..guard import Asking, Here, Site, TableName
from ..hall.desk import Outcome
from ..hall.releases import InTheWay
from ..problems import NotDone
from ..receipts import Given
from . import PREFIX, PROBLEMS

MOST_TEXT = (MOST_BYTES + 2) // 3 * 4
"""Characters of base64."""

router = APIRouter(prefix=PREFIX, responses=PROBLEMS)


class SorterView(BaseModel):
    """What a director has to know of a table. `sorter` is its number in the protocol, 0 for none; `build` is the next
    one's, `tile_set` what that build takes; `director` and `enrolment` are in hexadecimal, 64 zeros for none.

    `takes` says whether it takes a prescription now, `boot_id` is another one after each start of the board, and `deal`
    which of the deals of the event the next walls are for, null when none is to come or there is no event. `has` is the
    deal that the board has been given and has not had up yet: it is to build it, builds it, or its walls wait below;
    null for none. `withdrawn` are those that were replaced at all tables; `commitment` is that to the event's deals.
    """

    unit: str
    sorter: int
    build: int
    tile_set: int
    director: str
    enrolment: str
    takes: bool
    boot_id: int
    deal: int | None
    has: int | None
    commitment: str | None
    withdrawn: tuple[int, ...]


class Prescription(BaseModel):
    """What a director has signed for the next build of one board, in base64."""

    data: str = Field(max_length=MOST_TEXT)


class Found(BaseModel):
    """What a director's machine has found to be in the way at a table, null when nothing is any more."""

    what: InTheWay | None


class Named(BaseModel):
    """What is kept under an idempotency key: the SHA-256 of a prescription, in hexadecimal."""

    prescription: str


@router.get("/tables/{table}/sorter")
def get_sorter(table: TableName, site: Here, _: Asking) -> SorterView:
    """What a table has to sort its tiles with, and what its next walls are for."""
    site.releases.asked(table, lasting_ms(site.now_ms))
    found = site.desk.sorter(table)
    if site.book is None:
        return SorterView(**asdict(found), deal=None, has=None, commitment=None, withdrawn=())
    site.book.look()  # what a board has just said of its deal counts
    return site.book.ask(partial(_drawn, found))


def _drawn(found: NextBuild, desk: EventDesk) -> SorterView:
    """Add what the event knows of the drawn deals and of this board."""
    state, unit = desk.state, found.unit
    return SorterView(
        **asdict(found),
        deal=walls_for(state, unit),
        has=state.walls.has(unit),
        commitment=None if state.deals is None else state.deals.commitment,
        withdrawn=withdrawn_deals(state),
    )


@router.post("/tables/{table}/in-the-way", status_code=204)
def in_the_way(table: TableName, body: Found, site: Here, _: Asking) -> None:
    """Note why a deal cannot be released to a table, for the page of the deals."""
    site.desk.need(table)
    site.releases.found(table, body.what)


@router.post("/tables/{table}/prescription", response_model=Outcome)
def prescribe(table: TableName, body: Prescription, given: Given) -> Any:
    """Hand a prescription to a board. Whether it is built, the event prescription_judged of the table tells."""
    try:
        whole = base64.b64decode(body.data, validate=True)
    except ValueError as error:
        raise BadInput(words("the prescription is no base64")) from error

    def do() -> Outcome:
        _check_deal(given.site, deal_of(whole))
        outcome = given.site.desk.prescribe(given.person, table, whole, given.say)
        if outcome.problem is not None:
            raise NotDone(outcome.problem)
        given.site.releases.found(table, None)
        return outcome

    return given.once(do, Named(prescription=hashlib.sha256(whole).hexdigest()))


def _check_deal(site: Site, deal: int | None) -> None:
    """EventRefused for a deal that was replaced at all tables since a director's machine asked which one comes next."""
    if site.book is None:
        return
    site.book.look()
    if deal in site.book.ask(lambda desk: withdrawn_deals(desk.state)):
        raise EventRefused(
            words("deal {deal} was replaced at all tables; release the one in its place", deal=str(deal))
        )


@router.post("/tables/{table}/withdrawal", response_model=Outcome)
def withdraw(table: TableName, given: Given) -> Any:
    """Take back what a board was given: a deal that nobody plays any more. People take out what was built of it."""

    def do() -> Outcome:
        outcome = given.site.desk.withdraw(given.person, table, given.say)
        if outcome.problem is not None:
            raise NotDone(outcome.problem)
        return outcome

    return given.once(do)
