"""A whole deal of `turns` as text, and back: what it began with, what was dealt, and every act.

ruleset hong-kong
options {"flowers": true}                          (only where some are not those of the preset)
begin {"dealer": 0, "first_dealer": 0, "round_wind": "E"}
hand 0 2m4579p1234566799s
hand 1 ...
hand 2 ...
hand 3 ...
wall 83 unknown
0 discard 2m
...

`begin` is the begin of the record that `wallwright rules settle` takes: who deals, winds, goulash and pot. An act is
written as `acts` has it; those that nobody had to decide, such as draws, are there too. What was drawn is told by the
acts, so the wall is only counted.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from wallwright.rules.core.acts import (
    CALL,
    CHOW,
    DISCARD,
    DRAW,
    FLOWER,
    GIVE,
    HU,
    KONG,
    PASS,
    PUNG,
    REPLACE,
    Act,
    parse_act,
)
from wallwright.rules.core.errors import IllegalAction, NotationError, RulesError
from wallwright.rules.core.game import Record
from wallwright.rules.core.game_rules import GameRules, preset_rules
from wallwright.rules.core.tiles import format_tiles, parse_tiles, tile_name
from wallwright.rules.core.turns import Turns
from wallwright.rules.core.turns_game import TurnsGame
from wallwright.text_files import lines_in

UNKNOWN = " unknown"
_SAID = {
    DRAW: "draws",
    REPLACE: "draws from the tail",
    FLOWER: "lays out",
    DISCARD: "discards",
    PASS: "passes",
    CHOW: "claims a chow",
    PUNG: "claims a pung of",
    KONG: "makes a kong of",
    HU: "wins with",
    CALL: "calls",
    GIVE: "gives away",
}


class ToldPoints(NamedTuple):
    """What a deal has come to."""

    points: tuple[int, int, int, int]
    next_dealer: int


class ToldDeal(NamedTuple):
    """A deal that was told move by move: the rules, what its record begins with, and the deal after its last act."""

    ruleset: GameRules
    begin: Record
    deal: Turns

    @property
    def game(self) -> TurnsGame:
        """The game of the rules."""
        game = self.ruleset.game
        assert isinstance(game, TurnsGame)
        return game

    @property
    def dealer(self) -> int:
        """The seat that dealt, or was East."""
        return self.deal.dealer

    @property
    def dealt(self) -> tuple[tuple[int, ...], ...]:
        """The kinds of the hands as dealt, by seat."""
        return self.deal.dealt

    @property
    def log(self) -> Sequence[Act]:
        """Every act so far."""
        return self.deal.log

    @property
    def end(self) -> str | None:
        """How it ended; None while it goes on."""
        return self.deal.state.end

    def settled(self) -> dict[str, object]:
        """What `wallwright rules settle` answers to the deal, which is over. IllegalAction while it goes on."""
        return self.game.settle(self.ruleset.asked(self.declared()))

    def settle(self) -> ToldPoints:
        """Likewise, the points and who deals next."""
        settled: Any = self.settled()
        a, b, c, d = settled["points"]
        return ToldPoints((a, b, c, d), int(settled["next_dealer"]))

    def declared(self) -> dict[str, object]:
        """The deal, which is over, as `wallwright rules settle` takes it. IllegalAction while it goes on."""
        if not self.deal.is_over:
            raise IllegalAction("the deal is not over: it is declared after a win or the last tile")
        standing = [self.deal.hand(seat) for seat in range(4)]
        return self.game.declare(self.ruleset.written(self.begin), self.deal, standing)


def format_deal(told: ToldDeal) -> str:
    """The text of a deal, one line for each fact and act."""
    rules = told.ruleset
    lines = [f"ruleset {rules.preset}"]
    lines += [f"options {json.dumps(rules.own_options)}"] if rules.own_options else []
    lines.append(f"begin {json.dumps(dict(told.begin))}")
    lines += [f"hand {seat} {format_tiles(hand)}" for seat, hand in enumerate(told.deal.dealt)]
    lines += [f"wall {told.deal.wall_size}{UNKNOWN}", *map(str, told.deal.log)]
    return "\n".join(lines) + "\n"


def parse_deal(text: str) -> ToldDeal:
    """The deal that `format_deal` wrote, brought to where it was; every act is checked.

    NotationError tells the line.
    """
    lines = lines_in(text)
    at = 0
    try:
        rules = preset_rules(_after(lines, 0, "ruleset"))
        at = 1
        if len(lines) > 1 and lines[1].startswith("options "):
            rules = rules.changed(_object(_after(lines, 1, "options")))
            at = 2
        game = rules.game
        if not isinstance(game, TurnsGame):
            raise NotationError(f"deals of {rules.preset} are not told by such acts")
        begin = _object(_after(lines, at, "begin"))
        hands = []
        for seat in range(4):
            at += 1
            hands.append(parse_tiles(_after(lines, at, f"hand {seat}")))
        at += 1
        size = _after(lines, at, "wall")
        if not size.endswith(UNKNOWN) or not size.removesuffix(UNKNOWN).isdecimal():
            raise NotationError(f"{size!r} is no wall: write how many tiles are in it, as '83 unknown'")
        deal = game.start(rules.asked(begin), hands, int(size.removesuffix(UNKNOWN)))
        while at + 1 < len(lines):
            at += 1
            deal.apply(parse_act(lines[at]))
    except RulesError as error:
        raise NotationError(f"line {at + 1}: {error}") from error
    return ToldDeal(rules, begin, deal)


def say_act(act: Act) -> str:
    """An act in an English sentence."""
    verb = _SAID[act.verb]
    if act.tile is None:
        return f"seat {act.seat} {verb}"
    tiles = format_tiles((act.tile, act.tile + 1, act.tile + 2)) if act.verb == CHOW else tile_name(act.tile)
    return f"seat {act.seat} {verb} {tiles}" + (f", {act.face}" if act.face else "")


def is_told_by_turns(text: str) -> bool:
    """Whether a text is that of a game of `turns`, and not of Sichuan, whose deals have a dealer alone."""
    return any(line.startswith("begin ") for line in lines_in(text)[1:3])


def _after(lines: list[str], at: int, word: str) -> str:
    if at >= len(lines):
        raise NotationError(f"the text ends where {word!r} should stand")
    if not lines[at].startswith(word + " ") and lines[at] != word:
        raise NotationError(f"{lines[at]!r} should begin with {word!r}")
    return lines[at][len(word) :].strip()


def _object(text: str) -> dict[str, object]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError(f"{text!r} is no JSON: {error}") from error
    if not isinstance(found, dict):
        raise NotationError(f"{text!r} is no JSON object")
    return found
