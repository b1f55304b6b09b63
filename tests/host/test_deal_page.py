"""docs/deal-key-by-key.md: who follows it sees what it says, at the program that it names."""

import re
import subprocess

import pytest

from tests.host.deal_page import DEAL, PAGE, Reader, parts, read
from tests.host.programs import RUNNER, Program

(COMMAND,) = re.findall(r"^    (wallwright simulate .+)$", PAGE, re.MULTILINE)
COURSES = {
    f"{heading}, {number}": course
    for heading, courses in parts(PAGE).items()
    for number, course in enumerate(courses, 1)
}
READERS = {1: 7, 2: 12}
"""Seed of a table -> how long its reader thinks; longer than the table looks for a tile that is left over."""
TRIED_IN_REAL_TIME = 5


def test_the_page_has_a_deal_and_what_people_forget() -> None:
    assert len(COURSES) == 9
    assert all(step.lines and step.shows for course in COURSES.values() for step in course)


@pytest.mark.parametrize("seed", READERS)
@pytest.mark.parametrize("course", COURSES.values(), ids=COURSES.keys())
def test_the_displays_show_what_the_page_says(course, seed: int, monkeypatch, capsys) -> None:
    command = re.sub(r"--tcp \d+", f"--tcp 0 --seed {seed}", COMMAND)
    with monkeypatch.context() as patch:
        assert read(Reader(course, READERS[seed], capsys), command, patch) == 0


def test_a_key_that_comes_early_shows_that_the_table_looks(monkeypatch, capsys) -> None:
    wash, build, lid = COURSES[f"{DEAL}, 1"][:3]
    assert "it shows `CHECK` until then" in PAGE
    early = [wash, build, lid._replace(shows=["CHECK", *lid.shows])]
    command = re.sub(r"--tcp \d+", "--tcp 0 --seed 1", COMMAND)
    with monkeypatch.context() as patch:
        assert read(Reader(early, 2, capsys), command, patch) == 0


def test_the_first_steps_in_real_time() -> None:
    program = RUNNER.start("simulate", "--tcp", "0", "--pace", "4", stdin=subprocess.PIPE)
    assert program.stdin
    assert program.stdout
    try:
        for step in COURSES[f"{DEAL}, 1"][:TRIED_IN_REAL_TIME]:
            for line in step.lines:
                _type(program, line)
            for text in step.shows if step.lines != ["p"] else ():
                assert any(re.search(rf"panels: {text} ", line) for line in program.stdout), step
    finally:
        program.kill()
        program.communicate()


def _type(program: Program, line: str) -> None:
    """Type a line until its key is taken: one that was pressed just now is not up again at once."""
    assert program.stdin
    assert program.stdout
    taken = None
    while taken is None or "still pressed" in taken:
        program.stdin.write(f"{line}\n")
        program.stdin.flush()
        taken = next(answer for answer in program.stdout if answer.startswith(f"{line}: "))
    assert taken.startswith(f"{line}: done")
