"""Settlement of a declared deal, event by event, from the JSON shape of `wallwright rules settle`. (SBR-6, SBR-7, SBR-8)

Every payment is written down when it falls due and struck out later when a clause takes it back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.reference.fans import score, wait_values
from tests.reference.hands import Meld, has_forbidden, is_winning
from tests.reference.notation import read, suit_of
from tests.reference.rulesets import RULESETS, Rules

KONG_POINTS = {"concealed": 2, "melded": 2, "promoted": 1, "postponed": 0}
SEATS = (0, 1, 2, 3)


@dataclass
class Kong:
    """A declared kong: what is due for it, and whether that still stands."""

    owner: int
    due: list[tuple[int, int]]
    """(payer, points)"""
    stands: bool = True


@dataclass
class Outcome:
    """What a deal comes to. Payments are (from, to, points, clause), penalties (seat, points, clause)."""

    points: list[int]
    payments: list[tuple[int, int, int, str]]
    penalties: list[tuple[int, int, str]]
    next_dealer: int


@dataclass
class Ledger:
    """The deal while it is being read."""

    rules: Rules
    fan_limit: int | None
    kongs: list[Kong] = field(default_factory=list)
    payments: list[tuple[int, int, int, str]] = field(default_factory=list)
    penalties: list[tuple[int, int, str]] = field(default_factory=list)
    out: list[int] = field(default_factory=list)
    """Seats that declared Hu, true or false, in order."""

    def in_game(self) -> list[int]:
        """The seats that have not declared Hu."""
        return [seat for seat in SEATS if seat not in self.out]

    def return_kongs(self, seat: int) -> None:
        """Strike out all that a seat was due for kongs."""
        for kong in self.kongs:
            if kong.owner == seat:
                kong.stands = False


def read_melds(entries: list[dict[str, str]]) -> list[Meld]:
    """Declared sets of the JSON shape."""
    return [Meld(entry.get("type", "pung"), read(entry["tiles"])[0]) for entry in entries]


def settle(record: Mapping[str, Any]) -> Outcome:
    """The outcome of one declared deal. The record is taken to be possible."""
    rules = RULESETS[record["ruleset"]]
    ledger = Ledger(rules, record.get("fan_limit", rules.fan_limit))
    next_dealer = None
    for event in record["events"]:
        if event["type"] == "kong":
            note_kong(ledger, event)
        else:
            true_winners = note_hu(ledger, event)
            if next_dealer is None and true_winners:
                next_dealer = true_winners[0] if len(true_winners) == 1 else event["from"]
    note_end(ledger, record["end"], record.get("hands", []))
    for kong in ledger.kongs:
        if kong.stands:
            ledger.payments += [(payer, kong.owner, due, "SBR-6.3") for payer, due in kong.due]
    totals = [0, 0, 0, 0]
    for payer, payee, amount, _ in ledger.payments:
        totals[payer] -= amount
        totals[payee] += amount
    for seat, amount, _ in ledger.penalties:
        totals[seat] -= amount
    return Outcome(totals, ledger.payments, ledger.penalties, record["dealer"] if next_dealer is None else next_dealer)


def note_kong(ledger: Ledger, event: Mapping[str, Any]) -> None:
    """Write down what a kong is due. (SBR-6.3; SBR-6.4 for a robbed one)"""
    owner, amount = event["seat"], KONG_POINTS[event["kind"]]
    payers = [event["from"]] if event["kind"] == "melded" else [seat for seat in ledger.in_game() if seat != owner]
    due = [(payer, amount) for payer in payers if amount]
    ledger.kongs.append(Kong(owner, due, stands=not event.get("robbed", False)))


def note_hu(ledger: Ledger, event: Mapping[str, Any]) -> list[int]:
    """Write down one Hu, or several on one tile; the seats whose Hu was true. (SBR-6.1, SBR-6.2, SBR-6.4, SBR-7)"""
    seats = [winner["seat"] for winner in event["winners"]]
    others = [seat for seat in ledger.in_game() if seat not in seats]
    if event.get("after_kong"):
        last = [kong for kong in ledger.kongs if kong.owner == event["from"]][-1]
        last.stands = False
    true_winners = []
    for winner in event["winners"]:
        seat = winner["seat"]
        value = judge(ledger, winner)
        if value is None:
            if ledger.rules.league_2025:
                ledger.penalties.append((seat, 24, "SBR-11.4"))
            else:
                ledger.payments += [(seat, other, 8, "SBR-7.3") for other in others]
            ledger.return_kongs(seat)
        else:
            true_winners.append(seat)
            if event["by"] == "self_drawn":
                ledger.payments += [(other, seat, value + 1, "SBR-6.2") for other in others]
            else:
                ledger.payments.append((event["from"], seat, value, "SBR-6.1"))
    ledger.out += seats
    return true_winners


def judge(ledger: Ledger, winner: Mapping[str, Any]) -> int | None:
    """The capped value of a winner's hand, or None for a false Hu; the forbidden suit costs 48 besides. (SBR-3.5)"""
    if winner.get("false"):
        return None
    if "value" in winner:
        return int(winner["value"])
    standing, melds, void = read(winner["standing"]), read_melds(winner.get("melds", [])), winner.get("void")
    (winning,) = read(winner["winning"])
    if has_forbidden([*standing, winning], melds, void) and not ledger.rules.league_2025:
        ledger.penalties.append((winner["seat"], 48, "SBR-3.5"))
    if not is_winning([*standing, winning], melds, void):
        return None
    return score(standing, melds, winning, winner.get("conditions", ()), void, ledger.fan_limit).value


def note_end(ledger: Ledger, end: str, hands: list[dict[str, Any]]) -> None:
    """The check at the deal's end: forbidden suits, kongs of hands not ready, waiting hands. (SBR-3.3, 6.4, 6.5)"""
    by_seat = {hand["seat"]: hand for hand in hands}
    best = {}
    for seat in ledger.in_game():
        if seat in by_seat:
            hand = by_seat[seat]
            standing, melds, void = read(hand["standing"]), read_melds(hand.get("melds", [])), hand.get("void")
            note_forbidden(ledger, end, hand, standing, melds)
            values = wait_values(standing, melds, void, ledger.rules, ledger.fan_limit)
            best[seat] = max(values.values(), default=0)
    if end != "wall":
        return
    for seat, value in best.items():
        if value == 0:
            ledger.return_kongs(seat)
            ledger.payments += [(seat, other, gain, "SBR-6.5") for other, gain in best.items() if gain]


def note_forbidden(
    ledger: Ledger, end: str, hand: Mapping[str, Any], standing: tuple[int, ...], melds: list[Meld]
) -> None:
    """Penalties for the forbidden suit in a hand that did not declare Hu. (SBR-3.3, SBR-3.4, SBR-10.2, SBR-11.3)"""
    rules, void = ledger.rules, hand.get("void")
    if any(suit_of(meld.tile) == void for meld in melds):
        ledger.penalties.append((hand["seat"], 24 if rules.league_2025 else 48, "SBR-3.4"))
    elif any(suit_of(tile) == void for tile in standing) and not hand.get("only_void_discards", False):
        if end == "wall" or (end == "three_hu" and rules.penalty_after_three_hu):
            ledger.penalties.append((hand["seat"], 24 if rules.league_2025 else 48, "SBR-3.3"))
