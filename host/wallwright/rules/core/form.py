"""The form on which a deal is declared, as data: what can be noted next, what belongs to it, and what a hand comes to.

The console's script draws it and knows no game. It holds the facts of the draft against the conditions of the form. A
condition is a list of alternatives; each says for some facts which values they may have. These are the facts:

- every field of the draft by its name: `way` is hu, kong, end or another kind of event; `kind`, `by`, `given`, `void`,
  `found`, `sea` and so on, and every question of the form. `by` and `after_kong` are those of the Hu whose tile is
  shared, where `same` is true;
- `editing`: an item that was noted is changed. `shares`: the last event is a Hu on a tile that others may win by too;
- `end`: how the deal was said to end, "" for not yet. `over`: it has ended by its winners, of whom there are so many;
- `shown`: somebody's hand is still to be shown, or is changed. `missing`: the deal needs hands before it is whole;
- `last`: kind of the event before this one, "" for none; `last_own` and `last_turn`: it is that of the player, and of
  whoever has the turn; `last_lost`: it is a kong that was robbed, and not on the replacement of another one;
- `has_KIND`: the player has declared such a kong, and was not robbed of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from wallwright.words import Words

Value = str | int | bool
Condition = Sequence[Mapping[str, Sequence[Value]]]
ALWAYS: Condition = ({},)
NEVER: Condition = ()
EVENTS, WINNER = "events", "winner"


def when(**facts: Value | tuple[Value, ...]) -> dict[str, tuple[Value, ...]]:
    """Return an alternative: each fact has the value, or one of the values."""
    return {name: value if isinstance(value, tuple) else (value,) for name, value in facts.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the form; `closed` says when which of its choices cannot be meant.

    What is there must be filled in where `needs` says so: the name of the sentence that asks for it.
    """

    shown: Condition
    closed: Mapping[str, Condition]
    needs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What only the hand itself tells, with its fans: what no hand has together with it, and what every hand with it
    has as well. An item may be there `most` times.
    """

    fans: int
    apart: Sequence[str]
    brings: Sequence[str]
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Implied:
    """An item that follows from what is noted besides the hand: from facts, or once from every kong of the player that
    was not robbed. It is worth so many fans.
    """

    item: str
    fans: int
    applies: Condition
    per_kong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SetShape:
    """A set that a hand may have laid down: a run of so many tiles from the one that is tapped, so many alike.

    `kind` and `type` are those of a record; a set that has no type of its own has "". It begins with a tile of one of
    the `letters`.
    """

    kind: str
    type: str
    alike: int
    run: int
    letters: str = "mps"


DEAL, EVENT, CONDITIONS, HAND = "deal", "event", "conditions", "hand"
"""Where an answer goes: into the record of the deal, the event, the conditions of a hand, or the hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question that not every game asks; it belongs to what is noted as a part of its name says.

    One of the `choices`, each with what it is called, or a tick where there are none. The answer goes `to` one of DEAL,
    EVENT, CONDITIONS and HAND, under the name `key`. The `first` answer is there before anybody has chosen.
    """

    label: Words
    to: str
    key: str
    choices: Sequence[tuple[Value, Words]] = ()
    first: Value = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """The form of a game. `ways` are what can be noted: kinds of events, and the end. `tiles` are the rows of keys:
    every kind of tile, and how many there are of it.

    So many `winners` end a deal, as `over` calls that; a game whose winners leave lets the others play on. `hands_at`
    are the ends at which everybody who is in the deal shows a hand. A hand has `hand` tiles, a winner's one more.
    `own` is how one wins by an own tile. Kinds of events in `parts_nothing` leave what was before them the last event.
    `worth` has the points of a hand by its items' sum, the last of them for every greater one; without any, points are
    typed in.

    `by` are the ways in which a winning tile comes, `ends` those to end a deal without a winner, `enders` events that
    end it, each with its end. As long as the end is not known, the deal is settled as if it were `so_far`. `many`:
    several may win by one tile, though it ends the deal. `given` says by which kind of event a hand is first given how,
    where that is not by its tiles. Kinds with the letter `beside` lie beside the hand.

    `record` is how events become a record: EVENTS in their order, WINNER has the winner and four hands by seat. In it
    the dealer is called `dealer_key`, and the worth of a hand `value_key`. `shown_kongs`: a kong that a hand shows is
    noted with it, unless it was before. `labels` are what the page calls ways, ends and so on where it has no words of
    its own for them, such as `way.hu`; `notices` is what is said before anything else.
    """

    ways: Sequence[str]
    parts: Mapping[str, Part]
    tiles: Sequence[Sequence[tuple[str, int]]]
    sets: Mapping[str, SetShape]
    hand: int
    winners: int
    over: str
    winners_leave: bool
    hands_at: Sequence[str]
    own: Sequence[str]
    parts_nothing: Sequence[str]
    items: Mapping[str, Item]
    implied: Sequence[Implied]
    worth: Sequence[int]
    by: Sequence[str]
    ends: Sequence[str]
    so_far: str
    given: Mapping[str, str]
    enders: Mapping[str, str] = field(default_factory=dict)
    many: bool = False
    beside: str = ""
    record: str = EVENTS
    dealer_key: str = "dealer"
    value_key: str = "value"
    shown_kongs: bool = False
    questions: Mapping[str, Question] = field(default_factory=dict)
    labels: Mapping[str, Words] = field(default_factory=dict)
    notices: Sequence[Words] = ()


def part(*shown: Mapping[str, Sequence[Value]], closed: Mapping[str, Condition] | None = None, needs: str = "") -> Part:
    """Return a part that is shown by any of these alternatives."""
    return Part(shown=shown, closed=closed or {}, needs=needs)
