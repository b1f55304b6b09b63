"""Everybody who has played a part of a session at a table is on its papers, in its lists and among who may appeal.

Points are counted here from the paper of results alone.
"""

import re
from collections import defaultdict
from pathlib import Path
from random import Random

import pytest
from starlette.testclient import TestClient

from tests.host.console.before_play import EIGHT, ask, begin, commit, take
from tests.host.console.hall import Place
from tests.host.console.test_taken_home import DAN
from tests.host.console.test_totals import Tables, names_of, rows_of
from tests.host.event.paper import declared
from wallwright.event import results, running, sanctions, sat
from wallwright.event.desk import Desk

Here = dict[str, int]
"""Points by name."""


def play(desk: Desk) -> None:
    """Somebody leaves one table and sits at the other one later; another one was not who was thought; no penalty."""
    running.open_session(desk, 1)
    running.start_session(desk, 1)
    first, second = (desk.sheet(1, table).players for table in (1, 2))
    told, _ = declared(desk.format.sichuan, 0, Random(5))
    results.record_result(desk, results.preview(desk, 1, 1, told))
    results.rule_result(desk, 1, 2, (-5, 5, 0, 0), "as it stood")
    sanctions.substitute(desk, 1, first[0], "Late Larry", "ill")
    results.rule_result(desk, 1, 1, (24, -8, -8, -8), "as it stood")
    sanctions.substitute(desk, 1, second[3], desk.state.name(first[0]), "is well again")
    results.rule_result(desk, 1, 2, (2, 2, 2, -6), "as it stood")
    results.rule_result(desk, 1, 2, (0, -9, 0, -6), "a false Hu", fines={1: 9, 3: 6})
    sat.sat_instead(desk, 1, second[2], "Early Eve", "came an hour late", from_deal=1, to_deal=1)


def sign(desk: Desk) -> None:
    running.stop_session(desk, 1, "time")
    for table in (1, 2):
        running.sign_off(desk, 1, table)


@pytest.fixture
def parted(place: Place, tmp_path: Path) -> Place:
    (tmp_path / "own.toml").write_text('base = "chengdu-grand-prix"\nsessions = 1\nbest_of = []\n')
    begin(place, str(tmp_path / "own.toml"))
    director = place.signed_in("director")
    assert take(director, EIGHT)[0] == 200
    assert commit(director)[0] == 200
    assert ask(director, "draws/main/reveal")[0] == 200
    place.site.event.do(DAN, play)
    return place


def points_here(client: TestClient) -> dict[int, Here]:
    """By table: what each player's deals there sum up to."""
    found: dict[int, Here] = defaultdict(lambda: defaultdict(int))
    for row in rows_of(client, "results"):
        for seat in range(4):
            found[int(row["table"])][row[f"player_{seat}"]] += int(row[f"points_{seat}"])
    return {table: dict(here) for table, here in found.items()}


def slips(client: TestClient) -> list[Here]:
    """The first column of numbers of each slip, by name."""
    found = []
    for slip in client.get("/event/sessions/1/slips").text.split('<section class="slip">')[1:]:
        rows = [row for row in Tables(slip).rows if row[0] != "Player"]
        found.append({re.sub(r"^(East|South|West|North|has left) ", "", row[0]): int(row[1]) for row in rows})
    return found


def test_a_slip_sums_up_to_the_deals_of_its_table(parted: Place) -> None:
    client = parted.signed_in("referee")
    here = points_here(client)
    assert len(here[1]) == 5
    assert len(here[2]) == 6
    assert slips(client) == [here[1], here[2]]
    assert [sum(slip.values()) for slip in slips(client)] == [0, -15], "a fine is received by nobody"
    assert "In the session" in client.get("/event/sessions/1/slips").text, "somebody has points of another table"


def test_what_a_session_gave_is_one_number_whoever_left(parted: Place) -> None:
    client = parted.signed_in("referee")
    oracle: Here = defaultdict(int)
    for here in points_here(client).values():
        for name, points in here.items():
            oracle[name] += points
    [session] = client.get("/api/v1/event").json()["sessions"]
    told: Here = {}
    for sheet in session["tables"]:
        seated = zip((name for _, name in sheet["players"]), sheet["points"], strict=True)
        for name, points in (*seated, *map(tuple, sheet["left"])):
            assert told.setdefault(name, points) == points
    assert told == oracle
    parted.site.event.do(DAN, sign)
    parted.site.event.do(DAN, lambda desk: running.publish(desk, 1))
    rows = rows_of(client, "standings")
    assert {row["name"]: int(row["points"]) for row in rows} == oracle
    assert sum(oracle.values()) == -15


def test_a_deal_names_who_has_played_it(parted: Place) -> None:
    client, replayed = parted.signed_in("referee"), 0
    for row in rows_of(client, "results"):
        four = [row[f"player_{seat}"] for seat in range(4)]
        path = f"/event/sessions/1/tables/{row['table']}"
        form = client.get(f"{path}/declare?deal={row['deal']}").text
        assert re.findall(r'"players": \[(.*?)\]', form)[0] == ", ".join(f'"{name}"' for name in four)
        if row["source"] == "declared":
            replay = client.get(f"{path}/deals/{row['deal']}").text
            assert {name for name in names_of(parted).values() if f">{name}<" in replay} == set(four)
            replayed += 1
    assert replayed == 1


def test_everybody_with_a_part_can_be_fined_and_can_appeal(parted: Place) -> None:
    referee = parted.signed_in("referee")
    numbers = {name: number for number, name in names_of(parted).items()}
    for table, here in points_here(referee).items():
        page = referee.get(f"/event/sessions/1/tables/{table}").text
        listed = re.findall(
            r'<option value="(\d+)">', page.partition('<select id="player"')[2].partition("</select>")[0]
        )
        assert {int(one) for one in listed} == {numbers[name] for name in here}
        for name in here:
            fined = ask(referee, "penalties", session=1, player=numbers[name], name="warning", reason="noise")
            assert fined[0] == 200
        given = referee.get(f"/event/sessions/1/tables/{table}").text.partition("given-title")[2]
        assert all(f"<b><bdi>{name}</bdi></b>" in given for name in here)
    parted.site.event.do(DAN, sign)
    page = referee.get("/event/appeals").text.partition('name="player"')[2].partition("</select>")[0]
    for table, here in points_here(referee).items():
        [group] = re.findall(rf'<optgroup label="Table {table}">(.*?)</optgroup>', page, re.IGNORECASE)
        assert {int(one) for one in re.findall(r'value="(\d+)"', group)} == {numbers[name] for name in here}
        for name in here:
            filed = ask(referee, "appeals", session=1, player=numbers[name], table=table, text="not so")
            assert filed[0] == 200
