"""A build on a board with nothing behind it: its lanes are played by hand."""

from tests.firmware.fake_board import FakeBoard
from wallwright_firmware.build import Build
from wallwright_firmware.drivers.lane import Lane
from wallwright_firmware.safety import Outputs
from wallwright_firmware.settings import defaults
from wallwright_protocol.hardware import COUNT_EYE, DISC, HEAD, HEAD_HOME, RING, drive_bit, input_number

DARK_MS = 80
"""A tile of the set in the counting eye."""
STROKE_MS = 500
"""A turn of a stacking head."""
TURN_MS = 1_500
"""Disc and ring show their vanes this often here."""


class Hands:
    """A build whose tiles come by hand. `told` is what it has told its owner."""

    def __init__(self, tiles: int = 108) -> None:
        self.board = FakeBoard()
        self.now_ms = 1_000
        self.vane_ms = self.now_ms + TURN_MS
        self.told: list[tuple[object, ...]] = []
        settings = defaults()
        self.outputs = Outputs(
            self.board, self.board.levels, lambda fault, side: self.told.append(("trip", fault)), settings
        )
        self.build = Build(tiles, self.outputs, self.board.levels, settings)
        self.build.owner = self

    # What the build tells its owner.

    def side_done(self, now_ms: int, side: int, stacks: int, after_ms: int) -> None:
        self.told.append(("side", side, stacks, after_ms))

    def built(self, now_ms: int, duration_ms: int) -> None:
        self.told.append(("finished", duration_ms))

    def ended(self, how: str) -> None:
        self.build.break_off(self.now_ms)
        self.told.append((how,))

    def checked(self) -> None:
        self.told.append(("checked",))

    def notice(self, fault: int, side: int, tries: int) -> None:
        self.told.append(("notice", fault, side, tries))

    def fail(self, fault: int, side: int, found: int, wanted: int) -> None:
        """As the cycle does: everything off, the build at rest."""
        self.outputs.all_off()
        self.build.stop(self.now_ms)
        self.told.append(("failed", fault, side, found, wanted))

    def start(self, plan: tuple[int, ...]) -> None:
        self.build.start(self.now_ms, plan)
        self.wait(0)

    def wait(self, ms: int) -> None:
        """Let time go by, with all that is due on the way, and the vanes of a drum that turns."""
        until = self.now_ms + ms
        devices: list[Lane | Build] = [*self.build.lanes, self.build]
        while (due := min(self.vane_ms, *(device.due for device in devices))) <= until:
            self.now_ms = max(self.now_ms, due)
            for device in devices:
                if device.due <= self.now_ms:
                    device.poll(self.now_ms)
            if self.vane_ms <= self.now_ms:
                self.vane_ms += TURN_MS
                for rotor, drive in enumerate((DISC, RING)):
                    if self.outputs.mask & drive:
                        self.build.vane(rotor, self.now_ms)
        self.now_ms = until

    def tile(self, side: int) -> None:
        """A tile goes into the head; a stroke that it starts goes round."""
        self.pass_eye(side, DARK_MS)
        if self.outputs.mask & drive_bit(side, HEAD):
            self.stroke(side)

    def pass_eye(self, side: int, dark_ms: int) -> None:
        """Something darkens the counting eye for so long, and is through."""
        for level, ms in ((1, dark_ms), (0, 0)):
            self.eye(side, level)
            self.wait(ms)

    def eye(self, side: int, level: int) -> None:
        """The counting eye gets dark, or light again."""
        self.board.levels[input_number(side, COUNT_EYE)] = level
        self.build.lanes[side].count_eye(level, self.now_ms, self.now_ms)

    def stroke(self, side: int) -> None:
        """A head leaves home, pushes, comes home."""
        lane = self.build.lanes[side]
        home = input_number(side, HEAD_HOME)
        for level, pushed in ((0, None), (None, 1), (None, 0), (1, None)):
            self.wait(STROKE_MS // 4)
            if level is not None:
                self.board.levels[home] = level
                lane.head_home(level, self.now_ms, self.now_ms)
            if pushed is not None:
                lane.head_pushed(pushed, self.now_ms, self.now_ms)

    def fill(self, side: int, tiles: int) -> None:
        for _ in range(tiles):
            self.tile(side)

    def ends(self) -> list[tuple[object, ...]]:
        return [what for what in self.told if what[0] in ("finished", "failed", "paused")]
