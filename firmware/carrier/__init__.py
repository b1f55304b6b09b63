"""The reference carrier as code: the board between a Pico and a four-mouth table. This runs on a computer.

`wiring` says what is wired where, from the firmware's own tables; `values` derives resistors, fuses and diodes; `kinds`
has the parts, made in code; `circuit` wires them (SKiDL) and finds what is electrically wrong; `outputs` writes the
netlist for KiCad and the bill of materials; `drawings` draws. `.venv-dev/bin/python -m carrier FOLDER` writes
all of it.

Nobody has built this board yet.
"""
