"""Points that a table agreed on, held against what the same record tells of that win (HKO-5.4, 5.7, 6.2)."""

from collections.abc import Iterator

from wallwright.rules.hong_kong.hands import DRAWN, LOOSE, ROBBED_KONG
from wallwright.rules.hong_kong.settlement import HIDDEN, Declared, Win, Winner
from wallwright.words import Seat, Words, words


def contradictions(deal: Declared) -> tuple[Words, ...]:
    """Return what a deal says of one hand in two ways that cannot both be right, as sentences."""
    return tuple(
        sentence
        for event in deal.events
        if isinstance(event, Win)
        for winner in event.winners
        if winner.points is not None
        for sentence in _of_winner(deal, event, winner, winner.points)
    )


def _of_winner(deal: Declared, win: Win, winner: Winner, points: int) -> Iterator[Words]:
    rules = deal.ruleset
    if win.kong == HIDDEN:
        limit = rules.base(rules.limit_faan)
        if points != limit:
            text = (
                "{seat}: {points} was agreed, but only thirteen orphans rob a hidden kong, worth {limit} (HKO-4.6, 5.5)"
            )
            yield words(text, seat=Seat(winner.seat), points=points, limit=limit)
        return
    by_way = (win.by in DRAWN) + (win.by == LOOSE) + (win.by == ROBBED_KONG)
    least = rules.base(max(by_way, rules.min_faan))
    if points >= least:
        return
    if by_way > rules.min_faan:
        text = "{seat}: {points} was agreed, but such a win has {faan} faan, worth {least} at least (HKO-5.4)"
        yield words(text, seat=Seat(winner.seat), points=points, faan=by_way, least=least)
    else:
        text = "{seat}: {points} was agreed, but a win needs {faan} faan, worth {least} at least (HKO-5.7)"
        yield words(text, seat=Seat(winner.seat), points=points, faan=rules.min_faan, least=least)
