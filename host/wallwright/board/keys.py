"""Keys for images: who may say that a board should run this. Ed25519; signatures stand in a file beside the image.

`IMAGE.uf2.sig` has a line of heading and a line a signature: the public key and the signature, in hexadecimal. What is
signed is a text of our own and the SHA-256 of the whole image file, so that no signature for something else fits.

A key is trusted here when it is the project's, which comes with the program (`project-keys.txt`, one a line), or was
made or trusted by this user: a file of public keys and one file for each private key, beside the key of the journals.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from ..journal.keys import key_path
from ..system.disk import is_device, read_whole, write_new, write_whole
from ..system.private import make_folder
from ..system.signatures import flaw, has_signed
from ..system.strict_json import BadJson, read_json
from ..system.trusted import problem_with
from ..text_files import BadText, text_of
from .errors import BadBoardKey, BadSignature, Unsigned
from .image import bytes_of

HEADING = "wallwright image signatures 1"
SIGNED = b"wallwright image 1\n"
SUFFIX = ".sig"
PROJECT_KEYS = "project-keys.txt"
FOLDER = "board-keys"
TRUSTED = "trusted.json"
_KEY = re.compile(r"[0-9a-f]{64}")
_LINE = re.compile(r"([0-9a-f]{64}) ([0-9a-f]{128})")
KEY_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
_LONGEST = 100_000
"""Bytes of a file of keys or signatures."""


@dataclass(frozen=True, slots=True)
class Known:
    """A key: `public` in hexadecimal; whether it came with the program, and whether its private half is here."""

    name: str
    public: str
    is_project: bool
    is_own: bool


def known_keys() -> list[Known]:
    """Return all keys that are trusted here, the project's first. Raises BadBoardKey."""
    project = [Known(name, public, True, False) for name, public in _project_keys().items()]
    own = [Known(name, public, False, private_path(name).exists()) for name, public in sorted(_trusted().items())]
    return project + own


def make_key(name: str) -> Known:
    """Make a key of this user's own, and trust it. Raises BadBoardKey when the name is taken or cannot be one."""
    _check_free(name)
    key = Ed25519PrivateKey.generate()
    path = private_path(name)
    text = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    try:
        make_folder(path.parent)
        write_new(path, text)
    except FileExistsError as error:
        raise BadBoardKey(f"{path} is there already and is not trusted; choose another name") from error
    except OSError as error:
        raise BadBoardKey(f"{path}: it cannot be written ({error.strerror}); check the folder") from error
    public = key.public_key().public_bytes_raw().hex()
    _store(_trusted() | {name: public})
    return Known(name, public, False, True)


def trust_key(name: str, public: str) -> Known:
    """Trust somebody else's key. Raises BadBoardKey."""
    _check_free(name)
    _check_public(public)
    twin = next((key.name for key in known_keys() if key.public == public), None)
    if twin is not None:
        raise BadBoardKey(f"this key is trusted already, as {twin}")
    _store(_trusted() | {name: public})
    return Known(name, public, False, False)


def remove_key(name: str) -> Known:
    """Trust a key no longer; a key of this user's own is gone for good. Raises BadBoardKey."""
    # A key that may not be trusted has to be removed as well, so they are not looked at here.
    kept = _stored()
    if name not in kept:
        raise BadBoardKey(f"no key of yours is called {name!r}; `wallwright board keys list` shows them")
    key = Known(name, kept.pop(name), False, private_path(name).exists())
    _store(kept)
    if key.is_own:
        try:
            private_path(name).unlink()
        except OSError as error:
            raise BadBoardKey(f"{private_path(name)}: it cannot be removed ({error.strerror})") from error
    return key


def private_path(name: str) -> Path:
    """Return where the private half of a key of this user's own is, or would be."""
    return _folder() / f"{name}.pem"


