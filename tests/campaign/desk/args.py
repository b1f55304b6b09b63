"""What people give an act: names, numbers and reasons that mostly fit how the event stands, and sometimes do not.

A wrong one is of another session or table, was right earlier, or never was. All chance is Hypothesis', which makes a
walk that fails short again: the first of every choice is the simplest.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from tests.campaign.desk.hall import UNITS
from tests.campaign.desk.parts import TO_COME, Session, Table
from tests.campaign.desk.reading import Reading

T = TypeVar("T")

POINTS = ((8, -8, 0, 0), (-1, 3, -1, -1), (0, -24, 0, 24), (2, 2, 2, -6), (0, 0, 0, 0), (8, -8, 1, 0))
"""Points of seats 0 to 3 by a referee's word; the last of them came from nowhere."""
REASONS = ("as it was", "the second thought", "")
WRONG_NUMBERS = (0, 99, 7, -1)
NEW_NAMES = ("Ann Lee", "Bo Chen", "Cy 王", "Di", "Ed", "Fi", "P1", "12", "")
AMOUNTS = {"points": "4", "heavy_points": "24"}
"""What a penalty is worth where there is a choice."""
TEXTS = ("The kong was robbed.", "4 2 6", "王", "", "x" * 300)
SELDOM = 6
"""Of a hundred: how often something is given that does not fit."""


class Chance:
    """Draws from Hypothesis."""

    def __init__(self, data: DataObject) -> None:
        self._data = data

    def pick(self, among: Sequence[T]) -> T:
        """Return one of them."""
        return self._data.draw(st.sampled_from(among)) if len(among) > 1 else among[0]

    def happens(self, of_a_hundred: int) -> bool:
        """Say whether something happens that does so often; the simplest is that it does not."""
        return self._data.draw(st.integers(0, 99)) >= 100 - of_a_hundred


