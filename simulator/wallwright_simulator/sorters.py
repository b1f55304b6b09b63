"""The sorters that a simulated table may have, by the words of `sim://` and of `wallwright simulate`."""

from wallwright_protocol.hardware import FLAP_SORTER, MOUTH_SORTER, NO_SORTER, RING_SORTER

from .clock import Agenda
from .drum import Drum
from .flap import LaneSorter
from .mechanics import FLAP_LEAD_MS, MOUTH_LEAD_MS, RING_MAGNETS
from .ring import RingSorter
from .sorter import Hardware, Sorter, Streams

KINDS = {"plain": NO_SORTER, "mouth": MOUTH_SORTER, "flap": FLAP_SORTER, "ring": RING_SORTER}
LEAST_MAGNETS, MOST_MAGNETS = 4, 24
"""With more than 24 a slot is shorter than what a read and a solenoid take."""
MOST_PLACES = 16


def make_sorter(hardware: Hardware, agenda: Agenda, drum: Drum, stream: Streams) -> Sorter | None:
    """Return the parts that sort; None where nothing does."""
    if hardware.kind == NO_SORTER:
        return None
    kind = RingSorter if hardware.kind == RING_SORTER else LaneSorter
    return kind(agenda, hardware, drum, stream)


def read_hardware(name: str, magnets: int | None = None, places: int | None = None) -> Hardware:
    """Return what `hardware=`, `magnets=` and `places=` ask for; ValueError says in one line what cannot be."""
    if name not in KINDS:
        raise ValueError(f"no hardware is called {name!r}; there are {', '.join(KINDS)}")
    if magnets is not None and name != "ring":
        raise ValueError(f"magnets belong to hardware=ring, not to {name}")
    if places is not None and name != "flap":
        raise ValueError(f"places belong to hardware=flap, not to {name}")
    if name == "ring":
        magnets = RING_MAGNETS if magnets is None else magnets
        if not LEAST_MAGNETS <= magnets <= MOST_MAGNETS:
            raise ValueError(f"magnets is {magnets}: a ring has {LEAST_MAGNETS} to {MOST_MAGNETS}")
        return Hardware(RING_SORTER, magnets, MOUTH_LEAD_MS)
    if name == "flap":
        places = places or 0
        if not 0 <= places <= MOST_PLACES:
            raise ValueError(f"places is {places}: a lane has 0 to {MOST_PLACES}")
        return Hardware(FLAP_SORTER, places, FLAP_LEAD_MS)
    return Hardware(KINDS[name])
