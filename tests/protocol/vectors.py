"""Bodies that try every corner of the framing, and what a board may send before it speaks frames."""

import binascii
import itertools

from . import spec


def _with_zero_in_crc() -> bytes:
    """A body without a zero whose CRC has one."""
    bodies = (b"crc %d" % number for number in itertools.count())
    return next(body for body in bodies if 0 in binascii.crc32(body).to_bytes(4, "little"))


BODIES = {
    **{f"example {example.number}": spec.unstuff(example.frame) for example in spec.EXAMPLES},
    "one zero": b"\x00",
    "one byte": b"\x01",
    "one 0xff": b"\xff",
    "zeros": bytes(240),
    "no zero, longest": bytes(range(1, 241)),
    "0xff, longest": b"\xff" * 240,
    "zero at the end": b"table\x00",
    "zero at both ends": b"\x00table\x00",
    "zero at every other byte": b"\x07\x00" * 60,
    "zero in the crc": _with_zero_in_crc(),
    "control bytes": b"\x03\x0a\x0d\x11\x13\x1a\x04\x08\x1b",
    "high half": bytes(range(128, 256)),
}

GARBAGE = {
    "boot text": b"\r\nboot 2.1 (board rev C)\r\nflash ok, ram ok\r\nstarting in 2 s ...\r\n",
    "prompt": b'\r\nMicroPython v1.25.0; Raspberry Pi Pico with RP2040\r\nType "help()" for more.\r\n>>> ',
    "traceback": b'Traceback (most recent call last):\r\n  File "main.py", line 21, in <module>\r\nOSError: 5\r\n',
    "interrupts": b"\x03\x03\x04\x01",
    "line noise": b"\xff\xfe\x80\xfc\xff",
    "one byte": b"\x01",
    "very long": b"memory: " * 100,
}
