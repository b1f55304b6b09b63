"""Hands of Hong Kong as short text, and `wallwright rules` as its user calls it."""

import json
import re

from typer.testing import CliRunner

from wallwright.cli.rules import app

E, S, W, N = range(4)


def call(command, *records, options=()):
    """Exit status and the answers, one a record."""
    text = "\n".join(json.dumps({"ruleset": "hong-kong", **record}) for record in records)
    result = CliRunner().invoke(app, [command, *options], input=text)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def one(command, **record):
    """The answer to one good record."""
    status, (answer,) = call(command, record)
    assert status == 0, answer
    return answer


def refused(command, **record):
    """The line that says why a record is none."""
    status, (answer,) = call(command, record)
    assert status == 1
    assert answer["line"] == 1
    assert "\n" not in answer["error"]
    return answer["error"]


def hand(text):
    """The hand in `123m 5s [222s] [=9999p] +5s`: sets laid down in brackets, = for concealed, ^ for promoted ones."""
    melds = []
    for mark, tiles in re.findall(r"\[([=^]?)(\w+)\]", text):
        ranks = tiles[:-1]
        kind = "kong" if len(ranks) == 4 else "pung" if len(set(ranks)) == 1 else "chow"
        meld = {"kind": kind, "tiles": tiles}
        melds.append(meld | ({"type": {"=": "concealed", "^": "promoted"}[mark]} if mark else {}))
    standing, _, winning = re.sub(r"\[\S+\]", "", text).partition("+")
    return {"standing": "".join(standing.split()), "melds": melds, "winning": winning.strip()}


def score(text, by="discard", seat="S", wind="E", conditions=(), flowers=(), ruleset="hong-kong", **options):
    """What `rules score` answers of a hand."""
    record = {**hand(text), "by": by, "seat_wind": seat, "round_wind": wind, "conditions": list(conditions)}
    return one("score", **record, flowers=list(flowers), ruleset=ruleset, options=options)


def items(text, **said):
    """Its items in faan."""
    return score(text, **said)["items"]


def win(seat, by="discard", from_=None, text="", points=None, before=(), **more):
    """The events of a deal that one player wins."""
    winner = {"seat": seat, **(hand(text) if text else {"points": points}), **more}
    return [*before, {"type": "hu", "by": by, "from": from_, "winners": [winner]}]


def settle(events, end="win", dealer=E, wind="E", ruleset="hong-kong", first_dealer=E, **options):
    """What `rules settle` answers of a deal."""
    deal = {"dealer": dealer, "first_dealer": first_dealer, "round_wind": wind, "events": events, "end": end}
    return one("settle", **deal, ruleset=ruleset, options=options)


def explained(deal):
    """What `rules settle --explain` says of a deal."""
    text = json.dumps({"ruleset": "hong-kong", **deal})
    return CliRunner().invoke(app, ["settle", "--explain"], input=text).stdout
