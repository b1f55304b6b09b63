"""Many frames over a bad line between a host and a board that both end and start again: nothing lost, nothing twice.

20,000 frames here, a million in `make soak`; of each 5 % are lost, 1 % damaged, 1 % come twice and 1 % come again late.
The host's end, the board's end and its memory are the real ones, time is virtual, and what each did is written down
apart from them.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import pytest

from tests.host.line import Board, Line
from tests.link_failures.bad_line import BadLine
from wallwright.errors import LinkError
from wallwright.link.connection import HANDSHAKE_MS, Connection
from wallwright.link.reports import Event
from wallwright.table.table import Table
from wallwright_firmware.events import CAPACITY
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES

FRAMES = int(os.environ.get("WALLWRIGHT_FRAMES", "20000"))
BOARD_RESET = 1 / 200
"""After an action; most take two to four frames."""
HOST_RESET = 1 / 200
KILLED = 1 / 200
KILLED_AT_GAP = 1 / 4
"""A host ends between the commit of an event and its acknowledgement; behind a gap that is where counting is hard."""
BURST = 1 / 200
BURST_EVENTS = 150
"""More at once than the board's memory holds."""
LISTEN_MS = 500
EXCHANGE_MS = 4750
"""The longest that six tries take; a handshake may have to come before it."""

CONTRIBUTE = NUMBER_OF["contribute"]
GET_DRIVE = NUMBER_OF["get_drive"]


class Numbered(Board):
    """Carries out orders that have a number, answers questions by their own, and has what happens written down."""

    def __init__(self, boot_id: int, carried_out: Counter[int]) -> None:
        super().__init__(boot_id)
        self.truth: list[int] = []
        self.pushed_out: set[int] = set()
        self._carried_out = carried_out

    def execute(self, message: int, payload: bytes) -> tuple[int, bytes]:
        if message == CONTRIBUTE:
            self._carried_out[int.from_bytes(payload[4:], "little")] += 1
        if message == GET_DRIVE:
            return codes.OK, REPLIES[message].pack(257 * payload[0], 0, 0)
        return super().execute(message, payload)

    def happen(self, now_ms: int, number: int) -> None:
        self.truth.append(number)
        if self.ring.held() == CAPACITY:
            oldest = self.ring.after(0)
            assert oldest is not None
            self.pushed_out.add(oldest[0])
        self.ring.add(now_ms, "side_done", number % 4, 14, number)
        self.responder.poll(now_ms)


class Killed(BaseException):
    """The host is not there any more; nobody handles that."""


