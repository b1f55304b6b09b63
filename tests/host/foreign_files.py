"""Every kind of file that commands read from elsewhere: a good one of each, how it is written, and who reads it.

A file of JSON or TOML is a value that is altered in one place and written anew, with the sums and signatures that
belong to it, so that it is the field that is judged. All others are bytes.
"""

import hashlib
import io
import json
import random
import struct
import tomllib
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

import wallwright
from tests.host.altered import alterations, toml_text
from tests.host.every_command import words_of
from tests.host.programs import Runner
from tests.host.season.halls import EAST, day, extract, printed
from tests.proofs import page_results
from wallwright.doctor.wiring.wire_map import standard_map
from wallwright.event.setup import transcript
from wallwright.event.state import EventState
from wallwright.event.state_parts import MAIN
from wallwright.journal import Checkpoint, read_journal
from wallwright.tiles.enrolment import Enrolment, save_enrolment, set_faces

PASSWORD = "correct horse"
HALL = """journal = "hall.journal"
backup = "backups"
backup_every_min = 60
witnesses = ["one.witness"]

[[table]]
name = "A1"
port = "socket://127.0.0.1:4000"
unit = "EAST-1"
"""
RULESET = 'base = "mil-2025"\nfan_limit = 4\nbest_of = [4, 5]\nvoid_first = true\nsession_minutes_range = [40, 60]\n'
MAKE = """
deals draw ./sealed --event Spring --deals 12 --password-file ./password
deals export ./sealed --out ./open.json --password-file ./password
deals export ./sealed --out ./open.txt --password-file ./password
board backup ./board --port sim://?seed=1
board keys make club
doctor calibrate ./calibration --port sim://?seed=1 --yes --strokes 2 --ways 1 --builds 0
event backup ./good ./backup
trace --port sim:// --seconds 0.2 --record ./trace
log export ./good --output ./export
event new ./fresh --format mil-2025-pairs
users add ./users ann --role referee --link
"""
"""Commands that make the files which are not written here."""


@dataclass(frozen=True)
class Foreign:
    """A kind of file: what reads the good one as a value, what writes one, and commands with FILE in its place.

    `but` is said of the good one as well, once it has been read. A file with a `home` is at that place beside the keys.
    """

    commands: tuple[str, ...]
    read: Callable[[bytes], Any] | None = None
    write: Callable[[Any], bytes] | None = None
    ending: str = ""
    but: str = ""
    home: str = ""

    def altered(self, good: bytes, chance: random.Random) -> Iterator[tuple[str, bytes]]:
        """Go through files that differ from a good one in one place, in any order, each with what was done; of bytes
        without end.
        """
        if self.read is None or self.write is None:
            while True:
                yield _spoiled(good, chance)
        found = list(alterations(self.read(good)))
        for what, value in chance.sample(found, len(found)):
            yield what, self.write(value)


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _lines(values: Any) -> bytes:
    return b"".join(_json(one) + b"\n" for one in values) if isinstance(values, list) else _json(values)


def _read_lines(data: bytes) -> list[Any]:
    return [json.loads(line) for line in data.splitlines()]


def _read_toml(data: bytes) -> dict[str, Any]:
    return tomllib.loads(data.decode())


def _toml(value: Any) -> bytes:
    return (toml_text(value) if isinstance(value, dict) else json.dumps(value)).encode()


def _read_manifest(data: bytes) -> dict[str, Any]:
    """The manifest, and beside it all else that is in a backup."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@dataclass(frozen=True)
class _Backup(Foreign):
    def altered(self, good: bytes, chance: random.Random) -> Iterator[tuple[str, bytes]]:
        parts = _read_manifest(good)
        found = list(alterations(json.loads(parts["manifest.json"])))
        for what, value in chance.sample(found, len(found)):
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w") as archive:
                for name, data in parts.items():
                    archive.writestr(name, _json(value) if name == "manifest.json" else data)
            yield what, packed.getvalue()


def _hashed(value: Any) -> bytes:
    """A board's backup, with its sum."""
    if isinstance(value, dict):
        rest = {key: one for key, one in value.items() if key != "sha256"}
        value = rest | {"sha256": hashlib.sha256(json.dumps(rest, sort_keys=True).encode()).hexdigest()}
    return _json(value)


def _signed(value: Any) -> bytes:
    """An extract in its one form, signed again by its hall."""
    if isinstance(value, dict) and isinstance(value.get("extract"), dict):
        inner = hashlib.sha256(_canonical(value["extract"])).hexdigest()
        value = value | {"signature": EAST.sign(f"Wallwright extract 1\n{inner}\n".encode()).hex()}
    return _canonical(value) + b"\n"


