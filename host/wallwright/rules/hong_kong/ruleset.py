"""The options of Hong Kong rulesets with their clauses, and what they turn faan into."""

from collections.abc import Mapping
from dataclasses import dataclass

from wallwright.rules.core.ruleset import Option, Rulebook
from wallwright.rules.core.tiles import KINDS, STANDING, tile_set
from wallwright.words import Named

PROMPT_MS = 3000
"""How long a tile may be claimed where no claim may be late (HKO-4.7)."""
OLD_STYLE, MODERN = "old_style", "modern"
"""The tables of HKO-5.4 with 5.5, and of HKO-10.2."""
POINTS: dict[str, tuple[int, ...]] = {
    "spicy": (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192),
    "half_spicy": (1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384),
    "laak": (1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64),
}
"""The base by faan, from 0 (HKO-6.2)."""


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One set of rules; the files in `rulesets/` say what each option means."""

    name: str
    flowers: bool
    dead_wall: int
    concealed_kong: str
    late_claims: bool
    multi_win: str
    last_discard: bool
    seven_pairs: int
    table: str
    all_chows_pair: str
    concealed_hand: int
    mixed_terminals: int
    limit_faan: int
    min_faan: int
    flowers_for_minimum: bool
    points_table: str
    max_base: int | str
    payment: str
    robbed_pays: str
    nine_call: str
    liable_hands: str
    false_win_dealer: str
    dealer_repeat: bool
    time_up: str

    def __hash__(self) -> int:
        # Scores are kept by ruleset, and 24 fields are too many to look at for each.
        return hash(self.name)

    @property
    def said_name(self) -> Named:
        """Its name in a sentence."""
        return Named("ruleset", self.name)

    @property
    def tiles(self) -> tuple[int, ...]:
        """Every tile of the set: 136, or 144 with flowers (HKO-1.1, 1.3)."""
        return tile_set(range(KINDS if self.flowers else STANDING))

    @property
    def plan(self) -> tuple[int, int, int, int]:
        """Stacks of each side (HKO-2.1, 1.3)."""
        return (18, 18, 18, 18) if self.flowers else (17, 17, 17, 17)

    def base(self, faan: int) -> int:
        """What a loser pays who did not discard, after both caps (HKO-5.6, 6.1 to 6.3)."""
        points = POINTS[self.points_table][min(faan, self.limit_faan)]
        return points if isinstance(self.max_base, str) else min(points, self.max_base)

    @property
    def dearest(self) -> int:
        """What a false win pays to each other player: twice the base of the dearest hand (HKO-7.1)."""
        return 2 * self.base(self.limit_faan)


_NO_YES = (False, True)
BOOK = Rulebook(
    "wallwright.rules.hong_kong",
    ("hong-kong", "hong-kong-modern"),
    {
        "flowers": Option("HKO-1.3", _NO_YES),
        "dead_wall": Option("HKO-2.6", (0, 14)),
        "concealed_kong": Option("HKO-4.6", ("choice", "shown", "hidden")),
        "late_claims": Option("HKO-4.7", _NO_YES),
        "multi_win": Option("HKO-4.9", ("nearest", "all")),
        "last_discard": Option("HKO-4.10", _NO_YES),
        "seven_pairs": Option("HKO-5.1", (0, 4)),
        "table": Option("HKO-10.2", (OLD_STYLE, MODERN)),
        "all_chows_pair": Option("HKO-5.4", ("any", "suited")),
        "concealed_hand": Option("HKO-5.4", (0, 1)),
        "mixed_terminals": Option("HKO-5.4", (0, 1)),
        "limit_faan": Option("HKO-5.6", range(1, 14)),
        "min_faan": Option("HKO-5.7", range(14)),
        "flowers_for_minimum": Option("HKO-5.7", _NO_YES),
        "points_table": Option("HKO-6.2", tuple(POINTS)),
        "max_base": Option("HKO-6.3", (64, 128, "none")),
        "payment": Option("HKO-6.4", ("half", "full")),
        "robbed_pays": Option("HKO-6.6", ("discard", "all")),
        "nine_call": Option("HKO-6.7", ("declared", "auto")),
        "liable_hands": Option("HKO-6.8", ("full_flush", "tvb")),
        "false_win_dealer": Option("HKO-7.3", ("stay", "pass")),
        "dealer_repeat": Option("HKO-8.1", _NO_YES),
        "time_up": Option("HKO-8.2", ("finish", "stop")),
    },
    Ruleset,
)


def load_ruleset(name: str, changes: Mapping[str, object] | None = None) -> Ruleset:
    """A preset or a .toml file, with some options changed. RulesetError names an option and its clause."""
    return BOOK.load(name, changes)
