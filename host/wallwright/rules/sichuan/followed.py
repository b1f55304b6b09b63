"""A Sichuan deal as tracking follows it: which deal of the rules the moves are that readers saw.

Forbidden suits are chosen, passes filled in, breaches noted. Moves are pushed as they happened, legal or not. What
cannot have happened at all gives no deal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from wallwright.rules.core.followed import (
    DISCARD,
    DRAW,
    HU_ON,
    HU_SELF,
    MELDED_KONG,
    PUNG,
    Breach,
    Done,
    Move,
    Plan,
    Prices,
    Rebuilt,
    Rolled,
    Ways,
    claimed_late,
)
from wallwright.rules.core.game import CUT
from wallwright.rules.core.walls import DEALT, WallOrder, own_order, wall_order
from wallwright.rules.sichuan import actions as act
from wallwright.rules.sichuan.actions import Action
from wallwright.rules.sichuan.claims import CLAIM_WINDOW_MS
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.hands import has_two_suits, is_complete_packed, waits_packed
from wallwright.rules.sichuan.ruleset import NO_SUIT, Ruleset
from wallwright.rules.sichuan.tiles import KINDS, SUITS, tile_name
from wallwright.rules.sichuan.wall import break_wall

_WAYS = Ways(wins=3, shared_wins=True, must_win=True)
_OWN_WAYS = _WAYS._replace(own_walls=True)
MOST_CHOICES = 24
"""Combinations of forbidden suits that are tried."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A deal by these rules: `wallwright.rules.core.followed.Followed`."""

    ruleset: Ruleset
    kinds = KINDS

    @property
    def ways(self) -> Ways:
        """Three win before it ends; each draws from one wall, or from the own one (SBR-11.9)."""
        return _OWN_WAYS if self.ruleset.own_walls else _WAYS

    def after(self, rolled: Sequence[Rolled]) -> "tuple[int, Followed] | None":
        """Who throws for the break deals (SBR-2.2)."""
        return next(((one.seat, self) for one in rolled if one.purpose == CUT), None)

    def order(self, plan: Plan, dealer: int, rolled: Sequence[Rolled]) -> WallOrder:
        """Every tile leaves from the head, kong replacements included (SBR-2.2 to 2.4), or of the own wall."""
        if self.ruleset.own_walls:
            return own_order(plan, dealer)
        dice = next((one.dice for one in rolled if one.purpose == CUT), ())
        order = wall_order(plan, *break_wall(dice, dealer))
        return order._replace(tail=order.head[DEALT:])

    def completes(self, hand: int, laid: int, unknown: int) -> bool | None:
        """Complete, of two suits at most (SBR-5.1, 5.2)."""
        if not has_two_suits(hand + laid):
            return False
        if unknown == 0:
            return is_complete_packed(hand)
        if unknown == 1:
            return None if waits_packed(hand) else False
        return None

    def rebuild(
        self,
        dealer: int,
        hands: Sequence[Sequence[int]],
        wall_size: int,
        moves: Sequence[Move],
        prices: Prices,
        *,
        time_up: bool,
        own_sizes: Sequence[int] = (),
    ) -> Iterator[Rebuilt]:
        """Every deal that the moves can be, one for each choice of forbidden suits that the discards allow."""
        if self.ruleset.forbidden_suit == NO_SUIT:
            deal = Deal(self.ruleset, dealer, hands, wall_size, own_sizes=own_sizes)
            yield from _played(deal, moves, prices, (), 0, time_up=time_up)
            return
        choices = [_suits(seat, hands[seat], _first_discard(moves, seat), prices) for seat in range(4)]
        open_suits = [step for step in range(4) if len(choices[(dealer + step) % 4]) > 1]
        for number, chosen in enumerate(product(*choices)):
            if number == MOST_CHOICES:
                return
            deal = Deal(self.ruleset, dealer, hands, wall_size, own_sizes=own_sizes)
            for step in range(4):
                deal.push(chosen[(dealer + step) % 4][0])
            cost = sum(price for _, price in chosen)
            yield from _played(deal, moves, prices, open_suits, cost, time_up=time_up)

    def result(self, deal: Deal) -> object:
        """Payments, penalties, the next dealer and how it ended."""
        settled = deal.settle()
        payments = sorted((one.payer, one.payee, one.points, one.clause) for one in settled.payments)
        penalties = sorted((one.seat, one.points, one.clause) for one in settled.penalties)
        return (tuple(payments), tuple(penalties), settled.next_dealer, settled.end)

    def late_claims(self, rebuilt: Rebuilt, presses: Sequence[tuple[int, int]]) -> Iterator[tuple[int, str]]:
        """Claims whose key was pressed more than three seconds after the tile lay open (SBR-4.5)."""
        return claimed_late(rebuilt, presses, _offered_at, CLAIM_WINDOW_MS, "SBR-4.5")


