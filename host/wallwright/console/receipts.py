"""A command that somebody gives: under its idempotency key it is done once, and answered as often as it is sent."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Header, Request
from fastapi.encoders import jsonable_encoder
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from ..errors import WallwrightError
from ..event.desk import Desk as EventDesk
from .guard import Asking, Here, Site, voice_of
from .people.person import Person
from .problems import KeyUsed, Unanswered, answer_of, status_of
from .voice import Voice

T = TypeVar("T")

Key = Annotated[
    str,
    Header(alias="Idempotency-Key", min_length=8, max_length=100, pattern=r"^[A-Za-z0-9_-]+$"),
]


@dataclass(frozen=True, slots=True)
class GivenCommand:
    """What `person` asks for in `request`, under `key`."""

    site: Site
    person: Person
    key: str
    request: Request

    @property
    def say(self) -> Voice:
        """What gives a text in the person's language."""
        return voice_of(self.request)

    def once(self, do: Callable[[], Any], body: BaseModel | None = None) -> Any:
        """Do it, or answer again what was answered to the same key of the same person. Raises what it does, KeyUsed."""
        own = f"{self.person.name}:{self.key}"
        asked = f"{self.request.method} {self.request.url.path} {'' if body is None else body.model_dump_json()}"
        asked = asked.rstrip()
        accounts = self.site.accounts
        before = accounts.begin(own, asked, self.site.now_ms())
        if before is not None:
            if before.asked != asked:
                raise KeyUsed
            if before.status is None:
                raise Unanswered
            return JSONResponse(before.answer, before.status)
        status, answer = 200, None
        try:
            result = do()
            answer = jsonable_encoder(result)
            return result
        except WallwrightError as error:
            status, answer = status_of(error), answer_of(error, self.say)
            raise
        finally:
            if answer is not None:
                accounts.finish(own, status, answer)

    def do(self, action: Callable[[EventDesk], T]) -> T:
        """Have something done at the event's desk, in this person's name; see `Book.do`."""
        return self.site.event.do(self.person, action)

    def change(self, session: int, table: int, version: int, action: Callable[[EventDesk], T]) -> T:
        """Likewise with a table that the person has seen at `version`; see `Book.change`."""
        return self.site.event.change(self.person, session, table, version, action)


async def _given(request: Request, key: Key, site: Here, asking: Asking) -> GivenCommand:
    return GivenCommand(site, asking, key, request)


Given = Annotated[GivenCommand, Depends(_given)]
