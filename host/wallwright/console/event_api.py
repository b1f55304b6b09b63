"""The API of the tournament, under /api/v1/event: sessions and their clock for the director, results for scorers."""

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


class Done(BaseModel):
    """What was done: the deals it was about, and a checkpoint of the journal if one was made, to be printed."""

    deals: tuple[int, ...] = ()
    checkpoint: str = ""


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
