"""Ratings of a season: who is how good, by the places of all games, for each game and ruleset by itself.

A game is what the same four play at one table in one session. Ratings are computed from the first game on, each time,
in an order that the games themselves give, so that they do not depend on who computes them, or in which order days were
added. DECISION: places are by the points of the deals, without penalties, which are for other things than play; equal
points share a place; a game with a stand-in is not rated.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from .day import COUNTS, Day, DayDeal
from .rating_update import NEWCOMER, Skill, updated


class Pool(NamedTuple):
    """What is rated together: names of a game and of its ruleset."""

    game: str
    ruleset: str


class Seat(NamedTuple):
    """A player of a game: the person's id in the season, and the points."""

    person: str
    points: int


@dataclass(frozen=True, order=True, slots=True)
class Game:
    """What four played at a table in a session, who sat where left out: `seats` are in the order of the persons' ids.

    They are rated in the order of their fields: the day's date and id, session, table, and number of the first deal.
    """

    date: str
    day: str
    session: int
    table: int
    first_deal: int
    seats: tuple[Seat, ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The places of the seats, 1 the best; equal points share the better one."""
        return tuple(1 + sum(other.points > seat.points for other in self.seats) for seat in self.seats)


@dataclass(frozen=True, slots=True)
class Rated:
    """A person's rating, and by how much it is known: so many games on so many days, the last of them on `last`."""

    person: str
    skill: Skill
    games: int
    days: int
    last: str


def games_of(day: Day, person: Callable[[int], str]) -> Iterator[Game]:
    """Yield the games of a day that are rated; `person` gives the id in the season for a player's number."""
    stand_ins = {player.number for player in day.players if player.stand_in}
    played: dict[tuple[int, int, frozenset[int]], list[DayDeal]] = defaultdict(list)
    for deal in day.deals:
        if deal.kind == COUNTS:
            played[deal.session, deal.table, frozenset(deal.seats)].append(deal)
    for (session, table, four), deals in played.items():
        if four & stand_ins:
            continue
        points = dict.fromkeys(four, 0)
        for deal in deals:
            for number, here in zip(deal.seats, deal.points, strict=True):
                points[number] += here
        seats = tuple(sorted(Seat(person(number), given) for number, given in points.items()))
        yield Game(day.date, day.id, session, table, min(deal.deal for deal in deals), seats)


class Ratings:
    """The ratings of one pool as games come in; `add` takes them in their order."""

    def __init__(self, games: Iterable[Game] = ()) -> None:
        self._skills: dict[str, Skill] = {}
        self._games: dict[str, int] = defaultdict(int)
        self._days: dict[str, int] = defaultdict(int)
        self._last: dict[str, tuple[str, str]] = {}
        for game in sorted(games):
            self.add(game)

    def skill(self, person: str) -> Skill:
        """Return what is believed of a person, a newcomer too."""
        return self._skills.get(person, NEWCOMER)

    def add(self, game: Game) -> None:
        """Take in a game."""
        persons = [seat.person for seat in game.seats]
        for person, skill in zip(persons, updated([self.skill(one) for one in persons], game.places), strict=True):
            self._skills[person] = skill
            self._games[person] += 1
            # Games come day by day.
            self._days[person] += self._last.get(person) != (game.date, game.day)
            self._last[person] = (game.date, game.day)

    def rated(self) -> tuple[Rated, ...]:
        """Return everybody who has played, the best rating first, equal ones by their ids."""
        rows = (
            Rated(person, skill, self._games[person], self._days[person], self._last[person][0])
            for person, skill in self._skills.items()
        )
        return tuple(sorted(rows, key=lambda row: (-row.skill.rating, row.person)))
