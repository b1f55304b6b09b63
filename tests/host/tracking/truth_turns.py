"""Deals of bots in the games of `rules.core.turns`, and what a tracker can know of them at the best."""

import random
from copy import deepcopy
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby

from wallwright.rules.core import acts
from wallwright.rules.core.acts import parse_act
from wallwright.rules.core.game import DEALER_KEYS, Throws
from wallwright.rules.core.game_rules import GameRules, preset_rules
from wallwright.rules.core.notation import ToldDeal
from wallwright.rules.core.tiles import KINDS, STANDING, tile_set
from wallwright.rules.core.turns import Turns
from wallwright.rules.core.turns_followed import TurnsFollowed
from wallwright.rules.core.turns_game import TurnsGame
from wallwright.rules.core.walls import DEALT, deal_seats
from wallwright.tracking import Outcome, Setup, Tracker
from wallwright.tracking.outcome import Account

from .acted_turns import ActedTurns, Ends, act_out_turns


@dataclass(frozen=True)
class PlayedTurns:
    """A deal that four bots have played, the same before its first act, its rules and its order of replacements."""

    told: ToldDeal
    fresh: Turns
    tail: tuple[int, ...]

    @property
    def rules(self) -> TurnsFollowed:
        """As it is followed."""
        told = self.told
        return told.game.followed(told.ruleset.asked(told.begin))  # type: ignore[attr-defined, no-any-return]

    @property
    def points(self) -> tuple[int, int, int, int]:
        """What it has come to."""
        return self.told.settle().points


def game_rules(name: str) -> GameRules:
    """A preset by name; "flowers" is Hong Kong with them, "prompts" without late claims, "goulash" that of Balsall."""
    if name == "prompts":
        return preset_rules("hong-kong").changed({"late_claims": False})
    if name == "flowers":
        return preset_rules("hong-kong").changed({"flowers": True})
    return preset_rules("balsall" if name == "goulash" else name)


def played_turns(name: str, seed: int, bots: str = "smart", *, late: bool = False) -> PlayedTurns:
    """A deal of four bots, with its wall known; the same seed gives the same deal. `late`: who has let a discard pass
    claims it after all, when the next tile is drawn, wherever the game allows that.
    """
    rng, rules, dealer = random.Random(seed), game_rules(name), seed % 4
    game = rules.game
    assert isinstance(game, TurnsGame)
    begin = {key: dealer if key in DEALER_KEYS else value for key, value in rules.first_deal().items()}
    if name == "goulash":
        begin["goulash"] = True
    throws: Throws = ()
    while (throw := game.throw(rules.asked(begin), throws)) is not None:
        throws += (tuple(rng.randint(1, 6) for _ in range(throw.dice)),)
    tiles = game.table(rules.asked({})).tiles
    plan = game.plan(rules.asked({}), tiles, dealer)
    assert plan is not None
    begin, order = game.begin(rules.asked(begin), throws, plan)
    faces = list(tile_set(range(KINDS if tiles > 4 * STANDING else STANDING)))
    rng.shuffle(faces)
    hands: list[list[int]] = [[], [], [], []]
    for seat, kind in zip(deal_seats(dealer), faces[:DEALT], strict=True):
        hands[seat].append(kind)
    left = order.head[DEALT:]
    at = {place: number for number, place in enumerate(left)}
    tail = tuple(at[place] for place in order.tail)
    deal = game.start(rules.asked(begin), hands, len(left))
    fresh = deepcopy(deal)
    ends = Ends(len(left), tail)
    choose = [game.player(deal, seat, bots) for seat in range(4)]
    wall = faces[DEALT:]
    while not deal.is_over:
        for call in deal.calls():
            deal.apply(call)
        legal = deal.legal()
        seat, verb = legal[0].seat, legal[0].verb
        if late and (claims := deal.late()):
            ends.put_back()
            deal.apply(claims[0])
        elif verb in (acts.DRAW, acts.REPLACE):
            deal.apply(acts.Act(seat, verb, wall[ends.take(verb)]))
        else:
            deal.apply(legal[0] if len(legal) == 1 else choose[seat](legal, rng))
    fresh.wall = tuple(wall)
    return PlayedTurns(ToldDeal(rules, begin, deal), fresh, tail)


def acted_turns(
    played: PlayedTurns, seed: int, *, keys: bool = False, hesitate_ms: int = 0, **shares: int
) -> ActedTurns:
    """The deal, acted out."""
    start = deepcopy(played.fresh)
    return act_out_turns(played.told.deal, start, played.tail, seed, keys=keys, hesitate_ms=hesitate_ms, **shares)


def tracked_turns(acted: ActedTurns, rules: TurnsFollowed, *, wall: bool = True, keys: bool = False) -> Outcome:
    """What the tracker says of a deal that was acted out."""
    tracker = Tracker(Setup(rules, acted.deal.dealer, acted.tiles, claim_keys=keys))
    for event in acted.events:
        tracker.feed(event)
    return tracker.finish(acted.wall, acted.tail) if wall else tracker.finish()


def seen_turns(played: PlayedTurns) -> list[str]:
    """The acts of a deal as they can be seen: a claim that another one overruled leaves no trace, like a pass; tiles
    that a seat gives away at once have no order.
    """
    again = deepcopy(played.fresh)
    again.wall = None
    log: list[str] = []
    window: list[int] = []
    for act in played.told.deal.log:
        before = again.state
        again.apply(act)
        if before.queue:
            window.append(len(log))
        log.append(str(act))
        if before.queue and not again.state.queue:
            won = again.state.won
            changed = [seat for seat in range(4) if again.state.sets[seat] != before.sets[seat]]
            done = changed if won is None else won.winners
            for at in window:
                if int(log[at][0]) not in done:
                    log[at] = f"{log[at][0]} {acts.PASS}"
            window = []
    return gifts_by_kind(log)


def gifts_by_kind(log: list[str]) -> list[str]:
    """Acts, with the tiles that a seat gives away at once in the order of their kinds."""
    found: list[str] = []
    for (_, verb), run in groupby(log, key=lambda text: text.split(" ")[:2]):
        texts = list(run)
        found += sorted(texts, key=lambda text: parse_act(text).tile or 0) if verb == acts.GIVE else texts
    return found


def is_exact(account: Account, played: PlayedTurns) -> bool:
    """Whether every act is the true one."""
    return list(map(str, account.deal.log)) == seen_turns(played)


def is_silently_wrong(account: Account, played: PlayedTurns) -> bool:
    """Whether the account has other points than the deal, or another act that it does not mark as doubtful."""
    if account.settlement.points != played.points:
        return True
    mine, theirs = list(map(str, account.deal.log)), seen_turns(played)
    wrong: set[int] = set()
    for tag, start, end, missing, _ in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if tag != "equal":
            # Of what is missing, the next act has to be marked; tiles given away at once have no order.
            is_gift = start > 0 and f" {acts.GIVE} " in mine[start - 1] and mine[start - 1][0] == theirs[missing][0]
            wrong |= set(range(start, end)) or {start - 1 if is_gift else min(start, len(mine) - 1)}
    return not wrong <= set(account.doubtful)
