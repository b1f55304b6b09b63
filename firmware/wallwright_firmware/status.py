"""What is so now: the payload of a status message, and of the reply to a host that asks for it.

Every value fits its field by the way it was made, so none is looked at again: that would take a third of the longest
poll of a board at rest.
"""

import struct

from wallwright_protocol.codec import NUMBER_OF, STATUSES
from wallwright_protocol.codes import DICE_COUNT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .app import App

STATUS = NUMBER_OF["status"]


def status_of(app: "App") -> bytes:
    """Return the payload."""
    cycle = app.cycle
    build = app.build
    return struct.pack(
        STATUSES[STATUS].layout,
        cycle.state,
        cycle.fault,
        cycle.fault_side,
        cycle.set_above,
        1 if cycle.whole else 0,
        *(build.plan if build.partial or cycle.whole else cycle.next_plan()),
        *build.stacks(),
        *[lane.in_head for lane in build.lanes],
        app.inputs.packed(),
        app.outputs.mask,
        app.panel.mask,
        cycle.deal,
        cycle.dealer,
        *cycle.told,
        build.tiles,
        app.settings[DICE_COUNT],
        app.presses.purpose,
        *app.dice.last,
        cycle.now_ms & 0xFFFFFFFF,
        app.events.stored(),
        app.events.newest(),
        app.wiring.hash,
        app.responder.decoder.errors() & 0xFFFF,
        cycle.wall_mode,
        1 if build.unchecked else 0,
    )
