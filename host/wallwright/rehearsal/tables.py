"""The tables of a rehearsal: simulated ones with boards, worlds and bots, and one without a board, as at any event.

Where all tables play the same deals, those with boards sort their tiles, and a director has their walls built.

Each has the time of its own world; `offset_ms` is what the hall's clock showed when it was switched on.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Any

from wallwright_protocol.dice import CONTRIBUTION_SIZE
from wallwright_protocol.settings import DICE_COUNT

from ..duplicate.deals import Deals, dealt
from ..errors import LinkError, TableError
from ..event import results
from ..event.desk import Desk
from ..event.next_dealers import coming_at
from ..event.table_sheet import TableSheet
from ..link.reports import Event
from ..link.simulator import read_hardware, simulated_table, simulator
from ..play.bots_of_turns import TurnsTable
from ..play.panel import Panel
from ..play.people import Report, people_at
from ..play.turns_in_heads import declared_deal
from ..rules.core.turns_game import TurnsGame
from ..rules.sichuan.bots import SmartBot
from ..rules.sichuan.deal import Deal
from ..rules.sichuan.declarations import deal_record
from ..rules.sichuan.doubts import doubts, say_of_hands
from ..rules.sichuan.play import play, shuffled_deal
from ..table.next_walls import Coming
from ..table.operated import Operated
from ..table.table import open_table
from ..tiles.enrolment import Enrolment
from .director import Director, ToldLog

BY_HAND_MS = 260_000
"""A deal at a table without a board: built by hand, played, noted by a scorer."""
SECOND_MS = 1000
RING_MAGNETS = 18
"""Of a table that sorts its tiles."""
LONG_SESSION = 1000
"""More deals than any session has: the hall decides before each whether it is played."""


class HallLog:
    """The journal as a table's host has it: times of the table's world become the hall's."""

    def __init__(self, desk: Desk, offset_ms: int) -> None:
        self._desk = desk
        self._offset_ms = offset_ms

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        """See `wallwright.link.event_log.EventLog`; the event's state follows what concerns it."""
        return self._desk.append_event(unit, event, at_ms=at_ms + self._offset_ms)

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """See `wallwright.link.event_log.EventLog`; the event's state follows at once."""
        return self._desk.append(kind, body, at_ms=at_ms + self._offset_ms, unit=unit)


