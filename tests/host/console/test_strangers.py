"""Strangers who guess, flood and lie: they wait for each other, and nobody who works in the hall waits for them."""

import ast
import asyncio
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio.to_thread
import httpx2
import pytest
from argon2 import PasswordHasher
from starlette.testclient import TestClient

import wallwright.console
from tests.host.console.hall import BASE, PASSWORD, Place, opened, routes
from tests.host.console.serving import Serving
from tests.host.fleet.served import until
from wallwright.console.addresses import home_of, host_of
from wallwright.console.lanes import Lane, Lanes
from wallwright.console.middleware import DOORS
from wallwright.console.people import accounts as accounts_module
from wallwright.console.people.devices import is_known
from wallwright.console.people.limits import WINDOW_MS, Limiter, Tally
from wallwright.console.people.whose import Whose
from wallwright.console.problems import Crowded

LIMIT_S = 60
ACCOUNTS = Path(accounts_module.__file__)
FOLDER = Path(wallwright.console.__file__).parent
WRONG = "a wrong one, sorry"


class HeldHasher(PasswordHasher):
    """A password's check lasts until it is let go; counts how many there are at once."""

    def __init__(self) -> None:
        super().__init__(time_cost=1, memory_cost=8, parallelism=1)
        self.may_go = threading.Event()
        self.may_go.set()
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()

    def verify(self, hash: str | bytes, password: str | bytes) -> bool:  # type: ignore[override]  # noqa: A002
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            assert self.may_go.wait(LIMIT_S)
            return super().verify(hash, password)
        finally:
            with self._lock:
                self.at_once -= 1


@pytest.fixture
def hasher() -> HeldHasher:
    return HeldHasher()


