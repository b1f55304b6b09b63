"""What a hand of Cumberland or Balsall comes to for all four, and who is East next. (CUM-6 to 8, BAL-4, 7 to 9)

Input and output have the shapes of `wallwright rules settle`; payments are tuples (from, to, points, clause), and the
pot is the payer or payee `pot`.
"""

from typing import Any

from tests.reference.classical import rules_of, score
from tests.reference.full_set import Record

SEATS = (0, 1, 2, 3)
KONG_CHIPS = {"concealed": 3, "melded": 2, "promoted": 1, "postponed": 1}
"""BAL-4.2."""

Payment = tuple[int | str, int | str, int, str]


def settle(record: Record) -> dict[str, Any]:
    """Points by seat, payments, the next East and what the game keeps."""
    return cumberland(record) if record["ruleset"] == "cumberland" else balsall(record)


def worth(record: Record, seat: int) -> int:
    """What the hand of a seat is worth, by its tiles or as the table agreed."""
    hand = record["hands"][seat]
    if hand is None:
        return 0
    if "points" in hand:
        return int(hand["points"])
    wind = "ESWN"[(seat - record["east"]) % 4]
    known = {"ruleset": record["ruleset"], "options": record.get("options", {}), "seat_wind": wind}
    known |= {"round_wind": record.get("round_wind"), "by": record.get("by")}
    return int(score({**known, **hand, "winner": seat == record["winner"]})["points"])


def balance(payments: list[Payment]) -> list[int]:
    """What each seat has gained."""
    return [sum(p[2] for p in payments if p[1] == seat) - sum(p[2] for p in payments if p[0] == seat) for seat in SEATS]


def cumberland(record: Record) -> dict[str, Any]:
    """Four scores written down, or paid all against all. (CUM-6)"""
    east, winner = record["east"], record["winner"]
    dead = [event["seat"] for event in record.get("events", ()) if event["type"] == "false_win"]
    if winner is None:
        return {"points": [0, 0, 0, 0], "payments": [], "scores": [0, 0, 0, 0], "next_dealer": east}
    scores = [0 if seat in dead else worth(record, seat) for seat in SEATS]
    next_east = east if winner == east else (east + 1) % 4
    if rules_of(record)["settlement"] == "record":
        return {"points": scores, "payments": [], "scores": scores, "next_dealer": next_east}
    payments: list[Payment] = []
    for one in SEATS:
        for other in SEATS:
            if one == winner or other == one:
                continue
            times = 2 if east in (one, other) and east != winner else 1
            if other == winner:
                payments.append((one, winner, scores[winner] * times, "CUM-6.2"))
            elif scores[one] < scores[other]:
                payments.append((one, other, (scores[other] - scores[one]) * times, "CUM-6.2"))
    payments = [payment for payment in payments if payment[2]]
    return {"points": balance(payments), "payments": payments, "scores": scores, "next_dealer": next_east}


def balsall(record: Record) -> dict[str, Any]:
    """Chips for kongs, the winner's points or the pot, the next dealer and the kind of the next deal. (BAL-7 to 9)"""
    east, winner, goulash = record["east"], record["winner"], record.get("goulash", False)
    pot, first = record.get("pot", 0), record.get("first_dealer", 0)
    payments: list[Payment] = []
    if goulash and not pot:
        payments += [(seat, "pot", 5, "BAL-8.2") for seat in SEATS]
        pot = 20
    kongs = [event for event in record.get("events", ()) if event["type"] == "kong" and not event.get("robbed")]
    if winner is not None and kongs and is_after_kong(record):
        kongs.remove([kong for kong in kongs if kong["seat"] == winner][-1])
    for kong in kongs:
        chips = KONG_CHIPS[kong["kind"]]
        payments += [(seat, kong["seat"], chips, "BAL-4.2") for seat in SEATS if seat != kong["seat"]]
    if winner is not None and goulash:
        payments.append(("pot", winner, pot, "BAL-8.2"))
        pot = 0
    elif winner is not None:
        chips = worth(record, winner) * rules_of(record)["chips_per_point"]
        payers = [seat for seat in SEATS if seat != winner]
        if record["by"] in ("discard", "robbed_kong"):
            payers = [record["from"]]
        payments += [(seat, winner, chips, "BAL-7.2") for seat in payers if chips]
    stays = winner is None or (winner == east and not goulash)
    next_east = east if stays else (east + 1) % 4
    wind = record["round_wind"]
    over = False
    if not stays and next_east == first:
        over = wind == "N"
        wind = "ESWN"[("ESWN".index(wind) + 1) % 4]
    return {
        "points": balance(payments),
        "payments": payments,
        "next_dealer": next_east,
        "round_wind": wind,
        "pot": pot,
        "goulash": winner is None,
        "match_over": over,
    }


def is_after_kong(record: Record) -> bool:
    """Whether the winning tile replaced a kong of that turn; a loose tile of a hand with flowers must say so."""
    hand = record["hands"][record["winner"]]
    if not any(event["type"] == "kong" and event["seat"] == record["winner"] for event in record["events"]):
        return False
    if record.get("after_kong") or "after_kong" in hand.get("conditions", ()):
        return True
    return record["by"] == "loose" and not hand.get("flowers")
