"""Scenarios: what people, hosts and bad luck do to a table, and what must come of it.

Each is a function of a fresh `Table` and asserts as it goes; chance comes from the table's seed. `SCENARIOS` names
those that run in every runtime of the firmware, where they must also give the same bytes.
"""

import random
import re
import struct
from collections.abc import Callable

from tests.scenarios.table import Host, Table
from tests.scenarios.watch import Plan
from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF
from wallwright_protocol.frame import encode
from wallwright_protocol.hardware import DISC, SIDES
from wallwright_protocol.link import REQUEST, REQUEST_LAYOUT
from wallwright_protocol.names import FAULTS

CHECKED_MS = 6_000
"""After this long the drum of a finished build has been searched for a tile too many, and everything rests."""

ASKS = ("?", "READY", "DROP")
"""How a text ends that asks for a key."""

FAULT_TEXTS = {number: f"E{number:02d}" for number in range(len(FAULTS))}


def plan_of(dealer: int) -> Plan:
    """The walls of 108 tiles: 14 stacks for the dealer and opposite, 13 for the others (SBR-2.1)."""
    return tuple(14 if (side - dealer) % 2 == 0 else 13 for side in range(SIDES))


def check_walls(table: Table, plan: Plan, tile_set: int) -> None:
    """The carriers hold exactly the planned stacks of two, with every tile of one set and no other."""
    assert table.built() == plan
    stacks = [stack for head in table.world.heads for stack in head.carrier]
    assert {len(stack) for stack in stacks} == {2}
    assert sorted(tile for stack in stacks for tile in stack) == list(range(108 * tile_set, 108 * (tile_set + 1)))
    table.world.check_conserved()


def cycle_alone(table: Table) -> None:
    """Four deals by keys and hands, without a host: the plan follows the dealer, the sets take turns."""
    chance = random.Random(table.seed)
    dealer = 0
    table.build(chance.randrange(SIDES))
    for deal in range(4):
        check_walls(table, plan_of(dealer), deal % 2)
        table.world.plans = [plan_of(dealer)]
        built = [head.carrier[:] for head in table.world.heads]
        table.raise_walls(chance.randrange(SIDES))
        assert table.world.walls == built
        assert table.world.rises[deal:] == [plan_of(dealer)]
        assert table.world.mask == 0
        dealer = chance.randrange(SIDES)
        table.press_dice(dealer)
        table.run(300)
        first, second = table.shown.split()
        assert {int(first), int(second)} <= set(range(1, 7))
        table.until_building(3_000)
        assert all(lift.at_start for lift in table.world.lifts)
        table.until("READY")
    assert not any(poll.tx for poll in table.polls), "a board without a host sends nothing"


def cycle_with_host(table: Table) -> None:
    """A host opens, raises, rolls and lowers, and plans when it knows the next dealer; until then a build is held.

    A plan that comes after that is for the next build.
    """
    host = table.connect()
    host.do("set_plan", *plan_of(0), 0, codes.TURNED, codes.AS_SET)
    host.do("start_build")
    table.run(5_000)
    for deal in range(3):
        dealer = deal % SIDES
        next_dealer = (deal + 1) % SIDES
        host.do("set_plan", *plan_of(dealer), dealer, codes.HELD, 10)
        table.until("READY")
        check_walls(table, plan_of(dealer), deal % 2)
        table.world.plans = [plan_of(dealer)]
        table.run(CHECKED_MS)
        status = host.do("get_status")
        assert (status["state"], status["set_whole"], status["drives"]) == (codes.READY, 1, 0)
        assert status["plan"] == status["stacks"] == plan_of(dealer)
        assert status["inputs"] == packed_levels(table)
        host.do("open_lid")
        table.until("DROP", 2_000)
        table.sim.players.push_in()
        host.do("raise_walls")
        table.until("DICE?", 5_000)
        table.sim.players.draw_in()
        dice = host.do("roll_dice", dealer, codes.CUT, 0)["dice"]
        host.do("lower_lifts")
        table.run(3_000, lambda: table.world.mask == DISC)
        assert table.shown == f"{dice[0]} {dice[1]}", "people break the wall by them"
        table.run(9_000)
        assert table.world.mask == DISC, "the disc washes the set for ten seconds"
        until_held(table)
        assert table.shown == f"{dice[0]} {dice[1]}"
        assert host.do("get_status")["state"] == codes.HOLDING
        assert len(host.named("build_started")) == deal + 1, "its plan is not latched"
        host.do("set_plan", *plan_of(next_dealer), next_dealer, codes.TURNED, codes.AS_SET)
        table.until_building(200)
        assert host.named("build_started")[-1].values["plan"] == plan_of(next_dealer)
        rolled = host.named("dice_rolled")[-1].values
        told = {"seat": dealer, "dice": dice, "source": codes.FROM_HOST, "deal": deal + 1, "roll": deal + 1}
        assert {name: rolled[name] for name in told} == told
    assert [event.seq for event in host.events] == list(range(1, len(host.events) + 1))
    assert [event.values["tile_set"] for event in host.named("build_done")] == [0, 1, 0]
    assert [event.values["stacks"] for event in host.named("build_done")] == [plan_of(deal) for deal in range(3)]
    assert [event.values["deal"] for event in host.named("walls_up")] == [1, 2, 3]
    accepted = [codes_name(event.values["message"]) for event in host.named("command_accepted")]
    assert accepted[:2] == ["set_plan", "start_build"]
    assert accepted[2:8] == ["set_plan", "open_lid", "raise_walls", "roll_dice", "lower_lifts", "set_plan"]


