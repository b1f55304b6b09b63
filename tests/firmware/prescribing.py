"""A table that sorts, its people, and a director's station at the real wire."""

import random
from collections import Counter
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from wallwright_firmware.app import App
from wallwright_protocol import codes
from wallwright_protocol.codec import EVENTS, NUMBER_OF, REPLIES, REQUESTS
from wallwright_protocol.hardware import DEFAULT_PLANS, SIDES
from wallwright_protocol.names import FAULTS, REFUSALS
from wallwright_protocol.prescribing import Prescription, pack, sent
from wallwright_protocol.prescription import PART_BYTES, digest, signed
from wallwright_protocol.requester import Requester
from wallwright_protocol.tile_sets import FACES
from wallwright_simulator.faults import parse_faults
from wallwright_simulator.places import Mixing
from wallwright_simulator.simulation import Simulation
from wallwright_simulator.sorter import Hardware
from wallwright_simulator.sorters import read_hardware

RING_18 = read_hardware("ring", magnets=18)
FLAP_2 = read_hardware("flap", places=2)
MOUTH = read_hardware("mouth")
LONGEST_MS = 500_000
"""Longer than a table builds a prescribed wall before it gives it up."""
DIRECTOR = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
ENROLMENT = bytes(range(1, 33))


def public(key: Ed25519PrivateKey) -> bytes:
    """The public half, as a board keeps it."""
    return key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


