"""The API under /api/v1: what programs and the console's own pages use.

Every command wants an `Idempotency-Key`; the same key with the same command is answered again and done once, also after
the server was started anew. Errors are `{"problem": "a sentence"}`.
"""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from ..errors import BadName
from ..rules.words import words
from .channels import ApiChannel
from .given import Given
from .hall.desk import Happening, Outcome, Person
from .hall.model import COMMANDS, HallView, TableView
from .people.accounts import NAME_LIMIT, PASSWORD_MAX
from .problems import NotDone, TooMany, WrongPassword
from .site import COOKIE, Asking, Here, Site, TableName, csrf_of, person_of, stays, token_of

PREFIX = "/api/v1"


class Problem(BaseModel):
    """What went wrong, as a sentence for a person."""

    problem: str


class SignIn(BaseModel):
    """Name and password."""

    name: str = Field(max_length=NAME_LIMIT)
    password: str = Field(max_length=PASSWORD_MAX)


class First(SignIn):
    """The first account: the token of the link that the server has printed, and what it is to be called."""

    token: str = Field(max_length=100)


class SessionView(BaseModel):
    """Who is signed in. `csrf` goes into the header X-CSRF-Token of everything that changes something."""

    name: str
    role: str
    csrf: str


PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"model": Problem, "description": "It cannot be read."},
    401: {"model": Problem, "description": "Nobody is signed in."},
    403: {"model": Problem, "description": "The role may not do this, or the CSRF token is wrong."},
    404: {"model": Problem, "description": "There is no such thing."},
    409: {"model": Problem, "description": "It was not done; the sentence says why."},
    422: {"model": Problem, "description": "A value cannot be meant."},
    429: {"model": Problem, "description": "Too many tries."},
    503: {"model": Problem, "description": "It cannot be done now."},
}


router = APIRouter(prefix=PREFIX, responses=PROBLEMS)


@router.get("/hall")
def get_hall(site: Here, _: Asking) -> HallView:
    """All tables as they are now."""
    return site.desk.view


@router.get("/tables/{table}")
def get_table(table: TableName, site: Here, _: Asking) -> TableView:
    """One table as it is now."""
    found = site.desk.view.table(table)
    if found is None:
        raise BadName(words("no table is called {name}", name=repr(table)))
    return found


@router.get("/tables/{table}/events")
def get_events(table: TableName, site: Here, asking: Asking) -> tuple[Happening, ...]:
    """The last events of a table, newest first."""
    get_table(table, site, asking)
    return site.desk.history(table)


@router.post("/hall/stop", response_model=tuple[Outcome, ...])
def stop_all(given: Given) -> Any:
    """Stop all tables at once."""
    return given.once(lambda: given.site.desk.stop_all(given.person, given.say))


def _add_command(command: str) -> None:
    def act(table: TableName, given: Given) -> Any:
        def do() -> Outcome:
            outcome = given.site.desk.command(given.person, table, command, given.say)
            if outcome.problem is not None:
                raise NotDone(outcome.problem)
            return outcome

        return given.once(do)

    router.post(
        f"/tables/{{table}}/commands/{command}",
        name=command,
        operation_id=command,
        response_model=Outcome,
        summary=f"Ask a table for {command}",
    )(act)


for _command in COMMANDS:
    _add_command(_command)


@router.get("/session")
def get_session(request: Request, _: Asking) -> SessionView:
    """Who is signed in; the name is empty and the role "public" when nobody is."""
    person = person_of(request) or Person("", "public")
    return SessionView(name=person.name, role=person.role, csrf=csrf_of(token_of(request)))


@router.post("/session")
def sign_in(body: SignIn, request: Request, response: Response, site: Here, _: Asking) -> SessionView:
    """Sign in; the session is a cookie."""
    address = _address(request)
    wait_ms = site.limiter.wait_ms(address, body.name, site.now_ms())
    if wait_ms:
        raise TooMany(wait_ms)
    token = site.accounts.sign_in(body.name, body.password, site.now_ms(), address)
    if token is None:
        site.limiter.failed(address, body.name, site.now_ms())
        raise WrongPassword
    site.limiter.succeeded(address, body.name)
    return _begin_session(site, response, token)


@router.delete("/session", status_code=204)
def sign_out(request: Request, response: Response, site: Here, _: Asking) -> Response:
    """Sign out."""
    site.accounts.sign_out(token_of(request), site.now_ms(), _address(request))
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict", secure=site.is_secure)
    return response


@router.post("/first")
def first_account(body: First, request: Request, response: Response, site: Here, _: Asking) -> SessionView:
    """Make the first account with the link that the server has printed, and sign in."""
    token = site.accounts.accept(body.token, body.name, body.password, site.now_ms(), _address(request))
    return _begin_session(site, response, token)


@router.get("/stream", response_class=StreamingResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def get_stream(request: Request, site: Here, _: Asking) -> StreamingResponse:
    """Server-sent events: "hall" with everything first, then a "table" for each that has changed, and "happening"."""
    return StreamingResponse(site.feed.watch(("api",), ApiChannel, stays(request)), media_type="text/event-stream")


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _begin_session(site: Site, response: Response, token: str) -> SessionView:
    person = site.accounts.person(token, site.now_ms())
    assert person is not None
    response.set_cookie(COOKIE, token, path="/", httponly=True, samesite="strict", secure=site.is_secure)
    return SessionView(name=person.name, role=person.role, csrf=csrf_of(token))
