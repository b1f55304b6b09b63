"""Faults at work: every fault of the language begins in a world at its time, and ends by itself or when it is mended.

The world stays honest: tiles are conserved, and a sensor shows what a real one would. Chance comes from a stream of
each fault's own, so that a fault which has not begun changes nothing.
"""

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from wallwright_protocol import codes
from wallwright_protocol.hardware import (
    BELT_FULL,
    COUNT_EYE,
    DICE_KEY,
    DISC_VANE,
    FLAP_OPEN,
    HEAD_HOME,
    HEAD_PUSHED,
    KNOCK_OFF,
    LID_IS_CLOSED,
    LID_IS_OPEN,
    LIFT_DOWN,
    LIFT_KEY,
    LIFT_UP,
    MOUTH_READER,
    REFEREE_KEY,
    RING_VANE,
    SCRAPER,
    SET_SIZES,
    SETS,
    input_number,
)

from . import electric_injection, faults
from .faults import Fault, FaultError
from .mechanics import BIGGER_DARK_MS, BOUNCES_PERMILLE, SLOW_SOLENOID, SMALLER_DARK_MS
from .noise import NAMED
from .power import START_MS, check_duration
from .readers import TileReaders
from .ring import RingSorter
from .supply_effects import EFFECTS_OF_SUPPLY
from .surface import PhysicalError
from .surroundings import Effect, Surroundings
from .world import World

_SENSORS = {
    "count": COUNT_EYE,
    "belt": BELT_FULL,
    "home": HEAD_HOME,
    "pushed": HEAD_PUSHED,
    "up": LIFT_UP,
    "down": LIFT_DOWN,
    "lift": LIFT_KEY,
    "dice": DICE_KEY,
    "referee": REFEREE_KEY,
}
_LEVELS = {"dead": 0, "blocked": 1, "off": 0, "on": 1}


class Injection:
    """`script` put into `world` and its surroundings. FaultError when a fault does not fit them."""

    def __init__(self, world: World, script: Sequence[Fault], surroundings: Surroundings | None = None) -> None:
        self._ends: list[Callable[[], None]] = []
        self._mended = False
        for number, fault in enumerate(script):
            later = world.later
            if type(fault) in _EFFECTS:
                effect = _EFFECTS[type(fault)](world, fault, world.stream(f"fault/{number}"))
            elif surroundings is None:
                raise FaultError(f"{fault}: this world has no board and no host")
            else:
                effect = _OUTSIDE[type(fault)](surroundings, fault)
                later = surroundings.later
            at_ms: int = getattr(fault, "at_ms", 0)
            for_ms: int | None = getattr(fault, "for_ms", None)
            if at_ms <= world.now_ms:
                try:
                    self._begin(effect)
                except PhysicalError as error:
                    raise FaultError(f"{fault}: {error}") from None
            else:
                later(at_ms, partial(self._begin, effect))
            if for_ms is not None:
                later(at_ms + for_ms, partial(self._end, effect))

    def mend(self) -> None:
        """Somebody puts everything right, and nothing more goes wrong."""
        self._mended = True
        while self._ends:
            self._ends.pop()()

    def _begin(self, effect: Effect) -> None:
        if not self._mended:
            self._ends.append(effect.end)
            effect.begin()

    def _end(self, effect: Effect) -> None:
        if effect.end in self._ends:
            self._ends.remove(effect.end)
            effect.end()


def _jam(world: World, fault: faults.Jam, chance: random.Random) -> Effect:
    def frees() -> bool:
        return chance.randrange(1000) < fault.frees

    if fault.part == "head":
        head = world.heads[fault.side]
        return Effect(lambda: head.block(frees), head.release)
    belt = world.belts[fault.side]
    return Effect(lambda: belt.jam(chance.random() < 0.5, frees), belt.release)


def _pin(world: World, number: int, level: int) -> Effect:
    return Effect(lambda: world.sensors.distort(number, lambda _: level), lambda: world.sensors.distort(number, None))


def _side_sensor(name: str, how: str) -> Callable[[World, Any, random.Random], Effect]:
    """The effect of a fault whose fields `name` and `how` tell the sensor and its level."""

    def make(world: World, fault: Any, _: random.Random) -> Effect:
        number = input_number(fault.side, _SENSORS[getattr(fault, name)])
        return _pin(world, number, _LEVELS[getattr(fault, how)])

    return make


def _key(world: World, fault: faults.Key, _: random.Random) -> Effect:
    return _pin(world, input_number(fault.side, _SENSORS[fault.key]), 1)


def _drum_vane(world: World, fault: faults.DrumVane, _: random.Random) -> Effect:
    return _pin(world, {"disc": DISC_VANE, "ring": RING_VANE}[fault.part], _LEVELS[fault.how])


def _lid_switch(world: World, fault: faults.LidSwitch, _: random.Random) -> Effect:
    return _pin(world, {"open": LID_IS_OPEN, "closed": LID_IS_CLOSED}[fault.end], _LEVELS[fault.level])


