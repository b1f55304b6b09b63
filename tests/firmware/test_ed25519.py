"""Signatures as the board checks them, against RFC 8032, against `cryptography`, and in MicroPython."""

import hashlib
import subprocess
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from tests import edwards
from tests.firmware.prescribing import public
from tests.length import length
from wallwright_firmware.sorting.ed25519 import Check, sha512
from wallwright_simulator.runtimes import Runtime

RFC_8032 = (
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe"
        "24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302a"
        "eeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed2"
        "8dc027beceea1ec40a",
    ),
)
"""Section 7.1, TEST 1 to 3: public key, message, signature."""
ORDER = 2**252 + 27742317777372353535851937790883648493


def is_good(key: bytes, message: bytes, signature: bytes) -> bool:
    check = Check(key, message, signature)
    while not check.step():
        pass
    return check.is_good


@pytest.mark.parametrize(("key", "message", "signature"), RFC_8032)
def test_the_signatures_of_the_rfc(key: str, message: str, signature: str) -> None:
    of = bytes.fromhex(key), bytes.fromhex(message), bytes.fromhex(signature)
    assert is_good(*of)
    assert not is_good(of[0], of[1] + b"!", of[2])


@pytest.mark.slow
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=200), st.integers(0, 63), st.integers(1, 255))
def test_a_signature_that_was_changed_is_none(seed: bytes, message: bytes, at: int, change: int) -> None:
    key = Ed25519PrivateKey.from_private_bytes(seed)
    signature = key.sign(message)
    assert is_good(public(key), message, signature)
    changed = bytearray(signature)
    changed[at] ^= change
    assert not is_good(public(key), message, bytes(changed))
    # The same scalar plus the order of the group is another text of the same signature.
    more = int.from_bytes(signature[32:], "little") + ORDER
    assert not is_good(public(key), message, signature[:32] + more.to_bytes(32, "little"))


@pytest.mark.parametrize(
    "key", [bytes(32), b"\xff" * 32, (2).to_bytes(32, "little"), b"", (2**255 - 18).to_bytes(32, "little")]
)
def test_what_is_no_key_signs_nothing(key: bytes) -> None:
    assert not is_good(key, b"a wall", Ed25519PrivateKey.from_private_bytes(bytes(32)).sign(b"a wall"))


@pytest.mark.parametrize("key", edwards.PUBLISHED.split())
def test_a_key_for_which_anybody_can_sign_signs_nothing(key: str) -> None:
    """R = -k * A is one of the 8 points, and S = 0: one of these 14 texts fits, if the key is taken."""
    for nonce in edwards.PUBLISHED.split():
        assert not is_good(bytes.fromhex(key), b"a wall", bytes.fromhex(nonce) + bytes(32))


@pytest.mark.slow
def test_signatures_are_those_of_the_curve_s_definition(seed: int) -> None:
    for key, message, signature in edwards.odd_signatures(Random(seed), length(20, 2000)):
        expected = edwards.is_strictly_signed(key, signature, message)
        assert is_good(key, message, signature) == expected, (key.hex(), signature.hex(), message)


@given(st.binary(max_size=400))
def test_sha_512(data: bytes) -> None:
    found: list[bytes] = []
    for _ in sha512(data, found):
        pass
    assert found == [hashlib.sha512(data).digest()]


def test_a_board_finds_the_same(micropython_runtime: Runtime) -> None:
    cases = [(bytes.fromhex(key), bytes.fromhex(text), bytes.fromhex(by)) for key, text, by in RFC_8032]
    cases += [(key, text + b"!", by) for key, text, by in cases]
    code = """
import sys
sys.path.extend(["protocol", "firmware"])
from wallwright_firmware.sorting.ed25519 import Check
for case in %r:
    check = Check(*case)
    while not check.step():
        pass
    print(check.is_good)
"""
    argv = [*micropython_runtime.argv, "-c", code % cases]
    done = subprocess.run(argv, capture_output=True, timeout=100, check=True)
    assert done.stdout.split() == [b"True"] * 3 + [b"False"] * 3
