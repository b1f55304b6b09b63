"""The format of an event as data: sessions, limits, what counts, how ties are broken. Nothing here plays or ranks.

format_file.py reads one from a TOML file; the files in `formats/` say beside each field what it means.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from ..errors import EventRefused
from ..naming import WINDS
from ..rules.core.game_rules import GameRules
from ..rules.found import as_game
from ..rules.recorded import read_rules, written_rules
from ..rules.sichuan.ruleset import Ruleset
from ..words import words
from .limits import MINUTE_MS

POINTS, TABLE_POINTS, WINS, MATCH_POINTS = RANKINGS = ("points", "table_points", "wins", "match_points")
OWN_DEALS, SAME_DEALS, PAIRS, TEAMS = DUPLICATES = ("none", "players", "pairs", "teams")
"""Whether all tables play the same deals, and who is compared by them: each player, pairs or teams (SBR-11.9)."""
HOWELL, MITCHELL = PAIR_MOVEMENTS = ("howell", "mitchell")
"""Everybody against everybody, or one half against the other."""
STAY, WINNERS = MOVEMENTS = ("stay", "winners")
"""Who goes to another table between two deals: nobody, or who has won (CUM-8.2)."""
REPLAY, VOID, KEEP = "replay", "void", "keep"
FOR_EVERYBODY, FOR_STAFF, IN_HALL = "everybody", "staff", "hall"
NO_LATE, LATE_PLACES, LATE_TABLES = "none", "places", "tables"
COUNT, APPROVE = "count", "approve"
NO_SIGNING, BY_PIN = "none", "pin"
CALL_ESCALATES = 3
"""Minutes after which a call that nobody has taken is shown more strongly, where no event says otherwise."""
TIE_BREAKS = (POINTS, TABLE_POINTS, WINS, "session_wins", "best_session", "best_deal", "penalties", "lot")
"""More points, table points or deals won, sessions won, the best session or deal, fewer penalties, the lower lot."""
BY_TABLE = (TABLE_POINTS, "session_wins")
"""What players get for their place at a table at the end of a session; there is none where winners move on."""


@dataclass(frozen=True, slots=True)
class EventFormat:
    """One way to run an event. Times in minutes; `bye_table_points` is a fraction; the files say what fields mean."""

    name: str
    ruleset: Ruleset | GameRules
    sessions: int
    sessions_a_day: int
    deals: int
    minutes: int
    warnings: tuple[int, ...]
    rank_by: str
    table_points: tuple[int, ...]
    best_of: tuple[int, ...]
    tie_break: tuple[str, ...]
    final_players: int
    final_sessions: int
    final_carry: bool
    appeal_minutes: int
    machine_fault: str
    bye_points: int
    bye_table_points: Fraction
    penalties: tuple[str, ...]
    # Journals of older releases have no such fields.
    seats: str = WINDS
    penalty_reasons: str = FOR_EVERYBODY
    late_entry: str = LATE_TABLES
    agreed_values: str = COUNT
    player_signing: str = NO_SIGNING
    call_escalates_minutes: int = CALL_ESCALATES
    movement: str = STAY
    duplicate: str = OWN_DEALS
    pair_movement: str = HOWELL
    names: str = FOR_EVERYBODY

    @property
    def sichuan(self) -> Ruleset:
        """The rules of Sichuan. EventRefused in an event of another game, whose deals people enter as results."""
        if isinstance(self.ruleset, GameRules):
            problem = "this event is played by {ruleset}; enter its deals with `wallwright event result --declared`"
            raise EventRefused(words(problem, ruleset=self.ruleset.said_name))
        return self.ruleset

    @property
    def by_partners(self) -> bool:
        """Whether pairs or teams are compared."""
        return self.duplicate in (PAIRS, TEAMS)

    @property
    def game(self) -> GameRules:
        """The rules as every game is asked by them."""
        return as_game(self.ruleset)

    @property
    def limit_ms(self) -> int:
        """The time of a session in ms."""
        return self.minutes * MINUTE_MS

    def day_of(self, session: int) -> int:
        """Return the day, from 1 on, on which a session, from 1 on, is played."""
        return (session - 1) // self.sessions_a_day + 1


def format_record(event_format: EventFormat) -> dict[str, Any]:
    """Return a format as plain values, its ruleset in full, so that a journal says by what rules it was played."""
    record = asdict(event_format) | {"bye_table_points": str(event_format.bye_table_points)}
    if event_format.duplicate == OWN_DEALS:
        # As every release has written it.
        del record["duplicate"], record["pair_movement"]
    if event_format.names == FOR_EVERYBODY:
        del record["names"]
    record["ruleset"] = written_rules(event_format.ruleset)
    return record


def read_format(record: Mapping[str, Any]) -> EventFormat:
    """Return the format that `format_record` wrote."""
    return build(record, read_rules(record["ruleset"]))


def build(table: Mapping[str, Any], ruleset: Ruleset | GameRules) -> EventFormat:
    """Return the format of these values by name: lists may be tuples, a fraction its text."""
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return EventFormat(**values | {"ruleset": ruleset, "bye_table_points": Fraction(values["bye_table_points"])})
