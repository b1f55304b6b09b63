"""Install packages into this environment: by uv, which takes seconds, or by pip where uv cannot be had or fails.

`.venv-dev/bin/python -m tools.install WORDS`: what `pip install` takes and `uv pip install` takes as well. uv gets the
indexes and the certificates that pip was told of, and like pip takes a package from any of them; the hashes of lock/
decide what may be installed.
"""

import ast
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input"]
UV = Path(sysconfig.get_path("scripts")) / ("uv.exe" if os.name == "nt" else "uv")
LOCK = Path(__file__).parent.parent / "lock" / "uv.txt"
NAMES = {
    "index-url": "UV_DEFAULT_INDEX",
    "extra-index-url": "UV_INDEX",
    "find-links": "UV_FIND_LINKS",
    "cert": "SSL_CERT_FILE",
}
"""What pip calls a setting -> where uv looks for it."""


def settings() -> dict[str, str]:
    """What pip was told by its files and the environment, as uv wants to be told."""
    told = subprocess.run([*PIP, "config", "list"], capture_output=True, text=True, check=False).stdout
    found = {"UV_INDEX_STRATEGY": "unsafe-best-match"}
    for (
        line
    ) in told.splitlines():  # global.index-url='...', and :env:.index-url='...' for $PIP_INDEX_URL, which comes last
        name, _, value = line.partition("=")
        variable = NAMES.get(name.rpartition(".")[2].replace("_", "-"))
        if variable is not None and (name.startswith(":env:") or variable not in found):
            found[variable] = " ".join(ast.literal_eval(value).split())
    return found


def has_uv() -> bool:
    """Whether uv is in this environment, after an attempt to get it."""
    if not UV.exists():
        words = ["install", "--quiet", "--only-binary", ":all:", "--require-hashes", "-r", str(LOCK)]
        subprocess.run([*PIP, *words], capture_output=True, check=False)
    return UV.exists()


def main(words: list[str]) -> int:
    """Install; return what the last installer said."""
    if has_uv():
        # pip compiles as well: where PYTHONDONTWRITEBYTECODE is set, every start would compile again.
        by_uv = [str(UV), "pip", "install", "--quiet", "--compile-bytecode", "--python", sys.executable, *words]
        if subprocess.run(by_uv, env={**settings(), **os.environ}, capture_output=True, check=False).returncode == 0:
            return 0
    return subprocess.run([*PIP, "install", "--quiet", *words], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
