"""A settled hand in sentences: what each hand is worth, who pays whom, and what comes next."""

from collections.abc import Iterator

from wallwright.rules.classical.score import Score
from wallwright.rules.classical.settled import POT, SEATS, Settled
from wallwright.rules.core.payments import Payment
from wallwright.words import Listed, Named, Seat, Words, plural, words

ITEMS = {
    "winner": words("won"),
    "pung": words("pungs"),
    "kong": words("kongs"),
    "pair": words("pair"),
    "flower": words("flowers"),
    "east_won": words("East won"),
    "dragon": words("dragons"),
    "seat_wind": words("own wind"),
    "round_wind": words("wind of the round"),
    "own_season": words("own season"),
    "own_flower": words("own flower"),
    "all_seasons": words("all seasons"),
    "all_flowers": words("all flowers"),
    "clean": words("clean"),
    "pure": words("pure"),
    "chicken": words("chicken"),
    "sequence": words("sequence"),
    "all_pongs": words("all pongs"),
    "semi_pure": words("semi-pure"),
    "3_big_dragons": words("3 big dragons"),
    "little_winds": words("little winds"),
    "big_4_winds": words("big 4 winds"),
    "all_honours": words("all honours"),
    "all_terminal": words("all terminal"),
    "all_kongs": words("all kongs"),
    "jade_dragon": words("Jade dragon"),
    "ruby_dragon": words("Ruby dragon"),
    "pearl_dragon": words("Pearl dragon"),
    "7_pairs": words("7 pairs"),
    "double_knitting": words("double knitting"),
    "triple_knitting": words("triple knitting"),
    "9_gates": words("9 gates"),
    "13_orphans": words("13 orphans"),
    "hidden_treasure": words("hidden treasure"),
    "little_snake": words("little snake"),
    "great_snake": words("great snake"),
    "concealed_hand": words("concealed hand"),
    "self_drawn": words("self-draw"),
    "replacement_tile": words("replacement tile"),
    "last_tile": words("last tile"),
    "last_discard": words("last discard"),
    "no_flowers": words("no flowers"),
    "all_red": words("all red flowers"),
    "all_blue": words("all blue flowers"),
    "red_flower_of_round": words("red flower of the round"),
    "blue_flower_of_seat": words("blue flower of the seat"),
}


def explain(settled: Settled) -> tuple[Words, ...]:
    """Lines without line ends: the hands, payments with their clause, points, and what comes next."""
    lines = [words("Rules: {ruleset}.", ruleset=Named("ruleset", settled.ruleset))]
    if settled.winner is None:
        lines.append(words("Nobody won; East was {east}.", east=Seat(settled.east)))
    else:
        lines.append(words("{seat} won; East was {east}.", seat=Seat(settled.winner, True), east=Seat(settled.east)))
    lines += _hand_lines(settled)
    lines += settled.notes
    lines += map(_payment_line, settled.payments)
    points = (words("{seat} {points}", seat=Seat(seat), points=f"{settled.points[seat]:+d}") for seat in SEATS)
    lines.append(words("Points: {points}.", points=Listed(tuple(points))))
    lines += _next_lines(settled)
    return tuple(lines)


def _hand_lines(settled: Settled) -> Iterator[Words]:
    for seat, score in enumerate(settled.scores):
        if score is not None and (settled.all_are_scored or seat == settled.winner):
            yield words("{seat}: {items}; {worth}.", seat=Seat(seat, True), items=_items(score), worth=_worth(score))


def _items(score: Score) -> Words | Listed:
    parts = tuple(words("{item} {points}", item=ITEMS[item], points=points) for item, points in score.items.items())
    return Listed(parts) if parts else words("no items")


def _worth(score: Score) -> Words:
    if not score.doubles:
        return words(plural("{points} point", "{points} points", "points"), points=score.points)
    doubled = words(plural("{doubles} double", "{doubles} doubles", "doubles"), doubles=score.doubles)
    text = "{base} with {doubled}: {points}"
    return words(text, base=score.base, doubled=doubled, points=score.points)


def _payment_line(payment: Payment) -> Words:
    payer = words("The pot") if payment.payer == POT else Seat(payment.payer, True)
    payee = words("the pot") if payment.payee == POT else Seat(payment.payee)
    text = "{payer} pays {payee} {points}: {why} ({clause})."
    return words(text, payer=payer, payee=payee, points=payment.points, why=payment.why, clause=payment.clause)


def _next_lines(settled: Settled) -> Iterator[Words]:
    if settled.all_are_scored:
        yield words(
            "East of the next hand is {seat} ({clause}).", seat=Seat(settled.next_dealer), clause=settled.next_clause
        )
        return
    kept = settled.next_
    yield words("The next dealer is {seat} ({clause}).", seat=Seat(settled.next_dealer), clause=settled.next_clause)
    if kept["goulash"]:
        yield words("A goulash follows (BAL-8.1).")
    if kept["match_over"]:
        yield words("The match is over (BAL-9.1).")
