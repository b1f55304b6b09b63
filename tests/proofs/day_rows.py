"""Cases about rows and signatures of a day, and what its hall may say, from docs/proofs.md."""

import json
from collections.abc import Iterator

from tests.proofs.changing import add, changed, drop, each, flipped, put, swap
from tests.proofs.day import (
    ALONE,
    ALWAYS,
    EXTRACT,
    HOLDS,
    KEY,
    PAGE,
    PARTLY,
    PLACE,
    PROVED,
    ROWS,
    VOIDED,
    WORLD,
    case,
    none,
    of,
    row,
    signed,
)
from tests.proofs.page import CREATED
from tests.proofs.world import Entry, Json, World, base64_of, board_told, canonical, printed_key, told


def cases() -> Iterator[tuple[str, Json, Json]]:
    yield "a file alone", ALONE, {**HOLDS, "not_proved": [*ALWAYS, "rows"]}
    yield "a page with its file", PAGE, {**HOLDS, "not_proved": ALWAYS}
    yield from _rows()
    yield from _signatures()
    yield from _told_by_the_hall()
    yield from _boards()
    yield from _standing()


def _rows() -> Iterator[tuple[str, Json, Json]]:
    turned = ROWS[::-1]
    yield (
        "rows in another order",
        {**PAGE, "rows": turned},
        {
            **HOLDS,
            "proved": PROVED[::-1],
            "partly": PARTLY[::-1],
        },
    )
    for number, one in enumerate(ROWS):
        yield f"row {number} is left out", changed(PAGE, drop(f"rows.{number}")), none("rows")
        yield f"row {number} stands there twice", changed(PAGE, add("rows", one)), none("rows")
        yield (
            f"row {number} has other points",
            changed(PAGE, put(f"rows.{number}.points", [one["points"][1], *one["points"][:1], *one["points"][2:]]))
            if one["points"][0] != one["points"][1]
            else changed(PAGE, put(f"rows.{number}.points", [1, -1, 0, 0])),
            none("rows"),
        )
        for name in (*PLACE, "entry"):
            yield f"row {number} has another {name}", changed(PAGE, put(f"rows.{number}.{name}", 77)), none("rows")
    for name in (*PLACE, "entry", "points"):
        yield f"a row without {name}", changed(PAGE, drop(f"rows.2.{name}")), none()
    yield "no rows for results", {**PAGE, "rows": []}, none("rows")
    yield "a corrected result among the rows", changed(PAGE, add("rows", row(4, 1, 1, 1, 24, -8, -8, -8))), none("rows")
    yield (
        "a corrected result in place of the correction",
        changed(PAGE, put("rows.2", row(4, 1, 1, 1, 24, -8, -8, -8))),
        none("rows"),
    )
    yield "an undone result among the rows", changed(PAGE, add("rows", row(12, 1, 2, 2, 5, -5, 0, 0))), none("rows")
    yield (
        "two rows exchanged between tables",
        changed(PAGE, swap("rows.0.table", "rows.2.table"), swap("rows.0.entry", "rows.2.entry")),
        none("rows"),
    )
    yield "the points of two tables exchanged", changed(PAGE, swap("rows.0.points", "rows.2.points")), none("rows")
    yield "the entries of two rows exchanged", changed(PAGE, swap("rows.1.entry", "rows.4.entry")), none("rows")
    yield "a row of an entry that is no result", changed(PAGE, add("rows", row(2, 1, 3, 1, 0, 0, 0, 0))), none("rows")
    for points in ([24, -8, -8], [24, -8, -8, -8, 0], [], None, 24, "24", ["24", -8, -8, -8]):
        yield f"a row whose points are {points!r}", changed(PAGE, put("rows.2.points", points)), none()
    for _, rows in each(("rows", ({}, "rows", 5, [None], [5], ["x"], [[]], True))):
        yield f"rows that are {json.dumps(rows)}", {**PAGE, "rows": rows}, none()


