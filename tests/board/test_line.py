"""Readers and displays on the emulated board: one node is its own image on a second chip, the others are models."""

from itertools import pairwise

import pytest

from wallwright.errors import BoardReset
from wallwright_firmware.line import MISSING_MS
from wallwright_protocol import line
from wallwright_protocol.frame import Decoder
from wallwright_simulator.chip.files import WITH_MAP, file_system
from wallwright_simulator.readers import ALL_READERS

REAL = 1


@pytest.fixture
def questions():
    """Listen to the line: `questions(simulation)` returns the list of (time in ms, kind, address) that grows."""

    def listen(simulation):
        asked: list[tuple[float, int, int]] = []
        decoder = Decoder()
        answers = simulation.nodes.answers

        def heard(now_us, data):
            asked.extend((now_us / 1000, body[0], body[1]) for body in decoder.feed(data))
            return answers(now_us, data)

        simulation.nodes.answers = heard
        return asked

    return listen


def deal_hands(world):
    """Thirteen tiles before every hand reader, so that every node is busy from now on."""
    for seat in range(4):
        for _ in range(13):
            world.hands[seat].append(world.pile.pop())
    world.moved()


@pytest.mark.parametrize("xip_miss", [0, 50])
def test_sixteen_antennas_are_asked_every_fifty_ms_while_walls_are_built_and_tiles_are_discarded(
    chip, questions, xip_miss
):
    simulation = chip(1, readers=ALL_READERS, real_node=REAL, xip_miss=xip_miss, wash_s=0)
    asked = questions(simulation)
    world = simulation.world
    simulation.run_until(1500)
    # A node that is still starting may answer so late that the next question is on the line by then.
    deaf = simulation.chip.do("counts")["deaf"]
    simulation.real_node.state()
    deal_hands(world)
    simulation.players.press_lift(0)
    for moment in range(20):
        simulation.run_until(1500 + 100 * moment)
        for seat in range(4):
            world.discard(seat, world.hands[seat][0])
        simulation.run_until(1550 + 100 * moment)
        for seat in range(4):
            world.claim(seat, world.discards[seat][0])
    for address in range(line.NODES):
        times = [at for at, kind, who in asked if who == address and kind != line.CALL and at > 1500]
        assert max(later - sooner for sooner, later in pairwise(times)) <= 50
    counts = simulation.chip.do("counts")
    assert (counts["overrun"], counts["undriven"]) == (0, 0)
    assert counts["deaf"] == deaf
    state = simulation.real_node.state()
    assert len(state["delays"]) > 50
    assert max(state["delays"]) <= line.ANSWER_MS * 1e6
    assert state["text"].rstrip() == simulation.board.displays[0] == "BUILD"
    for looks in state["looks"]:
        assert max(later - sooner for sooner, later in pairwise(looks)) <= 50e6


def test_the_real_node_tells_the_hand_before_it_and_its_key(chip, operate):
    simulation = chip(1, readers=ALL_READERS, real_node=REAL)
    simulation.run_until(1200)
    table = operate(simulation)
    deal_hands(simulation.world)
    hand = {simulation.world.readers.tags[tile].hex() for tile in simulation.world.hands[REAL]}
    table.pump(2000)  # fifty are told a second
    appeared = {event.secret["tag"] for event in table.events() if event.name == "tag_appeared"}
    assert hand <= appeared
    simulation.players.press_claim(REAL)
    assert table.wait_for("claim", timeout_ms=500).fields["seat"] == REAL


def test_a_node_that_dies_is_named(chip, operate):
    simulation = chip(1, readers=ALL_READERS, real_node=REAL)
    simulation.run_until(1200)
    table = operate(simulation)
    simulation.real_node.power(False)
    notice = table.wait_for("notice", timeout_ms=2000)
    assert (notice.fields["fault"], notice.fields["side"]) == ("node_silent", REAL)
    assert simulation.board.displays[0] == "START?"


def test_a_node_that_was_there_and_is_missing_since_power_up_is_named(chip, operate):
    """`nodes.bin` is what a board keeps that has seen all four."""
    simulation = chip(1, flash=[file_system(WITH_MAP | {"nodes.bin": b"\x0f"})])
    simulation.nodes.nodes[2].dead = True
    table = operate(simulation)
    notice = table.wait_for("notice", timeout_ms=MISSING_MS + 1000)
    assert (notice.fields["fault"], notice.fields["side"]) == ("node_silent", 2)
    table.pump(500)
    table.events()
    simulation.power_off()
    simulation.nodes.nodes[2].dead = True
    simulation.power_on()
    with pytest.raises(BoardReset):
        table.pump(3000)
    table.reconnect()
    table.pump(MISSING_MS)
    told = [event.name for event in table.events()]
    assert "booted" in told
    assert "notice" not in told, "it is no longer looked for"
