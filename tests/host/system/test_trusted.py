"""Files that are believed are refused when others can change them, or can put others in their place."""

import grp
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.host.backup.hostile import Ran, hall_file, make_backup, runner
from tests.host.every_command import HALL_KEY
from wallwright.board.keys import make_key, private_path, read_private_key
from wallwright.console.listening import Listening
from wallwright.console.people.accounts import Accounts
from wallwright.errors import WallwrightError
from wallwright.event.seeds import keep_seed, kept_seed, seed_path
from wallwright.fleet.config import load_hall
from wallwright.journal.keys import key_path, signing_key
from wallwright.journal.sealing import FOLDER, DealKeys
from wallwright.system.disk import write_whole
from wallwright.system.trusted import problem_with
from wallwright.tiles.enrolment import Enrolment, enrolment_path, load_enrolment, save_enrolment
from wallwright.tiles.hall_station import ConsolePlace

SEASON = {"report_to": "https://s.example", "season_key": HALL_KEY, "season_certificate": "season.pem"}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ran:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return runner(monkeypatch, capsys)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A private file, three private folders below one that its user has."""
    path = tmp_path / "one" / "two" / "three" / "file"
    for folder in reversed(path.parents[:3]):
        folder.mkdir(mode=0o700)
    write_whole(path, b"x")
    return path


def told(path: Path, *, is_own: bool = False) -> str:
    return str(problem_with(path, is_own=is_own) or "")


def test_whoever_may_write_a_file_can_change_it(file: Path) -> None:
    advice = f"others of this machine can change it; look through it, then run `chmod go-w {file}`"
    for mode in range(0o400, 0o1000):
        file.chmod(mode)
        assert told(file, is_own=True) == (advice if mode & 0o022 else ""), oct(mode)
        if not mode & 0o020:
            assert told(file) == (advice if mode & 0o002 else ""), oct(mode)


def test_a_group_is_nobody_else_when_it_is_the_user_s_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own = grp.getgrgid(file.stat().st_gid)
    owner = file.owner()
    file.chmod(0o664)
    for name, more, is_open in (
        (owner, [], False),
        (owner, [owner], False),
        (owner, ["ann"], True),
        ("staff", [], True),
    ):
        group = grp.struct_group((name, "x", own.gr_gid, more))
        monkeypatch.setattr(grp, "getgrgid", lambda _, group=group: group)
        assert bool(told(file)) == is_open
        file.chmod(0o600)
        file.parent.chmod(0o775)
        assert bool(told(file)) == is_open
        file.parent.chmod(0o700)
        file.chmod(0o664)


@pytest.mark.parametrize("height", range(3))
@pytest.mark.parametrize(("mode", "is_open"), [(0o777, True), (0o702, True), (0o1777, False), (0o755, False)])
def test_whoever_may_write_a_folder_on_the_way_can_put_another_file_there(
    file: Path, tmp_path: Path, height: int, mode: int, is_open: bool
) -> None:
    folder = file.parents[height]
    folder.chmod(mode)
    advice = f"others of this machine can put another one in its place; run `chmod go-w {folder}`" if is_open else ""
    assert told(file) == advice
    (tmp_path / "link").symlink_to(file)
    assert told(tmp_path / "link") == advice, "and where a link leads"
    (tmp_path / "folder").symlink_to(file.parent)
    by_folder = told(tmp_path / "folder" / "file")
    assert by_folder == (advice.replace(str(folder), str(tmp_path / "folder")) if height == 0 else advice)
    folder.chmod(0o700)
    folder.joinpath("back").symlink_to(os.path.relpath(file, folder))
    assert told(folder / "back") == ""


def test_a_link_in_an_open_folder_can_be_another_one_tomorrow(file: Path, tmp_path: Path) -> None:
    opened = tmp_path / "open"
    opened.mkdir()
    opened.chmod(0o777)
    (opened / "link").symlink_to(file)
    (tmp_path / "way").symlink_to(opened / "link")
    for path in (opened / "link", tmp_path / "way"):
        assert f"`chmod go-w {opened}`" in told(path)


def trusted(_: Path) -> Path:
    make_key("club")
    return key_path().parent / "board-keys" / "trusted.json"


def board_key(_: Path) -> Path:
    make_key("club")
    return private_path("club")


def journal_key(_: Path) -> Path:
    signing_key()
    return key_path()


def deal_key(_: Path) -> Path:
    DealKeys("day")._key("T-1")
    (path,) = (key_path().parent / FOLDER).iterdir()
    return path


def seed(folder: Path) -> Path:
    place = str(folder / "day.journal")
    keep_seed(place, "main", "ab" * 32, bytes(32))
    return seed_path(place, "main", "ab" * 32)


def tags(_: Path) -> Path:
    save_enrolment(enrolment_path("T-1"), Enrolment("T-1", 108))
    return enrolment_path("T-1")


def users(folder: Path) -> Path:
    Accounts(folder / "hall.users").close()
    return folder / "hall.users"


def hall(name: str) -> Callable[[Path], Path]:
    def make(folder: Path) -> Path:
        write_whole(folder / "season.pem", b"")
        write_whole(folder / "own.toml", b'name = "own"\nbased_on = "sichuan"\n')
        write_whole(folder / "hall.toml", hall_file(**SEASON).encode())
        return folder / name

    return make


def plain_file(folder: Path) -> Path:
    write_whole(folder / "tls.pem", b"")
    return folder / "tls.pem"


BELIEVED: dict[str, tuple[Callable[[Path], Path], Callable[[Path], object]]] = {
    "a board's trusted keys": (trusted, lambda _: make_key("other")),
    "a key that signs images": (board_key, read_private_key),
    "the key that signs checkpoints": (journal_key, lambda _: signing_key()),
    "a deal's key": (deal_key, lambda _: DealKeys("day")._key("T-1")),
    "a draw's seed": (seed, lambda path: kept_seed(str(path.with_name("day.journal")), "main", "ab" * 32)),
    "a table's tags": (tags, load_enrolment),
    "accounts": (users, lambda path: Accounts(path).close()),
    "a hall's file": (hall("hall.toml"), load_hall),
    "a hall's certificate": (hall("season.pem"), lambda path: load_hall(path.with_name("hall.toml"))),
    "a console's certificate": (plain_file, lambda path: Listening("::1", 0, path).check()),
    "a console's key": (plain_file, lambda path: Listening("::1", 0, path, path).check()),
    "a certificate of a console elsewhere": (plain_file, lambda path: ConsolePlace("https://hall.example", path)),
}


@pytest.mark.parametrize(("make", "believe"), BELIEVED.values(), ids=BELIEVED.keys())
@pytest.mark.usefixtures("run")
def test_what_others_can_change_is_not_believed(
    tmp_path: Path, make: Callable[[Path], Path], believe: Callable[[Path], object]
) -> None:
    path = make(tmp_path)
    for opened, mode, private in ((path, 0o606, 0o600), (path, 0o666, 0o600), (path.parent, 0o777, 0o700)):
        opened.chmod(mode)
        with pytest.raises(WallwrightError, match=r"chmod (600|go-w) ") as refused:
            believe(path)
        assert str(opened) in str(refused.value)
        opened.chmod(private)
    if path.suffix != ".pem" or path.parent != tmp_path:
        believe(path)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("data/wallwright/board-keys/trusted.json", "board keys list"),
        ("data/wallwright/journal-key.pem", "log checkpoint day.journal"),
        ("hall.toml", "run --config hall.toml"),
        ("hall.toml", "log verify day.journal --hall hall.toml"),
        ("hall.users", "users list hall.users"),
    ],
)
def test_a_command_says_who_can_change_what_it_believes(run: Ran, tmp_path: Path, name: str, line: str) -> None:
    make_backup(tmp_path, hall_file())
    make_key("club")
    run("log checkpoint day.journal")
    Accounts(tmp_path / "hall.users").close()
    (tmp_path / name).chmod(0o646)
    with pytest.raises(AssertionError, match=r"error: [^\n]*chmod (600|go-w) [^\n]*\\n'\)$"):
        run(line)
