"""A declared hand: who won and how, the four hands or what the table agreed them to be worth, kongs and mistakes.

Checks that it can have happened are made here; what it comes to is for the settlement of each game.
"""

from dataclasses import dataclass

from wallwright.rules.classical.hand import BYS, DRAWN, ROBBED_KONG, Hand
from wallwright.rules.classical.score import Score
from wallwright.rules.core.errors import ImpossibleDeal
from wallwright.rules.core.sets import ADDED, SetType


@dataclass(frozen=True, slots=True)
class DeclaredKong:
    """A kong in the order of declaration; `from_` is the discarder of a claimed one."""

    seat: int
    type: SetType
    from_: int | None = None
    robbed: bool = False


LONG, SHORT = "long", "short"


@dataclass(frozen=True, slots=True)
class CountError:
    """A player held too many tiles outside the own turn, or too few: `what` is LONG or SHORT (CUM-7.1, BAL-10.1)."""

    seat: int
    what: str


@dataclass(frozen=True, slots=True)
class Declared:
    """One hand by its end. `worth` is by seat, 0 where nothing was given; `scores` and `hands` where tiles were.

    `dead`: seats with a false win, in order. `miscounts`: wrong numbers of tiles, `flipped`: kinds that fell open while
    they were dealt. `claimed_ms`: how long the winning tile had lain open when it was claimed, where that was noted.
    `pot`: chips in it before this hand; `hands_played`: hands of the game before it that count (CUM-8.2).
    """

    east: int
    winner: int | None
    by: str | None
    from_: int | None
    worth: tuple[int, ...]
    scores: tuple[Score | None, ...]
    hands: tuple[Hand | None, ...]
    kongs: tuple[DeclaredKong, ...] = ()
    dead: tuple[int, ...] = ()
    round_wind: str | None = None
    first_dealer: int = 0
    goulash: bool = False
    pot: int = 0
    after_kong: bool = False
    miscounts: tuple[CountError, ...] = ()
    flipped: tuple[int, ...] = ()
    claimed_ms: int | None = None
    hands_played: int = 0

    @property
    def winning_kong(self) -> DeclaredKong | None:
        """The kong whose replacement won: of several in the turn the last (BAL-7.4)."""
        own = [kong for kong in self.kongs if kong.seat == self.winner and not kong.robbed]
        return own[-1] if self.after_kong and own else None

    def check(self) -> None:
        """ImpossibleDeal, with the clause, when these things exclude each other."""
        if self.winner is None:
            if self.by is not None or self.from_ is not None:
                raise ImpossibleDeal("`by` and `from` tell how somebody won, and there is no `winner` (CLA-3.9)")
        elif self.by not in BYS:
            raise ImpossibleDeal(f"`by` is {self.by!r}: use {', '.join(BYS)} (CLA-3.1, CLA-3.2)")
        elif self.by in DRAWN and self.from_ is not None:
            raise ImpossibleDeal(f"by {self.by} and `from` {self.from_} exclude each other (CLA-3.1)")
        elif self.by not in DRAWN and self.from_ in (None, self.winner):
            raise ImpossibleDeal(
                "`from` must be the seat that gave the winning tile, another than the winner (CLA-3.2)"
            )
        if self.claimed_ms is not None and (self.winner is None or self.by in DRAWN):
            raise ImpossibleDeal("`claimed_ms` goes with a tile that the winner has claimed (CUM-3.1, BAL-3.1)")
        if self.winner in self.dead:
            raise ImpossibleDeal(f"seat {self.winner} has a dead hand and cannot win (CUM-7.2, BAL-10.2)")
        for kong in self.kongs:
            if (kong.from_ is not None) != (kong.type is SetType.MELDED and kong.from_ is not None):
                raise ImpossibleDeal(f"a {kong.type} kong comes from nobody: only a claimed one has `from` (CLA-3.4)")
            if kong.robbed and (self.by != ROBBED_KONG or self.from_ != kong.seat or kong.type not in ADDED):
                raise ImpossibleDeal(
                    "a robbed kong is a promoted one of the seat that the winner has it from (CLA-3.8)"
                )
