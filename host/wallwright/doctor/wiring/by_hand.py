"""Finding the inputs: a person does one act at a time, and the wires that answer say which one it was.

Judging is apart from asking: `judge` and `judge_head` take the edges that came and return wires, or the reason why they
cannot be what was asked for.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from wallwright_protocol.hardware import SIDES

from .draft import Draft
from .wire_map import STOP, Wire
from .wires import TICK_MS, WireEdge, Wires

ANSWER_MS = 30_000
"""A person has this long for an act."""
QUIET_MS = 400
"""An act is over when every wire has been back for this long."""
BACK, SKIP, QUIT = "b", "s", "q"


class Person(Protocol):
    """The person beside the table."""

    def tell(self, text: str) -> None:
        """Say something that needs no answer."""

    def typed(self) -> str | None:
        """Return what was typed since, None for nothing; QUIT at the end of the input. Does not wait."""

    def ask(self, question: str) -> str:
        """Ask, and wait for the answer; QUIT at the end of the input."""


class Unfound(Exception):
    """What answered cannot be what was asked for: `kind` is a word for programs, the text is for the person."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Act:
    """What the person does, and which inputs it is to find. `rests_on` says that it is on before the act."""

    names: tuple[str, ...]
    task: str
    rests_on: bool = False


def acts(lanes: tuple[int, ...], claim_keys: bool) -> Iterator[Act]:
    """Yield all acts in their order; the emergency stop is the first."""
    yield Act((STOP,), "press the emergency stop, then release it")
    keys = ("lift", "dice", "referee") + (("claim",) if claim_keys else ())
    for side in range(SIDES):
        if side in lanes:
            for key in keys:
                yield Act((f"{key}_key_{side}",), f"press the {key} key of side {side}, and let go")
        elif claim_keys:
            yield Act((f"claim_key_{side}",), f"press the claim key of side {side}, and let go")
    for side in lanes:
        yield Act((f"count_eye_{side}",), f"hold a finger into the counting eye of side {side}, and take it away")
        yield Act((f"belt_full_{side}",), f"hold a finger into the belt-full eye of side {side}, and take it away")
        yield Act((f"lift_up_{side}",), f"press the upper switch of the lift of side {side}, and let go")
        yield Act(
            (f"lift_down_{side}",),
            f"lift the lever of the lower switch of the lift of side {side} off, and let go",
            rests_on=True,
        )
        yield Act((f"head_home_{side}", f"head_pushed_{side}"), f"turn the head of side {side} by hand, once round")
    yield Act(("lid_is_open",), "press the switch that the open lid reaches, and let go")
    yield Act(
        ("lid_is_closed",), "lift the lever of the switch that the closed lid presses off, and let go", rests_on=True
    )
    yield Act(("disc_vane",), "hold a card into the slot of the disc's vane, and take it out")
    yield Act(("ring_vane",), "hold a card into the slot of the ring's vane, and take it out")


def watch_act(wires: Wires, person: Person) -> tuple[tuple[WireEdge, ...], tuple[int, ...]] | str:
    """Return the edges up to the end of an act and the levels before it, or what the person has typed instead."""
    table = wires.table
    wires.look()
    before = wires.levels
    edges: tuple[WireEdge, ...] = ()
    until = table.now_ms() + ANSWER_MS
    quiet_from = table.now_ms()
    while table.now_ms() < until:
        typed = person.typed()
        if typed:
            return typed
        table.pump(TICK_MS)
        new = wires.look()
        edges += new
        if new:
            quiet_from = table.now_ms()
        if edges and wires.levels == before and table.now_ms() - quiet_from >= QUIET_MS:
            break
    return edges, before


def judge(act: Act, edges: tuple[WireEdge, ...], before: tuple[int, ...], after: tuple[int, ...], draft: Draft) -> Wire:
    """Return the wire of the act's input. Raises Unfound."""
    changed = sorted({edge.wire for edge in edges})
    name = act.names[0]
    if not changed:
        raise Unfound(
            "no_answer", f"no wire answers: {name} is not connected, has no supply, or touches one that is on already"
        )
    if len(changed) > 1:
        raise Unfound("several", f"{_told(changed, draft)} answer at once: they touch, or something else moved as well")
    (wire,) = changed
    _check_free(wire, name, draft)
    if before[wire] != after[wire]:
        raise Unfound("stays", f"wire {wire} answers and does not come back")
    return Wire(wire, before[wire] if act.rests_on else 1 - before[wire])


