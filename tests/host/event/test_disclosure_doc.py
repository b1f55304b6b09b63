"""The table in docs/events.md of who sees what, and when, is what the one function says, which has no rival."""

import ast
from pathlib import Path

import pytest

import wallwright
from tests.host.event.paper import Paper
from wallwright.event import running
from wallwright.event.disclosure import AUDIENCES, EVERYBODY, LIVE, MAY_SEE, PLAYER, STAFF, may_see
from wallwright.event.lifecycle import STATES, state_words

DOC = Path(__file__).parents[3] / "docs" / "events.md"
NAMES = {STAFF: "staff", PLAYER: "players", LIVE: "live"}


def cell(what: str, state: str) -> str:
    who = [one for one in AUDIENCES if state in MAY_SEE[what][one]]
    if EVERYBODY in who:
        assert set(who) == set(AUDIENCES)
        return "everybody"
    named = [NAMES[one] for one in (STAFF, PLAYER) if one in who] or [NAMES[one] for one in who]
    return ", ".join(named) or "nobody"


def test_the_table_is_what_the_function_says() -> None:
    lines = [line.strip("| ").split(" | ") for line in DOC.read_text().splitlines() if line.startswith("|")]
    [at] = [number for number, line in enumerate(lines) if line[0] == "of a session that is"]
    assert lines[at][1:] == [state_words(state) for state in STATES]
    rows = [line[1:] for line in lines[at + 2 : at + 2 + len(MAY_SEE)]]
    assert rows == [[cell(what, state) for state in STATES] for what in MAY_SEE]


@pytest.mark.parametrize("what", MAY_SEE)
def test_the_function_goes_by_the_state_of_the_session(what: str) -> None:
    paper = Paper().draw()
    paper.play_session(1)
    running.publish(paper.desk, 1)
    state = paper.state
    for audience in AUDIENCES:
        assert may_see(state, audience, what, 1) == (state.sessions[1].state in MAY_SEE[what][audience])
        assert may_see(state, audience, what, 2) == (state.sessions[2].state in MAY_SEE[what][audience])
        assert not may_see(state, audience, what, 99), "there is no such session"
        assert may_see(state, audience, what, None), "it is of no session"
        assert may_see(None, audience, what, 1), "there is no event"


def test_nothing_else_decides_by_the_states_that_make_results_public() -> None:
    """A page that looked at them itself would be another rule. Whether all tables are done is no such question."""
    package = Path(wallwright.__file__).parent
    found = set()
    for path in package.rglob("*.py"):
        nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)]
        names = {name.name for node in nodes if (node.module or "").endswith("lifecycle") for name in node.names}
        if "PUBLIC" in names:
            found.add(path.relative_to(package).as_posix())
    assert found == {"event/disclosure.py", "event/state.py"}
