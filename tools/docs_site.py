"""Hooks of mkdocs.yml: the navigation of the site, its pages from outside docs/, and the API reference.

The navigation is the reading order of docs/index.md. The API reference has one page for each package, made of its
docstrings. Links between files of the repository become links of the site. `make docs` runs it.
"""

import ast
import os
import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
OUTSIDE = {
    "README.md": "start.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "reporting.md",
    "benchmarks/README.md": "benchmarks.md",
    "protocol/wallwright_protocol/SPEC.md": "protocol.md",
}
"""Page outside docs/ -> its name on the site."""
PACKAGES = (
    ("protocol", "wallwright_protocol"),
    ("firmware", "wallwright_firmware"),
    ("simulator", "wallwright_simulator"),
    ("host", "wallwright"),
)
"""Folder of the repository, package in it."""
PACKAGE_OPTIONS = """\
    options:
      members: false
      show_root_heading: false
      show_root_toc_entry: false
"""
FENCE = re.compile(r"^( *```.*?^ *```$)", re.DOTALL | re.MULTILINE)
ITEM = re.compile(r"( *)([-*]|\d+\.) ")
FROM_THE_NET = re.compile(r"<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=[\"'](https?:[^\"']*)")
STEP = re.compile(r"    (\S+) --> (\w+|\[\*\])(?:: (.*))?")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the navigation: the sections of docs/index.md, then the API reference."""
    start = [{"Wallwright": OUTSIDE["README.md"]}, {"All pages": "index.md"}, {"Glossary": "glossary.md"}]
    config.nav = [{"Start": start}, *_sections(), {"API": _api_nav()}]
    return config


def _sections() -> list[dict[str, list[dict[str, str | list[str]]]]]:
    sections: list[dict[str, list[dict[str, str | list[str]]]]] = []
    for line in (DOCS / "index.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            sections.append({line[3:]: []})
        elif sections and ITEM.match(line):
            (pages,) = sections[-1].values()
            pages += [{words: _chapter(target)} for words, target in re.findall(r"\[([^]]+)\]\(([^)]+)\)", line)]
    return sections


def _chapter(target: str) -> str | list[str]:
    """Return a page of the index, or a folder's page with the others of the folder below it."""
    if not target.endswith("/index.md"):
        return _on_site(DOCS, target)
    others = sorted((DOCS / target).parent.glob("[!i]*.md"))
    return [target, *(page.relative_to(DOCS).as_posix() for page in others)]


def _api_nav() -> list[dict[str, str]]:
    return [{".".join(package): _api_page(package)} for package, _ in _packages()]


def _packages() -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """Yield each package, as its parts, and the modules of which it has a page."""
    for folder, top in PACKAGES:
        for path in sorted((ROOT / folder / top).rglob("__init__.py")):
            package = path.parent.relative_to(ROOT / folder).parts
            modules = [one.stem for one in sorted(path.parent.glob("*.py")) if _is_documented(one)]
            if modules:
                yield package, modules


def _is_documented(path: Path) -> bool:
    """Say whether a module has something to read: packages without a docstring and starters have not."""
    if path.name == "__main__.py":
        return False
    return path.name != "__init__.py" or bool(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))


def _api_page(package: tuple[str, ...]) -> str:
    return f"api/{'.'.join(package)}.md"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages from outside docs/ and those of the API reference."""
    for source, name in OUTSIDE.items():
        if (ROOT / source).exists():
            files.append(File.generated(config, name, abs_src_path=str(ROOT / source)))
    for package, modules in _packages():
        text = f"# {'.'.join(package)}\n"
        for module in modules:
            is_package = module == "__init__"
            name = ".".join(package if is_package else (*package, module))
            text += f"\n::: {name}\n" + (PACKAGE_OPTIONS if is_package else "")
        files.append(File.generated(config, _api_page(package), content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001
    """Put a page of the repository into the site's form: its links, its diagrams, its lists."""
    name = page.file.src_uri
    source = next((outside for outside, inside in OUTSIDE.items() if inside == name), f"docs/{name}")
    parts = FENCE.split(markdown)
    return "".join(
        _diagram(part) if at % 2 else _lists(_links(part, (ROOT / source).parent)) for at, part in enumerate(parts)
    )


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001
    """Refuse a page that loads something from the net: the site is read where there is none."""
    if found := FROM_THE_NET.search(output):
        raise PluginError(f"{page.file.src_uri} loads {found[1]}: put it into docs/ or leave it out")
    return output


def _links(text: str, folder: Path) -> str:
    def linked(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        if "://" in target or target.startswith("#"):
            return found[0]
        on_site = _on_site(folder, target)
        return f"{mark}[{words}]({on_site})" if on_site else words

    return re.sub(r"(!?)\[((?:[^][]|\[[^]]*\])*)\]\(([^)\s]+)\)", linked, text)


def _on_site(folder: Path, target: str) -> str:
    """Return where a link of a page in `folder` leads on the site, empty where it leaves it."""
    path, hash_, anchor = target.partition("#")
    file = Path(os.path.normpath(folder / path))
    if file.is_relative_to(DOCS):
        found = file.relative_to(DOCS).as_posix()
    else:
        found = OUTSIDE.get(file.relative_to(ROOT).as_posix(), "")
    if folder.is_relative_to(DOCS) and found:
        found = os.path.relpath(found, folder.relative_to(DOCS))
    return found and found + hash_ + anchor


def _lists(text: str) -> str:
    """Let lists begin behind an empty line, and inner ones four characters in, as Python-Markdown wants them."""
    lines: list[str] = []
    for line in text.split("\n"):
        item = ITEM.match(line)
        before = lines[-1] if lines else ""
        if item and before.strip() and not _in_list(lines):
            lines.append("")
        inner = item is not None and 2 <= len(item[1]) <= 3
        lines.append(" " * (4 - len(item[1])) + line if item and inner else line)
    return "\n".join(lines)


def _in_list(lines: list[str]) -> bool:
    """Say whether the last lines are those of a list: an item, or indented lines behind one."""
    for line in reversed(lines):
        if ITEM.match(line):
            return True
        if not line.startswith(" "):
            return False
    return False


def _diagram(fence: str) -> str:
    """Turn a diagram of states into a table, for what draws diagrams would come from the net."""
    if "```mermaid" not in fence:
        return fence
    rows = [step.groups() for line in fence.splitlines() if (step := STEP.fullmatch(line))]
    table = [f"| {_state(here)} | {why or ''} | {_state(there)} |" for here, there, why in rows]
    return "\n".join(["| in state | on | goes to |", "|---|---|---|", *table])


def _state(name: str) -> str:
    return "(start)" if name == "[*]" else f"`{name}`"
