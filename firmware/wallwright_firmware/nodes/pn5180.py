"""One antenna: an ISO 15693 reader behind a PN5180, which finds what comes to lie there and what goes.

A tag that was found is told to stay quiet, so that the next inventory is answered by new tags alone and is short
however many lie there; between two inventories one of the known tags is asked whether it is still there. Tags that
answer at once are told apart by one more bit of their numbers at a time.

Sources: NXP, PN5180A0xx/C3,C4 product data sheet, 11.4.1 (transfers), 11.4.3.3 (commands), 11.9 (registers);
ISO/IEC 15693-3, 8.3 (collisions), 10.3.1 (inventory), 10.3.2 (stay quiet), 10.4.1 (read single block); times at its
high data rate.
"""

START = (b"\x11\x0d\x8d", b"\x16\x00")
"""LOAD_RF_CONFIG: 26 kbit/s, 1 of 4 at 100 % ASK to the tags, one subcarrier back; the chip adds and checks the CRC.
RF_ON."""
TRANSCEIVE = (b"\x02\x00\xf8\xff\xff\xff", b"\x01\x00\x03\x00\x00\x00", b"\x00\x03\xff\xff\x0f\x00")
"""SYSTEM_CONFIG to idle (AND_REGISTER) and to transceive (OR_REGISTER), all of IRQ_CLEAR (WRITE_REGISTER)."""
SEND_DATA, READ_DATA, READ_IRQ_STATUS, READ_RX_STATUS = b"\x09\x00", b"\x0a\x00", b"\x04\x02", b"\x04\x13"
SOF_DETECTED, RX_RESULT = 1 << 14, 0x701FF
"""Of IRQ_STATUS: an answer has begun. Of RX_STATUS: its bytes, and errors of data integrity, protocol and collision."""

BYTE_US = 302
SEND_US = 1400
"""What comes on top of a request: its CRC (604), start and end (113), the time to the answer (319), the answer's
start (151), and 200 to spare."""
RECEIVE_US = 1000
"""What comes on top of an answer's bytes: its CRC and end."""
FIELD_US, AGAIN_US = 5000, 1000000
"""A tag has its power after the one, and a chip that did not take part is started again after the other."""
TICKS = 0x3FFFFFFF
"""The largest of the ticks of `time`; then they start again."""
INVENTORY, QUIET, CHECK = b"\x26\x01", b"\x22\x02", b"\x22\x20"
"""Flags (one slot, or addressed) and command."""
INVENTORY_BYTES, BLOCK_BYTES, MOST_BITS = 10, 5, 60
"""Of their answers; of the numbers that tell tags apart."""
MISSES = 2
"""A tag has gone that has not answered so often in a row."""


class Antenna:
    """`spi` is the bus of all front ends; `select` and `busy` are this one's pins; `ticks_us()` is the time.

    `news` has the tags that have come or gone, as (number, highest byte first; is it there), until `next_news` takes
    them. `works` says whether the chip answers.
    """

    def __init__(self, spi, select, busy, ticks_us) -> None:
        self.works = False
        self.news: "list[tuple[bytes, bool]]" = []
        self._spi = spi
        self._select = select
        self._busy = busy
        self._ticks_us = ticks_us
        self._known: "list[bytes]" = []
        self._steps = self._work()
        self._last_us = self._wait_us = 0

    def poll(self) -> bool:
        """Go one step on when the last one has had its time, from the end of its transfers on; say whether it has."""
        if self._ticks_us() - self._last_us & TICKS < self._wait_us:
            return False
        self._wait_us = next(self._steps)
        self._last_us = self._ticks_us()
        return True

    def next_news(self) -> "tuple[bytes, bool]":
        """Take the oldest of the news."""
        return self.news.pop(0)

    def _work(self):
        """Look for tags for ever; what this yields is how long the next step has to wait, in us."""
        while True:
            try:
                if not self.works:
                    self._transfer(*START)
                    self.works = True
                    yield FIELD_US
                yield from self._find()
                if self._known:
                    yield from self._check(self._known[0])
            except OSError:
                self.works = False
                self._select(1)
                yield AGAIN_US

    def _find(self):
        sought = [(0, 0)]
        while sought:
            length, value = sought.pop()
            mask = value.to_bytes((length + 7) // 8, "little")
            result = yield from self._ask(INVENTORY + bytes([length]) + mask, INVENTORY_BYTES)
            if result == INVENTORY_BYTES:
                uid = self._transfer(READ_DATA, b"\xff" * INVENTORY_BYTES)[2:]
                if uid not in self._known:
                    self._known.append(uid)
                    self.news.append((bytes(reversed(uid)), True))
                yield 0  # so many transfers at once would keep an answer to the board waiting
                yield from self._ask(QUIET + uid, 0)
            elif result is not None and length < MOST_BITS:
                sought += [(length + 1, value), (length + 1, value | 1 << length)]

    def _check(self, uid: bytes):
        self._known.append(self._known.pop(0))
        for _ in range(MISSES):
            if (yield from self._ask(CHECK + uid + b"\0", BLOCK_BYTES)) is not None:
                return
        self.news.append((bytes(reversed(self._known.pop())), False))

    def _ask(self, request: bytes, answer_bytes: int):
        """Send a request; return what RX_STATUS says of its answer, None without one."""
        self._transfer(*TRANSCEIVE, SEND_DATA + request)
        yield SEND_US + len(request) * BYTE_US
        if not answer_bytes or not self._register(READ_IRQ_STATUS) & SOF_DETECTED:
            return None
        yield RECEIVE_US + answer_bytes * BYTE_US
        return self._register(READ_RX_STATUS) & RX_RESULT

    def _register(self, command: bytes) -> int:
        return int.from_bytes(self._transfer(command, b"\xff" * 4), "little")

    def _transfer(self, *commands: bytes) -> bytes:
        """Let the chip take each; return what came for the last. OSError when it does not take part.

        BUSY says that it has taken one, and then when it is ready for the next.
        """
        for command in commands:
            answer = bytearray(command)
            self._await(0)
            self._select(0)
            self._spi.write_readinto(command, answer)
            self._await(1)
            self._select(1)
        return bytes(answer)

    def _await(self, level: int) -> None:
        for _ in range(100):  # some 10 us each
            if self._busy() == level:
                return
        raise OSError
