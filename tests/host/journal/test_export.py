"""Export as JSON lines, and back again to the same journal."""

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
from wallwright.journal.exporting import export_lines, import_lines, read_export
from wallwright.journal.mjai import mjai_lines
from wallwright.link.reports import Event
from wallwright.rules.sichuan.ruleset import PRESETS, load_ruleset


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
    assert len(lines) == head.id + 2


def test_the_first_schema_s_journal_goes_out_as_well(tmp_path: Path) -> None:
    first = first_journal(tmp_path)
    import_lines(export_lines(read_journal(first)), tmp_path / "again")
    assert list(read_journal(tmp_path / "again")) == list(read_journal(first))


BODY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(1 - 2**63, 2**63 - 1)
    | st.text(max_size=3)
    | st.sampled_from(["1m", "hu", "kong", "123m"]),
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
    entry = Entry.of(1, 5, "T-1", 1, 2, kind, body) if is_event else Entry.of(1, 5, "T-1", None, None, kind, body)
    assert list(read_export(export_lines([entry]))) == [entry]
    assert list(mjai_lines([entry])) == []


def export_of(tmp_path: Path) -> list[str]:
    with Journal(tmp_path / "session.journal") as journal:
        write_deals(journal, 2, 1)
    return list(export_lines(read_journal(tmp_path / "session.journal")))


def drop(at: int) -> Callable[[list[str]], list[str]]:
    return lambda lines: lines[:at] + lines[at + 1 :]


SPOILED: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "empty": (lambda lines: [], "line 1: this is no export"),
    "no start": (drop(0), "line 1: this is no export"),
    "another format": (lambda lines: [lines[0].replace("journal", "mjai"), *lines[1:]], "line 1: this is no export"),
    "no entry at all": (lambda lines: [lines[0], "{}", *lines[1:]], "line 2: it is no entry, and not the end of the 0"),
    "no end": (lambda lines: lines[:-1], "without its last line"),
    "no entry": (drop(1), "line 2: entry 2 stands where entry 1 belongs"),
    "no JSON": (lambda lines: [*lines[:3], "{", *lines[3:]], "line 4: it is no JSON"),
    "a number": (lambda lines: [*lines[:3], "5", *lines[3:]], "line 4: it is no JSON object"),
    "more": (lambda lines: [*lines, lines[1]], "something follows the end of the export"),
    "changed": (lambda lines: [line.replace('"build_ms":20000', '"build_ms":2') for line in lines], "not the end"),
    "unknown": (lambda lines: [line.replace('"kind"', '"sort"') for line in lines], "an entry has no such keys"),
    "a table's mark": (
        lambda lines: [line.replace('"table"', '"seq"') for line in lines],
        "no entry has such a number",
    ),
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
