"""One table, as a program uses it: commands as methods, what the table reports as values, faults as exceptions.

- A command returns when the table has accepted it, or raises Refused; what it sets going is reported by events.
- With a journal, every event is committed there before the table may forget it; without one the table keeps them.
- With a journal, the host takes part in every roll: it draws its contribution once the table's commitment is in there.
- Waiting calls raise TableFault as soon as the table reports a fault, after that was journalled.
"""

import secrets
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Self, TypeVar

from wallwright_protocol import codes
from wallwright_protocol.dice import CONTRIBUTION_SIZE
from wallwright_protocol.names import PLAN_MODES, STATES

from ..errors import BadBoard, BadMessage, BadName, NotInTime, Refused, TableFault, WallwrightError
from ..journal.kinds import house, stored
from ..link.connection import Connection
from ..link.event_log import EventLog
from ..link.numbers import name_of
from ..link.reports import EVENT_NAMES, UNREADABLE, Event, Info, Status, Strange, read_dice, read_info, read_status
from ..link.trace import Tap, Trace
from ..link.transport import open_transport
from .deal_check import Purpose, checked_dice, checked_purpose
from .lifecycle import Lifecycle
from .plan_check import PlanMode, Wash, checked_plan, checked_seat, checked_wash

UNREAD = 1000
"""Events kept for `events()` and `wait_for`; a program that never reads loses the oldest. The journal has all."""
GATHERING_MS, ASK_AGAIN_MS = 4000, 50
"""How long a roll waits for the table's random numbers: they take 0.8 s after a roll, 2.4 s after a start."""

E = TypeVar("E", bound=WallwrightError)
V = TypeVar("V")


def draw_contribution() -> bytes:
    """Return the host's part in a roll: 16 bytes that nobody can foresee."""
    return secrets.token_bytes(CONTRIBUTION_SIZE)


def open_table(
    port: str,
    *,
    journal: EventLog | None = None,
    contribution: Callable[[], bytes] = draw_contribution,
    tap: Tap | None = None,
) -> "Table":
    """Open `port` and shake hands with the table there; close the result, or use it in a `with`.

    `port` is `/dev/ttyACM0`, `socket://HOST:PORT`, `sim://?seed=1` and the like. `contribution` gives the host's part
    in each roll, 16 bytes; the default cannot be foreseen, so it is another where dice have to come out the same again.
    `tap` gets all that crosses the wire; `wallwright.link.trace_file.Recorder.add` keeps it.
    Raises what `open_transport` does, NotATable, VersionMismatch, BadBoard and BadMessage.
    """
    connection = Connection(open_transport(port), Trace(tap))
    try:
        return Table(connection, journal, contribution)
    except BaseException:
        connection.close()
        raise


