"""A Hong Kong settlement in words that a referee can show: tiles, items, clauses, who pays what."""

from collections.abc import Iterator

from wallwright.rules.core.tile_words import Tiles
from wallwright.rules.hong_kong.faan import Score
from wallwright.rules.hong_kong.hands import LOOSE, ROBBED_KONG, SELF_DRAWN, SEVEN_PAIRS, THIRTEEN_ORPHANS, Hand, Shape
from wallwright.rules.hong_kong.ruleset import MODERN, Ruleset
from wallwright.rules.hong_kong.settlement import (
    FALSE_WIN,
    TIME_UP,
    WALL,
    WIN,
    Declared,
    Event,
    Mistake,
    NinePieces,
    TwelvePieces,
    Winner,
)
from wallwright.words import Listed, Seat, Words, plural, words

ITEMS = {
    "all_chows": words("all chows"),
    "all_pungs": words("all pungs"),
    "half_flush": words("half flush"),
    "full_flush": words("full flush"),
    "dragon": words("dragon"),
    "seat_wind": words("seat wind"),
    "round_wind": words("round wind"),
    "little_three_dragons": words("little three dragons"),
    "self_drawn": words("self-drawn"),
    "after_a_kong": words("after a kong"),
    "kong_on_kong": words("after two kongs"),
    "last_tile": words("last tile"),
    "robbing_the_kong": words("robbing the kong"),
    "last_discard": words("last discard"),
    "concealed_hand": words("concealed hand"),
    "mixed_terminals": words("mixed terminals"),
    "seven_pairs": words("seven pairs"),
    "big_three_dragons": words("big three dragons"),
    "little_four_winds": words("little four winds"),
    "big_four_winds": words("big four winds"),
    "all_honors": words("all honors"),
    "all_terminals": words("all terminals"),
    "nine_gates": words("nine gates"),
    "four_concealed_pungs": words("four concealed pungs"),
    "four_kongs": words("four kongs"),
    "thirteen_orphans": words("thirteen orphans"),
    "heavenly": words("heavenly hand"),
    "earthly": words("earthly hand"),
    "no_flowers": words("no flowers"),
    "own_season": words("own season"),
    "own_flower": words("own flower"),
    "all_seasons": words("all seasons"),
    "all_flowers": words("all flowers"),
}
"""The items of HKO-5.4, 5.5, 5.8 and 10.2."""
_ENDS = {
    WIN: words("The win ended the deal (HKO-4.2)."),
    WALL: words("The wall ended without a win: a draw (HKO-4.10, 6.9)."),
    FALSE_WIN: words("The mistake ended the deal (HKO-7.1)."),
    TIME_UP: words("Time was up, and the deal was broken off (HKO-8.2)."),
}
_WIND_NAMES = {"E": words("East"), "S": words("South"), "W": words("West"), "N": words("North")}


def explain(deal: Declared) -> tuple[Words, ...]:
    """Lines without line ends, in the order of play: what was called, the win and its hand, payments, next deal."""
    settlement = deal.settle()
    lines = [
        words(
            "Rules: {ruleset}, {wind} round, dealer {seat}.",
            ruleset=deal.ruleset.said_name,
            wind=_WIND_NAMES[deal.round_wind],
            seat=Seat(deal.dealer),
        )
    ]
    for event in deal.events:
        lines += _event_lines(event)
    for winner, score in zip(settlement.winners, settlement.scores, strict=True):
        lines += _winner_lines(winner, score, deal.ruleset)
    lines.append(_ENDS[deal.end])
    for one in settlement.payments:
        text = "  {payer} pays {payee} {points}: {why} ({clause})."
        points = words(plural("{points} point", "{points} points", "points"), points=one.points)
        payer, payee = Seat(one.payer, True), Seat(one.payee)
        lines.append(words(text, payer=payer, payee=payee, points=points, why=one.why, clause=one.clause))
    each = tuple(words("{seat} {points:+d}", seat=Seat(seat), points=p) for seat, p in enumerate(settlement.points))
    lines.append(words("Points: {points}.", points=Listed(each)))
    lines.append(words("Next dealer: {seat} (HKO-7.3, 8.1).", seat=Seat(settlement.next_dealer)))
    if settlement.round_wind is None:
        lines.append(words("The session is over: all four rounds are played (HKO-8.2)."))
    elif settlement.round_wind != deal.round_wind:
        lines.append(words("The {wind} round begins (HKO-8.2).", wind=_WIND_NAMES[settlement.round_wind]))
    return tuple(lines)


