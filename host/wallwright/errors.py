"""The errors of the host, all under WallwrightError. Each is one line that says what to do next.

    WallwrightError
    ├── BadInput            BadPlan, BadSeat, BadName, BadPath, BadSetting, BadConfig, BadPlayers,
    │                       BadCheckpoint, BadExport, BadEnrolment, BadDeal, BadImage, AccountError
    ├── AccountsFailed, ConsoleFailed
    ├── LinkError           carries `trace`, the last frames of the link, decoded
    │   ├── PortError       BadPort, PortNotFound, PortDenied, PortBusy, PortGone
    │   └── NotATable, NoAnswer, BoardReset, ConnectionLost, VersionMismatch, BadMessage, BadBoard, WrongUnit,
    │       NotConnected
    ├── TableError          Refused, NotOnBoard, Forbidden, TableFault, CountsDiffer, NotInTime; `play`: DealStopped
    ├── EventError          NoEvent, EventRefused; `event.doubtful` has Doubtful; more are in `season.errors`
    └── JournalError        NotAJournal, JournalFull, JournalBusy, JournalSlow, JournalUnreachable, JournalDamaged,
                            BadKey, NotOnRecord

The rules have a tree of their own, `wallwright.rules.core.errors`. An error that is none of these is a bug.
"""

from wallwright_protocol.faults import UNKNOWN_FAULT, WORDS

from .naming import HallTable
from .refusals import what_it_waits_for, what_to_do
from .words import Listed, Words, plural, told_by, words


class WallwrightError(Exception):
    """Something that a person can mend; the message says how.

    `trace` is the decoded end of the link's traffic, or empty when no link was involved.
    """

    trace: str = ""


class BadInput(WallwrightError, ValueError):
    """An argument cannot be meant."""


class BadPlan(BadInput):
    """A plan of stacks cannot be built: 14, 14, 14, 14 for 108 tiles."""


class BadSeat(BadInput):
    """A seat that does not exist: 4."""


class BadName(BadInput):
    """No event, state, drive or setting has that name: `wait_for("built")`."""


class BadSetting(BadInput):
    """A setting cannot have that value: `lid_limit_ms=100`."""


class BadPath(BadInput):
    """A file cannot be written where it was asked for: there is one already, no such folder."""


class BadConfig(BadInput):
    """A file that describes a hall has a mistake: a key that there is not, a port given twice."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}")


class BadPlayers(BadInput):
    """A list of players has mistakes: a name twice, a line without a name. `problems` has one sentence each."""

    def __init__(self, path: str, problems: tuple[Words, ...]) -> None:
        super().__init__(words("{path}: {problems}", path=path, problems=Listed(problems, "; ")))
        self.problems = problems


class BadCheckpoint(BadInput):
    """What was printed of a checkpoint was not copied whole, or its signature is not by its key."""


class BadExport(BadInput):
    """A file is no whole export of a journal; the message names the line."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


class BadEnrolment(BadInput):
    """A list of tags cannot be read or kept, or the table has nothing to read them with; the message says which."""


class BadDeal(BadInput):
    """The journal has no such deal, or more than one: deal 12 of two tables."""

    def __init__(self, deal: int, problem: str | Words) -> None:
        super().__init__(words("deal {deal}: {problem}", deal=deal, problem=problem))


class BadImage(BadInput):
    """A file is no image of the board's firmware, is damaged, or is for another chip."""


class AccountError(BadInput):
    """An account of the console cannot be made, changed or found; the message says why."""


class AccountsFailed(WallwrightError):
    """The file of accounts can be neither read nor written just now; nobody who asked for something was wrong."""


class ConsoleFailed(WallwrightError):
    """The console of a hall did not do what a program has asked for; the message is its sentence, or why it is away."""


class LinkError(WallwrightError):
    """The table cannot be reached, or what it says cannot be understood."""


class PortError(LinkError):
    """The port does not work; `port` is the string that was to be opened."""

    def __init__(self, port: str, problem: str) -> None:
        super().__init__(f"{port}: {problem}")
        self.port = port


class BadPort(PortError):
    """The string names no port, or not one alone: an unknown scheme, a file, a serial number that two adapters have."""


class PortNotFound(PortError):
    """There is no such port, or nobody listens there: the cable is out, or the name is another one today."""


class PortDenied(PortError):
    """The port is there and this user may not open it."""


class PortBusy(PortError):
    """Another program holds the port: a second host, or a terminal left open."""


