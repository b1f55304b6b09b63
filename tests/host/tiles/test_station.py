"""The director's station: what it signs for a board, and that no output of the host has any of it."""

import hashlib
import json
import struct
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tests.host.tiles.test_secrecy import forms
from wallwright import cli
from wallwright.doctor.bench import Bench
from wallwright.doctor.service_file import contents
from wallwright.duplicate.deals import BREAK, OWN, BadDeals
from wallwright.duplicate.drawing import commitment, draw_deals
from wallwright.errors import BadEnrolment, Refused
from wallwright.journal import Journal, read_journal
from wallwright.journal.keys import public_bytes
from wallwright.link.simulator import register_simulated_ports
from wallwright.link.trace_file import Recorder
from wallwright.rules.core.tiles import tile_name
from wallwright.table.table import open_table
from wallwright.tiles.enrolment import Enrolment, enrolment_path, save_enrolment
from wallwright.tiles.station import director_key, mode_number, prescribe, release, sign, trust_director
from wallwright_protocol.codes import HANDS_WALL, STRICT_WALL
from wallwright_protocol.prescribing import unpack
from wallwright_protocol.prescription import HEAD_BYTES, HEAD_FORMAT, SIGNATURE_BYTES
from wallwright_simulator.readers import ALL_READERS
from wallwright_simulator.simulation import Simulation, attach
from wallwright_simulator.sorters import read_hardware

UNIT, BUILD = "EAST-7", 41
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    register_simulated_ports()


@pytest.fixture(scope="module")
def enrolment():
    world = Simulation(3, readers=ALL_READERS).world
    return Enrolment(UNIT, world.tiles, (world.tags(0), world.tags(1)))


def strict(deals, enrolment, number=1, tile_set=1):
    return prescribe(deals, number, STRICT_WALL, UNIT, BUILD, tile_set, enrolment)


@pytest.mark.parametrize("draws", [OWN, BREAK])
def test_a_prescription_has_the_deal_and_says_for_which_board_event_and_build(enrolment, draws):
    deals = draw_deals("day", "mil-2025", draws, 3)
    for deal in deals.deals:
        data = strict(deals, enrolment, deal.number)
        said = unpack(data)
        assert (said.unit, said.build, said.deal, said.tile_set) == (UNIT.encode(), BUILD, deal.number, 1)
        assert (said.dealer, said.plan, said.tiles) == (deal.dealer, deal.plan, 108)
        assert said.dice == ((1, 0, 0) if draws == OWN else (*deal.dice[0], 0))
        assert struct.unpack(HEAD_FORMAT, data[:HEAD_BYTES])[15] == bytes.fromhex(commitment(deals))[:16]
        assert said.enrolment == hashlib.sha256(enrolment.to_bytes()).digest()
        # Face classes count 1m to 9m, 1p to 9p, 1s to 9s, as kinds do in this set.
        assert tuple(said.faces) == deal.faces
        faces = {tag.hex(): tile_name(kind) for tag, kind in zip(said.tags, said.tag_faces, strict=True)}
        assert faces == enrolment.sets[1]


def test_the_groups_of_hands_are_what_each_is_dealt(enrolment):
    for draws, dealer_has in ((OWN, 13), (BREAK, 14)):
        deals = draw_deals("day", "mil-2025", draws, 2)
        said = unpack(prescribe(deals, 2, HANDS_WALL, UNIT, BUILD, 0, enrolment))
        counts = Counter(said.groups)
        assert [counts[seat + 1] for seat in range(4)] == [dealer_has if seat == 1 else 13 for seat in range(4)]


def test_the_signature_is_over_all_of_it(enrolment):
    deals = draw_deals("day", "mil-2025", OWN, 1)
    data = strict(deals, enrolment)
    whole = sign(data, KEY)
    assert whole[: len(data)] == data
    signature, checksum = whole[len(data) : len(data) + SIGNATURE_BYTES], whole[len(data) + SIGNATURE_BYTES :]
    assert checksum == hashlib.sha256(data + signature).digest()
    KEY.public_key().verify(signature, b"prescription 1\n" + hashlib.sha256(data).digest())
    for at in (5, HEAD_BYTES - 60, HEAD_BYTES, len(data) - 1):
        changed = bytearray(data)
        changed[at] ^= 1
        with pytest.raises(InvalidSignature):
            KEY.public_key().verify(signature, b"prescription 1\n" + hashlib.sha256(changed).digest())


def test_what_no_board_can_build_is_refused_by_name(enrolment):
    deals = draw_deals("day", "mil-2025", OWN, 1)
    with pytest.raises(BadEnrolment, match="the deals want WEST-1 with 108"):
        prescribe(deals, 1, STRICT_WALL, "WEST-1", BUILD, 0, enrolment)
    with pytest.raises(BadEnrolment, match="with 136"):
        strict(draw_deals("day", "hong-kong", OWN, 1), enrolment)
    few = Enrolment(UNIT, 108, (dict(list(enrolment.sets[0].items())[:107]), enrolment.sets[1]))
    with pytest.raises(BadEnrolment, match="set 0 has 107 of 108 tiles enrolled"):
        strict(deals, few, tile_set=0)
    with pytest.raises(BadDeals, match="it is strict or hands"):
        mode_number("ordinary")
    with pytest.raises(BadDeals, match="no deal 2"):
        strict(deals, enrolment, 2)


