"""The sealed wall against what really lies in the carriers: commitment, unknown places, reveal, losses."""

import hashlib
import random
import struct
from typing import Any

import pytest

from tests.firmware.carry_out import carry_out
from tests.scenarios.table import Table
from wallwright_firmware.app import App
from wallwright_firmware.build import RUNS
from wallwright_firmware.resting import CARRIER_EMPTIED, HEAD_EMPTIED
from wallwright_firmware.seal import Wall
from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REQUESTS
from wallwright_protocol.hardware import DEFAULT_PLANS, LANE_READERS, LIFT_KEY, input_number
from wallwright_protocol.names import REFUSALS
from wallwright_protocol.wall import PART_TILES
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation

Named = tuple[int, str, dict[str, Any]]


class Sealing:
    """A table with readers, its people, and what the board has told."""

    def __init__(self, script: str = "", seed: int = 1, tiles: int = 108, readers: int = LANE_READERS) -> None:
        self.sim = Simulation(seed, tiles, faults=parse_faults(script), readers=readers)
        self.told: list[Named] = []
        self.run(200)

    @property
    def app(self) -> App:
        assert isinstance(self.sim.app, App)
        return self.sim.app

    def run(self, ms: int) -> None:
        """Let time go by, listening as a host does that stores everything."""
        until = self.sim.now_ms + ms
        while self.sim.now_ms < until:
            self.sim.run_until(min(until, self.sim.now_ms + 500))
            if isinstance(self.sim.app, App):
                self.listen()

    def listen(self) -> None:
        ring = self.app.events
        record = ring.after(ring.stored())
        while record is not None:
            self.told.append((record[2], EVENTS[record[3]].name, EVENTS[record[3]].unpack_named(record[4])))
            ring.forget(record[0])
            record = ring.after(ring.stored())

    def named(self, name: str) -> list[dict[str, Any]]:
        return [fields for _, each, fields in self.told if each == name]

    def build(self) -> bytes:
        """Start the first build; return the tags of the finished wall, from the carriers themselves."""
        self.sim.players.press_lift(0)
        self.run(45_000)
        return self.in_carriers()

    def in_carriers(self) -> bytes:
        world = self.sim.world
        tiles = [tile for head in world.heads for stack in head.carrier for tile in stack]
        return b"".join(world.readers.tags[tile] for tile in tiles)

    def raise_walls(self) -> None:
        """People end a deal: the set is pushed in, the walls rise and are drawn in, the dice are rolled."""
        players = self.sim.players
        players.press_lift(0)
        self.run(3000)
        players.push_in()
        players.press_lift(0)
        self.run(5000)
        players.draw_in()
        players.press_dice(0)

    def play(self) -> bytes:
        """Raise the walls and let the other set be built; return the tags of its wall."""
        self.raise_walls()
        self.run(45_000)
        return self.in_carriers()

    def shown(self, deal: int) -> bytes:
        """The wall of a deal as it was revealed, put together from its parts."""
        parts = [part for part in self.named("wall_part") if part["deal"] == deal]
        assert [part["first"] for part in parts] == list(range(0, PART_TILES * len(parts), PART_TILES))
        assert all(not any(part["tags"][8 * part["tiles"] :]) for part in parts)
        return b"".join(part["tags"][: 8 * part["tiles"]] for part in parts)


def digest(deal: int, nonce: bytes, wall: bytes) -> bytes:
    """The commitment by its description in the document."""
    return hashlib.sha256(struct.pack("<I", deal) + nonce + wall).digest()


