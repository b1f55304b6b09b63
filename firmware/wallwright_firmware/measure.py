"""What a board measures of itself for whoever wants to know how good its chip is: only while nothing runs.

The noise is judged here, for every board has some. Times are the board's own affair (`Hal.measure`).
"""

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .commands import Reply
    from .hal import Hal
    from .service import Service

SAMPLE_BYTES = 64
TIMES = 16
"""1,024 bytes: 8,192 bits, which take a Pico some 0.2 s."""
SAMPLES = 200
"""Of the random source, in a reply to get_samples: to read them takes 20 ms."""


class Measurement:
    """The board looks at nothing else meanwhile. In a fault too it measures, for a bare board has one."""

    answers = ("measure", "get_samples")

    def __init__(self, hal: "Hal", service: "Service") -> None:
        self._hal = hal
        self._service = service

    def on_measure(self, values: "tuple[int, ...]") -> "Reply":
        """The eight values that SPEC.md describes."""
        measurement = values[0]
        if measurement >= codes.MEASUREMENTS:
            return codes.BAD_ARGUMENT, b""
        code = self._service.stand_still()
        if code != codes.OK:
            return code, b""
        found = self._noise() if measurement == codes.MEASURED_NOISE else self._hal.measure(measurement)
        return codes.OK, REPLIES[NUMBER_OF["measure"]].pack(*found)

    def on_get_samples(self, _: "tuple[int, ...]") -> "Reply":
        code = self._service.stand_still()
        if code != codes.OK:
            return code, b""
        drawn = self._hal.noise(SAMPLES)
        return codes.OK, REPLIES[NUMBER_OF["get_samples"]].pack(len(drawn), drawn)

    def _noise(self) -> "tuple[int, ...]":
        bits = ones = changes = run = longest = 0
        last = 2
        for _ in range(TIMES):
            for byte in self._hal.noise(SAMPLE_BYTES):
                for at in range(8):
                    bit = byte >> at & 1
                    bits += 1
                    ones += bit
                    if bit == last:
                        run += 1
                    else:
                        changes += last != 2
                        run = 1
                        last = bit
                    if run > longest:
                        longest = run
        return bits, ones, changes, longest, 0, 0, 0, 0
