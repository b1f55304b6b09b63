"""The language of a page: its texts, and seats and tables as this event and this hall call them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..naming import WINDS, begun, retold, seat_name, table_name, with_seats
from .reasons import understood
from .texts import Translate, translator


@dataclass(frozen=True, slots=True)
class TableNames:
    """The numbers of tables in the event, and their names in the hall, one by the other."""

    hall_of: Mapping[int, str] = field(default_factory=dict)
    number_of: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Voice:
    """Gives texts in a language, as a `Translate`; `seats` is how the event calls seats, `players` who is on them."""

    language: str
    seats: str = WINDS
    tables: TableNames = TableNames()
    players: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Find the language once."""
        object.__setattr__(self, "_texts", translator(self.language))
        object.__setattr__(self, "_say", with_seats(self._texts, self.seats, self.players))

    _texts: Translate = field(init=False, repr=False, compare=False)
    _say: Translate = field(init=False, repr=False, compare=False)

    def __call__(self, text: str, /, **values: Any) -> str:
        """Return a text with its values."""
        kind, _, name = ("", "", "") if "context" in values else text.partition(".")
        if kind == "table" and name.isdecimal():
            return self.table(int(name))
        if kind == "hall" and name in self.tables.number_of:
            return self.hall_table(name)
        return self._say(text, **values)

    def at(self, players: Sequence[str]) -> "Voice":
        """Return the voice for a table with these players by seat, who are named beside their seats."""
        return replace(self, players=tuple(players))

    def seat(self, seat: int | None) -> str:
        """Return what a seat of a table, or a side of it, is called."""
        return "" if seat is None else seat_name(seat, self.seats, self._texts)

    def table(self, number: int, begins: bool = False) -> str:
        """Return what a table of the event is called; `begins`: at the beginning of a line."""
        name = table_name(number, self.tables.hall_of.get(number, ""), self._texts)
        return begun(name) if begins else name

    def hall_table(self, name: str, begins: bool = False) -> str:
        """Return what a table of the hall is called; where it plays in no event, that is its name as it is."""
        number = self.tables.number_of.get(name)
        return name if number is None else self.table(number, begins)

    def retold(self, text: str) -> str:
        """Return a sentence of a journal, with its seats as people call them."""
        return retold(text, self)

    def reason(self, text: str) -> str:
        """Return what a journal or a check says in English, in this language where it has words for that."""
        found = understood(text)
        return self.retold(self(text)) if found is None else found.said(self)

    def begun(self, name: str) -> str:
        """Return a name as it stands at the beginning of a line."""
        return begun(name)
