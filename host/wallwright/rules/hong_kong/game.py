"""Hong Kong as one of the games that `wallwright.rules.core.registry` finds."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from wallwright.rules.core.bots import Bot, RandomBot
from wallwright.rules.core.followed import Ways
from wallwright.rules.core.form import Form
from wallwright.rules.core.game import CUT, Plan, Record, TableSetup, Throw, Throws
from wallwright.rules.core.records import seat_of, text_of, without_rules
from wallwright.rules.core.ruleset import options_of
from wallwright.rules.core.turns import Turns
from wallwright.rules.core.turns_followed import FollowedTurnsGame
from wallwright.rules.core.turns_game import Choose
from wallwright.rules.core.walls import WallOrder, counted_side, wall_order
from wallwright.rules.hong_kong.agreed import contradictions
from wallwright.rules.hong_kong.bots import SmartBot, View
from wallwright.rules.hong_kong.deal import Deal, is_complete
from wallwright.rules.hong_kong.explain import explain
from wallwright.rules.hong_kong.form import form_of
from wallwright.rules.hong_kong.play import session
from wallwright.rules.hong_kong.played import declared_events
from wallwright.rules.hong_kong.records import (
    DICE,
    break_wall_record,
    read_deal,
    ruleset_of,
    score_record,
    seats_record,
    settle_record,
    waits_record,
)
from wallwright.rules.hong_kong.ruleset import BOOK, PROMPT_MS, load_ruleset
from wallwright.words import Words

ALONE = 14
"""Tiles of a complete hand without a set laid down."""
_BOTS: dict[str, Callable[[], Bot[View]]] = {"random": RandomBot, "smart": SmartBot}


class HongKong(FollowedTurnsGame):
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

    def contradictions(self, record: Record, /) -> tuple[Words, ...]:
        """Agreed points against the way of winning and the least that may win (HKO-5.4, 5.7)."""
        return contradictions(read_deal(record))

    def options(self, ruleset: str) -> dict[str, object]:
        """All options of a ruleset."""
        return options_of(load_ruleset(ruleset))

    def next_deal(self, record: Record, settled: Record | None, /) -> dict[str, object]:
        """Who deals, who dealt first, and the round wind; after the fourth round East comes again (HKO-8)."""
        if settled is None:
            return {"dealer": 0, "first_dealer": 0, "round_wind": "E"}
        first = record.get("first_dealer", 0)
        return {"dealer": settled["next_dealer"], "first_dealer": first, "round_wind": settled["round_wind"] or "E"}

    def winners(self, record: Record) -> tuple[int, ...]:
        """One, or with `multi_win` all of a tile (HKO-4.9)."""
        return tuple(winner.seat for winner in read_deal(record).settle().winners)

    def sums_to_zero(self, _: Record, /) -> bool:
        """It does (HKO-6.1)."""
        return True

    def form(self, record: Record, /) -> Form:
        """The form on which a deal is tapped in (HKO-4 to 7)."""
        return form_of(record)

    def break_wall(self, record: Record) -> dict[str, object]:
        """Where three dice break the wall (HKO-2.2 to 2.5)."""
        return break_wall_record(record)

    def is_session_over(self, _: Record, settled: Record, /) -> bool:
        """After the fourth round (HKO-8.2)."""
        return settled["round_wind"] is None

    def seats(self, record: Record) -> dict[str, object]:
        """Who takes which of four winds that lie face down, by a throw of three dice (HKO-8.3)."""
        return seats_record(record)

    def table(self, record: Record, /) -> TableSetup:
        """136 tiles, with flowers 144, and three dice (HKO-1.1, 1.3)."""
        return TableSetup(len(ruleset_of(record).tiles), DICE)

    def plan(self, record: Record, tiles: int, _: int, /) -> Plan | None:
        """The same whoever deals (HKO-2.1)."""
        ruleset = ruleset_of(record)
        return ruleset.plan if tiles == len(ruleset.tiles) else None

    def dealer_to_come(self, _: Record, /) -> int | None:
        """Nobody knows before the deal is over (HKO-8.1)."""
        return None

    def dice_for_east(self, _: Record, /) -> int:
        """Seats are drawn, and East deals first (HKO-8.3)."""
        return 0

    def throw(self, record: Record, thrown: Throws, /) -> Throw | None:
        """The dealer's three dice, once (HKO-2.2)."""
        return None if thrown else Throw(CUT, seat_of(record, "dealer"), DICE)

    def begin(self, record: Record, thrown: Throws, plan: Plan, /) -> tuple[dict[str, object], WallOrder]:
        """The sum names the side and counts its stacks, past a corner (HKO-2.2, 2.3)."""
        dealer, total = seat_of(record, "dealer"), sum(thrown[0])
        return without_rules(record), wall_order(plan, counted_side(dealer, total), total)

    def start(self, record: Record, hands: Sequence[Sequence[int]], left: int, /) -> Deal:
        """The deal of these hands (HKO-2.4)."""
        ruleset, first = ruleset_of(record), seat_of(record, "first_dealer") if "first_dealer" in record else 0
        dealer, wind = seat_of(record, "dealer"), text_of(record, "round_wind")
        deal = Deal(ruleset, dealer, wind, hands, left, first_dealer=first)
        deal.has_flowers = ruleset.flowers
        return deal

    def player(self, deal: Turns, seat: int, bots: str, /) -> Choose:
        """A bot at a seat."""
        assert isinstance(deal, Deal)
        return partial(_BOTS[bots]().choose, View(deal, seat))

    def declare(self, record: Record, deal: Turns, standing: Sequence[Sequence[int]], /) -> dict[str, object]:
        """Calls and wins; losers show nothing (HKO-9.2)."""
        assert isinstance(deal, Deal)
        return {**record, "events": declared_events(deal, standing), "end": deal.state.end}

    def ways(self, record: Record) -> Ways:
        """One wins, or all who claim a tile (HKO-4.9); kongs may be robbed (4.6), discards claimed late (4.7)."""
        rules = ruleset_of(record)
        return Ways(
            has_chows=True,
            has_flowers=rules.flowers,
            from_tail=True,
            reserve=rules.dead_wall,
            shared_wins=rules.multi_win == "all",
            last_discard=rules.last_discard,
            robs_concealed=True,
            late_claims=rules.late_claims,
            claim_ms=0 if rules.late_claims else PROMPT_MS,
            claim_clause="HKO-4.7",
        )

    def complete(self, record: Record) -> Callable[[int], bool]:
        """Sets and a pair, or a special hand (HKO-5.1)."""
        rules = ruleset_of(record)
        return lambda hand: is_complete(hand, hand % 255 != ALONE, rules)

    def deals(self, ruleset: str, bots: str, seed: int) -> Iterator[dict[str, object]]:
        """Session after session by bots (HKO-2 to 8)."""
        rules = load_ruleset(ruleset)
        rng = Random(seed)
        players = [_BOTS[bots]()] * 4
        while True:
            for dice, deal, settlement in session(rules, players, rng):
                yield {
                    "dealer": deal.dealer,
                    "round_wind": deal.round_wind,
                    "dice": list(dice),
                    "end": settlement.end,
                    "winners": [winner.seat for winner in settlement.winners],
                    "faan": [score.faan for score in settlement.scores if score is not None],
                    "points": list(settlement.points),
                    "wall_left": deal.left,
                    "actions": len(deal.log),
                }


GAME = HongKong()
