"""Paths of direct current from net to net, through contacts, loads, and diodes in their one direction.

Electrical rules compare kinds of pins; they do not know which supply is cut and which is live. This does: it takes the
worst of everything that a chip or a transistor switches (`Kind.passes`), and of the switches and relays that cut the
supplies what they do in a given state. `GND` ends a path. It says nothing of how much current flows.
"""

from collections.abc import Collection, Mapping

from . import kinds
from .kinds import Kind

GROUNDS = frozenset(("GND", "HOST_GND"))
CUTTING = (*(kinds.STOP, kinds.START, kinds.SAFETY, kinds.CONTACTOR, kinds.GUARD, kinds.LID_SWITCH, kinds.LOOP_RELAY),)
"""Kinds whose contacts are where the state says; a motor's relay may be anywhere."""
FUSES = (kinds.FUSE, kinds.FUSE_HOLDER)
"""Through these and the contacts of `CUTTING` a coil gets its whole voltage."""
Wires = Mapping[str, Mapping[int, str]]


class Circuit:
    """Parts and wires of a board, in a state: `moved` are the buttons that are pressed and the relays that are on."""

    def __init__(self, parts: Mapping[str, Kind], wires: Wires, moved: Collection[str] = ()) -> None:
        self.kinds = parts
        self.wires = wires
        self.moved = frozenset(moved)

    def net(self, reference: str, name: str) -> str:
        """Return the net of a part's pin; "" when that is left open."""
        number = next(number for number, (named, _) in self.kinds[reference].pins.items() if named == name)
        return self.wires[reference].get(number, "")

    def path(self, start: str, end: str) -> list[str]:
        """Return nets and parts from one net to another, for a person to read; [] when no current can flow."""
        return self._walk(start).get(end, [])

    def reached(self, start: str) -> set[str]:
        """Return all nets to which a current from this one can flow."""
        return set(self._walk(start))

    def started(self) -> "Circuit":
        """Return the state after START was pressed and let go: K0 as its loops say, and each contactor as its coil."""
        pressed = self._in(self.moved | {"S2"})
        moved = self.moved
        if pressed.joined("K0", "S33", "S34") and self._held():
            moved |= {"K0"}
        while more := self._in(moved).fed() - moved:
            moved |= more
        return self._in(moved)

    def joined(self, reference: str, one: str, other: str) -> bool:
        """Whether a loop outside of a part joins two of its pins."""
        return self.net(reference, other) in self._walk(self.net(reference, one), hard=True, without=reference)

    def fed(self) -> set[str]:
        """Return the contactors whose coils have their voltage."""
        live = set(self._walk("24V_IN", hard=True))
        coils = {reference: kind.coil for reference, kind in self.kinds.items() if kind in CUTTING and kind.coil}
        return {reference for reference, coil in coils.items() if self.net(reference, coil[0]) in live}

    def _held(self) -> bool:
        return self.joined("K0", "S11", "S12") and self.joined("K0", "S21", "S22")

    def _in(self, moved: Collection[str]) -> "Circuit":
        """Return the same circuit in another state."""
        return Circuit(self.kinds, self.wires, moved)

    def _ways(self, reference: str, hard: bool) -> kinds.Pairs:
        """Return the pairs of a part's pins between which a current can flow."""
        kind = self.kinds[reference]
        if kind in CUTTING:
            contacts = kind.makes if reference in self.moved else kind.breaks
            return (*contacts, *(turned(contacts)), *(() if hard else kind.passes))
        if hard:
            return kind.passes if kind in FUSES else ()
        contacts = kind.makes + kind.breaks
        return (*contacts, *turned(contacts), *kind.passes)

    def _walk(self, start: str, hard: bool = False, without: str = "") -> dict[str, list[str]]:
        """Return every net that can be reached, with the way there."""
        onward: dict[str, list[tuple[str, str]]] = {}
        for reference in self.kinds:
            if reference != without:
                for one, other in self._ways(reference, hard):
                    onward.setdefault(self.net(reference, one), []).append((reference, self.net(reference, other)))
        found = {start: [start]}
        todo = [start]
        while todo:
            here = todo.pop(0)
            for reference, net in () if here in GROUNDS else onward.get(here, ()):
                if net and net not in found:
                    found[net] = [*found[here], reference, net]
                    todo.append(net)
        return found


def turned(pairs: kinds.Pairs) -> kinds.Pairs:
    """Return the pairs the other way round."""
    return tuple((other, one) for one, other in pairs)
