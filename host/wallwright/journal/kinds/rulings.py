"""Records of what is decided about people at the desk of an event: penalties and appeals."""

from typing import Annotated

from .desk import DESK, OfDesk
from .record import kind
from .texts import Sentences, Word
from .values import EntryNumber, PlayerNumber, Reason, Session


@kind("penalty_given", by=DESK)
class PenaltyGiven(OfDesk):
    """A referee gives a penalty."""

    session: Annotated[int | None, "session, from 1; null: for the event as a whole"]
    player: PlayerNumber
    name: Annotated[Word, "of the catalogue (SBR-11.8)"]
    amount: Annotated[Word, "points or table points, a fraction such as 1/2"]
    reason: Reason


@kind("penalty_withdrawn", by=DESK)
class PenaltyWithdrawn(OfDesk):
    """A penalty is taken back."""

    penalty: Annotated[EntryNumber, "the entry of the penalty"]
    reason: Reason


@kind("appeal_filed", by=DESK)
class AppealFiled(OfDesk):
    """A player appeals."""

    session: Session
    table: Annotated[int | None, "table of the event, from 1; null: about the session"]
    deal: Annotated[int | None, "deal of the table, from 1; null: about the table"]
    player: PlayerNumber
    text: Annotated[Sentences, "what about"]


@kind("appeal_decided", by=DESK)
class AppealDecided(OfDesk):
    """An appeal is upheld or dismissed."""

    appeal: Annotated[EntryNumber, "the entry of the appeal"]
    upheld: bool
    ruling: Annotated[Sentences, "the words of the ruling"]
