"""`wallwright rules ...`: the rules for any program, one JSON object a line in and one out.

A bad line gets {"line": n, "error": "..."} in its place, the rest goes on, and the exit status is 1 at the end.
"""

import json
import sys
from collections.abc import Callable
from enum import StrEnum
from itertools import islice
from typing import Annotated, Any

import typer

from wallwright.errors import BadInput
from wallwright.rules.core.errors import ImpossibleDeal, RulesError
from wallwright.rules.core.game import ComparedGame, Game, PlayedGame, Record, SeatedGame
from wallwright.rules.core.records import text_of
from wallwright.rules.core.registry import DEFAULT, find_game
from wallwright.system.strict_json import json_lines
from wallwright.text_files import BadText
from wallwright.words import Listed

from .groups import group

app = group(
    "rules", "Score hands, find waits, settle and play deals, break walls. JSON lines in on stdin, and out on stdout."
)


class BotName(StrEnum):
    """Players for `rules deals`."""

    RANDOM = "random"
    SMART = "smart"


_SCORE_HELP = """Score complete hands.

\b
Example:
  echo '{"standing": "456s789s5p", "melds": [{"kind": "pung", "tiles": "777p"},
    {"kind": "kong", "tiles": "2222s", "type": "concealed"}], "winning": "5p",
    "conditions": ["after_kong"], "ruleset": "sichuan-4", "void": "m"}' | tr -d '\\n' | wallwright rules score
  {"complete": true, "form": "regular", "items": {"kong": 1, "win_after_kong": 1}, "fans": 2, "value": 4}

\b
standing    tiles in the hand, without the winning tile
melds       declared sets: kind pung or kong, tiles, type concealed, melded, promoted or postponed
conditions  after_kong, shoot_after_kong, robbing_kong, under_the_sea, self_drawn
void        forbidden suit, m, p or s
ruleset     sichuan (default), sichuan-4, chengdu-2016, mil-2025 or a .toml file
fan_limit   a number or null (none), in place of the ruleset's

\b
Hong Kong (docs/hong-kong.md has every clause and option):
  echo '{"ruleset": "hong-kong", "options": {"min_faan": 1}, "standing": "123789m456p5s",
    "melds": [{"kind": "pung", "tiles": "222s"}], "winning": "5s", "by": "self_drawn",
    "seat_wind": "S", "round_wind": "E"}' | tr -d '\\n' | wallwright rules score
  {"complete": true, "allowed": true, "items": {"self_drawn": 1}, "faan": 1, "points": 2}

\b
by          discard, self_drawn, robbed_kong, loose (a replacement tile)
conditions  after_kong, kong_on_kong, last_tile, last_discard, heavenly, earthly
flowers     1f to 8f, with the option flowers
"""

_WAITS_HELP = """List the tiles that complete a hand, with the points each is worth at the wall's end.

\b
Example:
  echo '{"standing": "1112345678999s", "melds": [], "void": "m"}' | wallwright rules waits
  {"waits": ["1s", "2s", ...], "ready": true, "best_value": 8, "by_tile": {"1s": 8, "2s": 4, ...}}
"""

_SETTLE_HELP = """Settle declared deals: who pays whom, penalties, next dealer.

\b
Example (a referee has judged the hand; one line):
  echo '{"ruleset": "sichuan-4", "dealer": 0, "events": [
    {"type": "kong", "seat": 1, "kind": "melded", "from": 2, "robbed": false},
    {"type": "hu", "by": "discard", "from": 1, "after_kong": true, "winners": [{"seat": 0, "value": 4}]}],
    "end": "wall", "hands": [{"seat": 1, "value": 0}, {"seat": 2, "value": 2}, {"seat": 3, "value": 0}]}' \\
    | tr -d '\\n' | wallwright rules settle

\b
events   kong: seat, kind (concealed, melded, promoted, postponed), from (melded), robbed,
           chain (made on the replacement of the kong before it)
         hu: by (self_drawn, discard, robbed_kong), from, after_kong, winners
         breach: seat (mil-2025: active breach of the forbidden suit)
winners  seat with standing, melds, winning, void, conditions; or seat and value; or seat and "false": true
         a value below what the kongs and the way of winning make, or above what any such hand is worth, is refused
end      three_hu, wall, time_up
hands    players without Hu: seat with standing, melds, void, only_void_discards; or seat and value (0: not ready)

Hong Kong: round_wind E, S, W or N; a winner by hand or by points (the base); events nine_pieces, twelve_pieces and
false_win; end win, wall or false_win. docs/hong-kong.md has the rest.
"""

