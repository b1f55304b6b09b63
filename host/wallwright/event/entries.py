"""Players one by one: they are added, renamed, withdraw for the rest of the event and return; also while it is played.

Before the seed is committed to, the list is free. The commitment covers the players, so a player who comes or goes
before the reveal ends it: another seed is committed to, for a reason that everybody sees. After the draw all seats
stay. A latecomer takes over the seats of a stand-in, or sits at an extra table; a free player takes the seats of one
who withdraws.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..errors import EventRefused
from ..journal.kinds.desk import (
    OfDesk,
    PlayerPrivacy,
    PlayerRenamed,
    PlayerReturned,
    PlayerSubstituted,
    PlayerWithdrawn,
    TableAdded,
)
from ..naming import EventTable
from ..person_text import looks_like, same_key
from ..words import Words, words
from . import guards
from .desk import Desk, need_reason
from .format import LATE_TABLES, NO_LATE
from .lifecycle import OPEN, PLANNED, RUNNING
from .players import MOST, NAME_LIMIT, SEATS, Player, new_stand_ins, player_added
from .running import may_start_deal
from .setup import is_stale, unfilled
from .state_parts import FINALS, MAIN, Session
from .table_sheet import TableSheet
from .texts import taken


@dataclass(slots=True)
class _Plan:
    """What is to be written, and what it comes to in sentences. It adds `new` players and uses `house` stand-ins."""

    desk: Desk
    reason: str
    facts: list[OfDesk] = field(default_factory=list)
    lines: list[Words] = field(default_factory=list)
    new: list[Player] = field(default_factory=list)
    house: list[Player] = field(default_factory=list)

    def add(self, player: Player) -> None:
        """Let somebody be a player."""
        self.new.append(player)
        self.facts.append(player_added(player, self.reason))

    def seat(self, sheet: TableSheet, out: int, into: Player) -> None:
        """Let `into` take the seat of `out`, from the deal in play or the next one on."""
        deal = sheet.next_deal if sheet.in_play is None else sheet.in_play.deal
        self.facts.append(
            PlayerSubstituted(
                session=sheet.session,
                table=sheet.table,
                seat=sheet.players.index(out),
                out=out,
                into=into.number,
                from_deal=deal,
                reason=self.reason,
            )
        )
        text = "session {session}, {table}: {into} in the place of {out}"
        out_name = self.desk.state.name(out)
        self.lines.append(
            words(text, session=sheet.session, table=EventTable(sheet.table), into=into.name, out=out_name)
        )

    def stand_in(self, session: Session, taken: tuple[int, ...] = ()) -> Player:
        """Return a stand-in who is free in a session, and not among `taken`; a new one if there is none."""
        seated = {*taken, *(one for sheet in session.tables for one in sheet.players)}
        known = [*self.house, *(one for one in self.desk.state.players.values() if one.stand_in)]
        free = next((one for one in known if one.number not in seated), None)
        if free is None:
            free = next(new_stand_ins([*self.desk.state.players.values(), *self.new]))
            self.add(free)
        if free not in self.house:
            self.house.append(free)
        return free


def add_player(
    desk: Desk, name: str, club: str = "", reason: str = "", id_: str = "", *, private: bool = False
) -> tuple[int, tuple[Words, ...]]:
    """Add a player; return the number and, in sentences, which seats that gives. After the draw it needs a reason."""
    number = max(desk.state.players, default=0) + 1
    player = Player(
        number, _checked(desk, name, reason), _checked_club(club), id=_checked_id(desk, id_), private=private
    )
    if sum(not one.stand_in for one in desk.state.players.values()) >= MOST:
        raise EventRefused(words("an event takes {most} players", most=MOST))
    plan = _Plan(desk, reason)
    _before_the_draw_ends(plan)
    plan.add(player)
    if _is_drawn(desk):
        need_reason(reason, words("lots were drawn already"))
        if desk.format.late_entry == NO_LATE:
            raise EventRefused(words("the format of this event takes no players after the draw (late_entry)"))
        _give_seats(plan, player)
    desk.write_all(plan.facts)
    return player.number, tuple(plan.lines)


def rename_player(desk: Desk, player: int, name: str, reason: str, club: str | None = None) -> None:
    """Correct a name, or a club before the draw. The old one stays in the journal, and in what was committed to."""
    old = _player(desk, player)
    need_reason(reason, words("a name is corrected for a reason"))
    new = old.name if name == old.name else _checked(desk, name, reason, but=player)
    new_club = old.club if club is None else _checked_club(club)
    if (new, new_club) == (old.name, old.club):
        raise EventRefused(words("{name} is called that already", name=old.name))
    if new_club != old.club and MAIN in desk.state.draws:
        raise EventRefused(words("clubs decide who is kept apart in the draw, so they stay from its begin"))
    desk.write(
        PlayerRenamed(player=player, name=new, club=new_club, old_name=old.name, old_club=old.club, reason=reason)
    )


def set_privacy(desk: Desk, player: int, private: bool, reason: str) -> None:
    """Say that a player's name is withheld from extracts made from now on, or that it is not."""
    old = _player(desk, player)
    need_reason(reason, words("a name is withheld, or shown, for a reason"))
    if old.private == private:
        text = "the name of {name} is withheld already" if private else "the name of {name} is not withheld"
        raise EventRefused(words(text, name=old.name))
    desk.write(PlayerPrivacy(player=player, private=private, reason=reason))


