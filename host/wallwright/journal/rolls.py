"""Recomputes the rolls of a journal: what was committed, what the host added, and whether the dice follow from both.

It needs nothing but the journal's entries, in their order, and `wallwright_protocol.dice`. What each party could have
done to the dice, and what this shows of it, is written in docs/dice.md.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wallwright_protocol.dice import CONTRIBUTION_SIZE, SEED_SIZE, commitment, dice_of
from wallwright_protocol.hardware import MOST_DICE

from .kinds import Record
from .kinds.house import DiceContributed
from .kinds.tables import CUT, BuildStarted, CommandAccepted, DiceCommitted, DiceRolled, SetupChanged

if TYPE_CHECKING:
    from . import Entry

WRONG = "wrong"
WITH_HOST = "with host"
ALONE = "board alone"
ALONE_DESPITE_OFFER = "board alone, the host's part came too late or was ignored"

NO_CONTRIBUTION = bytes(CONTRIBUTION_SIZE)


@dataclass(frozen=True, slots=True)
class CheckedRoll:
    """One roll. `entry` is its id in the journal; `offered` says that the host had sent a part for it.

    `problems` are sentences, empty when all is as it should be; a roll that cannot be read has number 0.
    """

    entry: int
    unit: str
    boot_id: int
    roll: int
    seat: int | None
    purpose: str
    dice: tuple[int, ...]
    deal: int
    contributed: bool
    offered: bool
    problems: tuple[str, ...]

    @property
    def verdict(self) -> str:
        """WRONG, WITH_HOST, ALONE or ALONE_DESPITE_OFFER."""
        if self.problems:
            return WRONG
        if self.contributed:
            return WITH_HOST
        return ALONE_DESPITE_OFFER if self.offered else ALONE


@dataclass(frozen=True, slots=True)
class Unopened:
    """A commitment that no roll has opened, because the board was started anew before; `offered` as for a roll."""

    unit: str
    boot_id: int
    roll: int
    offered: bool


@dataclass(frozen=True, slots=True)
class DiceReport:
    """All rolls of a journal in their order, and what was committed in vain."""

    rolls: tuple[CheckedRoll, ...]
    unopened: tuple[Unopened, ...]

    def count(self, verdict: str) -> int:
        """Return how many rolls have that verdict."""
        return sum(roll.verdict == verdict for roll in self.rolls)


def check_dice(entries: "Iterable[Entry]") -> DiceReport:
    """Check every roll among `entries`, which are a journal's in their order."""
    boots: dict[tuple[str, int], _Boot] = {}
    newest: dict[str, int] = {}
    rolls: list[CheckedRoll] = []
    for entry in entries:
        if entry.unit is None:
            continue
        if entry.boot_id is not None:
            newest[entry.unit] = entry.boot_id
            boot = boots.setdefault((entry.unit, entry.boot_id), _Boot())
            if entry.kind == "dice_rolled":
                rolls.append(_checked(entry, boot))
            else:
                boot.event(entry.said)
        elif isinstance(entry.said, DiceContributed):
            boots.setdefault((entry.unit, entry.said.boot_id), _Boot()).contribution(entry.said)
    unopened = [
        Unopened(unit, boot_id, boot.committed, bool(boot.offered))
        for (unit, boot_id), boot in boots.items()
        if boot.committed and newest.get(unit) != boot_id
    ]
    return DiceReport(tuple(rolls), tuple(unopened))


@dataclass(slots=True)
class _Boot:
    """What is known of one run of a board when a roll comes."""

    last: int = 0
    committed: int = 0
    commitment: str = ""
    problems: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    accepted: bool = False
    dice_count: int = 0
    """Dice of a throw as the board has last said; 0 when it has not, or a host has asked for other throws."""
    is_ordered: bool = False

    def event(self, said: Record) -> None:
        if isinstance(said, DiceCommitted):
            if self.committed:
                self.problems.append(f"the seed of roll {self.committed} was committed, then another one")
            self.committed, self.commitment = said.roll, said.commitment
        elif isinstance(said, CommandAccepted):
            self.accepted |= said.message == "contribute"
            self.is_ordered |= said.message == "set_throw"
        elif isinstance(said, BuildStarted | SetupChanged):
            self.dice_count = said.dice_count or 0

    def contribution(self, said: DiceContributed) -> None:
        if said.roll == self.committed:
            self.offered.append(said.contribution)

    def rolled(self, roll: int) -> None:
        self.last = roll
        self.committed = 0
        self.commitment = ""
        self.problems = []
        self.offered = []
        self.accepted = False


def _checked(entry: "Entry", boot: _Boot) -> CheckedRoll:
    assert entry.unit is not None
    assert entry.boot_id is not None
    said = entry.said
    try:
        if not isinstance(said, DiceRolled):
            raise ValueError
        roll, dice = said.roll, said.dice
        seed, part = bytes.fromhex(said.seed), bytes.fromhex(said.contribution)
        contributed = {0: False, 1: True}[said.contributed]
        if (
            (len(seed), len(part)) != (SEED_SIZE, CONTRIBUTION_SIZE)
            or not 0 < roll < 1 << 32
            or not 0 < len(dice) <= MOST_DICE
        ):
            raise ValueError
    except (KeyError, ValueError):
        boot.rolled(0)
        problem = "its entry is not that of a roll"
        return CheckedRoll(entry.id, entry.unit, entry.boot_id, 0, None, CUT, (), 0, False, False, (problem,))
    problems = boot.problems + _problems(boot, roll, dice, seed, part, contributed=contributed)
    by_key = said.source.startswith("side")
    if by_key and boot.dice_count and not boot.is_ordered and len(dice) != boot.dice_count:
        # The digest gives any number of dice, so a board could choose it once it knows them.
        problems.append(f"the board had said that {boot.dice_count} dice are thrown")
    offered = bool(boot.offered)
    boot.rolled(roll)
    purpose = CUT if said.purpose is None else said.purpose
    head = (entry.id, entry.unit, entry.boot_id, roll, said.seat, purpose, dice, said.deal)
    return CheckedRoll(*head, contributed, offered, tuple(problems))


def _problems(
    boot: _Boot, roll: int, dice: tuple[int, ...], seed: bytes, part: bytes, *, contributed: bool
) -> list[str]:
    found = []
    if boot.last and roll != boot.last + 1:
        found.append(f"it follows roll {boot.last} of the same start")
    if boot.committed != roll:
        found.append("the journal has no commitment to it from before the roll")
    elif commitment(roll, seed).hex() != boot.commitment:
        found.append("its seed is not the one that was committed")
    if contributed and part.hex() not in boot.offered:
        found.append("the contribution is not one that the host has on record between commitment and roll")
    if not contributed and boot.accepted:
        found.append("the board had accepted a contribution and rolled without it")
    if not contributed and part != NO_CONTRIBUTION:
        found.append("it has a contribution and says that there was none")
    due = dice_of(roll, seed, part if contributed else b"", len(dice))
    if dice != due:
        found.append(f"{' + '.join(map(str, due))} follows from seed and contribution")
    return found