def _weak_eye(world: World, fault: faults.WeakEye, chance: random.Random) -> Effect:
    number = input_number(fault.side, _SENSORS[fault.eye])

    def seen(level: int) -> int:
        return level if level and chance.randrange(1000) >= fault.misses else 0

    return Effect(lambda: world.sensors.distort(number, seen), lambda: world.sensors.distort(number, None))


def _tile(world: World, fault: faults.Tile, _: random.Random) -> Effect:
    tile = fault.tile
    _check_tile(world, fault, tile)
    if fault.how == "missing":
        return Effect(lambda: world.remove_tile(tile), lambda: world.return_tile(tile) if tile in world.loose else None)
    if fault.how == "weak magnet":
        return Effect(lambda: world.drum.weak.add(tile), lambda: world.drum.weak.discard(tile))
    return Effect(lambda: world.drum.upright.add(tile), lambda: world.drum.upright.discard(tile))


def _empty_drum(world: World, _: faults.EmptyDrum, __: random.Random) -> Effect:
    tiles = list(world.drum.tiles)

    def begin() -> None:
        for tile in tiles:
            world.remove_tile(tile)

    def end() -> None:
        for tile in tiles:
            if tile in world.loose:
                world.return_tile(tile)

    return Effect(begin, end)


def _extra_tile(world: World, _: faults.ExtraTile, chance: random.Random) -> Effect:
    """To mend it, people take out of the drum what lies there alone: the tile itself, or the one that it displaced."""
    extra = world.tiles + chance.randrange(world.tiles)

    def begin() -> None:
        world.put_in_drum(extra)

    def end() -> None:
        in_drum = world.drum.tiles
        if extra in in_drum or len(in_drum) == 1:
            tile = extra if extra in in_drum else in_drum[0]
            world.remove_tile(tile)
            world.lay_down(tile)

    return Effect(begin, end)


def _wrong_set(world: World, fault: faults.WrongSet, chance: random.Random) -> Effect:
    """Who mends it gives the drum its own set again, as far as that is not built by then."""
    if fault.size not in SET_SIZES or fault.size == world.tiles:
        others = ", ".join(str(size) for size in SET_SIZES if size != world.tiles)
        raise FaultError(f"{fault}: a set of another size than this table's has {others} tiles")
    boxed = range(fault.size, world.tiles)
    added = chance.sample(range(world.tiles, SETS * world.tiles), max(0, fault.size - world.tiles))

    def begin() -> None:
        for tile in boxed:
            world.remove_tile(tile)
        for tile in added:
            world.put_in_drum(tile)

    def end() -> None:
        for tile in boxed:
            world.put_in_drum(tile)
        for tile in [tile for tile in added if tile in world.drum.tiles]:
            world.remove_tile(tile)
            world.lay_down(tile)

    return Effect(begin, end)


def _foreign_tile(world: World, fault: faults.ForeignTile, chance: random.Random) -> Effect:
    tile = chance.randrange(world.tiles)
    dark_ms = world.timing.tile_ms({"bigger": BIGGER_DARK_MS, "smaller": SMALLER_DARK_MS}[fault.size])
    return Effect(lambda: world.odd_ms.update({tile: dark_ms}), lambda: world.odd_ms.clear())


def _stall(world: World, fault: faults.Stall, _: random.Random) -> Effect:
    hold = {"disc": world.disc.stall, "ring": world.ring.stall, "lid": world.lid.block}[fault.part]
    return Effect(lambda: hold(True), lambda: hold(False))


def _side_stall(world: World, fault: faults.SideStall, _: random.Random) -> Effect:
    hold = world.belts[fault.side].stall if fault.part == "conveyor" else world.lifts[fault.side].block
    return Effect(lambda: hold(True), lambda: hold(False))


def _sinking(world: World, fault: faults.Sinking, _: random.Random) -> Effect:
    sink = world.lifts[fault.side].sink
    return Effect(lambda: sink(True), lambda: sink(False))


def _obstructed(world: World, _: faults.Obstructed, __: random.Random) -> Effect:
    return Effect(lambda: world.lid.obstruct(True), lambda: world.lid.obstruct(False))


def _emergency_stop(world: World, fault: faults.EmergencyStop, _: random.Random) -> Effect:
    return Effect(lambda: world.emergency_stop(fault.how == "press"), lambda: world.emergency_stop(False))


def _share(world: World, fault: faults.Readers, _: random.Random) -> Effect:
    shares = _readers(world, fault).shares
    return Effect(lambda: shares.update({fault.how: fault.share}), lambda: shares.update({fault.how: 0}))


def _dead_reader(world: World, fault: faults.DeadReader, _: random.Random) -> Effect:
    kill = _readers(world, fault, fault.reader).kill_reader
    return Effect(lambda: kill(fault.reader, True), lambda: kill(fault.reader, False))


def _dead_tag(world: World, fault: faults.DeadTag, _: random.Random) -> Effect:
    kill = _readers(world, fault).kill_tag
    _check_tile(world, fault, fault.tile)
    return Effect(lambda: kill(fault.tile, True), lambda: kill(fault.tile, False))


