"""What a node's own image has read at its mouth and moved there, and when: by what it has said on the line.

Tiles come before the antenna by the simulator, in whole milliseconds. A read is so long before its answer as the answer
says, which the node counts in whole milliseconds as well.
"""

from statistics import fmean
from typing import NamedTuple

from wallwright_protocol import line
from wallwright_protocol.frame import Decoder
from wallwright_protocol.hardware import KNOCK_OFF, SCRAPER
from wallwright_simulator.chip import ChipSimulation
from wallwright_simulator.mechanics import LINE_LEAD_MS, SOLENOID_BACK_MS

BYTE_MS = 10_000 / line.BAUD
_DRIVES = 0xFF
_SAID = {line.ANSWER: line.ANSWER_BYTES, line.WORKED: line.ANSWER_BYTES + 1}


class Stay(NamedTuple):
    """A tile came before the antenna at the mouth at `came_ms`."""

    tag: bytes
    came_ms: int


class Change(NamedTuple):
    """An antenna began or ceased to see a tag at `at_ms`; the board could know of it at `told_ms`."""

    at_ms: float
    told_ms: float
    antenna: int
    tag: bytes
    there: bool


class Move(NamedTuple):
    """The node let its scraper go for a tile at `at_ms`, or drew its knock-off; `read` is what it had told of last."""

    at_ms: float
    is_knock: bool
    read: Change


class RealMouth:
    """The mouth of the real node of a simulated table with a ring; `stays` are all since this was made, and likewise
    `changes`, `moves` and `delays_ms` until `listen` was called last. `resets` counts those of its chip."""

    def __init__(self, simulation: ChipSimulation) -> None:
        node, sorter = simulation.real_node, simulation.world.sorter
        assert node is not None
        assert sorter is not None
        self.stays: list[Stay] = []
        self.changes: list[Change] = []
        self.moves: list[Move] = []
        self.delays_ms: list[float] = []
        self.resets = 0
        self._node = node
        self._frames: list[tuple[float, bytes]] = []
        self._switched: list[tuple[float, int]] = []
        tags, before, look = simulation.world.readers.tags, list[int](), sorter.moved

        def moved() -> None:
            look()
            tiles = sorter.read_places()[node.address]
            self.stays.extend(Stay(tags[tile], simulation.now_ms) for tile in tiles if tile not in before)
            before[:] = tiles

        sorter.moved = moved
        node.state()

    def listen(self) -> None:
        """Take what the node has said and moved."""
        state = self._node.state()
        self._frames += state["frames"]
        self._switched += state["moves"]
        self.changes = told(self._frames)
        self.moves = self._moves()
        self.delays_ms += [delay / 1e6 for delay in state["delays"]]
        self.resets = state["counts"]["resets"]

    def unread(self) -> list[Stay]:
        """Return the stays of which the node has told nothing."""
        reads = [(change.tag, change.at_ms) for change in self.reads(line.MOUTH)]
        ends = [*(stay.came_ms for stay in self.stays[1:]), float("inf")]
        return [
            stay
            for stay, end_ms in zip(self.stays, ends, strict=True)
            if not any(tag == stay.tag and stay.came_ms - 1 <= at_ms < end_ms for tag, at_ms in reads)
        ]

    def reads(self, antenna: int) -> list[Change]:
        """Return what an antenna has begun to see."""
        return [change for change in self.changes if change.antenna == antenna and change.there]

    def came_ms(self, read: Change) -> int:
        """Return when the tile of a read came before the antenna at the mouth."""
        return max(stay.came_ms for stay in self.stays if stay.tag == read.tag and stay.came_ms <= read.at_ms + 1)

    def figures(self) -> list[str]:
        """Say what it read and moved, and in what time; `-rP` shows it."""
        reads = self.reads(line.MOUTH)
        late = [read.at_ms - self.came_ms(read) for read in reads]
        told = [read.told_ms - read.at_ms for read in reads]
        lets_in, knocks = ([move for move in self.moves if move.is_knock == is_knock] for is_knock in (False, True))
        return [
            f"{len(self.stays)} tiles came before the mouth's antenna, {len(self.unread())} of them were not read",
            f"{len(reads)} reads of the mouth, {len(self.reads(0))} of the head were told",
            f"ms from a tile's coming to its read: {spread(late)}",
            f"ms from a read to the end of the answer that tells it: {spread(told)}",
            f"ms from a read to the scraper: {spread([move.at_ms - move.read.at_ms for move in lets_in])}",
            f"ms from a read to the knock-off: {spread([move.at_ms - move.read.at_ms for move in knocks])}",
            f"ms from the scraper's end to the tile at the mouth: {spread(self.spared_ms())}",
            f"ms until an answer began: {spread(self.delays_ms)}, {len(self.late_answers())} of them late",
        ]

    def late_answers(self) -> list[float]:
        """Return in how many ms the answers began that began later than the line's rules have it."""
        return [delay for delay in self.delays_ms if delay > line.ANSWER_MS]

    def spared_ms(self) -> list[float]:
        """Return how long each scraper had been out when its tile came to it."""
        lets_in = [move for move in self.moves if not move.is_knock]
        return [self.came_ms(move.read) + LINE_LEAD_MS - move.at_ms - SOLENOID_BACK_MS for move in lets_in]

    def _moves(self) -> list[Move]:
        moves, drives = list[Move](), 0
        for at, word in self._switched:
            before, drives = drives, word & _DRIVES
            lets_in, knocks = before & ~drives & 1 << SCRAPER, drives & ~before & 1 << KNOCK_OFF
            at_ms = at / 1e6
            reads = [read for read in self.reads(line.MOUTH) if at_ms - LINE_LEAD_MS < read.told_ms <= at_ms]
            if (lets_in or knocks) and reads:
                moves.append(Move(at_ms, bool(knocks), reads[-1]))
        return moves


def spread(times: list[float]) -> str:
    """Return how many there are, the least, mean and most."""
    return f"{len(times)}: {min(times):.1f}, {fmean(times):.1f}, {max(times):.1f}" if times else "0"


def told(frames: list[tuple[float, bytes]]) -> list[Change]:
    """Return the changes that a node has told in these frames, each with the ns of its end; what it said again once."""
    found = []
    started, following = None, 0
    for ended, frame in frames:
        (body,) = Decoder().feed(frame)
        if body[0] not in _SAID:
            continue
        start, first = int.from_bytes(body[2:4], "little"), body[4]
        if start != started:
            started, following = start, first
        changes = line.changes(body[: line.ANSWER_BYTES] + body[_SAID[body[0]] :])
        for number, (what, age_ms, tag) in enumerate(changes, first):
            if number & 0xFF != following:
                continue
            following = following + 1 & 0xFF
            at_ms = ended / 1e6 - len(frame) * BYTE_MS - age_ms
            found.append(Change(at_ms, ended / 1e6, what & ~line.THERE, tag, bool(what & line.THERE)))
    return found
