"""A board whose next write into its lasting memory can be cut."""

from tests.firmware.fake_board import FakeBoard


class Torn(Exception):
    """The power failed within a write."""


class Memory(FakeBoard):
    """Slots whose next write can be cut: `cut` bytes of it are there, then what `rest` says of the old content."""

    def __init__(self) -> None:
        super().__init__()
        self.cut: int | None = None
        self.rest = "lost"

    def save(self, slot: int, data: bytes) -> bool:
        if self.cut is None:
            return super().save(slot, data)
        old = self.slots[slot][self.cut :] if self.rest == "kept" else bytes(8) if self.rest == "erased" else b""
        self.slots[slot] = data[: self.cut] + old
        self.cut = None
        raise Torn
