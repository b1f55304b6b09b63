"""Deals to play: dealt blindly, or rigged so that kongs, robbed kongs and Hu come early and often."""

import random
from collections import Counter
from dataclasses import dataclass

from tests.reference.cases import regular
from tests.reference.deal import Table
from tests.reference.notation import ALL_TILES, name


@dataclass(frozen=True)
class Start:
    """What lies on the table when play begins. `wall` is in drawing order; the dealer holds 14 tiles."""

    dealer: int
    hands: tuple[tuple[int, ...], ...]
    wall: tuple[int, ...]
    wishes: tuple[str, ...] = ()
    """Actions that a lively player takes nearly always when they become legal, each once."""

    def table(self, ruleset: str) -> Table:
        """The reference's deal from here."""
        return Table(ruleset, self.dealer, [list(hand) for hand in self.hands], list(self.wall))


def blind(rng: random.Random) -> Start:
    """A fair shuffle."""
    return dealt_out(rng, [[], [], [], []], rng.randrange(4))


def ready_hand(rng: random.Random, chows: float) -> list[int]:
    """Thirteen tiles of two suits, one from complete. Fewer chows make more pungs and kongs."""
    hand, _melds = regular(rng, rng.sample((1, 2, 3), 2), 0, chows)
    hand.remove(rng.choice(hand))
    return hand


def rigged(rng: random.Random) -> Start:
    """Four ready hands."""
    chows = rng.random()
    while True:
        hands = [ready_hand(rng, chows) for _ in range(4)]
        if fits(hands):
            return dealt_out(rng, hands, rng.randrange(4))


def contested(rng: random.Random) -> Start:
    """One seat holds a pair, two others wait for that tile in a chow, and its last copies come early in the wall."""
    while True:
        low = 10 * rng.choice((1, 2, 3)) + rng.randint(1, 7)
        wanted = low + 1
        hands = []
        for _ in range(2):
            hand, _melds = regular(rng, (low // 10, low // 10 % 3 + 1), 1, 0.5)
            hands.append([*hand, low, low + 2])
        hands += [[wanted, wanted, *ready_hand(rng, 0.3)[:9]], ready_hand(rng, 0.5)]
        if not fits(hands) or sum(hand.count(wanted) for hand in hands) != 2:
            continue
        rng.shuffle(hands)
        start = dealt_out(rng, hands, rng.randrange(4))
        rest = [tile for tile in start.wall if tile != wanted]
        for _ in range(4 - sum(hand.count(wanted) for hand in start.hands)):
            rest.insert(rng.randint(0, 20), wanted)
        return Start(start.dealer, start.hands, tuple(rest))


def chained(rng: random.Random) -> Start:
    """A seat pungs the first discard, later makes a kong, and draws the fourth tile, for which two others wait."""
    while True:
        dealer = rng.randrange(4)
        low = 10 * rng.choice((1, 2, 3)) + rng.randint(1, 7)
        wanted, four = low + 1, rng.choice(ALL_TILES)
        caller = (dealer + 1) % 4
        hands: list[list[int]] = [[], [], [], []]
        hands[dealer] = [wanted]
        hands[caller] = [wanted, wanted, *[four] * 4]
        for step in (2, 3):
            hand, _melds = regular(rng, (low // 10, low // 10 % 3 + 1), 1, 0.5)
            hands[(dealer + step) % 4] = [*hand, low, low + 2]
        if four in (low, wanted, low + 2) or not fits(hands) or sum(hand.count(wanted) for hand in hands) != 3:
            continue
        start = dealt_out(rng, hands, dealer)
        if wanted in start.wall:
            rest = [tile for tile in start.wall if tile != wanted]
            # Three others and the caller draw before the replacement.
            rest.insert(4, wanted)
            calls = (f"pung {name(wanted)}", f"kong {name(four)}", f"kong {name(wanted)}")
            patience = tuple(f"{(dealer + step) % 4} pass" for step in (2, 3))
            wishes = (f"{dealer} void {name(wanted)}", *patience, *(f"{caller} {call}" for call in calls))
            return Start(dealer, start.hands, tuple(rest), wishes)


def fits(hands: list[list[int]]) -> bool:
    """No tile five times."""
    return max(Counter(tile for hand in hands for tile in hand).values()) <= 4


def dealt_out(rng: random.Random, hands: list[list[int]], dealer: int) -> Start:
    """Fill the hands up to thirteen, the dealer's to fourteen, and let the rest be the wall."""
    rest = Counter(ALL_TILES * 4) - Counter(tile for hand in hands for tile in hand)
    left = sorted(rest.elements())
    rng.shuffle(left)
    full = []
    for seat, hand in enumerate(hands):
        want = 14 if seat == dealer else 13
        while len(hand) < want:
            hand.append(left.pop())
        full.append(tuple(sorted(hand)))
    return Start(dealer, tuple(full), tuple(left))


class Lively:
    """Chooses by lot for all seats, likes declarations more or less, and keeps ready hands ready."""

    def __init__(self, rng: random.Random, wishes: tuple[str, ...] = ()) -> None:
        self.rng = rng
        self.wishes = list(wishes)
        self.chances = {
            "hu": rng.choice((0.2, 0.6, 1.0)),
            "kong": rng.choice((0.4, 0.9)),
            "pung": rng.choice((0.3, 0.9)),
        }

    def choose(self, table: Table) -> str:
        """One of the legal actions. Void suits are mostly cards."""
        rng, legal = self.rng, table.legal()
        wished = [action for action in legal if action in self.wishes]
        if wished and rng.random() < 0.95:
            self.wishes.remove(wished[0])
            return wished[0]
        sensible = [action for action in legal if action[-1] != table.voids[int(action[0])]]
        for verb, chance in self.chances.items():
            found = [action for action in sensible if action.split()[1] == verb]
            if found and rng.random() < chance:
                return rng.choice(found)
        if table.phase == "void":
            favoured = [action for action in legal if len(action.split()[2]) == 1]
        elif table.phase == "own":
            favoured = [action for action in legal if action[-1] == table.voids[table.seat]]
            if not favoured and table.drawn:
                favoured = [action for action in legal if action.split()[1:] == ["discard", name(table.drawn)]]
        else:
            favoured = []
        return rng.choice(favoured if favoured and rng.random() < 0.85 else legal)
