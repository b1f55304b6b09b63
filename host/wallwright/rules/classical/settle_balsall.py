"""What a hand of Balsall comes to: chips for kongs, the winner's points or the pot. (BAL-4, BAL-7, BAL-8, BAL-9)"""

from collections.abc import Iterator

from wallwright.rules.classical.balsall import GOULASH_MINIMUM
from wallwright.rules.classical.declared import Declared, DeclaredKong
from wallwright.rules.classical.hand import DRAWN
from wallwright.rules.classical.mistakes import check_mistakes, mistake_notes
from wallwright.rules.classical.ruleset import Balsall
from wallwright.rules.classical.settled import POT, SEATS, Settled, balance, next_wind
from wallwright.rules.core.errors import ImpossibleDeal
from wallwright.rules.core.payments import Payment
from wallwright.rules.core.sets import SetType
from wallwright.words import Seat, words

KONG_CHIPS = {SetType.CONCEALED: 3, SetType.MELDED: 2, SetType.PROMOTED: 1, SetType.POSTPONED: 1}
"""From each of the other three (BAL-4.2)."""
KONG_WORDS = {
    SetType.CONCEALED: words("hidden kong"),
    SetType.MELDED: words("claimed kong"),
    SetType.PROMOTED: words("promoted kong"),
    SetType.POSTPONED: words("promoted kong"),
}
STAKE = 5
"""Chips that each player puts into the pot of a goulash (BAL-8.2)."""


def settle(deal: Declared, rules: Balsall) -> Settled:
    """Who pays what, who deals next, and whether the next deal is a goulash.

    ImpossibleDeal for a winner below the minimum: that Mahjong was a false one, which ends nothing (BAL-7.1, 10.2).
    """
    check_mistakes(deal, rules)
    _check_minimum(deal, rules)
    payments: list[Payment] = []
    pot = deal.pot
    if deal.goulash and not pot:
        payments += (Payment(seat, POT, STAKE, "BAL-8.2", words("stake of {seat}", seat=Seat(seat))) for seat in SEATS)
        pot = STAKE * len(SEATS)
    notes = list(mistake_notes(deal, rules))
    for at, kong in enumerate(deal.kongs):
        if kong is deal.winning_kong:
            notes.append(words("The kong that brought the winning tile is not paid in chips (BAL-7.4)."))
        elif kong.robbed:
            notes.append(words("The kong of {seat} was robbed and brings no chips (BAL-4.4).", seat=Seat(kong.seat)))
        else:
            payments += _kong_payments(kong, at)
    if deal.winner is not None and deal.goulash:
        payments.append(Payment(POT, deal.winner, pot, "BAL-8.2", words("the pot")))
        pot = 0
    elif deal.winner is not None:
        payments += _win_payments(deal, rules, deal.winner)
    notes += (words("The hand of {seat} is dead for the deal (BAL-10.2).", seat=Seat(seat)) for seat in deal.dead)
    stays = deal.winner is None or (deal.winner == deal.east and not deal.goulash)
    next_dealer = deal.east if stays else (deal.east + 1) % 4
    next_ = {**_round(deal, next_dealer), "pot": pot, "goulash": deal.winner is None}
    clause = "BAL-8.5" if deal.goulash and not stays else "BAL-9.2"
    return Settled(
        rules.name,
        deal.east,
        deal.winner,
        balance(payments),
        tuple(payments),
        next_dealer,
        clause,
        next_,
        deal.scores,
        tuple(notes),
    )


def _check_minimum(deal: Declared, rules: Balsall) -> None:
    if deal.winner is None:
        return
    minimum, clause = (GOULASH_MINIMUM, "BAL-8.4") if deal.goulash else (rules.min_points, "BAL-7.1")
    points = deal.worth[deal.winner]
    if points < minimum:
        raise ImpossibleDeal(
            f"seat {deal.winner} has {points} points and needs {minimum} ({clause}): a Mahjong with less is a false "
            "one, an event of type false_win (BAL-10.2)"
        )


def _kong_payments(kong: DeclaredKong, at: int) -> Iterator[Payment]:
    why = words("{kong} of {seat}", kong=KONG_WORDS[kong.type], seat=Seat(kong.seat))
    for seat in SEATS:
        if seat != kong.seat:
            yield Payment(seat, kong.seat, KONG_CHIPS[kong.type], "BAL-4.2", why, at)


def _win_payments(deal: Declared, rules: Balsall, winner: int) -> Iterator[Payment]:
    """Everybody pays a drawn tile, who gave it alone another (BAL-7.2)."""
    chips = deal.worth[winner] * rules.chips_per_point
    if deal.by in DRAWN:
        for seat in SEATS:
            if seat != winner:
                yield Payment(seat, winner, chips, "BAL-7.2", words("Mahjong of {seat}, drawn", seat=Seat(winner)))
    elif deal.from_ is not None:
        text = "Mahjong of {seat} on the discard of {from_}"
        if deal.by == "robbed_kong":
            text = "Mahjong of {seat} on the kong robbed from {from_}"
        yield Payment(deal.from_, winner, chips, "BAL-7.2", words(text, seat=Seat(winner), from_=Seat(deal.from_)))


def _round(deal: Declared, next_dealer: int) -> dict[str, object]:
    """The round ends when the dice come back to the first dealer; a match has four (BAL-9.1)."""
    wind = deal.round_wind
    if wind is None or next_dealer == deal.east or next_dealer != deal.first_dealer:
        return {"round_wind": wind, "match_over": False}
    return {"round_wind": next_wind(wind), "match_over": wind == "N"}