class Director:
    """A simulated table with a sorter, a host that has stored every event, and what a director needs of both.

    `events` are (name, fields), `bytes_out` all that the board has sent, `enrolled` the tags that were listed before.
    `sim` is a table whose board is another one than the simulated one, an emulated chip.
    """

    def __init__(
        self,
        seed: int,
        hardware: Hardware = RING_18,
        tiles: int = 108,
        script: str = "",
        firmware: Any = App,
        wash_s: int = 0,
        mixing: Mixing | None = None,
        sim: Any = None,
    ) -> None:
        self.tiles = tiles
        self.sim: Simulation = sim or Simulation(
            seed,
            tiles,
            hardware=hardware,
            faults=parse_faults(script),
            firmware=firmware,
            wash_s=wash_s,
            mixing=mixing,
        )
        self.seed = seed
        self.chance = random.Random(f"{seed}/deal")
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.bytes_out = bytearray()
        self.requester = Requester()
        self.sessions = 6
        self._happened: list[tuple[Any, ...]] = []
        self.classes = [*dict.fromkeys(FACES[tiles])]
        self.enrolled = tuple(self.sim.world.readers.tags)
        self.run(200)
        self.connect()

    @property
    def app(self) -> App:
        app = getattr(self.sim.app, "firmware", self.sim.app)
        assert isinstance(app, App)
        return app

    def connect(self) -> None:
        """Shake hands for a session of its own."""
        self.requester = Requester()
        self.sessions += 1
        self.requester.hello(self.sim.now_ms, self.sessions)
        self._wait()

    def run(self, ms: int, until: str = "") -> bool:
        """Let time go by, until the board has told of `until`; say whether it has."""
        end_ms = self.sim.now_ms + ms
        before = len(self.named(until))
        while self.sim.now_ms < end_ms:
            self.sim.run_until(min(end_ms, self.sim.now_ms + 20))
            self.pump()
            if until and len(self.named(until)) > before:
                return True
        return not until

    def request(self, name: str, *values: int | bytes) -> tuple[str, dict[str, Any]]:
        """Ask the board; return the name of its refusal, or "ok", and its reply."""
        message = NUMBER_OF[name]
        self.requester.request(self.sim.now_ms, message, REQUESTS[message].pack(*values))
        _, _, code, payload = self._wait()
        return REFUSALS[code], REPLIES[message].unpack_named(payload) if code == codes.OK else {}

    def named(self, name: str) -> list[dict[str, Any]]:
        """What the board has told under this name."""
        return [fields for each, fields in self.events if each == name]

    def equip(self, key: Ed25519PrivateKey = DIRECTOR) -> None:
        """A technician sets the directors' key and the enrolment."""
        for name, *values in (
            ("begin_service",),
            ("set_director", public(key)),
            ("set_enrolment", ENROLMENT),
            ("end_service",),
        ):
            assert self.request(name, *values) == ("ok", {}), name

    def drawn(self, mode: int = codes.STRICT_WALL, **others: Any) -> Prescription:
        """A deal that is drawn for the next build of this table, with `others` as they are given."""
        tile_set = 1 - self.request("get_status")[1]["set_above"]
        plan = DEFAULT_PLANS[self.tiles]
        faces = [self.classes.index(face) for face in FACES[self.tiles]]
        self.chance.shuffle(faces)
        groups = bytearray(self.tiles)
        if mode == codes.HANDS_WALL:
            start = 2 * self.chance.randrange(self.tiles // 2)
            for at in range(53):
                groups[(start + at) % self.tiles] = 1 + (at // 4 % SIDES if at < 48 else at % SIDES)
        tags = sorted(
            (tag, self.classes.index(self.sim.world.face(tile)))
            for tile, tag in enumerate(self.enrolled)
            if tile // self.tiles == tile_set
        )
        values = {
            "mode": mode,
            "tiles": self.tiles,
            "tile_set": tile_set,
            "dealer": 1,
            "dice": (2, 5, 0),
            "plan": plan,
            "deal": 17,
            "build": self.request("get_sorter")[1]["build"],
            "event": b"balsall",
            "unit": self.request("get_info")[1]["unit"].rstrip(b"\0"),
            "enrolment": ENROLMENT,
            "faces": bytes(faces),
            "groups": bytes(groups) if mode == codes.HANDS_WALL else b"",
            "tags": tuple(tag for tag, _ in tags),
            "tag_faces": bytes(face for _, face in tags),
        }
        return Prescription(**{**values, **others})

    def send(self, data: bytes) -> str:
        """Bring bytes to the board in parts; return the last refusal, or "ok"."""
        for offset in range(0, len(data), PART_BYTES):
            code, _ = self.request("prescribe", len(data), offset, data[offset : offset + PART_BYTES])
            if code != "ok":
                return code
        return "ok"

    def prescribe(self, prescription: Prescription, key: Ed25519PrivateKey = DIRECTOR) -> str:
        """Sign and send; return what the board finds."""
        data = pack(prescription)
        before = len(self.named("prescription_judged"))
        code = self.send(sent(data, key.sign(signed(digest(data)))))
        if code != "ok":
            return code
        assert len(self.named("prescription_judged")) > before or self.run(20_000, "prescription_judged")
        judged = self.named("prescription_judged")[-1]
        assert (judged["deal"], judged["prescription_hash"]) == (prescription.deal, digest(data))
        return str(REFUSALS[judged["refusal"]])

    def build(self, prescription: Prescription) -> dict[str, Any]:
        """Have it built; return what the board tells of the wall.

        Lanes that sort may take longer than the table's eight minutes; people then let it go on.
        """
        assert self.prescribe(prescription) == "ok"
        for _ in range(3):
            assert self.request("start_build")[0] == "ok"
            if self.run(LONGEST_MS, "wall_prescribed"):
                return self.named("wall_prescribed")[-1]
            assert self.app.cycle.fault == codes.PRESCRIBED_LATE, FAULTS[self.app.cycle.fault]
            assert self.request("clear_fault")[0] == "ok"
        raise AssertionError("the wall does not become whole")

    def standing(self) -> list[int]:
        """The face class of every place of the carriers, as a person sees them."""
        world = self.sim.world
        return [
            self.classes.index(world.face(tile)) for head in world.heads for stack in head.carrier for tile in stack
        ]

    def is_built(self, prescription: Prescription) -> bool:
        """Whether the walls in the carriers are the prescribed ones, hands as sets."""
        found = self.standing()
        if len(found) != self.tiles:
            return False
        groups = prescription.groups or bytes(self.tiles)
        for group in range(SIDES + 1):
            places = [at for at in range(self.tiles) if groups[at] == group]
            mine, wanted = [found[at] for at in places], [prescription.faces[at] for at in places]
            if mine != wanted if not group else Counter(mine) != Counter(wanted):
                return False
        return True

    def raise_walls(self) -> None:
        """People open the lid, push the old tiles in, and have the walls raised."""
        self.sim.players.press_lift(0)
        self.run(9_000)
        self.sim.players.push_in()
        self.sim.players.press_lift(0)
        self.run(6_000)

    def _wait(self) -> tuple[Any, ...]:
        for _ in range(1_000):
            self.pump()
            if self._happened:
                return self._happened.pop()
            self.sim.run_until(self.sim.now_ms + 5)
        raise AssertionError("no answer")

    def pump(self) -> None:
        data = self.sim.read()
        self.bytes_out += data
        now_ms = self.sim.now_ms
        for what in [*self.requester.receive(now_ms, data), *self.requester.poll(now_ms)]:
            if what[0] == "event":
                _, _, seq, _, _, message, payload = what
                self.events.append((EVENTS[message].name, EVENTS[message].unpack_named(payload)))
                self.requester.stored(now_ms, seq)
            elif what[0] in ("reply", "hello"):
                self._happened.append(what)
        self.sim.write(self.requester.take())


def fault_of(table: Director) -> str:
    """The name of the fault at which a table stands."""
    return FAULTS[table.app.cycle.fault]


def made(table: Director, mode: int = codes.STRICT_WALL) -> bool:
    """Prescribe a wall and have it built; whether what stands there is that wall."""
    table.equip()
    one = table.drawn(mode)
    table.build(one)
    return table.is_built(one)
