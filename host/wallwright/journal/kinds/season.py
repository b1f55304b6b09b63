"""What the desk of a season writes: its format, halls and days, who is who, and what is taken back."""

from typing import Annotated

from .fields import Part, Plain
from .record import Record, kind
from .texts import Label, Name, Sentences, Word
from .values import EntryNumber, PlayerId, PlayerNumber, PrivateName, Reason

SEASON = "the desk of a season: `wallwright season`"
DayId = Annotated[Word, "the day, 32 digits in hexadecimal"]
Person = Annotated[Word, "a person: the id in the lists of days, or the first 8 digits of a day, / and a number there"]


class OfSeason(Record):
    """What somebody at the desk of a season writes; `by` is who."""

    by: Annotated[Word | None, "who was at the desk"] = None


@kind("season_created", by=SEASON)
class SeasonCreated(OfSeason):
    """The season begins; a journal holds one."""

    format: Annotated[Plain, "fields of the format (docs/season.md)"]


@kind("season_hall_admitted", by=SEASON)
class HallAdmitted(OfSeason):
    """A hall may send days, signed by its key."""

    name: Name
    key: Annotated[Word, "public key, as it is printed"]


class DayResult(Part):
    """What a day gave a player."""

    number: PlayerNumber
    name: Annotated[Name, "as it was written there"]
    club: Annotated[Label, "club, or nothing"]
    rank: Annotated[int | None, "rank of the day; null for who is not ranked"]
    total: Annotated[Word, "by what the day ranks, a fraction such as 17 or 5/2"]
    id: PlayerId | None = None
    private: PrivateName | None = None


class DayHead(Part):
    """A day, by its extract, without what it gave its players."""

    day: DayId
    extract: Annotated[Word, "SHA-256 of the extract's file, in hexadecimal"]
    checkpoint: Annotated[Word, "the signed checkpoint, as it is printed"]
    entries: Annotated[int, "how many entries of the day's journal that is about"]
    key: Annotated[Word, "public key of the hall, as it is printed"]
    name: Word
    date: Annotated[Word, "of the first session's start (UTC), 2016-09-03"]
    began_ms: Annotated[int, "when the first session began, ms"]
    ended_ms: Annotated[int, "when the last session ended, ms"]
    game: Word
    ruleset: Word
    status: Annotated[Word, "weakest state of the sessions (docs/session-life.md)"]


class SeasonDay(DayHead):
    """A day, by its extract."""

    results: Annotated[tuple[DayResult, ...], "in the order of the day's standings"]


class SeenInPlay(Part):
    """The newest checkpoint that the season had seen of the day's journal before the extract came."""

    checkpoint: Annotated[Word, "as it is printed"]
    at_ms: Annotated[int, "when it came, by the season's clock, ms"]
    fits: Annotated[bool, "whether the extract's journal has grown from it"]


@kind("season_day_added", by=SEASON)
class DayAdded(OfSeason):
    """A day comes to the season."""

    day: SeasonDay
    is_final: Annotated[bool | None, "true: it is the final, and counts for nothing else"] = None
    journal: Annotated[Word | None, "the day's journal, 32 digits in hexadecimal, as halls report it"] = None
    seen: SeenInPlay | None = None
    reason: Annotated[Sentences | None, "why it was taken although it came late, or does not fit what was seen"] = None


@kind("season_day_replaced", by=SEASON)
class DayReplaced(OfSeason):
    """A later extract of a day takes the place of the one before."""

    day: SeasonDay
    before: Annotated[Word, "SHA-256 of the extract before, in hexadecimal"]
    reason: Reason
    seen: SeenInPlay | None = None


@kind("season_day_withdrawn", by=SEASON)
class DayWithdrawn(OfSeason):
    """A day counts no more."""

    day: DayId
    reason: Reason


@kind("season_persons_merged", by=SEASON)
class PersonsMerged(OfSeason):
    """Somebody says that these are one person."""

    persons: tuple[Person, ...]
    reason: Reason


@kind("season_person_split", by=SEASON)
class PersonSplit(OfSeason):
    """Somebody says that a player of a day is another person than the lists have it."""

    day: DayId
    player: PlayerNumber
    person: Annotated[Person, "who it is instead"]
    reason: Reason


@kind("season_undone", by=SEASON)
class Undone(OfSeason):
    """A merge or a split is taken back."""

    entry: Annotated[EntryNumber, "the entry of the merge or the split"]
    reason: Reason
