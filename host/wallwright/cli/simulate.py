"""`wallwright simulate`: a simulated table that any program can open."""

import errno
import secrets
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import BadInput, PortBusy, PortDenied, PortError
from ..link.simulator import read_drum, read_faults, read_hardware, reader_mask, simulated_table, simulator

FRESH_SEEDS = 1_000_000
BOARDS = (None, "rp2040")

HELP = """Run a simulated table in real time behind a port that any program can open.

Example: wallwright simulate --pty, then in another terminal: wallwright watch --port /dev/pts/7, or whatever the first
line says.

With --board rp2040 the table's board is an emulated chip that runs the very image of `make firmware`, some times slower
than a real one: wallwright simulate --board rp2040 --tcp 4000. It needs `make chip` once.

Its keys are pressed by lines typed here: l0 to l3 a lift key, d0 to d3 a dice key, r0 to r3 a call for the referee, k0
to k3 a claim key; w draws the walls in, p pushes the tiles into the drum, e and E press and release the emergency stop,
q ends. An empty line lists all. Keys of one line are pressed at once: l0 l1. A line such as f lid obstructed lets that
go wrong from then on (docs/fault-injection.md), m mends it. docs/deal-key-by-key.md is a first deal.

With --loader FOLDER its board can be flashed and updated (`wallwright board flash --folder FOLDER`): the folder appears
when the board has left for its loader, or when u was typed, which holds BOOTSEL; it takes an image, and is gone.
"""


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
        typer.Option(min=0, help="The seed of everything random; another one each time."),
    ] = None,
    tiles: Annotated[int, typer.Option(help="Tiles in a set: 108, 112, 116, 120, 136, 144 or 152.")] = 108,
    readers: Annotated[str, typer.Option(help="Tile readers: none, lanes (at the stacking heads), or all.")] = "none",
    faults: Annotated[Path | None, typer.Option(help="Inject the faults of this file, one a line.")] = None,
    drum: Annotated[
        str, typer.Option(help="How its drum mixes: ideal, places, or places:d=2.25 (docs/fairness.md).")
    ] = "ideal",
    hardware: Annotated[
        str, typer.Option(help="What sorts its tiles: plain (nothing), mouth, flap or ring (docs/duplicate.md).")
    ] = "plain",
    magnets: Annotated[int | None, typer.Option(help="Magnets of the ring of --hardware ring; 9.")] = None,
    places: Annotated[int | None, typer.Option(help="Holding places a lane of --hardware flap; 0.")] = None,
    board: Annotated[str | None, typer.Option(help="Emulate this chip: rp2040.")] = None,
    loader: Annotated[
        Path | None, typer.Option(help="Where the disk of the chip's loader appears, for `wallwright board`.")
    ] = None,
) -> None:
    """Serve until q or Ctrl-C."""
    if pty == (tcp is not None):
        raise typer.BadParameter("give either --pty or --tcp PORT", param_hint="--pty / --tcp")
    serve = simulator("serve")
    if pty and not serve.has_pty():
        raise BadInput(
            "--pty needs a POSIX system such as Linux or macOS, for the pseudo-terminal; "
            "give --tcp 4000 and open socket://127.0.0.1:4000"
        )
    script = read_faults(faults)
    if seed is None:
        # A fresh one, so that a journal never takes this table's events for those of an earlier run.
        seed = secrets.randbelow(FRESH_SEEDS)
    sorter = read_hardware(hardware, magnets, places)
    table = _table(board, seed, tiles, readers, script, read_drum(drum), sorter)
    if loader is not None:
        _plug_in(table, loader)
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
    finally:
        table.close()


def _table(
    board: str | None, seed: int, tiles: int, readers: str, script: tuple[Any, ...], mixing: Any, sorter: Any
) -> Any:
    if board not in BOARDS:
        raise typer.BadParameter(f"there is {' and '.join(filter(None, BOARDS))}", param_hint="--board")
    fitted = reader_mask(readers)
    try:
        if board is None:
            return simulated_table(
                seed, tiles, faults=script, readers=fitted, mixing=mixing, wash_s=None, hardware=sorter
            )
        if fitted:
            raise BadInput("an emulated board has no tile readers: leave --readers away")
        if sorter.kind:
            raise BadInput("an emulated board has nothing that sorts: leave --hardware away")
        chip = simulator("chip")
        try:
            world = simulator("world").World(seed, tiles, mixing=mixing)
            return chip.ChipSimulation(seed, tiles, world=world, faults=script)
        except (chip.NoEmulator, chip.ChipFault) as error:
            raise BadInput(str(error)) from error
    except ValueError as error:
        raise BadInput(str(error)) from error


def _plug_in(table: Any, folder: Path) -> None:
    """Let the loader of the table's board have its disk at `folder`."""
    if folder.exists():
        raise BadInput(f"{folder} is there already; --loader wants a name that is free, where the disk may come and go")
    table.loader = simulator("loader").LoaderFolder(folder)


def _say(text: str) -> None:
    print(text, flush=True)


def _port_error(port: int | None, error: OSError) -> PortError:
    name = "a pseudo-terminal" if port is None else f"port {port}"
    if error.errno == errno.EADDRINUSE:
        return PortBusy(name, "another program listens there; end it, or give --tcp 0 for a free one")
    return PortDenied(name, f"it cannot be opened here ({error.strerror}); try --tcp 0")
