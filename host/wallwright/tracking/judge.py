"""Decides at the deal's end: which account of the deal is clearly the best, or what to ask."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from heapq import nsmallest

from ..rules.core.errors import RulesError
from ..rules.core.followed import HU_SELF, OWN_KONG, Prices, Rebuilt
from .explanation import Explanation
from .missing_reads import ends
from .notices import breach_notices, late_claims
from .outcome import PARTING, UNREAD, Account, Answer, Notice, Outcome, Question
from .resolve import Filled, fillings
from .scene import Scene

MOST_ANSWERS = 4
MOST_REBUILT = 160
"""Accounts that are worked out before what is left is called open."""

NOT_FOLLOWED = "the moves could not be followed; settle the deal from what was declared"


NOT_SETTLED = "what was played cannot be settled by itself; call the referee, and settle the deal as declared"


@dataclass(frozen=True, slots=True)
class _Unsettled:
    """The cheapest account with hands that no deal can end with, such as one that lacks the tile after a kong."""

    cost: int
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    cost: int
    strange: int
    account: Account
    all_tried: bool
    result: object


def judge(scene: Scene, explanations: Sequence[Explanation], now_ms: int, *, time_up: bool) -> Outcome:
    """The outcome of the explanations that are left at the end; see `Tracker.finish`."""
    ended = _ended(scene, explanations, now_ms, time_up=time_up)
    candidates, unsettled, all_tried = _candidates(scene, ended, time_up=time_up)
    margin = scene.model.margin
    if unsettled is not None and (not candidates or unsettled.cost < candidates[0].cost + margin):
        return Outcome(None, None, NOT_SETTLED, unsettled.notices)
    if not candidates or candidates[0].strange > scene.model.strange:
        return Outcome(None, None, NOT_FOLLOWED, ())
    best = candidates[0]
    near = [one for one in candidates if one.cost < best.cost + margin]
    alike = [one.account for one in near if one.result == best.result]
    rivals = [one for one in near if one.result != best.result]
    account = _with_doubts(best.account, alike)
    if rivals or not all_tried or scene.cut < margin:
        return Outcome(None, _question(account, rivals), "", ())
    return Outcome(account, None, "", ())


def _ended(scene: Scene, explanations: Sequence[Explanation], now_ms: int, *, time_up: bool) -> list[Explanation]:
    """The explanations with what may have followed the last read, one for each course of play, by cost."""
    best: dict[tuple[object, ...], Explanation] = {}
    for one in explanations:
        for end in [one] if time_up else ends(scene, one, now_ms):
            course = (end.key, end.owed)
            if course not in best or end.cost < best[course].cost:
                best[course] = end
    return sorted(best.values(), key=lambda end: end.cost)


def _candidates(
    scene: Scene, ended: Sequence[Explanation], *, time_up: bool
) -> tuple[list[_Candidate], _Unsettled | None, bool]:
    """Accounts by cost, one for each sequence of actions; the first that cannot be settled; and whether all that might
    matter were worked out.
    """
    margin, rules = scene.model.margin, scene.rules
    # Without a wall there may be a hundred thousand ways to fill what nobody saw, and no memory for all of them.
    drafts = nsmallest(
        MOST_REBUILT + 1,
        ((found.cost + filled.cost, found.strange, filled) for found in ended for filled in fillings(scene, found)),
        key=lambda draft: draft[0],
    )
    best: dict[tuple[object, ...], _Candidate] = {}
    cheapest: int | None = None
    all_tried = True
    unsettled: _Unsettled | None = None
    for number, (cost, strange, filled) in enumerate(drafts):
        if cheapest is not None and cost >= cheapest + margin:
            break
        if number == MOST_REBUILT:
            all_tried = False
            break
        for rebuilt in _rebuilt(scene, filled, time_up=time_up):
            notices = breach_notices(rebuilt) + late_claims(rules, rebuilt, scene.presses)
            try:
                settlement = rebuilt.deal.settle()
            except RulesError:
                if unsettled is None or cost + rebuilt.cost < unsettled.cost:
                    unsettled = _Unsettled(cost + rebuilt.cost, notices)
                continue
            account = Account(rebuilt.deal, rebuilt.times, rebuilt.unseen, notices, settlement)
            candidate = _Candidate(cost + rebuilt.cost, strange, account, filled.all_tried, rules.result(rebuilt.deal))
            course = (rebuilt.deal.dealt, tuple(rebuilt.deal.log))
            if course not in best or candidate.cost < best[course].cost:
                best[course] = candidate
            if cheapest is None or candidate.cost < cheapest:
                cheapest = candidate.cost
    found = sorted(best.values(), key=lambda one: one.cost)
    near = [one for one in found if one.cost < found[0].cost + margin]
    return found, unsettled, all_tried and all(one.all_tried for one in near)


def _rebuilt(scene: Scene, filled: Filled, *, time_up: bool) -> list[Rebuilt]:
    def kind_of(tile: int) -> int:
        return scene.kinds[tile] if tile < len(scene.kinds) else filled.kinds[tile]

    hands = tuple(tuple(sorted(hand)) for hand in filled.hands)
    moves = [
        move if move.what in (OWN_KONG, HU_SELF) else move._replace(tile=kind_of(move.tile)) for move in filled.moves
    ]
    prices = Prices(scene.model.illegal, scene.model.unlikely)
    return list(
        scene.rules.rebuild(scene.dealer, hands, scene.wall_size, moves, prices, time_up=time_up, own_sizes=scene.own)
    )


def _with_doubts(account: Account, alike: Sequence[Account]) -> Account:
    """The account with the numbers of the actions that others with the same result do not share."""
    doubtful = set(account.doubtful)
    mine = list(map(str, account.deal.log))
    for other in alike:
        theirs = list(map(str, other.deal.log))
        for tag, start, end, _, _ in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
            if tag != "equal":
                doubtful.update(range(start, max(end, start + 1)))
    return replace(account, doubtful=tuple(sorted(number for number in doubtful if number < len(mine))))


def _question(best: Account, rivals: Sequence[_Candidate]) -> Question:
    """Ask for the first action on which the accounts part; each answer says what follows from it."""
    by_result: dict[object, Account] = {}
    for one in rivals:
        by_result.setdefault(one.result, one.account)
    accounts = [best, *list(by_result.values())[: MOST_ANSWERS - 1]]
    part = min((_parting(best, other) for other in accounts[1:]), default=len(best.deal.log))
    answers = tuple(_answer(account, part) for account in accounts)
    if part == len(best.deal.log):
        return Question("Too much was not read to be sure: did the deal end like this?", answers, UNREAD)
    before = best.deal.log[part - 1] if part else None
    after = f'"{before}"' if part else "the deal"
    return Question(f"What happened after {after}, action {part}?", answers, PARTING, before)


def _parting(one: Account, other: Account) -> int:
    pairs = zip(one.deal.log, other.deal.log, strict=False)
    return next((number for number, (a, b) in enumerate(pairs) if a != b), min(len(one.deal.log), len(other.deal.log)))


def _answer(account: Account, part: int) -> Answer:
    log = account.deal.log
    action = log[part] if part < len(log) else None
    told = "the deal was over" if action is None else f'"{action}"'
    points = ", ".join(f"{points:+d}" for points in account.settlement.points)
    return Answer(f"{told}, points {points}", account, action)
