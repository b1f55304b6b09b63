"""Hong Kong as one of the games that `wallwright.rules.core.registry` finds."""

from wallwright.rules.core.game import Record
from wallwright.rules.hong_kong.explain import explain
from wallwright.rules.hong_kong.records import (
    break_wall_record,
    read_deal,
    score_record,
    settle_record,
    waits_record,
)
from wallwright.rules.hong_kong.ruleset import BOOK
from wallwright.words import Words


class HongKong:
    """The game: `wallwright.rules.core.game.Game`."""

    name = "hong_kong"
    rulesets = BOOK.presets

    def score(self, record: Record) -> dict[str, object]:
        """What a winner's hand is worth (HKO-5, 6.2, 6.3)."""
        return score_record(record)

    def waits(self, record: Record) -> dict[str, object]:
        """What completes a hand that lacks a tile (HKO-5.1)."""
        return waits_record(record)

    def settle(self, record: Record) -> dict[str, object]:
        """A declared deal's payments, next dealer and round wind (HKO-6 to 8)."""
        return settle_record(record)

    def explain(self, record: Record) -> tuple[Words, ...]:
        """The settlement in sentences."""
        return explain(read_deal(record))

    def break_wall(self, record: Record) -> dict[str, object]:
        """Where three dice break the wall (HKO-2.2 to 2.5)."""
        return break_wall_record(record)


GAME = HongKong()