def held_build_of_a_silent_host(table: Table) -> None:
    """A host that has builds held and falls silent does not block the table, which goes by its own dealer then."""
    hold_a_build(table, 1)
    assert re.fullmatch("[1-6] [1-6]", table.shown), "the dice stay until the next build is done"
    table.disconnect()
    gone_ms = table.world.host_gone_ms
    table.until_building(12_000)
    assert table.now_ms <= gone_ms + 200
    table.until("READY")
    check_walls(table, plan_of(1), 1)


def hold_a_build(table: Table, dealer: int) -> Host:
    """From rest to a deal of `dealer` in play, the next walls held."""
    host = table.connect()
    table.build()
    host.do("set_plan", *plan_of(0), 0, codes.HELD, codes.AS_SET)
    table.raise_walls()
    table.press_dice(dealer)
    until_held(table)
    return host


def until_held(table: Table) -> None:
    """Wait until thirteen stacks stand on every side, and nothing moves."""
    assert table.run(60_000, lambda: table.world.mask == 0 and any(table.built())), f"still {table.shown!r}"
    assert table.built() == (13, 13, 13, 13)
    table.run(10_000)
    assert table.world.mask == 0


def next_dealer_by_key(table: Table) -> None:
    """Nobody tells the host who deals next: a lift key has the table ask, and a dice key answers it."""
    chance = random.Random(table.seed)
    dealer = chance.randrange(SIDES)
    host = hold_a_build(table, dealer)
    rolls = len(host.named("dice_rolled"))
    table.press_dice((dealer + 1) % SIDES)
    table.run(3_000)
    assert table.world.mask == 0, "before the table asks, a dice key rolls dice and no more"
    assert len(host.named("dice_rolled")) == rolls + 1
    table.press_lift(chance.randrange(SIDES))
    table.until("NEXT?", 100)
    table.run(20_000)
    assert table.world.mask == 0
    next_dealer = (dealer + chance.choice((1, 3))) % SIDES
    table.press_dice(next_dealer)
    asked_ms = table.now_ms
    table.until("READY")
    assert table.now_ms - asked_ms < 20_000
    check_walls(table, plan_of(next_dealer), 1)
    assert host.named("build_started")[-1].values["plan"] == plan_of(next_dealer)
    assert len(host.named("dice_rolled")) == rolls + 1, "that key has not rolled"
    table.world.plans = [plan_of(next_dealer)]
    table.raise_walls()


def plan_before_it_is_needed(table: Table) -> None:
    """The next dealer is known while the stacks of all plans are still built: the build never rests."""
    host = table.connect()
    table.build()
    host.do("set_plan", *plan_of(0), 0, codes.HELD, codes.AS_SET)
    table.raise_walls()
    table.press_dice(0)
    table.until_building(20_000)
    table.run(random.Random(table.seed).randrange(10_000))
    host.do("set_plan", *plan_of(3), 3, codes.TURNED, codes.AS_SET)
    table.until("READY")
    check_walls(table, plan_of(3), 1)
    assert [event.values["plan"] for event in host.named("build_started")] == [plan_of(0), plan_of(3)]
    assert sum(event.values["side"] for event in host.named("side_done")) == 12, "each side is told once a build"


