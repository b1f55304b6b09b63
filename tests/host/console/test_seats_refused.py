"""A refusal names seats and players as the page does, in every game: whoever is fined by it is the right one."""

import re
from random import Random
from typing import Any

import pytest

from tests.host.console.before_play import EIGHT, ask, begin, commit, take
from tests.host.console.hall import Place
from tests.host.console.test_taken_home import DAN
from tests.host.event.paper import declared
from wallwright.event import results, running, sanctions
from wallwright.event.desk import Desk
from wallwright.naming import WIND_NAMES
from wallwright.play.turns_in_heads import declared_deal
from wallwright.rules.core.turns_game import TurnsGame

FORMATS = ("chengdu-grand-prix", "mil-2025", "hong-kong-club", "balsall-evening", "cumberland-evening")
DEALS = 6
TRIES = 80
NAMED = re.compile(r"\b(?:[Ss]eat ([1-4])|(East|South|West|North)) \((.+?)\)")
BARE = re.compile(r"\b[Ss]eat [0-9]\b(?! \()")


def in_play(place: Place, path: Any, name: str, seats: str) -> None:
    path.write_text(f'base = "{name}"\nseats = "{seats}"\n')
    begin(place, str(path))
    director = place.signed_in("director")
    assert take(director, EIGHT)[0] == 200
    assert commit(director)[0] == 200
    assert ask(director, "draws/main/reveal")[0] == 200

    def act(desk: Desk) -> None:
        running.open_session(desk, 1)
        running.start_session(desk, 1)
        sanctions.substitute(desk, 1, desk.sheet(1, 1).players[1], "Late Larry", "ill")

    place.site.event.do(DAN, act)


def record_of(desk: Desk, chance: Random) -> dict[str, Any]:
    """A deal that bots have played, as a scorer declares it."""
    rules = desk.format.game
    if isinstance(rules.game, TurnsGame):
        begun = rules.begin_of(0, chance.choice(({}, None)) or None)
        return dict(declared_deal(rules, rules.game, begun, 0, chance))
    return declared(desk.format.sichuan, 0, chance)[0]


def spoil(value: Any, chance: Random) -> Any:
    """The same with something that cannot have happened: other seats, fewer tiles, less points, parts left out."""
    if isinstance(value, dict):
        kept = {key: one for key, one in value.items() if chance.random() > 0.04}
        return {key: spoil(one, chance) for key, one in kept.items()}
    if isinstance(value, list):
        twice = value * 2 if value and chance.random() < 0.06 else value
        return [spoil(one, chance) for one in twice]
    if type(value) is int and chance.random() < 0.15:
        return chance.randrange(4)
    if isinstance(value, str) and len(value) > 6 and chance.random() < 0.15:
        return value[:-2]
    return value


@pytest.mark.parametrize("seats", ["winds", "numbers"])
@pytest.mark.parametrize("name", FORMATS)
def test_seats_and_players_of_a_refusal_are_those_of_the_page(
    place: Place, tmp_path: Any, seed: int, name: str, seats: str
) -> None:
    in_play(place, tmp_path / "own.toml", name, seats)
    client, chance = place.signed_in("scorer"), Random(f"{seed} {name} {seats}")
    four = place.site.event.players_at(1, 1)
    page = client.get("/event/sessions/1/tables/1").text
    for seat, player in enumerate(four):
        called = WIND_NAMES[seat] if seats == "winds" else f"seat {seat + 1}"
        assert f"<small>{called}</small> <bdi>{player}</bdi>" in page
    deals = [place.site.event.ask(lambda desk: record_of(desk, chance)) for _ in range(DEALS)]
    named = tries = 0
    while named < 4 and tries < TRIES:
        tries += 1
        record = spoil(chance.choice(deals), chance)
        status, answer = ask(client, "sessions/1/tables/1/preview", record=record)
        if status == 200:
            continue
        told = [answer["problem"], *(str(one) for one in answer.get("questions", ()))]
        for text in told:
            assert not BARE.search(text), text
            for number, wind, player in NAMED.findall(text):
                seat = WIND_NAMES.index(wind) if wind else int(number) - 1
                assert player == four[seat], text
                named += 1
    assert named > 0, "refusals that name somebody were seen"


def test_a_correction_that_is_refused_names_who_has_played_the_deal(place: Place, tmp_path: Any) -> None:
    in_play(place, tmp_path / "own.toml", "chengdu-grand-prix", "winds")
    first = place.site.event.players_at(1, 1)

    def act(desk: Desk) -> None:
        results.rule_result(desk, 1, 1, (8, -8, 0, 0), "as it stood")
        sanctions.substitute(desk, 1, desk.sheet(1, 1).players[2], "Later Lea", "ill")

    place.site.event.do(DAN, act)
    record = {
        "events": [{"type": "hu", "by": "discard", "from": 2, "winners": [{"seat": 2, "value": 4}]}],
        "end": "wall",
    }
    client = place.signed_in("scorer")
    for corrects, player in ((1, first[2]), (None, "Later Lea")):
        told = ask(client, "sessions/1/tables/1/preview", record={**record, "hands": []}, corrects=corrects)[1]
        assert f"West ({player})" in told["problem"]
