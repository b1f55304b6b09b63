"""What the console shows of an event before play: its players, its draws, its seats, the boards of its tables.

A draw's view is for everybody; the seed is in it after the reveal and not before, because nothing here knows it.
"""

import unicodedata
import zlib
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, fields
from functools import lru_cache
from typing import Any

from ...errors import EventRefused
from ...event.desk import Desk
from ...event.disclosure import EVERYBODY, PLACES, may_see
from ...event.draw import Transcript, verify
from ...event.player_lists import PlayerList
from ...event.players import SEATS, Roster
from ...event.seating import SessionSeating
from ...event.seating_check import SeatingReport, check_seating
from ...event.setup import Kind, kind_of, planned_seats, seats_follow, stage_players, transcript
from ...event.state import EventState
from ...event.state_parts import FINALS, MAIN, Drawing, stage_sessions
from ...person_text import same_key
from ...words import Say, Words
from ..hall.model import HallView

PAIRS_SHOWN = 100
PLAYERS_SHOWN = 5


@dataclass(frozen=True, slots=True)
class PlayerView:
    """One who plays; a stand-in fills a seat and is not ranked; who is `withdrawn` plays no more."""

    number: int
    name: str
    club: str
    stand_in: bool
    withdrawn: bool = False


@dataclass(frozen=True, slots=True)
class RosterView:
    """The list of players.

    `clubs` has those of two players or more with their numbers of players, `apart` the names of pairs that were named,
    the first hundred of them, and `clashes` is how many pairs clubs and names make. `spare` players are left over when
    tables are filled. `problems` are sentences; with any, this list cannot be taken.
    """

    version: int
    players: tuple[PlayerView, ...]
    clubs: tuple[tuple[str, int], ...]
    apart: tuple[tuple[str, str], ...]
    clashes: int
    spare: int
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ColumnView:
    """A column of a list: what its first line calls it, its role ("-" if it is passed over), and its first cells."""

    label: str
    role: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WayView:
    """A way to read a list: what to say to choose it, its first players, and how many it has."""

    choice: dict[str, Any]
    players: tuple[str, ...]
    count: int


@dataclass(frozen=True, slots=True)
class ListView(RosterView):
    """A list of players that somebody has given, as it was understood; its players are those of lines without problems.

    `encoding` is what people call it, empty for a text; `delimiter` is a name of `lists.cells.DELIMITERS`. `notes`
    are sentences about what was passed over. With `doubts` it cannot be taken until one of `readings` is chosen.
    """

    encoding: str = ""
    delimiter: str = ""
    has_header: bool = False
    columns: tuple[ColumnView, ...] = ()
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    readings: tuple[WayView, ...] = ()


@dataclass(frozen=True, slots=True)
class PartView:
    """What somebody added to a draw."""

    of: str
    text: str


@dataclass(frozen=True, slots=True)
class DrawView:
    """A draw as far as it has come.

    `state` is "early" while it is not known who plays, "ready", "open" between commitment and reveal, or "drawn".
    `version` is that of the list of players. `earlier` are commitments that were given up, with the reasons. `lots` are
    numbers and names of players, first lot first. `problems` are sentences: in what a draw does not fit that was
    recomputed. `sessions` are those whose seats follow from it; when one of them is `opened`, the seats stay. A draw
    that `is_stale` was begun for other players than those there are now, so its seed cannot be revealed.
    """

    stage: str
    state: str
    version: int
    players: tuple[tuple[int, str], ...]
    spare: int
    commitment: str
    earlier: tuple[tuple[str, str], ...]
    parts: tuple[PartView, ...]
    seed: str
    lots: tuple[tuple[int, str], ...]
    sessions: tuple[int, ...]
    opened: tuple[int, ...]
    problems: tuple[str, ...]
    report: SeatingReport | None
    is_stale: bool = False

    @property
    def groups(self) -> tuple[str, ...]:
        """The commitment in groups of four digits, to be read out."""
        return _in_groups(self.commitment)

    @property
    def seed_groups(self) -> tuple[str, ...]:
        """The seed, likewise."""
        return _in_groups(self.seed)


