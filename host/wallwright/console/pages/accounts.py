"""Accounts in the browser: the director makes them and hands them over by a link; everybody changes their own password.

Nothing here keeps what it answered: what has a password or a link in it must not be answered again.
"""

from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field

from ...errors import AccountError, BadName
from ...words import words
from ..api import PREFIX, PROBLEMS
from ..api.hall import SignedIn, keep_signed_in
from ..guard import Asking, Here, Site, address_of, one_try, token_of
from ..people.access import may_use
from ..people.accounts import NAME_LIMIT, PASSWORD_MAX, ROLES
from ..people.codes import code_of
from ..people.limits import Tally
from ..people.whose import Whose
from ..person_fields import PersonText
from ..problems import WrongPassword
from ..qr import code_of as qr_code_of
from ..tries import TRIES
from .views import page

pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
router = APIRouter(prefix=PREFIX, responses=PROBLEMS)


class AccountName(BaseModel):
    """Whose account it is."""

    name: PersonText = Field(max_length=NAME_LIMIT)


class AccountRole(AccountName):
    """Likewise, and what its person may do."""

    role: PersonText = Field(max_length=20)


class Link(BaseModel):
    """The path of a link that hands an account over, once, within a day."""

    name: str
    path: str


class TakenOver(BaseModel):
    """The token of such a link, and the password that its person has chosen."""

    token: str = Field(max_length=100)
    password: str = Field(max_length=PASSWORD_MAX)


class Passwords(BaseModel):
    """The password that is known, and the one that takes its place."""

    old: str = Field(max_length=PASSWORD_MAX)
    new: str = Field(max_length=PASSWORD_MAX)


class CodeGiven(BaseModel):
    """A code that somebody types with their password or PIN on a new device, until `ends_ms`, ms since 1970."""

    code: str
    ends_ms: int


@pages.get("/accounts")
def accounts_page(request: Request, site: Here, asking: Asking) -> Response:
    """All accounts, with what the director does about them."""
    waiting = site.accounts.without_password()
    people = site.accounts.people()
    given = {one.name: code_of(site.accounts, Whose(one.name), site.now_ms()) for one in people}
    values: dict[str, Any] = {"people": people, "waiting": waiting, "known_roles": ROLES, "given": given}
    values["guesses"] = [(_called(site, one.whose), one) for one in site.guesses.of_last_day(site.now_ms())]
    return page(request, "accounts.html", asking, **values)


def _called(site: Site, whose: Whose) -> str:
    """Return what people call somebody whose secret is guessed; a player of another event by number."""
    if whose.account or site.book is None:
        return whose.account or str(whose.player)
    name = site.book.ask(lambda desk: desk.state.name(whose.player) if str(desk.state.begun_ms) == whose.event else "")
    return f"{whose.player} {name}".strip()


@pages.get("/account")
def own_page(request: Request, site: Here, asking: Asking) -> Response:
    """Who is signed in, and another password for them."""
    directs = may_use(asking.role, "GET", "/accounts")
    given = code_of(site.accounts, Whose(asking.name), site.now_ms())
    return page(request, "account.html", asking, directs=directs, is_guest=site.guest is not None, given=given)


@pages.get("/welcome/{token}")
def welcome_page(token: str, request: Request, site: Here, asking: Asking) -> Response:
    """Where the person of an account sets its password, by the link that the director has handed over."""
    whose = site.accounts.taken_over_by(token, site.now_ms())
    return page(request, "welcome.html", asking, whose=whose, token=token)


@pages.get("/welcome/{token}/qr.svg")
def welcome_code(token: str, request: Request, site: Here, _: Asking) -> Response:
    """The address of such a link as a QR code, to be photographed by the person whose account it is."""
    if site.accounts.taken_over_by(token, site.now_ms()) is None:
        raise BadName(words("this link has been used or is too old; ask the director for another one"))
    return Response(qr_code_of(f"{request.base_url}welcome/{token}"), media_type="image/svg+xml")


@router.post("/accounts")
def add_account(body: AccountRole, site: Here, asking: Asking) -> Link:
    """Make an account; its person sets the password, by the link."""
    token = site.accounts.open(body.name, body.role, site.now_ms(), asking)
    return Link(name=body.name, path=f"/welcome/{token}")


@router.post("/accounts/hand-over")
def hand_over(body: AccountName, site: Here, asking: Asking) -> Link:
    """End an account's password; its person sets another one, by the link."""
    return Link(name=body.name, path=f"/welcome/{site.accounts.hand_over(body.name, site.now_ms(), asking)}")


@router.post("/accounts/role")
def set_role(body: AccountRole, site: Here, asking: Asking) -> AccountRole:
    """Give an account another role."""
    site.accounts.set_role(body.name, body.role, asking)
    return body


@router.post("/accounts/remove")
def remove_account(body: AccountName, site: Here, asking: Asking) -> AccountName:
    """Take an account away."""
    site.accounts.remove(body.name, asking)
    return body


@router.post("/accounts/code")
def give_code(body: AccountName, site: Here, asking: Asking) -> CodeGiven:
    """Give somebody a code for a new device."""
    given = site.accounts.give_code(body.name, site.now_ms(), asking)
    return CodeGiven(code=given.text, ends_ms=given.ends_ms)


@router.post("/account/code")
def give_own_code(site: Here, asking: Asking) -> CodeGiven:
    """Have a code for another device of one's own."""
    return give_code(AccountName(name=asking.name), site, asking)


@router.post("/welcome")
def take_over(body: TakenOver, request: Request, response: Response, site: Here, _: Asking) -> SignedIn:
    """Set the password of the account that a link hands over, and sign in."""
    token = site.accounts.take_over(body.token, body.password, site.now_ms(), address_of(request))
    return keep_signed_in(site, request, response, token)


@router.post("/account/password")
def change_password(body: Passwords, request: Request, response: Response, site: Here, asking: Asking) -> SignedIn:
    """Have another password; all other sign-ins of the account end."""
    if site.guest is not None:
        raise AccountError(words("nobody signs in at a demonstration, so there is no password"))
    # Somebody else who is signed in with this account, or has found a device that is, holds nobody up elsewhere.
    with one_try(site, Tally(("own password", asking.name, token_of(request)), TRIES)):
        token = site.accounts.change_password(asking, body.old, body.new, site.now_ms(), address_of(request))
        if token is None:
            raise WrongPassword
    return keep_signed_in(site, request, response, token)
