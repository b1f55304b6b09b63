"""Cases about rows, results and answers of a player's page, from docs/proofs.md."""

from collections.abc import Iterator

from tests.proofs.changing import changed, drop, flipped, put, swap
from tests.proofs.page import (
    ALWAYS,
    BASE,
    FIRST,
    HOLDS,
    NOTHING,
    PROVED,
    ROWS,
    WORLD,
    answer,
    fails,
    one,
    proved,
    refused,
    shown,
    with_points,
)
from tests.proofs.world import Json, compact, printed_key


def cases() -> Iterator[tuple[str, Json, Json]]:
    yield "a page with three results", BASE, {**HOLDS, "not_proved": ALWAYS}
    yield from _points_and_places()
    yield from _texts()
    yield from _answers()
    yield from _known()


def _points_and_places() -> Iterator[tuple[str, Json, Json]]:
    for points in (8, 0, -7, 24, -80):
        yield (
            f"a row shows {points} for -8",
            changed(BASE, put("rows.0.points", points)),
            {
                **fails("points"),
                "unproved": [{**ROWS[0], "points": points, "why": "points"}],
            },
        )
    yield (
        "a row shows -8 for 0",
        changed(BASE, put("rows.1.points", -8)),
        {
            **fails("points", 1),
            "unproved": [{**ROWS[1], "points": -8, "why": "points"}],
        },
    )
    yield "another seat with other points", changed(BASE, put(f"{FIRST}.seat", 1)), fails("points")
    for seat in (2, 3):
        yield (
            f"seat {seat} with the same points",
            changed(BASE, put(f"{FIRST}.seat", seat)),
            {
                "accepted": False,
                "why": "partly",
                "proved": PROVED[1:],
                "partly": [{**PROVED[0], "seat": seat, "missing": ["seat"]}],
                "unproved": [],
            },
        )
    elsewhere = WORLD.result(5, 0, table=1)
    yield "another table's entry with the same points", changed(BASE, put(FIRST, elsewhere)), fails("place")
    plus = changed(BASE, put("rows.0.points", 24), put(FIRST, WORLD.result(5, 1, table=1)))
    yield "+24 from another table for a deal of -8", plus, refused("place", proved=PROVED[1:])
    later = changed(BASE, put(FIRST, WORLD.result(6, 0, deal=1)), drop("answers.0.answer.results.1"), drop("rows.1"))
    yield "another deal's entry", changed(later, put("rows.0.points", 0)), refused("place", proved=PROVED[2:])
    other_day = changed(BASE, put("answers.1.answer.results.0", WORLD.result(4, 1)))
    yield "another session's entry", other_day, fails("place", 2)
    of_two = changed(BASE, put("answers.1.answer.results.0", WORLD.result(12, 1, table=1)))
    yield "the same session and deal at another table", of_two, fails("place", 2)
    for name in ("session", "table", "deal"):
        moved = changed(BASE, put(f"rows.0.{name}", 9))
        why = "silent" if name == "session" else "absent"
        yield (
            f"a row of {name} 9",
            moved,
            {
                **fails(why),
                "unproved": [{**ROWS[0], name: 9, "why": why}],
            },
        )
    yield (
        "a row of table 2 with its deal elsewhere",
        changed(BASE, put("rows.0.table", 2), put(f"{FIRST}.table", 2)),
        {**fails("place"), "unproved": [{**ROWS[0], "table": 2, "why": "place"}]},
    )
    yield "rows in another order", changed(BASE, swap("rows.0", "rows.2")), {**HOLDS, "proved": PROVED[::-1]}
    yield "results in another order", changed(BASE, swap(FIRST, "answers.0.answer.results.1")), HOLDS
    yield "answers in another order", changed(BASE, swap("answers.0", "answers.1")), HOLDS
    yield (
        "two results exchanged but for their deals",
        changed(
            BASE,
            put(FIRST, WORLD.result(6, 0, deal=1)),
            put("answers.0.answer.results.1", WORLD.result(9, 0, deal=2)),
            swap("rows.0.points", "rows.1.points"),
        ),
        refused("place", proved=PROVED[2:]),
    )


