"""The work that makes a password slow to guess: the only place in which one is hashed, one at a time.

Each hash takes 64 MB and all cores for a moment, so many at once would take the machine from those who work in the
hall. The thread that does it gives way to everything else, where the system has priorities of threads. `lanes` decides
which request waits how long before this.
"""

import os
import secrets
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

NICER = 10
"""Steps by which this gives way to the rest of the program."""
NICEST = 19


def _give_way() -> None:
    # Linux has a priority for each thread, and those that argon2 starts have that of who starts them. Nobody but root
    # may make one less nice, so it counts from the program's own.
    if sys.platform == "linux":
        mine = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, mine, min(NICEST, os.getpriority(os.PRIO_PROCESS, mine) + NICER))


_ONE_AT_A_TIME = ThreadPoolExecutor(1, "passwords", _give_way)


class Passwords:
    """Hashes and checks passwords with as much work as `hasher` says."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()
        # Checked where there is no hash, so that it takes as long as with one.
        self._nobody = self.hashed(secrets.token_urlsafe(32))

    def hashed(self, password: str) -> str:
        """Return what is kept of a password."""
        return _ONE_AT_A_TIME.submit(self._hasher.hash, password).result()

    def fits(self, hashed: str, password: str) -> bool:
        """Say whether this is the password of a hash; with an empty one it is not, which takes as long."""
        try:
            return _ONE_AT_A_TIME.submit(self._hasher.verify, hashed or self._nobody, password).result()
        except (VerifyMismatchError, InvalidHashError):
            return False
