"""`wallwright doctor selftest`: what a board has tested of itself."""

import dataclasses
from typing import Annotated

import typer

from ..one_table import AsJson, Port, Trace, opened, print_json

FAILED_EXIT = 4
"""The exit code of errors of the table."""

SELFTEST_HELP = """Show what the board has tested of itself, with what result and how long ago.

Example: wallwright doctor selftest --port /dev/ttyACM0

The board tests itself while the table rests, every ten minutes. --now has it begin a round at once and waits for its
end. Exit code 4 when a test has failed.

With --json: {"tests": [{"name": "store", "result": "passed", "age_s": 12}, ...]}; the result is passed, failed,
never or cannot (this board cannot make it); the age is null without one.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("selftest", help=SELFTEST_HELP)(selftest)


def selftest(
    port: Port,
    now: Annotated[bool, typer.Option("--now", help="Begin a round now, and wait for its end.")] = False,
    as_json: AsJson = False,
    trace: Trace = False,
) -> None:
    """Show the self-tests of the board."""
    from ...doctor.board_tests import FAILED, read_board_tests, run_board_tests

    with opened(port, trace) as table:
        tests = run_board_tests(table) if now else read_board_tests(table)
    if as_json:
        print_json({"tests": [dataclasses.asdict(test) for test in tests]})
    else:
        for test in tests:
            age = "" if test.age_s is None else f"{test.age_s} s ago"
            print(f"{test.name:<12}{test.result:<8}{age}".rstrip())
    if any(test.result == FAILED for test in tests):
        raise typer.Exit(FAILED_EXIT)
