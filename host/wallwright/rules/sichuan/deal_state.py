"""What a tracked deal consists of between two actions, and questions about it. `legal` lists actions, `moves` does
them.
"""

from collections.abc import Sequence
from typing import Final

from wallwright.rules.core.packed import SUIT_BITS, SUIT_MASK
from wallwright.rules.sichuan.actions import Action
from wallwright.rules.sichuan.events import End, Event
from wallwright.rules.sichuan.fans import ROBBING_KONG, SHOOT_AFTER_KONG, UNDER_THE_SEA, score_packed
from wallwright.rules.sichuan.hands import waits_packed
from wallwright.rules.sichuan.melds import Meld
from wallwright.rules.sichuan.packed import ONE, pack_tiles
from wallwright.rules.sichuan.ruleset import NO_SUIT, Ruleset

# Phases: who decides what.
CHOOSE_VOID: Final = 0
MUST_DRAW: Final = 1
TURN: Final = 2
CLAIM: Final = 3
ROB: Final = 4
OVER: Final = 5

_OF_SUIT: Final = tuple(0x1FF << 9 * suit for suit in range(3))
_ALL_KINDS: Final = sum(_OF_SUIT)

AFTER: Final = tuple(tuple((seat + step) % 4 for step in (1, 2, 3)) for seat in range(4))
"""The other seats, counter-clockwise."""


