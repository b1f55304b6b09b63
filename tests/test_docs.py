"""Every page can be reached from docs/index.md, and every link and command of a page leads somewhere."""

import re
import tomllib
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from itertools import dropwhile, takewhile
from pathlib import Path

import pytest
import typer

from tests.said import (
    PYTHON,
    commands,
    pages,
    run_as_far_as_its_words,
    said_otherwise,
    source_of,
    targets,
    unknown_to,
    words_of,
)
from wallwright.cli.program import app

ROOT = Path(__file__).parent.parent
INDEX = ROOT / "docs/index.md"
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/**/*.md"),
        ROOT / "protocol/wallwright_protocol/SPEC.md",
        ROOT / "benchmarks/README.md",
    ]
)


def prose(page: Path) -> str:
    """A page without its blocks of code and its code in the line."""
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE))


@cache
def links(page: Path) -> list[tuple[Path, str]]:
    """What a page links to within the repository: file and anchor, empty without one."""
    found = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if "://" not in target:
            path, _, anchor = target.partition("#")
            found.append(((page.parent / path).resolve() if path else page, anchor))
    return found


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    made: list[str] = []
    for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")
        made.append(slug if slug not in made else f"{slug}-{made.count(slug)}")
    return set(made)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_and_anchor_leads_somewhere(page: Path) -> None:
    for target, anchor in links(page):
        assert target.exists(), f"{target.relative_to(ROOT)} is not there"
        assert not anchor or anchor in anchors(target), f"{target.relative_to(ROOT)} has no heading #{anchor}"


def test_the_index_leads_to_every_page_of_docs_by_itself() -> None:
    listed = {target for target, _ in links(INDEX)}
    pages = {page for page in (ROOT / "docs").glob("*.md") if page != INDEX}
    assert len(pages) > 20
    assert pages <= listed, f"not in docs/index.md: {', '.join(sorted(page.name for page in pages - listed))}"


def test_every_page_is_reached_from_the_index() -> None:
    reached, due = {INDEX}, [INDEX]
    while due:
        for target, _ in links(due.pop()):
            if target.suffix == ".md" and target not in reached:
                reached.add(target)
                due.append(target)
    assert set(PAGES) <= reached, f"not reached: {sorted(map(str, set(PAGES) - reached))}"


def test_the_first_ten_lines_of_the_readme_say_what_has_run_where() -> None:
    top = "\n".join((ROOT / "README.md").read_text().splitlines()[:10])
    assert all(f"**{word}**" in top for word in ("Simulated", "Emulated", "Real metal"))


FOLDERS = ("benchmarks", "docs", "firmware", "fuzz", "host", "lock", "protocol", "simulator", "tests", "tools")
PATH = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./-]+|(?:[\w-]+/)*[\w-]+(?:\.(?:css|html|js|md|mjs|po|py|sh)|/)")
"""A path begins with a folder of the checkout, is a file of a kind that people here write, or ends as folders do."""
MODULE = re.compile(r"(?:wallwright(?:_\w+)?|benchmarks|carrier|fuzz|tests|tools)(?:\.\w+)+")
NOT_OURS = {
    "a recipe has it made": ("hello.py",),
    "where a command writes": ("build/", "deal-keys/", "dist/"),
    "what a board tells": ("firmware/drivers/lane",),
    "a place for a name": ("LOCALE",),
    "a group of entry points": ("wallwright.games",),
}
"""Paths that a page names and no checkout has, by reason."""


@cache
def places() -> tuple[str, ...]:
    """Return each file and folder, with the folders above it."""
    found = [place for folder in FOLDERS for place in (ROOT / folder).rglob("*") if "__pycache__" not in place.parts]
    return tuple(f"/{place.relative_to(ROOT).as_posix()}" for place in (*found, *ROOT.iterdir()))


def is_module_or_part_of_one(name: str) -> bool:
    """Whether there is that module, or one before the last dot whose text has what is behind it."""
    head, _, last = name.rpartition(".")
    with suppress(ModuleNotFoundError):
        if find_spec(name) is not None:
            return True
    with suppress(ModuleNotFoundError):
        spec = find_spec(head)
        if spec is not None and spec.origin is not None:
            return re.search(rf"\b{last}\b", Path(spec.origin).read_text()) is not None
    return False


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_folder_and_module_that_a_page_names_is_there(page: Path) -> None:
    others = [part for parts in NOT_OURS.values() for part in parts]
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.DOTALL | re.MULTILINE)
    missing = []
    for word in re.findall(r"`([^`\n]+)`", text):
        if any(other in word for other in others):
            continue
        if PATH.fullmatch(word):
            if not any(place.endswith(f"/{word.rstrip('/')}") for place in places()):
                missing.append(word)
        elif MODULE.fullmatch(word) and not is_module_or_part_of_one(word):
            missing.append(word)
    assert missing == []


def test_pages_name_hundreds_of_files_and_each_exception() -> None:
    words = [word for page in pages() for word in re.findall(r"`([^`\n]+)`", page.read_text())]
    assert sum(PATH.fullmatch(word) is not None for word in words) > 200
    assert sum(MODULE.fullmatch(word) is not None for word in words) > 3
    assert all(any(part in word for word in words) for parts in NOT_OURS.values() for part in parts)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("protocol/wallwright_protocol/messages.py", "MESSAGES"),
        ("protocol/wallwright_protocol/messages.py", "FROZEN"),
        ("host/wallwright/console/texts.py", "HAPPENINGS"),
        ("tests/test_every_fault.py", "WITHOUT_A_CAUSE"),
        ("host/wallwright/doctor/upkeep.py", "CARE"),
        ("host/wallwright/rules/sichuan/ruleset.py", "PRESETS"),
        ("host/wallwright/console/catalogs.py", "LOCALES"),
        ("host/wallwright/cli/program.py", "SUMMARIES"),
        ("host/wallwright/board/loader.py", "CHIPS"),
        ("host/wallwright/board/uf2.py", "FAMILIES"),
        ("tools/firmware/pins.py", "CHIPS"),
    ],
)
def test_a_table_that_a_recipe_changes_is_in_its_file(path: str, name: str) -> None:
    recipes = (ROOT / "docs/recipes.md").read_text()
    assert f"`{path}`" in recipes
    assert f"`{name}`" in recipes
    assert re.search(rf"^{name}\b.* = ", (ROOT / path).read_text(), re.MULTILINE)


