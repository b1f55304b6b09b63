"""A prescription says the same on both sides, and one that no table can build is refused by its name."""

import hashlib
import struct
import subprocess
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.protocol.spec import SPEC
from wallwright_protocol import codes
from wallwright_protocol.codec import REQUESTS
from wallwright_protocol.hardware import DEFAULT_PLANS, SET_SIZES, SIDES
from wallwright_protocol.names import REFUSALS
from wallwright_protocol.prescribing import Prescription, pack, sent, unpack
from wallwright_protocol.prescription import GROUPS, MOST_BYTES, PART_BYTES, PrescriptionError, copies, digest, signed
from wallwright_protocol.tile_sets import FACES
from wallwright_simulator.runtimes import Runtime

CLASSES = {tiles: [*dict.fromkeys(faces)] for tiles, faces in FACES.items()}


@dataclass
class Draft:
    """The fields of a good prescription, for a test to change."""

    tiles: int = 108
    mode: int = codes.STRICT_WALL
    tile_set: int = 0
    dealer: int = 2
    dice: tuple[int, ...] = (3, 5, 0)
    plan: tuple[int, ...] = ()
    deal: int = 7
    build: int = 91
    event: bytes = b"balsall"
    unit: bytes = b"SIM-1"
    enrolment: bytes = bytes(range(32))
    faces: list[int] = field(default_factory=list)
    groups: list[int] = field(default_factory=list)
    tags: list[bytes] = field(default_factory=list)
    tag_faces: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        of_set = [CLASSES[self.tiles].index(face) for face in FACES[self.tiles]]
        self.plan = self.plan or DEFAULT_PLANS[self.tiles]
        self.faces = self.faces or of_set[::-1]
        self.tag_faces = self.tag_faces or list(of_set)
        self.tags = self.tags or [struct.pack(">Q", 0xE0_04_00_00_00_00_00_00 + 977 * at) for at in range(self.tiles)]
        if self.mode == codes.HANDS_WALL:
            self.groups = self.groups or [at % (GROUPS + 1) for at in range(self.tiles)]

    def made(self) -> Prescription:
        return Prescription(
            self.mode,
            self.tiles,
            self.tile_set,
            self.dealer,
            self.dice,
            self.plan,
            self.deal,
            self.build,
            self.event,
            self.unit,
            self.enrolment,
            bytes(self.faces),
            bytes(self.groups),
            tuple(self.tags),
            bytes(self.tag_faces),
        )


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    draft = Draft(draw(st.sampled_from(SET_SIZES)), draw(st.sampled_from((codes.STRICT_WALL, codes.HANDS_WALL))))
    draft.faces = draw(st.permutations(draft.faces))
    draft.tag_faces = draw(st.permutations(draft.tag_faces))
    draft.tags = sorted(draw(st.sets(st.binary(min_size=8, max_size=8), min_size=3, max_size=3)) - {bytes(8)})
    least = int.from_bytes(draft.tags[-1], "big")
    if least + draft.tiles < 1 << 64:
        draft.tags += [(least + 1 + at).to_bytes(8, "big") for at in range(draft.tiles - len(draft.tags))]
    else:
        draft.tags = Draft(draft.tiles).tags
    draft.dice = (draw(st.integers(1, 6)), *draw(st.tuples(st.integers(0, 6), st.integers(0, 6))))
    draft.dealer, draft.tile_set = draw(st.integers(0, SIDES - 1)), draw(st.integers(0, 1))
    draft.deal, draft.build = draw(st.integers(0, 0xFFFF)), draw(st.integers(0, 0xFFFFFFFF))
    draft.event = draw(st.binary(max_size=16)).rstrip(b"\0")
    draft.unit = draw(st.binary(max_size=16)).rstrip(b"\0")
    draft.enrolment = draw(st.binary(min_size=32, max_size=32))
    return draft


@pytest.mark.slow
@given(drafts())
def test_what_was_packed_is_unpacked(draft: Draft) -> None:
    one = draft.made()
    data = pack(one)
    assert unpack(data) == one
    assert len(sent(data, bytes(64))) <= MOST_BYTES


@pytest.mark.slow
@given(drafts(), st.data())
def test_no_bytes_that_were_changed_say_another_wall_unnoticed(draft: Draft, data: st.DataObject) -> None:
    packed = bytearray(pack(draft.made()))
    packed[data.draw(st.integers(0, len(packed) - 1))] ^= data.draw(st.integers(1, 255))
    found = None
    with suppress(PrescriptionError):
        found = unpack(bytes(packed))
    if found:
        assert Counter(found.faces) == Counter(draft.faces)
        assert len(set(found.tags)) == found.tiles
        assert digest(bytes(packed)) != digest(pack(draft.made()))


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_by_a_name(noise: bytes) -> None:
    for data in (noise, b"WP\1" + noise):
        with pytest.raises(PrescriptionError) as refused:
            unpack(data)
        assert REFUSALS[refused.value.refusal] in ("bad_prescription", "other_game", "impossible")


