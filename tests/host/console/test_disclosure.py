"""Why a penalty was given: an event may keep that for its staff, and then nothing that everybody gets has it."""

from fractions import Fraction
from io import BytesIO
from pathlib import Path

import httpx2
import pytest
from openpyxl import load_workbook

from tests.host.console.before_play import begin, draw
from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from tests.host.console.test_access import VALUES
from tests.host.console.test_taken_home import DAN, play
from wallwright.console.people.access import PUBLIC, RULES
from wallwright.event import results, running, sanctions
from wallwright.event.desk import Desk
from wallwright.event.sheets import PAPERS

MARK = "shouted at his neighbour"
FORMATS = ("csv", "xlsx", "json")


def begun(place: Place, folder: Path, readers: str) -> int:
    """An event whose first session is published, with penalties that stand or not; who has them."""
    (folder / "own.toml").write_text(f'base = "chengdu-grand-prix"\npenalty_reasons = "{readers}"\n')
    begin(place, str(folder / "own.toml"))
    draw(place.signed_in("director"))

    def act(desk: Desk) -> int:
        play(desk, 1)
        player = desk.sheet(1, 1).players[0]
        for session in (1, None):
            sanctions.give_penalty(desk, player, "points", MARK, amount=Fraction(2), session=session)
        taken = sanctions.give_penalty(desk, player, "warning", MARK, session=1)
        sanctions.withdraw_penalty(desk, taken, f"nobody {MARK}")
        results.correct_points(desk, 1, 1, 1, [0, -8, 8, -6], MARK, fines={3: 6})
        results.void(desk, 1, 1, 2, "a tile was missing")
        running.publish(desk, 1)
        return player

    return place.site.event.do(DAN, act)


def paths_of(role: str, player: int) -> list[str]:
    """All that a role can get of an event in play, but streams."""
    values = VALUES | {"player": str(player), "table": "1", "deal": "1"}
    found = [
        path.format(**values)
        for (method, path), roles in RULES.items()
        if method == "GET" and role in roles and "/live/" not in path and not path.endswith(("/stream", "/{paper}"))
    ]
    return [*found, *(f"/event/papers/{paper}.{form}" for paper in PAPERS for form in FORMATS)]


def texts(client, paths: list[str]) -> dict[str, str]:
    found = {}
    for path in paths:
        answer = client.get(path)
        if path.endswith(".xlsx"):
            cells = [cell for sheet in load_workbook(BytesIO(answer.content)) for row in sheet.values for cell in row]
            found[path] = "\n".join(map(str, cells))
        else:
            found[path] = answer.text
    return found


@pytest.mark.parametrize("role", [PUBLIC, "screen"])
def test_a_reason_that_is_the_staffs_is_nowhere_for_others(place: Place, tmp_path: Path, role: str) -> None:
    player = begun(place, tmp_path, "staff")
    got = texts(place.signed_in(role), paths_of(role, player))
    assert [path for path, text in got.items() if MARK in text] == []
    assert "Points taken" in got[f"/players/{player}"]
    assert "penalty points" in got[f"/event/standings/{player}"]
    assert "withdrawn" in got["/event/papers/penalties.csv"]
    assert "a tile was missing" in got["/event/papers/results.csv"], "nobody was fined in that deal"
    for_staff = texts(place.signed_in("referee"), ["/event/papers/penalties.csv", f"/event/standings/{player}"])
    assert all(MARK in text for text in for_staff.values())


def test_a_reason_that_is_everybodys_is_told(place: Place, tmp_path: Path) -> None:
    player = begun(place, tmp_path, "everybody")
    paths = [
        f"/players/{player}",
        f"/event/standings/{player}",
        *(f"/event/papers/penalties.{form}" for form in FORMATS),
    ]
    got = texts(place.client(), [*paths, "/event/papers/results.csv"])
    assert [path for path, text in got.items() if MARK not in text] == []


def test_no_stream_tells_it_either(serving: Serving, tmp_path: Path) -> None:
    player = begun(serving.place, tmp_path, "staff")
    values = VALUES | {"player": str(player)}
    streams = [path for (method, path), roles in RULES.items() if PUBLIC in roles and path.startswith("/live/")]
    assert f"/live/players/{player}" in [path.format(**values) for path in streams]
    for path in streams:
        client = httpx2.Client(base_url=serving.address, timeout=60)
        with client, client.stream("GET", path.format(**values)) as told:
            assert told.status_code == 200, path
            text = ""
            for line in told.iter_lines():
                text += line + "\n"
                if "data:" in text and not line:
                    break
        assert MARK not in text
        assert "players" not in path or "Points taken" in text
