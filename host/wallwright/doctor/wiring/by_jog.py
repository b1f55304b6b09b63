"""Finding the outputs: one at a time is on for the shortest time that shows something.

First inputs alone answer, by jogs that grow: a lift or the lid leaves its switch or comes back to it, a head leaves its
home. What no input sees, a person says: belts, disc, ring, lamps, and which way a motor turned.
"""

from dataclasses import dataclass

from ...errors import Refused
from .by_hand import BACK, QUIT, Person, Unfound
from .draft import Draft
from .wire_map import OUTPUTS, STOP, Wire
from .wires import WireJog, Wires

PULSES_MS = (80, 160, 320)
"""A head leaves its vane after some 30 ms, a switch is left after some 40."""
SEEN_MS = 400
"""A person sees a belt or a lamp that was on for so long."""
HOME_MS = 1500
"""A head is home again in a third of it; a lift that a pulse has raised is down in less."""
LEAVES = {"lid_is_closed": "lid_open"} | {f"lift_down_{s}": f"lift_raise_{s}" for s in range(4)}
REACHES = {"lid_is_closed": "lid_close"} | {f"lift_down_{s}": f"lift_lower_{s}" for s in range(4)}
WHAT = (
    "[n]othing, [d]isc, [r]ing, [f0] to [f3] the belt of that side towards its head, [b0] to [b3] back to the drum, "
    "[l0] to [l3] the lamp of a lift key, [k0] to [k3] that of a dice key; with a minus behind it when a motor turned "
    "against its arrow, as in d-; [a]gain, [back], [q]uit: "
)
_ONCE = {"d": "disc", "r": "ring"}
_OF_SIDE = {"f": "conveyor", "b": "conveyor_reverse", "l": "lift_lamp", "k": "dice_lamp"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What an output drives, by the inputs: the drive, and the input that said so."""

    drive: str
    by: str


class Stopped(Exception):
    """A jog was stopped by somebody: the text says how."""


def stop_of(draft: Draft) -> Wire:
    """Return the wire of the emergency stop."""
    return draft.inputs[STOP]


def jog(wires: Wires, draft: Draft, output: int, limit_ms: int, end: Wire | None = None) -> WireJog:
    """Have an output on for a moment. Raises Stopped when a key or the emergency stop has ended it; see Wires.jog."""
    keys = tuple(wire for name, wire in draft.inputs.items() if "_key_" in name)
    if any(edge.wire == key.number for edge in wires.look() for key in keys):
        raise Stopped("a key was pressed; nothing is switched on any more")
    try:
        done = wires.jog(output, limit_ms, stop_of(draft), keys, end)
    except Refused as refused:
        if refused.refusal != "forbidden":
            raise
        raise Stopped("the emergency stop is pressed") from refused
    if done.end not in ("time", "switch"):
        who = {"key": "a key", "fault": "the emergency stop"}.get(done.end, done.end)
        raise Stopped(f"output {output} was stopped after {done.ran_ms} ms by {who}")
    return done


def judge(done: WireJog, levels: tuple[int, ...], draft: Draft) -> Answer | None:
    """Return what a jog has moved by what the inputs saw, None when none of them answered. Raises Unfound."""
    moved: dict[str, bool] = {}
    for edge in done.edges:
        name = draft.name_of_wire(edge.wire)
        if name is not None:
            moved[name] = levels[edge.wire] == draft.inputs[name].on
    answers = {}
    for name, is_on in moved.items():
        if name in LEAVES:
            answers[REACHES[name] if is_on else LEAVES[name]] = name
        elif name.startswith(("head_home", "head_pushed")):
            answers[f"head_{name[-1]}"] = name
        elif name in ("disc_vane", "ring_vane"):
            answers[name[:-5]] = name
        else:
            raise Unfound("wrong_switch", f"{name} answers, which no drive moves from its home: the wrong switch moved")
    if len(answers) > 1:
        raise Unfound("several", f"{' and '.join(sorted(answers))} answer to one output")
    return next((Answer(drive, by) for drive, by in answers.items()), None)


def find_by_inputs(wires: Wires, person: Person, draft: Draft, problems: dict[str, Unfound]) -> None:
    """Find the outputs of lid, lifts and heads. Problems go under the name of the drive, or `output n`."""
    wanted = wanted_by_inputs(draft)
    for pulse_ms in PULSES_MS:
        for _ in range(2):  # what brings something back can be found only once it is away
            for output in range(len(OUTPUTS)):
                if wanted <= draft.outputs.keys():
                    return
                if draft.name_of_output(output) is None and f"output {output}" not in problems:
                    _pulse(wires, person, draft, problems, output, pulse_ms)


def wanted_by_inputs(draft: Draft) -> set[str]:
    """Return the drives that inputs can tell, as far as those are found."""
    ends = {drive for end, drive in (*LEAVES.items(), *REACHES.items()) if end in draft.inputs}
    return ends | {f"head_{side}" for side in draft.lanes if f"head_home_{side}" in draft.inputs}


def _pulse(
    wires: Wires, person: Person, draft: Draft, problems: dict[str, Unfound], output: int, pulse_ms: int
) -> None:
    done = jog(wires, draft, output, pulse_ms)
    try:
        answer = judge(done, wires.levels, draft)
        if answer is None:
            return
        taken = draft.outputs.get(answer.drive)
        if taken is not None:
            raise Unfound("taken", f"{answer.drive} answers, and output {taken} drives it already")
    except Unfound as unfound:
        problems[f"output {output}"] = unfound
        return
    draft.outputs[answer.drive] = output
    person.tell(f"Output {output} is {answer.drive}: {answer.by} answers.")
    home = draft.inputs.get(answer.drive.replace("head_", "head_home_"))
    if not answer.drive.startswith("head_") or home is None:
        return
    if not _agrees(person, f"Did the head of side {answer.drive[-1]} turn as its arrow shows?"):
        problems[answer.drive] = _backwards(answer.drive)
    if wires.levels[home.number] != home.on and jog(wires, draft, output, HOME_MS, home).end != "switch":
        problems[answer.drive] = Unfound("stays", f"{answer.drive} does not come home again")


def find_by_eye(wires: Wires, person: Person, draft: Draft, problems: dict[str, Unfound]) -> bool:
    """Ask a person what each other output moves or lights; False when the person wants to quit."""
    asked: list[int] = []
    left = [output for output in range(len(OUTPUTS)) if draft.name_of_output(output) is None]
    at = 0
    while at < len(left):
        output = left[at]
        done = jog(wires, draft, output, SEEN_MS)
        said = person.ask(f"Output {output} was on for {SEEN_MS / 1000:g} s. What moved or was lit? {WHAT}").strip()
        if said == QUIT:
            return False
        if said in ("back", BACK) and asked:
            at -= 1
            before = asked.pop()
            name = draft.name_of_output(before)
            if name is not None:
                del draft.outputs[name]
                problems.pop(name, None)
            problems.pop(f"output {before}", None)
            continue
        name, is_wrong_way = parse_what(said)
        if name is None:
            continue  # again, or not understood: it is shown once more
        asked.append(output)
        at += 1
        if name:
            _note(name, is_wrong_way, output, draft, problems)
        else:
            _note_silent(done, wires.levels, output, draft, problems)
    return True


def parse_what(said: str) -> tuple[str | None, bool]:
    """Return what the person saw, "" for nothing, None for no such answer; and whether it turned the wrong way."""
    word = said.strip().lower()
    is_wrong_way = word.endswith("-")
    word = word.rstrip("-")
    if word in ("n", "nothing", ""):
        return "", False
    if word in _ONCE:
        return _ONCE[word], is_wrong_way
    if len(word) == 2 and word[0] in _OF_SIDE and word[1] in "0123":
        return f"{_OF_SIDE[word[0]]}_{word[1]}", is_wrong_way
    return None, False


def _note(name: str, is_wrong_way: bool, output: int, draft: Draft, problems: dict[str, Unfound]) -> None:
    taken = draft.outputs.get(name)
    if taken is not None:
        problems[f"output {output}"] = Unfound("taken", f"output {output} drives {name}, and so does output {taken}")
        return
    draft.outputs[name] = output
    if is_wrong_way:
        problems[name] = _backwards(name)


def _note_silent(
    done: WireJog, levels: tuple[int, ...], output: int, draft: Draft, problems: dict[str, Unfound]
) -> None:
    """Nobody has seen anything; no input may have either."""
    try:
        answer = judge(done, levels, draft)
    except Unfound as unfound:
        problems[f"output {output}"] = unfound
        return
    if answer is not None:
        problems[f"output {output}"] = Unfound("wrong_switch", f"{answer.by} answers to output {output}, unseen")


def _agrees(person: Person, question: str) -> bool:
    while True:
        said = person.ask(f"{question} [y]es, [n]o: ").strip().lower()
        if said[:1] in ("y", "n"):
            return said[:1] == "y"
        if said == QUIT:
            raise Stopped("the person has left")


def _backwards(drive: str) -> Unfound:
    return Unfound("backwards", f"{drive} turns against its arrow: change over the two wires of its motor")
