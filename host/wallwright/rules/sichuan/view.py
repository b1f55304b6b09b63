"""What one seat may know of a tracked deal: its own hand, and what lies open. A bot gets nothing else."""

from typing import TYPE_CHECKING

from wallwright.rules.sichuan.melds import Meld
from wallwright.rules.sichuan.ruleset import Ruleset

if TYPE_CHECKING:
    from wallwright.rules.sichuan.deal import Deal


class View:
    """A window on a deal that is going on; it shows the present, so it need not be made anew for each decision."""

    __slots__ = ("_deal", "seat")

    def __init__(self, deal: "Deal", seat: int) -> None:
        self._deal = deal
        self.seat = seat

    @property
    def ruleset(self) -> Ruleset:
        """The rules of the deal."""
        return self._deal.ruleset

    @property
    def dealer(self) -> int:
        """The dealer's seat."""
        return self._deal.dealer

    @property
    def hand(self) -> tuple[int, ...]:
        """Own standing kinds, sorted."""
        return self._deal.hand(self.seat)

    @property
    def packed_hand(self) -> int:
        """Own standing tiles as a packed hand."""
        return self._deal.packed_hand(self.seat)

    @property
    def void(self) -> int | None:
        """Own forbidden suit."""
        return self._deal.void(self.seat)

    @property
    def drawn(self) -> int | None:
        """The kind just drawn, when it is this seat's turn."""
        return self._deal.drawn if self._deal.pending[:1] == (self.seat,) else None

    @property
    def offered(self) -> int | None:
        """The tile that is being claimed now."""
        return self._deal.offered

    @property
    def wall_left(self) -> int:
        """Tiles left in the wall."""
        return self._deal.wall_left

    def melds(self, seat: int) -> tuple[Meld, ...]:
        """Declared sets of a seat; concealed kongs are shown when declared (SBR-4.4)."""
        return self._deal.melds(seat)

    def discards(self, seat: int) -> tuple[int, ...]:
        """All discards of a seat, those claimed included."""
        return self._deal.discards(seat)

    def has_won(self, seat: int) -> bool:
        """Whether a seat has declared Hu."""
        return self._deal.has_won(seat)

    @property
    def on_table(self) -> int:
        """Packed: every tile that lies open, in declared sets or unclaimed discards."""
        return self._deal.open_tiles()