def _canonical(value: Any) -> bytes:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode(errors="surrogatepass")


SIM = "--port sim://?seed=1"
FILES: dict[str, Foreign] = {
    "backup": _Backup(
        ("backup check FILE", "backup restore FILE NEW", "event restore NEW FILE", "log verify ./good --against FILE")
    ),
    "extract": Foreign(("season check FILE", "season check FILE --journal ./good"), json.loads, _signed),
    "sealed": Foreign(
        (
            "deals print FILE --cards NEW --password-file ./password",
            "event deals commit ./fresh FILE --password-file ./password",
        ),
        json.loads, _json,
    ),
    "open.json": Foreign(("deals verify FILE", "deals import FILE NEW --password-file ./password"), json.loads, _json),
    "open.txt": Foreign(("deals verify FILE", "deals import FILE NEW --password-file ./password")),
    "board": Foreign((f"board restore FILE {SIM}",), json.loads, _hashed),
    "trusted": Foreign(
        ("board keys list", "board keys remove club"), json.loads, _json, home="board-keys/trusted.json"
    ),
    "calibration": Foreign((f"doctor calibrate FILE --restore --yes {SIM}",), json.loads, _json),
    "export": Foreign(("log import FILE NEW",), _read_lines, _lines),
    "trace": Foreign(("trace show FILE", "trace replay FILE"), _read_lines, _lines),
    "draw": Foreign(("event draw verify FILE",), json.loads, _json),
    "declared": Foreign(("event correct ./good 1 1 1 --reason x --declared FILE",), json.loads, _json),
    "tiles": Foreign((f"board backup NEW {SIM}",), json.loads, _json, home="tiles/SIM-1.json"),
    "hall": Foreign(("log verify ./good --hall FILE",), _read_toml, _toml, ".toml"),
    "event": Foreign(("event new NEW --format FILE",), _read_toml, _toml, ".toml"),
    "season": Foreign(("season new NEW --format FILE",), _read_toml, _toml, ".toml"),
    "ruleset": Foreign(("rules deals --count 1 --ruleset FILE",), _read_toml, _toml, ".toml"),
    "map": Foreign((f"doctor map --set FILE {SIM}",), _read_toml, _toml, ".toml"),
    "profile": Foreign(
        (f"doctor calibrate NEW --yes --strokes 2 --ways 1 --builds 0 --profile FILE {SIM}",),
        _read_toml, _toml, ".toml",
    ),
    "players": Foreign(("event players import ./fresh FILE",)),
    "counts": Foreign(("study wash-test FILE",)),
    "faults": Foreign(("demo --deals 1 --faults FILE",)),
    "samples": Foreign(("entropy assess FILE", "entropy assess FILE --restarts FILE"), but="the standard needs"),
    "image": Foreign(("board keys sign FILE", f"board update {SIM} --image FILE"), but="no whole UF2 file"),
    "key": Foreign(("board keys sign ./image --key-file FILE",), but="no whole UF2 file"),
    "password": Foreign(("deals export ./sealed --out NEW.json --password-file FILE",)),
    "journal": Foreign(("log verify FILE", "log show FILE", "event check FILE")),
    "witness": Foreign(("log verify ./good --witness FILE",)),
    "certificate": Foreign(
        (f"season report ./good https://127.0.0.1:9 {printed(EAST)} --certificate FILE",), but="does not"
    ),
    "users": Foreign(("users list FILE",)),
    "case": Foreign(("log proof FILE",), json.loads, _json),
}  # fmt: skip
READ_AS: dict[str, tuple[str, ...]] = {
    "--against": ("backup", "journal"), "--witness": ("witness",), "--hall": ("hall",), "--config": ("hall",),
    "BACKUP": ("backup",), "--with": (), "EXPORT": ("export",), "EXTRACT": ("extract",), "PLAYERS": ("players",),
    "--set": ("map",), "--map": ("map",), "--certificate": ("certificate",), "--season-certificate": ("certificate",),
    "--faults": ("faults",), "--key": ("key",), "--key-file": ("key",), "--image": ("image",), "IMAGE": ("image",),
    "DEALS": ("open.json", "open.txt"), "event deals FILE": ("sealed",), "--prescription": ("open.json", "open.txt"),
    "--password-file": ("password",), "--user-password-file": ("password",), "--restarts": ("samples",),
    "entropy assess file": ("samples",), "--ruleset": ("ruleset",), "--tiles": ("tiles",), "--users": ("users",),
    "[COUNTS]": ("counts",), "CASE": ("case",), "dice verify path": ("journal",), "trace replay path": ("trace",),
    "trace show path": ("trace",), "--folder": (), "--loader": (), "--backup": (), "--plot": (), "--readers": (),
}  # fmt: skip
"""By what names a file at the command line, as test_private.py has it: the kinds of files that are read there.

What --with names is packed as it is; --folder and --loader name disks, --backup and --plot what is written.
"""


