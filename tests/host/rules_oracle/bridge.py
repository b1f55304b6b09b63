"""From the reference's tiles and hands to the engine's, by the encodings that the engine documents."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from tests.reference.cases import Case
from tests.reference.hands import Meld as ReferenceMeld
from tests.reference.notation import write
from tests.reference.rulesets import OTHERWISE
from tests.reference.settle import Outcome
from tests.reference.starts import Start
from wallwright.rules.sichuan.deal import Deal
from wallwright.rules.sichuan.melds import Meld, make_meld
from wallwright.rules.sichuan.ruleset import Ruleset, load_ruleset, parse_ruleset
from wallwright.rules.sichuan.settlement import Settlement


@lru_cache
def load(name: str) -> Ruleset:
    """A preset, or the reference's ruleset of the decisions that no preset takes."""
    if name == OTHERWISE.name:
        return parse_ruleset('base = "sichuan-4"\nshoot_voids = "turn"\nwall_end_kongs = false\n', name)
    return load_ruleset(name)


def kind(tile: int) -> int:
    """The engine's number of a reference tile: suits m, p, s, nine ranks each."""
    return 9 * (tile // 10 - 1) + tile % 10 - 1


def kinds(tiles: Iterable[int]) -> tuple[int, ...]:
    """The engine's numbers of several tiles."""
    return tuple(kind(tile) for tile in tiles)


def tile_of(engine_kind: int) -> int:
    """The way back."""
    return 10 * (engine_kind // 9 + 1) + engine_kind % 9 + 1


def counts(tiles: Iterable[int]) -> list[int]:
    """How many of each of the 27 kinds."""
    found = [0] * 27
    for tile in tiles:
        found[kind(tile)] += 1
    return found


def engine_melds(melds: Sequence[ReferenceMeld]) -> tuple[Meld, ...]:
    """Declared sets, through their text."""
    return tuple(
        make_meld("kong", write(meld.tiles), meld.kind) if meld.is_kong else make_meld("pung", write(meld.tiles))
        for meld in melds
    )


def void_of(item: Case) -> int | None:
    """The forbidden suit of a case as the engine numbers it."""
    return None if item.void is None else "mps".index(item.void)


def engine_deal(start: Start, ruleset: str | Ruleset, *, wall_known: bool = True) -> Deal:
    """The engine's deal from the same tiles, under a preset or a ruleset of one's own."""
    wall = kinds(start.wall)
    hands = tuple(kinds(hand) for hand in start.hands)
    rules = load(ruleset) if isinstance(ruleset, str) else ruleset
    return Deal(rules, start.dealer, hands, len(wall), wall if wall_known else None)


def name_outcome(outcome: Outcome) -> dict[str, Any]:
    """What the reference says a deal comes to, in a form that compares."""
    return {
        "points": tuple(outcome.points),
        "payments": sorted(outcome.payments),
        "penalties": sorted(outcome.penalties),
        "next dealer": outcome.next_dealer,
    }


def name_settlement(settlement: Settlement) -> dict[str, Any]:
    """The same of the engine."""
    return {
        "points": settlement.points,
        "payments": sorted((item.payer, item.payee, item.points, item.clause) for item in settlement.payments),
        "penalties": sorted((item.seat, item.points, item.clause) for item in settlement.penalties),
        "next dealer": settlement.next_dealer,
    }
