"""A clock for weeks: at rest, every day and a half, it is turned back, with every time that the firmware keeps.

The small integers of a board's Python end at 2^30. In ms that is after 12.4 days; what is reckoned with larger ones is
garbage, with every poll and every turn of the loop, and is collected when nobody has asked for it: with a head in its
stroke. So all times that an app keeps stand here, in flash, by what they belong to; a test finds one that does not. A
time before the clock's zero stays as it is: long ago. What the wire tells of time goes on (`EventRing.told_ms`).

A name in a table is a time, a list of some, or `turn_back`, a method that does what is of another kind; a name with a
table of its own is what keeps those of that table, or a list of such. What is not there, or None, has none.
"""

from wallwright_protocol.constants import const
from wallwright_protocol.link import NEVER

TURN_BITS = const(27)
TURN_MS = const(1 << 27)
"""37 hours. A sorter keeps four times a time, and that too stays small."""
TURNS = const(32)
"""As many make the 2^32 ms of the wire."""

_DUE = const(("due",))
_HEAD = const(("due", "began_ms", "pushed_ms"))
_BELT = const(("due", "since_ms"))
_LANE = const(("due", "_dark_ms", "_stuck_at", "_fed_until", "_turned_until", ("belt", _BELT), ("head", _HEAD)))
_DRUM = const(("_rests_until", "_on_ms", ("rotors", _DUE)))
_BUILD = const(("due", "_limit", "_starved_at", "_check_until", "_started_ms", ("lanes", _LANE), ("drum", _DRUM)))
_TRAVEL = const(("due", "_believed_from", "_gives_up_at"))
_SERVICE = const(("_started_ms",))
_CYCLE = const(("due", "now_ms", ("lid", _TRAVEL), ("lifts", _TRAVEL), ("wash", _DUE), ("service", _SERVICE)))
_ENTROPY = const(("due", "_round_due", "_limit"))
_WALLS = const(("due", "_seen_ms", "_second_ms", "_pushed_ms", ("_entropy", _ENTROPY)))
_GATE = const(("due", "read_ms", "_set_ms", "_since_ms", "_ready_ms"))
_SLOTS = const(("_due", "_read_ms"))
_EDDY = const(("due", "_since_ms"))
_MOUTHS = const((("mouths", _GATE), ("_slots", _SLOTS), ("slots", _SLOTS), ("_eddies", _EDDY), ("_places", _DUE)))
_SORTER = const(("due", "_prolong_at", "_look_at", "_check_at", "_taken_ms", "_flush_until", "_fell_ms", "turn_back"))
_WATCH = const(
    (
        "_seen_ms",
        "_supplied_ms",
        "_looked_ms",
        "_stray_ms",
        "_missing_ms",
        "_cut_at",
        "_forget_at",
        "_hour_at",
        "_last_ms",
        "_lid_at",
    )
)
OF_APP = (
    "due",
    "_taken_ms",
    ("inputs", ("due", "taken_ms", "_since")),
    ("outputs", ("due", ("_starts", ("next_ms", "_surge_ms", "_ended_ms", "_until_ms")))),
    ("build", _BUILD),
    ("cycle", _CYCLE),
    ("panel", ("due", "fault_ms")),
    ("keys", _DUE),
    ("dice", ("due", ("_entropy", _ENTROPY))),
    ("loader", ("due", "_until_ms")),
    ("walls", _WALLS),
    ("watch", _WATCH),
    ("readers", ("due", "turn_back")),
    ("responder", ("due", "_heard_ms", "_resend_ms")),
    ("talk", _DUE),
    ("events", ("turn_back",)),
    ("rewiring", ("due", "_started_ms")),
    ("setup", _DUE),
    ("self_tests", ("due", "turn_back")),
    ("sorting", ("due", ("sorter", _SORTER), ("sorter", _MOUTHS))),
)
OF_LINE = ("_slot_ms", "_end_ms", "_stray_ms", "_second_ms", ("_nodes", ("heard_ms", "call_ms")))

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def turn_times(owner: "Any", table: "tuple[Any, ...]") -> None:
    """Turn back every time of a table that `owner` keeps."""
    if isinstance(owner, list):
        for one in owner:
            turn_times(one, table)
        return
    for name in table:
        if isinstance(name, tuple):
            part = getattr(owner, name[0], None)
            if part is not None:
                turn_times(part, name[1])
            continue
        value = getattr(owner, name, None)
        if isinstance(value, int):
            if value >= 0 and value is not NEVER:
                setattr(owner, name, value - TURN_MS)
        elif isinstance(value, list):
            _turn_list(value)
        elif value is not None:
            value(TURN_MS)


def _turn_list(times: "list[Any]") -> None:
    for at in range(len(times)):
        time_ms = times[at]
        if isinstance(time_ms, list):
            _turn_list(time_ms)
        elif time_ms >= 0 and time_ms is not NEVER:
            times[at] = time_ms - TURN_MS
