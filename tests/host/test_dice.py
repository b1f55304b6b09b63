"""Rolls of a journal, verified: a whole session passes, and every way of tampering with it is found."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.host.entries import altered
from tests.host.rolls import record_rolls, record_three_dice
from wallwright.journal import Entry, read_journal
from wallwright.journal.rolls import ALONE, ALONE_DESPITE_OFFER, WITH_HOST, WRONG, CheckedRoll, check_dice
from wallwright_protocol.dice import commitment, dice_of

Tamper = Callable[[list[Entry]], None]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("dice") / "session.journal"
    record_rolls(path)
    return path


@pytest.fixture
def entries(path: Path) -> list[Entry]:
    return list(read_journal(path))


def verdicts(entries: list[Entry]) -> list[str]:
    return [roll.verdict for roll in check_dice(entries).rolls]


def test_an_honest_session_passes(entries: list[Entry]) -> None:
    report = check_dice(entries)
    assert [roll.problems for roll in report.rolls] == [()] * 7
    assert [roll.verdict for roll in report.rolls] == [ALONE] * 2 + [WITH_HOST] * 5
    assert [(roll.roll, roll.seat) for roll in report.rolls] == [(1, 0), (2, 1), (3, 2), (4, 3), (5, 1), (1, 0), (2, 1)]
    assert [(roll.purpose, len(roll.dice)) for roll in report.rolls[4:]] == [("cut", 2), ("east", 1), ("round_wind", 3)]
    boots = [roll.boot_id for roll in report.rolls]
    assert len(set(boots[:5])) == len(set(boots[5:])) == 1
    assert boots[0] != boots[5]
    (unopened,) = report.unopened
    assert (unopened.boot_id, unopened.roll, unopened.offered) == (boots[0], 6, True)


def test_what_was_rolled_is_what_the_journal_says(entries: list[Entry]) -> None:
    """Seed, part and dice by their bytes alone, without the project's own function."""
    rolled = [entry.body["fields"] for entry in entries if entry.kind == "dice_rolled"]
    for fields in rolled:
        part = bytes.fromhex(fields["contribution"]) if fields["contributed"] else b""
        head = b"wallwright dice 1" + fields["roll"].to_bytes(4, "little")
        fair = [byte for byte in hashlib.sha256(head + bytes.fromhex(fields["seed"]) + part).digest() if byte < 252]
        assert fields["dice"] == [byte % 6 + 1 for byte in fair[: len(fields["dice"])]]


def test_every_contribution_was_drawn_after_its_commitment_was_on_record(entries: list[Entry]) -> None:
    open_roll: dict[int, int] = {}
    drawn = 0
    for entry in entries:
        if entry.kind == "dice_committed":
            assert entry.boot_id is not None
            open_roll[entry.boot_id] = entry.body["fields"]["roll"]
        elif entry.kind == "dice_contributed":
            drawn += 1
            assert entry.unit == "SIM-21"
            assert open_roll[entry.body["boot_id"]] == entry.body["roll"]
    rng = Random(5)
    sent = [entry.body["contribution"] for entry in entries if entry.kind == "dice_contributed"]
    assert drawn == 7
    assert sent == [rng.randbytes(16).hex() for _ in range(drawn)]


def index(entries: list[Entry], kind: str, roll: int) -> int:
    """Where the first start's entry of that kind is for that roll."""
    return next(at for at, entry in enumerate(entries) if entry.kind == kind and fields_of(entry)["roll"] == roll)


def fields_of(entry: Entry) -> dict[str, Any]:
    return dict(entry.body.get("fields", entry.body))


def change(kind: str, number: int, /, **values: Any) -> Tamper:
    def tamper(entries: list[Entry]) -> None:
        at = index(entries, kind, number)
        fields = fields_of(entries[at])
        assert any(fields[name] != value for name, value in values.items())
        body = fields | values
        entries[at] = altered(
            entries[at], body=entries[at].body | {"fields": body} if entries[at].seq is not None else body
        )

    return tamper


def change_dice(entries: list[Entry]) -> None:
    first, second = fields_of(entries[index(entries, "dice_rolled", 4)])["dice"]
    change("dice_rolled", 4, dice=[first % 6 + 1, second])(entries)


