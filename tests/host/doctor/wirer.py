"""Somebody who has wired a simulated table, perhaps with mistakes, and does what the search asks for.

The mistakes are made here, and what may be said of each is written down beside it: the search knows nothing of it.
"""

import random
import re
from dataclasses import dataclass, field, replace
from functools import partial

from wallwright.doctor.wiring.wire_map import OUTPUTS, Wire, WireMap
from wallwright_protocol.hardware import SIDES
from wallwright_protocol.names import DRIVES, INPUTS
from wallwright_simulator.harness import Harness, shuffled
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.world import World

TWO_WAYS = (
    ("lid_open", "lid_close"),
    *((f"{one}_{side}", f"{other}_{side}") for side in range(SIDES) for one, other in (
        ("lift_raise", "lift_lower"), ("conveyor", "conveyor_reverse"),
    )),
)  # fmt: skip
"""Drives of one motor each: turned round it is the same as with their outputs changed over."""
ONE_WAY = ("disc", "ring", *(f"head_{side}" for side in range(SIDES)))
ON_AT_REST = ("lid_is_closed", *(f"lift_down_{s}" for s in range(SIDES)), *(f"head_home_{s}" for s in range(SIDES)))
_TASKS = (
    (r"press the (lift|dice|referee|claim) key of side (\d)", "{0}_key_{1}"),
    (r"finger into the counting eye of side (\d)", "count_eye_{0}"),
    (r"finger into the belt-full eye of side (\d)", "belt_full_{0}"),
    (r"upper switch of the lift of side (\d)", "lift_up_{0}"),
    (r"lower switch of the lift of side (\d)", "lift_down_{0}"),
    (r"switch that the open lid reaches", "lid_is_open"),
    (r"switch that the closed lid presses", "lid_is_closed"),
    (r"card into the slot of the (disc|ring)'s vane", "{0}_vane"),
)
_LETTERS = {"conveyor": "f", "conveyor_reverse": "b", "lift_lamp": "l", "dice_lamp": "k"}


@dataclass(frozen=True)
class Mistake:
    """`kind` of wiring mistake, and which (part, kind) of a problem says it rightly; none: it does no harm."""

    kind: str
    parts: tuple[str, ...]
    told_as: frozenset[tuple[str, str]]
    of_inputs: bool = False


@dataclass
class Wired:
    """A table as somebody has wired it: what is connected to what, and the mistakes."""

    harness: Harness
    mistakes: tuple[Mistake, ...] = ()
    backwards: set[str] = field(default_factory=set)
    turned_vanes: set[int] = field(default_factory=set)

    def map(self) -> WireMap:
        """The map that this table should have."""
        harness = self.harness
        return WireMap(
            harness.lanes,
            {INPUTS[n]: Wire(wire, 0 if n in harness.inverted else 1) for n, wire in harness.inputs.items()},
            {OUTPUTS[n]: wire for n, wire in harness.outputs.items()},
        )

    def table(self, seed: int) -> Simulation:
        """The table itself, at rest."""
        world = World(seed, log_drives=True)
        for side in self.turned_vanes:
            world.heads[side].turn_vane()
        world.edges.clear()
        return Simulation(seed, world=world, harness=self.harness)


def wire_up(seed: int | str, mistakes: int = 0, lanes: tuple[int, ...] = (0, 1, 2, 3)) -> Wired:
    """A table whose wires somebody has connected in any order, with so many mistakes at different parts."""
    chance = random.Random(f"{seed}/mistakes")
    made = Wired(shuffled(seed, lanes))
    touched: set[str] = set()
    while len(made.mistakes) < mistakes:
        kind = chance.choice(("open", "short", "vane", "backwards", "turned round", "dead"))
        parts = _parts(kind, chance, lanes)
        if touched.isdisjoint(_near(parts)):
            touched.update(_near(parts))
            made = _with(made, kind, parts)
    return made


def _parts(kind: str, chance: random.Random, lanes: tuple[int, ...]) -> tuple[str, ...]:
    inputs = [name for name in INPUTS if not name[-1].isdigit() or int(name[-1]) in lanes]
    drives = [name for name in DRIVES if not name[-1].isdigit() or int(name[-1]) in lanes]
    if kind == "open":
        return (chance.choice(inputs),)
    if kind == "short":
        return tuple(chance.sample(inputs, 2))
    if kind == "vane":
        return (f"head_home_{chance.choice(lanes)}",)
    if kind == "backwards":
        return (chance.choice([name for name in ONE_WAY if name in drives]),)
    if kind == "turned round":
        return chance.choice([pair for pair in TWO_WAYS if pair[0] in drives])
    return (chance.choice(drives),)


def _near(parts: tuple[str, ...]) -> set[str]:
    """What one mistake there may hide of another: both vanes of a head, both ways of a motor."""
    near = set(parts)
    for name in parts:
        near |= {f"head_home_{name[-1]}", f"head_pushed_{name[-1]}"} if "head_" in name else set()
        near |= {each for pair in TWO_WAYS if name in pair for each in pair}
    return near


