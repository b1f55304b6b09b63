"""What is asked of the console: for every endpoint that changes an event, its path and body with arguments.

Who asks has seen a table or a list at some version, mostly the present one.
"""

from collections.abc import Callable
from typing import Any

from tests.campaign.desk.args import Args
from tests.campaign.desk.hall import EVENT_API, Hall
from wallwright.console.people.access import RULES

Body = dict[str, Any]
Request = tuple[str, Body]
AT_TABLE = "/sessions/{session}/tables/{table}"


class Seen:
    """Versions of tables and lists, those of before among them."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._before: dict[str, list[int]] = {}

    def version(self, args: Args, what: str, now: int) -> int:
        """Return the version of something, or an old one."""
        before = self._before.setdefault(what, [])
        if now not in before:
            before.append(now)
        return args.chance.pick([now, *before]) if args.wrong(12) else now

    def of_table(self, args: Args, session: int, table: int) -> int:
        """Return the version of a table in a session; 0 where there is none."""
        now = [one.version for one in self._hall.sheets(session) if one.table == table]
        return self.version(args, f"{session} {table}", now[0] if now else 0)

    def tables(self, args: Args, session: int) -> Body:
        """Return all tables of a session with their versions."""
        tables = [one.table for one in self._hall.sheets(session)]
        return {"tables": tables, "versions": [self.of_table(args, session, one) for one in tables]}

    def of_players(self, args: Args) -> int:
        """Return the version of the list of players."""
        return self.version(args, "players", self._hall.get("/players")["version"])

    def of_board(self, args: Args, table: int) -> int:
        """Return the version of what stands at a table."""
        found = [one["version"] for one in self._hall.get("/boards") if one["table"] == table]
        return self.version(args, f"board {table}", found[0] if found else 0)


Asked = Callable[[Args, Seen, Hall], Request]


def all_endpoints() -> set[tuple[str, str]]:
    """Return method and path of every endpoint of an event that is more than a question."""
    return {(method, path) for method, path in RULES if method != "GET" and path.startswith(EVENT_API)}


def _step(step: str, *states: str) -> Asked:
    return lambda args, *_: (f"/sessions/{args.session(*states)}/{step}", {"reason": args.reason()})


def _at(
    act: str, *states: str, signed: bool | None = False, body: Callable[[Args, int, int], Body] = lambda *_: {}
) -> Asked:
    """An act at a table that was seen."""

    def ask(args: Args, seen: Seen, _: Hall) -> Request:
        session = args.session(*states)
        table = args.table(session, signed=signed)
        given = {"version": seen.of_table(args, session, table), **body(args, session, table)}
        return f"/sessions/{session}/tables/{table}/{act}", given

    return ask


def _of_deal(act: str, body: Callable[[Args, int, int, int], Body]) -> Asked:
    """An act about a result that there is."""

    def ask(args: Args, seen: Seen, _: Hall) -> Request:
        session, table, deal = args.played()
        given = {"version": seen.of_table(args, session, table), **body(args, session, table, deal)}
        return f"/sessions/{session}/tables/{table}/{act}", given

    return ask


def _with_players(path: str, body: Callable[[Args], Body]) -> Asked:
    return lambda args, seen, _: (path.format(stage=args.stage()), {"version": seen.of_players(args), **body(args)})


def _why(args: Args, *_: int) -> Body:
    return {"reason": args.reason()}


def _rule(args: Args, *deal: int) -> Body:
    fines = [4, 0, 0, 0] if args.wrong(10) else [0, 0, 0, 0]
    body: Body = {"points": list(args.points()), "fines": fines, "reason": args.reason()}
    return body | ({"corrects": deal[-1]} if len(deal) == 3 else {})


def _rule_or_correct(args: Args, seen: Seen, hall: Hall) -> Request:
    if args.chance.happens(40):
        return _of_deal("rule", _rule)(args, seen, hall)
    return _at("rule", "running", "awaiting_sign_off", body=_rule)(args, seen, hall)


def _declare(args: Args, seen: Seen, hall: Hall) -> Request:
    def body(args: Args, *deal: int) -> Body:
        given: Body = {"record": args.record(), "reason": args.reason()}
        return given | ({"corrects": deal[-1]} if len(deal) == 3 else {})

    if args.chance.happens(30):
        return _of_deal("results", body)(args, seen, hall)
    return _at("results", "running", "awaiting_sign_off", body=body)(args, seen, hall)


def _penalty(args: Args, *_: Any) -> Request:
    session = args.session() if args.chance.happens(60) else None
    name, amount = args.kind_of_penalty()
    body = {"player": args.player(), "name": name, "reason": args.reason(), "session": session, "amount": amount}
    return "/penalties", body


def _appeal(args: Args, *_: Any) -> Request:
    session = args.session("provisional", "under_appeal")
    body: Body = {"session": session, "player": args.seated(session), "text": args.text()}
    body |= {"table": args.table(session)} if args.chance.happens(60) else {}
    return "/appeals", body | ({"deal": args.chance.pick((1, 2, 9))} if args.chance.happens(40) else {})


def _sign(args: Args, seen: Seen, hall: Hall) -> Request:
    session = args.session("running", "awaiting_sign_off")
    player = args.seated(session)
    found = args.found(session)
    tables = [number for number, one in enumerate(found.tables if found else (), 1) if player in one.seats]
    version = seen.of_table(args, session, tables[0]) if tables else 0
    pin = "000000" if args.wrong() or player not in args.known.names else hall.pin(player)
    return f"/players/{player}/sign", {"pin": pin, "version": version}


def _bind(args: Args, seen: Seen, _: Hall) -> Request:
    table = args.any_table()
    return f"/boards/{table}", {"unit": args.unit(), "reason": args.reason(), "version": seen.of_board(args, table)}


def _one_player(act: str, *, gone: bool = False) -> Asked:
    def ask(args: Args, *_: Any) -> Request:
        return f"/players/{act}", {"player": args.named(args.player(gone=gone)), "reason": args.reason()}

    return ask


def _list(args: Args) -> Body:
    count = args.chance.pick((8, 9, 10, 3))
    return {"text": "name\n" + "".join(f"P{number}\n" for number in range(1, count + 1)), "source": "players.csv"}


def _decide(args: Args, *_: Any) -> Request:
    return f"/appeals/{args.appeal()}/decide", {"upheld": args.chance.pick((True, False)), "ruling": args.text()}


def _add_time(args: Args, *_: Any) -> Request:
    return f"/sessions/{args.session('running')}/add-time", {"minutes": args.minutes(), "reason": args.reason()}


def _void(args: Args, _session: int, _table: int, deal: int) -> Body:
    return {"deal": deal, "reason": args.reason()}


def _approved(args: Args, _session: int, _table: int, deal: int) -> Body:
    return {"deals": [deal] if args.chance.happens(50) else []}


def _substitute(args: Args, session: int, table: int) -> Body:
    sheet = args.sheet(session, table)
    out = args.chance.pick(sheet.seats) if sheet and not args.wrong() else args.seated(session)
    return {"out": out, "into": args.free(session), "reason": args.reason()}


def _swap(args: Args, session: int, table: int) -> Body:
    sheet = args.sheet(session, table)
    first, last = args.deals(session)
    body: Body = {"from_deal": first, "to_deal": last, "reason": args.reason()}
    if args.chance.happens(30):
        return body | {"other_table": args.table(session)}
    player = args.chance.pick(sheet.seats) if sheet and not args.wrong() else args.seated(session)
    return body | {"player": player, "other": args.named(args.seated(session))}


def _undo(args: Args, *_: Any) -> Request:
    last = args.known.last_act()
    return "/undo", {"entry": 3 if args.wrong() or not last else last[0], "reason": args.reason()}


def _minutes(args: Args, *_: int) -> Body:
    return {"minutes": args.minutes(), "reason": args.reason()}


def _drawing(act: str, body: Callable[[Args], Body]) -> Asked:
    """The second step of a draw, by who has seen its commitment."""

    def ask(args: Args, *_: Any) -> Request:
        stage = args.stage()
        return f"/draws/{stage}/{act}", {"commitment": args.commitment(stage), **body(args)}

    return ask


CHANGES: dict[tuple[str, str], Asked] = {
    ("POST", f"{EVENT_API}{path}"): asked
    for path, asked in {
        "/sessions/{session}/open": _step("open", "planned"),
        "/sessions/{session}/put_back": _step("put_back", "open"),
        "/sessions/{session}/start": _step("start", "open"),
        "/sessions/{session}/stop": _step("stop", "running"),
        "/sessions/{session}/resume": _step("resume", "awaiting_sign_off"),
        "/sessions/{session}/publish": _step("publish", "provisional"),
        "/sessions/{session}/finalise": _step("finalise", "under_appeal"),
        "/sessions/{session}/pause": _step("pause", "running"),
        "/sessions/{session}/end_pause": _step("end_pause", "running"),
        "/sessions/{session}/add-time": _add_time,
        "/sessions/{session}/confirm-all": lambda args, seen, _: _together("confirm-all", args, seen),
        "/sessions/{session}/sign-all": lambda args, seen, _: _together("sign-all", args, seen),
        f"{AT_TABLE}/confirm": _at("confirm", "running", "awaiting_sign_off"),
        f"{AT_TABLE}/results": _declare,
        f"{AT_TABLE}/rule": _rule_or_correct,
        f"{AT_TABLE}/void": _of_deal("void", _void),
        f"{AT_TABLE}/annul": _at("annul", "running", "awaiting_sign_off", body=_why),
        f"{AT_TABLE}/approve": _of_deal("approve", _approved),
        f"{AT_TABLE}/sign-off": _at("sign-off", "awaiting_sign_off", "running"),
        f"{AT_TABLE}/take-back": _at(
            "take-back", "awaiting_sign_off", "provisional", "under_appeal", signed=True, body=_why
        ),
        f"{AT_TABLE}/substitute": _at("substitute", "running", "planned", "open", body=_substitute),
        f"{AT_TABLE}/swap-seats": _at(
            "swap-seats", "running", "awaiting_sign_off", "provisional", "under_appeal", signed=None, body=_swap
        ),
        "/undo": _undo,
        f"{AT_TABLE}/pause": _at("pause", "running", body=_why),
        f"{AT_TABLE}/end_pause": _at("end_pause", "running", body=_why),
        f"{AT_TABLE}/add-time": _at("add-time", "running", body=_minutes),
        "/penalties": _penalty,
        "/penalties/{penalty}/withdraw": lambda args, *_: (
            f"/penalties/{args.penalty()}/withdraw",
            {"reason": args.reason()},
        ),
        "/appeals": _appeal,
        "/appeals/{appeal}/decide": _decide,
        "/players": _with_players("/players", _list),
        "/players/add": lambda args, *_: ("/players/add", {"name": args.new_name(), "reason": args.reason()}),
        "/players/rename": lambda args, *_: (
            "/players/rename",
            {"player": args.named(args.player()), "name": args.new_name(), "reason": args.reason()},
        ),
        "/players/withdraw": _one_player("withdraw"),
        "/players/return": _one_player("return", gone=True),
        "/players/{player}/sign": _sign,
        "/draws/{stage}/commit": _with_players(
            "/draws/{stage}/commit", lambda args: {"fill": args.fill(), "reason": args.reason()}
        ),
        "/draws/{stage}/parts": lambda args, *_: (
            f"/draws/{args.stage()}/parts",
            {"of": args.new_name(), "text": args.text(), "commitment": args.commitment("main")},
        ),
        "/draws/{stage}/reveal": _drawing("reveal", lambda _: {}),
        "/draws/{stage}/withdraw": _drawing("withdraw", _why),
        "/boards": lambda *_: ("/boards", {}),
        "/boards/{table}": _bind,
        "/deals/commitment": lambda args, *_: (
            "/deals/commitment",
            {"announcement": (args.folder / "announced.json").read_text(encoding="utf-8")},
        ),
        "/deals/replace": lambda args, *_: (
            "/deals/replace",
            {
                "session": args.session("running", "awaiting_sign_off"),
                "deal": args.chance.pick((1, 2, 9)),
                "reason": args.reason(),
            },
        ),
        "/deals/reveal": lambda args, *_: (
            "/deals/reveal",
            {"deals": (args.folder / "deals.json").read_text(encoding="utf-8")},
        ),
    }.items()
}
"""By method and path: what is asked there."""
QUESTIONS = {
    ("POST", f"{EVENT_API}{path}")
    for path in (
        "/players/preview",
        f"{AT_TABLE}/preview",
        "/players/{player}/table",
        "/players/end-pin",
        "/players/code",
    )
}
"""Endpoints that change no event, though they are posted to."""


def _together(act: str, args: Args, seen: Seen) -> Request:
    session = args.session("awaiting_sign_off", "running")
    return f"/sessions/{session}/{act}", seen.tables(args, session)
