"""A release: signs what `make firmware` has built, and looks afterwards whether the wheel trusts it. `make release`.

The private keys stay where they are, outside of the checkout; their public halves go into the wheel. Each image is
signed by every key that is named, so that a program which trusts only an older key takes the image as well. Nothing is
published here.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from wallwright.board.keys import KEY_NAME, PROJECT_KEYS, read_private_key, sign_image, signature_path
from wallwright.errors import WallwrightError

from .firmware.__main__ import IMAGES, path_of
from .firmware.sources import ROOT

PUBLIC = ROOT / "build" / PROJECT_KEYS
HOW = "make one with `wallwright board keys make NAME`, which says where it is: make release KEY=FILE"
SIGNER = """
import sys
from pathlib import Path
from wallwright.board.flash import load_image
from wallwright.board.keys import signer
for path in sorted(Path(sys.argv[1]).glob("wallwright/board/images/*.uf2")):
    file = load_image(path)
    key = signer(path, file.data)
    print(f"   {path.name}: firmware {'.'.join(str(one) for one in file.image.version)}, signed by {key.name}")
"""
"""Run by the modules of the wheel, where nobody has a key of their own."""


class CannotRelease(WallwrightError):
    """There is no release; the message says why."""


def main(arguments: list[str]) -> int:
    """Sign the images, or check the wheel; return 1 when that cannot be done."""
    parser = argparse.ArgumentParser(prog="make release")
    parser.add_argument("step", choices=["sign", "check"])
    parser.add_argument("keys", nargs="*", type=Path)
    asked = parser.parse_args(arguments)
    try:
        if asked.step == "sign":
            sign(asked.keys)
        else:
            check()
    except WallwrightError as error:
        print(f"make release: {error}", file=sys.stderr)
        return 1
    return 0


def sign(keys: list[Path]) -> None:
    """Sign every image by these keys, and by no others; write their public halves for the wheel."""
    if not keys:
        raise CannotRelease(f"no private key is named; {HOW}")
    if any(path.resolve().is_relative_to(ROOT) for path in keys):
        raise CannotRelease("a private key lies in this checkout, from where it may be published; keep it elsewhere")
    private = {path.stem: read_private_key(path) for path in keys}
    if len(private) < len(keys) or not all(KEY_NAME.fullmatch(name) for name in private):
        raise CannotRelease("a key has the name of its file: letters, digits, - and _, and no two the same")
    for chip, program in IMAGES:
        image = path_of(chip, program)
        if not image.is_file():
            raise CannotRelease(f"{image} is not there; `make firmware` builds it")
        signature_path(image).unlink(missing_ok=True)
        for key in private.values():
            sign_image(image, key)
    public = {name: key.public_key().public_bytes_raw().hex() for name, key in private.items()}
    PUBLIC.write_text("".join(f"{name} {half}\n" for name, half in public.items()), encoding="ascii")
    for name, half in public.items():
        print(f"   signed by {name}, {half}")


def check() -> None:
    """Let the wheel's own program say who has signed the wheel's images. Raises CannotRelease."""
    wheels = list((ROOT / "dist").glob("*.whl"))
    if len(wheels) != 1:
        raise CannotRelease(f"there are {len(wheels)} wheels in dist/; `make release KEY=FILE` builds one")
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(wheels[0]) as wheel:
        wheel.extractall(folder)
        nobody = {"PATH": os.environ["PATH"], "PYTHONPATH": folder, "XDG_DATA_HOME": str(Path(folder, "nobody"))}
        done = subprocess.run(
            [sys.executable, "-c", SIGNER, folder], cwd=folder, env=nobody, capture_output=True, text=True, check=False
        )
    signed = done.stdout.splitlines()
    if done.returncode or len(signed) != len(IMAGES):
        raise CannotRelease(f"{wheels[0].name} does not trust its own images: {done.stderr or signed}")
    print(done.stdout, end="")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
