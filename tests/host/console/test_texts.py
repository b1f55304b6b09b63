"""Both languages say everything, and say it with the same values."""

import ast
import re
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

import wallwright.console
from wallwright import errors, naming, refusals
from wallwright.console import texts
from wallwright.console.hall.model import Fault
from wallwright.console.mistakes import FIELDS
from wallwright.console.reasons import FOUND, SENTENCES
from wallwright.event import lifecycle, reported_results, results
from wallwright.rules import hands
from wallwright.rules.events import By, End
from wallwright.rules.fans import CONDITIONS
from wallwright.rules.melds import KONG_TYPES
from wallwright.rules.ruleset import PRESETS
from wallwright.rules.sessions import REFEREE_PENALTIES
from wallwright.rules.tiles import SUITS
from wallwright.system import disk
from wallwright.words import Listed
from wallwright_protocol.faults import UNKNOWN_FAULT, WORDS
from wallwright_protocol.messages import MESSAGES
from wallwright_protocol.names import FAULTS, KEYS, SOURCES

FOLDER = Path(wallwright.console.__file__).parent
CALL = re.compile(r"""_\((?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')""")
PASSED = {"open", "closed", "moving"}
"""What is translated by its value: the lid."""
EVENT = Path(results.__file__).parent
REFUSING = tuple(
    EVENT / f"{name}.py"
    for name in ("appeals", "desk", "lifecycle", "results", "running", "sanctions", "score_origins")
)
"""Modules that refuse in words, every time."""


def said() -> set[str]:
    """Every English text that a page can show: literals, tables of texts, names of the message table."""
    found = set(PASSED) | {texts.NOTHING, *naming._WIND_NAMES}
    for template in (FOLDER / "templates").iterdir():
        found |= {one or other for one, other in CALL.findall(template.read_text())}
    for module in (*FOLDER.rglob("*.py"), Path(naming.__file__)):
        for node in ast.walk(ast.parse(module.read_text())):
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") in ("_", "say", "translate", "voice")
                and node.args
            ):
                first = node.args[0]
                found |= {first.value} if isinstance(first, ast.Constant) and isinstance(first.value, str) else set()
    for table in (
        texts.STATES,
        texts.ATTENTION,
        texts.COMMANDS,
        texts.ROLES,
        texts.DRIVES,
        texts.WINS,
        texts.SESSION_STATES,
        texts.STEPS,
        texts.PLAYER_CHANGES,
        texts.PENALTIES,
        texts.DECISIONS,
        texts.PAPER_NAMES,
        texts.MACHINE_FAULTS,
        texts.DEAL_MOVES,
        texts.DEAL_KINDS,
        texts.QUESTIONS,
        texts.LATE,
        texts.OUTAGES,
        texts.SEAL_LOSSES,
        texts.SUITS,
        texts.TAP_MODES,
    ):
        found |= set(table.values())
    found |= {text for text in texts.HAPPENINGS.values() if text != "{state}"}
    found |= {text for _, text in texts.WITHOUT.values()} | {texts.UNKNOWN, *UNKNOWN_FAULT, *SENTENCES, *FOUND}
    found |= said_of_deals() | said_in_refusals() | {reported_results.TOO_LATE} | set(texts.WHY_DECLARED)
    found |= {f"fault.{name}.{part}" for name in WORDS if name != "none" for part in ("meaning", "what_to_do")}
    requests = {row[1] for row in MESSAGES if row[2] == "request"}
    named = {*FAULTS[1:], *KEYS, *(one for one in SOURCES if not one.startswith("side_")), *requests}
    return found | {texts.words(name) for name in named}


def said_of_deals() -> set[str]:
    """Every English text of which the rules' explanations are made: what `words` gets, or a `text` for it."""
    found = {*SUITS, Listed(()).separator, " "}
    for module in Path(hands.__file__).parent.glob("*.py"):
        found |= _words_in(module, of_refusals=False)
    return found


def said_in_refusals() -> set[str]:
    """Every English text with which something is refused, or that a tournament explains in words."""
    rules = Path(hands.__file__).parent.glob("*.py")
    named = {
        "end": get_args(End),
        "by": get_args(By),
        "kong": KONG_TYPES,
        "condition": CONDITIONS,
        "truth": (True, False),
        "field": FIELDS,
    }
    found = {f"{kind}.{name}" for kind, names in named.items() for name in names}
    found |= {"{text}"} | {lifecycle.standing(1, state).text for state in lifecycle.STATES}
    found |= {f"ruleset.{name}" for name in PRESETS}
    found |= {f"step.{step}" for step in lifecycle.MEANINGS} | {f"penalty.{name}" for name in REFEREE_PENALTIES}
    for one in rules:
        found |= _words_in(one, of_refusals=True)
    for one in (
        *EVENT.glob("*.py"),
        *FOLDER.rglob("*.py"),
        Path(disk.__file__),
        Path(errors.__file__),
        Path(refusals.__file__),
    ):
        if re.search(r"\bwords import .*\bwords\b", one.read_text()):
            found |= _words_in(one, of_refusals=True) | _words_in(one, of_refusals=False)
    return found


