"""Cases of docs/proofs.md as a lying server sends them to the pages that people open, and what these have to say.

What a page has to say is told by the verifier in Python, which shares no code with the page's, and by the case itself.
Left out is what no server brings about: values that a page does not read from text, two answers to one request, texts
that are not UTF-8, and a key that somebody asks for on the command line.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tests.proofs import all_cases, day
from tests.proofs.world import Json
from wallwright.season.extract_check import read_checkpoint
from wallwright.season.verdict import verify

PLACE = ("session", "table", "deal")
QUIET = ("silent", "refused", "absent", "size", "older")
WINDS = ("East", "South", "West", "North")
BODY = re.compile(
    r'(?<=<div id="player" sse-swap="player">).*?(?=</div></div>\n<section class="board" id="witness")', re.DOTALL
)
ANSWER = re.compile(r"/results/(\d+)/")


@dataclass(frozen=True)
class PlayersPage:
    """A player's page: `case` has its rows, and what its server answers; `asked` is what it asks its verifier then."""

    name: str
    case: Json
    asked: Json
    accepted: bool | None
    """The verdict of the case, where the page asks all of it."""

    @property
    def stream(self) -> str:
        """The page's news: a checkpoint."""
        told = {"checkpoint": self.case["checkpoint"], "before": 0, "proof": []}
        return f"event: checkpoint\ndata: {json.dumps(told)}\n\n"

    @property
    def known(self) -> list[str]:
        """Under which name the browser remembers what the page knows, and what, as JSON text."""
        found: dict[str, list[Json]] = {}
        for one in self.case["known"]:
            told = {"points": one["points"], "entry": one["entry"], "seat": 0, "unit": None, "at_ms": 0}
            found.setdefault(_deal(one), []).append(told)
        return [f"witness {self.name}", json.dumps({"version": 2, "seen": [], "results": found, "broken": None})]

    def answer(self, address: str) -> Json:
        """The server's answer about a session: silent, refused, or a JSON value."""
        session = int(ANSWER.findall(address)[0])
        return next(one["answer"] for one in self.asked["answers"] if one["session"] == session)

    def text(self, text: str) -> str:
        """The page, made of a true one's."""
        rows = "".join(
            f"<table><tr><th>{row['session']}</th></tr><tr><td>"
            f'<a data-deal="{_deal(row)}" data-points="{row["points"]}">{row["deal"]} {_points(row)}</a>'
            "</td></tr></table>"
            for row in self.case["rows"]
        )
        whose = f'data-event="{html.escape(self.name)}" data-player="{self.case["player"]}"'
        return BODY.sub(lambda _: rows, re.sub(r'data-event="[^"]*" data-player="\d+"', lambda _: whose, text))

    def says(self) -> Json:
        """Whether the page warns, its sentence about what is not proved, and its lines about what was."""
        lines = [_line(one, 0, []) for one in self.case["known"]]
        is_broken, unproved = read_checkpoint(self.case["checkpoint"])[0] is None, []
        if self.asked["rows"] and not is_broken:
            found = verify(self.asked)
            unproved = found["unproved"]
            is_broken = any(one["why"] not in QUIET for one in unproved)
            lines += [_line(one, one["seat"], one.get("missing", [])) for one in found["proved"] + found["partly"]]
        deals = ", ".join(map(_deal, unproved))
        said = f"Not proved, {len(unproved)} of the results on this page (session-table-deal): {deals}"
        return {"alarm": is_broken, "open": said if unproved else "", "lines": sorted(lines)}


@dataclass(frozen=True)
class DaysPage:
    """A day's page of a season: `case` has its rows, its checkpoint, and the file that its server gives."""

    name: str
    case: Json
    accepted: bool

    def text(self, text: str) -> str:
        """The page, made of a true one's."""
        tables = "".join(
            f"<details><summary>Session {row['session']}, table {row['table']}</summary><table><tr>"
            f"<td>{row['deal']}</td>{''.join(f'<td>{points:+d}</td>' for points in row['points'])}"
            f"<td>{row['entry']}</td></tr></table></details>"
            for row in self.case["rows"]
        )
        text = text[: text.index("<details><summary>Session")] + tables + text[text.rindex("</details>") :]
        shown = f'id="checkpoint">{html.escape(self.case["checkpoint"])}<'
        return re.sub(r'id="checkpoint">[^<]*<', lambda _: shown, text)

    def says(self, words: dict[str, str]) -> str:
        """The page's sentences, with its words for each `why`."""
        found = verify(self.case)
        if not found["accepted"]:
            return f"The proof does not hold: {words[found['why']]}"
        partly, count = len(found["partly"]), len(found["partly"] + found["proved"])
        holds = f"The proof holds: {count} results on this page are those of the journal up to entry {found['size']}"
        table = "the table or its deal is not in the proof, but in what this key has signed."
        return f"{holds}, signed by the key {found['key']}." + (f" Of {partly} of them {table}" if partly else "")