def swap(kind: str, one: int, other: int) -> Tamper:
    """Two entries change bodies, as if two rolls had been taken for each other."""

    def tamper(entries: list[Entry]) -> None:
        a, b = index(entries, kind, one), index(entries, kind, other)
        bodies = entries[a].body, entries[b].body
        entries[a], entries[b] = altered(entries[a], body=bodies[1]), altered(entries[b], body=bodies[0])

    return tamper


def drop(kind: str, roll: int) -> Tamper:
    def tamper(entries: list[Entry]) -> None:
        del entries[index(entries, kind, roll)]

    return tamper


def move(kind: str, roll: int, after: str) -> Tamper:
    """The entry comes only after that of another kind: written later than it should have been."""

    def tamper(entries: list[Entry]) -> None:
        moved = entries.pop(index(entries, kind, roll))
        entries.insert(index(entries, after, roll) + 1, moved)

    return tamper


def fit(entries: list[Entry]) -> None:
    """Somebody takes a seed that gives two sixes, and makes the roll agree with it."""
    at = index(entries, "dice_rolled", 3)
    fields = fields_of(entries[at])
    part = bytes.fromhex(fields["contribution"])
    seed = next(seed for seed in (bytes([n]) * 32 for n in range(256)) if dice_of(3, seed, part) == (6, 6))
    change("dice_rolled", 3, seed=seed.hex(), dice=[6, 6])(entries)


ANOTHER_SEED = "11" * 32
ANOTHER_PART = "22" * 16
TAMPERED: dict[str, tuple[Tamper, dict[int, str]]] = {
    "other dice": (change_dice, {4: "follows from"}),
    "dice beyond a die": (change("dice_rolled", 4, dice=[7, 1]), {4: "follows from"}),
    "another seed": (change("dice_rolled", 3, seed=ANOTHER_SEED), {3: "not the one that was committed"}),
    "another seed that fits": (fit, {3: "not the one that was committed"}),
    "another part in the roll": (change("dice_rolled", 3, contribution=ANOTHER_PART), {3: "on record"}),
    "another part on record": (change("dice_contributed", 3, contribution=ANOTHER_PART), {3: "on record"}),
    "another commitment": (
        change("dice_committed", 4, commitment=ANOTHER_SEED),
        {4: "not the one that was committed"},
    ),
    "commitment to another roll": (change("dice_committed", 4, roll=40), {4: "no commitment"}),
    "a roll that denies its part": (change("dice_rolled", 3, contributed=0), {3: "had accepted a contribution"}),
    "a roll that claims a part": (change("dice_rolled", 1, contributed=1), {1: "on record"}),
    "a part that was not used": (change("dice_rolled", 2, contribution=ANOTHER_PART), {2: "says that there was none"}),
    "swapped rolls": (swap("dice_rolled", 3, 4), {4: "no commitment", 3: "follows roll 4"}),
    "swapped commitments": (swap("dice_committed", 3, 4), {3: "no commitment", 4: "no commitment"}),
    "swapped parts": (swap("dice_contributed", 3, 4), {3: "on record", 4: "on record"}),
    "no commitment": (drop("dice_committed", 5), {5: "no commitment"}),
    "no part on record": (drop("dice_contributed", 5), {5: "on record"}),
    "a roll left out": (drop("dice_rolled", 4), {5: "follows roll 3"}),
    "a commitment after the roll": (move("dice_committed", 3, "dice_rolled"), {3: "no commitment"}),
    "a part before the commitment": (
        lambda entries: entries.insert(
            index(entries, "dice_committed", 3), entries.pop(index(entries, "dice_contributed", 3))
        ),
        {3: "on record"},
    ),
    "a part after the roll": (move("dice_contributed", 3, "dice_rolled"), {3: "on record"}),
    "a seed that is cut": (change("dice_rolled", 3, seed="11"), {0: "not that of a roll"}),
    "a seed that is no number": (change("dice_rolled", 3, seed="red"), {0: "not that of a roll"}),
    "no die": (change("dice_rolled", 3, dice=[]), {0: "not that of a roll"}),
    "an old number": (change("dice_rolled", 4, roll=2), {2: "follows roll 3"}),
    "a roll to a negative number": (change("dice_rolled", 4, roll=-4), {0: "not that of a roll"}),
}