def _words_in(module: Path, *, of_refusals: bool) -> set[str]:
    tree = ast.parse(module.read_text())
    raised = {id(one) for node in ast.walk(tree) if isinstance(node, ast.Raise) for one in ast.walk(node)}
    # What is checked and asked of a declared deal is refused and nothing else.
    refuses = module.stem in ("declared", "doubts")
    found: set[str] = set()
    for node in ast.walk(tree):
        said = None
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Listed" and len(node.args) > 1:
            said = node.args[1]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("words", "in_words") and node.args:
            said = node.args[0] if (refuses or id(node) in raised) == of_refusals else None
        elif isinstance(node, ast.Assign):
            said = node.value if getattr(node.targets[0], "id", "") == ("problem" if of_refusals else "text") else None
        for one in (said.body, said.orelse) if isinstance(said, ast.IfExp) else (said,):
            found |= {one.value} if isinstance(one, ast.Constant) and isinstance(one.value, str) else set()
    return found


def test_chinese_says_everything_and_nothing_else() -> None:
    assert len(said()) > 150
    missing, unused = said() - set(texts.chinese()), set(texts.chinese()) - said()
    assert (sorted(missing), sorted(unused)) == ([], [])


@pytest.mark.parametrize("module", REFUSING, ids=lambda module: module.stem)
def test_nothing_is_refused_in_english_alone(module: Path) -> None:
    refusing = {"EventRefused": 0, "need_reason": 1}
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and (name := getattr(node.func, "id", "")) in refusing:
            said = node.args[refusing[name]]
            assert ast.unparse(said).split("(")[0] in {"words", "told_by", "Listed", "why"}, ast.unparse(said)


def values(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


def test_a_translation_has_the_same_values() -> None:
    chinese = {key: text for key, text in texts.chinese().items() if not key.startswith("fault.")}
    assert {key: values(text) for key, text in chinese.items()} == {key: values(key) for key in chinese}


def test_every_chinese_text_is_chinese() -> None:
    # Without what is put in, and without signs, some texts have no words at all.
    spoken = {key: text for key, text in texts.chinese().items() if re.search(r"[a-z]", re.sub(r"{.*?}", "", key))}
    latin = [key for key, text in spoken.items() if not re.search(r"[\u4e00-\u9fff]", text)]
    assert latin == []


@pytest.mark.parametrize(
    ("wanted", "accepted", "language"),
    [
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "zh"),
        (None, "de-DE,en;q=0.5", "en"),
        (None, "", "en"),
        ("zh", "en", "zh"),
        ("xx'<script>", "zh", "zh"),
    ],
)
def test_the_language_is_the_one_chosen_or_the_browsers(wanted, accepted, language) -> None:
    assert texts.choose(wanted, accepted) == language


def test_a_fault_has_the_words_of_its_language() -> None:
    fault = Fault("stopped", None, *WORDS["stopped"])
    assert texts.fault_text(fault, "meaning", texts.translator("en")) == WORDS["stopped"][0]
    assert texts.fault_text(fault, "meaning", texts.translator("zh")) == "主机让牌桌停止了。"


def test_an_event_is_a_sentence_with_its_values() -> None:
    fields = {"tile_set": 1, "stacks": (14, 13, 14, 13), "duration_ms": 23_140}
    assert texts.happening_text("build_done", fields, texts.translator("en")) == "The walls are built after 23.1 s"
    assert texts.happening_text("build_done", fields, texts.translator("zh")) == "牌墙已砌好，用时 23.1 秒"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_change_of_the_hall_with_a_text_of_its_own_can_be_told(language: str) -> None:
    fields = {"path": "A1/3.txt", "text": "what led to it is in A1/3.txt", "lost": 2}
    for kind in ("connected", "searching", "gap", "report", "ended"):
        reported_results = texts.happening_text(kind, fields, texts.translator(language))
        assert reported_results == texts.translator(language)(texts.HAPPENINGS[kind], lost=2)


def test_every_event_of_the_message_table_can_be_told() -> None:
    from wallwright_protocol.codec import EVENTS

    for layout in EVENTS.values():
        fields = {field.split("[")[0]: None for field in next(r[4] for r in MESSAGES if r[1] == layout.name)}
        for language in texts.LANGUAGES:
            reported_results = {**fields, "firmware": (0, 1, 0), "dice": (1, 2), "duration_ms": 1}
            assert texts.happening_text(layout.name, reported_results, texts.translator(language))
