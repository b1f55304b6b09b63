"""Nothing is seen before its time: a whole day is gone through, and everything that a console answers is read."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

from tests.host.console.embargo import PLAYERS, Story, Told
from tests.host.console.walking import TAG, TAG_MS, Answer, Walk, alike
from wallwright.cli.program import app
from wallwright.console.people.access import PUBLIC
from wallwright.console.people.accounts import ROLES
from wallwright.console.people.pins import pins_of
from wallwright.event.sheets import FILES, PAPERS
from wallwright.fleet.state import Change
from wallwright.link.reports import SECRET_EVENTS, Event

SCREEN, DIRECTOR = "screen", "director"
LOOK_AT = ("session_moved", "table_bound", "penalty_given", "result_corrected")
"""After these entries everything is looked at: they change what may be seen, or seem to."""
OTHERS = 3
"""So many more entries are chosen by chance."""
DEAL_PAGE = re.compile(r"/event/sessions/(\d+)/tables/\d+/deals/\d+")
REPLAY = re.compile(r"/replays/(\d+)")


class Day:
    """A story that is told to a console, entry by entry."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.story = Story(seed)
        self.chance = Random(seed)
        self.walk = Walk(folder / "day")
        self.entry = 0

    def until(self, entry: int) -> None:
        """Let the day go on."""
        new = self.story.facts[self.entry : entry]
        if self.entry:
            self.walk.go_on(new)
        else:
            self.walk.begin(new)
        self.entry = entry

    def moments(self) -> list[int]:
        """The entries after which to look, some of them by chance."""
        begun = next(fact.id for fact in self.story.facts if fact.kind == "session_moved")
        fixed = {fact.id for fact in self.story.facts[begun:] if fact.kind in LOOK_AT}
        return sorted(fixed | set(self.chance.sample(range(begun, len(self.story.facts)), OTHERS)))

    @property
    def is_turn(self) -> bool:
        """Whether the last entry was one after which every result is asked for."""
        fact = self.story.facts[self.entry - 1]
        return fact.kind == "table_bound" or fact.body.get("trigger") == "publish"

    def paths(self, role: str, part: int = 1) -> list[str]:
        """All that a role alone may ask for, and one in `part` of what everybody may: with some of the players, some
        forms of the papers and some results by their entries, and what there is not.
        """
        story, choice = self.story, self.chance.choice
        known = [number for number in story.results if number <= self.entry]
        asked = known if self.is_turn else [*known[-3:], *self.chance.sample(known, min(3, len(known)))]
        values: dict[str, Iterable[object]] = {
            "player": (choice(range(1, PLAYERS + 1)), choice((PLAYERS + 1, 99))),
            "session": (1, 2, 3),
            "table": (1, 2),
            "hall_table": ("A1", choice(("A2", "B1"))),
            "deal": (1, choice((2, 3, 4))),
            "entry": [f"{number}?step=9999" for number in {*asked, self.entry, story.results[-1], 99_999}],
            "paper": [*(f"{paper}.json" for paper in PAPERS), f"{choice([*PAPERS])}.{choice([*FILES])}"],
            "stage": ("main", "final"),
            "token": ("x",),
            "name": ("console.css",),
            "command": ("stop",),
            "act": ("confirm", "sign"),
        }
        shared = set(self.walk.paths(PUBLIC, values)) if part > 1 else set()
        found = dict.fromkeys(self.walk.paths(role, values))
        return [path for path in found if path not in shared or not self.chance.randrange(part)]

    def look(self, role: str, part: int) -> tuple[Told, dict[str, Answer]]:
        """Return what a role is told by these, and the answers."""
        answers = self.walk.ask(role, self.paths(role, part))
        return self.read(answers), answers

    def read(self, answers: dict[str, Answer]) -> Told:
        """Return what answers disclose. A deal that can be stepped through is disclosed by that."""
        told = Told(frozenset(), frozenset())
        for path, (status, text) in answers.items():
            told |= self.story.read(text)
            found = REPLAY.match(path)
            if found is not None and status == 200:
                told |= Told(frozenset({int(found[1])}), frozenset())
        return told

    def everything(self) -> set[int]:
        """All results so far that the event counts or has counted."""
        return {one for one in self.story.results if one <= self.entry and one in self.story.at}

    def from_the_command_line(self) -> Told:
        """Return what is written for everybody there."""
        runner, journal = CliRunner(), str(self.walk.path)
        paper, form = self.chance.choice([*PAPERS]), self.chance.choice(("csv", "json"))
        asked = [["export", journal, paper, "--format", form], ["standings", journal, "--for", "everybody"]]
        answers = [runner.invoke(app, ["event", *words]) for words in asked]
        assert [answer.exit_code for answer in answers] == [0, 0]
        return self.story.read("\n".join(answer.output for answer in answers))

    def check(self, told: Told, answers: dict[str, Answer]) -> None:
        """Nothing is told that not everybody may know."""
        early = told - self.story.open_after(self.entry)
        where = {
            path for path, answer in answers.items() if self.read({path: answer}) - self.story.open_after(self.entry)
        }
        assert not early, (self.story.facts[self.entry - 1], early, where)
        public = {session for session in (1, 2) if self.story.is_published(session, self.entry)}
        steps = {
            int(found[1]) for path, (status, _) in answers.items() if status == 200 and (found := DEAL_PAGE.match(path))
        }
        assert steps <= public


@pytest.fixture
def day(tmp_path: Path, seed: int) -> Iterator[Day]:
    found = Day(tmp_path, seed)
    yield found
    found.walk.close()


