"""The `sim://` port as pyserial sees it."""

from urllib.parse import quote_plus

import pytest
import serial

import wallwright_simulator.urls
from wallwright_protocol.hardware import FLAP_SORTER, RING_SORTER
from wallwright_protocol.requester import Requester
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.timing import USUAL, drawn


@pytest.fixture(autouse=True)
def handlers(monkeypatch):
    """pyserial looks for handlers in the packages of this list."""
    monkeypatch.setattr(
        serial, "protocol_handler_packages", [*serial.protocol_handler_packages, wallwright_simulator.urls.__name__]
    )


def open_port(url, **options):
    return serial.serial_for_url(url, **options)


def shake_hands(port):
    """Return what the board says to a HELLO."""
    requester = Requester()
    requester.hello(port.virtual_now_ms(), 5)
    port.write(requester.take())
    for _ in range(100):
        happened = requester.receive(port.virtual_now_ms(), port.read(64))
        if happened:
            return happened[0]
    raise AssertionError("no answer")


def test_a_board_answers_behind_the_url():
    with open_port("sim://?seed=1", timeout=0.1) as port:
        assert shake_hands(port)[0] == "hello"
        assert port.simulation.seed == 1
        assert port.simulation.tiles == 108


def test_options_reach_the_table():
    with open_port("sim://?seed=7&tiles=136") as port:
        assert (port.simulation.seed, port.simulation.tiles) == (7, 136)
    with open_port("sim://") as port:
        assert port.simulation.tiles == 108
        assert port.simulation.world.timing == USUAL
    with open_port("sim://?timing=0.8") as port:
        assert port.simulation.world.timing.lid_ms == 1200
    with open_port("sim://?seed=5&timing=drawn") as port:
        assert port.simulation.world.timing == drawn(5) != USUAL
    with open_port("sim://?hardware=ring&magnets=18") as port:
        assert (port.simulation.board.sorter, port.simulation.board.sorter_places) == (RING_SORTER, 18)
        assert len(port.simulation.world.sorter.magnets) == 18
    with open_port("sim://?hardware=ring") as port:
        assert port.simulation.board.sorter_places == 9
    with open_port("sim://?hardware=flap&places=2") as port:
        assert (port.simulation.board.sorter, port.simulation.board.sorter_places) == (FLAP_SORTER, 2)
    with open_port("sim://?hardware=plain") as port:
        assert port.simulation.world.sorter is None
    with open_port("sim://?faults=" + quote_plus("tile 5 missing")) as port:
        assert 5 in port.simulation.world.loose


def test_a_read_lets_time_pass_by_its_timeout_and_no_more():
    with open_port("sim://?seed=1", timeout=0.25) as port:
        assert port.read(10) == b""
        assert port.virtual_now_ms() == 250
        port.timeout = 0
        assert port.read(10) == b""
        assert port.virtual_now_ms() == 250
        assert port.in_waiting == 0


def test_a_read_returns_as_soon_as_there_are_bytes():
    with open_port("sim://?seed=1", timeout=60) as port:
        shake_hands(port)
        assert port.virtual_now_ms() < 10


def test_what_was_not_read_can_be_thrown_away():
    with open_port("sim://?seed=1", timeout=0) as port:
        requester = Requester()
        requester.hello(0, 5)
        port.write(requester.take())
        port.simulation.run_until(10)
        assert port.in_waiting > 0
        port.reset_input_buffer()
        port.reset_output_buffer()
        port.flush()
        assert port.in_waiting == 0


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("sim://table", "write sim://"),
        ("sim:///dev", "write sim://"),
        ("sim://?seed", "write sim://"),
        ("sim://?seed=", "seed takes a whole number, not ''"),
        ("sim://?seed=x", "seed takes a whole number, not 'x'"),
        ("sim://?seed=-1", "seed takes a whole number, not '-1'"),
        ("sim://?tiles=100", "no set of 100 tiles"),
        ("sim://?colour=red", "unknown option colour"),
        ("sim://?name=nobody", "no simulated table is called nobody"),
        ("sim://?noise=loud", "no random source is called 'loud'"),
        ("sim://?hardware=rings", "no hardware is called 'rings'; there are plain, mouth, flap, ring"),
        ("sim://?hardware=", "no hardware is called ''"),
        ("sim://?hardware=ring&magnets=3", "magnets is 3: a ring has 4 to 24"),
        ("sim://?hardware=ring&magnets=25", "magnets is 25: a ring has 4 to 24"),
        ("sim://?hardware=ring&magnets=-1", "magnets takes a whole number, not '-1'"),
        ("sim://?hardware=ring&magnets=" + "9" * 5000, "magnets takes a whole number, not '99999999999999999999'"),
        ("sim://?hardware=ring&places=2", "places belong to hardware=flap, not to ring"),
        ("sim://?hardware=flap&places=17", "places is 17: a lane has 0 to 16"),
        ("sim://?hardware=flap&magnets=9", "magnets belong to hardware=ring, not to flap"),
        ("sim://?magnets=9", "magnets belong to hardware=ring, not to plain"),
        ("sim://?hardware=mouth&places=0", "places belong to hardware=flap, not to mouth"),
        ("sim://?board=rp2040&hardware=ring", "an emulated board has nothing that sorts"),
        ("sim://?timing=0.4", "too far off: 0.5 to 2.0"),
        ("sim://?timing=nan", "too far off"),
        ("sim://?timing=slow", "timing takes a factor such as 0.8, or drawn, not 'slow'"),
        ("sim://?faults=" + quote_plus("tile 5 flies"), "tile 5 flies"),
    ],
)
def test_a_wrong_url_is_refused_with_what_is_wrong(url, what):
    with pytest.raises(serial.SerialException, match=what):
        open_port(url)


def test_a_table_that_was_attached_is_opened_by_its_name_and_by_one_program_at_a_time():
    simulation = Simulation(3)
    url = attach("the one by the window", simulation)
    with open_port(url) as port:
        assert port.simulation is simulation
        with pytest.raises(serial.SerialException, match="in use"):
            open_port(url)
    simulation.players.press_lift(0)
    simulation.run_until(5_000)
    with open_port(url) as port:
        assert port.virtual_now_ms() == 5_000, "the table keeps its state between programs"
    with pytest.raises(serial.SerialException, match="no simulated table"):
        open_port(url + "&seed=1")


def test_a_closed_port_says_so():
    port = open_port("sim://?seed=1")
    port.close()
    port.close()
    for call in (lambda: port.read(1), lambda: port.write(b"x"), lambda: port.in_waiting, port.reset_input_buffer):
        with pytest.raises(serial.PortNotOpenError):
            call()