RUN_BY = {
    "carrier": "tests/carrier/test_command.py",
    "tests.host.programs": "tests/host/programs.py",
    "tests.protocol.spec": "tests/test_generated_docs.py",
    "tests.simulator.traces": "tests/simulator/compiled.py",
    "tools.draw_current": "tests/test_generated_docs.py",
    "tools.draw_layout": "tests/test_generated_docs.py",
    "tools.generate_docs": "tests/test_generated_docs.py",
    "tools.programs": "tests/test_programs.py",
}
"""Programs that pages and messages say to run, and what runs each of them as they say."""
RESOLVED = {
    "they take minutes; `make bench` runs each": ("benchmarks", "tools.bench_check", "tools.profiles"),
    "they take minutes; `make campaign` runs them": ("tests.campaign",),
    "they take minutes, and their parts have tests": ("fuzz", "tests.reference", "tools.compiled", "tools.mutants"),
    "they write what a person then looks at": ("tests.proofs", "tools.draw_demo", "tools.golden"),
    "they need the net": ("tools.install", "tools.write_boot_rom"),
    "they are not ours": ("http.server", "pytest", "venv"),
}
"""Why a program is not run here: it is found, can be imported, and takes the words that pages say."""


def said(program: str) -> list[tuple[str, list[str]]]:
    """Return who says to run a program, and with which words."""
    found = [(one.where, words_of(one.command)) for one in commands()]
    cut = [(where, list(dropwhile(lambda word: "=" in word, words))) for where, words in found]
    return [(where, words[1:]) for where, words in cut if words[0].rpartition("/")[2] == program]


def modules_said() -> dict[str, list[list[str]]]:
    """Return the modules that Python is said to run, and with which words."""
    found: dict[str, list[list[str]]] = {}
    for _, (dash, module, *words) in said("python") + said("python3"):
        assert dash == "-m"
        found.setdefault(module, []).append(list(takewhile(lambda word: word != PYTHON, words)))
    return found


def test_python_is_run_in_one_way() -> None:
    assert said_otherwise() == [], f"say: {PYTHON} -m MODULE"


def test_every_program_that_is_said_is_run_or_has_a_reason() -> None:
    reasons = [part for parts in RESOLVED.values() for part in parts]
    without = [one for one in modules_said() if not one.startswith(tuple(reasons)) and one not in RUN_BY]
    assert without == []
    assert set(RUN_BY) <= set(modules_said())
    assert [part for part in reasons if not any(one.startswith(part) for one in modules_said())] == []
    for module, test in RUN_BY.items():
        assert f'"-m", "{module}"' in (ROOT / test).read_text(), test


def test_a_program_that_is_said_takes_the_words_that_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that read options by argparse run until they have read them; the others have the options as they are."""
    for module, said_with in modules_said().items():
        if module in ("http.server", "pytest", "venv"):
            continue
        source = source_of(module)
        assert 'if __name__ == "__main__":' in source, module
        for words in said_with:
            if "argparse" in source:
                run_as_far_as_its_words(module, words, monkeypatch)
            else:
                unknown = [word for word in words if word.startswith("-") and f'"{word}"' not in source]
                assert unknown == [], module


def test_the_tests_that_are_said_are_there() -> None:
    """The files, and for `-k` a test whose name, or whose module's, has that in it."""
    for words in modules_said()["pytest"]:
        places = [ROOT / word for word in words if word.startswith("tests/")] or [ROOT / "tests"]
        files = [file for place in places for file in ([place] if place.is_file() else place.rglob("test_*.py"))]
        assert files, words
        if "-k" in words:
            name = re.compile(rf"def test_\w*{words[words.index('-k') + 1]}")
            assert any(name.search(file.read_text()) for file in files), words
        if "-p" in words:
            source_of(words[words.index("-p") + 1])


def test_the_targets_of_make_that_are_said_are_there_and_read_their_variables() -> None:
    makefile = (ROOT / "Makefile").read_text()
    listed = re.findall(r'echo "make ([\w-]+)', makefile)
    assert len(listed) > 25
    for where, words in [*said("make"), *(("Makefile", [target]) for target in listed)]:
        names = [word for word in words if "=" not in word]
        assert set(names) <= targets(), f"{where}: make {' '.join(names)}"
        for variable in (word.partition("=")[0] for word in words if "=" in word):
            assert f"$({variable})" in makefile or f"{variable} ?=" in makefile, f"{where}: {variable}"


def test_what_pip_is_told_to_install_is_there() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    told = [word for _, words in said("pip") for word in words if word.startswith("wallwright[")]
    assert told
    assert {word.removeprefix("wallwright[").removesuffix("]") for word in told} <= set(extras)


def test_every_command_of_the_program_that_is_said_is_one() -> None:
    program = typer.main.get_command(app)
    found = said("wallwright")
    assert len(found) > 200
    assert [(where, words) for where, words in found if list(unknown_to(program, words))] == []
