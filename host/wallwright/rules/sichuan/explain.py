"""A settlement in words that a referee can show to players: which tiles, which items, which clause, who pays what."""

from collections.abc import Iterator

from wallwright.rules.core.tile_words import Tiles
from wallwright.rules.sichuan.events import (
    DISCARD_HU,
    ROBBED_KONG_HU,
    SELF_DRAWN_HU,
    THREE_HU,
    TIME_UP_END,
    WALL,
    Hu,
    Kong,
)
from wallwright.rules.sichuan.hands import REGULAR, readings
from wallwright.rules.sichuan.judge import JudgedHand, JudgedHu
from wallwright.rules.sichuan.melds import MeldType
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.rules.sichuan.settlement import KONG_WORDS, SettledKong, Settlement, meld_words
from wallwright.rules.sichuan.tile_words import suit_words
from wallwright.words import Listed, Seat, Words, plural, words

ENDS = {
    THREE_HU: words("after the third Hu"),
    WALL: words("with the wall"),
    TIME_UP_END: words("because time was up"),
}
ITEMS = {
    "kong": words("kong"),
    "root": words("root"),
    "all_pungs": words("all pungs"),
    "golden_wait": words("golden wait"),
    "full_flush": words("full flush"),
    "seven_pairs": words("seven pairs"),
    "win_after_kong": words("win after kong"),
    "shoot_after_kong": words("shoot after kong"),
    "robbing_the_kong": words("robbing the kong"),
    "under_the_sea": words("under the sea"),
}
"""The items of SBR-5.3."""


def explain(settlement: Settlement, ruleset: Ruleset) -> tuple[Words, ...]:
    """Lines without line ends, in the order of play: every event with what was paid for it, the end, final hands and
    what is paid then, points, next dealer. `str()` of a line is its English.
    """
    limit = words("no fan limit") if ruleset.fan_limit is None else words("fan limit {limit}", limit=ruleset.fan_limit)
    lines = [words("Rules: {ruleset}, {limit}.", ruleset=ruleset.said_name, limit=limit)]
    kongs, hus = iter(settlement.kongs), iter(settlement.hu)
    for at, event in enumerate(settlement.events):
        if isinstance(event, Kong):
            lines.append(_kong_line(next(kongs)))
        elif isinstance(event, Hu):
            lines += [line for judged in next(hus).winners for line in _hu_lines(event, judged)]
        else:
            lines.append(words("{seat} breached the forbidden suit (SBR-11.2).", seat=Seat(event.seat, True)))
        lines += _paid(settlement, at)
    lines.append(words("The deal ended {end}.", end=ENDS[settlement.end]))
    lines += map(_hand_line, settlement.hands)
    lines += _paid(settlement, None)
    each = tuple(words("{seat} {points:+d}", seat=Seat(seat), points=p) for seat, p in enumerate(settlement.points))
    lines.append(words("Points: {points}.", points=Listed(each)))
    lines.append(words("Next dealer: {seat} (SBR-8.1).", seat=Seat(settlement.next_dealer)))
    return tuple(lines)


def _paid(settlement: Settlement, at: int | None) -> Iterator[Words]:
    """What was paid and lost for an event, or at the end."""
    for p in (one for one in settlement.payments if one.at == at):
        text = "  {payer} pays {payee} {points}: {why} ({clause})."
        yield words(
            text,
            payer=Seat(p.payer, True),
            payee=Seat(p.payee),
            points=points_words(p.points),
            why=p.why,
            clause=p.clause,
        )
    for fine in (one for one in settlement.penalties if one.at == at):
        text = "  {seat} loses {points}, which nobody receives: {why} ({clause})."
        yield words(
            text, seat=Seat(fine.seat, True), points=points_words(fine.points), why=fine.why, clause=fine.clause
        )


def points_words(number: int) -> Words:
    """Return a number of points in words."""
    return words(plural("{points} point", "{points} points", "points"), points=number)


