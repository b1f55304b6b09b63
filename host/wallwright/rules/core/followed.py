"""What a game tells who follows a deal of it by where its tiles are: see `wallwright.tracking`.

The follower knows tiles, hands and turns; the game says which hands are complete, from where tiles are drawn, and which
deal of the rules a course of moves is. Moves were seen, so they may be against the rules.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from wallwright.rules.core.errors import RulesetError
from wallwright.rules.core.game import Game, Record
from wallwright.rules.core.registry import find_game
from wallwright.rules.core.walls import WallOrder

DRAW, DISCARD, PUNG, MELDED_KONG, OWN_KONG, HU_ON, HU_SELF, CHOW, FLOWER, GIVE = range(10)
"""What a move is. OWN_KONG is concealed, or a tile added to a pung; FLOWER is one laid out; GIVE goes to a hand."""

Plan = tuple[int, int, int, int]


class Move(NamedTuple):
    """One thing done. `tile` is a tile, in a game's hands its kind, for OWN_KONG always the kind; `winners` the seats
    of one HU_ON, `low` the kind of the lowest tile of a CHOW, `to` who gets what is given; `read` says that a reader
    told of it.
    """

    what: int
    seat: int
    tile: int
    at_ms: int
    winners: tuple[int, ...] = ()
    low: int = -1
    to: int = -1
    read: bool = True


class Rolled(NamedTuple):
    """Dice that were rolled: what for, as boards call it, by which seat, and what they show."""

    purpose: str
    seat: int
    dice: tuple[int, ...]


class Ways(NamedTuple):
    """What may happen in a game's deals: whether there are chows, and flowers in the set; whether what replaces kongs
    and flowers comes from the tail of the wall, in which `reserve` tiles stay.

    `late_claims`: a discard may be claimed until the next one; who has drawn since puts the tile back. Else a tile may
    be claimed for `claim_ms`, by a clause; 0 where the game says no time. `exchanges` come before the first turn: how
    many tiles, and what is exclusive-or-ed to a seat counted from the dealer for the one who gets them. `own_walls`:
    each draws from the own wall, and nobody throws dice.

    `wins` players win before the deal ends; `shared_wins`: several may win one tile. `must_win`: hardly anybody lets a
    tile go that completes the hand. `last_discard`: who draws the last tile discards. `flowers_wait`: those of the
    dealt hands are replaced at a player's first turn. `robs_concealed`: a concealed kong may be robbed.
    """

    wins: int = 1
    has_chows: bool = False
    has_flowers: bool = False
    from_tail: bool = False
    reserve: int = 0
    shared_wins: bool = False
    must_win: bool = False
    last_discard: bool = True
    flowers_wait: bool = False
    robs_concealed: bool = False
    late_claims: bool = False
    claim_ms: int = 0
    claim_clause: str = ""
    exchanges: tuple[tuple[int, int], ...] = ()
    own_walls: bool = False


class Done(Protocol):
    """An action of a deal's log; its text is that of the game's notation."""

    @property
    def seat(self) -> int:
        """Who did it."""
        ...

    @property
    def verb(self) -> str:
        """What it was."""
        ...

    @property
    def tile(self) -> int | None:
        """With which kind, if any."""
        ...


class Settled(Protocol):
    """What a deal has come to."""

    @property
    def points(self) -> tuple[int, int, int, int]:
        """By seat."""
        ...

    @property
    def next_dealer(self) -> int:
        """Who deals next."""
        ...


class NamedRules(Protocol):
    """A ruleset."""

    @property
    def name(self) -> str:
        """What people call it."""
        ...


class FollowedDeal(Protocol):
    """A deal of a game."""

    @property
    def ruleset(self) -> NamedRules:
        """What it was played by."""
        ...

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        ...

    @property
    def dealt(self) -> tuple[tuple[int, ...], ...]:
        """The kinds of the hands as dealt, by seat."""
        ...

    @property
    def log(self) -> Sequence[Done]:
        """Every action so far."""
        ...

    @property
    def end(self) -> str | None:
        """How it ended; None while it goes on."""
        ...

    def settle(self) -> Settled:
        """Who pays what. RulesError when it cannot be settled by itself."""
        ...


@dataclass(frozen=True, slots=True)
class Breach:
    """An action of a deal that was against the rules, by its place in the log, with the reason."""

    number: int
    action: Done
    reason: str


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A deal, the time of each action of its log in ms (None for those no reader can see), what was against the rules,
    and what it costs to believe it. `unseen` are the numbers of actions that leave no trace in any reader and could be
    others as well: a forbidden suit, a pass beside a Hu in place of a pung that lapsed.
    """

    deal: FollowedDeal
    times: tuple[int | None, ...]
    breaches: tuple[Breach, ...]
    unseen: tuple[int, ...]
    cost: int


