"""Edwards25519 by its definition (RFC 8032, 5.1), in Python's integers: points, their texts, and strict signatures.

Nothing here takes care to need the same time for every number. A point is (x, y); a text has 32 bytes.
"""

import hashlib
from collections.abc import Iterator
from random import Random

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
NEUTRAL = (0, 1)
PUBLISHED = """
0000000000000000000000000000000000000000000000000000000000000000
0000000000000000000000000000000000000000000000000000000000000080
0100000000000000000000000000000000000000000000000000000000000000
0100000000000000000000000000000000000000000000000000000000000080
26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05
26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85
c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a
c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f
eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
"""
"""All texts of points of small order: libsodium's seven with both signs, as in "Taming the many EdDSAs" (2020)."""
Point = tuple[int, int]
Extended = tuple[int, int, int, int]


def add(one: Point, other: Point) -> Point:
    return _affine(_add(_extended(one), _extended(other)))


def times(factor: int, point: Point) -> Point:
    found, power = _extended(NEUTRAL), _extended(point)
    for bit in bin(factor)[:1:-1]:
        if bit == "1":
            found = _add(found, power)
        power = _add(power, power)
    return _affine(found)


def root(y: int) -> int | None:
    """One x of the points with this y, None where there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    for factor in (1, pow(2, (P - 1) // 4, P)):
        x = pow(square, (P + 3) // 8, P) * factor % P
        if x * x % P == square:
            return x
    return None


def text(point: Point) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def texts(point: Point) -> set[bytes]:
    """All 32 bytes that a lenient reader takes for a point: y or y + p, and at x = 0 either sign."""
    x, y = point
    signs = {x & 1} if x else {0, 1}
    return {(one | sign << 255).to_bytes(32, "little") for one in (y, y + P) if one < 2**255 for sign in signs}


def point_of(found: bytes) -> Point | None:
    """The point of a text in its one form, None for any other 32 bytes."""
    number = int.from_bytes(found, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    x = root(y) if y < P else None
    if x is None or (not x and sign):
        return None
    return (x if x & 1 == sign else P - x, y)


def small_points() -> list[Point]:
    """The 8 points of small order: multiples of one of order 8, found among the points with the least y."""
    for y in range(2, 100):
        x = root(y)
        if x is not None and times(4, eighth := times(ORDER, (x, y))) != NEUTRAL:
            return [times(factor, eighth) for factor in range(8)]
    raise AssertionError("half of all points of the curve have a part of order 8")


def base() -> Point:
    y = 4 * pow(5, -1, P) % P
    x = root(y)
    assert x is not None
    return (x if x & 1 == 0 else P - x, y)


def challenge(nonce: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(hashlib.sha512(nonce + key + message).digest(), "little") % ORDER


def signed_with(nonce: bytes, factor: int, scalar: int, key: bytes, message: bytes) -> bytes:
    """A signature by RFC 8032's equation for R = factor * B and the key scalar * B, in whatever texts they are."""
    s = (factor + challenge(nonce, key, message) * scalar) % ORDER
    return nonce + s.to_bytes(32, "little")


def odd_signatures(rng: Random, count: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Key, message, signature: points with a part of small order, alone or not, in any form."""
    small = small_points()
    for number in range(count):
        scalar, factor = (rng.choice((0, rng.randrange(ORDER), rng.randrange(ORDER))) for _ in range(2))
        parts = rng.choices(small, weights=(20, *[1] * 7), k=2)
        points = [add(times(one, base()), part) for one, part in zip((scalar, factor), parts, strict=True)]
        key, nonce = (rng.choice(sorted(texts(point))) for point in points)
        message = b"case %d" % number
        signature = signed_with(nonce, factor, scalar, key, message)
        if not rng.randrange(6):
            more = int.from_bytes(signature[32:], "little") + ORDER
            signature = signature[:32] + more.to_bytes(32, "little")
        yield key, message, signature


def is_strictly_signed(key: bytes, signature: bytes, message: bytes) -> bool:
    """S * B = R + k * A, without the cofactor, where no text has another form and no point is of small order."""
    nonce, scalar = signature[:32], int.from_bytes(signature[32:], "little")
    a, r = point_of(key), point_of(nonce)
    if a is None or r is None or scalar >= ORDER or NEUTRAL in (times(8, a), times(8, r)):
        return False
    return times(scalar, base()) == add(r, times(challenge(nonce, key, message), a))


def _extended(point: Point) -> Extended:
    x, y = point
    return (x, y, 1, x * y % P)


def _affine(point: Extended) -> Point:
    x, y, z, _ = point
    inverse = pow(z, -1, P)
    return (x * inverse % P, y * inverse % P)


def _add(one: Extended, other: Extended) -> Extended:
    """Section 5.1.4; it doubles as well."""
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)
