"""Sichuan as one of the games that `wallwright.rules.core.registry` finds."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random

from wallwright.rules.core.errors import RulesError
from wallwright.rules.core.form import Form
from wallwright.rules.core.game import CUT, Plan, Record, TableSetup, Throw, Throws
from wallwright.rules.core.records import check_keys, records_of, seat_of, text_of
from wallwright.rules.core.ruleset import options_of
from wallwright.rules.core.walls import DEALT, WallOrder, break_record, check_dice, wall_order
from wallwright.rules.sichuan.actions import Action
from wallwright.rules.sichuan.agreed import contradictions
from wallwright.rules.sichuan.bots import Bot, RandomBot, SmartBot
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.declared import DeclaredDeal
from wallwright.rules.sichuan.explain import explain
from wallwright.rules.sichuan.followed import Followed, say_action
from wallwright.rules.sichuan.form import form_of
from wallwright.rules.sichuan.notation import format_deal, parse_deal
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.records import (
    add_event,
    read_deal,
    score_record,
    settle_record,
    settlement_record,
    waits_record,
)
from wallwright.rules.sichuan.ruleset import PRESETS, Ruleset, load_ruleset
from wallwright.rules.sichuan.tiles import full_set
from wallwright.rules.sichuan.wall import STACKS, break_wall, wall_plan
from wallwright.words import Words

DICE = 2
_BOTS: dict[str, Callable[[], Bot]] = {"random": RandomBot, "smart": SmartBot}


class Sichuan:
    """The game: `wallwright.rules.core.game.Game`."""

    name = "sichuan"
    rulesets = PRESETS

    def score(self, record: Record) -> dict[str, object]:
        """What a complete hand is worth (SBR-5)."""
        return score_record(record)

    def waits(self, record: Record) -> dict[str, object]:
        """What a hand waits for, with values as at the wall's end (SBR-6.5)."""
        return waits_record(record)

    def settle(self, record: Record) -> dict[str, object]:
        """A declared deal's payments, penalties and next dealer (SBR-6 to 8)."""
        return settle_record(record)

    def explain(self, record: Record) -> tuple[Words, ...]:
        """The settlement in sentences."""
        deal = read_deal(record)
        return explain(deal.settle(), deal.ruleset)

    def contradictions(self, record: Record, /) -> tuple[Words, ...]:
        """Agreed values against kongs, robbed kongs and last tiles (SBR-5.3, 5.4)."""
        return contradictions(read_deal(record))

    def options(self, ruleset: str) -> dict[str, object]:
        """All options of a ruleset."""
        return options_of(load_ruleset(ruleset))

    def next_deal(self, _: Record, settled: Record | None, /) -> dict[str, object]:
        """Who deals (SBR-8.1); nothing else is kept."""
        return {"dealer": 0 if settled is None else settled["next_dealer"]}

    def winners(self, record: Record) -> tuple[int, ...]:
        """All whose Hu was a true one."""
        return read_deal(record).settle().winners

    def sums_to_zero(self, _: Record, /) -> bool:
        """It does, but for fines (SBR-6.7)."""
        return True

    def form(self, record: Record, /) -> Form:
        """The form on which a deal is tapped in (SBR-4 to 7)."""
        return form_of(load_ruleset(text_of(record, "ruleset") if "ruleset" in record else "sichuan"))

    def break_wall(self, record: Record) -> dict[str, object]:
        """Where two dice break the wall (SBR-2.2); replacements come from the head, as every tile (SBR-2.4)."""
        check_keys(record, "ruleset", "dealer", "dice")
        ruleset = load_ruleset(text_of(record, "ruleset") if "ruleset" in record else "sichuan")
        dealer = seat_of(record, "dealer")
        first, second = check_dice(record.get("dice"), DICE, "SBR-1.3")
        plan = wall_plan(len(full_set()), dealer, ruleset.long_walls)
        return break_record(_broken(plan, dealer, (first, second)))

    def table(self, _: Record, /) -> TableSetup:
        """108 tiles and two dice (SBR-1.1, 1.3)."""
        return TableSetup(len(full_set()), DICE)

    def plan(self, record: Record, tiles: int, dealer: int, /) -> Plan | None:
        """The dealer's and the opposite wall are the long ones, or always the same two (SBR-2.1)."""
        return wall_plan(tiles, dealer, _rules_of(record).long_walls) if tiles in STACKS else None

    def dealer_to_come(self, record: Record, /) -> int | None:
        """Whoever the first true Hu says (SBR-8.1). What cannot be has been refused, and makes nothing certain."""
        deal = DeclaredDeal(_rules_of(record), seat_of(record, "dealer"))
        for event in records_of(record, "events"):
            with suppress(RulesError):
                add_event(deal, event)
            if (dealer := deal.dealer_to_come()) is not None:
                return dealer
        return None

    def dice_for_east(self, _: Record, /) -> int:
        """Nobody throws for it."""
        return 0

    def throw(self, record: Record, thrown: Throws, /) -> Throw | None:
        """The dealer's, once (SBR-2.2)."""
        return None if thrown else Throw(CUT, seat_of(record, "dealer"), DICE)

    def begin(self, record: Record, thrown: Throws, plan: Plan, /) -> tuple[dict[str, object], WallOrder]:
        """Where two dice break the wall (SBR-2.2); all tiles come from the head (SBR-2.4)."""
        dealer = seat_of(record, "dealer")
        return {"dealer": dealer}, _broken(plan, dealer, thrown[0])

    def deals(self, ruleset: str, bots: str, seed: int) -> Iterator[dict[str, object]]:
        """Deal after deal by bots (SBR-2 to 8)."""
        rules = load_ruleset(ruleset)
        rng = Random(seed)
        players = [_BOTS[bots]()] * 4
        dealer = 0
        while True:
            dice, deal = shuffled_deal(rules, dealer, rng)
            settlement = play(deal, players, rng).settle()
            yield {
                "dealer": dealer,
                "dice": list(dice),
                "end": settlement.end,
                "winners": list(settlement.winners),
                "points": list(settlement.points),
                "penalties": [{"seat": penalty.seat, "points": penalty.points} for penalty in settlement.penalties],
                "wall_left": deal.wall_left,
                "actions": len(deal.log),
            }
            dealer = settlement.next_dealer

    def followed(self, record: Record) -> Followed:
        """By the `ruleset` of the record; Sichuan keeps nothing from deal to deal."""
        return Followed(load_ruleset(text_of(record, "ruleset")))

    def write_deal(self, deal: Deal) -> str:
        """In the notation of `wallwright.rules.sichuan.notation`."""
        return format_deal(deal)

    def read_deal(self, text: str) -> Deal:
        """Likewise."""
        return parse_deal(text)

    def settled(self, deal: Deal) -> dict[str, object]:
        """Payments, penalties and what each Hu was worth."""
        return settlement_record(deal.settle())

    def say_action(self, action: Action) -> str:
        """Who does what with which tile."""
        return say_action(action)


def _rules_of(record: Record) -> Ruleset:
    """The ruleset that a record names, with its options."""
    options = record.get("options") or {}
    rules = load_ruleset(text_of(record, "ruleset"))
    return rules.with_changes(**options) if isinstance(options, dict) else rules


def _broken(plan: Plan, dealer: int, dice: tuple[int, ...]) -> WallOrder:
    order = wall_order(plan, *break_wall(dice, dealer))
    return order._replace(tail=order.head[DEALT:])


GAME = Sichuan()
