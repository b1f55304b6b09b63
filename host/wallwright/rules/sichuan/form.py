"""How a deal of Sichuan mahjong is declared, as the form of `core.form`: its ways, its hands, its items."""

from collections.abc import Mapping, Sequence

from wallwright.rules.core.form import ALWAYS, NEVER, Condition, Form, Implied, Item, Part, SetShape, Value, part, when
from wallwright.rules.sichuan.fans import APART, HAND_ITEMS
from wallwright.rules.sichuan.ruleset import NO_SUIT, Ruleset

_RANKS = range(1, 10)
_TYPES = ("concealed", "melded", "promoted", "postponed")
_ADDED = ("promoted", "postponed")
_DRAWN = ("concealed", "promoted", "postponed")
_LATER = ("discard", "robbed_kong")
"""How one wins by a tile of somebody else."""
_TAPPED = ("tiles", "sets")
"""The ways to give a hand in which tiles are tapped."""
_MOST_ROOTS = 3
_BRINGS = {"golden_wait": ("all_pungs",)}
_MOST_FANS = 10

Alternative = Mapping[str, Sequence[Value]]


def form_of(ruleset: Ruleset) -> Form:
    """Return the form of a ruleset."""
    return Form(
        ways=(*_ways(ruleset), "end"),
        parts=_parts(ruleset),
        tiles=tuple(tuple((f"{rank}{suit}", 4) for rank in _RANKS) for suit in "mps"),
        sets={
            "pung": SetShape(kind="pung", type="", alike=3, run=1),
            **{type_: SetShape(kind="kong", type=type_, alike=4, run=1) for type_ in _TYPES},
        },
        hand=13,
        winners=3,
        over="three_hu",
        winners_leave=True,
        hands_at=("wall", "three_hu") if ruleset.void_check == "any" else ("wall",),
        own=("self_drawn",),
        parts_nothing=("breach",),
        items={
            name: Item(
                fans=fans,
                apart=tuple(sorted(_apart(name))),
                brings=_BRINGS.get(name, ()),
                most=_MOST_ROOTS if name == "root" else 1,
            )
            for name, fans in HAND_ITEMS.items()
        },
        implied=_implied(ruleset),
        worth=tuple(ruleset.value(fans) for fans in range(_MOST_FANS + 1)),
        by=("self_drawn", *_LATER),
        ends=("wall", "time_up"),
        so_far="time_up",
        given={"hu": "items", "end": "value"},
    )


def _ways(ruleset: Ruleset) -> tuple[str, ...]:
    return ("hu", "kong", "breach") if ruleset.breach_points > 0 else ("hu", "kong")


def _parts(ruleset: Ruleset) -> dict[str, Part]:
    hu, kong = when(way="hu"), when(way="kong")
    shown = when(way="end", shown=True)
    own_tile = when(way="hu", same=False)
    tapped = (when(way="hu", given=_TAPPED), when(way="end", shown=True, given=_TAPPED))
    at_end = when(way="end")
    return {
        "way": part(when(editing=False), closed={way: (when(over=True),) for way in _ways(ruleset)}),
        "same": part(when(way="hu", shares=True)),
        "end": part(when(way="end", over=False), needs="how"),
        "third": part(when(way="end", over=True)),
        "spare": part(when(way="end", shown=True, missing=False, end=("", "time_up"))),
        "seat": part(hu, kong, when(way="breach"), shown, needs="who"),
        "kind": part(kong),
        "by": part(own_tile),
        "from": part(when(way="kong", kind="melded"), when(way="hu", same=False, by=_LATER), needs="whose"),
        "robbed": part(when(way="kong", kind=_ADDED)),
        "chain": part(when(way="kong", kind=_DRAWN, last="kong", last_own=True)),
        "after_kong": part(when(way="hu", same=False, last="kong", last_turn=True, last_lost=False)),
        "sea": part(when(way="hu", given=("tiles", "items"))),
        "items": part(when(way="hu", given="items")),
        "given": part(
            hu,
            shown,
            closed={"zero": (hu,), "sets": (hu,), "false": (at_end,), "items": (at_end,)},
        ),
        "value": part(when(way="hu", given="value"), when(way="end", shown=True, given="value"), needs="which"),
        "hand": part(*tapped, needs="tiles"),
        "void": part(*(NEVER if ruleset.forbidden_suit == NO_SUIT else tapped)),
        "mode": part(
            *tapped,
            closed={
                "winning": (at_end, kong, when(way="breach")),
                "standing": (when(given="sets"),),
                **{type_: (when(**{f"has_{type_}": False}),) for type_ in _TYPES},
            },
        ),
        "found": part(when(way="hu", given="tiles")),
        "referee": part(when(way="hu", given="false"), when(way="hu", given="tiles", found=True), needs="referee"),
        "only": part(*_only(ruleset)),
        "dealer": part(*ALWAYS),
    }


def _only(ruleset: Ruleset) -> Condition:
    return (when(way="end", shown=True, given="tiles", void=("m", "p", "s")),) if ruleset.passive_exempt else NEVER


def _implied(ruleset: Ruleset) -> tuple[Implied, ...]:
    shot_by = _LATER if ruleset.chain_rob_shoots else "discard"
    return (
        _follows("kong", per_kong=True),
        _follows("win_after_kong", when(after_kong=True, by="self_drawn")),
        _follows("robbing_the_kong", when(by="robbed_kong")),
        _follows("shoot_after_kong", when(after_kong=True, by=shot_by)),
        _follows("under_the_sea", when(sea=True)),
    )


def _apart(item: str) -> set[str]:
    """What no hand has together with an item (SBR-5.4), seen from either of the two."""
    return {*APART.get(item, ()), *(one for one, others in APART.items() if item in others)}


def _follows(item: str, *applies: Alternative, per_kong: bool = False) -> Implied:
    """Every item that the hand does not tell is worth one fan (SBR-5.3)."""
    return Implied(item=item, fans=1, applies=applies, per_kong=per_kong)
