"""An event as its export tells it: a fold of the export's JSON lines that shares no code with the host.

`Reading.read` takes the text of `wallwright log export`, `take` its next lines alone. They raise `Broken` for an entry
that takes away what was played without naming it, or that does not fit what stands before it. The reading knows no
rules of a game: points are those of the entries.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from tests.campaign.desk.parts import TO_COME, Broken, Deal, Line
from tests.campaign.desk.results import Results

NO_CHANGE = frozenset(("witnessed", "checkpoint", "clock_changed", "clock_read", "draw_contributed"))
"""Kinds that say nothing of seats, results or people."""


class Reading(Results):
    """The event after the entries so far."""

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[Line] = []
        self.undone: set[int] = set()

    def read(self, text: str) -> list[str]:
        """Take a whole export, and return the kinds of its new entries. Broken when it has not only grown."""
        _, *lines, end = map(json.loads, text.splitlines())
        if lines[: len(self.entries)] != self.entries:
            raise Broken("entries that were written are not in the export any more, or are others")
        if end.get("entries") != len(lines):
            raise Broken(f"the export ends with {end}, after {len(lines)} entries")
        return self.take(lines[len(self.entries) :])

    def take(self, lines: Sequence[Line]) -> list[str]:
        """Take the entries that have come since, and return their kinds. Broken for one that cannot be."""
        for line in lines:
            if line["entry"] != len(self.entries) + 1:
                raise Broken(f"entry {line['entry']} follows entry {len(self.entries)}")
            self.entries.append(line)
            if line["kind"] == "act_undone":
                self._undo(line)
            else:
                self._step(line)
        if lines:
            self._check_seats()
        return [line["kind"] for line in lines]

    def last_act(self) -> list[int]:
        """Return the numbers of the entries of what was done last at the desk and was not undone."""
        done = [line for line in self.entries if "by" in line["body"] and line["kind"] != "act_undone"]
        left = [line for line in done if line["entry"] not in self.undone]
        first = left[-1]["body"].get("act", left[-1]["entry"]) if left else 0
        return [line["entry"] for line in left if first in (line["entry"], line["body"].get("act"))]

    def _step(self, line: Line) -> None:
        step = getattr(self, f"_{line['kind']}", None)
        if step is None and line["kind"] not in NO_CHANGE:
            raise Broken(f"entry {line['entry']} is of a kind that this reading does not know: {line['kind']}")
        try:
            if step is not None:
                step(line["entry"], line["body"])
        except LookupError as error:
            problem = f"entry {line['entry']} ({line['kind']}) is about something that is not there: {error}"
            raise Broken(problem) from error

    def _undo(self, line: Line) -> None:
        """The event is as if the last act had not been done: it is read anew without it."""
        if line["body"]["entries"] != self.last_act():
            raise Broken(f"entry {line['entry']} undoes {line['body']['entries']}, and last was {self.last_act()}")
        self.undone |= {*line["body"]["entries"]}
        super().__init__()
        for one in self.entries:
            if one["entry"] not in self.undone and one["kind"] != "act_undone":
                self._step(one)

    def results(self) -> Iterator[tuple[int, int, int, Deal]]:
        """Yield session, table, number and deal of every result that stands in the place of no other."""
        for number, session in self.sessions.items():
            for at, table in enumerate(session.tables, 1):
                for deal, result in sorted(table.deals.items()):
                    yield number, at, deal, result

    def points_of(self, number: int) -> Counter[int]:
        """Return what a session's live deals gave by player; everybody who sits or has played there is in it."""
        session = self.sessions[number]
        found: Counter[int] = Counter(dict.fromkeys(session.seated(), 0))
        for table in session.tables:
            for deal in table.deals.values():
                if deal.status == "live":
                    for player, points in zip(deal.players, deal.points, strict=True):
                        found[player] += points
        return found

    def after_fines(self, number: int, player: int, points: int) -> int:
        """Return what penalties of a session leave a player of its points."""
        mine = [one for one in self.fines.values() if (one.player, one.session) == (player, number)]
        standing = [one for one in mine if not one.withdrawn]
        points -= sum(int(one.amount) for one in standing if one.name in ("points", "heavy_points"))
        return min(points, 0) if any(one.name == "loss_of_session" for one in standing) else points

    def _check_seats(self) -> None:
        for number, session in self.sessions.items():
            there = Counter([*session.seated(), *session.byes])
            twice = [player for player, count in there.items() if count > 1]
            if twice:
                raise Broken(f"session {number}: players {twice} sit or wait at two places")
            if strangers := there.keys() - self.names.keys():
                raise Broken(f"session {number}: nobody has the numbers {strangers}")
            if session.state in TO_COME and (gone := there.keys() & self.withdrawn):
                raise Broken(f"session {number} is {session.state}, and players {gone} have withdrawn and sit there")