@pytest.mark.parametrize("name", TAMPERED)
def test_tampering_is_found(name: str, entries: list[Entry]) -> None:
    tamper, found = TAMPERED[name]
    tamper(entries)
    wrong = {roll.roll: "; ".join(roll.problems) for roll in check_dice(entries).rolls if roll.verdict == WRONG}
    for roll, word in found.items():
        assert word in wrong[roll]
    assert all(roll.verdict != WRONG for roll in check_dice(entries).rolls[5:]), "the other start is as it was"


def test_a_second_commitment_to_one_roll_is_found(entries: list[Entry]) -> None:
    at = index(entries, "dice_committed", 4)
    body = entries[at].body | {"fields": fields_of(entries[at]) | {"commitment": ANOTHER_SEED}}
    entries.insert(at, altered(entries[at], body=body))
    (wrong,) = [roll for roll in check_dice(entries).rolls if roll.verdict == WRONG]
    assert wrong.roll == 4
    assert "then another one" in wrong.problems[0]


def test_a_missing_body_is_no_roll() -> None:
    entry = Entry.of(1, 0, "T", 7, 1, "dice_rolled", {})
    (roll,) = check_dice([entry]).rolls
    assert (roll.verdict, roll.roll) == (WRONG, 0)


def test_two_tables_in_one_journal_do_not_mix(entries: list[Entry]) -> None:
    both = [copy for entry in entries for copy in (entry, altered(entry, unit="other"))]
    assert verdicts(both) == [verdict for one in verdicts(entries) for verdict in (one, one)]
    assert len(check_dice(both).unopened) == 2


def test_a_part_that_came_too_late_is_told_apart() -> None:
    """The table refuses the host's part, as if the key had been pressed at that moment, and rolls alone."""
    (roll,) = check_dice(list(refused_part())).rolls
    assert (roll.offered, roll.contributed) == (True, False)
    assert roll.verdict == ALONE_DESPITE_OFFER


def refused_part() -> Iterator[Entry]:
    seed = bytes(range(32))
    committed = {"roll": 1, "commitment": commitment(1, seed).hex()}
    part = {"boot_id": 7, "roll": 1, "contribution": ANOTHER_PART}
    rolled = {"roll": 1, "seat": 0, "deal": 0, "seed": seed.hex(), "contribution": "00" * 16, "contributed": 0}
    rolled["source"] = "side_0"
    rolled["dice"] = list(dice_of(1, seed, b""))
    yield Entry.of(1, 0, "T", 7, 1, "dice_committed", {"fields": committed, "time_ms": 1})
    yield Entry.of(2, 0, "T", None, None, "dice_contributed", part)
    yield Entry.of(3, 0, "T", 7, 2, "dice_rolled", {"fields": rolled, "time_ms": 2})


def test_a_checked_roll_without_problems_is_not_wrong() -> None:
    roll = CheckedRoll(1, "T", 7, 1, 0, "cut", (1, 2), 0, False, False, ())
    assert roll.verdict == ALONE
    assert replace(roll, problems=("it is red",)).verdict == WRONG


def test_another_number_of_dice_than_the_board_had_said_is_found(tmp_path: Path) -> None:
    """Two dice are the first two of three by the same seed, so that nothing else shows that one was left out."""
    record_three_dice(tmp_path / "three.journal")
    entries = list(read_journal(tmp_path / "three.journal"))
    (roll,) = check_dice(entries).rolls
    assert (len(roll.dice), roll.problems) == (3, ())
    change("dice_rolled", roll.roll, dice=list(roll.dice[:2]))(entries)
    (roll,) = check_dice(entries).rolls
    assert roll.problems == ("the board had said that 3 dice are thrown",)
    # A host that has ordered throws may have asked for two.
    at = index(entries, "dice_rolled", roll.roll)
    order = {"fields": {"message": "set_throw", "source": "host"}, "time_ms": 1}
    entries.insert(at, Entry.of(0, 0, entries[at].unit, entries[at].boot_id, 0, "command_accepted", order))
    assert [one.problems for one in check_dice(entries).rolls] == [()]
