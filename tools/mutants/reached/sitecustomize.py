"""Stands in every Python that a run of the probed tests starts: writes which probe was reached in which test.

`_reached(NUMBER)` appends `NUMBER TAB test` to $WALLWRIGHT_REACHED once a process; the test is as pytest names it, and
empty while none runs.
"""

import builtins
import os

_FILE = os.environ.get("WALLWRIGHT_REACHED", os.devnull)
_SEEN = set[tuple[int, str]]()


def _reached(number: int) -> None:
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if (number, test) not in _SEEN:
        _SEEN.add((number, test))
        with open(_FILE, "a", encoding="utf-8") as file:  # noqa: PTH123  (tests replace pathlib's)
            file.write(f"{number}\t{test}\n")


builtins._reached = _reached  # type: ignore[attr-defined]
