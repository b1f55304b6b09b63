"""The host's only door to the simulator, which it finds by name: it works without one being installed."""

import importlib
from pathlib import Path
from types import ModuleType
from typing import Any

import serial

from ..errors import BadInput, BadPort
from ..system.disk import read_whole
from ..text_files import BadText, text_of

PACKAGE = "wallwright_simulator"
SCHEMES = f"{PACKAGE}.urls"


def simulator(module: str = "") -> ModuleType:
    """Return the simulator's package, or one of its modules; BadPort when it is not installed."""
    name = f"{PACKAGE}.{module}" if module else PACKAGE
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in (PACKAGE, name):
            raise
        raise BadPort(
            "sim://", "the simulator is not installed; install all of Wallwright, or use a real port"
        ) from error


def read_faults(path: Path | None) -> tuple[Any, ...]:
    """Return the faults of a script in the simulator's language; none without a path. BadInput when it has errors."""
    if path is None:
        return ()
    faults = simulator("faults")
    try:
        if not path.exists():
            return tuple(faults.load_faults(str(path)))
        text = text_of(read_whole(path))
    except (BadText, OSError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BadInput(f"{path}: this is no file of faults ({why}); docs/fault-injection.md has the form") from error
    except ValueError as error:
        raise BadInput(str(error)) from error
    try:
        return tuple(faults.parse_faults(text))
    except ValueError as error:
        raise BadInput(f"{path}, {error}") from error


def simulated_table(seed: int, tiles: int, **fitted: Any) -> Any:
    """Return a simulated table with two sets of so many tiles; BadInput for faults that do not fit what it has."""
    try:
        return simulator("simulation").Simulation(seed, tiles, **fitted)
    except simulator("faults").FaultError as error:
        raise BadInput(str(error)) from error


def reader_mask(kind: str) -> int:
    """Return the mask of a simulated table's tile readers: "none", "lanes" or "all"; BadInput for anything else."""
    kinds: dict[str, int] = simulator("readers").KINDS
    if kind not in kinds:
        raise BadInput(f"--readers {kind}: there are {', '.join(kinds)}")
    return kinds[kind]


def read_drum(text: str) -> Any:
    """Return how a simulated drum mixes: None for "ideal", else the constants of "places:d=5"; BadInput for others."""
    try:
        return simulator("places").read_mixing(text)
    except ValueError as error:
        raise BadInput(f"--drum: {error}") from error


def read_hardware(name: str, magnets: int | None, places: int | None) -> Any:
    """Return what sorts the tiles of a simulated table, by the words of `--hardware`; BadInput for others."""
    try:
        return simulator("sorters").read_hardware(name, magnets, places)
    except ValueError as error:
        raise BadInput(f"--hardware: {error}") from error


def register_simulated_ports() -> None:
    """Let pyserial open `sim://` ports; BadPort when the simulator is not installed."""
    simulator()
    if SCHEMES not in serial.protocol_handler_packages:
        serial.protocol_handler_packages.append(SCHEMES)