def test_everybody_sees_what_is_published_and_nothing_else_after_every_step_of_a_day(day: Day) -> None:
    story, words = day.story, set[str]()
    for entry in day.moments():
        day.until(entry)
        for role, part in ((PUBLIC, 1), (SCREEN, 9)):
            told, answers = day.look(role, part)
            day.check(told, answers)
            assert not {path for path, answer in answers.items() if answer.status >= 500}
            assert not {path for path, answer in answers.items() if _tells_of_tags(answer.text)}
            words |= told.words
            if role == PUBLIC:
                assert not day.is_turn or told.results >= story.due_after(entry), "what is published is found"
                replays = {path: answer for path, answer in answers.items() if REPLAY.match(path)}
                refused = {alike(answer) for answer in replays.values() if answer.status != 200}
                assert len(refused) == 1, "what is not shown, and what there is not, are answered alike"
                assert not day.is_turn or not day.from_the_command_line() - story.open_after(entry)
    assert len(words) > 15, "that is what they are told of in the end"


def test_who_works_there_sees_it_all_along_so_that_these_secrets_can_be_found(day: Day) -> None:
    story = day.story
    steps = [fact.id for fact in story.facts if fact.kind == "session_moved"]
    for entry in sorted(day.chance.sample(steps[3:], 2)):
        day.until(entry)
        for role in ROLES:
            told, answers = day.look(role, 1 if role == DIRECTOR else 4)
            assert not {path for path, answer in answers.items() if answer.status >= 500}
            assert not {path for path, answer in answers.items() if _tells_of_tags(answer.text)}
            if role == DIRECTOR:
                assert told.results >= day.everything() - story.replaced_after(day.entry)
                assert told - story.open_after(day.entry)


def test_no_answer_depends_on_a_secret(tmp_path: Path, seed: int) -> None:
    """Two days that differ in what nobody may know yet look the same, so no order, count or length tells it."""
    day, other = Day(tmp_path, seed), Walk(tmp_path / "other")
    kinds = ("table_bound", "table_signed_off", "penalty_given", "result_corrected")
    chosen = {max(fact.id for fact in day.story.facts if fact.kind == kind) for kind in kinds}
    steps = [fact.id for fact in day.story.facts if fact.kind == "session_moved"]
    for entry in sorted(chosen | {day.chance.choice(steps[2:])}):
        day.until(entry)
        other.begin(day.story.another_until(entry))
        for role, part in ((PUBLIC, 1), (SCREEN, 20)):
            paths = [path for path in day.paths(role, part) if path not in ("/metrics", "/api/v1/checkpoint")]
            one, another = day.walk.ask(role, paths), other.ask(role, paths)
            assert {path for path in paths if alike(one[path]) != alike(another[path])} == set()
    other.close()
    day.walk.close()


def test_a_pin_opens_the_results_of_the_own_table_and_no_other(day: Day) -> None:
    story = day.story
    swapped = max(fact.id for fact in story.facts if fact.kind == "table_bound")
    day.until(swapped + 12)
    event = str(day.walk.place.site.event.ask(lambda desk: desk.state.begun_ms))
    pins = pins_of(day.walk.place.accounts, event, range(1, PLAYERS + 1))
    left = day.walk.place.site.event.ask(lambda desk: {*desk.state.withdrawn})
    seen = set[int]()
    for player, pin in pins.items():
        answer = day.walk.post(f"/api/v1/event/players/{player}/table", pin=pin)
        if player in left:
            assert answer.status == 409
            continue
        place = (2, json.loads(answer.text)["table"])
        mine = {one for one in story.results if one <= day.entry and story.at.get(one) == place}
        told = story.read(answer.text)
        assert told.results == mine - story.replaced_after(day.entry)
        assert not told.words
        seen |= told.results
        wrong = day.walk.post(f"/api/v1/event/players/{player}/table", pin=f"{(int(pin) + 1) % 10**6:06}")
        assert wrong.status in (401, 429)
        assert not story.read(wrong.text)
    assert len(seen) == 4


def test_a_table_alone_is_what_it_is_in_the_hall_for_everybody_who_may_look(day: Day) -> None:
    day.until(next(fact.id for fact in day.story.facts if fact.body.get("trigger") == "publish") - 1)
    day.walk.place.look()
    whole = {}
    for role in ROLES:
        hall = json.loads(day.walk.ask(role, ["/api/v1/hall"])["/api/v1/hall"].text)
        for table in hall["tables"]:
            path = f"/api/v1/tables/{table['name']}"
            assert json.loads(day.walk.ask(role, [path])[path].text) == table
        whole[role] = hall["tables"]
    assert whole[DIRECTOR] != whole[SCREEN]


def test_no_stream_tells_of_a_tile_that_moves(day: Day) -> None:
    day.until(day.moments()[8])
    place = day.walk.place

    def happen() -> None:
        for number, name in enumerate(sorted(SECRET_EVENTS)):
            tag = Event(900 + number, 1, TAG_MS, name, {}, 0, {"tag": TAG, "reader": 4, "from": 4, "to": 5})
            place.fleet.news.tell(Change(TAG_MS, "A1", "event", event=tag))
        place.fleet.tell("A1", "key_pressed", seq=999, side=2, key="dice")
        place.fleet.change("A1", deal=4242)
        place.look()

    for role in (SCREEN, DIRECTOR):
        place.fleet.change("A1", deal=1)
        place.look()
        told = day.walk.listen(role, "/api/v1/stream", happen, '"deal":4242')
        assert "key_pressed" in told
        assert not _tells_of_tags(told)


def _tells_of_tags(text: str) -> bool:
    return any(name in text for name in (*SECRET_EVENTS, TAG, str(TAG_MS)))