def _event_lines(event: Event) -> Iterator[Words]:
    if isinstance(event, NinePieces):
        yield words("{seat} called nine pieces (HKO-6.7).", seat=Seat(event.seat, True))
    elif isinstance(event, TwelvePieces):
        text = "{seat} laid down a fourth set, with a discard of {from_} (HKO-6.8)."
        yield words(text, seat=Seat(event.seat, True), from_=Seat(event.from_))
    elif isinstance(event, Mistake):
        seat = Seat(event.seat, True)
        yield {
            "win": words("{seat} declared a win that is none (HKO-7.1).", seat=seat),
            "set": words("{seat} had laid down a wrong set (HKO-7.1).", seat=seat),
            "count": words("{seat} had a wrong number of tiles (HKO-7.1).", seat=seat),
        }[event.what]
    else:
        from_ = Seat(event.from_ or 0)
        for winner in event.winners:
            seat = Seat(winner.seat, True)
            if event.by == SELF_DRAWN:
                yield words("{seat} won on a tile of the wall.", seat=seat)
            elif event.by == LOOSE:
                yield words("{seat} won on a replacement tile.", seat=seat)
            elif event.by == ROBBED_KONG:
                yield words("{seat} won by robbing a kong of {from_} (HKO-4.6).", seat=seat, from_=from_)
            else:
                yield words("{seat} won on a discard of {from_}.", seat=seat, from_=from_)
        if len(event.winners) > 1:
            yield words("Several won on one tile (HKO-4.9).")


def _winner_lines(winner: Winner, score: Score | None, ruleset: Ruleset) -> Iterator[Words]:
    seat = Seat(winner.seat, True)
    if score is None or winner.hand is None or score.shape is None:
        yield words("  {seat}: agreed at the table, no tiles: base {base}.", seat=seat, base=winner.points or 0)
        return
    yield _tiles_line(seat, winner.hand)
    yield _reading(score.shape)
    items = tuple(words("{item} {faan}", item=ITEMS[name], faan=n) for name, n in score.items.items())
    text = "  {items}: {faan} faan, base {base} (HKO-5.4, 5.5, 6.2)."
    if ruleset.table == MODERN:
        text = "  {items}: {faan} faan, base {base} (HKO-6.2, 10.2)."
    named = Listed(items) if items else words("No items")
    yield words(text, items=named, faan=score.faan, base=score.points)


def _tiles_line(seat: Seat, hand: Hand) -> Words:
    shown = Listed((Tiles(hand.standing), *(words("[{meld}]", meld=Tiles(one.tiles)) for one in hand.sets)), " ")
    winning = Tiles((hand.winning,))
    if not hand.flowers:
        return words("  {seat}: {tiles} and {winning}.", seat=seat, tiles=shown, winning=winning)
    text = "  {seat}: {tiles} and {winning}, flowers {flowers}."
    return words(text, seat=seat, tiles=shown, winning=winning, flowers=Tiles(hand.flowers))


def _reading(shape: Shape) -> Words:
    """The reading that was scored, set by set."""
    pairs = Listed(tuple(Tiles((kind, kind)) for kind in shape.pairs), " ")
    if shape.form == THIRTEEN_ORPHANS:
        return words("  Thirteen orphans (HKO-5.1).")
    if shape.form == SEVEN_PAIRS:
        return words("  Seven pairs: {pairs} (HKO-5.1).", pairs=pairs)
    sets = Listed(tuple(Tiles(one.tiles) for one in shape.sets), " ")
    return words("  Sets: {sets}, pair {pair} (HKO-5.1).", sets=sets, pair=pairs)
