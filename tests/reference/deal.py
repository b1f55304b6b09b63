"""A tracked deal as the section "Action sequences" of `docs/rules.md` tells it: texts in, texts out. (SBR-3.1, SBR-4)

Slow on purpose: every question is answered by looking at the tiles again, and whoever wants to go back takes a copy.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from tests.reference.fans import score
from tests.reference.hands import Meld, is_winning
from tests.reference.notation import SUITS, name, read, suit_of, write
from tests.reference.rulesets import KNOWN


@dataclass
class Window:
    """Seats that are asked about one tile, with what each may answer, and their answers so far."""

    tile: int
    choices: list[tuple[int, list[str]]]
    answers: list[tuple[int, str]] = field(default_factory=list)


@dataclass
class Table:
    """One deal in progress. `hands` are standing tiles, an indicator among them until it is discarded."""

    ruleset: str
    dealer: int
    hands: list[list[int]]
    wall: list[int]
    phase: str = "void"
    """void, own (a turn's choice), draw, window (a discard), robbing, over"""
    seat: int = -1
    """Whose turn it is, or who chooses a void suit; the dealer at first."""
    voids: list[str | None] = field(default_factory=lambda: [None] * 4)
    indicators: list[int | None] = field(default_factory=lambda: [None] * 4)
    melds: list[list[Meld]] = field(default_factory=lambda: [[], [], [], []])
    discards: list[list[int]] = field(default_factory=lambda: [[], [], [], []])
    """Everything a seat ever discarded, claimed tiles too."""
    out: list[int] = field(default_factory=list)
    let_go: list[int] = field(default_factory=lambda: [0] * 4)
    """The greatest Hu a seat passed since its last draw, in points. (SBR-4.6)"""
    began_with_pung: bool = False
    drawn: int | None = None
    """The latest tile drawn in this turn."""
    on_replacement: bool = False
    kong_kind: str | None = None
    """A kong that waits for its replacement, or for the robbing window to close."""
    window: Window | None = None
    events: list[dict[str, Any]] = field(default_factory=list)
    end: str | None = None

    def __post_init__(self) -> None:
        self.rules = KNOWN[self.ruleset]
        if self.seat < 0:
            self.seat = self.dealer

    def copy(self) -> "Table":
        """A deal that goes its own way from here."""
        window = self.window and Window(self.window.tile, self.window.choices, list(self.window.answers))
        return replace(
            self,
            hands=[list(hand) for hand in self.hands],
            wall=list(self.wall),
            voids=list(self.voids),
            indicators=list(self.indicators),
            melds=[list(melds) for melds in self.melds],
            discards=[list(tiles) for tiles in self.discards],
            out=list(self.out),
            let_go=list(self.let_go),
            window=window,
            events=list(self.events),
        )

    # What is legal

    def legal(self) -> list[str]:
        """Every action that is legal now, as text."""
        if self.phase == "over":
            return []
        if self.phase == "void":
            return [f"{self.seat} void {choice}" for choice in self.void_choices()]
        if self.phase == "draw":
            return [f"{self.seat} draw {name(self.wall[0])}"]
        if self.window is not None:
            seat, choices = self.window.choices[len(self.window.answers)]
            tile = name(self.window.tile)
            return [f"{seat} pass" if verb == "pass" else f"{seat} {verb} {tile}" for verb in choices]
        return [f"{self.seat} {choice}" for choice in self.turn_choices()]

    def void_choices(self) -> list[str]:
        """Each kind held, or the card of a suit of which none is held. (SBR-3.1)"""
        choices = []
        for suit in SUITS:
            held = sorted({tile for tile in self.hands[self.seat] if suit_of(tile) == suit})
            choices += [name(tile) for tile in held] or [suit]
        return choices

    def turn_choices(self) -> list[str]:
        """Hu, kongs and discards of a turn. (SBR-4.1, SBR-4.4, SBR-4.8)"""
        seat = self.seat
        hand, indicator, void = self.hands[seat], self.indicators[seat], self.voids[seat]
        choices = []
        if not self.began_with_pung:
            if is_winning(hand, self.melds[seat], void):
                choices.append("hu" if self.drawn is None else f"hu {name(self.drawn)}")
            if self.wall:
                choices += [f"kong {name(tile)}" for tile in sorted(set(hand)) if self.kong_on_turn(tile)]
        if indicator is not None:
            allowed = {indicator}
        else:
            allowed = set(hand)
            forbidden = {tile for tile in hand if suit_of(tile) == void}
            if self.rules.forbidden_first and forbidden:
                allowed = forbidden
        return choices + [f"discard {name(tile)}" for tile in sorted(allowed)]

    def free(self, seat: int, tile: int) -> int:
        """How many standing tiles of a kind a seat may put into a set: the indicator is not to be moved."""
        return self.hands[seat].count(tile) - (self.indicators[seat] == tile)

    def may_declare(self, seat: int, tile: int) -> bool:
        """Sets of the forbidden suit are a costly move, or in the league's text a breach. (SBR-3.4, SBR-11.2)"""
        return not (self.rules.league_2025 and suit_of(tile) == self.voids[seat])

    def kong_on_turn(self, tile: int) -> bool:
        """Four standing tiles, or one beside a declared pung."""
        free = self.free(self.seat, tile)
        has_pung = Meld("pung", tile) in self.melds[self.seat]
        return self.may_declare(self.seat, tile) and (free == 4 or (free == 1 and has_pung))

    def hu_value(self, seat: int, tile: int, conditions: list[str]) -> int:
        """Points of a Hu on another player's tile; 0 when there is none."""
        limit = self.rules.fan_limit
        return score(self.hands[seat], self.melds[seat], tile, conditions, self.voids[seat], limit).value

    def conditions(self) -> list[str]:
        """Winning-tile conditions that hold now. (SBR-5.3, SBR-11.5)"""
        found = []
        if self.phase == "robbing":
            found.append("robbing_kong")
            if self.rules.league_2025 and self.on_replacement:
                found.append("shoot_after_kong")
        elif self.on_replacement:
            found.append("after_kong" if self.phase == "own" else "shoot_after_kong")
        if not self.wall:
            found.append("under_the_sea")
        return found

    # What happens

    def apply(self, text: str) -> None:
        """Carry out one legal action; ValueError for any other."""
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal; legal are {self.legal()}")
        first, verb, *rest = text.split()
        if verb == "void":
            self.choose_void(rest[0])
        elif verb == "draw":
            self.draw()
        elif self.window is not None:
            self.answer(int(first), verb)
        elif verb == "hu":
            self.win_own()
        elif verb == "kong":
            self.kong(*read(rest[0]))
        else:
            self.discard(*read(rest[0]))

    def choose_void(self, choice: str) -> None:
        self.voids[self.seat] = choice[-1]
        if len(choice) == 2:
            (self.indicators[self.seat],) = read(choice)
        self.seat = (self.seat + 1) % 4
        if self.seat == self.dealer:
            self.phase = "own"

    def draw(self) -> None:
        self.drawn = self.wall.pop(0)
        self.hands[self.seat].append(self.drawn)
        self.let_go[self.seat] = 0
        self.on_replacement = self.kong_kind is not None
        self.kong_kind = None
        self.phase = "own"

    def discard(self, tile: int) -> None:
        self.hands[self.seat].remove(tile)
        self.discards[self.seat].append(tile)
        self.indicators[self.seat] = None
        self.phase = "window"
        self.open_window(tile)

    def open_window(self, tile: int) -> None:
        """Ask every seat that can claim; close at once when none can. (SBR-4.5)"""
        choices = []
        for step in (1, 2, 3):
            seat = (self.seat + step) % 4
            verbs = [] if seat in self.out else self.claims(seat, tile)
            if verbs:
                choices.append((seat, ["pass", *verbs]))
        self.window = Window(tile, choices)
        if not choices:
            self.close_window()

    def claims(self, seat: int, tile: int) -> list[str]:
        """What a seat could declare on another player's tile."""
        verbs = []
        if self.hu_value(seat, tile, self.conditions()) > self.let_go[seat]:
            verbs.append("hu")
        if self.phase == "window" and self.may_declare(seat, tile):
            if self.free(seat, tile) >= 3 and self.wall:
                verbs.append("kong")
            if self.free(seat, tile) >= 2:
                verbs.append("pung")
        return verbs

    def answer(self, seat: int, verb: str) -> None:
        window = self.window
        assert window is not None
        could = window.choices[len(window.answers)][1]
        if "hu" in could and verb != "hu":
            self.let_go[seat] = max(self.let_go[seat], self.hu_value(seat, window.tile, self.conditions()))
        window.answers.append((seat, verb))
        if len(window.answers) == len(window.choices):
            self.close_window()

    def close_window(self) -> None:
        """Hu first, then pung or kong, then the turn passes. (SBR-4.5, SBR-4.7)"""
        assert self.window is not None
        tile, answers = self.window.tile, self.window.answers
        winners = [seat for seat, verb in answers if verb == "hu"]
        callers = [(seat, verb) for seat, verb in answers if verb in ("pung", "kong")]
        robbing = self.phase == "robbing"
        if winners:
            self.win_from(winners, tile, robbing)
        self.window = None
        if winners:
            self.pass_turn(winners[-1])
        elif robbing:
            self.add_to_pung(tile)
        elif callers:
            ((caller, verb),) = callers
            self.claim(caller, verb, tile)
        else:
            self.pass_turn(self.seat)

    def claim(self, caller: int, verb: str, tile: int) -> None:
        """Lay out a claimed pung or kong; the caller's turn begins. (SBR-4.2, SBR-4.4)"""
        for _ in range(2 if verb == "pung" else 3):
            self.hands[caller].remove(tile)
        if verb == "kong":
            self.melds[caller].append(Meld("melded", tile))
            self.events.append({"type": "kong", "seat": caller, "kind": "melded", "from": self.seat})
            self.kong_kind = "melded"
        else:
            self.melds[caller].append(Meld("pung", tile))
        self.begin_turn(caller)
        self.began_with_pung = verb == "pung"
        self.phase = "own" if verb == "pung" else "draw"

    def kong(self, tile: int) -> None:
        """A kong on the own turn; one added to a pung may be robbed first. (SBR-4.3, SBR-4.4)"""
        if self.free(self.seat, tile) == 4:
            for _ in range(4):
                self.hands[self.seat].remove(tile)
            self.melds[self.seat].append(Meld("concealed", tile))
            self.note_kong("concealed")
            self.kong_kind = "concealed"
            self.phase = "draw"
        else:
            self.kong_kind = "promoted" if tile == self.drawn else "postponed"
            self.hands[self.seat].remove(tile)
            self.phase = "robbing"
            self.open_window(tile)

    def note_kong(self, kind: str, **more: bool) -> None:
        """Write down a kong on the own turn; `chain` when the turn's latest draw was a replacement."""
        chain = {"chain": True} if self.on_replacement else {}
        self.events.append({"type": "kong", "seat": self.seat, "kind": kind, **chain, **more})

    def add_to_pung(self, tile: int) -> None:
        """A kong that nobody robbed."""
        assert self.kong_kind is not None
        melds = self.melds[self.seat]
        melds[melds.index(Meld("pung", tile))] = Meld(self.kong_kind, tile)
        self.note_kong(self.kong_kind)
        self.phase = "draw"

    def win_own(self) -> None:
        hand = list(self.hands[self.seat])
        winning = hand[-1] if self.drawn is None else self.drawn
        hand.remove(winning)
        winner = self.winner(self.seat, hand, winning, self.conditions())
        event: dict[str, Any] = {"type": "hu", "by": "self_drawn", "winners": [winner]}
        if "after_kong" in winner["conditions"]:
            event["after_kong"] = True
        self.events.append(event)
        self.out.append(self.seat)
        self.pass_turn(self.seat)

    def win_from(self, winners: list[int], tile: int, robbing: bool) -> None:
        """Hu of one or several on a discard or on a tile added to a pung."""
        conditions = self.conditions()
        event: dict[str, Any] = {"type": "hu", "by": "discard", "from": self.seat}
        if robbing:
            event["by"] = "robbed_kong"
            assert self.kong_kind is not None
            self.note_kong(self.kong_kind, robbed=True)
            self.kong_kind = None
        elif self.on_replacement:
            event["after_kong"] = True
        event["winners"] = [self.winner(seat, self.hands[seat], tile, conditions) for seat in winners]
        self.events.append(event)
        self.out += winners

    def winner(self, seat: int, standing: list[int], winning: int, conditions: list[str]) -> dict[str, Any]:
        return {**self.shown(seat, standing), "winning": name(winning), "conditions": conditions}

    def shown(self, seat: int, standing: list[int]) -> dict[str, Any]:
        """A seat's hand in the shape of `rules settle`."""
        melds = [
            {"kind": "kong", "tiles": write(meld.tiles), "type": meld.kind}
            if meld.is_kong
            else {"kind": "pung", "tiles": write(meld.tiles)}
            for meld in self.melds[seat]
        ]
        return {"seat": seat, "standing": write(standing), "melds": melds, "void": self.voids[seat]}

    def begin_turn(self, seat: int) -> None:
        self.seat, self.drawn, self.on_replacement, self.began_with_pung = seat, None, False, False

    def pass_turn(self, after: int) -> None:
        """The next seat still in the game draws, or the deal is over. (SBR-4.2, SBR-4.7, SBR-4.9)"""
        if len(self.out) >= 3:
            self.phase, self.end = "over", "three_hu"
        elif not self.wall:
            self.phase, self.end = "over", "wall"
        else:
            seat = (after + 1) % 4
            while seat in self.out:
                seat = (seat + 1) % 4
            self.begin_turn(seat)
            self.phase = "draw"

    def declared(self) -> dict[str, Any]:
        """The finished deal in the shape of `rules settle`."""
        hands = [
            {
                **self.shown(seat, self.hands[seat]),
                "only_void_discards": all(suit_of(tile) == self.voids[seat] for tile in self.discards[seat]),
            }
            for seat in range(4)
            if seat not in self.out
        ]
        return {
            "ruleset": self.ruleset,
            "dealer": self.dealer,
            "events": self.events,
            "end": self.end,
            "hands": hands,
        }
