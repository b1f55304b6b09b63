"""`wallwright simulate`: a simulated table that any program can open."""

import errno
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from .errors import BadInput, PortBusy, PortDenied, PortError
from .simulated import read_faults, reader_mask, simulator

FRESH_SEEDS = 1_000_000

SIMULATE_HELP = """Run a simulated table in real time behind a port that any program can open.

Example: wallwright simulate --pty, then in another terminal: wallwright watch --port /dev/pts/7, or whatever the first
line says.

Its keys are pressed by lines typed here: l0 to l3 a lift key, d0 to d3 a dice key, r0 to r3 a call for the referee, k0
to k3 a claim key; c0 to c3 and b0 to b3 hold a hand before a counting or belt-full eye; w draws the walls in, p pushes
the tiles into the drum, e and E press and release the emergency stop, q ends.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("simulate", help=SIMULATE_HELP)(simulate)


def simulate(
    pty: Annotated[bool, typer.Option("--pty", help="Make a pseudo-terminal.")] = False,
    tcp: Annotated[
        int | None,
        typer.Option("--tcp", min=0, max=65535, help="Listen on this port of 127.0.0.1; 0 takes a free one."),
    ] = None,
    pace: Annotated[
        float, typer.Option(min=0.1, max=4.0, help="1 is real time; beyond 4 a host cannot keep up.")
    ] = 1.0,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Everything that is random follows from this number; another one each time."),
    ] = None,
    tiles: Annotated[int, typer.Option(help="Tiles in a set: 108, 112, 116, 120, 136, 144 or 152.")] = 108,
    readers: Annotated[str, typer.Option(help="Tile readers: none, lanes (at the stacking heads), or all.")] = "none",
    faults: Annotated[Path | None, typer.Option(help="Let go wrong what this file says, one fault a line.")] = None,
) -> None:
    """Serve until q or Ctrl-C."""
    if pty == (tcp is not None):
        raise typer.BadParameter("give either --pty or --tcp PORT", param_hint="--pty / --tcp")
    serve = simulator("serve")
    script = read_faults(faults)
    if seed is None:
        # A fresh one, so that a journal never takes this table's events for those of an earlier run.
        seed = secrets.randbelow(FRESH_SEEDS)
    fitted = reader_mask(readers)
    try:
        table = simulator("simulation").Simulation(seed, tiles, faults=script, readers=fitted)
    except ValueError as error:
        raise BadInput(str(error)) from error
    _say(f"seed {seed}")
    keys = sys.stdin.fileno() if sys.stdin is not None and not sys.stdin.closed else None
    try:
        if tcp is None:
            serve.serve_pty(table, pace, keys=keys, say=_say)
        else:
            serve.serve_tcp(table, tcp, pace, keys=keys, say=_say)
    except KeyboardInterrupt:
        return  # the usual end
    except OSError as error:
        raise _port_error(tcp, error) from error


def _say(text: str) -> None:
    print(text, flush=True)


def _port_error(port: int | None, error: OSError) -> PortError:
    name = "a pseudo-terminal" if port is None else f"port {port}"
    if error.errno == errno.EADDRINUSE:
        return PortBusy(name, "another program listens there; end it, or give --tcp 0 for a free one")
    return PortDenied(name, f"it cannot be opened here ({error.strerror}); try --tcp 0")