def _texts() -> Iterator[tuple[str, Json, Json]]:
    other = WORLD.result(4, 0)
    for name in ("commitment", "key"):
        yield f"another {name}", changed(BASE, put(f"{FIRST}.{name}", flipped)), fails("leaf")
        yield f"the {name} of another result", changed(BASE, put(f"{FIRST}.{name}", other[name])), fails("leaf")
    swapped = changed(BASE, swap(f"{FIRST}.commitment", f"{FIRST}.key"))
    yield "commitment and key exchanged", swapped, fails("leaf")
    points_too = changed(BASE, put("rows.0.points", 8), put(FIRST, with_points(WORLD, 9, 0)))
    yield (
        "points changed in the row and in the text",
        points_too,
        {
            **fails("leaf"),
            "unproved": [{**ROWS[0], "points": 8, "why": "leaf"}],
        },
    )
    yield "an entry that is not the text's", changed(BASE, put(f"{FIRST}.entry", 4)), fails("entry")
    yield (
        "a text with another entry's number",
        changed(BASE, put(f"{FIRST}.result", lambda text: text.replace("[9,", "[4,", 1))),
        fails("entry"),
    )
    both = changed(BASE, put(f"{FIRST}.entry", 10), put(f"{FIRST}.result", lambda text: text.replace("[9,", "[10,", 1)))
    yield "number and text of another entry", both, fails("leaf")
    for kind in ("result_told", "deal_annulled", "note", "Result_corrected", ""):
        text = compact([9, kind, None, 1, 1, 1, [-8, 24, -8, -8]])
        yield f"a text of the kind '{kind}'", changed(BASE, put(f"{FIRST}.result", text)), fails("kind")
    recorded = compact([9, "result_recorded", None, 1, 1, 1, [-8, 24, -8, -8]])
    yield "a corrected result told as recorded", changed(BASE, put(f"{FIRST}.result", recorded)), fails("leaf")
    unit = compact([9, "result_corrected", "B1", 1, 1, 1, [-8, 24, -8, -8]])
    yield "a text with a unit that was not there", changed(BASE, put(f"{FIRST}.result", unit)), fails("leaf")
    deals = compact([9, "result_corrected", None, 1, 1, 2, [-8, 24, -8, -8]])
    yield "a text with another deal", changed(BASE, put(f"{FIRST}.result", deals)), fails("leaf")
    for name, change in (
        ("lacks its first hash", lambda proof: proof[1:]),
        ("lacks its last hash", lambda proof: proof[:-1]),
        ("is empty", lambda _: []),
        ("has a hash more", lambda proof: [*proof, "00" * 32]),
        ("has its last hash twice", lambda proof: [*proof, proof[-1]]),
        ("has another hash", lambda proof: [flipped(proof[0]), *proof[1:]]),
        ("has another last hash", lambda proof: [*proof[:-1], flipped(proof[-1])]),
        ("is turned round", lambda proof: proof[::-1]),
        ("is another entry's", lambda _: other["proof"]),
    ):
        yield f"a proof that {name}", changed(BASE, put(f"{FIRST}.proof", change)), fails("leaf")
    for name, edit in (
        ("with a space", lambda text: text.replace(",", ", ", 1)),
        ("with a line feed", lambda text: text + "\n"),
        ("with a number of another form", lambda text: text.replace("[9,", "[9.0,", 1)),
        ("with a minus zero", lambda text: text.replace("-8,24", "-0,24")),
        ("that is cut", lambda text: text[:-1]),
        ("with three seats", lambda text: text.replace(",-8]]", "]]")),
        ("with five seats", lambda text: text.replace(",-8]]", ",-8,0]]")),
        ("that is an object", lambda _: "{}"),
        ("that is empty", lambda _: ""),
        ("with a value more", lambda text: text[:-1] + ",0]"),
        ("with points as text", lambda text: text.replace("-8,24", '"-8",24')),
        ("with a session as text", lambda text: text.replace("null,1,", 'null,"1",')),
    ):
        yield f"a text {name}", changed(BASE, put(f"{FIRST}.result", edit)), refused()


