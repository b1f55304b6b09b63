"""One antenna: an ISO 15693 reader behind a PN5180, which finds what comes to lie there and what goes.

Whoever has been found is told to stay quiet, so that the next inventory is answered by new tags alone and is short
however many lie there; between two inventories one of the known tags is asked whether it is still there. Tags that
answer at once are told apart by one more bit of their numbers at a time.

Sources: NXP, PN5180A0xx/C3,C4 product data sheet, 11.4.3.3 (commands) and 11.9 (registers); ISO/IEC 15693-3, 8.3
(collisions), 10.3.1 (inventory), 10.3.2 (stay quiet), 10.4.1 (read single block); times at its high data rate.
"""

WRITE_REGISTER, OR_REGISTER, AND_REGISTER, READ_REGISTER = 0x00, 0x01, 0x02, 0x04
SEND_DATA, READ_DATA, LOAD_RF_CONFIG, RF_ON = 0x09, 0x0A, 0x11, 0x16
SYSTEM_CONFIG, IRQ_STATUS, IRQ_CLEAR, RX_STATUS = 0x00, 0x02, 0x03, 0x13
ISO15693_TX, ISO15693_RX = 0x0D, 0x8D
"""Configurations: 26 kbit/s, 1 of 4 at 100 % ASK to the tags, one subcarrier back; the chip adds and checks the CRC."""
SOF_DETECTED = 1 << 14
RX_ERRORS = 7 << 16
"""Of RX_STATUS: data integrity, protocol, collision; its lowest nine bits count the bytes."""

BYTE_US = 302
SEND_US = 1400
"""What comes on top of a request: its CRC (604), start and end (113), the time to the answer (319), the answer's
start (151), and 200 to spare."""
RECEIVE_US = 1000
"""What comes on top of an answer's bytes: its CRC and end."""
FIELD_MS = 5
"""A tag has its power by then."""
AGAIN_US = 1000000
INVENTORY, QUIET, CHECK = 0x01, 0x02, 0x20
ONE_SLOT, ADDRESSED = 0x26, 0x22
INVENTORY_BYTES, BLOCK_BYTES = 10, 5
MISSES = 2
"""A tag has gone that has not answered so often in a row."""


class Antenna:
    """`bus.write(bytes)` and `bus.read(size)` are transfers with the chip, OSError when it does not take part.

    `tag` is what `poll` has found or missed, highest byte first; `works` says whether the chip answers.
    """

    def __init__(self, bus) -> None:
        self.works = False
        self.tag = b""
        self.there = False
        self._bus = bus
        self._wait_us = 0
        self._sought: "list[tuple[int, int]]" = []
        self._known: "list[bytes]" = []
        self._misses = 0
        self._doing = 0
        self._uid = b""
        self._mask = (0, 0)
        self._answer_bytes = 0
        self.poll(0)

    def poll(self, elapsed_us: int) -> bool:
        """Go one step on when the last one has had its time; say whether a tag has come or gone."""
        self._wait_us -= elapsed_us
        if self._wait_us > 0:
            return False
        try:
            if not self.works:
                self._start()
                return False
            return self._go_on()
        except OSError:
            self.works = False
            self._wait_us = AGAIN_US
            return False

    def _start(self) -> None:
        self._bus.write(bytes([LOAD_RF_CONFIG, ISO15693_TX, ISO15693_RX]))
        self._bus.write(bytes([RF_ON, 0]))
        self._doing = self._answer_bytes = 0
        self._wait_us = FIELD_MS * 1000
        self.works = True

    def _go_on(self) -> bool:
        doing = self._doing
        if doing == QUIET:
            self._next()
            return False
        if self._answer_bytes and self._register(IRQ_STATUS) & SOF_DETECTED:
            self._wait_us = RECEIVE_US + self._answer_bytes * BYTE_US
            self._answer_bytes = 0
            return False
        heard = doing and not self._answer_bytes
        if doing == INVENTORY and heard:
            return self._found()
        if doing == CHECK:
            self._misses = 0 if heard else self._misses + 1
            if self._misses >= MISSES:
                return self._gone()
            if heard:
                self._known.append(self._known.pop(0))
        self._next()
        return False

    def _found(self) -> bool:
        status = self._register(RX_STATUS)
        length, value = self._mask
        if status & RX_ERRORS or status & 0x1FF != INVENTORY_BYTES:
            if length < 60:
                self._sought += [(length + 1, value), (length + 1, value | 1 << length)]
            self._next()
            return False
        self._bus.write(bytes([READ_DATA, 0]))
        uid = self._bus.read(INVENTORY_BYTES)[2:]
        is_new = uid not in self._known
        if is_new:
            self._known.append(uid)
        self._ask(QUIET, bytes([ADDRESSED, QUIET]) + uid, 0)
        return self._tell(uid, True) and is_new

    def _gone(self) -> bool:
        self._misses = 0
        uid = self._known.pop(0)
        self._next()
        return self._tell(uid, False)

    def _tell(self, uid: bytes, there: bool) -> bool:
        self.tag = bytes([uid[7 - at] for at in range(8)])
        self.there = there
        return True

    def _next(self) -> None:
        """Ask for tags that are still to be told apart; with none, in turn for one that is known and for new ones."""
        if not self._sought and self._doing != CHECK and self._known:
            self._ask(CHECK, bytes([ADDRESSED, CHECK]) + self._known[0] + b"\0", BLOCK_BYTES)
            return
        length, value = self._mask = self._sought.pop() if self._sought else (0, 0)
        mask = value.to_bytes((length + 7) // 8, "little")
        self._ask(INVENTORY, bytes([ONE_SLOT, INVENTORY, length]) + mask, INVENTORY_BYTES)

    def _ask(self, doing: int, request: bytes, answer_bytes: int) -> None:
        write = self._bus.write
        write(bytes([AND_REGISTER, SYSTEM_CONFIG, 0xF8, 0xFF, 0xFF, 0xFF]))
        write(bytes([OR_REGISTER, SYSTEM_CONFIG, 3, 0, 0, 0]))
        write(bytes([WRITE_REGISTER, IRQ_CLEAR, 0xFF, 0xFF, 0x0F, 0]))
        write(bytes([SEND_DATA, 0]) + request)
        self._doing = doing
        self._answer_bytes = answer_bytes
        self._wait_us = SEND_US + len(request) * BYTE_US

    def _register(self, number: int) -> int:
        self._bus.write(bytes([READ_REGISTER, number]))
        return int.from_bytes(self._bus.read(4), "little")