class Table:
    """A table that has answered. Only one thread may use it.

    `met` is called after each handshake, before an event is taken: what has to be on record before them goes there.
    """

    def __init__(
        self,
        connection: Connection,
        journal: EventLog | None = None,
        contribution: Callable[[], bytes] = draw_contribution,
        met: "Callable[[Table], None]" = lambda _: None,
    ) -> None:
        self._connection = connection
        self._met = met
        self._journal = journal
        self._contribution = contribution
        self._boot_id = self._seq = 0
        self._committed: int | None = None
        self._unread: deque[Event] = deque(maxlen=UNREAD)
        self._strange: list[str] = []
        self._told_strange = 0
        self._fault: TableFault | None
        self._status: Status
        connection.connect()
        self._meet()

    def __enter__(self) -> Self:
        """Return the table itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the port."""
        self.close()

    @property
    def state(self) -> str:
        """The table's state by its events so far: one of STATES, or `state 200` when it has no name here."""
        return self._lifecycle.state

    @property
    def last_status(self) -> Status:
        """The last status that came; it comes every second while the table is listened to."""
        return self._status

    @property
    def notes(self) -> tuple[str, ...]:
        """Contradictions in what the table said, and what it should not have said; empty when all is well."""
        return (*self._lifecycle.notes, *self._strange)

    @property
    def boot_id(self) -> int:
        """The number of the board's present run."""
        return self._connection.boot_id

    def now_ms(self) -> int:
        """Return the time that waits are measured on: real, or a simulated table's own."""
        return self._connection.transport.now_ms()

    def wall_ms(self) -> int:
        """Return the time for logs: ms since 1970, or since power-up at a simulated table."""
        return self._connection.transport.wall_ms()

    def trace(self) -> str:
        """Return the last frames of the link, decoded, one a line."""
        return self._connection.trace.dump()

    def names(self, kind: str) -> tuple[str, ...]:
        """Return the names of a kind in the order of the board's own numbers: "fault", "setting", "drive"."""
        return self._connection.binding.names(kind)

    def status(self) -> Status:
        """Ask the table for its status."""
        self._see_status(self._read(read_status, self.request("get_status")))
        return self._status

    def set_plan(self, plan: Sequence[int], dealer: int = 0, mode: PlanMode = "fixed", wash_s: Wash = None) -> None:
        """Set the stacks a side for the builds to come, and whose deal it is.

        A plan is "fixed", or is "turned" with the dealer. One that is "held" is turned too, and until another mode is
        said a build makes only what all its turns have in common. The disc washes each set before, for `wash_s`. Raises
        BadPlan when this table's tiles do not make it, BadSeat, BadSetting, Refused when a held build has made more.
        """
        stacks = checked_plan(plan, self.info.tiles, self._status.sides_out)
        self.request("set_plan", *stacks, checked_seat(dealer), PLAN_MODES.index(mode), checked_wash(wash_s))

    def start_build(self) -> None:
        """Build the walls of the set below, after its wash; "build_done" reports the end."""
        self.request("start_build")

    def open_lid(self) -> None:
        """Open the lid, so that the played set can be pushed in."""
        self.request("open_lid")

    def raise_walls(self) -> None:
        """Close the lid and raise the finished walls; "walls_up" reports the end."""
        self.request("raise_walls")

    def lower_lifts(self) -> None:
        """Lower the lifts after the walls were drawn in."""
        self.request("lower_lifts")

    def roll_dice(self, seat: int, purpose: Purpose = "cut", dice_count: int | None = None) -> tuple[int, ...]:
        """Roll for `seat`, 1 to 3 dice or as many as the table is set to (None); the event "dice_rolled" has it all.

        Raises BadSeat, BadName, BadSetting, and Refused when the board's random source fails.
        """
        until = self.now_ms() + GATHERING_MS
        throw = (checked_seat(seat), checked_purpose(purpose), checked_dice(dice_count))
        self._step(self.now_ms())
        while True:
            try:
                return self._read(read_dice, self.request("roll_dice", *throw))
            except Refused as refused:
                if refused.refusal != "not_ready" or self.now_ms() >= until:
                    raise
            self.pump(ASK_AGAIN_MS)

    def stop(self) -> None:
        """Stop all motion at once; the table is then in the fault "stopped" until that is cleared."""
        self.request("stop")

    def clear_fault(self) -> None:
        """Leave the fault; nothing moves. Refused while its cause can be seen."""
        self.request("clear_fault")
        self._fault = None

    def events(self) -> tuple[Event, ...]:
        """Return the events that nobody has read or waited past yet, oldest first."""
        unread = tuple(self._unread)
        self._unread.clear()
        return unread

    def strange(self) -> tuple[str, ...]:
        """Return what the table has said since the last call and should not, as sentences."""
        untold = tuple(self._strange[self._told_strange :])
        self._told_strange = len(self._strange)
        return untold

    def keep(self) -> None:
        """Journal and read what had come before a LinkError ended the connection; the table is told nothing."""
        self._digest()

    def pump(self, timeout_ms: int) -> None:
        """Listen to the table for `timeout_ms`; events, faults too, are then in `events()`."""
        until = self.now_ms() + timeout_ms
        self._step(until)
        while self.now_ms() < until:
            self._step(until)

    def listen(self, timeout_ms: int) -> None:
        """Listen until the table says something, for `timeout_ms` at the most; events are then in `events()`."""
        self._step(self.now_ms() + timeout_ms)

    def run_until(self, predicate: "Callable[[Table], bool]", timeout_ms: int) -> None:
        """Listen until `predicate` of this table is true. Raises TableFault, or NotInTime after `timeout_ms`."""
        self._run_until(lambda: predicate(self), timeout_ms, "such moment")

    def wait_for(self, name: str, timeout_ms: int) -> Event:
        """Return the first unread event called `name`; the ones before it count as read.

        What happened before this host came is passed over. Raises BadName, TableFault (unless `name` is "fault"),
        and NotInTime after `timeout_ms`.
        """
        if name not in EVENT_NAMES:
            hint = "wait_state waits for it" if name in STATES else f"there are {', '.join(EVENT_NAMES)}"
            raise BadName(f"no event is called {name!r}; {hint}")
        found: list[Event] = []

        def has_come() -> bool:
            while self._unread and not found:
                event = self._unread.popleft()
                if event.name == name and not self._is_past(event):
                    found.append(event)
            return bool(found)

        self._run_until(has_come, timeout_ms, name)
        if name == "fault":
            self._fault = None
        return found[0]

    def wait_state(self, state: str, timeout_ms: int) -> None:
        """Return as soon as the table is in `state`. Raises BadName, TableFault and NotInTime."""
        if state not in STATES:
            raise BadName(f"no state is called {state!r}; there are {', '.join(STATES)}")
        self._run_until(lambda: self.state == state, timeout_ms, f"state {state}")

    def late(self, what: str, timeout_ms: int) -> NotInTime:
        """Return the error that says that `what` has not come, with what the table goes on with and has told of."""
        return self._traced(NotInTime(what, timeout_ms, self.state, self._lifecycle.notice))

    def reconnect(self) -> None:
        """Go on after a LinkError: open the port again if it was gone, shake hands, read the status.

        Nothing is resumed. What was unread stays readable.
        """
        self._connection.reconnect()
        self._meet()

    def close(self) -> None:
        """Close the port; the table goes on without its host."""
        self._connection.close()

    def ask_info(self) -> None:
        """Ask the table who it is, as after every handshake: a technician has given it sets of another size."""
        self.info: Info = self._read(read_info, self._told("get_info"))

    def _meet(self) -> None:
        """Find out who and how the table is, after a handshake."""
        if self._connection.boot_id != self._boot_id:
            self._boot_id = self._connection.boot_id
            self._seq, self._committed = 0, None
        self._fault = None
        self._lifecycle = Lifecycle()
        self.ask_info()
        self._see_status(self._read(read_status, self._told("get_status")))
        self._met(self)
        self._take_in()

    def _told(self, question: str) -> bytes:
        """Ask what no board may refuse."""
        code, payload = self._connection.request(question)
        if code != codes.OK:
            raise self._traced(BadBoard(f"refuses {question} ({name_of('refusal', code)})"))
        return payload

    def request(self, name: str, *values: int | bytes) -> bytes:
        """Send a request of the message table, its values flat; return the reply's payload, or raise Refused."""
        code, payload = self._connection.request(name, *values)
        self._take_in()
        if code != codes.OK:
            raise self._traced(Refused(name, name_of("refusal", code), self.state))
        return payload

    def _read(self, reader: Callable[[bytes], V], payload: bytes) -> V:
        try:
            return reader(payload)
        except BadMessage as error:
            raise self._traced(error) from error.__cause__

    def _run_until(self, is_done: Callable[[], bool], timeout_ms: int, what: str) -> None:
        until = self.now_ms() + timeout_ms
        self._take_in()
        while not is_done():
            fault = self._fault
            if fault is not None:
                self._fault = None
                raise fault
            if self.now_ms() >= until:
                raise self.late(what, timeout_ms)
            self._step(until)

    def _step(self, until_ms: int) -> None:
        self._connection.pump(max(0, until_ms - self.now_ms()))
        self._take_in()

    def _take_in(self) -> None:
        """Journal and digest what has come, take part in the roll to come; the table may forget what is safe.

        That is the last step: a commitment that was journalled, but not answered by this host, comes again to the next.
        """
        stored = 0
        while self._connection.inbox:
            stored = max(stored, self._digest())
            self._contribute()
        if stored:
            self._connection.stored(stored)

    def _digest(self) -> int:
        """Journal and read the inbox; return the number up to which events of this boot are safe, 0 for none."""
        inbox, stored = self._connection.inbox, 0
        while inbox:
            item = inbox[0]
            if isinstance(item, Status):
                self._see_status(item)
            elif isinstance(item, Strange):
                self._strange.append(item.text)
            else:
                if self._journal is not None:
                    self._journal.append_event(self.info.unit, item, at_ms=self.wall_ms())
                    if item.boot_id == self._boot_id:
                        stored = item.seq
                self._see_event(item)
            inbox.popleft()
        return stored

    def _contribute(self) -> None:
        """Draw and send the host's part in the roll that the table has committed to, which the journal must have:
        a part that was drawn before the commitment was on record would prove nothing.
        """
        roll = self._committed
        if roll is None or self._journal is None or self._seq < self._connection.past_seq:
            return
        part = self._contribution()
        kind, body = stored(house.DiceContributed(boot_id=self._boot_id, roll=roll, contribution=part.hex()))
        self._journal.append(kind, body, at_ms=self.wall_ms(), unit=self.info.unit)
        # Refused when the dice were rolled in the meantime, or another host was first; the roll's event says which.
        self._connection.request("contribute", roll, part)
        if self._committed == roll:
            self._committed = None

    def _see_status(self, status: Status) -> None:
        self.info = self.info if self.info.tiles == status.tiles else replace(self.info, tiles=status.tiles)
        self._status = status
        self._lifecycle.status_seen(status.newest_event, status.state)

    def _see_event(self, event: Event) -> None:
        self._unread.append(event)
        if event.boot_id != self._boot_id:
            return  # from before a reset; the status tells what is left of it
        self._seq = event.seq
        if event.name == "dice_committed":
            self._committed = event.fields["roll"]
        elif event.name == "dice_rolled":
            self._committed = None
        self._lifecycle.event_seen(event.seq, event.fields["state"] if event.name == "state_changed" else None)
        if event.name == "notice":
            self._lifecycle.notice_seen(event.fields["fault"], event.fields["side"])
        if self._is_past(event):
            return
        if event.name == UNREADABLE and event.fields["message"] == "fault":
            self._fault = self._traced(TableFault(f"{UNREADABLE} fault", None, 0, 0))
        elif event.name == "fault":
            fields = event.fields
            self._fault = self._traced(TableFault(fields["fault"], fields["side"], fields["found"], fields["wanted"]))
        elif event.name == "fault_cleared":
            self._fault = None

    def _is_past(self, event: Event) -> bool:
        return event.boot_id == self._connection.boot_id and event.seq <= self._connection.past_seq

    def _traced(self, error: E) -> E:
        error.trace = self.trace()
        return error
