"""A wall that a director has signed, at an emulated board: what its host does, and what it then has to be."""

from collections import Counter
from typing import Any

from tests.firmware.prescribing import DIRECTOR
from wallwright.doctor.bench import Bench
from wallwright.duplicate.deals import Deals, hand_places
from wallwright.link.reports import Event
from wallwright.rules.core.tiles import tile_name
from wallwright.table.table import Table
from wallwright.tiles.enrolment import Enrolment, enrolment_path, save_enrolment
from wallwright.tiles.station import release, trust_director
from wallwright_protocol.codes import HANDS_WALL
from wallwright_simulator.world import World

STEP_MS = 500


def give(table: Table, world: World, deals: Deals, mode: int) -> None:
    """A technician enrols the tiles and sets the directors' key; the director releases the first deal."""
    enrolled = Enrolment(table.info.unit, world.tiles, (world.tags(0), world.tags(1)))
    save_enrolment(enrolment_path(enrolled.unit), enrolled)
    with Bench(table).in_service():
        table.request("set_enrolment", enrolled.digest())
    trust_director(table, DIRECTOR)
    assert release(table, deals, 1, DIRECTOR, mode).refusal == "ok"


def events_to(table: Table, name: str, within_ms: int) -> list[Event]:
    """Return the events up to the first one of this name, faults and notices among them."""
    events: list[Event] = []
    end_ms = table.now_ms() + within_ms
    while not any(event.name == name for event in events):
        assert table.now_ms() < end_ms, events
        table.pump(STEP_MS)
        events += table.events()
    return events


def standing(world: World, deals: Deals, mode: int) -> list[Any]:
    """Return what stands in the carriers, as `drawn` returns it."""
    return _parts(deals, mode, [world.face(tile) for head in world.heads for stack in head.carrier for tile in stack])


def drawn(deals: Deals, mode: int) -> list[Any]:
    """Return the walls of the first deal: each hand as a set where that is enough, and the rest in its order."""
    return _parts(deals, mode, [tile_name(kind) for kind in deals.deal(1).faces])


def _parts(deals: Deals, mode: int, faces: list[str]) -> list[Any]:
    if mode != HANDS_WALL:
        return faces
    hands = hand_places(deals.rules, deals.draws, deals.deal(1))
    held = {at for hand in hands for at in hand}
    return [Counter(faces[at] for at in hand) for hand in hands] + [
        face for at, face in enumerate(faces) if at not in held
    ]
