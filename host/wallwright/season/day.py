"""What one day of a season says: its players, its deals, its standings, and by what it is proved. Values alone.

`extract_check` makes a `Day` of a signed extract after it has checked it; a season's standings, persons and ratings are
computed from days. Nothing here reads a file or believes anybody.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

COUNTS, VOIDED, ANNULLED = "counts", "voided", "annulled"
"""What has become of a deal: its points count; it counts as played, without points; a fault of the table ended it."""
PLAYED, BYE, ABSENT = "played", "bye", "absent"
"""What a player did in a session, as `event.standings` has it."""


@dataclass(frozen=True, slots=True)
class DayPlayer:
    """A player of a day: the number there, the name and the club as written there.

    `id` is the number of a federation, or the key that a hall has issued; empty where the list has none. A `stand_in`
    fills a seat and is not ranked. Of somebody who is `private` the name is withheld, and another text stands there.
    """

    number: int
    name: str
    club: str = ""
    id: str = ""
    stand_in: bool = False
    private: bool = False


@dataclass(frozen=True, slots=True)
class DayDeal:
    """A deal: `seats` are the numbers of the players of seats 0 to 3, `points` are theirs in the same order.

    `kind` is one of COUNTS, VOIDED, ANNULLED. `entry` is the number of the entry in the day's journal that says the
    points, `before` those of the results that it has replaced, the oldest first. `winners` are the seats whose Hu was
    true, `fines` the points that nobody received.
    """

    session: int
    table: int
    deal: int
    kind: str
    seats: tuple[int, int, int, int]
    points: tuple[int, int, int, int]
    entry: int
    before: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    fines: int = 0

    @property
    def is_corrected(self) -> bool:
        """Whether another result stood here before."""
        return bool(self.before)


@dataclass(frozen=True, slots=True)
class DaySession:
    """A session: its state as `event.lifecycle` has it, how many tables it has, and when its clock ran, in ms.

    Both times are 0 for one that has not begun.
    """

    number: int
    state: str
    tables: int
    began_ms: int = 0
    ended_ms: int = 0


@dataclass(frozen=True, slots=True)
class DayScore:
    """What one session gave a player. `kind` is one of PLAYED, BYE, ABSENT; `counts` is False for one that is dropped
    (SBR-9.2). `points` are deals and penalties together.
    """

    session: int
    kind: str
    points: int
    table_points: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class DayRow:
    """A player's line in the standings of the day, as `event.standings` computes it; `rank` is None without one.

    `total` is by what the day ranks.
    """

    rank: int | None
    player: int
    total: Fraction
    points: int
    table_points: Fraction
    wins: int
    scores: tuple[DayScore, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Day:
    """A day, by a checked extract.

    `id` stands for the event: 32 hexadecimal digits, the same for all extracts of one journal. `date` is that of the
    first session's start in UTC, as 2016-09-03, and empty before it. `hall` is the printed key that has signed; a
    season knows the hall's name. `game` and `ruleset` are names, `format` the event's format as the journal has it.
    `status` is the weakest state of the sessions that are shown. `extract` is the SHA-256 of the extract, in
    hexadecimal, `checkpoint` the signed checkpoint in its printed form, `size` how many entries that is about.
    """

    id: str
    name: str
    date: str
    hall: str
    game: str
    ruleset: str
    format: Mapping[str, Any]
    status: str
    players: tuple[DayPlayer, ...]
    sessions: tuple[DaySession, ...]
    deals: tuple[DayDeal, ...]
    standings: tuple[DayRow, ...]
    extract: str
    checkpoint: str
    size: int

    @property
    def began_ms(self) -> int:
        """When the first session began, 0 when none has."""
        return min((one.began_ms for one in self.sessions if one.began_ms), default=0)

    @property
    def ended_ms(self) -> int:
        """When the last session ended, 0 when none has begun."""
        return max((one.ended_ms for one in self.sessions), default=0)

    def player(self, number: int) -> DayPlayer:
        """Return a player by number. KeyError when there is none."""
        for one in self.players:
            if one.number == number:
                return one
        raise KeyError(number)
