"""`wallwright dice`: roll a table's dice; `wallwright dice verify`: recompute the rolls of a journal."""

from pathlib import Path
from typing import Annotated

import typer

from wallwright_protocol.hardware import MOST_DICE, SIDES

from ..journal.rolls import ALONE, ALONE_DESPITE_OFFER, WITH_HOST, WRONG, CheckedRoll, DiceReport, check_dice
from ..table.deal_check import Purpose
from .groups import group
from .one_table import AsJson, Trace, opened, print_json

ROLLED_MS = 2000
"""The event of a roll comes with its reply."""

HELP = """Roll a table's dice, or verify rolls.

Example: wallwright dice --port /dev/ttyACM0 --seat 0

Without --dice as many are thrown as the table is set to. What they are thrown for is on record with them: the cut of
the wall, with which a deal begins, or who is East, the wind of the round, the seats.
"""
VERIFY_HELP = """Recompute every roll of a journal.

Example: wallwright dice verify session.journal

A roll is right when its seed is the one that the board had committed to before, its contribution is the host's from
between commitment and roll, and the dice follow from both. Rolls without a contribution are told apart: there only the
board can vouch for its seed. The exit code is 1 when a roll is wrong.

With --json: a line for every roll, {"entry": 25, "unit": "SIM-1", "boot_id": 7, "roll": 1, "seat": 0, "purpose": "cut",
"dice": [4, 4], "deal": 1, "verdict": "with host", "problems": []}, then a line with the counts.
"""

app = group("dice", HELP, no_args_is_help=False)


@app.callback(invoke_without_command=True)
def roll(
    context: typer.Context,
    port: Annotated[
        str | None, typer.Option("--port", help="Where the table is: /dev/ttyACM0, socket://HOST:PORT, sim://?seed=1.")
    ] = None,
    seat: Annotated[int, typer.Option(min=0, max=SIDES - 1, help="Who rolls.")] = 0,
    purpose: Annotated[Purpose, typer.Option(help="What for.")] = "cut",
    dice_count: Annotated[int | None, typer.Option("--dice", min=1, max=MOST_DICE, help="How many.")] = None,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Roll the dice."""
    if context.invoked_subcommand is not None:
        return
    if port is None:
        raise typer.BadParameter(
            "name the table that is to roll, or write: wallwright dice verify JOURNAL", param_hint="--port"
        )
    with opened(port, trace) as table:
        dice = table.roll_dice(seat, purpose, dice_count)
        if as_json:
            rolled = table.wait_for("dice_rolled", ROLLED_MS).fields
            print_json({name: rolled[name] for name in ("seat", "purpose", "dice", "deal", "roll")})
        else:
            print(f"{_sum(dice)} = {sum(dice)}" if len(dice) > 1 else dice[0])


@app.command("verify", help=VERIFY_HELP)
def verify(
    path: Annotated[Path, typer.Argument(help="The journal's file.", show_default=False)], as_json: AsJson = False
) -> None:
    """Check all rolls; the command's help is VERIFY_HELP."""
    from ..journal import read_journal

    report = check_dice(read_journal(path))
    for checked in report.rolls:
        if as_json:
            print_json(_record(checked))
        else:
            print(_line(checked))
    if as_json:
        print_json(_counts(report))
    else:
        print("\n".join(_summary(report)))
    if report.count(WRONG):
        raise typer.Exit(1)


def _record(checked: CheckedRoll) -> dict[str, object]:
    names = ("entry", "unit", "boot_id", "roll", "seat", "purpose", "dice", "deal", "verdict", "problems")
    return {name: getattr(checked, name) for name in names}


def _line(checked: CheckedRoll) -> str:
    verdict = f"WRONG: {'; '.join(checked.problems)}" if checked.problems else f"ok, {checked.verdict}"
    return (
        f"{checked.entry:6d}  {checked.unit:<10} start {checked.boot_id:08x}  roll {checked.roll:<4d} "
        f"deal {checked.deal:<4d} seat {checked.seat}  {checked.purpose:<10}  {_sum(checked.dice)}  {verdict}"
    )


def _sum(dice: tuple[int, ...]) -> str:
    return " + ".join(map(str, dice))


def _counts(report: DiceReport) -> dict[str, int]:
    return {
        "rolls": len(report.rolls),
        "with_host": report.count(WITH_HOST),
        "alone": report.count(ALONE),
        "alone_despite_offer": report.count(ALONE_DESPITE_OFFER),
        "wrong": report.count(WRONG),
        "unopened": len(report.unopened),
    }


def _summary(report: DiceReport) -> list[str]:
    if not report.rolls:
        return ["There are no rolls in this journal."]
    counts = _counts(report)
    alone = counts["alone"] + counts["alone_despite_offer"]
    lines = [
        f"{counts['rolls']} rolls: {counts['with_host']} with the host's part, {alone} of the board alone, "
        f"{counts['wrong']} wrong."
    ]
    lines += [
        f"Roll {one.roll} of {one.unit} (start {one.boot_id:08x}) was committed"
        f"{' and the host had sent its part' if one.offered else ''}, but the board was started anew before it."
        for one in report.unopened
    ]
    return lines
