"""Deals as text that people can read and mail, made like bridge's PBN: a tag a line, a deal a paragraph.

docs/duplicate.md has the grammar. Reading is strict: each line is in its place, or BadDeals names it.
"""

import re
from collections.abc import Iterable

from ..rules.core.errors import TileError
from ..rules.core.tiles import parse_tiles, tile_name
from ..words import Sayable, told_by, words
from .deals import BadDeals, Deal, Deals, check_deals

MAGIC = "% wallwright deals 1"
LONGEST = 8 << 20
"""Characters of a file at the most; 999 deals of 144 tiles have some 700,000."""
_TAG = re.compile(r'\[([A-Z][A-Za-z0-9]*) "([^"]*)"\]')
_HEADER = ("Event", "Ruleset", "Draw", "Spares")
_DEAL = ("Deal", "Dealer", "Dice", "Side0", "Side1", "Side2", "Side3")
_HEX = re.compile(r"[0-9a-f]{64}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,3}")


def write_text(deals: Deals) -> str:
    """Return the deals as text, with nonce and seed: this shows everything."""
    lines = [MAGIC, _tag("Nonce", deals.nonce.hex())]
    if deals.seed is not None:
        lines.append(_tag("Seed", deals.seed.hex()))
    return "\n".join(lines) + "\n" + canonical(deals)


def canonical(deals: Deals) -> str:
    """Return the part of that text that is committed to, from [Event ...] to the end of the last line."""
    values = (deals.event, deals.ruleset, deals.draws, str(deals.spares))
    header = "".join(_tag(*one) + "\n" for one in zip(_HEADER, values, strict=True))
    return header + "".join(_paragraph(deal) for deal in deals.deals)


def read_text(text: str) -> Deals:
    """Return the deals of a text. BadDeals names the line that is wrong, or what no table can build."""
    if len(text) > LONGEST:
        raise BadDeals(words("it is longer than {most} characters", most=f"{LONGEST:,}"))
    lines = _Lines(text)
    lines.magic()
    nonce = lines.bytes_of(lines.tag("Nonce"))
    seed = lines.bytes_of(lines.tag("Seed")) if lines.comes("Seed") else None
    event, ruleset, draws, spares = (lines.tag(name) for name in _HEADER)
    spare = lines.number(spares)
    deals = []
    while lines.has_more():
        number, dealer, dice, *sides = (lines.tag(name) for name in _DEAL)
        throws = tuple(tuple(map(lines.number, throw.split(" "))) for throw in dice.split(", ")) if dice else ()
        stacks = [[lines.stack(stack) for stack in side.split(" ")] for side in sides]
        plan = (len(stacks[0]), len(stacks[1]), len(stacks[2]), len(stacks[3]))
        faces = tuple(kind for side in stacks for stack in side for kind in stack)
        deals.append(Deal(lines.number(number), lines.number(dealer), throws, plan, faces))
    found = Deals(event, ruleset, draws, tuple(deals), spare, nonce, seed)
    check_deals(found)
    return found


class _Lines:
    """The lines of a text, one after the other."""

    def __init__(self, text: str) -> None:
        self._lines = list(self._meant(text))
        self._at = 0

    @staticmethod
    def _meant(text: str) -> Iterable[tuple[int, str]]:
        for number, line in enumerate(text.split("\n"), 1):
            line = line.rstrip("\r")
            if line and (number == 1 or not line.startswith("%")):
                yield number, line

    def magic(self) -> None:
        if not self._lines or self._lines[0] != (1, MAGIC):
            raise BadDeals(words("its first line is not {magic}", magic=repr(MAGIC)))
        self._at = 1

    def has_more(self) -> bool:
        return self._at < len(self._lines)

    def comes(self, name: str) -> bool:
        return self.has_more() and self._lines[self._at][1].startswith(f"[{name} ")

    def tag(self, name: str) -> str:
        """The value of the next line's tag, which has this name."""
        if not self.has_more():
            raise BadDeals(words("it ends where {tag} is due", tag=f"[{name} ...]"))
        _, line = self._lines[self._at]
        match = _TAG.fullmatch(line)
        if match is None or match[1] != name:
            raise self._wrong(words("{tag} is due here", tag=f'[{name} "..."]'), step=0)
        self._at += 1
        return match[2]

    def number(self, text: str) -> int:
        if _NUMBER.fullmatch(text) is None:
            raise self._wrong(words("{value} is no whole number from 0 to 9999", value=repr(text[:20])))
        return int(text)

    def stack(self, text: str) -> tuple[int, int]:
        try:
            kinds = parse_tiles(text)
        except TileError as error:
            raise self._wrong(told_by(error)) from error
        if len(kinds) != 2 or text != "".join(map(tile_name, kinds)):
            problem = "{value} is no stack of two tiles, lower and upper, such as 1m9p"
            raise self._wrong(words(problem, value=repr(text[:20])))
        return kinds[0], kinds[1]

    def bytes_of(self, text: str) -> bytes:
        if _HEX.fullmatch(text) is None:
            raise self._wrong(words("{value} is not 64 digits 0 to f", value=repr(text[:20])))
        return bytes.fromhex(text)

    def _wrong(self, why: Sayable, step: int = 1) -> BadDeals:
        line, _ = self._lines[max(self._at - step, 0)]
        return BadDeals(words("line {line}: {why}", line=line, why=why))


def _paragraph(deal: Deal) -> str:
    dice = ", ".join(" ".join(map(str, throw)) for throw in deal.dice)
    sides = (" ".join("".join(map(tile_name, stack)) for stack in deal.side(side)) for side in range(4))
    values = (str(deal.number), str(deal.dealer), dice, *sides)
    return "\n" + "".join(_tag(*one) + "\n" for one in zip(_DEAL, values, strict=True))


def _tag(name: str, value: str) -> str:
    return f'[{name} "{value}"]'
