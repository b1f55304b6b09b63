"""A declared deal: only what players declare and show is known, as at a table without tile readers.

    deal = DeclaredDeal(ruleset, dealer)
    deal.kong(1, "melded", from_=2)
    deal.hu(by="discard", from_=1, after_kong=True, winners=[Winner(0, value=4)])
    deal.end("wall", hands=[FinalHand(1, ...), ...])
    deal.settle()

Every event is checked against those before it; what cannot have happened raises ImpossibleDeal with the reason.
"""

from collections.abc import Iterable, Sequence

from wallwright.rules.core.errors import HandError, ImpossibleDeal
from wallwright.rules.core.tile_words import Tiles
from wallwright.rules.sichuan.events import (
    DISCARD_HU,
    ROBBED_KONG_HU,
    SELF_DRAWN_HU,
    THREE_HU,
    TIME_UP_END,
    WALL,
    Breach,
    By,
    End,
    Event,
    FinalHand,
    Hu,
    Kong,
    Winner,
    declared_kongs,
)
from wallwright.rules.sichuan.melds import KONG_TYPES, Meld, MeldType
from wallwright.rules.sichuan.packed import HIGH, ONE, OVER_FOUR, pack_tiles, unpack
from wallwright.rules.sichuan.ruleset import Ruleset
from wallwright.rules.sichuan.settlement import KONG_WORDS, Settlement, settle
from wallwright.words import Listed, Named, Seat, Words, plural, told_by, words

_ADDED = (MeldType.PROMOTED, MeldType.POSTPONED)