def players_pages() -> Iterator[PlayersPage]:
    """Go through the cases that a server brings about on a player's page."""
    for one in _about("results"):
        case = one["case"]
        rows, known, answers = case.get("rows"), case.get("known"), case.get("answers")
        is_told = isinstance(answers, list) and all(map(_is_answer, answers))
        is_known = _is_whole(case.get("player")) and _are_rows(rows, _is_whole) and _are_rows(known, _is_whole, "entry")
        if not (is_told and is_known):
            continue
        # Where there is nothing in JSON, the page has heard nothing.
        told = {each["session"]: "silent" if each["answer"] is None else each["answer"] for each in answers}
        fresh = [row for row in rows if _latest(known, row) != row["points"]]
        sessions = sorted({row["session"] for row in fresh})
        said = [{"session": session, "answer": told.get(session, "silent")} for session in sessions]
        if len(told) == len(answers):
            accepted = one["verdict"]["accepted"] if fresh == rows and set(told) <= set(sessions) else None
            yield PlayersPage(one["name"], case, {**case, "rows": fresh, "answers": said}, accepted)


def days_pages() -> Iterator[DaysPage]:
    """Go through the cases that a server brings about on a day's page; a file alone has its own rows there."""
    for one in _about("day"):
        case = one["case"]
        if not {"text", "key", "checkpoint", "rows"} <= set(case) or not _is_utf_8(case["text"]):
            continue
        own = _checkpoint(case["text"])
        checkpoint = own if case["checkpoint"] is None else case["checkpoint"]
        rows = case["rows"]
        if rows is None:
            found = verify(case)
            rows = found["proved"] + found["partly"] if found["accepted"] else day.ROWS
        is_shown = _are_rows(rows, _are_whole, "entry") and isinstance(checkpoint, str)
        if is_shown and (case["key"] is None or [case["key"]] == own.split(":")[3:4]):
            asked = {**case, "key": None, "checkpoint": checkpoint.strip(), "rows": rows}
            yield DaysPage(one["name"], asked, one["verdict"]["accepted"])


def _about(what: str) -> Iterator[Json]:
    return (one for one in all_cases() if isinstance(one["case"], dict) and one["case"].get("about") == what)


def _are_rows(rows: Json, are_points: Callable[[Json], bool], *more: str) -> bool:
    """Say whether a page can show these rows: it reads whole numbers from text."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return False
    return all(_is_number(row.get(name)) for row in rows for name in (*PLACE, *more)) and all(
        are_points(row.get("points")) for row in rows
    )


def _is_whole(value: Json) -> bool:
    return type(value) is int


def _are_whole(value: Json) -> bool:
    return isinstance(value, list) and all(map(_is_whole, value))


def _is_number(value: Json) -> bool:
    return _is_whole(value) and value > 0


def _is_answer(one: Json) -> bool:
    return isinstance(one, dict) and _is_number(one.get("session")) and "answer" in one


def _is_utf_8(text: Json) -> bool:
    return isinstance(text, str) and not any("\ud800" <= letter <= "\udfff" for letter in text)


def _checkpoint(text: str) -> str:
    """Return the checkpoint of a file, an empty text where there is none."""
    try:
        found = json.loads(text.lstrip("\ufeff"))["extract"]["checkpoint"]
    except (LookupError, TypeError, ValueError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""


def _latest(known: list[Json], row: Json) -> int | None:
    """Return the points that are known last of a deal."""
    seen = [one for one in known if _deal(one) == _deal(row)]
    return max(seen, key=lambda one: one["entry"])["points"] if seen else None


def _deal(row: Json) -> str:
    return "-".join(str(row[name]) for name in PLACE)


def _points(row: Json) -> str:
    return f"{row['points']:+d}" if row["points"] else "0"


def _line(one: Json, seat: int, missing: list[str]) -> str:
    """Return what a page says of a result, but for the time."""
    session, table, deal = (one[name] for name in PLACE)
    told = f"{WINDS[seat]}: {_points(one)} (entry {one['entry']})"
    if "table" in missing:
        shown = f"shown here as deal {deal} at table {table} in session {session}"
        return (
            f"A deal of the board {one['unit']}, {told}; {shown}. Not proved: session, table, deal, and who sat there."
        )
    return f"Session {session}, table {table}, deal {deal}, {told}" + (" Not proved: who sat there." if missing else "")