def say_action(action: Action) -> str:
    """Who does what with which tile."""
    tile = "" if action.tile is None else f" {tile_name(action.tile)}"
    seat = f"seat {action.seat}"
    if action.verb == act.VOID:
        if action.suit is not None:
            return f"{seat} forbids suit {SUITS[action.suit]} by card"
        return f"{seat} lays{tile} face down, its suit is forbidden"
    if action.verb == act.TIME_UP:
        return "time is up"
    verbs = {act.DRAW: "draws", act.DISCARD: "discards", act.PASS: "passes", act.HU: "declares Hu"}
    return f"{seat} {verbs.get(action.verb, 'declares ' + action.verb)}{tile}"


def _played(
    deal: Deal, moves: Sequence[Move], prices: Prices, unseen: Sequence[int], cost: int, *, time_up: bool
) -> Iterator[Rebuilt]:
    """The deal after the moves, unless they cannot be of it; `unseen` and `cost` are those of what it begins with."""
    player = _Player(deal)
    if all(map(player.play, moves)) and player.finish(time_up=time_up):
        cost += prices.illegal * len(player.breaches)
        yield Rebuilt(deal, tuple(player.times), tuple(player.breaches), (*unseen, *player.lapsed), cost)


def _offered_at(log: Sequence[Done], number: int) -> int | None:
    """The number of the action whose tile that action claims, None when it claims none."""
    action = log[number]
    if action.verb not in (act.PUNG, act.KONG, act.HU):
        return None
    at = number - 1
    while at >= 0 and log[at].verb in (act.PASS, act.PUNG, act.HU):
        at -= 1
    if at < 0 or log[at].seat == action.seat or log[at].tile != action.tile:
        return None
    robbed = log[at].verb == act.KONG and action.verb == act.HU
    return at if log[at].verb == act.DISCARD or robbed else None


def _first_discard(moves: Sequence[Move], seat: int) -> int | None:
    return next((move.tile for move in moves if move.what == DISCARD and move.seat == seat), None)


