"""What a prescribed wall takes on the heap of the 32-bit MicroPython, beyond the code: started, given, latched.

    .venv-dev/bin/python -m benchmarks.prescription_memory

Two tables start there from .mpy files, one without and one with a ring that sorts; the second is given a signed
prescription, checks it, and latches it. On a chip the code is in the flash. Needs `make micropython-32`.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from benchmarks.firmware_memory import MOST_BEYOND, compiled, kib, verdict
from tests.firmware.prescribing import DIRECTOR, ENROLMENT, Director, public
from wallwright_protocol.prescribing import pack, sent
from wallwright_protocol.prescription import PART_BYTES, digest, signed
from wallwright_simulator.runtimes import find_micropython

MOST_CODE_BEYOND = 8 * 1024
INSIDE = """
import gc, json, sys
gc.collect(); start = gc.mem_alloc()
from wallwright_firmware.app import App
from wallwright_firmware.hal import Hal, WIRING_SLOT
from wallwright_firmware.wiring import record, standard
from wallwright_protocol.hardware import LIFT_DOWN, LID_IS_CLOSED, HEAD_HOME, SIDES, WIRES, input_number
gc.collect(); plain = gc.mem_alloc() - start
SORTER = int(sys.argv[1])
if SORTER:
    import wallwright_firmware.sorting.ring, wallwright_firmware.sorting.prescribed
gc.collect(); code = gc.mem_alloc() - start

class Board(Hal):
    readers = 0xFFFF
    sorter, sorter_places = SORTER, 18 if SORTER else 0
    wash_s = 0
    def __init__(self):
        self.levels = bytearray(WIRES)
        self.slots = [b""] * 6
        self.slots[WIRING_SLOT] = record(standard())
        self.levels[LID_IS_CLOSED] = 1
        for side in range(SIDES):
            self.levels[input_number(side, LIFT_DOWN)] = self.levels[input_number(side, HEAD_HOME)] = 1
    def has_edges(self): return False
    def next_edge(self): return False
    def level(self, number): return self.levels[number]
    def drive(self, mask): pass
    def lamps(self, mask): pass
    def show(self, side, text): pass
    def noise(self, count):
        import os
        return os.urandom(count)
    def load(self, slot): return self.slots[slot]
    def save(self, slot, data):
        self.slots[slot] = data
        return True

app = App(Board(), sys.argv[3].encode())
now = 0
def run(done):
    global now
    while not done():
        app.poll(now, b"")
        now += 1
        assert now < 20000, app.cycle.fault
run(lambda: now > 3000)
gc.collect(); figures = {"plain": plain, "code": code, "started": gc.mem_alloc() - start - code}
if SORTER:
    given = json.loads(open(sys.argv[2]).read())
    app.readers.set_enrolment(bytes.fromhex(given["enrolment"]))
    app.sorting.director = bytes.fromhex(given["director"])
    whole = bytes.fromhex(given["sent"])
    for at in range(0, len(whole), given["part"]):
        gc.collect()
        assert app.sorting.take(now, len(whole), at, whole[at : at + given["part"]]) == 0
    whole = given = None
    gc.collect(); figures["sent"] = gc.mem_alloc() - start - code
    from wallwright_firmware.sorting.prescribed import CHECKS, READY
    run(lambda: app.sorting.state != CHECKS)
    assert app.sorting.state == READY, app.sorting._refusal
    gc.collect(); figures["ready"] = gc.mem_alloc() - start - code
    app.cycle.trigger("start_build")
    run(lambda: app.build.running)
    gc.collect(); figures["latched"] = gc.mem_alloc() - start - code
print(json.dumps(figures))
"""


def main() -> None:
    table = Director(1)
    one = table.drawn()
    data = pack(one)
    given = {
        "enrolment": ENROLMENT.hex(),
        "director": public(DIRECTOR).hex(),
        "sent": sent(data, DIRECTOR.sign(signed(digest(data)))).hex(),
        "part": PART_BYTES,
    }
    runtime = find_micropython("B")
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiled(folder / "code")
        (folder / "given.json").write_text(json.dumps(given))
        (folder / "inside.py").write_text(INSIDE)
        for sorter in (0, table.sim.world.hardware.kind):
            line = [*runtime.with_heap(2048), str(folder / "inside.py"), str(sorter)]
            line += [str(folder / "given.json"), table.sim.unit]
            done = subprocess.run(
                line, env={"MICROPYPATH": f"{folder / 'code'}:.frozen"}, capture_output=True, text=True, check=False
            )
            if done.returncode:
                sys.exit(done.stdout + done.stderr)
            figures.append(json.loads(done.stdout))
    plain, sorting = figures
    grid = Grid(title="Heap of the 32-bit MicroPython beyond the code that was loaded")
    for column in ("what", "size", "target", ""):
        grid.add_column(column, justify="left" if column in ("what", "") else "right")
    code = sorting["code"] - sorting["plain"]
    grid.add_row("code of prescribed walls, ring", kib(code), "", "")
    grid.add_row("table without a sorter, started", kib(plain["started"]), "", "")
    grid.add_row("with a ring, started", kib(sorting["started"]), "", "")
    grid.add_row("prescription received", kib(sorting["sent"]), "", "")
    grid.add_row("checked", kib(sorting["ready"]), "", "")
    latched = sorting["latched"]
    grid.add_row("latched, its build begun", kib(latched), f"≤ {kib(MOST_BEYOND)}", verdict(latched, MOST_BEYOND))
    more = latched - plain["started"]
    grid.add_row("that is more than without", kib(more), f"≤ {kib(MOST_CODE_BEYOND)}", verdict(more, MOST_CODE_BEYOND))
    Console().print(grid)


if __name__ == "__main__":
    main()