@pytest.mark.slow
@pytest.mark.parametrize("tiles", [108, 136, 144])
def test_the_wall_that_is_revealed_is_the_one_that_stood_there_and_fits_the_commitment(seed, tiles):
    table = Sealing(seed=seed % 1000, tiles=tiles)
    walls = [table.build(), table.play(), table.play()]
    assert [sealed["deal"] for sealed in table.named("wall_sealed")] == [1, 2, 3]
    revealed = table.named("wall_revealed")
    assert [each["deal"] for each in revealed] == [1]
    for sealed, wall in zip(table.named("wall_sealed")[:1], walls[:1], strict=True):
        assert (sealed["tiles"], sealed["unread"]) == (tiles, 0)
        assert sealed["commitment"] == digest(1, revealed[0]["nonce"], wall)
        assert table.shown(1) == wall, "no tile more, whatever the parts are filled up with"
    names = [name for _, name, _ in table.told]
    assert names.index("wall_sealed") < names.index("walls_up") < names.index("wall_revealed")
    assert not [name for name in names if name.startswith("tag_")]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("plan", "final"),
    [((14, 13, 14, 13), (13, 14, 13, 14)), ((14, 13, 14, 13), (13, 13, 13, 15)), ((15, 13, 13, 13), (13, 13, 15, 13))],
)
def test_a_wall_whose_plan_came_while_it_was_held_is_sealed_as_it_stands(seed, plan, final):
    table = Table(seed, readers=LANE_READERS)
    table.world.plans = [final, DEFAULT_PLANS[108]]
    host = table.connect()
    table.build()
    host.do("set_plan", *plan, 0, codes.HELD, codes.AS_SET)
    table.raise_walls()
    table.press_dice(0)
    assert table.run(90_000, lambda: host.do("get_status")["state"] == codes.HOLDING)
    host.do("set_plan", *final, 1, codes.FIXED, codes.AS_SET)
    assert table.run(60_000, lambda: len(host.named("wall_sealed")) == 2)
    assert table.built() == final
    carriers = [stack for head in table.world.heads for stack in head.carrier]
    wall = b"".join(table.world.readers.tags[tile] for stack in carriers for tile in stack)
    sealed = host.named("wall_sealed")[1].values
    host.do("set_plan", *DEFAULT_PLANS[108], 0, codes.FIXED, codes.AS_SET)
    for _ in range(2):
        table.raise_walls()
        table.press_dice(0)
        table.until_building(20_000)
        assert table.run(60_000, lambda: not table.builds)
        table.run(10_000)
    assert (sealed["deal"], sealed["tiles"], sealed["unread"]) == (2, 108, 0)
    parts = [part.values for part in host.named("wall_part") if part.values["deal"] == 2]
    assert b"".join(part["tags"][: 8 * part["tiles"]] for part in parts) == wall
    nonces = {one.values["deal"]: one.values["nonce"] for one in host.named("wall_revealed")}
    assert sealed["commitment"] == digest(2, nonces[2], wall)


@pytest.mark.slow
def test_every_wall_has_a_nonce_of_its_own():
    table = Sealing()
    table.build()
    for _ in range(3):
        table.play()
    nonces = [each["nonce"] for each in table.named("wall_revealed")]
    assert len(nonces) == len(set(nonces)) == 2
    assert len({each["commitment"] for each in table.named("wall_sealed")}) == 4


def test_nothing_that_a_host_asks_for_opens_a_wall():
    """Every request is made in a deal, with fields of zeros and of ones; it stays shut in every state that follows."""
    table = Sealing()
    table.build()
    table.play()
    secret = [wall for wall in table.app.walls._sealed if wall is not None]
    assert [wall.deal for wall in secret] == [1, 2]
    sent = b""
    for fill in (b"\0", b"\1"):
        for message, layout in sorted(REQUESTS.items()):
            code, reply = carry_out(table.app, message, fill * layout.size)
            assert code in range(len(REFUSALS))
            sent += reply
            table.run(1500)
            sent += table.sim.read()
    table.run(60_000)
    assert table.named("wall_revealed") == []
    told = sent + repr(table.told).encode()
    for wall in secret:
        assert wall.nonce not in sent
        tags = [wall.tags[at : at + 8] for at in range(0, len(wall.tags), 8)]
        assert not [tag for tag in tags if tag in sent or repr(tag)[2:-1].encode() in told]


def counted(wall):
    """As the board has sealed it."""
    while not wall.seal():
        pass
    return wall


