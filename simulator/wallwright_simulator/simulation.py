"""One table in virtual time: one clock, one world, one board, one firmware; time jumps from deadline to deadline."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import Protocol

from wallwright_firmware.app import App
from wallwright_firmware.guard import fell
from wallwright_protocol import codes
from wallwright_protocol.hardware import STANDARD_PARTS
from wallwright_protocol.link import NEVER

from .board import Crash, Fallen, SimulatedBoard
from .faults import Fault
from .harness import Harness
from .injection import Injection
from .loader import START_MS, Flashed, InLoader, LoaderFolder
from .noise import Noise, good
from .places import Mixing
from .players import Players
from .power import START_MS as RESTART_MS
from .power import LeftForLoader, PowerFailure, Unpowered, check_duration
from .readers import NO_READERS
from .sorter import PLAIN, Hardware
from .table import Table
from .timing import USUAL, Timing
from .world import World

WATCHDOG_MS = 2000
WIRE_MS = 1
"""A byte written by the host reaches the firmware this much later: one USB frame."""


class Firmware(Protocol):
    """What a simulation needs of the firmware: the app itself, or the same app inside a MicroPython VM."""

    due: int

    def poll(self, now_ms: int, rx: bytes) -> bytes:
        """Take what the wire brought, do what is due, return what is to be sent."""


class Simulation:
    """A table with two sets of `tiles` tiles; everything follows from `seed` and from what is done to it.

    `pace` None runs as fast as it can, 1.0 in real time, 2.0 at twice that. `firmware` may replace the app by another
    runtime of the same files, `noise` is the board's random source, a good one. `faults` is what goes wrong, and
    `injection` can mend it. `readers` is the mask of the table's tile readers, `timing` says how fast its parts are and
    `mixing` how its drum mixes (None: ideally), `hardware` what sorts (nothing), unless a `world` is given. `parts` are
    those of the carrier. `wash_s` is
    what the board's setting of that name is set to, None for as long as a new board washes. `polls` counts calls of the
    firmware.
    `loader` is the disk of the loader in its chip's ROM, where somebody plugs its USB in.
    """

    def __init__(
        self,
        seed: int = 1,
        tiles: int = 108,
        *,
        world: World | None = None,
        firmware: Callable[[SimulatedBoard, bytes, int], Firmware] = App,
        pace: float | None = None,
        faults: Sequence[Fault] = (),
        noise: Noise | None = None,
        readers: int = NO_READERS,
        timing: Timing = USUAL,
        mixing: Mixing | None = None,
        harness: Harness | None = None,
        wash_s: int | None = 0,
        hardware: Hardware = PLAIN,
        parts: int = STANDARD_PARTS,
    ) -> None:
        self.seed = seed
        self.tiles = tiles
        self.pace = pace
        self.world = world or World(seed, tiles, readers=readers, timing=timing, mixing=mixing, hardware=hardware)
        self._silent = False
        self._acts: list[tuple[int, int, Callable[[], None]]] = []
        self._entries = count()
        self.players = Players(self.world)
        self.world.supply.connect(parts)
        self.board = SimulatedBoard(self.world, noise or good(seed), harness, parts)
        if wash_s is not None:
            if not 0 <= wash_s <= codes.MOST_WASH_S:
                raise ValueError(f"wash_s is {wash_s}: a set is washed for 0 to {codes.MOST_WASH_S} s")
            self.board.wash_s = wash_s
        self.unit = f"SIM-{seed}"
        self._firmware = firmware
        self.polls = 0
        self.loader: LoaderFolder | None = None
        self._rx = b""
        self._rx_due = NEVER
        self._tx = bytearray()
        self._runs = False
        off = Unpowered(NEVER, self._start)
        self.app: Firmware = off
        self.injection = Injection(self.world, faults, self)
        if self.app is off:  # no fault has kept the power away
            self.app = firmware(self.board, self.unit.encode(), tiles)
            self._runs = True
        self._real_start = time.monotonic()
        self.port: object = None

    @property
    def now_ms(self) -> int:
        """Virtual milliseconds of the world."""
        return self.world.now_ms

    def write(self, data: bytes) -> None:
        """Send bytes from the host to the board."""
        if self._silent:
            return
        self._rx += data
        self._rx_due = self.now_ms + WIRE_MS

    def read(self, size: int | None = None) -> bytes:
        """Take what the board has sent so far, `size` bytes at the most."""
        data = bytes(self._tx if size is None else self._tx[:size])
        del self._tx[: len(data)]
        return data

    def waiting(self) -> int:
        """Return how many bytes from the board wait to be read."""
        return len(self._tx)

    def silence(self, silent: bool) -> None:
        """Lose every byte between host and board from now on, or none any more."""
        self._silent = silent

    def later(self, time_ms: int, call: Callable[[], None]) -> None:
        """Let `call` happen at `time_ms`, now or later, between two polls of the firmware."""
        heappush(self._acts, (time_ms, next(self._entries), call))

    def swap_noise(self, source: Noise) -> Noise:
        """Let the board's random numbers come from `source` from now on; return the source until now."""
        before, self.board.source = self.board.source, source
        return before

    def cut_power(self, for_ms: int, restart_cause: int = codes.NO_FAULT) -> None:
        """The power fails now, and comes back with the firmware's first poll `for_ms` later.

        `restart_cause` is what the board will say of it: that its watchdog has reset it, or a brown-out.

        The world goes on without drives. The firmware starts from what its slots hold; its events, its session and the
        bytes under way both ways are lost.
        """
        check_duration(for_ms)
        self._stop_firmware(restart_cause)
        if self.loader is not None:
            self.loader.vanish()
        self.app = Unpowered(self.now_ms - self.board.started_ms + for_ms, self._start)

    def enter_loader(self) -> None:
        """The chip starts its ROM's loader: the firmware has asked for it, or BOOTSEL was held at power-up.

        It stays there until the loader's folder has got an image, or the power fails.
        """
        self._stop_firmware(codes.NO_FAULT)
        self.app = InLoader(self.now_ms - self.board.started_ms, self.loader)
        if self.loader is not None:
            self.loader.appear()

    @property
    def is_in_loader(self) -> bool:
        """Whether the chip is in its ROM's loader."""
        return isinstance(self.app, InLoader)

    def flip(self, place: int) -> None:
        """The stored bit of an output changes by itself, until the board writes it again."""
        self.board.flip(place)

    def crash(self) -> None:
        """The firmware's next poll fails with an exception; the board then does what a real one does, and starts again.

        An exception that nobody has asked for goes through the same and comes out of the simulation.
        """
        self.board.breaks = True

    def hang(self) -> None:
        """The firmware goes no further, with its outputs as they are, until the board's watchdog resets it."""
        self._runs = False
        self.world.supply.pump(False)
        self.close()
        reset = partial(self.cut_power, RESTART_MS, codes.WATCHDOG_RESET)
        self.app = Unpowered(self.now_ms - self.board.started_ms + WATCHDOG_MS, reset)

    def run_until(self, until_ms: int) -> None:
        """Advance virtual time to `until_ms`, everything on the way included."""
        while self._step(until_ms):
            pass

    def run_until_output(self, until_ms: int) -> bool:
        """Advance until the board has sent something, to `until_ms` at the most; say whether it has."""
        while not self._tx and self._step(until_ms):
            pass
        return bool(self._tx)

    def next_ms(self) -> int:
        """Return when the next thing happens if nobody does anything."""
        return min(self._due_ms(), self.world.next_ms)

    def close(self) -> None:
        """End the firmware where it runs in a process of its own."""
        close = getattr(self.app, "close", None)
        if close is not None:
            close()

    def _step(self, until_ms: int) -> bool:
        """Let time run to what comes next and happens at `until_ms` at the latest; poll the firmware until it sends
        something or wants to wait. Say whether anything may be left to do."""
        world = self.world
        agenda = world.agenda
        board = self.board
        at = agenda.now_ms if board.breaks else min(self._due_ms(), until_ms)
        if self.pace is not None:
            self._keep_pace(min(at, max(agenda.next_ms, agenda.now_ms)))
        if at > agenda.now_ms or agenda.next_ms <= at == agenda.now_ms:
            world.advance(at)
        now = agenda.now_ms
        acts = self._acts
        while acts and acts[0][0] <= now:
            heappop(acts)[2]()
        rx = b""
        if self._rx_due <= now:
            rx = self._rx
            self._rx = b""
            self._rx_due = NEVER
        has_news = board.refresh(now - board.started_ms)
        if board.fetch_edges() or has_news or board.breaks or rx or self.app.due + board.started_ms <= now:
            app = self.app
            tx = b""
            try:
                while not tx:
                    self.polls += 1
                    tx = app.poll(now - board.started_ms, rx)
                    rx = b""
                    if (
                        app.due + board.started_ms > now  # which is another clock now if it was turned back
                        or agenda.next_ms <= now
                        or world.edges
                        or world.readers.reads
                        or app is not self.app
                        or (acts and acts[0][0] <= now)
                    ):
                        break
            except PowerFailure as failure:
                self.cut_power(failure.for_ms)
                return True
            except LeftForLoader:
                self.enter_loader()
                return True
            except Flashed:
                assert self.loader is not None
                self.board.image = self.loader.image()
                self.app = Unpowered(now - board.started_ms + START_MS, self._start)
                return True
            except Fallen:
                self.cut_power(RESTART_MS)
                return True
            except Crash as error:
                self._fell(error)
                return True
            except Exception as error:
                self._fell(error)
                raise
            if self._runs and board.keeps_supply is not world.supply.has_edges:
                world.supply.pump(board.keeps_supply)
            if tx and not self._silent:
                self._tx += tx
            return True
        return now < until_ms

    def _due_ms(self) -> int:
        """When the firmware is to be polled, or something is to be done to it."""
        due_ms = self.app.due + self.board.started_ms
        if self._rx_due < due_ms:
            due_ms = self._rx_due
        due_ms = min(due_ms, self.board.refresh_ms())
        if self._acts and self._acts[0][0] < due_ms:
            due_ms = self._acts[0][0]
        return due_ms

    def _stop_firmware(self, restart_cause: int) -> None:
        self._runs = False
        self.world.supply.pump(False)
        self.board.lose_power()
        self.board.restart_cause = restart_cause
        self.board.ran_ms = self.now_ms - self.board.started_ms
        self.close()
        self._lose_bytes()

    def _start(self) -> None:
        self.board.start()
        self._lose_bytes()
        if self.loader is not None and self.loader.is_torn:
            self.app = InLoader(0, None)  # no program to start, and nobody holds BOOTSEL
            return
        self.app = self._firmware(self.board, self.unit.encode(), self.tiles)
        self._runs = True

    def _fell(self, error: Exception) -> None:
        """Do what `main.py` does."""
        fell(self.board, error, self.now_ms - self.board.started_ms)
        self.cut_power(RESTART_MS)

    def _lose_bytes(self) -> None:
        self._rx = b""
        self._rx_due = NEVER
        self._tx.clear()

    def _keep_pace(self, at_ms: int) -> None:
        assert self.pace is not None
        ahead_s = at_ms / 1000 / self.pace - (time.monotonic() - self._real_start)
        if ahead_s > 0:
            time.sleep(ahead_s)


_named: dict[str, Table] = {}


def attach(name: str, simulation: Table) -> str:
    """Let `sim://?name=NAME` open this simulation; return that port string."""
    _named[name] = simulation
    return f"sim://?name={name}"


def attached(name: str) -> Table | None:
    """Return the simulation attached under `name`."""
    return _named.get(name)
