"""The score sheet of one deal: what players declare at the table goes through here, from a scorer or a program.

Every declaration is in the journal before it counts; the result is one more entry. Nothing here knows how the tiles got
where they are.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from ..journal.kinds import Record, make_record, stored
from ..journal.kinds.deals import DealerCalled, DealResult, DealStarted, Declared
from ..rules.core.followed import FollowedDeal
from ..rules.core.game import SessionGame, dealer_of
from ..rules.core.game_rules import GameRules
from ..rules.core.notation import ToldDeal
from ..rules.core.turns import Turns
from ..rules.sichuan.deal import Deal
from ..rules.sichuan.declarations import event_record, hand_record
from ..rules.sichuan.declared import DeclaredDeal
from ..rules.sichuan.events import End, Event, FinalHand
from ..rules.sichuan.records import settlement_record
from ..rules.sichuan.ruleset import Ruleset
from ..rules.sichuan.settlement import Settlement


class RecordLog(Protocol):
    """Where results are kept for good: `wallwright.journal.Journal`."""

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Return after the record is safe on disk."""


class Clock(Protocol):
    """Says what time to write into the journal."""

    def __call__(self) -> int:
        """Return ms since 1970, or since power-up at a simulated table."""


class ScoreSheet:
    """One deal at the table `unit`: `deal` is its number, `dealer` the dealer's seat.

    `start` is written into the journal as it is: dice, break, plan, whatever the caller knows of the deal.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        deal: int,
        dealer: int,
        journal: RecordLog,
        *,
        unit: str,
        clock: Clock,
        start: Mapping[str, Any],
    ) -> None:
        self.deal = deal
        self._declared = DeclaredDeal(ruleset, dealer)
        self._journal = journal
        self._unit = unit
        self._clock = clock
        self._write(make_record(DealStarted, {"deal": deal, "dealer": dealer, "ruleset": ruleset.name, **start}))

    def declare(self, event: Event) -> None:
        """Note a kong, a Hu or a breach. ImpossibleDeal, and no entry, when it cannot follow what was declared."""
        self._declared.add(event)
        self._write(Declared(deal=self.deal, event=event_record(event)))

    def call_dealer(self, dealer: int) -> None:
        """Note who deals next, when that is certain before the result is."""
        self._write(DealerCalled(deal=self.deal, dealer=dealer))

    def end(self, end: End, hands: Iterable[FinalHand]) -> Settlement:
        """Note the deal's end and the hands shown, and settle. ImpossibleDeal, and no entry, when it cannot be."""
        shown = tuple(hands)
        self._declared.end(end, shown)
        settlement = self._declared.settle()
        told = {"deal": self.deal, "end": end, "hands": [hand_record(hand) for hand in shown]}
        self._write(make_record(DealResult, told | settlement_record(settlement)))
        return settlement

    def _write(self, said: Record) -> None:
        self._journal.append(*stored(said), at_ms=self._clock(), unit=self._unit)


class TurnsSheet:
    """One deal of a game of `rules.core.turns` at the table `unit`; `begin` is what its record begins with."""

    def __init__(
        self,
        rules: GameRules,
        deal: int,
        begin: Mapping[str, Any],
        journal: RecordLog,
        *,
        unit: str,
        clock: Clock,
        start: Mapping[str, Any],
    ) -> None:
        self.deal = deal
        self._rules = rules
        self._journal = journal
        self._unit = unit
        self._clock = clock
        said: dict[str, Any] = {"deal": deal, "dealer": dealer_of(begin), "ruleset": rules.preset, "begin": begin}
        said |= {"options": rules.own_options} if rules.own_options else {}
        self.write(make_record(DealStarted, {**said, **start}))

    def end(self, record: Mapping[str, Any], deal: Turns) -> tuple[dict[str, Any], dict[str, Any]]:
        """Note how the deal ended; return its settlement, and what the next deal's record begins with.

        RulesError, and no entry, when it cannot have happened.
        """
        game, asked, won = self._rules.game, self._rules.asked(record), deal.state.won
        settled: dict[str, Any] = game.settle(asked)
        kept = game.next_deal(asked, settled)
        points = settled["points"]
        told: dict[str, Any] = {
            "deal": self.deal,
            "end": deal.state.end,
            "hands": (),
            "points": points,
            "payments": [one for one in settled["payments"] if {type(one["from"]), type(one["to"])} == {int}],
            "penalties": (),
            "hu": [
                {"seat": seat, "by": won.by, "from": won.from_, "false": False, "value": points[seat]}
                for seat in game.winners(asked)
                if won is not None
            ],
            "kongs": (),
            "next_dealer": dealer_of(kept),
            "record": dict(record),
            "kept": kept,
        }
        if isinstance(game, SessionGame) and game.is_session_over(asked, settled):
            told["session_over"] = True
        self.write(make_record(DealResult, told))
        return settled, kept

    def write(self, said: Record) -> None:
        """Keep a record about the table."""
        self._journal.append(*stored(said), at_ms=self._clock(), unit=self._unit)


def sheet_of_played(
    played: FollowedDeal, number: int, journal: RecordLog, *, unit: str, clock: Clock, start: Mapping[str, Any]
) -> None:
    """Note a deal that is over, and was told move by move: its start, what would have been declared, its result."""
    if isinstance(played, ToldDeal):
        turns = TurnsSheet(played.ruleset, number, played.begin, journal, unit=unit, clock=clock, start=start)
        turns.end(played.declared(), played.deal)
        return
    assert isinstance(played, Deal), "there are these two forms of a score sheet"
    declared = played.declared()
    sheet = ScoreSheet(played.ruleset, number, played.dealer, journal, unit=unit, clock=clock, start=start)
    for event in declared.events:
        sheet.declare(event)
    assert declared.ended is not None
    sheet.end(declared.ended, declared.hands)