def test_a_wall_comes_back_with_more_than_half_of_its_tags_each_counted_once():
    tags = [bytes([0xE0, 4, 0, 0, 0, 0, 0, number]) for number in range(10)]
    wall = counted(Wall(1, bytes(32), b"".join(tags[:4]) + bytes(16) + b"".join(tags[4:8])))
    assert wall.known == 8
    for tag in [*tags[:4], *tags[:4], *tags[8:]]:
        assert not wall.comes_back(tag)
    assert wall.comes_back(tags[4])


def test_a_tag_that_two_others_make_together_does_not_lie_in_the_wall():
    left, right = bytes(range(1, 9)), bytes(range(9, 17))
    wall = counted(Wall(1, bytes(32), left + right))
    assert not wall.comes_back((left + right)[3:11])
    assert not wall.comes_back(right)
    assert wall.comes_back(left)


def test_reads_that_come_in_the_other_order_are_put_into_that_of_their_times():
    table = Sealing()
    walls = table.app.walls
    table.app.build.state = RUNS
    for tag, at_ms in ((b"second", 800), (b"first", 700), (b"third", 900)):
        walls.read(3, tag, at_ms)
    assert walls._seen[3] == [b"first", b"second", b"third"]
    assert walls._seen_ms[3] == [700, 800, 900]


def test_a_read_of_a_stack_that_has_gone_is_not_taken_for_one_of_the_next():
    table = Sealing()
    table.sim.players.press_lift(0)
    walls = table.app.walls
    stray = b"\xe0\x04stray!"
    given = 0
    while not table.app.cycle.whole:
        table.run(50)
        for side in range(4):
            if walls._pushed_ms[side] > 0 and table.app.build.running:
                walls.read(side, stray, walls._pushed_ms[side])
                given += 1
    table.run(5000)
    assert given > 100
    assert table.named("wall_sealed")[0]["unread"] == 0


@pytest.mark.parametrize("script", ["readers miss 3 %", "readers late 5 %", "readers double 20 %", "tag 7 dead"])
def test_a_place_is_known_rightly_or_said_to_be_unknown(script, seed):
    unread = 0
    for number in range(3):
        table = Sealing(script, seed % 1000 + number)
        wall = table.build()
        (sealed,) = table.named("wall_sealed")
        (found,) = [each for each in table.app.walls._sealed if each is not None]
        places = [(found.tags[at : at + 8], wall[at : at + 8]) for at in range(0, len(wall), 8)]
        assert [pair for pair in places if pair[0] != pair[1] and any(pair[0])] == []
        missing = sum(not any(known) for known, _ in places)
        assert sealed["unread"] == missing == len(table.named("tag_unread"))
        unread += missing
    if "miss" in script or "dead" in script:
        assert unread
    elif "double" in script:
        assert not unread


def mend(table: Sealing) -> None:
    """People do what the words of the fault say, and clear it."""
    table.sim.injection.mend()
    cycle, world = table.app.cycle, table.sim.world
    if cycle.fault in HEAD_EMPTIED:
        for tile in world.free_head(cycle.fault_side):
            world.put_in_drum(tile)
    if cycle.fault in CARRIER_EMPTIED:
        for tile in world.free_carrier(cycle.fault_side):
            world.put_in_drum(tile)


@pytest.mark.parametrize("script", ["jam head 1 at 6 s frees 0 %", "jam lane 2 at 7 s frees 0 %", "readers miss 3 %"])
def test_stops_pauses_and_emptied_heads_leave_no_wrong_place(script, seed):
    chance = random.Random(seed)
    table = Sealing(script, seed % 1000)
    cycle = table.app.cycle
    stops = pauses = 0
    while not cycle.whole:
        assert table.sim.now_ms < 600_000
        if cycle.state == codes.FAULT:
            mend(table)
        elif cycle.state == codes.BUILDING and stops < 4 and chance.random() < 0.2:
            stops += 1
            carry_out(table.app, NUMBER_OF["stop"], b"")
        elif cycle.state == codes.BUILDING and pauses < 3 and chance.random() < 0.2:
            pauses += 1
            table.sim.players.press_lift(2)
        if cycle.state in (codes.IDLE, codes.FAULT, codes.LID_OPEN, codes.BUILDING) and (
            cycle.state != codes.BUILDING or table.sim.world.levels[input_number(2, LIFT_KEY)]
        ):
            table.sim.players.press_lift(0)
        table.run(chance.randrange(300, 2500))
    table.run(6000)
    (found,) = [each for each in table.app.walls._sealed if each is not None]
    wall = table.in_carriers()
    places = [(found.tags[at : at + 8], wall[at : at + 8]) for at in range(0, len(wall), 8)]
    assert [pair for pair in places if pair[0] != pair[1] and any(pair[0])] == []
    assert sum(pair[0] == pair[1] for pair in places) > 60


