"""How a hand of Cumberland or Balsall is declared, as the form of `core.form`: who won, four hands, kongs, the pot."""

from wallwright.rules.classical.records import rules_of
from wallwright.rules.classical.ruleset import Balsall, Cumberland, Rules
from wallwright.rules.core.form import (
    ALWAYS,
    CONDITIONS,
    DEAL,
    HAND,
    NEVER,
    WINNER,
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
    SHOWN,
    WINDS,
    hand_parts,
    keys,
    wind_notice,
)
from wallwright.rules.core.game import Record
from wallwright.words import Words, words

_LABELS = {
    **BY_LABELS,
    "way.hu": words("Mahjong"),
    "way.false_win": words("False Mahjong"),
    "way.end": words("The hand is over"),
    "note.hu": words("Note the Mahjong"),
    "hu": words("Mahjong"),
    "false_win": words("false Mahjong, the hand is dead"),
    "end.wall": words("Nobody won"),
    "third": words("Now the other hands, as they are laid open."),
    "after_kong": words("On the replacement of a kong, which is not paid then"),
    "legend.value": words("Points of the hand"),
    "given.value": words("points agreed at the table, no tiles"),
}
_MOST_WAITING = 4


def form_of(record: Record) -> Form:
    """Return the form of a hand by the ruleset and options of its record, and by what the game has kept."""
    rules = rules_of(record)
    is_scored = isinstance(rules, Cumberland)
    labels = _LABELS if is_scored else _LABELS | {"third": words("The hand is over.")}
    return Form(
        ways=("hu", "false_win", "end") if is_scored else ("hu", "kong", "false_win", "end"),
        parts=_parts(rules),
        tiles=keys(flowers=True),
        sets=SETS,
        hand=13,
        winners=1,
        over="win",
        winners_leave=True,
        hands_at=("win",) if is_scored else (),
        own=DRAWN,
        parts_nothing=("false_win",),
        items={},
        implied=(),
        worth=(),
        by=("self_drawn", "loose", *(BY_OTHERS if rules.rob_kong else BY_OTHERS[:1])),
        ends=("wall",),
        so_far="wall",
        given={},
        beside="f",
        record=WINNER,
        dealer_key="east",
        value_key="points",
        shown_kongs=not is_scored,
        questions=_questions(rules),
        labels=labels,
        notices=tuple(_notices(rules, record)),
    )


def _parts(rules: Rules) -> dict[str, Part]:
    is_scored = isinstance(rules, Cumberland)
    tiles = when(way="hu", given="tiles")
    kong = when(way="kong")
    robs: Condition = (when(way="kong", kind="promoted"),) if rules.rob_kong else NEVER
    shown: Condition = (SHOWN,) if is_scored else NEVER
    by_chips: Condition = NEVER if is_scored else (when(way="hu", by="loose"),)
    asked: Condition = ALWAYS if _asks_wind(rules) else NEVER
    return {
        "way": part(when(editing=False), closed={"hu": (when(over=True),), "end": NEVER}),
        "end": part(when(way="end", over=False), needs="how"),
        "third": part(when(way="end", over=True, missing=is_scored)),
        "round_wind": part(*asked, needs="wind"),
        "seat": part(HU, kong, when(way="false_win"), *shown, needs="who"),
        "kind": part(kong, closed={"postponed": ALWAYS}),
        "by": part(HU),
        "from": part(when(way="hu", by=BY_OTHERS), needs="whose"),
        "robbed": part(*robs),
        "after_kong": part(*by_chips),
        **hand_parts((HU,), at_end=is_scored),
        "last_tile": part({**tiles, "by": DRAWN}),
        "last_discard": part({**tiles, "by": ("discard",)}),
        "heavenly": part({**tiles, "by": ("self_drawn",)}),
        "flowers_waiting": part({**SHOWN, "given": ("tiles",)}) if is_scored else part(),
        "dealer": part(*ALWAYS),
    }


def _questions(rules: Rules) -> dict[str, Question]:
    waiting: tuple[tuple[Value, Words], ...] = tuple(
        (number, words("{number}", number=number)) for number in range(_MOST_WAITING + 1)
    )
    questions = {
        "last_tile": _condition(words("On the last tile of the wall"), "last_tile"),
        "last_discard": _condition(words("On the discard after the last tile"), "last_discard"),
        "heavenly": _condition(words("East's win with the dealt hand"), "heavenly"),
    }
    if isinstance(rules, Cumberland):
        label = words("Flowers not replaced yet, because the first turn never came")
        questions["flowers_waiting"] = Question(label=label, to=HAND, key="flowers_waiting", choices=waiting, first=0)
    if _asks_wind(rules):
        questions["round_wind"] = Question(
            label=words("Wind of the round, as it was thrown"), to=DEAL, key="round_wind", choices=WINDS
        )
    return questions


def _asks_wind(rules: Rules) -> bool:
    """The wind is thrown, before every hand or before a round (CUM-2.2)."""
    return isinstance(rules, Cumberland) and rules.wind_of_round != "fixed"


def _notices(rules: Rules, record: Record) -> list[Words]:
    if _asks_wind(rules):
        return []
    told = [wind_notice(record)]
    if isinstance(rules, Balsall) and record.get("goulash"):
        told.append(words("This hand is a goulash: the winner needs 5 points and takes the pot (BAL-8)."))
    return told


def _condition(label: Words, key: str) -> Question:
    return Question(label=label, to=CONDITIONS, key=key)
