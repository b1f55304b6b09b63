"""What tests do with an event before play: begin it, take players, draw lots, give boards."""

from itertools import count
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from tests.host.console.hall import Place
from wallwright.console.tournament.book import Book
from wallwright.console.tournament.setup_view import version_of
from wallwright.event import setup
from wallwright.event.format_file import load_format
from wallwright.event.store import open_event
from wallwright.journal import read_journal

KEYS = count()
NINE = "name,club,apart\n" + "".join(f"P{n},{'Chengdu' if n < 4 else ''},{'P8' if n == 7 else ''}\n" for n in range(9))
EIGHT = "name\n" + "".join(f"P{n}\n" for n in range(1, 9))


def begin(place: Place, chosen: str) -> None:
    path = journal(place)
    with open_event(str(path), "dan", place.clock, new=True) as desk:
        setup.create(desk, load_format(chosen))
    place.site.book = Book(str(path), place.clock)


def journal(place: Place) -> Path:
    return place.file.with_name("event.journal")


def seeds_of(place: Place) -> list[bytes]:
    return [path.read_bytes() for path in sorted(journal(place).parent.glob("*-seed-*"))]


def kinds(place: Place) -> list[str]:
    return [entry.kind for entry in read_journal(journal(place))]


def ask(client: TestClient, path: str, key: str = "", **body: Any) -> tuple[int, dict]:
    headers = {"Idempotency-Key": key or f"setup-key-{next(KEYS)}"}
    answer = client.post(f"/api/v1/event/{path}", json=body, headers=headers)
    return answer.status_code, answer.json()


def version(client: TestClient) -> int:
    found: int = client.get("/api/v1/event/players").json()["version"]
    return found


def take(client: TestClient, text: str) -> tuple[int, dict]:
    return ask(client, "players", text=text, source="players.csv", version=version(client))


def commit(client: TestClient, **body: Any) -> tuple[int, dict]:
    return ask(client, "draws/main/commit", version=version(client), **body)


def draw(client: TestClient, text: str = EIGHT) -> None:
    """Take players, and draw their lots."""
    assert take(client, text)[0] == 200
    assert commit(client)[0] == 200
    assert ask(client, "draws/main/reveal")[0] == 200


def board(client: TestClient, table: int) -> int:
    """The version of what stands at a table."""
    found = {one["table"]: one["unit"] for one in client.get("/api/v1/event/boards").json()}
    return version_of(found.get(table))


def bind(client: TestClient, table: int, unit: str, **body: Any) -> tuple[int, dict]:
    return ask(client, f"boards/{table}", unit=unit, version=board(client, table), **body)


def main_of(page: str) -> str:
    return page.partition("<main")[2].partition("</main>")[0]
