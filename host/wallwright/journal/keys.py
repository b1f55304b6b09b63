"""The key of this machine that signs checkpoints: Ed25519, made on first use, readable by nobody else.

It lies in $XDG_DATA_HOME/wallwright (~/.local/share/wallwright). Who has it can sign a rewritten journal: what was
printed or shown before is what such a rewriting cannot reach.
"""

import os
import tempfile
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key

from ..errors import BadKey

NAME = "journal-key.pem"


def key_path() -> Path:
    """Return where the key is, or would be."""
    folder = os.environ.get("XDG_DATA_HOME")
    try:
        return (Path(folder) if folder else Path.home() / ".local" / "share") / "wallwright" / NAME
    except RuntimeError as error:
        raise BadKey(NAME, "this user has no home folder; set XDG_DATA_HOME to a folder of its own") from error


def signing_key() -> Ed25519PrivateKey:
    """Return the key, made and stored with mode 0600 if there is none. Raises BadKey."""
    path = key_path()
    try:
        if not path.exists():
            _make(path)
        if path.stat().st_mode & 0o077:
            raise BadKey(str(path), f"others can read it, so anybody may have signed with it; run `chmod 600 {path}`")
        key = load_pem_private_key(path.read_bytes(), None)
    except OSError as error:
        raise BadKey(str(path), f"it cannot be read or made ({error.strerror}); check the folder") from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise BadKey(str(path), "this is no key without a password; move it away, and a new one is made") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey(str(path), "this is no Ed25519 key; move it away, and a new one is made")
    return key


def public_bytes(key: Ed25519PrivateKey) -> bytes:
    """Return the 32 bytes that others check signatures with."""
    return key.public_key().public_bytes_raw()


def _make(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    # Whole before it has its name, and the first one stays: another program may be making one at the same moment.
    with tempfile.NamedTemporaryFile(dir=path.parent) as draft:
        draft.write(text)
        draft.flush()
        os.fsync(draft.fileno())
        try:
            path.hardlink_to(draft.name)
        except FileExistsError:
            return