def _suits(seat: int, hand: Sequence[int], first: int | None, prices: Prices) -> list[tuple[Action, int]]:
    """The choices of a forbidden suit that the first discard allows, with their costs (SBR-3.1).

    A tile laid face down is the first discard; a suit that was not dealt may have been named by a card.
    """
    held = {kind // 9 for kind in hand}
    found = [(act.CARDS[seat][suit], 0) for suit in range(3) if suit not in held]
    if first is None:
        found += [(act.VOIDS[seat][min(kind for kind in hand if kind // 9 == suit)], 0) for suit in sorted(held)]
    elif first in hand:
        found.append((act.VOIDS[seat][first], prices.unlikely if found else 0))
    if not found:
        # The tile laid down was not the first discard, which is against the rules.
        found = [(act.VOIDS[seat][kind], 0) for kind in sorted(set(hand))]
    return found


class _Player:
    """Pushes moves into a deal. `play` says whether the move could be one of it."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.breaches: list[Breach] = []
        # Passes that may have been claims which a Hu overruled (SBR-4.5).
        self.lapsed: list[int] = []
        self.times: list[int | None] = [None] * len(deal.log)

    def play(self, move: Move) -> bool:
        what, seat = move.what, move.seat
        if what in (PUNG, MELDED_KONG, HU_ON):
            kind = move.tile
            verbs = {PUNG: act.PUNGS, MELDED_KONG: act.KONGS, HU_ON: act.HUS}
            claims = {claimer: verbs[what][claimer][kind] for claimer in (move.winners or (seat,))}
            return self._claim(claims, move.at_ms, kind)
        self._pass()
        deal = self.deal
        if deal.is_over or deal.pending[0] != seat:
            return False
        if what == DRAW:
            if deal.legal_actions()[:1] and deal.legal_actions()[0].verb != act.DRAW:
                return False
            return self._push(act.DRAWS[seat][move.tile], move.at_ms)
        if what == HU_SELF:
            drawn = deal.drawn
            return self._push(act.HUS_AS_DEALT[seat] if drawn is None else act.HUS[seat][drawn], move.at_ms)
        kind = move.tile
        held = deal.hand(seat).count(kind)
        if what == DISCARD:
            return bool(held) and self._push(act.DISCARDS[seat][kind], move.at_ms)
        if kind == deal.indicator(seat):
            # Face down on the table, it is in no set.
            return False
        added = any(meld.tile == kind and not meld.is_kong for meld in deal.melds(seat))
        return (held == 4 or (added and held == 1)) and self._push(act.KONGS[seat][kind], move.at_ms)

    def finish(self, *, time_up: bool) -> bool:
        """Let the last windows pass; whether the deal is over then, by time at the latest."""
        self._pass()
        if not self.deal.is_over and time_up and self.deal.ruleset.time_up == "stop":
            self.deal.call_time()
            self.times.append(None)
        return self.deal.is_over

    def _claim(self, claims: dict[int, Action], at_ms: int, kind: int) -> bool:
        """Answer the window for everybody; a Hu of somebody it does not ask is false, any other claim cannot be."""
        deal = self.deal
        if deal.offered is None:
            return self._claim_unasked(claims, at_ms, kind)
        if deal.offered != kind:
            return False
        asked = deal.pending
        unasked = [claim for seat, claim in claims.items() if seat not in asked]
        for claim in unasked:
            if claim.verb != act.HU:
                return False
            self._push(claim, at_ms)
        for seat in asked:
            claim = claims.get(seat, act.PASSES[seat])
            # A claim that the window does not list, such as a Hu that is none, is against the rules.
            if claim.verb in (act.PUNG, act.KONG) and claim not in deal.legal_actions():
                return False
            if seat not in claims and any(other.verb in (act.PUNG, act.KONG) for other in deal.legal_actions()):
                self.lapsed.append(len(deal.log))
            self._push(claim, at_ms if seat in claims else None)
        return True

    def _claim_unasked(self, claims: dict[int, Action], at_ms: int, kind: int) -> bool:
        deal = self.deal
        last = deal.log[-1]
        if deal.is_over or len(claims) > 1 or last.verb != act.DISCARD or last.tile != kind:
            return False
        (claim,) = claims.values()
        return claim.verb == act.HU and bool(deal.wall_left) and self._push(claim, at_ms)

    def _pass(self) -> None:
        """Everybody lets the tile offered go."""
        while self.deal.offered is not None:
            self._push(act.PASSES[self.deal.pending[0]], None)

    def _push(self, action: Action, at_ms: int | None) -> bool:
        deal = self.deal
        if action not in deal.legal_actions():
            self.breaches.append(Breach(len(deal.log), action, _reason(deal, action)))
        deal.push(action)
        self.times.append(at_ms)
        return True


def _reason(deal: Deal, action: Action) -> str:
    """Why an action is against the rules, for a referee."""
    seat, void = action.seat, deal.void(action.seat)
    if action.verb == act.DISCARD and deal.legal_actions()[:1] and deal.legal_actions()[0].verb == act.DRAW:
        return "no replacement was taken for the kong (SBR-4.4)"
    if action.verb == act.DISCARD and action.tile is not None and void is not None:
        if deal.indicator(seat) is not None:
            return "the tile laid face down for the forbidden suit has to be the first discard (SBR-3.1)"
        if deal.ruleset.void_first and action.tile // 9 != void:
            return f"a tile of the forbidden suit {SUITS[void]} was kept back in hand"
    if action.verb == act.KONG and not deal.wall_left:
        return "there is no replacement left in the wall for this kong (SBR-4.4)"
    if action.verb == act.HU:
        return "this hand may not declare Hu then: not complete, of the forbidden suit, or passed before (SBR-4.6, 7.2)"
    tile = "" if action.tile is None else f" of {tile_name(action.tile)}"
    return f"no {action.verb}{tile} was allowed then: {deal.why_not(action)}"