class Draws:
    """The draws of an event, looked at again only when something about them has changed."""

    def __init__(self) -> None:
        self._seen: object = None
        self.views: tuple[DrawView, ...] = ()

    def follow(self, desk: Desk) -> tuple[DrawView, ...]:
        """Return them as they stand."""
        state = desk.state
        draws = [(one.commitment, len(one.contributions), one.lots, one.earlier) for one in state.draws.values()]
        # Penalties and what is final say who plays a final.
        fates = [one.withdrawn for one in state.penalties.values()]
        seen = (
            state.roster,
            sorted(state.withdrawn),
            draws,
            [session.state for session in state.sessions.values()],
            fates,
        )
        if seen != self._seen:
            self._seen = seen
            self.views = tuple(view_draw(desk, stage) for stage in stages(state))
        return self.views


@dataclass(frozen=True, slots=True)
class SeatView:
    """Where a player sits in a session; table and seat are None for who sits out."""

    name: str
    player: int
    table: int | None = None
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class SeatsView:
    """Who sits where in a session: for every table numbers and names by seat, those who sit out, and everybody."""

    session: int
    state: str
    tables: tuple[tuple[tuple[int, str], ...], ...]
    byes: tuple[tuple[int, str], ...]
    by_name: tuple[SeatView, ...]


@dataclass(frozen=True, slots=True)
class BoardView:
    """A table of the event and the board that stands there; `hall_table` is what the hall calls it, if it has it."""

    table: int
    unit: str | None
    hall_table: str | None
    is_connected: bool
    version: int


def view_players(state: EventState) -> RosterView:
    """Return the list of players of an event."""
    return view_roster(state.roster, roster_version(state), out=tuple(state.withdrawn))


def roster_version(state: EventState) -> int:
    """Return a number that changes with the list of players, and with who of them plays."""
    return version_of((state.roster, sorted(state.withdrawn)))


def view_roster(roster: Roster, version: int, problems: Sequence[str] = (), out: Collection[int] = ()) -> RosterView:
    """Return a list of players as it is shown; `version` is that of the event's list. The players `out` have left."""
    names = {player.number: player.name for player in roster.players}
    clubs: dict[str, list[str]] = {}
    for player in roster.players:
        if player.club:
            clubs.setdefault(same_key(player.club), []).append(player.club)
    return RosterView(
        version=version,
        players=tuple(
            PlayerView(one.number, one.name, one.club, one.stand_in, one.number in out) for one in roster.players
        ),
        clubs=tuple((same[0], len(same)) for same in clubs.values() if len(same) > 1),
        apart=tuple((names[a], names[b]) for a, b in roster.apart[:PAIRS_SHOWN]),
        clashes=len(roster.clashes()),
        spare=(len(roster.players) - len(out)) % SEATS,
        problems=tuple(problems),
    )


def view_list(found: PlayerList, version: int, say: Say, problems: Sequence[Words]) -> ListView:
    """Return a list as it was understood, which would take the place of the one at `version`."""
    seen = view_roster(found.roster, version, [one.said(say) for one in problems])
    ways = (found, *found.others) if found.doubts else ()
    return ListView(
        **{field.name: getattr(seen, field.name) for field in fields(seen)},
        encoding=found.encoding,
        delimiter=found.delimiter,
        has_header=found.has_header,
        columns=tuple(ColumnView(one.label, one.role, one.cells) for one in found.columns),
        notes=tuple(one.said(say) for one in found.notes),
        doubts=tuple(one.said(say) for one in found.doubts),
        readings=tuple(_view_way(way) for way in ways),
    )


def _view_way(way: PlayerList) -> WayView:
    told = tuple(
        " · ".join(text for text in (one.name, one.club, one.id) if text) for one in way.roster.players[:PLAYERS_SHOWN]
    )
    choice = {name: value for name, value in asdict(way.choice).items() if value not in ("", (), None)}
    return WayView(choice, told, len(way.roster.players))


def stages(state: EventState) -> tuple[str, ...]:
    """Return the stages that lots are drawn for."""
    return (MAIN,) if state.format is None or not state.format.final_players else (MAIN, FINALS)


