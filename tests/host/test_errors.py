"""Errors: one tree, one line each, which says what to do."""

import inspect
from types import ModuleType

import pytest

from wallwright import errors
from wallwright.errors import TableFault, WallwrightError
from wallwright.event.doubtful import Doubtful
from wallwright.play.people_at_table import DealStopped
from wallwright.refusals import what_it_waits_for, what_to_do
from wallwright.rules.sichuan.doubts import NOT_READY, Doubt
from wallwright.season import errors as season_errors
from wallwright.season.errors import BadExtract, NeedsReason, NoSeason, NotAdmitted, OldChallenge, SeasonAway, TooMuch
from wallwright.words import words
from wallwright_protocol.codes import NOTICE, SEVERITIES
from wallwright_protocol.names import FAULTS, REFUSALS, STATES

NOTICES = [name for name, severity in zip(FAULTS[1:], SEVERITIES[1:], strict=True) if severity == NOTICE]
EXAMPLES: list[WallwrightError] = [
    errors.BadPlan("the plan 1,2 has 2 sides"),
    errors.BadSeat("there is no seat 4"),
    errors.BadName("no event is called x"),
    errors.AccountError("there is no account 'ann'; `wallwright users list` shows them"),
    errors.AccountsFailed("hall.users: the disk is full; make room"),
    errors.BadConfig("hall.toml", "problem"),
    errors.BadCheckpoint("it has three parts of five"),
    errors.BadImage("x.uf2 is for another chip"),
    errors.BadEnrolment("EAST-7 has no tile readers at its stacking heads; tiles cannot be enrolled there"),
    errors.BadDeal(12, "EAST-7, WEST-2 each have one; say which with --unit"),
    errors.BadExport(7, "problem"),
    BadExtract("day.extract", "problem"),
    errors.BadPath("x.zip is there already"),
    errors.BadPlayers("players.csv", (words("line 2 lacks a name"), words("line 9 has the name of line 3"))),
    errors.BadSetting("x cannot be 5 ms"),
    errors.BadPort("x", "problem"),
    errors.PortNotFound("x", "problem"),
    errors.PortDenied("x", "problem"),
    errors.PortBusy("x", "problem"),
    errors.PortGone("x", "problem"),
    errors.NotATable("/dev/ttyX", b"login\r\n: \0\xff" * 9),
    errors.NotATable("/dev/ttyX"),
    errors.NoAnswer("open_lid", 6),
    errors.BoardReset(1, 2),
    errors.ConnectionLost(),
    errors.VersionMismatch(1, 3),
    errors.VersionMismatch(3, 1),
    errors.NotOnBoard("prescribe", "prescribe"),
    errors.BadMessage("status", b"\1\2"),
    errors.BadMessage("status", b"\1\2", "dice 99"),
    errors.BadBoard("gives its start the number 0"),
    errors.WrongUnit("/dev/ttyX", "T-1", "T-2"),
    errors.NotConnected("A1", "no such port"),
    errors.Refused("open_lid", "wrong_state", "building"),
    errors.Forbidden("disc", "lid_is_closed", 1),
    errors.CountsDiffer(2, "14 stacks counted", "13 pushes of its head seen"),
    *(errors.NotInTime("stopped_lowering", 90_000, state) for state in (*STATES, "state 200")),
    *(errors.NotInTime("change of its panels, which show 'READY',", 500_000, "ready", (name, 2)) for name in NOTICES),
    DealStopped(2, 3, "the tile that it has taken, 5m, has the back of the other set"),
    errors.NoEvent("day.journal"),
    NoSeason("year.season"),
    NeedsReason("day.extract: it comes late; give a --reason, and it is in the list"),
    NotAdmitted("J2 is the key of no hall of this season; have the organiser admit it"),
    OldChallenge(bytes(32)),
    TooMuch("East asks too often; go on in 5 minutes"),
    SeasonAway("https://season.example does not answer (refused); check address and net"),
    errors.EventRefused("session 2 is planned; open it first"),
    Doubtful((Doubt(NOT_READY, 1, None, words("no tile completes it")),)),
    errors.NotAJournal("x", "problem"),
    errors.JournalFull("x", "problem"),
    errors.JournalBusy("x", "problem"),
    errors.JournalSlow("x", "problem"),
    errors.JournalUnreachable("x", "problem"),
    errors.JournalDamaged("x", "problem"),
    errors.BadKey("x", "problem"),
    errors.ConsoleFailed("sign in first"),
    errors.NotOnRecord("the stop of table A1", errors.JournalFull("x", "problem")),
    *(TableFault(name, 2, 26, 28) for name in FAULTS[1:]),
]


def kinds(module: ModuleType = errors) -> set[type]:
    return {kind for _, kind in inspect.getmembers(module, inspect.isclass) if kind.__module__ == module.__name__}


def test_all_errors_are_in_one_tree_and_the_tree_is_in_the_docstring() -> None:
    assert all(issubclass(kind, WallwrightError) for kind in kinds())
    assert errors.__doc__ is not None
    for kind in kinds():
        assert kind.__name__ in errors.__doc__
        assert kind.__doc__


def test_every_error_that_is_raised_has_its_example_here() -> None:
    # Two refusals are raised as they are, and have a kind of their own for what may be said to be so.
    bases = {base for kind in kinds() for base in kind.__bases__} - {errors.EventRefused, errors.Refused}
    assert {type(error) for error in EXAMPLES} == (kinds() - bases) | {Doubtful, DealStopped} | kinds(season_errors)


@pytest.mark.parametrize("error", EXAMPLES, ids=lambda error: f"{type(error).__name__} {error}"[:40])
def test_a_message_is_one_clear_line(error: WallwrightError) -> None:
    text = str(error)
    assert text == text.strip()
    assert text
    assert text.isprintable()
    assert len(text) < 400


@pytest.mark.parametrize("name", FAULTS[1:])
def test_a_fault_says_where_how_many_what_it_means_and_what_to_do(name: str) -> None:
    fault = TableFault(name, 3, 26, 28)
    text = str(fault)
    assert text.startswith(f"{name} at side 3 (26 tiles found, 28 wanted): ")
    assert text.endswith(f"{fault.meaning} {fault.what_to_do}")
    assert fault.meaning.endswith(".")
    assert fault.what_to_do.endswith(".")
    assert "side" not in str(TableFault(name, None, 0, 0)).split(":")[0].removeprefix(name)


@pytest.mark.parametrize("refusal", REFUSALS[1:])
def test_every_refusal_says_what_to_do(refusal: str) -> None:
    assert str(what_to_do(refusal)) != str(what_to_do("refusal 200"))


@pytest.mark.parametrize("state", STATES)
def test_of_every_state_it_is_said_what_a_table_does_there_and_what_a_person_does(state: str) -> None:
    assert what_it_waits_for(state) != what_it_waits_for("state 200")
