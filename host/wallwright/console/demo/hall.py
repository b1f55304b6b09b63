"""The hall of `wallwright serve --demo` as the server has it: a program of its own beside it, and somebody who helps.

What the bots declare is kept in its journal, where it counts in a tournament, and shown as the progress of play. A
table that stands still with a fault is put right after a while, unless somebody at the console was faster.
"""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from ...errors import JournalError, WallwrightError
from ...event.format import CALL_ESCALATES
from ...fleet import Fleet, HallConfig, TableConfig
from ...fleet.state import CONNECTED
from ...journal.kinds import Record, read_record
from ...journal.kinds.deals import DealResult, DealStarted, Declared
from ...link.discovery import Sought
from ...rules.core.registry import DEFAULT
from ...rules.found import find_rules
from ...table.table import Table
from ..hall.late import TableClock
from ..hall.model import Payment, Play, Result, ShownHand
from ..tournament.book import Book
from .event import begin_event, format_of
from .program import EARLIER_MS

TABLES = 12
ROW = 6
"""Tables are called A1 to A6, B1 to B6."""
HELP_AFTER_S = 45.0
"""A fault stays for this long, so that people see it, unless somebody clears it."""
LOOK_S = 1.0


class DemoHall:
    """The simulated hall, from `with` to its end; `config` says where its tables are, `of` how their deals go."""

    def __init__(self, folder: Path, seed: int, game: str = DEFAULT) -> None:
        rules = find_rules(game)
        event_format = format_of(rules)
        program = (sys.executable, "-m", "wallwright.console.demo.program")
        command = [*program, str(TABLES), str(seed), game, event_format.movement]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="ascii"
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._orders = self._process.stdin
        self._lines = self._process.stdout
        names = tuple(f"{chr(65 + number // ROW)}{number % ROW + 1}" for number in range(TABLES))
        opening = json.loads(self._lines.readline())
        tables = tuple(TableConfig(name, Sought(port)) for name, port in zip(names, opening["ports"], strict=True))
        self.config = HallConfig(folder / "demo.journal", folder / "reports", tables, ruleset=rules)
        self._names = names
        self._play: dict[str, Play] = {}
        self._hands: dict[str, list[ShownHand]] = {name: [] for name in names}
        earlier = json.loads(self._lines.readline())
        for told in earlier:
            self._note(told)
        start_ms = opening["open_ms"] - EARLIER_MS
        begin_event(str(self.config.journal), event_format, opening["units"], earlier, start_ms, seed)
        self._book: Book | None = None
        self._faults: dict[str, float] = {}
        self._over = threading.Event()
        self._threads: list[threading.Thread] = []

    def __enter__(self) -> Self:
        """Return the hall itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End it."""
        self._over.set()
        self._orders.close()
        self._process.terminate()
        self._process.wait()
        for thread in self._threads:
            thread.join()
        self._lines.close()

    def start(self, fleet: Fleet, book: Book | None) -> None:
        """Keep what is declared in the fleet's journal, and help its tables, from now on; `book` has the tournament."""
        self._book = book
        for target in (self._read, self._help):
            thread = threading.Thread(target=target, args=(fleet,), name="demo")
            self._threads.append(thread)
            thread.start()

    @property
    def call_escalates_min(self) -> int:
        """See Progress.call_escalates_min."""
        return CALL_ESCALATES if self._book is None else self._book.call_escalates_min

    def of(self, table: str, unit: str | None) -> Play | None:
        """See Progress.of: the bots know the tiles, the tournament who sits there and what it has come to."""
        play = self._play.get(table)
        sheet = None if self._book is None else self._book.of(table, unit)
        if play is None or sheet is None:
            return play or sheet
        last = play.last
        if last is not None and sheet.last is not None:
            last = replace(last, deal=sheet.last.deal)
        return replace(play, deal=sheet.deal, points=sheet.points, last=last, names=sheet.names)

    def clock_of(self, unit: str | None) -> TableClock | None:
        """See Progress.clock_of."""
        return None if self._book is None else self._book.clock_of(unit)

    def number_of(self, unit: str | None) -> int | None:
        """See Progress.number_of."""
        return None if self._book is None else self._book.number_of(unit)

    def _read(self, fleet: Fleet) -> None:
        for line in self._lines:
            told = json.loads(line)
            self._note(told)
            try:
                fleet.record(told["kind"], _body(told), at_ms=told["at_ms"], unit=told["unit"])
            except JournalError:
                if self._over.is_set():
                    return
                raise

    def _note(self, told: Mapping[str, Any]) -> None:
        """Show what was said at a table."""
        number, said = told["table"], read_record(told["kind"], _body(told))
        table = self._names[number]
        self._play[table] = _progress(self._play.get(table), said, self._hands[table])

    def _help(self, fleet: Fleet) -> None:
        while not self._over.wait(LOOK_S):
            for number, table in enumerate(fleet.state().tables):
                status = table.status
                if table.link != CONNECTED or status is None or status.fault is None:
                    self._faults.pop(table.name, None)
                elif time.monotonic() - self._faults.setdefault(table.name, time.monotonic()) > HELP_AFTER_S:
                    print(f"mend {number}", file=self._orders, flush=True)
                    self._clear(fleet, table.name)

    def _clear(self, fleet: Fleet, table: str) -> None:
        """Clear its fault; where that cannot be done yet, the next look finds the fault again."""
        try:
            fleet.call(table, Table.clear_fault).result()
        except WallwrightError:
            return


