"""The pages, in HTML, and what is sent to keep them up to date."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import HTMLResponse, StreamingResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from ...errors import BadName
from ...rules.core.acts import parse_act
from ...rules.core.errors import NotationError
from ...rules.core.tiles import SUITS, parse_tiles, tile_name
from ...rules.sichuan.actions import parse_action
from ...shown_text import shown
from ...words import Words, plural, words
from .. import texts
from ..eyes import shown_hall, shown_happenings, shown_table
from ..feed.alarm import AlarmChannel
from ..feed.channels import HallChannel, PageChannel
from ..feed.feed import Channel
from ..guard import (
    Asking,
    Here,
    Site,
    TableName,
    csrf_of,
    language_of,
    place_of,
    site_of,
    stays,
    table_path,
    token_of,
    voice_of,
)
from ..hall.model import HallView, TableView
from ..hall.picture import picture
from ..hall.shuffling import evidence_text
from ..people.access import PUBLIC, may, may_use
from ..people.person import Person
from ..replays.replay import Move
from ..replays.turns import tiles_of
from ..static import STATIC
from ..texts import drives_text, happening_text
from ..tournament.book import MAY_NEED_REASON, NEED_REASON
from ..voice import Voice

THEMES = ("light", "dark", "auto")
_OURS = re.compile(r"/(?![/\\])[!-~]*")
"""The path of a page of this console; two strokes would begin another server's name."""
FILTERS = ("all", "need", "play", "away")

_PIPS = {
    1: ((22, 22),),
    2: ((12, 12), (32, 32)),
    3: ((11, 11), (22, 22), (33, 33)),
    4: ((12, 12), (32, 12), (12, 32), (32, 32)),
    5: ((11, 11), (33, 11), (22, 22), (11, 33), (33, 33)),
    6: ((12, 10), (32, 10), (12, 22), (32, 22), (12, 34), (32, 34)),
}

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


