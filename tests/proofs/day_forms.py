"""Cases about lists, hashes, texts and forms of an extract, from docs/proofs.md."""

import base64
import json
from collections.abc import Iterator

from tests.proofs.changing import Change, add, drop, each, put
from tests.proofs.day import (
    ALONE,
    ALWAYS,
    EXTRACT,
    HOLDS,
    RESULTS,
    SINCE,
    STATED,
    TEXT,
    WHOLE,
    WORLD,
    case,
    none,
    of,
    signed,
)
from tests.proofs.page import CREATED, refused
from tests.proofs.world import (
    Entry,
    Json,
    World,
    base64_of,
    canonical,
    consistency,
)


def cases() -> Iterator[tuple[str, Json, Json]]:
    yield from _lists()
    yield from _texts()
    yield from _forms()


def _lists() -> Iterator[tuple[str, Json, Json]]:
    leaf = WORLD.leaves[3]
    with_leaf = put("leaves", base64_of(WORLD.leaves[8], WORLD.leaves[10], leaf))
    lie = put("results.0.points", [-24, 8, 8, 8])
    true_body = WORLD.entries[3].body
    for kind in ("result_recorded", "note", "deal_annulled"):
        beside = add("stated", [4, WORLD.entries[3].at_ms, None, kind, true_body])
        yield f"points changed, and the true leaf stated as {kind}", signed(lie, beside, with_leaf), none("double")
        yield f"true points, and the leaf stated as {kind} as well", signed(beside, with_leaf), none("double")
        hidden = add("stated", [7, WORLD.entries[6].at_ms, None, kind, true_body])
        more = put("leaves", base64_of(WORLD.leaves[8], WORLD.leaves[10], WORLD.leaves[6]))
        if kind == "result_recorded":
            yield "a result among what is stated", signed(hidden, more), none("kind")
    whole = [4, WORLD.entries[3].at_ms, None, "result_recorded", true_body]
    keys = put("keys", base64_of(*(WORLD.key(number, "e") for number in (*WHOLE, 4))))
    yield (
        "a result among the entries",
        signed(add("entries", whole), keys, drop("results.0"), _openings((5, 6, 8, 10, 12))),
        none("kind"),
    )
    for name, path, keys_path, hashes in (
        ("an entry", "entries", "keys", [WORLD.key(number, "e") for number in (*WHOLE, 1)]),
        ("a statement", "stated", "leaves", [WORLD.leaves[8], WORLD.leaves[10], WORLD.leaves[8]]),
    ):
        twice = signed(add(path, EXTRACT[path][0]), put(keys_path, base64_of(*hashes)))
        yield f"{name} stands there twice", twice, none("double")
    yield (
        "a result stands there twice",
        signed(add("results", EXTRACT["results"][0]), _openings((4, 5, 6, 8, 10, 12, 4))),
        none("double"),
    )
    yield (
        "a result stands there twice with other points",
        signed(add("results", {**EXTRACT["results"][0], "points": [0, 0, 0, 0]}), _openings((4, 5, 6, 8, 10, 12, 4))),
        none("double"),
    )
    for path in ("keys", "leaves", "openings", "proof"):
        raw = base64.b64decode(EXTRACT[path])
        step = 64 if path == "openings" else 32
        lacks = "leaf" if path == "proof" else "count"
        yield f"{path} lacks its last", signed(put(path, base64_of(raw[:-step]))), none(lacks)
        yield f"{path} lacks its first", signed(put(path, base64_of(raw[step:]))), none(lacks)
        yield f"{path} has one more", signed(put(path, base64_of(raw, bytes(step)))), none(lacks)
        yield f"{path} is empty", signed(put(path, "")), none(lacks)
        yield f"{path} is cut", signed(put(path, base64_of(raw[:-1]))), none("count")
        spoilt = bytes([raw[0] ^ 1, *raw[1:]])
        yield (
            f"{path} has another bit",
            signed(put(path, base64_of(spoilt))),
            none() if path == "leaves" else none("leaf"),
        )
        turned = b"".join(raw[at : at + step] for at in range(len(raw) - step, -1, -step))
        yield f"{path} is turned round", signed(put(path, base64_of(turned))), none("leaf")
        for name, text in (
            ("without its end", EXTRACT[path].rstrip("=")),
            ("with a space", f" {EXTRACT[path]}"),
            ("with a line feed", f"{EXTRACT[path]}\n"),
            ("with a letter of another base64", "-" + EXTRACT[path][1:]),
        ):
            if text != EXTRACT[path]:
                yield f"{path} {name}", signed(put(path, text)), none()
    for path in ("entries.0", "stated.0"):
        yield f"{path} beyond the checkpoint", signed(put(f"{path}.0", WORLD.size + 1)), none("leaf")
        yield f"{path} far beyond the checkpoint", signed(put(f"{path}.0", 2**52)), none("leaf")
    small = World(3, [CREATED])
    yield (
        "a journal of one entry",
        of(small, (1,), ()),
        {
            "accepted": True,
            "event": "成都 Cup",
            "size": 1,
            "proved": [],
        },
    )
    yield "nothing is shown", of(WORLD, (), ()), none("leaf")
    for old, wrong in ((3, 8), (8, 13), (13, 3)):
        at = SINCE.index(old)
        other = base64_of(*consistency(WORLD.leaves, wrong))
        yield f"the proof about {wrong} entries for {old}", signed(put(f"since.{at}.proof", other)), none("since")
    for at in range(3):
        raw = base64.b64decode(EXTRACT["since"][at]["proof"])
        for name, proof in (
            ("lacks a hash", raw[:-32]),
            ("has a hash more", raw + bytes(32)),
            ("has another bit", bytes([raw[0] ^ 1, *raw[1:]])),
        ):
            yield (
                f"earlier checkpoint {at}: its proof {name}",
                signed(put(f"since.{at}.proof", base64_of(proof))),
                none("since"),
            )
    forged = ":".join([*WORLD.checkpoint(8).split(":")[:4], WORLD.checkpoint(3).split(":")[4]])
    for name, checkpoint in (("the signature of another one", forged), ("no form", "WALLWRIGHT2:8"), ("no text", "")):
        yield f"an earlier checkpoint with {name}", signed(put("since.1.checkpoint", checkpoint)), none("since")
    late = {"checkpoint": WORLD.checkpoint(13), "proof": base64_of(*consistency(WORLD.leaves, 13))}
    early = case(WORLD.file({**WORLD.extract((1,), (), (), (), 8), "since": [late]}))
    yield "an earlier checkpoint that is later", early, none("since")
    same = {"checkpoint": WORLD.checkpoint(), "proof": ""}
    yield "the checkpoint itself as an earlier one", signed(add("since", same)), HOLDS
    for number in (4, 8):
        left = tuple(one for one in RESULTS if one[0] != number)
        hides = of(WORLD, WHOLE, left, *STATED)
        yield (
            f"the hall leaves result {number} out",
            hides,
            none("order")
            if number == 4
            else {
                "accepted": True,
                "not_proved": [*ALWAYS, "rows"],
            },
        )


