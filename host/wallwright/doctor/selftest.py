"""The self-test: one step after the other, each announced and judged; nothing is repeated or mended."""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial

from ..errors import Forbidden, Refused, TableFault
from .bench import Bench
from .expected import expected
from .steps import ANSWER_MS, NotTested, Person, Step, Wrong, steps
from .upkeep import read_settings

PASSED, FAILED, NOT_TESTED = "passed", "failed", "not tested"

CLEAR_TABLE = "The lid and the lifts will move. Is nothing on them, and is nobody's hand near?"


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a step: PASSED, FAILED or NOT_TESTED, and what was found."""

    step: str
    verdict: str
    found: str
    look_for: str


def run_self_test(
    bench: Bench, person: Person | None, announce: Callable[[Step], None]
) -> Generator[Result, None, None]:
    """Yield a result for every step. `announce` is called before a step moves anything.

    A fault of the table ends the moving: the steps after it are not tested. Without a person nobody is asked, so that
    lid and lifts have to be clear. Raises Refused when the table does not stand still. Close the iterator to stop.
    """
    stopped = ""

    def result_of(step: Step, why_not: str) -> Result:
        nonlocal stopped
        if stopped or why_not:
            return Result(step.name, NOT_TESTED, stopped or why_not, step.look_for)
        announce(step)
        result, stopped = _try(bench, step)
        return result

    with bench.in_service():
        times = expected(read_settings(bench.table))
        is_clear = person is None or person.agrees(CLEAR_TABLE)
        for step in steps(person, times, claim_keys=bench.has_claim_keys()):
            yield result_of(step, "" if is_clear or not step.on_top else "lid and lifts are not clear")
    if person is not None:
        yield result_of(
            Step(
                "emergency stop",
                "a person: press the emergency stop, then release it; the fault is then cleared",
                "emergency_stop comes on, the table stands in the fault emergency_stop, and the input goes off again",
                partial(_emergency_stop, person),
            ),
            "",
        )


def _try(bench: Bench, step: Step) -> tuple[Result, str]:
    """Return the result of a step, and why nothing can be tried after it."""
    try:
        return Result(step.name, PASSED, step.check(bench), step.look_for), ""
    except Wrong as wrong:
        return Result(step.name, FAILED, str(wrong), step.look_for), ""
    except (NotTested, Forbidden) as reason:
        return Result(step.name, NOT_TESTED, str(reason), step.look_for), ""
    except Refused as refused:
        # A key or another program has ended the service; what stands in the carriers only keeps single drives away.
        gone = "" if refused.refusal == "walls_below" else f"the table's state is {refused.state}"
        return Result(step.name, NOT_TESTED, str(refused), step.look_for), gone
    except TableFault as fault:
        return Result(step.name, FAILED, str(fault), step.look_for), f"the table stands in the fault {fault.fault}"


def _emergency_stop(person: Person, bench: Bench) -> str:
    bench.look()
    if person.does("Now press the emergency stop.") is None:
        raise NotTested("skipped")
    if not any(edge.input == "emergency_stop" for edge in bench.wait_edge("emergency_stop", 1, ANSWER_MS)):
        raise Wrong("emergency_stop did not come on")
    fault = bench.table.status().fault
    if fault != "emergency_stop":
        raise Wrong(f"emergency_stop came on, and the table's fault is {fault or 'none'}")
    person.does("Now release the emergency stop.")
    released = bench.wait_edge("emergency_stop", 0, ANSWER_MS)
    if not any(edge.input == "emergency_stop" and not edge.level for edge in released):
        raise Wrong("emergency_stop stayed on")
    bench.table.clear_fault()
    return "on, with its fault, and off"
