"""Export in the shape of mjai: line by line as documented, and back again to the same journal."""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.host.journal.conftest import stored
from tests.host.journal.deals import declared_deal, write_deals
from tests.host.journal.test_migration import first_journal
from wallwright.errors import BadExport, JournalError
from wallwright.journal import Entry, Journal, read_journal
from wallwright.journal.exporting import export_lines, import_lines
from wallwright.journal.mjai import entry_lines, lines_entry
from wallwright.journal.mjai_deal import KONGS
from wallwright.link.reports import Event
from wallwright.rules.events import Hu, Kong
from wallwright.rules.ruleset import PRESETS, load_ruleset
from wallwright.rules.tiles import parse_tile

HEAD = {"entry": 7, "at_ms": 5, "table": "T-1"}


def record(kind: str, body: dict[str, Any], unit: str | None = "T-1") -> Entry:
    return Entry.of(7, 5, unit, None, None, kind, body)


def test_a_journal_goes_out_and_comes_back_the_same(place: str, tmp_path: Path, seed: int) -> None:
    with Journal(place) as journal:
        journal.append("event_created", {"format": {"name": "Größer 麻將", "\0": None}}, at_ms=1)
        for number, preset in enumerate(PRESETS):
            write_deals(journal, 3, seed + number, ruleset=load_ruleset(preset), unit=f"T-{number}", is_tracked=True)
        journal.append_event("T-1", Event(1, 7, 9, "fault", {"fault": "lane_jam", "side": 2}, lost=3), at_ms=2)
        journal.append_event("T-1", Event(9, 7, 9, "build_done", {"stacks": (14, 13)}), at_ms=3)
        told = {"session": 1, "table": 2, "deal": 1, **declared_deal(seed, "sichuan")}
        journal.append("result_recorded", told, at_ms=4)
        journal.append("penalty_given", {"player": 3, "points": 5, "by": "Ann"}, at_ms=4)
        journal.append("result_corrected", {"deal": 1, "points": [0, 1, -1, 0]}, at_ms=4)
        journal.checkpoint(at_ms=5)
    lines = list(export_lines(read_journal(place)))
    again = tmp_path / "again.journal"
    head = import_lines(lines, again)
    assert stored(str(again)) == stored(place)
    assert (head.id, head.hash) == (stored(place)[-1][0], stored(place)[-1][7])
    assert list(export_lines(read_journal(again))) == lines
    assert not any('"record","kind":"de' in line for line in lines), "a deal's entry has no line of its own"
    types = {json.loads(line)["type"] for line in lines}
    assert types >= {"tsumo", "dahai", "none"}
    assert types >= {"start_game", "start_kyoku", "hora", "ready_check", "payment", "end_kyoku", "end_game"}
    assert types >= {"fault", "table_event", "penalty", "correction", "record", "void_suit"}


def test_the_first_schema_s_journal_goes_out_as_well(tmp_path: Path) -> None:
    first = first_journal(tmp_path)
    import_lines(export_lines(read_journal(first)), tmp_path / "again")
    assert list(read_journal(tmp_path / "again")) == list(read_journal(first))


