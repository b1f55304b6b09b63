"""A day of an event whose every secret is unmistakable, with a list of its own of what is public when.

Every result has points that nothing else has: 10**9 times a power of five, once or twice, gained or lost. So any sum of
results tells which ones are in it, whatever page, paper or figure it stands on. Every text that somebody wrote, and
every notice about a deal, has a word of its own.

`Story.open_after` says from docs/events.md alone what everybody may know after an entry.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random

from tests.host.entries import altered
from tests.host.event.paper import Paper
from tests.host.event.test_told import Board
from tests.host.journal.deals import moves_body
from wallwright.event import appeals, entries, results, running, sanctions, setup
from wallwright.event.format_file import load_format
from wallwright.journal import Entry
from wallwright.rules.sichuan.bots import SmartBot
from wallwright.rules.sichuan.play import play, shuffled_deal

UNIT = 10**9
SHARES = (1, -1, 2, -2)
"""What the four seats get of a result, in its own power of five."""
SLIGHT = 1000
"""Penalties change a sum by less."""
NUMBER = re.compile(r"(?<![0-9A-Za-z.])-?\d{10,}(?![0-9A-Za-z])")
TIMES = re.compile(r'_ms":\s?\d+')
WORD = re.compile(r"zq\d{3}x")
RESULTS = ("deal_result", "result_recorded", "result_corrected", "deal_annulled")
_STEPS = ("publish", "reopen")
STAFF_ONLY = -1
"""Stands for the session of a word that is published with none."""
PLAYERS = 8


@dataclass(frozen=True)
class Told:
    """Results by their entry, and words."""

    results: frozenset[int]
    words: frozenset[str]

    def __or__(self, other: "Told") -> "Told":
        return Told(self.results | other.results, self.words | other.words)

    def __sub__(self, other: "Told") -> "Told":
        return Told(self.results - other.results, self.words - other.words)

    def __bool__(self) -> bool:
        return bool(self.results or self.words)


class Story:
    """The day; `facts` are the journal's entries. `session_of` is the session of every result, by its entry, and of
    every word: None for what everybody may know at once. `at` has session and table of the results that count there.
    """

    def __init__(self, seed: int) -> None:
        chosen = load_format("chengdu-grand-prix")
        self.paper = Paper(PLAYERS, replace(chosen, sessions=2, best_of=(), deals=6, player_signing="pin"))
        self.paper.time_ms += 123_456_789
        self.session_of: dict[int | str, int | None] = {}
        self.at: dict[int, tuple[int, int]] = {}
        self._chance = Random(seed)
        self._session: int | None = None
        self._words = 0
        self._play()
        facts = self.paper.log.facts()
        self.results = [fact.id for fact in facts if fact.kind in RESULTS]
        self.facts = [fact if fact.kind not in RESULTS else self._marked(fact) for fact in facts]

    def open_after(self, entry: int) -> Told:
        """Return what everybody may know after that entry: what is of no session, and what is of a published one.

        A session is published by that step, and until a table of it is opened again.
        """
        public = {None, *(session for session in (1, 2) if self.is_published(session, entry))}
        known = [one for one, session in self.session_of.items() if session in public]
        numbers = frozenset(one for one in known if isinstance(one, int) and one <= entry)
        return Told(numbers, frozenset(one for one in known if isinstance(one, str)))

    def is_published(self, session: int, entry: int) -> bool:
        """Say whether a session is published after that entry."""
        steps = [fact.body for fact in self.facts[:entry] if fact.kind == "session_moved"]
        last = [step["trigger"] for step in steps if step["session"] == session and step["trigger"] in _STEPS]
        return bool(last) and last[-1] == "publish"

    def due_after(self, entry: int) -> frozenset[int]:
        """Return the results that everybody has to find by then: those in whose place nothing else stands."""
        return self.open_after(entry).results - self.replaced_after(entry)

    def replaced_after(self, entry: int) -> frozenset[int]:
        """Return the results that others were put in the place of."""
        place: dict[tuple[int, int, int], int] = {}
        replaced = set()
        for fact in self.facts[:entry]:
            if fact.kind in RESULTS and fact.unit is None:
                key = (fact.body["session"], fact.body["table"], fact.body["deal"])
                if fact.kind == "result_corrected" and key in place:
                    replaced.add(place[key])
                place[key] = fact.id
        return frozenset(replaced)

    def read(self, text: str) -> Told:
        """Return what a text discloses."""
        numbers = {int(one) for one in NUMBER.findall(TIMES.sub("", text))}
        found = frozenset(entry for number in numbers for entry in self._in(number))
        return Told(found, frozenset(WORD.findall(text)))

    def another_until(self, entry: int) -> list[Entry]:
        """Return the day up to that entry with other secrets: who finds a difference has learnt something of them."""
        known = self.open_after(entry)
        return [_other(fact, known) for fact in self.facts[:entry]]

    def _in(self, number: int) -> Iterator[int]:
        """The results whose points make a number, which has no other such sum."""
        value = (number + UNIT // 2) // UNIT
        if abs(number - value * UNIT) > SLIGHT:
            return
        for entry in self.results:
            share = (value + 2) % 5 - 2
            value = (value - share) // 5
            if share:
                yield entry

    def _marked(self, fact: Entry) -> Entry:
        power = UNIT * 5 ** self.results.index(fact.id)
        return altered(fact, body={**fact.body, "points": [share * power for share in SHARES]})

    # The day.

    def _play(self) -> None:
        desk = self.paper.draw().desk
        self.first, self.spare = Board(self.paper, "U-A1"), Board(self.paper, "U-A2")
        setup.bind_table(desk, 1, "U-A1")
        with self._of(None):
            self._tell(self.first, counts=False)
        with self._of(1):
            self._first_session()
        with self._of(2):
            self._second_session()

    def _first_session(self) -> None:
        """With a swap, an annulled deal, boards that nobody knows, corrections, a substitute and an appeal."""
        desk, paper = self.paper.desk, self.paper
        running.open_session(desk, 1)
        self._tell(self.first, counts=False)
        running.start_session(desk, 1)
        self._tell(self.first)
        paper.play(1, 2, 1)
        self._ask(self.first)
        player = desk.sheet(1, 1).players[0]
        sanctions.give_penalty(desk, player, "points", self._word(), amount=Fraction(2), session=1)
        running.pause(desk, 1, self._word(None))
        running.end_pause(desk, 1)
        broken = self.first.roll(desk.sheet(1, 1).next_dealer)
        results.annul(desk, 1, 1, self._word())
        setup.bind_table(desk, 1, "U-A2", self._word(STAFF_ONLY))
        running.add_time(desk, 1, 6, self._word(STAFF_ONLY), 1)
        self._tell(self.first, broken, counts=False)
        self._tell(Board(paper, "U-NEW"), counts=False)
        self._tell(self.spare)
        paper.play(1, 2, 1)
        results.correct_points(desk, 1, 2, 1, (1, -1, 0, 0), self._word())
        results.void(desk, 1, 2, 2, self._word())
        paper.play(1, 2, 1)
        results.annul(desk, 1, 2, self._word())
        sanctions.substitute(desk, 1, desk.sheet(1, 2).players[2], "A helper", self._word(STAFF_ONLY))
        paper.play(1, 2, 1)
        self._end(1)
        appeal = appeals.file_appeal(desk, 1, player, self._word(), table=1, deal=1)
        running.publish(desk, 1)
        appeals.decide(desk, appeal, upheld=True, ruling=self._word())
        results.correct_points(desk, 1, 1, 1, (2, -2, 0, 0), self._word())
        running.finalise(desk, 1, self._word(STAFF_ONLY))

    def _second_session(self) -> None:
        """With the worst penalty, the first board again, somebody who leaves, and a table that is opened again."""
        desk, paper = self.paper.desk, self.paper
        running.open_session(desk, 2)
        running.start_session(desk, 2)
        self._tell(self.spare)
        paper.play(2, 2, 2)
        out, warned, leaves = (desk.sheet(2, table).players[0] for table in (1, 2, 2))
        sanctions.give_penalty(desk, out, "disqualification", self._word(), session=2)
        sanctions.give_penalty(desk, warned, "warning", self._word(None))
        setup.bind_table(desk, 1, "U-A1", self._word(STAFF_ONLY))
        self._tell(self.first)
        entries.withdraw_player(desk, leaves, self._word(STAFF_ONLY))
        self._end(2)
        running.publish(desk, 2)
        running.take_back_signature(desk, 2, 2, self._word(STAFF_ONLY))
        results.correct_points(desk, 2, 2, 1, (3, -3, 0, 0), self._word())
        running.sign_off(desk, 2, 2)
        running.publish(desk, 2)

    def _end(self, session: int) -> None:
        desk = self.paper.desk
        running.stop_session(desk, session, self._word(STAFF_ONLY))
        for sheet in desk.session(session).tables:
            if sheet.unapproved:
                results.approve(desk, session, sheet.table)
            running.sign_off(desk, session, sheet.table)

    def _tell(self, board: Board, deal: int | None = None, *, counts: bool = True) -> None:
        """A deal of table 1 whose tiles were read is told, with its moves."""
        desk = self.paper.desk
        number = board.roll() if deal is None else deal
        board.tell(number, seed=number)
        if counts and self._session is not None:
            self.at[len(self.paper.log.lines)] = (self._session, 1)
        bot = SmartBot()
        _, tracked = shuffled_deal(desk.format.sichuan, 0, self._chance)
        body = moves_body(number, play(tracked, (bot, bot, bot, bot), self._chance), self._chance)
        body["notices"] = [{"at_ms": 80_120, "text": self._word()}]
        desk.append("deal_moves", body, at_ms=self.paper.time_ms, unit=board.unit)

    def _ask(self, board: Board) -> None:
        answers = [{"text": "this one", "points": [0, 0, 0, 0], "action": None}]
        asked = {"deal": board.deals, "text": self._word(), "asks": "", "after": None, "answers": answers}
        body = {**asked, "boot_id": 1, "seq": 1}
        self.paper.desk.append("deal_question", body, at_ms=self.paper.time_ms, unit=board.unit)

    def _word(self, *session: int | None) -> str:
        """A new word, of the session that is played or of another."""
        word = f"zq{self._words:03d}x"
        self._words += 1
        self.session_of[word] = session[0] if session else self._session
        return word

    @contextmanager
    def _of(self, session: int | None) -> Iterator[None]:
        """Whatever is told meanwhile is of that session."""
        self._session, before = session, len(self.paper.log.lines)
        yield
        told = self.paper.log.facts()[before:]
        self.session_of |= {fact.id: session for fact in told if fact.kind in RESULTS}
        declared = [fact for fact in told if fact.kind in RESULTS and fact.unit is None]
        self.at |= {fact.id: (fact.body["session"], fact.body["table"]) for fact in declared}


def _other(fact: Entry, known: Told) -> Entry:
    """The same entry with other values where it tells what is not known."""
    text = json.dumps(fact.body)
    hidden = [word for word in WORD.findall(text) if word not in known.words]
    for word in hidden:
        text = text.replace(word, word.replace("zq", "zk"))
    body = json.loads(text)
    if fact.kind in RESULTS and fact.id not in known.results:
        body["points"] = [3 * points for points in reversed(body["points"])]
        body["winners" if fact.unit is None else "hu"] = []
    if fact.kind == "penalty_given" and hidden:
        body |= {"player": body["player"] % PLAYERS + 1, "name": "warning", "amount": "1/2"}
    return altered(fact, body=body)