class Prices(NamedTuple):
    """What it costs to believe an action against the rules, and one that is legal and seldom done."""

    illegal: int
    unlikely: int


class Followed(Protocol):
    """One game with its rules, as a deal of it is followed."""

    @property
    def kinds(self) -> int:
        """Kinds of tiles from 0 up; those of a set are among them."""
        ...

    @property
    def ways(self) -> Ways:
        """What may happen."""
        ...

    def after(self, rolled: Sequence[Rolled]) -> "tuple[int, Followed] | None":
        """Who deals, and the same with what the dice that were rolled say of the deal; None when too few were."""
        ...

    def order(self, plan: Plan, dealer: int, rolled: Sequence[Rolled]) -> WallOrder:
        """In which order the tiles of a wall are taken after the dice that were rolled.

        WallError when they cut no wall of these rules.
        """
        ...

    def completes(self, hand: int, laid: int, unknown: int) -> bool | None:
        """Whether a packed hand is complete beside the packed kinds of its sets; None when it may be.

        So many more tiles of the hand are not known.
        """
        ...

    def rebuild(
        self,
        dealer: int,
        hands: Sequence[Sequence[int]],
        wall_size: int,
        moves: Sequence[Move],
        prices: Prices,
        *,
        time_up: bool,
        own_sizes: Sequence[int] = (),
    ) -> Iterator[Rebuilt]:
        """Every deal that the moves can be and that is over then, by time at the latest if `time_up`.

        `own_sizes` has how many tiles each seat's own wall has, where there is one.
        """
        ...

    def result(self, deal: Any) -> object:
        """What the settlement of a deal says of points: two accounts with the same result need no question."""
        ...

    def late_claims(self, rebuilt: Rebuilt, presses: Sequence[tuple[int, int]]) -> Iterable[tuple[int, str]]:
        """Claims whose key was pressed too late, with the time; `presses` are times in ms and seats, sorted."""
        ...


@runtime_checkable
class FollowedGame(Game, Protocol):
    """A game whose deals can be followed."""

    def followed(self, record: Record) -> Followed:
        """How a deal is followed that is played by `ruleset` and `options`, with what `next_deal` keeps for it."""
        ...


@runtime_checkable
class ToldGame(FollowedGame, Protocol):
    """A game with a notation of its own for whole deals; those of `turns` share `wallwright.rules.core.notation`."""

    def write_deal(self, deal: Any) -> str:
        """A deal as text: its first line is `ruleset NAME`."""
        ...

    def read_deal(self, text: str) -> FollowedDeal:
        """The deal that `write_deal` wrote. NotationError tells the line."""
        ...

    def settled(self, deal: Any) -> dict[str, object]:
        """The settlement of a deal that is over, as a record."""
        ...

    def say_action(self, action: Any) -> str:
        """An action in an English sentence."""
        ...


def claimed_late(
    rebuilt: Rebuilt,
    presses: Sequence[tuple[int, int]],
    offered_at: Callable[[Sequence[Done], int], int | None],
    claim_ms: int,
    clause: str,
) -> Iterator[tuple[int, str]]:
    """Claims whose key was pressed more than `claim_ms` after the tile lay open, with the time; `offered_at` gives the
    number of the action whose tile an action claims, None of one that claims none.
    """
    log = rebuilt.deal.log
    for number, action in enumerate(log):
        at = offered_at(log, number)
        offered_ms, until_ms = None if at is None else rebuilt.times[at], rebuilt.times[number]
        if offered_ms is None or until_ms is None:
            continue
        mine = [ms for ms, seat in presses if seat == action.seat and offered_ms <= ms <= until_ms]
        if mine and mine[0] - offered_ms > claim_ms:
            after = (mine[0] - offered_ms) / 1000
            yield mine[0], f"seat {action.seat} claimed {after:.1f} s after the tile lay open ({clause})"


def followed_game(ruleset: str) -> FollowedGame:
    """Return the game of a ruleset. RulesetError when there is none, or its deals cannot be followed."""
    game = find_game(ruleset)
    if not isinstance(game, FollowedGame):
        raise RulesetError(f"deals by {ruleset} cannot be followed by their tiles; declare them")
    return game


def told_game(ruleset: str) -> ToldGame:
    """Return the game of a ruleset that writes its deals itself. RulesetError when there is none."""
    game = find_game(ruleset)
    if not isinstance(game, ToldGame):
        raise RulesetError(f"deals by {ruleset} are not written down move by move; declare them")
    return game
