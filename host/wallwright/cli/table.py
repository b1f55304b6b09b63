"""`wallwright table`: the game of a table, which is the size of its sets, the number of its dice, and what builds."""

from typing import TYPE_CHECKING, Annotated

import typer

from wallwright_protocol.hardware import MOST_DICE, SET_SIZES

from ..rules.core.errors import RulesError
from ..rules.core.game import TableSetup
from ..rules.core.registry import find_game, games
from .groups import group
from .one_table import AsJson, Port, Trace, opened, print_json

if TYPE_CHECKING:
    from ..link.reports import Status

FLOWERS = "flowers"
"""The option of a ruleset that may be played with flowers or without."""


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _setup_of(ruleset: str, *, flowers: bool = False) -> TableSetup:
    record = {"ruleset": ruleset, "options": {FLOWERS: True}} if flowers else {"ruleset": ruleset}
    return find_game(ruleset).table(record)


def _may_have_flowers(ruleset: str) -> bool:
    return find_game(ruleset).options(ruleset).get(FLOWERS) is False


def _named() -> dict[str, TableSetup]:
    """What tables are set to, by the first ruleset of each game that is played so, and with flowers where it may be."""
    found: dict[str, TableSetup] = {}
    for game in games():
        known: set[TableSetup] = set()
        for ruleset in game.rulesets:
            choices = (False, True) if _may_have_flowers(ruleset) else (False,)
            for flowers in choices:
                setup = _setup_of(ruleset, flowers=flowers)
                if setup not in known:
                    found[f"{ruleset} with flowers" if flowers else ruleset] = setup
                known.add(setup)
    return found


SETUP_HELP = f"""Set a table to a game, or show which one it is set to.

Example: wallwright table setup --port /dev/ttyACM0 --game hong-kong

A game is called by its ruleset, of a preset or a club's file: {
    ", ".join(f"{name} ({tiles} tiles, {_dice(dice)})" for name, (tiles, dice) in _named().items())
}. --tiles and --dice set a table to anything else that it can be.

The board stores both before it answers. It takes them while the table is idle or in service, with no stacks in its
carriers; then put two sets of that size in. Without a host, hold the dice key of a side and press its referee key too,
for three seconds: the dice key goes to the next size, a lift key takes it, and the same again for the dice.

With --json: {{"unit": "SIM-1", "tiles": 136, "dice": 3}}.
"""

SIDES_HELP = """Leave a side out whose lane or lift is dead, or put all back in, or show which is out.

The other three build the whole set: 18 stacks each of 108 tiles; of 112 tiles 19, the side opposite 18, and 19. A
carrier holds 19 stacks, so three sides hold no larger set, and two sides none. The side that is out stands still,
whatever its inputs show; its keys go on. Where dice break a wall that is missing, the next one counter-clockwise is
broken.

The board stores it before it answers, and knows it after a power cut. It takes it while the table is idle or in service
with no stacks in its carriers. A side that fails during a build may go out at once: leave it out, clear the fault, open
the lid with two lift keys, wind the lift of that side down, take all tiles off its belt and out of its head and carrier
and push them in, close the lid with a lift key; the build goes on. A table that sorts its tiles for prescribed walls
needs all four sides. Without a host, hold the dice key of a side and its referee key for three seconds: the question
after the dice.

\b
Examples:
  wallwright table sides --port /dev/ttyACM0 --out 2
  wallwright table sides --port /dev/ttyACM0 --out none

With --json: {"unit": "SIM-1", "sides_out": [2], "plan": [18, 18, 0, 18]}.
"""

app = group("table", "Set a table to a game: its sets, its dice, the sides that build.")


@app.callback()
def _table() -> None:
    """Make `app` a group."""


@app.command("setup", help=SETUP_HELP)
def setup(
    port: Port,
    game: Annotated[str | None, typer.Option(help="Its ruleset.")] = None,
    flowers: Annotated[bool, typer.Option("--flowers", help="Play it with flowers, where that is a choice.")] = False,
    tiles: Annotated[int | None, typer.Option(help=f"Tiles of a set: {', '.join(map(str, SET_SIZES))}.")] = None,
    dice_count: Annotated[int | None, typer.Option("--dice", min=1, max=MOST_DICE, help="Dice at a throw.")] = None,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Set what is asked for, then show what there is; the command's help is SETUP_HELP."""
    from ..doctor.upkeep import change_settings

    try:
        wanted = _of_game(game, flowers=flowers)
    except RulesError as error:
        raise typer.BadParameter(str(error), param_hint="--game") from error
    if tiles is not None:
        wanted["set_tiles"] = tiles
    if dice_count is not None:
        wanted["dice_count"] = dice_count
    with opened(port, trace) as table:
        change_settings(table, wanted)
        now = table.status()
        if as_json:
            print_json({"unit": table.info.unit, "tiles": now.tiles, "dice": now.dice_count})
        else:
            print(_line(table.info.unit, now))


@app.command("sides", help=SIDES_HELP)
def sides(
    port: Port,
    out: Annotated[str | None, typer.Option(help="The side, 0 to 3, or none.", show_default=False)] = None,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Leave a side out, then show what there is; the command's help is SIDES_HELP."""
    from ..doctor.sides import leave_out, sides_named

    wanted = None if out is None else sides_named(out)
    with opened(port, trace) as table:
        if wanted is not None:
            leave_out(table, *wanted)
        now = table.status()
        if as_json:
            print_json({"unit": table.info.unit, "sides_out": now.sides_out, "plan": now.plan})
        else:
            named = f"side {now.sides_out[0]} is out" if now.sides_out else "all four sides build"
            print(f"{table.info.unit}: {named}, stacks a side {', '.join(map(str, now.plan))}")


def _of_game(ruleset: str | None, *, flowers: bool) -> dict[str, int]:
    """Return the settings of a game, none when nobody names one."""
    if flowers and (ruleset is None or not _may_have_flowers(ruleset)):
        playable = ", ".join(one for game in games() for one in game.rulesets if _may_have_flowers(one))
        raise typer.BadParameter(
            f"only {playable} can be played with flowers or without; leave it out", param_hint="--flowers"
        )
    if ruleset is None:
        return {}
    tiles, dice_count = _setup_of(ruleset, flowers=flowers)
    return {"set_tiles": tiles, "dice_count": dice_count}


def _line(unit: str, now: "Status") -> str:
    fitting = [name for name, game in _named().items() if game == (now.tiles, now.dice_count)]
    return f"{unit}: sets of {now.tiles} tiles, {_dice(now.dice_count)}" + (
        f" ({', '.join(fitting)})" if fitting else ""
    )
