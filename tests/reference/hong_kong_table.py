"""A second reading of how a deal of Hong Kong is played: what may be done, as text. (HKO-1.3, 2.5, 2.6, 4, 5.1, 5.7)

Slow on purpose: tiles are text, every question is answered by looking at all of them again, and whoever wants to go
back takes a copy. Late claims and calls are no acts here, as they are made beside a turn.
"""

import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from tests.reference.full_set import TERMINALS_AND_HONOURS, read
from tests.reference.hong_kong import rules_of, score

Meld = dict[str, Any]


class Table:
    """One deal. `wall` has the tiles left in the order of the head, `tail` their places in that of replacements."""

    def __init__(
        self, ruleset: str, options: Mapping[str, Any], dealer: int, round_wind: str, hands: Sequence[str], wall: str,
        tail: Sequence[int],
    ) -> None:  # fmt: skip
        self.ruleset, self.options = ruleset, dict(options)
        self.rules = rules_of({"ruleset": ruleset, "options": options})
        self.dealer, self.round_wind = dealer, round_wind
        dealt = [read(hand) for hand in hands]
        self.hands = [[tile for tile in hand if tile[1] != "f"] for hand in dealt]
        self.to_lay = [sorted(tile for tile in hand if tile[1] == "f") for hand in dealt]
        self.flowers: list[list[str]] = [[], [], [], []]
        self.melds: list[list[Meld]] = [[], [], [], []]
        self.wall = read(wall)
        self.tail = list(tail)
        self.taken: set[int] = set()
        self.discards = 0
        self.kongs_in_a_row = 0
        self.turn = dealer
        self.is_dealing = True
        self.drawn: str | None = None
        self.from_wall, self.from_tail = True, False
        self.is_over = False
        self.waits_for = "turn"
        # A tile that others may claim, or a kong that they may rob, who is asked, and what they have answered.
        self.offered, self.kong_face = "", ""
        self.asked: list[int] = []
        self.answers: list[str] = []
        self.lay_or_play()

    def copy(self) -> "Table":
        """A deal that goes its own way from here."""
        other = copy.copy(self)
        for name in ("hands", "to_lay", "flowers", "melds"):
            setattr(other, name, [list(one) for one in getattr(self, name)])
        other.taken, other.asked, other.answers = set(self.taken), list(self.asked), list(self.answers)
        return other

    # The wall.

    def left(self) -> int:
        """Tiles that may still be drawn. (HKO-2.6)"""
        return max(0, len(self.wall) - len(self.taken) - int(self.rules["dead_wall"]))

    def next_tile(self, from_tail: bool) -> int:
        """The place of the next tile of an end. (HKO-2.5)"""
        places = self.tail if from_tail else list(range(len(self.wall)))
        return next(place for place in places if place not in self.taken)

    # What may be done.

    def legal(self) -> list[str]:
        """Every act that may be done now."""
        if self.is_over:
            return []
        if self.asked:
            return [f"{self.asked[0]} {act}" for act in ["pass", *self.claims(self.asked[0])]]
        if self.waits_for == "flower":
            return [f"{self.turn} flower {self.to_lay[self.turn][0]}"]
        if self.waits_for in ("draw", "replace"):
            return [f"{self.turn} {self.waits_for} {self.wall[self.next_tile(self.waits_for == 'replace')]}"]
        return [f"{self.turn} {act}" for act in self.of_turn()]

    def of_turn(self) -> Iterator[str]:
        """A win, a discard, or a kong. (HKO-4.1 to 4.3, 4.5, 4.10)"""
        hand = self.hands[self.turn]
        if self.from_wall and self.wins(self.turn, None, "loose" if self.from_tail else "self_drawn"):
            yield "hu" if self.drawn is None else f"hu {self.drawn}"
        if self.from_wall and not self.left() and not self.rules["last_discard"]:
            yield "pass"
            return
        yield from (f"discard {tile}" for tile in sorted(set(hand)))
        if self.from_wall and self.left():
            faces = {"choice": (" shown", " hidden")}.get(
                self.rules["concealed_kong"], (f" {self.rules['concealed_kong']}",)
            )
            pungs = [meld["tiles"][:1] + meld["tiles"][-1] for meld in self.melds[self.turn] if meld["kind"] == "pung"]
            for tile in sorted(set(hand)):
                if hand.count(tile) == 4:
                    yield from (f"kong {tile}{face}" for face in faces)
                elif tile in pungs:
                    yield f"kong {tile}"

    def claims(self, seat: int) -> list[str]:
        """What a seat may do with the tile offered, but let it go. (HKO-4.3, 4.4, 4.6)"""
        tile, hand = self.offered, self.hands[seat]
        if self.kong_face:
            hidden = self.kong_face == "hidden" and sorted({*hand, tile}) != sorted(TERMINALS_AND_HONOURS)
            return [] if hidden or not self.wins(seat, tile, "robbed_kong") else [f"hu {tile}"]
        found = [f"hu {tile}"] if self.wins(seat, tile, "discard") else []
        if not self.left():
            return found
        found += [f"pung {tile}"] * (hand.count(tile) >= 2) + [f"kong {tile}"] * (hand.count(tile) == 3)
        if tile[1] != "z" and seat == (self.turn + 1) % 4:
            rank, suit = int(tile[0]), tile[1]
            for low in range(max(1, rank - 2), min(7, rank) + 1):
                if all(f"{one}{suit}" in hand for one in range(low, low + 3) if one != rank):
                    found.append(f"chow {low}{low + 1}{low + 2}{suit}")
        return found

    def wins(self, seat: int, tile: str | None, by: str) -> bool:
        """Whether a hand is complete with a tile, which stands in it already when it was drawn, and dear enough."""
        standing = list(self.hands[seat])
        winning = tile or self.drawn or standing[-1]
        if tile is None:
            standing.remove(winning)
        if not complete(
            tuple(sorted([*standing, winning], key=by_suit)), len(self.melds[seat]), self.rules["seven_pairs"]
        ):
            return False
        if not self.rules["min_faan"]:
            return True
        first = not any(self.melds) and self.discards <= 1 and not self.kongs_in_a_row
        conditions = []
        if by == "loose" and self.kongs_in_a_row:
            conditions = ["after_kong", "kong_on_kong"][: self.kongs_in_a_row]
        if not self.left() and by != "robbed_kong":
            conditions.append("last_discard" if by == "discard" else "last_tile")
        if first and ((tile is None and self.drawn is None) or (by == "discard" and self.turn == self.dealer)):
            conditions.append("earthly" if by == "discard" else "heavenly")
        record = {
            "ruleset": self.ruleset, "options": self.options, "standing": "".join(standing), "winning": winning,
            "melds": self.melds[seat], "by": by, "seat_wind": "ESWN"[(seat - self.dealer) % 4],
            "round_wind": self.round_wind, "flowers": self.flowers[seat], "conditions": conditions,
        }  # fmt: skip
        return bool(score(record)["allowed"])

    # What acts do.

    def apply(self, act: str) -> None:
        """Do one of the legal acts."""
        assert act in self.legal(), (act, self.legal())
        seat, verb, *rest = act.split()
        if self.asked:
            self.answers.append(act)
            self.asked.pop(0)
            if not self.asked:
                self.resolve()
            return
        getattr(self, f"do_{verb}")(int(seat), *rest)

    def do_hu(self, _: int, *__: str) -> None:
        """A win ends the deal. (HKO-4.2)"""
        self.is_over = True

    do_pass = do_hu

    def do_flower(self, seat: int, tile: str) -> None:
        """It is laid out and replaced from the tail. (HKO-1.3)"""
        self.to_lay[seat].remove(tile)
        self.flowers[seat].append(tile)
        self.replace()

    def do_draw(self, seat: int, tile: str, from_tail: bool = False) -> None:
        """A tile of the wall; a flower is laid out at once."""
        self.taken.add(self.next_tile(from_tail))
        self.from_tail = from_tail
        if tile[1] == "f":
            self.to_lay[seat].append(tile)
            self.waits_for = "flower"
            return
        self.hands[seat].append(tile)
        if self.is_dealing:
            self.lay_or_play()
            return
        self.drawn, self.from_wall, self.waits_for = tile, True, "turn"

    def do_replace(self, seat: int, tile: str) -> None:
        """A tile from the other end."""
        self.do_draw(seat, tile, from_tail=True)

    def do_discard(self, seat: int, tile: str) -> None:
        """It is offered to the others."""
        self.hands[seat].remove(tile)
        self.discards += 1
        self.drawn, self.from_tail, self.kongs_in_a_row = None, False, 0
        self.offer(tile, "")

    def do_kong(self, seat: int, tile: str, face: str = "promoted") -> None:
        """It is offered to those who may rob it. (HKO-4.6)"""
        self.hands[seat].remove(tile)
        self.offer(tile, face)

    def offer(self, tile: str, face: str) -> None:
        """Ask everybody who could do something with a tile, counter-clockwise."""
        self.offered, self.kong_face, self.answers = tile, face, []
        self.asked = [seat for seat in ((self.turn + step) % 4 for step in (1, 2, 3)) if self.claims(seat)]
        if not self.asked:
            self.resolve()

    def resolve(self) -> None:
        """A win goes before a pung or kong, these before a chow. (HKO-4.4)"""
        claims = [answer.split() for answer in self.answers if not answer.endswith("pass")]
        if any(verb == "hu" for _, verb, _ in claims):
            self.is_over = True
        elif self.kong_face:
            self.lay_own_kong()
        elif not claims:
            self.pass_turn()
        else:
            seat, verb, tiles = next((one for one in claims if one[1] != "chow"), claims[0])
            self.take(int(seat), verb, read(tiles) if verb == "chow" else [self.offered] * (4 if verb == "kong" else 3))

    def lay_own_kong(self) -> None:
        """Four of the own, or a fourth to a pung."""
        tile, melds = self.offered, self.melds[self.turn]
        if self.kong_face == "promoted":
            at = next(
                at for at, meld in enumerate(melds) if meld["kind"] == "pung" and tile[0] + tile[1] == meld["tiles"][2:]
            )
            melds[at] = {"kind": "kong", "tiles": tile[0] * 4 + tile[1], "type": "promoted"}
        else:
            self.hands[self.turn] = [one for one in self.hands[self.turn] if one != tile]
            melds.append({"kind": "kong", "tiles": tile[0] * 4 + tile[1], "type": "concealed"})
        self.drawn = None
        self.kongs_in_a_row += 1
        self.replace()

    def take(self, seat: int, verb: str, tiles: list[str]) -> None:
        """A claimed set is laid open; a discard follows, after a kong a replacement. (HKO-4.3, 4.5)"""
        own = list(tiles)
        own.remove(self.offered)
        for tile in own:
            self.hands[seat].remove(tile)
        self.melds[seat].append({"kind": verb, "tiles": "".join(tile[0] for tile in tiles) + tiles[0][1]})
        self.turn, self.drawn = seat, None
        if verb == "kong":
            self.kongs_in_a_row = 1
            self.replace()
        else:
            self.from_wall, self.waits_for = False, "turn"

    def pass_turn(self) -> None:
        """The next player draws, unless the wall has ended. (HKO-4.2, 4.10)"""
        if not self.left():
            self.is_over = True
            return
        self.turn = (self.turn + 1) % 4
        self.waits_for = "draw"

    def replace(self) -> None:
        """A tile from the tail is owed; without one the deal is a draw."""
        self.waits_for = "replace"
        self.is_over = not self.left()

    def lay_or_play(self) -> None:
        """Dealt flowers are laid out from the dealer on, all of one player before the next. (HKO-1.3)"""
        for step in range((self.turn - self.dealer) % 4, 4):
            seat = (self.dealer + step) % 4
            if self.to_lay[seat]:
                self.turn, self.waits_for = seat, "flower"
                return
        self.turn, self.waits_for, self.is_dealing, self.from_tail = self.dealer, "turn", False, False


