"""Gets what `pins` names: downloads it once a machine, checks every file's hash, unpacks it and changes the sources.

It is kept in the user's cache, below a name that is the hash of `pins`, so that every checkout with the same pins finds
it there. An unpacked folder gets its name when it is whole.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from urllib.parse import unquote

from platformdirs import user_cache_path

from . import pins

ROOT = Path(__file__).parents[2]


_CALLER = """#!/bin/sh
root="$(dirname "$0")/../compiler"
LD_LIBRARY_PATH="$root/usr/lib/x86_64-linux-gnu:$root/lib/x86_64-linux-gnu" exec "$root/usr/bin/{name}" "$@"
"""


class CannotBuild(Exception):
    """Why there is no image, and what to do."""


def cache() -> Path:
    """Return the folder in which this machine keeps what is downloaded and compiled."""
    return user_cache_path("wallwright") / "firmware"


def pins_hash() -> str:
    """Return the hash of the pins and of what is done with them."""
    files = [Path(pins.__file__), Path(__file__)]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def get_sources() -> Path:
    """Return the folder with compiler and sources; fetch it first if it is not there. Raises CannotBuild."""
    target = cache() / f"sources-{pins_hash()[:16]}"
    if target.is_dir():
        return target
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        raise CannotBuild("the pinned compiler runs on Linux on x86-64 only; build the images on such a machine")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="new-") as folder:
        new = Path(folder) / "sources"
        new.mkdir()
        _unpack(_download(), new)
        _change(new)
        try:
            new.rename(target)
        except OSError:
            if not target.is_dir():  # else somebody was faster
                raise
    return target


def _download() -> Path:
    """Return the folder with all files, each with its hash."""
    folder = cache() / "downloads"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = pins.COMPILER | pins.LIBRARIES
    missing = [package for package, digest in wanted.items() if not _has(_deb(folder, package), digest)]
    if not all(_has(folder / name, digest) for name, digest in pins.SOURCE_FILES.items()):
        missing.append(pins.SOURCE)
    if missing:
        print("== Fetching Debian's compiler, MicroPython and libraries (107 MB, once a machine; nothing is installed)")
        script = ROOT / "tools" / "download_debian.sh"
        done = subprocess.run([script, folder, pins.RELEASES, " ".join(missing)], check=False)
        if done.returncode:
            raise CannotBuild("the packages could not be fetched (see above)")
    for package, digest in wanted.items():
        _check(_deb(folder, package), digest)
    for name, digest in pins.SOURCE_FILES.items():
        _check(folder / name, digest)
    return folder


def _deb(folder: Path, package: str) -> Path:
    """Return the file of `name=version`, as apt names it."""
    name, _, version = package.partition("=")
    found = [path for path in folder.glob(f"{name}_*.deb") if unquote(path.name).split("_")[1] == version]
    return found[0] if found else folder / f"{name}_{version}.deb"


def _has(path: Path, digest: str) -> bool:
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == digest


def _check(path: Path, digest: str) -> None:
    if not _has(path, digest):
        path.unlink(missing_ok=True)
        raise CannotBuild(f"{path.name} has not the hash that tools/firmware/pins.py wants; it is removed, try again")


def _unpack(downloads: Path, into: Path) -> None:
    print("== Unpacking them")
    for package in pins.COMPILER | pins.LIBRARIES:
        root = into / ("compiler" if package in pins.COMPILER else "libraries")
        subprocess.run(["dpkg-deb", "--extract", _deb(downloads, package), root], check=True)
    source, debian = pins.SOURCE_FILES
    with tarfile.open(downloads / source) as archive:
        archive.extractall(into)  # its hash is pinned, so what it holds is known
    with tarfile.open(downloads / debian) as archive:
        archive.extract("debian/copyright", into)
    (into / f"micropython-{pins.MICROPYTHON}").rename(into / "micropython")


def _change(sources: Path) -> None:
    micropython = sources / "micropython"
    for name, replacements in pins.CHANGES.items():
        text = (micropython / name).read_text(encoding="utf-8")
        for old, new in replacements:
            assert text.count(old) == 1, f"{name} has not one {old!r}"
            text = text.replace(old, new)
        (micropython / name).write_text(text, encoding="utf-8")
    for name in ("pico-sdk", "tinyusb"):
        shutil.rmtree(micropython / "lib" / name)
        shutil.move(sources / "libraries/usr/src" / name, micropython / "lib" / name)
    # The build looks whether this submodule is there, of which it needs nothing.
    (micropython / "lib/micropython-lib/README.md").write_text("not needed\n", encoding="utf-8")
    _make_compiler_ready(sources)


def _make_compiler_ready(sources: Path) -> None:
    """Let it find newlib, which it looks for beside itself, and its own libraries, whatever this system has."""
    library = sources / "compiler/usr/lib/arm-none-eabi"
    (library / "include").symlink_to("../../include/newlib")
    (library / "lib").symlink_to("newlib")
    (sources / "bin").mkdir()
    for tool in sorted((sources / "compiler/usr/bin").glob("arm-none-eabi-*")):
        caller = sources / "bin" / tool.name
        caller.write_text(_CALLER.format(name=tool.name), encoding="utf-8")
        caller.chmod(0o755)
    # The SDK links the C++ library, of which nothing is used and which Debian's compiler does not bring.
    (sources / "empty").mkdir()
    subprocess.run([sources / "bin/arm-none-eabi-ar", "rcs", sources / "empty/libstdc++.a"], check=True)