@contextmanager
def watched(folder, name, simulation):
    """A table whose journal and trace are kept in `folder`, and the tags of its tiles."""
    port = attach(name, simulation)
    with (
        Journal(folder / "hall.journal") as journal,
        Recorder(folder / "hall.trace", port) as recorder,
        open_table(port, journal=journal, tap=recorder.add) as table,
    ):
        world = simulation.world
        yield table, Enrolment(table.info.unit, world.tiles, (world.tags(0), world.tags(1)))


def enrol(table, enrolled):
    """Let board and host know the tags."""
    save_enrolment(enrolment_path(enrolled.unit), enrolled)
    table.request("begin_service")
    table.request("set_enrolment", enrolled.digest())
    table.request("end_service")


def test_a_board_without_a_sorter_refuses_and_nothing_that_leaves_has_a_face_or_a_tag_of_it(tmp_path):
    deals = draw_deals("day", "mil-2025", OWN, 1)
    with watched(tmp_path, "station-3", Simulation(3, readers=ALL_READERS)) as (table, enrolled):
        with pytest.raises(BadEnrolment, match="run `wallwright tiles enrol`"):
            release(table, deals, 1, KEY)
        enrol(table, enrolled)
        with pytest.raises(Refused, match="no_sorter"):
            trust_director(table, KEY)
        with pytest.raises(Refused, match="no_sorter") as refused:
            release(table, deals, 1, KEY)
        traces = [table.trace(), refused.value.trace, repr(table.last_status)]
    assert deals.seed is not None
    secrets = [deals.nonce, deals.seed, bytes(deals.deals[0].faces[:8]), bytes(deals.deals[0].faces[50:58])]
    secrets += [bytes.fromhex(tag) for tag in enrolled.sets[0]]
    shown = {path.name: path.read_bytes() for path in tmp_path.glob("hall.*")}
    shown |= {f"trace {at}": text.encode() for at, text in enumerate(traces)}
    shown["entries"] = "".join(json.dumps(entry.values()) for entry in read_journal(tmp_path / "hall.journal")).encode()
    assert len(shown) >= 6
    for name, data in shown.items():
        for secret in secrets:
            assert not any(form in data for form in forms(secret)), name


def test_nothing_that_leaves_while_a_prescribed_wall_is_built_tells_a_tile_of_it(tmp_path):
    deals = draw_deals("day", "mil-2025", OWN, 1)
    simulation = Simulation(3, hardware=read_hardware("ring", magnets=18))
    with watched(tmp_path, "station-ring-3", simulation) as (table, enrolled):
        enrol(table, enrolled)
        with pytest.raises(Refused, match="no_director"):
            release(table, deals, 1, KEY)
        trust_director(table, KEY)
        released = release(table, deals, 1, KEY)
        assert released.refusal == "ok"
        with pytest.raises(Refused, match="prescribed_already"):
            release(table, deals, 1, KEY)
        table.request("start_build")
        told = table.wait_for("wall_prescribed", 500_000)
        assert (told.fields["match"], told.fields["prescription_hash"]) == (1, released.prescription_hash)
        shown = {"trace": table.trace().encode(), "status": repr((table.last_status, table.notes)).encode()}
        shown |= {"events": repr(list(table.events())).encode()}
        service = contents(Bench(table), datetime(2026, 11, 24, tzinfo=UTC), None)
        shown |= {f"service file, {name}": text.encode() for name, text in service.items()}
    shown |= {path.name: path.read_bytes() for path in tmp_path.glob("hall.*")}
    entries = list(read_journal(tmp_path / "hall.journal"))
    shown["entries"] = "".join(json.dumps(entry.values()) for entry in entries).encode()
    assert {"hall.journal", "hall.trace", "service file, trace.txt", "service file, events.jsonl"} <= set(shown)
    faces = bytes(deals.deals[0].faces)
    assert deals.seed is not None
    secrets = [deals.nonce, deals.seed, *(faces[at : at + 8] for at in range(0, len(faces) - 7, 4))]
    secrets += [bytes.fromhex(tag) for tag in enrolled.sets[0]]
    for name, data in shown.items():
        assert not [secret for secret in secrets for form in forms(secret) if form in data], name


def test_the_commands_trust_and_release_say_why_a_table_refuses(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "password").write_text("correct horse\n")

    def run(line):
        monkeypatch.setattr("sys.argv", ["wallwright", *line.split()])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        printed = capsys.readouterr()
        return caught.value.code or 0, printed.out + printed.err

    run("deals draw a.deals --event x --deals 1 --password-file password")
    code, said = run("deals trust --port sim://?seed=3")
    assert (code, "no_sorter" in said or "wall sorter" in said) == (4, True), said
    code, said = run("deals release a.deals --deal 1 --port sim://?seed=3 --password-file password")
    assert (code, "wallwright tiles enrol" in said) == (2, True), said
    code, said = run("deals withdraw --port sim://?seed=3")
    assert (code, "no_sorter" in said) == (4, True), said
    code, said = run("deals withdraw --port sim://?seed=3&hardware=ring&magnets=18")
    assert (code, "builds ordinary walls next" in said) == (0, True), said
    key = director_key()
    assert public_bytes(key) == public_bytes(director_key())
    mode = (tmp_path / "data" / "wallwright" / "director-key.pem").stat().st_mode
    assert mode & 0o077 == 0
