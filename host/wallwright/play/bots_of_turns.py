"""Bots at a simulated table that play any game of `rules.core.turns`: chows, flowers, a wall of two ends, a goulash.

What a bot decides comes from the game; what is then done, is done with the physical tiles, and the hands that are
declared are read from them. A goulash is built, broken and dealt as every deal; its exchanges are hand to hand, all
four at once. The game says who throws which dice for what, and in which order tiles leave the wall.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from ..journal.kinds.deals import DealMoves
from ..rules.core import acts
from ..rules.core.acts import Act
from ..rules.core.game import DEALER_KEYS, EAST, Plan, Throw, Throws, dealer_of
from ..rules.core.game_rules import GameRules
from ..rules.core.notation import ToldDeal, format_deal
from ..rules.core.sets import SetKind, TileSet
from ..rules.core.turn_state import ROBBED_KONG
from ..rules.core.turns import Turns
from ..rules.core.turns_game import TurnsGame
from ..rules.core.walls import DEALT, Place
from .panel import Panel
from .people_at_table import SHOW_HANDS_MS, PeopleAtTable, broken_at
from .score_sheet import Clock, RecordLog, TurnsSheet

THINK_MS = {
    acts.DRAW: 1_000,
    acts.REPLACE: 1_500,
    acts.FLOWER: 1_000,
    acts.DISCARD: 2_000,
    acts.GIVE: 1_500,
    acts.CHOW: 1_500,
    acts.PUNG: 1_500,
    acts.KONG: 2_000,
    acts.HU: 3_000,
}
"""Typical times of amateur players."""
SMART = "smart"
_SAID = (*DEALER_KEYS, "first_dealer", "hands_played")


@dataclass(frozen=True, slots=True)
class TurnsReport:
    """One deal as it went, `told` move by move, with the throws before it and the walls that they broke.

    `declared` is the deal as `wallwright rules settle` takes it, `settled` what that answers, `kept` the begin of the
    next deal's record. `waited_ms` is how long the people had to wait for the walls when they were ready for them.
    """

    number: int
    thrown: tuple[tuple[Throw, tuple[int, ...]], ...]
    wall_break: Mapping[str, int]
    plan: Plan
    waited_ms: int
    told: ToldDeal
    declared: Mapping[str, Any]
    settled: Mapping[str, Any]
    winners: tuple[int, ...]
    kept: Mapping[str, Any]

    @property
    def dealer(self) -> int:
        """The seat that dealt, or was East."""
        return dealer_of(self.told.begin)

    @property
    def dice(self) -> tuple[int, ...]:
        """The dice by which the wall was cut."""
        return self.thrown[-1][1]

    @property
    def points(self) -> tuple[int, ...]:
        """What the deal brings each seat."""
        return tuple(self.settled["points"])

    @property
    def remark(self) -> str:
        """What a person is told of the deal besides, such as the wind of the round and the pot of a goulash."""
        begin = self.told.begin.items()
        said = (key if value is True else f"{key} {value}" for key, value in begin if key not in _SAID and value)
        return ", ".join(said).replace("_", " ")

    def record(self) -> dict[str, Any]:
        """Return it as plain values: one line of `wallwright demo --json`."""
        return {
            "deal": self.number,
            "dealer": self.dealer,
            "throws": [
                {"purpose": throw.purpose, "seat": throw.seat, "dice": list(dice)} for throw, dice in self.thrown
            ],
            "dice": list(self.dice),
            "break": dict(self.wall_break),
            "plan": list(self.plan),
            "begin": dict(self.told.begin),
            "end": self.told.deal.state.end,
            "winners": list(self.winners),
            "points": list(self.points),
            "next_dealer": dealer_of(self.kept),
            "kept": dict(self.kept),
            "record": dict(self.declared),
        }


class TurnsTable(PeopleAtTable):
    """A table with four smart bots who play by `rules`, of a game of turns."""

    def __init__(
        self,
        simulation: Any,
        panel: Panel,
        journal: RecordLog,
        clock: Clock,
        rules: GameRules,
        game: TurnsGame,
        rng: Random,
        watch: Callable[[str], None],
        first: int = 1,
    ) -> None:
        super().__init__(simulation, panel, journal, clock, rng, watch, first)
        self._rules = rules
        self._game = game
        self._offered = -1
        self._left: dict[str, Iterator[Place]] = {}
        self._taken: set[Place] = set()

    def throw_for_east(self, ask: Callable[[int], None]) -> int:
        """Everybody throws, the highest are left and throw again, until one is left: return that seat, which is East.

        `ask(seat)` has the table ask a seat for its throw.
        """
        left = [0, 1, 2, 3]
        while len(left) > 1:
            sums = {}
            for seat in left:
                ask(seat)
                sums[seat] = sum(self._throw(Throw(EAST, seat, 0)))
            left = [seat for seat in left if sums[seat] == max(sums.values())]
        return left[0]

    def play(self, deals: int, *, dealer: int = 0, kept: Mapping[str, Any] | None = None) -> Iterator[TurnsReport]:
        """Play so many deals, the first with the walls that come up next; yield each when settled.

        `kept` is what the deal before has left; without one the session begins, and `dealer` deals or is East. Their
        numbers are the board's.
        """
        begin = self._rules.begin_with(dealer) if kept is None else kept
        for _ in range(deals):
            report = self._play_deal(begin)
            begin = report.kept
            yield report

    def _play_deal(self, kept: Mapping[str, Any]) -> TurnsReport:
        rules, game, dealer = self._rules, self._game, dealer_of(kept)
        waited_ms = self._wait_for_walls(dealer)
        number = self._bring_walls_up(dealer)
        plan = self._plan
        thrown = self._make_throws(rules.asked(kept))
        throws: Throws = tuple(dice for _, dice in thrown)
        with self._seeing(dealer):
            begin, order = game.begin(rules.asked(kept), throws, plan)
        where = broken_at(order.head)
        start: dict[str, Any] = {"dice": throws[-1], "break": where, "plan": plan}
        start |= {"throws": throws} if len(throws) > 1 else {}
        sheet = TurnsSheet(rules, number, begin, self._journal, unit=self._unit, clock=self._clock, start=start)
        self._watch(f"dealing after {' and '.join(map(str, throws[-1]))}")
        hands = self._deal_out(order.head[:DEALT], dealer)
        self._taken = set(order.head[:DEALT])
        self._left = {acts.DRAW: iter(order.head[DEALT:]), acts.REPLACE: iter(order.tail)}
        with self._seeing(dealer):
            deal = game.start(rules.asked(begin), hands, len(order.head) - DEALT)
        times = self._play_tiles(deal)
        self._panel.rest(SHOW_HANDS_MS)
        told = ToldDeal(rules, begin, deal)
        standing = [self._standing(seat) for seat in range(4)]
        won = deal.state.won
        if won is not None and won.by == ROBBED_KONG and won.from_ is not None and won.tile is not None:
            standing[won.from_].remove(won.tile)  # it is on its way to the kong, and then the winner's
        declared = game.declare(rules.written(begin), deal, standing)
        self._take_winning_tile(deal)
        settled, kept = sheet.end(declared, deal)
        sheet.write(DealMoves(deal=number, text=format_deal(told), times=times, doubtful=(), notices=()))
        winners = game.winners(rules.asked(declared))
        return TurnsReport(number, thrown, where, plan, waited_ms, told, declared, settled, winners, kept)

    def _make_throws(self, asked: Mapping[str, Any]) -> tuple[tuple[Throw, tuple[int, ...]], ...]:
        """Throw what the game wants thrown before the deal."""
        made: list[tuple[Throw, tuple[int, ...]]] = []
        while (throw := self._game.throw(asked, tuple(dice for _, dice in made))) is not None:
            made.append((throw, self._throw(throw)))
        return tuple(made)

    def _play_tiles(self, deal: Turns) -> tuple[int, ...]:
        """Play to the end; return when each act was, in ms since the board's start."""
        times: list[int] = []
        choose = [self._game.player(deal, seat, SMART) for seat in range(4)]
        while not deal.is_over:
            for call in deal.calls():
                deal.apply(call)
            legal = deal.legal()
            seat, verb = legal[0].seat, legal[0].verb
            if verb in self._left:
                with self._seeing(seat):
                    act = Act(seat, verb, self._take(seat, self._next_place(verb)))
                    self._do(deal, act)
            else:
                act = legal[0] if len(legal) == 1 else choose[seat](legal, self._rng)
                self._do(deal, act)
            times += [self._board_ms] * (len(deal.log) - len(times))
            self._watch(f"playing, {deal.left} tiles in the wall")
            self._panel.rest(THINK_MS.get(act.verb, 0))
        return tuple(times)

    def _next_place(self, verb: str) -> Place:
        """The first place of an end that the other end has not had."""
        place = next(place for place in self._left[verb] if place not in self._taken)
        self._taken.add(place)
        return place

    def _do(self, deal: Turns, act: Act) -> None:
        """Apply an act, and do with the tiles what follows from it."""
        sets = deal.state.sets
        deal.apply(act)
        if act.verb == acts.DISCARD and act.tile is not None:
            self._offered = self._held(act.seat, act.tile)
            self._players.discard(act.seat, self._offered)
        elif act.verb == acts.FLOWER and act.tile is not None:
            self._players.meld(act.seat, [self._held(act.seat, act.tile)])
        self._hand_over(deal.handed())
        for seat in range(4):
            for at, made in enumerate(deal.state.sets[seat]):
                if at >= len(sets[seat]):
                    self._lay(seat, made)
                elif made != sets[seat][at]:
                    self._lay_onto_pung(seat, made.tile)

    def _hand_over(self, handed: tuple[tuple[int, int, int], ...]) -> None:
        """All tiles of an exchange go at once, so that nobody passes on what comes with it."""
        chosen: list[tuple[int, int, int]] = []
        for seat, kind, to in handed:
            given = {tile for _, tile, _ in chosen}
            chosen.append((seat, next(tile for tile in self._all_held(seat, kind) if tile not in given), to))
        for seat, tile, to in chosen:
            self._players.hand_over(seat, tile, to)

    def _lay(self, seat: int, made: TileSet) -> None:
        """Lay a new set down, with the tile that was discarded unless it is a concealed kong."""
        tiles: list[int] = []
        if not made.is_concealed:
            self._players.claim(seat, self._offered)
            tiles.append(self._offered)
        own = list(made.tiles)
        for tile in tiles:
            own.remove(self._kind(tile))
        for kind in own:
            tiles.append(next(tile for tile in self._all_held(seat, kind) if tile not in tiles))
        self._players.meld(seat, tiles)

    def _take_winning_tile(self, deal: Turns) -> None:
        """The winner takes the tile that another one gave; of a kong that was robbed it lies there first."""
        won = deal.state.won
        if won is None or won.from_ is None or won.tile is None:
            return
        if won.by == ROBBED_KONG:
            pungs = [one for one in deal.state.sets[won.from_] if one.kind is SetKind.PUNG and one.tile == won.tile]
            if pungs:
                self._offered = self._lay_onto_pung(won.from_, won.tile)
            else:
                self._offered = self._held(won.from_, won.tile)
                self._players.meld(won.from_, self._all_held(won.from_, won.tile))
        self._players.claim(won.winners[0], self._offered)
