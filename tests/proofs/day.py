"""A day's extract and its page that hold, from docs/proofs.md."""

from typing import Final

from tests.proofs.changing import Change, changed
from tests.proofs.page import CREATED, NOTE, refused
from tests.proofs.world import (
    Entry,
    Json,
    World,
    board_told,
    printed_key,
    seats,
    told,
)

VOIDED = {"session": 1, "table": 1, "deal": 2, "points": [0, 0, 0, 0], "rule": "replay"}
ENTRIES = (
    CREATED,  # 1
    seats(1, [[11, 12, 13, 14], [15, 16, 17, 18]]),
    Entry("table_bound", {"unit": "B1", "table": 2}),
    told(1, 1, 1, 24, -8, -8, -8),  # 4
    board_told("B1", 12, 6, -2, -2, -2),
    told(1, 1, 2, 3, -1, -1, -1),
    NOTE,  # 7
    told(1, 1, 1, -8, 24, -8, -8, kind="result_corrected"),
    Entry("deal_annulled", {**VOIDED, "reason": "kept to ourselves"}),
    told(1, 1, 2, 0, 4, -4, 0),  # 10
    Entry("deal_annulled", {**VOIDED, "deal": 3, "rule": "zero"}),
    told(1, 2, 2, 5, -5, 0, 0),
    Entry("act_undone", {"entries": [12]}),  # 13
    NOTE,
)
WORLD = World(2, ENTRIES)
WHOLE = (1, 2, 3, 13)
RESULTS = ((4, 1, 1, 1), (5, 1, 2, 1), (6, 1, 1, 2), (8, 1, 1, 1), (10, 1, 1, 2), (12, 1, 2, 2))
STATED = ((9, VOIDED), (11, {**VOIDED, "deal": 3, "rule": "zero"}))
SINCE = (3, 8, 13)
EXTRACT = WORLD.extract(WHOLE, RESULTS, STATED, SINCE)
PLACE: Final = ("session", "table", "deal")
ALWAYS: Final = ["all", "counts", "names", "standings"]


def row(entry: int, session: int, table: int, deal: int, *points: int) -> Json:
    return {"session": session, "table": table, "deal": deal, "entry": entry, "points": list(points)}


ROWS = [
    row(5, 1, 2, 1, 6, -2, -2, -2),
    row(6, 1, 1, 2, 3, -1, -1, -1),
    row(8, 1, 1, 1, -8, 24, -8, -8),
    row(9, 1, 1, 2, 0, 0, 0, 0),
    row(10, 1, 1, 2, 0, 4, -4, 0),
    row(11, 1, 1, 3, 0, 0, 0, 0),
]
"""In the order of entries: the annulled deal that is replayed, and the one that counts in its place."""
PROVED = [
    {**ROWS[1], "kind": "result_recorded", "unit": None},
    {**ROWS[2], "kind": "result_corrected", "unit": None},
    {**ROWS[4], "kind": "result_recorded", "unit": None},
]
PARTLY = [
    {**ROWS[0], "kind": "deal_result", "unit": "B1", "missing": [*PLACE]},
    {**ROWS[3], "kind": "deal_annulled", "unit": None, "missing": [*PLACE, "points"]},
    {**ROWS[5], "kind": "deal_annulled", "unit": None, "missing": [*PLACE, "points"]},
]
KEY = printed_key(WORLD.hall)
HOLDS: Final = {
    "accepted": True,
    "why": "",
    "key": KEY,
    "size": WORLD.size,
    "event": "成都 Cup",
    "proved": PROVED,
    "partly": PARTLY,
    "unproved": [],
}


def case(text: str, rows: Json = None, key: str | None = None, checkpoint: str | None = None) -> Json:
    return {"about": "day", "text": text, "key": key, "checkpoint": checkpoint, "rows": rows}


TEXT = WORLD.file(EXTRACT)
ALONE = case(TEXT)
PAGE = case(TEXT, ROWS, KEY, WORLD.checkpoint())


def signed(*changes: Change, rows: Json = None) -> Json:
    """A case of an extract that its own hall has signed after a change."""
    return case(WORLD.file(changed(EXTRACT, *changes)), rows)


def of(world: World, whole: tuple[int, ...], results: tuple[tuple[int, int, int, int], ...], *stated: Json) -> Json:
    return case(world.file(world.extract(whole, results, stated)))


def none(why: str | None = None) -> Json:
    return refused(why, proved=[], partly=[], event=None)
