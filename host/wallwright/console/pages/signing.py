"""Players sign their own table's results with their PIN, on their phone or on one at the table; slips with PINs.

A PIN is in the body of a request alone, and what is asked with one is not kept to be answered again.
"""

from collections.abc import Iterator
from functools import partial

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse
from pydantic import BaseModel, Field

from ...errors import BadName, EventRefused
from ...event import signing
from ...event.desk import Desk
from ...event.format import NO_SIGNING
from ...event.players import NAME_LIMIT
from ...event.state import EventState
from ...event.table_sheet import TableSheet
from ...naming import EventTable
from ...words import words
from ..api import PREFIX, PROBLEMS
from ..api.hall import CODE_LIMIT, keep_device
from ..guard import Asking, Here, Site, device_of, voice_of
from ..people import devices
from ..people.access import may_use
from ..people.codes import code_of, give_code, slip_codes
from ..people.person import Person
from ..people.pins import DIGITS, end_pin, fits, pins_of
from ..people.whose import Whose
from ..person_fields import PersonText
from ..problems import WrongPin
from ..qr import path_of
from ..tournament.waiting import version_of
from ..tries import PIN, guess
from ..voice import Voice
from .accounts import CodeGiven
from .players import known_players
from .views import page

PLAYER = "player"
"""Stands where an act has its person's role."""

pages = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)
router = APIRouter(prefix=f"{PREFIX}/event", responses=PROBLEMS)


class Pin(BaseModel):
    """A player's PIN, and a referee's code, which is asked for when too many wrong ones were typed."""

    pin: str = Field(pattern=rf"^[0-9]{{{DIGITS}}}$")
    code: str = Field("", max_length=CODE_LIMIT)


class Signature(Pin):
    """The same, and the version of the table whose results the player has seen."""

    version: int


class SomePlayer(BaseModel):
    """A player, by name or number."""

    player: PersonText = Field(max_length=NAME_LIMIT)


class SignedDeal(BaseModel):
    """A deal of the table: its number, the points of the four seats, whether it counts."""

    deal: int
    points: tuple[int, int, int, int]
    counts: bool


class TableToSign(BaseModel):
    """A player's table as its four may see it: deals, points by seat, who has signed; `problem` if nobody can now.

    `place` and `seats` are what people call the table and its seats.
    """

    session: int
    table: int
    seat: int
    place: str
    seats: tuple[str, ...]
    names: tuple[str, ...]
    deals: tuple[SignedDeal, ...]
    points: tuple[int, int, int, int]
    signed: tuple[str, ...]
    has_signed: bool
    is_signed_off: bool
    problem: str
    version: int


@pages.get("/players/pins")
def pins_page(request: Request, site: Here, asking: Asking) -> Response:
    """A slip for each player with their PIN, to be printed, cut and given to them alone."""
    signs = site.event.ask(lambda desk: desk.format.player_signing != NO_SIGNING)
    players = known_players(site, but_withdrawn=True) if signs else []
    pins = pins_of(site.accounts, _event(site), [number for number, _, _ in players])
    codes = slip_codes(site.accounts, [Whose(event=_event(site), player=number) for number, _, _ in players])
    slips = []
    for (number, name, club), code in zip(players, codes.values(), strict=True):
        address = f"{request.base_url}players/{number}/sign"
        # What is behind the # stays in the browser; no server and no log sees it.
        picture = path_of(f"{address}#{pins[number]}{code}")
        slips.append((number, name, club, pins[number], code, address, picture))
    return page(request, "pins.html", asking, slips=slips, signs=signs)


@pages.get("/players/{player}/sign")
def sign_page(player: int, request: Request, site: Here, asking: Asking) -> Response:
    """Where a player types the PIN, looks at the table's results, and signs them."""
    name = site.event.ask(partial(_name, player))
    helps = may_use(asking.role, "POST", "/api/v1/event/players/code")
    given = code_of(site.accounts, Whose(event=_event(site), player=player), site.now_ms()) if helps else None
    return page(request, "sign.html", asking, number=player, name=name, digits=DIGITS, helps=helps, given=given)


