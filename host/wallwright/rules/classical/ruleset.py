"""The two rulesets and what a club may decide otherwise in each; the files in `rulesets/` say what an option means."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wallwright.rules.core.ruleset import Option, Rulebook, read_file, remembered

CUMBERLAND, BALSALL = "cumberland", "balsall"
NO_LIMIT = "none"

CLAIM_MS = range(500, 60_001)


@dataclass(frozen=True, slots=True)
class Cumberland:
    """The options of `cumberland`, each explained in its file."""

    name: str
    reserve: int
    rob_kong: bool
    wind_of_round: str
    flipped: str
    claim_ms: int
    promoted: str
    loser_flowers: bool
    bouquet_own: bool
    suit_doubles: str
    limit: int | str
    settlement: str
    session_hands: int


@dataclass(frozen=True, slots=True)
class Balsall:
    """The options of `balsall`, each explained in its file."""

    name: str
    reserve: int
    rob_kong: bool
    dice: int
    flowers: str
    claim_ms: int
    rows: str
    quads_as_pairs: bool
    nine_gates: str
    min_points: int
    chips_per_point: int
    count_error: str


Rules = Cumberland | Balsall

_BOTH = {
    "reserve": Option("CLA-2.4", (0, 14, 16)),
    "rob_kong": Option("CLA-3.8", (True, False)),
}
CUMBERLAND_BOOK = Rulebook(
    __package__,
    (CUMBERLAND,),
    {
        **_BOTH,
        "wind_of_round": Option("CUM-2.2", ("each_hand", "each_round", "fixed")),
        "flipped": Option("CUM-2.4", ("stay", "shuffle")),
        "claim_ms": Option("CUM-3.1", CLAIM_MS),
        "promoted": Option("CUM-5.3", ("natural", "exposed")),
        "loser_flowers": Option("CUM-5.4", (True, False)),
        "bouquet_own": Option("CUM-5.6", (True, False)),
        "suit_doubles": Option("CUM-5.7", ("all", "winner")),
        "limit": Option("CUM-5.9", (NO_LIMIT, 500, 1000)),
        "settlement": Option("CUM-6.2", ("record", "classical")),
        "session_hands": Option("CUM-8.2", range(101)),
    },
    Cumberland,
)
BALSALL_BOOK = Rulebook(
    __package__,
    (BALSALL,),
    {
        **_BOTH,
        "dice": Option("BAL-2.1", (3, 2)),
        "flowers": Option("BAL-2.3", ("rounds", "at_once")),
        "claim_ms": Option("BAL-3.1", CLAIM_MS),
        "rows": Option("BAL-5.3", ("best", "add")),
        "quads_as_pairs": Option("BAL-6.1", (True, False)),
        "nine_gates": Option("BAL-6.4", ("any", "pure")),
        "min_points": Option("BAL-7.1", (3, 5)),
        "chips_per_point": Option("BAL-7.2", range(1, 1001)),
        "count_error": Option("BAL-10.1", ("mend", "no_win")),
    },
    Balsall,
)


def load_rules(name: str, changes: Mapping[str, object] | None = None) -> Rules:
    """The ruleset `cumberland` or `balsall`, or a TOML file with one of them as its base, with options changed.

    RulesetError names the option and the clause when it cannot be.
    """
    return _load(name, json.dumps(changes or {}))


@remembered
def _load(name: str, changes: str) -> Rules:
    """The changes as text tell true from 1."""
    base = read_file(Path(name)).get("base") if name.endswith(".toml") else name
    if base == BALSALL:
        return BALSALL_BOOK.load(name, json.loads(changes))
    return CUMBERLAND_BOOK.load(name, json.loads(changes))
