"""Cases about doubles, opened entries, boards and forms of a player's page, from docs/proofs.md."""

from collections.abc import Iterator

from tests.proofs.changing import add, changed, drop, each, flipped, put, swap
from tests.proofs.page import (
    ALWAYS,
    BASE,
    CREATED,
    FIRST,
    HOLDS,
    PLAN,
    PROVED,
    ROWS,
    WORLD,
    answer,
    case,
    one,
    proved,
    refused,
    shown,
)
from tests.proofs.world import Entry, Json, World, compact, seats, told


def cases() -> Iterator[tuple[str, Json, Json]]:
    yield from _doubles()
    yield from _opened()
    yield from _boards()
    yield from _forms()


def _doubles() -> Iterator[tuple[str, Json, Json]]:
    again = changed(BASE, add("rows", ROWS[0]))
    yield "a row twice", again, refused("twice", proved=PROVED[1:])
    other = changed(BASE, add("rows", {**ROWS[0], "points": 24}))
    yield "a row twice with other points", other, refused("twice", proved=PROVED[1:])
    for name, number, seat in (("the same", 9, 0), ("an older", 4, 0), ("another seat's", 9, 1)):
        more = changed(BASE, add("answers.0.answer.results", WORLD.result(number, seat)))
        yield f"{name} result beside it", more, refused("twice", proved=PROVED[1:])
        before = changed(more, swap(FIRST, "answers.0.answer.results.2"))
        yield f"{name} result before it", before, refused("twice", proved=PROVED[1:])
    for_two = changed(BASE, put("answers.0.answer.results.1", WORLD.result(9, 0, deal=2)), put("rows.1.points", -8))
    yield "one entry for two deals", for_two, refused("twice", proved=PROVED[2:])
    board = case(
        [shown(1, 1, 3, 6), shown(1, 1, 4, 6)],
        [answer(1, [WORLD.result(8, 0, 0, 1, 3), WORLD.result(8, 0, 0, 1, 4)], [])],
    )
    yield "one entry of a board for two deals", board, refused("twice", proved=[], partly=[])
    over_two = case(
        [shown(1, 1, 3, 6), shown(2, 1, 3, 6)],
        [answer(1, [WORLD.result(8, 0, 0, 1, 3)], []), answer(2, [WORLD.result(8, 0, 0, 1, 3)], [])],
    )
    yield "one entry of a board for two sessions", over_two, refused("twice", proved=[], partly=[])
    yield "two answers for a session", changed(BASE, add("answers", BASE["answers"][0])), refused("form")
    silent = changed(BASE, add("answers", {"session": 1, "answer": "silent"}))
    yield "silence beside an answer", silent, refused("form")


def _opened() -> Iterator[tuple[str, Json, Json]]:
    seatless = [{**row, "missing": ["seat"]} for row in PROVED]
    partly = {"accepted": False, "why": "partly", "proved": [], "partly": seatless, "unproved": [], "event": None}
    never = {**partly, "not_proved": [*ALWAYS, "event"]}
    yield (
        "an older server that opens nothing",
        changed(BASE, drop("answers.0.answer.opened"), drop("answers.1.answer.opened")),
        never,
    )
    yield (
        "a server that opens nothing",
        changed(BASE, put("answers.0.answer.opened", []), put("answers.1.answer.opened", [])),
        never,
    )
    yield (
        "an event without its seats",
        changed(BASE, drop("answers.0.answer.opened.1"), drop("answers.1.answer.opened.1")),
        {**partly, "event": "成都 Cup", "not_proved": ALWAYS},
    )
    yield (
        "seats without an event",
        changed(BASE, drop("answers.0.answer.opened.0"), drop("answers.1.answer.opened.0")),
        {**HOLDS, "event": None, "not_proved": [*ALWAYS, "event"]},
    )
    plan = "answers.0.answer.opened.1"
    for name, change in (
        ("with another key", put(f"{plan}.key", flipped)),
        ("with another number", put(f"{plan}.entry", 4)),
        ("with another plan", put(f"{plan}.text", lambda text: text.replace("12", "19", 1))),
        ("with a space", put(f"{plan}.text", lambda text: text.replace(",", ", ", 1))),
        ("with a line feed", put(f"{plan}.text", lambda text: text + "\n")),
        ("without its last hash", put(f"{plan}.proof", lambda proof: proof[:-1])),
        ("with a hash more", put(f"{plan}.proof", lambda proof: [*proof, "00" * 32])),
        ("with another hash", put(f"{plan}.proof", lambda proof: [flipped(proof[0]), *proof[1:]])),
        ("without a text", drop(f"{plan}.text")),
        ("that is null", put(plan, None)),
        ("that is no JSON", put(f"{plan}.text", "seats")),
    ):
        yield f"an opened entry {name}", changed(BASE, change), refused("form")
    yield "a plan that comes after the result", one(shown(1, 1, 2, 0), WORLD.result(6, 0), 10), refused("partly")
    yield (
        "a plan without the session",
        one(shown(3, 1, 1, 16), WORLD.result(14, 0), 3, 10),
        refused("partly", proved=[], partly=[{**proved(shown(3, 1, 1, 16), 14), "missing": ["seat"]}]),
    )
    for player in (12, 15, 99):
        yield (
            f"the page of player {player} with another's seat",
            changed(BASE, put("player", player)),
            refused("partly"),
        )
    row = shown(2, 1, 1, -8)
    latest = one(row, WORLD.result(11, 1), 3, 10)
    yield "the latest plan counts", latest, {"accepted": True, "proved": [proved(row, 11, seat=1)]}
    turned = changed(latest, swap("answers.0.answer.opened.0", "answers.0.answer.opened.1"))
    yield "in any order", turned, {"accepted": True, "proved": [proved(row, 11, seat=1)]}
    yield (
        "an older plan counts no more",
        one(shown(2, 1, 1, 8), WORLD.result(11, 0), 3, 10),
        refused("partly", partly=[{**proved(shown(2, 1, 1, 8), 11), "missing": ["seat"]}]),
    )
    yield (
        "a table that the plan has not",
        changed(one(shown(1, 1, 2, 0), WORLD.result(6, 0), 1), put("player", 15)),
        refused("partly"),
    )
    for name, first, tables in (
        ("a first session of text", "1", [PLAN]),
        ("a session without tables", 1, [[]]),
        ("no sessions", 1, []),
        ("tables of text", 1, ["11"]),
    ):
        entries = [CREATED, seats(first, *tables), told(1, 1, 1, 4, -4, 0, 0)]  # type: ignore[arg-type]
        world = World(7, entries)
        yield f"a plan of {name}", one(shown(1, 1, 1, 4), world.result(3, 0), 1, 2, world=world), refused()