def view_draw(desk: Desk, stage: str) -> DrawView:
    """Return a draw of one of the event's stages as everybody may see it."""
    state = desk.state
    now = _players(desk, stage)
    draw = state.draws.get(stage) or Drawing("", now, earlier=state.given_up.get(stage, ()))
    stale = bool(draw.commitment and now) and not draw.lots and [n for n, _ in now] != [n for n, _ in draw.players]
    numbers = stage_sessions(desk.format, stage)
    sessions = tuple(state.sessions[number] for number in numbers if number in state.sessions)
    names = dict(draw.players)
    problems: tuple[str, ...] = ()
    report = None
    if draw.lots:
        problems, report = _recompute(
            kind_of(desk.format), state.roster, transcript(state, stage), planned_seats(state, stage)
        )
    return DrawView(
        stage=stage,
        state="drawn" if draw.lots else "open" if draw.commitment else "ready" if draw.players else "early",
        version=roster_version(state),
        players=now if stale else draw.players,
        spare=len(now if stale else draw.players) % SEATS,
        commitment=draw.commitment,
        earlier=draw.earlier,
        parts=tuple(PartView(one.by, one.text) for one in draw.contributions),
        seed=draw.seed,
        lots=tuple((number, names[number]) for number in draw.lots),
        sessions=tuple(session.number for session in sessions),
        opened=tuple(one.number for one in sessions if may_see(state, EVERYBODY, PLACES, one.number)),
        problems=problems,
        report=report,
        is_stale=stale,
    )


def view_seats(state: EventState, number: int) -> SeatsView | None:
    """Return the seats of a session; None when there are none yet."""
    session = state.sessions.get(number)
    if session is None:
        return None
    tables = tuple(tuple((one, state.name(one)) for one in sheet.players) for sheet in session.tables)
    byes = tuple((one, state.name(one)) for one in session.byes)
    everybody = [SeatView(name, one) for one, name in byes]
    for table, four in enumerate(tables, 1):
        everybody += [SeatView(name, one, table, seat) for seat, (one, name) in enumerate(four)]
    return SeatsView(number, session.state, tables, byes, tuple(sorted(everybody, key=lambda one: by_name(one.name))))


def view_boards(state: EventState, hall: HallView) -> tuple[BoardView, ...]:
    """Return every table of the event with its board."""
    at = {table.unit: table for table in hall.tables if table.unit is not None}
    count = max((len(session.tables) for session in state.sessions.values()), default=0)
    found = []
    for table in range(1, count + 1):
        unit = state.unit_of.get(table)
        here = None if unit is None else at.get(unit)
        name, connected = (None, False) if here is None else (here.name, here.is_connected)
        found.append(BoardView(table, unit, name, connected, version_of(unit)))
    return tuple(found)


def by_name(name: str) -> tuple[bytes, str]:
    """Return what names are sorted by: letters whatever their accents and case, then Chinese characters by pinyin.

    GB 2312, which GB 18030 contains, has the common characters in that order.
    """
    plain = "".join(one for one in unicodedata.normalize("NFKD", name) if not unicodedata.combining(one))
    return plain.casefold().encode("gb18030", "replace"), name


def _in_groups(digits: str) -> tuple[str, ...]:
    return tuple(digits[at : at + 4] for at in range(0, len(digits), 4))


def version_of(seen: object) -> int:
    """Return a number that changes with what somebody has before them; a restart leaves it as it is."""
    return zlib.crc32(repr(seen).encode("utf-8", "replace"))


def _players(desk: Desk, stage: str) -> tuple[tuple[int, str], ...]:
    """Who will be drawn for; nobody while that is not known."""
    try:
        return stage_players(desk, stage)
    except EventRefused:
        return ()


@lru_cache(maxsize=4)
def _recompute(
    kind: Kind, roster: Roster, drawn: Transcript, seats: tuple[SessionSeating, ...]
) -> tuple[tuple[str, ...], SeatingReport]:
    """Return what is wrong with a draw and its seats, and the report of the seats; a plan takes up to a second."""
    problems = list(verify(drawn.record()))
    if not seats_follow(kind, roster, drawn, seats):
        problems.append("the seats do not follow from the lots")
    report = check_seating(seats, drawn.lots, () if kind else roster.clashes())
    return (*problems, *report.problems), report