def test_a_dead_reader_is_told_once_and_its_tiles_are_unread():
    table = Sealing("reader 2 dead")
    table.build()
    assert [(each["fault"], each["side"]) for each in table.named("notice")].count((codes.READER_SILENT, 2)) == 1
    assert table.named("wall_sealed")[0]["unread"] == 28
    assert len(table.named("tag_unread")) == 4


def test_without_random_numbers_the_wall_is_unverifiable_and_the_table_goes_on():
    table = Sealing("noise dead at 5 s")
    table.build()
    assert table.named("wall_sealed") == []
    assert table.named("wall_unverifiable") == [{"deal": 1, "seal_loss": codes.LOST_NO_RANDOM}]
    table.play()
    assert [each["deal"] for each in table.named("walls_up")] == [1]


@pytest.mark.slow
def test_after_a_power_loss_the_walls_that_were_sealed_are_unverifiable():
    table = Sealing("cut power at 120 s for 2 s")
    table.build()
    table.play()
    assert [each["deal"] for each in table.named("wall_sealed")] == [1, 2]
    table.run(123_000 - table.sim.now_ms)
    assert [(each["deal"], each["seal_loss"]) for each in table.named("wall_unverifiable")] == [
        (1, codes.LOST_POWER),
        (2, codes.LOST_POWER),
    ]
    for _ in range(3):
        table.play()
    assert [each["deal"] for each in table.named("wall_revealed")] == [3]


def test_a_build_that_a_power_loss_has_cut_is_sealed_with_what_is_known_of_it():
    table = Sealing("cut power at 10 s for 2 s")
    table.sim.players.press_lift(0)
    table.run(13_000)
    assert table.app.cycle.fault == codes.WALLS_UNKNOWN
    for side in range(4):
        for tile in table.sim.world.free_head(side) + table.sim.world.free_carrier(side):
            table.sim.world.put_in_drum(tile)
    table.sim.players.press_lift(0)
    table.run(1000)
    wall = table.build()
    (found,) = [each for each in table.app.walls._sealed if each is not None]
    assert found.tags == wall


def test_a_set_that_does_not_come_back_leaves_its_wall_unverifiable():
    # The readers are dead while the set of deal 1 is built again: nothing shows that it is that set.
    table = Sealing("reader 0 dead at 120 s; reader 1 dead at 120 s; reader 2 dead at 120 s; reader 3 dead at 120 s")
    table.build()
    table.play()
    table.run(121_000 - table.sim.now_ms)
    table.play()
    assert table.named("wall_revealed") == []
    assert (1, codes.LOST_NOT_BACK) in [(each["deal"], each["seal_loss"]) for each in table.named("wall_unverifiable")]


def test_seats_without_heads_seal_nothing():
    table = Sealing(readers=ALL_READERS & ~LANE_READERS)
    table.build()
    assert table.named("wall_sealed") == table.named("wall_unverifiable") == []


def test_service_in_a_deal_shows_no_wall():
    table = Sealing()
    table.build()
    assert carry_out(table.app, NUMBER_OF["begin_service"], b"")[0] == codes.OK
    table.run(5000)
    assert carry_out(table.app, NUMBER_OF["end_service"], b"")[0] == codes.OK
    assert not [name for _, name, _ in table.told if name.startswith("tag_") or name == "wall_revealed"]
