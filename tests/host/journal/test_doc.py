"""docs/journal.md: its chain is computed, its example of an export is imported and scored."""

import hashlib
import json
import re
from pathlib import Path

from tests.host.journal.conftest import stored
from wallwright.journal import Journal, read_journal
from wallwright.journal.exporting import export_lines, import_lines
from wallwright.journal.mjai import TYPES, mjai_lines
from wallwright.journal.replay import replay_entries
from wallwright.link.reports import Event

PAGE = (Path(__file__).parents[3] / "docs" / "journal.md").read_text(encoding="utf-8")


def block(name: str) -> list[str]:
    found = re.search(rf"```{name}\n(.*?)\n```", PAGE, re.DOTALL)
    assert found, name
    return found[1].splitlines()


def test_the_chain_of_the_page_is_the_one_that_is_written(tmp_path: Path) -> None:
    texts, hashes = block("chain")[::2], block("chain")[1::2]
    before = bytes(32)
    for text, shown in zip(texts, hashes, strict=True):
        before = hashlib.sha256(before + text.encode()).digest()
        assert before.hex() == shown
    path = str(tmp_path / "session.journal")
    with Journal(path) as journal:
        for text in texts:
            _, at_ms, unit, boot_id, seq, kind, body = json.loads(text)
            if seq is None:
                journal.append(kind, json.loads(body), at_ms=at_ms, unit=unit)
            else:
                told = json.loads(body)
                journal.append_event(unit, Event(seq, boot_id, told["time_ms"], kind, told["fields"]), at_ms=at_ms)
    assert [row[7].hex() for row in stored(path)] == hashes


def test_the_export_of_the_page_is_one(tmp_path: Path) -> None:
    import_lines(block("export"), tmp_path / "session.journal")
    entries = list(read_journal(tmp_path / "session.journal"))
    assert list(export_lines(entries)) == block("export")
    found = replay_entries(entries)
    assert (found.scored, found.differences) == (1, [])
    assert list(mjai_lines(entries)) == block("mjai")


def test_every_type_of_line_of_mjai_is_in_the_page() -> None:
    for name in TYPES:
        assert f"`{name}`" in PAGE, name
