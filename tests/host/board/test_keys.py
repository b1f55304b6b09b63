"""Keys that sign images, against cryptography's own verifier and files spoiled by hand."""

import hashlib
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tests.edwards import PUBLISHED
from tests.host.board.boards import image_file
from wallwright import cli
from wallwright.board import keys
from wallwright.board.errors import BadBoardKey, BadSignature, Unsigned
from wallwright.board.keys import (
    known_keys,
    make_key,
    private_key,
    read_private_key,
    remove_key,
    sign_image,
    signature_path,
    signer,
    trust_key,
)


def public_of(key: Ed25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def test_the_signature_is_of_a_text_of_ours_and_the_hash_of_the_file(tmp_path: Path) -> None:
    file = image_file(tmp_path)
    made = make_key("club")
    path = sign_image(file.path, private_key(None))
    heading, line = path.read_text().splitlines()
    public, signature = line.split()
    assert (path.name, heading, public) == ("wallwright.uf2.sig", "wallwright image signatures 1", made.public)
    text = b"wallwright image 1\n" + hashlib.sha256(file.path.read_bytes()).digest()
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(public)).verify(bytes.fromhex(signature), text)
    assert signer(file.path, file.data).name == "club"


def test_a_key_is_private_and_listed_until_it_is_removed(tmp_path: Path) -> None:
    make_key("club")
    trust_key("builder", public_of(Ed25519PrivateKey.generate()))
    assert [(key.name, key.is_own, key.is_project) for key in known_keys()] == [
        ("builder", False, False),
        ("club", True, False),
    ]
    pem = keys.private_path("club")
    assert stat.S_IMODE(pem.stat().st_mode) & 0o077 == 0
    assert remove_key("club").is_own
    assert not pem.exists()
    remove_key("builder")
    assert known_keys() == []


def test_signatures_of_several_keys_stand_beside_each_other_and_one_of_them_is_enough(tmp_path: Path) -> None:
    file = image_file(tmp_path)
    others = [Ed25519PrivateKey.generate() for _ in range(2)]
    for key in others:
        sign_image(file.path, key)
    with pytest.raises(Unsigned, match=public_of(others[0])[:16]):
        signer(file.path, file.data)
    trust_key("builder", public_of(others[1]))
    assert signer(file.path, file.data).name == "builder"
    sign_image(file.path, others[0])
    assert len(signature_path(file.path).read_text().splitlines()) == 3, "signing twice adds nothing"


def test_signatures_of_the_image_before_are_left_behind(tmp_path: Path) -> None:
    old = Ed25519PrivateKey.generate()
    sign_image(image_file(tmp_path).path, old)
    file = image_file(tmp_path, pages=901)
    make_key("club")
    sign_image(file.path, private_key("club"))
    assert public_of(old) not in signature_path(file.path).read_text()
    assert signer(file.path, file.data).name == "club"


def test_one_wrong_signature_beside_a_good_one_is_not_passed_over(tmp_path: Path) -> None:
    file = image_file(tmp_path)
    make_key("club")
    path = sign_image(file.path, private_key("club"))
    with path.open("a") as end:
        end.write(f"{'ab' * 32} {'cd' * 64}\n")
    with pytest.raises(BadSignature, match="abababababababab is not of this image"):
        signer(file.path, file.data)


@pytest.mark.parametrize(
    "text", ["", "x", "wallwright image signatures 1\n", "wallwright image signatures 1\nab cd\n", "\xff"]
)
def test_what_is_no_file_of_signatures_is_told(tmp_path: Path, text: str) -> None:
    file = image_file(tmp_path)
    signature_path(file.path).write_text(text)
    with pytest.raises(BadSignature, match="take image and signatures from one place"):
        signer(file.path, file.data)


def test_the_project_s_key_comes_with_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = Ed25519PrivateKey.generate()
    (tmp_path / keys.PROJECT_KEYS).write_text(f"# whose key this is\nproject {public_of(key)}\n")
    monkeypatch.setattr(keys, "files", lambda _: tmp_path)
    file = image_file(tmp_path)
    sign_image(file.path, key)
    found = signer(file.path, file.data)
    assert (found.name, found.is_project) == ("project", True)
    with pytest.raises(BadBoardKey):
        remove_key("project")
    with pytest.raises(BadBoardKey, match="already"):
        make_key("project")
    with pytest.raises(BadBoardKey, match="already, as project"):
        trust_key("twin", public_of(key))


