"""What the host may ask for: message -> handler. Arguments are checked, then the state; what is accepted is logged."""

import struct

from wallwright_protocol import codes
from wallwright_protocol.codec import NUMBER_OF, REPLIES, REQUESTS, CodecError
from wallwright_protocol.hardware import DRIVES, MOST_DICE, SETS, SIDES, WIRES

from .build import plan_is_possible
from .measure import measure
from .records import PART_BYTES
from .safety import NONE
from .settings import OF_GAME, ROWS, change, end_trial, is_allowed, setup_refusal
from .status import status_of
from .store import collect
from .wiring import BODY_BYTES, HEAD, body_of, sorter_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .app import App

SAMPLES = 200
"""Of the random source, in a reply to get_samples."""


def execute(app: "App", message: int, payload: bytes) -> "tuple[int, bytes] | None":
    """Unpack one request and return None, or with the next call execute it; return its code and the reply's payload."""
    if app.asked is None:
        try:
            app.asked = REQUESTS[message].unpack(payload)
        except KeyError:
            return codes.UNKNOWN_MESSAGE, b""
        except CodecError:
            return codes.WRONG_LENGTH, b""
        return None
    values, app.asked = app.asked, None
    code, reply = _HANDLERS[message](app, values)
    if code == codes.OK and message not in _UNLOGGED:
        app.cycle.steps.add(lambda: app.events.add(app.cycle.now_ms, "command_accepted", message, codes.FROM_HOST))
    return code, reply


