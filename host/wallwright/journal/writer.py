"""Appends to a journal. An append, or a batch of them, is one transaction, on the disk when it returns."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Self

from sqlalchemy import bindparam, func, insert, select, text

from ..errors import JournalDamaged, JournalError
from ..link.reports import WALL_SHOWN, Event
from .addresses import find_place
from .checkpoint import Checkpoint
from .entry import Entry, Head, row_text, to_json
from .events import event_body, kind_of
from .keys import signing_key
from .kinds import house, make_record, stored
from .kinds.desk import DealsRevealed
from .kinds.house import JournalMigrated
from .known import WRITTEN, known_of
from .leaves import leaf_of
from .merkle import Frontier
from .places import JournalPath, first_of
from .rows import (
    ROWS,
    TABLE,
    checked,
    checked_within,
    entry_of,
    leaves_within,
    of_kinds_behind,
    recalled,
    with_leaves,
)
from .schema import ENTRIES, SCHEMA_VERSION
from .sealing import DEAL_ENDS, DealKey, DealKeys
from .shape import version_of
from .undisclosed import Undisclosed

_LOG = logging.getLogger(__name__)

VERIFY = "`wallwright log verify`"


class Journal:
    """The journal at `path`, a file or a PostgreSQL URL, made if there is none; close it, or use it in a `with`.

    Raises NotAJournal for something else (which is left alone), JournalBusy when another program writes the file,
    JournalFull, and JournalError when it cannot be opened. A journal of an older schema is brought to this one;
    `notice` and a logged warning say so, otherwise `notice` is empty. The clock is the caller's.
    """

    def __init__(self, path: JournalPath) -> None:
        self._place = find_place(path)
        self.path = self._place.path
        self.notice = ""
        self._head = Head()
        self._written = Head()
        """The end of the chain when this program last had its turn."""
        self._tree: Frontier | None = None
        """Of the entries up to the head, from the first checkpoint on."""
        self._is_other = False
        """Whether somebody has written the file since this program has read it."""
        self._is_whole = self._was_read()
        self._deal_keys = DealKeys(self._place.name)
        self._undisclosed = Undisclosed(partial(of_kinds_behind, self._place, self._fetch))
        self._engine = self._place.open()
        with ExitStack() as undone:
            undone.callback(self._place.release)
            undone.callback(self._engine.dispose)
            with self._place.failures():
                self._connection = undone.enter_context(self._engine.connect())
                self._migrate()
            undone.pop_all()

    def __enter__(self) -> Self:
        """Return the journal itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the journal."""
        self.close()

    def append(self, kind: str, body: Mapping[str, Any], *, at_ms: int, unit: str | None = None) -> int:
        """Append a record and return its id. Raises JournalFull; TypeError or ValueError when `body` is not JSON."""
        if kind != DealsRevealed.KIND:
            return self._insert(at_ms, unit, None, None, kind, to_json(body))
        with self.batch():
            units = self._undisclosed.units()
            number = self._insert(at_ms, unit, None, None, kind, to_json(body))
            for one in units:
                self._disclose(one, at_ms)
            return number

    def append_event(self, unit: str, event: Event, *, at_ms: int) -> int:
        """Append an event of a table and return its number; 0, and nothing is written, when it is here already.

        What tells of tags is sealed, with a key that is disclosed here when the deal has ended; else BadKey. Of deals
        that others have still to play it is disclosed when these are shown, and their walls are sealed too. Raises
        JournalFull.
        """
        with self.batch():
            newest = self.newest_of(unit, event.boot_id, event.seq)
            if newest == event.seq:
                self._confirm(unit, event)
                return 0
            # The table counts from what it was told to be stored. What has come here since then is no gap, and a gap
            # before that has been written down.
            lost = min(event.lost, event.seq - 1 - newest)
            if event.name == DEAL_ENDS:
                self.end_deal(unit, at_ms=at_ms)
            keeps = event.name == WALL_SHOWN and unit in self._undisclosed.units()
            if event.name == WALL_SHOWN and not keeps:
                event = replace(event, fields={**event.fields, **event.secret}, secret={})
            event = self._deal_keys.seal(unit, event, keeps=keeps)
            text = to_json(event_body(event, lost))
            return self._insert(at_ms, unit, event.boot_id, event.seq, kind_of(event), text)

    def end_deal(self, unit: str, *, at_ms: int) -> None:
        """Disclose the key of a table's deal, if it has one: the deal is over, and everybody may read it, unless others
        have still to play it.
        """
        with self.batch():
            if unit not in self._undisclosed.units():
                self._disclose(unit, at_ms)

    def running_keys(self, unit: str) -> Mapping[str, DealKey]:
        """Return the keys of a table's running deal, by name: for a host that was started again and goes on with it."""
        return self._deal_keys.own(unit)

    def append_entry(self, entry: Entry) -> Head:
        """Append an entry of another journal as it is, and return the end of the chain.

        Raises JournalError when its number is not the next one here, besides what `append` raises.
        """
        values = (entry.at_ms, entry.unit, entry.boot_id, entry.seq, entry.kind, entry.text)
        with self.batch():
            if entry.id != self._head.id + 1:
                problem = f"entry {entry.id} cannot follow entry {self._head.id}; copy into a new journal"
                raise JournalError(str(self.path), problem)
            self._insert(*values)
            return self._head

    def checkpoint(self, *, at_ms: int) -> Checkpoint:
        """Sign what is here with this machine's key, append that as a record, and return it to be printed or shown.

        Raises BadKey when the key cannot be read or made, JournalDamaged when an entry is not what was written.
        """
        key = signing_key()
        # Every entry is checked as it enters the tree. What others have to wait for is the end alone.
        if not self._connection.in_transaction():
            tree = self._tree or self._first_tree()
            for _, leaf in with_leaves(self._place, tree.size):
                tree = tree.after(leaf)
            known_of(self._place).grow_tree(tree)
            self._tree = tree
        with self.batch():
            signed = Checkpoint.sign(self._whole_tree(), key)
            self.append(*stored(make_record(house.Checkpoint, signed.record())), at_ms=at_ms)
        return signed

    def take_tree(self, tree: Frontier) -> None:
        """Take the tree of the first entries from somebody who has followed them, so that they need not be read again.

        The entries must be on the disk.
        """
        if self._tree is None or self._tree.size < tree.size:
            self._tree = tree

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Make the appends inside one transaction: all are on the disk when it ends, or none is after an error."""
        with self._place.failures():
            if self._connection.in_transaction():
                yield
            else:
                tree = self._tree
                try:
                    with self._connection.begin():
                        self._place.take_turn(self._connection)
                        self._head = self._stored_head()
                        self._refuse_cut()
                        yield
                except BaseException:
                    self._tree = tree
                    self._deal_keys.rolled_back()
                    self._undisclosed.forget()
                    raise
                self._written = self._head
                self._deal_keys.committed()

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been written yet."""
        with self.batch():
            return self._head.id == 0

    def newest_of(self, unit: str, boot_id: int, limit: int) -> int:
        """Return the highest number up to `limit` of this boot's events here, 0 for none."""
        values = {"unit": unit, "boot_id": boot_id, "seq": limit}
        with self.batch():
            return int(self._connection.execute(_NEWEST_UP_TO, values).scalar_one() or 0)

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Go through the entries with ids above `after`, in their order, those of an open batch too.

        Raises JournalDamaged at the first one that is not what was written.
        """
        for rows in checked_within(self._place, self._fetch, after):
            for row in rows:
                yield entry_of(self._place, row)

    def close(self) -> None:
        """Close it. A second time does nothing."""
        if self._connection.closed:
            return
        with self._place.failures():
            self._connection.close()
            self._engine.dispose()
        self._note()
        self._place.release()

    def _was_read(self) -> bool:
        """Say whether all entries are known as they are in the file, before this program writes it."""
        resting = self._place.resting()
        with suppress(JournalError):
            if resting is not None:
                recalled(self._place)
        known = known_of(self._place)
        is_whole = resting is not None and known.whole_at == resting
        if not is_whole:
            known.whole_at = None
        self._is_other = resting is not None and not is_whole
        return is_whole

    def _first_tree(self) -> Frontier:
        """Return the tree of the first entries that need not be read again to sign them."""
        known = recalled(self._place)
        return known.tree if known.is_long and not self._is_other else Frontier()

    def _note(self) -> None:
        """Note for the next program what this one has written: nobody else has, since it has the lock."""
        known = known_of(self._place)
        if not known.is_long:
            return
        if self._is_whole or known.whole_at == WRITTEN:
            known.whole_at = self._place.resting()
        with suppress(JournalError):
            for _ in checked(self._place, known.end):
                pass

    def _migrate(self) -> None:
        version = version_of(self._place)
        if version == SCHEMA_VERSION:
            return
        from .migration import migrate

        # The entry of it is of the same transaction: no journal has been migrated without saying so.
        with self._connection.begin():
            self._place.take_turn(self._connection)
            migrate(self._connection, version)
            self._head = self._stored_head()
            count = self._head.id
            self.notice = (
                f"journal {self.path}: its {count} entries were of version {version}, which had no hashes; they have "
                "been chained as they are, and whatever is changed from now on is found"
            )
            at_ms = self._connection.execute(select(func.max(ENTRIES.c.at_ms))).scalar_one() or 0
            said = JournalMigrated(from_=version, to=SCHEMA_VERSION)
            self.append(*stored(said), at_ms=at_ms)
        _LOG.warning(self.notice)

    def _refuse_cut(self) -> None:
        """Refuse to go on when what this program has written is not there any more."""
        written = self._written
        if self._head.id < written.id or (self._head.id == written.id and self._head != written):
            problem = (
                f"entry {written.id}, which this program has written, is not there any more: it ends with entry "
                f"{self._head.id}; see {VERIFY}, and start the program again to go on with what is there"
            )
            raise JournalDamaged(str(self.path), problem)

    def _disclose(self, unit: str, at_ms: int) -> None:
        for key in self._deal_keys.end_deal(unit):
            self.append(*stored(key.disclosed()), at_ms=at_ms, unit=unit)

    def _confirm(self, unit: str, event: Event) -> None:
        """Make sure that the table of entries has an event that its index knows: the board will not send it again."""
        values = {"unit": unit, "boot_id": event.boot_id, "seq": event.seq}
        number = self._connection.execute(_NUMBER_OF, values).scalar_one_or_none() or 0
        rows = self._fetch(ROWS[self._place.dialect], {"after": number - 1, "limit": 1})
        if not rows or tuple(rows[0][2:5]) != tuple(values.values()):
            problem = f"its index has event {event.seq} of {unit}, and its entries have not; see {VERIFY}"
            raise JournalDamaged(str(self.path), problem)

    def _whole_tree(self) -> Frontier:
        """Return the tree of all entries, those of the transaction among them. Others may have appended some."""
        tree = self._tree or self._first_tree()
        for leaf in leaves_within(self._place, self._fetch, tree.size):
            tree = tree.after(leaf)
        self._tree = tree
        return tree

    def _fetch(self, query: str, values: Mapping[str, Any]) -> Sequence[Sequence[Any]]:
        # No transaction of its own stays open while the caller thinks.
        with self._place.failures(), nullcontext() if self._connection.in_transaction() else self._connection.begin():
            return first_of(self._connection.execute(text(query), values))

    def _stored_head(self) -> Head:
        row = self._connection.execute(_LAST[self._place.dialect]).one_or_none()
        return Head() if row is None else Head(row.id, row.hash)

    def _insert(self, *values: Any) -> int:
        with self.batch():
            row = (self._head.id + 1, *values)
            told = row_text(row)
            head = self._head.after_text(row[0], told)
            done = self._connection.execute(_INSERT, dict(zip(_COLUMNS, (*row, head.hash), strict=True)))
            if done.rowcount != 1:
                problem = f"its database did not keep entry {head.id}; see what was added to it with {VERIFY}"
                raise JournalDamaged(str(self.path), problem)
            if self._tree is not None and self._tree.size == self._head.id:
                self._tree = self._tree.after(leaf_of(self._head.hash, row, told))
            self._head = head
        return head.id


_COLUMNS = tuple(column.name for column in ENTRIES.columns)
# Made once: putting a statement together takes longer than running it.
_INSERT = insert(ENTRIES).execution_options(preserve_rowcount=True)
_LAST = {dialect: text(f"SELECT id, hash FROM {table} ORDER BY id DESC LIMIT 1") for dialect, table in TABLE.items()}
_NUMBER_OF = (
    select(ENTRIES.c.id)
    .where(ENTRIES.c.unit == bindparam("unit"), ENTRIES.c.boot_id == bindparam("boot_id"))
    .where(ENTRIES.c.seq == bindparam("seq"))
)
_NEWEST_UP_TO = (
    select(func.max(ENTRIES.c.seq))
    .where(ENTRIES.c.unit == bindparam("unit"), ENTRIES.c.boot_id == bindparam("boot_id"))
    .where(ENTRIES.c.seq <= bindparam("seq"))
)
