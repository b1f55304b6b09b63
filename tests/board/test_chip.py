"""The emulated chip does to a program what a real one would: times, losses, resets and wires."""

import os
import signal
import threading

import pytest

from wallwright_simulator.chip import ChipFault
from wallwright_simulator.chip.files import program
from wallwright_simulator.world import World

HEADER = """import machine, time, os
from machine import Pin
u = machine.UART(0, 115200, tx=Pin(0), rx=Pin(1), rxbuf=4096)
def say(*words): u.write(" ".join(map(str, words)) + "\\n"); u.flush()
"""
"""Its own USB a board opens only when this is over; so a program tells by the host's line."""


def run(chip, text, until_ms=1500, **options):
    simulation = chip(1, flash=[program(HEADER + text)], **options)
    simulation.run_until(until_ms)
    return simulation


def test_two_drivers_on_one_net_are_named(chip):
    """Without its pins named a UART 1 starts on GP4, and sends against the register that the inputs come out of."""
    with pytest.raises(ChipFault, match=r"GP4 \(UART 1 TX\) and 74HC165 \(serial output\) both drive the net"):
        run(chip, "machine.UART(1)\n")


def test_the_watchdog_bites_and_says_so(chip):
    simulation = run(chip, "say(machine.reset_cause())\nmachine.WDT(timeout=300)\nwhile True: pass\n", 1800)
    first, *later = simulation.read().split()
    assert first == b"1"
    assert set(later) == {b"3"}
    assert simulation.resets in {3, 4, 5}


def test_who_resets_itself_is_no_failure_of_a_watchdog(chip):
    simulation = run(
        chip,
        "say('%x' % (machine.mem32[0x4005801c] & 0xffffffff), '%x' % machine.mem32[0x40064008])\n"
        "time.sleep_ms(700)\nmachine.reset()\n",
        1500,
    )
    words = simulation.read().split()
    assert words[0] == b"0"
    assert words[1] == b"100"  # CHIP_RESET.HAD_POR
    assert simulation.resets >= 1


def test_a_flash_write_stops_the_cpu_and_the_fifo_overflows(chip):
    """While a sector is erased nobody takes bytes out of a FIFO of 32."""
    simulation = chip(
        1,
        flash=[
            program(
                HEADER + "worst = 0\n"
                "for i in range(40):\n"
                " t = time.ticks_us()\n"
                " with open('x', 'wb') as f: f.write(bytes(300))\n"
                " worst = max(worst, time.ticks_diff(time.ticks_us(), t))\n"
                "say(worst, u.any())\n"
                "while True: pass\n"
            )
        ],
    )
    simulation.run_until(300)
    sent = 700
    simulation.write(bytes(sent))
    simulation.run_until(3000)
    worst_us, received = map(int, simulation.read().split())
    counts = simulation.chip.do("counts")
    assert counts["erases"] > 1
    assert 45_000 < worst_us < 200_000
    assert received < sent
    assert received + counts["overrun"] == sent


def test_a_byte_at_a_wrong_rate_arrives_spoilt(chip):
    simulation = chip(
        1,
        flash=[program(HEADER + "u.init(57600)\ntime.sleep_ms(900)\nu.init(115200)\nwhile True: pass\n")],
    )
    simulation.run_until(600)
    simulation.write(b"U")
    simulation.run_until(700)
    assert simulation.chip.do("counts")["framing"] == 1


def test_memory_outlives_a_watchdog_and_not_a_power_cut(chip):
    text = "a = 0x20041000\nsay('%x' % (machine.mem32[a] & 0xffffffff))\nmachine.mem32[a] = 0x5eed\n"
    simulation = run(chip, text + "time.sleep_ms(200)\nmachine.reset()\n", 1000)
    first, *later = simulation.read().split()
    assert first != b"5eed"
    assert set(later) == {b"5eed"}
    simulation.cut_power(500)
    simulation.run_until(1900)
    assert simulation.read().split()[0] not in {b"5eed", first}


def test_no_motor_runs_while_the_registers_hold_chance(chip):
    """From power-on to the first write only the resistor on their enable keeps the outputs off."""
    world = World(3, 108, log_drives=True)
    simulation = chip(3, world=world)
    simulation.run_until(2500)
    assert simulation.chip.do("counts")["writes"] > 0
    assert world.drive_log == []


def test_an_oscillator_that_is_stuck_is_seen(chip, operate):
    from wallwright_simulator.noise import stuck

    simulation = chip(1, noise=stuck())
    simulation.run_until(2500)
    table = operate(simulation)
    table.pump(500)
    assert "random_failed" in str(table.events())


def test_who_is_interrupted_while_the_chip_runs_can_ask_it_again(chip):
    """As the time limit of a test does, whose picture is drawn afterwards."""

    def interrupt(*_):
        raise TimeoutError

    simulation = chip(1, flash=[program(HEADER + "while True: pass\n")])
    before = signal.signal(signal.SIGUSR1, interrupt)
    soon = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGUSR1))
    soon.start()
    try:
        with pytest.raises(TimeoutError):
            simulation.chip.go(10_000_000_000, bytes(6))
    finally:
        # A signal that came later would end this process.
        soon.cancel()
        soon.join()
        signal.signal(signal.SIGUSR1, before)
    assert simulation.chip.do("trace")
    assert simulation.chip.do("isOn") is True


def test_cache_misses_cost_time(chip):
    work = "t = time.ticks_us()\nfor i in range(3000): str(i)\n"
    text = work + "say(time.ticks_diff(time.ticks_us(), t))\nwhile True: pass\n"
    fast, slow = (int(run(chip, text, 900, xip_miss=miss).read()) for miss in (0, 50))
    assert 1.05 < slow / fast < 2
