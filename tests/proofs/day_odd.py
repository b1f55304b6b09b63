"""Cases of files that their hall has signed as they are, in odd texts and with odd values, from docs/proofs.md."""

from collections.abc import Iterator

from tests.proofs.changing import changed, each, put
from tests.proofs.day import ALONE, ALWAYS, EXTRACT, HOLDS, PAGE, TEXT, WORLD, case, none, of, signed
from tests.proofs.page import CREATED, refused
from tests.proofs.world import (
    Entry,
    Json,
    World,
    base64_of,
    canonical,
    consistency,
    lacking,
    root,
    sha,
    told,
)


def cases() -> Iterator[tuple[str, Json, Json]]:
    yield from _texts()
    yield from _values()
    yield from _undone()
    yield from _trees()
    yield from _boards()
    yield from _shown()
    yield from _events()


def _texts() -> Iterator[tuple[str, Json, Json]]:
    """Signed in the form in which they are written."""
    text = canonical(EXTRACT)
    yield "an extract as it is written", case(WORLD.written(text)), HOLDS
    kind, fines = '"kind":"result_recorded"', '"fines":0'
    for name, odd in (
        ("a longer name first", text.replace('"deal":1,"dealer":0', '"dealer":0,"deal":1', 1)),
        ("two names exchanged", text.replace(f"{fines},{kind}", f"{kind},{fines}", 1)),
        ("a space", text.replace(",", ", ", 1)),
        ("an escape that is not needed", text.replace("Cup", "\\u0043up", 1)),
        ("half a character", text.replace("Cup", "\\ud800", 1)),
        ("a number of another form", text.replace('"dealer":0', '"dealer":0.0', 1)),
    ):  # fmt: skip
        assert odd != text
        yield f"an extract that is signed with {name}", case(WORLD.written(odd)), none()
    for field in ("proof", "keys", "leaves"):
        yield f"{field} with another unused bit", signed(put(field, _with_spare_bits)), none("count")


def _values() -> Iterator[tuple[str, Json, Json]]:
    """Values of bodies and fields."""
    sound: tuple[Json, ...] = (None, True, False, -1, 2**53 - 1, -(2**53 - 1), "", "text", [], {}, _nested(59))
    for value in sound:
        yield f"a statement that says {str(value)[:20]}", signed(put("stated.0.4.more", value)), HOLDS
    for value in (1.5, 2**53, -(2**53), 1e300, _nested(60)):
        yield (
            f"a statement that says {str(value)[:20]}, which no file has",
            signed(put("stated.0.4.more", value)),
            none("form"),
        )
    for name, value in each(
        ("kind", (None, 5, "", "note", "deal_annulled")),
        ("dealer", (None, "0", True, [])),
        ("next_dealer", (None, "0", True)),
        ("fines", (None, "0", True, [])),
        ("reason", (None, 5, [])),
        ("winners", (None, 0, "0", {}, ["0"], [None], [True])),
        ("session", (0, -1)),
        ("table", (0, -1)),
        ("deal", (0, -1)),
        ("told", ([None, "1", 1], [1, True, 1])),
    ):
        yield f"a result whose {name} is {value!r}", signed(put(f"results.0.{name}", value)), none("form")
    for path, value in each(
        ("entries.0", ([1, 5, None, "note", {}, None], [1, 5, None, "note"])),
        ("entries.0.1", (None, "5", True)),
        ("entries.0.2", (5, True, [])),
        ("stated.0.1", (None, "5")),
        ("stated.0.2", (5, True)),
        ("stated.0.3", (None, 5)),
        ("since.0.checkpoint", (None, 5, [])),
        ("since.0.proof", (None, 5, [])),
        ("since.0", ({"checkpoint": EXTRACT["since"][0]["checkpoint"], "proof": "", "more": 1},)),
        ("stated.0.4.points", (None, [0, 0, 0], ["0", 0, 0, 0])),
        ("stated.0.4.session", (None, 0, "1", True)),
        ("stated.0.4.table", (None, 0, "1")),
        ("stated.0.4.deal", (None, 0, "1")),
    ):  # fmt: skip
        yield f"{path} that is {value!r}", signed(put(path, value)), none("form")
    listed = changed(WORLD.signed(EXTRACT), put("signature", lambda text: [text]))
    yield "the signature in a list", case(canonical(listed) + "\n"), none("form")
    for path in ("text", "key", "checkpoint"):
        yield f"the case's {path} in a list", {**PAGE, path: [PAGE[path]]}, refused("form")
    for path in ("proof", "keys", "openings", "leaves", "checkpoint"):
        yield f"{path} in a list", signed(put(path, lambda text: [text])), none("form")
    yield "half a character in the text", case(TEXT.replace("Cup", "\ud800")), none()
    yield "half a character in the case's key", {**ALONE, "key": "\ud800"}, none("key")


