"""The steps of the self-test: what each one moves, what should be seen, and how the inputs' answers are judged.

A step returns what it found, or raises Wrong with the name of what is not as it should be. NotTested says that it could
not be tried, which is no verdict on the part. How long parts should take is told by the caller (`expected`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from wallwright_protocol.hardware import SIDES

from ..errors import Forbidden
from .bench import Bench, Edge, Jog
from .expected import Expected

BELT_MS = 1000
ANSWER_MS = 30_000
"""A person has this long to press a key or to reach an eye."""

_BY_HAND = (
    ("count_eye", "cover the counting eye"),
    ("belt_full", "cover the belt-full eye"),
    ("lift_key", "press the lift key"),
    ("dice_key", "press the dice key"),
    ("referee_key", "press the referee key"),
    ("claim_key", "press the claim key"),
)
_QUIET = tuple(kind for kind, _ in _BY_HAND)
_HOMES = (
    ("lid_close", "lid_is_closed"),
    *((f"lift_lower_{side}", f"lift_down_{side}") for side in range(SIDES)),
    *((f"head_{side}", f"head_home_{side}") for side in range(SIDES)),
)


class Wrong(Exception):
    """The part is not as it should be; the text names what was seen instead."""


class NotTested(Exception):
    """The step could not be tried; the text says why."""


class Person(Protocol):
    """The person beside the table. Each question may be answered by "not now", which is None."""

    def agrees(self, question: str) -> bool | None:
        """Ask a question of yes or no."""

    def does(self, task: str) -> bool | None:
        """Ask for something that shall be done now; return as soon as that is going to be done."""


@dataclass(frozen=True, slots=True)
class Step:
    """`name` says which part, `moves` what will move or what the person does, `look_for` what should be seen."""

    name: str
    moves: str
    look_for: str
    check: Callable[[Bench], str]
    on_top: bool = False
    """Whether tiles or hands may be on what moves."""


def steps(person: Person | None, times: Mapping[str, Expected], *, claim_keys: bool = False) -> Iterator[Step]:
    """Yield all steps in their order; without a person those that the inputs can judge alone.

    `times` is what `expected` returns for this table. `claim_keys` says whether the table has them, which the inputs
    alone do not tell.
    """
    for side in range(SIDES):
        quiet = tuple(f"{kind}_{side}" for kind in _QUIET)
        yield Step(f"eyes and keys {side}", "nothing", f"{', '.join(quiet)} are off", partial(_are_off, quiet))
    yield Step(
        "home",
        "lid, lifts and heads go home as far as they are not there",
        "lid_is_closed, and lift_down and head_home of all sides are on",
        _home,
        on_top=True,
    )
    yield _way("lid opens", "lid_open", ("lid_is_closed", "lid_is_open"), times["lid_ms"])
    yield _way("lid closes", "lid_close", ("lid_is_open", "lid_is_closed"), times["lid_ms"])
    for side in range(SIDES):
        down, up = f"lift_down_{side}", f"lift_up_{side}"
        yield _way(f"lift {side} rises", f"lift_raise_{side}", (down, up), times["lift_up_ms"])
        yield _way(f"lift {side} goes down", f"lift_lower_{side}", (up, down), times["lift_down_ms"])
    stroke = times["stroke_ms"]
    for side in range(SIDES):
        yield Step(
            f"head {side}",
            f"the stacking head of side {side} makes one stroke",
            f"it leaves home, pushes and is home again within {stroke}, away from home for most of it",
            partial(_stroke, side, stroke),
        )
    yield _turn("disc", times["disc_turn_ms"])
    yield _turn("ring", times["ring_turn_ms"])
    if person is not None:
        yield from _steps_with(person, _BY_HAND if claim_keys else _BY_HAND[:-1])


def _steps_with(person: Person, by_hand: tuple[tuple[str, str], ...]) -> Iterator[Step]:
    for side in range(SIDES):
        for drive, way in ((f"conveyor_{side}", "towards the head"), (f"conveyor_reverse_{side}", "back to the drum")):
            see = f"the belt of side {side} runs {way}"
            yield Step(f"{drive.replace('_', ' ')}", see, "the person says so", partial(_belt, person, drive, see))
    for side in range(SIDES):
        for kind, task in by_hand:
            name = f"{kind}_{side}"
            yield Step(
                f"{kind.replace('_', ' ')} {side}",
                f"a person: {task} of side {side}, then let go",
                f"{name} comes on and goes off, and nothing else",
                partial(_by_hand, person, name, f"{task} of side {side}"),
            )
    lamps = "all eight lamps are lit and all four displays show SERVICE"
    yield Step("lamps and displays", lamps, "the person says so", partial(_agreed, person, f"Is it so that {lamps}?"))


def _are_off(names: tuple[str, ...], bench: Bench) -> str:
    on = [name for name in names if name in bench.look().inputs]
    if on:
        raise Wrong(f"{', '.join(on)} {'is' if len(on) == 1 else 'are'} on")
    return "all off"


def _home(bench: Bench) -> str:
    moved, away = [], []
    for drive, end in _HOMES:
        if end in bench.look().inputs:
            continue
        try:
            done = bench.jog(drive, bench.longest_jog_ms(drive))
        except Forbidden as forbidden:
            away.append(str(forbidden))
            continue
        _not_stopped(done)
        moved.append(drive)
        if done.end != "switch":
            away.append(f"{end} was not reached in {_seconds(done.ran_ms)}")
    if away:
        raise Wrong("; ".join(away))
    return f"moved {', '.join(moved)}" if moved else "all at home"


def _way(name: str, drive: str, ends: tuple[str, str], time: Expected) -> Step:
    look_for = f"{ends[0]} goes off, {ends[1]} comes on within {time}"
    return Step(name, f"{drive} runs", look_for, partial(_travel, drive, ends, time), on_top=True)


def _travel(drive: str, ends: tuple[str, str], time: Expected, bench: Bench) -> str:
    start, end = ends
    before = bench.look().inputs
    done = bench.jog(drive, bench.longest_jog_ms(drive))
    _not_stopped(done)
    if start not in before:
        # It has been brought to its end where it can be; how long the whole way takes is not known.
        if done.end != "switch":
            raise Wrong(f"{end} was not reached in {_seconds(done.ran_ms)}")
        raise NotTested(f"it did not start from {start}")
    if (start, 0) not in _changes(done.edges):
        raise Wrong(f"{start} stayed on for {_seconds(done.ran_ms)}")
    if done.end != "switch":
        raise Wrong(f"{end} was not reached in {_seconds(done.ran_ms)}")
    return _in_time(done.ran_ms, time)


def _stroke(side: int, time: Expected, bench: Bench) -> str:
    home, pushed = f"head_home_{side}", f"head_pushed_{side}"
    before = bench.look().inputs
    if home not in before or pushed in before:
        raise Wrong(f"{home} is off before the stroke" if home not in before else f"{pushed} is on before the stroke")
    done = bench.jog(f"head_{side}", bench.longest_jog_ms(f"head_{side}"))
    _not_stopped(done)
    changes = _changes(done.edges)
    if (home, 0) not in changes:
        raise Wrong(f"{home} stayed on for {_seconds(done.ran_ms)}")
    if done.end != "switch":
        raise Wrong(f"{'' if (pushed, 1) in changes else f'{pushed} was not seen, and '}it did not come home")
    if (pushed, 1) not in changes:
        raise Wrong(f"{pushed} was not seen")
    if (pushed, 0) not in changes:
        raise Wrong(f"{pushed} stayed on")
    at_ms = {(edge.input, edge.level): edge.time_ms - done.started_ms for edge in done.edges}
    if 2 * at_ms[home, 0] > done.ran_ms:
        raise Wrong(f"{home} was on for most of the stroke; the vane or its wires are the wrong way round")
    return f"{_in_time(done.ran_ms, time)}, pushed after {at_ms[pushed, 1]} ms"


def _turn(drive: str, time: Expected) -> Step:
    look_for = f"{drive}_vane comes on twice, {time} apart, and is off for most of the turn"
    moves = f"the {drive} turns for {_seconds(3 * time.nominal_ms)}"
    return Step(drive, moves, look_for, partial(_turns, drive, time))


def _turns(drive: str, time: Expected, bench: Bench) -> str:
    done = bench.jog(drive, min(3 * time.nominal_ms, bench.longest_jog_ms(drive)))
    _not_stopped(done)
    vane = [edge.time_ms for edge in done.edges if edge.input == f"{drive}_vane" and edge.level]
    if not vane:
        level = "on" if f"{drive}_vane" in bench.look().inputs else "off"
        raise Wrong(f"{drive}_vane stayed {level} for {_seconds(done.ran_ms)}")
    if len(vane) == 1:
        raise Wrong(f"{drive}_vane came on only once in {_seconds(done.ran_ms)}")
    took = _in_time(vane[1] - vane[0], time)
    ends = [edge.time_ms for edge in done.edges if edge.input == f"{drive}_vane" and not edge.level]
    if any(2 * (end - vane[0]) > vane[1] - vane[0] for end in ends if vane[0] < end < vane[1]):
        raise Wrong(f"{drive}_vane was on for most of a turn; the vane or its wires are the wrong way round")
    return f"a turn takes {took}"


def _belt(person: Person, drive: str, see: str, bench: Bench) -> str:
    if person.does(f"Watch: {see} for {_seconds(BELT_MS)}.") is None:
        raise NotTested("skipped")
    _not_stopped(bench.jog(drive, BELT_MS))
    return _agreed(person, f"Did it run so: {see}?", bench)


def _agreed(person: Person, question: str, _: Bench) -> str:
    answer = person.agrees(question)
    if answer is None:
        raise NotTested("skipped")
    if not answer:
        raise Wrong("the person says no")
    return "the person says yes"


def _by_hand(person: Person, name: str, task: str, bench: Bench) -> str:
    bench.look()
    if person.does(f"Now {task}, then let go.") is None:
        raise NotTested("skipped")
    edges = bench.wait_edge(name, 1, ANSWER_MS)
    came = (name, 1) in _changes(edges)
    if came:
        edges += bench.wait_edge(name, 0, ANSWER_MS)
    others = sorted({edge.input for edge in edges} - {name})
    seen = f"{', '.join(others)} changed" if others else "nothing changed"
    if not came:
        raise Wrong(f"{seen} in {_seconds(ANSWER_MS)}")
    if (name, 0) not in _changes(edges):
        raise Wrong(f"{name} came on and stayed on")
    if others:
        raise Wrong(f"{seen} as well")
    return "on and off"


def _changes(edges: tuple[Edge, ...]) -> list[tuple[str, int]]:
    return [(edge.input, edge.level) for edge in edges]


def _not_stopped(done: Jog) -> None:
    if done.end not in ("time", "switch"):
        raise NotTested(f"{done.drive} was stopped after {_seconds(done.ran_ms)} by a {done.end}")


def _in_time(took_ms: int, time: Expected) -> str:
    if not time.allows(took_ms):
        raise Wrong(f"it took {_seconds(took_ms)}; {time.source} is {_seconds(time.nominal_ms)}")
    return _seconds(took_ms)


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.2f} s"
