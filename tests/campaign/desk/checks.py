"""What commands, papers and the console tell of an event, held against a reading of its export."""

import html
import json
import re
from typing import Any

from tests.campaign.desk.hall import Hall
from tests.campaign.desk.parts import IN_PLAY, PLAYED, Broken, Deal
from tests.campaign.desk.reading import Reading

SHOWN_LIVE = (*IN_PLAY, *PLAYED)
PAGES = (
    "/event",
    "/event/report",
    "/event/standings",
    "/event/appeals",
    "/event/papers/results.csv",
    "/players",
    "/setup",
    "/draws/main",
    "/screen",
    "/seats/1",
    "/event/sessions/1",
    "/event/sessions/1/tables/1",
    "/event/sessions/2/slips",
    "/event/sessions/1/score-sheets",
    "/players/1",
)
"""Pages that say something of the event; they change nothing, whoever looks."""


def same(what: str, told: Any, read: Any) -> None:
    """Broken when something is told otherwise than it is read."""
    if told != read:
        raise Broken(f"{what}: told {told}, read {read}")


def check_view(hall: Hall, known: Reading) -> None:
    """The console's view of the event: states, seats, signatures, what waits, and points."""
    view = hall.get("")
    same("the console's sessions", {one["number"]: one["state"] for one in view["sessions"]},
         {number: one.state for number, one in known.sessions.items()})  # fmt: skip
    for told in view["sessions"]:
        number = told["number"]
        session = known.sessions[number]
        same(f"byes of session {number}", told["byes"], [known.names[one] for one in session.byes])
        points = known.points_of(number)
        for sheet, table in zip(told["tables"], session.tables, strict=True):
            where = f"session {number}, table {sheet['table']}"
            same(f"players of {where}", sheet["players"], [[one, known.names[one]] for one in table.seats])
            same(f"signature of {where}", sheet["signed_off"], table.signed)
            waits = [deal for deal, one in sorted(table.deals.items()) if not one.approved]
            same(f"what waits at {where}", sheet["unapproved"], waits)
            same(f"points of {where}", sheet["points"],
                 [known.after_fines(number, one, points[one]) for one in table.seats])  # fmt: skip
            live = [one for one in table.deals.values() if one.status == "live"]
            same(f"points of the seats of {where}", sheet["of_deals"],
                 [sum(one.points[seat] for one in live) for seat in range(4)])  # fmt: skip
            plays_on = session.state == "running" and not table.signed and not sheet["is_done"]
            if plays_on and (gone := known.withdrawn & set(table.seats)):
                raise Broken(f"{where} plays on, and players {gone}, who have withdrawn, sit there")


def check_seats(hall: Hall, known: Reading) -> None:
    """`event seats`, the page and the paper of seats name the same people at the same places."""
    paper = _rows(hall, "event", "export", str(hall.journal), "seats", "--for", "live", "--format", "json")
    for number, session in known.sessions.items():
        wanted: list[list[Any]] = [
            [table, seat, player, known.names[player]]
            for table, sheet in enumerate(session.tables, 1)
            for seat, player in enumerate(sheet.seats)
        ]
        wanted += [[None, None, player, known.names[player]] for player in session.byes]
        rows = _rows(hall, "event", "seats", str(hall.journal), str(number), "--json")
        same(f"seats of session {number}", [[one[key] for key in SEAT] for one in rows], wanted)
        same(f"the paper of seats of session {number}",
             [[one[key] for key in SEAT] for one in paper if one["session"] == number], wanted)  # fmt: skip
        shown = hall.get(f"/sessions/{number}/seats")
        same(f"the console's seats of session {number}", shown["tables"],
             [[[player, known.names[player]] for player in sheet.seats] for sheet in session.tables])  # fmt: skip
        same(f"the console's byes of session {number}", [one for one, _ in shown["byes"]], session.byes)


SEAT = ("table", "seat", "player", "name")


def check_slips(hall: Hall, known: Reading) -> None:
    """Slips and score sheets of a session have everybody who sits there."""
    for number, session in known.sessions.items():
        for page in ("slips", "score-sheets"):
            status, text = hall.page(f"/event/sessions/{number}/{page}")
            names = {html.unescape(one) for one in re.findall(r"<bdi>(.*?)</bdi>", text)}
            lacking = {known.names[one] for one in session.seated()} - names
            if status != 200 or lacking:
                raise Broken(f"the {page} of session {number} ({status}) lack {lacking}")


def check_results(hall: Hall, known: Reading) -> None:
    """The paper of results has every deal that was played, those that count for nothing too, with who played it."""
    rows = _rows(hall, "event", "export", str(hall.journal), "results", "--for", "live", "--format", "json")
    told = sorted(
        [
            (
                one["session"],
                one["table"],
                one["deal"],
                one["entry"],
                one["status"],
                [one[f"player_{seat}"] for seat in range(4)],
                [one[f"points_{seat}"] for seat in range(4)],
            )
            for one in rows
            if one["status"] != "annulled"
        ]
    )
    read = [
        (session, table, number, deal.entry, deal.status, [known.names[one] for one in deal.players], list(deal.points))
        for session, table, number, deal in known.results()
        if deal.status != "annulled"
    ]
    same("the paper of results", told, sorted(read))
    taken = sorted(one["entry"] for one in rows if one["status"] == "annulled")
    annulled = [one.entry for session in known.sessions.values() for table in session.tables for one in table.past]
    same("the annulled deals", taken, sorted(annulled))


