"""Cases of journals in which entries have odd texts, whose leaves are under the root all the same: for players' pages.

A hall that lies writes such entries and shows them; docs/proofs.md says what their texts have to be.
"""

import json
from collections.abc import Iterator

from tests.proofs.changing import add, changed, each, put
from tests.proofs.page import BASE, CREATED, FIRST, PLAN, PROVED, ROWS, WORLD, one, refused, shown
from tests.proofs.world import Entry, Json, World, compact, inclusion, root, seats, sha, told

AT_MS = 5
ROW = shown(1, 1, 1, 4)
RESULT = told(1, 1, 1, 4, -4, 0, 0)
SEATED = compact({"first": 1, "sessions": [{"tables": PLAN}]})


def cases() -> Iterator[tuple[str, Json, Json]]:
    yield from _entries()
    yield from _results()
    yield from _trees()
    yield from _plans()
    yield from _events()
    yield from _forms()


def _case(*entries: Entry, opened: tuple[int, ...] = (1, 2)) -> Json:
    """Of a journal whose last entry is the result that the page shows."""
    world = World(11, entries)
    return one(ROW, world.result(len(entries), 0, 0, 1, 1), *opened, world=world)


def _entries() -> Iterator[tuple[str, Json, Json]]:
    """An opened entry between the event and the result."""
    whole = [2, AT_MS, None, None, None, "seats_planned", SEATED]
    yield "an entry with a text of its own", _case(CREATED, _raw(compact(whole)), RESULT), {"accepted": True}
    odd: tuple[tuple[int, tuple[Json, ...]], ...] = (
        (0, (1, 3, "2", None, True, 2.5)),
        (1, (None, "5", 1.5, True, [])),
        (2, (5, True, [])),
        (3, (1, "", False, 0)),
        (4, (1, "", False, 0)),
        (5, (5, None, "result_recorded", "result_corrected", "deal_result")),
        (6, (None, 5, {"first": 1, "sessions": [{"tables": PLAN}]})),
    )
    for at, values in odd:
        for value in values:
            text = compact([*whole[:at], value, *whole[at + 1 :]])
            yield f"an entry whose value {at} is {compact(value)}", _case(CREATED, _raw(text), RESULT), refused("form")
    for name, text in (
        ("with spaces", json.dumps(whole)),
        ("with a number of another form", compact(whole).replace("[2,", "[2.0,")),
        ("with a value less", compact(whole[:6])),
        ("with a value more", compact([*whole, None])),
        ("that is null", "null"),
        ("that is a number", "5"),
        ("that is a text of 7 letters", '"1234567"'),
        ("that is an object of length 7", '{"length":7}'),
        ("that is an object", compact(dict(enumerate(whole)))),
        ("that is no JSON", "seats"),
        ("with what is no number of JSON", compact(whole).replace(f",{AT_MS},", ",NaN,")),
    ):
        yield f"an entry of a text {name}", _case(CREATED, _raw(text), RESULT), refused("form")

    half = compact([*whole[:5], "note", "@"]).replace("@", "\\ud800")
    yield "an entry whose body has half a character", _case(CREATED, _raw(half), RESULT), refused("form")
    named = Entry("note", {}, raw=compact([True, AT_MS, None, None, None, "event_created", "{}"]))
    first = changed(_case(named, seats(1, PLAN), RESULT), put("answers.0.answer.opened.0.entry", True))
    yield "an entry whose number is true, in the answer too", first, refused("form")


def _results() -> Iterator[tuple[str, Json, Json]]:
    """A result's own text."""
    whole = [3, "result_recorded", None, 1, 1, 1, [4, -4, 0, 0]]
    plan = seats(1, PLAN)

    def odd(text: str) -> Json:
        return _case(CREATED, plan, Entry("result_recorded", {}, raw=text))

    yield "a result with a text of its own", odd(compact(whole)), {"accepted": True}
    for at, why, values in (
        (0, "entry", (4, "3", None)),
        (1, "kind", ("note", None, 5, "deal_annulled")),
        (2, "form", (5, True, [])),
        (3, "form", ("1", 1.5, True, [])),
        (4, "form", ("1", 1.5, True)),
        (5, "form", ("1", 1.5, True)),
        (3, "place", (2, None, 0)),
        (4, "place", (2, None)),
        (5, "place", (2, None)),
        (6, "form", (None, 4, "4444", [4, -4, 0], [4, -4, 0, 0, 0], ["4", -4, 0, 0], [4, -4, 0.5, 0], [4, None, 0, 0])),
        (6, "points", ([-4, 4, 0, 0],)),
    ):
        for value in values:
            text = compact([*whole[:at], value, *whole[at + 1 :]])
            yield f"a result whose value {at} is {compact(value)}", odd(text), refused(why, proved=[], partly=[])
    for name, text in (
        ("with spaces", json.dumps(whole)),
        ("with a number of another form", compact(whole).replace("[3,", "[3.0,")),
        ("with a value less", compact(whole[:6])),
        ("with a value more", compact([*whole, None])),
        ("that is null", "null"),
        ("that is an object of length 7", '{"length":7}'),
        ("that is a text of 7 letters", '"1234567"'),
        ("that is no JSON", "result"),
    ):
        yield f"a result of a text {name}", odd(text), refused("form", proved=[], partly=[])
    for session, table in ((1, None), (None, 1), (1, 1)):
        board = Entry("deal_result", {}, "B1", (session, table, 1), (4, -4, 0, 0))
        yield f"a board that says {session} and {table}", _case(CREATED, plan, board), refused("place", partly=[])
    nobodys = Entry("deal_result", {}, None, (None, None, 1), (4, -4, 0, 0))
    yield "a board without a name", _case(CREATED, plan, nobodys), refused("kind", partly=[])


