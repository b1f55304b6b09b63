"""The API under /api/v1: what programs and the console's own pages use.

Every command wants an `Idempotency-Key`; the same key with the same command is answered again and done once, also after
the server was started anew. Errors are `{"problem": "a sentence"}`.
"""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from ...errors import BadName
from ...words import words
from ..eyes import shown_hall, shown_happenings, shown_table
from ..feed.channels import ApiChannel
from ..guard import (
    COOKIE,
    DEVICE,
    Asking,
    Here,
    Site,
    TableName,
    address_of,
    csrf_of,
    device_of,
    person_of,
    stays,
    token_of,
)
from ..hall.desk import Happening, Outcome
from ..hall.model import COMMANDS, HallView, TableView
from ..people.access import audience_of
from ..people.accounts import NAME_LIMIT, PASSWORD_MAX
from ..people.devices import DEVICE_MS
from ..people.person import Person
from ..people.whose import Whose
from ..person_fields import PersonText
from ..problems import NotDone, WrongPassword
from ..receipts import Given
from ..tries import PASSWORD, guess
from . import DEFINED, PREFIX, PROBLEMS

CODE_LIMIT = 20
"""Characters of a code; it may be typed with blanks."""


class NextDealer(BaseModel):
    """The seat of whoever deals next, 0 to 3."""

    seat: int = Field(ge=0, le=3)


class SignIn(BaseModel):
    """Name and password."""

    name: PersonText = Field(max_length=NAME_LIMIT)
    password: str = Field(max_length=PASSWORD_MAX)


class SignInByCode(SignIn):
    """Likewise, and a code for a new device, which is asked for when too many wrong passwords were typed."""

    code: str = Field("", max_length=CODE_LIMIT)


class First(SignIn):
    """The first account: the token of the link that the server has printed, and what it is to be called."""

    token: str = Field(max_length=100)


class SignedIn(BaseModel):
    """Who is signed in. `csrf` goes into the header X-CSRF-Token of everything that changes something."""

    name: str
    role: str
    csrf: str


router = APIRouter(prefix=PREFIX, responses=PROBLEMS)


@router.get("/hall")
def get_hall(site: Here, asking: Asking) -> HallView:
    """All tables as they are now; results of an event that are not published are for who works there."""
    return shown_hall(site, asking.role, site.desk.view)


@router.get("/tables/{table}")
def get_table(table: TableName, site: Here, asking: Asking) -> TableView:
    """One table as it is now, likewise."""
    found = site.desk.view.table(table)
    if found is None:
        raise BadName(words("no table is called {name}", name=repr(table)))
    return shown_table(site, asking.role, found)


@router.get("/tables/{table}/events")
def get_events(table: TableName, site: Here, asking: Asking) -> tuple[Happening, ...]:
    """The last events of a table, newest first."""
    get_table(table, site, asking)
    return shown_happenings(site, asking.role, site.desk.view, site.desk.history(table))


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


@router.post("/tables/{table}/next-dealer", response_model=Outcome)
def call_dealer(table: TableName, body: NextDealer, given: Given) -> Any:
    """Say who deals next at a table, so that its walls are built for them; a result that is entered goes before it."""
    return given.once(lambda: given.site.desk.call_dealer(given.person, table, body.seat), body)


@router.get("/session")
def get_sign_in(request: Request, _: Asking) -> SignedIn:
    """Who is signed in; the name is empty and the role "public" when nobody is."""
    person = person_of(request) or Person("", "public")
    return SignedIn(name=person.name, role=person.role, csrf=csrf_of(token_of(request)))


@router.post("/session", responses=DEFINED)
def sign_in(body: SignInByCode, request: Request, response: Response, site: Here, _: Asking) -> SignedIn:
    """Sign in; the browser keeps it as a cookie."""
    address, now_ms = address_of(request), site.now_ms()
    name = site.accounts.called(body.name)
    with guess(site, request, PASSWORD, Whose(name), body.code):
        token = site.accounts.sign_in(name, body.password, now_ms, address)
        if token is None:
            raise WrongPassword
    return keep_signed_in(site, request, response, token)


@router.delete("/session", status_code=204)
def sign_out(request: Request, response: Response, site: Here, _: Asking) -> Response:
    """Sign out."""
    site.accounts.sign_out(token_of(request), site.now_ms(), address_of(request))
    response = Response(status_code=204)
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict", secure=is_secure(site, request))
    return response


@router.post("/first")
def first_account(body: First, request: Request, response: Response, site: Here, _: Asking) -> SignedIn:
    """Make the first account with the link that the server has printed, and sign in."""
    token = site.accounts.accept(body.token, body.name, body.password, site.now_ms(), address_of(request))
    return keep_signed_in(site, request, response, token)


@router.get("/stream", response_class=StreamingResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def get_stream(request: Request, site: Here, asking: Asking) -> StreamingResponse:
    """Server-sent events: "hall" with everything first, then a "table" for each that has changed, and "happening"."""
    role = asking.role
    make = partial(ApiChannel, partial(shown_hall, site, role), partial(shown_happenings, site, role))
    viewer = site.feed.watch(("api", audience_of(role)), make, stays(request))
    return StreamingResponse(viewer, media_type="text/event-stream")


def keep_signed_in(site: Site, request: Request, response: Response, token: str) -> SignedIn:
    """Let the browser keep a sign-in, and return whose it is; the device is known from now on."""
    person = site.accounts.person(token, site.now_ms())
    assert person is not None
    device = site.accounts.trust_device(token, device_of(request), site.now_ms())
    _set_cookie(site, request, response, COOKIE, token, None)
    keep_device(site, request, response, device)
    return SignedIn(name=person.name, role=person.role, csrf=csrf_of(token))


def is_secure(site: Site, request: Request) -> bool:
    """Say whether the browser sends its cookies over TLS alone: the console has a certificate, or its proxy does."""
    return site.is_secure or request.url.scheme == "https"


def keep_device(site: Site, request: Request, response: Response, device: str) -> None:
    """Let the browser keep the token by which its device is known again."""
    _set_cookie(site, request, response, DEVICE, device, DEVICE_MS // 1000)


def _set_cookie(site: Site, request: Request, response: Response, name: str, value: str, seconds: int | None) -> None:
    response.set_cookie(
        name, value, seconds, path="/", httponly=True, samesite="strict", secure=is_secure(site, request)
    )
