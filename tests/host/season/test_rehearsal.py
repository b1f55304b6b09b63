"""`wallwright season rehearse`, small: three days in two halls, from the shuffle to the winner of the final."""

from dataclasses import replace
from pathlib import Path

import pytest

from wallwright.console.season.served import taking_reports
from wallwright.errors import BadPath
from wallwright.event.format_file import load_format as load_event
from wallwright.season.desk import read_season
from wallwright.season.format_file import load_format
from wallwright.season.rehearsal import rehearse_season

SEASON = replace(load_format("chengdu-grand-prix-2016"), days=3, day_best_of=(), qualify_by_list=4, final_sessions=1)
DAY = replace(load_event("chengdu-grand-prix"), sessions=1, deals=2, best_of=())


def test_a_season_is_played_forged_corrected_and_won(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "keys"))
    lines: list[str] = []
    report = rehearse_season(tmp_path, SEASON, DAY, 2, 24, seed % 1000, taking_reports, lines.append)
    assert report.problems == ()
    told = "\n".join(report.refused)
    for why in (
        "changed after the hall signed it",
        "its proof does not hold",
        "is not counted twice",
        "it comes late, or its journal was cut",
        "is the key of no hall of this season",
    ):
        assert told.count(why) == 1
    # Who moves past others may bring more than one over the line.
    assert 1 <= len(report.came_in) <= SEASON.qualify_by_list
    assert set(report.came_in).isdisjoint(report.went_out)
    state = read_season(str(tmp_path / "rehearsal.season"))
    assert state.final is not None
    winner = next(one.name for one in state.final.results if one.rank == 1)
    assert report.winner == winner
    assert report.finalists == len([one for one in state.final.results if one.rank is not None])
    (online,) = [one for one in state.days.values() if one.seen is not None]
    assert online.seen is not None
    assert (online.seen.fits, report.checkpoints) == (True, DAY.sessions)
    assert sum(len(one.past) for one in state.days.values()) == 1
    assert 0 < report.played_at_tables < report.deals
    with pytest.raises(BadPath, match="choose another folder"):
        rehearse_season(tmp_path, SEASON, DAY, 2, 24, 1, taking_reports)
