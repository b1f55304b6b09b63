"""A host's end and a board's end with two wires between them, in virtual time."""

from collections.abc import Callable, Iterable
from typing import Any

from wallwright_firmware.events import EventRing
from wallwright_protocol import codes, link
from wallwright_protocol.codec import NUMBER_OF
from wallwright_protocol.link import Responder
from wallwright_protocol.requester import Requester

BOOT_ID = 0x0BADCAFE
SESSION = 0x1F2E3D4C
DELAY_MS = 2
STOP = NUMBER_OF["stop"]

Happened = tuple[Any, ...]
Fate = Callable[[int, bytes], Iterable[tuple[int, bytes]]]
"""(number of the frame on its wire, frame) -> what arrives instead: (how many ms later, bytes)."""


def faithful(_: int, frame: bytes) -> Iterable[tuple[int, bytes]]:
    """Every frame arrives, and soon."""
    return [(DELAY_MS, frame)]


def kind(frame: bytes) -> int:
    """The kind of the body in a good frame; no kind is 0, so the byte behind the code byte is it."""
    return frame[1]


def split(data: bytes) -> list[bytes]:
    """The frames in what an end has sent."""
    return [part + b"\x00" for part in data.split(b"\x00")[:-1]]


class Wire:
    """One direction. `sent` keeps every frame put on it; `fate` decides what becomes of each."""

    def __init__(self) -> None:
        self.fate: Fate = faithful
        self.sent: list[bytes] = []
        self._under_way: list[tuple[int, int, bytes]] = []
        self._count = 0

    def put(self, now_ms: int, data: bytes) -> None:
        """Send whole frames."""
        for frame in split(data):
            self.sent.append(frame)
            for late_ms, arriving in self.fate(len(self.sent), frame):
                self._count += 1
                self._under_way.append((now_ms + late_ms, self._count, arriving))

    def due(self) -> int | None:
        """When the next bytes arrive."""
        return min(self._under_way)[0] if self._under_way else None

    def get(self, now_ms: int) -> list[bytes]:
        """Take what has arrived."""
        here = sorted(row for row in self._under_way if row[0] <= now_ms)
        self._under_way = [row for row in self._under_way if row[0] > now_ms]
        return [data for _, _, data in here]

    def clear(self) -> None:
        """Lose what is under way."""
        self._under_way = []


class Pair:
    """The two ends. `executed` is what the board did, `happened` what the host was told, each with its time.

    The board answers each request with the request's own payload, so that a wrong answer shows.
    """

    def __init__(self, start_ms: int = 0) -> None:
        self.now_ms = start_ms
        self.up = Wire()
        self.down = Wire()
        self.executed: list[tuple[int, int, bytes]] = []
        self.happened: list[tuple[int, Happened]] = []
        self.host = Requester()
        self._still = 0
        self.start_board(BOOT_ID)

    def start_board(self, boot_id: int) -> None:
        """Start the board, or start it anew: it has forgotten everything."""
        self.ring = EventRing()
        self.board = Responder(boot_id, self._execute, self.ring)

    def _execute(self, message: int, payload: bytes) -> tuple[int, bytes]:
        self.executed.append((self.now_ms, message, payload))
        return codes.OK, payload

    def event(self, *values: int, name: str = "side_done") -> None:
        """Let something happen on the board."""
        self.ring.add(self.now_ms, name, *(values or (self.ring.newest() % 4, 13, self.ring.newest())))
        self.board.poll(self.now_ms)
        self._exchange()

    def hello(self, session: int = SESSION) -> None:
        """Let the host shake hands and wait until that has ended."""
        self.host.hello(self.now_ms, session)
        self.run_until_idle()

    def ask(self, payload: bytes, message: int = STOP) -> Happened:
        """Send one request, wait for its end and return it."""
        self.host.request(self.now_ms, message, payload)
        return self.run_until_idle()

    def run_until_idle(self) -> Happened:
        """Run until the exchange in flight has ended; return how."""
        self._exchange()
        before = len(self.happened)
        until = self.now_ms + 10_000
        while self.host.busy:
            assert self.now_ms < until, "the exchange does not end"
            self._step(until)
        return [what for _, what in self.happened[before:] if what[0] not in ("event", "status")][-1]

    def run(self, for_ms: int) -> None:
        """Let that much time pass."""
        until = self.now_ms + for_ms
        self._exchange()
        while self.now_ms < until:
            self._step(until)

    def of(self, what: str) -> list[Happened]:
        """All that happened of one sort."""
        return [happened for _, happened in self.happened if happened[0] == what]

    def seqs(self) -> list[int]:
        """The numbers of the events that have reached the host."""
        return [event[2] for event in self.of("event")]

    def _step(self, until_ms: int) -> None:
        dues = [self.up.due(), self.down.due()]
        dues += [end.due for end in (self.host, self.board) if end.due != link.NEVER]
        next_ms = min([until_ms, *(due for due in dues if due is not None)])
        assert next_ms >= self.now_ms, "a deadline lies in the past"
        self._still = self._still + 1 if next_ms == self.now_ms else 0
        assert self._still < 100, "time stands still"
        self.now_ms = next_ms
        for data in self.up.get(next_ms):
            self.board.receive(next_ms, data)
        self.board.poll(next_ms)
        for data in self.down.get(next_ms):
            self._note(self.host.receive(next_ms, data))
        self._note(self.host.poll(next_ms))
        self._exchange()

    def _note(self, happened: list[Happened]) -> None:
        self.happened += [(self.now_ms, what) for what in happened]

    def _exchange(self) -> None:
        self.up.put(self.now_ms, self.host.take())
        self.down.put(self.now_ms, self.board.take())
