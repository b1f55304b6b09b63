"""The API of the tournament, under /api/v1/event: how it stands, its sessions and their clocks."""

from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field

from ...event.running import STEPS
from ...event.undo import undo
from ..guard import Asking, Here, voice_of
from ..person_fields import PersonLines
from ..receipts import Given
from ..tournament.view import EventView, RankView
from . import PREFIX, PROBLEMS

REASON_LIMIT = 500

router = APIRouter(prefix=f"{PREFIX}/event", responses=PROBLEMS)


class Why(BaseModel):
    """The reason of a step; the journal keeps it."""

    reason: PersonLines = Field("", max_length=REASON_LIMIT)


class Seen(BaseModel):
    """Which state of a table somebody had before them: `version` of its view."""

    version: int


class Done(BaseModel):
    """What was done: the deals it was about, and a checkpoint of the journal if one was made, to be printed."""

    deals: tuple[int, ...] = ()
    checkpoint: str = ""
    entry: int | None = None


class Undo(BaseModel):
    """Which act somebody had before them, by the number of its first entry, and why it is undone."""

    entry: int
    reason: PersonLines = Field(max_length=REASON_LIMIT)


class WasUndone(BaseModel):
    """What was undone, in a sentence."""

    lines: list[str]


@router.post("/undo", response_model=WasUndone)
def undo_act(body: Undo, request: Request, given: Given) -> Any:
    """Undo what was done last at the desk, while nothing has followed from it."""

    def do() -> WasUndone:
        line = given.do(lambda desk: undo(desk, body.reason, body.entry))
        return WasUndone(lines=[line.said(voice_of(request))])

    return given.once(do, body)


@router.get("")
def get_event(site: Here, _: Asking) -> EventView:
    """The event as it stands, for those who work at it."""
    return site.event.view


@router.get("/standings")
def get_standings(site: Here, _: Asking) -> tuple[RankView, ...]:
    """The standings as everybody may see them."""
    return site.event.view.ranks


def _add_step(step: str) -> None:
    def take(session: int, body: Why, given: Given) -> Any:
        def do() -> Done:
            return Done(checkpoint=given.site.event.step(given.person, session, step, body.reason))

        return given.once(do, body)

    router.post(
        f"/sessions/{{session}}/{step}",
        name=step,
        operation_id=f"session_{step}",
        response_model=Done,
        summary=f"Session: {step}",
    )(take)


for _step in STEPS:
    _add_step(_step)
