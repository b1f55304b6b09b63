"""What a season's server does with what halls report: nothing that the organiser would not, and everything once.

A day's extract comes in parts. When it is whole it is checked and taken as `wallwright season add` takes one; what
needs somebody's reason waits for it. What is told of an extract follows from the season and the folder alone, so that
the same one is answered the same, however often and by however many programs it is sent.
"""

import threading
from collections.abc import Callable, Mapping
from typing import Any

from ...clocks import wall_ms
from ...errors import BadInput, EventRefused
from ...event.lifecycle import STATES
from ...journal import printed_key, read_journal
from ..days import extracts, has_final_seats, take_day
from ..desk import SeasonDesk, extracts_of, open_season, reports_of
from ..errors import NeedsReason, TooMuch
from ..judged import Judged
from ..judging import judge_sent
from ..seen import Reported, SeenFiles, compare
from ..state import KINDS, DayInSeason, SeasonState
from .uploads import Uploads
from .waiting import Waiting, Waits

ADDED, WAITING, PARTIAL, UNKNOWN = "added", "waiting", "partial", "unknown"
"""What becomes of an extract: it is in the season; the organiser is asked; so many bytes are there; it has not come."""
Told = dict[str, Any]


class Reports:
    """What halls report to the season at `place`. Any thread may call anything; `now_ms` is the season's clock."""

    def __init__(self, place: str, now_ms: Callable[[], int] = wall_ms) -> None:
        self._place = place
        self._now_ms = now_ms
        folder = reports_of(place)
        self.seen = SeenFiles(folder)
        self._uploads = Uploads(folder)
        self._waiting = Waiting(folder)
        self._looking = threading.Lock()
        self._finishing = threading.Lock()
        self._state = SeasonState()
        self.look()

    def look(self) -> SeasonState:
        """Take what the season's desk has written since, and return the season."""
        with self._looking:
            # A state that somebody else goes through is not changed.
            entries = tuple(read_journal(self._place, self._state.last, KINDS))
            if entries:
                self._state = self._state.grown(entries)
            return self._state

    @property
    def state(self) -> SeasonState:
        """The season as it was when somebody looked last."""
        return self._state

    def take_checkpoint(self, journal: str, key: bytes, reported: Reported) -> Told:
        """Keep a checkpoint; tell how many entries are seen of that journal. Raises what `SeenFiles.take` does."""
        return {"entries": self.seen.take(reported, key, journal, self._now_ms).entries}

    def tell_journal(self, journal: str, key: bytes) -> Told:
        """Tell a hall of a journal of its own how many entries were seen that this key has signed, and by what."""
        halls, printed = self._state.halls, printed_key(key)
        own = self.seen.of(journal, printed)
        # A hall with a new key is the same by its name.
        seen = [one for one in self.seen.all() if one.journal == journal and halls.get(one.key) == halls.get(printed)]
        parted = [one.parted.checkpoint for one in seen if one.parted is not None]
        return {
            "entries": 0 if own is None else own.entries,
            "checkpoints": [*(one.checkpoint for one in seen), *parted],
        }

    def tell_extract(self, hash_: str, key: str) -> Told:
        """Tell what has become of an extract. EventRefused for one that is late, or was withdrawn."""
        state = self._state
        for one in state.days.values():
            if one.day.extract == hash_:
                return _added(one, state)
            if any(past.day.extract == hash_ for past in one.past):
                raise EventRefused(f"{_name(hash_)}: it comes late, a newer one of {_day(one)} has taken its place")
        _refuse_withdrawn(state, extract=hash_)
        for waits in self._waiting.all(state):
            if waits.extract == hash_:
                return {"state": WAITING, "why": waits.why, "day": waits.day}
        have = self._uploads.has(hash_, key)
        return {"state": PARTIAL if have else UNKNOWN, "have": have}

    def take_part(self, hash_: str, key: str, total: int, at: int, data: bytes) -> Told:
        """Take bytes of an extract, and all of it when it is whole; tell what has become of it.

        Raises BadExtract, EventRefused, JournalError and OSError; of what is refused nothing is kept.
        """
        if known := self._known(hash_, key):
            return known
        have = self._uploads.put(hash_, key, total, at, data)
        if have < total:
            return {"state": PARTIAL, "have": have}
        with self._finishing:
            self.look()
            if known := self._known(hash_, key):
                return known
            try:
                return self._finish(hash_, key)
            except (BadInput, EventRefused):
                self._uploads.drop(hash_, key)
                raise

    def _known(self, hash_: str, key: str) -> Told | None:
        """Return what has become of an extract that has come before, None for another; nothing more of it is kept."""
        told = self.tell_extract(hash_, key)
        if told["state"] not in (ADDED, WAITING):
            return None
        self._uploads.drop(hash_, key)
        return told

    def _finish(self, hash_: str, key: str) -> Told:
        path, name = self._uploads.whole(hash_, key), _name(hash_)
        if path is None:
            raise BadInput(f"{name}: its parts do not make it; send it once more")
        days = extracts(self._state)
        judged = judge_sent(path, name, extracts_of(self._place), days)
        # What does not hold was never in this program's own memory.
        facts, data = judged.facts, path.read_bytes()
        if facts.key != key:
            problem = f"{name}: another hall has signed it, {facts.key}"
            raise EventRefused(f"{problem}; a hall reports its own days")
        hall = self._state.halls.get(key, key)
        try:
            with open_season(self._place, f"{hall}, by itself", self._now_ms, known=self._state) as desk:
                _refuse_withdrawn(desk.state, day=facts.day)
                known = desk.state.days.get(facts.day)
                if extracts(desk.state).get(facts.day) != days.get(facts.day):
                    raise TooMuch(f"{name}: its day was changed while it was looked at; it is looked at once more")
                is_same = known is not None and self._says_the_same(desk, known, judged)
                if known is not None and is_same and known.day.status == facts.status:
                    self._uploads.drop(hash_, key)
                    return _added(known, desk.state)
                reason = _step_on(known, judged) if known is not None and is_same else ""
                is_final = has_final_seats(desk.state, judged)
                take_day(desk, data, judged, name, is_final=is_final, reason=reason)
        except NeedsReason as error:
            why = str(error).removeprefix(f"{name}: ").partition(";")[0]
            waits = Waits(hash_, facts.day, facts.name, facts.date, facts.status, key, why, self._now_ms())
            self._waiting.put(waits, data, self._state)
        self.look()
        told = self.tell_extract(hash_, key)
        self._uploads.drop(hash_, key)
        return told

    def _says_the_same(self, desk: SeasonDesk, known: DayInSeason, judged: Judged) -> bool:
        """Say whether a later extract of a day has no other result, and its journal is the one that was seen."""
        is_later = judged.facts.entries > known.day.entries and not judged.parts
        if not is_later or compare(judged, self.seen.all(), desk.state.halls)[0]:
            return False
        return judged.is_same and judged.facts.results == known.results


