"""Journals of the first version, as its programs wrote them, and what was read from them then.

`golden-event` is a day of `wallwright event rehearse --players 9 --sessions 2 --seed 3`. `golden-shapes` has one entry
of every kind, and of every choice of fields that was seen of it in journals of tests, whose hosts, desks, consoles and
simulated tables are real; sixteen shapes that no such journal had were made by hand, by what their writers' code says.
Neither is ever made anew: journals are kept for years.
"""

import hashlib
import json
import lzma
from collections import Counter
from pathlib import Path
from typing import Any

from wallwright.event.standings import standings
from wallwright.event.store import read_event
from wallwright.journal import read_journal
from wallwright.journal.replay import replay_entries
from wallwright.journal.results import results_csv
from wallwright.journal.rolls import check_dice

DATA = Path(__file__).parent / "data"

Row = tuple[int, int, str | None, int | None, int | None, str, str]
"""id, at_ms, unit, boot_id, seq, kind, body's text."""


def rows(name: str) -> list[Row]:
    """The entries of a golden file."""
    with lzma.open(DATA / f"{name}.jsonl.xz", "rt", encoding="utf-8") as file:
        return [tuple(json.loads(line)) for line in file]


def told(path: Path) -> dict[str, Any]:
    """What the journal of an event comes to."""
    state = read_event(str(path))
    replay = replay_entries(read_journal(path))
    return {
        "standings": [[row.rank, row.name, str(row.total)] for row in standings(state).rows],
        "sheets": [
            [session.number, session.state, sheet.table, sheet.players, [deal.points for deal in sheet.counted()]]
            for session in state.sessions.values()
            for sheet in session.tables
        ],
        "notes": state.notes,
        "penalties": [[one.player, one.name, str(one.amount), one.by] for one in state.penalties.values()],
        "replay": [replay.scored, replay.played, replay.ruled, replay.unfinished, len(replay.differences)],
        "dice": dict(Counter(roll.verdict for roll in check_dice(read_journal(path)).rolls)),
        "csv": hashlib.sha256("\n".join(results_csv(read_journal(path))).encode()).hexdigest(),
    }
