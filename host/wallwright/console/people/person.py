"""Who does something at the console, and the entry of a hall's journal that says so."""

from dataclasses import dataclass

ACT = "console_act"
"""The kind of that entry."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who does something."""

    name: str
    role: str
