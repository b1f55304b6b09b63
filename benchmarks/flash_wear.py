"""How the board's file system wears the flash when records are stored: sectors erased a write, years that it lasts.

A real MicroPython writes the board's two files again and again on littlefs, mounted as on an RP2040 (352 blocks of
4 KiB, programs of 256 bytes) over a block device that counts. The firmware's own files lie beside them.
"""

import subprocess
import sys
from pathlib import Path

from wallwright_firmware.store import LEAST_BYTES
from wallwright_simulator.runtimes import find_micropython

WRITES = 15_000
BLOCKS = 352
KINDS = 20
"""So many kinds of faults a table has told by then: more than one does in a season of events."""
RECORD_BYTES = LEAST_BYTES + 4 * KINDS
ERASES = 100_000
"""What a sector lasts by the flash's data sheet."""
WRITES_A_CYCLE = 5
CYCLES_A_DAY = 100
"""More than a table plays from morning to midnight."""
WRITES_A_DAY = WRITES_A_CYCLE * CYCLES_A_DAY + 20

INSIDE = """
import os
class Flash:
    def __init__(self, blocks):
        self.blocks = [None] * blocks
        self.erases = [0] * blocks
        self.programs = 0
    def readblocks(self, number, buffer, offset=0):
        block = self.blocks[number]
        for at in range(len(buffer)):
            buffer[at] = 255 if block is None else block[offset + at]
    def writeblocks(self, number, buffer, offset):
        if self.blocks[number] is None:
            self.blocks[number] = bytearray(b"\\xff" * 4096)
        self.blocks[number][offset:offset + len(buffer)] = buffer
        self.programs += 1
    def ioctl(self, what, number):
        if what == 4:
            return len(self.blocks)
        if what == 5:
            return 4096
        if what == 6:
            self.erases[number] += 1
            self.blocks[number] = None
        return 0
flash = Flash(%(blocks)d)
os.VfsLfs2.mkfs(flash, progsize=256)
files = os.VfsLfs2(flash, progsize=256)
def write(name, data):
    with files.open(name, "wb") as file:
        file.write(data)
for name, size in %(others)r:
    write(name, bytes(size))
before = sum(flash.erases)
flash.programs = 0
for number in range(%(writes)d):
    write("state-%%d.bin" %% (number & 1), bytes([number & 255]) * %(record)d)
print(sum(flash.erases) - before, flash.programs, max(flash.erases), sum([1 for count in flash.erases if count]))
"""


def main() -> int:
    """Measure and print."""
    folder = Path(sys.modules["wallwright_firmware"].__path__[0])
    others = [(f"{number}.py", path.stat().st_size) for number, path in enumerate(sorted(folder.rglob("*.py")))]
    script = INSIDE % {"blocks": BLOCKS, "others": others, "writes": WRITES, "record": RECORD_BYTES}
    argv = [*find_micropython("A").with_heap(16 * 1024), "-c", script]
    answer = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    erases, programs, most, blocks = (int(part) for part in answer.split())
    each = erases / WRITES
    print(f"{WRITES} records of {RECORD_BYTES} bytes: {programs / WRITES:.2f} programs and {each:.3f} erases a write")
    print(f"erases are spread over {blocks} of {BLOCKS} blocks, {most} on one at the most")
    worst_years = ERASES / (WRITES_A_DAY * each / 2) / 365
    print(f"{WRITES_A_CYCLE} writes a cycle, {WRITES_A_DAY} a day: {WRITES_A_DAY * each:.0f} erases a day;")
    print(f"a sector of {ERASES} erases lasts {worst_years:.0f} years if the same two blocks took them all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