def _step_on(known: DayInSeason, judged: Judged) -> str:
    """Return why a later extract of the same results needs nobody's word: its day has come nearer to its end.

    "" for one that goes back: a hall could go to and fro, and each time all results are an entry of the journal.
    """
    status = judged.facts.status
    if STATES.index(status) <= STATES.index(known.day.status):
        return ""
    return f"no result has changed; the day is {status.replace('_', ' ')}"


def _refuse_withdrawn(state: SeasonState, extract: str = "", day: str = "") -> None:
    for id_, gone in state.withdrawn.items():
        if extract == gone.day.extract or day == id_:
            problem = f"{gone.day.name} of {gone.day.date} was withdrawn from the season: {gone.reason}"
            raise EventRefused(f"{problem}; ask the organiser, who can add it again")


def _added(one: DayInSeason, state: SeasonState) -> Told:
    told: Mapping[str, Any] = {
        "day": one.day.day,
        "name": one.day.name,
        "date": one.day.date,
        "hall": state.hall(one.day),
        "entries": one.day.entries,
        "entry": one.entry,
        "replaced": len(one.past),
    }
    return {"state": ADDED, **told}


def _day(one: DayInSeason) -> str:
    return f"{one.day.name} of {one.day.date}"


def _name(hash_: str) -> str:
    return f"the extract {hash_[:8]}"
