"""The drum: its two rotors, the disc and the ring, each with the vane that shows its turns.

**What happens there.** The motors run as long as tiles are to come. Something may hold it up: a tile that stands on its
edge, a worn belt. The vane comes once a turn and is all that tells that it turns.

**Why it has these states.** A rotor whose vane does not come is switched off and started again, which frees most of
them. Whether that was so shows only with the next vane, and so being late outlasts the rest: a rotor that is late and
is late again has failed, and one that comes round has got over it, which is worth a notice. One that has to be started
again too often in a build is too slow, and no chance.
"""

from wallwright_protocol import codes
from wallwright_protocol.constants import const
from wallwright_protocol.hardware import DISC, RING
from wallwright_protocol.link import NEVER
from wallwright_protocol.machine import Machine
from wallwright_protocol.settings import DISC_LIMIT, RING_LIMIT

from ..safety import Outputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..owners import Notified

_START_AGAIN_MS = const(1000)
_MOST_RESTARTS = const(3)
"""A rotor is started again this often in a build."""

STANDS = const(0)
"""It stands."""
TURNS = const(1)
"""It turns, as far as its vane has shown."""
STANDS_LATE = const(2)
"""It stands because its vane has not come."""
TURNS_LATE = const(3)
"""It was started again, and its vane has not come since."""

ROTOR = {
    STANDS: {
        "on": (TURNS, "turn"),
    },
    TURNS: {
        "on": (TURNS, "turn"),
        "vane": (TURNS, "expect"),
        "time": (STANDS_LATE, "start_again"),
        "tried_enough": (TURNS, "give_up"),
        "off": (STANDS, "stand"),
    },
    STANDS_LATE: {
        "on": (TURNS_LATE, "turn"),
        "begin": (STANDS, ""),
    },
    TURNS_LATE: {
        "on": (TURNS_LATE, "turn"),
        "vane": (TURNS, "get_over"),
        "tried_enough": (TURNS_LATE, "give_up"),
        "off": (STANDS_LATE, "stand"),
    },
}


class Rotor(Machine):
    """The rotor of `drive`, whose vane comes at least every `longest`, a setting, in ms; else it is `fault`.

    `tries` counts how often it was started again in this build.
    """

    table = ROTOR

    def __init__(
        self, drive: int, fault: int, longest: int, outputs: Outputs, settings: list[int], owner: "Drum"
    ) -> None:
        super().__init__(STANDS)
        self.tries = 0
        self._drive = drive
        self._fault = fault
        self._longest = longest
        self._outputs = outputs
        self._settings = settings
        self._owner = owner

    def begin(self, now_ms: int) -> None:
        """A build begins: what was before does not count."""
        self.tries = 0
        self.happens("begin", now_ms)

    def poll(self, now_ms: int) -> None:
        """The vane has not come."""
        again = self.state == TURNS and self.tries < _MOST_RESTARTS
        self.happens("time" if again else "tried_enough", now_ms)

    def turn(self, now_ms: int) -> None:
        if self._outputs.on(self._drive, now_ms):
            self.expect(now_ms)

    def stand(self, now_ms: int) -> None:
        self._outputs.off(self._drive)

    def expect(self, now_ms: int) -> None:
        self.due = now_ms + self._settings[self._longest]

    def get_over(self, now_ms: int) -> None:
        self.expect(now_ms)
        self._owner.owner.notice(self._fault, codes.NO_SIDE, self.tries)

    def start_again(self, now_ms: int) -> None:
        self.stand(now_ms)
        self.tries += 1
        self._owner.rest(now_ms, _START_AGAIN_MS)
        self._owner.stuck(self._settings[self._longest])

    def give_up(self, now_ms: int) -> None:
        self._owner.owner.fail(self._fault, codes.NO_SIDE, 0, 0)


class Drum:
    """Both rotors of the table, for `owner`. They turn and rest together, but in a wash, where the disc is alone.

    `turned_ms` is how long they have turned since they began, up to the last rest; a turn whose vane did not come is
    none.
    """

    def __init__(self, outputs: Outputs, settings: list[int], owner: "Notified") -> None:
        self.owner = owner
        self.rotors = [
            Rotor(DISC, codes.DISC_STALLED, DISC_LIMIT, outputs, settings, self),
            Rotor(RING, codes.RING_STALLED, RING_LIMIT, outputs, settings, self),
        ]
        self.turned_ms = 0
        self._rests_until = NEVER
        self._on_ms = NEVER
        self._is_alone = False

    @property
    def due(self) -> int:
        """When a vane is late, or a rest over."""
        return min(self._rests_until, self.rotors[0].due, self.rotors[1].due)

    def begin(self, now_ms: int, is_alone: bool = False) -> None:
        """A build begins, or a wash (the disc `is_alone`): turn, and count anew how often a rotor is started again."""
        self._is_alone = is_alone
        self.turned_ms = 0
        for rotor in self.rotors:
            rotor.begin(now_ms)
        self.turn(now_ms)

    def turn(self, now_ms: int) -> None:
        """Switch the rotors on."""
        self._rests_until = NEVER
        self._on_ms = now_ms
        for rotor in self.rotors[:1] if self._is_alone else self.rotors:
            rotor.happens("on", now_ms)

    def rest(self, now_ms: int, for_ms: int = 0) -> None:
        """Switch the rotors off: for so long, or for good."""
        if self._on_ms != NEVER:
            self.turned_ms += now_ms - self._on_ms
            self._on_ms = NEVER
        for rotor in self.rotors:
            rotor.happens("off", now_ms)
        self._rests_until = now_ms + for_ms if for_ms else NEVER

    def stuck(self, for_ms: int) -> None:
        """A rotor did not turn for so long before it was switched off."""
        self.turned_ms = max(0, self.turned_ms - for_ms)

    def alone_until(self, wash_ms: int) -> int:
        """Return when the disc has turned for `wash_ms`, if it goes on; NEVER while it rests."""
        return NEVER if self._on_ms == NEVER else self._on_ms + wash_ms - self.turned_ms

    def poll(self, now_ms: int) -> None:
        """A rest is over, or a vane has not come."""
        if now_ms >= self._rests_until:
            self.turn(now_ms)
        for rotor in self.rotors:
            if now_ms >= rotor.due:
                rotor.poll(now_ms)