def _undone() -> Iterator[tuple[str, Json, Json]]:
    """Results that an entry takes away, and annulled deals that count."""
    result, other = told(1, 1, 1, 4, -4, 0, 0), told(1, 1, 2, 3, -3, 0, 0)
    names: tuple[Json, ...] = (None, 2, "2", {"2": 2}, ["2"], [[2]], [None], [True], [])
    for value in names:
        world = World(12, [CREATED, result, other, Entry("act_undone", {"entries": value})])
        both = of(world, (1, 4), ((2, 1, 1, 1), (3, 1, 1, 2)))
        yield f"an act undone that names {value!r}", {**both, "rows": _rows(2, 3)}, {"accepted": True}
    yield (
        "an act undone that names none",
        of(World(12, [CREATED, result, Entry("act_undone", {})]), (1, 3), ((2, 1, 1, 1),)),
        {"accepted": True},
    )
    world = World(12, [CREATED, result, other, Entry("act_undone", {"entries": [2]})])
    stated = of(world, (1,), ((2, 1, 1, 1), (3, 1, 1, 2)), (4, {"entries": [2]}))
    yield "an act undone that is stated", {**stated, "rows": _rows(3)}, {"accepted": True}
    kind = World(12, [CREATED, result, other, Entry("act_done", {"entries": [2]})])
    done = of(kind, (1, 4), ((2, 1, 1, 1), (3, 1, 1, 2)))
    yield "another kind that names a result", {**done, "rows": _rows(2, 3)}, {"accepted": True}
    body = {"session": 1, "table": 1, "deal": 1, "points": [0, 0, 0, 0], "rule": "zero"}
    annulled = World(12, [CREATED, result, other, Entry("deal_annulled", body)])
    whole = of(annulled, (1, 4), ((2, 1, 1, 1), (3, 1, 1, 2)))
    yield "an annulled deal that is shown whole is no row", {**whole, "rows": _rows(2, 3)}, {"accepted": True}
    for rule in (None, "Replay", ["replay"], 5):
        odd = of(annulled, (1,), ((2, 1, 1, 1), (3, 1, 1, 2)), (4, {**body, "rule": rule}))
        rows = [*_rows(3), {**_rows(2)[0], "entry": 4, "points": [0, 0, 0, 0]}]
        yield f"a deal annulled by the rule {rule!r}", {**odd, "rows": rows}, {"accepted": True}


def _trees() -> Iterator[tuple[str, Json, Json]]:
    """Files signed by a hall that has two journals, or tells other sizes of one."""
    leaves, size = WORLD.leaves, WORLD.size
    every = EXTRACT | {"since": [_since(old, root(leaves[:old]), consistency(leaves, old)) for old in range(1, size)]}
    yield "every earlier checkpoint there is", case(WORLD.file(every)), HOLDS
    for old in range(1, size):
        proof, fork = consistency(leaves, old), sha(b"another journal")
        for name, one in (
            ("of another journal", _since(old, fork, proof)),
            ("without a proof", _since(old, root(leaves[:old]), [])),
            ("with the proof of another journal", _since(old, root(leaves[:old]), [fork, *proof[1:]])),
        ):
            yield f"an earlier checkpoint of {old} entries {name}", signed(put("since", [one])), none("since")
    for name, one in (
        ("of another journal", _since(size, sha(b"another journal"), [])),
        ("with a proof", _since(size, root(leaves), [root(leaves)])),
    ):
        yield f"an earlier checkpoint of as many entries {name}", signed(put("since", [one])), none("since")
    later = _since(13, sha(b"\x01" + root(leaves[:4]) + leaves[4]), [*leaves[4:6], root(leaves[6:8]), root(leaves[:4])])
    yield "a later checkpoint that a part of the tree fits", case(WORLD.file(_first(8, [later]))), none("since")
    other = [sha(b"%d" % number) for number in range(size)]
    eight, tail = root(leaves[:8]), root(other)
    longer = _since(3, sha(b"\x01" + eight + root(other[:3])), [*consistency(other, 3), eight])
    hidden = {**_first(size, [longer]), "checkpoint": WORLD.stated(size, sha(b"\x01" + eight + tail))}
    hidden["proof"] = base64_of(*lacking(leaves[:8], {0}), tail)
    yield "an earlier checkpoint of a tree that is hidden in the tree", case(WORLD.file(hidden)), none("since")
    proof, more = consistency(leaves, 3), sha(b"more")
    for name, tree, path in (
        ("with a level more", sha(b"\x01" + root(leaves) + more), [*proof, more]),
        ("with a level less", root(leaves[:8]), consistency(leaves[:8], 3)),
    ):
        small = changed(
            EXTRACT, put("checkpoint", WORLD.stated(size, tree)), put("since", [_since(3, root(leaves[:3]), path)])
        )
        yield f"a checkpoint about a tree {name}", case(WORLD.file(small)), none("leaf")