@pytest.mark.parametrize("name", ["", "../x", "a b", "-a", "nul", "x" * 33, "ä"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(BadBoardKey, match="no name for a key"):
        make_key(name)


@pytest.mark.parametrize("public", ["", "xyz", "ab" * 31, "ab" * 33])
def test_a_public_key_that_is_none_is_refused(public: str) -> None:
    with pytest.raises(BadBoardKey, match="no public key"):
        trust_key("builder", public)


def test_which_key_signs_is_not_guessed() -> None:
    with pytest.raises(BadBoardKey, match="make one with"):
        private_key(None)
    make_key("a")
    make_key("b")
    with pytest.raises(BadBoardKey, match="there are a, b; say which"):
        private_key(None)
    with pytest.raises(BadBoardKey, match="no key of yours is called 'c'"):
        private_key("c")


def test_a_file_that_is_no_private_key_is_told(tmp_path: Path) -> None:
    path = tmp_path / "key.pem"
    with pytest.raises(BadBoardKey, match="cannot be read"):
        read_private_key(path)
    path.write_text("rubbish")
    with pytest.raises(BadBoardKey, match="no private key"):
        read_private_key(path)
    path.write_bytes(X25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    with pytest.raises(BadBoardKey, match="no Ed25519 key"):
        read_private_key(path)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"wallwright_board_keys": 1, "keys": {"a": 5}}', '{"wallwright_board_keys": 2}']
)
def test_a_spoiled_list_of_keys_is_told_and_not_taken_for_an_empty_one(text: str) -> None:
    make_key("club")
    (keys._folder() / keys.TRUSTED).write_text(text)
    with pytest.raises(BadBoardKey, match="move it away"):
        known_keys()


def signature_file(*rows: str) -> str:
    return "\n".join(["wallwright image signatures 1", *rows, ""])


@pytest.mark.parametrize("rows", ["wrong right", "right wrong", "right right", "wrong wrong", "other right wrong"])
def test_a_signer_who_stands_there_twice_is_refused_in_any_order(tmp_path: Path, rows: str) -> None:
    file = image_file(tmp_path)
    make_key("club")
    path = sign_image(file.path, private_key("club"))
    sign_image(file.path, Ed25519PrivateKey.generate())
    _, right, other, _ = path.read_text().split("\n")
    lines = {"right": right, "wrong": f"{right[:64]} {'cd' * 64}", "other": other}
    path.write_text(signature_file(*(lines[row] for row in rows.split())))
    with pytest.raises(BadSignature, match=f"two signatures by {right[:16]}"):
        signer(file.path, file.data)
    before = path.read_bytes()
    with pytest.raises(BadSignature, match="two signatures"):
        sign_image(file.path, private_key("club"))
    assert path.read_bytes() == before, "what others have signed is not lost"


@pytest.mark.parametrize("end", ["\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\n\n", "\n ", " \n"])
def test_only_a_line_feed_ends_a_signature(tmp_path: Path, end: str) -> None:
    file = image_file(tmp_path)
    make_key("club")
    path = sign_image(file.path, private_key("club"))
    sign_image(file.path, Ed25519PrivateKey.generate())
    heading, *rows = path.read_text().removesuffix("\n").split("\n")
    for text in (
        end.join([heading, *rows]),
        f"{heading}\n{end.join(rows)}\n",
        signature_file(*rows[:-1], rows[-1] + end),
    ):
        path.write_text(text)
        with pytest.raises(BadSignature, match="no file of signatures"):
            signer(file.path, file.data)
    path.write_bytes("\r\n".join([heading, *rows, ""]).encode())
    assert signer(file.path, file.data).name == "club", "a file that went through Windows is the same"


@pytest.mark.parametrize("public", PUBLISHED.split())
def test_a_key_for_which_anybody_can_sign_is_not_trusted(
    public: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for said in (public, public.upper()):
        monkeypatch.setattr("sys.argv", ["wallwright", "board", "keys", "trust", "builder", said])
        with pytest.raises(SystemExit, match="2"):
            cli.main()
        (line,) = capsys.readouterr().err.removesuffix("\n").split("\n")
        assert line.startswith(f"error: the key {public} is one of the 8 points of small order")
        assert line.endswith("ask its owner for the right key")
    assert known_keys() == []


def test_a_trusted_file_with_such_a_key_or_one_key_twice_is_refused_until_it_is_removed(tmp_path: Path) -> None:
    sound, small = public_of(Ed25519PrivateKey.generate()), PUBLISHED.split()[2]
    for other, problem in (
        (small, "anybody can sign"),
        (sound, "is that of builder too"),
        ("02" + "00" * 31, "no point"),
    ):
        keys._store({"builder": sound, "other": other})
        with pytest.raises(BadBoardKey, match=f"the key of other.*{problem}.*keys remove"):
            known_keys()
        assert remove_key("other").public == other
        assert [key.name for key in known_keys()] == ["builder"]


@pytest.mark.parametrize(
    "text",
    ["project", "project xyz", "a {0}\na {1}", "a {0}\nb {0}", f"a {PUBLISHED.split()[0]}", "a {0} x", "a {0}\v b {1}"],
)
def test_a_spoiled_list_of_the_project_s_keys_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    sound = [public_of(Ed25519PrivateKey.from_private_bytes(bytes([number] * 32))) for number in range(2)]
    (tmp_path / keys.PROJECT_KEYS).write_text(text.format(*sound) + "\n")
    monkeypatch.setattr(keys, "files", lambda _: tmp_path)
    with pytest.raises(BadBoardKey, match="install the program anew"):
        known_keys()
