"""The search for a table's wiring: inputs by hand, outputs by jogs, then the map, or every reason against one.

No output is tried before every input is found: nothing moves while a switch is not known. Nothing is written on the
board before the end. After each step the draft is kept, so that a search that was cut off goes on; until then nothing
is connected to the board.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wallwright_protocol.hardware import SIDES
from wallwright_protocol.names import DRIVES

from ...table.table import Table
from .by_hand import BACK, QUIT, SKIP, Act, Person, Unfound, acts, find, try_stop
from .by_jog import Stopped, find_by_eye, find_by_inputs, jog, stop_of
from .draft import Draft
from .on_board import begin_wiring
from .wire_map import OUTPUTS, STOP, WireMap
from .wires import Wires

CLEAR = "Is the lid closed, are all lifts down, all heads at home, carriers and heads empty, and is nobody's hand near?"
OPTIONAL = ("referee_key", "claim_key", "belt_full")
"""Inputs that a table may lack."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a part cannot be in the map: `kind` is a word for programs."""

    part: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """What a search has come to: a map, or the problems that are in its way; neither when it was left unfinished."""

    wire_map: WireMap | None
    problems: tuple[Problem, ...] = ()
    steps: tuple[tuple[str, str], ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the report as plain values."""
        return {
            "verdict": "found" if self.wire_map else "refused" if self.problems else "unfinished",
            "hash": self.wire_map.hash if self.wire_map else None,
            "problems": [{"part": each.part, "kind": each.kind, "text": each.text} for each in self.problems],
            "steps": [{"step": step, "found": found} for step, found in self.steps],
        }


class Search:
    """One search at a connected table; `keep` is called after every step with the draft."""

    def __init__(self, table: Table, person: Person, draft: Draft, keep: Callable[[Draft], None]) -> None:
        self._table = table
        self._person = person
        self._draft = draft
        self._keep = keep
        self._wires = Wires(table, interlocked="interlocked" in draft.carrier)
        self._problems: dict[str, Unfound] = {}
        self._steps: list[tuple[str, str]] = []

    def run(self) -> Found:
        """Search. Raises Refused when the table does not stand still, TableFault when something has ended the search.

        Whatever happens, nothing moves afterwards, and nothing is connected to the board before it has a map.
        """
        begin_wiring(self._table)
        self._table.status()
        try:
            is_done = self._ask_what_there_is() and self._find_inputs() and self._find_outputs()
        except Stopped as stopped:
            self._person.tell(str(stopped))
            is_done = False
        finally:
            self._end()
        if not is_done:
            return Found(None, steps=tuple(self._steps))
        problems = self._judge()
        return Found(None if problems else self._draft.map(), tuple(problems), tuple(self._steps))

    def _ask_what_there_is(self) -> bool:
        draft = self._draft
        while not draft.lanes:
            said = self._person.ask("Which sides have a lane? [Enter] all four, or as in 0,2: ").strip()
            if said == QUIT:
                return False
            sides = set(said.replace(",", " ").split()) or {"0", "1", "2", "3"}
            if sides <= {str(side) for side in range(SIDES)}:
                draft.lanes = tuple(sorted(map(int, sides)))
                draft.claim_keys = self._person.ask("Has it claim keys at this board? [y]es, [n]o: ").strip() == "y"
                self._keep(draft)
        return True

    def _find_inputs(self) -> bool:
        todo = list(acts(self._draft.lanes, self._draft.claim_keys))
        at = 0
        while at < len(todo):
            act = todo[at]
            if all(name in self._draft.inputs or name in self._draft.skipped for name in act.names):
                at += 1
                continue
            said = self._find(act)
            if said == QUIT:
                return False
            if said == BACK and at:
                at -= 1
                for name in todo[at].names:
                    self._draft.inputs.pop(name, None)
                    self._problems.pop(name, None)
                    if name in self._draft.skipped:
                        self._draft.skipped.remove(name)
            elif said == SKIP:
                self._draft.skipped.extend(act.names)
                at += 1
            elif said != BACK:
                at += 1
            self._keep(self._draft)
        return True

    def _find(self, act: Act) -> str:
        """Have an act done until it finds something, or the person gives it up; return what was decided."""
        while True:
            try:
                found = find(act, self._wires, self._person, self._draft)
            except Unfound as unfound:
                self._person.tell(f"  {unfound}")
                said = self._person.ask("  [a]gain, [g]o on without it, [b]ack, [q]uit: ").strip().lower()[:1]
                if said in (BACK, QUIT):
                    return said
                if said == "g":
                    self._problems.update(dict.fromkeys(act.names, unfound))
                    self._steps.append((act.task, str(unfound)))
                    return ""
                continue
            if found in (BACK, SKIP, QUIT):
                return found
            self._person.tell(f"  {found}")
            self._steps.append((act.task, found))
            return ""

    def _find_outputs(self) -> bool:
        draft, person = self._draft, self._person
        if self._problems or STOP not in draft.inputs or self._lacking():
            person.tell("Nothing is moved before every input is found.")
            return True
        try:
            try_stop(self._wires, person, self._refuses, stop_of(draft))
        except Unfound as unfound:
            self._problems[STOP] = unfound
            return True
        self._steps.append(("try the emergency stop", "the board switches nothing on while it is pressed"))
        if person.ask(f"{CLEAR} [y]es: ").strip().lower()[:1] != "y":
            return False
        try:
            find_by_inputs(self._wires, person, draft, self._problems)
            self._keep(draft)
            return find_by_eye(self._wires, person, draft, self._problems)
        finally:
            self._keep(draft)
            self._steps.extend((f"output {output}", name) for name, output in draft.outputs.items())

    def _refuses(self) -> bool:
        try:
            jog(self._wires, self._draft, 0, 1)
        except Stopped:
            return True
        return False

    def _judge(self) -> list[Problem]:
        """Return every reason against a map."""
        draft = self._draft
        problems = [Problem(part, unfound.kind, str(unfound)) for part, unfound in self._problems.items()]
        known = {problem.part for problem in problems}
        problems += [
            Problem(name, "skipped", f"{name} was left out, and no table works without") for name in self._lacking()
        ]
        for name in () if problems and not draft.outputs else OUTPUTS:
            if name in draft.outputs or name in known or not self._is_there(name):
                continue
            partner = name.replace("lower", "raise").replace("lid_close", "lid_open")
            if partner != name and partner not in draft.outputs:
                text = f"nothing could show {name}, since nothing is {partner}"
                problems.append(Problem(name, "not_tried", text))
            else:
                problems.append(Problem(name, "dead", f"no output is {name}: it is not connected, or has no supply"))
        if not problems:
            problems = [Problem("map", "contradiction", text) for text in draft.map().problems()]
        return problems

    def _lacking(self) -> list[str]:
        return [name for name in self._draft.skipped if not name.startswith(OPTIONAL)]

    def _is_there(self, name: str) -> bool:
        return name in (*DRIVES[:2], *DRIVES[-2:]) or int(name[-1]) in self._draft.lanes

    def _end(self) -> None:
        """Switch off what may be on. Nothing is connected until there is a map: an old one may light a motor."""
        self._table.request("stop")
