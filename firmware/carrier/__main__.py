"""Check the circuit, and write netlist, bill of materials and drawings: `.venv-dev/bin/python -m carrier FOLDER`."""

import sys
from pathlib import Path

from .circuit import build, faults
from .drawings import DRAWINGS
from .outputs import bill, netlist


def main(arguments: list[str]) -> int:
    """Write everything; nothing when the electrical rules complain."""
    if len(arguments) != 1:
        print("Say into which folder: .venv-dev/bin/python -m carrier build/carrier", file=sys.stderr)
        return 2
    board, whole = build(), build(panel=True)
    found = faults(board) + faults(whole)
    if found:
        print("\n".join(found), file=sys.stderr)
        return 1
    folder = Path(arguments[0])
    files = {"wallwright-carrier.net": netlist(board), "bill-of-materials.csv": bill(whole)}
    files |= {f"{name}.svg": draw() for name, draw in DRAWINGS.items()}
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        print(folder / name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
