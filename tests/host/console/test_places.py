"""Places for connections: whoever works in the hall gets one, however many strangers sit there and say nothing."""

import datetime
import random
import socket
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.host.console.hall import PASSWORD, Place
from tests.host.console.serving import Serving
from wallwright.console import connection_slots as places_module
from wallwright.console.connection_slots import KEPT, SHARE, STRANGE, Places
from wallwright.console.connection_slots import Place as OnePlace

LIMIT_S = 60
TOTAL = 40
HALF_A_QUESTION = b"GET /sign-in HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_A_BODY = b"POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"


class Paper:
    """Places for connections of paper; `ended` are those who had to go."""

    def __init__(self, total: int = TOTAL, proxies: tuple[str, ...] = ()) -> None:
        self.places = Places(total, proxies)
        self.ended: list[int] = []
        self.come = 0

    def take(self, address: str) -> OnePlace | None:
        number = self.come
        self.come += 1
        return self.places.take(address, lambda: self.ended.append(number))


def test_who_has_waited_longest_goes_for_who_comes() -> None:
    paper = Paper(8)
    for number in range(6):
        assert paper.take(f"10.0.0.{number}") is not None
    assert paper.take("10.0.0.100") is not None
    assert paper.ended == [0]
    assert len(paper.places) == 6, "two are kept"
    assert paper.take("127.0.0.1") is not None
    assert paper.take("127.0.0.1") is not None
    assert paper.ended == [0]
    assert paper.take("127.0.0.1") is not None
    assert paper.ended == [0, 1], "a stranger goes for who is known, not the other way round"


def test_who_is_being_answered_stays_and_who_was_answered_waits_anew() -> None:
    paper = Paper(8)
    taken = [paper.take(f"10.0.0.{number}") for number in range(6)]
    for one in taken:
        assert one is not None
        one.asks(works=False)
    assert paper.take("10.0.0.9") is None
    assert taken[3] is not None
    taken[3].is_answered()
    assert paper.take("10.0.0.9") is not None
    assert paper.ended == [3]


def test_one_strange_address_ends_its_own_connections() -> None:
    paper = Paper(16)
    other = paper.take("10.0.0.1")
    for _ in range(20):
        assert paper.take("10.0.0.2") is not None
    assert len(paper.places) == 7
    assert paper.ended == list(range(1, 15))
    assert other is not None


def test_behind_a_proxy_are_many_and_nobody_is_known_by_its_address() -> None:
    paper = Paper(16, ("127.0.0.1",))
    for _ in range(12):
        place = paper.take("127.0.0.1")
        assert place is not None
        place.asks(works=True)
    assert paper.ended == []
    for _ in range(14):
        assert paper.take("127.0.0.1") is not None
    assert paper.ended == list(range(12, 22)), "those who have asked as people who work here stay"


def test_from_where_somebody_who_works_here_has_asked_a_place_is_kept() -> None:
    paper = Paper(8)
    place = paper.take("10.0.0.1")
    assert place is not None
    place.asks(works=True)
    for number in range(2, 8):
        stranger = paper.take(f"10.0.0.{number}")
        assert stranger is not None
        stranger.asks(works=False)
    assert paper.take("10.0.0.8") is None
    assert paper.take("10.0.0.1") is not None
    assert paper.ended == []


def test_whatever_happens_the_limits_hold_and_a_worker_gets_a_place(seed: int) -> None:
    rng = random.Random(seed)
    paper = Paper()
    known = {"127.0.0.1"}
    here: dict[OnePlace, tuple[str, bool]] = {}
    for _ in range(3000):
        gone = set(paper.ended)
        act = rng.random()
        if act < 0.5:
            address = rng.choice([f"10.0.0.{rng.randrange(9)}", f"2001:db8::{rng.randrange(99):x}", *known])
            idle = [one for one, (_, busy) in here.items() if not busy]
            place = paper.take(address)
            if address in known:
                assert place is not None or not idle
            if place is not None:
                here[place] = (address, False)
        elif here:
            place = rng.choice(list(here))
            address, busy = here[place]
            if act < 0.7:
                works = address in known or rng.random() < 0.02
                place.asks(works=works)
                known |= {address} if works else set()
                here[place] = (address, True)
            elif act < 0.85 and busy:
                place.is_answered()
                here[place] = (address, False)
            else:
                place.free()
                here.pop(place, None)
        assert len(paper.ended) - len(gone) <= 1
        here = {one: state for one, state in here.items() if one in paper.places._taken}
        assert len(here) == len(paper.places) <= TOTAL
        strange = [one.home for one in here if one.rank == STRANGE]
        assert len(strange) <= TOTAL - TOTAL // KEPT
        assert max((strange.count(home) for home in strange), default=0) <= (TOTAL - TOTAL // KEPT) // SHARE
        assert len(strange) == paper.places._strange.total() == paper.places._strangers_here


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    place.accounts.add("dan", "director", PASSWORD)
    yield place
    place.accounts.close()


def sits(stack: ExitStack, port: int, said: bytes = b"") -> socket.socket:
    one = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S))
    with suppress(ConnectionError):  # it may have gone for another already
        one.sendall(said)
    return one


