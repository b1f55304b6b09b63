"""`wallwright demo`: one simulated table, four bots, a session of deals of any game, in virtual time."""

from pathlib import Path
from typing import Annotated

import typer

from ..errors import JournalError

HELP = """Play a session of deals on a simulated table, from the shuffle to the score.

The table shuffles, builds, raises its walls and rolls dice; four bots play the tiles that are there and declare to the
host, which scores and journals. Time is virtual, so ten deals take seconds; the same seed gives the same session.

--game is a ruleset, of a preset or a club's file; `wallwright table setup --help` lists the games. The table is set to
it, and where its rules say so everybody throws for East before the first deal. A line of --json has the whole deal as
`wallwright rules settle` takes it.

--faults injects faults (docs/fault-injection.md); a fault that the table does not mend by itself ends the session. With
--readers the tiles carry tags, and readers read them (docs/readers.md); the list of tags is put beside the journal.

--out leaves a side out, as `wallwright table sides` does: the other three build the whole set.

--prescribed draws every wall beforehand, and a table that sorts its tiles builds it (docs/duplicate.md). A line of
--json then has "prescribed", "match", "inferred" and "build_s" of its wall; the deals are put beside the journal.

\b
Examples:
  wallwright demo --deals 3 --seed 7 --journal session.journal
  wallwright demo --game hong-kong --deals 8
  wallwright demo --readers all --journal tracked.journal
  wallwright demo --prescribed --hardware ring --magnets 18
  wallwright demo --out 2
"""


def demo(
    game: Annotated[str, typer.Option(help="The ruleset that is played.")] = "sichuan",
    deals: Annotated[int, typer.Option(min=1, help="How many deals to play.")] = 10,
    seed: Annotated[int, typer.Option(min=0, help="Everything follows from this number.")] = 1,
    journal: Annotated[Path | None, typer.Option(help="Keep the journal in this new file.")] = None,
    pace: Annotated[float | None, typer.Option(help="1 is real time, 2 twice as fast; without it, no waiting.")] = None,
    faults: Annotated[Path | None, typer.Option(help="Inject the faults of this file, one a line.")] = None,
    readers: Annotated[str, typer.Option(help="Tile readers: none, lanes (at the stacking heads), or all.")] = "none",
    drum: Annotated[
        str, typer.Option(help="How its drum mixes: ideal, places, or places:d=2.25 (docs/fairness.md).")
    ] = "ideal",
    prescribed: Annotated[
        bool, typer.Option("--prescribed", help="Draw each wall beforehand; needs hardware.")
    ] = False,
    hardware: Annotated[str, typer.Option(help="What sorts tiles: plain, mouth, flap or ring.")] = "plain",
    magnets: Annotated[int | None, typer.Option(help="Of a ring that sorts.", show_default=False)] = None,
    places: Annotated[
        int | None, typer.Option(help="Holding places of a lane with a flap.", show_default=False)
    ] = None,
    out: Annotated[
        int | None, typer.Option(min=0, max=3, help="A side that builds no wall.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a deal and nothing else.")] = False,
) -> None:
    """Play a session; the command's help is HELP."""
    if pace is not None and pace <= 0:
        raise typer.BadParameter("give a number above 0, such as 1 for real time", param_hint="--pace")
    if journal is not None and journal.exists():
        raise JournalError(str(journal), "it is there already, and the demo begins a new one; choose another path")
    from .demo_session import play

    play(
        game=game,
        deals=deals,
        seed=seed,
        journal=journal,
        pace=pace,
        faults=faults,
        readers=readers,
        drum=drum,
        prescribed=prescribed,
        hardware=hardware,
        magnets=magnets,
        places=places,
        out=out,
        as_json=as_json,
    )
