"""The API of what waits for a referee: calls are taken and ended, deals answered or settled."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from ..hall.calls import Call, OpenDeal
from ..hall.referee import AnsweredDeal
from ..person_fields import PersonLines
from ..receipts import Given
from . import PREFIX, PROBLEMS

WORDS_LIMIT = 500

router = APIRouter(prefix=PREFIX, responses=PROBLEMS)


class Words(BaseModel):
    """What a call was about; may be empty. The journal keeps it."""

    words: PersonLines = Field("", max_length=WORDS_LIMIT)


class Decision(BaseModel):
    """How a deal was decided. The journal keeps it."""

    words: PersonLines = Field(min_length=1, max_length=WORDS_LIMIT)


class Chosen(BaseModel):
    """The number of the answer that is right, from 1."""

    answer: int = Field(ge=1, le=100)


@router.post("/calls/{call}/take", response_model=Call)
def take_call(call: str, given: Given) -> Any:
    """Say that you go to the table that calls a referee."""
    return given.once(lambda: given.site.desk.referee.take_call(given.person, call))


@router.post("/calls/{call}/end", response_model=Call)
def end_call(call: str, body: Words, given: Given) -> Any:
    """Say that a call is answered, and if you want what it was about."""
    return given.once(lambda: given.site.desk.referee.end_call(given.person, call, body.words), body)


@router.post("/deals/{entry}/answer", response_model=AnsweredDeal)
def answer_deal(entry: int, body: Chosen, given: Given) -> Any:
    """Answer the question of a deal, by the number of its entry in the journal."""
    return given.once(lambda: given.site.desk.referee.answer_deal(given.person, entry, body.answer), body)


@router.post("/deals/{entry}/settle", response_model=OpenDeal)
def settle_deal(entry: int, body: Decision, given: Given) -> Any:
    """Say how a deal was decided, by the number of its entry in the journal."""
    return given.once(lambda: given.site.desk.referee.settle_deal(given.person, entry, body.words), body)