@pytest.fixture
def place(tmp_path: Path, hasher: HeldHasher, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    monkeypatch.setattr("tests.host.console.hall.QUICK", hasher)
    place = Place(tmp_path)
    yield place
    hasher.may_go.set()
    place.accounts.close()


@pytest.fixture
def serving(place: Place) -> Iterator[Serving]:
    serving = Serving(place)
    yield serving
    serving.stop()


@contextmanager
def director(serving: Serving) -> Iterator[httpx2.Client]:
    """A client of somebody who is signed in at the server, as dan."""
    serving.place.accounts.add("dan", "director", PASSWORD)
    with httpx2.Client(base_url=serving.address, timeout=LIMIT_S) as client:
        client.headers["X-CSRF-Token"] = sign_in(client, "dan", PASSWORD).json()["csrf"]
        yield client


def sign_in(client: Any, name: str, password: str) -> Any:
    return client.post("/api/v1/session", json={"name": name, "password": password})


def test_a_burst_of_sign_ins_is_hashed_one_at_a_time_and_keeps_nobody_who_works_waiting(
    serving: Serving, hasher: HeldHasher
) -> None:
    with director(serving) as dan, ThreadPoolExecutor(40) as crowd:
        hasher.may_go.clear()

        def come(number: int) -> httpx2.Response:
            with httpx2.Client(base_url=serving.address, timeout=LIMIT_S) as stranger:
                answer: httpx2.Response = sign_in(stranger, f"name {number}", WRONG)
                return answer

        coming = [crowd.submit(come, number) for number in range(40)]
        until(lambda: sum(one.done() for one in coming) >= 20)
        assert hasher.at_once == 1
        stopped = dan.post("/api/v1/hall/stop", headers={"Idempotency-Key": "stop-them-all-now"})
        assert stopped.status_code == 200
        assert dan.get("/").status_code == 200
        with httpx2.Client(base_url=serving.address, timeout=LIMIT_S) as player:
            assert player.get("/sign-in").status_code == 200
        hasher.may_go.set()
        answers = [one.result() for one in coming]
    assert hasher.most_at_once == 1
    turned_away = [one for one in answers if one.status_code == 503]
    assert {one.status_code for one in answers} == {401, 503}
    assert len(turned_away) >= 20
    for one in turned_away:
        assert one.headers["Retry-After"] == "2"
        assert "try again in 2 s" in one.json()["problem"]


def test_a_known_device_goes_before_strangers_who_wait_to_sign_in(serving: Serving, hasher: HeldHasher) -> None:
    with director(serving) as dan, ThreadPoolExecutor(31) as crowd:
        device = dan.cookies["wallwright_device"]
        hasher.may_go.clear()

        def come(number: int) -> int:
            cookie = {"Cookie": f"wallwright_device={device}"} if number < 0 else {}
            with httpx2.Client(base_url=serving.address, timeout=LIMIT_S, headers=cookie) as one:
                who = ("dan", PASSWORD) if number < 0 else (f"name {number}", WRONG)
                return int(sign_in(one, *who).status_code)

        strangers = [crowd.submit(come, number) for number in range(30)]
        until(lambda: sum(one.done() for one in strangers) >= 10)
        known = crowd.submit(come, -1)
        hasher.may_go.set()
        assert known.result() == 200


def test_the_work_of_a_password_gives_way_to_everything_else(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    nice: list[int] = []

    def verify(*_: object) -> bool:
        nice.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return True

    monkeypatch.setattr(HeldHasher, "verify", verify)
    place.accounts.add("dan", "director", PASSWORD)
    before = os.getpriority(os.PRIO_PROCESS, 0)
    assert sign_in(client_of(place, "10.0.0.7"), "dan", WRONG).status_code == 200
    assert nice == [min(19, before + 10)]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


@pytest.mark.parametrize("steps", [0, 8, 15, 19])
def test_a_program_that_is_nice_itself_checks_passwords_nicer_still(steps: int) -> None:
    code = (
        f"import os, threading; own = os.nice({steps})\n"
        "from wallwright.console.people import passwords\n"
        "work = passwords._ONE_AT_A_TIME.submit(lambda: os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))\n"
        "print(own, work.result(), passwords.Passwords().fits('', 'a guess'), os.getpriority(os.PRIO_PROCESS, 0))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    own, hashing, fits, after = done.stdout.split()
    assert (int(hashing), fits, after) == (min(19, int(own) + 10), "False", own)


def test_forty_guesses_at_once_are_five(serving: Serving) -> None:
    serving.place.accounts.add("dan", "director", PASSWORD)

    def guess(number: int) -> int:
        with httpx2.Client(base_url=serving.address, timeout=LIMIT_S) as client:
            while (status := sign_in(client, "dan", f"guess number {number}").status_code) == 503:
                pass
            return int(status)

    with ThreadPoolExecutor(40) as crowd:
        statuses = sorted(crowd.map(guess, range(40)))
    assert statuses == [401] * 5 + [429] * 35
    tried = [act for act in serving.place.accounts.acts(100) if act.body["act"] == "failed_sign_in"]
    assert len(tried) == 5


def client_of(place: Place, address: str, **cookies: str) -> TestClient:
    client = TestClient(place.app, base_url=BASE, follow_redirects=False, client=(address, 50_000))
    client.cookies.update(cookies)
    return client


def known_client(place: Place, address: str, name: str) -> TestClient:
    """A client of a device on which somebody has signed in before."""
    client = client_of(place, address)
    assert sign_in(client, name, PASSWORD).status_code == 200
    return client_of(place, address, wallwright_device=client.cookies["wallwright_device"])


def test_who_shares_an_address_with_somebody_who_guesses_signs_in(place: Place) -> None:
    for name in ("dan", "ann"):
        place.accounts.add(name, "director", PASSWORD)
    own = known_client(place, "10.0.0.7", "dan")
    other = client_of(place, "10.0.0.7")
    for number in range(60):
        assert sign_in(other, f"name {number}", WRONG).status_code == 401
    guesses = [sign_in(other, "dan", WRONG).status_code for _ in range(20)]
    assert guesses == [401] * 5 + [429] * 15
    assert sign_in(client_of(place, "10.0.0.7"), "ann", PASSWORD).status_code == 200
    assert sign_in(client_of(place, "10.0.0.7"), "dan", PASSWORD).status_code == 429, "a device nobody knows"
    assert sign_in(client_of(place, "10.0.0.8"), "dan", PASSWORD).status_code == 200
    assert sign_in(own, "dan", PASSWORD).status_code == 200, "the device on which dan has signed in before"


def test_a_password_is_guessed_no_more_often_from_a_thousand_addresses(place: Place) -> None:
    place.accounts.add("dan", "director", PASSWORD)
    own = known_client(place, "10.0.0.7", "dan")
    addresses = [f"10.1.{high}.{low}" for high in range(4) for low in range(5)]
    tried = [sign_in(client_of(place, one), "dan", WRONG).status_code for one in addresses for _ in range(4)]
    assert tried == [401] * 50 + [429] * 30
    assert sign_in(own, "dan", PASSWORD).status_code == 200


def test_a_known_device_guesses_no_more_often_and_is_known_no_more_after_a_new_password(place: Place) -> None:
    place.accounts.add("dan", "director", PASSWORD)
    place.accounts.add("ann", "director", PASSWORD)
    own = known_client(place, "10.0.0.7", "dan")
    device = own.cookies["wallwright_device"]
    assert [sign_in(own, "dan", WRONG).status_code for _ in range(6)] == [401] * 5 + [429]
    place.clock.now_ms += WINDOW_MS
    assert is_known(place.accounts, Whose("dan"), device, place.clock.now_ms)
    assert not is_known(place.accounts, Whose("ann"), device, place.clock.now_ms)
    place.accounts.set_password("dan", "another one, longer")
    assert not is_known(place.accounts, Whose("dan"), device, place.clock.now_ms)


def test_a_device_is_out_of_reach_for_scripts_and_opens_nothing(place: Place) -> None:
    place.accounts.add("dan", "director", PASSWORD)
    answer = sign_in(client_of(place, "10.0.0.7"), "dan", PASSWORD)
    cookies = [one for one in answer.headers.get_list("set-cookie") if one.startswith("wallwright_device=")]
    assert len(cookies) == 1
    assert "HttpOnly" in cookies[0]
    assert "SameSite=strict" in cookies[0]
    device = cookies[0].partition("=")[2].partition(";")[0]
    assert client_of(place, "10.0.0.7", wallwright_device=device).get("/").status_code == 303
    assert client_of(place, "10.0.0.7", wallwright_session=device).get("/").status_code == 303
    assert device.encode() not in place.file.read_bytes()


def test_what_was_no_guess_does_not_count() -> None:
    limiter, tallies = Limiter(), (Tally(("a",), 2), Tally(("b",), 3))
    assert [limiter.begin(tallies, 0) for _ in range(3)] == [0, 0, WINDOW_MS]
    limiter.take_back(tallies)
    assert limiter.begin(tallies, 1000) == 0
    assert limiter.begin(tallies, 1000) == WINDOW_MS - 1000
    limiter.forget(tallies[:1])
    limiter.take_back(tallies[1:])
    assert [limiter.begin(tallies, 2000) for _ in range(3)] == [0, 0, WINDOW_MS]
    assert limiter.begin(tallies, 2000 + WINDOW_MS) == 0


def test_passwords_are_hashed_in_one_place_and_asked_for_at_the_doors_alone() -> None:
    """Whatever hashes is found by what it calls, so that a new endpoint cannot forget its lane."""
    texts = {path: path.read_text() for path in Path(wallwright.__path__[0]).rglob("*.py")}
    hashing = re.compile(
        r"^ *(?:from|import) .*\b(?:argon2|bcrypt|crypt|scrypt|passlib)\b|scrypt\(|pbkdf2", re.MULTILINE
    )
    # The key of a file of sealed deals is made for the command line alone.
    found = {path.name for path, text in texts.items() if hashing.search(text)}
    assert found == {"passwords.py", "accounts.py", "sealed.py"}
    asking = {path for path, text in texts.items() if re.search(r"\bduplicate(?:\.| import .*\b)sealed\b", text)}
    assert {path.relative_to(FOLDER.parent).parts[0] for path in asking} == {"cli"}
    functions = [node for node in ast.walk(ast.parse(texts[ACCOUNTS])) if isinstance(node, ast.FunctionDef)]
    slow = {node.name for node in functions if re.search(r"self\._(passwords\.|fits\()", ast.unparse(node))}
    assert {"sign_in", "take_over", "change_password", "accept"} <= slow
    called = re.compile(rf"accounts\.(?:{'|'.join(slow)})\(")
    paths = set()
    for path, text in texts.items():
        if not path.is_relative_to(FOLDER) or path == ACCOUNTS or not called.search(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and called.search(ast.unparse(node)):
                assert node.decorator_list, f"{node.name} hashes and is no endpoint"
                marks = [one for one in node.decorator_list if isinstance(one, ast.Call)]
                paths |= {f"/api/v1{ast.literal_eval(mark.args[0])}" for mark in marks}
    assert paths == set(DOORS)


def test_a_body_with_a_password_goes_to_a_door(tmp_path: Path) -> None:
    with opened(tmp_path) as place:
        schemas = TestClient(place.app, base_url=BASE).get("/api/v1/openapi.json").json()
    secret = {name for name, one in schemas["components"]["schemas"].items()
              if {"password", "old", "new"} & set(one.get("properties", {}))}  # fmt: skip
    asked = {path for path, methods in schemas["paths"].items()
             if any(name in str(methods.get("post", {}).get("requestBody")) for name in secret)}  # fmt: skip
    assert asked == set(DOORS)
    assert asked <= {route.path for route in routes(place)}


def test_the_lanes_together_have_fewer_than_there_are_threads() -> None:
    async def threads() -> float:
        return anyio.to_thread.current_default_thread_limiter().total_tokens

    lanes = Lanes()
    assert sum(lane.width for lane in vars(lanes).values()) < asyncio.run(threads())


def test_a_lane_takes_addresses_in_turn_and_those_first_who_go_first() -> None:
    async def run() -> list[str]:
        lane, passed = Lane(1, 6), []

        async def come(name: str, home: str, *, goes_first: bool = False) -> None:
            try:
                await lane.enter(home, goes_first=goes_first)
            except Crowded:
                passed.append(f"{name} away")
            else:
                passed.append(name)

        await lane.enter("here")
        waiting = [asyncio.ensure_future(come(f"a{number}", "a")) for number in range(8)]
        waiting += [asyncio.ensure_future(come(f"b{number}", "b")) for number in range(2)]
        waiting.append(asyncio.ensure_future(come("c", "c", goes_first=True)))
        await asyncio.sleep(0)
        waiting[0].cancel()
        for _ in range(20):
            await asyncio.sleep(0)
            lane.leave() if lane._inside else None
        await asyncio.gather(*waiting, return_exceptions=True)
        return passed

    assert asyncio.run(run()) == ["a6 away", "a7 away", "a5 away", "a4 away", "c", "b0", "a1", "b1", "a2", "a3"]


@pytest.mark.parametrize(
    ("host", "found"),
    [
        ("localhost", "localhost"),
        ("LocalHost:8323", "localhost"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:8323", "::1"),
        ("[0:0::1]", "::1"),
        ("localhost:65535", "localhost"),
        ("localhost:65536", None),
        ("hall-1.local", "hall-1.local"),
        *[(odd, None) for odd in (
            "", " ", ":80", "[::1]evil.example", "[::1", "::1", "[::1]:", "[localhost]", "[1.2.3.4]", "localhost:",
            "localhost:80@evil", "evil@localhost", "localhost:99999", "localhost:-1", "localhost:\uff18", "localhost/",
            "local host", "localhost,evil.example", "localhost:80:80", "-localhost", "localhost\n", "l\u043ecalhost",
            "http://localhost",
        )],
    ],
)  # fmt: skip
def test_a_host_is_one_name_or_address_and_perhaps_a_port(host: str, found: str | None) -> None:
    assert host_of([(b"accept", b"*/*"), (b"host", host.encode())]) == found
    assert host_of([(b"host", host.encode()), (b"host", b"localhost")]) is None
    assert host_of([]) is None


def test_an_address_of_ipv6_stands_for_its_network() -> None:
    assert home_of("2001:db8:1:2:3:4:5:6") == home_of("2001:db8:1:2::1") != home_of("2001:db8:1:3::1")
    assert (home_of("::ffff:10.0.0.7"), home_of("::1"), home_of("nowhere")) == ("10.0.0.7", "::1", "nowhere")


def spoken(serving: Serving, *heads: str) -> bytes:
    """What the server says to these bytes until it hangs up."""
    with socket.create_connection(("127.0.0.1", serving.port), timeout=LIMIT_S) as one:
        one.sendall("".join(heads).replace("\n", "\r\n").encode())
        data = b""
        while more := one.recv(65536):
            data += more
    return data


SECOND = "GET /static/console.css HTTP/1.1\nHost: localhost\nConnection: close\n\n"


@pytest.mark.parametrize(
    "head",
    [
        "GET /sign-in HTTP/1.1\nHost: [::1]evil.example\n\n",
        "GET /sign-in HTTP/1.1\nHost: localhost:80@evil\n\n",
        "GET /sign-in HTTP/1.1\nHost:\n\n",
        "GET /sign-in HTTP/1.1\nHost: localhost\nHost: evil.example\n\n",
        "GET /sign-in HTTP/1.0\n\n",
        "POST /api/v1/session HTTP/1.1\nHost: localhost\nContent-Length: 4\nTransfer-Encoding: chunked\n\n0\n\n",
        "POST /api/v1/session HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\nContent-Length: 5\n\n0\n\n",
        "POST /api/v1/session HTTP/1.1\nHost: localhost\nContent-Length: 4\nContent-Length: 5\n\nabcde",
        "POST /api/v1/session HTTP/1.1\nHost: localhost\nTransfer-Encoding: chunked\n\n0\n\n",
        "POST /api/v1/session HTTP/1.1\nHost: localhost\nTransfer-Encoding: xchunked\nContent-Length: 4\n\n0\n\n",
    ],
)
def test_what_two_may_read_differently_ends_the_connection(serving: Serving, head: str) -> None:
    answer = spoken(serving, head, SECOND)
    assert answer.startswith((b"HTTP/1.1 400 ", b"HTTP/1.0 400 ", b"HTTP/1.1 501 "))
    assert b"text/css" not in answer
    assert answer.count(b"HTTP/1.") == 1
