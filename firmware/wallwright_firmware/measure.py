"""What a board measures of itself for whoever wants to know how good its chip is: only while nothing runs.

The noise is judged here, for every board has some. Times are the board's own affair (`Hal.measure`).
"""

from wallwright_protocol import codes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App

SAMPLE_BYTES = 64
SAMPLES = 16
"""1,024 bytes: 8,192 bits, which take a Pico some 0.2 s."""


def measure(app: "App", measurement: int) -> "tuple[int, ...]":
    """Return the eight values that SPEC.md describes."""
    if measurement == codes.MEASURED_NOISE:
        return _noise(app)
    return app.hal.measure(measurement)


def _noise(app: "App") -> "tuple[int, ...]":
    bits = ones = changes = run = longest = 0
    last = 2
    for _ in range(SAMPLES):
        for byte in app.hal.noise(SAMPLE_BYTES):
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
