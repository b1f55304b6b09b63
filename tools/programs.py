"""Programs of the system that tests need: which of them are missing here, and Debian's packages that bring them.

`python3 -m tools.programs [--needed] [NAME...]` installs what is missing, of these programs or of all, when it is
run as root on a Debian system, changes no settings and starts nothing. Otherwise it names what is missing and ends
well, since tests that need it are left out then; but with --needed, or where WALLWRIGHT_COMPLETE is set as in CI, it
ends with an error.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

COMPLETE = "WALLWRIGHT_COMPLETE"
"""The variable that says that a missing program is an error."""
POLICY = Path("/usr/sbin/policy-rc.d")
"""A package asks it whether it may start its servers."""
CLUSTER = Path("/etc/postgresql-common/createcluster.d/wallwright-tests.conf")
"""PostgreSQL's package reads this folder when it decides whether it makes a database of its own."""


@dataclass(frozen=True)
class Program:
    """A program or file, the places where it may be beside the path, Debian's packages, and what MB these download."""

    name: str
    places: str
    packages: tuple[str, ...]
    size_mb: int


PROGRAMS = {
    "postgresql": Program("initdb", "usr/lib/postgresql/*/bin/initdb", ("postgresql",), 64),
    "chromium": Program("chromium-headless-shell", "", ("chromium-headless-shell", "fonts-noto-cjk"), 60),
    "node": Program("node", "", ("nodejs",), 27),
    "caddy": Program("caddy", "", ("caddy",), 5),
    "nginx": Program("nginx", "usr/sbin/nginx", ("nginx-light",), 8),
    "systemd": Program("systemd-analyze", "", ("systemd",), 8),
    "npm": Program("npm", "", ("npm",), 50),
    "compiler": Program("gcc", "", ("gcc", "libc6-dev"), 51),
    "c++": Program("g++", "", ("g++", "libc6-dev"), 64),
    "headers": Program(
        "Python.h",
        f"{sysconfig.get_path('include')}/Python.h".lstrip("/"),
        (f"libpython3.{sys.version_info.minor}-dev",),
        6,
    ),
}
FOR_TESTS = ("postgresql", "chromium", "node", "caddy", "nginx", "systemd", "c++")


def find(name: str) -> str | None:
    """Return the path of that program; of several the one with the last name."""
    program = PROGRAMS[name]
    found = sorted(Path("/").glob(program.places)) if program.places else []
    places = [path for path in found if os.access(path, os.R_OK)]
    return shutil.which(program.name) or (str(places[-1]) if places else None)


def how_to_install(*names: str) -> str:
    """The command of Debian that brings those programs."""
    return "apt install " + " ".join(package for name in names for package in PROGRAMS[name].packages)


@contextmanager
def laid(path: Path, text: str, mode: int) -> Iterator[None]:
    """Have a file there meanwhile; one that is there already stays as it is."""
    if path.exists():
        yield
        return
    made = [folder for folder in path.parents if not folder.exists()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    try:
        yield
    finally:
        path.unlink()
        for folder in made:
            if not any(folder.iterdir()):
                folder.rmdir()


def install(names: list[str]) -> int:
    """Install their packages; return what apt said."""
    packages = [package for name in names for package in PROGRAMS[name].packages]
    quiet = {"env": os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, "stdout": subprocess.DEVNULL}
    words = ["apt-get", "--quiet=2", "install", "--no-install-recommends", *packages]
    with ExitStack() as stack:
        stack.enter_context(laid(POLICY, "#!/bin/sh\nexit 101\n", 0o755))
        stack.enter_context(laid(CLUSTER, "create_main_cluster = false\n", 0o644))
        subprocess.run(["apt-get", "--quiet=2", "update"], check=False, **quiet)  # type: ignore[call-overload]
        return subprocess.run(words, check=False, **quiet).returncode  # type: ignore[call-overload, no-any-return]


def main(words: list[str]) -> int:
    """Install or name what is missing; return what the process ends with."""
    is_needed = "--needed" in words or bool(os.environ.get(COMPLETE))
    names = [word for word in words if word != "--needed"] or list(FOR_TESTS)
    missing = [name for name in names if find(name) is None]
    if not missing:
        return 0
    size = sum(PROGRAMS[name].size_mb for name in missing)
    print(
        f"== Missing: {', '.join(missing)}. {how_to_install(*missing)} downloads {size} MB"
        f" and takes {max(10, size // 2)} s or so.",
        flush=True,
    )
    if os.geteuid() == 0 and shutil.which("apt-get"):
        code = install(missing)
        for name in missing:
            if find(name) is None:
                print(f"   {name} is still missing. Try: {how_to_install(name)}", file=sys.stderr)
                code = code or 1
        return code
    if is_needed:
        print("   Only root on a Debian system can do so from here: do it first, then run make again.", file=sys.stderr)
        return 1
    print("   Only root can. Tests that need them are not run now; the end of the run lists them.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
