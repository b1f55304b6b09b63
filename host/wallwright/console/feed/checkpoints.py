"""Checkpoints, sent along with what a page shows anyway."""

from collections.abc import Callable
from typing import Any

from ...journal.witness import Signed
from ..hall.desk import Happening
from ..hall.model import HallView
from .feed import Channel, json_message


class WitnessChannel:
    """What `inner` sends, and `newest()` as "checkpoint" whenever there is another one.

    With it goes the proof that it extends the one before, so that pages that have seen that one need not ask for it.
    """

    def __init__(self, inner: Channel, newest: Callable[[], Signed | None]) -> None:
        self._inner = inner
        self._newest = newest
        self._before: Signed | None = None

    def whole(self, view: HallView) -> bytes:
        """See Channel.whole."""
        newest = self._newest()
        return self._inner.whole(view) + (b"" if newest is None else _message(newest))

    def changes(self, view: HallView, happenings: tuple[Happening, ...]) -> bytes:
        """See Channel.changes."""
        data = self._inner.changes(view, happenings)
        before, self._before = self._before, self._newest()
        if self._before is None or before is self._before:
            return data
        return data + _message(self._before)


def _message(signed: Signed) -> bytes:
    return json_message("checkpoint", signed_record(signed))


def signed_record(signed: Signed) -> dict[str, Any]:
    """Return a checkpoint as pages and programs get it: hashes in hexadecimal, `before` 0 without a proof."""
    found = signed.checkpoint
    proof = [node.hex() for node in signed.proof]
    return {
        "checkpoint": str(found),
        "size": found.entry,
        "root": found.hash.hex(),
        "at_ms": signed.at_ms,
        "before": signed.before,
        "proof": proof,
    }
