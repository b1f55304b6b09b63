"""What a reading of an event's export is made of: sessions, tables, deals, penalties; and the steps of a session."""

from dataclasses import dataclass, field
from typing import Any

STEPS = {
    "open": ("planned", "open"),
    "put_back": ("open", "planned"),
    "start": ("open", "running"),
    "stop": ("running", "awaiting_sign_off"),
    "resume": ("awaiting_sign_off", "running"),
    "sign_off": ("awaiting_sign_off", "provisional"),
    "publish": ("provisional", "under_appeal"),
    "finalise": ("under_appeal", "final"),
}
"""The steps of a session's life as docs/session-life.md has them; `reopen` leads back from two states."""
PLAYED = ("provisional", "under_appeal", "final")
IN_PLAY = ("running", "awaiting_sign_off")
TO_COME = ("planned", "open")
Line = dict[str, Any]


class Broken(AssertionError):
    """The event is not as it must be."""


@dataclass
class Deal:
    """A result: `status` is live, voided or annulled; `entry` is the one that it stands in."""

    entry: int
    players: tuple[int, ...]
    points: tuple[int, ...]
    fines: int
    status: str = "live"
    approved: bool = True


@dataclass
class Table:
    """Who sits at a table in a session, and its deals; `past` are deals that are played again."""

    seats: list[int]
    deals: dict[int, Deal] = field(default_factory=dict)
    past: list[Deal] = field(default_factory=list)
    signed: bool = False


@dataclass
class Session:
    """A session as it came about."""

    tables: list[Table]
    byes: list[int]
    state: str = "planned"

    def seated(self) -> list[int]:
        """Everybody who has a seat, as often as they have one."""
        return [player for table in self.tables for player in table.seats]


@dataclass
class Fine:
    """A penalty; `withdrawn` ones count for nothing."""

    player: int
    session: int | None
    name: str
    amount: str
    withdrawn: bool = False