KONG = {"deal": 2, "type": "kong", "seat": 3}
HIDDEN = ["?", "?", "?"]
CASES: list[tuple[Entry, list[dict[str, Any]]]] = [
    (
        record("declared", {**KONG, "kind": "concealed"}),
        [{"type": "ankan", "actor": 3, "consumed": ["?", *HIDDEN], "kong": "concealed", "deal": 2}],
    ),
    (
        record("declared", {**KONG, "kind": "melded", "from": 1}),
        [
            {
                "type": "daiminkan",
                "actor": 3,
                "target": 1,
                "pai": "?",
                "consumed": HIDDEN,
                "kong": "melded",
                "deal": 2,
            }
        ],
    ),
    (
        record("declared", {**KONG, "kind": "postponed", "robbed": True, "chain": True}),
        [
            {
                "type": "kakan",
                "actor": 3,
                "pai": "?",
                "consumed": HIDDEN,
                "kong": "postponed",
                "deal": 2,
                "robbed": True,
                "chain": True,
            }
        ],
    ),
    (
        record("declared", {"deal": 2, "type": "breach", "seat": 1}),
        [{"type": "breach", "actor": 1, "deal": 2}],
    ),
    (
        record(
            "declared",
            {
                "deal": 2,
                "type": "hu",
                "by": "discard",
                "from": 0,
                "after_kong": True,
                "winners": [
                    {"seat": 1, "standing": "11m", "winning": "1m", "void": "s"},
                    {"seat": 2, "value": 4},
                ],
            },
        ),
        [
            {"type": "void_suit", "actor": 1, "suit": "s", "derived": True},
            {
                "type": "hora",
                "actor": 1,
                "target": 0,
                "pai": "1m",
                "hora_tehais": ["1m", "1m"],
                "void": "s",
                "by": "discard",
                "after_kong": True,
                "deal": 2,
            },
            {"type": "hora", "actor": 2, "target": 0, "value": 4, "by": "discard", "after_kong": True, "deal": 2},
        ],
    ),
    (
        record("declared", {"deal": 2, "type": "hu", "by": "self_drawn", "winners": [{"seat": 1, "false": True}]}),
        [{"type": "hora", "actor": 1, "target": 1, "by": "self_drawn", "false": True, "deal": 2}],
    ),
    (
        record(
            "deal_result",
            {
                "deal": 2,
                "end": "wall",
                "hands": [{"seat": 0, "standing": "19m5s", "void": "p", "only_void_discards": True}],
                "payments": [
                    {"from": 1, "to": 0, "points": 2, "clause": "SBR-6.3", "why": "a"},
                    {"from": 2, "to": 0, "points": 4, "clause": "SBR-6.5", "why": "b"},
                ],
                "penalties": [{"seat": 3, "points": 10, "clause": "SBR-3.3", "why": "c"}],
                "points": [6, -2, -4, -10],
                "next_dealer": 1,
                "hu": [],
                "kongs": [],
            },
        ),
        [
            {"type": "void_suit", "actor": 0, "suit": "p", "derived": True},
            {
                "type": "ready_check",
                "actor": 0,
                "tehai": ["1m", "9m", "5s"],
                "void": "p",
                "only_void_discards": True,
            },
            {"type": "kong_payment", "actor": 0, "target": 1, "points": 2, "clause": "SBR-6.3", "why": "a"},
            {"type": "payment", "actor": 0, "target": 2, "points": 4, "clause": "SBR-6.5", "why": "b"},
            {"type": "penalty", "actor": 3, "points": 10, "clause": "SBR-3.3", "why": "c"},
            {"type": "ryukyoku", "reason": "wall", "derived": True},
            {
                "type": "end_kyoku",
                "deal": 2,
                "end": "wall",
                "deltas": [6, -2, -4, -10],
                "next_oya": 1,
                "hu": [],
                "kongs": [],
            },
        ],
    ),
    (record("result_corrected", {"deal": 3}), [{"type": "correction", "body": {"deal": 3}}]),
    (record("anything", {"type": "hu"}), [{"type": "record", "kind": "anything", "body": {"type": "hu"}}]),
    # Bodies that this program does not write under these kinds.
    (record("declared", {"type": "kong"}), [{"type": "record", "kind": "declared", "body": {"type": "kong"}}]),
    (
        record("declared", {"type": "hu", "winners": []}),
        [{"type": "record", "kind": "declared", "body": {"type": "hu", "winners": []}}],
    ),
    (record("deal_started", {"scores": 5}), [{"type": "record", "kind": "deal_started", "body": {"scores": 5}}]),
]


@pytest.mark.parametrize(("entry", "lines"), CASES)
def test_an_entry_has_its_lines(entry: Entry, lines: list[dict[str, Any]]) -> None:
    assert entry_lines(entry) == [{**line, **HEAD} for line in lines]
    assert lines_entry(entry_lines(entry)) == entry


def test_the_start_of_a_deal_has_what_mjai_wants_and_the_scores_so_far(tmp_path: Path, seed: int) -> None:
    with Journal(tmp_path / "session.journal") as journal:
        write_deals(journal, 4, seed, unit="T-1")
        write_deals(journal, 2, seed + 1, unit="T-2")
        entries = list(journal.entries())
    totals = {"T-1": [0] * 4, "T-2": [0] * 4}
    lines = [json.loads(line) for line in export_lines(entries)]
    for line in lines:
        if line["type"] == "start_kyoku":
            assert line["scores"] == totals[line["table"]]
            assert line["tehais"] == [["?"] * 13] * 4
            assert {"bakaze", "kyoku", "honba", "kyotaku", "oya", "dora_marker"} <= line.keys()
        elif line["type"] == "end_kyoku":
            totals[line["table"]] = [x + y for x, y in zip(totals[line["table"]], line["deltas"], strict=True)]
            paid = [0] * 4
            for one in lines:
                if one.get("entry") == line["entry"] and "points" in one:
                    paid[one["actor"]] += one["points"] * (-1 if one["type"] == "penalty" else 1)
                    if "target" in one:
                        paid[one["target"]] -= one["points"]
            assert paid == line["deltas"]


@pytest.mark.parametrize("preset", PRESETS)
def test_a_deal_that_a_scorer_declared_has_the_lines_of_one_that_a_table_told(preset: str, seed: int) -> None:
    where = {"session": 2, "table": 5, "deal": 3, "dealer": 0, "source": "declared", "reason": ""}
    for number in range(10):
        body = json.loads(json.dumps({**where, **declared_deal(seed + number, preset)}))
        record_ = body["record"]
        if not record_["hands"] and number % 2:
            del record_["hands"]
        entry = record("result_recorded", body, None)
        lines = [json.loads(json.dumps(line)) for line in entry_lines(entry)]
        assert lines_entry(lines) == entry
        assert (lines[0]["type"], lines[0]["oya"], lines[0]["session"], lines[0]["table_number"]) == (
            "start_kyoku",
            0,
            2,
            5,
        )
        assert (lines[-1]["type"], lines[-1]["deltas"]) == ("end_kyoku", body["points"])
        told = []
        for event in record_["events"]:
            told += [("hora", one["seat"]) for one in event.get("winners", ())]
            if event["type"] != "hu":
                told.append((KONGS[event["kind"]] if event["type"] == "kong" else "breach", event["seat"]))
        told += [("ready_check", hand["seat"]) for hand in record_.get("hands", ())]
        told += [("penalty", penalty["seat"]) for penalty in body["penalties"]]
        assert [(line["type"], line["actor"]) for line in lines[1:-1] if "derived" not in line] == told


