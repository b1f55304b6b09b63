"""Says what a player's page or a day of a season proves: docs/proofs.md is its specification, and says what each word
of a verdict means. The same verifier in JavaScript, for the pages themselves, is `static/verdict.js` of the console.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..journal.checkpoint import Checkpoint, printed_key
from ..journal.kinds.desk import EventCreated, SeatsPlanned
from ..journal.leaves import RESULTS, Opening, WholeOpening
from ..journal.proofs import includes
from ..system.signatures import of_hex
from .errors import BadExtract
from .extract_check import prove_extract, read_checkpoint
from .extract_file import HASH, is_whole
from .extract_rows import PLACE, ShownRow, are_points, has_place

Case = Mapping[str, Any]
Verdict = dict[str, Any]
Entry = Sequence[Any]
"""The values of an entry: number, time, unit, null, null, kind, text of the body."""
OPEN_OF_RESULTS = ("newest", "all", "name")
OPEN_OF_DAY = ("all", "counts", "names", "standings")
_NAME = "the extract"
_PARTS = ("text", "key", "checkpoint", "rows")


class Refused(Exception):
    """What is refused, in a word of docs/proofs.md."""


def verify(case: object) -> Verdict:
    """Return the verdict of a case, JSON values both."""
    about = case.get("about") if isinstance(case, dict) else None
    rows: object = None
    try:
        if isinstance(case, dict) and about == "results":
            rows = case.get("rows")
            return _results(case)
        _need(isinstance(case, dict) and about == "day", "form")
        assert isinstance(case, dict)
        return _day(case)
    except Refused as error:
        why = str(error)
    except BadExtract as error:
        why = error.why
    shown = [{**row, "why": why} for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return _said(None, why, None, ([], [], shown), (*(OPEN_OF_RESULTS if about == "results" else OPEN_OF_DAY), "event"))


def _said(
    checkpoint: Checkpoint | None, why: str, event: str | None, rows: tuple[list[Any], ...], open_: Sequence[str]
) -> Verdict:
    proved, partly, unproved = rows
    return {
        "accepted": why == "",
        "why": why,
        "key": None if checkpoint is None else printed_key(checkpoint.key),
        "size": None if checkpoint is None else checkpoint.entry,
        "root": None if checkpoint is None else checkpoint.hash.hex(),
        "event": event,
        "proved": proved,
        "partly": partly,
        "unproved": unproved,
        "not_proved": [*open_],
    }


def _need(is_so: object, why: str) -> None:
    if not is_so:
        raise Refused(why)


def _results(case: Case) -> Verdict:
    """Return the verdict about a player's page."""
    rows, known, told = case.get("rows"), case.get("known"), case.get("answers")
    _need(_is_number(case.get("player")) and _all(rows, _is_row), "form")
    _need(_all(known, lambda one: _is_row(one) and _is_number(one.get("entry"))), "form")
    _need(_all(told, lambda one: isinstance(one, dict) and _is_number(one.get("session"))), "form")
    assert isinstance(rows, list)
    assert isinstance(known, list)
    assert isinstance(told, list)
    answers = {one["session"]: one.get("answer") for one in told}
    _need(len(answers) == len(told), "form")
    checkpoint, why = read_checkpoint(case.get("checkpoint"))
    if checkpoint is None:
        raise Refused(why)
    places = [_place(row) for row in rows]
    lists = [
        one["results"] for one in answers.values() if isinstance(one, dict) and isinstance(one.get("results"), list)
    ]
    entries = [one.get("entry") for each in lists for one in each if isinstance(one, dict)]
    proved: list[Any] = []
    partly: list[Any] = []
    unproved: list[Any] = []
    events = set()
    for row, place in zip(rows, places, strict=True):
        try:
            _need(places.count(place) == 1, "twice")
            answer = answers.get(row["session"], "silent")
            if answer in ("silent", "refused"):
                raise Refused(answer)
            opened = _opened(answer, checkpoint)
            _need(answer["size"] == checkpoint.entry, "size")
            fits = [one for one in answer["results"] if (one["table"], one["deal"]) == place[1:]]
            _need(len(fits) < 2 and not any(entries.count(one["entry"]) > 1 for one in fits), "twice")
            _need(fits, "absent")
            found = _proof(row, fits[0], checkpoint, known)
            if found["kind"] == "deal_result":
                missing = [*PLACE, "seat"]
            else:
                missing = [] if _player(opened, found) == case["player"] else ["seat"]
            events.add(_event([_parsed(one[6]) for one in opened if one[5] == EventCreated.KIND]))
            (partly if missing else proved).append({**found, "missing": missing} if missing else found)
        except Refused as error:
            unproved.append({**row, "why": str(error)})
    event = events.pop() if len(events) == 1 else None
    why = unproved[0]["why"] if unproved else "partly" if partly else ""
    open_ = OPEN_OF_RESULTS if event is not None else (*OPEN_OF_RESULTS, "event")
    return _said(checkpoint, why, event, (proved, partly, unproved), open_)


