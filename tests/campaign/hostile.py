"""Frames from somebody who means harm, at a watched table: nothing moves but by what a session has asked for.

Damaged frames, noise, forged sessions, replays, any bodies with a right CRC, wrong lengths and unknown messages come
between requests that are right and come at wrong moments; people play and lean on keys meanwhile. What the board may
carry out is counted apart from it. `.venv-dev/bin/python -m tests.campaign.hostile --frames 250000`.
"""

import argparse
import random
import struct
import sys
from collections import Counter, deque
from collections.abc import Callable, Sequence

from tests.campaign.requests import AWAY_MS, TABLE_STEPS, Asker, Values, any_values, good_values, turns
from tests.scenarios.power import app_of
from wallwright_protocol import codes, link
from wallwright_protocol.codec import NUMBER_OF, REQUESTS
from wallwright_protocol.frame import Decoder, encode
from wallwright_protocol.hardware import SIDES
from wallwright_protocol.messages import CATALOG_HASH, PROTOCOL_VERSION
from wallwright_simulator.loader import InLoader
from wallwright_simulator.power import Unpowered
from wallwright_simulator.simulation import WIRE_MS

FRAME_MS = 3
"""So long after a frame the board has acted on it."""
ANSWER_MS = 300
OLD_FRAMES = 400
ACT_EVERY = 12
"""After so many hostile frames, on average, somebody does something that is right."""
LONGEST_BODY = 240