def test_moves_say_what_the_rules_know_of_them(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    seen = Counter[str]()
    with Journal(tmp_path / "session.journal") as journal:
        deals = write_deals(journal, 12, rng.getrandbits(32), is_tracked=True)
        moves = [entry for entry in journal.entries() if entry.kind == "deal_moves"]
    for deal, entry in zip(deals, moves, strict=True):
        lines = entry_lines(entry)
        assert (lines[0]["type"], lines[-1]["type"]) == ("start_kyoku", "end_kyoku")
        assert [sorted(map(parse_tile, hand)) for hand in lines[0]["tehais"]] == [sorted(h) for h in deal.dealt]
        moved = lines[1:-1]
        assert [line["actor"] for line in moved] == [action.seat for action in deal.log]
        assert [line.get("time_ms") for line in moved] == entry.body["times"]
        types = {"ankan": "concealed", "daiminkan": "melded"}
        kongs = [
            (one["actor"], types.get(one["type"]), one.get("target")) for one in moved if one["type"].endswith("kan")
        ]
        declared = [event for event in deal.events if isinstance(event, Kong)]
        expected = [(k.seat, k.type if k.type in types.values() else None, k.from_) for k in declared]
        assert kongs == expected
        won = [(line["actor"], line["target"]) for line in moved if line["type"] == "hora"]
        hus = [
            (w.seat, w.seat if e.from_ is None else e.from_)
            for e in deal.events
            if isinstance(e, Hu)
            for w in e.winners
        ]
        assert sorted(won) == sorted(hus)
        offered = None
        for line in moved:
            if line["type"] == "pon":
                assert (line["target"], line["pai"]) == offered
            elif line["type"] == "dahai":
                offered = (line["actor"], line["pai"])
            seen[line["type"]] += 1
    assert seen.keys() >= {"void_suit", "tsumo", "dahai", "pon", "hora", "none"}


BODY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.sampled_from(["1m", "hu", "kong", "123m"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["type", "seat", "winners", "from", "hands", "standing", "payments", "end", "void", "entry"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
KINDS = st.sampled_from(
    ["declared", "deal_started", "deal_result", "penalty_given", "result_corrected", "fault", "deal_moves", "x"]
)


NAMES = st.sampled_from(
    ["type", "seat", "winners", "hands", "body", "kind", "event", "end", "deal", "at_ms", "derived"]
)


@given(KINDS, st.dictionaries(NAMES, BODY, max_size=5), st.booleans())
def test_whatever_a_body_is_nothing_of_it_is_lost(kind: str, body: dict[str, Any], is_event: bool) -> None:
    entry = Entry.of(7, 5, "T-1", 1, 2, kind, body) if is_event else record(kind, body)
    again = [json.loads(json.dumps(line)) for line in entry_lines(entry)]
    assert lines_entry(again) == entry


def export_of(tmp_path: Path) -> list[str]:
    with Journal(tmp_path / "session.journal") as journal:
        write_deals(journal, 2, 1)
    return list(export_lines(read_journal(tmp_path / "session.journal")))


def drop(at: int) -> Callable[[list[str]], list[str]]:
    return lambda lines: lines[:at] + lines[at + 1 :]


SPOILED: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "empty": (lambda lines: [], "line 1: this is no export"),
    "no start": (drop(0), "line 1: this is no export"),
    "no end": (lambda lines: lines[:-1], "without its last line"),
    "no entry": (drop(1), "line 2: entry 2 stands where entry 1 belongs"),
    "no JSON": (lambda lines: [*lines[:3], "{", *lines[3:]], "line 4: it is no JSON"),
    "a number": (lambda lines: [*lines[:3], "5", *lines[3:]], "line 4: it is no JSON object"),
    "more": (lambda lines: [*lines, lines[1]], "something follows the end of the export"),
    "changed": (lambda lines: [line.replace('"build_ms":20000', '"build_ms":2') for line in lines], "not the end"),
    "unknown": (lambda lines: [line.replace("end_kyoku", "end") for line in lines], "no entry has such lines"),
}


@pytest.mark.parametrize("how", SPOILED)
def test_an_export_that_was_spoiled_is_refused_with_its_line(tmp_path: Path, how: str) -> None:
    spoil, message = SPOILED[how]
    lines = spoil(export_of(tmp_path))
    with pytest.raises(BadExport) as caught:
        import_lines(lines, tmp_path / "again")
    assert message in str(caught.value)
    assert str(caught.value).startswith("line ")


def test_an_import_makes_a_new_journal_only(tmp_path: Path) -> None:
    lines = export_of(tmp_path)
    with pytest.raises(JournalError, match="this makes a new one"):
        import_lines(lines, tmp_path / "session.journal")
