"""The pages of a season: each path and what is there. All of it follows from the season's journal and its extracts.

index.html, zh/index.html          calendar, list, qualifiers
days/ID.html, zh/days/ID.html      a day: its list, all its deals, their proofs
persons/KEY.html, zh/persons/...   somebody across all days; KEY stands for the key, which may have any letters
api/*.json, extracts/*.json        the same for programs; the signed extracts as the halls have made them
feed.atom                          days as they come, are corrected and go
static/*                           what the pages load; all links are relative, nothing is fetched from elsewhere
"""

import hashlib
import json
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import groupby
from typing import Any

from msgspec import to_builtins

from ...errors import BadName
from ...season.day import Day
from ...season.days import read_extract
from ...season.desk import extracts_of, reports_of
from ...season.final import final_rows
from ...season.papers import time_of
from ...season.persons import People, Person
from ...season.qualifiers import qualifiers
from ...season.rating_update import MILLION
from ...season.report.waiting import waiting_of
from ...season.seen import SeenFiles, in_play
from ...season.standings import Row, standings
from ...season.state import DayInSeason, SeasonState
from ...season.tables import DEALS, DEALS_COLUMNS, DEALS_OF, Tables
from ...season.who import sounds
from ...season.withheld import said_in
from ...words import words
from ..pages.views import render
from ..static import STATIC
from ..texts import HTML_LANGUAGES
from ..voice import Voice
from .career import After, Careers, careers, rating_plot, value_plot
from .feed import atom

LANGUAGES = {"": "en", "zh/": "zh"}
"""By the beginning of the path."""
FILES = ("console.css", "season.css", "season.js", "proofs.js", "ed25519.js", "verdict.js", "icon.svg")
"""Of the static files."""
REPORTS = "reports.json"
HTML, JSON, ATOM = "text/html", "application/json", "application/atom+xml"
_SHORT = 16
LONG = 512 << 10
"""Bytes of an extract whose page takes some seconds and some ten MB."""
MOST_LONG = 4
"""Pages of long days that are kept."""


@dataclass(frozen=True, slots=True)
class Content:
    """What is at a path."""

    data: bytes
    media_type: str


def person_name(key: str) -> str:
    """Return what stands for a person's key in a path."""
    return hashlib.sha256(key.encode()).hexdigest()[:_SHORT]


