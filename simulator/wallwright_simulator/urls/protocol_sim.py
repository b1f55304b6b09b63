"""The `sim://` port of pyserial: a simulated table, whose time passes while its port is read.

`sim://?seed=1&tiles=108` makes a table of its own; `sim://?name=NAME` opens one that was attached under that name.
`faults=` takes a file of the fault language, or its lines, with `+` for a space and `;` or `%0A` between two. `noise=`
names a random source of `wallwright_simulator.noise`, `readers=` what tile readers there are: none, lanes or all.
"""

from typing import Any
from urllib.parse import parse_qsl, urlsplit

from serial import PortNotOpenError, SerialBase, SerialException

from ..faults import load_faults
from ..noise import NAMED
from ..readers import KINDS
from ..simulation import Simulation, attached

_DEFAULTS = {"seed": 1, "tiles": 108}


def _simulation(url: str) -> Simulation:
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
        return found
    script = values.pop("faults", "")
    noise = values.pop("noise", "good")
    if noise not in NAMED:
        raise SerialException(f"{url}: no random source is called {noise!r}; there are {', '.join(NAMED)}")
    readers = values.pop("readers", "none")
    if readers not in KINDS:
        raise SerialException(f"{url}: readers takes {', '.join(KINDS)}, not {readers!r}")
    numbers = dict(_DEFAULTS)
    for key, text in values.items():
        if key not in numbers:
            raise SerialException(
                f"{url}: unknown option {key}; there are seed, tiles, faults, noise, readers and name"
            )
        if not text.isdecimal():
            raise SerialException(f"{url}: {key} takes a whole number, not {text!r}")
        numbers[key] = int(text)
    try:
        faults = load_faults(script) if script else ()
        source = NAMED[noise](numbers["seed"])
        return Simulation(numbers["seed"], numbers["tiles"], faults=faults, noise=source, readers=KINDS[readers])
    except ValueError as error:
        raise SerialException(f"{url}: {error}") from None


class Serial(SerialBase):
    """A port whose reads advance the virtual time of the table by their timeout at the most."""

    def open(self) -> None:
        """Connect to the table; SerialException when the URL is wrong or the table is in use."""
        simulation = _simulation(self.portstr or "")
        if simulation.port is not None:
            raise SerialException(f"{self.portstr}: the table is in use by another program", "busy")
        simulation.port = self
        self.simulation = simulation
        self.is_open = True

    def close(self) -> None:
        """Let go of the table; it keeps its state."""
        if self.is_open:
            self.simulation.port = None
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
