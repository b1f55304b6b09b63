"""Conformance: what every board that speaks this protocol must do, asked over whatever port it is on.

    .venv-dev/bin/python -m pytest tests/conformance

asks a simulated table behind every kind of port, MicroPython too.

    .venv-dev/bin/python -m pytest tests/conformance --port /dev/ttyACM0
    .venv-dev/bin/python -m pytest tests/conformance --port /dev/ttyACM0 --motion

ask the table there: it takes a minute and moves nothing; with `--motion` follow a build with a stop in it, and dice.

The table of `--port` has to be at rest, and nobody may touch it meanwhile. With `--motion` it has to be idle with one
set in the drum; its walls are built at the end. Its events are not taken off it. `--lane A` or `B` chooses the
MicroPython of the simulated ones; without it lane A is asked, and B where `make micropython-32` has put one.

The assertions know bytes and the documented tables only, no end of the link of ours.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from typing import Any, NamedTuple

import pytest

from tests.conformance.probe import Probe
from tests.conformance.stepped import Stepped
from tests.needs import leave_out
from wallwright.errors import LinkError
from wallwright.link.ports import Transport
from wallwright.link.transport import open_transport
from wallwright_simulator.runtimes import NoRuntime, find_micropython
from wallwright_simulator.serve import PtyWire, TcpWire
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.vm import VmApp

SEED = 21
SETTLED_MS = 2000
"""After this long a table has looked where everything stands and has committed to its first dice."""
AT_REST = ("idle", "ready", "lid_open", "walls_up", "fault")
AS_FOUND = (
    *("state", "fault", "fault_side", "set_above", "set_whole", "plan", "stacks", "loose_tiles", "drives"),
    *("deal", "dealer", "dice"),
)
"""Fields of a status that a test must leave as they were."""
_names = count()


class Place(NamedTuple):
    """Where a table is: how its port is opened, and whether it may be moved."""

    open_port: Callable[[], Transport]
    may_move: bool


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test at every place."""
    if "place" in metafunc.fixturenames:
        metafunc.parametrize("place", _places(metafunc.config), indirect=True, scope="session")


def _places(config: pytest.Config) -> list[Any]:
    if config.getoption("--port"):
        return ["port"]
    lane = config.getoption("--micropython")
    lanes = [lane] if lane else ["A"]
    if not lane:
        try:
            find_micropython("B")
        except NoRuntime:
            pass
        else:
            lanes.append("B")
    return ["sim", "pty", "tcp", *[pytest.param(f"lane-{name}", marks=pytest.mark.micropython) for name in lanes]]


@pytest.fixture(scope="session")
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    """A table to ask, behind the port that the test's name says."""
    kind: str = request.param
    if kind == "port":
        yield Place(partial(open_transport, request.config.getoption("--port")), request.config.getoption("--motion"))
    elif kind == "sim":
        yield Place(partial(open_transport, f"sim://?seed={SEED}"), True)
    elif kind == "pty":
        yield Place(partial(Stepped, Simulation(SEED), PtyWire()), True)
    elif kind == "tcp":
        yield Place(partial(Stepped, Simulation(SEED), TcpWire(0, say=lambda _: None)), True)
    else:
        try:
            runtime = find_micropython(kind.removeprefix("lane-"))
        except NoRuntime as error:
            if request.config.getoption("--micropython"):
                pytest.fail(str(error), pytrace=False)
            leave_out(f"not run, for {error}")
        simulation = Simulation(SEED, firmware=partial(VmApp, runtime=runtime))
        yield Place(partial(open_transport, attach(f"conformance-{next(_names)}", simulation)), True)
        assert isinstance(simulation.app, VmApp)
        simulation.app.close()


@pytest.fixture(scope="session")
def line(place: Place) -> Iterator[Probe]:
    """The port, opened once: opening resets some boards."""
    try:
        probe = Probe(place.open_port())
    except LinkError as error:
        pytest.exit(str(error), 2)
    probe.hello()
    probe.hear(SETTLED_MS)
    state = probe.status()
    if state["state"] not in AT_REST or state["drives"]:
        pytest.exit(f"the table is {state['state']}: let it come to rest, then start again", 2)
    yield probe
    probe.close()


@pytest.fixture
def probe(line: Probe, request: pytest.FixtureRequest) -> Iterator[Probe]:
    """A fresh session; after the test the table is as it was found, unless the test is there to move it."""
    line.hello()
    before = line.status()
    yield line
    if request.node.get_closest_marker("motion") is None:
        line.hello()
        after = line.status()
        assert {name: after[name] for name in AS_FOUND} == {name: before[name] for name in AS_FOUND}


@pytest.fixture
def moved(probe: Probe, place: Place) -> Probe:
    """Likewise for tests that move the table, which someone has to allow."""
    assert place.may_move
    return probe


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what moves a table that nobody said may be moved."""
    if config.getoption("--port") and not config.getoption("--motion"):
        moving = [item for item in items if item.get_closest_marker("motion")]
        config.hook.pytest_deselected(items=moving)
        items[:] = [item for item in items if item not in moving]