def _body(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a line says, without where and when."""
    return {name: value for name, value in told.items() if name not in ("table", "kind", "at_ms", "unit")}


def _progress(known: Play | None, said: Record, hands: list[ShownHand]) -> Play:
    """Return how it stands after a line of the hall; `hands` collects what was shown of the deal in play."""
    before = known or Play(0, 0)
    if isinstance(said, DealStarted):
        hands.clear()
        return replace(before, deal=said.deal, dealer=said.dealer, is_over=False)
    if isinstance(said, Declared):
        hands.extend(_winning_hand(said.event, winner) for winner in said.event.get("winners", ()))
        return before
    if not isinstance(said, DealResult):
        return before
    hands.extend(ShownHand(hand["seat"], hand["standing"]) for hand in said.hands)
    hands.extend(_hands_of(said.record or {}))
    assert before.points is not None, "the bots hide nothing"
    first, second, third, fourth = (a + b for a, b in zip(before.points, said.points, strict=True))
    return replace(before, points=(first, second, third, fourth), last=_result(said, tuple(hands)), is_over=True)


def _hands_of(record: Mapping[str, Any]) -> Iterator[ShownHand]:
    """The hands in the record of a deal of another game than Sichuan: its winners', or by seat whoever showed one."""
    for event in record.get("events", ()):
        yield from (_winning_hand(event, winner) for winner in event.get("winners", ()))
    for seat, hand in enumerate(record.get("hands", ())):
        if hand is not None and "standing" in hand:
            melds = tuple(meld["tiles"] for meld in hand.get("melds", ()))
            won = (hand["winning"], record["by"], record.get("from")) if "winning" in hand else ()
            yield ShownHand(seat, hand["standing"], melds, *won)


def _winning_hand(event: Mapping[str, Any], winner: Mapping[str, Any]) -> ShownHand:
    melds = tuple(meld["tiles"] for meld in winner.get("melds", ()))
    return ShownHand(winner["seat"], winner["standing"], melds, winner["winning"], event["by"], event.get("from"))


def _result(said: DealResult, hands: tuple[ShownHand, ...]) -> Result:
    payments = tuple(Payment(one.from_, one.to, one.points, one.clause, one.why) for one in said.payments)
    return Result(said.deal, said.points, tuple(dict.fromkeys(said.winners)), payments, hands)
