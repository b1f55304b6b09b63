"""Who does something at the console, and the entry of a hall's journal that says so."""

from dataclasses import dataclass
from typing import TypedDict

from ...journal.kinds.house import ConsoleAct

ACT = ConsoleAct.KIND
"""The kind of that entry."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who does something."""

    name: str
    role: str


class Who(TypedDict):
    """The fields of that entry that say who it was."""

    person: str
    role: str


def who(person: Person) -> Who:
    """Return somebody as that entry has them."""
    return {"person": person.name, "role": person.role}
