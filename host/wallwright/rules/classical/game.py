"""Cumberland and Balsall as every game is asked."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from random import Random

from wallwright.rules.classical import settle_balsall, settle_cumberland
from wallwright.rules.classical.agreed import contradictions
from wallwright.rules.classical.bots import SmartBot, View
from wallwright.rules.classical.deal import Deal
from wallwright.rules.classical.explain import explain
from wallwright.rules.classical.form import form_of
from wallwright.rules.classical.hand import DISCARD
from wallwright.rules.classical.play import session
from wallwright.rules.classical.played import declared_deal
from wallwright.rules.classical.records import (
    HAND_KEYS,
    WINDS,
    read_declared,
    read_hand,
    rules_of,
    score_hand,
)
from wallwright.rules.classical.ruleset import BALSALL, CUMBERLAND, Cumberland, load_rules
from wallwright.rules.classical.settled import Settled
from wallwright.rules.classical.sitting import EXCHANGES, Sitting
from wallwright.rules.classical.waits import is_complete, waiting_tiles
from wallwright.rules.classical.wall import PLAN, TILES, broken_wall
from wallwright.rules.core.bots import Bot, RandomBot
from wallwright.rules.core.followed import Ways
from wallwright.rules.core.form import Form
from wallwright.rules.core.game import CUT, ROUND_WIND, Plan, Record, TableSetup, Throw, Throws
from wallwright.rules.core.records import (
    RecordError,
    check_keys,
    flag_of,
    optional_number,
    seat_of,
    text_of,
    without_rules,
)
from wallwright.rules.core.ruleset import options_of
from wallwright.rules.core.tiles import tile_name
from wallwright.rules.core.turns import Turns
from wallwright.rules.core.turns_followed import FollowedTurnsGame
from wallwright.rules.core.turns_game import Choose
from wallwright.rules.core.walls import WallOrder, break_record, counted_side
from wallwright.words import Words

_BOTS: dict[str, Callable[[], Bot[View]]] = {"random": RandomBot, "smart": SmartBot}


class Classical(FollowedTurnsGame):
    """The two games of 144 tiles."""

    name = "classical"
    rulesets = (CUMBERLAND, BALSALL)

    def score(self, record: Record) -> dict[str, object]:
        """Points of a winner's or a loser's hand; {"complete": False} for a winner's that is not complete."""
        rules, hand = rules_of(record), _hand(record)
        score = score_hand(read_hand(hand, rules, {}), rules)
        return score.record() if score.complete or not hand.get("winner", True) else {"complete": False}

    def waits(self, record: Record) -> dict[str, object]:
        """The tiles that complete a hand, and what each is worth when it is discarded, or drawn if `by` says so."""
        rules, given = rules_of(record), _hand(record)
        winds = {key: given.get(key, "E") for key in ("seat_wind", "round_wind")}
        base = read_hand({**given, "winner": False, **winds}, rules, {})
        found = {}
        for tile in waiting_tiles(base.standing, base.sets, rules):
            hand = {**given, **winds, "winning": tile_name(tile), "by": given.get("by", DISCARD)}
            found[tile_name(tile)] = score_hand(read_hand(hand, rules, {}), rules).points
        return {
            "waits": list(found),
            "ready": bool(found),
            "best_value": max(found.values(), default=0),
            "by_tile": found,
        }

    def settle(self, record: Record) -> dict[str, object]:
        """Points, payments, and what the next hand must know."""
        return _settle(record).record()

    def explain(self, record: Record) -> tuple[Words, ...]:
        """The settlement in sentences."""
        return explain(_settle(record))

    def contradictions(self, record: Record, /) -> tuple[Words, ...]:
        """Agreed points, and kongs that hands show, against the rest of the record (CUM-5, BAL-4, BAL-5)."""
        rules = rules_of(record)
        return contradictions(record, read_declared(record, rules), rules)

    def options(self, ruleset: str) -> dict[str, object]:
        """All options of a ruleset."""
        return options_of(load_rules(ruleset))

    def next_deal(self, record: Record, settled: Record | None, /) -> dict[str, object]:
        """Who is East and who was first; the wind unless it is thrown (CUM-2.2), and the hands of the game (CUM-8.2);
        Balsall's pot and goulash (BAL-8).
        """
        rules = rules_of(record)
        if isinstance(rules, Cumberland):
            kept: dict[str, object] = {"hands_played": 0}
            kept |= {} if rules.wind_of_round != "fixed" else {"round_wind": "E"}
        else:
            kept = {"round_wind": "E", "pot": 0, "goulash": False}
        if settled is None:
            return {"east": 0, "first_dealer": 0, **kept}
        kept = {key: settled[key] for key in (*kept, "round_wind") if settled.get(key) is not None}
        if settled.get("game_over"):
            kept |= {"hands_played": 0, **({"round_wind": "E"} if "round_wind" in kept else {})}
        return {"east": settled["next_dealer"], "first_dealer": record.get("first_dealer", 0), **kept}

    def winners(self, record: Record) -> tuple[int, ...]:
        """One, or nobody."""
        won = _settle(record).winner
        return () if won is None else (won,)

    def sums_to_zero(self, record: Record, /) -> bool:
        """It does, unless Cumberland writes the four scores down (CUM-6.1)."""
        rules = rules_of(record)
        return not isinstance(rules, Cumberland) or rules.settlement != "record"

    def is_session_over(self, _: Record, settled: Record, /) -> bool:
        """After the hands of a game of Cumberland, or the fourth round of Balsall (CUM-8.2, BAL-9.1)."""
        return bool(settled.get("game_over") or settled.get("match_over"))

    def form(self, record: Record, /) -> Form:
        """The form on which a hand is tapped in (CUM-5, BAL-5 to 8)."""
        return form_of(record)

    def break_wall(self, record: Record) -> dict[str, object]:
        """Where the dice break the wall. `dealer` is East, who throws first; `east` says the same."""
        check_keys(record, "ruleset", "options", "dealer", "east", "dice")
        if ("dealer" in record) == ("east" in record):
            raise RecordError("give East's seat once, as `dealer` or as `east` (CUM-1.1, BAL-2.2)")
        east = seat_of(record, "dealer" if "dealer" in record else "east")
        return break_record(broken_wall(rules_of(record), east, record.get("dice")))

    def table(self, record: Record, /) -> TableSetup:
        """144 tiles; two dice in Cumberland, three or two in Balsall (CLA-1.1, CUM-2.1, BAL-2.1)."""
        rules = rules_of(record)
        return TableSetup(TILES, 2 if isinstance(rules, Cumberland) else rules.dice)

    def plan(self, _: Record, tiles: int, __: int, /) -> Plan | None:
        """The same whoever deals (CLA-2.1)."""
        return PLAN if tiles == TILES else None

    def dealer_to_come(self, _: Record, /) -> int | None:
        """Nobody knows before the hand is over (CUM-8.1, BAL-9.2)."""
        return None

    def dice_for_east(self, record: Record, /) -> int:
        """Everybody throws two dice in Cumberland, one in Balsall (CUM-2.1, BAL-2.2)."""
        return 2 if isinstance(rules_of(record), Cumberland) else 1

    def throw(self, record: Record, thrown: Throws, /) -> Throw | None:
        """East's; in Cumberland it names who deals and cuts the wall by another throw (CUM-2.1, BAL-2.1)."""
        rules, east = rules_of(record), seat_of(record, "east")
        if isinstance(rules, Cumberland):
            throws = (Throw(ROUND_WIND, east, 2), *(Throw(CUT, counted_side(east, sum(one)), 2) for one in thrown[:1]))
        else:
            throws = (Throw(CUT, east, rules.dice),)
        return throws[len(thrown)] if len(thrown) < len(throws) else None

    def begin(self, record: Record, thrown: Throws, _: Plan, /) -> tuple[dict[str, object], WallOrder]:
        """The wall after the throws (CLA-2.3); in Cumberland the first one may be for the wind as well (CUM-2.2)."""
        rules, east = rules_of(record), seat_of(record, "east")
        kept = without_rules(record)
        if not isinstance(rules, Cumberland):
            return kept, broken_wall(rules, east, thrown[0])
        return {"round_wind": self.thrown_wind(record, thrown), **kept}, broken_wall(rules, east, thrown)

    def thrown_wind(self, record: Record, thrown: Throws, /) -> str | None:
        """East's sum counts players from East on, in Cumberland (CUM-2.1)."""
        is_thrown = isinstance(rules_of(record), Cumberland) and thrown
        return WINDS[counted_side(0, sum(thrown[0]))] if is_thrown else None

    def start(self, record: Record, hands: Sequence[Sequence[int]], left: int, /) -> Deal:
        """The deal of these hands (CLA-2.5), a goulash with its exchanges (BAL-8.3)."""
        east, first = seat_of(record, "east"), seat_of(record, "first_dealer") if "first_dealer" in record else 0
        pot = optional_number(record, "pot") or 0
        wind, goulash = text_of(record, "round_wind"), flag_of(record, "goulash")
        deal = Deal(Sitting(rules_of(record), east, wind, first, goulash, pot), hands, left)
        deal.has_flowers = True
        return deal

    def player(self, deal: Turns, seat: int, bots: str, /) -> Choose:
        """A bot at a seat."""
        assert isinstance(deal, Deal)
        return partial(_BOTS[bots]().choose, View(deal, seat))

    def declare(self, record: Record, deal: Turns, standing: Sequence[Sequence[int]], /) -> dict[str, object]:
        """Winner, hands and kongs (CUM-3.3, CUM-5.1, BAL-4.2, BAL-7.1)."""
        assert isinstance(deal, Deal)
        return {**record, **declared_deal(deal, standing)}

    def ways(self, record: Record) -> Ways:
        """One wins; in Cumberland dealt flowers are replaced at a player's first turn (CUM-2.3).

        Tiles are exchanged before a goulash (BAL-8.3).
        """
        rules = rules_of(record)
        waits = isinstance(rules, Cumberland)
        return Ways(
            has_chows=True,
            has_flowers=True,
            from_tail=True,
            reserve=rules.reserve,
            flowers_wait=waits,
            claim_ms=rules.claim_ms,
            claim_clause="CUM-3.1" if waits else "BAL-3.1",
            exchanges=EXCHANGES if record.get("goulash") else (),
        )

    def complete(self, record: Record) -> Callable[[int], bool]:
        """Sets and a pair, or a hand of Balsall's own (CUM-4.1, BAL-5.2, BAL-6)."""
        return partial(is_complete, rules=rules_of(record))

    def deals(self, ruleset: str, bots: str, seed: int) -> Iterator[dict[str, object]]:
        """Deal after deal by bots: CUM-8, and BAL-8 and 9 with its goulashes and their pot."""
        players = [_BOTS[bots]()] * 4
        for throws, deal, settled in session(load_rules(ruleset), players, Random(seed)):
            sitting, won = deal.sitting, deal.state.won
            dice = [list(throw) for throw in throws]
            line: dict[str, object] = {"dealer": sitting.east, "round_wind": sitting.round_wind}
            if not settled.all_are_scored:
                line |= {"goulash": sitting.goulash, "pot": sitting.pot}
            yield line | {
                "dice": dice if len(dice) > 1 else dice[0],
                "end": deal.state.end,
                "winners": [] if won is None else list(won.winners),
                "points": list(settled.points),
                "wall_left": deal.left,
                "actions": len(deal.log),
            }


def _hand(record: Record) -> dict[str, object]:
    """The keys of a hand among those of a score input."""
    check_keys(record, "ruleset", "options", *HAND_KEYS)
    return {key: value for key, value in record.items() if key not in ("ruleset", "options")}


def _settle(record: Record) -> Settled:
    rules = rules_of(record)
    deal = read_declared(record, rules)
    if isinstance(rules, Cumberland):
        return settle_cumberland.settle(deal, rules)
    return settle_balsall.settle(deal, rules)


GAME = Classical()
