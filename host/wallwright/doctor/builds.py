"""Test builds: walls built one after the other, each counted in full, until the first error.

What stands in the carriers leaves them upwards only, so each build takes a set of its own: between two builds people
push the tiles on the table into the drum and draw the raised walls in.
"""

from collections import Counter
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

from wallwright_protocol.hardware import SIDES

from ..errors import CountsDiffer, TableFault
from ..link.reports import Event
from .bench import TICK_MS, Bench, Look
from .steps import Person

BUILD_LIMIT_MS = 120_000
"""The table itself gives up after 80 s, stops and mending apart."""
MOVE_LIMIT_MS = 30_000
WATCHED_S = 10
"""A dropped set is washed for so long, unless its build is started before."""

Hear = Callable[[Sequence[Look], Sequence[Event]], None]


@dataclass(frozen=True, slots=True)
class Built:
    """A finished build. Tuples are by side: stacks, when each side was whole, and what the inputs showed meanwhile.

    `pulses` are tiles that passed the counting eye; more than two a stack passed it again after a jog. `notices` are
    (fault, side, tries) of what the table got over by itself.
    """

    number: int
    duration_ms: int
    stacks: tuple[int, ...]
    after_ms: tuple[int, ...]
    pulses: tuple[int, ...]
    pushes: tuple[int, ...]
    missed: int
    notices: tuple[tuple[str, int | None, int], ...]


def nobody_hears(_: Sequence[Look], __: Sequence[Event]) -> None:
    """Nobody wants to know how a build went in detail."""


def run_builds(bench: Bench, person: Person, times: int, hear: Hear = nobody_hears) -> Generator[Built, None, None]:
    """Build `times` walls, or fewer when the person skips pushing the tiles in; yield each as soon as it is checked.

    `hear` is told all looks and events of each build before that.
    Raises TableFault, CountsDiffer when two ways of counting do not agree, Refused when the table does not stand ready.
    """
    table = bench.table
    now = table.status()
    try:
        for number in range(1, times + 1):
            is_ready = table.state == "ready"
            # Washed, so that the next build starts when it is watched. The plan itself stays the table's own.
            table.set_plan(now.plan, now.dealer, "turned", WATCHED_S if is_ready else 0)
            if is_ready and not _turn_over(bench, person):
                return
            yield _build(bench, number, hear)
    finally:
        table.set_plan(now.plan, now.dealer, mode="turned")


def _turn_over(bench: Bench, person: Person) -> bool:
    """Bring the walls up and the set on the table into the drum; False when the person does not want to."""
    table = bench.table
    if person.does("The lid is going to open. Then push all tiles on the table into the drum.") is None:
        return False
    table.open_lid()
    table.wait_state("lid_open", MOVE_LIMIT_MS)
    if person.does("Now push all tiles on the table into the drum.") is None:
        return False
    table.raise_walls()
    table.wait_state("walls_up", MOVE_LIMIT_MS)
    if person.does("Now draw the walls in from the lifts.") is None:
        return False
    table.lower_lifts()
    table.wait_state("shuffling", MOVE_LIMIT_MS)
    return True


def _build(bench: Bench, number: int, hear: Hear) -> Built:
    """Start a build and watch every input until its end has been checked by the table and here."""
    table = bench.table
    before = table.status().newest_event
    bench.look()
    table.start_build()
    seen: Counter[str] = Counter()
    events: list[Event] = []
    missed = 0
    looks = []
    until = table.now_ms() + BUILD_LIMIT_MS
    while True:
        look = bench.look()
        looks.append(look)
        missed += look.lost
        seen.update(edge.input for edge in look.edges if edge.level)
        news = [event for event in table.events() if event.seq > before]
        for event in news:
            if event.name == "fault":
                fields = event.fields
                raise TableFault(fields["fault"], fields["side"], fields["found"], fields["wanted"])
        events += news
        # The drum turns on for some seconds after the last stack, to see whether a tile is left.
        if not look.drives and any(event.name == "build_done" for event in events):
            hear(looks, events)
            return _checked(number, events, seen, missed)
        if table.now_ms() >= until:
            raise table.late("build_done", BUILD_LIMIT_MS)
        table.pump(TICK_MS)


def _checked(number: int, events: list[Event], seen: Counter[str], missed: int) -> Built:
    done = next(event for event in events if event.name == "build_done").fields
    after_ms = {event.fields["side"]: event.fields["after_ms"] for event in events if event.name == "side_done"}
    plan = next(event for event in events if event.name == "build_started").fields["plan"]
    notices = [event.fields for event in events if event.name == "notice"]
    built = Built(
        number,
        done["duration_ms"],
        done["stacks"],
        tuple(after_ms.get(side, 0) for side in range(SIDES)),
        tuple(seen[f"count_eye_{side}"] for side in range(SIDES)),
        tuple(seen[f"head_pushed_{side}"] for side in range(SIDES)),
        missed,
        tuple((each["fault"], each["side"], each["tries"]) for each in notices if each["fault"] != "wash_cut"),
    )
    for side in range(SIDES):
        if built.stacks[side] != plan[side]:
            raise CountsDiffer(side, f"{built.stacks[side]} stacks built", f"{plan[side]} planned")
        if not missed and built.pushes[side] != built.stacks[side]:
            raise CountsDiffer(
                side, f"{built.stacks[side]} stacks counted", f"{built.pushes[side]} pushes of its head seen"
            )
    return built
