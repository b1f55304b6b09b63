"""At the desk of an event everything is done in any order, by commands and at the console, and the journal is read.

`.venv-dev/bin/python -m tests.campaign.desk_walk --steps 20000` walks so many steps, event after event; the first that
breaks an event is made as short as it can be, and printed as a person would type it.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import SystemRandom

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test
from hypothesis.strategies import DataObject

from tests.campaign.desk.args import Chance
from tests.campaign.desk.hall import Hall, hall
from tests.campaign.desk.walk import Walk

STEPS = 80
"""Acts at one event, at the most."""


class Walks:
    """Walks in a hall. `asked` and `taken` count acts, and those that wrote, by command or endpoint."""

    def __init__(self, place: Hall) -> None:
        self.hall = place
        self.asked: Counter[str] = Counter()
        self.taken: Counter[str] = Counter()
        self.steps = 0
        self.events = 0
        _prepare_deals(place)

    def go(self, events: int, seed: int, steps: int = STEPS) -> None:
        """Walk through so many events. What breaks one is raised, with the acts that have led there."""
        walks = self

        class Desk(RuleBasedStateMachine):
            walk: Walk

            @initialize(data=st.data())
            def begin(self, data: DataObject) -> None:
                walks.events += 1
                self.walk = Walk(walks.hall, walks.events, Chance(data), walks.asked, walks.taken)

            @rule(data=st.data())
            def act(self, data: DataObject) -> None:
                walks.steps += 1
                self.walk.use(Chance(data))
                self.noted(self.walk.step)

            def teardown(self) -> None:
                if hasattr(self, "walk"):
                    self.noted(self.walk.end)

            def noted(self, act: object) -> None:
                try:
                    act()  # type: ignore[operator]
                except Exception as error:
                    error.add_note("\n".join(["What was done:", *walks.hall.done]))
                    raise

        seeded(seed)(Desk)
        run_state_machine_as_test(
            Desk,
            settings=settings(
                max_examples=events,
                stateful_step_count=steps,
                deadline=None,
                database=None,
                phases=(Phase.generate, Phase.shrink),
                suppress_health_check=list(HealthCheck),
                print_blob=False,
                verbosity=Verbosity.quiet,
            ),
        )


def _prepare_deals(place: Hall) -> None:
    """Draw the deals that all tables play in events of that kind."""
    file, password = place.folder / "day.deals", place.folder / "password"
    password.write_text("four walls and a roof\n", encoding="utf-8")
    for words in (
        ("draw", str(file), "--event", "A walk", "--deals", "4", "--spares", "2", "--ruleset", "mil-2025-duplicate"),
        ("announce", str(file), "--out", str(place.folder / "announced.json")),
        ("export", str(file), "--out", str(place.folder / "deals.json")),
    ):
        answer = place.run("deals", *words, "--password-file", str(password))
        assert answer.code == 0, answer.text


def main(arguments: Sequence[str] | None = None) -> int:
    """Walk, and print how often everything was done."""
    parser = argparse.ArgumentParser(prog=".venv-dev/bin/python -m tests.campaign.desk_walk", description=__doc__)
    parser.add_argument("--steps", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=SystemRandom().randrange(2**32))
    given = parser.parse_args(arguments)
    print(f"desk: {given.steps} steps, seed {given.seed} (repeat with --seed {given.seed})", flush=True)
    begun = time.process_time()
    with tempfile.TemporaryDirectory() as folder, hall(Path(folder)) as place:
        walks = Walks(place)
        seed = given.seed
        while walks.steps < given.steps:
            walks.go(25, seed)
            seed += 1
    for name, count in sorted(walks.asked.items()):
        print(f"  {count:6} {name}: {walks.taken[name]} wrote")
    took = time.process_time() - begun
    print(f"desk: {walks.steps:,} steps at {walks.events} events, nothing found; {took:.0f} s of processor time")
    return 0


if __name__ == "__main__":
    sys.exit(main())
