"""Keys and signatures of others, against the curve by its definition and the lists that were published."""

import ast
import hashlib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

import wallwright
from tests import edwards
from tests.firmware.test_ed25519 import RFC_8032
from tests.length import length
from wallwright.system.signatures import flaw, has_signed, of_hex

ROOT = Path(__file__).parents[3]
HOST = Path(wallwright.__file__).parent
SPECCHECK = """
8c93255d71dcab10e8f379c26200f3c7bd5f09d9bc3068d3ef4edeb4853022b6
c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa
c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a
0000000000000000000000000000000000000000000000000000000000000000
9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79
c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa
f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43
a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04
aebf3f2601a0c8c5d39cc7d8911642f740b78168218da8471772b35f9d35b9ab
f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43
c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa
8c4bd45aecaca5b24fb97bc10ac27ac8751a7dfe1baff8b953ec9f5833ca260e
9bd9f44f4dcc75bd531b56b2cd280b0bb38fc1cd6d1230e14861d861de092e79
cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d
9046a64750444938de19f227bb80485e92b83fdb4b6506c160484c016cc1852f
87909e14428a7a1d62e9f22f3d3ad7802db02eb2e688b6c52fcd6648a98bd009
e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c
cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d
160a1cb0dc9c0258cd0a7d23e94d8fa878bcb1925f2c64246b2dee1796bed512
5ec6bc982a269b723e0668e540911a9a6a58921d6925e434ab10aa7940551a09
e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec4011eaccd55b53f56c
cdb267ce40c5cd45306fa5d2f29731459387dbf9eb933b7bd5aed9a765b88d4d
21122a84e0b5fca4052f5b1235c80a537878b38f3142356b2c2384ebad4668b7
e40bc836dac0f71076f9abe3a53f9c03c1ceeeddb658d0030494ace586687405
85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40
442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623
e96f66be976d82e60150baecff9906684aebb1ef181f67a7189ac78ea23b6c0e
547f7690a0e2ddcd04d87dbc3490dc19b3b3052f7ff0538cb68afb369ba3a514
85e241a07d148b41e47d62c63f830dc7a6851a0b1f33ae4bb2f507fb6cffec40
442aad9f089ad9e14647b1ef9099a1ff4798d78589e66f28eca69c11f582a623
8ce5b96c8f26d0ab6c47958c9e68b937104cd36e13c33566acd2fe8d38aa1942
7e71f98a473474f2f13f06f97c20d58cc3f54b8bd0d272f42b695dd7e89a8c22
9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41
f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
03be9678ac102edcd92b0210bb34d7428d12ffc5df5f37e359941266a4e35f0f
9bedc267423725d473888631ebf45988bad3db83851ee85c85e241a07d148b41
f7badec5b8abeaf699583992219b7b223f1df3fbbea919844e3f7c554a43dd43
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
ca8c5b64cd208982aa38d4936621a4775aa233aa0505711d8fdcfdaa943d4908
e96b7021eb39c1a163b6da4e3093dcd3f21387da4cc4572be588fafae23c155b
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc
a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04
39a591f5321bbe07fd5a23dc2f39d025d74526615746727ceefd6e82ae65c06f
ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
a9d55260f765261eb9b84e106f665e00b867287a761990d7135963ee0a7d59dc
a5bb704786be79fc476f91d3f3f89b03984d8068dcf1bb7dfc6637b45450ac04
"""
"""The twelve cases of "Taming the many EdDSAs" (2020), four lines each: message, key, R, S."""
STRICT = [False, False, False, True, *[False] * 8]
"""Only the fourth is whole: small orders are 0 to 2, 4 and 5 hold with the cofactor alone, S is too large in 6 and 7,
and texts have another form in the last four.
"""