def _foreign_tag(world: World, fault: faults.ForeignTag, _: random.Random) -> Effect:
    put = _readers(world, fault, fault.reader).put_foreign
    return Effect(lambda: put(fault.reader, True), lambda: put(fault.reader, False))


def _readers(world: World, fault: Fault, reader: int = 0) -> TileReaders:
    if not world.readers.fitted >> reader & 1:
        need = "hardware=ring" if reader >= MOUTH_READER else "readers=lanes or readers=all"
        raise FaultError(f"{fault}: this table has no such tile reader; give it some with {need}")
    return world.readers


def _check_tile(world: World, fault: Fault, tile: int) -> None:
    if tile >= SETS * world.tiles:
        raise FaultError(f"{fault}: this table's tiles are 0 to {SETS * world.tiles - 1}")


def _sorter_part(world: World, fault: faults.SorterPart, _: random.Random) -> Effect:
    kind = {"scraper": SCRAPER, "knock off": KNOCK_OFF, "flap": FLAP_OPEN}[fault.part]
    solenoid = world.sorter.solenoids.get((fault.side, kind)) if world.sorter else None
    if solenoid is None:
        which = "hardware=flap" if fault.part == "flap" else "hardware=ring"
        raise FaultError(f"{fault}: this table has no {fault.part}; give it some with {which}")

    def begin(wrong: bool) -> None:
        if fault.how == "sticks":
            solenoid.stick(wrong)
        elif fault.how == "slow":
            solenoid.slow = SLOW_SOLENOID if wrong else 1
        else:
            solenoid.bounces = BOUNCES_PERMILLE if wrong else 0

    return Effect(lambda: begin(True), lambda: begin(False))


def _double_tiles(world: World, fault: faults.DoubleTiles, _: random.Random) -> Effect:
    ring = world.sorter
    if not isinstance(ring, RingSorter):
        raise FaultError(f"{fault}: this table has no ring that sorts; give it one with hardware=ring")

    def bring(share: int) -> None:
        ring.doubles = share

    return Effect(lambda: bring(fault.share), lambda: bring(0))


def _host_silent(surroundings: Surroundings, _: faults.HostSilent) -> Effect:
    return Effect(lambda: surroundings.silence(True), lambda: surroundings.silence(False))


def _power_cut(surroundings: Surroundings, fault: faults.PowerCut) -> Effect:
    try:
        check_duration(fault.for_ms)
    except ValueError as error:
        raise FaultError(f"{fault}: {error}") from None
    return Effect(lambda: surroundings.cut_power(fault.for_ms), lambda: None)


def _board_reset(surroundings: Surroundings, fault: faults.BoardReset) -> Effect:
    cause = {"watchdog": codes.WATCHDOG_RESET, "brown out": codes.BROWN_OUT}[fault.how]
    return Effect(lambda: surroundings.cut_power(START_MS, cause), lambda: None)


def _crash(surroundings: Surroundings, _: faults.ProgramCrash) -> Effect:
    return Effect(surroundings.crash, lambda: None)


def _hang(surroundings: Surroundings, _: faults.ProgramHang) -> Effect:
    return Effect(surroundings.hang, lambda: None)


def _noise(surroundings: Surroundings, fault: faults.Noise) -> Effect:
    sources = [NAMED[fault.how](surroundings.seed)]

    def swap() -> None:
        sources.append(surroundings.swap_noise(sources.pop()))

    return Effect(swap, swap)


_EFFECTS: dict[type[Fault], Callable[[World, Any, random.Random], Effect]] = {
    faults.Jam: _jam,
    faults.Eye: _side_sensor("eye", "how"),
    faults.WeakEye: _weak_eye,
    faults.HeadVane: _side_sensor("vane", "how"),
    faults.DrumVane: _drum_vane,
    faults.LiftSwitch: _side_sensor("end", "level"),
    faults.LidSwitch: _lid_switch,
    faults.Key: _key,
    faults.Tile: _tile,
    faults.EmptyDrum: _empty_drum,
    faults.ExtraTile: _extra_tile,
    faults.WrongSet: _wrong_set,
    faults.ForeignTile: _foreign_tile,
    faults.Stall: _stall,
    faults.SideStall: _side_stall,
    faults.Sinking: _sinking,
    faults.Obstructed: _obstructed,
    faults.EmergencyStop: _emergency_stop,
    faults.Readers: _share,
    faults.DeadReader: _dead_reader,
    faults.DeadTag: _dead_tag,
    faults.ForeignTag: _foreign_tag,
    faults.SorterPart: _sorter_part,
    faults.DoubleTiles: _double_tiles,
    **electric_injection.OF_WORLD,
    **EFFECTS_OF_SUPPLY,
}

_OUTSIDE: dict[type[Fault], Callable[[Surroundings, Any], Effect]] = {
    faults.HostSilent: _host_silent,
    faults.PowerCut: _power_cut,
    faults.BoardReset: _board_reset,
    faults.ProgramCrash: _crash,
    faults.ProgramHang: _hang,
    faults.Noise: _noise,
    **electric_injection.OF_BOARD,
}
