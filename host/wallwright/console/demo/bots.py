"""Four bots at a simulated table that has real time to keep: they look at its panel, press its keys, and play deals.

A `PlayedTable` plays as it does in `wallwright demo`; it runs in a thread of its own that takes turns with the hall's,
so that only one of the two ever runs.
"""

import re
import threading
from collections.abc import Callable, Mapping
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from wallwright_protocol.link import NEVER

from ...playing import DealReport, PlayedTable
from ...rules.bots import SmartBot
from ...rules.notation import format_deal
from ...rules.ruleset import load_ruleset
from ...table import Table
from ...tracking.moves import MOVES
from ...values import Event
from ...wall_clock import wall_ms

LOOK_MS = 250
"""People look at their panel this often."""
PATIENCE_MS = 3_000
"""After this long without an effect a key is pressed again: a fault had come in between, or the table was busy."""
DEALS = 10_000
"""More than anybody watches."""

_TEXTS = {"ready": "READY", "lid_open": "DROP", "shuffling": "BUILD"}
"""What the displays show in a state. A table that has shuffled builds at once."""

Tell = Callable[[str, Mapping[str, Any]], None]


class Bots:
    """People of a `wallwright_simulator.hall.Hall` who play one deal after another, first at `first_ms`.

    `tell(kind, body)` hears the records of the score sheet, and "wall" with the tiles left.
    """

    def __init__(self, simulation: Any, seed: int, first_ms: int, tell: Tell) -> None:
        self.due_ms = first_ms
        self._turn = threading.Semaphore(0)
        self._done = threading.Semaphore(0)
        self._failure: BaseException | None = None
        players = _CountedPlayers(simulation.players, simulation.world, tell)
        panel = PanelTable(simulation, self._rest)
        played = PlayedTable(
            SimpleNamespace(world=simulation.world, players=players),
            cast(Table, panel),
            _Records(tell),
            load_ruleset("sichuan"),
            (SmartBot(), SmartBot(), SmartBot(), SmartBot()),
            Random(f"bots {seed}"),
            lambda _: None,
        )
        self._simulation = simulation
        self._thread = threading.Thread(target=self._play, args=(played, tell), daemon=True)

    def act(self) -> None:
        """Let the bots do what is due; they say in `due_ms` when they want to be asked again."""
        if self._thread.ident is None:
            self._thread.start()
        else:
            self._turn.release()
        self._done.acquire()
        if self._failure is not None:
            raise self._failure

    def _play(self, played: PlayedTable, tell: Tell) -> None:
        try:
            for report in played.play(DEALS):
                unit = self._simulation.unit
                tell(MOVES, {**_moves(report), "at_ms": wall_ms(), "unit": unit})
        except BaseException as error:  # noqa: BLE001 (it is raised in the hall's thread)
            self._failure = error
        self.due_ms = NEVER
        self._done.release()

    def _rest(self, for_ms: int) -> None:
        """Called by the bots' thread: the hall goes on, and comes back `for_ms` later."""
        self.due_ms = self._simulation.now_ms + for_ms
        self._done.release()
        self._turn.acquire()


def _moves(report: DealReport) -> dict[str, Any]:
    """The record of a deal's moves, as a table makes one whose readers miss nothing; when they were is not known."""
    deal = report.deal
    times = [None] * len(deal.log)
    return {"deal": report.number, "text": format_deal(deal), "times": times, "doubtful": [], "notices": []}


class PanelTable:
    """A table as the people at it know it: what `PlayedTable` asks of a `Table`, read from the displays."""

    def __init__(self, simulation: Any, rest: Callable[[int], None]) -> None:
        self.info = SimpleNamespace(unit=simulation.unit)
        self._simulation = simulation
        self._rest = rest
        self._seat = 0
        self._built_ms = 0
        self._walls = 0

    @property
    def state(self) -> str:
        """The state that the displays show, "" for another one."""
        return next((state for state, text in _TEXTS.items() if text == self._shown()), "")

    def wall_ms(self) -> int:
        """Return ms since 1970."""
        return wall_ms()

    def pump(self, timeout_ms: int) -> None:
        """Let so much of the table's time pass."""
        self._rest(timeout_ms)

    def set_plan(self, plan: Any, dealer: int = 0, hold: bool = False) -> None:  # noqa: ARG002 (a host's business)
        """Remember who presses the keys; the walls are built as the table has them."""
        self._seat = dealer

    def start_build(self) -> None:
        """The table builds by itself as soon as a set was pushed in."""
        self._built_ms = self._simulation.now_ms

    def lower_lifts(self) -> None:
        """Roll the dice, after which the lifts go down."""
        self._simulation.players.press_dice(self._seat)

    def wait_state(self, state: str, timeout_ms: int) -> None:  # noqa: ARG002 (people wait until somebody has helped)
        """Wait for a state that the displays show."""
        self._wait(_TEXTS[state])

    def wait_for(self, name: str, timeout_ms: int) -> Event:  # noqa: ARG002 (as above)
        """Wait for "build_done", "walls_up" or "dice_rolled"; the event has what the people can see of it."""
        if name == "build_done":
            self._wait("READY")
            stacks = tuple(len(head.carrier) for head in self._simulation.world.heads)
            return Event(0, 0, 0, name, {"stacks": stacks, "duration_ms": self._simulation.now_ms - self._built_ms})
        if name == "walls_up":
            self._wait(r"DICE\?")
            self._walls += 1
            return Event(0, 0, 0, name, {"deal": self._walls})
        first, second = (int(die) for die in self._wait(r"([1-6]) ([1-6]).*").groups())
        return Event(0, 0, 0, name, {"dice": (first, second)})

    def _wait(self, wanted: str) -> re.Match[str]:
        since_ms = self._simulation.now_ms
        while (shown := re.fullmatch(wanted, self._shown())) is None:
            if self._simulation.now_ms - since_ms >= PATIENCE_MS:
                since_ms = self._simulation.now_ms
                self._press_what_is_asked_for()
            self._rest(LOOK_MS)
        return shown

    def _press_what_is_asked_for(self) -> None:
        players = self._simulation.players
        if self._shown() in ("START?", "READY", "DROP", "TILE?", "RAISE?", "LOWER?"):
            players.press_lift(self._seat)
        elif self._shown() == "DICE?":
            players.press_dice(self._seat)

    def _shown(self) -> str:
        return str(self._simulation.board.displays[0])


class _CountedPlayers:
    """The simulator's players; how much of the wall they have taken is told."""

    def __init__(self, players: Any, world: Any, tell: Tell) -> None:
        self._players = players
        self._world = world
        self._tell = tell
        self._taken = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._players, name)

    def draw_in(self) -> None:
        """Draw four new walls in."""
        self._players.draw_in()
        self._taken = 0

    def take(self, seat: int, places: Any) -> Any:
        """Take one tile from the wall."""
        self._taken += 1
        self._tell("wall", {"taken": self._taken})
        return self._players.take(seat, places)


class _Records:
    """The journal of a score sheet: its records go to the host, which keeps the journal."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Tell the record; it has no number here."""
        self._tell(kind, {**body, "at_ms": at_ms, "unit": unit})
        return 0
