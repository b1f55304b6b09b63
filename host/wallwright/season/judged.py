"""What a season has to know of an extract that holds, whoever has judged it. Values alone."""

from msgspec import Struct

from ..journal.kinds.season import SeasonDay


class Judged(Struct, frozen=True):
    """What a season has to know of an extract that holds: its facts, which sessions count as its format says, the
    commitments of its draws, what stands for its journal, its root and those that it has grown from, by entry.

    `against` is the extract of the same day with which it was compared, by its SHA-256: `parts` says where their
    journals part, and `is_same` that nothing else is said; "" where the season has none.
    """

    facts: SeasonDay
    best_of: tuple[int, ...]
    commitments: tuple[str, ...]
    journal: str
    root: bytes
    since: dict[int, bytes]
    against: str = ""
    parts: str = ""
    is_same: bool = False
