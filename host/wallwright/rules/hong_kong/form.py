"""How a deal of Hong Kong is declared, as the form of `core.form`: a win, called pieces, or another end."""

from wallwright.rules.core.form import (
    ALWAYS,
    CONDITIONS,
    EVENT,
    NEVER,
    Condition,
    Form,
    Part,
    Question,
    Value,
    part,
    when,
)
from wallwright.rules.core.form_parts import (
    BY_LABELS,
    BY_OTHERS,
    DRAWN,
    HU,
    SETS,
    hand_parts,
    keys,
    wind_notice,
)
from wallwright.rules.core.game import Record
from wallwright.rules.hong_kong.records import ruleset_of
from wallwright.rules.hong_kong.ruleset import POINTS, Ruleset
from wallwright.words import Words, words

_EVENTS = ("nine_pieces", "twelve_pieces", "false_win")
_FACES = {"shown": words("a concealed kong that was shown"), "hidden": words("a concealed kong that was hidden")}
_LABELS = {
    **BY_LABELS,
    "way.hu": words("Win"),
    "way.nine_pieces": words("Nine pieces called"),
    "way.twelve_pieces": words("Twelve pieces laid down"),
    "way.false_win": words("False win or another grave mistake"),
    "way.end": words("The deal is over"),
    "note.hu": words("Note the win"),
    "hu": words("win"),
    "nine_pieces": words("nine pieces called"),
    "twelve_pieces": words("twelve pieces"),
    "false_win": words("mistake"),
    "same": words("Another win on the same tile"),
    "third": words("The deal is over."),
    "legend.value": words("Base of the hand: what a loser pays who did not discard"),
    "given.value": words("base agreed at the table, no tiles"),
}


def form_of(record: Record) -> Form:
    """Return the form of a deal by the ruleset and options of its record."""
    ruleset = ruleset_of(record)
    steps = POINTS[ruleset.points_table]
    return Form(
        ways=("hu", *_EVENTS, "end"),
        parts=_parts(ruleset),
        tiles=keys(flowers=ruleset.flowers),
        sets=SETS,
        hand=13,
        winners=1,
        over="win",
        winners_leave=True,
        hands_at=(),
        own=DRAWN,
        parts_nothing=_EVENTS,
        items={},
        implied=(),
        worth=tuple(ruleset.base(faan) for faan in range(len(steps))),
        by=("self_drawn", "loose", *BY_OTHERS),
        ends=("wall", "time_up") if ruleset.time_up == "stop" else ("wall",),
        so_far="wall",
        given={},
        enders={"false_win": "false_win"},
        many=ruleset.multi_win == "all",
        beside="f" if ruleset.flowers else "",
        value_key="points",
        questions=_questions(ruleset),
        labels=_LABELS,
        notices=(wind_notice(record),),
    )


def _parts(ruleset: Ruleset) -> dict[str, Part]:
    over = when(over=True, shares=False)
    own_tile = when(way="hu", same=False)
    fed, drawn = when(way="hu", given="tiles", by="discard"), when(way="hu", given="tiles", by=DRAWN)
    on_loose = when(way="hu", given="tiles", by="loose")
    mistake = when(way="false_win")
    on_discard: Condition = (fed,) if ruleset.last_discard else NEVER
    return {
        "way": part(when(editing=False), closed=dict.fromkeys(("hu", *_EVENTS), (over,))),
        "same": part(when(way="hu", shares=True)),
        "end": part(when(way="end", over=False), needs="how"),
        "third": part(when(way="end", over=True)),
        "seat": part(HU, *(when(way=way) for way in _EVENTS), needs="who"),
        "by": part(own_tile),
        "from": part(when(way="twelve_pieces"), when(way="hu", same=False, by=BY_OTHERS), needs="whose"),
        **hand_parts((HU,), at_end=False),
        "kong": part(when(way="hu", same=False, by="robbed_kong")),
        "what": part(mistake),
        "kong_replaced": part(on_loose),
        "kong_on_kong": part(on_loose),
        "last_tile": part(drawn),
        "last_discard": part(*on_discard),
        "heavenly": part(when(way="hu", given="tiles", by="self_drawn")),
        "earthly": part(fed),
        "dealer": part(*ALWAYS),
    }


def _questions(ruleset: Ruleset) -> dict[str, Question]:
    faces = ("shown", "hidden") if ruleset.concealed_kong == "choice" else (ruleset.concealed_kong,)
    robbed: list[tuple[Value, Words]] = [("promoted", words("a pung with its fourth tile"))]
    robbed += [(face, _FACES[face]) for face in faces]
    mistakes: list[tuple[Value, Words]] = [
        ("win", words("a false win")),
        ("set", words("a wrong set found late")),
        ("count", words("a long or short hand")),
    ]
    return {
        "kong": Question(label=words("Which kong was robbed?"), to=EVENT, key="kong", choices=robbed, first="promoted"),
        "what": Question(label=words("Which mistake?"), to=EVENT, key="what", choices=mistakes, first="win"),
        "kong_replaced": _condition(words("On the replacement of a kong"), "after_kong"),
        "kong_on_kong": _condition(words("On the replacement of a second kong in a row"), "kong_on_kong"),
        "last_tile": _condition(words("On the last tile of the wall"), "last_tile"),
        "last_discard": _condition(words("On the discard after the last tile"), "last_discard"),
        "heavenly": _condition(words("Dealer's win with the dealt hand"), "heavenly"),
        "earthly": _condition(words("On the dealer's very first discard"), "earthly"),
    }


def _condition(label: Words, key: str) -> Question:
    return Question(label=label, to=CONDITIONS, key=key)