class DealState:
    """Everything that an action can change, by seat where it is a list. Hands are packed integers, so a copy is
    cheap.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        dealer: int,
        hands: Sequence[Sequence[int]],
        wall_size: int,
        wall: tuple[int, ...] | None,
        own_walls: tuple[tuple[int, ...], ...] = (),
        own_sizes: tuple[int, ...] = (),
    ) -> None:
        self.ruleset = ruleset
        self.dealer = dealer
        self.wall = wall
        self.wall_size = wall_size
        self.hands = [pack_tiles(hand) for hand in hands]
        self.melds: list[tuple[Meld, ...]] = [(), (), (), ()]
        self.voids: list[int | None] = [None] * 4
        self.indicators: list[int | None] = [None] * 4
        self.rivers: list[tuple[int, ...]] = [(), (), (), ()]
        # The greatest value that a seat let go since its last draw (SBR-4.6), 0 for none.
        self.bars = [0, 0, 0, 0]
        # Bit k: the seat completes its hand with a tile of kind k. Kept up to date for hands that lack a tile.
        self.waits = [0, 0, 0, 0]
        self.phase = CHOOSE_VOID
        # Of each seat where each draws from the own wall, whose tiles may be unknown; `left` is then what the seat has
        # whose turn it is.
        self.own_walls = own_walls
        self.own_left = list(own_sizes)
        self.seat = dealer
        self.left = wall_size
        self.drawn: int | None = None
        # The turn's latest tile came from the wall or the deal, not from a pung.
        self.by_wall = True
        # It, or the discard that follows it, came after a kong of this turn.
        self.after_kong = False
        self.offered = -1
        self.source = dealer
        # Seats still to answer, each as its list of actions, and the claims made so far.
        self.queue: tuple[tuple[Action, ...], ...] = ()
        self.answers: tuple[Action, ...] = ()
        # Bits by seat: has declared Hu; can win no more, for a set of the forbidden suit or a breach.
        self.out = 0
        self.spoiled = 0
        # Packed: tiles on the table outside hands and sets: unclaimed discards, tiles won on, a tile that may be
        # robbed.
        self.pool = 0
        self.events: tuple[Event, ...] = ()
        self.end: End | None = None
        if own_sizes:
            self.left = self.own_left[dealer]
        if ruleset.forbidden_suit == NO_SUIT:
            self.phase = TURN
            for seat in range(4):
                self.note_waits(seat)

    def save(self) -> tuple[object, ...]:
        """All of it, for `restore`."""
        return (
            self.hands[:],
            self.melds[:],
            self.voids[:],
            self.indicators[:],
            self.rivers[:],
            self.bars[:],
            self.waits[:],
            self.phase,
            self.seat,
            self.left,
            self.drawn,
            self.by_wall,
            self.after_kong,
            self.offered,
            self.source,
            self.queue,
            self.answers,
            self.out,
            self.spoiled,
            self.pool,
            self.events,
            self.end,
            self.own_left[:],
        )

    def restore(self, saved: tuple[object, ...]) -> None:
        """Become what `save` returned; the saved value is used up."""
        (
            self.hands,
            self.melds,
            self.voids,
            self.indicators,
            self.rivers,
            self.bars,
            self.waits,
            self.phase,
            self.seat,
            self.left,
            self.drawn,
            self.by_wall,
            self.after_kong,
            self.offered,
            self.source,
            self.queue,
            self.answers,
            self.out,
            self.spoiled,
            self.pool,
            self.events,
            self.end,
            self.own_left,
        ) = saved  # type: ignore[assignment]

    def open_tiles(self) -> int:
        """Packed: the pool and all declared sets."""
        return self.pool + sum(ONE[meld.tile] * len(meld.tiles) for melds in self.melds for meld in melds)

    def offer_flags(self, robbing: bool = False) -> int:
        """Conditions of a Hu on the tile now offered."""
        if robbing or self.phase == ROB:
            return ROBBING_KONG | (SHOOT_AFTER_KONG if self.after_kong and self.ruleset.chain_rob_shoots else 0)
        return (SHOOT_AFTER_KONG if self.after_kong else 0) | (0 if self.left else UNDER_THE_SEA)

    def hand_value(self, seat: int, winning: int, flags: int) -> int:
        """Points of the seat's hand with one more tile, 0 when that does not complete it."""
        return score_packed(self.hands[seat] + ONE[winning], self.melds[seat], flags, self.ruleset).value

    def holds_void(self, seat: int) -> bool:
        """Whether the seat has its forbidden suit, standing or declared, or has not chosen one yet.

        Where nobody has one: whether it has tiles of all three suits (SBR-11.9).
        """
        void = self.voids[seat]
        if void is None and self.ruleset.forbidden_suit == NO_SUIT:
            return not self._two_suits(seat)
        if void is None:
            return True
        return bool(self.hands[seat] >> SUIT_BITS * void & SUIT_MASK) or bool(self.spoiled >> seat & 1)

    def take(self, seat: int) -> None:
        """A tile leaves the wall that the seat draws from."""
        if self.own_left:
            self.own_left[seat] -= 1
            self.left = self.own_left[seat]
        else:
            self.left -= 1

    def give_turn(self, seat: int) -> None:
        """The seat goes on, with what is left in the wall that it draws from."""
        self.seat = seat
        if self.own_left:
            self.left = self.own_left[seat]

    def left_of(self, seat: int) -> int:
        """Tiles left in the wall that the seat draws from."""
        return self.own_left[seat] if self.own_left else self.left

    def _two_suits(self, seat: int) -> int:
        """Bit k: with a tile of kind k the seat's tiles are of two suits at the most (SBR-5.2); 0 for never."""
        tiles = self.hands[seat] + sum(ONE[meld.tile] for meld in self.melds[seat])
        held = [suit for suit in range(3) if tiles >> SUIT_BITS * suit & SUIT_MASK]
        if len(held) > 2:
            return 0
        return _ALL_KINDS if len(held) < 2 else sum(_OF_SUIT[suit] for suit in held)

    def note_waits(self, seat: int) -> None:
        """Which tiles the seat may win on, kept between its turns; none while it holds its forbidden suit (SBR-3.2)."""
        hand, void = self.hands[seat], self.voids[seat]
        if void is None and self.ruleset.forbidden_suit == NO_SUIT:
            self.waits[seat] = waits_packed(hand) & self._two_suits(seat)
        elif void is None or hand >> SUIT_BITS * void & SUIT_MASK or self.spoiled >> seat & 1:
            self.waits[seat] = 0
        else:
            self.waits[seat] = waits_packed(hand)
