"""The tracker of one deal: takes what readers tell while it is played, and says what happened when it is over.

It keeps the likeliest explanations of all reads so far, a bounded number. Rules and turns make most of them
impossible within a move or two; what the end leaves open is decided by the wall, when it is revealed, and else asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from wallwright_protocol.hardware import READERS, READERS_PER_SEAT, SIDES

from ..errors import BadInput
from ..rules.core.followed import Followed
from ..rules.core.walls import DEALT as TILES_DEALT
from .beam import explanations_of
from .judge import NOT_FOLLOWED, judge
from .model import ErrorModel
from .outcome import PUSHED, Answer, Notice, Outcome, Question
from .scene import Scene
from .zones import APPEARED, CLAIM, DISCARDS, HANDS, LEFT, MOVED, Tag, ZoneEvent

NOT_IN_ORDER = "the tiles were not taken in the order of the wall; the break may have been a wrong one"

TOO_SILENT = "{} of the readers of hands and discards told nothing of this deal; enter its result by hand"
MOST_SILENT = 3
"""With more such readers silent, nearly every tile of a deal would have to be guessed."""

_BUSY_READERS = tuple(sorted(HANDS + DISCARDS))
"""Those that tell something in every deal."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is known before the deal: `tiles` are the tags of the set in play with their kinds, all of them;
    `claim_keys` tells that every claim presses a key; `own_sizes` has how many tiles each seat's wall has left after
    the deal, where each draws from the own one.
    """

    rules: Followed
    dealer: int
    tiles: Mapping[Tag, int] = field(repr=False)
    claim_keys: bool = False
    model: ErrorModel = field(default_factory=ErrorModel)
    own_sizes: tuple[int, ...] = ()


TILES_PUSHED = "From {} s after the first read, tiles went where no move takes them: was the deal over by then?"


class Tracker:
    """See the package. One tracker is for one deal."""

    def __init__(self, setup: Setup) -> None:
        """BadInput when the tags are no set of tiles to play with."""
        if len(setup.tiles) <= TILES_DEALT or not all(0 <= kind < setup.rules.kinds for kind in setup.tiles.values()):
            raise BadInput(f"{len(setup.tiles)} enrolled tiles are no set to play with; enrol the set again")
        if setup.dealer not in range(4):
            raise BadInput(f"the dealer is seat {setup.dealer}: seats are 0 to 3, counter-clockwise")
        if setup.rules.ways.own_walls and sum(setup.own_sizes) != len(setup.tiles) - TILES_DEALT:
            raise BadInput(f"own walls of {setup.own_sizes} tiles are none of a set of {len(setup.tiles)}")
        self._setup = setup
        self._numbers = {tag: number for number, tag in enumerate(setup.tiles)}
        self._events: list[ZoneEvent] = []
        self._foreign: set[Tag] = set()
        self._tail: tuple[int, ...] = ()
        self._heard: set[int] = set()

    def feed(self, event: ZoneEvent) -> None:
        """Take the next thing told. BadInput when the event is none: a reader or seat that there is not."""
        if event.told == CLAIM:
            if event.seat not in range(4):
                raise BadInput(f"a claim of seat {event.seat}: seats are 0 to 3")
            self._events.append(event)
            return
        if event.told not in (APPEARED, LEFT, MOVED) or not 0 <= event.reader < READERS:
            raise BadInput(f"{event!r} is nothing that readers tell")
        if event.reader < SIDES:
            return
        if event.tag in self._numbers:
            self._heard.add(event.reader)
            self._events.append(event)
        else:
            self._foreign.add(event.tag)

    def finish(
        self, wall: Sequence[Tag | None] | None = None, tail: Sequence[int] = (), *, time_up: bool = False
    ) -> Outcome:
        """Say what happened. `wall` is the revealed one in the order in which its tiles are taken, the dealt ones
        first, with None for a tag that was not read, and `tail` its places, from the first draw on, in the order of
        replacements, where these come from its other end; `time_up` that the session's time has ended the deal.
        """
        self._tail = tuple(tail) or tuple(range(len(self._numbers) - TILES_DEALT))
        order = None if wall is None else self._order(wall)
        silent = sum(1 for reader in _BUSY_READERS if reader not in self._heard)
        if silent > MOST_SILENT:
            return Outcome(None, None, TOO_SILENT.format(silent), self._reader_notices())
        outcome, end = self._judged(self._events, order, time_up)
        if order is not None and outcome.problem == NOT_FOLLOWED:
            without, end = self._judged(self._events, None, time_up)
            if not without.problem:
                outcome = replace(without, notices=(*without.notices, Notice(None, NOT_IN_ORDER)))
        if outcome.problem == NOT_FOLLOWED and end < len(self._events):
            outcome = self._asked_about_end(order, end, time_up) or outcome
        return replace(outcome, notices=outcome.notices + self._reader_notices())

    def _asked_about_end(self, order: Sequence[int | None] | None, end: int, time_up: bool) -> Outcome | None:
        """The outcome if play was over after so many events, which is asked and never taken for granted."""
        shorter, _ = self._judged(self._events[:end], order, time_up)
        answers = shorter.question.answers if shorter.question is not None else ()
        if shorter.account is not None:
            points = ", ".join(f"{points:+d}" for points in shorter.account.settlement.points)
            answers = (Answer(f"over, points {points}", shorter.account),)
        if not answers:
            return None
        after_s = (self._events[end].at_ms - self._events[0].at_ms) // 1000
        return replace(shorter, account=None, question=Question(TILES_PUSHED.format(after_s), answers, PUSHED))

    def _order(self, wall: Sequence[Tag | None]) -> tuple[int | None, ...]:
        if len(wall) != len(self._numbers):
            raise BadInput(f"a wall of {len(wall)} tiles for a set of {len(self._numbers)}; give all, in taking order")
        order = [None if tag is None else self._numbers.get(tag) for tag in wall]
        if order.count(None) == 1:
            # Only one tile can stand where none was read.
            (missing,) = set(range(len(order))).difference(order)
            order[order.index(None)] = missing
        return tuple(order)

    def _judged(
        self, events: Sequence[ZoneEvent], wall: Sequence[int | None] | None, time_up: bool
    ) -> tuple[Outcome, int]:
        """The outcome of those events, and how many of them may have been play."""
        setup = self._setup
        kinds = tuple(setup.tiles.values())
        silent = frozenset(range(SIDES, READERS)) - self._heard
        now_ms = events[-1].at_ms if events else 0
        for width in setup.model.widths:
            scene = Scene(
                setup.rules,
                kinds,
                setup.model,
                setup.dealer,
                wall,
                self._tail,
                width,
                silent=silent,
                claim_keys=setup.claim_keys,
                own=setup.own_sizes if setup.rules.ways.own_walls else (),
            )
            explanations = explanations_of(scene, events, self._numbers)
            if scene.cut >= setup.model.margin and not scene.given_up:
                break
        outcome = Outcome(None, None, NOT_FOLLOWED, ())
        if not scene.given_up:
            outcome = judge(scene, explanations, now_ms, time_up=time_up)
        return outcome, scene.end_of_play()

    def _reader_notices(self) -> tuple[Notice, ...]:
        found = []
        if self._foreign:
            found.append(
                Notice(None, f"{len(self._foreign)} tags were read that are not enrolled in this set; look for them")
            )
        zones = ("hand", "declared sets", "discards")
        for reader in _BUSY_READERS:
            if self._heard and reader not in self._heard:
                seat, zone = divmod(reader - SIDES, READERS_PER_SEAT)
                found.append(Notice(None, f"the reader of the {zones[zone]} of seat {seat} told nothing; check it"))
        return tuple(found)
