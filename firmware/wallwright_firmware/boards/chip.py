"""Which chip this is: `CHIP` is the module with its registers; that of another one is not loaded."""

import os

if "RP2350" in os.uname().machine:
    from . import rp2350 as chip
else:
    from . import rp2040 as chip  # type: ignore[no-redef]

CHIP = chip
