"""Text files as people's programs write them: read, or refused with the file, the place, and what to write instead.

The odd ones go to every command that takes a file; `make campaign` gives every one to every command.
"""

import json
import random
from pathlib import Path

import pytest

from tests.host.every_command import CONTENTS, words_of
from tests.host.programs import Runner, Told
from tests.length import LONG
from wallwright.journal import read_journal

FEW = 3
LIBRARIES = (
    "codec", "Expecting", "Extra data", "(at line", "(at end of document)", "Invalid statement", "Invalid value",
    "Errno", "Error", "null byte", "Unterminated", "Illegal", "surrogate", "decode", "Traceback",
)  # fmt: skip
"""Words that only libraries say."""
WORKBOOK = b"PK\3\4" + bytes(range(256)) * 4
ODD = {
    "half.txt": b"\xff\xfea",
    "latin.txt": 'name = "Müller"\nbase = 1\n'.encode("latin-1"),
    "zero.txt": b'name = "a\0b"\n',
    "book.xlsx": WORKBOOK,
    "page.html": b"<!doctype html><title>x</title>",
    "smart.toml": "name = “x”\n".encode(),
    "twice.toml": b'name = "a"\nname = "b"\n',
    "path.toml": b'journal = "C:\\Users\\ann\\x"\nname = "C:\\Users"\n',
    "open.toml": b'name = "a\n',
    "twice.json": b'{"events": [], "events": []}',
    "two.json": b'{"events": []}\n{"events": []}\n',
    "comment.json": b'{"events": [] // none\n}',
    "comma.json": b'{"events": [],}',
    "smart.json": "{“events”: []}".encode(),
    "nan.json": b'{"events": [NaN]}',
    "cut.json": b'{"events": [',
}
TAKEN = {
    "event players import": "a list of names has no form of its own",
    "entropy assess": "any bytes are samples",
    "study wash-test": "a file that is not there is made",
}
"""Commands that may take such a file."""
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be")
ENDS = ("\n", "\r\n", "\r")
HALL = 'journal = "hall.journal"\n[[table]]\nname = "A1"\nport = "/dev/ttyNONE"\n'
GOOD = {
    "service install --config FILE --as nobody --dry-run": HALL,
    "event new NEW --format FILE": 'base = "mil-2025"\nname = "熊猫杯"\n',
    "season new NEW --format FILE": 'base = "league"\nname = "熊猫"\n',
    "rules deals --count 1 --ruleset FILE": 'base = "sichuan-4"\n# 川\nfan_limit = 3\n',
    "demo --deals 1 --seed 1 --faults FILE": "# 川\nkey 0 lift stuck at 900 s\n",
}
"""Commands with a file that they take."""


def test_an_odd_text_is_refused_in_words_that_name_it(runner: Runner, good: Path, tmp_path: Path, seed: int) -> None:
    chance, players = random.Random(seed), tmp_path / "players.csv"
    players.write_text("Ann\nBob\nCid\nDan\n")
    for name, content in ODD.items():
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o600)
    asked = 0
    for number, template in enumerate(CONTENTS):
        for name in ODD if LONG else chance.sample(sorted(ODD), FEW):
            new = tmp_path / f"new {number}"
            new.mkdir(exist_ok=True)
            places = {"FILE": str(tmp_path / name), "GOOD": str(good), "LIST": str(players), "NEW": str(new / "new")}
            told = runner.run(*words_of(template, places))
            where = f"{template!r} with {name!r}: {told}"
            if told.code == 0:
                assert any(template.startswith(command) for command in TAKEN), where
                continue
            asked += 1
            assert not any(word in told.err for word in LIBRARIES), where
            assert told.err.splitlines()[-1].startswith(("error: ", "  ")), where
            assert (tmp_path / name).read_bytes() == ODD[name], where
            assert list(new.iterdir()) == [], where
    assert asked > len(CONTENTS)


