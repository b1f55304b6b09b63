"""Signs a journal while play goes on, so that what was written cannot be made anew later without somebody's noticing.

- A checkpoint is signed every EVERY_MS in which something was written, after EVERY_ENTRIES entries, and when somebody
  has made one for paper. It is shown to whoever looks, and sent to the witnesses; it is no entry of the journal.
- At the start a record `witnessed` is written. It has 32 random bytes, which nobody learns who has not the journal: the
  keys of all later leaves depend on them (see `leaves`).
- A journal that is not the one that was followed so far is signed no more, and that is told.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Protocol, Self

from ..clocks import lasting_ms
from ..errors import JournalError
from .checkpoint import Checkpoint
from .keys import signing_key
from .kinds import stored
from .kinds.house import Witnessed
from .leaves import new_salt
from .merkle import Frontier
from .places import JournalPath
from .rows import CHECKPOINT
from .tree import JournalTree
from .witness_places import Sender, Witness, witness_line
from .writer import Journal

EVERY_MS = 120_000
EVERY_ENTRIES = 1000
LOOK_S = 1.0
RETRY_MS = 10_000
WITNESSED = Witnessed.KIND


def sign_journal(path: JournalPath) -> Checkpoint:
    """Return a checkpoint of a journal as it is now, without writing to it. Raises JournalError, BadKey."""
    tree = JournalTree(path)
    tree.follow()
    return Checkpoint.sign(tree.frontier(), signing_key())


class UseJournal(Protocol):
    """How the journal is written, by a thread that may wait: `wallwright.fleet.Fleet.turn`."""

    def __call__(self, action: Callable[[Journal], Any], /) -> Any:
        """Return what `action` returns when it is on disk; raise what it raises, and JournalError."""


@dataclass(frozen=True, slots=True)
class Signed:
    """A checkpoint, signed at `at_ms`; `proof` shows that it extends the one before, of size `before`, if any."""

    checkpoint: Checkpoint
    at_ms: int
    before: int
    proof: tuple[bytes, ...]


class Witnessing:
    """Follows the journal at `path`, from `start` to `close`, or whenever `look` is called.

    `turn` has something done with the journal; `tell` hears of what fails, once, and of its end.
    """

    def __init__(
        self,
        path: JournalPath,
        turn: UseJournal,
        now_ms: Callable[[], int],
        witnesses: Sequence[Witness] = (),
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.newest: Signed | None = None
        self.problem = ""
        """Why nothing is signed."""
        self._path = path
        self._turn = turn
        self._now_ms = now_ms
        self._tell = tell
        self._found: JournalTree | None = None
        self._is_salted = False
        self._is_due = True
        self._wait_until_ms = self._signed_ms = 0
        self.senders = tuple(Sender(one, tell) for one in witnesses)
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="witnessing")

    @property
    def tree(self) -> JournalTree:
        """The journal's tree, of which everything up to the newest checkpoint may be asked."""
        assert self._found is not None, "there is a checkpoint, or nobody asks"
        return self._found

    def __enter__(self) -> Self:
        """Start the thread."""
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Sign what was written last, have it sent, and end all threads."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        for sender in self.senders:
            sender.close()

    def look(self, *, is_last: bool = False) -> None:
        """Read what was written since, and sign if it is time."""
        now_ms, lasts_ms = self._now_ms(), lasting_ms(self._now_ms)
        if lasts_ms < self._wait_until_ms and not is_last:
            return
        try:
            self._look(now_ms, is_last=is_last)
        except JournalError as error:
            self._wait_until_ms = lasts_ms + RETRY_MS
            self._say(f"the journal is not signed: {error}")
        else:
            self._say("")

    def _look(self, now_ms: int, *, is_last: bool) -> None:
        tree = self._found = self._found or JournalTree(self._path)
        kinds = tree.follow()
        if not self._is_salted:
            self._salt(tree.frontier(), now_ms)
            self._is_salted = True
            tree.follow()
        self._is_due = self._is_due or is_last or CHECKPOINT in kinds
        before = self.newest
        if before is not None:
            new = tree.size - before.checkpoint.entry
            if not new:
                return
            if not self._is_due and new < EVERY_ENTRIES and lasting_ms(self._now_ms) - self._signed_ms < EVERY_MS:
                return
        self._sign(tree, now_ms)
        self._signed_ms = lasting_ms(self._now_ms)
        self._is_due = False

    def _sign(self, tree: JournalTree, now_ms: int) -> None:
        signed = Checkpoint.sign(tree.frontier(), signing_key())
        before = 0 if self.newest is None else self.newest.checkpoint.entry
        proof = tree.consistency(before, signed.entry) if before else ()
        self.newest = Signed(signed, now_ms, before, proof)
        for sender in self.senders:
            sender.send(witness_line(str(signed), now_ms))

    def _salt(self, tree: Frontier, now_ms: int) -> None:
        def write(journal: Journal) -> None:
            journal.take_tree(tree)
            journal.append(*stored(Witnessed(salt=new_salt())), at_ms=now_ms)

        self._turn(write)

    def _say(self, problem: str) -> None:
        before, self.problem = self.problem, problem
        if problem and problem != before:
            self._tell(problem)
        elif before and not problem:
            self._tell("the journal is signed again")

    def _run(self) -> None:
        while not self._over.wait(LOOK_S):
            self.look()
        self.look(is_last=True)
