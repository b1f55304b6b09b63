"""Nobody reads a journal unchecked: no module has a way of its own, and no command takes a forged one."""

import ast
import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.host.journal.conftest import Log, tamper
from wallwright import cli
from wallwright.cli.program import app
from wallwright.journal import Journal, printed_key, read_journal
from wallwright.journal.addresses import find_place
from wallwright.journal.keys import public_bytes
from wallwright.journal.known import known_of

HOST = Path(__file__).parents[3] / "host" / "wallwright"
DATABASES = {"sqlite3", "sqlalchemy", "psycopg", "alembic"}
OPENS = {
    *(f"journal/{name}.py" for name in ("addresses", "files", "migration", "places", "schema", "server", "writer")),
    # Accounts have a file of their own, which backups copy and examine as a whole.
    "backup/archive.py",
    "backup/checking.py",
    *(f"console/people/{name}.py" for name in ("accounts", "codes", "devices", "file", "pins", "tables")),
    # The deals of a season have tables of their own, which are made of extracts.
    "season/deal_server.py",
}
"""Modules that may import a database's library, besides the migrations."""
ASKS = {
    "journal/rows.py": {
        "SELECT id, at_ms, unit, boot_id, seq, kind, body, hash FROM {} WHERE id > :after",
        "SELECT id, at_ms, unit, boot_id, seq, kind, body, hash FROM {} WHERE id IN",
    },
    "journal/verify.py": {"SELECT count(*) FROM {} WHERE id IS NULL OR id < 1"},
    "journal/writer.py": {"SELECT id, hash FROM {} ORDER BY id DESC LIMIT 1"},
}
"""By module: what is asked of the table of entries; all of the table itself."""
OTHERS = ("journal/schema.py", "season/deal_server.py")
"""These ask other tables, whose names they put in."""
CHANGES = re.compile(r"\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:ONLY\s+|main\.)?(?:entries\b|\{\})")


@cache
def modules() -> dict[str, ast.Module]:
    """The modules that say anything of a database."""
    found = {path.relative_to(HOST).as_posix(): path.read_text(encoding="utf-8") for path in HOST.rglob("*.py")}
    words = re.compile("|".join((*DATABASES, "entries")))
    return {name: ast.parse(text) for name, text in found.items() if words.search(text) and "migrations" not in name}


def imports(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            found.add(node.module.partition(".")[0])
    return found


def texts(tree: ast.Module) -> Iterator[str]:
    """Go through the texts of a module, with `{}` for what is put in."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def test_only_the_journal_s_own_modules_open_a_database() -> None:
    assert {name for name, tree in modules().items() if imports(tree) & DATABASES} <= OPENS


def test_the_table_of_entries_is_asked_in_one_way() -> None:
    asked = {name: {text for text in texts(tree) if CHANGES.search(text)} for name, tree in modules().items()}
    found = {name: texts for name, texts in asked.items() if texts and name not in OTHERS}
    # Besides, what a database is made of is asked with which revisions it has had.
    assert found.pop("journal/shape.py") == {"SELECT version_num FROM {}"}
    assert set(found) == set(ASKS)
    for name, wanted in ASKS.items():
        told = {" ".join(text.split()) for text in found[name]}
        assert all(any(one in text for text in told) for one in wanted), name
        assert all(any(one in text for one in wanted) for text in told), told


def test_what_is_asked_by_the_writer_reads_numbers_only() -> None:
    """Its index finds events again, and no entry's content comes from there."""
    tree = modules()["journal/writer.py"]
    asked = [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "select"
    ]
    assert sorted(asked) == [
        "select(ENTRIES.c.id)",
        "select(func.max(ENTRIES.c.at_ms))",
        "select(func.max(ENTRIES.c.seq))",
    ]


def commands(group: Any, *names: str) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, *names, name)
        else:
            yield (*names, name), command


def is_journal(param: Any) -> bool:
    return param.name == "journal" or (param.metavar or "").strip("[]") in ("JOURNAL", "SEASON")