def withdraw_player(desk: Desk, player: int, reason: str) -> tuple[Words, ...]:
    """Let a player leave for the rest of the event; return in sentences who takes the seats.

    What was played stays. First choice are players without a seat in that session, then stand-ins.
    """
    found = _player(desk, player)
    need_reason(reason, words("a player withdraws for a reason"))
    leaves = PlayerWithdrawn(player=player, reason=reason)
    guards.check(desk.state, leaves)
    if found.stand_in:
        raise EventRefused(words("{name} is a stand-in; let a substitute take the seat", name=found.name))
    plan = _Plan(desk, reason)
    _before_the_draw_ends(plan)
    plan.facts.append(leaves)
    if _is_drawn(desk):
        _free_seats(plan, player)
    desk.write_all(plan.facts)
    return tuple(plan.lines)


def return_player(desk: Desk, player: int, reason: str) -> tuple[Words, ...]:
    """Let a player who has withdrawn play again; return in sentences which seats that gives."""
    found = _player(desk, player)
    need_reason(reason, words("a player returns for a reason"))
    returns = PlayerReturned(player=player, reason=reason)
    guards.check(desk.state, returns)
    plan = _Plan(desk, reason)
    _before_the_draw_ends(plan)
    plan.facts.append(returns)
    if _is_drawn(desk):
        _give_seats(plan, found)
    desk.write_all(plan.facts)
    return tuple(plan.lines)


def _give_seats(plan: _Plan, player: Player) -> None:
    """In every session that has not begun: those of a stand-in, of one and the same if it can be, or a new table."""
    state = plan.desk.state
    sessions = [one for one in _to_come(plan.desk) if one.number <= plan.desk.format.sessions]
    lines = Counter(one for session in sessions for one in _seated_stand_ins(plan.desk, session))
    best = min(lines, key=lambda one: (-lines[one], one), default=None)
    for session in sessions:
        seated = _seated_stand_ins(plan.desk, session)
        if seated:
            out = best if best in seated else min(seated)
            assert out is not None
            plan.seat(seated[out], out, player)
        elif plan.desk.format.late_entry == LATE_TABLES:
            four = [state.players[one] for one in session.byes[: SEATS - 1]] + [player]
            while len(four) < SEATS:
                four.append(plan.stand_in(session, tuple(one.number for one in four)))
            first, second, third, fourth = (one.number for one in four)
            players = (first, second, third, fourth)
            plan.facts.append(TableAdded(session=session.number, players=players, reason=plan.reason))
            text = "session {session}: {name} at the extra {table}"
            plan.lines.append(
                words(text, session=session.number, name=player.name, table=EventTable(len(session.tables) + 1))
            )
        else:
            text = "session {session}: there is no free place for {name}"
            plan.lines.append(words(text, session=session.number, name=player.name))


