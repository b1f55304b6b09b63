"""A Hong Kong deal as it is played, tile by tile (HKO-1.3, 2.5, 2.6, 4): who may win, rob and call, and how it ended.

The turns themselves are `wallwright.rules.core.turns`. `declared()` gives what the settlement needs.
"""

from collections.abc import Sequence

from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.errors import IllegalAction
from wallwright.rules.core.readings import ONE, is_regular
from wallwright.rules.core.sets import TileSet
from wallwright.rules.core.tiles import ORPHANS, STANDING
from wallwright.rules.core.turn_state import LOOSE, ON_DISCARD, ROBBED_KONG, SELF_DRAWN, Won
from wallwright.rules.core.turns import Turns
from wallwright.rules.hong_kong.faan import score_hand
from wallwright.rules.hong_kong.hands import (
    AFTER_KONG,
    DRAWN,
    EARTHLY,
    HEAVENLY,
    KONG_ON_KONG,
    LAST_DISCARD,
    LAST_TILE,
    WINDS,
    Hand,
    nine_pieces,
)
from wallwright.rules.hong_kong.ruleset import Ruleset
from wallwright.rules.hong_kong.settlement import (
    HIDDEN,
    Declared,
    Event,
    NinePieces,
    Settlement,
    TwelvePieces,
    Win,
    Winner,
)

_ORPHANS = frozenset(ORPHANS)


class Deal(Turns):
    """One deal; `wall` and `tail` as in Turns. `first_dealer` dealt the session's first deal."""

    def __init__(
        self,
        ruleset: Ruleset,
        dealer: int,
        round_wind: str,
        hands: Sequence[Sequence[int]],
        size: int,
        wall: Sequence[int] | None = None,
        tail: Sequence[int] = (),
        first_dealer: int = 0,
    ) -> None:
        self.ruleset = ruleset
        self.round_wind = round_wind
        self.first_dealer = first_dealer
        self.reserve = ruleset.dead_wall
        self.last_discard = ruleset.last_discard
        self.late_claims = ruleset.late_claims
        choice = ruleset.concealed_kong == "choice"
        self.faces = acts.FACES if choice else (ruleset.concealed_kong,)
        super().__init__(dealer, hands, size, wall, tail)

    def seat_wind(self, seat: int) -> str:
        """E, S, W or N (HKO-3.1)."""
        return WINDS[(seat - self.dealer) % 4]

    def may_win(self, seat: int, tile: int | None, by: str) -> bool:
        """A complete hand with enough faan (HKO-5.1, 5.7)."""
        packed = self.state.hands[seat] + (0 if by in DRAWN or tile is None else ONE[tile])
        if not is_complete(packed, bool(self.state.sets[seat]), self.ruleset):
            return False
        if not self.ruleset.min_faan:
            return True
        first = self.is_first() and (tile is None or (by == ON_DISCARD and self.state.source == self.dealer))
        won = Won(by, (seat,), tile, None, self.state.kongs, not self.left, first, None)
        return score_hand(self._hand(seat, won), self.ruleset).allowed

    def may_rob(self, seat: int, tile: int, face: str | None) -> bool:
        """A hidden kong is robbed by thirteen orphans alone (HKO-4.6)."""
        if face == HIDDEN and {*self.hand(seat), tile} != _ORPHANS:
            return False
        return self.may_win(seat, tile, ROBBED_KONG)

    def winners(self, seats: tuple[int, ...]) -> tuple[int, ...]:
        """The nearest, or all (HKO-4.9)."""
        ordered = sorted(seats, key=lambda seat: (seat - self.state.source) % 4)
        return tuple(ordered if self.ruleset.multi_win == "all" else ordered[:1])

    def calls(self) -> tuple[Act, ...]:
        """Nine pieces, by whoever has them and has not called (HKO-6.7)."""
        if self.is_over or self.ruleset.nine_call != "declared":
            return ()
        callers = (seat for seat, sets in enumerate(self.state.sets) if len(sets) > 2 and nine_pieces(sets))
        return tuple(Act(seat, acts.CALL) for seat in callers if NinePieces(seat) not in self.state.notes)

    def declared(self) -> Declared:
        """The finished deal as it is settled. IllegalAction while it goes on."""
        end, won = self.state.end, self.state.won
        if end is None:
            raise IllegalAction("the deal is not over: it can be settled after a win or the last tile (HKO-4.2, 4.10)")
        events: list[Event] = [one for one in self.state.notes if isinstance(one, NinePieces | TwelvePieces)]
        if won is not None:
            winners = tuple(Winner(seat, self._hand(seat, won)) for seat in won.winners)
            events.append(Win(won.by, winners, won.from_, won.robbed))
        return Declared(self.ruleset, self.dealer, self.round_wind, tuple(events), end, self.first_dealer)

    def settle(self) -> Settlement:
        """Who pays what (HKO-6). IllegalAction while the deal goes on."""
        return self.declared().settle()

    def _hand(self, seat: int, won: Won) -> Hand:
        """What the winner shows."""
        standing = list(self.hand(seat))
        tile = won.tile
        if won.by in DRAWN:
            # A dealt hand has no winning tile; any of its tiles is worth the same.
            tile = standing[-1] if tile is None else tile
            standing.remove(tile)
        assert tile is not None
        winds = self.seat_wind(seat), self.round_wind
        flowers = self.state.flowers[seat]
        return Hand(
            tuple(standing), tile, self.state.sets[seat], won.by, *winds, flowers, frozenset(self._conditions(won))
        )

    @staticmethod
    def _conditions(won: Won) -> set[str]:
        found = set()
        if won.by == LOOSE and won.kongs:
            found.add(AFTER_KONG)
        if won.by == LOOSE and won.kongs > 1:
            found.add(KONG_ON_KONG)
        if won.last and won.by != ROBBED_KONG:
            found.add(LAST_TILE if won.by in DRAWN else LAST_DISCARD)
        if won.first:
            found.add(HEAVENLY if won.by == SELF_DRAWN else EARTHLY)
        return found

    def _call(self, seat: int) -> None:
        self.state.notes += (NinePieces(seat),)

    def _lay(self, seat: int, made: TileSet, from_: int | None) -> None:
        """The fourth set made with discards makes its discarder liable (HKO-6.8)."""
        super()._lay(seat, made, from_)
        fed = [one for one in self.state.sets[seat] if not one.is_concealed]
        called = self.ruleset.nine_call == "auto" or NinePieces(seat) in self.state.notes
        if from_ is not None and len(fed) == 4 and called and nine_pieces(tuple(fed[:3])):
            self.state.notes += (TwelvePieces(seat, from_),)


def is_complete(packed: int, has_sets: bool, ruleset: Ruleset) -> bool:
    """Whether a packed hand is complete, whatever it is worth (HKO-5.1); special hands have no set laid down."""
    if is_regular(packed):
        return True
    if has_sets:
        return False
    counts = packed.to_bytes(STANDING, "little")
    if counts.count(0) == STANDING - len(ORPHANS):
        return all(counts[kind] for kind in ORPHANS)
    return bool(ruleset.seven_pairs) and counts.count(2) == 7 == STANDING - counts.count(0)