def library_takes(key: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def secret_and_key(seed: int) -> tuple[int, edwards.Point]:
    scalar = Random(seed).randrange(1, edwards.ORDER)
    return scalar, edwards.times(scalar, edwards.base())


def test_the_points_of_small_order_are_those_that_were_published() -> None:
    small = edwards.small_points()
    assert len(set(small)) == 8
    found = {one for point in small for one in edwards.texts(point)}
    assert found == {bytes.fromhex(line) for line in edwards.PUBLISHED.split()}
    for text in found:
        assert "8 points of small order" in flaw(text)


def test_nothing_holds_under_a_key_of_small_order_that_a_library_takes() -> None:
    small = [bytes.fromhex(line) for line in edwards.PUBLISHED.split()]
    taken = 0
    for key, nonce, number in product(small, small, range(6)):
        signature, message = nonce + bytes(32), b"deal %d" % number
        taken += library_takes(key, signature, message)
        assert not has_signed(key, signature, message), (key.hex(), nonce.hex())
    assert taken, "the library refuses them by itself now"


def test_a_nonce_of_small_order_is_refused_under_a_key_that_is_whole() -> None:
    scalar, point = secret_and_key(35)
    key, neutral = edwards.text(point), edwards.text(edwards.NEUTRAL)
    signature = edwards.signed_with(neutral, 0, scalar, key, b"a deal")
    assert library_takes(key, signature, b"a deal")
    assert not has_signed(key, signature, b"a deal")


@pytest.mark.parametrize("y", range(edwards.P, 2**255))
@pytest.mark.parametrize("sign", [0, 1])
def test_a_point_in_another_form_is_no_key_and_no_nonce(y: int, sign: int) -> None:
    text = (y | sign << 255).to_bytes(32, "little")
    assert "small order" in flaw(text) or "not in the one form" in flaw(text)
    key = Ed25519PrivateKey.from_private_bytes(bytes(32))
    assert not has_signed(key.public_key().public_bytes_raw(), text + key.sign(b"")[32:], b"")
    assert not has_signed(text, key.sign(b""), b"")


def test_a_key_that_is_no_point_or_no_32_bytes_is_named() -> None:
    for y in range(2, 40):
        said = flaw(y.to_bytes(32, "little"))
        assert ("is no point of the curve" in said) == (edwards.root(y) is None)
    for size in (0, 31, 33, 64):
        assert f"has {size} bytes, and one has 32" in flaw(bytes([7]) * size)
        assert not has_signed(bytes([7]) * size, bytes(64), b"")


@pytest.mark.parametrize(("number", "is_whole"), list(enumerate(STRICT)))
def test_the_twelve_published_cases(number: int, is_whole: bool) -> None:
    message, key, *signature = map(bytes.fromhex, SPECCHECK.split()[4 * number : 4 * number + 4])
    assert edwards.is_strictly_signed(key, b"".join(signature), message) == is_whole
    assert has_signed(key, b"".join(signature), message) == is_whole


@pytest.mark.parametrize("case", RFC_8032)
def test_the_signatures_of_the_rfc_hold_in_their_one_form(case: tuple[str, str, str]) -> None:
    key, message, signature = map(bytes.fromhex, case)
    assert flaw(key) == ""
    assert edwards.is_strictly_signed(key, signature, message)
    assert has_signed(key, signature, message)
    more = int.from_bytes(signature[32:], "little") + edwards.ORDER
    for other in (signature[:32] + more.to_bytes(32, "little"), signature[:-1], signature + b"\0", b""):
        assert not has_signed(key, other, message)


def test_whatever_is_signed_is_judged_as_the_curve_s_definition_does(seed: int) -> None:
    verdicts = set()
    for key, message, signature in edwards.odd_signatures(Random(seed), length(40, 4000)):
        expected = edwards.is_strictly_signed(key, signature, message)
        verdicts.add(expected)
        assert has_signed(key, signature, message) == expected, (key.hex(), signature.hex(), message)
    assert verdicts == {True, False}


def test_a_signature_has_one_text() -> None:
    text = hashlib.sha512(b"").hexdigest()
    assert of_hex(text, 64) == bytes.fromhex(text)
    for other in (
        text.upper(),
        text[:-1],
        f" {text}",
        f"{text[:2]} {text[2:]}",
        f"{text}\n",
        text[:-2] + "٣٤",
        5,
        None,
    ):
        assert of_hex(other, 64) is None


OF_THE_LIBRARY = {
    "Ed25519PublicKey",
    "from_public_bytes",
    "InvalidSignature",
    "load_pem_public_key",
    "load_der_public_key",
}


def uses(path: Path) -> Iterator[str]:
    source = path.read_text(encoding="utf-8")
    if not any(name in source for name in OF_THE_LIBRARY):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.alias) and node.name in OF_THE_LIBRARY:
            yield node.name
        if isinstance(node, ast.Attribute | ast.Name):
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            if name in OF_THE_LIBRARY:
                yield name


def test_one_place_verifies_signatures() -> None:
    """Whoever asks the library has to name its class of public keys, or the error that it raises."""
    files = [*HOST.rglob("*.py"), *(ROOT / "tools").rglob("*.py"), *(ROOT / "protocol").rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix(): set(uses(path)) for path in files}
    assert {path: names for path, names in found.items() if names} == {
        "host/wallwright/system/signatures.py": {"Ed25519PublicKey", "from_public_bytes", "InvalidSignature"}
    }
