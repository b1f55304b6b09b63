"""Values that many records have: what they are called, and their units."""

from typing import Annotated

from msgspec import field

from .fields import Part
from .texts import Label, Sentences, Word

Seat = Annotated[int, "seat 0 to 3, counter-clockwise"]
Dealer = Annotated[int, "seat of the dealer, 0 to 3"]
NextDealer = Annotated[int, "seat of who deals next, 0 to 3"]
Side = Annotated[int, "side of the table, 0 to 3"]
Points = Annotated[tuple[int, int, int, int], "points of seats 0 to 3"]
Dice = Annotated[tuple[int, ...], "the dice that were thrown, one to three, 1 to 6 each"]
Plan = Annotated[tuple[int, int, int, int], "stacks of sides 0 to 3"]
BoardDeal = Annotated[int, "the deal, by the count of walls that the board has raised"]
SessionDeal = Annotated[int, "the deal of the table in the session, from 1"]
Session = Annotated[int, "session, from 1"]
EventTable = Annotated[int, "table of the event, from 1"]
PlayerId = Annotated[Label, "number of a federation, or the key that a hall has issued"]
PrivateName = Annotated[bool, "whether the name is withheld from what leaves the hall"]
PlayerNumber = Annotated[int, "number of a player"]
EntryNumber = Annotated[int, "number of an entry of this journal"]
Reason = Annotated[Sentences, "why, in somebody's words"]
BootId = Annotated[int, "the run of the board, 32 bits"]
Hex32 = Annotated[Word, "32 bytes in hexadecimal"]


class Payment(Part):
    """Points that one player gives another."""

    from_: Seat = field(name="from")
    to: Seat
    points: Annotated[int, "points, more than 0"]
    clause: Annotated[Word, "of the rules, SBR-6.2 for example"]
    why: Annotated[Sentences, "in English"]


class Fine(Part):
    """Points that a player loses and nobody receives."""

    seat: Seat
    points: Annotated[int, "points, more than 0"]
    why: Annotated[Sentences, "in English"]
    clause: Annotated[Word | None, "of the rules; a ruling has none"] = None
