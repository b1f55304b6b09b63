"""Ed25519 signatures (RFC 8032) checked in small steps, and the SHA-512 they need: MicroPython has neither.

A board has 3 ms for a poll, and one multiplication of two numbers of 255 bits takes it a good part of one; so every
point is added or doubled, and every bit of a power taken, in a step of its own. What is checked is public; nothing here
takes care to need the same time for every number, and nothing signs.
"""

from binascii import unhexlify

from wallwright_protocol.constants import const

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Point = tuple[int, int, int, int]

_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = 37095705934669439343138083508754565189542113879843219016388785533085940283555
_ROOT = 19681161376707505956807079304988542015446066515923890162744021073123829784752
"""A square root of -1."""
_BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
_BASE_Y = 46316835694926478169428394003475163141307993866256225615783033603165251855960
_BITS = const(253)
_ROUNDS = const(80)
_STEP = const(8)
"""So many rounds of SHA-512 a step."""
_MASK = 0xFFFFFFFFFFFFFFFF
_K = unhexlify(
    "428a2f98d728ae227137449123ef65cdb5c0fbcfec4d3b2fe9b5dba58189dbbc3956c25bf348b53859f111f1b605d019923f82a4"
    "af194f9bab1c5ed5da6d8118d807aa98a303024212835b0145706fbe243185be4ee4b28c550c7dc3d5ffb4e272be5d74f27b896f"
    "80deb1fe3b1696b19bdc06a725c71235c19bf174cf692694e49b69c19ef14ad2efbe4786384f25e30fc19dc68b8cd5b5240ca1cc"
    "77ac9c652de92c6f592b02754a7484aa6ea6e4835cb0a9dcbd41fbd476f988da831153b5983e5152ee66dfaba831c66d2db43210"
    "b00327c898fb213fbf597fc7beef0ee4c6e00bf33da88fc2d5a79147930aa72506ca6351e003826f142929670a0e6e7027b70a85"
    "46d22ffc2e1b21385c26c9264d2c6dfc5ac42aed53380d139d95b3df650a73548baf63de766a0abb3c77b2a881c2c92e47edaee6"
    "92722c851482353ba2bfe8a14cf10364a81a664bbc423001c24b8b70d0f89791c76c51a30654be30d192e819d6ef5218d6990624"
    "5565a910f40e35855771202a106aa07032bbd1b819a4c116b8d2d0c81e376c085141ab532748774cdf8eeb9934b0bcb5e19b48a8"
    "391c0cb3c5c95a634ed8aa4ae3418acb5b9cca4f7763e373682e6ff3d6b2b8a3748f82ee5defb2fc78a5636f43172f6084c87814"
    "a1f0ab728cc702081a6439ec90befffa23631e28a4506cebde82bde9bef9a3f7b2c67915c67178f2e372532bca273eceea26619c"
    "d186b8c721c0c207eada7dd6cde0eb1ef57d4f7fee6ed17806f067aa72176fba0a637dc5a2c898a6113f9804bef90dae1b710b35"
    "131c471b28db77f523047d8432caab7b40c724933c9ebe0a15c9bebc431d67c49c100d4c4cc5d4becb3e42b6597f299cfc657e2a"
    "5fcb6fab3ad6faec6c44198c4a475817"
)
"""The fractional parts of the cube roots of the first 80 primes, 64 bits each."""
_START = unhexlify(
    "6a09e667f3bcc908bb67ae8584caa73b3c6ef372fe94f82ba54ff53a5f1d36f1510e527fade682d19b05688c2b3e6c1f1f83d9ab"
    "fb41bd6b5be0cd19137e2179"
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
    """Compare R with S * base - k * key, as bytes: RFC 8032, 5.1.7, without the cofactor."""
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
    cube = v * v * v % _P
    power = [0]
    for _ in _power(u * cube * cube * v % _P, (_P - 5) // 8, power):
        yield
    x = u * cube * power[0] % _P
    if (v * x * x - u) % _P:
        x = x * _ROOT % _P
        if (v * x * x - u) % _P:
            return
    if not x and sign:
        return
    if x & 1 == sign:
        x = _P - x  # the key is taken away
    digest: "list[bytes]" = []
    for _ in sha512(signature[:32] + key + message, digest):
        yield
    factor = int.from_bytes(digest[0], "little") % _ORDER
    base = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P)
    minus = (x, y, 1, x * y % _P)
    both = _add(base, minus)
    yield
    at = (0, 1, 1, 0)
    for bit in range(_BITS - 1, -1, -1):
        at = _double(at)
        yield
        which = (scalar >> bit & 1) | (factor >> bit & 1) << 1
        if which:
            at = _add(at, (base, minus, both)[which - 1])
            yield
    for _ in _power(at[2], _P - 2, power):
        yield
    y = at[1] * power[0] % _P
    encoded = y | (at[0] * power[0] % _P & 1) << 255
    found.append(encoded.to_bytes(32, "little") == signature[:32])


def _power(base: int, exponent: int, result: "list[int]") -> "Iterator[None]":
    """Put `base` to the power of `exponent` into `result`."""
    found = 1
    for bit in range(254, -1, -1):
        found = found * found % _P
        if exponent >> bit & 1:
            found = found * base % _P
        yield
    result[0] = found


def _add(one: "Point", other: "Point") -> "Point":
    """Return the sum of two points, in extended coordinates."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] % _P * _D % _P
    d = 2 * one[2] * other[2] % _P
    return _joined(b - a, d - c, d + c, b + a)


def _double(one: "Point") -> "Point":
    a = one[0] * one[0] % _P
    b = one[1] * one[1] % _P
    both = a + b
    e = both - (one[0] + one[1]) * (one[0] + one[1]) % _P
    g = a - b
    return _joined(e, 2 * one[2] * one[2] % _P + g, g, both)


def _joined(e: int, f: int, g: int, h: int) -> "Point":
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def sha512(data: bytes, digest: "list[bytes]") -> "Iterator[None]":
    """Append the SHA-512 (FIPS 180-4) of `data` to `digest`."""
    size = len(data)
    data = bytes(data) + b"\x80" + bytes(-(size + 17) % 128) + (size << 3).to_bytes(16, "big")
    state = [int.from_bytes(_START[at : at + 8], "big") for at in range(0, 64, 8)]
    for first in range(0, len(data), 128):
        words = [int.from_bytes(data[at : at + 8], "big") for at in range(first, first + 128, 8)]
        a, b, c, d, e, f, g, h = state
        for number in range(_ROUNDS):
            at = number & 15
            if number > 15:
                early = words[(number + 1) & 15]
                late = words[(number + 14) & 15]
                early = _turned(early, 1) ^ _turned(early, 8) ^ early >> 7
                late = _turned(late, 19) ^ _turned(late, 61) ^ late >> 6
                words[at] = (words[at] + early + words[(number + 9) & 15] + late) & _MASK
            sums = _turned(e, 14) ^ _turned(e, 18) ^ _turned(e, 41)
            key = int.from_bytes(_K[8 * number : 8 * number + 8], "big")
            one = h + sums + (e & f ^ (e ^ _MASK) & g) + key + words[at]
            two = (_turned(a, 28) ^ _turned(a, 34) ^ _turned(a, 39)) + (a & b ^ a & c ^ b & c)
            h, g, f, e, d, c, b, a = g, f, e, (d + one) & _MASK, c, b, a, (one + two) & _MASK
            if number % _STEP == _STEP - 1:
                yield
        state = [(old + new) & _MASK for old, new in zip(state, (a, b, c, d, e, f, g, h))]
    digest.append(b"".join([word.to_bytes(8, "big") for word in state]))


def _turned(word: int, by: int) -> int:
    return (word >> by | word << (64 - by)) & _MASK