def _answers() -> Iterator[tuple[str, Json, Json]]:
    rest = {"accepted": False, "proved": PROVED[2:], "partly": []}
    for said in ("silent", "refused"):
        yield (
            f"the server is {said}",
            changed(BASE, put("answers.0.answer", said)),
            {
                **rest,
                "why": said,
                "unproved": [{**row, "why": said} for row in ROWS[:2]],
            },
        )
        every = changed(BASE, put("answers.0.answer", said), put("answers.1.answer", said))
        yield (
            f"the server is {said} for all",
            every,
            {
                "accepted": False,
                "why": said,
                "event": None,
                "proved": [],
                "unproved": [{**row, "why": said} for row in ROWS],
            },
        )
    yield (
        "no answer for a session",
        changed(BASE, drop("answers.0")),
        {
            **rest,
            "why": "silent",
            "unproved": [{**row, "why": "silent"} for row in ROWS[:2]],
        },
    )
    yield "no answer at all", changed(BASE, put("answers", [])), refused("silent", proved=[], event=None)
    yield (
        "silence first and a contradiction then",
        changed(BASE, put("answers.0.answer", "silent"), put("rows.2.points", 80)),
        refused("silent", proved=[]),
    )
    yield "a result is left out", changed(BASE, drop(FIRST)), fails("absent")
    yield (
        "all results are left out",
        changed(BASE, put("answers.0.answer.results", [])),
        {
            **rest,
            "why": "absent",
            "unproved": [{**row, "why": "absent"} for row in ROWS[:2]],
        },
    )
    for size in (WORLD.size - 1, WORLD.size + 1, 1):
        yield (
            f"an answer about {size} entries",
            changed(BASE, put("answers.0.answer.size", size)),
            {
                **rest,
                "why": "size",
                "unproved": [{**row, "why": "size"} for row in ROWS[:2]],
            },
        )
    smaller = [WORLD.result(9, 0, 12), WORLD.result(6, 0, 12)]
    old = answer(1, smaller, [WORLD.opened(1, 12), WORLD.opened(3, 12)], 12)
    yield "an answer about an earlier checkpoint", changed(BASE, put("answers.0", old)), refused("size")
    lying = {**old, "answer": {**old["answer"], "size": WORLD.size}}
    yield "proofs about an earlier checkpoint", changed(BASE, put("answers.0", lying)), refused()
    yield (
        "the earlier checkpoint itself",
        changed(
            BASE,
            put("answers.0", old),
            put("checkpoint", WORLD.checkpoint(12)),
            drop("rows.2"),
            drop("answers.1"),
        ),
        {"accepted": True, "why": "", "size": 12, "proved": PROVED[:2]},
    )
    yield (
        "results that no row asks for",
        changed(BASE, drop("rows.1")),
        {
            **HOLDS,
            "proved": [PROVED[0], PROVED[2]],
        },
    )
    yield "an answer to a session that no row is of", changed(BASE, drop("rows.2")), {**HOLDS, "proved": PROVED[:2]}
    yield "no rows", changed(BASE, put("rows", [])), {"accepted": True, "why": "", "proved": [], "unproved": []}
    for why, other in (("signature", WORLD.checkpoint(12)), ("signature", WORLD.checkpoint(1))):
        parts, wrong = WORLD.checkpoint().split(":"), other.split(":")
        mixed = ":".join([*parts[:4], wrong[4]])
        yield (
            f"a checkpoint with the signature of {wrong[1]} entries",
            changed(BASE, put("checkpoint", mixed)),
            refused(why, **NOTHING),
        )
    foreign = WORLD.checkpoint(key=WORLD.other)
    yield (
        "a checkpoint that somebody else has signed",
        changed(BASE, put("checkpoint", foreign)),
        {
            **HOLDS,
            "key": printed_key(WORLD.other),
        },
    )


def _known() -> Iterator[tuple[str, Json, Json]]:
    place = {"session": 1, "table": 1, "deal": 1}
    for name, known in (
        ("the same", {**place, "entry": 9, "points": -8}),
        ("an older one", {**place, "entry": 4, "points": 24}),
        ("a later one of another deal", {**place, "deal": 2, "entry": 5, "points": 0}),
        ("a later one of another table", {**place, "table": 2, "entry": 12, "points": 0}),
        ("a later one of another session", {**place, "session": 2, "entry": 10, "points": 0}),
    ):
        yield f"known is {name}", changed(BASE, put("known", [known])), HOLDS
    for name, known in (
        ("a later one", {**place, "entry": 12, "points": -8}),
        ("the last there can be", {**place, "entry": WORLD.size, "points": 0}),
        ("one beyond the checkpoint", {**place, "entry": 10**6, "points": -8}),
        ("the same with other points", {**place, "entry": 9, "points": 24}),
    ):
        yield f"known is {name}", changed(BASE, put("known", [known])), fails("older")
    old = one(shown(1, 1, 1, 24), WORLD.result(4, 0), 1, 3)
    yield (
        "a corrected result to whom nobody has told",
        old,
        {
            "accepted": True,
            "why": "",
            "proved": [proved(shown(1, 1, 1, 24), 4)],
        },
    )
    yield (
        "a corrected result to who knows the correction",
        changed(old, put("known", [{**place, "entry": 9, "points": -8}])),
        refused("older", proved=[], unproved=[{**shown(1, 1, 1, 24), "why": "older"}]),
    )
    yield (
        "a corrected result with the points of the correction",
        changed(old, put("rows.0.points", -8), put("known", [{**place, "entry": 9, "points": -8}])),
        refused(proved=[]),
    )