_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a hall")])
_BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
_PACKAGE = Path(wallwright.__file__).parent


def make(folder: Path, runner: Runner) -> None:
    """Put a good file of each kind into a folder, under the kind's name; `runner` works there, with its own keys."""
    played = day(folder / "good", range(1, 9), 0, "one")
    played.run()
    extract(played, EAST, folder / "extract")
    entries = list(read_journal(folder / "good"))
    texts = {
        "password": f"{PASSWORD}\n",
        "hall": HALL,
        "ruleset": RULESET,
        "event": (_PACKAGE / "event" / "formats" / "mil-2025-teams.toml").read_text(),
        "season": (_PACKAGE / "season" / "formats" / "chengdu-grand-prix-2016.toml").read_text(),
        "profile": (_PACKAGE.parents[1] / "firmware" / "profiles" / "modelled.toml").read_text(),
        "map": standard_map().to_toml(),
        "declared": json.dumps(next(one.body["record"] for one in entries if one.kind == "result_recorded")),
        "draw": json.dumps(transcript(EventState().apply_all(entries), MAIN).record()),
        "witness": "".join(f"{Checkpoint.read(one.body)}\n" for one in entries if one.kind == "checkpoint"),
        "case": json.dumps(next(case for _, case, verdict in page_results.cases() if verdict["accepted"])),
        "players": "name,club\nAnn,East\nBob,West\nCid,\nDan,East\n",
        "counts": "wash_s,marked\n" + "".join(f"{wash},{20 + at % 9}\n" for wash in (0, 10, 30) for at in range(20)),
        "faults": "jam lane 2 at 8.3 s frees 40 %\neye 3 count misses 2 %\nlid obstructed at 40 s for 4 s\n",
    }
    for name, text in texts.items():
        (folder / f"{name}{FILES[name].ending}").write_text(text)
    tags = [
        {f"{number:08x}{set_number:08x}": face for number, face in enumerate(set_faces(108))} for set_number in (0, 1)
    ]
    home = folder / "data" / "wallwright"
    save_enrolment(home / FILES["tiles"].home, Enrolment("SIM-1", 108, (tags[0], tags[1])))
    (folder / "samples").write_bytes(random.Random(1).randbytes(2000))
    (folder / "image").write_bytes(_block())
    for line in MAKE.strip().splitlines():
        told = runner.run(*words_in(line, folder))
        assert told.code == 0, (line, told)
    certificate = x509.CertificateBuilder().subject_name(_NAME).issuer_name(_NAME).public_key(EAST.public_key())
    certificate = certificate.serial_number(1).not_valid_before(_BEGIN).not_valid_after(_BEGIN + timedelta(36500))
    (folder / "certificate").write_bytes(certificate.sign(EAST, None).public_bytes(Encoding.PEM))
    for name in ("trusted", "tiles"):
        (folder / name).write_bytes((home / FILES[name].home).read_bytes())
    (folder / "key").write_bytes((home / "board-keys" / "club.pem").read_bytes())
    (folder / "journal").write_bytes((folder / "good").read_bytes())


def words_in(command: str, folder: Path, **places: str) -> list[str]:
    """The words of a command; those that begin with ./ name files of a folder."""
    return [str(folder / word) if word.startswith("./") else word for word in words_of(command, places)]


def _spoiled(good: bytes, chance: random.Random) -> tuple[str, bytes]:
    """Cut, put in, changed, doubled, or taken from the middle."""
    data = bytearray(good)
    for _ in range(chance.randrange(1, 5)):
        at, size = chance.randrange(len(data) + 1), chance.choice((1, 1, 2, 8, 100))
        new = chance.choice(
            (b"", b"\0", b"\xff", b"\n", b",", b'"', b"=", b"\x1b[31m", chance.randbytes(size), bytes(data[:at]))
        )
        data[at : at + chance.choice((0, 1, size))] = new
    return "bytes were changed", bytes(data)


def _block() -> bytes:
    """One block of UF2, of no chip that a board of ours has."""
    return struct.pack("<8I", 0x0A324655, 0x9E5D5157, 0, 0, 256, 0, 1, 0).ljust(508, b"\0") + struct.pack(
        "<I", 0x0AB16F30
    )
