"""Uses of a table by a host, with the program of whichever release runs this file with a port and a folder.

Library and commands of that release operate a board, which may be of another one. Hands at the table belong to whoever
has started this: a line of JSON on the standard output asks for a key of `wallwright simulate`, a line on the standard
input says that it was pressed. The last line is {"result": ...}. Each release keeps its own copy of this file.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import wallwright
from wallwright.errors import TableFault

BUILD_MS = 90_000
MOVE_MS = 20_000
PLAN = [14, 13, 14, 13]
CHANGED = "lift_limit_ms"
CHANGED_TO = 4000


def main(port: str, folder: Path) -> None:
    """Use the table and print what came of it."""
    journal = folder / "uses.journal"
    result: dict[str, Any] = {
        "from": wallwright.__file__,
        "board": said("board", "info", "--json", port=port, codes=(0, 1)),
    }
    with wallwright.Journal(journal) as kept, wallwright.open_table(port, journal=kept) as table:
        result |= deal(table)
        result["fault"] = fault(table)
        result["strange"] = table.strange()
    result["status"] = said("status", "--json", port=port)
    result["before"] = settings(port)
    backup = str(folder / "board.json")
    run("board", "backup", backup, "--port", port)
    result["changed"] = settings(port, "--set", f"{CHANGED}={CHANGED_TO}")
    result["restored"] = run("board", "restore", backup, "--port", port).splitlines()
    result["after"] = settings(port)
    result["counters"] = said("doctor", "counters", "--json", port=port)
    result["journal"] = [entry.kind for entry in wallwright.read_journal(journal)]
    result["verified"] = run("log", "verify", str(journal)).splitlines()
    print(json.dumps({"result": result}), flush=True)


def deal(table: wallwright.Table) -> dict[str, Any]:
    """Play one deal, as far as a table has a part in it."""
    table.set_plan(PLAN, dealer=0, wash_s=0)
    table.start_build()
    built = table.wait_for("build_done", BUILD_MS)
    table.wait_state("ready", MOVE_MS)
    table.open_lid()
    table.wait_state("lid_open", MOVE_MS)
    hand("p")
    table.raise_walls()
    up = table.wait_for("walls_up", MOVE_MS)
    hand("w")
    dice = table.roll_dice(seat=0)
    rolled = table.wait_for("dice_rolled", MOVE_MS)
    table.lower_lifts()
    return {"stacks": built.fields["stacks"], "deal": up.fields["deal"], "dice": [dice, rolled.fields["dice"]]}


def fault(table: wallwright.Table) -> list[str | None]:
    """Stop the table and clear what that was; return the faults that were told: of the event, then, and afterwards."""
    table.stop()
    try:
        table.pump(1000)
        table.run_until(lambda _: False, 0)
    except TableFault as told:
        found: list[str | None] = [told.fault, table.status().fault]
    table.clear_fault()
    table.wait_for("fault_cleared", MOVE_MS)
    return [*found, table.status().fault]


def hand(key: str) -> None:
    """Have somebody at the table do this."""
    print(json.dumps({"key": key}), flush=True)
    sys.stdin.readline()


def settings(port: str, *words: str) -> dict[str, int]:
    """The settings by their names, after `words` have changed some."""
    lines = run("doctor", "settings", "--json", "--port", port, *words).splitlines()
    return {one["name"]: one["value"] for one in map(json.loads, lines)}


def said(*words: str, port: str, codes: tuple[int, ...] = (0,)) -> Any:
    """Run a command; return its JSON."""
    return json.loads(run(*words, "--port", port, codes=codes))


def run(*words: str, codes: tuple[int, ...] = (0,)) -> str:
    """Run a command of this release; return what it has printed."""
    done = subprocess.run([sys.executable, "-m", "wallwright", *words], capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        sys.exit(f"wallwright {' '.join(words)} has ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