def forgotten_tile_of_a_held_build(table: Table) -> None:
    """Two lift keys open the lid of a table whose build is held; it is held again after that."""
    host = hold_a_build(table, 2)
    table.press_lift(0)
    table.press_lift(1)
    table.until("TILE?", 3_000)
    assert host.request("set_plan", 12, 15, 12, 15, 1, codes.TURNED, codes.AS_SET)[0] == codes.WRONG_STATE, (
        "13 stand there already"
    )
    table.press_lift(2)
    assert table.run(5_000, lambda: host.do("get_status")["state"] == codes.HOLDING)
    assert table.built() == (13, 13, 13, 13)
    host.do("start_build")
    table.until("READY")
    check_walls(table, plan_of(2), 1)


def missing_tile(table: Table) -> None:
    """A tile is lost: the build ends in a fault that names side and counts, and goes on once the tile is back."""
    host = table.connect()
    lost = random.Random(table.seed).randrange(108)
    table.world.remove_tile(lost)
    table.press_lift(2)
    assert table.until_fault()[:3] == FAULT_TEXTS[codes.TILE_MISSING]
    table.run(100)
    fault = host.named("fault")[-1].values
    side = fault["side"]
    assert table.shown == f"{FAULT_TEXTS[codes.TILE_MISSING]} S{side}"
    counted = [2 * len(head.carrier) + len(head.tiles) for head in table.world.heads]
    wanted = [2 * stacks for stacks in plan_of(0)]
    assert counted[side] == wanted[side] - 1
    assert sum(counted) == 107
    assert fault == {"fault": codes.TILE_MISSING, "side": side, "found": counted[side], "wanted": wanted[side]}
    still_as_it_is(table, keys=False)
    for name in ("start_build", "open_lid", "raise_walls", "lower_lifts"):
        assert host.request(name)[0] == codes.FAULT_ACTIVE
    host.do("set_plan", *plan_of(1), 1, 0, codes.AS_SET)
    table.world.put_in_drum(lost)
    host.do("clear_fault")
    table.until("START?", 100)
    still_as_it_is(table, keys=False)
    host.do("start_build")
    table.until("READY")
    check_walls(table, plan_of(0), 0)
    assert host.named("build_done")[-1].values["stacks"] == plan_of(0)
    assert len(host.named("build_started")) == 1
    table.raise_walls()


def noise(table: Table) -> None:
    """500 corrupted frames between good ones are counted and do nothing; the good ones work."""
    chance = random.Random(table.seed)
    host = table.connect()
    drives = table.world.drive_log[:]
    wrong = 0
    for number in range(500):
        message = NUMBER_OF[chance.choice(("start_build", "open_lid", "stop"))]
        request = struct.pack(REQUEST_LAYOUT, REQUEST, 7, number + 2, message)
        blob, blocks = corrupt(encode(request), chance)
        wrong += blocks
        table.sim.write(blob)
        if number % 10 == 0:
            host.do("get_status")
        else:
            table.run(chance.randrange(1, 5))
    status = host.do("get_status")
    assert status["frame_errors"] == wrong
    assert (status["state"], status["fault"], status["drives"]) == (codes.IDLE, codes.NO_FAULT, 0)
    assert table.world.drive_log == drives
    assert not host.named("command_accepted")
    host.do("start_build")
    table.until("READY")
    check_walls(table, plan_of(0), 0)


def build_with_dice(table: Table) -> None:
    """A build by key with a host that listens, all walls up, and dice from both host and key."""
    host = table.connect()
    table.build()
    check_walls(table, plan_of(0), 0)
    table.raise_walls()
    host.do("roll_dice", 2, codes.CUT, 0)
    table.press_dice(3)
    table.until_building(4_000)
    assert [event.values["source"] for event in host.named("dice_rolled")] == [codes.FROM_HOST, 3]


