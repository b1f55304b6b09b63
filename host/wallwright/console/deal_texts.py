"""What the page of the deals that all tables play says of each table: where its next walls are, and what to do."""

from collections.abc import Mapping

from ..refusals import what_to_do
from ..words import Words, words
from .hall.releases import InTheWay
from .tournament.deals_view import WallsOf, Where

_SAID: Mapping[Where, Words] = {
    "fault": words("Stopped by a fault"),
    "away": words("Not connected"),
    "differs": words("The walls are not those of drawn deal {due}"),
    "other": words("Has the walls of drawn deal {has}"),
    "refused": words("The board refuses drawn deal {due}"),
    "ordinary": words("Builds walls that nobody has drawn"),
    "blocked": words("Drawn deal {due} cannot be released"),
    "unasked": words("Waits for drawn deal {due}"),
    "waits": words("Waits for drawn deal {due}"),
    "released": words("Drawn deal {due} is released"),
    "building": words("Builds drawn deal {due}"),
    "matched": words("Drawn deal {due} stands, every tile in its place"),
    "by_hand": words("No board: four people build the walls by the curtain cards"),
    "done": words("No deal is to come"),
}
_TO_DO: Mapping[Where, Words] = {
    "away": words("See that the table has power and its cable, or have the walls built by the curtain cards."),
    "differs": words("Go to the table and do what its panel says: the prescribed walls are built once more."),
    "other": words(
        "Nobody plays these walls. The director's machine takes them back, and the table's panel says what to do; "
        "drawn deal {due} comes next."
    ),
    "ordinary": words(
        "Let these walls rise unplayed and push them in again for drawn deal {due}; or void the deal at this table."
    ),
    "unasked": words("On the director's machine start wallwright deals station; it releases the deals."),
}
_WHY: Mapping[InTheWay, Words] = {
    "no_sorter": words("This table cannot sort its tiles: have the walls built by the curtain cards."),
    "other_director": words(
        "The board trusts another director: run wallwright deals trust at its port, on the director's machine."
    ),
    "no_tags": words(
        "The list of this table's tags is not on the director's machine, or is another one: copy it there."
    ),
    "no_such_deal": words("The director's machine has other deals than this event: give it the file committed to."),
    "other": words("Look at the director's machine: its terminal says what is in the way."),
}


def said_of(row: WallsOf) -> Words:
    """Return where a table's next walls are."""
    return Words(_SAID[row.where].text, _values(row))


def to_do(row: WallsOf) -> Words | None:
    """Return what somebody has to do about it, None when nothing is in the way; of a fault its own words tell it."""
    if row.why is not None:
        return _WHY[row.why]
    if row.refusal is not None:
        return what_to_do(row.refusal)
    found = _TO_DO.get(row.where)
    return None if found is None else Words(found.text, _values(row))


def _values(row: WallsOf) -> tuple[tuple[str, int | str], ...]:
    return ("due", "?" if row.due is None else row.due), ("has", "?" if row.has is None else row.has)
