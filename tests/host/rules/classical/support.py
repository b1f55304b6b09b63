"""Asks the real command line, one JSON object a line."""

import json

from typer.testing import CliRunner

from tests.reference.classical_examples import balsall, chow, cumberland, kong, pung
from wallwright.cli.rules import app

__all__ = ["answer", "ask", "balsall", "chow", "cumberland", "explained", "items", "kong", "pung", "refusal"]


def ask(command, *records, options=()):
    """Exit status and one parsed answer for each record."""
    text = "\n".join(map(json.dumps, records))
    result = CliRunner().invoke(app, [command, *options], input=text)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


def answer(command, record):
    """The answer to one record that is fine."""
    status, answers = ask(command, record)
    assert (status, len(answers)) == (0, 1), answers
    return answers[0]


def refusal(command, record):
    """The error of one record that is not."""
    status, answers = ask(command, record)
    assert (status, [set(one) for one in answers]) == (1, [{"line", "error"}]), answers
    assert "\n" not in answers[0]["error"]
    return answers[0]["error"]


def items(record):
    """The items of a hand."""
    return answer("score", record)["items"]


def explained(record):
    """The sentences of a settlement."""
    result = CliRunner().invoke(app, ["settle", "--explain"], input=json.dumps(record))
    assert result.exit_code == 0, result.stdout
    return result.stdout
