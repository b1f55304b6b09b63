"""Who plays: the players of an event, and what can be done when tables do not come out even."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from ..journal.kinds.desk import ListedPlayer, PlayerAdded, PlayerList
from ..person_text import same_key
from ..words import Words, plural, words

SEATS = 4
NAME_LIMIT = 64
MOST = 1000
"""Players of an event."""


@dataclass(frozen=True, slots=True)
class Player:
    """One player; `number` counts from 1 in the order of the list. A stand-in fills a seat and is not ranked.

    `id` is the number of a federation, or the key that a hall has issued, by which a season knows who it is. The name
    of who is `private` is withheld from extracts, and so from all that a season shows.
    """

    number: int
    name: str
    club: str = ""
    stand_in: bool = False
    id: str = ""
    private: bool = False

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        known = ({"id": self.id} if self.id else {}) | ({"private": True} if self.private else {})
        return {"number": self.number, "name": self.name, "club": self.club, "stand_in": self.stand_in, **known}


@dataclass(frozen=True, slots=True)
class Roster:
    """All players by number, and pairs (the lower number first) that were named to be kept apart."""

    players: tuple[Player, ...]
    apart: tuple[tuple[int, int], ...] = ()

    def listed(self) -> PlayerList:
        """Return it as the journal has it."""
        players = (
            ListedPlayer(
                number=one.number,
                name=one.name,
                club=one.club,
                stand_in=one.stand_in,
                id=one.id or None,
                private=one.private or None,
            )
            for one in self.players
        )
        return PlayerList(players=tuple(players), apart=self.apart)

    def clashes(self) -> frozenset[tuple[int, int]]:
        """Return all pairs to be kept apart: those named, and players of one club."""
        clubs: dict[str, list[int]] = {}
        for player in self.players:
            if player.club:
                clubs.setdefault(same_key(player.club), []).append(player.number)
        same = {(a, b) for club in clubs.values() for at, a in enumerate(club) for b in club[at + 1 :]}
        return frozenset(same | set(self.apart))


def player_added(player: Player, reason: str | None = None) -> PlayerAdded:
    """Return the record of somebody who comes to the list."""
    return PlayerAdded(
        number=player.number,
        name=player.name,
        club=player.club,
        stand_in=player.stand_in,
        id=player.id or None,
        private=player.private or None,
        reason=reason,
    )


def read_roster(found: PlayerList) -> Roster:
    """Return the roster of a list as the journal has it."""
    return Roster(tuple(map(read_player, found.players)), found.apart)


def read_player(found: ListedPlayer | PlayerAdded) -> Player:
    """Return a player as the journal has them."""
    is_private = found.private is True
    return Player(found.number, found.name, found.club, found.stand_in, found.id or "", is_private)


def with_stand_ins(roster: Roster, out: Collection[int] = ()) -> Roster:
    """Add stand-ins until all tables are full without the players `out`."""
    count = len(roster.players) - len(out)
    new = tuple(one for _, one in zip(range(-count % SEATS), new_stand_ins(roster.players), strict=False))
    return Roster(roster.players + new, roster.apart)


def new_stand_ins(players: Collection[Player]) -> Iterator[Player]:
    """Yield stand-ins, with numbers and names that nobody of `players` has."""
    last = max((player.number for player in players), default=0)
    taken = {same_key(player.name) for player in players}
    names = (name for number in range(1, 2 * MOST) if same_key(name := f"Stand-in {number}") not in taken)
    for number, name in enumerate(names, last + 1):
        yield Player(number, name, stand_in=True)


def only_stand_ins_differ(before: Roster, roster: Roster) -> bool:
    """Whether a list that was taken is the one before, with other stand-ins; another list begins anew."""
    then, now = ([one for one in list_.players if not one.stand_in] for list_ in (before, roster))
    return then == now and before != roster


def choices(count: int) -> tuple[Words, ...]:
    """What can be done with a number of players: one sentence each, none when four sit at every table."""
    spare = count % SEATS
    if not spare:
        return ()
    lacking = SEATS - spare
    people = words(plural("{count} person who is not ranked", "{count} people who are not ranked"), count=lacking)
    full = words(plural("{count} full table", "{count} full tables"), count=count // SEATS + 1)
    byes = words(plural("{count} player sits out", "{count} players sit out"), count=spare)
    tables = words(plural("{count} table", "{count} tables"), count=count // SEATS)
    return (
        words("--stand-ins: {people}, for {tables}", people=people, tables=full),
        words("--byes: {byes} each session in turn, at {tables}", byes=byes, tables=tables),
    )