def _signatures() -> Iterator[tuple[str, Json, Json]]:
    value = WORLD.signed(EXTRACT)
    other = printed_key(WORLD.other)
    yield "the key that it has", {**ALONE, "key": KEY}, HOLDS
    yield "another key than it has", {**ALONE, "key": other}, none("key")
    for key in ("", KEY.lower(), KEY[:-1], KEY + "A", f" {KEY}"):
        yield f"a key of the text '{key}'", {**ALONE, "key": key}, none()
    yield "the checkpoint that it has", {**ALONE, "checkpoint": WORLD.checkpoint()}, HOLDS
    for size in (3, 13):
        yield (
            f"the page's checkpoint is of {size} entries",
            {**PAGE, "checkpoint": WORLD.checkpoint(size)},
            none("checkpoint"),
        )
    foreign = WORLD.checkpoint(key=WORLD.other)
    yield "the page's checkpoint is another key's", {**PAGE, "checkpoint": foreign}, none("checkpoint")
    yield "the page's checkpoint is none", {**PAGE, "checkpoint": "WALLWRIGHT2"}, none()
    by_other = WORLD.file(changed(EXTRACT, put("checkpoint", foreign)), WORLD.other)
    anew = case(by_other)
    yield "signed anew by somebody else but for what was before", anew, {"accepted": True, "key": other}
    yield "signed anew by somebody else, whose key is not the hall's", {**anew, "key": KEY}, none("key")
    yield (
        "the file is signed by another key than its checkpoint",
        case(WORLD.file(EXTRACT, WORLD.other)),
        none("signature"),
    )
    yield (
        "the checkpoint is signed by another key than the file",
        case(WORLD.file(changed(EXTRACT, put("checkpoint", foreign)))),
        none("signature"),
    )
    for name, signature in (
        ("another first digit", flipped),
        ("another last byte", lambda text: text[:-2] + ("00" if text[-2:] != "00" else "01")),
        ("halves that are exchanged", lambda text: text[64:] + text[:64]),
        ("zeros", lambda _: "00" * 64),
    ):
        bad = canonical(changed(value, put("signature", signature))) + "\n"
        yield f"a file's signature with {name}", case(bad), none("signature")
    for name, signature in (
        ("capital letters", str.upper),
        ("a digit less", lambda text: text[:-1]),
        ("a digit more", lambda text: text + "0"),
        ("no digits", lambda _: ""),
        ("a space", lambda text: text[:-1] + " "),
    ):
        bad = canonical(changed(value, put("signature", signature))) + "\n"
        yield f"a file's signature of {name}", case(bad), none()
    for name, change in (
        ("points", put("extract.results.0.points", [0, 0, 0, 0])),
        ("a winner", put("extract.results.0.winners", [3])),
        ("a name", put("extract.entries.0.4.format.name", "Other Cup")),
        ("what is stated", put("extract.stated.0.4.rule", "zero")),
        ("a proof", put("extract.proof", base64_of(bytes(32)))),
    ):
        yield f"{name} changed after it was signed", case(canonical(changed(value, change)) + "\n"), none("signature")


def _told_by_the_hall() -> Iterator[tuple[str, Json, Json]]:
    """Changes that the hall has signed with its own key: the tree is against them, or it is the hall's word."""
    for name, change in (
        ("points", put("results.0.points", [23, -7, -8, -8])),
        ("points of a correction", put("results.3.points", [24, -8, -8, -8])),
        ("points of a board", put("results.1.points", [-2, 6, -2, -2])),
        ("a kind", put("results.0.kind", "result_corrected")),
        ("a unit", put("results.0.unit", "B9")),
        ("a deal as it was told, and its row", put("results.1.told", [None, None, 13])),
        ("points exchanged between two tables", swap("results.1.points", "results.3.points")),
        ("entries exchanged between two deals", swap("results.0.entry", "results.2.entry")),
        ("the body of an entry", put("entries.1.4.first", 2)),
        ("the time of an entry", put("entries.1.1", 5)),
        ("the unit of an entry", put("entries.1.2", "B1")),
        ("the kind of an entry", put("entries.1.3", "seats_drawn")),
        ("the name of the event", put("entries.0.4.format.name", "Other Cup")),
        ("the number of an entry", put("entries.0.0", 7)),
        ("the number of a statement", put("stated.0.0", 7)),
        ("two entries exchanged but for their numbers", swap("entries.0.4", "entries.1.4")),
    ):
        yield f"{name} changed and signed anew", signed(change), none("leaf")
    moved = put("results.2.told", [1, 2, 2])
    yield "another table as it was told", signed(moved), none("leaf")
    yield "another table, as it was told and in the row", signed(moved, put("results.2.table", 2)), none("leaf")
    for name, value in (("session", 2), ("table", 2), ("deal", 7)):
        yield f"another {name} than was told", signed(put(f"results.2.{name}", value)), none("place")
    yield "two results exchanged between tables", signed(swap("results.0.table", "results.5.table")), none("place")
    other = [{**VOIDED, "points": [9, -9, 0, 0]}, [9, -9, 0, 0]]
    yield (
        "other points of an annulled deal, which are the hall's word",
        signed(put("stated.0.4", other[0])),
        {
            "accepted": True,
            "proved": PROVED,
            "partly": [PARTLY[0], {**PARTLY[1], "points": other[1]}, PARTLY[2]],
        },
    )
    for name in ("dealer", "next_dealer"):
        yield f"another {name}, which is the hall's word", signed(put(f"results.0.{name}", 2)), HOLDS