def _shown(value: Any) -> Any:
    """Return a value as a page has it: a text of anybody is shown, what the console itself has marked up stays."""
    return shown(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parents[1] / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    environment.filters["table_path"] = table_path
    environment.filters["words"] = texts.words
    environment.filters["minutes"] = texts.minutes
    environment.filters["hour"] = lambda at_ms: datetime.fromtimestamp(at_ms / 1000, UTC).astimezone().strftime("%H:%M")
    environment.filters["clock"] = lambda at_ms: (
        datetime.fromtimestamp(at_ms / 1000, UTC).astimezone().strftime("%H:%M:%S")
    )
    environment.filters["day"] = lambda at_ms: (
        datetime.fromtimestamp(at_ms / 1000, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    )
    environment.globals.update(
        state_text=texts.state_text,
        attention=texts.ATTENTION,
        commands=texts.COMMANDS,
        roles=texts.ROLES,
        wins=texts.WINS,
        session_states=texts.SESSION_STATES,
        player_changes=texts.PLAYER_CHANGES,
        steps=texts.STEPS,
        penalties=texts.PENALTIES,
        decisions=texts.DECISIONS,
        machine_faults=texts.MACHINE_FAULTS,
        deal_moves=texts.DEAL_MOVES,
        deal_kinds=texts.DEAL_KINDS,
        questions=texts.QUESTIONS,
        action_of=_action_of,
        suits=texts.SUITS,
        plural=plural,
        tap_modes=texts.TAP_MODES,
        reasons=(*NEED_REASON, *MAY_NEED_REASON),
        pips=_PIPS,
        picture=picture,
        drives_text=drives_text,
        fault_text=texts.fault_text,
        happening_text=happening_text,
        late_text=texts.late_text,
        evidence_text=evidence_text,
        tile_text=texts.tile_text,
        outage_text=texts.outage_text,
        outage_facts=texts.OUTAGE_FACTS,
        tiles_of=lambda text: [tile_name(kind) for kind in parse_tiles(text)],
    )
    return environment


def _action_of(text: str) -> Move:
    """An action of a deal of any game, as a question names it. NotationError when it is none."""
    try:
        action = parse_action(text)
    except NotationError:
        act = parse_act(text)
        return Move(act.verb, act.seat, tiles_of(act))
    suit = None if action.suit is None else Words(texts.SUITS[SUITS[action.suit]])
    return Move(action.verb, action.seat, () if action.tile is None else (tile_name(action.tile),), how=suit)


ENVIRONMENT = _environment()


def render(template: str, voice: Voice, **values: Any) -> str:
    """Return a template's text in a language."""
    return ENVIRONMENT.get_template(template).render(_=voice, lang=voice.language, **values)


def module(template: str, voice: Voice, **values: Any) -> Any:
    """Return the macros of a template in a language."""
    return ENVIRONMENT.get_template(template).make_module({"_": voice, "lang": voice.language, **values})


def page(request: Request, template: str, person: Person, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a whole page for `person`."""
    site: Site = request.app.state.site
    voice = voice_of(request)
    theme = request.cookies.get("theme", "auto")
    frame = {
        "html_lang": texts.HTML_LANGUAGES[voice.language],
        "theme": theme if theme in THEMES else "auto",
        "csrf": csrf_of(token_of(request)),
        "person": None if person.role == PUBLIC else person,
        "demo": site.guest is not None,
        "title_text": site.title,
        "has_event": site.book is not None,
        "guessing": may_use(person.role, "GET", "/accounts") and site.guesses.are_many(site.now_ms()),
        "waiting_calls": site.desk.view.waiting_calls if judges(person.role) else None,
    }
    return HTMLResponse(render(template, voice, **frame, **values), status)


@router.get("/")
def hall_page(request: Request, site: Here, asking: Asking, show: str = "all") -> Response:
    """The hall."""
    shown = show if show in FILTERS else "all"
    view = shown_hall(site, asking.role, site.desk.view)
    return page(request, "hall.html", asking, view=view, show=shown, **hall_values(site, asking.role))


@router.get("/tables/{table}")
def table_page(table: TableName, request: Request, site: Here, asking: Asking) -> Response:
    """One table."""
    _table(site, table)
    values = _table_values(site, table, asking.role, site.desk.view)
    return page(request, "table.html", asking, **values)


@router.get("/live/hall")
async def live_hall(request: Request, site: Here, asking: Asking) -> Response:
    """What keeps the hall's page up to date."""
    language, role = language_of(request), asking.role
    make = partial(
        HallChannel,
        partial(_hall_body, site, language, role),
        partial(_card, site, language, role),
        partial(shown_hall, site, role),
    )
    return stream(request, asking, ("hall", language, role), make)


@router.get("/live/tables/{table}")
async def live_table(table: TableName, request: Request, site: Here, asking: Asking) -> Response:
    """What keeps a table's page up to date."""
    language, role = language_of(request), asking.role
    _table(site, table)
    make = partial(PageChannel, "table", partial(_table_body, site, language, role, table), has_ages=True)
    return stream(request, asking, ("table", table, language, role), make)


@router.get("/tables/{table}/confirm/{command}")
def confirm(table: TableName, command: str, request: Request, site: Here, asking: Asking) -> Response:
    """The question before a table is commanded, which names what stops or moves."""
    found = _table(site, table)
    if command not in texts.COMMANDS:
        raise BadName(words("no command is called {name}", name=repr(command)))
    _ = voice_of(request)
    is_stop = command == "stop"
    moving = drives_text(found.moving, _)
    if is_stop:
        question = _("What moves stops at once; the table is then at a fault that somebody clears at the table.")
    elif command == "clear_fault":
        question = _("Clear it only when its cause is mended. Nothing moves by that.")
    else:
        question = _("The table will move. Make sure that no hand is in its way.")
    names = [_("Moves now: {moving}", moving=moving) if moving else _("Nothing moves now.")] if is_stop else []
    if not may(asking.role, command):
        names, question = [], _("Your role may not do this; ask the director.")
    return HTMLResponse(
        render(
            "confirm.html",
            _,
            api=f"/api/v1{table_path(table)}/commands/{command}",
            heading=f"{_(texts.COMMANDS[command])} · {_.hall_table(table)}",
            question=question,
            names=names,
            yes=_(texts.COMMANDS[command]),
            is_stop=is_stop,
        )
    )


@router.get("/confirm/stop-all")
def confirm_stop_all(request: Request, site: Here, _asking: Asking) -> Response:
    """The question before the hall's emergency stop, which names every table that moves."""
    _ = voice_of(request)
    tables = site.desk.view.tables
    names = [
        f"{_.hall_table(table.name, begins=True)}: {drives_text(table.moving, _)}" for table in tables if table.moving
    ]
    away = [_.hall_table(table.name) for table in tables if not table.is_connected]
    if away:
        names.append(_("Not reached from here: {names}", names=", ".join(away)))
    return HTMLResponse(
        render(
            "confirm.html",
            _,
            api="/api/v1/hall/stop",
            heading=_("Stop all tables"),
            question=_(plural("{count} table stops; moving now: {moving}", "{count} tables stop; moving now: {moving}"),
                       count=len(tables), moving=sum(bool(table.moving) for table in tables)),
            names=names,
            yes=_("Stop all tables"),
            is_stop=True,
        )
    )  # fmt: skip


@router.get("/sign-in")
def sign_in_page(request: Request, asking: Asking, wanted: Annotated[str, Query(alias="next")] = "/") -> Response:
    """Name and password; then on to the page of this console that was wanted."""
    onward = wanted if _OURS.fullmatch(wanted) else "/"
    return page(request, "sign_in.html", asking, onward=onward)


def door(request: Request) -> str:
    """Return where to sign in, from where the way leads back to what was asked for."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    # A stream is no page to come back to.
    is_page = request.method == "GET" and not wanted.startswith("/live/")
    return "/sign-in" if wanted == "/" or not is_page else f"/sign-in?{urlencode({'next': wanted})}"


@router.get("/first/{token}")
def first_page(token: str, request: Request, site: Here, asking: Asking) -> Response:
    """The first account, by the link that the server has printed."""
    good = site.accounts.is_invited(token, site.now_ms())
    return page(request, "first.html", asking, good=good, token=token)


@router.get("/static/{name}")
def static(name: str, request: Request, _: Asking) -> Response:
    """A style, a script or a picture."""
    found = STATIC.get(name)
    if found is None:
        raise BadName(words("there is no file {name}", name=repr(name)))
    headers = {"ETag": found.tag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == found.tag:
        return Response(status_code=304, headers=headers)
    return Response(found.content, media_type=found.media_type, headers=headers)


def judges(role: str) -> bool:
    """Say whether a role answers calls and decides deals."""
    return may_use(role, "POST", "/api/v1/calls/{call}/take")


def hall_values(site: Site, role: str) -> dict[str, Any]:
    """Return what pages of the hall need besides its tables: what a role may do, and the session they lead to.

    `session` is None where there is none, or the role works in the hall alone.
    """
    shown = None if site.book is None or not may_use(role, "GET", "/event") else site.book.view.shown
    return {
        "judges": judges(role),
        "says_dealer": may_use(role, "POST", "/api/v1/tables/{table}/next-dealer"),
        "place_of": partial(place_of, site),
        "session": None if shown is None else shown.number,
    }


def stream(
    request: Request, person: Person, key: tuple[str, ...], make: Callable[[], Channel | None] = lambda: None
) -> Response:
    """Return the endless answer of a channel, with the calls that wait for who answers calls."""
    site, language = site_of(request), language_of(request)

    def badge(view: HallView) -> str:
        return render("alarm.html", site.voice(language), waiting_calls=view.waiting_calls)

    def shown() -> Channel:
        inner = make()
        if judges(person.role):
            return AlarmChannel(inner, badge)
        assert inner is not None, "nobody else opens a stream that has nothing but the calls"
        return inner

    viewer = site.feed.watch((*key, str(judges(person.role))), shown, stays(request))
    return StreamingResponse(viewer, media_type="text/event-stream")


def _hall_body(site: Site, language: str, role: str, view: HallView) -> str:
    return render("hall_body.html", site.voice(language), view=view, **hall_values(site, role))


def _card(site: Site, language: str, role: str, table: TableView) -> str:
    return str(module("parts.html", site.voice(language), **hall_values(site, role)).card(table))


def _table_body(site: Site, language: str, role: str, name: str, view: HallView) -> str:
    return render("table_body.html", site.voice(language), **_table_values(site, name, role, view))


def _table_values(site: Site, name: str, role: str, view: HallView) -> dict[str, Any]:
    history = shown_happenings(site, role, view, site.desk.history(name))
    table = view.table(name)
    assert table is not None, "a hall keeps its tables"
    return {"table": shown_table(site, role, table), "history": history, **hall_values(site, role)}


def _table(site: Site, name: str) -> TableView:
    found = site.desk.view.table(name)
    if found is None:
        raise BadName(words("no table is called {name}", name=repr(name)))
    return found
