"""Forms are made by one thread at a time: msgspec ends the process otherwise."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
READERS = {"convert", "Decoder", "decode"}
"""The functions of msgspec that read by a form."""
RACE = """
import sys, threading
import msgspec
from wallwright.system.forms import convert

sys.setswitchinterval(1e-6)
THREADS = 8
for number in range(100):
    parts = [msgspec.defstruct(f"Part{number}_{at}", [("size", int)]) for at in range(20)]
    form = msgspec.defstruct(f"Form{number}", [(f"field{at}", part) for at, part in enumerate(parts)])
    value = {f"field{at}": {"size": at} for at in range(20)}
    ready = threading.Barrier(THREADS)

    def read():
        ready.wait()
        assert convert(value, form).field19.size == 19

    threads = [threading.Thread(target=read) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_that_read_by_the_same_structs_at_once_go_on() -> None:
    done = subprocess.run([sys.executable, "-c", RACE], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_nobody_else_has_msgspec_read_by_a_form() -> None:
    found = []
    for path in sorted((ROOT / "host" / "wallwright").rglob("*.py")):
        if path.name == "forms.py" and path.parent.name == "system":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.ImportFrom(module=str(module), names=names) if module.partition(".")[0] == "msgspec":
                    found += [f"{path}: {name.name}" for name in names if name.name in READERS]
                case ast.Attribute(value=value, attr=attr) if attr in READERS:
                    if ast.unparse(value).partition(".")[0] == "msgspec":
                        found.append(f"{path}: {ast.unparse(node)}")
    assert not found, "ask wallwright.system.forms, which lets one thread at a time make a form"
