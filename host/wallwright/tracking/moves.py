"""A finished deal move by move: as a record for the journal, read back from one, and in lines for a person.

The record has everything that a replay needs, and nothing of it is written before the deal's end:

    {"deal": 3, "text": "ruleset sichuan\\ndealer 1\\nhand 0 ...", "times": [null, 21500, ...], "doubtful": [0],
     "notices": [{"at_ms": 80120, "text": "..."}]}

`text` is the notation of the game: rules by name, dealer, hands as dealt, size of the wall, every action.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ..errors import BadDeal, BadSetting
from ..journal.entry import Entry
from ..journal.kinds import Record, Unknown, deal_of, name_of, plain
from ..journal.kinds.deals import DealMoves
from ..journal.kinds.deals import Notice as NoticeRecord
from ..rules.core import notation as turns
from ..rules.core.acts import Act
from ..rules.core.errors import NotationError, RulesError
from ..rules.core.followed import Done, FollowedDeal, ToldGame, told_game
from ..rules.core.tiles import format_tiles
from ..system.streams import say
from .outcome import Account, Notice

MOVES = DealMoves.KIND
D = TypeVar("D", bound=FollowedDeal, covariant=True)


@dataclass(frozen=True, slots=True)
class Moves(Generic[D]):
    """One deal with its number, the time of each action in ms of the board's clock or None, the numbers of actions that
    could have been others without a difference to the result, and what a referee may want to look at.
    """

    number: int
    deal: D
    times: tuple[int | None, ...]
    doubtful: tuple[int, ...]
    notices: tuple[Notice, ...]


def moves_record(number: int, account: Account, notices: Iterable[Notice] = ()) -> DealMoves:
    """Return what the journal gets; `notices` are those of the reads, beside the account's own."""
    told = (*account.notices, *notices)
    return DealMoves(
        deal=number,
        text=_text(account.deal),
        times=tuple(account.times),
        doubtful=tuple(account.doubtful),
        notices=tuple(NoticeRecord(at_ms=one.at_ms, text=one.text) for one in told),
    )


def _text(deal: FollowedDeal) -> str:
    return turns.format_deal(deal) if isinstance(deal, turns.ToldDeal) else game_of(deal).write_deal(deal)


def game_of(deal: FollowedDeal) -> ToldGame:
    """Return the game of a deal."""
    return told_game(deal.ruleset.name)


def read_deal(text: str) -> FollowedDeal:
    """Return the deal of any game that is written there. NotationError or RulesetError when there is none."""
    if turns.is_told_by_turns(text):
        return turns.parse_deal(text)
    first = text.partition("\n")[0]
    return told_game(first.removeprefix("ruleset ")).read_deal(text)


def read_moves(said: Record, read: Callable[[str], D]) -> Moves[D]:
    """Return what `moves_record` wrote; `read` makes the deal of its text. NotationError when it is no such record."""
    try:
        if not isinstance(said, DealMoves):
            raise NotationError(said.why if isinstance(said, Unknown) else name_of(said))
        deal = read(said.text)
    except RulesError as error:
        raise NotationError(f"this is no record of a deal's moves ({error}); verify the journal") from error
    if len(said.times) != len(deal.log):
        raise NotationError(f"{len(deal.log)} actions have {len(said.times)} times; verify the journal")
    notices = tuple(Notice(one.at_ms, one.text) for one in said.notices)
    return Moves(said.deal, deal, said.times, said.doubtful, notices)


def moves_of_deal(entries: Iterable[Entry], number: int) -> Iterator[tuple[Entry, Moves[FollowedDeal]]]:
    """Go through the records of that deal, one for each table that has one; a later one replaces those before it."""
    found = {entry.unit: entry for entry in entries if entry.kind == MOVES and deal_of(entry.said) == number}
    for entry in found.values():
        yield entry, read_moves(entry.said, read_deal)


def show_moves(entries: Iterable[Entry], number: int | None, *, moves: bool, as_json: bool) -> None:
    """Print what `wallwright log show --deal N --moves` prints. BadDeal when no table has tracked that deal."""
    if number is None or not moves:
        raise BadSetting("--deal and --moves go together: wallwright log show JOURNAL --deal 3 --moves")
    found = list(moves_of_deal(entries, number))
    if not found:
        raise BadDeal(
            number,
            "no table has tracked it; only tables with tile readers write moves, at the deal's end",
        )
    for entry, deal in found:
        if as_json:
            print(json.dumps(moves_json(entry, deal), ensure_ascii=False))
        else:
            say(entry.unit or "-", *moves_lines(deal))


def moves_lines(moves: Moves[FollowedDeal]) -> Iterator[str]:
    """The deal in lines: hands as dealt, every action with its time, notices, the result."""
    deal = moves.deal
    yield f"Deal {moves.number}, rules {deal.ruleset.name}, dealer seat {deal.dealer}"
    for seat, hand in enumerate(deal.dealt):
        yield f"  seat {seat} is dealt {format_tiles(hand)}"
    first_ms = next((at_ms for at_ms in moves.times if at_ms is not None), 0)
    for number, (action, at_ms) in enumerate(zip(deal.log, moves.times, strict=True)):
        clock = "" if at_ms is None else f"{(at_ms - first_ms) / 1000:.1f} s"
        doubt = "  (not certain)" if number in moves.doubtful else ""
        yield f"{number + 1:4d}  {clock:>8}  {_say(deal, action)}{doubt}"
    for notice in moves.notices:
        yield f"Referee: {notice.text}"
    if deal.end is not None:
        points = ", ".join(f"seat {seat} {points:+d}" for seat, points in enumerate(deal.settle().points))
        yield f"The deal ended: {deal.end}. Points: {points}"


def _say(deal: FollowedDeal, action: Done) -> str:
    return turns.say_act(action) if isinstance(action, Act) else game_of(deal).say_action(action)


def moves_json(entry: Entry, moves: Moves[FollowedDeal]) -> dict[str, Any]:
    """One JSON object for programs: what the record has, with the settlement."""
    deal = moves.deal
    settled: dict[str, Any] = {}
    if deal.end is not None:
        told = deal.settled() if isinstance(deal, turns.ToldDeal) else game_of(deal).settled(deal)
        settled = {"settlement": told}
    return {"unit": entry.unit, "actions": [str(action) for action in deal.log], **plain(entry.said), **settled}