class PortGone(PortError):
    """The port was open and works no longer: the cable came out, the board lost its power, the server ended."""


class NotATable(LinkError):
    """The port opens and nothing there answers a handshake: another device, or a board without the firmware."""

    def __init__(self, port: str, noise: bytes = b"") -> None:
        heard = f"it said {noise[:40]!r}" if noise else "it said nothing"
        mend = "check the port's name, or put the firmware on the board"
        super().__init__(f"{port}: no Wallwright table answers there ({heard}); {mend}")
        self.noise = noise


class NoAnswer(LinkError):
    """A table that had answered does not any more, though its port is open: a bad cable, or a board that hangs."""

    def __init__(self, request: str, tries: int) -> None:
        problem = (
            "the table did not answer {request} in {tries}; whether it was done is not known: check the cable, "
            "reset the board if it stays silent, and look at the status before you go on"
        )
        super().__init__(
            words(problem, request=request, tries=words(plural("{count} try", "{count} tries"), count=tries))
        )
        self.request = request
        self.tries = tries


class BoardReset(LinkError):
    """The board has started again: power was lost, or its watchdog bit. Nothing moves by itself after that."""

    def __init__(self, old_boot_id: int, new_boot_id: int) -> None:
        problem = (
            "the board was reset (boot {old} became {new}) and has stopped all motion; "
            "look at the table before it is asked to move again"
        )
        super().__init__(words(problem, old=f"{old_boot_id:08x}", new=f"{new_boot_id:08x}"))
        self.old_boot_id = old_boot_id
        self.new_boot_id = new_boot_id


class ConnectionLost(LinkError):
    """The table has given up this host: another program has shaken hands since, or this one was away for too long."""

    def __init__(self) -> None:
        problem = (
            "the table no longer listens to this program: another one has taken it over, or this one was held up for "
            "too long; end the other one if there is one, and the table listens again from the next connection on"
        )
        super().__init__(words(problem))


class VersionMismatch(LinkError):
    """Host and board speak other versions of the protocol."""

    def __init__(self, host: int, board: int, port: str = "PORT") -> None:
        if board < host:
            mend = f"the board is older: put this release's firmware on it with `wallwright board flash --port {port}`"
        else:
            mend = "this program is older: update it with `pip install --upgrade wallwright`"
        super().__init__(f"the board speaks protocol {board}, this program {host}; {mend}")


class BadMessage(LinkError):
    """The board sent a message that does not fit the table of messages, though both have the same one: a bug.

    `why` names a number in it that cannot be, where the form is right: `dice 99`.
    """

    def __init__(self, name: str, payload: bytes, why: str = "") -> None:
        fault = f", which cannot be: {why}" if why else " that cannot be read"
        super().__init__(
            f"the board sent {name} with {len(payload)} bytes{fault} ({payload.hex(' ') or 'empty'}); "
            "reset the board, and report this line with the trace"
        )
        self.payload = payload


class BadBoard(LinkError):
    """The board has the same tables as this program and breaks a rule of the protocol that nothing works without."""

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"the board {problem}, which the protocol rules out; "
            "put this release's firmware on it, and report this line with the trace"
        )


class WrongUnit(LinkError):
    """A table answers, and it is another one than was looked for; it has been left alone."""

    def __init__(self, port: str, wanted: str, found: str) -> None:
        super().__init__(
            f"{port}: unit {found} answers there and {wanted} is wanted; swap the cables, or correct the unit"
        )
        self.wanted = wanted
        self.found = found


class NotConnected(LinkError):
    """A command was meant for a table of a hall that is being looked for."""

    def __init__(self, table: str, problem: str) -> None:
        super().__init__(
            words("{table} is not connected, nothing was done ({problem})", table=HallTable(table), problem=problem)
        )
        self.table = table


class TableError(WallwrightError):
    """The table understood, and could not or would not."""


class Refused(TableError):
    """The table refused a command, and says why: raising the walls while it builds.

    `request` and `refusal` are names of the message table and of names.REFUSALS, `state` one of names.STATES.
    """

    def __init__(self, request: str, refusal: str, state: str) -> None:
        problem = "the table refuses {request} ({refusal}, its state is {state}): {mend}"
        mend = what_to_do(refusal)
        super().__init__(words(problem, request=request, refusal=refusal, state=state, mend=mend))
        self.request = request
        self.refusal = refusal
        self.state = state


