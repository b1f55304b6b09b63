"""A watched table for scenarios: keys, hands, a protocol-level host, and waiting for what the panel shows.

Everything is seen and done from outside, so that a scenario runs the same whichever runtime the firmware is in.
"""

from collections.abc import Callable
from types import TracebackType
from typing import Any, NamedTuple

from tests.scenarios.watch import Plan, WatchedWorld
from wallwright_firmware.app import App
from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REPLIES, REQUESTS, STATUSES
from wallwright_protocol.hardware import (
    CONVEYOR,
    DEFAULT_PLANS,
    DICE_KEY,
    DISC,
    LIFT_KEY,
    SIDES,
    STANDARD_PARTS,
    drive_bit,
    input_number,
)
from wallwright_protocol.link import SILENCE_MS
from wallwright_protocol.names import REFUSALS
from wallwright_protocol.requester import Requester
from wallwright_simulator.board import SimulatedBoard
from wallwright_simulator.mechanics import BOUNCE_MS, KEY_PRESS_MS
from wallwright_simulator.readers import NO_READERS
from wallwright_simulator.simulation import WIRE_MS, Firmware, Simulation

MOTIONS = ("start_build", "open_lid", "raise_walls", "lower_lifts", "hurry")
"""The requests that start a motion."""

RELEASED_MS = KEY_PRESS_MS + BOUNCE_MS + 1
"""So long after a press a key can be pressed again."""

MakeFirmware = Callable[[SimulatedBoard, bytes, int], Firmware]


class Poll(NamedTuple):
    """One poll of the firmware, as seen from outside."""

    now_ms: int
    rx: bytes
    tx: bytes
    due: int
    mask: int


class Event(NamedTuple):
    """An event as the host got it; `lost` events before it were not held any more."""

    seq: int
    lost: int
    time_ms: int
    name: str
    values: dict[str, Any]


class Recorded:
    """A firmware whose polls are written down."""

    def __init__(self, firmware: Firmware, world: WatchedWorld) -> None:
        self.firmware = firmware
        self.polls: list[Poll] = []
        self._world = world
        self.due = firmware.due

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        tx = self.firmware.poll(now_ms, rx)
        self.due = self.firmware.due
        self.polls.append(Poll(now_ms, rx, tx, self.due, self._world.mask))
        return tx

    def close(self) -> None:
        close = getattr(self.firmware, "close", None)
        if close is not None:
            close()


class Table:
    """One table of world `seed` with the firmware that `firmware` makes; `polls` is what that firmware did.

    Its setting `wash_s` is 0, unless a scenario is about the wash.
    """

    def __init__(
        self,
        seed: int,
        *,
        firmware: MakeFirmware = App,
        tiles: int = 108,
        readers: int = NO_READERS,
        wash_s: int = 0,
        parts: int = STANDARD_PARTS,
    ) -> None:
        self.seed = seed
        self.world = WatchedWorld(seed, tiles, readers)
        self.world.plans = [DEFAULT_PLANS[tiles]]

        def recorded(board: SimulatedBoard, unit: bytes, tiles: int) -> Firmware:
            self._recorded = Recorded(firmware(board, unit, tiles), self.world)
            return self._recorded

        self.sim = Simulation(seed, tiles, world=self.world, firmware=recorded, wash_s=wash_s, parts=parts)
        self.world.shown = lambda: self.sim.board.displays[0]
        self.host: Host | None = None
        self._released_ms: dict[int, int] = {}
        self.run(1)

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._recorded.close()

    @property
    def now_ms(self) -> int:
        return self.sim.now_ms

    @property
    def polls(self) -> list[Poll]:
        return self._recorded.polls

    @property
    def shown(self) -> str:
        """What the panels show; they all show the same."""
        first, *others = self.sim.board.displays
        assert others == [first] * (SIDES - 1)
        return first

    def run(self, ms: int, done: Callable[[], bool] | None = None) -> bool:
        """Let `ms` go by, or less when `done` gets true; return whether it did."""
        end_ms = self.now_ms + ms
        while not (done and done()):
            if self.now_ms >= end_ms:
                return False
            due_ms = self.host.due if self.host else end_ms
            self.sim.run_until(max(self.now_ms, min(end_ms, due_ms, self.sim.next_ms())))
            if self.host:
                self.host.pump()
        return True

    def until(self, shown: str, limit_ms: int = 60_000) -> int:
        """Wait until the panels show this; return how long it took. AssertionError when they do not."""
        start_ms = self.now_ms
        assert self.run(limit_ms, lambda: self.shown == shown), (
            f"still {self.shown!r} after {limit_ms} ms, not {shown!r}"
        )
        return self.now_ms - start_ms

    @property
    def builds(self) -> bool:
        """Whether a build runs; the panels may show the dice of the deal meanwhile."""
        feeds = sum(drive_bit(side, CONVEYOR) for side in range(SIDES))
        return self.world.mask & DISC != 0 and self.world.mask & feeds != 0

    def until_building(self, limit_ms: int = 60_000) -> None:
        """Wait until a build runs."""
        assert self.run(limit_ms, lambda: self.builds), f"no build but {self.shown!r}"

    def until_fault(self, limit_ms: int = 90_000) -> str:
        """Wait until the panels show a fault; return what they show, such as `E01 S2`."""
        assert self.run(limit_ms, lambda: self.shown.startswith("E")), f"no fault in {limit_ms} ms but {self.shown!r}"
        assert self.world.mask == 0
        return self.shown

    def press_lift(self, side: int = 0) -> None:
        self.press(input_number(side, LIFT_KEY))

    def press_dice(self, side: int = 0) -> None:
        self.press(input_number(side, DICE_KEY))

    def build(self, side: int = 0) -> int:
        """From rest, by key, to walls that are ready; return how long it took."""
        self.press_lift(side)
        self.until_building(200)
        return self.until("READY")

    def raise_walls(self, side: int = 0) -> None:
        """From ready walls, by keys and hands, to walls on the table."""
        self.press_lift(side)
        self.until("DROP", 9_000)
        self.sim.players.push_in()
        self.run(500)
        self.press_lift(side)
        self.until("DICE?", 5_000)
        self.sim.players.draw_in()
        self.world.check_conserved()

    def connect(self, session: int = 7) -> "Host":
        """Let a host shake hands."""
        self.host = Host(self, session)
        self.host.connect()
        return self.host

    def disconnect(self) -> None:
        """The host's end of the wire falls silent."""
        self.host = None
        self.sim.read()

    def press(self, number: int) -> None:
        """Press the key of this input, which nobody presses any more."""
        self.run(max(0, self._released_ms.get(number, 0) - self.now_ms))
        self._released_ms[number] = self.now_ms + RELEASED_MS
        self.world.act()
        self.world.press(number)

    def built(self) -> Plan:
        """Stacks in the carriers, by side."""
        return tuple(len(head.carrier) for head in self.world.heads)