def _boards() -> Iterator[tuple[str, Json, Json]]:
    row = shown(1, 1, 3, 6)
    partly = {
        **row,
        "entry": 8,
        "kind": "deal_result",
        "unit": "B1",
        "seat": 0,
        "missing": ["session", "table", "deal", "seat"],
    }
    whole = one(row, WORLD.result(8, 0, 0, 1, 3), 1, 3)
    yield "a board's own result", whole, refused("partly", proved=[], partly=[partly], unproved=[])
    elsewhere = one(shown(2, 2, 1, 6), WORLD.result(8, 0, 0, 2, 1))
    yield "a board's own result wherever it is shown", elsewhere, refused("partly", proved=[])
    yield (
        "a board's own result with other points",
        changed(whole, put("rows.0.points", -2)),
        refused("points", partly=[]),
    )
    yield "a board's own result at another seat", changed(whole, put(f"{FIRST}.seat", 1)), refused("points")
    no_unit = compact([8, "deal_result", None, None, None, 7, [6, -2, -2, -2]])
    yield "a board's result without a board", changed(whole, put(f"{FIRST}.result", no_unit)), refused("kind")
    other = compact([8, "deal_result", "B2", None, None, 7, [6, -2, -2, -2]])
    yield "a board's result with another board", changed(whole, put(f"{FIRST}.result", other)), refused("leaf")
    world = World(
        8,
        [
            CREATED,
            Entry("deal_result", {}, "B1", (1, 1, 3), (6, -2, -2, -2)),
            Entry("result_recorded", {}, None, (None, None, 3), (6, -2, -2, -2)),
        ],
    )
    yield "a board that says where it stands", one(row, world.result(2, 0), world=world), refused("place")
    nowhere = one(row, world.result(3, 0, 0, 1), world=world)
    yield "a recorded result without session and table", nowhere, refused("place")


def _forms() -> Iterator[tuple[str, Json, Json]]:
    for path, value in each(
        ("rows.0.points", ("-8", None, True, -8.5, [], [-8, 24, -8, -8])),
        ("rows.0.session", ("1", None, True, 1.5)),
        ("rows.0.table", ("1", None, {})),
        ("rows.0.deal", ("1", None, False)),
        ("rows.0", (None, 7, [], "row")),
        ("rows", (None, {}, "rows")),
        (f"{FIRST}.seat", (4, -1, "0", None, True, 0.5)),
        (f"{FIRST}.entry", ("9", None, True, 9.5, 0, -9)),
        (f"{FIRST}.table", ("1", None)),
        (f"{FIRST}.deal", ("1", None, True)),
        (f"{FIRST}.result", (None, 9, [])),
        (f"{FIRST}.key", (None, "", "zz" * 32, "00" * 31, 5)),
        (f"{FIRST}.commitment", (None, "", "00" * 33, [])),
        (f"{FIRST}.proof", (None, "", {}, [None], ["00"], ["zz" * 32])),
        (FIRST, (None, [], "x")),
        ("answers.0.answer.results", (None, {}, "x")),
        ("answers.0.answer.size", (None, "14", True)),
        ("answers.0.answer.opened", (None, {}, "x", [5])),
        ("answers.0.answer", (None, "absent", 5, [])),
        ("answers.0", (None, 5)),
        ("answers", (None, {}, 5)),
        ("known", (None, {}, [5], [{}], [{"session": 1, "table": 1, "deal": 1, "entry": "9", "points": -8}])),
        ("player", (None, "11", True)),
    ):
        yield f"{path} is {compact(value)}", changed(BASE, put(path, value)), refused("form")
    for path in (
        "rows.0.points",
        "rows.0.session",
        "rows.0.table",
        "rows.0.deal",
        f"{FIRST}.seat",
        f"{FIRST}.entry",
        f"{FIRST}.table",
        f"{FIRST}.deal",
        f"{FIRST}.result",
        f"{FIRST}.key",
        f"{FIRST}.commitment",
        f"{FIRST}.proof",
        "answers.0.answer.results",
        "answers.0.answer.size",
        "answers.0.answer",
        "answers.0.session",
        "rows",
        "answers",
        "known",
        "player",
    ):
        yield f"{path} is missing", changed(BASE, drop(path)), refused("form")
