"""What may be asked of a deal of `turns`: what is legal now, and what only its game can tell."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from itertools import compress

from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.readings import has_four, held, unpack_tiles
from wallwright.rules.core.sets import SetKind
from wallwright.rules.core.tiles import KINDS, STANDING, SUITED, copies_of
from wallwright.rules.core.turn_state import (
    CLAIM,
    DRAWING,
    LAY,
    LOOSE,
    ON_DISCARD,
    REPLACING,
    ROB,
    SELF_DRAWN,
    TURN,
    State,
)

_CHOWS = tuple(
    tuple(
        (low, *(one for one in (low, low + 1, low + 2) if one != kind))
        for low in range(max(kind - 2, kind - kind % 9), min(kind, kind - kind % 9 + 6) + 1)
    )
    for kind in range(SUITED)
)
"""By the kind that is claimed: the lowest kind of each chow, and its two other kinds."""


class Asked(ABC):
    """A deal as it stands. A game says who may win, who may rob, and which of several winners wins."""

    reserve = 0
    """Tiles that nobody draws."""
    last_discard = True
    """Whether who draws the last tile discards, unless it wins."""
    late_claims = False
    faces: tuple[str, ...] = ()
    """How a concealed kong may be laid down, where that decides who robs it."""

    def __init__(
        self,
        dealer: int,
        hands: Sequence[Sequence[int]],
        size: int,
        wall: Sequence[int] | None = None,
        tail: Sequence[int] = (),
    ) -> None:
        self.dealer = dealer
        self.dealt = tuple(tuple(hand) for hand in hands)
        self.wall_size = size
        self.wall = None if wall is None else tuple(wall)
        self.tail = tuple(tail)
        self._rank = {place: at for at, place in enumerate(self.tail)}
        self.has_flowers = any(kind >= STANDING for hand in self.dealt for kind in hand)
        """Whether the wall may hold flowers too."""
        self.log: list[Act] = []
        self.state = self.first_state()
        self._legal: tuple[Act, ...] | None = None

    # What a game decides.

    @abstractmethod
    def may_win(self, seat: int, tile: int | None, by: str) -> bool:
        """Whether a seat may win with its hand and `tile`, which is in the hand already when it was drawn."""

    @abstractmethod
    def may_rob(self, seat: int, tile: int, face: str | None) -> bool:
        """Whether a seat may win on a tile of a kong: `face` of a concealed one, None for a promoted one."""

    @abstractmethod
    def winners(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """Of the seats that claim to win one tile, in turn order from who gave it, those that win."""

    def first_state(self) -> State:
        """The state of the dealt hands; a game that must remember more has one of its own."""
        return State(self.dealer, self.dealt, self.wall_size)

    # What may be asked.

    @property
    def is_over(self) -> bool:
        """Won, or the wall has ended."""
        return self.state.end is not None

    @property
    def left(self) -> int:
        """Tiles that can still be drawn."""
        return max(0, self.state.left - self.reserve)

    @property
    def by(self) -> str:
        """How the tile of this turn came from the wall."""
        return LOOSE if self.state.loose else SELF_DRAWN

    def hand(self, seat: int) -> tuple[int, ...]:
        """Standing kinds, sorted, without flowers."""
        return unpack_tiles(self.state.hands[seat])

    def is_first(self) -> bool:
        """Whether no set was laid down and the dealer has discarded once at the most, the others never."""
        state = self.state
        return not any(state.sets) and sum(map(len, state.rivers)) <= 1 and not state.kongs

    def legal(self) -> tuple[Act, ...]:
        """What the deciding seat may do."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self._listed()
        return legal

    def _listed(self) -> tuple[Act, ...]:
        state = self.state
        if state.phase in (CLAIM, ROB):
            return state.queue[0]
        if state.phase == LAY:
            return (Act(state.seat, acts.FLOWER, state.waiting[state.seat][0]),)
        if state.phase == REPLACING:
            return tuple(self._draws(acts.REPLACE))
        if state.phase == DRAWING:
            return tuple(self._draws(acts.DRAW))
        return tuple(self._turn()) if state.phase == TURN else ()

    def late(self) -> tuple[Act, ...]:
        """Claims of the latest discard by others than its discarder and the one who has drawn since."""
        state = self.state
        if not (self.late_claims and state.late and state.phase == TURN):
            return ()
        others = (seat for seat in self._after(state.source) if seat != state.seat)
        return tuple(act for seat in others for act in self._claims(seat, self.left + 1)[1:] if act.verb != acts.CHOW)

    def handed(self) -> tuple[tuple[int, int, int], ...]:
        """What the last act brought from hand to hand: the seat, the kind, and the seat that has it now."""
        return ()

    def calls(self) -> tuple[Act, ...]:
        """What a seat may call beside its turn, as a game knows it."""
        return ()

    # What is legal.

    def _draws(self, verb: str) -> Iterator[Act]:
        seat = self.state.seat
        if self.wall is not None:
            place = self._head_place() if verb == acts.DRAW else self.tail[self._tail_rank()]
            yield Act(seat, verb, self.wall[place])
            return
        known = self.known()
        for kind in range(KINDS if self.has_flowers else STANDING):
            if known[kind] < copies_of(kind):
                yield Act(seat, verb, kind)

    def known(self) -> list[int]:
        """By kind: tiles in hands, sets, flowers and rivers, each once."""
        state = self.state
        counts = [0] * KINDS
        lying = (*state.unclaimed, *(kind for row in (*state.flowers, *state.waiting) for kind in row))
        laid = (kind for sets in state.sets for one in sets for kind in one.tiles)
        for kind in (*lying, *laid, *(kind for seat in range(4) for kind in self.hand(seat))):
            counts[kind] += 1
        if state.phase == ROB or (state.won is not None and state.won.robbed):
            counts[state.offered] += 1
        return counts

    def _turn(self) -> Iterator[Act]:
        state, seat = self.state, self.state.seat
        if state.by_wall and self.may_win(seat, state.drawn, self.by):
            yield Act(seat, acts.HU, state.drawn)
        if state.by_wall and not self.left and not self.last_discard:
            yield acts.PASSES[seat]
            return
        yield from self._discards(seat)
        if state.by_wall and self.left:
            yield from self._kongs(seat)

    def _discards(self, seat: int) -> Iterator[Act]:
        return compress(acts.DISCARDS[seat], self.state.hands[seat].to_bytes(STANDING, "little"))

    def _kongs(self, seat: int) -> Iterator[Act]:
        """Those of own tiles, sorted by kind."""
        hand, sets = self.state.hands[seat], self.state.sets[seat]
        if not sets and not has_four(hand):
            return
        pungs = {one.tile for one in sets if one.kind is SetKind.PUNG and not one.is_concealed}
        for kind, count in enumerate(hand.to_bytes(STANDING, "little")):
            if count == 4:
                yield from (acts.KONGS[face][seat][kind] for face in self.faces or (None,))
            elif count and kind in pungs:
                yield acts.KONGS[None][seat][kind]

    def _claims(self, seat: int, left: int) -> tuple[Act, ...]:
        """A pass and the legal claims of the tile offered, with so many tiles left; the pass alone without any."""
        state, kind = self.state, self.state.offered
        options = [acts.PASSES[seat]]
        if self.may_win(seat, kind, ON_DISCARD):
            options.append(acts.HUS[seat][kind])
        hand = state.hands[seat]
        if left:
            if held(hand, kind) >= 2:
                options.append(acts.PUNGS[seat][kind])
            if held(hand, kind) == 3:
                options.append(acts.KONGS[None][seat][kind])
            if kind < SUITED and seat == (state.source + 1) % 4:
                options += [
                    acts.CHOWS[seat][low] for low, one, other in _CHOWS[kind] if held(hand, one) and held(hand, other)
                ]
        return tuple(options)

    @staticmethod
    def _after(seat: int) -> tuple[int, ...]:
        return tuple((seat + step) % 4 for step in (1, 2, 3))

    # The wall.

    def _head_place(self) -> int:
        at = self.state.head
        while self._rank[at] < self.state.tail:
            at += 1
        return at

    def _tail_rank(self) -> int:
        at = self.state.tail
        while self.tail[at] < self.state.head:
            at += 1
        return at