def _texts() -> Iterator[tuple[str, Json, Json]]:
    value = WORLD.signed(EXTRACT)
    spaced = json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"
    for name, text in (
        ("with spaces", spaced),
        (
            "with keys in another order",
            '{"signature":' + TEXT.split('"signature":')[1][:-2] + "," + TEXT[1:].split(',"signature"')[0] + "}\n",
        ),
        ("without its line feed", TEXT[:-1]),
        ("with two line feeds", TEXT + "\n"),
        ("with CR LF", TEXT[:-1] + "\r\n"),
        ("with a space before it", " " + TEXT),
        ("with a byte order mark", "\ufeff" + TEXT),
        ("with escapes that are not needed", TEXT.replace('"results"', '"\\u0072esults"', 1)),
        ("with escaped Chinese", TEXT.replace("成", "\\u6210", 1)),
        ("with an escaped solidus", TEXT.replace("/", "\\/", 1)),
        ("with a number of another form", TEXT.replace('"dealer":0', '"dealer":0e0', 1)),
        ("with a minus zero", TEXT.replace('"dealer":0', '"dealer":-0', 1)),
        ("with points of another form", TEXT.replace("[24,", "[24.0,", 1)),
        ("with a name twice", TEXT.replace('"dealer":0', '"dealer":0,"dealer":0', 1)),
        ("with another value before", TEXT.replace('"dealer":0', '"dealer":1,"dealer":0', 1)),
        ("with the signature twice", TEXT.replace('"signature":', '"signature":"","signature":', 1)),
        ("with the results twice", TEXT.replace('"results":', '"results":[],"results":', 1)),
        ("with something behind it", TEXT + "{}\n"),
    ):
        if text != TEXT:
            yield f"a file {name}", case(text), none()
    for name, text in (
        ("nothing", ""),
        ("a line feed", "\n"),
        ("null", "null\n"),
        ("a list", "[]\n"),
        ("a number", "5\n"),
        ("an object", "{}\n"),
        ("half a file", TEXT[: len(TEXT) // 2]),
        ("no signature", canonical({"extract": EXTRACT}) + "\n"),
        ("no extract", canonical({"signature": value["signature"]}) + "\n"),
        ("a field more", canonical({**value, "more": 1}) + "\n"),
        ("brackets alone", "[" * 3000),
        ("lists in each other", "[" * 3000 + "]" * 3000 + "\n"),
    ):
        yield f"a file of {name}", case(text), none()
    odd = World(
        9, [Entry("event_created", {"format": {"name": 'Zoë 🀄 \u2028\x7f "q" \\ \x01\x1f\n'}, "\uffee": 1, "🀄": 2})]
    )
    yield (
        "names in the order of code points, and characters of all kinds",
        of(odd, (1,), ()),
        {
            "accepted": True,
            "event": 'Zoë 🀄 \u2028\x7f "q" \\ \x01\x1f\n',
        },
    )


def _forms() -> Iterator[tuple[str, Json, Json]]:
    for name in EXTRACT:
        yield f"an extract without {name}", signed(drop(name)), none("form")
    for name, value in each(*((name, (None, 5, True, {})) for name in EXTRACT)):
        yield f"{name} is {json.dumps(value)}", signed(put(name, value)), none("form")
    yield "an extract with a field more", signed(put("more", 1)), none("form")
    for name in EXTRACT["results"][0]:
        yield f"a result without {name}", signed(drop(f"results.0.{name}")), none("form")
    yield "a result with a field more", signed(put("results.0.more", 1)), none("form")
    for path, value in each(
        ("results.0.entry", ("4", True, 4.5, 0, -4, None)),
        ("results.0.points", (None, "24", [24, -8, -8], [24, -8, -8, -8, 0], [24, -8, -8, "-8"], [24, -8, -8, -8.5])),
        ("results.0.told", (None, [1, 1], [1, 1, 1, 1], ["1", 1, 1], {})),
        ("results.0.session", (None, "1", True, 1.5)),
        ("results.0.table", (None, "1", True)),
        ("results.0.deal", (None, "1", True)),
        ("results.0.unit", (5, [], True)),
        ("results.0.at_ms", (None, "0", 0.5)),
        ("results.0", (None, [], 5)),
        ("entries.0", (None, {}, 5, [], [1, 2, 3], [1, 0, None, "note", {}, 0])),
        ("entries.0.0", ("1", None, True, 0, -1, 1.5)),
        ("entries.0.3", (None, 5)),
        ("entries.0.4", (None, [], "x", 5)),
        ("stated.0", (None, {}, 5, [])),
        ("stated.0.0", ("9", None, True, 0)),
        ("stated.0.4", (None, [], "x")),
        ("since.0", (None, [], 5, {}, {"checkpoint": ""})),
    ):
        yield f"{path} is {json.dumps(value)}", signed(put(path, value)), none("form")
    for name, value in each(
        ("text", (None, 5, {}, [])),
        ("key", (5, {}, True)),
        ("checkpoint", (5, {}, True)),
        ("about", (None, "", "days", 5, "Day")),
    ):
        yield f"a case whose {name} is {json.dumps(value)}", {**ALONE, name: value}, refused("form")
    for name in ALONE:
        without = {key: value for key, value in ALONE.items() if key != name}
        yield f"a case without {name}", without, refused("form")


def _openings(numbers: tuple[int, ...]) -> Change:
    return put("openings", base64_of(*(WORLD.commitment(one) + WORLD.key(one, "r") for one in numbers)))