def _free_seats(plan: _Plan, player: int) -> None:
    state = plan.desk.state
    sessions = list(_to_come(plan.desk))
    playing = state.playing
    if playing is not None and playing.state == RUNNING:
        sessions.insert(0, playing)
    if not sessions and not _is_final_to_come(plan.desk):
        raise EventRefused(words("all sessions have been played or wait for signatures; nothing is left to leave"))
    for session in sessions:
        sheet = next((one for one in session.tables if player in one.players), None)
        if sheet is None:
            continue
        now = plan.desk.now()
        if session.state == RUNNING and sheet.in_play is None and not may_start_deal(state, sheet, now):
            continue
        plan.seat(sheet, player, _free_player(plan, session, player))


def _free_player(plan: _Plan, session: Session, but: int) -> Player:
    """Return who waits for a seat in a session, else who sits out, else a stand-in."""
    state = plan.desk.state
    seated = {one for sheet in session.tables for one in sheet.players}
    out = {but, *state.withdrawn, *seated}
    free = [one for one in state.players.values() if not one.stand_in and one.number not in out]
    # A final is for its finalists.
    free = free if session.number <= plan.desk.format.sessions and session.state != RUNNING else []
    waiting = [one for one in free if one.number not in session.byes]
    return next(iter((*waiting, *free)), None) or plan.stand_in(session)


def _to_come(desk: Desk) -> Iterator[Session]:
    return (session for session in desk.state.sessions.values() if session.state in (PLANNED, OPEN))


def _is_final_to_come(desk: Desk) -> bool:
    return bool(desk.format.final_players) and desk.state.drawn(FINALS) is None


def _seated_stand_ins(desk: Desk, session: Session) -> dict[int, TableSheet]:
    players = desk.state.players
    return {one: sheet for sheet in session.tables for one in sheet.players if players[one].stand_in}


def _is_drawn(desk: Desk) -> bool:
    return desk.state.drawn(MAIN) is not None


def _before_the_draw_ends(plan: _Plan) -> None:
    """A commitment that is open ends with a change of its players, and with it the stand-ins that made tables full.

    Where lots were drawn before it, the stand-ins have seats, and keep them.
    """
    desk = plan.desk
    draw = desk.state.draws.get(MAIN)
    if draw is None or draw.lots:
        return
    need_reason(plan.reason, words("a seed was committed to for the players so far"))
    if draw.before is None:
        plan.facts += unfilled(desk.state.roster)
    if not is_stale(desk, MAIN):
        text = "the commitment is given up; commit to another seed"
        if draw.before is not None:
            text = "the commitment to another draw is given up; commit to another seed, or withdraw it"
        plan.lines.append(words(text))


def _player(desk: Desk, player: int) -> Player:
    found = desk.state.players.get(player)
    if found is None:
        raise EventRefused(words("there is no player {number}", number=player))
    return found


def _checked(desk: Desk, name: str, reason: str, but: int = 0) -> str:
    name = taken(words("the name"), name, NAME_LIMIT, 1)
    if name.isdecimal():
        raise EventRefused(words("{name} is no name but a number, by which players are told apart", name=repr(name)))
    others = [one for one in desk.state.players.values() if one.number != but]
    same = next((one for one in others if same_key(one.name) == same_key(name)), None)
    if same is not None:
        problem = "player {number} is called {name} already; tell them apart"
        raise EventRefused(words(problem, number=same.number, name=same.name))
    alike = next((one for one in others if looks_like(one.name) == looks_like(name)), None)
    if alike is not None:
        problem = "{name} looks like player {number}, {other}"
        need_reason(reason, words(problem, name=name, number=alike.number, other=alike.name))
    return name


def _checked_id(desk: Desk, id_: str) -> str:
    id_ = taken(words("the id"), id_, NAME_LIMIT)
    key = same_key(id_)
    if id_ and (same := next((one for one in desk.state.players.values() if same_key(one.id) == key), None)):
        raise EventRefused(words("{name} has the id {id} already; an id is one player's", name=same.name, id=id_))
    return id_


def _checked_club(club: str) -> str:
    return taken(words("the club"), club, NAME_LIMIT)
