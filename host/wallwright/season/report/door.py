"""The door of a season's server: requests of admitted halls are let in, each once, and not too many.

A challenge is given to whoever asks, and is the same for everybody: two are good at any time, for PERIOD_S to twice as
long. Nonces are remembered for as long as their challenge is good, so that a request that somebody has recorded opens
nothing. What strangers ask costs no memory: their key is looked up before their signature and their body.
"""

import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from ...journal import printed_key
from ..errors import NotAdmitted, OldChallenge, TooMuch
from .signing import Asked, is_signed

PERIOD_S = 300.0
MOST = 4096
"""Requests of a hall for one challenge; an extract of the longest kind takes a sixteenth of that."""
AT_ONCE = 4
"""Requests of a hall that are worked at together."""


class Door:
    """The door of the season whose public key is `season`; `now_s` is a clock that never goes back."""

    def __init__(self, season: bytes, now_s: Callable[[], float]) -> None:
        self._season = season
        self._now_s = now_s
        self._lock = threading.Lock()
        self._used: dict[bytes, dict[bytes, set[bytes]]] = {}
        self._since_s = 0.0
        self._busy: Counter[bytes] = Counter()

    def challenge(self) -> bytes:
        """Return what the next requests are to sign."""
        with self._lock:
            return self._newest()

    def check(self, asked: Asked, signature: bytes, halls: Mapping[str, str]) -> str:
        """Let a request in; return the hall's key in its printed form.

        Raises NotAdmitted, OldChallenge for one that is to be signed anew, TooMuch.
        """
        printed = printed_key(asked.key)
        if printed not in halls:
            problem = f"{printed} is the key of no hall of this season"
            raise NotAdmitted(f"{problem}; have the organiser admit it with `wallwright season hall`")
        if not is_signed(asked, self._season, signature):
            raise NotAdmitted("the request was not signed by the key that it names; nothing is done")
        with self._lock:
            newest = self._newest()
            halls_used = self._used.get(asked.challenge)
            if halls_used is None:
                raise OldChallenge(newest)
            used = halls_used.setdefault(asked.key, set())
            if asked.nonce in used:
                raise NotAdmitted("this request was made before; nothing is done a second time")
            if len(used) >= MOST:
                raise TooMuch(f"{halls[printed]} asks too often; go on in {round(PERIOD_S / 60)} minutes")
            used.add(asked.nonce)
        return printed

    @contextmanager
    def inside(self, key: bytes) -> Iterator[None]:
        """Have a place for one request of a hall. TooMuch when it has all its places."""
        with self._lock:
            if self._busy[key] >= AT_ONCE:
                raise TooMuch("this hall's other requests are being worked at; go on in a moment")
            self._busy[key] += 1
        try:
            yield
        finally:
            with self._lock:
                self._busy[key] -= 1

    def _newest(self) -> bytes:
        now_s = self._now_s()
        if not self._used or now_s - self._since_s >= PERIOD_S:
            # After a long silence the one before is too old as well.
            kept = [*self._used][-1:] if now_s - self._since_s < 2 * PERIOD_S else []
            self._used = {one: self._used[one] for one in kept} | {secrets.token_bytes(32): {}}
            self._since_s = now_s
        return [*self._used][-1]
