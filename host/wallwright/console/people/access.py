"""Who may do what: one row an endpoint. An endpoint that has no row here answers nobody."""

from ...event.disclosure import EVERYBODY, STAFF
from ...event.running import STEPS
from ..problems import NotAllowed, NotSignedIn

PUBLIC = "public"
"""Who is not signed in."""

_DIRECTOR = frozenset({"director"})
_JUDGES = frozenset({"director", "referee"})
_RESULTS = _JUDGES | {"scorer"}
_DESK = frozenset({"director", "referee", "operator"})
_STAFF = _DESK | {"scorer"}
_HOUSE = _STAFF | {"screen"}
_ANYBODY = _HOUSE | {PUBLIC}

RULES: dict[tuple[str, str], frozenset[str]] = {
    ("GET", "/"): _HOUSE,
    ("GET", "/tables/{table}"): _HOUSE,
    ("GET", "/tables/{table}/confirm/{command}"): _STAFF,
    ("GET", "/confirm/stop-all"): _STAFF,
    ("GET", "/live/hall"): _HOUSE,
    ("GET", "/live/tables/{table}"): _HOUSE,
    ("GET", "/tables/{table}/deals"): _HOUSE,
    ("GET", "/tables/{table}/shuffling"): _HOUSE,
    ("GET", "/replays/{entry}"): _ANYBODY,
    ("GET", "/sign-in"): _ANYBODY,
    ("GET", "/first/{token}"): _ANYBODY,
    ("GET", "/static/{name}"): _ANYBODY,
    ("GET", "/metrics"): _ANYBODY,
    ("GET", "/api/v1/openapi.json"): _ANYBODY,
    ("POST", "/api/v1/first"): _ANYBODY,
    ("POST", "/api/v1/session"): _ANYBODY,
    ("GET", "/api/v1/session"): _ANYBODY,
    ("DELETE", "/api/v1/session"): _ANYBODY,
    ("GET", "/accounts"): _DIRECTOR,
    ("POST", "/api/v1/accounts"): _DIRECTOR,
    **{("POST", f"/api/v1/accounts/{act}"): _DIRECTOR for act in ("role", "hand-over", "remove", "code")},
    ("GET", "/account"): _HOUSE,
    ("POST", "/api/v1/account/code"): _HOUSE,
    ("POST", "/api/v1/account/password"): _HOUSE,
    ("GET", "/welcome/{token}"): _ANYBODY,
    ("GET", "/welcome/{token}/qr.svg"): _DIRECTOR,
    ("POST", "/api/v1/welcome"): _ANYBODY,
    ("GET", "/api/v1/hall"): _HOUSE,
    ("POST", "/api/v1/hall/stop"): _STAFF,
    ("GET", "/api/v1/tables/{table}"): _HOUSE,
    ("GET", "/api/v1/tables/{table}/events"): _STAFF,
    ("POST", "/api/v1/tables/{table}/commands/stop"): _STAFF,
    ("POST", "/api/v1/tables/{table}/commands/clear_fault"): _DESK,
    ("POST", "/api/v1/tables/{table}/commands/start_build"): _DESK,
    ("POST", "/api/v1/tables/{table}/commands/hurry"): _DESK,
    ("POST", "/api/v1/tables/{table}/commands/open_lid"): _DESK,
    ("POST", "/api/v1/tables/{table}/commands/raise_walls"): _DESK,
    ("POST", "/api/v1/tables/{table}/commands/lower_lifts"): _DESK,
    ("POST", "/api/v1/tables/{table}/next-dealer"): _STAFF,
    ("GET", "/api/v1/tables/{table}/sorter"): _DIRECTOR,
    ("POST", "/api/v1/tables/{table}/prescription"): _DIRECTOR,
    ("POST", "/api/v1/tables/{table}/in-the-way"): _DIRECTOR,
    ("POST", "/api/v1/tables/{table}/withdrawal"): _DIRECTOR,
    ("GET", "/calls"): _STAFF,
    ("GET", "/live/calls"): _STAFF,
    ("GET", "/live/alarm"): _JUDGES,
    ("POST", "/api/v1/calls/{call}/take"): _JUDGES,
    ("POST", "/api/v1/calls/{call}/end"): _JUDGES,
    ("POST", "/api/v1/deals/{entry}/answer"): _JUDGES,
    ("POST", "/api/v1/deals/{entry}/settle"): _JUDGES,
    ("GET", "/api/v1/stream"): _HOUSE,
    ("GET", "/event"): _STAFF,
    ("GET", "/live/event"): _STAFF,
    ("GET", "/screen"): _ANYBODY,
    ("GET", "/live/screen"): _ANYBODY,
    ("GET", "/players"): _ANYBODY,
    ("GET", "/players/badges"): _DIRECTOR,
    ("GET", "/players/pins"): _DIRECTOR,
    ("GET", "/players/{player}/sign"): _ANYBODY,
    ("POST", "/api/v1/event/players/{player}/table"): _ANYBODY,
    ("POST", "/api/v1/event/players/{player}/sign"): _ANYBODY,
    ("POST", "/api/v1/event/players/end-pin"): _DIRECTOR,
    ("POST", "/api/v1/event/players/code"): _JUDGES,
    ("GET", "/players/{player}"): _ANYBODY,
    ("GET", "/live/players/{player}"): _ANYBODY,
    ("GET", "/players/{player}/qr.svg"): _ANYBODY,
    ("GET", "/api/v1/checkpoint"): _ANYBODY,
    ("GET", "/api/v1/checkpoint/consistency"): _ANYBODY,
    ("GET", "/api/v1/checkpoint/inclusion/{entry}"): _ANYBODY,
    ("GET", "/api/v1/checkpoint/results/{session}/{player}"): _ANYBODY,
    ("GET", "/api/v1/event"): _STAFF,
    ("GET", "/event/undo"): _DIRECTOR,
    ("POST", "/api/v1/event/undo"): _DIRECTOR,
    ("GET", "/api/v1/event/standings"): _ANYBODY,
    **{("POST", f"/api/v1/event/sessions/{{session}}/{step}"): _DIRECTOR for step in STEPS},
    ("POST", "/api/v1/event/sessions/{session}/tables/{table}/confirm"): _RESULTS,
    ("GET", "/event/sessions/{session}"): _STAFF,
    ("GET", "/event/sessions/{session}/tables/{table}"): _STAFF,
    ("GET", "/event/sessions/{session}/together/{act}"): _RESULTS,
    ("POST", "/api/v1/event/sessions/{session}/confirm-all"): _RESULTS,
    ("POST", "/api/v1/event/sessions/{session}/sign-all"): _RESULTS,
    ("GET", "/event/appeals"): _STAFF,
    ("GET", "/event/standings"): _ANYBODY,
    ("GET", "/event/standings/{player}"): _ANYBODY,
    ("GET", "/event/travellers"): _ANYBODY,
    ("GET", "/event/deals"): _STAFF,
    ("GET", "/live/event/deals"): _STAFF,
    ("GET", "/api/v1/event/deals"): _STAFF,
    ("POST", "/api/v1/event/deals/commitment"): _DIRECTOR,
    ("POST", "/api/v1/event/deals/replace"): _DIRECTOR,
    ("POST", "/api/v1/event/deals/reveal"): _DIRECTOR,
    ("GET", "/event/papers"): _STAFF,
    ("GET", "/event/report"): _ANYBODY,
    ("GET", "/event/sessions/{session}/score-sheets"): _STAFF,
    ("GET", "/event/sessions/{session}/slips"): _STAFF,
    ("GET", "/event/papers/{paper}"): _ANYBODY,
    ("GET", "/event/backup"): _DIRECTOR,
    ("GET", "/event/sessions/{session}/tables/{table}/declare"): _RESULTS,
    ("GET", "/event/sessions/{session}/tables/{table}/deals/{deal}"): _ANYBODY,
    ("POST", "/api/v1/event/penalties"): _JUDGES,
    ("POST", "/api/v1/event/penalties/{penalty}/withdraw"): _JUDGES,
    ("POST", "/api/v1/event/sessions/{session}/tables/{table}/preview"): _RESULTS,
    ("POST", "/api/v1/event/sessions/{session}/tables/{table}/results"): _RESULTS,
    ("POST", "/api/v1/event/sessions/{session}/tables/{table}/void"): _JUDGES,
    ("POST", "/api/v1/event/sessions/{session}/tables/{table}/sign-off"): _RESULTS,
    ("GET", "/setup"): _STAFF,
    ("GET", "/draws"): _ANYBODY,
    ("GET", "/draws/{stage}"): _ANYBODY,
    ("GET", "/live/draws/{stage}"): _ANYBODY,
    ("GET", "/seats/{session}"): _ANYBODY,
    ("GET", "/api/v1/event/players"): _STAFF,
    ("POST", "/api/v1/event/players"): _DIRECTOR,
    ("POST", "/api/v1/event/players/preview"): _DIRECTOR,
    **{("POST", f"/api/v1/event/players/{act}"): _DIRECTOR for act in ("add", "rename", "withdraw", "return")},
    ("GET", "/api/v1/event/draws/{stage}"): _ANYBODY,
    ("GET", "/api/v1/event/draws/{stage}/transcript"): _ANYBODY,
    ("POST", "/api/v1/event/draws/{stage}/commit"): _DIRECTOR,
    ("POST", "/api/v1/event/draws/{stage}/parts"): _DIRECTOR,
    ("POST", "/api/v1/event/draws/{stage}/reveal"): _DIRECTOR,
    ("POST", "/api/v1/event/draws/{stage}/withdraw"): _DIRECTOR,
    ("GET", "/api/v1/event/sessions/{session}/seats"): _ANYBODY,
    ("GET", "/api/v1/event/boards"): _STAFF,
    ("POST", "/api/v1/event/boards"): _DIRECTOR,
    ("POST", "/api/v1/event/boards/{table}"): _DIRECTOR,
    ("POST", "/api/v1/event/sessions/{session}/add-time"): _DIRECTOR,
    **{
        ("POST", f"/api/v1/event/sessions/{{session}}/tables/{{table}}/{act}"): _JUDGES
        for act in ("pause", "end_pause", "add-time", "take-back", "rule", "annul", "approve", "swap-seats")
    },
    ("POST", "/api/v1/event/sessions/{session}/tables/{table}/substitute"): _DIRECTOR,
    ("GET", "/api/v1/event/appeals"): _STAFF,
    ("POST", "/api/v1/event/appeals"): _JUDGES,
    ("POST", "/api/v1/event/appeals/{appeal}/decide"): _DIRECTOR,
}
"""By method and path. A stop is for everybody who works in the hall, what moves a table for who answers for it."""


def check(role: str, method: str, path: str) -> None:
    """Raise NotSignedIn or NotAllowed unless `role` may use an endpoint, by its method and its path's template."""
    allowed = RULES.get((method, path), frozenset())
    if role in allowed:
        return
    if role == PUBLIC:
        raise NotSignedIn
    raise NotAllowed(role)


def may(role: str, command: str) -> bool:
    """Say whether `role` may give a command to a table."""
    return may_use(role, "POST", f"/api/v1/tables/{{table}}/commands/{command}")


def audience_of(role: str) -> str:
    """Return whose eyes a role has for what is of an event (`wallwright.event.disclosure`): a screen is for all."""
    return STAFF if may_use(role, "GET", "/event") else EVERYBODY


def may_use(role: str, method: str, path: str) -> bool:
    """Say whether `role` may use an endpoint."""
    return role in RULES.get((method, path), frozenset())
