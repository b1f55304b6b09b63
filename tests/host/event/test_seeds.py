"""The secret of a draw: never lost between commitment and reveal, whatever fails, and gone afterwards."""

import stat
from pathlib import Path

import pytest

from wallwright.errors import BadPath, EventRefused
from wallwright.event import seeds, setup
from wallwright.event.draw import commitment
from wallwright.event.format_file import load_format
from wallwright.event.players import Player, Roster
from wallwright.event.state_parts import MAIN
from wallwright.event.store import open_event, read_event


@pytest.fixture
def place(tmp_path: Path) -> str:
    """An event with eight players."""
    place = str(tmp_path / "day.journal")
    with open_event(place, "dan", new=True) as desk:
        setup.create(desk, load_format("chengdu-grand-prix"))
        setup.import_players(desk, Roster(tuple(Player(n, f"P{n}") for n in range(1, 9))), "players.csv")
    return place


def commit(place: str, reason: str = "") -> str:
    with open_event(place, "dan") as desk:
        return seeds.commit(desk, place, MAIN, reason=reason)


def kept(place: str) -> list[Path]:
    return sorted(Path(place).parent.glob("*-seed-*"))


def test_a_seed_is_its_owners_alone_and_is_the_one_committed_to(place: str) -> None:
    committed = commit(place)
    [path] = kept(place)
    assert path == seeds.seed_path(place, MAIN, committed)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    players = [(n, f"P{n}") for n in range(1, 9)]
    assert commitment(MAIN, players, path.read_bytes()) == committed
    assert committed != commit(place, "again")
    assert len({one.read_bytes() for one in kept(place)}) == 2


def test_a_revealed_seed_is_gone_and_the_final_keeps_its_own(place: str) -> None:
    commit(place)
    commit(place, "a name was wrong")
    other = seeds.seed_path(place, "final", "f" * 64)
    other.write_bytes(b"f" * 32)
    with open_event(place, "dan") as desk:
        seeds.reveal(desk, place, MAIN)
    seeds.forget(place, MAIN)
    assert kept(place) == [other]
    assert setup.plans_agree(read_event(place), MAIN)


def test_a_commitment_that_was_not_written_leaves_the_one_before_as_it_was(place: str) -> None:
    def begin() -> None:
        with open_event(place, "dan") as desk:
            seeds.commit(desk, place, MAIN, reason="the power is going")
            raise RuntimeError

    committed = commit(place)
    with pytest.raises(RuntimeError):
        begin()
    assert read_event(place).draws[MAIN].commitment == committed
    with open_event(place, "dan") as desk:
        seeds.reveal(desk, place, MAIN)
    assert read_event(place).draws[MAIN].lots


def test_what_cannot_be_kept_is_not_committed_to(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadPath, match="No space left"), open_event(place, "dan") as desk:
        seeds.commit(desk, place, MAIN)
    assert MAIN not in read_event(place).draws


def test_a_seed_that_is_not_there_is_told_with_what_to_do(place: str) -> None:
    with pytest.raises(EventRefused, match="commit to a seed first"), open_event(place, "dan") as desk:
        seeds.reveal(desk, place, MAIN)
    commit(place)
    [path] = kept(place)
    whole = path.read_bytes()
    for content in (b"", whole[:-1], whole + b"x"):
        path.write_bytes(content)
        with pytest.raises(EventRefused, match="no seed any more"), open_event(place, "dan") as desk:
            seeds.reveal(desk, place, MAIN)
    path.unlink()
    with pytest.raises(EventRefused, match="commit again for a reason"), open_event(place, "dan") as desk:
        seeds.reveal(desk, place, MAIN)
    assert not read_event(place).draws[MAIN].lots


def test_the_seed_of_a_database_is_beside_this_users_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = seeds.seed_path("postgresql://ann:secret@db/spring?sslmode=require", MAIN, "ab" * 32)
    assert path == tmp_path / "data" / "wallwright" / "spring.main-seed-abababababababab"