def _get_info(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    layout = REPLIES[NUMBER_OF["get_info"]]
    return codes.OK, layout.pack(app.unit, *(app.VERSION + (app.build.tiles, SETS)))


def _get_status(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    return codes.OK, status_of(app)


def _set_plan(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    plan = values[:SIDES]
    dealer, plan_mode, wash_s = values[SIDES:]
    if not plan_is_possible(plan, app.build.tiles) or dealer >= SIDES or plan_mode >= codes.PLAN_MODES:
        return codes.BAD_ARGUMENT, b""
    if wash_s > codes.MOST_WASH_S and wash_s != codes.AS_SET:
        return codes.BAD_ARGUMENT, b""
    if app.build.held and min(plan) < min(app.build.plan):
        # More stacks stand on a side already.
        return codes.WRONG_STATE, b""
    cycle = app.cycle
    was = (cycle.plan, cycle.plan_dealer, cycle.dealer, cycle.plan_mode, cycle.wash.plan_s)
    cycle.plan, cycle.plan_dealer, cycle.dealer = plan, dealer, dealer
    cycle.plan_mode, cycle.wash.plan_s = plan_mode, wash_s
    if not _store(app):
        cycle.plan, cycle.plan_dealer, cycle.dealer, cycle.plan_mode, cycle.wash.plan_s = was
        return codes.FAULT_ACTIVE, b""
    cycle.go_on_unless_held()
    return codes.OK, b""


def _set_deal(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    """Keep what a deal needs after a power loss, and what the board itself cannot know."""
    east, dealer, round_wind, deal_kind, pot = values
    if max(east, dealer, round_wind) >= SIDES or deal_kind >= codes.DEAL_KINDS:
        return codes.BAD_ARGUMENT, b""
    cycle = app.cycle
    was = (cycle.dealer, cycle.told)
    cycle.dealer = dealer
    cycle.told = (east, round_wind, deal_kind, pot)
    if not _store(app):
        cycle.dealer, cycle.told = was
        return codes.FAULT_ACTIVE, b""
    return codes.OK, b""


def _store(app: "App") -> bool:
    """Store what a request has changed, or, while a drive is on, let it be stored when nothing moves any more; False,
    with the fault, when the board could not."""
    if app.outputs.mask:
        app.cycle.unsaved = True
    elif app.store.differs(collect(app)) and not app.saving.keep():
        app.cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
        return False
    return True


def _roll_dice(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    seat, purpose, dice_count = values
    if seat >= SIDES or purpose >= codes.PURPOSES or dice_count > MOST_DICE:
        return codes.BAD_ARGUMENT, b""
    if app.cycle.state == codes.FAULT:
        return codes.FAULT_ACTIVE, b""
    code = app.presses.roll(seat, purpose, dice_count, codes.FROM_HOST)
    if code != codes.OK:
        return code, b""
    return codes.OK, REPLIES[NUMBER_OF["roll_dice"]].pack(*(app.dice.last + (app.dice.number,)))


def _set_throw(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    """Say what the dice keys throw for from now on."""
    purpose, dice_count, seat = values
    if purpose >= codes.PURPOSES or dice_count > MOST_DICE or (seat >= SIDES and seat != codes.NO_SIDE):
        return codes.BAD_ARGUMENT, b""
    app.presses.set_throw(purpose, dice_count, seat)
    return codes.OK, b""


def _contribute(app: "App", values: "tuple[Any, ...]") -> tuple[int, bytes]:
    return app.dice.contribute(*values), b""


def _stop(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    app.rewiring.end_jog(codes.BY_STOP)
    app.outputs.all_off()
    app.cycle.steps.add(app.cycle.fail, codes.STOPPED, codes.NO_SIDE, 0, 0)
    return codes.OK, b""


def _clear_fault(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    app.presses.forget_early()
    cycle = app.cycle
    if not app.rewiring.leave(codes.BY_STOP):
        return app.rewiring.keep_fault(), b""
    shown = (cycle.fault, cycle.fault_side)
    cleared = cycle.clear(codes.FROM_HOST)
    if cleared and shown[0] == codes.CRASH_LOOP:
        app.crashes.clear()
    if cycle.state == codes.FAULT:
        # The fault of another lane may have come to light; the one that was shown is cleared then.
        return codes.FAULT_ACTIVE if (cycle.fault, cycle.fault_side) == shown else codes.OK, b""
    if app.dice.failed():
        app.dice.clear_failure(app.cycle.now_ms, codes.FROM_HOST)
        app.panel.state(app.cycle.state, app.build.partial)
        return codes.OK, b""
    return codes.OK if cleared else codes.WRONG_STATE, b""


def _jog(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    return app.cycle.service.jog(app.cycle.now_ms, values[0], values[1]), b""


def _get_drive(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    drive = values[0]
    if drive >= DRIVES:
        return codes.BAD_ARGUMENT, b""
    number, level = app.outputs.forbidden_by(1 << drive) or (NONE, 0)
    return codes.OK, REPLIES[NUMBER_OF["get_drive"]].pack(app.cycle.service.limit_ms(drive), number, level)


def _get_inputs(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    inputs = app.inputs
    times = [time_ms & 0xFFFF for time_ms in inputs.edge_times]
    levels = (app.cycle.now_ms & 0xFFFFFFFF, inputs.packed(), app.outputs.mask, app.panel.mask, inputs.newest_edge)
    return codes.OK, REPLIES[NUMBER_OF["get_inputs"]].pack(*(levels + tuple(inputs.edges) + tuple(times)))


def _get_setting(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    number = values[0]
    if number >= len(ROWS):
        return codes.BAD_ARGUMENT, b""
    return codes.OK, REPLIES[NUMBER_OF["get_setting"]].pack(app.settings[number], *ROWS[number])


def _set_setting(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    """Only while nothing runs: it is stored before the reply leaves, and refused when the board could not store it."""
    number, value = values
    code = _setting_code(app, number, value)
    if code == codes.OK and number in OF_GAME:
        game = [value if number == each else app.settings[each] for each in OF_GAME]
        code = setup_refusal(app, *game)
    if code == codes.OK:
        code = change(app, ((number, value),), codes.FROM_HOST)
    return code, b""


def _try_setting(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    """Use a value that is not stored, as long as this connection lasts; the game is no matter of trial."""
    number, value = values
    code = codes.BAD_ARGUMENT if number in OF_GAME else _setting_code(app, number, value)
    if code == codes.OK:
        app.settings[number] = value
        app.trial = app.responder.session()
    return code, b""


def _setting_code(app: "App", number: int, value: int) -> int:
    if not is_allowed(number, value):
        return codes.BAD_ARGUMENT
    return codes.WRONG_STATE if app.outputs.mask else codes.OK


def _end_trial(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    end_trial(app)
    return codes.OK, b""


def _get_counters(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    cycle = app.cycle
    app.counters.catch_up(cycle.now_ms)
    # The counters are kept in the form of the reply.
    return codes.OK, struct.pack("<IIH", cycle.boots, cycle.builds, cycle.deal) + bytes(app.counters.data)


def _clear_counters(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    if app.outputs.mask:
        return codes.WRONG_STATE, b""
    app.counters.clear(app.cycle.builds)
    app.cycle.unsaved = True
    return codes.OK, b""


def _get_readers(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    layout = REPLIES[NUMBER_OF["get_readers"]]
    return codes.OK, layout.pack(app.readers.fitted, app.readers.enrolment)


def _set_enrolment(app: "App", values: "tuple[Any, ...]") -> tuple[int, bytes]:
    """Only while nothing runs, as everything that is stored."""
    if not app.readers.fitted or app.cycle.state != codes.SERVICE or app.outputs.mask:
        return codes.WRONG_STATE, b""
    if not app.readers.set_enrolment(values[0]):
        app.cycle.fail(codes.STORE_FAILED, codes.NO_SIDE, 0, 0)
        return codes.FAULT_ACTIVE, b""
    return codes.OK, b""


def _get_record(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    code, size, part = app.records.get(*values)
    return code, REPLIES[NUMBER_OF["get_record"]].pack(size, part) if code == codes.OK else b""


def _put_record(app: "App", values: "tuple[Any, ...]") -> tuple[int, bytes]:
    return app.records.put(*values), b""


def _get_dictionary(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    packed = app.hal.dictionary
    if values[0] >= len(packed):
        return codes.BAD_ARGUMENT, b""
    part = packed[values[0] : values[0] + PART_BYTES]
    return codes.OK, REPLIES[NUMBER_OF["get_dictionary"]].pack(len(packed), part)


def _get_image(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    return codes.OK, REPLIES[NUMBER_OF["get_image"]].pack(*app.image)


def _measure(app: "App", values: "tuple[int, ...]") -> tuple[int, bytes]:
    """Only while nothing runs: the board looks at nothing else meanwhile. In a fault too, for a bare board has one."""
    if values[0] >= codes.MEASUREMENTS:
        return codes.BAD_ARGUMENT, b""
    code = _standstill(app)
    return code, b"" if code != codes.OK else REPLIES[NUMBER_OF["measure"]].pack(*measure(app, values[0]))


def _get_samples(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    """Only while nothing runs: to read them takes 20 ms. In a fault too, for a bare board has one."""
    code = _standstill(app)
    if code != codes.OK:
        return code, b""
    drawn = app.hal.noise(SAMPLES)
    return codes.OK, REPLIES[NUMBER_OF["get_samples"]].pack(len(drawn), drawn)


def _get_noise(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    return codes.OK, REPLIES[NUMBER_OF["get_noise"]].pack(*app.dice.noise())


def _restart(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    code = _standstill(app)
    if code == codes.OK:
        app.loader.restart()
    return code, b""


def _standstill(app: "App") -> int:
    """Refuse what asks for a table that stands still in service, or in a fault; else see that it stays so."""
    if app.cycle.state not in (codes.SERVICE, codes.FAULT) or app.outputs.mask:
        return codes.WRONG_STATE
    app.outputs.rest()
    return codes.OK


def _get_wiring(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    # The map is kept in the form of the reply.
    body = app.wiring.body
    return codes.OK, struct.pack("<I", app.wiring.hash) + body[len(HEAD) : BODY_BYTES] + sorter_of(body)


def _set_wiring(app: "App", values: "tuple[Any, ...]") -> tuple[int, bytes]:
    return app.rewiring.set_map(body_of(bytes(values))), b""


def _get_wires(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    rewiring, wiring = app.rewiring, app.wiring
    levels = bytearray(WIRES >> 3)
    for wire in range(WIRES):
        levels[wire >> 3] |= wiring.wire_level(wire) << (wire & 7)
    times = [time_ms & 0xFFFF for time_ms in rewiring.edge_times]
    head = (app.cycle.now_ms & 0xFFFFFFFF, bytes(levels), wiring.raw, rewiring.newest_edge)
    return codes.OK, REPLIES[NUMBER_OF["get_wires"]].pack(*(head + tuple(rewiring.edges) + tuple(times)))


def _jog_wire(app: "App", values: "tuple[Any, ...]") -> tuple[int, bytes]:
    return app.rewiring.jog(*values), b""


def _get_sorter(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    """What a director needs to know before a prescription is signed."""
    director = b"" if app.sorting is None else app.sorting.director
    sorter = (app.hal.sorter, app.hal.sorter_places, (app.cycle.builds + 1) & 0xFFFFFFFF, director)
    return codes.OK, REPLIES[NUMBER_OF["get_sorter"]].pack(*sorter)


def _set_director(app: "App", values: "tuple[Any, ...]") -> tuple[int, bytes]:
    return codes.NO_SORTER if app.sorting is None else app.sorting.set_director(values[0]), b""


def _prescribe(app: "App", values: "tuple[Any, ...]") -> tuple[int, bytes]:
    return codes.NO_SORTER if app.sorting is None else app.sorting.take(app.cycle.now_ms, *values), b""


def _prescribe_cancel(app: "App", _: "tuple[int, ...]") -> tuple[int, bytes]:
    return codes.NO_SORTER if app.sorting is None else app.sorting.cancel(app.cycle.now_ms), b""


def _trigger(app: "App", name: str) -> tuple[int, bytes]:
    refused = codes.FAULT_ACTIVE if app.cycle.state == codes.FAULT else codes.WRONG_STATE
    return codes.OK if app.cycle.trigger(name) else refused, b""


_HANDLERS = {
    NUMBER_OF["get_info"]: _get_info,
    NUMBER_OF["get_status"]: _get_status,
    NUMBER_OF["set_plan"]: _set_plan,
    NUMBER_OF["start_build"]: lambda app, _: _trigger(app, "start_build"),
    NUMBER_OF["open_lid"]: lambda app, _: _trigger(app, "open_lid"),
    NUMBER_OF["raise_walls"]: lambda app, _: _trigger(app, "raise_walls"),
    NUMBER_OF["lower_lifts"]: lambda app, _: _trigger(app, "lower_lifts"),
    NUMBER_OF["hurry"]: lambda app, _: _trigger(app, "hurry"),
    NUMBER_OF["prescribe"]: _prescribe,
    NUMBER_OF["prescribe_cancel"]: _prescribe_cancel,
    NUMBER_OF["get_sorter"]: _get_sorter,
    NUMBER_OF["set_director"]: _set_director,
    NUMBER_OF["roll_dice"]: _roll_dice,
    NUMBER_OF["stop"]: _stop,
    NUMBER_OF["clear_fault"]: _clear_fault,
    NUMBER_OF["contribute"]: _contribute,
    NUMBER_OF["set_throw"]: _set_throw,
    NUMBER_OF["set_deal"]: _set_deal,
    NUMBER_OF["begin_service"]: lambda app, _: (app.cycle.service.begin(), b""),
    NUMBER_OF["end_service"]: lambda app, _: (app.cycle.service.end(codes.BY_STOP), b""),
    NUMBER_OF["jog"]: _jog,
    NUMBER_OF["get_drive"]: _get_drive,
    NUMBER_OF["get_inputs"]: _get_inputs,
    NUMBER_OF["get_setting"]: _get_setting,
    NUMBER_OF["set_setting"]: _set_setting,
    NUMBER_OF["try_setting"]: _try_setting,
    NUMBER_OF["end_trial"]: _end_trial,
    NUMBER_OF["get_counters"]: _get_counters,
    NUMBER_OF["clear_counters"]: _clear_counters,
    NUMBER_OF["get_readers"]: _get_readers,
    NUMBER_OF["set_enrolment"]: _set_enrolment,
    NUMBER_OF["reboot_to_loader"]: lambda app, _: (app.loader.ask(), b""),
    NUMBER_OF["get_record"]: _get_record,
    NUMBER_OF["put_record"]: _put_record,
    NUMBER_OF["get_dictionary"]: _get_dictionary,
    NUMBER_OF["get_image"]: _get_image,
    NUMBER_OF["measure"]: _measure,
    NUMBER_OF["get_samples"]: _get_samples,
    NUMBER_OF["get_noise"]: _get_noise,
    NUMBER_OF["restart"]: _restart,
    NUMBER_OF["get_wiring"]: _get_wiring,
    NUMBER_OF["begin_wiring"]: lambda app, _: (app.rewiring.begin(), b""),
    NUMBER_OF["set_wiring"]: _set_wiring,
    NUMBER_OF["get_wires"]: _get_wires,
    NUMBER_OF["jog_wire"]: _jog_wire,
}

_UNLOGGED = bytes([number for name, number in NUMBER_OF.items() if name.startswith("get_") or name == "prescribe"])
