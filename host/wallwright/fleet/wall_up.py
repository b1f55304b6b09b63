"""The wall on a table, by what the table itself tells: how it was built, where the dice broke it, what has left it.

Where tiles have tags and the hands have readers, every tile that comes into a hand for the first time has left the
wall. Which tile it is stays secret; only their number is kept. Elsewhere nobody knows how many tiles are left.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..journal.events import event_said
from ..journal.kinds import Record
from ..journal.kinds.tables import BuildDone, DiceRolled, WallsUp
from ..link.reports import Event, Status
from ..rules.core.game import ROUND_WIND
from ..table.next_throws import Thrown
from ..tracking.zones import HANDS

WALL_KINDS = (BuildDone.KIND, WallsUp.KIND, DiceRolled.KIND)
"""The events that say which wall is on the table."""
PUSHED_IN = ("lid_opening", "lid_open", "lid_closing", "lifting")
"""States in which nothing is played any more."""


@dataclass(frozen=True, slots=True)
class WallUp:
    """A wall of `plan` stacks a side. `dice` and `dealer` are None before it is broken.

    `taken` are the tiles that have left it, None where no readers see that. `before` are the throws for it that came
    before `dice`; whoever threw first deals. `washed_s` is for how many seconds the disc had washed its tiles, None
    where the board has not said so.
    """

    plan: tuple[int, int, int, int]
    dice: tuple[int, ...] | None = None
    dealer: int | None = None
    taken: int | None = None
    before: tuple[tuple[int, ...], ...] = ()
    washed_s: int | None = None


class WallFollower:
    """Follows the events of one board; `wall` is None where nothing was seen of it, and once its deal is over.

    `deal` is that of the last walls that were seen going up, by the board's own count.
    """

    def __init__(self) -> None:
        self.wall: WallUp | None = None
        self.deal: int | None = None
        self.thrown = Thrown()
        """What was thrown for it."""
        self._built: WallUp | None = None
        self._state = ""
        self._hands: set[str] = set()

    def see(self, event: Event) -> None:
        """Take the next event."""
        if event.name in WALL_KINDS:
            self.note(event_said(event))
        elif event.name == "tag_appeared":
            self._held(event.secret)
        elif event.name == "state_changed":
            if event.fields["state"] == "lid_opening" and self._state in ("ready", "checking"):
                # What was played is pushed in now.
                self.wall = None
            self._state = event.fields["state"]

    def note(self, said: Record) -> None:
        """Take what an event says; those of other kinds than WALL_KINDS say nothing here."""
        self.thrown.note(said)
        if isinstance(said, BuildDone):
            self._built = WallUp(said.stacks, washed_s=said.wash_s)
        elif isinstance(said, WallsUp):
            self.deal = said.deal
            self._hands.clear()
            self.wall = self._built
        elif isinstance(said, DiceRolled) and said.deal == self.deal and self.wall is not None:
            self.wall = _thrown(self.wall, said)

    def restore(self, before: "WallFollower", status: Status) -> None:
        """Go on from what the journal says of a wall that went up before this program had met its table."""
        if self.deal is None and before.deal == status.deal and status.state not in PUSHED_IN:
            self.deal, self.wall, self.thrown = before.deal, before.wall, before.thrown.copy()

    def _held(self, secret: Mapping[str, Any]) -> None:
        if self.wall is not None and self.wall.dice is not None and secret["reader"] in HANDS:
            self._hands.add(secret["tag"])
            self.wall = replace(self.wall, taken=len(self._hands))


def _thrown(wall: WallUp, said: DiceRolled) -> WallUp:
    """The wall after a throw; one for East, before anybody deals, has nothing to do with it, nor one after the cut."""
    if wall.dice is not None:
        return wall
    if said.purpose == ROUND_WIND:
        return wall if wall.before else replace(wall, before=(said.dice,), dealer=said.seat)
    if not said.is_cut:
        return wall
    return replace(wall, dice=said.dice, dealer=said.seat if wall.dealer is None else wall.dealer)
