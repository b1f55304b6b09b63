"""What a fault does to a simulated table."""

from collections.abc import Callable
from typing import NamedTuple


class Effect(NamedTuple):
    """What a fault does when it begins, and what ends it."""

    begin: Callable[[], None]
    end: Callable[[], None]
