"""`wallwright table setup`: the game of a table, which is the size of its sets and the number of its dice."""

from typing import TYPE_CHECKING, Annotated

import typer

from wallwright_protocol.hardware import MOST_DICE, SET_SIZES

from .one_table import AsJson, Port, Trace, opened, print_json

if TYPE_CHECKING:
    from ..link.reports import Status

GAMES = {
    "sichuan": (108, 2),
    "hong-kong": (136, 3),
    "cumberland": (144, 2),
    "balsall": (144, 3),
}
"""Game -> tiles of a set, dice at a throw. SBR-1.1, HKO-1.1, CUM-1 and CUM-2.1, BAL-1 and BAL-2.1."""
FLOWERS = 8
"""What Hong Kong has more when it is played with flowers."""
SETUP_HELP = f"""Set a table to a game, or show which one it is set to.

Example: wallwright table setup --port /dev/ttyACM0 --game hong-kong

Games are {", ".join(f"{name} ({tiles} tiles, {dice} dice)" for name, (tiles, dice) in GAMES.items())}; hong-kong with
--flowers has 144 tiles. --tiles and --dice set a table to anything else that it can be.

The board stores both before it answers. It takes them while the table is idle or in service, with no stacks in its
carriers; then put two sets of that size in. Without a host, hold the dice key of a side and press its referee key too,
for three seconds: the dice key goes to the next size, a lift key takes it, and the same again for the dice.

With --json: {{"unit": "SIM-1", "tiles": 136, "dice": 3}}.
"""

app = typer.Typer(
    name="table",
    help="Set a table to a game: the size of its sets, the number of its dice.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.callback()
def _table() -> None:
    """Make `app` a group."""


@app.command("setup", help=SETUP_HELP)
def setup(
    port: Port,
    game: Annotated[str | None, typer.Option(help=f"One of {', '.join(GAMES)}.")] = None,
    flowers: Annotated[bool, typer.Option("--flowers", help="Play hong-kong with its eight flowers.")] = False,
    tiles: Annotated[int | None, typer.Option(help=f"Tiles of a set: {', '.join(map(str, SET_SIZES))}.")] = None,
    dice_count: Annotated[int | None, typer.Option("--dice", min=1, max=MOST_DICE, help="Dice at a throw.")] = None,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Set what is asked for, then show what there is; the command's help is SETUP_HELP."""
    from ..doctor.upkeep import change_settings

    wanted = _of_game(game, flowers=flowers)
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


def _of_game(game: str | None, *, flowers: bool) -> dict[str, int]:
    """Return the settings of a game, none when nobody names one."""
    if game is not None and game not in GAMES:
        raise typer.BadParameter(f"no game is called {game!r}; there are {', '.join(GAMES)}", param_hint="--game")
    if flowers and game != "hong-kong":
        raise typer.BadParameter(
            "only hong-kong can be played with flowers or without; leave it out", param_hint="--flowers"
        )
    if game is None:
        return {}
    tiles, dice_count = GAMES[game]
    return {"set_tiles": tiles + FLOWERS * flowers, "dice_count": dice_count}


def _line(unit: str, now: "Status") -> str:
    fitting = [name for name, game in GAMES.items() if game == (now.tiles, now.dice_count)]
    if (now.tiles, now.dice_count) == (GAMES["hong-kong"][0] + FLOWERS, GAMES["hong-kong"][1]):
        fitting.append("hong-kong with flowers")
    dice = "1 die" if now.dice_count == 1 else f"{now.dice_count} dice"
    return f"{unit}: sets of {now.tiles} tiles, {dice}" + (f" ({', '.join(fitting)})" if fitting else "")