class NotOnBoard(Refused):
    """The board's firmware lacks what was asked for, or a part of it; `lacks` is its name. The table goes on."""

    def __init__(self, request: str, lacks: str) -> None:
        problem = "this board's firmware has no {lacks}, so that {request} was not sent: update it, or do without"
        TableError.__init__(self, words(problem, lacks=lacks, request=request))
        self.request, self.refusal, self.state, self.lacks = request, "unknown_message", "", lacks


class Forbidden(TableError):
    """An interlock keeps a drive from running: the disc while the lid is open.

    `drive` and `input` are names, `level` what the input would have to have.
    """

    def __init__(self, drive: str, input_name: str, level: int) -> None:
        if level:
            problem = "{drive} may not run now: {input} has to be on; bring it there first"
        else:
            problem = "{drive} may not run now: {input} has to be off; bring it there first"
        super().__init__(words(problem, drive=drive, input=input_name))
        self.drive = drive
        self.input = input_name
        self.level = level


class TableFault(TableError):
    """The table has stopped with a fault: a tile lies on the floor and side 2 lacks a stack.

    `fault` is a name of names.FAULTS, `side` 0 to 3 or None, `found` and `wanted` counts of tiles where they mean
    something, `place` the first two in words; `meaning` and `what_to_do` are sentences for the person at the table.
    """

    def __init__(self, fault: str, side: int | None, found: int, wanted: int) -> None:
        self.fault = fault
        self.side = side
        self.found = found
        self.wanted = wanted
        self.meaning, self.what_to_do = WORDS.get(fault, UNKNOWN_FAULT)
        self.place = fault if side is None else f"{fault} at side {side}"
        counts = f" ({found} tiles found, {wanted} wanted)" if found or wanted else ""
        super().__init__(f"{self.place}{counts}: {self.meaning} {self.what_to_do}")


class CountsDiffer(TableError):
    """Two ways of counting one side of the walls do not agree."""

    def __init__(self, side: int, one: str, other: str) -> None:
        super().__init__(f"side {side}: {one}, {other}; count its stacks by hand, then look at its head vanes and eye")
        self.side = side


class NotInTime(TableError):
    """What was waited for did not happen in the time given, and no fault says why.

    `notice` is what the table has told of and goes on with, such as a key that is stuck: name and side.
    """

    def __init__(self, what: str, timeout_ms: int, state: str, notice: tuple[str, int | None] | None = None) -> None:
        fault = None if notice is None else TableFault(*notice, 0, 0)
        told, mend = (f"; it has told of {fault.place}", fault.what_to_do) if fault else ("", what_it_waits_for(state))
        super().__init__(f"no {what} within {timeout_ms / 1000:g} s (the table's state is {state}{told}): {mend}")
        self.what = what
        self.state = state


class EventError(WallwrightError):
    """A tournament cannot be run like this."""


class NoEvent(EventError):
    """The journal has no tournament in it yet."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} holds no event; begin one with `wallwright event new {path} --format NAME`")


class EventRefused(EventError):
    """What was asked does not fit what has happened so far: a result for a table that does not play."""


class JournalError(WallwrightError):
    """The journal cannot be used; `path` is its file or its database's URL."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(words("journal {path}: {problem}", path=path, problem=problem))
        self.path = path
        self.problem = problem


class NotAJournal(JournalError):
    """The file is something else, or of a newer version. It has not been touched."""


class JournalFull(JournalError):
    """The disk takes no more. What was acknowledged before is safe; the entry at hand is not in the journal."""


class JournalBusy(JournalError):
    """Another program writes this journal."""


class JournalSlow(JournalError):
    """The disk does not take an entry in time. Whether it is in the journal is not known; the table has it still."""


class JournalUnreachable(JournalError):
    """The server of the journal does not answer. What it had not acknowledged may be in the journal or not."""


class JournalDamaged(JournalError):
    """The journal is not what was written: changed, made of more than a journal is, spoiled by its disk or by `cp`."""


class NotOnRecord(JournalError):
    """Something was done that could not wait for the journal, which does not have who did it: a stop."""

    def __init__(self, what: str | Words, error: JournalError) -> None:
        problem = "{what} is not on record ({problem}); write down who did it and when"
        WallwrightError.__init__(self, words(problem, what=what, problem=told_by(error)))
        self.path = error.path
        self.problem = error.problem


class BadKey(JournalError):
    """The key that signs checkpoints cannot be read, made, or kept from others; `path` is its file."""

    def __init__(self, path: str, problem: str) -> None:
        WallwrightError.__init__(self, f"key {path}: {problem}")
        self.path = path
        self.problem = problem
