"""Settlement of a declared deal, event by event, in the JSON shape of `wallwright rules settle`. (SBR-6 to SBR-8)

Every payment is written down when it falls due and struck out later when a clause takes it back.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.reference.fans import score, wait_values
from tests.reference.hands import Meld, has_forbidden, is_winning
from tests.reference.notation import read, suit_of
from tests.reference.rulesets import KNOWN, Rules

KONG_POINTS = {"concealed": 2, "melded": 2, "promoted": 1, "postponed": 0}
SEATS = (0, 1, 2, 3)


@dataclass
class Kong:
    """A declared kong: what is due for it, and whether that still stands."""

    owner: int
    due: list[tuple[int, int]]
    """(payer, points)"""
    stands: bool = True
    chain: bool = False
    """Declared on the replacement for the owner's kong before it."""


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
    breached: list[int] = field(default_factory=list)
    """Seats that may not win any more. (SBR-11.2)"""

    def in_game(self) -> list[int]:
        """The seats that have not declared Hu."""
        return [seat for seat in SEATS if seat not in self.out]

    def note_breach(self, seat: int) -> None:
        """24 points, once, and no Hu, no kong points and no wall-end points any more. (SBR-11.2)"""
        if seat not in self.breached:
            self.breached.append(seat)
            self.penalties.append((seat, 24, "SBR-11.2"))

    def note_sets(self, seat: int, melds: list[Meld], void: str | None) -> None:
        """Declared sets of the forbidden suit cost 48 each at any end, or are a breach. (SBR-3.4, SBR-11.2)"""
        for meld in melds:
            if suit_of(meld.tile) != void:
                continue
            if self.rules.league_2025:
                self.note_breach(seat)
            else:
                self.penalties.append((seat, 48, "SBR-3.4"))

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
    rules = KNOWN[record["ruleset"]]
    ledger = Ledger(rules, record.get("fan_limit", rules.fan_limit))
    next_dealer = None
    for event in record["events"]:
        if event["type"] == "kong":
            note_kong(ledger, event)
        elif event["type"] == "breach":
            ledger.note_breach(event["seat"])
        else:
            true_winners = note_hu(ledger, event)
            if next_dealer is None and true_winners:
                next_dealer = true_winners[0] if len(true_winners) == 1 else event["from"]
    note_end(ledger, record["end"], record.get("hands", []))
    for seat in ledger.breached:
        ledger.return_kongs(seat)
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
    ledger.kongs.append(Kong(owner, due, stands=not event.get("robbed", False), chain=event.get("chain", False)))


def note_hu(ledger: Ledger, event: Mapping[str, Any]) -> list[int]:
    """Write down one Hu, or several on one tile; the seats whose Hu was true. (SBR-6.1, SBR-6.2, SBR-6.4, SBR-7)"""
    seats = [winner["seat"] for winner in event["winners"]]
    others = [seat for seat in ledger.in_game() if seat not in seats]
    told = {condition for winner in event["winners"] for condition in winner.get("conditions", ())}
    after_kong = event.get("after_kong", False) or bool(told & {"after_kong", "shoot_after_kong"})
    if after_kong and event["by"] == "discard":
        own = [kong for kong in ledger.kongs if kong.owner == event["from"]]
        own[-1].stands = False
        while ledger.rules.shoot_voids_turn and own.pop().chain:
            own[-1].stands = False
    true_winners = []
    for winner in event["winners"]:
        seat = winner["seat"]
        value = judge(ledger, winner, conditions_of(ledger.rules, event, after_kong, winner))
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


def conditions_of(rules: Rules, event: Mapping[str, Any], after_kong: bool, winner: Mapping[str, Any]) -> list[str]:
    """What the event and the winner's own entry say of the winning tile; either may leave out what the other says."""
    found = set(winner.get("conditions", ())) & {"under_the_sea"}
    if event["by"] == "robbed_kong":
        found.add("robbing_kong")
        if rules.league_2025 and after_kong:
            found.add("shoot_after_kong")
    elif after_kong:
        found.add("after_kong" if event["by"] == "self_drawn" else "shoot_after_kong")
    return sorted(found)


def judge(ledger: Ledger, winner: Mapping[str, Any], conditions: list[str]) -> int | None:
    """The capped value of a winner's hand, or None for a false Hu; the forbidden suit costs 48 besides. (SBR-3.5)"""
    if winner.get("false"):
        return None
    if "value" in winner:
        return int(winner["value"])
    standing, melds, void = read(winner["standing"]), read_melds(winner.get("melds", [])), winner.get("void")
    (winning,) = read(winner["winning"])
    ledger.note_sets(winner["seat"], melds, void)
    if has_forbidden([*standing, winning], (), void) and not ledger.rules.league_2025:
        ledger.penalties.append((winner["seat"], 48, "SBR-3.5"))
    if winner["seat"] in ledger.breached or not is_winning([*standing, winning], melds, void):
        return None
    return score(standing, melds, winning, conditions, void, ledger.fan_limit).value


def note_end(ledger: Ledger, end: str, hands: list[dict[str, Any]]) -> None:
    """The check at the deal's end: forbidden suits, kongs of hands not ready, waiting hands. (SBR-3.3, 6.4, 6.5)"""
    best = {}
    for hand in hands:
        seat, void = hand["seat"], hand.get("void")
        standing, melds = read(hand["standing"]), read_melds(hand.get("melds", []))
        ledger.note_sets(seat, melds, void)
        if seat not in ledger.breached and has_forbidden(standing, (), void):
            note_forbidden(ledger, end, hand)
        best[seat] = max(wait_values(standing, melds, void, ledger.rules, ledger.fan_limit).values(), default=0)
    if end != "wall":
        return
    for seat, value in best.items():
        if value == 0:
            ledger.return_kongs(seat)
            ledger.payments += [
                (seat, other, gain, "SBR-6.5") for other, gain in best.items() if gain and other not in ledger.breached
            ]


def note_forbidden(ledger: Ledger, end: str, hand: Mapping[str, Any]) -> None:
    """The penalty for a hand that holds its forbidden suit at the end. (SBR-3.3, SBR-10.2, SBR-11.3)"""
    rules = ledger.rules
    if end == "wall" and not (hand.get("only_void_discards", False) and rules.passive_is_free):
        penalty = (24, "SBR-11.3") if rules.league_2025 else (48, "SBR-3.3")
        ledger.penalties.append((hand["seat"], *penalty))
    elif end == "three_hu" and rules.penalty_after_three_hu:
        ledger.penalties.append((hand["seat"], 48, "SBR-10.2"))