@pytest.mark.parametrize(
    ("change", "refusal", "says"),
    [
        (lambda d: d.faces.__setitem__(0, d.faces[-1]), "impossible", "more than 4 times among the places"),
        (lambda d: d.tag_faces.__setitem__(0, 26), "impossible", "more than 4 times among the tags"),
        (lambda d: d.faces.__setitem__(0, 27), "other_game", "a set of 108 tiles has no face class 27"),
        (lambda d: d.faces.pop(), "impossible", "are 107, 108, 108 and 0, not 108 each"),
        (lambda d: d.tags.__setitem__(1, d.tags[0]), "impossible", "the tags do not rise"),
        (lambda d: d.tags.__setitem__(0, bytes(8)), "impossible", "the tags do not rise"),
        (lambda d: d.tags.__setitem__(0, b"short"), "bad_prescription", "a tag has 8 bytes"),
        (lambda d: setattr(d, "plan", (14, 14, 14, 13)), "impossible", "no wall of 108 tiles"),
        (lambda d: setattr(d, "plan", (27, 27, 0, 0)), "impossible", "no wall of 108 tiles"),
        (lambda d: setattr(d, "dice", (0, 3, 0)), "bad_prescription", "no dice show"),
        (lambda d: setattr(d, "dice", (7, 3, 0)), "bad_prescription", "no dice show"),
        (lambda d: setattr(d, "dealer", 4), "bad_prescription", "no seat 4"),
        (lambda d: setattr(d, "tile_set", 2), "bad_prescription", "no set 2"),
        (lambda d: setattr(d, "mode", 0), "bad_prescription", "0 is no mode"),
        (lambda d: setattr(d, "build", -1), "bad_prescription", "too large or below 0"),
        (lambda d: setattr(d, "unit", b"a name of a table"), "bad_prescription", "another length"),
    ],
)
def test_what_no_table_can_build_is_refused(change: object, refusal: str, says: str) -> None:
    draft = Draft()
    assert callable(change)
    change(draft)
    with pytest.raises(PrescriptionError, match=says) as refused:
        pack(draft.made())
    assert REFUSALS[refused.value.refusal] == refusal


def test_a_hand_that_there_is_not_is_refused() -> None:
    draft = Draft(mode=codes.HANDS_WALL)
    draft.groups[5] = GROUPS + 1
    with pytest.raises(PrescriptionError, match="a place belongs to no hand"):
        pack(draft.made())


@pytest.mark.parametrize("tiles", SET_SIZES)
def test_the_copies_of_each_face_are_those_of_the_set(tiles: int) -> None:
    counts = Counter(FACES[tiles])
    assert [copies(tiles, at) for at in range(len(CLASSES[tiles]))] == [counts[face] for face in CLASSES[tiles]]
    assert copies(tiles, len(CLASSES[tiles])) == 0


def test_the_bytes_are_those_of_the_spec() -> None:
    """From the text of SPEC.md alone: head, places, hands, tags, faces."""
    draft = Draft(136, codes.HANDS_WALL)
    by_hand = b"WP\1" + bytes((2, 136, 0, 2, 3, 5, 0, 17, 17, 17, 17)) + (7).to_bytes(2, "little")
    by_hand += (91).to_bytes(4, "little") + b"balsall".ljust(16, b"\0") + b"SIM-1".ljust(16, b"\0") + bytes(range(32))
    by_hand += bytes(draft.faces) + bytes(draft.groups) + b"".join(draft.tags) + bytes(draft.tag_faces)
    data = pack(draft.made())
    assert data == by_hand
    assert signed(digest(data)) == b"prescription 1\n" + hashlib.sha256(data).digest()
    assert sent(data, b"s" * 64)[-32:] == hashlib.sha256(data + b"s" * 64).digest()
    (request,) = [layout for layout in REQUESTS.values() if layout.name == "prescribe"]
    assert request.size == 4 + PART_BYTES
    assert "prescription 1" in SPEC


def test_a_board_reads_it_as_the_host_does(micropython_runtime: Runtime) -> None:
    wrong = Draft()
    wrong.plan = (14, 13, 13, 14)
    data = [pack(Draft(152, codes.HANDS_WALL).made()), pack(wrong.made())]
    code = """
import sys
sys.path.append(%r)
from wallwright_protocol.prescribing import pack, unpack
from wallwright_protocol.prescription import PrescriptionError, digest
for data in %r:
    one = unpack(data)
    assert pack(one) == data
    broken = bytearray(data)
    broken[-1] += 1
    try:
        unpack(broken)
        print("taken")
    except PrescriptionError as error:
        print(error.refusal, error)
    print(digest(data)[:4], one.plan, one.tags[0], one.unit)
"""
    argv = [*micropython_runtime.argv, "-c", code % ("protocol", data)]
    done = subprocess.run(argv, capture_output=True, timeout=100, check=True)
    expected = []
    for one in data:
        broken = one[:-1] + bytes((one[-1] + 1,))
        with pytest.raises(PrescriptionError) as refused:
            unpack(broken)
        found = unpack(one)
        expected += [f"{refused.value.refusal} {refused.value}"]
        expected += [f"{digest(one)[:4]!r} {found.plan} {found.tags[0]!r} {found.unit!r}"]
    assert done.stdout.decode().splitlines() == expected
