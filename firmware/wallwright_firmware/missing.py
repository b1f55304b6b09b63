"""The fault to name when tiles do not come any more, too many do, or heads stand, and at which side.

Sensors cannot tell a tile on the floor from one that lies face up or one that slipped by an eye. The words of the fault
have people look at the likeliest place first. When they have put in what they found and the walls lack as many tiles as
before, the tile must be where nobody has looked: in a head whose eye has missed it. Heads are named one by one.

What people have done or left undone comes before what is broken, where the counts fit it.
"""

from wallwright_protocol import codes, hardware

from .drivers.head import LEFT_HOME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .drivers.lane import Lane

FEW_TILES = 4
"""As many tiles may lie on the floor; when more are missing, something keeps them from coming."""


def lacking(lanes: "list[Lane]") -> "list[Lane]":
    """Return the lanes that lack tiles, the one that lacks most first."""
    short = sorted([-lane.missing() * hardware.SIDES + lane.side for lane in lanes if lane.missing() > 0])
    return [lanes[rank % hardware.SIDES] for rank in short]


def counted(lanes: "list[Lane]") -> int:
    """Return how many tiles have come to all lanes; 0 while an eye may have missed some."""
    return 0 if any([lane.eye_doubted for lane in lanes]) else sum([lane.tiles() for lane in lanes])


def nothing_came(lanes: "list[Lane]") -> bool:
    """Say whether no lane has got a tile: none is counted, none stands on a belt, and no eye may have missed some."""
    for lane in lanes:
        if lane.tiles() or lane.fault or lane.eye_doubted or lane.belt.queue or lane.belt.jogs:
            return False
    return True


def left_over(sides: "list[int]", lanes: "list[Lane]", may_be_two: bool) -> "tuple[int, int, int, int]":
    """Return fault, side, tiles found and wanted when tiles came to these sides though all walls are whole.

    A single one may be any tile; no two get into a drum by themselves, so several are a set of another size, or the
    other set, when it `may_be_two` that people have pushed in.
    """
    if len(sides) == 1:
        lane = lanes[sides[0]]
        walls = lane.wanted * hardware.TILES_PER_STACK
        return codes.TILE_TOO_MANY, lane.side, walls + 1, walls
    walls = sum([lane.wanted for lane in lanes]) * hardware.TILES_PER_STACK
    several = codes.TWO_SETS if may_be_two else codes.WRONG_SET
    return several, codes.NO_SIDE, walls + len(sides), walls


def gives_no_sign(lane: "Lane", lanes: "list[Lane]") -> bool:
    """Say whether nothing has come to this lane while another one is whole: no tile was counted, none waits before an
    eye. A lane that `fault` blocks has driven its head besides, and no vane has told of it."""
    if lane.tiles() or lane.eye_doubted or lane.belt.queue or lane.belt.jogs:
        return False
    if lane.fault and lane.head.vanes != LEFT_HOME:
        return False
    return any([other.tiles() and not other.missing() for other in lanes])


def of_lane(fault: int, lane: "Lane") -> "tuple[int, int, int, int]":
    """Return a fault with the side of a lane, its tiles found and wanted."""
    return fault, lane.side, lane.tiles(), lane.wanted * hardware.TILES_PER_STACK


class Search:
    """What was named so far in one build."""

    def __init__(self) -> None:
        self._lacked = 0
        self._fruitless = 0
        self._built: "tuple[int, ...]" = (0, 0, 0, 0)
        self.may_be_two = False

    def begin(self) -> None:
        """Another build begins."""
        self._lacked = 0

    def note_whole(self, stacks: "tuple[int, ...]") -> None:
        """Walls of so many stacks are whole. When they have come up, they may go down again undrawn."""
        self._built = stacks

    def note_lid(self, whole: bool) -> None:
        """The lid is open. While there are no `whole` walls below, people can push in both sets."""
        self.may_be_two = not whole

    def blocked(self, lanes: "list[Lane]") -> "tuple[int, int, int, int] | None":
        """Return fault, side, tiles found and wanted of the first lane that a fault blocks; None when none is blocked.

        A head stands when its carrier is full. When that is after as many stacks as fit behind the last walls, these
        went down again with the lifts. All sides at which it is so have one fault.
        """
        undrawn = [lane for lane in lanes if lane.fault == codes.WALLS_UNDRAWN or self._is_full(lane)]
        for lane in undrawn:
            lane.note_fault(codes.WALLS_UNDRAWN)
        if undrawn:
            fault, side, found, wanted = of_lane(codes.WALLS_UNDRAWN, undrawn[0])
            return fault, side if len(undrawn) == 1 else codes.NO_SIDE, found, wanted
        for lane in lanes:
            if lane.fault == codes.HEAD_JAM and gives_no_sign(lane, lanes):
                lane.note_fault(codes.LANE_UNPLUGGED)
            if lane.fault:
                return of_lane(lane.fault, lane)
        return None

    def _is_full(self, lane: "Lane") -> bool:
        built = self._built[lane.side]
        is_full = built > 0 and lane.stacks + built == hardware.CARRIER_STACKS
        return lane.fault == codes.HEAD_JAM and is_full and lane.in_head == hardware.TILES_PER_STACK

    def judge(self, short: "list[Lane]", lanes: "list[Lane]", tiles: int, is_slow: bool) -> "tuple[int, int, int, int]":
        """Return fault, side, tiles found and wanted when a build of a set of `tiles` takes too long, `short` lanes
        being `lacking`; `is_slow` says that tiles come all the same."""
        if is_slow:
            return of_lane(codes.SLOW_BUILD, short[0])
        if self.finds_other_size(short, lanes):
            return codes.WRONG_SET, codes.NO_SIDE, counted(lanes), tiles
        return of_lane(*self.name(short, lanes))

    def finds_other_size(self, lanes: "list[Lane]", every: "list[Lane]") -> bool:
        """Say whether just as many tiles have come to `every` lane together as a set of another size has.

        A single lane that lacks tiles may get none because its belt stands: of 144 tiles 108 come then. So that is
        named first, and the size when people have looked there and as many lack as before.
        """
        was_looked_for = 0 < self._lacked <= sum([lane.missing() for lane in lanes])
        return counted(every) in hardware.SET_SIZES and (len(lanes) > 1 or was_looked_for)

    def name(self, lanes: "list[Lane]", every: "list[Lane]") -> "tuple[int, Lane]":
        """Return the fault to name, and the lane, of those that are `lacking`; a lane whose eye is named is blocked.

        None at all is not a few that are missing.
        """
        missing = sum([lane.missing() for lane in lanes])
        self._fruitless = self._fruitless + 1 if missing >= self._lacked > 0 else 0
        self._lacked = missing
        suspects = [lane for lane in lanes if lane.eye_doubted]
        in_turn = self._fruitless % (len(lanes) + 1)
        if in_turn and not suspects:
            suspects = [lanes[in_turn - 1]]
        if suspects:
            lane = suspects[0]
            lane.note_fault(codes.EYE_BLOCKED if lane.eye_doubted else codes.EYE_DEAD)
            return lane.fault, lane
        for lane in lanes:
            if gives_no_sign(lane, every):
                return codes.LANE_UNPLUGGED, lane
        if missing <= FEW_TILES:
            return codes.TILE_MISSING, lanes[0]
        return codes.SIDE_SHORT if len(lanes) == 1 else codes.FACE_UP_STUCK, lanes[0]