def _trees() -> Iterator[tuple[str, Json, Json]]:
    """Entries beyond the checkpoint, and checkpoints about what is no tree of so many entries."""
    fails = refused("leaf", proved=[], partly=[])
    text = compact([2, "result_recorded", None, 1, 1, 1, [4, -4, 0, 0]])
    alone = World(11, [Entry("result_recorded", {}, raw=text)])
    beyond = changed(one(ROW, alone.result(1, 0, 0, 1, 1), world=alone), put(f"{FIRST}.entry", 2))
    yield "an entry behind the only one", beyond, fails
    far = compact([99, "result_recorded", None, 1, 1, 1, [-8, 24, -8, -8]])
    for name, proof in (("the proof of another", lambda proof: proof), ("no proof", lambda _: [])):
        lies = changed(BASE, put(f"{FIRST}.entry", 99), put(f"{FIRST}.result", far), put(f"{FIRST}.proof", proof))
        yield f"an entry far beyond with {name}", lies, refused("leaf", proved=PROVED[1:])
    opened = "answers.0.answer.opened.1"
    note = compact([99, AT_MS, None, None, None, "note", "{}"])
    for name, proof in (("the proof of another", lambda proof: proof), ("no proof", lambda _: [])):
        lies = changed(BASE, put(f"{opened}.entry", 99), put(f"{opened}.text", note), put(f"{opened}.proof", proof))
        yield f"an opened entry far beyond with {name}", lies, refused("form")
    leaves, more = WORLD.leaves, sha(b"more")
    for name, tree, path in (
        ("with a level more", sha(b"\x01" + root(leaves) + more), [*inclusion(leaves, 3), more]),
        ("with a level more on its left", sha(b"\x01" + more + root(leaves)), [*inclusion(leaves, 3), more]),
        ("with a level less", root(leaves[:8]), inclusion(leaves[:8], 3)),
    ):
        told_of = {**WORLD.result(4, 0), "proof": [hash_.hex() for hash_ in path]}
        page = one(shown(1, 1, 1, 24), told_of)
        yield f"a tree {name}", {**page, "checkpoint": WORLD.stated(WORLD.size, tree)}, fails


def _plans() -> Iterator[tuple[str, Json, Json]]:
    plan = seats(1, PLAN)
    seatless = refused("partly", proved=[], unproved=[])
    yield "a plan that is the first entry", _case(plan, CREATED, RESULT), {"accepted": True}
    world = World(11, [CREATED, RESULT, plan])
    yield "a plan for the session after its result", one(ROW, world.result(2, 0), 1, 3, world=world), seatless
    drawn = Entry("seats_drawn", plan.body)
    yield "seats of another kind of entry", _case(CREATED, drawn, RESULT), seatless
    older, newer = seats(1, [[12, 11, 13, 14]]), seats(1, PLAN)
    yield "a newer plan after an older one", _case(CREATED, older, newer, RESULT, opened=(2, 3)), {"accepted": True}
    yield "a newer plan before an older one", _case(CREATED, older, newer, RESULT, opened=(3, 2)), {"accepted": True}
    yield "an older plan after a newer one", _case(CREATED, newer, older, RESULT, opened=(3, 2)), seatless
    yield "a plan that stands there twice", _case(CREATED, plan, RESULT, opened=(2, 2)), {"accepted": True}
    good = {"first": 1, "sessions": [{"tables": PLAN}]}
    first: tuple[Json, ...] = ("1", None, 0, -1, 1.5, True)
    sessions: tuple[Json, ...] = (None, {}, "12", 5)
    session: tuple[Json, ...] = (None, [], 5, "1", {}, {"tables": None}, {"tables": {}})
    seat: tuple[Json, ...] = ("14", 0, 1.5, None)
    four: tuple[Json, ...] = (
        None,
        5,
        {},
        "1234",
        [11, 12, 13],
        [11, 12, 13, 14, 15],
        *([11, 12, 13, value] for value in seat),
    )
    bad: list[Json] = [None, 5, [], "plan", {}]
    bad += [{**good, "first": value} for value in first]
    bad += [{**good, "sessions": value} for value in sessions]
    bad += [{**good, "sessions": [value]} for value in session]
    bad += [{**good, "sessions": [{"tables": [value]}]} for value in four]
    for body in bad:
        odd_plan = _case(CREATED, Entry("seats_planned", body), RESULT)
        yield f"a plan of {compact(body)}", odd_plan, refused("form", proved=[], partly=[])
    elsewhere = seats(1, [[12, 11, 13, 14]], PLAN)
    yield "a plan that seats the player so in the next session", _case(CREATED, elsewhere, RESULT), seatless
    yield "a plan from the session after next on", _case(CREATED, seats(3, PLAN, PLAN), RESULT), seatless
    without = seats(2, PLAN)
    yield "a plan from a later session on", _case(CREATED, without, RESULT), seatless
    none = Entry("seats_planned", {"first": 1, "sessions": []})
    yield "a plan without sessions", _case(CREATED, none, RESULT), seatless
    yield "a plan without tables", _case(CREATED, seats(1, []), RESULT), seatless


