"""Every time of the clock that a class keeps stands in the tables of `weeks`, so that it is turned back as well."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import wallwright_firmware
from tests.firmware.prescribing import FLAP_2, MOUTH, RING_18
from wallwright_firmware.app import App
from wallwright_firmware.line import Line
from wallwright_firmware.weeks import OF_APP, OF_LINE
from wallwright_protocol import link, machine
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation

PATHS = [*Path(wallwright_firmware.__path__[0]).rglob("*.py"), *(Path(str(one.__file__)) for one in (link, machine))]
SOURCES = {"now_ms", "at_ms", "until_ms", "due", "NEVER"}
"""Names of times of the clock."""
OTHERWISE = {
    **dict.fromkeys(["Saving._is_noted", "Board.has_line_news", "Cycle._is_cut"], "whether"),
    "Cycle._builds_whole": "whether",
    **dict.fromkeys(["Build._spent_ms", "Drum.turned_ms", "Eddy._on_ms", "Garbage._bytes"], "a sum of differences"),
    **dict.fromkeys(["Node._changes", "Node._heard_ms", "SortingNode._worked_ms"], "a node's own clock, modulo"),
    **dict.fromkeys(
        ["Readers._queue", "Readers._settling", "Sorter._seen_ms", "Sampler._epoch_ms", "SelfTests._done_ms"],
        "in its turn_back",
    ),
    **dict.fromkeys(["Garbage._counted_ms", "Garbage._begun_ms"], "of drives that are on, written when they go on"),
    **dict.fromkeys(["Outputs._off_at", "Outputs._past_at", "Counters._on_ms"], "of drives that are on, likewise"),
    "Board.sampler": "the sampler itself, which is given the clock",
    "Starts._surge_ma": "a current",
    "Rewiring.edge_times": "told modulo 2^16, and nothing else",
    **dict.fromkeys(["Worth._now_ms", "RingSorter._judging"], "of one reckoning, which is over at rest"),
}


def kept(source: str) -> Iterator[str]:
    """The attributes of classes that are made of a time."""
    for kind in ast.walk(ast.parse(source)):
        if not isinstance(kind, ast.ClassDef):
            continue
        for row in ast.walk(kind):
            if not isinstance(row, (ast.Assign, ast.AnnAssign, ast.AugAssign)) or row.value is None:
                continue
            used = {each.id for each in ast.walk(row.value) if isinstance(each, ast.Name)}
            used |= {each.attr for each in ast.walk(row.value) if isinstance(each, ast.Attribute)}
            for target in row.targets if isinstance(row, ast.Assign) else [row.target]:
                for each in ast.walk(target):
                    if used & SOURCES and isinstance(each, ast.Attribute) and ast.unparse(each.value) == "self":
                        yield f"{kind.name}.{each.attr}"


def turned(owner: Any, table: tuple[Any, ...]) -> Iterator[str]:
    """Times of `owner` that a table turns back, by its class and the bases of that."""
    if isinstance(owner, list):
        for one in owner:
            yield from turned(one, table)
        return
    for name in table:
        attribute = name if isinstance(name, str) else name[0]
        part = getattr(owner, attribute, None)
        if part is None:
            continue
        if isinstance(name, str):
            yield from (f"{kind.__name__}.{name}" for kind in type(owner).__mro__)
        else:
            yield f".{attribute}"
            yield from turned(part, name[1])


def all_turned() -> set[str]:
    """Times that tables with each kind of sorter turn back, set at a panel."""
    found = set(turned(Line(None), OF_LINE))  # type: ignore[arg-type]
    for hardware in (RING_18, FLAP_2, MOUTH):
        app = Simulation(1, hardware=hardware, readers=ALL_READERS).app
        assert isinstance(app, App)
        app.make_setup()
        found |= set(turned(app, OF_APP))
    return found


def names(table: tuple[Any, ...]) -> Iterator[str]:
    for name in table:
        yield name if isinstance(name, str) else name[0]
        yield from () if isinstance(name, str) else names(name[1])


def test_every_time_that_is_kept_is_turned_back() -> None:
    found = {attribute for path in PATHS for attribute in kept(path.read_text(encoding="utf-8"))}
    assert found - all_turned() == set(OTHERWISE)


def test_every_name_of_the_tables_is_something_that_is_kept() -> None:
    missing = {*names(OF_APP), *names(OF_LINE)} - {each.split(".")[1] for each in all_turned()}
    assert not missing


def test_the_check_sees_a_time() -> None:
    text = (
        "class One:\n    def start(self, now_ms):\n        self.due = self._ends[1] = now_ms + 3\n        self.at = 0\n"
    )
    assert set(kept(text)) == {"One.due", "One._ends"}