@lru_cache(maxsize=1 << 16)
def complete(tiles: tuple[str, ...], melds: int, seven_pairs: int) -> bool:
    """Whether sorted standing tiles, the winning one among them, and so many sets make a hand. (HKO-5.1)"""
    if not melds and set(tiles) == set(TERMINALS_AND_HONOURS):
        return True
    if not melds and seven_pairs and len(set(tiles)) == 7 and all(tiles.count(tile) == 2 for tile in tiles):
        return True
    pairs = {tile for tile in tiles if tiles.count(tile) >= 2}
    return any(are_sets(without(tiles, (pair, pair))) for pair in pairs)


def by_suit(tile: str) -> str:
    """What sorts tiles by suit, then by number."""
    return tile[::-1]


def are_sets(tiles: tuple[str, ...]) -> bool:
    """Whether sorted tiles can be parted into pungs and chows."""
    if not tiles:
        return True
    rank, suit = int(tiles[0][0]), tiles[0][1]
    chow = tuple(f"{rank + step}{suit}" for step in range(3))
    if tiles.count(tiles[0]) >= 3 and are_sets(tiles[3:]):
        return True
    return suit != "z" and all(tile in tiles for tile in chow) and are_sets(without(tiles, chow))


def without(tiles: tuple[str, ...], some: Sequence[str]) -> tuple[str, ...]:
    """The tiles less some of them."""
    left = list(tiles)
    for tile in some:
        left.remove(tile)
    return tuple(left)


def perft(table: Table, depth: int) -> int:
    """How many sequences of so many acts there are."""
    legal = table.legal()
    if depth == 1:
        return len(legal)
    total = 0
    for act in legal:
        after = table.copy()
        after.apply(act)
        total += perft(after, depth - 1)
    return total


def from_toml(ruleset: str, entry: Mapping[str, Any]) -> Table:
    """The deal of a position in `tests/data/perft/`, after its acts."""
    table = Table(
        ruleset,
        entry.get("options", {}),
        entry["dealer"],
        entry["round_wind"],
        entry["hands"],
        entry["wall"],
        entry["tail"],
    )
    for act in entry["actions"]:
        table.apply(act)
    return table
