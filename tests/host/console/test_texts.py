"""Both languages say everything, and say it with the same values."""

import ast
import re
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from tools.messages import CATALOGS as CATALOGS_FOLDER
from tools.messages import messages, updated
from wallwright.console import texts
from wallwright.console.hall.model import Fault
from wallwright.event import results
from wallwright.words import Plural
from wallwright_protocol.faults import WORDS
from wallwright_protocol.messages import MESSAGES

EVENT = Path(results.__file__).parent
REFUSING = tuple(
    EVENT / f"{name}.py"
    for name in ("appeals", "desk", "lifecycle", "results", "running", "sanctions", "score_origins")
)
"""Modules that refuse in words, every time."""


CATALOGS = sorted(CATALOGS_FOLDER.glob("*/LC_MESSAGES/*.po"))


def catalog(path: Path) -> Catalog:
    with path.open("rb") as file:
        return read_po(file)


def entries(path: Path) -> list[tuple[str | None, str, str, str]]:
    """Context, English text for one, for several, and translation of each text; several where a text has two."""
    found = []
    for message in catalog(path):
        if message.id:
            one, several = (str(message.id), str(message.id)) if isinstance(message.id, str) else map(str, message.id)
            told = message.string if isinstance(message.string, tuple) else (message.string,)
            found += [(message.context, one, several, str(text or "")) for text in told]
    return found


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.parents[1].name)
def test_a_catalog_translates_everything_and_nothing_else(path: Path) -> None:
    """What it lacks, `make messages` puts in, for translators."""
    extracted = {
        (one.context, one.text.one if isinstance(one.text, Plural) else one.text, str(one.text))
        for one in messages()
        if one.text
    }
    assert len(extracted) > 1400
    kept = {(context, one, several) for context, one, several, _ in entries(path)}
    # gettext finds a text of its own only where no plural begins with it.
    plain, one = (
        {text for context, text, several in kept if not context and (text == several) is is_plain}
        for is_plain in (True, False)
    )
    assert (sorted(map(str, extracted - kept)), sorted(map(str, kept - extracted)), plain & one) == ([], [], set())
    assert [text for _, text, _, told in entries(path) if not told.strip() and text.strip()] == []
    assert [message.id for message in catalog(path) if message.fuzzy and message.id] == []


def test_make_messages_changes_nothing_when_nothing_was_said_anew() -> None:
    for path in CATALOGS:
        before, after = (re.sub(rb"\n.Generated-By.*", b"", one) for one in (path.read_bytes(), updated(path)))
        assert before == after


def test_a_new_text_is_put_in_and_an_old_one_taken_out(tmp_path: Path) -> None:
    path = tmp_path / "zh_Hans" / "LC_MESSAGES" / "wallwright.po"
    path.parent.mkdir(parents=True)
    text = CATALOGS[0].read_text(encoding="utf-8")
    assert text.count('\nmsgid "Stop all tables"\nmsgstr "') == 1
    path.write_text(
        re.sub(r'\nmsgid "Stop all tables"\nmsgstr ".*"', '\nmsgid "Gone"\nmsgstr "没有了"', text), encoding="utf-8"
    )
    path.write_bytes(updated(path))
    assert [told for _, one, _, told in entries(path) if one == "Stop all tables"] == [""]
    assert "Gone" not in {one for _, one, _, _ in entries(path)}
    assert len(entries(path)) == len(entries(CATALOGS[0]))


@pytest.mark.parametrize("module", REFUSING, ids=lambda module: module.stem)
def test_nothing_is_refused_in_english_alone(module: Path) -> None:
    refusing = {"EventRefused": 0, "need_reason": 1}
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Call) and (name := getattr(node.func, "id", "")) in refusing:
            said = node.args[refusing[name]]
            assert ast.unparse(said).split("(")[0] in {"words", "told_by", "Listed", "why"}, ast.unparse(said)


def values(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name)


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.parents[1].name)
def test_a_translation_has_the_same_values(path: Path) -> None:
    assert [several for _, _, several, told in entries(path) if values(told) != values(several)] == []
    for _, one, several, _ in entries(path):
        assert set(values(one)) <= set(values(several))


def test_every_chinese_text_is_chinese() -> None:
    # Without what is put in, and without signs, some texts have no words at all.
    spoken = {
        text: told for _, _, text, told in entries(CATALOGS[0]) if re.search(r"[a-z]", re.sub(r"{.*?}", "", text))
    }
    assert len(spoken) > 1000
    latin = [text for text, told in spoken.items() if not re.search(r"[\u4e00-\u9fff]", told)]
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
    washed = fields | {"wash_s": 60}
    english, chinese = (texts.happening_text("build_done", washed, texts.translator(one)) for one in ("en", "zh"))
    assert english == "The walls are built after 23.1 s and a wash of 60 s"
    assert chinese == "洗牌 60 秒后，牌墙已砌好，用时 23.1 秒"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The build has begun, after a wash of 0 s"), ("zh", "开始砌牌，之前洗牌 0 秒")]
)
def test_a_build_that_begins_says_for_how_long_its_tiles_were_washed(language: str, said: str) -> None:
    translate = texts.translator(language)
    assert texts.happening_text("build_started", {"plan": (14, 13, 14, 13), "wash_s": 0}, translate) == said
    for unknown in ({"wash_s": None}, {}):
        told = texts.happening_text("build_started", {"plan": (14, 13, 14, 13), **unknown}, translate)
        assert said.startswith(told)
        assert len(told) < len(said)


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