def check_standings(hall: Hall, known: Reading) -> None:
    """Everybody who plays has a line, with the points of every session that was played; nobody else has one."""
    rows = {
        one["player"]: one for one in _rows(hall, "event", "standings", str(hall.journal), "--for", "live", "--json")
    }
    shown = [number for number, one in known.sessions.items() if one.state in SHOWN_LIVE]
    sat = {
        player
        for number in shown
        for player in (
            *known.sessions[number].byes,
            *(one for table in known.sessions[number].tables for deal in table.deals.values() for one in deal.players),
        )
    }
    same("who is in the standings", set(rows), {one for one in known.names if one not in known.withdrawn or one in sat})
    for number in shown:
        session = known.sessions[number]
        given: dict[int, int] = {
            **known.points_of(number),
            **dict.fromkeys(session.byes, int(known.format["bye_points"])),
        }
        for player, row in rows.items():
            wanted = known.after_fines(number, player, given[player]) if player in given else 0
            same(f"points of player {player} in session {number}", row[f"session_{number}"], wanted)
    if not any(number > known.format["sessions"] for number in shown):
        for player, row in rows.items():
            of_event = [one for one in known.fines.values() if (one.player, one.session) == (player, None)]
            fine = sum(
                int(one.amount) for one in of_event if one.name in ("points", "heavy_points") and not one.withdrawn
            )
            same(f"all points of player {player}", row["points"], sum(row[f"session_{one}"] for one in shown) - fine)


def check_findings(hall: Hall, known: Reading) -> None:
    """`event check` finds the deals whose points came from nowhere, and no contradiction."""
    found = json.loads(hall.run("event", "check", str(hall.journal), "--json").text)["findings"]
    odd = [
        deal.entry for number in known.sessions for *_, deal in _live(known, number) if sum(deal.points) + deal.fines
    ]
    told = [int(match[1]) for one in found if (match := re.search(r"came from nowhere, entry (\d+)", one))]
    same("deals whose points came from nowhere", sorted(told), sorted(odd))
    if rest := [one for one in found if "came from nowhere" not in one]:
        raise Broken(f"`event check` finds {rest}")


def check_papers(hall: Hall, known: Reading) -> None:
    """Penalties and appeals are those of the journal."""
    rows = _rows(hall, "event", "penalty", "list", str(hall.journal), "--json")
    told = [(one["penalty"], one["player"], one["session"], one["kind"], bool(one["withdrawn"])) for one in rows]
    same("penalties", told,
         [(entry, one.player, one.session, one.name, one.withdrawn) for entry, one in known.fines.items()])  # fmt: skip
    appeals = hall.get("/appeals")
    same("appeals", [(one["appeal"], one["player"], one["decision"] != "open") for one in appeals],
         [(entry, one["player"], one["decided"]) for entry, one in known.appeals.items()])  # fmt: skip
    players = _rows(hall, "event", "players", "list", str(hall.journal), "--json")
    same("the list of players", {one["number"]: one["name"] for one in players}, known.names)
    same("who has withdrawn", {one["number"] for one in players if one["withdrawn"]}, known.withdrawn)


def check_restart(hall: Hall) -> None:
    """A console that starts now tells of the event what the one tells that has followed it."""
    hall.follow()
    paths = ("", "/players", "/draws/main", "/boards", "/appeals", "/standings")
    before = [hall.get(path) for path in paths]
    hall.open_console()
    same("the event after a restart", [hall.get(path) for path in paths], before)


def check_whole(hall: Hall, known: Reading) -> None:
    """The journal is whole, and seats follow from the lots."""
    answer = hall.run("log", "verify", str(hall.journal))
    if answer.code:
        raise Broken(f"`log verify` says {answer.text}")
    for stage, draw in known.draws.items():
        if draw["drawn"]:
            answer = hall.run("event", "draw", "verify", str(hall.journal), "--stage", stage)
            if answer.code:
                raise Broken(f"`event draw verify` says {answer.text}")


def check_copies(hall: Hall, known: Reading) -> None:
    """A backup brings back the same journal; an extract proves the results, once there are any."""
    backup, copy, extract = (hall.journal.with_suffix(one) for one in (".backup", ".copy", ".extract"))
    for words in (("backup", str(hall.journal), str(backup)), ("restore", str(copy), str(backup))):
        answer = hall.run("event", *words)
        if answer.code:
            raise Broken(f"{words} says {answer.text}")
    same("the export of what was restored", hall.run("log", "export", str(copy)).text, hall.export())
    answer = hall.run("event", "extract", str(hall.journal), str(extract))
    states = {one.state for one in known.sessions.values()} - {"planned"}
    if answer.code and states and states <= {"under_appeal", "final"}:
        raise Broken(f"`event extract` says {answer.text}")


def look_around(hall: Hall, path: str, role: str) -> None:
    """Somebody looks at a page."""
    hall.done.append(f"{role}: GET {path}")
    hall.page(path, role)


def everything(hall: Hall, known: Reading) -> None:
    """The whole export once more, and all checks of papers but those of the pages that are printed."""
    if new := known.read(hall.export()):
        raise Broken(f"the export has entries that nobody has written: {new}")
    check_view(hall, known)
    check_seats(hall, known)
    check_results(hall, known)
    check_standings(hall, known)
    check_findings(hall, known)
    check_papers(hall, known)


def _live(known: Reading, number: int) -> list[tuple[int, int, int, Deal]]:
    return [one for one in known.results() if one[0] == number and one[3].status == "live"]


def _rows(hall: Hall, *words: str) -> list[dict[str, Any]]:
    answer = hall.run(*words)
    if answer.code:
        raise Broken(f"{' '.join(words)} ended with {answer.code}: {answer.text}")
    return [json.loads(line) for line in answer.text.splitlines()]
