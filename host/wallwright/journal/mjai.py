"""A journal as JSON lines in the shape of mjai, and back: what each entry is there. docs/journal.md has it in full.

Every entry becomes one line or more, with its number under "entry"; lines that only repeat what others say are marked
"derived". An entry that this shape cannot carry exactly becomes a "record" with its body as it is, so that nothing of a
journal is lost on the way.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from .entry import Entry
from .mjai_deal import (
    DECLARATIONS,
    NOT_SICHUAN,
    Line,
    declaration_lines,
    read_declaration,
    read_result,
    read_start,
    read_told,
    result_lines,
    start_lines,
    told_lines,
)
from .mjai_moves import moves_lines, read_moves

MOVES = "deal_moves"
RECORDS = {"penalty_given": "penalty", "result_corrected": "correction"}
"""Records of an event whose type is another word than their kind."""

_HEAD = ("entry", "at_ms", "table", "boot_id", "seq")


def entry_lines(entry: Entry) -> list[Line]:
    """Return an entry's lines, `scores` at the start of a deal aside, which are for the caller to know."""
    shape = _record_lines if entry.seq is None else _event_lines
    try:
        lines = [{**line, **_head(entry)} for line in _SHAPES.get(entry.kind, shape)(entry)]
        is_same = lines_entry(lines) == entry
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        is_same = False  # a body that is not what this program writes under that kind
    return lines if is_same else [{**line, **_head(entry)} for line in _record_lines(entry)]


def lines_entry(lines: Sequence[Line]) -> Entry:
    """Return the entry of which these are the lines. KeyError, TypeError or ValueError when they are of none."""
    first = lines[0]
    told = [{key: value for key, value in line.items() if key not in _HEAD} for line in lines if "derived" not in line]
    kind, body = _read(told)
    return Entry.of(
        first["entry"], first["at_ms"], first.get("table"), first.get("boot_id"), first.get("seq"), kind, body
    )


def _head(entry: Entry) -> Line:
    values = (entry.id, entry.at_ms, entry.unit, entry.boot_id, entry.seq)
    return {name: value for name, value in zip(_HEAD, values, strict=True) if value is not None}


def _read(lines: list[Line]) -> tuple[str, Line]:
    last = dict(lines[-1])
    kind = last.pop("type")
    if kind == "record":
        return last["kind"], last["body"]
    if kind in ("fault", "table_event"):
        return last.pop("event", kind), last
    if kind in RECORDS.values() and "body" in last:
        return next(name for name, word in RECORDS.items() if word == kind), last["body"]
    if kind == "start_kyoku":
        return "deal_started", read_start(last)
    if kind == "end_kyoku" and "tracked" in last:
        return MOVES, read_moves(lines)
    if kind == "end_kyoku":
        return ("result_recorded", read_told(lines)) if "declared" in last else ("deal_result", read_result(lines))
    if kind not in DECLARATIONS:
        raise ValueError(f"no line has the type {kind!r}")
    return "declared", read_declaration(lines)


def _event_lines(entry: Entry) -> Iterator[Line]:
    if entry.kind == "fault":
        yield {"type": "fault", **entry.body}
    else:
        yield {"type": "table_event", "event": entry.kind, **entry.body}


def _moves_lines(entry: Entry) -> Iterator[Line]:
    start, *rest = moves_lines(entry.body)
    yield {**start, **NOT_SICHUAN}
    yield from rest


def _event_record_lines(entry: Entry) -> Iterator[Line]:
    yield {"type": RECORDS[entry.kind], "body": dict(entry.body)}


def _record_lines(entry: Entry) -> Iterator[Line]:
    yield {"type": "record", "kind": entry.kind, "body": dict(entry.body)}


_SHAPES: Mapping[str, Callable[[Entry], Iterator[Line]]] = {
    "deal_started": lambda entry: start_lines(entry.body),
    "declared": lambda entry: declaration_lines(entry.body),
    "deal_result": lambda entry: result_lines(entry.body),
    "result_recorded": lambda entry: told_lines(entry.body),
    MOVES: _moves_lines,
    **dict.fromkeys(RECORDS, _event_record_lines),
}
