"""How many deals of Hong Kong, Cumberland and Balsall the tracker recovers when readers err.

    .venv-dev/bin/python -m benchmarks.tracking_games [DEALS] [GAME ...]

Deals of bots are acted out as in `tracking.py`. Games are hong-kong, flowers (Hong Kong with them), cumberland,
balsall, and goulash, one of Balsall. "Exact": taken without a question, every act is right; "marked": what is not
right is marked as doubtful; "asked": one question; "lost": not followed, to be declared; "wrong": silently wrong.
"""

import sys
from collections import Counter

from tests.host.tracking.truth_turns import acted_turns, is_exact, is_silently_wrong, played_turns, tracked_turns

DEALS = 50
GAMES = ("hong-kong", "flowers", "cumberland", "balsall", "goulash")
MISSED = (0, 20)
"""Reads lost, in permille."""
WORDS = ("exact", "marked", "asked", "lost", "wrong")


def row(game: str, deals: int, missed: int, *, wall: bool) -> Counter[str]:
    """What comes of so many deals, with the wall revealed or without."""
    found: Counter[str] = Counter()
    for seed in range(deals):
        played = played_turns(game, seed)
        outcome = tracked_turns(acted_turns(played, seed, miss=missed), played.rules, wall=wall)
        account = outcome.account
        if account is None:
            found["lost" if outcome.question is None else "asked"] += 1
        elif is_exact(account, played):
            found["exact"] += 1
        else:
            found["wrong" if is_silently_wrong(account, played) else "marked"] += 1
    return found


def main() -> None:
    """Print the table."""
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else DEALS
    print(f"{'game':<12}{'wall':<6}{'missed':>7}{'deals':>7}" + "".join(f"{word:>8}" for word in WORDS))
    for game in sys.argv[2:] or GAMES:
        for wall in (True, False):
            for missed in MISSED:
                found = row(game, deals, missed, wall=wall)
                told = "yes" if wall else "no"
                numbers = "".join(f"{found[word]:8d}" for word in WORDS)
                print(f"{game:<12}{told:<6}{missed / 1000:7.1%}{deals:7d}{numbers}", flush=True)


if __name__ == "__main__":
    main()
