"""The console behind Caddy and nginx, as deploy/ sets them up; the files are as shipped, but for ports."""

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from tests import needs
from tests.host.console.hall import PASSWORD
from tests.host.console.test_places import certified, is_over
from tests.host.console.test_serve import begin_event, started
from tests.host.fleet.served import until
from wallwright.cli.serve import DEFAULT_PORT
from wallwright.journal import read_journal

DEPLOY = Path(__file__).parents[3] / "deploy"
LIMIT_S = 60
NAME = "hall.example"
CLIENT = "127.0.0.5"
"""From where a browser comes, which is not where the proxy is."""
IDLE = 250
MAIN = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/error.log; worker_rlimit_nofile 4096;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
    uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    include {folder}/wallwright.conf;
}}
"""


@dataclass
class Behind:
    """A console behind a proxy; `idle` are connections that say nothing or half a question since the proxy runs."""

    kind: str
    port: int
    journal: Path
    token: str
    idle: list[socket.socket]

    def client(self, **headers: str) -> httpx2.Client:
        scheme = "https" if self.kind == "nginx" else "http"
        transport = httpx2.HTTPTransport(local_address=CLIENT, verify=False)
        host = NAME if self.kind == "nginx" else f"{NAME}:{self.port}"
        return httpx2.Client(
            base_url=f"{scheme}://127.0.0.1:{self.port}", transport=transport, timeout=LIMIT_S,
            headers={"Host": host, "Origin": f"{scheme}://{host}", **headers},
        )  # fmt: skip


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def with_these(text: str, **values: str) -> str:
    """The file with other values in the place of those that docs/deploy.md says to change."""
    for old, new in values.items():
        assert old in text, f"{old} is not in the file"
        text = text.replace(old, new)
    return text


def nginx(folder: Path, port: int, console: int) -> list[str]:
    certificate, key = certified(folder)
    changes = {"127.0.0.1:8323": f"127.0.0.1:{console}", "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
               "listen 80": f"listen 127.0.0.1:{free_port()}", "/etc/ssl/hall.pem": str(certificate),
               "/etc/ssl/hall.key": str(key)}  # fmt: skip
    (folder / "wallwright.conf").write_text(with_these((DEPLOY / "nginx.conf").read_text(), **changes))
    (folder / "nginx.conf").write_text(MAIN.format(folder=folder))
    return [needs.program("nginx"), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def caddy(_: Path, port: int, console: int) -> list[str]:
    os.environ["WALLWRIGHT_NAME"] = f"http://{NAME}:{port}"
    os.environ["WALLWRIGHT_CONSOLE"] = f"127.0.0.1:{console}"
    return [needs.program("caddy"), "run", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile")]


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def behind(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    folder = tmp_path_factory.mktemp("proxy")
    journal = folder / "day.journal"
    begin_event(journal)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        for name, value in {"WALLWRIGHT_CADDY_ADMIN": "off", "XDG_DATA_HOME": str(folder), "HOME": str(folder),
                            "WALLWRIGHT_NAME": "", "WALLWRIGHT_CONSOLE": ""}.items():  # fmt: skip
            patch.setenv(name, value)
        arguments = ("--event", str(journal), "--proxy", "127.0.0.1", "--name", NAME, "--connections", "100")
        process, address = stack.enter_context(started(*arguments))
        token = process.stdout.readline().strip().rpartition("/")[2]
        port = free_port()
        command = request.param(folder, port, int(address.rpartition(":")[2]))
        with (folder / "said").open("wb") as said:
            proxy = subprocess.Popen(command, stdout=said, stderr=said, cwd=folder)
        try:
            until(lambda: is_there(port) or bool(proxy.poll()))
            assert proxy.poll() is None, (folder / "said").read_text()
            idle = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in range(IDLE)]
            for one in idle[::2]:
                with suppress(ConnectionError):
                    one.sendall(b"GET / HTTP/1.1\r\nHost: " if request.param is caddy else b"\x16\x03\x01")
            yield Behind(request.param.__name__, port, journal, token, idle)
        finally:
            proxy.kill()
            proxy.wait(LIMIT_S)


def is_there(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True


def test_the_files_name_the_port_that_the_console_has_by_itself() -> None:
    for name in ("Caddyfile", "nginx.conf"):
        assert f"127.0.0.1:{DEFAULT_PORT}" in (DEPLOY / name).read_text()


def test_what_a_hall_does_goes_through_the_proxy(behind: Behind) -> None:
    forged = {"X-Forwarded-For": "10.9.9.9", "X-Forwarded-Proto": "gopher", "Forwarded": "for=10.9.9.9"}
    with behind.client(**forged) as client:
        assert "The seats are not open yet." in client.get("/screen").text
        wrong = client.post("/api/v1/session", json={"name": "ann", "password": "a wrong one"})
        assert wrong.status_code == 401
        answer = client.post("/api/v1/first", json={"token": behind.token, "name": "ann", "password": PASSWORD})
        assert answer.status_code == 200
        cookies = answer.headers.get_list("set-cookie")
        assert len(cookies) == 2
        assert all(("Secure" in one) == (behind.kind == "nginx") for one in cookies)
        client.headers |= {"X-CSRF-Token": answer.json()["csrf"], "Idempotency-Key": "open-the-seats"}
        client.headers["Cookie"] = "; ".join(one.partition(";")[0] for one in cookies)
        with behind.client() as screen, screen.stream("GET", "/live/screen") as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = stream.iter_lines()
            while next(lines) != "event: screen":
                pass
            assert client.post("/api/v1/event/sessions/1/open", json={}).status_code == 200
            while next(lines) != "event: screen":
                pass
        assert client.get("/metrics").status_code == 404

    def came_from() -> set[str]:
        acts = [one.body for one in read_journal(behind.journal, kinds=("console_act",))]
        return {act["address"] for act in acts if act["act"] == "failed_sign_in"}

    until(lambda: bool(came_from()))
    assert came_from() == {CLIENT}


def test_nginx_tells_a_flood_of_sign_ins_to_wait_before_it_meets_the_console(behind: Behind) -> None:
    with behind.client() as client:
        said = [client.post("/api/v1/session", json={}).status_code for _ in range(60)]
        assert client.get("/screen").status_code == 200
    assert set(said[:40]) == {422}, "a hall whose people share an address signs in"
    assert (429 in said) == (behind.kind == "nginx")


def test_idle_and_half_open_connections_are_ended_by_the_proxy(behind: Behind) -> None:
    for one in behind.idle:
        one.settimeout(LIMIT_S)
    assert all(is_over(one) for one in behind.idle)
