"""Cases about keys, signatures and printed checkpoints, for both kinds of pages, from docs/proofs.md."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from tests import edwards
from tests.proofs import day, page
from tests.proofs.changing import changed, each, put
from tests.proofs.page import NOTHING, refused
from tests.proofs.world import Json, World, base32, canonical, root, sha, signed_checkpoint, statement

SMALL: Final = [bytes.fromhex(text) for text in edwards.PUBLISHED.split()]
Sign = Callable[[bytes], tuple[bytes, bytes]]
"""Return a key and a signature for a message."""


def _of_page(sign: Sign) -> Json:
    world = page.WORLD
    return changed(page.BASE, put("checkpoint", _checkpoint(world, sign)))


def _of_day(sign: Sign) -> Json:
    """The checkpoint and the file by one key."""
    world = day.WORLD
    extract = changed(day.EXTRACT, put("since", []), put("checkpoint", _checkpoint(world, sign)))
    text = f"Wallwright extract 1\n{sha(canonical(extract).encode()).hex()}\n"
    return day.case(canonical({"extract": extract, "signature": sign(text.encode())[1].hex()}) + "\n")


def _checkpoint(world: World, sign: Sign) -> str:
    tree = root(world.leaves)
    return signed_checkpoint(world.size, tree, *sign(statement(world.size, tree)))


def _both(name: str, sign: Sign, verdict: Json) -> Iterator[tuple[str, Json, Json]]:
    yield f"{name}: a page", _of_page(sign), verdict
    yield f"{name}: a day", _of_day(sign), verdict


def cases() -> Iterator[tuple[str, Json, Json]]:
    yield from _small()
    yield from _signatures()
    yield from _printed()


def _nonce_for(key: bytes, message: bytes) -> bytes:
    """One of the texts of small order that fits key and message with S = 0, if it is asked without care."""
    for nonce in SMALL:
        if (edwards.challenge(nonce, key, message) % 8) == 0:
            return nonce
    return SMALL[2]


def _small() -> Iterator[tuple[str, Json, Json]]:
    for key in SMALL:
        yield from _both(
            f"a key of small order {key.hex()}",
            lambda message, key=key: (key, _nonce_for(key, message) + bytes(32)),  # type: ignore[misc]
            refused("key", **NOTHING),
        )
    odd = [(edwards.P + number) for number in range(2, 19)]
    for y in odd:
        if edwards.root(y - edwards.P) is not None:
            key = y.to_bytes(32, "little")
            yield from _both(
                f"a key whose y is p + {y - edwards.P}",
                lambda _, key=key: (key, SMALL[2] + bytes(32)),  # type: ignore[misc]
                refused("key", **NOTHING),
            )


def _signatures() -> Iterator[tuple[str, Json, Json]]:
    rng = Random(10)
    scalar, factor = rng.randrange(1, edwards.ORDER), rng.randrange(1, edwards.ORDER)
    key = edwards.text(edwards.times(scalar, edwards.base()))
    nonce = edwards.text(edwards.times(factor, edwards.base()))
    sound = {"accepted": True, "why": "", "key": base32(key)}

    def plain(message: bytes) -> tuple[bytes, bytes]:
        return key, edwards.signed_with(nonce, factor, scalar, key, message)

    yield from _both("a signature by integers alone", plain, sound)
    bad = refused("signature", **NOTHING)
    for small in SMALL:
        yield from _both(
            f"R of small order {small.hex()}",
            lambda message, small=small: (key, edwards.signed_with(small, 0, scalar, key, message)),  # type: ignore[misc]
            bad,
        )

    def added(times: int) -> Sign:
        def sign(message: bytes) -> tuple[bytes, bytes]:
            signature = plain(message)[1]
            number = int.from_bytes(signature[32:], "little") + times * edwards.ORDER
            return key, signature[:32] + number.to_bytes(32, "little")

        return sign

    for times in (1, 2, 7, 14):
        yield from _both(f"S with {times} times the order added", added(times), bad)
    # On the other side of the curve: y is the same with the one, and x with the other.
    half = edwards.text(edwards.add(edwards.times(scalar, edwards.base()), edwards.small_points()[4]))
    yield from _both("S that is negative", _mixed(key, scalar, False, -1), bad)
    yield from _both("S that is negative, of a key with a part of order 2", _mixed(half, scalar, False, -1), bad)
    order = edwards.ORDER.to_bytes(32, "little")
    yield from _both("S that is the order", lambda _: (key, nonce + order), bad)
    yield from _both("S that is 0", lambda _: (key, nonce + bytes(32)), bad)
    for bit in (0, 7, 128, 255, 256, 300, 504, 511):
        yield from _both(f"bit {bit} of the signature is another", _flipping(plain, bit), bad)
    yield from _both("a signature of another message", lambda message: plain(message + b"\n"), bad)
    yield from _both(
        "R that is on no point", lambda message: (key, edwards.signed_with(_no_point(), 1, scalar, key, message)), bad
    )
    yield from _both("a key that is on no point", lambda _: (_no_point(), nonce + bytes(32)), refused(**NOTHING))
    for number, part in enumerate(edwards.small_points()[1:], 1):
        yield from _both(f"R of small order that part {number} of the key makes up for", _fitting(part), bad)
        mixed = edwards.text(edwards.add(edwards.times(scalar, edwards.base()), part))
        for fits in (True, False):
            yield from _both(
                f"a key with part {number} of small order beside a whole one, {'fitting' if fits else 'but for it'}",
                _mixed(mixed, scalar, fits),
                {"accepted": True, "key": base32(mixed)} if fits else bad,
            )


def _mixed(key: bytes, scalar: int, is_fitting: bool, side: int = 1) -> Sign:
    """With a factor whose challenge is a multiple of 8, or is odd: without the cofactor the one fits, the other not."""

    def sign(message: bytes) -> tuple[bytes, bytes]:
        for factor in range(1, 1000):
            nonce = edwards.text(edwards.times(factor, edwards.base()))
            challenge = edwards.challenge(nonce, key, message)
            if challenge % 8 == 0 if is_fitting else challenge % 2:
                return key, edwards.signed_with(nonce, side * factor, side * scalar, key, message)
        raise AssertionError("one challenge in 8 is a multiple of 8")

    return sign


def _fitting(part: edwards.Point) -> Sign:
    """With R of small order that what is added to the key makes up for, so that the equation holds."""

    def sign(message: bytes) -> tuple[bytes, bytes]:
        for scalar in range(1, 1000):
            key = edwards.text(edwards.add(edwards.times(scalar, edwards.base()), part))
            for point in edwards.small_points()[1:]:
                nonce = edwards.text(point)
                challenge = edwards.challenge(nonce, key, message)
                if edwards.add(point, edwards.times(challenge, part)) == edwards.NEUTRAL:
                    return key, edwards.signed_with(nonce, 0, scalar, key, message)
        raise AssertionError("one challenge in 8 fits")

    return sign


def _flipping(sign: Sign, bit: int) -> Sign:
    def flip(message: bytes) -> tuple[bytes, bytes]:
        key, signature = sign(message)
        return key, (int.from_bytes(signature, "little") ^ 1 << bit).to_bytes(64, "little")

    return flip


def _no_point() -> bytes:
    y = next(y for y in range(2, 100) if edwards.root(y) is None)
    return y.to_bytes(32, "little")


def _printed() -> Iterator[tuple[str, Json, Json]]:
    base, extract = page.BASE, day.EXTRACT
    for name, change in (
        ("a size with a zero before it", lambda parts: [parts[0], f"0{parts[1]}", *parts[2:]]),
        ("a size with a sign", lambda parts: [parts[0], f"+{parts[1]}", *parts[2:]]),
        ("a size with a space", lambda parts: [parts[0], f" {parts[1]}", *parts[2:]]),
        ("a size in other digits", lambda parts: [parts[0], "１４", *parts[2:]]),
        ("a size of 14.0", lambda parts: [parts[0], "14.0", *parts[2:]]),
        ("a size of 1e1", lambda parts: [parts[0], "1e1", *parts[2:]]),
        ("no size", lambda parts: [parts[0], "", *parts[2:]]),
        ("a size of 0", lambda parts: [parts[0], "0", *parts[2:]]),
        ("a size below 0", lambda parts: [parts[0], "-14", *parts[2:]]),
        ("a size of 2^53", lambda parts: [parts[0], str(2**53), *parts[2:]]),
        ("a size of 300 digits", lambda parts: [parts[0], "9" * 300, *parts[2:]]),
        ("another version", lambda parts: ["WALLWRIGHT3", *parts[1:]]),
        ("the first version", lambda parts: ["WALLWRIGHT1", *parts[1:]]),
        ("a version in small letters", lambda parts: ["wallwright2", *parts[1:]]),
        ("a part less", lambda parts: parts[:-1]),
        ("a part more", lambda parts: [*parts, ""]),
        ("small letters", lambda parts: [*parts[:2], *(part.lower() for part in parts[2:])]),
        ("a root with =", lambda parts: [*parts[:2], parts[2] + "====", *parts[3:]]),
        ("a root that is cut", lambda parts: [*parts[:2], parts[2][:-1], *parts[3:]]),
        ("a root that is too long", lambda parts: [*parts[:2], parts[2] + "A", *parts[3:]]),
        ("a key that is cut", lambda parts: [*parts[:3], parts[3][:-1], parts[4]]),
        ("a signature that is cut", lambda parts: [*parts[:4], parts[4][:-1]]),
        ("a digit that base32 has not", lambda parts: [*parts[:2], "1" + parts[2][1:], *parts[3:]]),
        ("another unused bit of the root", lambda parts: [*parts[:2], _unused(parts[2]), *parts[3:]]),
        ("another unused bit of the key", lambda parts: [*parts[:3], _unused(parts[3]), parts[4]]),
        ("another unused bit of the signature", lambda parts: [*parts[:4], _unused(parts[4])]),
        ("a line feed at its end", lambda parts: [*parts[:4], parts[4] + "\n"]),
        ("a space at its end", lambda parts: [*parts[:4], parts[4] + " "]),
        ("a space at its beginning", lambda parts: [" " + parts[0], *parts[1:]]),
    ):
        printed = ":".join(change(base["checkpoint"].split(":")))
        yield (
            f"a page's checkpoint with {name}",
            changed(base, put("checkpoint", printed)),
            refused("checkpoint", **NOTHING),
        )
        printed = ":".join(change(extract["checkpoint"].split(":")))
        if "size of 1e1" not in name:
            yield (
                f"an extract's checkpoint with {name}",
                day.signed(put("checkpoint", printed)),
                refused("checkpoint", **NOTHING),
            )
    for name, change in (
        ("another size", lambda parts: [parts[0], str(int(parts[1]) + 1), *parts[2:]]),
        ("the greatest size", lambda parts: [parts[0], str(2**53 - 1), *parts[2:]]),
        ("another root", lambda parts: [*parts[:2], _other(parts[2]), *parts[3:]]),
        ("root and key exchanged", lambda parts: [*parts[:2], parts[3], parts[2], parts[4]]),
    ):
        printed = ":".join(change(base["checkpoint"].split(":")))
        why = None if "exchanged" in name else "signature"
        yield f"a page's checkpoint with {name}", changed(base, put("checkpoint", printed)), refused(why, **NOTHING)
        printed = ":".join(change(extract["checkpoint"].split(":")))
        yield (
            f"an extract's checkpoint with {name}",
            day.signed(put("checkpoint", printed)),
            refused(why, **NOTHING),
        )
    for _, value in each(("checkpoint", (None, 5, True, [], {}))):
        yield f"a page's checkpoint of {value!r}", changed(base, put("checkpoint", value)), refused(**NOTHING)
    yield "a page's checkpoint of no text", changed(base, put("checkpoint", "")), refused("checkpoint", **NOTHING)


def _unused(part: str) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    return part[:-1] + letters[letters.index(part[-1]) + 1]


def _other(part: str) -> str:
    return ("A" if part[0] != "A" else "B") + part[1:]
