"""Whatever text a command is given is folded, or refused by name and place before anything is read or written."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.host.programs import Runner
from wallwright.cli.program import SUMMARIES, _load
from wallwright.cli.texts import AS_TYPED
from wallwright.event.store import read_event

ODD = {
    "a\x1b[31m": "character 2 is ESCAPE (U+001B)",
    "ab\u202ec": "character 3 is RIGHT-TO-LEFT OVERRIDE (U+202E)",
    "a" * 2001: "it has 2001 characters, and may have 2000 at the most",
    "\u3000 a\u200bb\ue000": "character 3 is a character of private use (U+E000)",
}
USAGE = 2
FOR_PEOPLE = {
    "event players add": "name club id_ reason by",
    "event players rename": "player name club reason by",
    "event players withdraw": "player reason by",
    "event substitute": "into reason",
    "event appeal file": "player reason",
    "event appeal decide": "reason",
    "event penalty give": "name reason",
    "event draw add": "of text",
    "season persons merge": "persons reason",
    "season hall": "name",
    "users add": "name by",
    "users remove": "name",
    "deals draw": "event",
}
"""Some that are known to be texts from people."""


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", None)
    if inner is None:
        yield " ".join(path), command
        return
    for name in inner:
        yield from commands(inner[name], (*path, name))


ALL = {path: command for name in SUMMARIES for path, command in commands(_load(name), (name,))}


def texts(command: Any) -> list[Any]:
    """The parameters of a command that are texts and stand for no place."""
    kinds = (str, list[str])
    found = [param for param in command.params if getattr(param, "type_descriptor", None)]
    return [param for param in found if param.type_descriptor.annotation in kinds and param.name not in AS_TYPED]


def words_for(command: Any, at: Any, text: str) -> list[str]:
    """The words of a call in which one parameter has a text, and all others that it needs something harmless."""
    options: list[str] = []
    arguments: list[str] = []
    for param in command.params:
        value = text if param is at else "1"
        if param.opts[0].startswith("-"):
            if param is at:
                options.append(f"{param.opts[0]}={value}")
            elif param.required:
                options.append(param.opts[0] if param.secondary_opts else f"{param.opts[0]}=1")
        elif param.required or param is at:
            choices = getattr(param.type_descriptor, "choices", None) if param.type_descriptor else None
            arguments.append(value if param is at or not choices else str(getattr(choices[0], "value", choices[0])))
    return [*options, "--", *arguments]


def test_every_text_that_a_command_takes_is_refused_by_character_and_place(runner: Runner) -> None:
    tried = 0
    for path, command in ALL.items():
        for param in texts(command):
            text, said = list(ODD.items())[tried % len(ODD)]
            told = runner.run(*path.split(), *words_for(command, param, text))
            where = f"{path} {param.name} {text!a}: {told}"
            assert told.code == USAGE, where
            assert said in told.err, where
            assert told.err.startswith("error: Invalid value for "), where
            assert told.err.count("\n") == 1, where
            tried += 1
    assert tried > 100


def test_what_people_write_is_among_them() -> None:
    for path, names in FOR_PEOPLE.items():
        assert set(names.split()) <= {param.name for param in texts(ALL[path])}, path
    assert {param.name for command in ALL.values() for param in command.params} >= AS_TYPED


def test_a_name_is_kept_folded_and_found_however_it_is_typed(runner: Runner, tmp_path: Path) -> None:
    journal = str(tmp_path / "day.journal")
    assert runner.run("event", "new", journal).code == 0
    for name in ("Zoe\u0308\u00a0\u3000Lee", "می\u200cنا", "Bo", "Cy"):
        assert runner.run("event", "players", "add", journal, name, "--club", " \u2007A\ufeffB ").code == 0
    assert runner.run("event", "players", "add", journal, "ＺＯË lee").code == 6
    asked = runner.run("event", "players", "add", journal, "Во")
    assert asked.code == 6
    assert "Во looks like player 3, Bo; give a reason" in asked.err
    assert runner.run("event", "players", "add", journal, "Во", "--reason", "one\r\ntwo").code == 0
    assert (
        runner.run("event", "players", "withdraw", journal, "zoë\u2003LEE", "--reason", "ill", "--by", "é\u0301 ").code
        == 0
    )
    state = read_event(journal)
    assert [one.name for one in state.roster.players] == ["Zoë Lee", "می\u200cنا", "Bo", "Cy", "Во"]
    assert {one.club for one in state.roster.players} == {"AB", ""}
    assert set(state.withdrawn) == {1}
    assert [one.reason for one in state.changes][-2:] == ["one two", "ill"]