def private_key(name: str | None) -> Ed25519PrivateKey:
    """Return this user's own key of that name, or the only one. Raises BadBoardKey."""
    own = [key.name for key in known_keys() if key.is_own]
    if name is None and len(own) != 1:
        which = f"there are {', '.join(own)}; say which" if own else "make one with `wallwright board keys make NAME`"
        raise BadBoardKey(f"which key is to sign is not clear: {which}")
    if name is not None and name not in own:
        raise BadBoardKey(f"no key of yours is called {name!r}; `wallwright board keys list` shows them")
    return read_private_key(private_path(name or own[0]))


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """Return the key in a PEM file without a password. Raises BadBoardKey."""
    try:
        is_open, data = problem_with(path), read_whole(path, _LONGEST)
    except OSError as error:
        raise BadBoardKey(f"{path}: it cannot be read ({error.strerror})") from error
    if is_open is not None:
        raise BadBoardKey(f"{path}: {is_open}")
    try:
        key = load_pem_private_key(data, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadBoardKey(f"{path}: this is no private key in PEM without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadBoardKey(f"{path}: this is no Ed25519 key")
    return key


def sign_image(image: Path, key: Ed25519PrivateKey) -> Path:
    """Sign an image; return the file of its signatures, in which others of the same image stay.

    Raises BadImage and OSError, and BadSignature when what is there is no file of signatures.
    """
    data = bytes_of(image)
    path = signature_path(image)
    public = key.public_key().public_bytes_raw().hex()
    lines = {public: f"{public} {key.sign(_message(data)).hex()}"}
    with suppress(FileNotFoundError):
        # Signatures of another image, which this one has replaced, are of no use.
        lines = {one: f"{one} {other}" for one, other in _signatures(path).items() if _fits(one, other, data)} | lines
    write_whole(path, "\n".join([HEADING, *lines.values(), ""]).encode())
    return path


def signature_path(image: Path) -> Path:
    """Return where the signatures of an image are, or would be."""
    return image.with_name(image.name + SUFFIX)


def signer(image: Path, data: bytes) -> Known:
    """Return the trusted key that has signed the image with these bytes.

    Raises Unsigned when none has, BadSignature when there are signatures and one of them is not of this image.
    """
    path = signature_path(image)
    try:
        found = _signatures(path)
    except FileNotFoundError as error:
        raise Unsigned(str(image), "is not signed") from error
    for public, signature in found.items():
        if not _fits(public, signature, data):
            raise BadSignature(str(path), f"its signature by {public[:16]} is not of this image")
    trusted = {key.public: key for key in known_keys()}
    known = next((trusted[public] for public in found if public in trusted), None)
    if known is None:
        others = ", ".join(public[:16] for public in found)
        raise Unsigned(str(image), f"is signed by keys that you do not trust ({others})")
    return known


def _message(data: bytes) -> bytes:
    return SIGNED + hashlib.sha256(data).digest()


def _fits(public: str, signature: str, data: bytes) -> bool:
    return has_signed(bytes.fromhex(public), bytes.fromhex(signature), _message(data))


def _signatures(path: Path) -> dict[str, str]:
    """Return public key -> signature. Raises BadSignature, and FileNotFoundError."""
    try:
        heading, *lines = text_of(read_whole(path, _LONGEST)).removesuffix("\n").split("\n")
    except FileNotFoundError:
        raise
    except (OSError, BadText) as error:
        raise BadSignature(str(path), "it cannot be read as signatures") from error
    found: dict[str, str] = {}
    for line in lines:
        parsed = _LINE.fullmatch(line)
        if parsed is not None and parsed[1] in found:
            raise BadSignature(str(path), f"it has two signatures by {parsed[1][:16]}")
        if parsed is None or heading != HEADING:
            raise BadSignature(str(path), "it is no file of signatures")
        found[parsed[1]] = parsed[2]
    if not found:
        raise BadSignature(str(path), "it is no file of signatures")
    return found


def _project_keys() -> Mapping[str, str]:
    try:
        text = text_of((files(__package__) / PROJECT_KEYS).read_bytes())
    except FileNotFoundError:
        return {}
    except BadText as error:
        raise BadBoardKey(f"{PROJECT_KEYS} of this program: {error}; install the program anew") from error
    found: dict[str, str] = {}
    for line in text.split("\n"):
        name, _, public = line.partition(" ")
        if line and not line.startswith("#"):
            if not KEY_NAME.fullmatch(name) or name in found or not _KEY.fullmatch(public):
                raise BadBoardKey(f"{PROJECT_KEYS} of this program: {line!r} is no key; install the program anew")
            found[name] = public
    return _sound(found, f"{PROJECT_KEYS} of this program", "install the program anew")


def _folder() -> Path:
    return key_path().parent / FOLDER


def _trusted() -> dict[str, str]:
    return _sound(_stored(), str(_folder() / TRUSTED), "take it out with `wallwright board keys remove`")


def _sound(keys: dict[str, str], path: str, way_out: str) -> dict[str, str]:
    """Return keys by name of which each can be trusted and none stands twice. Raises BadBoardKey."""
    names: dict[str, str] = {}
    for name, public in keys.items():
        twin = names.setdefault(public, name)
        problem = f"is that of {twin} too" if twin != name else flaw(bytes.fromhex(public)).partition(";")[0]
        if problem:
            raise BadBoardKey(f"{path}: the key of {name} {problem}; {way_out}")
    return keys


def _stored() -> dict[str, str]:
    path = _folder() / TRUSTED
    try:
        if path.exists() and (problem := problem_with(path, is_own=True)) is not None:
            raise BadBoardKey(f"{path}: {problem}")
        record = read_json(read_whole(path, _LONGEST))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadBoardKey(f"{path}: it cannot be read ({error.strerror}); check its permissions") from error
    except BadJson as error:
        raise BadBoardKey(f"{path}: {error}; move it away, and trust your keys anew") from error
    keys = record.get("keys") if isinstance(record, dict) and record.get("wallwright_board_keys") == 1 else None
    if not isinstance(keys, dict) or not all(
        KEY_NAME.fullmatch(name) and isinstance(public, str) and _KEY.fullmatch(public) for name, public in keys.items()
    ):
        raise BadBoardKey(f"{path}: this is no file of `wallwright board keys`; move it away, and trust your keys anew")
    return keys


def _store(keys: Mapping[str, str]) -> None:
    path = _folder() / TRUSTED
    try:
        make_folder(path.parent)
        write_whole(path, (json.dumps({"wallwright_board_keys": 1, "keys": keys}, indent=1) + "\n").encode())
    except OSError as error:
        raise BadBoardKey(f"{path}: it cannot be written ({error.strerror}); check the folder") from error


def _check_free(name: str) -> None:
    if not KEY_NAME.fullmatch(name) or is_device(name):
        raise BadBoardKey(f"{name!r} is no name for a key: up to 32 letters, digits, - and _")
    if any(key.name == name for key in known_keys()):
        raise BadBoardKey(f"a key is called {name!r} already; choose another name")


def _check_public(public: str) -> None:
    if not _KEY.fullmatch(public):
        raise BadBoardKey(f"{public!r} is no public key: 64 hexadecimal digits, as `wallwright board keys list` shows")
    if problem := flaw(bytes.fromhex(public)):
        raise BadBoardKey(f"the key {public} {problem}")
