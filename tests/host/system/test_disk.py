"""Files whole or not at all, also where there are no links; names that every system takes."""

import errno
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wallwright.fleet.reports import Reports
from wallwright.system import disk
from wallwright.system.disk import LONGEST, file_name, give_name, is_device, read_whole, write_new, write_whole


@pytest.fixture(params=["links", "no links"])
def either_disk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk as it is here, and one such as a stick's, whose file system has no links."""

    def refuse(*_: object) -> NoReturn:
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))

    if request.param == "no links":
        monkeypatch.setattr(os, "link", refuse)


@pytest.mark.usefixtures("either_disk")
def test_a_new_file_takes_no_name_from_another(tmp_path: Path) -> None:
    draft, target = tmp_path / "draft", tmp_path / "target"
    draft.write_bytes(b"whole")
    give_name(draft, target)
    assert target.read_bytes() == b"whole"
    other = tmp_path / "other"
    other.write_bytes(b"late")
    with pytest.raises(FileExistsError):
        give_name(other, target)
    with pytest.raises(FileExistsError):
        write_new(target, b"late")
    assert target.read_bytes() == b"whole"
    write_new(tmp_path / "new", b"new")
    assert {path.name for path in tmp_path.iterdir()} - {"draft"} == {"target", "other", "new"}
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


def test_a_file_that_cannot_be_replaced_leaves_no_draft(tmp_path: Path) -> None:
    write_whole(tmp_path / "file", b"one")
    write_whole(tmp_path / "file", b"two")
    assert (tmp_path / "file").read_bytes() == b"two"
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="directory"):
        write_whole(tmp_path / "folder", b"three")
    assert {path.name for path in tmp_path.iterdir()} == {"file", "folder"}


@pytest.mark.parametrize("name", ["CON", "nul", "com1", "LPT9", "COM3.json", "aux.tar.gz", "COM¹"])
def test_what_windows_takes_for_a_device_is_known(name: str) -> None:
    assert is_device(name)
    assert not is_device(file_name(name))


@pytest.mark.parametrize("name", ["console", "COM", "COM10", "A1", "北1"])
def test_other_names_stay(name: str) -> None:
    assert file_name(name) == name


@given(st.text(min_size=1), st.text(min_size=1))
def test_every_name_is_fit_for_windows_and_tells_its_text_from_others(one: str, other: str) -> None:
    name = file_name(one)
    # What Microsoft's "Naming Files, Paths, and Namespaces" forbids.
    assert not re.search(r'[<>:"/\\|?*\x00-\x1f]', name)
    assert not name.endswith((" ", "."))
    assert (name == file_name(other)) == (one == other)


def test_the_reports_of_a_table_are_where_every_system_lets_them(tmp_path: Path) -> None:
    path = Reports(tmp_path, 'A:1 "<北>"').write(1_763_679_600_123, "what", "about", "→ frames")
    assert path.relative_to(tmp_path).as_posix() == "A%3a1 %22%3c北%3e%22/20251120T230000123Z.txt"
    assert path.read_text(encoding="utf-8").endswith("→ frames\n")


def test_a_file_is_read_up_to_a_limit_and_no_further(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(LONGEST))
    assert len(read_whole(path)) == LONGEST
    for endless in (path, tmp_path / "endless"):
        if endless == path:
            path.write_bytes(bytes(LONGEST + 1))
        else:
            endless.symlink_to("/dev/zero")
        with pytest.raises(OSError, match="longer than 1,048,576 bytes"):
            read_whole(endless)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such pipes")
def test_a_pipe_is_read_to_its_end_and_given_up_when_it_gives_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    monkeypatch.setattr(disk, "PIPE_S", 0.01)
    with pytest.raises(TimeoutError, match=r"it is a pipe and gives nothing for 0\.01 s"):
        read_whole(path)
    monkeypatch.setattr(disk, "PIPE_S", 60)
    with ThreadPoolExecutor() as pool:
        found = pool.submit(read_whole, path)
        with path.open("wb", buffering=0) as writer:
            for _ in range(5):
                writer.write(b"x" * 20_000)
        assert found.result(60) == b"x" * 100_000