def _events() -> Iterator[tuple[str, Json, Json]]:
    plan = seats(1, PLAN)
    formats: tuple[Json, ...] = (None, 5, [], "Cup", {}, {"name": None}, {"name": 5}, {"name": []}, {"name": True})
    bodies: list[Json] = [None, 5, [], {}, *({"format": value} for value in formats)]
    for body in bodies:
        unnamed = {"accepted": True, "event": None}
        yield f"an event of {compact(body)}", _case(Entry("event_created", body), plan, RESULT), unnamed
    for escape in (r"\ud800", r"\udfff"):
        half = _raw(compact([1, AT_MS, None, None, None, "event_created", f'{{"format":{{"name":"{escape}"}}}}']))
        yield f"an event of {escape}", _case(half, plan, RESULT), {"accepted": True, "event": None}
    other = Entry("event_created", {"format": {"name": "Other Cup"}})
    two = _case(CREATED, plan, other, RESULT, opened=(1, 2, 3))
    yield "two events in one answer", two, {"accepted": True, "event": None}
    yield "one event told twice", _case(CREATED, plan, RESULT, opened=(1, 1, 2)), {"accepted": True, "event": None}
    no_json = _raw(compact([2, AT_MS, None, None, None, "event_created", "{"]))
    yield "an event of no JSON", _case(plan, no_json, RESULT), refused("form", proved=[], partly=[])


def _forms() -> Iterator[tuple[str, Json, Json]]:
    """Values in lists of their own, which some programs take for the values, and opened entries in other forms."""
    yield "a checkpoint in a list", changed(BASE, put("checkpoint", lambda text: [text])), refused("checkpoint")
    for path in ("key", "commitment", "result", "proof.0"):
        yield f"{path} in a list", changed(BASE, put(f"{FIRST}.{path}", lambda text: [text])), refused("form")
    plan = "answers.0.answer.opened.1"
    for path, value in each(
        (f"{plan}.entry", ("3", None, True, 0, 3.5)),
        (f"{plan}.key", (None, 5, "", "00" * 31, "zz" * 32)),
        (f"{plan}.text", (None, 5, [], "half \ud800")),
        (f"{plan}.proof", (None, {}, "", ["00"], ["zz" * 32], [None])),
        (f"{FIRST}.result", ("half \ud800",)),
        (plan, (5, "x", [])),
    ):
        yield f"{path} is {compact(value)!r}", changed(BASE, put(path, value)), refused("form")
    for path in ("key", "text", "proof.0"):
        yield f"an opened {path} in a list", changed(BASE, put(f"{plan}.{path}", lambda text: [text])), refused("form")
    for junk in (None, "00", "zz" * 32, "half \udfff"):
        more = changed(BASE, add(f"{plan}.proof", junk))
        yield f"an opened proof with {junk!r} as well", more, refused("form")
    yield "an opened number that is true", changed(BASE, put("answers.0.answer.opened.0.entry", True)), refused("form")
    half = changed(BASE, put(f"{plan}.text", "half \udfff"))
    yield "an opened text with the last half character", half, refused("form")
    first = World(11, [Entry("result_recorded", {}, raw='[true,"result_recorded",null,1,1,1,[4,-4,0,0]]')])
    yield "a first result whose number is true", one(ROW, first.result(1, 0, 0, 1, 1), world=first), refused("entry")
    known = {"session": 1, "table": 1, "deal": 1, "entry": 9, "points": -8}
    for name in known:
        for value in (None, "1", 1.5):
            odd = changed(BASE, put("known", [{**known, name: value}]))
            yield f"known with {name} of {compact(value)}", odd, refused("form", proved=[])
    no_list = changed(BASE, put("answers.0.answer.results", {"entry": 11}))
    rest = {"proved": PROVED[2:], "unproved": [{**row, "why": "form"} for row in ROWS[:2]]}
    yield "an object for results with the entry of another answer", no_list, refused("form", **rest)
    values: tuple[Json, ...] = (None, 5, [], "results", True)
    for whole in values:
        yield f"a case that is {compact(whole)}", whole, refused("form", proved=[], unproved=[])


def _raw(text: str) -> Entry:
    return Entry("note", {}, raw=text)
