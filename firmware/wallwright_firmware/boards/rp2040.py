"""The RP2040: addresses of its registers. `rp2350` has the same names; `rp2` finds out which of them this is."""

NAME = b"rp2040"
RANDOM_BIT = 0x4006001C
"""The ring oscillator's RANDOMBIT, datasheet 2.17.8."""
SCRATCH_0 = 0x4005800C
SCRATCH_4 = 0x4005801C
"""The watchdog's scratch registers, datasheet 4.7.6; a reset leaves the first as it is."""
BROWN_OUT = (0, 0)
"""One bit tells of power-on and brown-out together (CHIP_RESET.HAD_POR, datasheet 2.12.8), so a brown-out passes for a
power loss."""
