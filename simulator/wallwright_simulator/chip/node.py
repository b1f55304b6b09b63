"""A node of the line on an emulated chip of its own: the very image that is flashed, tiles before its antennas."""

import base64
from typing import Any

from wallwright_firmware.boards import node_pins
from wallwright_firmware.line_node import reader_of
from wallwright_protocol import line
from wallwright_protocol.hardware import CLAIM_KEY_0, MOUTH_READER

from ..line import ModelSortingNode
from ..world import World
from .image import NODE_IMAGE, find_image, read_uf2
from .process import EmulatedChip


class RealNode:
    """The node at `address` of the table that `chip` is the board of; without power at first."""

    def __init__(self, chip: EmulatedChip, world: World, address: int) -> None:
        self.address = address
        self._chip = chip
        self._world = world
        self._readers = [reader_of(address, antenna) for antenna in range(line.ANTENNAS)]
        antennas = sum(1 << at for at, reader in enumerate(self._readers) if world.readers.fitted >> reader & 1)
        if world.sorter:
            self._readers.append(MOUTH_READER + address)
        self._tags: list[list[str]] = []
        self._is_pressed = False
        chip.do(
            "node",
            flash=[[at, base64.b64encode(data).decode()] for at, data in read_uf2(find_image(NODE_IMAGE).read_bytes())],
            pins={name.removeprefix("PIN_").lower(): at for name, at in vars(node_pins).items() if name[:4] == "PIN_"},
            address=address,
            antennas=antennas,
            seed=world.seed + address,
            sorts=bool(world.sorter),
        )

    def power(self, on: bool) -> None:
        """Give the node power, or take it away."""
        self._chip.do("nodePower", on=on)

    def look(self) -> None:
        """Let the antennas have before them what lies there, and the key be as it is."""
        places = self._world.read_places()
        tags = [[self._world.readers.tags[tile].hex() for tile in places[reader]] for reader in self._readers]
        if tags != self._tags:
            self._tags = tags
            self._chip.do("nodeTags", tags=tags)
        is_pressed = bool(self._world.levels[CLAIM_KEY_0 + self.address])
        if is_pressed != self._is_pressed:
            self._is_pressed = is_pressed
            self._chip.do("nodePress", down=is_pressed)

    def work(self, model: ModelSortingNode) -> None:
        """Let the parts that sort follow the node: `model`, which is dead, stands for them."""
        parts = self._chip.do("nodeParts", switches=model.switches)
        drives, moves = parts & 0xFF, parts >> 8
        if (drives, moves) != (model.drives, model.moves):
            model.drives, model.moves = drives, moves
            model.moved()

    def state(self) -> Any:
        """What its panel shows, what its chip has counted, and since the last call when each front end asked, in ns.

        And likewise `frames` that it has sent, each with the ns of its end, and `moves`: when its registers drove what
        from then on, by the bits of `drives` and above them `moves` of a WORK.
        """
        state = self._chip.do("nodeState")
        state["frames"] = [(at, base64.b64decode(frame)) for at, frame in state["frames"]]
        return state
