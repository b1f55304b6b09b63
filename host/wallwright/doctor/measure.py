"""What takes how long at a table: strokes, ways and turns in service, eyes and belts in builds.

All times are between edges as the board has dated them, or what the board says of its own jogs; when this program has
heard of them does not matter.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from wallwright_protocol.hardware import SIDES

from ..errors import Forbidden
from ..link.reports import Event
from .bench import Bench, Edge, Jog, Look
from .limits import ENOUGH, Measured, Unhealthy

TURNS_MS = 10_000
"""Disc and ring run for so long in service, which the board allows at a time: some three turns of the ring."""
RUNS = 3
JOGGED_MS = 100
"""A belt that a look saw running back has done so for up to this much before and after it."""
HOMES = (
    ("lid_close", "lid_is_closed"),
    *((f"lift_lower_{side}", f"lift_down_{side}") for side in range(SIDES)),
    *((f"head_{side}", f"head_home_{side}") for side in range(SIDES)),
)

Samples = defaultdict[str, defaultdict[str, list[int]]]


def no_samples() -> Samples:
    """Return room for samples, by quantity and part."""
    return defaultdict(lambda: defaultdict(list))


def measured(samples: Samples) -> dict[str, Measured]:
    """Return what was measured so far."""
    return {
        quantity: Measured(quantity, {part: tuple(times) for part, times in parts.items() if times})
        for quantity, parts in samples.items()
        if any(parts.values())
    }


def measure_in_service(bench: Bench, strokes: int, ways: int, samples: Samples) -> Iterator[str]:
    """Move every head, lift, the lid and the drum in service; yield what is going to move, before it does.

    Add to `samples`; the time that a head needs to leave its vane is there as `leave_ms`. Raises Unhealthy when a
    sensor does not answer, and what `Bench.in_service` and `Bench.jog` raise.
    """
    with bench.in_service():
        yield "lid, lifts and heads go home"
        _go_home(bench)
        yield f"the lid opens and closes, {ways} times"
        for _ in range(ways):
            for drive in ("lid_open", "lid_close"):
                samples["lid_ms"]["the lid"].append(_to_switch(bench, drive))
        for side in range(SIDES):
            yield f"lift {side} goes up and down, {ways} times"
            for _ in range(ways):
                samples["lift_up_ms"][f"side {side}"].append(_to_switch(bench, f"lift_raise_{side}"))
                samples["lift_down_ms"][f"side {side}"].append(_to_switch(bench, f"lift_lower_{side}"))
        for side in range(SIDES):
            yield f"head {side} makes {strokes} strokes"
            for _ in range(strokes):
                _stroke(bench, side, samples)
        for drive in ("disc", "ring"):
            yield f"the {drive} turns"
            samples[f"{drive}_turn_ms"][f"the {drive}"] += _turns(bench, drive)


def take_build(looks: Sequence[Look], events: Sequence[Event], samples: Samples) -> bool:
    """Add what a build has shown; False, and nothing is added, when changes of inputs were missed."""
    if any(look.lost for look in looks):
        return False
    edges = [edge for look in looks for edge in look.edges]
    jammed = {event.fields["side"] for event in events if event.name == "notice"}
    started_ms = next(event.time_ms for event in events if event.name == "build_started")
    done_ms = next(event.time_ms for event in events if event.name == "build_done")
    for side in range(SIDES):
        part = f"side {side}"
        eye = [edge for edge in edges if edge.input == f"count_eye_{side}"]
        samples["belt_ms"][part] += [edge.time_ms - started_ms for edge in eye if edge.level][:1]
        back = [look.time_ms for look in looks if f"conveyor_reverse_{side}" in look.drives]
        samples["eye_dark_ms"][part] += [
            end - begin
            for begin, end in _spans(eye, 1)
            if end <= done_ms and not any(begin - JOGGED_MS < at < end + JOGGED_MS for at in back)
        ]
        if side not in jammed and samples["leave_ms"][part]:
            leave_ms = round(median(samples["leave_ms"][part]))
            home = [edge for edge in edges if edge.input == f"head_home_{side}"]
            samples["stroke_ms"][part] += [leave_ms + end - begin for begin, end in _spans(home, 0)]
    if None not in jammed:
        for drive in ("disc", "ring"):
            vane = [edge for edge in edges if edge.input == f"{drive}_vane" and started_ms < edge.time_ms < done_ms]
            samples[f"{drive}_turn_ms"][f"the {drive}"] += _between_rises(vane)
    return True


def _go_home(bench: Bench) -> None:
    for drive, end in HOMES:
        if end not in bench.look().inputs:
            _to_switch(bench, drive)


def _run(bench: Bench, drive: str, limit_ms: int) -> Jog:
    try:
        done = bench.jog(drive, limit_ms)
    except Forbidden as forbidden:
        raise Unhealthy(f"{forbidden}; then measure again") from forbidden
    if done.end not in ("time", "switch"):
        raise Unhealthy(f"{drive} was stopped by a {done.end}: nothing is measured; begin again")
    return done


def _to_switch(bench: Bench, drive: str) -> int:
    done = _run(bench, drive, bench.longest_jog_ms(drive))
    if done.end != "switch":
        raise Unhealthy(
            f"{drive} did not reach its end in {done.ran_ms} ms: run wallwright doctor test, mend, begin again"
        )
    return done.ran_ms


def _stroke(bench: Bench, side: int, samples: Samples) -> None:
    drive, home = f"head_{side}", f"head_home_{side}"
    done = _run(bench, drive, bench.longest_jog_ms(drive))
    away = _spans([edge for edge in done.edges if edge.input == home], 0)
    if done.end != "switch" or len(away) != 1:
        raise Unhealthy(
            f"{drive} did not leave home and come back in {done.ran_ms} ms: run wallwright doctor test, mend"
        )
    samples["stroke_ms"][f"side {side}"].append(done.ran_ms)
    samples["leave_ms"][f"side {side}"].append(done.ran_ms - (away[0][1] - away[0][0]))


def _turns(bench: Bench, drive: str) -> list[int]:
    turns: list[int] = []
    for _ in range(RUNS):
        done = _run(bench, drive, min(TURNS_MS, bench.longest_jog_ms(drive)))
        turns += _between_rises([edge for edge in done.edges if edge.input == f"{drive}_vane"])
        if len(turns) >= ENOUGH[f"{drive}_turn_ms"]:
            return turns
    raise Unhealthy(f"{drive}_vane came only now and then in {RUNS} runs of 10 s: run wallwright doctor test, mend")


def _spans(edges: Sequence[Edge], level: int) -> list[tuple[int, int]]:
    """Return when an input went to `level` and when it left it again, from its edges in their order."""
    spans = []
    begun: int | None = None
    for edge in edges:
        if edge.level == level:
            begun = edge.time_ms
        elif begun is not None:
            spans.append((begun, edge.time_ms))
            begun = None
    return spans


def _between_rises(edges: Sequence[Edge]) -> list[int]:
    rises = [edge.time_ms for edge in edges if edge.level]
    return [after - before for before, after in pairwise(rises)]