def _boards() -> Iterator[tuple[str, Json, Json]]:
    bound = Entry("table_bound", {"unit": "B1", "table": 2})
    result = board_told("B1", 12, 6, -2, -2, -2)
    whole = World(4, [CREATED, bound, result])
    yield "a board at its table", of(whole, (1, 2), ((3, 1, 2, 1),)), {"accepted": True, "proved": []}
    yield "a board at another table", of(whole, (1, 2), ((3, 1, 1, 1),)), none("place")
    yield "a board that nobody says where it stands", of(whole, (1,), ((3, 1, 2, 1),)), none("place")
    said = of(whole, (1,), ((3, 1, 2, 1),), (2, bound.body))
    yield "a board of which the hall states where it stands", said, {"accepted": True}
    late = World(4, [CREATED, result, bound])
    yield "a board that was bound after its result", of(late, (1, 3), ((2, 1, 2, 1),)), none("place")
    for name, body in (
        ("another board", {"unit": "B2", "table": 2}),
        ("no unit", {"table": 2}),
        ("no table", {"unit": "B1"}),
    ):
        world = World(4, [CREATED, Entry("table_bound", body), result])
        yield f"a binding of {name}", of(world, (1, 2), ((3, 1, 2, 1),)), none("place")
    other = World(4, [CREATED, Entry("table_seen", bound.body), result])
    yield "a binding of another kind", of(other, (1, 2), ((3, 1, 2, 1),)), none("place")
    for name, odd in (
        ("says its session", Entry("deal_result", {}, "B1", (1, None, 12), (6, -2, -2, -2))),
        ("says its table", Entry("deal_result", {}, "B1", (None, 2, 12), (6, -2, -2, -2))),
        ("has no unit", Entry("deal_result", {}, None, (None, None, 12), (6, -2, -2, -2))),
    ):
        world = World(4, [CREATED, bound, odd])
        yield f"a board's result that {name}", of(world, (1, 2), ((3, 1, 2, 1),)), none("place")
    for session, table in ((None, 2), (1, None), (None, None)):
        world = World(4, [CREATED, Entry("result_recorded", {}, None, (session, table, 1), (1, -1, 0, 0))])
        yield (
            f"a recorded result of session {session} and table {table}",
            of(world, (1,), ((2, 1, 2, 1),)),
            none("place"),
        )


def _standing() -> Iterator[tuple[str, Json, Json]]:
    """Journals of one deal, by the kinds that come: r recorded, c corrected, b by a board, a annulled to be replayed,
    z annulled otherwise, and u for the last entry undone; with the numbers of the entries that are rows."""
    for steps, rows in (
        ("r", [3]),
        ("rc", [4]),
        ("rcc", [5]),
        ("rcu", [3]),
        ("ru", []),
        ("rur", [5]),
        ("b", [3]),
        ("bc", [4]),
        ("ra", [3, 4]),
        ("rar", [3, 4, 5]),
        ("rca", [4, 5]),
        ("rarc", [3, 4, 6]),
        ("raa", [3, 4, 5]),
        ("a", [3]),
        ("ar", [3, 4]),
        ("rau", [3]),
        ("rz", [4]),
        ("z", [3]),
        ("zz", [4]),
        ("rzu", [3]),
        ("rza", [4, 5]),
        ("zc", [4]),
        ("rzc", [5]),
        ("rr", None),
        ("rb", None),
        ("br", None),
        ("c", None),
        ("rac", None),
        ("ruc", None),
        ("rarr", None),
        ("rzr", None),
        ("rauu", [3]),
    ):
        yield _journal_of(steps, rows)
    two = World(6, [CREATED, told(1, 1, 1, 1, -1, 0, 0), told(1, 2, 1, 2, -2, 0, 0), told(2, 1, 1, 3, -3, 0, 0)])
    yield (
        "one deal at two tables and in two sessions",
        of(two, (1,), ((2, 1, 1, 1), (3, 1, 2, 1), (4, 2, 1, 1))),
        {
            "accepted": True,
            "partly": [],
        },
    )


def _journal_of(steps: str, rows: list[int] | None) -> tuple[str, Json, Json]:
    entries: list[Entry] = [CREATED, Entry("table_bound", {"unit": "B1", "table": 1})]
    whole, results, stated, shown = [1, 2], [], [], {}
    for step in steps:
        number = len(entries) + 1
        points = (number, -number, 0, 0)
        if step in "rc":
            kind = "result_recorded" if step == "r" else "result_corrected"
            entries.append(told(1, 1, 1, *points, kind=kind))
            results.append((number, 1, 1, 1))
        elif step == "b":
            entries.append(board_told("B1", 40, *points))
            results.append((number, 1, 1, 1))
        elif step in "az":
            rule = "replay" if step == "a" else "zero"
            body = {"session": 1, "table": 1, "deal": 1, "points": list(points), "rule": rule}
            entries.append(Entry("deal_annulled", body))
            stated.append((number, body))
        else:
            # The second of two names the first, which is no result: nothing comes back.
            entries.append(Entry("act_undone", {"entries": [number - 1]}))
            whole.append(number)
        shown[number] = row(number, 1, 1, 1, *points)
    world = World(5, entries)
    found = case(world.file(world.extract(whole, results, stated)))
    if rows is None:
        return f"a deal by the steps {steps}", found, none("order")
    expected = {number: shown[number] for number in rows}
    return (
        f"a deal by the steps {steps}",
        {**found, "rows": [*expected.values()]},
        {"accepted": True, "why": "", "unproved": []},
    )
