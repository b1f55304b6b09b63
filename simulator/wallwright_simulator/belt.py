"""The conveyor of one lane, from the drum's mouth to the gate of the stacking head, with the two eyes above it.

Places are ms of belt travel from the mouth. Tiles ride to the gate and queue there while the belt slips below them.
The gate lets one tile in while the head is home and not full; the belt carries it through, and the count eye is dark
as long as that takes. A belt at rest feeds nothing into the head. When the belt stops with a tile in the gate, the
tile stays and the eye stays dark. When the belt reverses, the tile backs out and the eye gets light though nothing came
into the head: the eye cannot tell. A belt that runs backwards drops its tiles into the drum. A tile that sticks at the
gate stays where it is, whatever the belt does below it.
"""

import random
from collections.abc import Callable, Mapping

from wallwright_protocol.hardware import BELT_FULL, COUNT_EYE, input_number

from .clock import NEVER, Agenda
from .drum import Source
from .head import Head
from .mechanics import BELT_EYE_FILTER_MS
from .sensors import Sensors
from .timing import Timing


class Belt:
    """Side `side`; `tiles` are on the belt, the one nearest to the gate first; `passing` while that one is in the gate.

    `travel_ms` is the length of this belt from mouth to gate, `timing` has what all belts share. `falls` decides how a
    tile lands that falls back into the drum. `odd_ms` has the time for which a tile of another size darkens the count
    eye.
    """

    __slots__ = (
        "_agenda",
        "_capacity",
        "_count_eye",
        "_dark_ms",
        "_direction",
        "_drum",
        "_eye_row",
        "_falls",
        "_frees",
        "_full_eye",
        "_full_place",
        "_gate_period_ms",
        "_gate_ready_ms",
        "_head",
        "_odd_ms",
        "_places",
        "_row",
        "_sensors",
        "_side",
        "_since_ms",
        "_spacing_ms",
        "_stalled",
        "_sticks_at",
        "_usual_dark_ms",
        "_wanted",
        "passing",
        "tiles",
        "travel_ms",
    )

    def __init__(
        self,
        agenda: Agenda,
        sensors: Sensors,
        side: int,
        drum: Source,
        head: Head,
        travel_ms: int,
        falls: random.Random,
        odd_ms: Mapping[int, int],
        timing: Timing,
    ) -> None:
        self.tiles: list[int] = []
        self.passing = False
        self._agenda = agenda
        self._sensors = sensors
        self._side = side
        self._drum = drum
        self._head = head
        self.travel_ms = travel_ms
        self._falls = falls
        self._odd_ms = odd_ms
        self._usual_dark_ms = timing.eye_dark_ms
        self._gate_period_ms = timing.gate_period_ms
        self._spacing_ms = timing.tile_spacing_ms
        self._capacity = timing.belt_capacity
        self._full_place = travel_ms - (self._capacity - 2) * self._spacing_ms
        self._places: list[int] = []
        self._wanted = 0
        self._stalled = False
        self._direction = 0
        self._since_ms = 0
        self._dark_ms = timing.eye_dark_ms
        self._sticks_at = NEVER
        self._frees: Callable[[], bool] = bool
        self._gate_ready_ms = 0
        self._count_eye = input_number(side, COUNT_EYE)
        self._full_eye = input_number(side, BELT_FULL)
        self._row = agenda.add(self._move)
        self._eye_row = agenda.add(self._show_full)
        head.join(self.gate_changed, self._is_passing)

    def _is_passing(self) -> bool:
        return self.passing

    def take_in(self, tile: int) -> None:
        """The drum puts a tile on the belt; when the last one is still in the mouth, behind it."""
        self._settle()
        places = self._places
        places.append(min(0, places[-1] - self._spacing_ms) if places else 0)
        self.tiles.append(tile)
        if len(places) >= self._capacity:
            self._drum.shut(self._side)
        self._plan()

    def run(self, direction: int) -> None:
        """Run towards the gate (1), back to the drum (-1) or not at all (0) from now on."""
        self._settle()
        if direction < 0 <= self._wanted and not self._stalled and self._is_stuck() and self._frees():
            self._sticks_at = NEVER
        self._wanted = direction
        self._go()

    def stall(self, stalled: bool) -> None:
        """The belt stands still, whatever its motor does, or no longer."""
        self._settle()
        self._stalled = stalled
        self._go()

    def jam(self, in_eye: bool, frees: Callable[[], bool]) -> None:
        """The tile in the gate, or the next one there, sticks: in the eye or before it; one in the eye where it is.

        Each jog backwards then asks `frees` whether that helps.
        """
        self._settle()
        if self.passing:
            self._sticks_at = self._places[0]
        else:
            self._sticks_at = self.travel_ms + (self._usual_dark_ms // 2 if in_eye else 0)
        self._frees = frees
        self._plan()

    def release(self) -> None:
        """What sticks gets loose, by a person's hand or by itself."""
        self._settle()
        self._sticks_at = NEVER
        self._plan()

    def take_off(self) -> list[int]:
        """A person takes all tiles off the belt; return them."""
        self._settle()
        taken = self.tiles[:]
        self.tiles.clear()
        self._places.clear()
        if self.passing:
            self.passing = False
            self._sensors.set(self._count_eye, 0)
        self._set_mouth()
        self._plan()
        return taken

    def gate_changed(self) -> None:
        """The head has come home or left it."""
        self._settle()
        self._plan()

    def _go(self) -> None:
        self._direction = 0 if self._stalled else self._wanted
        self._set_mouth()
        self._plan()

    def _is_stuck(self) -> bool:
        return bool(self._places) and self._places[0] >= self._sticks_at

    def _settle(self) -> None:
        """Bring the places up to the present time."""
        now_ms = self._agenda.now_ms
        moved = now_ms - self._since_ms
        self._since_ms = now_ms
        places = self._places
        if self._direction > 0:
            end = min(self._sticks_at, self.travel_ms + self._dark_ms if self.passing else self.travel_ms)
            for index, place in enumerate(places):
                place += moved
                places[index] = place if place < end else end
                end -= self._spacing_ms
        elif self._direction < 0:
            for index in range(int(self._is_stuck()), len(places)):
                places[index] -= moved

    def _move(self) -> None:
        """Something happens to a tile on the belt: at the gate, at the place of the belt-full eye, at the mouth."""
        self._settle()
        places = self._places
        if self._direction > 0:
            if self.passing and places[0] >= self.travel_ms + self._dark_ms:
                self._enter_head()
            elif not self.passing and self._gate_lets_in() and places[0] >= self.travel_ms:
                self.passing = True
                self._dark_ms = self._odd_ms.get(self.tiles[0], self._usual_dark_ms)
                self._gate_ready_ms = self._agenda.now_ms + self._gate_period_ms - self._usual_dark_ms + self._dark_ms
                self._sensors.set(self._count_eye, 1)
        else:
            if self.passing and places[0] <= self.travel_ms:
                self.passing = False
                self._sensors.set(self._count_eye, 0)
            while places and places[-1] <= 0:
                places.pop()
                self._drum.put_back(self.tiles.pop(), self._falls.random() < 0.5, self._side)
        self._plan()

    def _enter_head(self) -> None:
        self.passing = False
        self._places.pop(0)
        self._head.tiles.append(self.tiles.pop(0))
        self._head.moved()
        self._sensors.set(self._count_eye, 0)
        self._set_mouth()

    def _gate_lets_in(self) -> bool:
        return (
            self._head.takes_tiles() and self._agenda.now_ms >= self._gate_ready_ms and self._sticks_at > self.travel_ms
        )

    def _set_mouth(self) -> None:
        if self._direction > 0 and len(self.tiles) < self._capacity:
            self._drum.open(self._side)
        else:
            self._drum.shut(self._side)

    def _plan(self) -> None:
        """Find the next event from the places as they are now."""
        places = self._places
        travel_ms = self.travel_ms
        due_ms = NEVER
        stands = False
        if places:
            now_ms = self._agenda.now_ms
            direction = self._direction
            stuck = places[0] >= self._sticks_at
            if direction < 0:
                if not stuck:
                    due_ms = now_ms + max(0, min(places[-1], places[0] - travel_ms if self.passing else NEVER))
                elif len(places) > 1:
                    due_ms = now_ms + max(0, places[-1])
            else:
                if direction == 0:
                    pass
                elif self.passing:
                    if self._sticks_at == NEVER:
                        due_ms = now_ms + travel_ms + self._dark_ms - places[0]
                elif self._head.takes_tiles() and self._sticks_at > travel_ms:
                    due_ms = max(now_ms + travel_ms - places[0], self._gate_ready_ms)
                if len(places) >= self._capacity - 1 and (stuck or not self.passing):
                    missing_ms = self._full_place - places[self._capacity - 2]
                    stands = missing_ms <= 0
                    if missing_ms > 0 and direction > 0:
                        due_ms = min(due_ms, now_ms + missing_ms)
        agenda = self._agenda
        if due_ms != agenda.due[self._row]:
            agenda.plan(self._row, due_ms)
        eye_ms = agenda.due[self._eye_row]
        if stands == self._sensors.truth[self._full_eye]:
            if eye_ms != NEVER:
                agenda.plan(self._eye_row, NEVER)
        elif eye_ms == NEVER:
            agenda.plan(self._eye_row, agenda.now_ms + BELT_EYE_FILTER_MS)

    def _show_full(self) -> None:
        """What the belt-full eye sees has lasted: it changes."""
        self._agenda.plan(self._eye_row, NEVER)
        self._sensors.set(self._full_eye, 1 - self._sensors.truth[self._full_eye])
