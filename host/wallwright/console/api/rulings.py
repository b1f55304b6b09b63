"""The API of who decides, under /api/v1/event: points by a referee's word, deals annulled, approvals, appeals."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from ...event import appeals, results
from ...event.desk import Desk as EventDesk
from ...event.sheets import appeal_rows
from ..guard import Asking, Here
from ..person_fields import PersonLines
from ..receipts import Given
from . import PREFIX, PROBLEMS
from .running import SeenWhy
from .sessions import Done, Seen

POINTS_LIMIT = 100_000
TEXT_LIMIT = 2000

Points = Annotated[int, Field(ge=-POINTS_LIMIT, le=POINTS_LIMIT)]
Fine = Annotated[int, Field(ge=0, le=POINTS_LIMIT)]

router = APIRouter(prefix=f"{PREFIX}/event", responses=PROBLEMS)


class Ruling(SeenWhy):
    """Points of seats 0 to 3 as they stand at the table, whatever the rules say.

    `fines` are those in them that nobody receives. `corrects` is the deal whose result they replace; without it they
    are those of the next deal. `next_dealer` is the seat that deals then, the same again without it.
    """

    points: tuple[Points, Points, Points, Points]
    fines: tuple[Fine, Fine, Fine, Fine] = (0, 0, 0, 0)
    corrects: int | None = Field(None, ge=1, le=10_000)
    next_dealer: int | None = Field(None, ge=0, le=3)


class Approval(Seen):
    """Which deals are approved; all that wait at the table without a list."""

    deals: tuple[int, ...] = ()


class Annulled(BaseModel):
    """By which rule of the format a deal was annulled: "replay", "void" or "keep"."""

    rule: str


class NewAppeal(BaseModel):
    """What a player, by number, says against a session, one of its tables, or a deal there."""

    session: int
    player: int
    text: PersonLines = Field(max_length=TEXT_LIMIT)
    table: int | None = Field(None, ge=1, le=10_000)
    deal: int | None = Field(None, ge=1, le=10_000)


class Decision(BaseModel):
    """Whether an appeal is upheld, and the words of the ruling."""

    upheld: bool
    ruling: PersonLines = Field(max_length=TEXT_LIMIT)


class AppealView(BaseModel):
    """An appeal; `decision` is "open", "upheld" or "dismissed"."""

    appeal: int
    session: int
    table: int | None
    deal: int | None
    player: int
    name: str
    text: str
    by: str
    decision: str
    ruling: str
    decided_by: str


@router.post("/sessions/{session}/tables/{table}/rule", response_model=Done)
def rule(session: int, table: int, body: Ruling, given: Given) -> Any:
    """Write the points of a deal by a referee's word."""
    fines = {seat: fine for seat, fine in enumerate(body.fines) if fine}

    def write(desk: EventDesk) -> int:
        if body.corrects is not None:
            return results.correct_points(desk, session, table, body.corrects, body.points, body.reason, fines=fines)
        return results.rule_result(
            desk, session, table, body.points, body.reason, fines=fines, next_dealer=body.next_dealer
        )

    def do() -> Done:
        entry = given.change(session, table, body.version, write)
        return Done(deals=() if body.corrects is None else (body.corrects,), entry=entry)

    return given.once(do, body)


@router.post("/sessions/{session}/tables/{table}/annul", response_model=Annulled)
def annul(session: int, table: int, body: SeenWhy, given: Given) -> Any:
    """End the deal in play, or take the last one away, after a fault of the machine."""

    def do() -> Annulled:
        return Annulled(
            rule=given.change(
                session, table, body.version, lambda desk: results.annul(desk, session, table, body.reason)
            )
        )

    return given.once(do, body)


@router.post("/sessions/{session}/tables/{table}/approve", response_model=Done)
def approve(session: int, table: int, body: Approval, given: Given) -> Any:
    """Approve what a scorer has entered that is irregular or replaces a result."""

    def do() -> Done:
        return Done(
            deals=given.change(
                session, table, body.version, lambda desk: results.approve(desk, session, table, body.deals)
            )
        )

    return given.once(do, body)


@router.get("/appeals")
def get_appeals(site: Here, _: Asking) -> tuple[AppealView, ...]:
    """All appeals, the oldest first."""
    return tuple(AppealView(**row) for row in site.event.ask(lambda desk: appeal_rows(desk.state)))


@router.post("/appeals", response_model=Done)
def file_appeal(body: NewAppeal, given: Given) -> Any:
    """Put an appeal on record; a session with an open one does not become final."""

    def do() -> Done:
        return Done(
            entry=given.do(
                lambda desk: appeals.file_appeal(
                    desk, body.session, body.player, body.text, table=body.table, deal=body.deal
                ),
            )
        )

    return given.once(do, body)


@router.post("/appeals/{appeal}/decide", response_model=Done)
def decide_appeal(appeal: int, body: Decision, given: Given) -> Any:
    """Uphold an appeal or dismiss it, with the words of the ruling."""

    def do() -> Done:
        given.do(lambda desk: appeals.decide(desk, appeal, upheld=body.upheld, ruling=body.ruling))
        return Done(entry=appeal)

    return given.once(do, body)
