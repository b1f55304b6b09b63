"""A journal as JSON lines in the shape of mjai, and back: what each entry is there. docs/journal.md has it in full.

Every entry becomes one line or more, with its number under "entry"; lines that only repeat what others say are marked
"derived". An entry that this shape cannot carry exactly becomes a "record" with its body as it is, so that nothing of a
journal is lost on the way.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..rules.tiles import format_tiles, parse_tiles, tile_name
from .entry import Entry
from .mjai_moves import moves_lines, read_moves

Line = dict[str, Any]

UNKNOWN = "?"
KONGS = {"concealed": "ankan", "melded": "daiminkan", "promoted": "kakan", "postponed": "kakan"}
MOVES = "deal_moves"
RECORDS = {"penalty_given": "penalty", "result_corrected": "correction"}
"""Records of an event whose type is another word than their kind."""

_HEAD = ("entry", "at_ms", "table", "boot_id", "seq")
_START = {"deal": "kyoku", "dealer": "oya"}
_END = {"points": "deltas", "next_dealer": "next_oya"}
_HAND = {"seat": "actor", "standing": "tehai"}
_WINNER = {"seat": "actor", "standing": "hora_tehais", "winning": "pai"}
_PAYMENT = {"to": "actor", "from": "target"}
_PENALTY = {"seat": "actor"}
_NOT_SICHUAN = {"bakaze": "E", "honba": 0, "kyotaku": 0, "dora_marker": UNKNOWN}
"""What mjai wants at the start of a deal and Sichuan mahjong does not have."""
_ONLY_MJAI_S = {*_NOT_SICHUAN, "tehais", "scores"}


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
    return Entry(first["entry"], first["at_ms"], first.get("table"), first.get("boot_id"), first.get("seq"), kind, body)


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
        return "deal_started", _renamed_back({k: v for k, v in last.items() if k not in _ONLY_MJAI_S}, _START)
    if kind == "end_kyoku" and "tracked" in last:
        return MOVES, read_moves(lines)
    if kind == "end_kyoku":
        return "deal_result", _read_result(lines)
    if kind not in (*KONGS.values(), "hora", "breach"):
        raise ValueError(f"no line has the type {kind!r}")
    return "declared", _read_declared(lines)


# From entries to lines.


def _event_lines(entry: Entry) -> Iterator[Line]:
    if entry.kind == "fault":
        yield {"type": "fault", **entry.body}
    else:
        yield {"type": "table_event", "event": entry.kind, **entry.body}


def _start_lines(entry: Entry) -> Iterator[Line]:
    yield {"type": "start_kyoku", **_renamed(entry.body, _START), **_NOT_SICHUAN, "tehais": [[UNKNOWN] * 13] * 4}


def _moves_lines(entry: Entry) -> Iterator[Line]:
    start, *rest = moves_lines(entry.body)
    yield {**start, **_NOT_SICHUAN}
    yield from rest


def _declared_lines(entry: Entry) -> Iterator[Line]:
    body = dict(entry.body)
    kind = body.pop("type")
    if kind == "kong":
        yield from _kong_lines(body)
    elif kind == "hu":
        yield from _hu_lines(body)
    else:
        yield {"type": kind, "actor": body.pop("seat"), **body}


def _kong_lines(body: Line) -> Iterator[Line]:
    kind, actor = body.pop("kind"), body.pop("seat")
    line: Line = {"type": KONGS[kind], "actor": actor}
    if kind == "melded":
        line["target"] = body.pop("from")
    if kind != "concealed":
        line["pai"] = UNKNOWN
    yield {**line, "consumed": [UNKNOWN] * (4 if kind == "concealed" else 3), "kong": kind, **body}


def _hu_lines(body: Line) -> Iterator[Line]:
    winners = body.pop("winners")
    source = body.pop("from", None)
    for winner in winners:
        yield from _void_lines(winner)
        line = _with_tiles(_renamed(winner, _WINNER), "hora_tehais")
        # In mjai a player who has drawn the tile is the target of the Hu as well.
        yield {"type": "hora", "target": winner["seat"] if source is None else source, **line, **body}


def _result_lines(entry: Entry) -> Iterator[Line]:
    body = dict(entry.body)
    for hand in body.pop("hands"):
        yield from _void_lines(hand)
        yield {"type": "ready_check", **_with_tiles(_renamed(hand, _HAND), "tehai")}
    for payment in body.pop("payments"):
        kind = "kong_payment" if payment["clause"] == "SBR-6.3" else "payment"
        yield {"type": kind, **_renamed(payment, _PAYMENT)}
    for penalty in body.pop("penalties"):
        yield {"type": "penalty", **_renamed(penalty, _PENALTY)}
    if body["end"] != "three_hu":
        yield {"type": "ryukyoku", "reason": body["end"], "derived": True}
    yield {"type": "end_kyoku", **_renamed(body, _END)}


def _void_lines(hand: Mapping[str, Any]) -> Iterator[Line]:
    if "void" in hand:
        yield {"type": "void_suit", "actor": hand["seat"], "suit": hand["void"], "derived": True}


def _event_record_lines(entry: Entry) -> Iterator[Line]:
    yield {"type": RECORDS[entry.kind], "body": dict(entry.body)}


def _record_lines(entry: Entry) -> Iterator[Line]:
    yield {"type": "record", "kind": entry.kind, "body": dict(entry.body)}


_SHAPES = {
    "deal_started": _start_lines,
    "declared": _declared_lines,
    "deal_result": _result_lines,
    MOVES: _moves_lines,
    **dict.fromkeys(RECORDS, _event_record_lines),
}


# And back.


def _read_declared(lines: list[Line]) -> Line:
    first = dict(lines[0])
    kind = first.pop("type")
    if kind == "hora":
        return _read_hu(lines)
    actor = first.pop("actor")
    if "kong" not in first:
        return {"type": kind, "seat": actor, **first}
    kong = {"type": "kong", "seat": actor, "kind": first.pop("kong")}
    if "target" in first:
        kong["from"] = first.pop("target")
    return kong | {key: value for key, value in first.items() if key not in ("pai", "consumed")}


def _read_hu(lines: list[Line]) -> Line:
    shared = ("by", "after_kong", "deal")
    hu: Line = {"type": "hu", **{key: lines[0][key] for key in shared if key in lines[0]}, "winners": []}
    for line in lines:
        winner = {key: value for key, value in line.items() if key not in (*shared, "type", "target")}
        hu["winners"].append(_without_tiles(_renamed_back(winner, _WINNER), "standing"))
    if lines[0]["target"] != lines[0]["actor"]:
        hu["from"] = lines[0]["target"]
    return hu


def _read_result(lines: list[Line]) -> Line:
    found: dict[str, list[Line]] = {"hands": [], "payments": [], "penalties": []}
    for told in lines[:-1]:
        line = dict(told)
        kind = line.pop("type")
        if kind == "ready_check":
            found["hands"].append(_without_tiles(_renamed_back(line, _HAND), "standing"))
        elif kind == "penalty":
            found["penalties"].append(_renamed_back(line, _PENALTY))
        else:
            found["payments"].append(_renamed_back(line, _PAYMENT))
    end = {key: value for key, value in lines[-1].items() if key != "type"}
    return {**_renamed_back(end, _END), **found}


def _renamed(values: Mapping[str, Any], names: Mapping[str, str]) -> Line:
    return {names.get(key, key): value for key, value in values.items()}


def _renamed_back(values: Mapping[str, Any], names: Mapping[str, str]) -> Line:
    return _renamed(values, {there: here for here, there in names.items()})


def _with_tiles(values: Line, key: str) -> Line:
    """Write a hand as mjai does, a list of tiles."""
    if key in values:
        values[key] = [tile_name(kind) for kind in parse_tiles(values[key])]
    return values


def _without_tiles(values: Line, key: str) -> Line:
    if key in values:
        values[key] = format_tiles(kind for name in values[key] for kind in parse_tiles(name))
    return values
