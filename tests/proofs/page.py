"""A player's page that holds, from docs/proofs.md, and verdicts about changes of it."""

from typing import Final

from tests.proofs.world import Entry, Json, World, board_told, printed_key, seats, told

PLAYER = 11
CREATED = Entry("event_created", {"format": {"name": "成都 Cup"}})
NOTE = Entry("note", {"text": "kept to ourselves"})
PLAN = [[11, 12, 13, 14], [15, 16, 17, 18]]
ENTRIES = (
    CREATED,  # 1
    NOTE,
    seats(1, PLAN, [[11, 15, 12, 16], [13, 17, 14, 18]]),
    told(1, 1, 1, 24, -8, -8, -8),  # 4
    told(1, 2, 1, -8, 24, -8, -8),
    told(1, 1, 2, 0, 0, 0, 0),
    Entry("table_bound", {"unit": "B1", "table": 1}),  # 7
    board_told("B1", 7, 6, -2, -2, -2),
    told(1, 1, 1, -8, 24, -8, -8, kind="result_corrected"),
    seats(2, [[15, 11, 12, 16], [13, 17, 14, 18]]),  # 10
    told(2, 1, 1, 8, -8, 0, 0),
    told(2, 2, 1, 8, -8, 0, 0),
    NOTE,
    told(3, 1, 1, 16, -8, -8, 0),  # 14: nobody has planned session 3
)
WORLD = World(1, ENTRIES)
ALWAYS = ["newest", "all", "name"]


def shown(session: int, table: int, deal: int, points: int) -> Json:
    return {"session": session, "table": table, "deal": deal, "points": points}


def answer(session: int, results: list[Json], opened: list[Json], size: int = WORLD.size) -> Json:
    return {"session": session, "answer": {"size": size, "results": results, "opened": opened}}


def case(rows: list[Json], answers: list[Json], world: World = WORLD, known: list[Json] | None = None) -> Json:
    return {
        "about": "results",
        "checkpoint": world.checkpoint(),
        "player": PLAYER,
        "rows": rows,
        "answers": answers,
        "known": known or [],
    }


ROWS = [shown(1, 1, 1, -8), shown(1, 1, 2, 0), shown(2, 1, 1, -8)]
BASE = case(
    ROWS,
    [
        answer(1, [WORLD.result(9, 0), WORLD.result(6, 0)], [WORLD.opened(1), WORLD.opened(3)]),
        answer(2, [WORLD.result(11, 1)], [WORLD.opened(1), WORLD.opened(10)]),
    ],
)
FIRST = "answers.0.answer.results.0"


def proved(row: Json, entry: int, kind: str = "result_recorded", seat: int = 0) -> Json:
    return {**row, "entry": entry, "kind": kind, "unit": None, "seat": seat}


PROVED = [proved(ROWS[0], 9, "result_corrected"), proved(ROWS[1], 6), proved(ROWS[2], 11, seat=1)]
HOLDS = {
    "accepted": True,
    "why": "",
    "key": printed_key(WORLD.hall),
    "size": WORLD.size,
    "event": "成都 Cup",
    "proved": PROVED,
    "partly": [],
    "unproved": [],
}


def fails(why: str, at: int = 0) -> Json:
    """Of the base case with one row that is not proved."""
    row_why = {"accepted": False, "why": why, "key": printed_key(WORLD.hall), "event": "成都 Cup", "partly": []}
    return {**row_why, "proved": [*PROVED[:at], *PROVED[at + 1 :]], "unproved": [{**ROWS[at], "why": why}]}


def refused(why: str | None = None, **more: Json) -> Json:
    return {"accepted": False, **({} if why is None else {"why": why}), **more}


NOTHING: Final[dict[str, Json]] = {"key": None, "size": None, "root": None, "event": None, "proved": [], "partly": []}


def with_points(world: World, number: int, seat: int) -> Json:
    """What a server writes that changes the text of a result."""
    result = world.result(number, seat)
    return {**result, "result": result["result"].replace("-8", "8")}


def one(row: Json, result: Json, *opened: int, known: list[Json] | None = None, world: World = WORLD) -> Json:
    """A case of one row and one result."""
    answers = [answer(row["session"], [result], [world.opened(number) for number in opened], world.size)]
    return case([row], answers, world, known)
