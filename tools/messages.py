"""The texts of the console, for translators: `make messages` brings wallwright.po up to date.

A text is found where it is given to `words`, `plural`, `_` and the like in the code and the templates, and in tables of
texts that are looked up by a name. What is a name itself, such as that of a penalty, has its kind as the context.
"""

import ast
import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple, get_args

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po
from jinja2.ext import babel_extract

from wallwright import naming
from wallwright.console import reasons, texts
from wallwright.console.mistakes import FIELDS
from wallwright.event import lifecycle, reported_results
from wallwright.event.limits import REFEREE_PENALTIES
from wallwright.rules.core import tiles
from wallwright.rules.core.registry import games
from wallwright.rules.sichuan.events import By, End
from wallwright.rules.sichuan.fans import CONDITIONS
from wallwright.rules.sichuan.melds import KONG_TYPES
from wallwright.rules.sichuan.tiles import SUITS
from wallwright.words import Listed, Plural, plural
from wallwright_protocol.faults import UNKNOWN_FAULT, WORDS
from wallwright_protocol.messages import MESSAGES
from wallwright_protocol.names import FAULTS, KEYS, SOURCES

ROOT = Path(__file__).parents[1]
HOST = ROOT / "host" / "wallwright"
CATALOGS = HOST / "console" / "locale"
TRANSLATING = ("_", "say", "translate", "voice")
"""Functions that give a text in a language, in the console."""
SAYING = ("words", "in_words")
"""Functions that keep a text until it is said in one; only where they are those of words.py."""
SAYS = re.compile(r"\b(?:_|say|translate|voice|words|in_words|plural|Listed)\(")
HELD = ("text", "problem")
"""Variables that hold a text for one of these."""


class Message(NamedTuple):
    """A text, its context, and the file that it comes from."""

    text: str | Plural
    path: str
    context: str | None = None

    @property
    def id(self) -> str | tuple[str, str]:
        """What a catalog knows it by."""
        return (self.text.one, str(self.text)) if isinstance(self.text, Plural) else self.text


@cache
def messages() -> tuple[Message, ...]:
    """Return everything that has to be translated, some of it more than once."""
    templates = [one for path in sorted(HOST.rglob("*.html")) for one in _in_template(path)]
    code = [one for path in sorted(HOST.rglob("*.py")) for one in _in_code(path)]
    return (*templates, *code, *_by_name())


def template() -> Catalog:
    """Return all messages as a catalog without translations."""
    catalog = _empty(None)
    for one in sorted(messages(), key=lambda message: (message.path, message.text)):
        if one.text:
            catalog.add(one.id, locations=[(one.path, 0)], context=one.context)
    return catalog


def updated(path: Path) -> bytes:
    """Return the file of a catalog as it has to be: with all messages, and with none that nobody says."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=path.parents[1].name)
    catalog.update(template(), no_fuzzy_matching=True, update_creation_date=False)
    out = io.BytesIO()
    write_po(out, catalog, width=120, ignore_obsolete=True, include_lineno=False)
    return out.getvalue()


def _empty(locale: str | None) -> Catalog:
    return Catalog(locale, project="Wallwright", header_comment="# Texts of the console; `make messages` updates them.")


def _in_template(path: Path) -> Iterator[Message]:
    with path.open("rb") as file:
        for _, function, said, _ in babel_extract(file, ("_", "plural"), (), {}):
            given = [one for one in (said if isinstance(said, tuple) else (said,)) if one is not None]
            if given:
                yield Message(plural(*given) if function == "plural" else given[0], _name(path))


def _in_code(path: Path) -> Iterator[Message]:
    source = path.read_text(encoding="utf-8")
    if not SAYS.search(source):
        return
    tree = ast.parse(source)
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[-1] == "words"
        for alias in node.names
    }
    keeps = imported & set(SAYING)
    is_shown = path.is_relative_to(HOST / "console") or path == Path(naming.__file__)
    for node in ast.walk(tree):
        said: ast.expr | None = None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            name = node.func.id
            if name in keeps or (name in TRANSLATING and is_shown):
                said = node.args[0]
            elif name == "Listed" and len(node.args) > 1:
                said = node.args[1]
            elif name == "plural":
                yield Message(plural(*map(ast.literal_eval, node.args)), _name(path))
        elif isinstance(node, ast.Assign) and keeps and getattr(node.targets[0], "id", "") in HELD:
            said = node.value
        for each in (said.body, said.orelse) if isinstance(said, ast.IfExp) else (said,):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield Message(each.value, _name(path))


def _by_name() -> Iterator[Message]:
    of_console = _name(Path(texts.__file__))
    tables = (
        texts.STATES, texts.ATTENTION, texts.COMMANDS, texts.ROLES, texts.DRIVES, texts.WINS, texts.SESSION_STATES,
        texts.STEPS, texts.PLAYER_CHANGES, texts.PENALTIES, texts.DECISIONS, texts.PAPER_NAMES, texts.MACHINE_FAULTS,
        texts.DEAL_MOVES, texts.DEAL_KINDS, texts.QUESTIONS, texts.LATE, texts.OUTAGES, texts.SEAL_LOSSES, texts.SUITS,
        texts.TAP_MODES, texts.HAPPENINGS, texts.TILES,
    )  # fmt: skip
    said = [text for table in tables for text in table.values() if text != "{state}"]
    said += [text for _, text in texts.WITHOUT.values()]
    said += [texts.UNKNOWN, texts.NOTHING, *texts.WHY_DECLARED, *texts.LID_STATES, *UNKNOWN_FAULT]
    requests = [row[1] for row in MESSAGES if row[2] == "request"]
    said += map(texts.words, [*FAULTS[1:], *KEYS, *(one for one in SOURCES if not one.startswith("side_")), *requests])
    said += [*reasons.SENTENCES, *reasons.FOUND, *naming.WIND_NAMES, *SUITS, Listed(()).separator, " ", "{text}"]
    said += [reported_results.TOO_LATE, *(lifecycle.standing(1, state).text for state in lifecycle.STATES)]
    yield from (Message(text, of_console) for text in said)
    for name, sentences in WORDS.items():
        if name != "none":
            yield from (Message(text, "protocol/wallwright_protocol/faults.py", f"fault.{name}") for text in sentences)
    named = {
        "end": get_args(End),
        "by": get_args(By),
        "kong": KONG_TYPES,
        "condition": CONDITIONS,
        "truth": ("True", "False"),
        "field": FIELDS,
        "ruleset": tuple(preset for game in games() for preset in game.rulesets),
        "tile": tiles.NAMES[tiles.SUITED :],
        "step": tuple(lifecycle.MEANINGS),
        "penalty": tuple(REFEREE_PENALTIES),
    }
    yield from (Message(name, of_console, kind) for kind, names in named.items() for name in names)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    for catalog in sorted(CATALOGS.glob("*/LC_MESSAGES/wallwright.po")):
        catalog.write_bytes(updated(catalog))
        print(_name(catalog))
