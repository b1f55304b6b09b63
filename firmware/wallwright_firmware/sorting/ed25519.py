"""Ed25519 signatures (RFC 8032) checked in small steps, and the SHA-512 they need: MicroPython has neither.

A board has 3 ms for a poll, of which some 1.2 are gone before a step. One takes 0.6 ms (emulated, with a slow flash):
half a round of SHA-512, or two multiplications of numbers of 255 bits, a quarter of what it takes to add or to double a
point. The numbers lie in the heap, and where it is hard to find a place for them, a step takes up to three times as
long. What is checked is public; nothing here takes care to need the same time for every number, and nothing signs.
"""

from wallwright_protocol.constants import const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Summand = tuple[int, int, int, int]

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
_ROOT = 19681161376707505956807079304988542015446066515923890162744021073123829784752
"""A square root of -1."""
_BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
_BASE_Y = 46316835694926478169428394003475163141307993866256225615783033603165251855960
_BITS = const(253)
_ROUNDS = const(80)
_MASK = 0xFFFFFFFFFFFFFFFF
_K = (
    b"\x42\x8a\x2f\x98\xd7\x28\xae\x22\x71\x37\x44\x91\x23\xef\x65\xcd\xb5\xc0\xfb\xcf\xec\x4d\x3b\x2f"
    b"\xe9\xb5\xdb\xa5\x81\x89\xdb\xbc\x39\x56\xc2\x5b\xf3\x48\xb5\x38\x59\xf1\x11\xf1\xb6\x05\xd0\x19"
    b"\x92\x3f\x82\xa4\xaf\x19\x4f\x9b\xab\x1c\x5e\xd5\xda\x6d\x81\x18\xd8\x07\xaa\x98\xa3\x03\x02\x42"
    b"\x12\x83\x5b\x01\x45\x70\x6f\xbe\x24\x31\x85\xbe\x4e\xe4\xb2\x8c\x55\x0c\x7d\xc3\xd5\xff\xb4\xe2"
    b"\x72\xbe\x5d\x74\xf2\x7b\x89\x6f\x80\xde\xb1\xfe\x3b\x16\x96\xb1\x9b\xdc\x06\xa7\x25\xc7\x12\x35"
    b"\xc1\x9b\xf1\x74\xcf\x69\x26\x94\xe4\x9b\x69\xc1\x9e\xf1\x4a\xd2\xef\xbe\x47\x86\x38\x4f\x25\xe3"
    b"\x0f\xc1\x9d\xc6\x8b\x8c\xd5\xb5\x24\x0c\xa1\xcc\x77\xac\x9c\x65\x2d\xe9\x2c\x6f\x59\x2b\x02\x75"
    b"\x4a\x74\x84\xaa\x6e\xa6\xe4\x83\x5c\xb0\xa9\xdc\xbd\x41\xfb\xd4\x76\xf9\x88\xda\x83\x11\x53\xb5"
    b"\x98\x3e\x51\x52\xee\x66\xdf\xab\xa8\x31\xc6\x6d\x2d\xb4\x32\x10\xb0\x03\x27\xc8\x98\xfb\x21\x3f"
    b"\xbf\x59\x7f\xc7\xbe\xef\x0e\xe4\xc6\xe0\x0b\xf3\x3d\xa8\x8f\xc2\xd5\xa7\x91\x47\x93\x0a\xa7\x25"
    b"\x06\xca\x63\x51\xe0\x03\x82\x6f\x14\x29\x29\x67\x0a\x0e\x6e\x70\x27\xb7\x0a\x85\x46\xd2\x2f\xfc"
    b"\x2e\x1b\x21\x38\x5c\x26\xc9\x26\x4d\x2c\x6d\xfc\x5a\xc4\x2a\xed\x53\x38\x0d\x13\x9d\x95\xb3\xdf"
    b"\x65\x0a\x73\x54\x8b\xaf\x63\xde\x76\x6a\x0a\xbb\x3c\x77\xb2\xa8\x81\xc2\xc9\x2e\x47\xed\xae\xe6"
    b"\x92\x72\x2c\x85\x14\x82\x35\x3b\xa2\xbf\xe8\xa1\x4c\xf1\x03\x64\xa8\x1a\x66\x4b\xbc\x42\x30\x01"
    b"\xc2\x4b\x8b\x70\xd0\xf8\x97\x91\xc7\x6c\x51\xa3\x06\x54\xbe\x30\xd1\x92\xe8\x19\xd6\xef\x52\x18"
    b"\xd6\x99\x06\x24\x55\x65\xa9\x10\xf4\x0e\x35\x85\x57\x71\x20\x2a\x10\x6a\xa0\x70\x32\xbb\xd1\xb8"
    b"\x19\xa4\xc1\x16\xb8\xd2\xd0\xc8\x1e\x37\x6c\x08\x51\x41\xab\x53\x27\x48\x77\x4c\xdf\x8e\xeb\x99"
    b"\x34\xb0\xbc\xb5\xe1\x9b\x48\xa8\x39\x1c\x0c\xb3\xc5\xc9\x5a\x63\x4e\xd8\xaa\x4a\xe3\x41\x8a\xcb"
    b"\x5b\x9c\xca\x4f\x77\x63\xe3\x73\x68\x2e\x6f\xf3\xd6\xb2\xb8\xa3\x74\x8f\x82\xee\x5d\xef\xb2\xfc"
    b"\x78\xa5\x63\x6f\x43\x17\x2f\x60\x84\xc8\x78\x14\xa1\xf0\xab\x72\x8c\xc7\x02\x08\x1a\x64\x39\xec"
    b"\x90\xbe\xff\xfa\x23\x63\x1e\x28\xa4\x50\x6c\xeb\xde\x82\xbd\xe9\xbe\xf9\xa3\xf7\xb2\xc6\x79\x15"
    b"\xc6\x71\x78\xf2\xe3\x72\x53\x2b\xca\x27\x3e\xce\xea\x26\x61\x9c\xd1\x86\xb8\xc7\x21\xc0\xc2\x07"
    b"\xea\xda\x7d\xd6\xcd\xe0\xeb\x1e\xf5\x7d\x4f\x7f\xee\x6e\xd1\x78\x06\xf0\x67\xaa\x72\x17\x6f\xba"
    b"\x0a\x63\x7d\xc5\xa2\xc8\x98\xa6\x11\x3f\x98\x04\xbe\xf9\x0d\xae\x1b\x71\x0b\x35\x13\x1c\x47\x1b"
    b"\x28\xdb\x77\xf5\x23\x04\x7d\x84\x32\xca\xab\x7b\x40\xc7\x24\x93\x3c\x9e\xbe\x0a\x15\xc9\xbe\xbc"
    b"\x43\x1d\x67\xc4\x9c\x10\x0d\x4c\x4c\xc5\xd4\xbe\xcb\x3e\x42\xb6\x59\x7f\x29\x9c\xfc\x65\x7e\x2a"
    b"\x5f\xcb\x6f\xab\x3a\xd6\xfa\xec\x6c\x44\x19\x8c\x4a\x47\x58\x17"
)
"""The fractional parts of the cube roots of the first 80 primes, 64 bits each."""
_START = (
    b"\x6a\x09\xe6\x67\xf3\xbc\xc9\x08\xbb\x67\xae\x85\x84\xca\xa7\x3b\x3c\x6e\xf3\x72\xfe\x94\xf8\x2b"
    b"\xa5\x4f\xf5\x3a\x5f\x1d\x36\xf1\x51\x0e\x52\x7f\xad\xe6\x82\xd1\x9b\x05\x68\x8c\x2b\x3e\x6c\x1f"
    b"\x1f\x83\xd9\xab\xfb\x41\xbd\x6b\x5b\xe0\xcd\x19\x13\x7e\x21\x79"
)
"""Those of the square roots of the first eight."""


