"""A settlement in words that a referee can show to players: which tiles, which items, which clause, who pays what."""

from collections.abc import Iterator

from wallwright.rules.events import DISCARD_HU, ROBBED_KONG_HU, SELF_DRAWN_HU, Hu
from wallwright.rules.hands import REGULAR, readings
from wallwright.rules.judge import JudgedHand, JudgedHu
from wallwright.rules.melds import Meld, MeldType
from wallwright.rules.ruleset import Ruleset
from wallwright.rules.settlement import SettledKong, Settlement
from wallwright.rules.tiles import SUITS, format_tiles, tile_name

_ENDS = {"three_hu": "after the third Hu", "wall": "with the wall", "time_up": "because time was up"}


def explain(settlement: Settlement, ruleset: Ruleset) -> tuple[str, ...]:
    """Lines without line ends, in the order of the deal: kongs, Hu, final hands, payments, penalties, points, next
    dealer.
    """
    limit = "no fan limit" if ruleset.fan_limit is None else f"fan limit {ruleset.fan_limit}"
    lines = [f"Rules: {ruleset.name}, {limit}. The deal ended {_ENDS[settlement.end]}."]
    lines += map(_kong_line, settlement.kongs)
    for hu in settlement.hu:
        for judged in hu.winners:
            lines += _hu_lines(hu.event, judged)
    for hand in settlement.hands:
        lines.append(_hand_line(hand))
    lines += [
        f"Seat {p.payer} pays seat {p.payee} {_points(p.points)}: {p.why} ({p.clause})." for p in settlement.payments
    ]
    lines += [
        f"Seat {p.seat} loses {_points(p.points)}, which nobody receives: {p.why} ({p.clause})."
        for p in settlement.penalties
    ]
    lines.append(
        "Points: " + ", ".join(f"seat {seat} {points:+d}" for seat, points in enumerate(settlement.points)) + "."
    )
    lines.append(f"Next dealer: seat {settlement.next_dealer} (SBR-8.1).")
    return tuple(lines)


def _points(number: int) -> str:
    return "1 point" if number == 1 else f"{number} points"


def _kong_line(settled: SettledKong) -> str:
    kong = settled.kong
    what = f"Seat {kong.seat} declared a {kong.type} kong"
    if kong.from_ is not None:
        what += f" on a discard of seat {kong.from_}"
    if not settled.paid:
        return f"{what}; it is not paid, because {settled.why} ({settled.clause})."
    return f"{what}, which is worth nothing (SBR-6.3)." if kong.type is MeldType.POSTPONED else f"{what}."


def _hu_lines(event: Hu, judged: JudgedHu) -> Iterator[str]:
    winner = judged.winner
    how = {
        SELF_DRAWN_HU: "on a tile of the wall",
        ROBBED_KONG_HU: f"by robbing a kong of seat {event.from_}",
        DISCARD_HU: f"on a discard of seat {event.from_}",
    }
    yield f"Seat {judged.seat} declared Hu {how[event.by]}."
    if winner.standing is not None and winner.winning is not None:
        void = "" if winner.void is None else f", forbidden suit {SUITS[winner.void]}"
        sets = "".join(f" {_meld(meld)}" for meld in winner.melds)
        yield f"  Tiles: {format_tiles(winner.standing)}{sets} and {tile_name(winner.winning)}{void}."
    if judged.false:
        yield f"  The Hu is false: {judged.why} (SBR-7.2)."
        return
    if judged.score is None:
        yield f"  Judged by a referee: worth {_points(judged.value)}."
        return
    yield f"  {_reading(judged)}"
    items = ", ".join(f"{name.replace('_', ' ')} {fans}" for name, fans in judged.score.items.items())
    fans = judged.score.fans
    capped = "" if 1 << fans == judged.value else ", the limit"
    fan_text = "1 fan" if fans == 1 else f"{fans} fans"
    yield f"  {items or 'No items'}: {fan_text}, worth {_points(judged.value)}{capped} (SBR-5.3)."


def _reading(judged: JudgedHu) -> str:
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
    pairs = " ".join(format_tiles((kind, kind)) for kind in reading.pairs)
    if reading.form != REGULAR:
        return f"Seven pairs: {pairs} (SBR-5.1)."
    sets = " ".join(format_tiles(tiles) for tiles in reading.sets)
    return f"Sets: {sets}, pair {pairs} (SBR-5.1)."


def _meld(meld: Meld) -> str:
    return f"[{meld.type}{' kong' if meld.is_kong else ''} {format_tiles(meld.tiles)}]"


def _hand_line(judged: JudgedHand) -> str:
    seat = judged.hand.seat
    if not judged.ready:
        return f"Seat {seat} was not ready: {judged.why} (SBR-6.6)."
    if not judged.values:
        return f"Seat {seat} was ready, judged by a referee: worth {_points(judged.best)}."
    tiles = ", ".join(f"{tile_name(kind)} ({value})" for kind, value in judged.values.items())
    return f"Seat {seat} was ready for {tiles}; the best is worth {_points(judged.best)} (SBR-6.5)."