class BoardTable:
    """A simulated table, switched on at `offset_ms` of the hall's time, with faults of its own; bots play at it.

    With `deals` its ring sorts its tiles, and a director has it build those of `numbers`, one after the other;
    `wrong` says in sentences which of its walls were others.
    """

    def __init__(
        self,
        seed: int,
        desk: Desk,
        offset_ms: int,
        faults: str,
        deals: Deals | None = None,
        numbers: Sequence[int] = (),
    ) -> None:
        script = simulator("faults").parse_faults(faults) if faults else ()
        rules = desk.format.game
        tiles, dice = rules.game.table(rules.asked({}))
        self.offset_ms = offset_ms
        hardware = read_hardware("plain", None, None) if deals is None else read_hardware("ring", RING_MAGNETS, None)
        self._simulation = simulated_table(seed, tiles, faults=script, wash_s=None, hardware=hardware)
        self._port = simulator("simulation").attach(f"rehearsal-{seed}", self._simulation)
        self._log = ToldLog(HallLog(desk, offset_ms))
        contribution = partial(Random(f"contributions {seed}").randbytes, CONTRIBUTION_SIZE)
        self._table = open_table(self._port, journal=self._log, contribution=contribution)
        self.unit: str = self._table.info.unit
        if self._table.last_status.dice_count != dice:
            self._table.request("set_setting", DICE_COUNT, dice)
        self._desk = desk
        self._seen = (-1, 0)
        self._known: Coming | None = None
        self._operated = Operated(self._table, self._coming)
        self.wrong: list[str] = []
        self._director: Director | None = None
        if deals is not None:
            world = self._simulation.world
            tags = Enrolment(self.unit, world.tiles, (world.tags(0), world.tags(1)))
            chance = Random(f"director {seed}")
            self._director = Director(self._table, tags, deals, numbers, self._log, chance)
        self._chance = Random(f"bots {seed}")

    @property
    def now_ms(self) -> int:
        """The hall's time at this table."""
        return self.offset_ms + int(self._simulation.now_ms)

    def wait_until(self, at_ms: int) -> None:
        """Let time pass, with nobody at the table."""
        if at_ms > self.now_ms:
            self._operated.run(at_ms - self.now_ms)

    def deals(self, sheet: TableSheet) -> Iterator[Report]:
        """Play from where the table is in the session, deal by deal. Raises LinkError and TableError at a fault."""
        panel = Panel(self._simulation, self._rest, self._operated.check)
        first = self._table.status().deal + 1
        event_format = self._desk.format
        people = people_at(
            event_format.ruleset,
            self._simulation,
            panel,
            self._log,
            self._table.wall_ms,
            self._chance,
            first=first,
        )
        dealer = sheet.next_dealer
        if self._director is not None:
            while True:
                number = sheet.next_deal
                (report,) = people.play(1, dealer=sheet.next_dealer)
                if not self._director.has_built(report.number):
                    self.wrong.append(f"table {sheet.table}: deal {number} had other walls than were drawn")
                yield report
        if isinstance(people, TurnsTable):
            kept = event_format.game.begin_of(dealer, sheet.kept_before(sheet.next_deal))
            yield from people.play(LONG_SESSION, kept=kept)
        else:
            yield from people.play(LONG_SESSION, dealer=dealer)

    def _rest(self, for_ms: int) -> None:
        self._operated.run(for_ms)
        if self._director is not None:
            self._director.look()

    def _coming(self) -> Coming | None:
        """Return who deals next here, looked up when something was written; time changes only what is certain of a
        session that is played.
        """
        known, state = self._known, self._desk.state
        is_timed = known is not None and known.is_certain and state.playing is not None
        seen = (state.changed_for(self.unit), self.now_ms // SECOND_MS if is_timed else 0)
        if seen != self._seen:
            self._seen = seen
            self._known = coming_at(state, self.unit, self.now_ms)
        return self._known

    def close(self) -> None:
        """Hang up. A board that does not answer any more is left as it is."""
        self._table.close()


class HandTable:
    """A table without a board: bots play with tiles in their heads, a scorer declares.

    With `deals` they have built the walls that all tables play, by the curtain cards.
    """

    unit = None
    wrong: Sequence[str] = ()

    def __init__(self, seed: int, desk: Desk, now_ms: int, deals: Deals | None = None) -> None:
        self.now_ms = now_ms
        self._desk = desk
        self._deals = deals
        self._chance = Random(f"by hand {seed}")

    def wait_until(self, at_ms: int) -> None:
        """Let time pass."""
        self.now_ms = max(self.now_ms, at_ms)

    def deals(self, sheet: TableSheet) -> Iterator[None]:
        """Play and declare, deal by deal."""
        while True:
            record = self._play(sheet)
            self.now_ms += BY_HAND_MS
            results.record_result(self._desk, results.preview(self._desk, sheet.session, sheet.table, record))
            yield None

    def _play(self, sheet: TableSheet) -> Mapping[str, Any]:
        event_format, dealer = self._desk.format, sheet.next_dealer
        rules = event_format.game
        game = rules.game
        if isinstance(game, TurnsGame):
            begin = rules.begin_of(dealer, sheet.kept_before(sheet.next_deal))
            return declared_deal(rules, game, begin, dealer, self._chance)
        bot = SmartBot()
        if self._deals is None:
            _, deal = shuffled_deal(event_format.sichuan, dealer, self._chance)
        else:
            deal = self._drawn_deal(self._deals, sheet)
        told = play(deal, (bot, bot, bot, bot), self._chance).declared()
        # The scorer looks at the hands.
        return say_of_hands(deal_record(told), doubts(told, told.settle()))

    def _drawn_deal(self, deals: Deals, sheet: TableSheet) -> Deal:
        """The deal that is due, with each player's own wall (SBR-11.9)."""
        known = self._desk.state.deals
        assert known is not None
        drawn = deals.deal(known.number(sheet.session, sheet.next_deal, self._desk.format.deals))
        found = dealt(deals.rules, deals.draws, drawn)
        hands, walls = [list(hand) for hand in found.hands], [list(wall) for wall in found.walls]
        hands[drawn.dealer].append(walls[drawn.dealer].pop(0))
        left = sum(map(len, walls))
        return Deal(self._desk.format.sichuan, drawn.dealer, hands, left, own_walls=walls)

    def close(self) -> None:
        """Do nothing."""


RehearsalTable = BoardTable | HandTable
FAULTS = (TableError, LinkError)
"""What ends a deal at a table: a fault that it does not get over, or a board that is gone."""
