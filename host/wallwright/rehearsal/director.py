"""The director's station at a simulated table: each wall is drawn beforehand, signed, and given to the board.

The station is the one of `wallwright deals release`. Only the simulated table's tags are known without enrolling them.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from wallwright_protocol.codes import STRICT_WALL
from wallwright_protocol.prescription import KEY_BYTES

from ..doctor.bench import Bench
from ..duplicate.deals import Deals
from ..duplicate.json_form import deals_record
from ..link.event_log import EventLog
from ..link.reports import Event
from ..system.disk import write_named
from ..table.table import Table
from ..tiles.enrolment import Enrolment
from ..tiles.station import give, trust_director


class ToldLog:
    """A journal that remembers what boards say of prescribed walls, by their deals."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self.walls: dict[int, Mapping[str, Any]] = {}

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        """See `wallwright.link.event_log.EventLog`."""
        if event.name == "wall_prescribed":
            self.walls[event.fields["deal"]] = event.fields
        return self._log.append_event(unit, event, at_ms=at_ms)

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """See `wallwright.link.event_log.EventLog`."""
        return self._log.append(kind, body, at_ms=at_ms, unit=unit)


class Director:
    """Releases drawn deals to a table that has built no walls yet, one after the other: those of `numbers` in turn, in
    the wall mode `mode`.

    The key comes from `chance`, as everything of a simulated table follows from its seed.
    """

    def __init__(
        self,
        table: Table,
        enrolment: Enrolment,
        deals: Deals,
        numbers: Sequence[int],
        told: ToldLog,
        chance: Random,
        mode: int = STRICT_WALL,
    ) -> None:
        self.deals = deals
        self._table = table
        self._enrolment = enrolment
        self._numbers = numbers
        self._told = told
        self._mode = mode
        self._key = Ed25519PrivateKey.from_private_bytes(chance.randbytes(KEY_BYTES))
        self._hashes: list[str] = []
        with Bench(table).in_service():
            table.request("set_enrolment", enrolment.digest())
        trust_director(table, self._key)
        self._release()

    def look(self) -> None:
        """Release the next deal once the walls of the one before are up."""
        status = self._table.last_status
        if status.state == "walls_up" and status.deal == len(self._hashes) < len(self._numbers):
            self._release()

    def keep(self, path: Path) -> Path:
        """Write the deals down, for everybody to see."""
        write_named(path, (json.dumps(deals_record(self.deals)) + "\n").encode())
        return path

    def has_built(self, wall: int) -> bool:
        """Whether the board says that its walls of that number, from 1 on, are those that it was given for them."""
        said = self._told.walls.get(wall)
        return said is not None and bool(said["match"]) and said["prescription_hash"] == self._hashes[wall - 1]

    def record(self, wall: int) -> dict[str, Any]:
        """Return what the board has said of walls: one line of --json has it."""
        said = self._told.walls.get(wall)
        if said is None:
            return {"prescribed": False, "match": None, "inferred": None}
        return {"prescribed": True, "match": bool(said["match"]), "inferred": said["inferred"]}

    def _release(self) -> None:
        number = self._numbers[len(self._hashes)]
        self._hashes.append(give(self._table, self.deals, number, self._key, self._enrolment, self._mode)[1])