def judge_head(act: Act, edges: tuple[WireEdge, ...], before: tuple[int, ...], draft: Draft) -> tuple[Wire, Wire]:
    """Return the wires of home and push vane after a turn that began at home. Raises Unfound.

    The home vane leaves its slot first and comes back last; the push vane comes and goes in between.
    """
    changed = sorted({edge.wire for edge in edges})
    home, pushed = act.names
    if len(changed) < 2:
        heard = f"wire {changed[0]} alone answers" if changed else "no wire answers"
        missing = f"{home} or {pushed}" if changed else f"neither {home} nor {pushed}"
        verb = "is not connected, or touches one that is on already" if changed else "is connected"
        raise Unfound("no_answer", f"{heard}: {missing} {verb}")
    if len(changed) > 2:
        raise Unfound("several", f"{_told(changed, draft)} answer at once: some of them touch")
    order = [edge.wire for edge in edges]
    home_wire = order[0]
    (push_wire,) = set(changed) - {home_wire}
    last_home, last_push = (max(at for at, wire in enumerate(order) if wire == each) for each in (home_wire, push_wire))
    if last_home < order.index(push_wire):
        raise Unfound(
            "vane",
            f"wires {home_wire} and {push_wire} answer one after the other: a vane sits on the wrong side of the cam, "
            f"so that {home} is not on at home",
        )
    if last_home < last_push:
        raise Unfound("several", f"wires {home_wire} and {push_wire} answer alike: they touch")
    for wire, name in ((home_wire, home), (push_wire, pushed)):
        _check_free(wire, name, draft)
    return Wire(home_wire, before[home_wire]), Wire(push_wire, 1 - before[push_wire])


def find(act: Act, wires: Wires, person: Person, draft: Draft) -> str:
    """Have an act done and note in `draft` what it finds; return that, or BACK, SKIP or QUIT. Raises Unfound."""
    person.tell(f"Now {act.task}.")
    seen = watch_act(wires, person)
    if isinstance(seen, str):
        return seen
    edges, before = seen
    if len(act.names) == 2:
        found: Mapping[str, Wire] = dict(zip(act.names, judge_head(act, edges, before, draft), strict=True))
    else:
        found = {act.names[0]: judge(act, edges, before, wires.levels, draft)}
    draft.inputs.update(found)
    return ", ".join(f"{name} is wire {wire}" for name, wire in found.items())


def try_stop(wires: Wires, person: Person, refuses: Callable[[], bool], stop: Wire) -> None:
    """Have the emergency stop pressed, see that nothing can be switched on then, have it released. Raises Unfound."""
    person.tell("Now press the emergency stop once more, and leave it in.")
    _wait_for(wires, stop.number, stop.on)
    if not refuses():
        raise Unfound("stop", "the board would switch an output on while the emergency stop is pressed")
    person.tell("Now release it.")
    _wait_for(wires, stop.number, 1 - stop.on)


def _wait_for(wires: Wires, wire: int, level: int) -> None:
    until = wires.table.now_ms() + ANSWER_MS
    wires.look()
    while wires.levels[wire] != level:
        if wires.table.now_ms() >= until:
            raise Unfound("stop", f"wire {wire}, the emergency stop, does not answer any more")
        wires.table.pump(TICK_MS)
        wires.look()
    wires.table.pump(TICK_MS)


def _check_free(wire: int, name: str, draft: Draft) -> None:
    taken = draft.name_of_wire(wire)
    if taken not in (None, name):
        raise Unfound("taken", f"wire {wire} answers, and it is {taken}: the two touch, or another thing was moved")


def _told(wires: list[int], draft: Draft) -> str:
    names = [f"{wire} ({draft.name_of_wire(wire)})" if draft.name_of_wire(wire) else str(wire) for wire in wires]
    return f"wires {', '.join(names)}"