class Host:
    """The host's end of the link, nothing more. `keep` is whether it stores the events that it gets."""

    def __init__(self, table: Table, session: int) -> None:
        self.events: list[Event] = []
        self.statuses: list[dict[str, Any]] = []
        self.keep = True
        self.happened: list[tuple[Any, ...]] = []
        self.requester = Requester()
        self._table = table
        self._session = session

    @property
    def due(self) -> int:
        return self.requester.due

    def connect(self) -> tuple[int, int]:
        """Shake hands; return the numbers of the last event stored and of the newest."""
        self.requester.hello(self._table.now_ms, self._session)
        self._finish()
        kind, _, code, _, _, stored, newest = self.happened.pop()
        assert (kind, code) == ("hello", codes.OK)
        return stored, newest

    def request(self, name: str, *values: int | bytes) -> tuple[int, dict[str, Any]]:
        """Ask the board; return its code and the fields of the reply."""
        world = self._table.world
        message = NUMBER_OF[name]
        world.ask(name, values)
        self.requester.request(self._table.now_ms, message, REQUESTS[message].pack(*values))
        self._finish()
        kind, answered, code, payload = self.happened.pop()
        assert (kind, answered) == ("reply", message)
        world.answer(name, values, code == codes.OK)
        return code, REPLIES[message].unpack_named(payload) if code == codes.OK else {}

    def do(self, name: str, *values: int | bytes) -> dict[str, Any]:
        """Ask the board, which must do it; return the fields of the reply."""
        code, reply = self.request(name, *values)
        assert code == codes.OK, f"{name} refused: {REFUSALS[code]}"
        return reply

    def named(self, name: str) -> list[Event]:
        """The events of that name so far."""
        return [event for event in self.events if event.name == name]

    def pump(self) -> None:
        """Take what the board has sent, send what is due."""
        table = self._table
        now_ms = table.now_ms
        data = table.sim.read()
        for what in self.requester.receive(now_ms, data) if data else ():
            self._take(what)
        for what in self.requester.poll(now_ms):
            self._take(what)
        tx = self.requester.take()
        if tx:
            table.sim.write(tx)
            table.world.host_gone_ms = now_ms + WIRE_MS + SILENCE_MS

    def _take(self, what: tuple[Any, ...]) -> None:
        if what[0] == "event":
            _, _, seq, lost, time_ms, message, payload = what
            layout = EVENTS[message]
            self.events.append(Event(seq, lost, time_ms, layout.name, layout.unpack_named(payload)))
            if self.keep:
                self.requester.stored(self._table.now_ms, seq)
        elif what[0] == "status":
            self.statuses.append(STATUSES[NUMBER_OF["status"]].unpack_named(what[2]))
        else:
            self.happened.append(what)

    def _finish(self) -> None:
        """Wait until what is in flight has ended."""
        assert not self.happened
        self.pump()
        assert self._table.run(10_000, lambda: bool(self.happened)), "no answer"
        assert not self.requester.busy
