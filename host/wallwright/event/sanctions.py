"""What a referee does about people: penalties from the catalogue of the rules, and substitutes."""

from fractions import Fraction

from ..errors import EventRefused
from ..journal.kinds.desk import OfDesk, PlayerSubstituted
from ..journal.kinds.rulings import PenaltyGiven, PenaltyWithdrawn
from ..person_text import same_key
from ..rules.core.errors import RulesError
from ..words import Listed, Named, told_by, words
from .desk import Desk, need_reason
from .lifecycle import OPEN, PLANNED, PLAYING, standing
from .limits import REFEREE_PENALTIES, check_penalty
from .players import NAME_LIMIT, Player, player_added
from .state_parts import Session
from .texts import taken


def catalogue(desk: Desk) -> tuple[tuple[str, Fraction, Fraction], ...]:
    """Return the penalties of this event with their least and greatest amounts (SBR-11.8)."""
    return tuple((name, *REFEREE_PENALTIES[name]) for name in desk.format.penalties)


def give_penalty(
    desk: Desk, player: int, name: str, reason: str, *, amount: Fraction | None = None, session: int | None = None
) -> int:
    """Give a penalty, for a session or for the event as a whole; return the number by which it can be withdrawn."""
    need_reason(reason, words("a penalty has a reason"))
    if name not in desk.format.penalties:
        there = Listed(tuple(Named("penalty", one) for one in desk.format.penalties))
        raise EventRefused(words("{name!r} is no penalty here; there are {there}", name=name, there=there))
    low, high = REFEREE_PENALTIES[name]
    if amount is None and low != high:
        problem = "{name} needs an amount from {low} to {high}"
        raise EventRefused(words(problem, name=Named("penalty", name), low=str(low), high=str(high)))
    worth = low if amount is None else amount
    try:
        check_penalty(name, worth)
    except RulesError as error:
        raise EventRefused(told_by(error)) from error
    if name == "loss_of_session" and session is None:
        raise EventRefused(words("say which session is lost"))
    if session is not None and not has_part(desk.session(session), player):
        raise EventRefused(
            words("{name} has no part in session {session}", name=desk.state.name(player), session=session)
        )
    return desk.write(PenaltyGiven(session=session, player=player, name=name, amount=str(worth), reason=reason))


def withdraw_penalty(desk: Desk, penalty: int, reason: str) -> None:
    """Take a penalty back; it stays in the journal."""
    need_reason(reason, words("a penalty is withdrawn for a reason"))
    known = desk.state.penalties.get(penalty)
    if known is None or known.withdrawn:
        there = ", ".join(str(n) for n, one in desk.state.penalties.items() if not one.withdrawn)
        problem = "there is no penalty {penalty} that stands; there are {there}"
        raise EventRefused(words(problem, penalty=penalty, there=there or words("none")))
    desk.write(PenaltyWithdrawn(penalty=penalty, reason=reason))


def substitute(desk: Desk, session: int, out: int, into: str, reason: str) -> int:
    """Let somebody take a player's seat: a player of the event who is free, or a new name, who is a stand-in.

    What was played stays with whoever played it; from the deal in play or the next one on points are the substitute's.
    Returns the substitute's number.
    """
    need_reason(reason, words("a substitute comes for a reason"))
    found = desk.session(session)
    if found.state not in (PLANNED, OPEN, *PLAYING):
        problem = "{session}; nobody takes a seat in it any more"
        raise EventRefused(words(problem, session=standing(session, found.state)))
    sheet = next((one for one in found.tables if out in one.players), None)
    if sheet is None or sheet.signed_off:
        problem = "{name} has no seat in session {session} that could be taken"
        raise EventRefused(words(problem, name=desk.state.name(out), session=session))
    number, new = named(desk, into)
    if any(number in one.players for one in found.tables):
        problem = "{name} has a seat in session {session} already; swap the two seats instead"
        raise EventRefused(words(problem, name=desk.state.name(number), session=session))
    substitution = PlayerSubstituted(
        session=session,
        table=sheet.table,
        seat=sheet.players.index(out),
        out=out,
        into=number,
        from_deal=sheet.next_deal if sheet.in_play is None else sheet.in_play.deal,
        reason=reason,
    )
    desk.write_all((*new, substitution))
    return number


def named(desk: Desk, into: str) -> tuple[int, tuple[OfDesk, ...]]:
    """Return the number of who takes a seat, by number or name, and what makes a new name a stand-in."""
    into = taken(words("the substitute"), into, NAME_LIMIT, 1)
    key = same_key(into)
    known = [one for one in desk.state.players.values() if key in (same_key(one.name), str(one.number))]
    if known and known[0].number in desk.state.withdrawn:
        raise EventRefused(words("{name} has withdrawn; let them return first", name=known[0].name))
    if known:
        return known[0].number, ()
    if into.isdecimal():
        raise EventRefused(words("{name!r} is neither a player nor a name", name=into))
    number = max(desk.state.players) + 1
    return number, (player_added(Player(number, into, stand_in=True)),)


def has_part(session: Session, player: int) -> bool:
    """Whether somebody sits or has sat at a table in a session, or has a bye."""
    return player in session.byes or any(player in sheet.all_players for sheet in session.tables)
