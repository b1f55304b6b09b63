"""What a hand of Cumberland comes to: four scores written down, or paid all against all. (CUM-6, CUM-7.2, CUM-8.1)"""

from collections.abc import Iterator

from wallwright.rules.classical.declared import Declared
from wallwright.rules.classical.ruleset import Cumberland
from wallwright.rules.classical.settled import SEATS, Settled, balance, next_wind
from wallwright.rules.core.payments import Payment
from wallwright.words import Seat, words

_CLAUSE = "CUM-8.1"
"""Who is East next."""


def settle(deal: Declared, rules: Cumberland) -> Settled:
    """Everybody's score, and what they pay one another where the club pays. A stale hand scores nothing (CUM-6.3)."""
    if deal.winner is None:
        next_ = _next(deal, rules, deal.east)
        note = words("A stale hand: nothing is scored, and an extra hand is played (CUM-6.3).")
        return Settled(rules.name, deal.east, None, (0,) * 4, (), deal.east, _CLAUSE, next_, notes=(note,))
    worth = tuple(0 if seat in deal.dead else deal.worth[seat] for seat in SEATS)
    notes = tuple(words("The hand of {seat} is dead and scores 0 (CUM-7.2).", seat=Seat(seat)) for seat in deal.dead)
    payments = tuple(_payments(deal, worth)) if rules.settlement == "classical" else ()
    points = balance(payments) if rules.settlement == "classical" else worth
    next_east = deal.east if deal.winner == deal.east else (deal.east + 1) % 4
    next_ = _next(deal, rules, next_east)
    return Settled(rules.name, deal.east, deal.winner, points, payments, next_east, _CLAUSE, next_, deal.scores, notes)


def _payments(deal: Declared, worth: tuple[int, ...]) -> Iterator[Payment]:
    """Losers pay the winner the winner's score, then one another the difference; East who lost twice (CUM-6.2)."""
    winner = deal.winner
    assert winner is not None
    losers = [seat for seat in SEATS if seat != winner]
    for seat in losers:
        times = 2 if seat == deal.east else 1
        if worth[winner]:
            why = words("score of {seat}", seat=Seat(winner))
            yield Payment(seat, winner, times * worth[winner], "CUM-6.2", why)
    for seat in losers:
        for other in losers:
            times = 2 if deal.east in (seat, other) and winner != deal.east else 1
            if worth[seat] < worth[other]:
                why = words("difference of {seat} to {other}", seat=Seat(seat), other=Seat(other))
                yield Payment(seat, other, times * (worth[other] - worth[seat]), "CUM-6.2", why)


def _next(deal: Declared, rules: Cumberland, next_east: int) -> dict[str, object]:
    """The Wind of the round as far as it is known before the next throw, null when it is thrown (CUM-2.2)."""
    comes_round = next_east != deal.east and next_east == deal.first_dealer
    wind: str | None = None
    if rules.wind_of_round != "each_hand" and deal.round_wind is not None:
        wind = deal.round_wind
        if comes_round:
            wind = next_wind(deal.round_wind) if rules.wind_of_round == "fixed" else None
    counts = deal.winner is not None and next_east != deal.east
    return {"scores": _scores(deal), "round_wind": wind, "counts": counts}


def _scores(deal: Declared) -> list[int]:
    if deal.winner is None:
        return [0, 0, 0, 0]
    return [0 if seat in deal.dead else deal.worth[seat] for seat in SEATS]
