"""The API of what comes before play, under /api/v1/event: players, the draw, seats, the tables' boards."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import JSONResponse
from pydantic import Base64Bytes, BaseModel, Field

from ...errors import BadName, BadPlayers, EventRefused
from ...event import seeds, setup
from ...event.desk import Desk as EventDesk
from ...event.disclosure import PLACES
from ...event.draw import TEXT_LIMIT
from ...event.player_lists import PlayerList, Reading, read_players
from ...event.players import NAME_LIMIT, Roster
from ...naming import EventTable
from ...words import words
from ..guard import Asking, Here, Site, voice_of
from ..people.access import audience_of
from ..people.person import Person
from ..person_fields import PersonLines, PersonText
from ..receipts import Given
from ..tournament.setup_view import (
    BoardView,
    DrawView,
    ListView,
    RosterView,
    SeatsView,
    roster_version,
    version_of,
    view_boards,
    view_list,
    view_players,
    view_seats,
)
from . import PREFIX, PROBLEMS
from .sessions import REASON_LIMIT, Done, Seen

SOURCE_LIMIT = 200
PROBLEMS_SHOWN = 50
COLUMNS_LIMIT = 100
ENCODING_LIMIT = 40
SKIP_LIMIT = 1000

router = APIRouter(prefix=f"{PREFIX}/event", responses=PROBLEMS)

Stage = Literal["main", "final"]
TableNumber = Annotated[int, Path(ge=1, le=10_000)]


class PlayersFile(BaseModel):
    """A list of players: `text`, or the bytes of a file as Base64 in `data`. What is left out of the rest is found out.

    `columns` has for every column "name", "given" (the given name), "club", "id", "apart", "private" (yes where the
    name is withheld from extracts) or "-", if it is passed over; `header` says whether the first line names columns,
    `skip` which lines are passed over and no others. A preview of a list that can be read in several ways has what to
    say to choose one.
    """

    text: str = ""
    data: Base64Bytes = b""
    source: PersonText = Field("", max_length=SOURCE_LIMIT)
    encoding: str = Field("", max_length=ENCODING_LIMIT)
    delimiter: Literal["", "tab", "semicolon", "comma", "wide-comma", "bar", "none"] = ""
    header: bool | None = None
    columns: tuple[Literal["name", "given", "club", "id", "apart", "private", "-"], ...] = Field(
        (), max_length=COLUMNS_LIMIT
    )
    sheet: str = Field("", max_length=SOURCE_LIMIT)
    skip: tuple[int, ...] | None = Field(None, max_length=SKIP_LIMIT)

    def read(self) -> PlayerList:
        """Return the list as it is understood. Raises BadPlayers when it cannot be read at all."""
        reading = Reading(self.encoding, self.delimiter, self.header, self.columns, self.sheet, self.skip)
        return read_players(self.data or self.text, self.source or "the list", reading)


class NewPlayers(PlayersFile, Seen):
    """The same, to be taken in the place of the list at `version`."""


class Commit(Seen):
    """A commitment for the players at `version`; what fills the tables, if they do not come out even.

    A second one, in the place of one that was given up, needs a reason.
    """

    fill: Literal["", "byes", "stand_ins"] = ""
    reason: PersonLines = Field("", max_length=REASON_LIMIT)


class Shown(BaseModel):
    """The commitment that somebody had before them; another one that waits by now is left alone. Empty: any."""

    commitment: str = Field("", max_length=64)


class Withdrawal(Shown):
    """Why a commitment is withdrawn."""

    reason: PersonLines = Field("", max_length=REASON_LIMIT)


class Part(Shown):
    """What somebody adds to the draw: any text, such as the faces of dice."""

    of: PersonText = Field(max_length=NAME_LIMIT)
    text: PersonText = Field(max_length=TEXT_LIMIT)


class Board(Seen):
    """The board that stands at a table from now on; empty for none."""

    unit: PersonText = Field("", max_length=100)
    reason: PersonLines = Field("", max_length=REASON_LIMIT)


@router.get("/players")
def get_players(site: Here, _: Asking) -> RosterView:
    """The list of players."""
    return site.event.ask(lambda desk: view_players(desk.state))


@router.post("/players/preview")
def preview_players(body: PlayersFile, request: Request, site: Here, _: Asking) -> ListView:
    """Read a list of players without taking it: how it is understood, and in `problems` what is wrong with it.

    Where that is not certain, `doubts` has questions, and `readings` each way to read it.
    """
    version = get_players(site, _).version
    say = voice_of(request)
    try:
        found = body.read()
    except BadPlayers as error:
        return view_list(PlayerList("", "", False, (), Roster(()), error.problems), version, say, error.problems)
    more = len(found.problems) - PROBLEMS_SHOWN
    told = (*found.problems[:PROBLEMS_SHOWN], *((words("and {count} more", count=more),) if more > 0 else ()))
    return view_list(found, version, say, told)


@router.post("/players", response_model=RosterView)
def take_players(body: NewPlayers, given: Given) -> Any:
    """Take a list of players; until the draw is committed to, it takes the place of the one before."""

    def do() -> RosterView:
        roster = body.read().checked(body.source or "the list")

        def act(desk: EventDesk) -> RosterView:
            _check(desk, body.version)
            setup.import_players(desk, roster, body.source or "the console")
            return view_players(desk.state)

        return given.do(act)

    return given.once(do, body)


@router.get("/draws/{stage}")
def get_draw(stage: Stage, site: Here, _: Asking) -> DrawView:
    """A draw by lot as far as it has come. Once it is done, it is recomputed for this answer."""
    return look_at_draw(site, stage)


@router.get("/draws/{stage}/transcript", response_model=dict[str, Any])
def get_transcript(stage: Stage, site: Here, _: Asking) -> Response:
    """All that a draw followed from, as the file that `wallwright event draw verify` takes."""
    record = site.event.ask(lambda desk: setup.transcript(desk.state, stage).record())
    return JSONResponse(record, headers={"Content-Disposition": f'attachment; filename="draw-{stage}.json"'})


@router.post("/draws/{stage}/commit", response_model=DrawView)
def commit(stage: Stage, body: Commit, given: Given) -> Any:
    """Commit to a secret seed. The seed stays in a file that the server's user alone can read."""
    book = given.site.event

    def act(desk: EventDesk) -> None:
        _check(desk, body.version)
        fill = {"byes": body.fill == "byes", "stand_ins": body.fill == "stand_ins"}
        seeds.commit(desk, book.place, stage, **fill, reason=body.reason)

    def do() -> DrawView:
        given.do(act)
        return look_at_draw(given.site, stage)

    return given.once(do, body)