def _opened(answer: Any, checkpoint: Checkpoint) -> list[Entry]:
    """Return the entries that an answer shows whole; the answer has the form of one."""
    _need(isinstance(answer, dict) and _is_number(answer.get("size")) and _all(answer.get("results"), _is_told), "form")
    if "opened" not in answer or answer["size"] != checkpoint.entry:
        return []
    _need(isinstance(answer["opened"], list), "form")
    return [_whole(one, checkpoint) for one in answer["opened"]]


def _whole(one: Any, checkpoint: Checkpoint) -> Entry:
    _need(isinstance(one, dict) and _is_number(one.get("entry")) and _is_text(one.get("text")), "form")
    key, text, path = of_hex(one.get("key"), HASH), one["text"], _hashes(one.get("proof"))
    row = _parsed(text)
    _need(isinstance(row, list) and len(row) == 7 and _written(row) == text and key is not None, "form")
    assert isinstance(row, list)
    assert key is not None
    entry, at_ms, unit, boot_id, seq, kind, body = row
    is_record = entry == one["entry"] and is_whole(at_ms) and _is_unit(unit) and boot_id is None and seq is None
    _need(is_record and is_whole(entry) and _is_text(kind) and _is_text(body) and kind not in RESULTS, "form")
    leaf = WholeOpening(key, text.encode()).leaf
    _need(includes(entry - 1, checkpoint.entry, leaf, path, checkpoint.hash), "form")
    return row


def _proof(row: Mapping[str, Any], told: Mapping[str, Any], checkpoint: Checkpoint, known: list[Any]) -> dict[str, Any]:
    """Return what is proved of a row by what was told of it."""
    text = _parsed(told["result"])
    _need(isinstance(text, list) and len(text) == 7 and _written(text) == told["result"], "form")
    _need(not any(isinstance(one, float) for one in text), "form")
    entry, kind, unit, session, table, deal, points = text
    where = (session, table, deal)
    _need(are_points(points) and _is_unit(unit) and all(one is None or is_whole(one) for one in where), "form")
    _need(entry == told["entry"] and is_whole(entry), "entry")
    is_boards = kind == "deal_result"
    _need(kind in RESULTS and not (is_boards and unit is None), "kind")
    opening = Opening(bytes.fromhex(told["commitment"]), bytes.fromhex(told["key"]), told["result"])
    path = _hashes(told["proof"])
    _need(includes(entry - 1, checkpoint.entry, opening.leaf, path, checkpoint.hash), "leaf")
    _need((session is None and table is None) if is_boards else where == _place(row), "place")
    _need(points[told["seat"]] == row["points"], "points")
    for one in known:
        is_older = one["entry"] > entry or (one["entry"] == entry and one["points"] != row["points"])
        _need(_place(one) != _place(row) or not is_older, "older")
    place = {name: row[name] for name in PLACE}
    return {**place, "entry": entry, "kind": kind, "unit": unit, "points": row["points"], "seat": told["seat"]}


def _player(opened: Sequence[Entry], found: Mapping[str, Any]) -> int | None:
    """Return who sits, by the latest plan of seats before its entry, where a result is said to be."""
    latest, player = 0, None
    for entry, *_, kind, text in opened:
        if kind != SeatsPlanned.KIND or entry >= found["entry"] or entry <= latest:
            continue
        plan = _parsed(text)
        _need(
            isinstance(plan, dict) and _is_number(plan.get("first")) and isinstance(plan.get("sessions"), list), "form"
        )
        at = found["session"] - plan["first"]
        for session in plan["sessions"][at : at + 1] if at >= 0 else ():
            _need(isinstance(session, dict) and _all(session.get("tables"), _is_four), "form")
            tables = session["tables"][found["table"] - 1 : found["table"]]
            latest, player = entry, tables[0][found["seat"]] if tables else None
    return player


