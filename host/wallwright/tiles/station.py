"""The director's station: signs a prescription for one board and one build, and gives it to that board.

What is sent is in the memory of this program and of the board alone: the link's traces show zeros in its place, and
nothing of it goes to a journal. docs/duplicate.md says what is signed.
"""

from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from wallwright_protocol.codec import NUMBER_OF, REPLIES
from wallwright_protocol.codes import HANDS_WALL, STRICT_WALL
from wallwright_protocol.hardware import MOST_DICE
from wallwright_protocol.names import WALL_MODES
from wallwright_protocol.prescribing import Prescription, pack, sent
from wallwright_protocol.prescription import PART_BYTES, PrescriptionError, digest, signed

from ..doctor.bench import Bench
from ..duplicate.deals import BadDeals, Deals, hand_places
from ..duplicate.drawing import commitment
from ..errors import BadEnrolment
from ..journal.keys import key_path, public_bytes, signing_key
from ..rules.core.tiles import tile_name
from ..table.table import Table
from .enrolment import Enrolment, enrolment_path, load_enrolment, read_readers, set_faces

KEY_NAME = "director-key.pem"
EVENT_BYTES = 16
NO_DICE = (1,)
"""What the displays show of a deal without dice: a prescription has one at the least."""
BEFORE_BUILDS = ("idle", "walls_up", "lowering", "shuffling")
"""States in which no build is under way."""
GIVEN_UP = ("fault", "walls_unknown")
"""State and fault of a table whose walls people take out, whatever there is of them, before it builds others."""
JUDGED_MS = 30_000
"""How long a board may check a signature."""


@dataclass(frozen=True, slots=True)
class Sorter:
    """What a board says of its wall sorter: its kind, 0 for none, the next build's number, the directors' key."""

    kind: int
    build: int
    director: bytes


@dataclass(frozen=True, slots=True)
class NextBuild:
    """What a director has to know of a table before a release: `sorter` as in Sorter.kind, the next build's number, the
    set that it takes, the directors' key and the hash of the enrolment in hexadecimal, and whether the board `takes` a
    prescription now: no walls of its next build have been begun. `boot_id` is another one after each start of the
    board, which forgets what it was given.
    """

    unit: str
    sorter: int
    build: int
    tile_set: int
    director: str
    enrolment: str
    takes: bool
    boot_id: int


@dataclass(frozen=True, slots=True)
class Released:
    """What a board was given: deal and build, the prescription's hash, and `refusal`: "ok", or why it is not built."""

    unit: str
    deal: int
    build: int
    prescription_hash: str
    refusal: str


def director_key() -> Ed25519PrivateKey:
    """Return the key of this machine's director, made on first use. Raises BadKey."""
    return signing_key(key_path().with_name(KEY_NAME))


def read_sorter(table: Table) -> Sorter:
    """Ask a table what it has to sort walls with."""
    kind, _, build, director = REPLIES[NUMBER_OF["get_sorter"]].unpack(table.request("get_sorter"))
    return Sorter(kind, build, bytes(director))


def read_next_build(table: Table) -> NextBuild:
    """Ask a table what its next walls can be. Raises LinkError, Refused."""
    found, status = read_sorter(table), table.status()
    digest = read_readers(table).digest or b""
    is_free = status.state in BEFORE_BUILDS and not any(status.stacks)
    takes = bool(found.kind) and (is_free or (status.state, status.fault) == GIVEN_UP)
    unit, tile_set = table.info.unit, 1 - status.set_above
    return NextBuild(unit, found.kind, found.build, tile_set, found.director.hex(), digest.hex(), takes, table.boot_id)


def trust_director(table: Table, key: Ed25519PrivateKey) -> bytes:
    """Let a board build what the owner of `key` signs, and nobody else; return the public key. Raises Refused."""
    public = public_bytes(key)
    with Bench(table).in_service():
        table.request("set_director", public)
    return public


