"""The chips that a board's image is built for, as far as an emulated board has to know them."""

from typing import NamedTuple


class Kind(NamedTuple):
    """Its images: their file, the family of their blocks (RP2040 datasheet 2.8.4.2, RP2350 5.5.3), the flash that they
    go into, and where MicroPython 1.25 begins the file system in it. `scratch` is the address of a scratch register of
    the watchdog, SCRATCH1, which the firmware does not use."""

    name: str
    image: str
    family: int
    flash_bytes: int
    files_offset: int
    scratch: int


RP2040 = Kind("RP2040", "wallwright-rp2040.uf2", 0xE48BFF56, 2 << 20, 640 << 10, 0x40058010)
RP2350 = Kind("RP2350", "wallwright-rp2350.uf2", 0xE48BFF59, 4 << 20, 1024 << 10, 0x400D8010)