def emergency_in_a_build(table: Table) -> None:
    """The emergency stop in the middle of a build; released and cleared, the build goes on to whole walls."""
    chance = random.Random(table.seed)
    host = table.connect()
    table.press_lift()
    table.until_building(200)
    for _ in range(3):
        table.run(chance.randrange(200, 7_000))
        if table.shown == "READY":
            break
        emergency(table)
        table.press_lift()
        table.run(20)
    table.until("READY")
    check_walls(table, plan_of(0), 0)
    assert len(host.named("build_started")) == len(host.named("build_done")) == 1


def emergency(table: Table) -> None:
    """Press the emergency stop now, see everything off and nothing allowed, release it and clear the fault."""
    host = table.host
    assert host is not None
    stopped_ms = table.now_ms
    moving = table.world.mask
    table.world.emergency_stop(True)
    assert table.until_fault(20) == FAULT_TEXTS[codes.EMERGENCY_STOP]
    if moving:
        last_ms, last_mask = table.world.drive_log[-1]
        assert (stopped_ms <= last_ms <= stopped_ms + 1, last_mask) == (True, 0)
    table.run(100)
    assert host.request("clear_fault")[0] == codes.FAULT_ACTIVE
    still_as_it_is(table)
    table.world.emergency_stop(False)
    still_as_it_is(table, keys=False)
    host.do("clear_fault")
    table.run(50)
    still_as_it_is(table, keys=False)


def follow(table: Table) -> None:
    """Press the key that the panel asks for."""
    if table.shown in ("DICE?", "NEXT?"):
        table.press_dice()
    else:
        table.press_lift()


def go_on(table: Table) -> None:
    """People do what the panel asks for until fresh walls have come up and been drawn in."""
    table.world.plans = [plan_of(0)]
    for _ in range(12):
        text = table.shown
        if text == "DICE?" and any(table.built()):
            assert not table.world.pile, "walls have come up while the played tiles still lie on the table"
            table.sim.players.draw_in()
            return
        if text == "DROP" and table.world.lid.at_end:
            table.sim.players.push_in()
        follow(table)
        table.run(300)
        table.run(90_000, lambda: table.shown == "READY" or (table.world.mask == 0 and table.shown.endswith(ASKS)))
        assert not table.shown.startswith("E"), f"{text} led to {table.shown}"
    raise AssertionError(f"no walls after 12 acts, the panel shows {table.shown}")


def still_as_it_is(table: Table, *, keys: bool = True) -> None:
    """Nothing moves for three seconds, whatever `keys` are pressed."""
    drives = table.world.drive_log[:]
    for side in range(SIDES if keys else 0):
        table.press_lift(side)
        table.press_dice(side)
        table.run(300)
    table.run(3_000)
    assert table.world.drive_log == drives
    assert table.world.mask == 0


def packed_levels(table: Table) -> bytes:
    """The world's input levels the way a status has them: input n is bit n."""
    return sum(level << number for number, level in enumerate(table.world.levels)).to_bytes(6, "little")


def codes_name(message: object) -> str:
    """The name of a request by its number."""
    return next(name for name, number in NUMBER_OF.items() if number == message)


def corrupt(frame: bytes, chance: random.Random) -> tuple[bytes, int]:
    """Damage a frame; return it, ended by a zero, and how many blocks of rubbish a receiver finds in it."""
    while True:
        damaged = bytearray(frame)
        kind = chance.randrange(4)
        if kind == 0:
            for _ in range(chance.randrange(1, 4)):
                damaged[chance.randrange(len(frame))] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del damaged[chance.randrange(len(frame) - 2) :]
        elif kind == 2:
            at = chance.randrange(len(frame))
            damaged[at:at] = chance.randbytes(chance.randrange(1, 300))
        else:
            del damaged[chance.randrange(len(frame) - 1)]
        blocks = [block for block in bytes(damaged).split(b"\0") if block]
        if blocks and frame[:-1] not in blocks:
            return bytes(damaged) + b"\0", len(blocks)


SCENARIOS: dict[str, Callable[[Table], None]] = {
    "build with dice": build_with_dice,
    "missing tile": missing_tile,
    "noise": noise,
    "cycle alone": cycle_alone,
    "cycle with host": cycle_with_host,
    "held build of a silent host": held_build_of_a_silent_host,
    "next dealer by key": next_dealer_by_key,
    "plan before it is needed": plan_before_it_is_needed,
    "forgotten tile of a held build": forgotten_tile_of_a_held_build,
    "emergency in a build": emergency_in_a_build,
}