def prescribe(
    deals: Deals, number: int, mode: int, unit: str, build: int, tile_set: int, enrolment: Enrolment
) -> bytes:
    """Return the bytes of a prescription, without a signature. BadDeals and BadEnrolment for what cannot be built."""
    deal = deals.deal(number)
    tiles = enrolment.sets[tile_set]
    if enrolment.unit != unit or enrolment.tiles != len(deal.faces):
        problem = f"the tags are those of {enrolment.unit} with {enrolment.tiles} tiles"
        raise BadEnrolment(f"{problem}; the deals want {unit} with {len(deal.faces)}")
    if len(tiles) != enrolment.tiles:
        raise BadEnrolment(
            f"set {tile_set} has {len(tiles)} of {enrolment.tiles} tiles enrolled; `wallwright tiles enrol` goes on"
        )
    classes = {face: at for at, face in enumerate(dict.fromkeys(set_faces(enrolment.tiles)))}
    tags = sorted(bytes.fromhex(tag) for tag in tiles)
    thrown = tuple(die for throw in deal.dice for die in throw) or NO_DICE
    if len(thrown) > MOST_DICE:
        raise BadDeals(f"deal {number} has {len(thrown)} dice, and a board shows {MOST_DICE}; build it by its cards")
    try:
        return pack(
            Prescription(
                mode,
                len(deal.faces),
                tile_set,
                deal.dealer,
                (*thrown, *[0] * (MOST_DICE - len(thrown))),
                deal.plan,
                number,
                build,
                bytes.fromhex(commitment(deals))[:EVENT_BYTES],
                unit.encode(),
                enrolment.digest(),
                bytes(classes[tile_name(kind)] for kind in deal.faces),
                _groups(deals, number) if mode == HANDS_WALL else b"",
                tuple(tags),
                bytes(classes[tiles[tag.hex()]] for tag in tags),
            )
        )
    except PrescriptionError as error:
        raise BadDeals(f"deal {number} cannot be built: {error}") from error


def sign(data: bytes, key: Ed25519PrivateKey) -> bytes:
    """Return what is sent to a board: the prescription with its signature and the sum of both."""
    return bytes(sent(data, key.sign(signed(digest(data)))))


def release(table: Table, deals: Deals, number: int, key: Ed25519PrivateKey, mode: int = STRICT_WALL) -> Released:
    """Give one deal to a board for its next build, and wait for what it makes of it. Raises Refused, BadEnrolment."""
    unit = table.info.unit
    enrolment = load_enrolment(enrolment_path(unit))
    if enrolment is None or read_readers(table).digest != enrolment.digest():
        raise BadEnrolment(f"the tags of {unit} are not enrolled here; run `wallwright tiles enrol`")
    build, shown = give(table, deals, number, key, enrolment, mode)
    judged = table.wait_for("prescription_judged", JUDGED_MS)
    return Released(unit, number, build, shown, str(judged.fields["refusal"]))


def give(
    table: Table,
    deals: Deals,
    number: int,
    key: Ed25519PrivateKey,
    enrolment: Enrolment,
    mode: int = STRICT_WALL,
) -> tuple[int, str]:
    """Sign and send one deal for the next build; return the build's number and the prescription's hash.

    The board judges it some seconds later. Raises Refused, BadDeals, BadEnrolment.
    """
    unit = table.info.unit
    build = read_sorter(table).build
    data = prescribe(deals, number, mode, unit, build, 1 - table.last_status.set_above, enrolment)
    send(table, sign(data, key))
    return build, digest(data).hex()


def send(table: Table, whole: bytes) -> None:
    """Hand a board a signed prescription, part by part. Raises Refused, LinkError."""
    for offset in range(0, len(whole), PART_BYTES):
        table.request("prescribe", len(whole), offset, whole[offset : offset + PART_BYTES].ljust(PART_BYTES, b"\0"))


def withdraw(table: Table) -> None:
    """Take back what a board was given, and give up the walls of it that stand in part or whole; people then take them
    out. Raises Refused while these are built or on their way up.
    """
    table.request("prescribe_cancel")


def mode_number(name: str) -> int:
    """Return the number of a wall mode that a director may sign. BadDeals for another name."""
    signable = [WALL_MODES[STRICT_WALL], WALL_MODES[HANDS_WALL]]
    if name not in signable:
        raise BadDeals(f"mode is {name!r}; it is {' or '.join(signable)}")
    return WALL_MODES.index(name)


def _groups(deals: Deals, number: int) -> bytes:
    """By place, the seat whose hand it belongs to, plus 1; 0 for a place that is drawn later."""
    deal = deals.deal(number)
    groups = bytearray(len(deal.faces))
    for seat, hand in enumerate(hand_places(deals.rules, deals.draws, deal)):
        for at in hand:
            groups[at] = seat + 1
    return bytes(groups)