NEW = {"event restore", "event rehearse", "log import", "demo"}
"""These make a journal."""
NOT_ITS_ENTRIES = {"log migrate"}
"""It looks at what the database is made of, and at nothing to do."""
AFTER_AN_EXTRACT = {"season check"}
"""It first reads an extract, which tests/host/season has."""
READS = {
    " ".join(names): command
    for names, command in commands(typer.main.get_command(app))
    if any(map(is_journal, command.params)) and " ".join(names) not in NEW | NOT_ITS_ENTRIES | AFTER_AN_EXTRACT
} | {"dice verify": None}


MORE = {
    "event result": ["--points", "0,0,0,0"],
    "event correct": ["--points", "0,0,0,0"],
    "event swap-seats": ["--tables", "1,2"],
}
"""What else they cannot do without: one of several options."""


def arguments(command: Any, journal: Path, folder: Path) -> list[str]:
    """The arguments that a command cannot do without, and its journal."""
    if command is None:
        return [str(journal)]
    given: list[str] = []
    for param in command.params:
        if not param.required and not is_journal(param):
            continue
        value = "1"
        if is_journal(param):
            value = str(journal)
        elif issubclass(param.type_descriptor.annotation, Enum):
            value = next(iter(param.type_descriptor.annotation)).value
        elif param.name == "port":
            value = "sim://?seed=1"
        elif param.name == "folder":
            value = str(folder)
        elif param.name == "source":
            value = str(journal)
        elif param.name == "key":
            value = printed_key(public_bytes(Ed25519PrivateKey.generate()))
        elif param.name in ("path", "target"):
            value = str(folder / param.name)
        if param.param_type_name == "argument":
            given.append(value)
        else:
            given += [param.opts[0]] if param.is_flag else [param.opts[0], value]
    return given


def test_the_commands_are_found() -> None:
    assert len(READS) > 40
    assert {"event standings", "event export", "log export", "log replay", "track", "wall verify"} <= set(READS)


@pytest.fixture(scope="module")
def forged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("forged") / "forged.journal"
    with Journal(path) as journal:
        for n in range(1, 5):
            journal.append("deal_result", {"deal": n, "points": [n, -n, 0, 0]}, at_ms=n, unit="T-1")
    tamper(str(path), ("UPDATE entries SET body = replace(body, '1', '9') WHERE id = 1", ()))
    return path


@pytest.mark.parametrize("name", READS)
def test_every_command_refuses_a_forged_journal_and_says_what_to_do(
    name: str, forged: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    known_of(find_place(forged)).forget()
    if name == "event players import":
        (tmp_path / "path").write_text("Ann\nBo\nCy\nDi\n")
    monkeypatch.setattr(
        "sys.argv", ["wallwright", *name.split(), *arguments(READS[name], forged, tmp_path), *MORE.get(name, [])]
    )
    with pytest.raises(SystemExit) as caught:
        cli.main()
    out, error = capsys.readouterr()
    if name == "log verify":
        assert (caught.value.code, "entry 1 is not what was written" in out) == (1, True)
        return
    assert caught.value.code == 5, error
    assert "entry 1 is not what was written" in error
    assert "wallwright log verify" in error
    assert "wallwright log copy" in error
    assert "Traceback" not in error


def test_checkpoints_say_whose_they_are(log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "session.journal"
    with Journal(path) as journal:
        printed = str(journal.checkpoint(at_ms=1))
    key = printed.split(":")[3]
    assert f"key {key}, which is this machine's" in log("verify", path).out
    assert log("verify", path, "--key", key.lower()).code == 0
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "elsewhere"))
    for answer in (log("verify", path), log("verify", path, "--checkpoint", printed)):
        assert answer.code == 0
        assert f"ANOTHER key {key} (this machine has none)" in answer.out
    assert not (tmp_path / "elsewhere").exists(), "no key is made to verify"
    own = log("keys").out.split()[0]
    assert f"ANOTHER key {key} (this machine's is {own})" in log("verify", path).out
    assert '"own": false' in log("verify", path, "--json").out
    answer = log("verify", path, "--key", own)
    assert answer.code == 1
    assert f"signed by another key: {key}" in answer.out
    assert log("verify", path, "--key", "short").code == 2
    assert len(list(read_journal(path))) == 1