class Args:
    """Arguments for acts at an event that stands as `known` says; `folder` is where files are."""

    def __init__(self, chance: Chance, known: Reading, folder: Path) -> None:
        self.chance = chance
        self.known = known
        self.folder = folder
        self.fits = True
        """Whether there is something for the act to be about."""

    def _of(self, fitting: Sequence[T], others: Sequence[T]) -> T:
        """Return one that fits; where none does, one of the others."""
        self.fits = self.fits and bool(fitting)
        return self.chance.pick(fitting or others)

    def wrong(self, of_a_hundred: int = SELDOM) -> bool:
        """Say whether what comes next is to be wrong."""
        return self.chance.happens(of_a_hundred)

    def session(self, *states: str) -> int:
        """Return the number of a session, mostly of one that is in one of these states."""
        all_of_them = list(self.known.sessions)
        fitting = [number for number in all_of_them if not states or self.known.sessions[number].state in states]
        if self.wrong() or not all_of_them:
            self.fits = self.fits and bool(all_of_them)
            return self.chance.pick((*WRONG_NUMBERS[1:], *all_of_them))
        return self._of(fitting, all_of_them)

    def found(self, session: int) -> Session | None:
        """Return the session of that number."""
        return self.known.sessions.get(session)

    def table(self, session: int, *, signed: bool | None = None) -> int:
        """Return the number of a table there, mostly of one that has signed, or not."""
        found = self.found(session)
        tables = list(enumerate(found.tables, 1)) if found else []
        fitting = [number for number, table in tables if signed is None or table.signed == signed]
        if self.wrong() or not tables:
            return self.chance.pick(WRONG_NUMBERS[1:3])
        return self._of(fitting, [number for number, _ in tables])

    def sheet(self, session: int, table: int) -> Table | None:
        """Return a table of a session."""
        found = self.found(session)
        return found.tables[table - 1] if found and 0 < table <= len(found.tables) else None

    def played(self) -> tuple[int, int, int]:
        """Return session, table and deal of a result, mostly of one that there is."""
        there = [(session, table, deal) for session, table, deal, _ in self.known.results()]
        if self.wrong():
            session = self.session()
            return session, self.table(session), self.chance.pick((1, 2, 99))
        return self._of(there, [(1, 1, 1)])

    def deals(self, session: int) -> tuple[int, int | None]:
        """Return the first and the last deal in which players sat otherwise; None: they still do."""
        found = self.found(session)
        most = max((deal for table in found.tables for deal in table.deals), default=0) if found else 0
        first = 9 if self.wrong() else self.chance.pick(range(1, most + 2))
        return first, self.chance.pick((None, first, most, 1))

    def entry(self, session: int, table: int, deal: int) -> int:
        """Return the entry of a result, mostly the one that it stands in."""
        sheet = self.sheet(session, table)
        there = sheet.deals.get(deal) if sheet else None
        return 3 if there is None or self.wrong() else there.entry

    def player(self, *, gone: bool = False) -> int:
        """Return the number of a player, mostly of one who has withdrawn, or not."""
        if self.wrong() or not self.known.names:
            return self.chance.pick((99, *self.known.stand_ins))
        fitting = [one for one in self.known.names if (one in self.known.withdrawn) == gone]
        return self._of([one for one in fitting if one not in self.known.stand_ins], list(self.known.names))

    def seated(self, session: int) -> int:
        """Return the number of somebody with a seat in a session, mostly."""
        found = self.found(session)
        return self.player() if self.wrong() or not found or not found.tables else self.chance.pick(found.seated())

    def free(self, session: int) -> str:
        """Return who could take a seat in a session: a player without one, or a new name, mostly."""
        found = self.found(session)
        there = set(found.seated()) if found else set()
        return self.chance.pick([str(one) for one in self.known.names if one not in there] + self.new_names())

    def named(self, player: int) -> str:
        """Return how somebody calls a player: by number or by name."""
        return self.chance.pick((str(player), self.known.names.get(player, "Nobody")))

    def new_names(self) -> list[str]:
        """Return names that nobody has, and some that cannot be."""
        taken = set(self.known.names.values())
        return [name for name in NEW_NAMES if name not in taken] + ["Ann Lee"]

    def new_name(self) -> str:
        """Return one of them."""
        return self.chance.pick(self.new_names())

    def reason(self) -> str:
        """Return a reason; sometimes there is none."""
        return "" if self.wrong() else self.chance.pick(REASONS[:2])

    def text(self) -> str:
        """Return a text of somebody."""
        return self.chance.pick(TEXTS)

    def points(self) -> tuple[int, ...]:
        """Return the points of a deal."""
        return self.chance.pick(POINTS)

    def penalty(self) -> int:
        """Return the number of a penalty, mostly of one that stands."""
        standing = [entry for entry, one in self.known.fines.items() if not one.withdrawn]
        return self.chance.pick((3, *self.known.fines)) if self.wrong() else self._of(standing, (3, *self.known.fines))

    def appeal(self) -> int:
        """Return the number of an appeal, mostly of an open one."""
        waiting = [entry for entry, one in self.known.appeals.items() if not one["decided"]]
        return (
            self.chance.pick((3, *self.known.appeals)) if self.wrong() else self._of(waiting, (3, *self.known.appeals))
        )

    def kind_of_penalty(self) -> tuple[str, str]:
        """Return a penalty of the catalogue and its amount, mostly."""
        name = "kick" if self.wrong() else self.chance.pick(self.known.format["penalties"])
        return name, "1000" if self.wrong() else AMOUNTS.get(name, "")

    def stage(self) -> str:
        """Return the stage that may be drawn for."""
        has_final = bool(self.known.format["final_players"])
        return "final" if self.wrong() or (has_final and self.is_played_out()) else "main"

    def commitment(self, stage: str) -> str:
        """Return the commitment that somebody has before them: the one that waits, another one, or any."""
        known = self.known.draws.get(stage, {}).get("commitment", "")
        return self.chance.pick((known, "")) if not self.wrong() else "0" * 64

    def is_played_out(self) -> bool:
        """Say whether all sessions before the final are final."""
        wanted = range(1, self.known.format["sessions"] + 1)
        return all(one in self.known.sessions and self.known.sessions[one].state == "final" for one in wanted)

    def present(self) -> list[int]:
        """Return everybody of the list who has not withdrawn."""
        return [one for one in self.known.names if one not in self.known.withdrawn]

    def fill(self) -> str:
        """Return what fills the tables: nothing where four sit at each."""
        if self.wrong():
            return ""
        return "" if len(self.present()) % 4 == 0 else self.chance.pick(("byes", "stand_ins"))

    def unit(self) -> str:
        """Return the name of a board, or of none."""
        return "" if self.wrong(15) else f"U-{self.chance.pick(UNITS)}"

    def any_table(self) -> int:
        """Return the number of a table of the hall."""
        most = max((len(one.tables) for one in self.known.sessions.values()), default=1)
        return 99 if self.wrong() else self.chance.pick(range(1, most + 1))

    def minutes(self) -> int:
        """Return minutes that are added or taken."""
        return self.chance.pick((5, -5, 60, 0, 100_000 if self.wrong() else 1))

    def record(self) -> dict[str, object]:
        """Return a deal as a scorer declares it."""
        record: dict[str, object] = json.loads(self.chance.pick(RECORDS))
        if self.wrong():
            record["deal"] = self.chance.pick((9, 1))
        return record

    def to_come(self) -> int:
        """Return the number of a session that has not begun, mostly."""
        return self.session(*TO_COME)


def _deal(*events: dict[str, object], end: str = "three_hu") -> str:
    return json.dumps({"events": events, "end": end, "hands": []})


RECORDS = (
    _deal(
        {"type": "hu", "by": "discard", "from": 1, "winners": [{"seat": 0, "value": 4}]},
        {"type": "hu", "by": "self_drawn", "winners": [{"seat": 2, "value": 2}]},
        {"type": "hu", "by": "discard", "from": 1, "winners": [{"seat": 3, "value": 1}]},
    ),
    _deal(
        {"type": "hu", "by": "self_drawn", "winners": [{"seat": 3, "value": 1}]},
        {"type": "hu", "by": "self_drawn", "winners": [{"seat": 2, "value": 2}]},
        {"type": "hu", "by": "self_drawn", "winners": [{"seat": 0, "value": 4}]},
    ),
    _deal({"type": "hu", "by": "discard", "from": 1, "winners": [{"seat": 0, "value": 4}]}, end="three_hu"),
)
"""Deals as scorers declare them; the last one cannot have happened, since one Hu ends no deal."""
