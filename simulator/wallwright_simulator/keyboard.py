"""Lines that a person types at a simulated table, and the acts of hands that they stand for; `HELP` lists them."""

import os
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from wallwright_protocol.hardware import SIDES

from .faults import Fault, FaultError, parse_fault
from .injection import Injection
from .surface import PhysicalError
from .table import Table

READ_SIZE = 4096

HELP = """l0 l1 l2 l3  press the lift key of a side
d0 d1 d2 d3  press the dice key of a side
r0 r1 r2 r3  call the referee from a side
k0 k1 k2 k3  press the claim key of a seat
c0 c1 c2 c3  hold a hand before the counting eye of a side
b0 b1 b2 b3  hold a hand before the belt-full eye of a side
w            draw the raised walls in
p P          push all tiles on the table into the drum, or those that stand in no wall
s            take walls that went down undrawn out of the carriers, and stand them on the table
t            take all tiles out of carriers, heads and drum; one set into the drum, the other one onto the table
h0 h1 h2 h3  open the stacking head of a side, and drop its tiles into the drum
f LINE       let that go wrong from now on (docs/fault-injection.md): f lid obstructed, f stall conveyor 2
m            mend all that goes wrong
e E          press the emergency stop, release it
+            press START; somebody does it by himself unless you type: f nobody presses start
u            hold BOOTSEL while the board gets its power, where its loader has a folder
q            end
Keys of one line are pressed at once: l0 l1"""


class Keyboard:
    """Lines from a descriptor, by way of a thread and a socket: Windows waits for sockets and for nothing else."""

    def __init__(self, source: int) -> None:
        self._ours, self._theirs = socket.socketpair()
        self._source = source
        threading.Thread(target=self._pass_on, name="keyboard", daemon=True).start()

    def fileno(self) -> int:
        """Return the descriptor that is ready when `read` has something to return."""
        return self._ours.fileno()

    def read(self) -> bytes:
        """Return what was typed; empty at the end of the input."""
        return self._ours.recv(READ_SIZE)

    def close(self) -> None:
        """Take nothing more, after what the thread waits for."""
        self._ours.close()

    def _pass_on(self) -> None:
        # The other end is closed when the table is.
        with self._theirs, suppress(OSError):
            while data := os.read(self._source, READ_SIZE):
                self._theirs.sendall(data)


class Hands:
    """The hands at `table`; they say what they did. `have_ended` is whether somebody has typed `q`.

    An act returns what else there is to say of it, or None.
    """

    def __init__(self, table: Table, say: Callable[[str], None]) -> None:
        self.have_ended = False
        self._table = table
        self._say = say
        self._wrong: list[tuple[str, Injection]] = []
        players = table.players
        self._acts: dict[str, Callable[[], str | None]] = {
            "w": players.draw_in,
            "p": partial(self._fill_drum, players.push_in),
            "P": partial(self._fill_drum, players.push_in_loose),
            "s": players.stand_walls,
            "t": self._part_sets,
            "m": self._mend,
            "e": partial(table.world.emergency_stop, True),
            "E": partial(table.world.emergency_stop, False),
            "+": table.world.supply.press_start,
            "u": self._hold_bootsel,
            "q": self._end,
        }
        for side in range(SIDES):
            self._acts[f"l{side}"] = partial(players.press_lift, side)
            self._acts[f"d{side}"] = partial(players.press_dice, side)
            self._acts[f"r{side}"] = partial(players.press_referee, side)
            self._acts[f"k{side}"] = partial(players.press_claim, side)
            self._acts[f"c{side}"] = partial(players.cover_count_eye, side)
            self._acts[f"b{side}"] = partial(players.cover_belt_eye, side)
            self._acts[f"h{side}"] = partial(self._fill_drum, partial(players.empty_head, side))

    def do(self, line: str) -> None:
        """Do what a line says."""
        if line.startswith("f "):
            self._try("f", partial(self._let_go_wrong, line[2:]))
            return
        for key in line.split() or [""]:
            act = self._acts.get(key)
            if act is None:
                self._say(f"{key!r} is no key:\n{HELP}" if key else HELP)
            else:
                self._try(key, act)

    def _try(self, key: str, act: Callable[[], str | None]) -> None:
        try:
            done = act()
        except (PhysicalError, FaultError) as error:
            self._say(f"{key}: {error}")
        else:
            self._say(f"{key}: done, {done}" if done else f"{key}: done")

    def _let_go_wrong(self, line: str) -> None:
        table = self._table
        self._wrong.append((line, Injection(table.world, [_fault_from(line, table.now_ms)], table)))

    def _mend(self) -> str:
        self._table.injection.mend()
        mended = []
        while self._wrong:
            line, injection = self._wrong.pop(0)
            injection.mend()
            mended.append(line)
        return f"mended: {'; '.join(mended)}" if mended else "no line of f was left to mend"

    def _fill_drum(self, act: Callable[[], None]) -> str:
        drum = self._table.world.drum
        before = len(drum.tiles)
        act()
        return f"{_tiles(len(drum.tiles) - before)} put into the drum, which holds {len(drum.tiles)} now"

    def _part_sets(self) -> str:
        self._table.players.part_sets()
        return f"the drum holds {_tiles(len(self._table.world.drum.tiles))} now"

    def _hold_bootsel(self) -> None:
        if self._table.loader is None:
            raise PhysicalError("the loader of this table's board has no folder")
        self._table.enter_loader()

    def _end(self) -> None:
        self.have_ended = True


def _tiles(number: int) -> str:
    return "1 tile" if number == 1 else f"{number} tiles"


def _fault_from(line: str, now_ms: int) -> Fault:
    """Read one fault; one that says no time, and may, begins at `now_ms`."""
    try:
        return parse_fault(f"{line} at {now_ms / 1000} s")
    except FaultError:
        return parse_fault(line)