class Kept:
    """A journal in memory: refuses what it has and counts a gap as the real one does; fails when one host hands over
    twice.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self.events: dict[int, dict[int, Event]] = {}
        self.lost: dict[int, dict[int, int]] = {}
        self._by_this_host: set[tuple[int, int]] = set()

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> bool:
        key = (event.boot_id, event.seq)
        assert key not in self._by_this_host, "twice"
        self._by_this_host.add(key)
        kept = self.events.setdefault(event.boot_id, {})
        if event.seq in kept:
            return False
        lost = min(event.lost, event.seq - 1 - max(kept, default=0))
        if lost:
            self.lost.setdefault(event.boot_id, {})[event.seq] = lost
        kept[event.seq] = event
        if self._rng.random() < (KILLED_AT_GAP if event.lost else KILLED):
            raise Killed
        return True

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        raise AssertionError(kind)

    def next_host(self) -> None:
        self._by_this_host.clear()


class Soak:
    """The two ends, and what they have done."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.kept = Kept(rng)
        self.carried_out: Counter[int] = Counter()
        self.answered: set[int] = set()
        self.asked = self.happened = self.longest_ms = 0
        self.ends: Counter[str] = Counter()
        self.boards = [Numbered(1, self.carried_out)]
        self.up, self.down = BadLine(rng), BadLine(rng)
        self.line = Line(self.boards[0])
        self.line.to_board = self.up.carry
        self.line.to_host = self.down.carry
        self.table = self.start_host()

    @property
    def frames(self) -> int:
        return self.up.frames + self.down.frames

    def start_host(self) -> Table:
        while True:
            self.kept.next_host()
            try:
                return Table(Connection(self.line), self.kept)
            except (LinkError, Killed) as error:
                self.ends[type(error).__name__] += 1

    def reset_board(self) -> None:
        self.ends["a reset of the board"] += 1
        self.boards.append(Numbered(len(self.boards) + 1, self.carried_out))
        self.line.board = self.boards[-1]

    def act(self) -> None:
        """One thing happens, or a few."""
        rng = self.rng
        self.happen(BURST_EVENTS if rng.random() < BURST else rng.randrange(3))
        if rng.random() < BOARD_RESET:
            self.reset_board()
        if rng.random() < HOST_RESET:
            self.ends["an end of the host"] += 1
            self.table = self.start_host()
        since = self.line.now
        self.living(rng.choice([self.order, self.ask, self.ask, self.listen]))
        self.longest_ms = max(self.longest_ms, self.line.now - since)

    def living(self, do: Callable[[], None]) -> None:
        """Have the host do something, and what it does when that fails; another one takes the place of a killed one."""
        try:
            do()
        except LinkError as error:
            self.ends[type(error).__name__] += 1
            self.living(self.connect_again)
        except Killed:
            self.ends["Killed"] += 1
            self.happen(self.rng.choice([0, BURST_EVENTS]))
            self.table = self.start_host()

    def happen(self, count: int) -> None:
        for _ in range(count):
            self.happened += 1
            self.boards[-1].happen(self.line.now, self.happened)

    def order(self) -> None:
        self.asked += 1
        number = self.asked
        self.table._connection.request("contribute", 0, number.to_bytes(16, "little"))
        self.answered.add(number)

    def ask(self) -> None:
        drive = self.rng.randrange(256)
        limit_ms = int.from_bytes(self.table.request("get_drive", drive)[:2], "little")
        assert limit_ms == 257 * drive, "the answer to another question"

    def listen(self) -> None:
        self.table.pump(self.rng.randrange(LISTEN_MS))

    def connect_again(self) -> None:
        if self.rng.random() < 0.5:
            self.table.keep()
        self.table.reconnect()

    def settle(self) -> None:
        """Let everything arrive over a sound line."""
        self.line.to_board = self.line.to_host = lambda frame: [frame]
        while self.boards[-1].ring.stored() < self.happened_now():
            self.living(lambda: self.table.pump(1000))

    def happened_now(self) -> int:
        return self.boards[-1].ring.newest()


@pytest.mark.slow
@pytest.mark.timeout(60 + FRAMES // 500)
def test_a_bad_line_and_resets_lose_nothing_and_double_nothing(seed: int) -> None:
    begin = time.monotonic()
    soak = Soak(random.Random(seed))
    while soak.frames < FRAMES:
        soak.act()
    soak.settle()
    fates = dict(soak.up.fates + soak.down.fates)
    print(
        f"{soak.frames} frames ({fates}) in {time.monotonic() - begin:.0f} s, {soak.line.now / 3.6e6:.1f} h of theirs;"
    )
    print(f"{soak.happened} events, {soak.asked} orders, {dict(soak.ends)}, longest exchange {soak.longest_ms} ms")
    gone = overwritten = 0
    for board in soak.boards:
        kept = soak.kept.events.get(board.responder.boot_id, {})
        seqs = list(kept)
        assert seqs == sorted(seqs)
        assert all(kept[seq].fields["after_ms"] == board.truth[seq - 1] for seq in seqs)
        last = max(seqs, default=0)
        assert last >= board.ring.stored(), "forgotten by the board, and nobody has it"
        holes = {after: after - before - 1 for before, after in pairwise([0, *seqs]) if after - before > 1}
        assert soak.kept.lost.get(board.responder.boot_id, {}) == holes
        assert set(range(1, last)) - set(seqs) <= board.pushed_out, "lost, and the board had it"
        overwritten += sum(holes.values())
        gone += len(board.truth) - last
    assert len(soak.boards[-1].truth) == max(soak.kept.events[len(soak.boards)])
    print(f"{overwritten} were overwritten in a full memory and {gone} went with a reset; all others are there, once")
    assert soak.happened == sum(map(len, soak.kept.events.values())) + gone + overwritten
    assert overwritten > 0
    assert set(soak.carried_out.values()) == {1}, "done twice"
    assert soak.answered <= set(soak.carried_out), "answered and not done"
    assert len(soak.answered) > 0.9 * soak.asked
    assert soak.longest_ms <= HANDSHAKE_MS + 2 * EXCHANGE_MS
    assert min(soak.ends[name] for name in ("a reset of the board", "an end of the host", "BoardReset", "Killed")) > 0
