"""The commands that pages, docstrings and messages tell people to run, and whether each leads somewhere.

A command stands in backticks, on a line of its own that is indented or in a block, or behind `run:` or `Example:`.
CHANGELOG.md tells what was, and is not read.
"""

import argparse
import importlib.util
import re
import runpy
import sys
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
PYTHON = ".venv-dev/bin/python"
BEFORE_ANY_ENVIRONMENT = ("venv", "http.server", "tools.programs")
"""Programs that `python3 -m` runs: they need no packages, or make the place for them."""
NO_COMMANDS = ("commitment", "hello", "image", "seed")
"""`wallwright seed 1` and the like begin what is hashed or signed; a recipe makes `wallwright hello`."""
MODULES = (
    "benchmarks/*.py",
    "firmware/carrier/*.py",
    "fuzz/*.py",
    "host/wallwright/cli/**/*.py",
    "simulator/wallwright_simulator/**/*.py",
    "tests/**/*.py",
    "tools/**/*.py",
)
_BEGIN = r"(?:[A-Z_]+=\S+ )*(?:(?:\S*/)?python[\d.]* |pytest |make [a-z]|(?:\S*/)?wallwright [a-z]|\S*pip install )"
_QUOTED = re.compile(rf"`({_BEGIN}[^`\n]+)`")
_LINE = re.compile(rf"^(?:    |\t|.*?(?:\b[Rr]un|Example): )({_BEGIN}[^`\n]*)$", re.MULTILINE)
_BLOCK = re.compile(r"^```(?:sh)?\n(.*?)^```", re.DOTALL | re.MULTILINE)
_ANY_PYTHON = re.compile(r"[\w./\\-]*python[\d.]* (?:-m [\w.]+|[\w./-]+\.py)|`pytest ")


class Said(NamedTuple):
    """A command, and the file that says it."""

    where: str
    command: str


def pages() -> list[Path]:
    """Return every page but the one of what was."""
    found = {*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "benchmarks/README.md"}
    return sorted(found - {ROOT / "CHANGELOG.md"} | {ROOT / "protocol/wallwright_protocol/SPEC.md"})


@cache
def texts() -> list[Said]:
    """Return the text of each page and of each module."""
    modules = [file for pattern in MODULES for file in sorted(ROOT.glob(pattern)) if file != Path(__file__)]
    return [Said(_name(file), file.read_text()) for file in (*pages(), *modules)]


@cache
def commands() -> list[Said]:
    """Return every command, without its comment and without what takes its output."""
    found: dict[Said, None] = {}
    for where, text in texts():
        blocks = "".join(_BLOCK.findall(text)).splitlines()
        lines = [line for line in blocks if re.match(_BEGIN, line)]
        for one in (*_QUOTED.findall(text), *_LINE.findall(text), *lines):
            # In a docstring, two spaces part a command from what it does; a message ends with a quotation mark.
            command = re.split(r" +# |  +| [|<>]|>\S+$|; | && |, (?:or|then) ", one)[0].strip()
            command = re.sub(r'^((?:[^"]|"[^"]*")*)"[^"]*$', r"\1", command)
            if command.split()[0].rpartition("/")[2] != "wallwright" or command.split()[1] not in NO_COMMANDS:
                found[Said(where, command)] = None
    return list(found)


def said_otherwise() -> list[str]:
    """Return what runs Python in another way than all others do, and where."""
    found = []
    for where, text in texts():
        for way in _ANY_PYTHON.findall(text):
            program, _, module = way.partition(" -m ")
            if program == "python3" and module in BEFORE_ANY_ENVIRONMENT:
                continue
            if program != PYTHON or not module:
                found.append(f"{where}: {way}")
    return found


def words_of(command: str) -> list[str]:
    """Return the words of a command as a person would fill them in: `[--runs 200]` as `--runs 200`, one of `a|b`."""
    plain = re.sub(r"(?<![\w\['])\[|\](?![\w'])", " ", command)
    words = re.findall(r"""(?:[^\s"']|"[^"]*"|'[^']*')+""", plain)
    return [word.strip("\"'") if "=" in word else re.sub("[\"']", "", word).partition("|")[0] for word in words]


def run_as_far_as_its_words(module: str, words: list[str], patch: pytest.MonkeyPatch) -> None:
    """Run a program of this project until it has read its words; SystemExit when it does not take them."""

    class HasRead(Exception):
        pass

    parse = argparse.ArgumentParser.parse_args

    def read(self: argparse.ArgumentParser, *rest: Any) -> None:
        parse(self, *rest)
        raise HasRead

    with patch.context() as inner, warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # it may be imported already
        inner.setattr(argparse.ArgumentParser, "parse_args", read)
        inner.setattr(sys, "argv", [module, *words])
        with pytest.raises(HasRead):
            runpy.run_module(module, run_name="__main__")


def source_of(module: str) -> str:
    """Return what Python runs of a module; ModuleNotFoundError if there is none."""
    spec = importlib.util.find_spec(module)
    if spec is not None and spec.submodule_search_locations is not None:
        return source_of(f"{module}.__main__")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(module)
    return Path(spec.origin).read_text()


@cache
def targets() -> set[str]:
    """Return the targets of the Makefile."""
    heads = re.findall(r"^([a-z][\w /.-]*):(?!=)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    return {target for head in heads for target in head.split()}


def unknown_to(command: Any, words: list[str]) -> Iterator[str]:
    """Yield the commands and options that the program `wallwright` does not know."""
    known = {option for param in command.params for option in (*param.opts, *param.secondary_opts)} | {"--help"}
    for at, word in enumerate(words):
        if word == "--":
            return
        if word.startswith("-") and word.partition("=")[0] not in known:
            yield word
        elif hasattr(command, "commands") and re.fullmatch(r"[a-z][a-z-]*", word):
            if word in command.commands:
                yield from unknown_to(command.commands[word], words[at + 1 :])
            else:
                yield word
            return


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
