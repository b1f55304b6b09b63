"""A hall that is served reports by itself: each checkpoint as it is signed, and the extract when the day is over.

The season is a witness among others (`journal.witness_places`): it has a thread of its own, what fails is told once and
tried again, and play never waits for it.
"""

from collections.abc import Callable, Hashable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ...errors import BadInput, EventRefused, NoEvent
from ...journal import Checkpoint, read_journal
from ...journal.kinds.desk import EventCreated
from ...journal.places import JournalPath
from ...journal.tree import JournalTree
from ...journal.witness import Witnessing
from ..errors import BadExtract
from ..extract import make_extract
from ..seen import Reported, journal_id
from .receiving import ADDED
from .sender import SeasonServer


class SeasonWitness:
    """Reports the event of the journal at `place` to a season, signed by `key`.

    `is_over` gives something as soon as nothing is in play and all is published, and another thing when results or
    states are others; None else. `tell` hears what has become of the extract.
    """

    def __init__(
        self,
        server: SeasonServer,
        place: JournalPath,
        key: Ed25519PrivateKey,
        is_over: Callable[[], Hashable | None],
        tell: Callable[[str], None],
    ) -> None:
        self.name = server.url
        self._server = server
        self._place = place
        self._key = key
        self._is_over = is_over
        self._tell = tell
        self._witnessing: Witnessing | None = None
        self._begins = 0
        self._seen = 0
        self._sent: Hashable | None = None

    def follow(self, witnessing: Witnessing) -> None:
        """Take proofs from there."""
        self._witnessing = witnessing

    def keep(self, line: str) -> None:
        """See Witness.keep. Raises SeasonAway, and EventRefused for a checkpoint that the season refuses."""
        assert self._witnessing is not None
        self._begins = self._begins or first_entry(self._place)
        tree, checkpoint = self._witnessing.tree, Checkpoint.parse(line.split()[0])
        self._seen = send_checkpoint(self._server, tree, checkpoint, self._begins, self._seen)
        over = self._is_over()
        if over is not None and over != self._sent:
            self._send_extract(journal_id(tree.leaf(self._begins)))
            self._sent = over

    def _send_extract(self, journal: str) -> None:
        try:
            told = self._server.send(day_extract(self._server, str(self._place), self._key, journal))
        except (EventRefused, BadExtract, BadInput) as error:
            self._tell(f"the season at {self.name} has not taken the day: {error}")
            return
        done = "has the day" if told["state"] == ADDED else f"keeps the day for its organiser: {told.get('why', '')}"
        self._tell(f"the season at {self.name} {done}")


def send_checkpoint(server: SeasonServer, tree: JournalTree, checkpoint: Checkpoint, begins: int, seen: int) -> int:
    """Have a checkpoint kept, of whose journal `seen` entries are known there; return how many are known then.

    `begins` is the number of the entry that begins the event. Raises EventRefused, SeasonAway.
    """
    leaf, size = tree.leaf(begins), checkpoint.entry
    inclusion = tuple(one.hex() for one in tree.multiproof(begins, size))
    for _ in range(2):
        proof = tree.consistency(seen, size) if 0 < seen <= size else ()
        hexes = tuple(one.hex() for one in proof)
        reported = Reported(str(checkpoint), begins, leaf.hex(), inclusion, seen, hexes)
        before, seen = seen, server.send_checkpoint(journal_id(leaf), reported)
        if seen in (before, size):
            break
    return seen


def day_extract(server: SeasonServer, place: str, key: Ed25519PrivateKey, journal: str) -> bytes:
    """Return the extract of a day, with proofs from all that the season has seen of it.

    Raises what `make_extract` does, BadExtract for a journal that is not the one that was seen, SeasonAway.
    """
    seen = server.tell_journal(journal)["checkpoints"]
    return make_extract(place, key, [Checkpoint.parse(one) for one in seen])


def journal_at(place: JournalPath) -> str:
    """Return what stands for the journal at `place`. NoEvent when nothing was begun in it."""
    tree = JournalTree(place)
    tree.follow()
    return journal_id(tree.leaf(first_entry(place)))


def first_entry(place: JournalPath) -> int:
    """Return the number of the entry that begins the event of the journal at `place`. NoEvent when there is none."""
    first = next(iter(read_journal(place, kinds=(EventCreated.KIND,))), None)
    if first is None:
        raise NoEvent(str(place))
    return first.id