def _with(made: Wired, kind: str, parts: tuple[str, ...]) -> Wired:
    harness = made.harness
    numbers = [INPUTS.index(name) for name in parts if name in INPUTS]
    told: set[tuple[str, str]] = set()
    if kind == "open":
        inputs = {number: wire for number, wire in harness.inputs.items() if number not in numbers}
        harness = replace(harness, inputs=inputs)
        told = {(name, "no_answer") for name in _asked_with(parts[0])}
    elif kind == "short":
        one, other = numbers
        inverted = harness.inverted - {other} | ({other} if one in harness.inverted else set())
        harness = replace(harness, inverted=frozenset(inverted), shorts=(*harness.shorts, (one, other)))
        told = {(name, why) for part in parts for name in _asked_with(part) for why in ("several", "no_answer")}
        if not set(parts) <= set(ON_AT_REST) and not _is_hidden(parts):
            told = {(name, why) for name, why in told if why == "several"}
    elif kind == "vane":
        made.turned_vanes.add(int(parts[0][-1]))
        told = {(name, "vane") for name in _asked_with(parts[0])}
    elif kind == "backwards":
        made.backwards.add(parts[0])
        told = {(parts[0], "backwards")}
    else:
        outputs = dict(harness.outputs)
        at = [OUTPUTS.index(name) for name in parts]
        if kind == "turned round":
            outputs[at[0]], outputs[at[1]] = outputs[at[1]], outputs[at[0]]
        else:
            del outputs[at[0]]
            told = {(parts[0], "dead")}
        harness = replace(harness, outputs=outputs)
    mistake = Mistake(kind, parts, frozenset(told), kind in ("open", "short", "vane"))
    return replace(made, harness=harness, mistakes=(*made.mistakes, mistake))


def _asked_with(name: str) -> tuple[str, ...]:
    """The inputs that one act finds together with this one."""
    if name.startswith(("head_home", "head_pushed")):
        return (f"head_home_{name[-1]}", f"head_pushed_{name[-1]}")
    return (name,)


def _is_hidden(parts: tuple[str, ...]) -> bool:
    """One of the two is on at rest and hides the other; only its own act could show both."""
    return any(name in ON_AT_REST for name in parts)


def wrong_in(made: Wired, verdict: str, problems: set[tuple[str, str]], found: WireMap | None) -> str:
    """What is wrong with what a search says of this table; nothing when all is right."""
    inputs_first = [mistake for mistake in made.mistakes if mistake.of_inputs]
    harmful = inputs_first or [mistake for mistake in made.mistakes if mistake.told_as]
    if not harmful:
        if verdict != "found" or found is None:
            return f"{verdict} and not found: {problems}"
        wanted = made.map()
        return "" if (found.inputs, found.outputs) == (wanted.inputs, wanted.outputs) else "another map"
    if verdict != "refused":
        return f"{verdict} with {harmful}"
    for mistake in harmful:
        if not problems & mistake.told_as:
            return f"{mistake} is not told: {problems}"
    parts = {part for mistake in harmful for name in mistake.parts for part in _asked_with(name)}
    for part, kind in problems:
        partner = part.replace("lower", "raise").replace("lid_close", "lid_open")
        if part not in parts and not (kind == "not_tried" and partner in parts):
            return f"{part} is told as {kind}, and nothing is wrong with it: {made.mistakes}"
    return ""


class Wirer:
    """Does every act half a second after it was asked for, and says truly what can be seen.

    `answers` are given first, in their order, to the questions in whose text their key is.
    """

    def __init__(self, made: Wired, simulation: Simulation, answers: list[tuple[str, str]] | None = None) -> None:
        self.made = made
        self.simulation = simulation
        self.answers = answers or []
        self.told: list[str] = []
        self.asked: list[str] = []
        self.types: list[str] = []
        self._seen = 0

    def tell(self, text: str) -> None:
        self.told.append(text)
        world, now_ms = self.simulation.world, self.simulation.now_ms
        if "emergency stop, then release" in text:
            world.later(now_ms + 500, partial(world.emergency_stop, True))
            world.later(now_ms + 900, partial(world.emergency_stop, False))
        elif "emergency stop once more" in text:
            world.later(now_ms + 500, partial(world.emergency_stop, True))
        elif "Now release it" in text:
            world.later(now_ms + 500, partial(world.emergency_stop, False))
        turned = re.search(r"turn the head of side (\d) by hand", text)
        if turned:
            for step in range(4):
                world.later(now_ms + 500 + 200 * step, world.heads[int(turned[1])].turn)
        for pattern, name in _TASKS:
            found = re.search(pattern, text)
            if found:
                number = INPUTS.index(name.format(*found.groups()))
                level = world.sensors.truth[number]
                world.sensors.contact_at(now_ms + 500, number, 1 - level)
                world.sensors.contact_at(now_ms + 900, number, level)

    def typed(self) -> str | None:
        return self.types.pop(0) if self.types else None

    def ask(self, question: str) -> str:
        self.asked.append(question)
        for at, (key, answer) in enumerate(self.answers):
            if key in question:
                del self.answers[at]
                return answer
        if "Which sides have a lane" in question:
            return ",".join(map(str, self.made.harness.lanes))
        if "[g]o on without it" in question:
            return "g"
        turned = re.search(r"head of side (\d) turn", question)
        if turned:
            return "n" if f"head_{turned[1]}" in self.made.backwards else "y"
        shown = re.search(r"Output (\d+) was on", question)
        if shown:
            return self._what_was_seen(int(shown[1]))
        return "y"

    def _what_was_seen(self, output: int) -> str:
        """What the world's motors did since the last question, and what the lamp on this output must have shown."""
        log = self.simulation.world.drive_log
        driven = 0
        for _, mask in log[self._seen :]:
            driven |= mask
        self._seen = len(log)
        for number, wire in self.made.harness.outputs.items():
            if wire == output and OUTPUTS[number] not in DRIVES:
                name = OUTPUTS[number]
                return f"{_LETTERS[name[:-2]]}{name[-1]}"
        for number, name in enumerate(DRIVES):
            if driven >> number & 1 and self.made.harness.outputs.get(number) == output:
                return self._motion(name)
        return "n"

    def _motion(self, name: str) -> str:
        minus = "-" if name in self.made.backwards else ""
        if name in ("disc", "ring"):
            return f"{name[0]}{minus}"
        return f"{_LETTERS[name[:-2]]}{name[-1]}" if name[:-2] in _LETTERS else "n"
