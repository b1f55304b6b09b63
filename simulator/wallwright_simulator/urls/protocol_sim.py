"""The `sim://` port of pyserial: a simulated table, whose time passes while its port is read.

`sim://?seed=1&tiles=108` makes a table of its own; `sim://?name=NAME` opens one that was attached under that name.
`faults=` takes a file of the fault language, or its lines, with `+` for a space and `;` or `%0A` between two. `noise=`
names a random source of `wallwright_simulator.noise`, `readers=` what tile readers there are: none, lanes or all.
`timing=0.8` makes a machine all of whose parts take 0.8 times as long as usual, `timing=drawn` one of which each part
takes up to 30 % less or more, by the seed. `drum=places` makes a drum that has to mix its tiles, `drum=places:d=2.25`
one that mixes more slowly (docs/fairness.md); `drum=ideal` is the default. `wash_s=0` sets the table's setting of that
name; without it a set is washed for as long as a new board does.

A table's board has the map of the standard wiring. With `wires=7` it is connected in an order and in senses that follow
from that seed and has no map yet; with `lanes=013` it has none either, and the other sides have no lane. So
`lanes=0123` is a new board on the reference carrier.

`hardware=ring&magnets=18` makes a table that can sort its tiles on a ring of so many magnets (9 unless told),
`hardware=flap&places=2` one with a flap and so many holding places a lane (0), `hardware=mouth` one with readers behind
its mouths and nothing else; they have the readers at the heads too. `hardware=plain` is the default. docs/duplicate.md
has the parts.

With `board=rp2040` the table's board is an emulated chip with the image that `make firmware` builds, which knows the
size of its sets; `xip_miss=50` lets every miss of its flash's cache cost so many cycles.
"""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from serial import PortNotOpenError, SerialBase, SerialException

from ..chip import ChipFault, ChipSimulation, NoEmulator
from ..faults import load_faults
from ..harness import Harness, shuffled, standard
from ..noise import NAMED
from ..places import read_mixing
from ..readers import KINDS
from ..simulation import Simulation, attached
from ..sorter import PLAIN, Hardware
from ..sorters import read_hardware
from ..table import Table
from ..timing import USUAL, Timing, drawn, scaled
from ..world import World

_DEFAULTS = {"seed": 1, "tiles": 108}
BOARDS = ("", "rp2040")
MOST_DIGITS = 4


def _table(url: str) -> tuple[Table, bool]:
    """The table of a URL, and whether nobody else has it."""
    parts = urlsplit(url)
    if parts.netloc or parts.path:
        raise SerialException(f"{url}: write sim://?seed=1&tiles=108")
    try:
        query = parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True) if parts.query else []
    except ValueError:
        raise SerialException(f"{url}: write sim://?seed=1&tiles=108") from None
    values = dict(query)
    name = values.pop("name", None)
    if name is not None:
        found = attached(name)
        if found is None or values:
            raise SerialException(f"no simulated table is called {name}")
        return found, False
    script = values.pop("faults", "")
    noise = values.pop("noise", "good")
    if noise not in NAMED:
        raise SerialException(f"{url}: no random source is called {noise!r}; there are {', '.join(NAMED)}")
    readers = values.pop("readers", "none")
    if readers not in KINDS:
        raise SerialException(f"{url}: readers takes {', '.join(KINDS)}, not {readers!r}")
    timing = values.pop("timing", "")
    drum = values.pop("drum", "ideal")
    wires = values.pop("wires", "")
    lanes = values.pop("lanes", "")
    wash = values.pop("wash_s", "")
    sorts: dict[str, str] = {key: values.pop(key) for key in ("hardware", "magnets", "places") if key in values}
    board = values.pop("board", "")
    if board not in BOARDS:
        raise SerialException(f"{url}: board takes rp2040, not {board!r}")
    numbers = _DEFAULTS | ({"xip_miss": 0} if board else {})
    for key, text in values.items():
        if key not in numbers:
            raise SerialException(
                f"{url}: unknown option {key}; there are seed, tiles, faults, noise, readers, timing, drum, wash_s, "
                "hardware, magnets, places, wires, lanes, board, xip_miss with a board, and name"
            )
        if not text.isdecimal():
            raise SerialException(f"{url}: {key} takes a whole number, not {text!r}")
        numbers[key] = int(text)
    try:
        faults = load_faults(script) if script else ()
        source = NAMED[noise](numbers["seed"])
        seed, tiles = numbers["seed"], numbers["tiles"]
        speeds = _timing(timing, seed)
        mixing = read_mixing(drum)
        harness = _harness(wires, lanes)
        wash_s = _wash_s(wash)
        hardware = _hardware(sorts)
        if board:
            if hardware != PLAIN:
                raise ValueError("an emulated board has nothing that sorts: leave hardware away")
            if wash:
                raise ValueError("an emulated board has its own settings: wallwright doctor settings sets wash_s")
            if readers != "none":
                raise ValueError("an emulated board has no tile readers")
            world = World(seed, tiles, timing=speeds, mixing=mixing)
            xip_miss = numbers["xip_miss"]
            made = ChipSimulation(
                seed, tiles, world=world, faults=faults, noise=source, xip_miss=xip_miss, harness=harness
            )
            return made, True
        fitted = KINDS[readers]
        return Simulation(
            seed,
            tiles,
            faults=faults,
            noise=source,
            readers=fitted,
            timing=speeds,
            mixing=mixing,
            harness=harness,
            wash_s=wash_s,
            hardware=hardware,
        ), True
    except (ValueError, NoEmulator, ChipFault) as error:
        raise SerialException(f"{url}: {error}") from None


