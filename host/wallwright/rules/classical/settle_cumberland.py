"""What a hand of Cumberland comes to: four scores written down, or paid all against all. (CUM-6, CUM-7.2, CUM-8.1)"""

from collections.abc import Iterator

from wallwright.rules.classical.declared import Declared
from wallwright.rules.classical.mistakes import check_mistakes, long_hands, mistake_notes
from wallwright.rules.classical.ruleset import Cumberland
from wallwright.rules.classical.settled import SEATS, Settled, balance, next_wind
from wallwright.rules.core.errors import ImpossibleDeal
from wallwright.rules.core.payments import Payment
from wallwright.words import Seat, plural, words

_CLAUSE = "CUM-8.1"
"""Who is East next."""


def settle(deal: Declared, rules: Cumberland) -> Settled:
    """Everybody's score, and what they pay one another where the club pays. A stale hand scores nothing (CUM-6.3)."""
    check_mistakes(deal, rules)
    if is_over(deal.hands_played, rules):
        played = f"{deal.hands_played} hands of this game were played, and it has {rules.session_hands}"
        raise ImpossibleDeal(f"{played}: begin another one (CUM-8.2)")
    notes = tuple(mistake_notes(deal, rules))
    if deal.winner is None:
        next_ = _next(deal, rules, deal.east)
        stale = words("A stale hand: nothing is scored, and an extra hand is played (CUM-6.3).")
        return Settled(rules.name, deal.east, None, (0,) * 4, (), deal.east, _CLAUSE, next_, notes=(*notes, stale))
    worth = tuple(_scores(deal))
    notes += tuple(words("The hand of {seat} is dead and scores 0 (CUM-7.2).", seat=Seat(seat)) for seat in deal.dead)
    payments = tuple(_payments(deal, worth)) if rules.settlement == "classical" else ()
    points = balance(payments) if rules.settlement == "classical" else worth
    next_east = deal.east if deal.winner == deal.east else (deal.east + 1) % 4
    next_ = _next(deal, rules, next_east)
    if next_["game_over"]:
        text = plural(
            "The game of {hands} hand is over (CUM-8.2).", "The game of {hands} hands is over (CUM-8.2).", "hands"
        )
        notes += (words(text, hands=rules.session_hands),)
    return Settled(rules.name, deal.east, deal.winner, points, payments, next_east, _CLAUSE, next_, deal.scores, notes)


def is_over(hands_played: int, rules: Cumberland) -> bool:
    """Whether a game has had its hands, stale and repeated ones apart; an open one never has (CUM-8.2)."""
    return bool(rules.session_hands) and hands_played >= rules.session_hands


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
    played = deal.hands_played + counts
    return {
        "scores": _scores(deal),
        "round_wind": wind,
        "counts": counts,
        "hands_played": played,
        "game_over": is_over(played, rules),
    }


def _scores(deal: Declared) -> list[int]:
    if deal.winner is None:
        return [0, 0, 0, 0]
    nothing = {*deal.dead, *long_hands(deal)}
    return [0 if seat in nothing else deal.worth[seat] for seat in SEATS]
