"""The API of the tournament, under /api/v1/event: sessions and their clock for the director, results for scorers."""

from fractions import Fraction
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from .api import PREFIX, PROBLEMS, Key, once
from .book import STEPS, EventView, RankView
from .site import Asking, Here

REASON_LIMIT = 500

router = APIRouter(prefix=f"{PREFIX}/event", responses=PROBLEMS)


class Why(BaseModel):
    """The reason of a step; the journal keeps it."""

    reason: str = Field("", max_length=REASON_LIMIT)


class Seen(BaseModel):
    """Which state of a table somebody had before them: `version` of its view."""

    version: int


class VoidDeal(Seen):
    """Which deal counts for nothing, and why."""

    deal: int = Field(ge=1, le=10_000)
    reason: str = Field(max_length=REASON_LIMIT)


class Declared(BaseModel):
    """A deal as a scorer declares it: dealer, events, end and hands, as `wallwright rules settle` takes them.

    `corrects` is the number of a deal whose result it is to replace.
    """

    record: dict[str, Any]
    corrects: int | None = Field(None, ge=1, le=10_000)


class Declaration(Declared, Seen):
    """The same, to be written; with a reason if it is irregular or a correction."""

    reason: str = Field("", max_length=REASON_LIMIT)


class Shown(BaseModel):
    """What a declaration comes to: points by seat, why, and what a referee has to allow."""

    deal: int
    points: tuple[int, ...]
    lines: tuple[str, ...]
    irregular: tuple[str, ...]


class GivenPenalty(BaseModel):
    """A penalty of the catalogue, for one session or for the event as a whole."""

    player: int
    name: str = Field(max_length=50)
    reason: str = Field(max_length=REASON_LIMIT)
    amount: str = Field("", pattern=r"^(\d{1,4}(/[1-9]\d?)?)?$")
    session: int | None = None


class Done(BaseModel):
    """What was done: the deals it was about, and a checkpoint of the journal if one was made, to be printed."""

    deals: tuple[int, ...] = ()
    checkpoint: str = ""
    entry: int | None = None


@router.get("")
def get_event(site: Here, _: Asking) -> EventView:
    """The event as it stands, for those who work at it."""
    return site.event.view


@router.get("/standings")
def get_standings(site: Here, _: Asking) -> tuple[RankView, ...]:
    """The standings as everybody may see them."""
    return site.event.view.ranks


def _add_step(step: str) -> None:
    def take(session: int, body: Why, request: Request, key: Key, site: Here, asking: Asking) -> Any:
        def do() -> Done:
            site.event.step(asking, session, step, body.reason)
            return Done()

        return once(site, asking, key, request, do, body)

    router.post(
        f"/sessions/{{session}}/{step}",
        name=step,
        operation_id=f"session_{step}",
        response_model=Done,
        summary=f"Session: {step}",
    )(take)


for _step in STEPS:
    _add_step(_step)


@router.post("/sessions/{session}/tables/{table}/confirm", response_model=Done)
def confirm(session: int, table: int, body: Seen, request: Request, key: Key, site: Here, asking: Asking) -> Any:
    """Confirm the results that a table has told."""

    def do() -> Done:
        return Done(deals=site.event.confirm(asking, session, table, body.version))

    return once(site, asking, key, request, do, body)


@router.post("/sessions/{session}/tables/{table}/preview")
def preview(session: int, table: int, body: Declared, site: Here, _: Asking) -> Shown:
    """Settle a declared deal without writing it."""
    if body.corrects is not None:
        settlement, lines = site.event.preview_correction(session, table, body.corrects, body.record)
        return Shown(deal=body.corrects, points=settlement.points, lines=lines, irregular=())
    shown = site.event.preview(session, table, body.record)
    return Shown(deal=shown.deal, points=shown.settlement.points, lines=shown.lines, irregular=shown.irregular)


@router.post("/sessions/{session}/tables/{table}/results", response_model=Done)
def declare(session: int, table: int, body: Declaration, request: Request, key: Key, site: Here, asking: Asking) -> Any:
    """Write a declared deal, or put it in the place of another one; that stays in the journal."""

    def do() -> Done:
        if body.corrects is not None:
            entry = site.event.correct(asking, session, table, body.corrects, body.record, body.reason, body.version)
            return Done(deals=(body.corrects,), entry=entry)
        return Done(entry=site.event.declare(asking, session, table, body.record, body.reason, body.version))

    return once(site, asking, key, request, do, body)


@router.post("/penalties", response_model=Done)
def give_penalty(body: GivenPenalty, request: Request, key: Key, site: Here, asking: Asking) -> Any:
    """Give a penalty of the catalogue."""

    def do() -> Done:
        amount = Fraction(body.amount) if body.amount else None
        given = site.event.penalise(asking, body.player, body.name, body.reason, amount, body.session)
        return Done(entry=given)

    return once(site, asking, key, request, do, body)


@router.post("/penalties/{penalty}/withdraw", response_model=Done)
def withdraw_penalty(penalty: int, body: Why, request: Request, key: Key, site: Here, asking: Asking) -> Any:
    """Take a penalty back, by the number of its entry."""

    def do() -> Done:
        site.event.withdraw(asking, penalty, body.reason)
        return Done(entry=penalty)

    return once(site, asking, key, request, do, body)


@router.post("/sessions/{session}/tables/{table}/void", response_model=Done)
def void(session: int, table: int, body: VoidDeal, request: Request, key: Key, site: Here, asking: Asking) -> Any:
    """Let a deal count as played and give no points."""

    def do() -> Done:
        site.event.void(asking, session, table, body.deal, body.reason, body.version)
        return Done(deals=(body.deal,))

    return once(site, asking, key, request, do, body)


@router.post("/sessions/{session}/tables/{table}/sign-off", response_model=Done)
def sign_off(session: int, table: int, body: Seen, request: Request, key: Key, site: Here, asking: Asking) -> Any:
    """Take a table's signature under its results."""

    def do() -> Done:
        return Done(checkpoint=site.event.sign_off(asking, session, table, body.version))

    return once(site, asking, key, request, do, body)