def _harness(wires: str, lanes: str) -> Harness | None:
    """Return the wires that `wires=` and `lanes=` ask for, None for the standard wiring."""
    if not wires and not lanes:
        return None
    sides = sorted(set(lanes or "0123"))
    if not set(sides) <= set("0123"):
        raise ValueError(f"lanes takes the sides that have one, as in 013, not {lanes!r}")
    return shuffled(wires, map(int, sides)) if wires else standard(map(int, sides))


def _hardware(values: dict[str, str]) -> Hardware:
    """Return what `hardware=`, `magnets=` and `places=` ask for; ValueError when there is no such thing."""
    for key in ("magnets", "places"):
        if key in values and not (values[key].isdecimal() and len(values[key]) <= MOST_DIGITS):
            raise ValueError(f"{key} takes a whole number, not {values[key][:20]!r}")
    numbers = [int(values[key]) if key in values else None for key in ("magnets", "places")]
    return read_hardware(values.get("hardware", "plain"), *numbers)


def _wash_s(text: str) -> int | None:
    """Return the seconds that `wash_s=` asks for, None when it does not."""
    if text and not text.isdecimal():
        raise ValueError(f"wash_s takes a whole number of seconds, not {text!r}")
    return int(text) if text else None


def _timing(text: str, seed: int) -> Timing:
    """Return the times that `timing=` asks for; ValueError when there are none of that name."""
    if not text:
        return USUAL
    if text == "drawn":
        return drawn(seed)
    try:
        factor = float(text)
    except ValueError:
        raise ValueError(f"timing takes a factor such as 0.8, or drawn, not {text!r}") from None
    return scaled(factor)


class Serial(SerialBase):
    """A port whose reads advance the virtual time of the table by their timeout at the most."""

    def open(self) -> None:
        """Connect to the table; SerialException when the URL is wrong or the table is in use."""
        simulation, self._is_own = _table(self.portstr or "")
        if simulation.port is not None:
            raise SerialException(f"{self.portstr}: the table is in use by another program", "busy")
        simulation.port = self
        self.simulation = simulation
        self.is_open = True

    def close(self) -> None:
        """Let go of the table; one that was attached keeps its state."""
        if self.is_open:
            self.simulation.port = None
            if self._is_own:
                self.simulation.close()
            self.is_open = False

    def read(self, size: int = 1) -> bytes:
        """Return up to `size` bytes, as soon as there are any; time passes up to the timeout."""
        self._check()
        timeout_ms = 0x3FFFFFFF if self.timeout is None else int(self.timeout * 1000)
        self.simulation.run_until_output(self.simulation.now_ms + timeout_ms)
        return self.simulation.read(size)

    def write(self, data: Any) -> int:
        """Send `data` to the table."""
        self._check()
        self.simulation.write(bytes(data))
        return len(data)

    @property
    def in_waiting(self) -> int:
        """Return how many bytes can be read at once."""
        self._check()
        return self.simulation.waiting()

    def virtual_now_ms(self) -> int:
        """Return the table's own time, on which its host should run too."""
        return self.simulation.now_ms

    def reset_input_buffer(self) -> None:
        """Throw away what has not been read."""
        self._check()
        self.simulation.read()

    def reset_output_buffer(self) -> None:
        """Nothing waits on the way out."""

    def flush(self) -> None:
        """Nothing waits on the way out."""

    def _reconfigure_port(self) -> None:
        """There is no line to configure."""

    _update_rts_state = _update_dtr_state = _update_break_state = _reconfigure_port

    def _check(self) -> None:
        if not self.is_open:
            raise PortNotOpenError()
