"""How people read seats and tables: named here and nowhere else, in every language, on pages, on paper, on a terminal.

Programs count seats from 0 to 3, counter-clockwise, and so do boards with their sides. People read East, South, West
and North, or 1 to 4, as the format of their event says. A table of an event has its number there and its name in the
hall: both are said wherever both are known.
"""

from typing import Final, NamedTuple

from .words import Retold, Say, english

WINDS: Final = "winds"
NUMBERS: Final = "numbers"
SEATS: Final = (WINDS, NUMBERS)
"""What the seats of an event may be called by."""
WIND_NAMES: Final = ("East", "South", "West", "North")


def seat_name(seat: int, seats: str = WINDS, say: Say = english) -> str:
    """Return what people call the seat 0..3: "East", or "seat 1"."""
    return say(WIND_NAMES[seat]) if seats == WINDS else say("seat {number}", number=seat + 1)


def table_name(number: int | None, hall: str, say: Say = english) -> str:
    """Return what people call a table: "table 7 · B1", "table 7" if it has no name in the hall, "B1" if no number."""
    if number is None:
        return hall
    if hall in ("", str(number)):
        return say("table {number}", number=number)
    return say("table {number} · {hall}", number=number, hall=hall)


def begun(name: str) -> str:
    """Return a name as it stands at the beginning of a line: "Table 7"."""
    return name[:1].upper() + name[1:]


def retold(text: str, say: Say) -> str:
    """Return a sentence that was written for programs, as a journal has it, with its seats as people call them."""
    return Retold(text).said(say)


def with_seats(say: Say, seats: str, players: tuple[str, ...] = ()) -> Say:
    """Return a language that calls seats as an event does, with the players that are on them where they are given."""

    def said(text: str, /, **values: object) -> str:
        kind, _, seat = ("", "", "") if "context" in values else text.partition(".")
        if kind not in ("seat", "Seat") or seat not in ("0", "1", "2", "3"):
            return say(text, **values)
        name = seat_name(int(seat), seats, say)
        name = begun(name) if kind == "Seat" else name
        return say("{seat} ({player})", seat=name, player=players[int(seat)]) if players else name

    return said


class EventTable(NamedTuple):
    """A table of the event in a sentence, by its number: "table 7" for programs, see `table_name` for people."""

    number: int

    def said(self, say: Say) -> str:
        """Return it in a language, which has the whole name under "table.7" if it knows that."""
        key = f"table.{self.number}"
        found = say(key)
        return say("table {number}", number=self.number) if found == key else found


class HallTable(NamedTuple):
    """A table of the hall in a sentence, by its name: "table B1" for programs, see `table_name` for people."""

    name: str

    def said(self, say: Say) -> str:
        """Return it in a language, which has the whole name under "hall.B1" if it plays in an event."""
        key = f"hall.{self.name}"
        found = say(key)
        return say("table {name}", name=self.name) if found == key else found