_BREAK_HELP = """Break walls by dice: where the deal begins, and which tiles replace kongs.

\b
Example:
  echo '{"ruleset": "sichuan", "dealer": 0, "dice": [6, 4]}' | wallwright rules break
  {"side": 1, "first": [1, 5, 1], "replacements": [...], "head_after_deal": [...], "left": 55}

\b
dealer   seat 0 to 3; side is the one whose wall is broken
dice     the numbers thrown, in order
places   [side, stack from 1 at the right end, layer 1 upper or 0 lower]
left     tiles in the wall after the deal
"""

_SEATS_HELP = """Seat four players by drawn winds and dice, where a game's rules say how.

\b
Example:
  echo '{"ruleset": "hong-kong", "thrower": 0, "dice": [2, 3, 5], "winds": "SENW"}' | wallwright rules seats
  {"first": 1, "winds": ["W", "S", "E", "N"], "dealer": 2}

\b
thrower  place 0 to 3, counter-clockwise, of who throws three dice
winds    the four winds as they lie, from the top of the stack
first    the place counted from the thrower, who takes the top one; winds are those of places 0 to 3
"""

_DEALS_HELP = """Play deals without a table and print one line each.

\b
Example:
  wallwright rules deals --count 100 --bots smart --seed 7
  wallwright rules deals --count 20 --ruleset hong-kong
"""


@app.command(help=_SCORE_HELP)
def score() -> None:
    """Score complete hands."""
    _each_line(lambda game, record: json.dumps(game.score(record)))


@app.command(help=_WAITS_HELP)
def waits() -> None:
    """List the tiles that complete a hand."""
    _each_line(lambda game, record: json.dumps(game.waits(record)))


@app.command(help=_SETTLE_HELP)
def settle(
    in_words: Annotated[
        bool, typer.Option("--explain", help="Write each settlement in words for the players, not as JSON.")
    ] = False,
) -> None:
    """Settle declared deals."""
    _each_line(_explain_record if in_words else _settle_record)


@app.command("break", help=_BREAK_HELP)
def break_() -> None:
    """Break walls by dice."""
    _each_line(lambda game, record: json.dumps(game.break_wall(record)))


@app.command(help=_SEATS_HELP)
def seats() -> None:
    """Seat four players."""
    _each_line(lambda game, record: json.dumps(_seated(game).seats(record)))


@app.command(help=_DEALS_HELP)
def deals(
    count: Annotated[int, typer.Option(min=1, help="How many deals.")] = 10,
    bots: Annotated[BotName, typer.Option(help="Who plays all four seats.")] = BotName.SMART,
    seed: Annotated[int, typer.Option(help="The same seed plays the same deals.")] = 1,
    ruleset: Annotated[str, typer.Option(help="A preset or a .toml file.")] = "sichuan",
) -> None:
    """Play deals without a table."""
    try:
        game = find_game(ruleset)
        if not isinstance(game, PlayedGame):
            raise BadInput(f"no bots play {ruleset} yet; its hands and deals are judged by `rules score` and `settle`")
        for number, line in enumerate(islice(game.deals(ruleset, bots, seed), count), 1):
            typer.echo(json.dumps({"deal": number, **line}))
    except RulesError as error:
        raise BadInput(str(error)) from error


def _each_line(answer: Callable[[Game, Record], str]) -> None:
    """Answer every line of stdin; a bad one is told in its place and makes the exit status 1."""
    failed = False
    try:
        for number, found in json_lines(sys.stdin.buffer):
            try:
                record = _record(found)
                game = find_game(text_of(record, "ruleset") if "ruleset" in record else DEFAULT)
                typer.echo(answer(game, record))
            except RulesError as error:
                failed = True
                typer.echo(json.dumps({"line": number, "error": str(error)}))
    except BadText as error:
        raise BadInput(f"standard input: {error}; write one JSON object a line") from error
    if failed:
        raise typer.Exit(1)


def _seated(game: Game) -> SeatedGame:
    if not isinstance(game, SeatedGame):
        raise RulesError("no clause of this game draws seats by winds and dice; an event draws them by lot")
    return game


def _record(found: Any) -> Record:
    if isinstance(found, BadText):
        raise RulesError(f"cannot read the line: {found}")
    if not isinstance(found, dict):
        raise RulesError("a line must be one JSON object")
    return found


def _settle_record(game: Game, record: Record) -> str:
    settled = game.settle(record)
    _check_once_said(game, record)
    return json.dumps(settled)


def _check_once_said(game: Game, record: Record) -> None:
    if isinstance(game, ComparedGame) and (found := game.contradictions(record)):
        raise ImpossibleDeal(Listed(found, "; "))


def _explain_record(game: Game, record: Record) -> str:
    lines = game.explain(record)
    _check_once_said(game, record)
    return "\n".join(map(str, lines)) + "\n"
