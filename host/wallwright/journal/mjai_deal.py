"""A deal as lines of mjai, and back: its start, what was declared, the hands shown, what was paid, its end.

docs/journal.md has the types of lines.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from ..rules.tiles import format_tiles, parse_tiles, tile_name

Line = dict[str, Any]

UNKNOWN = "?"
KONGS = {"concealed": "ankan", "melded": "daiminkan", "promoted": "kakan", "postponed": "kakan"}
DECLARATIONS = (*KONGS.values(), "hora", "breach")
NOT_SICHUAN = {"bakaze": "E", "honba": 0, "kyotaku": 0, "dora_marker": UNKNOWN}
"""What mjai wants at the start of a deal and Sichuan mahjong does not have."""
HIDDEN = [[UNKNOWN] * 13] * 4
"""The hands at the start of a deal that nobody has tracked."""

_ONLY_MJAI_S = {*NOT_SICHUAN, "tehais", "scores"}
_START = {"deal": "kyoku", "dealer": "oya"}
_END = {"points": "deltas", "next_dealer": "next_oya"}
_HAND = {"seat": "actor", "standing": "tehai"}
_WINNER = {"seat": "actor", "standing": "hora_tehais", "winning": "pai"}
_PAYMENT = {"to": "actor", "from": "target"}
_PENALTY = {"seat": "actor"}


def start_lines(body: Mapping[str, Any]) -> Iterator[Line]:
    """Return the line of a deal's start."""
    yield {"type": "start_kyoku", **_renamed(body, _START), **NOT_SICHUAN, "tehais": HIDDEN}


def read_start(line: Mapping[str, Any]) -> Line:
    """Return the body of the record of a start."""
    return _renamed_back({k: v for k, v in line.items() if k not in _ONLY_MJAI_S and k != "type"}, _START)


def declaration_lines(declared: Mapping[str, Any]) -> Iterator[Line]:
    """Return the lines of a kong, a Hu or a breach."""
    body = dict(declared)
    kind = body.pop("type")
    if kind == "kong":
        yield from _kong_lines(body)
    elif kind == "hu":
        yield from _hu_lines(body)
    else:
        yield {"type": kind, "actor": body.pop("seat"), **body}


def read_declaration(lines: Sequence[Line]) -> Line:
    """Return what lines of one kong, Hu or breach declare."""
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


def result_lines(result: Mapping[str, Any]) -> Iterator[Line]:
    """Return the lines of a settled deal: hands, payments, penalties, the end."""
    body = dict(result)
    yield from _hand_lines(body.pop("hands"))
    for payment in body.pop("payments"):
        kind = "kong_payment" if payment["clause"] == "SBR-6.3" else "payment"
        yield {"type": kind, **_renamed(payment, _PAYMENT)}
    yield from _penalty_lines(body.pop("penalties"))
    yield from _draw_lines(body["end"])
    yield {"type": "end_kyoku", **_renamed(body, _END)}


def read_result(lines: Sequence[Line]) -> Line:
    """Return the body of the record of a result."""
    *told, end = lines
    found = _read_told(told)
    return {**found, **_renamed_back({key: value for key, value in end.items() if key != "type"}, _END)}


def told_lines(told: Mapping[str, Any]) -> Iterator[Line]:
    """Return the lines of a deal that a scorer declared as a whole, by its "record"."""
    body = dict(told)
    record = dict(body.pop("record"))
    where = {"session": body.pop("session"), "table_number": body.pop("table")}
    start = {"deal": body["deal"], "dealer": record.pop("dealer"), **where, "declared": True}
    yield from start_lines(start)
    # Lists that have no lines stay where they are.
    for number, declared in enumerate(record.pop("events") if record.get("events") else ()):
        yield from ({**line, "event": number} for line in declaration_lines(declared))
    yield from _hand_lines(record.pop("hands") if record.get("hands") else ())
    yield from _penalty_lines(body.pop("penalties") if body.get("penalties") else ())
    yield from _draw_lines(record["end"])
    yield {"type": "end_kyoku", **_renamed(body, _END), **where, "record": record, "declared": True}


def read_told(lines: Sequence[Line]) -> Line:
    """Return the body of the record of such a deal."""
    first, *told, last = lines
    where = {"session": first["session"], "table": first["table_number"]}
    end = {key: value for key, value in last.items() if key not in ("type", "declared", "session", "table_number")}
    declared = [line for line in told if "event" in line]
    events = [
        read_declaration([{key: value for key, value in line.items() if key != "event"} for line in group])
        for _, group in groupby(declared, key=lambda line: line["event"])
    ]
    found = {key: value for key, value in _read_told([x for x in told if "event" not in x]).items() if value}
    record = {**end.pop("record"), "dealer": first["oya"]} | ({"events": events} if events else {})
    record |= {"hands": found.pop("hands")} if "hands" in found else {}
    return {**_renamed_back(end, _END), **where, **found, "record": record}


def _hand_lines(hands: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
    for hand in hands:
        yield from _void_lines(hand)
        yield {"type": "ready_check", **_with_tiles(_renamed(hand, _HAND), "tehai")}


def _penalty_lines(penalties: Iterable[Mapping[str, Any]]) -> Iterator[Line]:
    for penalty in penalties:
        yield {"type": "penalty", **_renamed(penalty, _PENALTY)}


def _draw_lines(end: str) -> Iterator[Line]:
    if end != "three_hu":
        yield {"type": "ryukyoku", "reason": end, "derived": True}


def _read_told(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """Return hands, payments and penalties from their lines."""
    found: dict[str, list[Line]] = {"hands": [], "payments": [], "penalties": []}
    for told in lines:
        line = dict(told)
        kind = line.pop("type")
        if kind == "ready_check":
            found["hands"].append(_without_tiles(_renamed_back(line, _HAND), "standing"))
        elif kind == "penalty":
            found["penalties"].append(_renamed_back(line, _PENALTY))
        else:
            found["payments"].append(_renamed_back(line, _PAYMENT))
    return found


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


def _void_lines(hand: Mapping[str, Any]) -> Iterator[Line]:
    if "void" in hand:
        yield {"type": "void_suit", "actor": hand["seat"], "suit": hand["void"], "derived": True}


def _read_hu(lines: Sequence[Line]) -> Line:
    shared = ("by", "after_kong", "deal")
    hu: Line = {"type": "hu", **{key: lines[0][key] for key in shared if key in lines[0]}, "winners": []}
    for line in lines:
        winner = {key: value for key, value in line.items() if key not in (*shared, "type", "target")}
        hu["winners"].append(_without_tiles(_renamed_back(winner, _WINNER), "standing"))
    if lines[0]["target"] != lines[0]["actor"]:
        hu["from"] = lines[0]["target"]
    return hu


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