class SeasonSite:
    """The pages of the season at `place` as `state` has it; the `tables` have all its days."""

    def __init__(self, place: str, state: SeasonState, tables: Tables) -> None:
        assert state.format is not None
        self._place = place
        self._format = state.format
        self._state = state
        self._folder = extracts_of(place)
        self._tables = tables
        self._people = People(state)
        self._days = [*state.in_order(), *([] if state.final is None else [state.final])]
        self._rows = standings(state, self._people)
        self._held: tuple[str, Day] | None = None
        self._long_pages: dict[str, Content] = {}
        self._making = threading.Lock()

    def contents(self) -> Iterator[tuple[str, Content]]:
        """Go through everything there is, each path once; what leads to others comes after them."""
        for name in FILES:
            yield f"static/{name}", self.content(f"static/{name}")
        for one in self._days:
            yield f"extracts/{one.day.extract}.json", self._extract(one)
            for prefix in LANGUAGES:
                yield f"{prefix}days/{one.day.day}.html", self._day(one, prefix)
        for key, deals in groupby(self._tables.ask(DEALS), lambda row: str(row[0])):
            if key in self._people.by_key:
                yield from self._person(self._people.by_key[key], [row[1:] for row in deals])
        for prefix in LANGUAGES:
            yield f"{prefix}index.html", self._index(prefix)
        for path in (*(f"api/{name}" for name in (*self._api, REPORTS)), "feed.atom"):
            yield path, self.content(path)

    def content(self, path: str) -> Content:
        """Return what is at a path. BadName when there is nothing."""
        prefix = "zh/" if path.startswith("zh/") else ""
        folder, _, name = path.removeprefix(prefix).rpartition("/")
        stem, _, ending = name.rpartition(".")
        if prefix and ending != "html":
            raise BadName(words("there is no page {path}", path=path))
        if (folder, name) == ("", "index.html"):
            return self._index(prefix)
        if (folder, name) == ("", "feed.atom"):
            return Content(atom(self._state, self._days).encode(), ATOM)
        if folder == "static" and name in FILES:
            return Content(STATIC[name].content, STATIC[name].media_type)
        if (folder, name) == ("api", REPORTS):
            return _json(self._reports())
        if folder == "api" and name in self._api:
            return self._api[name]
        for one in self._days:
            if folder == "days" and (stem, ending) == (one.day.day, "html"):
                return self._kept_day(one, prefix)
            if folder == "extracts" and (stem, ending) == (one.day.extract, "json"):
                return self._extract(one)
        if folder in ("persons", "api/persons") and stem in self._keys:
            person = self._keys[stem]
            deals = list(self._tables.ask(DEALS_OF, {"person": person.key}))
            pages = dict(self._person(person, deals))
            if path in pages:
                return pages[path]
        raise BadName(words("there is no page {path}", path=path))

    def _reports(self) -> dict[str, list[dict[str, Any]]]:
        """Return what halls have reported by themselves and is no day of the season yet; it changes by itself."""
        hall = self._state.halls.get
        playing = in_play(SeenFiles(reports_of(self._place)).all(), self._state)
        return {
            "in_play": [
                {
                    "hall": hall(one.key, one.key[:8]),
                    "journal": one.journal,
                    "entries": one.entries,
                    "at_ms": one.at_ms,
                    "checkpoint": one.checkpoint,
                    "parted": None if one.parted is None else one.parted.checkpoint,
                }
                for one in playing
            ],
            "waiting": [
                {"hall": hall(one.key, one.key[:8]), "day": one.day, "name": one.name, "date": one.date, "why": one.why}
                for one, _ in waiting_of(self._place, self._state)
            ],
        }

    @cached_property
    def _keys(self) -> dict[str, Person]:
        return {person_name(key): one for key, one in self._people.by_key.items()}

    @cached_property
    def _careers(self) -> Careers:
        return careers(self._tables)

    @cached_property
    def _row_of(self) -> dict[str, Row]:
        return {row.person: row for row in self._rows}

    @cached_property
    def _api(self) -> dict[str, Content]:
        days = [
            {
                "day": one.day.day,
                "date": one.day.date,
                "name": one.day.name,
                "hall": self._state.hall(one.day),
                "key": one.day.key,
                "ruleset": one.day.ruleset,
                "status": one.day.status,
                "final": one.is_final,
                "players": len(one.results),
                "replaced": [{"extract": past.day.extract, "reason": past.reason} for past in one.past],
                "seen": None if one.seen is None else to_builtins(one.seen),
                "reason": one.reason,
                "checkpoint": one.day.checkpoint,
                "extract": f"extracts/{one.day.extract}.json",
                "page": f"days/{one.day.day}.html",
            }
            for one in self._days
        ]
        listed = [
            {
                "rank": row.rank,
                "person": row.person,
                "name": row.name,
                "club": row.club,
                "total": str(row.total),
                "days": [
                    {"day": one.day.day, "value": str(one.value), "rank": one.result.rank, "counts": one.counts}
                    for one in row.days
                ],
                "page": f"persons/{person_name(row.person)}.html",
            }
            for row in self._rows
        ]
        persons = [
            {"person": key, "names": one.names, "clubs": one.clubs, "page": f"persons/{person_name(key)}.html"}
            for key, one in sorted(self._people.by_key.items())
        ]
        parts = {
            "season.json": {"name": self._format.name, "entries": self._state.last, "days": days},
            "standings.json": listed,
            "persons.json": persons,
        }
        return {name: _json(part) for name, part in parts.items()}

    def _index(self, prefix: str) -> Content:
        found = qualifiers(self._state) if self._format.has_final and self._days else ()
        values = {
            "days": self._days,
            "rows": self._rows,
            "qualified": {one.person: one for one in found},
            "final": () if self._state.final is None else final_rows(self._state),
            "withdrawn": list(self._state.withdrawn.values()),
            "reports": self._reports(),
            "everybody": [
                (one, " ".join((*one.names, one.key, *(sound for name in one.names for sound in sounds(name)))))
                for one in sorted(self._people.by_key.values(), key=lambda one: (one.name, one.key))
            ],
        }
        return self._page("season_index.html", prefix, 0, **values)

    def _kept_day(self, one: DayInSeason, prefix: str) -> Content:
        """Return the page of a day; of long days one is made at a time, and the last ones are kept."""
        if (self._folder / f"{one.day.extract}.json").stat().st_size <= LONG:
            return self._day(one, prefix)
        path = f"{prefix}{one.day.day}"
        with self._making:
            if path not in self._long_pages:
                self._long_pages = dict(list(self._long_pages.items())[1 - MOST_LONG :])
                self._long_pages[path] = self._day(one, prefix)
            return self._long_pages[path]

    def _day(self, one: DayInSeason, prefix: str) -> Content:
        day = self._read(one)
        deals = sorted(day.deals, key=lambda deal: (deal.session, deal.table, deal.entry))
        # Who sits where is said once for all deals that the same four play.
        sheets = [
            (*which, list(each)) for which, each in groupby(deals, lambda deal: (deal.session, deal.table, deal.seats))
        ]
        players = {player.number: player for player in day.players}
        persons = {}
        for result in one.results:
            key = result.id if one.is_final else self._people.of(one.day.day, result.number)
            if key in self._people.by_key:
                persons[result.number] = person_name(str(key))
        values = {"one": one, "day": day, "players": players, "persons": persons, "sheets": sheets}
        return self._page("season_day.html", prefix, 1, **values)

    def _person(self, person: Person, deals: Sequence[tuple[Any, ...]]) -> Iterator[tuple[str, Content]]:
        name = person_name(person.key)
        row = self._row_of.get(person.key)
        after = self._careers.get(person.key, {})
        told = [dict(zip(DEALS_COLUMNS, deal, strict=True)) for deal in deals]
        worth = (
            [] if row is None else [(f"{v.day.date}: {number(v.value)}", float(v.value), v.counts) for v in row.days]
        )
        values = {
            "person": person,
            "row": row,
            "ratings": [(pool, each[-1], rating_plot(each)) for pool, each in sorted(after.items())],
            "values": value_plot(worth) if worth else None,
            "deals": told,
            "final": self._state.final,
        }
        for prefix in LANGUAGES:
            yield f"{prefix}persons/{name}.html", self._page("season_person.html", prefix, 1, **values)
        record = {
            "person": person.key,
            "names": person.names,
            "clubs": person.clubs,
            "total": None if row is None else str(row.total),
            "rank": None if row is None else row.rank,
            "ratings": [
                {**pool._asdict(), "rating": each[-1].skill.rating / MILLION, "days": [_after(one) for one in each]}
                for pool, each in sorted(after.items())
            ],
            "deals": told,
        }
        yield f"api/persons/{name}.json", _json(record)

    def _extract(self, one: DayInSeason) -> Content:
        return Content((self._folder / f"{one.day.extract}.json").read_bytes(), JSON)

    def _read(self, one: DayInSeason) -> Day:
        """Return a day; the last one that was read is kept, for it is shown in every language."""
        if self._held is None or self._held[0] != one.day.extract:
            self._held = (one.day.extract, read_extract(self._folder, one.day).day)
        return self._held[1]

    def _page(self, template: str, prefix: str, depth: int, **values: Any) -> Content:
        language = LANGUAGES[prefix]
        voice = Voice(language)
        frame = {
            "called": partial(said_in, say=voice),
            "html_lang": HTML_LANGUAGES[language],
            "season": self._format,
            "state": self._state,
            "up": "../" * depth,
            "root": "../" * (depth + bool(prefix)),
            "number": number,
            "person_name": person_name,
            "time_of": time_of,
        }
        return Content(render(template, voice, **frame, **values).encode(), HTML)


def number(value: Fraction) -> str:
    """Return a total as people read it: 17 or 5/2."""
    return str(value)


def _after(one: After) -> dict[str, Any]:
    skill = one.skill
    return {
        "date": one.date,
        "day": one.day,
        "mean": skill.mean / MILLION,
        "deviation": skill.deviation / MILLION,
        "rating": skill.rating / MILLION,
    }


def _json(value: Any) -> Content:
    return Content((json.dumps(value, ensure_ascii=False) + "\n").encode(), JSON)
