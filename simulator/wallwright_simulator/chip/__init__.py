"""A table whose board is an emulated RP2040: the very image that is flashed, with the mechanics on the chip's pins.

`emulator/` is the chip: rp2040js with what that package lacks, in a Node process of its own. `process` speaks to it,
`image` reads what is flashed, `simulation` joins it to a `World` and has the shape of `Simulation`.
"""

from .image import ImageError, find_image, read_uf2
from .process import ChipFault, EmulatedChip, Emulator, NoEmulator
from .simulation import ChipSimulation

__all__ = [
    "ChipFault",
    "ChipSimulation",
    "EmulatedChip",
    "Emulator",
    "ImageError",
    "NoEmulator",
    "find_image",
    "read_uf2",
]
