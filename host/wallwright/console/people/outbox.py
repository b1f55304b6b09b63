"""Takes what was done with accounts out of their file into the hall's journal, each act once.

Another program may write that file while the server has the journal, and a journal that takes nothing must keep nobody
from signing in: so an act is first in the accounts' file, and stays there until the journal has it.
"""

import threading
from collections.abc import Callable
from functools import partial

import structlog

from ...errors import AccountError, AccountsFailed, JournalError
from ...journal import Journal, read_journal
from ...journal.kinds.house import ConsoleAct
from ...journal.places import JournalPath
from .accounts import Accounts
from .file import Act
from .person import ACT

EVERY_S = 1.0
BATCH = 100
"""Acts in one transaction of the journal."""

Turn = Callable[[Callable[[Journal], None]], None]

log = structlog.get_logger("wallwright.console")


class Outbox:
    """Takes the acts of `accounts` into the journal at `path`, in a thread of its own from `start` to `close`.

    `turn` has something done with the journal, in one transaction, after whatever was asked of it before.
    """

    def __init__(self, accounts: Accounts, path: JournalPath, turn: Turn) -> None:
        self._accounts = accounts
        self._path = path
        self._turn = turn
        # A program that ended between the two files has left acts that the journal has.
        self._is_unsure = True
        self._problem = ""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="outbox")

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def close(self) -> None:
        """Take what is there, and end the thread."""
        self._over.set()
        self._thread.join()

    def drain(self) -> None:
        """Take all acts that are there. Raises JournalError, AccountError or AccountsFailed; then nothing is lost."""
        while acts := self._accounts.acts(BATCH):
            was_unsure, self._is_unsure = self._is_unsure, True
            self._turn(partial(self._write, acts, was_unsure))
            self._accounts.forget(acts)
            self._is_unsure = False

    def _write(self, acts: tuple[Act, ...], look: bool, journal: Journal) -> None:
        acts_there = (entry.said for entry in read_journal(self._path, kinds=(ACT,))) if look else ()
        known = {said.id for said in acts_there if isinstance(said, ConsoleAct)}
        for act in acts:
            if act.id not in known:
                journal.append(ACT, act.body, at_ms=act.at_ms)

    def _run(self) -> None:
        while not self._over.wait(EVERY_S):
            self._try()
        self._try()

    def _try(self) -> None:
        """The hall's page says what is wrong with the journal; here it is logged once."""
        try:
            self.drain()
        except (JournalError, AccountError, AccountsFailed) as error:
            if str(error) != self._problem:
                log.warning("acts of accounts wait for the journal", problem=str(error))
            self._problem = str(error)
        else:
            self._problem = ""
