"""Declared deals for the comparison of settlements, made from played ones by what referees find and write.

A record is what `wallwright rules settle` reads. The tiles in it come from one set, so nothing in it is impossible.
"""

import random
from typing import Any

from tests.reference.fans import points
from tests.reference.notation import SUITS
from tests.reference.rulesets import RULESETS
from tests.reference.starts import Lively, blind, chained, contested, rigged

Record = dict[str, Any]


def record(rng: random.Random) -> Record:
    """One declared deal: played to its end or stopped by the clock, then judged in the referee's ways."""
    ruleset = rng.choice(tuple(RULESETS))
    start = rng.choice((blind, rigged, rigged, contested, chained))(rng)
    table = start.table(ruleset)
    # Short walls end deals with kongs fresh and hands not ready.
    del table.wall[rng.choice((12, 30, 55)) :]
    stop = rng.randrange(400)
    player = Lively(rng, start.wishes)
    while table.phase != "over" and not (stop < 0 and table.phase in ("own", "draw")):
        table.apply(player.choose(table))
        stop -= 1
    if table.phase != "over":
        table.end = "time_up"
    found = table.declared()
    events = found["events"]
    found["events"] = [judged(rng, event, least_fans(events, at), ruleset) for at, event in enumerate(events)]
    if ruleset == "mil-2025" and rng.random() < 0.4:
        note_breach(rng, found["events"])
    found["hands"] = [final(rng, hand) for hand in found["hands"]]
    return found


def least_fans(events: list[Record], at: int) -> dict[int, int]:
    """The fans that a winner has by what was declared, whatever its tiles: kongs, and how the last came. (SBR-5.3)"""
    hu = events[at]
    found = {}
    for winner in hu.get("winners", ()):
        seat = winner["seat"]
        kongs = [one for one in events[:at] if one["type"] == "kong" and one["seat"] == seat and not one.get("robbed")]
        told = {condition for one in hu["winners"] for condition in one.get("conditions", ())} - {"self_drawn"}
        found[seat] = len(kongs) + len(told) + (2 if len(kongs) == 4 else 0)
    return found


def judged(rng: random.Random, event: Record, least: dict[int, int], ruleset: str) -> Record:
    """An event as it is or with winners whom a referee has judged, or who hold their forbidden suit."""
    if event["type"] != "hu":
        return event
    event = {**event, "winners": [judged_winner(rng, winner, least, ruleset) for winner in event["winners"]]}
    told = [condition for winner in event["winners"] for condition in winner.get("conditions", ())]
    # The tile's circumstances may be told with the event, with a winner, or with both.
    if rng.random() < 0.3 and {"after_kong", "shoot_after_kong"} & set(told):
        event.pop("after_kong", None)
    elif rng.random() < 0.5 and (event["by"] != "robbed_kong" or len(told) <= 1):
        for winner in event["winners"]:
            if "conditions" in winner:
                winner["conditions"] = [condition for condition in winner["conditions"] if condition == "under_the_sea"]
    return event


def judged_winner(rng: random.Random, winner: Record, least: dict[int, int], ruleset: str) -> Record:
    """A winner with a hand, a value, a false Hu, or another forbidden suit."""
    way = rng.random()
    if way < 0.15:
        # Any hand may be of one suit, which is two fans more.
        fans = least[winner["seat"]] + rng.randrange(3)
        return {"seat": winner["seat"], "value": points(fans, RULESETS[ruleset].fan_limit)}
    if way < 0.3:
        return {"seat": winner["seat"], "false": True}
    if way < 0.45:
        return {**winner, "void": rng.choice(SUITS)}
    return winner


def note_breach(rng: random.Random, events: list[Record]) -> None:
    """Let the referee see one seat breach the rule of its forbidden suit, while it is in the game. (SBR-11.2)"""
    seat = rng.randrange(4)
    wins = [
        (at, winner) for at, event in enumerate(events) for winner in event.get("winners", ()) if winner["seat"] == seat
    ]
    if not wins or "standing" in wins[0][1]:
        latest = wins[0][0] if wins else max(0, len(events) - 1)
        places = [at for at in range(latest + 1) if at == 0 or not events[at - 1].get("robbed")]
        events.insert(rng.choice(places), {"type": "breach", "seat": seat})


def final(rng: random.Random, hand: Record) -> Record:
    """A hand at the end, now and then with another forbidden suit or other discards."""
    if rng.random() < 0.2:
        hand = {**hand, "void": rng.choice(SUITS)}
    if rng.random() < 0.2:
        hand = {**hand, "only_void_discards": rng.random() < 0.5}
    return hand
