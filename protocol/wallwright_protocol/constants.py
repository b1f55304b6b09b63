"""`NAME = const(value)`: MicroPython's compiler puts the value wherever NAME stands in the same module.

A tuple of such names and of literals is then a constant as well. In the board's image it lies in flash: it takes no
heap, and no collection goes through it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    T = TypeVar("T")


def const(value: "T") -> "T":
    """Return `value`: elsewhere than in MicroPython, a constant is a name like any other."""
    return value