def _first(size: int, since: list[Json]) -> Json:
    """An extract of so many entries that shows the first alone."""
    return {**WORLD.extract((1,), (), size=size), "since": since}


def _since(size: int, tree: bytes, proof: list[bytes]) -> Json:
    return {"checkpoint": WORLD.stated(size, tree), "proof": base64_of(*proof)}


def _boards() -> Iterator[tuple[str, Json, Json]]:
    nobody = Entry("deal_result", {}, None, (None, None, 1), (4, -4, 0, 0))
    world = World(12, [CREATED, Entry("table_bound", {"unit": None, "table": 1}), nobody])
    board, bound = Entry("deal_result", {}, "B1", (None, None, 1), (4, -4, 0, 0)), {"unit": "B1", "table": 1}
    again = World(12, [CREATED, Entry("table_bound", bound), board, Entry("table_bound", bound)])
    yield "a board that is bound again", of(again, (1, 2, 4), ((3, 1, 1, 1),)), {"accepted": True}
    values: tuple[Json, ...] = ([], {}, 5, ["B1"], True)
    for value in values:
        for name in bound:
            odd = World(12, [CREATED, Entry("table_bound", {**bound, name: value}), board])
            yield f"a board where {name} is {value!r}", of(odd, (1, 2), ((3, 1, 1, 1),)), none("place")
    yield "a board without a name that is bound", of(world, (1, 2), ((3, 1, 1, 1),)), none("place")


def _shown() -> Iterator[tuple[str, Json, Json]]:
    """Rows whose values only look like those of the file."""
    world = World(12, [told(1, 1, 1, 1, 0, 0, -1)])
    found = of(world, (), ((1, 1, 1, 1),))
    row = {"session": 1, "table": 1, "deal": 1, "entry": 1, "points": [1, 0, 0, -1]}
    yield "a result that is the first entry", {**found, "rows": [row]}, {"accepted": True}
    values: tuple[Json, ...] = ("1", True, [1], None, {})
    for name in row:
        for value in values:
            odd = {**found, "rows": [{**row, name: value}]}
            yield f"a row whose {name} is {value!r}", odd, none("rows")
    for whole in values:
        yield f"a row that is {whole!r}", {**found, "rows": [whole]}, none("rows")
    for points in ([True, 0, 0, -1], ["1", 0, 0, -1], [[1], 0, 0, -1], "1,0,0,-1", [1, False, 0, -1], [1, None, 0, -1]):
        yield f"a row with the points {points!r}", {**found, "rows": [{**row, "points": points}]}, none("rows")


def _rows(*entries: int) -> list[Json]:
    points = {2: [4, -4, 0, 0], 3: [3, -3, 0, 0]}
    return [{"session": 1, "table": 1, "deal": one - 1, "entry": one, "points": points[one]} for one in entries]


def _events() -> Iterator[tuple[str, Json, Json]]:
    unnamed = {"accepted": True, "event": None, "not_proved": [*ALWAYS, "event", "rows"]}
    formats: tuple[Json, ...] = (None, 5, [], "Cup", {}, {"name": None}, {"name": 5}, {"name": []})
    for body in ({}, *({"format": odd} for odd in formats)):
        yield f"an event that says {body}", of(World(12, [Entry("event_created", body)]), (1,), ()), unnamed
    two = World(12, [CREATED, Entry("event_created", {"format": {"name": "Other Cup"}})])
    yield "two events", of(two, (1, 2), ()), unnamed
    yield "an event that the hall states alone", of(two, (), (), (1, CREATED.body)), unnamed
    other = World(12, [Entry("event_named", CREATED.body)])
    yield "a name in another kind of entry", of(other, (1,), ()), unnamed


def _nested(depth: int) -> Json:
    """Lists within each other; five lists and objects are around it."""
    found: Json = [None, 1]
    for _ in range(depth - 1):
        found = [found]
    return found


def _with_spare_bits(packed: str) -> str:
    """Base64 whose unused last bits are not 0."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    bare = packed.rstrip("=")
    assert bare != packed
    return bare[:-1] + letters[letters.index(bare[-1]) + 1] + packed[len(bare) :]