class Besieged(Asker):
    """One table, its people, and a line on which anything comes.

    `frames` counts what was sent, by kind; `executed` is what the board has carried out or refused by its content, and
    `allowed` how often it may have.
    """

    def __init__(self, seed: int, chance: random.Random) -> None:
        super().__init__(seed, chance)
        self.table.disconnect()
        self.frames: Counter[str] = Counter()
        self.allowed = self.executed = 0
        self.session = self.sessions
        self.sequence = 0
        self._hears()
        self._decoder = Decoder()
        self._old: deque[bytes] = deque(maxlen=OLD_FRAMES)
        self._responder: link.Responder | None = None
        self._count()
        self._kinds: list[Callable[[], bytes]] = [
            self._damaged,
            self._noise,
            self._forged,
            self._replayed,
            self._stale,
            self._random_body,
            self._strange_hello,
            self._strange_ack,
        ]

    def attack(self) -> None:
        """Send one hostile frame; it may not be carried out."""
        make = self.chance.choice(self._kinds)
        self.frames[make.__name__[1:]] += 1
        data = make()
        self._send(data if make == self._noise else b"\x00" + data + b"\x00")
        self.table.run(FRAME_MS)
        self._hear()

    def misfit(self) -> None:
        """Send a frame of this session that is in turn, and whose message or length is none: it is refused."""
        self._open()
        self.frames["misfit"] += 1
        name = self.chance.choice(sorted(REQUESTS))
        payload = REQUESTS[name].pack(*any_values(REQUESTS[name].name, self.chance)) + b"\x00"
        message = name
        if self.chance.random() < 0.5:
            message = self.chance.choice([number for number in range(256) if number not in REQUESTS])
        assert self._exchange(message, payload) not in (codes.OK, None)

    def ask(self, name: str, values: Values) -> int:
        """Send a right request in this session; return the code."""
        self._open()
        self.frames["request"] += 1
        self.requests += 1
        world = self.table.world
        world.ask(name, values)
        code = self._exchange(NUMBER_OF[name], REQUESTS[NUMBER_OF[name]].pack(*values))
        assert code is not None, f"no answer to {name}"
        world.answer(name, values, code == codes.OK)
        if name == "set_plan" and code == codes.OK:
            world.plans = {*world.plans, *turns(values[:SIDES])}
        if name == "restart" and code == codes.OK:
            self.table.run(AWAY_MS)
        return code

    def lose_host(self) -> None:
        """Nothing that is right comes for longer than the board waits."""
        self.wait(11_000)

    def wait(self, for_ms: int = 0) -> None:
        super().wait(for_ms)
        self._hear()

    def _count(self) -> None:
        """Count what the board executes from now on, if it has started anew; no session is open then."""
        if isinstance(self.table.sim.app, Unpowered | InLoader):
            return
        responder = app_of(self.table).responder
        if responder is self._responder:
            return
        if self._responder is not None:
            self._heard_ms = -link.SILENCE_MS
        self._responder = responder
        self._boot_id = responder.boot_id
        execute = responder._execute

        def counted(message: int, payload: bytes) -> tuple[int, bytes] | None:
            done = execute(message, payload)
            self.executed += done is not None
            return done

        responder._execute = counted

    def _open(self) -> None:
        """Open a session when there is none any more, and a new one now and then."""
        self._count()
        if self._is_open() and self.chance.random() > 0.02:
            return
        self.session = self.chance.randrange(1, 2**32)
        self.sequence = 0
        self.frames["hello"] += 1
        self._send(b"\x00" + self._hello(PROTOCOL_VERSION, CATALOG_HASH, self.session))
        self._hears()
        self.table.run(FRAME_MS)
        self._hear()

    def _is_open(self) -> bool:
        return self.table.now_ms < self._heard_ms + link.SILENCE_MS - 100

    def _exchange(self, message: int, payload: bytes) -> int | None:
        self.sequence += 1
        frame = encode(struct.pack(link.REQUEST_LAYOUT, link.REQUEST, self.session, self.sequence, message) + payload)
        self._old.append(frame)
        self._send(b"\x00" + frame)
        self._hears()
        end_ms = self.table.now_ms + ANSWER_MS
        while self.table.now_ms < end_ms:
            self.table.run(1)
            for body in self._hear():
                head = struct.unpack(link.REPLY_LAYOUT, body[: link.REPLY_HEAD]) if body[0] == link.REPLY else ()
                if head[2:5] == (self.session, self.sequence, message):
                    self.allowed += head[5] != codes.UNKNOWN_SESSION
                    return int(head[5])
        return None

    def _send(self, data: bytes) -> None:
        self._count()
        self.table.sim.write(data)

    def _hears(self) -> None:
        """What was sent tells the board that its host is there."""
        self._heard_ms = self.table.now_ms
        self.table.world.host_gone_ms = self.table.now_ms + WIRE_MS + link.SILENCE_MS

    def _hear(self) -> list[bytes]:
        return list(self._decoder.feed(self.table.sim.read()))

    def _any_request(self, session: int, sequence: int) -> bytes:
        """The frame of a request, mostly one that would move something."""
        motions = ("start_build", "open_lid", "raise_walls", "lower_lifts", "jog", "begin_service", "clear_fault")
        number = self.chance.choice((*(NUMBER_OF[name] for name in motions), *sorted(REQUESTS)))
        payload = REQUESTS[number].pack(*good_values(REQUESTS[number].name, self.chance))
        return encode(struct.pack(link.REQUEST_LAYOUT, link.REQUEST, session, sequence & 0xFFFF, number) + payload)

    def _hello(self, version: int, catalog: int, session: int) -> bytes:
        return encode(struct.pack(link.HELLO_LAYOUT, link.HELLO, version, catalog, session))

    def _damaged(self) -> bytes:
        """One that would be carried out, if it had come whole."""
        frame = bytearray(self._any_request(self.session, self.sequence + 1)[:-1])
        at = self.chance.randrange(len(frame))
        how = self.chance.randrange(4)
        if how == 0:
            frame[at] ^= 1 << self.chance.randrange(8)
        elif how == 1:
            del frame[at]
        elif how == 2:
            frame.insert(at, self.chance.randrange(1, 256))  # a zero before it would leave it whole
        else:
            del frame[at:]
        return bytes(frame)

    def _noise(self) -> bytes:
        return self.chance.randbytes(self.chance.randrange(1, 60))

    def _forged(self) -> bytes:
        """Of a session that is not open; one bit beside it is enough."""
        near = self.session ^ 1 << self.chance.randrange(32)
        return self._any_request(self.chance.choice((0, near, self.chance.randrange(2**32) ^ self.session or 1)), 1)

    def _replayed(self) -> bytes:
        """What was sent before, in this session or an older one, comes again."""
        if not self._old:
            return b""
        frame = self.chance.choice(self._old)
        if self._is_open() and Decoder().feed(frame)[0][1:5] == struct.pack("<I", self.session):
            self._hears()
        return frame

    def _stale(self) -> bytes:
        """A request of this session whose turn is over."""
        if self._is_open() and self.sequence > 1:
            self._hears()
            return self._any_request(self.session, self.sequence - self.chance.randrange(1, self.sequence))
        return b""

    def _random_body(self) -> bytes:
        """A right CRC around anything."""
        kind = self.chance.choice((link.REQUEST, link.EVENT_ACK, link.REPLY, link.EVENT, self.chance.randrange(2, 256)))
        return encode(bytes([kind]) + self.chance.randbytes(self.chance.randrange(1, LONGEST_BODY)))

    def _strange_hello(self) -> bytes:
        return self._hello(
            self.chance.choice((0, PROTOCOL_VERSION + 1, 65_535)),
            self.chance.choice((CATALOG_HASH, 0)),
            self.chance.randrange(2**32),
        )

    def _strange_ack(self) -> bytes:
        """It may neither forget an event that nobody has, nor move anything."""
        session = self.session ^ 1 << self.chance.randrange(32)
        numbers = [self.chance.randrange(2**32) for _ in range(2)]
        return encode(struct.pack(link.EVENT_ACK_LAYOUT, link.EVENT_ACK, session, self._boot_id, *numbers))


