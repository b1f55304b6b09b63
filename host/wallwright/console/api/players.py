"""The API of single players, under /api/v1/event/players: added, renamed, withdrawn, returned; at any time."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from ...event import entries
from ...event.desk import Desk
from ...event.players import NAME_LIMIT
from ..person_fields import PersonLines, PersonText
from ..receipts import Given
from . import PREFIX, PROBLEMS
from .sessions import REASON_LIMIT

router = APIRouter(prefix=f"{PREFIX}/event/players", responses=PROBLEMS)


class NewPlayer(BaseModel):
    """Who is added; after the draw for a reason."""

    name: PersonText = Field(max_length=NAME_LIMIT)
    club: PersonText = Field("", max_length=NAME_LIMIT)
    reason: PersonLines = Field("", max_length=REASON_LIMIT)


class OnePlayer(BaseModel):
    """A player, by name or number, and why something is done with them."""

    player: PersonText = Field(max_length=NAME_LIMIT)
    reason: PersonLines = Field(max_length=REASON_LIMIT)


class NewName(OnePlayer):
    """What they are called; the club stays as it is without one."""

    name: PersonText = Field(max_length=NAME_LIMIT)
    club: Annotated[PersonText, Field(max_length=NAME_LIMIT)] | None = None


class ChangedPlayer(BaseModel):
    """The number of the player, and in `lines` what comes of it: who sits where in place of whom."""

    player: int
    lines: tuple[str, ...] = ()


@router.post("/add", response_model=ChangedPlayer)
def add_player(body: NewPlayer, given: Given) -> Any:
    """Add a player, also after the draw."""

    def do() -> ChangedPlayer:
        number, lines = given.do(lambda desk: entries.add_player(desk, body.name, body.club, body.reason))
        return ChangedPlayer(player=number, lines=tuple(line.said(given.say) for line in lines))

    return given.once(do, body)


@router.post("/rename", response_model=ChangedPlayer)
def rename_player(body: NewName, given: Given) -> Any:
    """Correct a name; the old one stays in the journal."""

    def act(desk: Desk) -> ChangedPlayer:
        player = desk.player(body.player)
        entries.rename_player(desk, player, body.name, body.reason, body.club)
        return ChangedPlayer(player=player)

    return given.once(lambda: given.do(act), body)


@router.post("/withdraw", response_model=ChangedPlayer)
def withdraw_player(body: OnePlayer, given: Given) -> Any:
    """Let a player leave for the rest of the event."""
    return _change_one(entries.withdraw_player, body, given)


@router.post("/return", response_model=ChangedPlayer)
def return_player(body: OnePlayer, given: Given) -> Any:
    """Let a player who has withdrawn play again."""
    return _change_one(entries.return_player, body, given)


def _change_one(change: Any, body: OnePlayer, given: Given) -> Any:
    """Answer with what `change` of `event.entries` has said of one player."""

    def act(desk: Desk) -> ChangedPlayer:
        player = desk.player(body.player)
        lines = change(desk, player, body.reason)
        return ChangedPlayer(player=player, lines=tuple(line.said(given.say) for line in lines))

    return given.once(lambda: given.do(act), body)
