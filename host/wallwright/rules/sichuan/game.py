"""Sichuan as one of the games that `wallwright.rules.core.registry` finds."""

from collections.abc import Callable, Iterator
from random import Random

from wallwright.rules.core.game import Record
from wallwright.rules.core.records import check_keys, seat_of, text_of
from wallwright.rules.core.ruleset import options_of
from wallwright.rules.core.walls import DEALT, break_record, check_dice, wall_order
from wallwright.rules.sichuan.actions import Action
from wallwright.rules.sichuan.bots import Bot, RandomBot, SmartBot
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.explain import explain
from wallwright.rules.sichuan.followed import Followed, say_action
from wallwright.rules.sichuan.notation import format_deal, parse_deal
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.records import read_deal, score_record, settle_record, settlement_record, waits_record
from wallwright.rules.sichuan.ruleset import PRESETS, load_ruleset
from wallwright.rules.sichuan.tiles import full_set
from wallwright.rules.sichuan.wall import break_wall, wall_plan
from wallwright.words import Words

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

    def break_wall(self, record: Record) -> dict[str, object]:
        """Where two dice break the wall (SBR-2.2); replacements come from the head, as every tile (SBR-2.4)."""
        check_keys(record, "ruleset", "dealer", "dice")
        ruleset = load_ruleset(text_of(record, "ruleset") if "ruleset" in record else "sichuan")
        dealer = seat_of(record, "dealer")
        first, second = check_dice(record.get("dice"), 2, "SBR-1.3")
        plan = wall_plan(len(full_set()), dealer, ruleset.long_walls)
        order = wall_order(plan, *break_wall((first, second), dealer))
        return break_record(order._replace(tail=order.head[DEALT:]))

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


GAME = Sichuan()
