"""What every game can be asked, whatever its rules; `registry` finds the game of a ruleset.

A game is a folder of `wallwright.rules`, or a package anywhere that the entry point group `wallwright.games` names. Its
`game` module has a `GAME` of this shape. Records are the JSON objects of `wallwright rules`; each method raises
RulesError with one line that says what is wrong with a record, and by which clause.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from wallwright.rules.core.form import Form
from wallwright.rules.core.walls import WallOrder
from wallwright.words import Words

Record = Mapping[str, object]
Plan = tuple[int, int, int, int]
"""Stacks of sides 0 to 3."""
Throws = tuple[tuple[int, ...], ...]
"""Dice, throw by throw."""
Purpose = Literal["cut", "east", "round_wind"]
CUT: Purpose = "cut"
EAST: Purpose = "east"
ROUND_WIND: Purpose = "round_wind"
"""What dice are thrown for, as boards call it: where the wall is cut, who is East, the wind of the round."""
DEALER_KEYS = ("dealer", "east")
"""What a game's records call the seat that deals, or that is East where dealing does not matter."""

POT, GOULASH = "pot", "goulash"
"""Keys of what a game keeps from deal to deal: chips, and whether the deal is of that kind."""
FIRST_DEALER = "first_dealer"
"""The key of who dealt the first deal of the session, in games that ask for it."""


class TableSetup(NamedTuple):
    """What a table is set to for a game: tiles of a set, dice at a throw."""

    tiles: int
    dice: int


class Throw(NamedTuple):
    """A throw of dice before a deal: what for, by which seat, and how many."""

    purpose: Purpose
    seat: int
    dice: int


def dealer_of(record: Record) -> int:
    """The seat that deals, by a record that can be settled or the begin of one."""
    return next(int(str(record[key])) for key in DEALER_KEYS if key in record)


class Game(Protocol):
    """A game: its rulesets by name, and the answers to the questions of `wallwright rules`."""

    @property
    def name(self) -> str:
        """Its folder's name, such as "hong_kong"."""
        ...

    @property
    def rulesets(self) -> tuple[str, ...]:
        """The names of its presets, no other game's; a ruleset file names one of them as its base."""
        ...

    def score(self, record: Record) -> dict[str, object]:
        """What a hand is worth."""
        ...

    def waits(self, record: Record) -> dict[str, object]:
        """The tiles that complete a hand that lacks one."""
        ...

    def settle(self, record: Record) -> dict[str, object]:
        """Who pays what after a declared deal, and who deals next."""
        ...

    def explain(self, record: Record) -> tuple[Words, ...]:
        """The same settlement in sentences, one a line, each with its clause where it follows one."""
        ...

    def options(self, ruleset: str) -> dict[str, object]:
        """All options of a ruleset, which is a preset's name or the path of a file. RulesetError when there is none."""
        ...

    def next_deal(self, record: Record, settled: Record | None, /) -> dict[str, object]:
        """What the record of the next deal begins with: who deals, and what the game keeps from deal to deal.

        `record` is the last deal's and `settled` its settlement. Without one the next deal is the first, by the
        `ruleset` and `options` of the record, and seat 0 deals it.
        """
        ...

    def winners(self, record: Record) -> tuple[int, ...]:
        """The seats that won the deal of a record that can be settled."""
        ...

    def sums_to_zero(self, record: Record, /) -> bool:
        """Whether what one player loses others receive, by the `ruleset` and `options` of a record."""
        ...

    def break_wall(self, record: Record) -> dict[str, object]:
        """Where dice break the wall, as `walls.break_record` writes it."""
        ...

    # What a table asks. `record` has the `ruleset` and its `options`, where a deal is meant what `next_deal` gave too.

    def table(self, record: Record, /) -> TableSetup:
        """What a table is set to for this game."""
        ...

    def plan(self, record: Record, tiles: int, dealer: int, /) -> Plan | None:
        """The stacks of each side when the seat `dealer` deals; None where nobody plays with sets of so many tiles."""
        ...

    def dealer_to_come(self, record: Record, /) -> int | None:
        """Who deals after a deal in play, by its `dealer` and the `events` so far; None while that is not certain."""
        ...

    def dice_for_east(self, record: Record, /) -> int:
        """How many dice each throws before the first deal, the highest to be East; 0 where nobody throws for that."""
        ...

    def throw(self, record: Record, thrown: Throws, /) -> Throw | None:
        """The throw of a deal that comes after those that were `thrown`; None once its wall can be broken."""
        ...

    def begin(self, record: Record, thrown: Throws, plan: Plan, /) -> tuple[dict[str, object], WallOrder]:
        """The begin of the deal's record after all its throws, and the order in which tiles leave walls of `plan`."""
        ...


@runtime_checkable
class ComparedGame(Game, Protocol):
    """A game whose records may say one thing twice: what a hand was agreed to be worth, and what is known of it."""

    def contradictions(self, record: Record, /) -> tuple[Words, ...]:
        """What a record that can be settled says in two ways of which one is wrong, as sentences."""
        ...


@runtime_checkable
class SeatedGame(Game, Protocol):
    """A game whose clauses say how seats are drawn."""

    def seats(self, record: Record) -> dict[str, object]:
        """Who sits where after winds were drawn by dice, as `rules seats` writes it."""
        ...


@runtime_checkable
class WindGame(Game, Protocol):
    """A game whose wind of the round is thrown for."""

    def thrown_wind(self, record: Record, thrown: Throws, /) -> str | None:
        """The wind of the round by the throws before a deal so far, None while they do not say it."""
        ...


@runtime_checkable
class SessionGame(Game, Protocol):
    """A game that knows by its deals when a session is over, whatever the clock says."""

    def is_session_over(self, record: Record, settled: Record, /) -> bool:
        """Whether the deal of `record`, which came to `settled`, was the last of a session."""
        ...


@runtime_checkable
class PlayedGame(Game, Protocol):
    """A game that bots play without a table."""

    def deals(self, ruleset: str, bots: str, seed: int) -> Iterator[dict[str, object]]:
        """Deal after deal, each as one line of `rules deals` without its number; the same seed gives the same deals.

        `bots` is "random" or "smart", for all four seats. RulesetError for an unknown ruleset.
        """
        ...


@runtime_checkable
class TappedGame(Game, Protocol):
    """A game whose deals people tap in on a form."""

    def form(self, record: Record, /) -> Form:
        """The form of a deal whose record begins so: `ruleset`, `options` and what `next_deal` has said."""
        ...
