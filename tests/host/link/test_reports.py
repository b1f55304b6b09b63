"""Names for the wire's numbers, against the firmware's own constants and a table at work."""

import struct

import pytest

from wallwright.errors import BadMessage
from wallwright.link.reports import SEALED, SECRET_EVENTS, UNREADABLE, WALL_SHOWN, read_event, read_info, read_status
from wallwright_protocol import codes, hardware
from wallwright_protocol.codec import EVENTS, NUMBER_OF, STATUSES
from wallwright_protocol.names import DRIVES, FAULTS, INPUTS, LAMPS
from wallwright_simulator.simulation import Simulation


def test_the_names_of_inputs_drives_and_lamps_stand_where_their_numbers_say() -> None:
    for side in range(hardware.SIDES):
        assert INPUTS[hardware.input_number(side, hardware.REFEREE_KEY)] == f"referee_key_{side}"
        assert DRIVES[hardware.drive_bit(side, hardware.LIFT_LOWER).bit_length() - 1] == f"lift_lower_{side}"
        assert LAMPS[side * hardware.LAMPS_PER_SIDE + hardware.DICE_LAMP] == f"dice_lamp_{side}"
        assert INPUTS[hardware.CLAIM_KEY_0 + side] == f"claim_key_{side}"
    assert INPUTS[hardware.LID_IS_OPEN] == "lid_is_open"
    assert [DRIVES[bit.bit_length() - 1] for bit in (hardware.RING, hardware.LID_CLOSE)] == ["ring", "lid_close"]
    assert len(INPUTS) == hardware.INPUTS == len(set(INPUTS))
    assert len(DRIVES) == hardware.DRIVES == len(set(DRIVES))
    assert len(LAMPS) == hardware.SIDES * hardware.LAMPS_PER_SIDE == len(set(LAMPS))


def test_a_status_says_what_the_mechanics_are() -> None:
    simulation = Simulation(5)
    simulation.run_until(100)
    status = read_status(simulation.app.status.payload())  # type: ignore[attr-defined]
    assert set(status.inputs) == {name for name, level in zip(INPUTS, simulation.world.levels, strict=True) if level}
    simulation.players.press_lift(2)
    simulation.run_until(12_000)
    status = read_status(simulation.app.status.payload())  # type: ignore[attr-defined]
    assert status.state == "building"
    assert status.stacks == tuple(len(head.carrier) for head in simulation.world.heads)
    assert {"disc", "ring"} <= set(status.drives)
    assert (status.fault, status.fault_side, status.dice) == (None, None, None)


@pytest.mark.parametrize("payload", [b"", b"\0" * 3, b"\0" * 200])
def test_a_reply_of_wrong_length_shows_its_bytes(payload: bytes) -> None:
    for read in (read_status, read_info):
        with pytest.raises(BadMessage, match=f"{len(payload)} bytes"):
            read(payload)


@pytest.mark.parametrize("number", sorted(EVENTS))
def test_every_event_can_be_read_and_one_of_wrong_length_keeps_its_bytes(number: int) -> None:
    layout = EVENTS[number]
    good = bytes(layout.size)
    if layout.name == "dice_rolled":
        good = layout.pack(0, 0, 1, 6, 0, *range(3), *[b""] * 2, 0)
    elif layout.name in ("build_started", "setup_changed"):
        good = layout.pack(*[1] * len(good))
    assert read_event(1, 2, 0, 3, number, good).name == layout.name
    for wrong in (layout.size - 1, layout.size + 1):
        event = read_event(1, 2, 0, 3, number, b"\x55" * wrong)
        told = {"message": layout.name, "why": f"{wrong} bytes", "payload": "55" * wrong}
        assert event.name == UNREADABLE
        if layout.name in (*SECRET_EVENTS, WALL_SHOWN):
            assert (event.fields, event.secret) == ({"message": SEALED}, {"payload": "55" * wrong})
        else:
            assert event.fields == told


def test_numbers_become_names_and_no_side_becomes_none() -> None:
    payload = EVENTS[NUMBER_OF["fault"]].pack(codes.EMERGENCY_STOP, codes.NO_SIDE, 3, 4)
    event = read_event(1, 2, 0, 3, NUMBER_OF["fault"], payload)
    assert event.fields == {"fault": "emergency_stop", "side": None, "found": 3, "wanted": 4}
    payload = EVENTS[NUMBER_OF["command_accepted"]].pack(NUMBER_OF["open_lid"], codes.FROM_HOST)
    event = read_event(1, 2, 0, 3, NUMBER_OF["command_accepted"], payload)
    assert event.fields == {"message": "open_lid", "source": "host"}


def test_a_number_without_a_name_is_shown() -> None:
    payload = EVENTS[NUMBER_OF["state_changed"]].pack(200)
    assert read_event(1, 2, 0, 3, NUMBER_OF["state_changed"], payload).fields == {"state": "state 200"}
    values = bytearray(STATUSES[NUMBER_OF["status"]].size)
    values[1] = len(FAULTS)
    values[struct.calcsize("<BBBBB4B4B4B6sIHHBBBBHB")] = 2  # dice at a throw
    assert read_status(bytes(values)).fault == f"fault {len(FAULTS)}"
