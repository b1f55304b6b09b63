"""A line that loses, damages, doubles and delays frames, as chance has it."""

import random
from collections import Counter, deque

from wallwright_protocol import link

LOST = 0.05
DAMAGED = 0.01
DOUBLED = 0.01
LATE = 0.01
LATE_FRAMES = 50


class BadLine:
    """What a frame becomes on its way."""

    def __init__(self, rng: random.Random) -> None:
        self.frames = 0
        self.fates: Counter[str] = Counter()
        self._rng = rng
        self._passed: deque[bytes] = deque(maxlen=LATE_FRAMES)

    def carry(self, frame: bytes) -> list[bytes]:
        self.frames += 1
        fate = self._rng.random()
        for name, share in (("lost", LOST), ("damaged", DAMAGED), ("doubled", DOUBLED), ("late", LATE)):
            fate -= share
            if fate < 0:
                self.fates[name] += 1
                return list(getattr(self, f"_{name}")(frame))
        if frame[1] != link.HELLO:  # of an earlier session; no wire holds one back for that long
            self._passed.append(frame)
        return [frame]

    def _lost(self, _: bytes) -> list[bytes]:
        return []

    def _damaged(self, frame: bytes) -> list[bytes]:
        at = self._rng.randrange(len(frame))
        instead = self._rng.choice([bytes([frame[at] ^ 1 << self._rng.randrange(8)]), b"", frame[at : at + 1] * 2])
        return [frame[:at] + instead + frame[at + 1 :]]

    def _doubled(self, frame: bytes) -> list[bytes]:
        return [frame, frame]

    def _late(self, frame: bytes) -> list[bytes]:
        return [frame, self._rng.choice(self._passed)] if self._passed else [frame]
