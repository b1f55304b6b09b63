"""The API of the deals that all tables play: commitment, where they are, a spare one for a spoilt one, the reveal."""

import hashlib
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from ...clocks import lasting_ms
from ...duplicate.announced import read_announced
from ...duplicate.open_deals import read_deals
from ...errors import EventRefused
from ...event.desk import Desk as EventDesk
from ...event.same_deals import commit_deals, replace_deal, reveal_deals
from ...words import words
from ..guard import Asking, Here, Site
from ..person_fields import PersonLines
from ..receipts import Given
from ..tournament.deals_view import DealsView, view_deals
from . import PREFIX, PROBLEMS
from .sessions import REASON_LIMIT

MOST_TEXT = 1_000_000
"""Characters of deals: some thousand of them."""

MOST_ANNOUNCED = 20_000
"""Characters of an announcement: a dealer each of a thousand deals, a line each."""

router = APIRouter(prefix=f"{PREFIX}/event/deals", responses=PROBLEMS)


class Announcement(BaseModel):
    """What everybody may know of the deals, as `wallwright deals announce` writes it."""

    announcement: str = Field(max_length=MOST_ANNOUNCED)


class Committed(BaseModel):
    """What the event has committed to: how many deals, the spare ones too."""

    commitment: str
    deals: int
    spares: int


class Spoilt(BaseModel):
    """A deal that was spoilt, and why. `spares` is how many spare deals there were when somebody looked, null: any."""

    session: int
    deal: int
    spares: int | None = None
    reason: PersonLines = Field(max_length=REASON_LIMIT)


class Replaced(BaseModel):
    """Which of the drawn deals all tables play in its place."""

    spare: int


class Revealed(BaseModel):
    """The deals, as `wallwright deals export` writes them: JSON or text."""

    deals: str = Field(max_length=MOST_TEXT)


class Named(BaseModel):
    """What is kept under an idempotency key: the SHA-256 of what was sent. Deals that come too early stay secret, also
    where somebody took them for their announcement."""

    deals: str


class Shown(BaseModel):
    """How many deals everybody can see now."""

    deals: int


def look_at_deals(site: Site) -> DealsView | None:
    """Return how the deals of the event stand, None before they are committed to. Raises BadName."""
    tables = site.desk.view.tables
    return site.event.ask(lambda desk: view_deals(desk.state, tables, site.releases, lasting_ms(site.now_ms)))


@router.get("")
def get_deals(site: Here, _: Asking) -> DealsView | None:
    """Where the deals that all tables play are, null before they are committed to; no tile of them."""
    return look_at_deals(site)


@router.post("/commitment", response_model=Committed)
def commit(body: Announcement, given: Given) -> Any:
    """Commit to the deals that a director has on another machine, before the first session."""

    def do() -> Committed:
        one = read_announced(body.announcement.encode())
        given.do(lambda desk: commit_deals(desk, one))
        return Committed(commitment=one.commitment, deals=len(one.dealers), spares=one.spares)

    return given.once(do, Named(deals=hashlib.sha256(body.announcement.encode()).hexdigest()))


@router.post("/replace", response_model=Replaced)
def replace(body: Spoilt, given: Given) -> Any:
    """Let all tables play a spare deal in the place of one that was spoilt."""

    def act(desk: EventDesk) -> int:
        known = desk.state.deals
        if body.spares is not None and known is not None and known.spares_left != body.spares:
            raise EventRefused(words("a deal was replaced by somebody else meanwhile; look at the deals again"))
        return replace_deal(desk, body.session, body.deal, body.reason)

    def do() -> Replaced:
        return Replaced(spare=given.do(act))

    return given.once(do, body)


@router.post("/reveal", response_model=Shown)
def reveal(body: Revealed, given: Given) -> Any:
    """Show the deals to everybody, after the last table has played and signed."""

    def do() -> Shown:
        deals = read_deals(body.deals.encode())
        given.do(lambda desk: reveal_deals(desk, deals))
        return Shown(deals=len(deals.deals))

    return given.once(do, Named(deals=hashlib.sha256(body.deals.encode()).hexdigest()))
