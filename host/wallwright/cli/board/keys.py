"""`wallwright board keys make | list | trust | remove | sign`: who may say that a board should run an image."""

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..groups import group
from ..one_table import AsJson, print_json

if TYPE_CHECKING:
    from ...board.keys import Known

app = group("keys", "Keys that sign firmware images: make, list, trust, remove, sign.")
Name = Annotated[str, typer.Argument(help="What the key is called here: letters, digits, - and _.")]

MAKE_HELP = """Make a key of your own, trust it, and show its public half.

Example: wallwright board keys make club

The private half stays in a file that only you can read, beside the key of the journals. The command says where; keep a
copy in a safe place.
"""
LIST_HELP = """List the keys that are trusted here: the project's, your own, and those of others.

Example: wallwright board keys list

With --json: a line a key, {"name": "club", "public": "9f...", "is_project": false, "is_own": true}.
"""
TRUST_HELP = """Trust somebody else's key from now on, by its public half as they list it.

Example: wallwright board keys trust builder 9f1c...

Get the key by another way than the image: a person who can change the image on its way can change the key too.
"""
REMOVE_HELP = """Trust a key no longer. One of your own is deleted for good.

Example: wallwright board keys remove club
"""
SIGN_HELP = """Sign an image with your key, into a file beside it: IMAGE.uf2.sig. Signatures by others stay.

Example: wallwright board keys sign build/wallwright-rp2040.uf2 --key club

Without --key it is signed with your only key. A build gives --key-file with a private key in PEM (Ed25519).
"""


@app.callback()
def keys() -> None:
    """Make `keys` a group."""


@app.command("make", help=MAKE_HELP)
def make(name: Name) -> None:
    """Make a key."""
    from ...board.keys import make_key, private_path

    print(_line(make_key(name)))
    print(f"its private half is in {private_path(name)}: keep a copy in a safe place")


@app.command("list", help=LIST_HELP)
def show(as_json: AsJson = False) -> None:
    """List the keys."""
    from ...board.keys import known_keys

    found = known_keys()
    for key in found:
        if as_json:
            print_json(dataclasses.asdict(key))
        else:
            print(_line(key))
    if not found and not as_json:
        print("no key is trusted here; `wallwright board keys make NAME` makes one")


@app.command("trust", help=TRUST_HELP)
def trust(name: Name, public: Annotated[str, typer.Argument(help="64 hexadecimal digits.")]) -> None:
    """Trust a key."""
    from ...board.keys import trust_key

    print(_line(trust_key(name, public.lower())))


@app.command("remove", help=REMOVE_HELP)
def remove(name: Name) -> None:
    """Remove a key."""
    from ...board.keys import remove_key

    gone = remove_key(name)
    print(f"{gone.name} is not trusted any more{', and its private half is deleted' if gone.is_own else ''}")


@app.command("sign", help=SIGN_HELP)
def sign(
    image: Annotated[Path, typer.Argument(metavar="IMAGE", help="The image.")],
    key: Annotated[str | None, typer.Option("--key", help="Which key of yours.")] = None,
    key_file: Annotated[Path | None, typer.Option("--key-file", help="A private key in PEM, for a build.")] = None,
) -> None:
    """Sign an image."""
    from ...board.flash import load_image
    from ...board.keys import private_key, read_private_key, sign_image

    if key is not None and key_file is not None:
        raise typer.BadParameter("give --key or --key-file, not both", param_hint="--key / --key-file")
    file = load_image(image)
    private = private_key(key) if key_file is None else read_private_key(key_file)
    print(f"{sign_image(file.path, private)}: signed by {private.public_key().public_bytes_raw().hex()}")


def _line(key: "Known") -> str:
    what = "the project's" if key.is_project else "your own" if key.is_own else "trusted"
    return f"{key.name:<20}{key.public}  {what}"
