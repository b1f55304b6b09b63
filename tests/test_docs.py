"""Every page can be reached from docs/index.md, and every link of a page leads somewhere."""

import re
from functools import cache
from pathlib import Path

import pytest

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


FOLDERS = ("docs", "firmware", "host", "protocol", "simulator", "tests", "tools")
NAMED = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./-]*")


@pytest.mark.parametrize("name", ["recipes.md", "architecture.md"])
def test_every_path_that_a_page_for_newcomers_names_is_there(name: str) -> None:
    paths = [word for word in re.findall(r"`([^`\n]+)`", (ROOT / "docs" / name).read_text()) if NAMED.fullmatch(word)]
    assert len(paths) > 10
    assert not [path for path in paths if not (ROOT / path).exists()]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("protocol/wallwright_protocol/messages.py", "MESSAGES"),
        ("protocol/wallwright_protocol/messages.py", "FROZEN"),
        ("firmware/wallwright_firmware/commands.py", "_HANDLERS"),
        ("host/wallwright/console/texts.py", "HAPPENINGS"),
        ("tests/test_every_fault.py", "WITHOUT_A_CAUSE"),
        ("host/wallwright/doctor/upkeep.py", "CARE"),
        ("host/wallwright/rules/sichuan/ruleset.py", "PRESETS"),
        ("host/wallwright/console/catalogs.py", "LOCALES"),
        ("host/wallwright/cli/program.py", "SUMMARIES"),
    ],
)
def test_a_table_that_a_recipe_changes_is_in_its_file(path: str, name: str) -> None:
    recipes = (ROOT / "docs/recipes.md").read_text()
    assert f"`{path}`" in recipes
    assert f"`{name}`" in recipes
    assert re.search(rf"^{name}\b.* = ", (ROOT / path).read_text(), re.MULTILINE)