@router.post("/players/{player}/table")
def look_at_table(player: int, body: Pin, request: Request, response: Response, site: Here, _: Asking) -> TableToSign:
    """Return the player's table and its results, for who has the PIN."""
    _check_pin(site, player, body, request, response)
    return _look(site, player, voice_of(request))


@router.post("/players/{player}/sign")
def sign(player: int, body: Signature, request: Request, response: Response, site: Here, _: Asking) -> TableToSign:
    """Take a player's signature under the results as they were seen."""
    _check_pin(site, player, body, request, response)

    def act(desk: Desk) -> None:
        sheet = signing.sheet_to_sign(desk.state, player)
        if sheet is not None and version_of(sheet) != body.version:
            problem = "{table} was changed by somebody else meanwhile; look at it again"
            raise EventRefused(words(problem, table=EventTable(sheet.table)))
        signing.sign(desk, player, "pin")

    site.event.do(Person(site.event.ask(partial(_name, player)), PLAYER), act)
    return _look(site, player, voice_of(request))


@router.post("/players/end-pin")
def renew(body: SomePlayer, site: Here, asking: Asking) -> SomePlayer:
    """End a PIN that others know, or that is lost; the next print has another one."""
    player = site.event.ask(lambda desk: desk.player(body.player))
    end_pin(site.accounts, _event(site), player, asking, site.now_ms())
    return body


@router.post("/players/code")
def give_player_code(body: SomePlayer, site: Here, asking: Asking) -> CodeGiven:
    """Give a player a code, by which others who guess at the PIN hold them up no longer."""
    player = site.event.ask(lambda desk: desk.player(body.player))
    given = give_code(site.accounts, Whose(event=_event(site), player=player), asking, site.now_ms())
    return CodeGiven(code=given.text, ends_ms=given.ends_ms)


def _check_pin(site: Site, player: int, body: Pin, request: Request, response: Response) -> None:
    """Let who has the PIN pass, on a device that is known for it from now on."""
    site.event.ask(partial(_name, player))
    whose, device = Whose(event=_event(site), player=player), device_of(request)
    with guess(site, request, PIN, whose, body.code):
        if not fits(site.accounts, whose.event, player, body.pin):
            raise WrongPin
    if not devices.is_known(site.accounts, whose, device, site.now_ms()):
        keep_device(site, request, response, devices.trust(site.accounts, whose, device, site.now_ms()))


def _look(site: Site, player: int, voice: Voice) -> TableToSign:
    def look(desk: Desk) -> TableToSign:
        sheet = signing.sheet_to_sign(desk.state, player)
        if sheet is None:
            raise EventRefused(words("{name} sits at no table now", name=desk.state.name(player)))
        problem = signing.why_not(desk, sheet)
        return TableToSign(
            session=sheet.session,
            table=sheet.table,
            seat=sheet.players.index(player),
            place=f"{voice('Session {number}', number=sheet.session)}, {voice.table(sheet.table)}",
            seats=tuple(map(voice.seat, range(len(sheet.players)))),
            names=tuple(_names_of_seats(desk.state, sheet)),
            deals=tuple(
                SignedDeal(deal=one.deal, points=one.points, counts=one.status == "live")
                for _, one in sorted(sheet.deals.items())
            ),
            points=sheet.points(),
            signed=tuple(map(desk.state.name, sheet.signers)),
            has_signed=player in sheet.signers,
            is_signed_off=sheet.signed_off,
            problem="" if problem is None else problem.said(voice),
            version=version_of(sheet),
        )

    return site.event.ask(look)


def _names_of_seats(state: EventState, sheet: TableSheet) -> Iterator[str]:
    """By seat, who has played there, one after the other."""
    for seat in range(len(sheet.players)):
        of_deals = [deal.players[seat] for _, deal in sorted(sheet.deals.items())]
        yield " → ".join(map(state.name, dict.fromkeys((*of_deals, sheet.players[seat]))))


def _event(site: Site) -> str:
    return str(site.event.ask(lambda desk: desk.state.begun_ms))


def _name(player: int, desk: Desk) -> str:
    found = desk.state.players.get(player)
    if found is None or found.stand_in:
        raise BadName(words("there is no such player"))
    return found.name
