"""What is known of one table in one session: who sits there, its deals, its own clock, whether it has signed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..rules.core.game import POT
from ..rules.core.game_rules import GameRules
from .clock import Clock

LIVE, VOIDED, ANNULLED = "live", "voided", "annulled"
TRACKED, DECLARED, RULED = "tracked", "declared", "ruled"
"""Where a result comes from: a table that followed the deal, a scorer's declaration, a referee's word."""


@dataclass(slots=True)
class DealResult:
    """One deal. `entry` is the number of the journal's entry that it stands in, `before` those that it replaces.

    `players` are those of the seats 0 to 3 in this deal, `fines` the points that nobody received. Deals that are not
    LIVE count for nothing; an ANNULLED one is `replayed` or is counted as played. One that is not `approved` counts all
    the same, and waits for a referee. `by` has entered it. `false_hu` are the seats whose Hu was found false, each with
    the referee who has found it, `agreed` the winners whose hands the table agreed on without their tiles. `kept` is
    what the game keeps for the next deal beside its dealer, such as the round wind: the begin of that deal's record.
    `session_over`: by the game's rounds it was the last one of its table.
    """

    deal: int
    entry: int
    at_ms: int
    players: tuple[int, int, int, int]
    dealer: int
    points: tuple[int, int, int, int]
    fines: int
    winners: tuple[int, ...]
    next_dealer: int
    source: str
    status: str = LIVE
    confirmed: bool = True
    replayed: bool = False
    reason: str = ""
    before: tuple[int, ...] = ()
    approved: bool = True
    by: str = ""
    false_hu: tuple[tuple[int, str], ...] = ()
    agreed: tuple[int, ...] = ()
    kept: Mapping[str, Any] | None = None
    session_over: bool = False


@dataclass(slots=True)
class DealInPlay:
    """A deal that has begun, by what its table tells; `declared` are the events so far as plain values.

    `next_dealer` is who deals after it when somebody has said so before its result. `begin` is what its record begins
    with, where its host has said that. `entry` is the number of the entry with which it began.
    """

    deal: int
    dealer: int
    at_ms: int
    declared: list[Mapping[str, Any]]
    next_dealer: int | None = None
    begin: Mapping[str, Any] | None = None
    entry: int = 0
    _to_come: tuple[int, int | None] = field(default=(-1, None), init=False, repr=False, compare=False)

    def dealer_to_come(self, rules: GameRules) -> int | None:
        """Return who deals after it by what was declared, None while that is not certain."""
        if self._to_come[0] != len(self.declared):
            self._to_come = len(self.declared), rules.dealer_to_come(self.dealer, self.declared)
        return self._to_come[1]


Four = tuple[int, int, int, int]
"""Numbers of the players of seats 0 to 3."""
Results = tuple[tuple[int, int, str], ...]
"""Deals, the numbers of the entries that their results stand in, and their status."""


@dataclass(slots=True)
class TableSheet:
    """A table in a session; `table` counts from 1. `past` are results that were replayed.

    `seated` has, by the first deal in which they sat there, the players of the seats; `players` are the latest ones.
    `agreed` has, by player, the results that they have signed themselves.
    `dealers` are those of deals that were drawn for all tables.
    `begun` are deals without a result: the one in play, and those whose results are still to be told or declared.
    """

    session: int
    table: int
    seated: dict[int, Four]
    clock: Clock = field(default_factory=Clock)
    deals: dict[int, DealResult] = field(default_factory=dict)
    past: list[DealResult] = field(default_factory=list)
    begun: dict[int, DealInPlay] = field(default_factory=dict)
    signed_off: bool = False
    agreed: dict[int, Results] = field(default_factory=dict)
    dealers: dict[int, int] = field(default_factory=dict)

    @property
    def played(self) -> int:
        """How many deals have been played, those voided among them."""
        return len(self.deals)

    @property
    def players(self) -> Four:
        """Who sits there now."""
        return self.seated[max(self.seated)]

    @property
    def all_players(self) -> tuple[int, ...]:
        """Who has a part in this table: those who sit there now by seat, then those who have sat there in a deal."""
        of_deals = (player for deal in (*self.past, *self.deals.values()) for player in deal.players)
        return tuple(dict.fromkeys((*self.players, *of_deals)))

    def players_in(self, deal: int) -> Four:
        """Who sits there in a deal, be it played or not."""
        return self.seated[max(first for first in self.seated if first <= max(deal, 1))]

    def seat(self, player: int, seat: int, from_deal: int) -> None:
        """Let a player have a seat from a deal on, in which others have sat until now; their results stay theirs."""
        self.seated[from_deal] = self.players_in(from_deal)
        for first in [one for one in self.seated if one >= from_deal]:
            four = list(self.seated[first])
            four[seat] = player
            self.seated[first] = _four(four)

    def play_again(self, deal: int) -> None:
        """Let those who sit there now play a deal that others may have played; the deals behind it stay theirs."""
        self.seated |= {deal: self.players, deal + 1: self.players_in(deal + 1)}

    def exchange(self, players: Mapping[int, int], from_deal: int, to_deal: int | None) -> bool:
        """Let the deals from one to another, or all from one on, be those of other `players`, by who had them.

        Say whether there was anybody to exchange.
        """
        if players.keys().isdisjoint(player for four in self.seated.values() for player in four):
            return False
        self.seated[from_deal] = self.players_in(from_deal)
        if to_deal is not None:
            self.seated[to_deal + 1] = self.players_in(to_deal + 1)
        before = dict(self.seated)
        for first, four in before.items():
            if from_deal <= first <= (to_deal or first):
                self.seated[first] = _four(players.get(one, one) for one in four)
        for deal in (*self.past, *self.deals.values()):
            if from_deal <= deal.deal <= (to_deal or deal.deal):
                deal.players = _four(players.get(one, one) for one in deal.players)
        return self.seated != before

    @property
    def is_over(self) -> bool:
        """Whether the game's rounds are played, whatever time is left."""
        return any(deal.session_over and deal.status == LIVE for deal in self.deals.values())

    @property
    def in_play(self) -> DealInPlay | None:
        """The deal that has begun last of those without a result."""
        return self.begun[max(self.begun)] if self.begun else None

    @property
    def next_number(self) -> int:
        """The number of the deal that begins next."""
        return max((*self.deals, *self.begun), default=0) + 1

    @property
    def next_deal(self) -> int:
        """The number of the deal whose result is to come next."""
        return min(self.begun, default=self.next_number)

    @property
    def next_dealer(self) -> int:
        """Who deals in that one: as it was drawn for all tables, else by SBR-8.1; the first dealer is seat 0."""
        if self.next_deal in self.dealers:
            return self.dealers[self.next_deal]
        last = max((number for number in self.deals if number < self.next_deal), default=None)
        return 0 if last is None else self.deals[last].next_dealer

    def kept_before(self, deal: int) -> Mapping[str, Any] | None:
        """Return what the game has kept for that deal, None before the first. A referee's word leaves it as it was."""
        known = [number for number, one in self.deals.items() if number < deal and one.kept is not None]
        return self.deals[max(known)].kept if known else None

    def is_balanced(self, deal: DealResult) -> bool:
        """Return whether what one player loses in a deal another one or the pot receives, fines aside (BAL-8.2)."""
        before = self.kept_before(deal.deal) or {}
        paid_in = int((deal.kept or before).get(POT, 0)) - int(before.get(POT, 0))
        return sum(deal.points) + paid_in == -deal.fines

    @property
    def unconfirmed(self) -> tuple[int, ...]:
        """The deals that the table has told and nobody has confirmed."""
        return tuple(number for number, deal in sorted(self.deals.items()) if not deal.confirmed)

    @property
    def unapproved(self) -> tuple[int, ...]:
        """The deals that wait for a referee's approval."""
        return tuple(number for number, deal in sorted(self.deals.items()) if not deal.approved)

    @property
    def results(self) -> Results:
        """What is signed at this table: its results as they are now."""
        return tuple((number, deal.entry, deal.status) for number, deal in sorted(self.deals.items()))

    @property
    def signers(self) -> tuple[int, ...]:
        """The players there who have signed these results themselves; a result that is changed is signed anew."""
        return tuple(player for player in self.players if self.agreed.get(player) == self.results)

    def counted(self) -> tuple[DealResult, ...]:
        """Return the deals that count, in order."""
        return tuple(deal for _, deal in sorted(self.deals.items()) if deal.status == LIVE)

    def points(self) -> tuple[int, int, int, int]:
        """Return the points of the seats so far."""
        total = [0, 0, 0, 0]
        for deal in self.counted():
            for seat, points in enumerate(deal.points):
                total[seat] += points
        return _four(total)

    def points_of_players(self) -> dict[int, int]:
        """Return the points of the deals here so far by who has played them."""
        found: dict[int, int] = {}
        for deal in self.counted():
            for player, points in zip(deal.players, deal.points, strict=True):
                found[player] = found.get(player, 0) + points
        return found


def _four(players: Iterable[int]) -> Four:
    a, b, c, d = players
    return a, b, c, d