def _event(bodies: Sequence[Any]) -> str | None:
    """Return the name in the body of the one `event_created`, None where there is none, or another number of them."""
    formats = [body.get("format") for body in bodies if isinstance(body, dict)]
    name = formats[0].get("name") if len(bodies) == len(formats) == 1 and isinstance(formats[0], dict) else None
    return name if isinstance(name, str) and _is_text(name) else None


def _day(case: Case) -> Verdict:
    """Return the verdict about an extract, and what a page shows of it."""
    _need(all(name in case for name in _PARTS), "form")
    text, key, printed, rows = (case[name] for name in _PARTS)
    _need(_is_text(text) and all(one is None or isinstance(one, str) for one in (key, printed)), "form")
    _need(rows is None or isinstance(rows, list), "form")
    assert isinstance(text, str)
    proof = prove_extract(text.encode(), _NAME)
    checkpoint = proof.checkpoint
    _need(key is None or key == printed_key(checkpoint.key), "key")
    _need(printed is None or printed == str(checkpoint), "checkpoint")
    shown = proof.rows if rows is None else _matched(rows, proof.rows)
    told: tuple[list[Any], ...] = ([], [], [])
    for row in shown:
        values = {**row._asdict(), "points": [*row.points], "missing": [*row.missing]}
        if not row.missing:
            del values["missing"]
        told[1 if row.missing else 0].append(values)
    event = _event([one.body for one in proof.signed.extract.entries if one.kind == EventCreated.KIND])
    open_ = [*OPEN_OF_DAY, *(["event"] if event is None else []), *(["rows"] if rows is None else [])]
    return _said(checkpoint, "", event, told, open_)


def _matched(rows: Sequence[Any], there: Sequence[ShownRow]) -> list[ShownRow]:
    """Return of each row that is shown, in its order, what is there of it; all have to be shown, once."""
    left = {one.entry: one for one in there}
    found = []
    _need(len(rows) == len(there), "rows")
    for row in rows:
        _need(isinstance(row, dict) and has_place(row) and _is_number(row.get("entry")), "rows")
        one = left.pop(row["entry"], None)
        _need(are_points(row.get("points")) and one is not None, "rows")
        assert one is not None
        _need(_place(row) == one.place and tuple(row["points"]) == one.points, "rows")
        found.append(one)
    return found


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refused)
    except (ValueError, RecursionError) as error:
        raise Refused("form") from error


def _refused(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _written(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _is_number(value: object) -> bool:
    return is_whole(value) and isinstance(value, int) and value >= 1


def _is_text(value: object) -> bool:
    """Say whether a JSON value is a text without half characters."""
    if not isinstance(value, str):
        return False
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_unit(value: object) -> bool:
    return value is None or _is_text(value)


def _is_row(value: Any) -> bool:
    return isinstance(value, dict) and has_place(value) and is_whole(value.get("points"))


def _is_four(value: object) -> bool:
    return _all(value, _is_number) and isinstance(value, list) and len(value) == 4


def _is_told(value: Any) -> bool:
    """Say whether a result of an answer has the form of one."""
    return (
        isinstance(value, dict)
        and all(_is_number(value.get(name)) for name in ("table", "deal", "entry"))
        and is_whole(value.get("seat"))
        and 0 <= value["seat"] < 4
        and all(of_hex(value.get(name), HASH) is not None for name in ("commitment", "key"))
        and _is_text(value.get("result"))
        and _all(value.get("proof"), lambda one: of_hex(one, HASH) is not None)
    )


def _all(value: object, is_one: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and all(map(is_one, value))


def _place(row: Mapping[str, Any]) -> tuple[int, int, int]:
    return row["session"], row["table"], row["deal"]


def _hashes(value: Any) -> list[bytes]:
    found = [of_hex(one, HASH) for one in value] if isinstance(value, list) else [None]
    hashes = [one for one in found if one is not None]
    _need(len(hashes) == len(found), "form")
    return hashes
