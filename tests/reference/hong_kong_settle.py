"""Who pays whom in a deal of Hong Kong Old Style, who deals next, and which wind comes. (HKO-4.9, 6.4 to 8.2)

Input and output have the shapes of `wallwright rules settle`. A liability is an event of its own: `nine_pieces` with
the `seat` that called it, `twelve_pieces` with that seat and `from`, whose discard made the fourth set.
"""

from typing import Any

from tests.reference.full_set import Record, faces, suits
from tests.reference.hong_kong import base, rules_of, score

Payment = tuple[int, int, int, str]
SEATS = (0, 1, 2, 3)


def settle(record: Record, first_dealer: int = 0) -> dict[str, Any]:
    """Points by seat, payments as (from, to, points, clause), the next dealer and round wind (None: all is played)."""
    rules, dealer = rules_of(record), record["dealer"]
    payments: list[Payment] = []
    called: set[int] = set()
    feeders: dict[int, int] = {}
    stays = True
    for event in record["events"]:
        if event["type"] == "nine_pieces":
            called.add(event["seat"])
        elif event["type"] == "twelve_pieces":
            feeders[event["seat"]] = event["from"]
        elif event["type"] == "false_win":
            payments += false_win(event["seat"], rules)
            stays = rules["false_win_dealer"] == "stay" or event["seat"] != dealer
        else:
            winners = true_winners(event, rules)
            for winner in winners:
                points, flush = worth(record, event, winner)
                liable = flush and winner["seat"] in called
                feeder = feeders.get(winner["seat"]) if flush else None
                losers = [seat for seat in SEATS if seat not in [one["seat"] for one in winners]]
                payments += win(event, winner["seat"], points, rules, liable, feeder, losers)
            stays = dealer in [winner["seat"] for winner in winners]
    next_dealer = dealer if stays and rules["dealer_repeat"] else (dealer + 1) % 4
    wind: str | None = record["round_wind"]
    if next_dealer != dealer and next_dealer == first_dealer:
        wind = {"E": "S", "S": "W", "W": "N", "N": None}[record["round_wind"]]
    points_by_seat = [0, 0, 0, 0]
    for payer, payee, points, _ in payments:
        points_by_seat[payer] -= points
        points_by_seat[payee] += points
    return {"points": points_by_seat, "payments": payments, "next_dealer": next_dealer, "round_wind": wind}


def true_winners(event: Record, rules: dict[str, Any]) -> list[Record]:
    """Who wins the tile: the nearest counter-clockwise from who gave it, or all who called. (HKO-4.9)"""
    winners = list(event["winners"])
    if len(winners) > 1 and rules["multi_win"] == "nearest":
        winners = [min(winners, key=lambda winner: (winner["seat"] - event["from"]) % 4)]
    return winners


def worth(record: Record, event: Record, winner: Record) -> tuple[int, bool]:
    """The base of a winner, and whether the hand is of one suit; of a hand given by points that is believed."""
    if "points" in winner:
        return winner["points"], True
    wind = "ESWN"[(winner["seat"] - record["dealer"]) % 4]
    hand = {"by": event["by"], "seat_wind": wind, "round_wind": record["round_wind"], **winner}
    found = score({**hand, "ruleset": record["ruleset"], "options": record.get("options", {})})
    tiles = faces(hand)
    return found["points"], len(suits(tiles)) == 1 and all(tile[1] != "z" for tile in tiles)


def win(
    event: Record, seat: int, points: int, rules: dict[str, Any], nine: bool, feeder: int | None, losers: list[int]
) -> list[Payment]:
    """The payments for one winner. `losers` pay; other winners of the same tile pay nothing. (HKO-6.4 to 6.8)"""
    if event["by"] in ("self_drawn", "loose"):
        if feeder is not None:
            return [(feeder, seat, 6 * points, "HKO-6.8")]
        return [(loser, seat, 2 * points, "HKO-6.5") for loser in losers]
    giver = event["from"]
    if event["by"] == "robbed_kong" and rules["robbed_pays"] == "all":
        return [(giver, seat, 6 * points, "HKO-6.6")]
    if nine:
        return [(giver, seat, 4 * points, "HKO-6.7")]
    clause = "HKO-6.6" if event["by"] == "robbed_kong" else "HKO-6.4"
    if rules["payment"] == "full":
        return [(giver, seat, 4 * points, clause)]
    return [(loser, seat, points * (2 if loser == giver else 1), clause) for loser in losers]


def false_win(seat: int, rules: dict[str, Any]) -> list[Payment]:
    """Twice the base of the dearest hand to each other player. (HKO-7.1)"""
    dearest = 2 * base(rules["limit_faan"], rules)
    return [(seat, other, dearest, "HKO-7.1") for other in SEATS if other != seat]
