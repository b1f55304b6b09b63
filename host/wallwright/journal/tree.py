"""The Merkle tree over a journal's entries, kept up to date beside whoever writes it, and what is shown from it."""

from collections.abc import Sequence
from typing import Any

from ..errors import JournalDamaged
from .addresses import find_place
from .entry import row_texts
from .known import known_of
from .leaves import SALTED, SHOWN_WHOLE, Opening, WholeOpening, leaf_of, opening_of, whole_opening
from .merkle import Frontier, MerkleTree
from .places import JournalPath
from .rows import ROWS, with_leaves
from .shape import refuse_unsound


class JournalTree:
    """The tree of the journal at `path`; one thread calls `follow`, any number ask about sizes that it has reached."""

    def __init__(self, path: JournalPath) -> None:
        self._place = find_place(path)
        self._tree = MerkleTree()
        self._is_salted = False
        self.shown_whole: tuple[int, ...] = ()
        """The entries that may be shown whole: the keys of leaves behind them cannot be guessed with their texts."""

    @property
    def size(self) -> int:
        """How many entries have been followed."""
        return self._tree.size

    def follow(self) -> set[str]:
        """Take what has been written since; return the kinds of it.

        Raises what `read_journal` does: JournalDamaged when the journal is not the one that was followed so far.
        """
        refuse_unsound(self._place)
        kinds = set()
        for row, leaf in with_leaves(self._place, self.size):
            self._tree.append(leaf)
            kinds.add(row[5])
            self._is_salted = self._is_salted or row[5] == SALTED
            if self._is_salted and row[4] is None and row[5] in SHOWN_WHOLE:
                self.shown_whole += (row[0],)
        known_of(self._place).grow_tree(self.frontier())
        return kinds

    def frontier(self) -> Frontier:
        """Return the tree as far as a signature needs it."""
        return self._tree.frontier(self.size)

    def leaf(self, entry: int) -> bytes:
        """Return the hash of an entry's leaf."""
        return self._tree.leaf(entry - 1)

    def inclusion(self, entry: int, size: int) -> tuple[bytes, ...]:
        """Return the proof that an entry is one of the first `size`. ValueError when it is not."""
        return self._tree.inclusion(entry - 1, size)

    def multiproof(self, entry: int, size: int) -> tuple[bytes, ...]:
        """Return what shows the root of the first `size` entries with that entry's leaf. ValueError when it is none."""
        return self._tree.multiproof([entry - 1], size)

    def consistency(self, first: int, second: int) -> tuple[bytes, ...]:
        """Return the proof that the first `second` entries begin with the first `first`, or raise ValueError."""
        return self._tree.consistency(first, second)

    def opening(self, entry: int) -> Opening | None:
        """Return what shows the points of a result; None when the entry is none."""
        return opening_of(*self._followed(entry))

    def whole(self, entry: int) -> WholeOpening:
        """Return what shows an entry that is no result."""
        before, _, text = self._followed(entry)
        return whole_opening(before, text)

    def _followed(self, entry: int) -> tuple[bytes, Sequence[Any], bytes]:
        """Return the hash before an entry, its row and its text, as they were when it was followed."""
        rows = self._place.fetch(ROWS[self._place.dialect], {"after": entry - 1, "limit": 1})
        for row, text in zip(rows, row_texts(rows), strict=True):
            before = known_of(self._place).head(entry - 1).hash
            if row[0] == entry and leaf_of(before, row, text) == self.leaf(entry):
                return before, row, text
        problem = f"entry {entry} is not what this program read before: it was changed since"
        raise JournalDamaged(str(self._place.path), problem)