class Siege:
    """Tables under attack, one after the other, until so many `frames` were sent."""

    def __init__(self, seed: int, frames: int) -> None:
        self.seed = seed
        self.wanted = frames
        self.chance = random.Random(seed)
        self.frames: Counter[str] = Counter()
        self.states: Counter[int] = Counter()
        self.requests = self.virtual_ms = self.motions = self.rises = 0

    def play(self) -> None:
        """Attack. AssertionError with the seed when anything moved, or was carried out, that was not asked for."""
        while sum(self.frames.values()) < self.wanted:
            table_seed = self.chance.randrange(2**32)
            besieged = Besieged(table_seed, self.chance)
            try:
                self._play(besieged)
                assert besieged.executed == besieged.allowed, (
                    f"the board has carried out {besieged.executed} requests of {besieged.allowed} that came"
                )
            except AssertionError as error:
                sent = sum((self.frames + besieged.frames).values())
                error.add_note(f"seed {self.seed}, table {table_seed}, after {sent} frames")
                raise
            self.frames += besieged.frames
            self.requests += besieged.requests
            self.virtual_ms += besieged.table.now_ms
            self.motions += sum(1 for _, mask in besieged.table.world.drive_log if mask)
            self.rises += len(besieged.table.world.rises)

    def _play(self, besieged: Besieged) -> None:
        acts = {
            besieged.go_on: 12,
            besieged.ask_anything: 8,
            besieged.misfit: 6,
            besieged.jog: 3,
            besieged.press: 3,
            besieged.wait: 2,
            besieged.stop: 1,
            besieged.lose_host: 1,
        }
        for _ in range(ACT_EVERY * TABLE_STEPS):
            assert not isinstance(besieged.table.sim.app, Unpowered), "the board has restarted after the last act"
            self.states[besieged.state] += 1
            if self.chance.randrange(ACT_EVERY):
                besieged.attack()
            else:
                self.chance.choices(list(acts), list(acts.values()))[0]()
                besieged._hear()
            if besieged.is_spoilt or sum((self.frames + besieged.frames).values()) >= self.wanted:
                return

    def words(self) -> str:
        """What was done, in figures."""
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.frames.items()))
        return (
            f"{sum(self.frames.values())} frames ({kinds}), {self.virtual_ms / 3.6e6:.1f} h of the tables' time in "
            f"{len(self.states)} states, {self.motions} changes of drives that run, {self.rises} rises of walls: "
            "0 motions that nobody had asked for"
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Attack, and print what was sent."""
    parser = argparse.ArgumentParser(prog=".venv-dev/bin/python -m tests.campaign.hostile", description=__doc__)
    parser.add_argument("--frames", type=int, default=250_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    given = parser.parse_args(arguments)
    print(f"{given.frames} frames, seed {given.seed} (repeat with --seed {given.seed})", flush=True)
    siege = Siege(given.seed, given.frames)
    siege.play()
    print(siege.words())
    return 0


if __name__ == "__main__":
    sys.exit(main())
