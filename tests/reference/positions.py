"""Positions for perft, found by playing until something of interest is about to happen, and their counts as TOML.

`.venv-dev/bin/python -m tests.reference.positions` writes `tests/data/perft/` anew: one file a ruleset. Every position
is the tiles at the start and the actions that lead to it; its counts are the numbers of legal sequences of 1, 2, 3 ...
actions.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.reference.deal import Table
from tests.reference.notation import name, read
from tests.reference.rulesets import RULESETS
from tests.reference.starts import Lively, Start, blind, chained, contested, rigged

FOLDER = Path(__file__).parents[1] / "data" / "perft"
MOST = 20_000
DEEPEST = 12
ACTIONS_BEFORE = 3


@dataclass(frozen=True)
class Position:
    """A start and the actions to a place in the deal."""

    title: str
    ruleset: str
    start: Start
    actions: tuple[str, ...]

    def table(self) -> Table:
        """The reference's deal at this place."""
        table = self.start.table(self.ruleset)
        for action in self.actions:
            table.apply(action)
        return table


def answers_with(table: Table, verb: str) -> int:
    """How many seats are asked about a tile and could answer so."""
    return 0 if table.window is None else sum(verb in verbs for _, verbs in table.window.choices)


def refused(table: Table) -> bool:
    """A seat let a Hu go and may not declare another one on this tile."""
    return table.window is not None and any(
        0 < table.hu_value(seat, table.window.tile, table.conditions()) <= table.let_go[seat]
        for seat in range(4)
        if seat not in (*table.out, table.seat)
    )


def raised(table: Table) -> bool:
    """A seat let a Hu go and may declare a better one."""
    return table.window is not None and any(
        "hu" in verbs and table.let_go[seat] for seat, verbs in table.window.choices
    )


FEATURES: dict[str, Callable[[Table], bool]] = {
    "the first turn": lambda table: table.phase == "own",
    "a pung or a Hu on one tile": lambda table: answers_with(table, "hu") > 0 and answers_with(table, "pung") > 0,
    "a melded kong": lambda table: answers_with(table, "kong") > 0,
    "two Hu on one discard": lambda table: answers_with(table, "hu") > 1,
    "a kong to rob": lambda table: table.phase == "robbing",
    "the second kong of a chain to rob": lambda table: table.phase == "robbing" and table.on_replacement,
    "a Hu refused after a passed one": refused,
    "a better Hu after a passed one": raised,
    "a kong on a replacement tile": lambda table: table.on_replacement and any("kong" in a for a in table.legal()),
    "the third Hu": lambda table: len(table.out) == 2 and any("hu" in action for action in table.legal()),
    "a forbidden tile drawn late": lambda table: (
        table.drawn is not None and name(table.drawn)[-1] == table.voids[table.seat] and len(table.wall) < 30
    ),
    "the last tile": lambda table: len(table.wall) == 1 and table.phase == "draw",
    "a pung of the last discard": lambda table: not table.wall and answers_with(table, "pung") > 0,
}


def play(rng: random.Random, start: Start, ruleset: str) -> Iterator[tuple[Table, list[str]]]:
    """Every moment of one deal, with the actions so far."""
    table, player = start.table(ruleset), Lively(rng, start.wishes)
    actions: list[str] = []
    while table.phase != "over":
        yield table, actions
        action = player.choose(table)
        actions.append(action)
        table.apply(action)


def find(title: str, ruleset: str) -> Position:
    """The first seed's deal in which the feature turns up; the position is a few actions earlier."""
    for seed in itertools.count():
        rng = random.Random(f"{title}, {ruleset}, {seed}")
        start = rng.choice((rigged, contested, chained))(rng)
        for table, actions in play(rng, start, ruleset):
            if FEATURES[title](table):
                enough = max(4, len(actions) - ACTIONS_BEFORE)
                return Position(title, ruleset, start, tuple(actions[:enough]))
    raise AssertionError("the seeds do not end")


def deepening(table: Table, most: int = MOST) -> list[int]:
    """Numbers of sequences by length, until there are none, or more than `most`."""
    counts: list[int] = []
    places = [table]
    while places and len(counts) < DEEPEST:
        count = sum(len(place.legal()) for place in places)
        if count == 0:
            break
        counts.append(count)
        if count > most:
            break
        places = [after for place in places for after in successors(place)]
    return counts


def successors(table: Table) -> Iterator[Table]:
    """The deal after each legal action."""
    for action in table.legal():
        after = table.copy()
        after.apply(action)
        yield after


def as_toml(position: Position) -> str:
    """One `[[position]]`."""
    hands = ", ".join(f'"{in_order(hand)}"' for hand in position.start.hands)
    actions = "".join(f'    "{action}",\n' for action in position.actions)
    return (
        f"[[position]]\n"
        f'title = "{position.title}"\n'
        f"dealer = {position.start.dealer}\n"
        f"hands = [{hands}]\n"
        f'wall = "{in_order(position.start.wall)}"\n'
        f"actions = [\n{actions}]\n"
        f"counts = {deepening(position.table())}\n"
    )


def in_order(tiles: tuple[int, ...]) -> str:
    """Text that keeps the order of the tiles: 5s1p2p is `5s12p`."""
    runs = itertools.groupby(map(name, tiles), key=lambda text: text[-1])
    return "".join("".join(text[0] for text in run) + suit for suit, run in runs)


def from_toml(ruleset: str, entry: dict) -> Position:
    """The way back, without the counts."""
    start = Start(entry["dealer"], tuple(read(hand) for hand in entry["hands"]), read(entry["wall"]))
    return Position(entry["title"], ruleset, start, tuple(entry["actions"]))


def main() -> None:
    """Write every file."""
    for ruleset in RULESETS:
        start = blind(random.Random(ruleset))
        positions = [Position("nothing chosen", ruleset, start, ()), *(find(title, ruleset) for title in FEATURES)]
        head = "# Numbers of legal action sequences of 1, 2, 3 ... actions (docs/rules.md, Action sequences).\n"
        text = "\n".join([head, *map(as_toml, positions)])
        (FOLDER / f"{ruleset}.toml").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
