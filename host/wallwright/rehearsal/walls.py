"""Looks at the walls that stood in a rehearsed day, deal by deal: were they those of the dealer who dealt from them?

It reads what boards have told, the stacks of each side that was whole, and who was said to deal. The programs that
tell boards what to build have no part in it.
"""

from collections.abc import Iterable, Iterator

from wallwright_protocol.hardware import TILES_PER_STACK

from ..journal import Entry
from ..journal.kinds.deals import DealStarted
from ..journal.kinds.tables import BuildDone, WallsUp
from ..rules.core.game_rules import GameRules
from ..table.next_walls import plan_of


def walls_of_others(entries: Iterable[Entry], rules: GameRules) -> Iterator[str]:
    """Yield a sentence for each deal of a day by `rules` that was played from walls of another dealer."""
    built: dict[tuple[str, int], tuple[int, int, int, int]] = {}
    stood: dict[tuple[str, int], tuple[int, int, int, int]] = {}
    for entry in entries:
        unit, said = entry.unit or "", entry.said
        if isinstance(said, BuildDone):
            built[unit, said.tile_set] = said.stacks
        elif isinstance(said, WallsUp) and (unit, said.tile_set) in built:
            stood[unit, said.deal] = built[unit, said.tile_set]
        elif isinstance(said, DealStarted) and (unit, said.deal) in stood:
            walls = stood[unit, said.deal]
            missing = [side for side, stacks in enumerate(walls) if not stacks]
            wanted = plan_of(rules, sum(walls) * TILES_PER_STACK, said.dealer, missing)
            if wanted not in (None, walls):
                yield (
                    f"entry {entry.id}: {unit} had walls of {', '.join(map(str, walls))} stacks in its deal "
                    f"{said.deal}, and seat {said.dealer} dealt, with {', '.join(map(str, wanted or ()))}"
                )
