"""The format of a season as data: which days it takes, what a day gives, what counts, who reaches the final.

`format_file` reads one from a TOML file; the files in `formats/` say beside each field what it means.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

TOTAL, RANK_POINTS = RESULTS = ("total", "rank_points")
"""What a day gives: the total by which the day ranks, or points by the rank."""


@dataclass(frozen=True, slots=True)
class SeasonFormat:
    """One way to hold a season. The preset files say what the fields mean."""

    name: str
    days: int
    rulesets: tuple[str, ...]
    day_best_of: tuple[int, ...]
    result: str
    rank_points: tuple[int, ...]
    best_of: int
    best_home: int
    best_away: int
    qualify_a_day: int
    qualify_by_list: int
    final_sessions: int
    final_carry: bool

    @property
    def has_standings(self) -> bool:
        """Whether days are added up; a season for ratings alone adds up nothing."""
        return self.best_of > 0 or self.best_home + self.best_away > 0

    @property
    def has_final(self) -> bool:
        """Whether there is a final."""
        return self.final_sessions > 0


def format_record(season_format: SeasonFormat) -> dict[str, Any]:
    """Return a format as plain values."""
    return {key: list(one) if isinstance(one, tuple) else one for key, one in asdict(season_format).items()}


def read_format(record: Mapping[str, Any]) -> SeasonFormat:
    """Return the format that `format_record` wrote."""
    values: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in record.items()}
    return SeasonFormat(**values)