class Check:
    """One signature. `step` goes on with it; `is_good` holds once it is over."""

    def __init__(self, key: bytes, message: bytes, signature: bytes) -> None:
        self.is_good = False
        self._found: "list[bool]" = []
        self._steps = _check(key, message, signature, self._found)

    def step(self) -> bool:
        """Do a little; say whether it is over."""
        for _ in self._steps:
            return False
        self.is_good = self._found == [True]
        return True


def _check(key: bytes, message: bytes, signature: bytes, found: "list[bool]") -> "Iterator[None]":
    """Compare R with S * base - k * key, as bytes: RFC 8032, 5.1.7, without the cofactor.

    A key or an R of small order is refused: with the one anybody can sign, the other fits several messages.
    """
    scalar = int.from_bytes(signature[32:], "little")
    y = int.from_bytes(key, "little")
    sign = y >> 255
    y &= (1 << 255) - 1
    if len(signature) != 64 or len(key) != 32 or scalar >= _ORDER or y >= _P:
        return
    # x^2 = u / v; the candidate for its root is u * v^3 * (u * v^7)^((P - 5) / 8).
    square = y * y % _P
    u = (square - 1) % _P
    v = (_D * square + 1) % _P
    yield
    cube = v * v % _P * v % _P
    first = u * cube % _P
    yield
    power = [0]
    for _ in _power(first * (cube * v % _P) % _P, (_P - 5) // 8, power):
        yield
    x = first * power[0] % _P
    square = v * (x * x % _P) % _P
    if square != u:
        x = x * _ROOT % _P
        if (square + u) % _P:  # it is no root of -u either, which the square of _ROOT would mend
            return
    if not x and sign:
        return
    yield
    if x & 1 == sign:
        x = _P - x  # the key is taken away
    digest: "list[bytes]" = []
    for _ in sha512(signature[:32] + key + message, digest):
        yield
    factor = int.from_bytes(digest[0], "little") % _ORDER
    at = [x, y, 1, x * y % _P]
    minus = _summand(at)
    yield
    # 8 times a point of small order is neutral; so 4 times one has x = 0, which no other point comes to.
    for _ in range(2):
        for _ in _double(at):
            yield
    if not at[0]:
        return
    at = [_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P]
    base = _summand(at)
    yield
    for _ in _add(at, minus):
        yield
    both = _summand(at)
    at = [0, 1, 1, 0]
    for bit in range(_BITS - 1, -1, -1):
        for _ in _double(at):
            yield
        which = (scalar >> bit & 1) | (factor >> bit & 1) << 1
        if which:
            for _ in _add(at, (base, minus, both)[which - 1]):
                yield
    for _ in _power(at[2], _P - 2, power):
        yield
    y = at[1] * power[0] % _P
    encoded = y | (at[0] * power[0] % _P & 1) << 255
    for _ in range(2):
        for _ in _double(at):
            yield
    found.append(at[0] != 0 and encoded.to_bytes(32, "little") == signature[:32])


def _power(base: int, exponent: int, result: "list[int]") -> "Iterator[None]":
    """Put `base` to the power of `exponent` into `result`."""
    found = 1
    for bit in range(254, -1, -1):
        found = found * found % _P
        if exponent >> bit & 1:
            found = found * base % _P
        yield
    result[0] = found


def _summand(point: "list[int]") -> "Summand":
    """Return of a point what `_add` needs of it."""
    x, y, z, t = point
    return y - x, y + x, 2 * _D * t % _P, 2 * z


def _add(at: "list[int]", other: "Summand") -> "Iterator[None]":
    """Add to a point, in extended coordinates, another one."""
    x, y, z, t = at
    a = (y - x) * other[0] % _P
    b = (y + x) * other[1] % _P
    yield
    c = t * other[2] % _P
    d = z * other[3] % _P
    yield
    for _ in _join(at, b - a, d - c, d + c, b + a):
        yield


def _double(at: "list[int]") -> "Iterator[None]":
    x, y, z, _ = at
    a = x * x % _P
    b = y * y % _P
    yield
    e = a + b - (x + y) * (x + y) % _P
    c = 2 * z * z % _P
    yield
    for _ in _join(at, e, c + a - b, a - b, a + b):
        yield


def _join(at: "list[int]", e: int, f: int, g: int, h: int) -> "Iterator[None]":
    at[0] = e * f % _P
    at[1] = g * h % _P
    yield
    at[2] = f * g % _P
    at[3] = e * h % _P
    yield


def sha512(data: bytes, digest: "list[bytes]") -> "Iterator[None]":
    """Append the SHA-512 (FIPS 180-4) of `data` to `digest`."""
    size = len(data)
    data = bytes(data) + b"\x80" + bytes(-(size + 17) % 128) + (size << 3).to_bytes(16, "big")
    state = [int.from_bytes(_START[at : at + 8], "big") for at in range(0, 64, 8)]
    for first in range(0, len(data), 128):
        words = [int.from_bytes(data[at : at + 8], "big") for at in range(first, first + 128, 8)]
        yield
        a, b, c, d, e, f, g, h = state
        for number in range(_ROUNDS):
            at = number & 15
            if number > 15:
                early = words[(number + 1) & 15]
                late = words[(number + 14) & 15]
                early = _turned(early, 1) ^ _turned(early, 8) ^ early >> 7
                late = _turned(late, 19) ^ _turned(late, 61) ^ late >> 6
                words[at] = (words[at] + early + words[(number + 9) & 15] + late) & _MASK
                yield
            sums = _turned(e, 14) ^ _turned(e, 18) ^ _turned(e, 41)
            key = int.from_bytes(_K[8 * number : 8 * number + 8], "big")
            one = h + sums + (e & f ^ (e ^ _MASK) & g) + key + words[at]
            two = (_turned(a, 28) ^ _turned(a, 34) ^ _turned(a, 39)) + (a & b ^ a & c ^ b & c)
            h, g, f, e, d, c, b, a = g, f, e, (d + one) & _MASK, c, b, a, (one + two) & _MASK
            yield
        state = [(old + new) & _MASK for old, new in zip(state, (a, b, c, d, e, f, g, h))]
    digest.append(b"".join([word.to_bytes(8, "big") for word in state]))


def _turned(word: int, by: int) -> int:
    return (word >> by | word << (64 - by)) & _MASK
