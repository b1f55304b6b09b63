"""The key of this machine that signs checkpoints: Ed25519, made on first use, readable by nobody else.

It lies in $XDG_DATA_HOME/wallwright, and without that variable in the folder that the system has for a user's data:
~/.local/share/wallwright, ~/Library/Application Support/wallwright, %LOCALAPPDATA%\\wallwright. A thief of
the key can sign a rewritten journal, but cannot change what was printed or shown before.
"""

import hmac
import os
import sys
from contextlib import suppress
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from platformdirs import user_data_path

from ..errors import BadKey
from ..system.disk import write_new
from ..system.private import make_folder
from ..system.trusted import problem_with

OWNER = "wallwright"
NAME = "journal-key.pem"


def key_path() -> Path:
    """Return where the key is, or would be."""
    chosen = os.environ.get("XDG_DATA_HOME")
    if chosen:
        return Path(chosen) / OWNER / NAME
    try:
        return user_data_path(OWNER, appauthor=False) / NAME
    except RuntimeError as error:
        raise BadKey(NAME, "this user has no home folder; set XDG_DATA_HOME to a folder of its own") from error


def signing_key(path: Path | None = None) -> Ed25519PrivateKey:
    """Return the key of that file, else this machine's; one is made that nobody else reads, if there is none.

    Raises BadKey.
    """
    path = key_path() if path is None else path
    try:
        if not path.exists():
            _make(path)
        # Windows has no such modes: what is in a user's own folder there, others but administrators cannot read.
        if sys.platform != "win32" and path.stat().st_mode & 0o077:
            raise BadKey(str(path), f"others can read it, so anybody may have signed with it; run `chmod 600 {path}`")
        if (problem := problem_with(path, is_own=True)) is not None:
            raise BadKey(str(path), str(problem))
        key = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise BadKey(str(path), f"it cannot be read or made ({error.strerror}); check the folder") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadKey(str(path), "this is no key without a password; move it away, and a new one is made") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey(str(path), "this is no Ed25519 key; move it away, and a new one is made")
    return key


def own_key() -> bytes | None:
    """Return this machine's public key, None when it has none yet; none is made. Raises BadKey."""
    return public_bytes(signing_key()) if _has_key() else None


def own_secret(use: bytes) -> bytes | None:
    """Return a secret of 32 bytes for one use, which follows from this machine's key; None when it has no key yet.

    Raises BadKey.
    """
    return hmac.digest(signing_key().private_bytes_raw(), use, "sha256") if _has_key() else None


def public_bytes(key: Ed25519PrivateKey) -> bytes:
    """Return the 32 bytes that others check signatures with."""
    return key.public_key().public_bytes_raw()


def _has_key() -> bool:
    try:
        return key_path().exists()
    except BadKey:
        return False  # a user who has no folder for one


def _make(path: Path) -> None:
    make_folder(path.parent)
    text = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    # The first one stays: another program may be making one at the same moment.
    with suppress(FileExistsError):
        write_new(path, text)