@pytest.mark.parametrize("is_known", [True, False], ids=["from the machine itself", "from anywhere"])
def test_idle_and_half_open_connections_shut_nobody_out(
    place: Place, monkeypatch: pytest.MonkeyPatch, *, is_known: bool
) -> None:
    monkeypatch.setattr(places_module, "is_loopback", lambda _: is_known)
    serving = Serving(place, connections=TOTAL)
    try:
        with ExitStack() as stack:
            for number in range(300):
                sits(stack, serving.port, (b"", HALF_A_QUESTION, HALF_A_BODY)[number % 3])
            client = stack.enter_context(httpx2.Client(base_url=serving.address, timeout=LIMIT_S))
            session = client.post("/api/v1/session", json={"name": "dan", "password": PASSWORD})
            assert session.status_code == 200
            headers = {"X-CSRF-Token": session.json()["csrf"], "Idempotency-Key": "stop-them-all-now"}
            with client.stream("GET", "/live/hall") as stream:
                lines = stream.iter_lines()
                assert next(lines) == "retry: 2000"
                for number in range(100):
                    sits(stack, serving.port, (b"", HALF_A_QUESTION, HALF_A_BODY)[number % 3])
                fresh = stack.enter_context(httpx2.Client(base_url=serving.address, cookies=client.cookies))
                assert fresh.post("/api/v1/hall/stop", headers=headers).status_code == 200
                while next(lines) != "event: hall":
                    pass
            assert len(serving._server._places) <= TOTAL
    finally:
        serving.stop()


def is_over(one: socket.socket) -> bool:
    try:
        return one.recv(1) == b""
    except ConnectionResetError:
        return True


def certified(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that signs itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        .serial_number(1).not_valid_before(now).not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    paths = folder / "hall.pem", folder / "hall.key"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths


def test_connections_that_never_agree_on_tls_shut_nobody_out(place: Place, tmp_path: Path) -> None:
    certificate, key = certified(tmp_path)
    serving = Serving(place, connections=TOTAL, certificate=certificate, key=key)
    try:
        with ExitStack() as stack:
            silent = [sits(stack, serving.port, b"" if number % 2 else b"\x16\x03\x01") for number in range(120)]
            context = ssl.create_default_context(cafile=certificate)
            address = f"https://localhost:{serving.port}"
            with httpx2.Client(base_url=address, verify=context, timeout=LIMIT_S) as client:
                answer = client.post("/api/v1/session", json={"name": "dan", "password": PASSWORD})
                assert answer.status_code == 200
                assert client.get("/").status_code == 200
            assert is_over(silent[0]), "it has gone for others"
            assert len(serving._server._places) <= TOTAL
    finally:
        serving.stop()


def test_a_system_that_permits_few_files_shuts_nobody_out(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """As many files as there are, and as many more connections come: the entrance makes room and goes on."""
    serving = Serving(place, connections=TOTAL)
    refuse = iter([True] * 3)
    accept = socket.socket._accept  # type: ignore[attr-defined]

    def accept_or_not(one: socket.socket) -> object:
        if one is serving._server._socket and next(refuse, False):
            raise OSError(24, "Too many open files")
        return accept(one)

    try:
        with ExitStack() as stack:
            sits(stack, serving.port)
            monkeypatch.setattr(socket.socket, "_accept", accept_or_not)
            with httpx2.Client(base_url=serving.address, timeout=LIMIT_S) as client:
                assert client.get("/sign-in").status_code == 200
            assert next(refuse, None) is None
    finally:
        serving.stop()
