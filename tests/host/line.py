"""A board of few words on a line in virtual time, for what a real table would take long to get into."""

from collections.abc import Callable

from wallwright_firmware.events import EventRing
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES, STATUSES
from wallwright_protocol.link import Responder

GET_INFO = NUMBER_OF["get_info"]
GET_STATUS = NUMBER_OF["get_status"]


class Board:
    """The board's end of the link with the real ring, and answers made up; `done` lists what was carried out."""

    def __init__(self, boot_id: int = 7) -> None:
        self.ring = EventRing()
        self.responder = Responder(boot_id, self.execute, self.ring)
        self.done: list[str] = []
        self.state = codes.IDLE
        self.code = codes.OK

    def execute(self, message: int, payload: bytes) -> tuple[int, bytes]:
        if message == GET_STATUS:
            return codes.OK, self.status()
        name = REPLIES[message].name
        self.done.append(name)
        if message == GET_INFO:
            return codes.OK, REPLIES[message].pack(b"T-1", 0, 1, 0, 108, 2)
        if self.code != codes.OK:
            return self.code, b""
        return codes.OK, bytes(REPLIES[message].size)

    def status(self) -> bytes:
        four = (0, 0, 0, 0)
        newest = self.ring.newest()
        return STATUSES[NUMBER_OF["status"]].pack(
            self.state,
            0,
            255,
            1,
            0,
            14,
            13,
            14,
            13,
            *four,
            *four,
            b"",
            0,
            0,
            0,
            0,
            *four,
            108,
            2,
            0,
            0,
            0,
            0,
            5,
            0,
            newest,
            0,
            0,
            codes.ORDINARY_WALL,
            0,
            0,
        )

    def send_status(self) -> None:
        self.responder.send_status(NUMBER_OF["status"], self.status())

    def enter(self, now_ms: int, state: int) -> None:
        self.state = state
        self.ring.add(now_ms, "state_changed", state)


class Line:
    """A transport whose time passes while it is read. Frames go through `to_board` and `to_host`, which may lose,
    change or multiply them; `at` holds what happens at a time."""

    name = "a line"

    def __init__(self, board: Board) -> None:
        self.board = board
        self.now = 0
        self.to_board: Callable[[bytes], list[bytes]] = lambda frame: [frame]
        self.to_host: Callable[[bytes], list[bytes]] = lambda frame: [frame]
        self.at: list[tuple[int, Callable[[], None]]] = []
        self.written = 0
        self.is_closed = False
        self.deaf_until = 0
        self.noise = b""

    def read(self, timeout_ms: int) -> bytes:
        until = self.now + timeout_ms
        while True:
            data = self.noise + self._take()
            self.noise = b""
            if data or self.now >= until:
                return data
            due = [until, self.board.responder.due, *(time for time, _ in self.at)]
            self.now = max(self.now, min(due))
            for item in [item for item in self.at if item[0] <= self.now]:
                self.at.remove(item)
                item[1]()

    def write(self, data: bytes) -> None:
        for frame in data.split(b"\0")[:-1]:
            self.written += 1
            if self.now >= self.deaf_until:
                for piece in self.to_board(frame + b"\0"):
                    self.board.responder.receive(self.now, piece)

    def close(self) -> None:
        self.is_closed = True

    def now_ms(self) -> int:
        return self.now

    def wall_ms(self) -> int:
        return 1_000_000 + self.now

    def _take(self) -> bytes:
        self.board.responder.poll(self.now)
        frames = self.board.responder.take().split(b"\0")[:-1]
        return b"".join(piece for frame in frames for piece in self.to_host(frame + b"\0"))


def dropping(numbers: "set[int]") -> Callable[[bytes], list[bytes]]:
    """A way that loses the frames with these numbers, counted from 0."""
    count = iter(range(10**9))
    return lambda frame: [] if next(count) in numbers else [frame]
