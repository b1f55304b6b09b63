"""Groups of four over several sessions in which nobody meets anybody twice, where algebra knows how.

Four columns of q players. In session s, table t seats player t + d of each column, d being that column's entry in
column s of a difference matrix: when the differences of any two rows are all different, no two players meet twice.
Such a matrix comes from finite fields where q is a product of prime powers above 3, and from a short search over the
numbers modulo q elsewhere. Players of one column never meet so; columns that are divisible by four are then seated
among themselves, in the same way.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

Groups = tuple[tuple[int, ...], ...]
"""The tables of one session, four players each, numbered from 0."""

_TESTS = 200_000
"""Columns that the search for a difference matrix tries: a fraction of a second."""


def design_sessions(players: int, wanted: int) -> list[Groups]:
    """Return sessions of `players`, a multiple of 4, in which no pair meets twice: `wanted` of them, or fewer."""
    q = players // 4
    sessions = list(_column_sessions(q, wanted))
    if q % 4 == 0 and len(sessions) < wanted:
        inside = design_sessions(q, wanted - len(sessions))
        sessions += [
            tuple(tuple(c * q + one for one in group) for c in range(4) for group in inner) for inner in inside
        ]
    any_tables = tuple(tuple(range(at, at + 4)) for at in range(0, players, 4))
    return sessions or [any_tables][:wanted]


def _column_sessions(q: int, wanted: int) -> Iterator[Groups]:
    if q < 4:
        return
    parts = _field_sizes(q)
    if parts is not None:
        fields = [_field(size) for size in parts]
        elements = list(product(*(range(size) for size in parts)))
        at = {element: index for index, element in enumerate(elements)}
        for s in elements[:wanted]:
            yield tuple(
                tuple(
                    c * q + at[tuple(add[t_][times[s_][c]] for (add, times), t_, s_ in zip(fields, t, s, strict=True))]
                    for c in range(4)
                )
                for t in elements
            )
    else:
        for column in _searched_columns(q, wanted):
            yield tuple(tuple(c * q + (t + column[c]) % q for c in range(4)) for t in range(q))


def _field_sizes(q: int) -> tuple[int, ...] | None:
    """Split q into its prime powers, or None when one of them is below 4 and has no four different elements."""
    sizes = []
    rest, prime = q, 2
    while rest > 1:
        power = 1
        while rest % prime == 0:
            rest //= prime
            power *= prime
        if power > 1:
            sizes.append(power)
        prime += 1
    return tuple(sizes) if sizes and min(sizes) >= 4 else None


@cache
def _field(size: int) -> tuple[Sequence[Sequence[int]], Sequence[Sequence[int]]]:
    """The field with `size` elements, a power of a prime: its tables of addition and multiplication.

    An element is the number whose digits to the base p are the coefficients of its polynomial.
    """
    p = next(number for number in range(2, size + 1) if size % number == 0)
    degree = next(k for k in range(1, 64) if p**k == size)
    digits = [tuple(number // p**k % p for k in range(degree)) for number in range(size)]
    value = {digit: number for number, digit in enumerate(digits)}
    add = [[value[tuple((a + b) % p for a, b in zip(x, y, strict=True))] for y in digits] for x in digits]
    for low in digits:
        times = [[value[_product(x, y, low, p)] for y in digits] for x in digits]
        if all(0 not in row[1:] for row in times[1:]):
            return add, times
    raise AssertionError(f"there is a field with {size} elements")


def _product(x: Sequence[int], y: Sequence[int], low: Sequence[int], p: int) -> tuple[int, ...]:
    """Multiply polynomials modulo x^degree + low, coefficients modulo p."""
    degree = len(x)
    long = [0] * (2 * degree - 1)
    for i, a in enumerate(x):
        for j, b in enumerate(y):
            long[i + j] = (long[i + j] + a * b) % p
    for at in range(2 * degree - 2, degree - 1, -1):
        for k in range(degree):
            long[at - degree + k] = (long[at - degree + k] - long[at] * low[k]) % p
    return tuple(long[:degree])


@cache
def _searched_columns(q: int, wanted: int) -> tuple[tuple[int, int, int, int], ...]:
    """Columns (0, a, b, c) modulo q, differences of rows all different: as many as a short search finds."""
    search = _ColumnSearch(q, min(wanted, q))
    search.extend(0)
    return tuple(search.best)


class _ColumnSearch:
    """Depth first; a column's second entry is larger than that of the column before it."""

    def __init__(self, q: int, wanted: int) -> None:
        self.best: list[tuple[int, int, int, int]] = []
        self._q = q
        self._wanted = wanted
        self._chosen: list[tuple[int, int, int, int]] = []
        # By pair of rows: which differences are taken.
        self._taken = {(i, j): [False] * q for i in range(4) for j in range(i + 1, 4)}
        self._tests = _TESTS

    def extend(self, first: int) -> bool:
        """Add columns whose second entry is `first` or more; True when enough are found, or enough was tried."""
        if len(self._chosen) > len(self.best):
            self.best = list(self._chosen)
        if len(self.best) == self._wanted:
            return True
        free = self._free
        for a in free(1, first):
            for b in free(2):
                if self._taken[1, 2][(b - a) % self._q]:
                    continue
                for c in free(3):
                    self._tests -= 1
                    if self._tests < 0:
                        return True
                    if self._taken[1, 3][(c - a) % self._q] or self._taken[2, 3][(c - b) % self._q]:
                        continue
                    self._mark((0, a, b, c), True)
                    if self.extend(a + 1):
                        return True
                    self._mark(self._chosen[-1], False)
        return False

    def _free(self, row: int, first: int = 0) -> list[int]:
        taken = self._taken[0, row]
        return [one for one in range(first, self._q) if not taken[one]]

    def _mark(self, column: tuple[int, int, int, int], is_taken: bool) -> None:
        for (i, j), taken in self._taken.items():
            taken[(column[j] - column[i]) % self._q] = is_taken
        if is_taken:
            self._chosen.append(column)
        else:
            self._chosen.pop()
