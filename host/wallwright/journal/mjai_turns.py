"""The acts of a deal of `rules.core.turns`, such as one of Hong Kong, as lines of mjai: see `mjai_moves`.

The deal is played again, so a claim that another one overruled is told from one that held. A draw that a late claim
has undone is left out, as are passes and what is called aloud: mjai has no lines for them.
"""

from typing import Any, NamedTuple

from ..rules.core import acts
from ..rules.core.acts import Act
from ..rules.core.notation import ToldDeal, parse_deal
from ..rules.core.sets import SetKind, TileSet
from ..rules.core.tiles import SUITED, tile_name
from ..rules.core.turn_state import CLAIM, PROMOTED_KONG, ROB, TURN, State
from ..rules.core.turns import Turns

Line = dict[str, Any]

HONOURS = "ESWNPFC"
"""East, South, West, North, White, Green and Red as mjai calls them."""
_DEALT = 13
_CLAIMS = {SetKind.CHOW: "chi", SetKind.PUNG: "pon", SetKind.KONG: "daiminkan"}


class PlayedAgain(NamedTuple):
    """A deal as mjai has it: 13 tiles a hand, and what was done with them."""

    hands: list[list[str]]
    moves: list[Line]


def mjai_tile(kind: int) -> str:
    """The name of a kind, 0 to 33."""
    return tile_name(kind) if kind < SUITED else HONOURS[kind - SUITED]


def read_turns(text: str) -> PlayedAgain:
    """Return a deal of a record of moves. NotationError when it is none, ValueError for an act that mjai cannot say."""
    told = parse_deal(text)
    hands = [[mjai_tile(kind) for kind in hand[:_DEALT]] for hand in told.dealt]
    return PlayedAgain(hands, _Player(told).play(told))


class _Player:
    def __init__(self, told: ToldDeal) -> None:
        asked = told.ruleset.asked(told.begin)
        self._deal: Turns = told.game.start(asked, told.dealt, told.deal.wall_size)
        self._lines: list[Line] = []
        self._drawn = ""

    def play(self, told: ToldDeal) -> list[Line]:
        for kind in told.dealt[told.dealer][_DEALT:]:
            self._draw(told.dealer, kind)
        for act in told.log:
            before = self._deal.state
            self._deal.apply(act)
            self._say(act, before)
        return self._lines

    def _say(self, act: Act, before: State) -> None:
        after, seat, kind = self._deal.state, act.seat, act.tile
        if act.verb == acts.CALL:
            return
        if before.phase == TURN and seat != before.seat:
            # A late claim has undone the draw, which stands last.
            self._lines.pop()
            self._claimed(before, after)
        elif before.phase in (CLAIM, ROB):
            self._claimed(before, after)
        elif act.verb == acts.HU:
            self._lines.append({"type": "hora", "actor": seat, "target": seat, "pai": self._drawn})
        elif act.verb in (acts.DRAW, acts.REPLACE) and kind is not None:
            self._draw(seat, kind)
        elif act.verb == acts.DISCARD and kind is not None:
            tile = mjai_tile(kind)
            self._lines.append({"type": "dahai", "actor": seat, "pai": tile, "tsumogiri": tile == self._drawn})
            self._drawn = ""
        elif act.verb == acts.KONG and kind is not None:
            self._lines.append(_own_kong(seat, mjai_tile(kind), after))
        elif act.verb != acts.PASS:
            raise ValueError(f"mjai cannot say {act}")

    def _draw(self, seat: int, kind: int) -> None:
        self._drawn = mjai_tile(kind)
        self._lines.append({"type": "tsumo", "actor": seat, "pai": self._drawn})

    def _claimed(self, before: State, after: State) -> None:
        """Everybody has answered when there is a winner or a new set."""
        tile, from_ = mjai_tile(before.offered), before.source
        if after.won is not None:
            for seat in after.won.winners:
                self._lines.append({"type": "hora", "actor": seat, "target": from_, "pai": tile})
        elif before.phase != ROB:
            for seat in range(4):
                for made in after.sets[seat][len(before.sets[seat]) :]:
                    self._lines.append(_claim(seat, from_, made, tile))
                    self._drawn = ""


def _own_kong(seat: int, tile: str, after: State) -> Line:
    if after.face == PROMOTED_KONG:
        return {"type": "kakan", "actor": seat, "pai": tile, "consumed": [tile] * 3}
    return {"type": "ankan", "actor": seat, "consumed": [tile] * 4}


def _claim(seat: int, target: int, made: TileSet, tile: str) -> Line:
    own = [mjai_tile(kind) for kind in made.tiles]
    own.remove(tile)
    return {"type": _CLAIMS[made.kind], "actor": seat, "target": target, "pai": tile, "consumed": own}