@pytest.mark.parametrize("template", GOOD)
def test_a_text_is_read_however_a_program_has_saved_it(runner: Runner, tmp_path: Path, template: str) -> None:
    saved = [(encoding, end) for encoding in ENCODINGS for end in ENDS]
    # All of them are read, each by one command; what turns bytes into text is the same for all commands.
    for number, (encoding, end) in enumerate(saved if LONG else saved[list(GOOD).index(template) :: len(GOOD)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "file.toml"
        path.write_bytes(GOOD[template].replace("\n", end).encode(encoding))
        told = runner.run(*words_of(template, {"FILE": str(path), "NEW": str(folder / "new")}))
        assert told.code == 0, (encoding, end, told)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (ODD["path.toml"], "write 'C:\\Users\\ann\\x' in single quotes, or with /"),
        (b'journal = "C:\\table"\n', "in double quotes a backslash begins an escape"),
        (ODD["smart.toml"], "“ is a quotation mark of word processors"),
        (ODD["twice.toml"], "line 2, character 11: name is given twice"),
        (ODD["latin.txt"], "line 1 is no UTF-8 (byte 10); save the file as UTF-8"),
        (ODD["book.xlsx"], "it is a workbook, or another packed file, and no text"),
        (ODD["open.toml"], "the quotes are not closed in this line"),
        (
            b'journal = "j"\n[[table]]\nname = "a\\u202eb"\nport = "COM1"\n',
            "character 2 is RIGHT-TO-LEFT OVERRIDE",
        ),
        (
            'journal = "j"\n[[table]]\nname = "Ａ1"\nport = "COM1"\n[[table]]\nname = "a1 "\nport = "COM2"'.encode(),
            "name 'Ａ1' is given 2 times",
        ),
    ],
)
def test_a_hall_s_file_is_refused_with_what_to_write(runner: Runner, tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "hall.toml"
    path.write_bytes(content)
    told = runner.run("run", "--config", str(path))
    assert told.code == 2
    assert f"{path}: " in told.err
    assert said in told.err
    assert told.err.count("\n") == 1


def test_a_declared_deal_is_refused_with_what_to_write(runner: Runner, good: Path, tmp_path: Path) -> None:
    path = tmp_path / "deal.json"
    whole = json.dumps({"dealer": 0, "end": "wall", "events": [], "hands": {}}, indent=1)
    for odd, said in (
        (whole + whole, "a second value begins here, and one is wanted"),
        (whole.replace("{\n", "{ // a deal\n", 1), "JSON has no comments"),
        (whole.replace('"end"', '"dealer"'), "'dealer' is given twice"),
    ):
        path.write_text(odd, encoding="utf-8")
        told = runner.run("event", "correct", str(good), "1", "1", "1", "--reason", "x", "--declared", str(path))
        assert told.code == 2
        assert f"{path} is not a deal: " in told.err
        assert said in told.err


def test_what_an_editor_has_saved_again_is_imported_as_it_was(runner: Runner, good: Path, tmp_path: Path) -> None:
    export = tmp_path / "good.jsonl"
    assert runner.run("log", "export", str(good), "--output", str(export)).code == 0
    text = export.read_text(encoding="utf-8")
    whole = [(one.id, one.kind, one.body) for one in read_journal(good)]
    for number, (encoding, end) in enumerate(zip(ENCODINGS, ("\r\n", "\n", "\r\n", "\n", "\r\n"), strict=True)):
        odd, new = tmp_path / f"{number}.jsonl", tmp_path / f"{number}.journal"
        odd.write_bytes(text.replace("\n", end).encode(encoding))
        assert runner.run("log", "import", str(odd), str(new)) == Told(0, "")
        assert [(one.id, one.kind, one.body) for one in read_journal(new)] == whole
    odd.write_bytes(text.encode()[:-1] + b"\xff\n")
    told = runner.run("log", "import", str(odd), str(tmp_path / "none"))
    assert told.err.startswith(f"error: {odd}, line {text.count(chr(10))}: ")
    assert not (tmp_path / "none").exists()