class DeclaredDeal:
    """Events in the order in which they happened, then the end."""

    def __init__(self, ruleset: Ruleset, dealer: int) -> None:
        self.ruleset = ruleset
        self.dealer = dealer
        self.events: list[Event] = []
        self.hands: tuple[FinalHand, ...] = ()
        self.ended: End | None = None
        self._out: list[int] = []
        _check_seat(dealer, words("the dealer"))

    def kong(self, seat: int, kind: str, from_: int | None = None, robbed: bool = False, chain: bool = False) -> None:
        """A kong: `kind` is concealed, melded (`from_` the discarder), promoted or postponed (SBR-4.4)."""
        if kind not in KONG_TYPES:
            raise ImpossibleDeal(
                words("a kong is {kinds}, not {kind}", kinds=_any("kong", KONG_TYPES), kind=repr(kind))
            )
        self.add(Kong(seat, MeldType(kind), from_, robbed, chain))

    def hu(self, by: By, winners: Sequence[Winner], from_: int | None = None, after_kong: bool = False) -> None:
        """One or several Hu on one tile; `by` is self_drawn, discard or robbed_kong."""
        self.add(Hu(by, tuple(winners), from_, after_kong))

    def breach(self, seat: int) -> None:
        """An active breach of the forbidden suit (SBR-11.2)."""
        self.add(Breach(seat))

    def add(self, event: Event) -> None:
        """Note an event, whatever its type. ImpossibleDeal when it cannot follow those before it."""
        number = len(self.events) + 1
        try:
            self._check_going_on()
            if isinstance(event, Kong):
                self._check_kong(event)
            elif isinstance(event, Hu):
                self._check_hu(event)
            else:
                self._check_breach(event)
        except ImpossibleDeal as error:
            raise ImpossibleDeal(words("event {number}: {why}", number=number, why=told_by(error))) from error
        self.events.append(event)
        if isinstance(event, Hu):
            self._out += [winner.seat for winner in event.winners]

    def end(self, end: End, hands: Iterable[FinalHand] = ()) -> None:
        """How the deal ended, and the hands shown by players without Hu.

        At the wall's end every one of them is needed. After three Hu and when time is up only declared sets are
        looked at (SBR-3.4, 6.4), except where the ruleset checks the hand at any end (SBR-10.2).
        """
        hands = tuple(hands)
        if self.ended is not None:
            raise ImpossibleDeal(words("the deal has ended already"))
        self._check_robbed_kong_was_won()
        if end not in (THREE_HU, WALL, TIME_UP_END):
            ends = _any("end", (THREE_HU, WALL, TIME_UP_END))
            raise ImpossibleDeal(words("a deal ends by {ends}, not {end}", ends=ends, end=repr(end)))
        if (end == THREE_HU) != (len(self._out) >= 3):
            problem = plural(
                "the end is {end}, but {count} player has declared Hu",
                "the end is {end}, but {count} players have declared Hu",
            )
            raise ImpossibleDeal(words(problem, end=Named("end", end), count=len(self._out)))
        self._check_hands(end, hands)
        # Time may be called while a player holds the tile just drawn.
        self._check_copies(hands, (13, 14) if end == TIME_UP_END else (13,))
        self.hands = hands
        self.ended = end

    def settle(self) -> Settlement:
        """Who pays what. ImpossibleDeal while the end is not told; HandError when a hand cannot exist."""
        if self.ended is None:
            raise ImpossibleDeal(words("the end of the deal is not told: three_hu, wall or time_up"))
        return settle(self.ruleset, self.dealer, self.events, self.ended, self.hands)

    def dealer_to_come(self) -> int | None:
        """Who deals next if the Hu declared so far stand, None before the first true one (SBR-8.1)."""
        if not any(isinstance(event, Hu) for event in self.events):
            return None
        settled = settle(self.ruleset, self.dealer, self.events, TIME_UP_END, ())
        return settled.next_dealer if settled.winners else None

    def _check_going_on(self) -> None:
        if self.ended is not None or len(self._out) >= 3:
            raise ImpossibleDeal(words("the deal was over before it"))

    def _check_kong(self, kong: Kong) -> None:
        self._check_robbed_kong_was_won()
        self._check_in_game(kong.seat, words("the owner of the kong"))
        if kong.type is MeldType.MELDED:
            if kong.from_ is None:
                raise ImpossibleDeal(words("a melded kong needs `from`, the seat that discarded the tile"))
            if kong.from_ == kong.seat:
                raise ImpossibleDeal(words("{seat} cannot claim a kong from its own discard", seat=Seat(kong.seat)))
            self._check_in_game(kong.from_, words("the discarder"))
        elif kong.from_ is not None:
            problem = "a {kong} comes from nobody, but `from` is {from_}"
            raise ImpossibleDeal(words(problem, kong=KONG_WORDS[kong.type], from_=Seat(kong.from_)))
        if kong.robbed and kong.type not in _ADDED:
            problem = "a {kong} cannot be robbed, only a tile added to a pung"
            raise ImpossibleDeal(words(problem, kong=KONG_WORDS[kong.type]))
        if kong.chain:
            before = self._last()
            if not isinstance(before, Kong) or before.seat != kong.seat:
                problem = "a chained kong follows another kong of {seat} in the same turn"
                raise ImpossibleDeal(words(problem, seat=Seat(kong.seat)))
            if kong.type is MeldType.MELDED:
                raise ImpossibleDeal(words("a melded kong begins a turn, so it cannot be chained"))
        if declared_kongs(self.events, kong.seat) == 4:
            raise ImpossibleDeal(words("a fifth kong of {seat}", seat=Seat(kong.seat)))

    def _check_hu(self, hu: Hu) -> None:
        before = self._last()
        if not hu.winners:
            raise ImpossibleDeal(words("a Hu without a winner"))
        seats = [winner.seat for winner in hu.winners]
        for seat in seats:
            self._check_in_game(seat, words("the winner"))
        if len(set(seats)) != len(seats):
            raise ImpossibleDeal(words("one seat is named twice among the winners {seats}", seats=_named(seats)))
        if hu.by == SELF_DRAWN_HU:
            self._check_robbed_kong_was_won()
            if len(seats) > 1 or hu.from_ is not None:
                raise ImpossibleDeal(words("a self-drawn Hu has one winner and no `from`"))
            if hu.after_kong and not (isinstance(before, Kong) and before.seat == seats[0]):
                raise ImpossibleDeal(words("after_kong: the event before is no kong of {seat}", seat=Seat(seats[0])))
            return
        if hu.by not in (DISCARD_HU, ROBBED_KONG_HU):
            ways = _any("by", (SELF_DRAWN_HU, DISCARD_HU, ROBBED_KONG_HU))
            raise ImpossibleDeal(words("a Hu is by {ways}, not {by}", ways=ways, by=repr(hu.by)))
        if hu.from_ is None:
            raise ImpossibleDeal(words("a Hu by {by} needs `from`, the seat whose tile it was", by=Named("by", hu.by)))
        self._check_in_game(hu.from_, words("the seat whose tile it was"))
        if hu.from_ in seats:
            raise ImpossibleDeal(words("{seat} cannot win on its own tile", seat=Seat(hu.from_)))
        if len({winner.winning for winner in hu.winners if winner.winning is not None}) > 1:
            raise ImpossibleDeal(words("several Hu on one tile need the same winning tile"))
        robbed = isinstance(before, Kong) and before.robbed
        if robbed and not (hu.by == ROBBED_KONG_HU and isinstance(before, Kong) and before.seat == hu.from_):
            self._check_robbed_kong_was_won()
        if hu.after_kong and not self._follows_kong(hu.from_, before):
            problem = "after_kong: the event before is no kong of {seat} on whose replacement it could be"
            raise ImpossibleDeal(words(problem, seat=Seat(hu.from_)))

    def _follows_kong(self, seat: int, before: Event | None) -> bool:
        """Whether the tile came right after a kong of `seat`; for a robbed kong, whether that one was chained."""
        if not isinstance(before, Kong) or before.seat != seat:
            return False
        return before.chain if before.robbed else True

    def _check_breach(self, breach: Breach) -> None:
        self._check_robbed_kong_was_won()
        self._check_in_game(breach.seat, words("the seat of the breach"))
        if not self.ruleset.breach_points:
            problem = "the ruleset {ruleset} knows no active breach (SBR-11.2)"
            raise ImpossibleDeal(words(problem, ruleset=self.ruleset.said_name))
        if breach in self.events:
            problem = "a second breach of {seat}: it is punished once in a deal"
            raise ImpossibleDeal(words(problem, seat=Seat(breach.seat)))

    def _check_robbed_kong_was_won(self) -> None:
        before = self._last()
        if isinstance(before, Kong) and before.robbed:
            problem = "the kong of {seat} was robbed, so a Hu by robbed_kong from it must follow"
            raise ImpossibleDeal(words(problem, seat=Seat(before.seat)))

    def _check_in_game(self, seat: int, who: Words) -> None:
        _check_seat(seat, who)
        if seat in self._out:
            raise ImpossibleDeal(words("{who}, {seat}, had declared Hu before", who=who, seat=Seat(seat)))

    def _last(self) -> Event | None:
        """The event before, breaches aside: a breach is the discard itself and parts nothing."""
        return next((event for event in reversed(self.events) if not isinstance(event, Breach)), None)

    def _check_hands(self, end: End, hands: tuple[FinalHand, ...]) -> None:
        seats = [hand.seat for hand in hands]
        for seat in seats:
            _check_seat(seat, words("a final hand"))
            if seat in self._out:
                raise ImpossibleDeal(words("{seat} has declared Hu, so it has no hand at the end", seat=Seat(seat)))
        if len(set(seats)) != len(seats):
            raise ImpossibleDeal(words("one seat shows two hands: {seats}", seats=_named(seats)))
        if end == WALL or (end == THREE_HU and self.ruleset.void_check == "any"):
            missing = [seat for seat in range(4) if seat not in self._out and seat not in seats]
            if missing:
                seat = missing[0]
                judged = f'{{"seat": {seat}, "value": 0}}'
                problem = "the final hand of {seat} is missing: show it, or say {judged} when it was judged not ready"
                raise ImpossibleDeal(words(problem, seat=Seat(seat), judged=judged))

    def _check_copies(self, hands: tuple[FinalHand, ...], sizes: tuple[int, ...]) -> None:
        """No fifth copy over all hands shown, and the kongs shown are those declared. A tile won by several is one
        tile.
        """
        seen = 0
        for event in self.events:
            if isinstance(event, Hu):
                for winner in event.winners:
                    if winner.standing is not None:
                        seen += self._shown(winner.seat, winner.standing, winner.melds, (13,))
                tile = next((winner.winning for winner in event.winners if winner.winning is not None), None)
                seen += 0 if tile is None else ONE[tile]
        for hand in hands:
            if hand.standing is not None:
                seen += self._shown(hand.seat, hand.standing, hand.melds, sizes)
        if seen + OVER_FOUR & HIGH:
            kind = next(kind for kind, count in enumerate(unpack(seen)) if count > 4)
            raise ImpossibleDeal(words("a fifth {tile} among the hands shown", tile=Tiles((kind,))))

    def _shown(self, seat: int, standing: tuple[int, ...], melds: tuple[Meld, ...], sizes: tuple[int, ...]) -> int:
        """The tiles of a hand, packed, after the check that it is one."""
        shown = sum(meld.is_kong for meld in melds)
        declared = declared_kongs(self.events, seat)
        if shown != declared:
            raise ImpossibleDeal(kongs_differ(seat, shown, declared))
        if len(standing) + 3 * len(melds) not in sizes:
            tiles = words(plural("{count} standing tile", "{count} standing tiles"), count=len(standing))
            sets = words(plural("{count} set", "{count} sets"), count=len(melds))
            raise HandError(
                words("{seat}: {tiles} and {sets} are not a hand of 13", seat=Seat(seat), tiles=tiles, sets=sets)
            )
        return pack_tiles(standing) + sum(ONE[meld.tile] * len(meld.tiles) for meld in melds)


def kongs_differ(seat: int, shown: int, declared: int) -> Words:
    """Say that a hand shows another number of kongs than were declared of it."""
    text = plural(
        "{seat} shows {shown} kong, but {declared} were declared",
        "{seat} shows {shown} kongs, but {declared} were declared",
        "shown",
    )
    return words(text, seat=Seat(seat), shown=shown, declared=declared)


def _named(seats: list[int]) -> Listed:
    return Listed(tuple(map(Seat, seats)))


def _any(kind: str, names: Iterable[str]) -> Listed:
    return Listed(tuple(Named(kind, str(name)) for name in names))


def _check_seat(seat: int, who: Words) -> None:
    if seat not in range(4):
        raise ImpossibleDeal(words("{who} is seat {seat}: seats are 0 to 3, counter-clockwise", who=who, seat=seat))