@router.post("/draws/{stage}/parts", response_model=DrawView)
def add_part(stage: Stage, body: Part, given: Given) -> Any:
    """Add somebody's part to a draw that is open."""

    def act(desk: EventDesk) -> None:
        _check_draw(desk, stage, body)
        setup.contribute(desk, stage, body.of, body.text)

    def do() -> DrawView:
        given.do(act)
        return look_at_draw(given.site, stage)

    return given.once(do, body)


@router.post("/draws/{stage}/reveal", response_model=DrawView)
def reveal(stage: Stage, given: Given, body: Shown | None = None) -> Any:
    """Reveal the seed: lots and seats follow."""
    book = given.site.event

    def act(desk: EventDesk) -> None:
        _check_draw(desk, stage, body)
        seeds.reveal(desk, book.place, stage)

    def do() -> DrawView:
        given.do(act)
        seeds.forget(book.place, stage)
        return look_at_draw(given.site, stage)

    return given.once(do, body)


@router.post("/draws/{stage}/withdraw", response_model=DrawView)
def withdraw(stage: Stage, body: Withdrawal, given: Given) -> Any:
    """Give a commitment up before its reveal; the draw before it stands, if there was one."""

    def act(desk: EventDesk) -> None:
        _check_draw(desk, stage, body)
        setup.withdraw_draw(desk, stage, body.reason)

    def do() -> DrawView:
        given.do(act)
        seeds.forget(given.site.event.place, stage)
        return look_at_draw(given.site, stage)

    return given.once(do, body)


@router.get("/sessions/{session}/seats")
def get_seats(session: int, site: Here, asking: Asking) -> SeatsView:
    """Who sits where; in a session that is not open yet, for those who work at the event."""
    return look_at_seats(site, asking, session)


@router.get("/boards")
def get_boards(site: Here, _: Asking) -> tuple[BoardView, ...]:
    """The tables of the event and their boards."""
    return look_at_boards(site)


@router.post("/boards", response_model=tuple[BoardView, ...])
def bind_free(given: Given) -> Any:
    """Give the hall's boards that stand nowhere to the tables that have none, both in their order."""

    def act(desk: EventDesk) -> None:
        bare = [board.table for board in view_boards(desk.state, given.site.desk.view) if board.unit is None]
        units = [table.unit for table in given.site.desk.view.tables if table.unit not in (None, *desk.state.units)]
        if not bare or not units:
            raise EventRefused(words("no table lacks a board, or no board of the hall is free"))
        for table, unit in zip(bare, units, strict=False):
            setup.bind_table(desk, table, unit)

    def do() -> tuple[BoardView, ...]:
        given.do(act)
        return look_at_boards(given.site)

    return given.once(do)


@router.post("/boards/{table}", response_model=Done)
def bind(table: TableNumber, body: Board, given: Given) -> Any:
    """Say which board stands at a table, or that there is none. In the middle of a session a swap needs a reason."""

    def act(desk: EventDesk) -> None:
        if version_of(desk.state.unit_of.get(table)) != body.version:
            raise EventRefused(
                words("{table} was given another board meanwhile; look at it again", table=EventTable(table))
            )
        setup.bind_table(desk, table, body.unit or None, body.reason)

    def do() -> Done:
        given.do(act)
        return Done()

    return given.once(do, body)


def look_at_draw(site: Site, stage: str) -> DrawView:
    """Return a draw. Raises BadName when the event has no such stage."""

    found = next((draw for draw in site.event.draws if draw.stage == stage), None)
    if found is None:
        raise BadName(words("this event draws no lots for {stage}", stage=repr(stage)))
    return found


def look_at_seats(site: Site, person: Person, session: int) -> SeatsView:
    """Return the seats of a session. Raises BadName when there are none, or none that `person` may see."""
    found = site.event.ask(lambda desk: view_seats(desk.state, session))
    if found is None or not site.event.may_see(audience_of(person.role), PLACES, session):
        raise BadName(words("the seats of session {session} are not open yet", session=session))
    return found


def look_at_boards(site: Site) -> tuple[BoardView, ...]:
    """Return the tables of the event and their boards."""
    return site.event.ask(lambda desk: view_boards(desk.state, site.desk.view))


def _check_draw(desk: EventDesk, stage: str, body: Shown | None) -> None:
    draw = desk.state.draws.get(stage)
    if body is not None and body.commitment and (draw is None or draw.commitment != body.commitment):
        raise EventRefused(words("this commitment was given up by somebody else meanwhile; look at the draw again"))


def _check(desk: EventDesk, version: int) -> None:
    if roster_version(desk.state) != version:
        raise EventRefused(words("the list of players was changed by somebody else meanwhile; look at it again"))
