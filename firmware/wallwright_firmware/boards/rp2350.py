"""The RP2350: addresses of its registers, by the names of `rp2040`."""

NAME = b"rp2350"
RANDOM_BIT = 0x400E8020
"""The ring oscillator's RANDOMBIT, datasheet 8.3.11."""
SCRATCH_0 = 0x400D800C
SCRATCH_4 = 0x400D801C
"""The watchdog's scratch registers, datasheet 12.9; a reset leaves the first as it is."""
BROWN_OUT = (0x4010002C, 1 << 17)
"""POWMAN's CHIP_RESET and its HAD_BOR, datasheet 6.4."""