def _kong_line(settled: SettledKong) -> Words:
    kong = settled.kong
    name = KONG_WORDS[kong.type]
    what = words("{seat} declared a {kong}", seat=Seat(kong.seat, True), kong=name)
    if kong.from_ is not None:
        text = "{seat} declared a {kong} on a discard of {from_}"
        what = words(text, seat=Seat(kong.seat, True), kong=name, from_=Seat(kong.from_))
    if not settled.paid:
        text = "{what}; it is not paid, because {why} ({clause})."
        return words(text, what=what, why=settled.why, clause=settled.clause)
    if kong.type is MeldType.POSTPONED:
        return words("{what}, which is worth nothing (SBR-6.3).", what=what)
    return words("{what}.", what=what)


def _hu_lines(event: Hu, judged: JudgedHu) -> Iterator[Words]:
    seat, from_ = Seat(judged.seat, True), Seat(event.from_ or 0)
    how = {
        SELF_DRAWN_HU: words("{seat} declared Hu on a tile of the wall.", seat=seat),
        ROBBED_KONG_HU: words("{seat} declared Hu by robbing a kong of {from_}.", seat=seat, from_=from_),
        DISCARD_HU: words("{seat} declared Hu on a discard of {from_}.", seat=seat, from_=from_),
    }
    yield how[event.by]
    yield from _tiles_line(judged)
    if judged.false:
        yield words("  The Hu is false: {why} (SBR-7.2).", why=judged.why)
        return
    value = points_words(judged.value)
    if judged.score is None:
        yield words("  Agreed at the table, no tiles: worth {value}.", value=value)
        return
    if judged.winner.standing is None:
        yield words("  Agreed at the table, no tiles:")
    else:
        yield _reading(judged)
    fans = judged.score.fans
    items = Listed(tuple(words("{item} {fans}", item=ITEMS[name], fans=n) for name, n in judged.score.items.items()))
    yield words(
        "  {items}: {fans}, worth {value} (SBR-5.3)."
        if 1 << fans == judged.value
        else "  {items}: {fans}, worth {value}, the limit (SBR-5.3).",
        items=items if items.parts else words("No items"),
        fans=words(plural("{fans} fan", "{fans} fans", "fans"), fans=fans),
        value=value,
    )


def _tiles_line(judged: JudgedHu) -> Iterator[Words]:
    winner = judged.winner
    if winner.standing is None or winner.winning is None:
        return
    sets = (words("[{meld}]", meld=meld_words(meld)) for meld in winner.melds)
    shown = Listed((Tiles(winner.standing), *sets), " ")
    winning = Tiles((winner.winning,))
    if winner.void is None:
        yield words("  Tiles: {tiles} and {winning}.", tiles=shown, winning=winning)
    else:
        text = "  Tiles: {tiles} and {winning}, forbidden suit {suit}."
        yield words(text, tiles=shown, winning=winning, suit=suit_words(winner.void))


def _reading(judged: JudgedHu) -> Words:
    """The reading that was scored, set by set."""
    winner, score = judged.winner, judged.score
    assert winner.standing is not None
    assert winner.winning is not None
    assert score is not None
    counts = [0] * 27
    for kind in (*winner.standing, winner.winning):
        counts[kind] += 1
    # With All Pungs among the items the reading with pungs is meant, and it comes first.
    reading = next(reading for reading in readings(counts, winner.melds) if reading.form == score.form)
    pairs = Listed(tuple(Tiles((kind, kind)) for kind in reading.pairs), " ")
    if reading.form != REGULAR:
        return words("  Seven pairs: {pairs} (SBR-5.1).", pairs=pairs)
    sets = Listed(tuple(map(Tiles, reading.sets)), " ")
    return words("  Sets: {sets}, pair {pair} (SBR-5.1).", sets=sets, pair=pairs)


def _hand_line(judged: JudgedHand) -> Words:
    seat, best = Seat(judged.hand.seat, True), points_words(judged.best)
    if not judged.ready:
        return words("{seat} was not ready: {why} (SBR-6.6).", seat=seat, why=judged.why)
    if not judged.values:
        return words("{seat} was ready, agreed at the table: worth {value}.", seat=seat, value=best)
    tiles = Listed(
        tuple(words("{tile} ({value})", tile=Tiles((kind,)), value=value) for kind, value in judged.values.items())
    )
    text = "{seat} was ready for {tiles}; the best is worth {value} (SBR-6.5)."
    return words(text, seat=seat, tiles=tiles, value=best)
