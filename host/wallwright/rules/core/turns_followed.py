"""A deal of `turns` as tracking follows it: which deal of the rules the moves are that readers saw.

Passes are filled in, and what is called aloud, as if everybody had called as soon as they might. A move that was
against the rules gives no deal: then it has to be declared.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wallwright.rules.core import acts
from wallwright.rules.core.acts import Act
from wallwright.rules.core.errors import WallError
from wallwright.rules.core.followed import (
    CHOW,
    DISCARD,
    DRAW,
    FLOWER,
    GIVE,
    HU_ON,
    HU_SELF,
    MELDED_KONG,
    OWN_KONG,
    PUNG,
    Done,
    Move,
    Plan,
    Prices,
    Rebuilt,
    Rolled,
    Ways,
    claimed_late,
)
from wallwright.rules.core.game import DEALER_KEYS, Record, Throws, dealer_of
from wallwright.rules.core.game_rules import GameRules, preset_rules
from wallwright.rules.core.notation import ToldDeal
from wallwright.rules.core.tiles import KINDS, STANDING
from wallwright.rules.core.turn_state import CLAIM, ROB, TURN
from wallwright.rules.core.turns import Turns
from wallwright.rules.core.turns_game import TurnsGame
from wallwright.rules.core.walls import WallOrder

_RANKS = {acts.HU: 0, acts.PUNG: 1, acts.KONG: 1, acts.CHOW: 2}
"""Which claims go before others."""
_ANSWERS = (acts.PASS, acts.PUNG, acts.CHOW, acts.HU, acts.CALL)
_CLAIMS = {PUNG: acts.PUNG, MELDED_KONG: acts.KONG, CHOW: acts.CHOW, HU_ON: acts.HU}


class TurnsPlayer:
    """Plays moves in a deal. `play` says whether the move could be one of it."""

    def __init__(self, deal: Turns, gifts: Sequence[tuple[Act, int | None]] = ()) -> None:
        self.deal = deal
        self._gifts = iter(gifts)
        self.times: list[int | None] = []
        # The numbers of acts that no reader can tell from others.
        self.unseen: list[int] = []

    def play(self, move: Move) -> bool:
        """Do a move that was seen, after everything that nobody sees; False where it cannot have been."""
        if not self._give():
            return False
        self._call()
        if move.what in _CLAIMS:
            tile = move.low if move.what == CHOW else move.tile
            verb, seats = _CLAIMS[move.what], move.winners or (move.seat,)
            if self.deal.state.phase == TURN:
                return self._late(Act(seats[0], verb, tile), move)
            return self._answer({seat: Act(seat, verb, tile) for seat in seats}, move)
        return self._answer({}, move) and self._turn(move)

    def finish(self) -> bool:
        """Let the last window pass; whether the deal is over then."""
        self._call()
        if not self._answer({}, None):
            return False
        legal = self.deal.legal()
        if legal and legal[-1].verb == acts.PASS:
            self._do(legal[-1], None)
        return self.deal.is_over

    def _turn(self, move: Move) -> bool:
        deal, seat = self.deal, move.seat
        legal = deal.legal()
        if not legal or legal[0].seat != seat:
            return False
        if move.what == DRAW:
            return self._one([Act(seat, legal[0].verb, move.tile)], legal, move)
        if move.what == HU_SELF:
            return self._one([one for one in legal if one.verb == acts.HU], legal, move)
        verb = {FLOWER: acts.FLOWER, DISCARD: acts.DISCARD, OWN_KONG: acts.KONG}[move.what]
        return self._one([one for one in legal if one.verb == verb and one.tile == move.tile], legal, move)

    def _one(self, found: Sequence[Act], legal: Sequence[Act], move: Move) -> bool:
        if not found or found[0] not in legal:
            return False
        if len(found) > 1:
            self.unseen.append(len(self.deal.log))
        self._do(found[0], move.at_ms)
        return True

    def _answer(self, claims: dict[int, Act], move: Move | None) -> bool:
        """Answer the window for everybody; False when somebody claims who may not."""
        deal, left = self.deal, dict(claims)
        best = min((_RANKS[one.verb] for one in claims.values()), default=None)
        while deal.state.phase in (CLAIM, ROB):
            options = deal.legal()
            seat = options[0].seat
            act = left.pop(seat, None)
            if act is None:
                act = options[0]
                if best is not None and any(_RANKS[one.verb] > best or not best for one in options[1:]):
                    # It may have been a claim that another one overruled.
                    self.unseen.append(len(deal.log))
                self._do(act, None)
            elif act in options and move is not None:
                self._do(act, move.at_ms)
            else:
                return False
        return not left

    def _late(self, act: Act, move: Move) -> bool:
        """Claim the discard although a tile was drawn since."""
        if act not in self.deal.late():
            return False
        self._do(act, move.at_ms)
        return True

    def _give(self) -> bool:
        """Exchange tiles, when it is time; False where a hand lacks what it is said to have given."""
        while (legal := self.deal.legal()) and legal[0].verb == acts.GIVE:
            act, at_ms = next(self._gifts)
            if act not in legal:
                return False
            if at_ms is None:
                self.unseen.append(len(self.deal.log))
            self._do(act, at_ms)
        return True

    def _call(self) -> None:
        for act in self.deal.calls():
            self.unseen.append(len(self.deal.log))
            self._do(act, None)

    def _do(self, act: Act, at_ms: int | None) -> None:
        self.deal.apply(act)
        self.times.append(at_ms)


@dataclass(frozen=True, slots=True)
class TurnsFollowed:
    """A deal of a game of turns: `wallwright.rules.core.followed.Followed`. `told` is what its record begins with,
    as far as that is known; the rest is as in the first deal of a session.
    """

    rules: GameRules
    told: Mapping[str, object]
    ways: Ways
    is_complete: Callable[[int], bool]

    @property
    def kinds(self) -> int:
        """With flowers or without."""
        return KINDS if self.ways.has_flowers else STANDING

    def after(self, rolled: Sequence[Rolled]) -> "tuple[int, TurnsFollowed] | None":
        """Who deals as the record says, else who has thrown first; a wind that was thrown for is told by the dice."""
        if not rolled:
            return None
        key = next((key for key in DEALER_KEYS if key in self.told), None)
        dealer = rolled[0].seat if key is None else dealer_of(self.told)
        asked = self.rules.asked(self._begun(dealer))
        plan = self.rules.game.plan(asked, self.rules.game.table(asked).tiles, dealer)
        assert plan is not None, "a game has a plan for its own set"
        try:
            throws = self._throws(dealer, rolled)
        except WallError:
            return None
        return dealer, replace(self, told=self.rules.game.begin(asked, throws, plan)[0])

    def order(self, plan: Plan, dealer: int, rolled: Sequence[Rolled]) -> WallOrder:
        """As the game says, after the throws that it asks for."""
        return self.rules.game.begin(self.rules.asked(self._begun(dealer)), self._throws(dealer, rolled), plan)[1]

    def _throws(self, dealer: int, rolled: Sequence[Rolled]) -> Throws:
        """The dice that the game asks for, in its order. WallError when one was not rolled."""
        asked, left = self.rules.asked(self._begun(dealer)), list(rolled)
        throws: Throws = ()
        while (throw := self.rules.game.throw(asked, throws)) is not None:
            made = next((one for one in left if one.purpose == throw.purpose), None)
            if made is None:
                raise WallError(f"the dice for {throw.purpose} were not rolled")
            left = left[left.index(made) + 1 :]
            throws += (made.dice,)
        return throws

    def completes(self, hand: int, _laid: int, unknown: int) -> bool | None:
        """Whatever the hand is worth; it may be worth too little."""
        if unknown:
            return None
        return not hand >> 8 * STANDING and self.is_complete(hand)

    def rebuild(
        self,
        dealer: int,
        hands: Sequence[Sequence[int]],
        wall_size: int,
        moves: Sequence[Move],
        _prices: Prices,
        *,
        time_up: bool,
        own_sizes: Sequence[int] = (),  # noqa: ARG002 (as Followed has it; all draw from one wall)
    ) -> Iterator[Rebuilt]:
        """The deal, unless a move of it was against the rules, or it was broken off."""
        game, begin = self.rules.game, self._begun(dealer)
        assert isinstance(game, TurnsGame)
        gifts = self._gifts(dealer, [move for move in moves if move.what == GIVE])
        if gifts is None:
            return
        player = TurnsPlayer(game.start(self.rules.asked(begin), hands, wall_size), gifts)
        if not time_up and all(player.play(move) for move in moves if move.what != GIVE) and player.finish():
            deal = ToldDeal(self.rules, begin, player.deal)
            yield Rebuilt(deal, tuple(player.times), (), tuple(player.unseen), 0)

    def _gifts(self, dealer: int, given: Sequence[Move]) -> list[tuple[Act, int | None]] | None:
        """What was given in the exchanges, in the order in which the rules ask for it; None where not all is known.

        Tiles that a seat gives at once are in the order of their kinds. A time is None where a tile between two seats
        was not read when it came: in which of their exchanges it was given is not certain then.
        """
        pairs: dict[tuple[int, int], list[Move]] = {}
        for move in sorted(given, key=lambda move: move.at_ms):
            pairs.setdefault((move.seat, move.to), []).append(move)
        doubted = {pair for pair, mine in pairs.items() if not all(move.read for move in mine)}
        gifts: list[tuple[Act, int | None]] = []
        for tiles, partner in self.ways.exchanges:
            made: list[tuple[Act, bool]] = []
            times = [0]
            for step in range(4):
                pair = (dealer + step) % 4, (dealer + (step ^ partner)) % 4
                mine = pairs.get(pair, [])
                if len(mine) < tiles:
                    return None
                times += (move.at_ms for move in mine[:tiles] if move.read)
                made += (
                    (Act(pair[0], acts.GIVE, kind), pair in doubted) for kind in sorted(m.tile for m in mine[:tiles])
                )
                pairs[pair] = mine[tiles:]
            gifts += ((act, None if doubt else max(times)) for act, doubt in made)
        return gifts

    def result(self, deal: ToldDeal) -> object:
        """The whole settlement."""
        return repr(deal.settled())

    def late_claims(self, rebuilt: Rebuilt, presses: Sequence[tuple[int, int]]) -> Iterator[tuple[int, str]]:
        """Claims whose key was pressed later than the game allows, where it says how long a tile may be claimed."""
        if self.ways.claim_ms:
            yield from claimed_late(rebuilt, presses, _offered_at, self.ways.claim_ms, self.ways.claim_clause)

    def _begun(self, dealer: int) -> dict[str, object]:
        begin = {**self.rules.first_deal(), **self.told}
        return {**begin, next(key for key in DEALER_KEYS if key in begin): dealer}


def _offered_at(log: Sequence[Done], number: int) -> int | None:
    """The number of the act whose tile that act claims, None when it claims none."""
    act = log[number]
    if act.verb not in _RANKS:
        return None
    at = number - 1
    while at >= 0 and log[at].verb in _ANSWERS:
        at -= 1
    if at >= 0 and log[at].verb == acts.KONG:
        # A claim beside this one, or a kong that is robbed.
        beside = _offered_at(log, at)
        return beside if beside is not None or act.verb != acts.HU or log[at].seat == act.seat else at
    return at if at >= 0 and log[at].verb == acts.DISCARD and log[at].seat != act.seat else None


class FollowedTurnsGame(ABC):
    """What makes a `TurnsGame` one whose deals are followed: `wallwright.rules.core.followed.FollowedGame`."""

    @abstractmethod
    def ways(self, record: Record) -> Ways:
        """What may happen in a deal of that ruleset and options; the record has what `next_deal` kept for it."""

    @abstractmethod
    def complete(self, record: Record) -> Callable[[int], bool]:
        """What says whether a packed hand is complete by that ruleset and options, whatever it is worth."""

    def followed(self, record: Record) -> TurnsFollowed:
        """How a deal is followed; what the record does not say is as in the first deal of a session."""
        rules = preset_rules(str(record["ruleset"]))
        options = record.get("options")
        if isinstance(options, Mapping):
            rules = rules.changed(options)
        kept = {key: value for key, value in record.items() if key not in ("ruleset", "options")}
        asked = rules.asked(kept)
        return TurnsFollowed(rules, kept, self.ways(asked), self.complete(asked))
