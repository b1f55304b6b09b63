"""From the journal of a table with readers: deals of Hong Kong and the classical games come out as they were played."""

from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from wallwright.cli.demo import demo
from wallwright.cli.program import app
from wallwright.journal import read_journal
from wallwright.journal.kinds.deals import DealMoves, DealResult

GAMES = ("hong-kong", "cumberland", "balsall")
SIZES = {"hong-kong": 136, "cumberland": 144, "balsall": 144}


class Session(NamedTuple):
    """A session that bots have played at a simulated table with all readers, and the list of its tags."""

    game: str
    path: Path

    def run(self, *arguments: str) -> tuple[int, str]:
        """A command of `wallwright` with the journal."""
        result = CliRunner().invoke(app, [*arguments, "--tiles", f"{self.path}.tiles"])
        return result.exit_code, result.output


@pytest.fixture(scope="module", params=GAMES)
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Two deals; the wall of the first is revealed in the second."""
    path = tmp_path_factory.mktemp(request.param) / "session.journal"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(path.parent / "data"))
        patch.setattr("sys.stdout.write", lambda _: 0)
        demo(game=request.param, deals=2, seed=2, journal=path, readers="all", as_json=True)
    return Session(request.param, path)


def test_the_first_deal_is_tracked_act_by_act(session: Session) -> None:
    code, text = session.run("track", str(session.path), "--deal", "1", "--write")
    assert code == 0, text
    assert f"rules {session.game}, dealer seat" in text
    told, tracked = [
        entry.said for entry in read_journal(session.path) if isinstance(entry.said, DealMoves) and entry.said.deal == 1
    ]
    # What the deal began with may be told in another order; hands, wall and acts are the same.
    assert tracked.text[tracked.text.index("hand 0") :] == told.text[told.text.index("hand 0") :]
    assert tracked.notices == ()
    assert any(at_ms is not None for at_ms in tracked.times)
    (result,) = [
        entry.said
        for entry in read_journal(session.path)
        if isinstance(entry.said, DealResult) and entry.said.deal == 1
    ]
    points = ", ".join(f"seat {seat} {points:+d}" for seat, points in enumerate(result.points))
    assert text.splitlines()[-1] == f"The deal ended: {result.end}. Points: {points}"


def test_its_wall_is_verified_with_its_tiles_and_the_order_of_both_ends(session: Session) -> None:
    code, text = session.run("wall", "verify", "--journal", str(session.path), "--deal", "1")
    assert code == 0, text
    assert "deal 1: agrees" in text
    assert f"  {SIZES[session.game]} tiles, 0 of them not known, " in text
    assert "note:" not in text
