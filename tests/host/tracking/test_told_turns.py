"""From the journal of a table with readers: deals of Hong Kong and the classical games come out as they were played."""

from pathlib import Path
from typing import NamedTuple

import pytest
from typer.testing import CliRunner

from wallwright.cli.demo import demo
from wallwright.cli.program import app
from wallwright.journal import read_journal
from wallwright.journal.kinds.deals import DealMoves, DealResult

from .truth_turns import gifts_by_kind

SESSIONS = [("hong-kong", 2, 1), ("cumberland", 2, 1), ("balsall", 1, 1), ("balsall", 28, 2)]
"""Games, seeds, and the deals that are looked at: the last one is a goulash, with tiles exchanged before it."""
SIZES = {"hong-kong": 136, "cumberland": 144, "balsall": 144}


class Session(NamedTuple):
    """A session that bots have played at a simulated table with all readers, and the list of its tags."""

    game: str
    deal: int
    path: Path

    def run(self, *arguments: str) -> tuple[int, str]:
        """A command of `wallwright` with the journal."""
        result = CliRunner().invoke(app, [*arguments, "--tiles", f"{self.path}.tiles"])
        return result.exit_code, result.output


def hands_and_acts(said: DealMoves) -> list[str]:
    """The text of a deal without what it began with; tiles that a seat gives away at once have no order."""
    lines = said.text[said.text.index("hand 0") :].splitlines()
    return [*lines[:HEADS], *gifts_by_kind(lines[HEADS:])]


HEADS = 5
"""Hands as dealt, and the wall."""


@pytest.fixture(scope="module", params=SESSIONS)
def session(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Session:
    """As many deals and one more, in which the wall of that deal is revealed."""
    game, seed, deal = request.param
    path = tmp_path_factory.mktemp(game) / "session.journal"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(path.parent / "data"))
        patch.setattr("sys.stdout.write", lambda _: 0)
        demo(game=game, deals=deal + 1, seed=seed, journal=path, readers="all", as_json=True)
    return Session(game, deal, path)


def test_a_deal_is_tracked_act_by_act(session: Session) -> None:
    code, text = session.run("track", str(session.path), "--deal", str(session.deal), "--write")
    assert code == 0, text
    assert f"rules {session.game}, dealer seat" in text
    told, tracked = [
        entry.said
        for entry in read_journal(session.path)
        if isinstance(entry.said, DealMoves) and entry.said.deal == session.deal
    ]
    # What the deal began with may be told in another order; hands, wall and acts are the same.
    assert hands_and_acts(tracked) == hands_and_acts(told)
    assert ("0 give" in tracked.text) == (session.game == "balsall" and session.deal > 1)
    assert tracked.notices == ()
    assert any(at_ms is not None for at_ms in tracked.times)
    (result,) = [
        entry.said
        for entry in read_journal(session.path)
        if isinstance(entry.said, DealResult) and entry.said.deal == session.deal
    ]
    points = ", ".join(f"seat {seat} {points:+d}" for seat, points in enumerate(result.points))
    assert text.splitlines()[-1] == f"The deal ended: {result.end}. Points: {points}"


def test_its_wall_is_verified_with_its_tiles_and_the_order_of_both_ends(session: Session) -> None:
    code, text = session.run("wall", "verify", "--journal", str(session.path), "--deal", str(session.deal))
    assert code == 0, text
    assert f"deal {session.deal}: agrees" in text
    assert f"  {SIZES[session.game]} tiles, 0 of them not known, " in text
    assert "note:" not in text
