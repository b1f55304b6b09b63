"""What leaves a hall of the same deals before the reveal, kept to be searched, and what nobody may find in it."""

import io
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import httpx2
from playwright.sync_api import Route

from tests.host.tiles.test_secrecy import forms
from wallwright.duplicate.deals import Deals
from wallwright.duplicate.json_form import deal_record


class Kept:
    """Bytes that have left, by where."""

    def __init__(self) -> None:
        self.said: dict[str, io.BytesIO] = {}

    def add(self, where: str, data: bytes) -> None:
        self.said.setdefault(where, io.BytesIO()).write(data + b"\n")

    def see(self, route: Route) -> None:
        """Keep what a browser is answered."""
        if route.request.method != "GET":
            route.continue_()
            return
        answer = route.fetch(max_redirects=0)
        self.add("answers to browsers", answer.body())
        route.fulfill(response=answer)

    def read(self, where: str, source: Any) -> threading.Thread:
        """Keep what a process prints, until it ends."""

        def run() -> None:
            for line in iter(source.readline, ""):
                self.add(where, line.encode())

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        return thread

    @contextmanager
    def stream(self, client: httpx2.Client, path: str) -> Iterator[None]:
        """Keep a stream of the console's news meanwhile."""
        is_over = threading.Event()

        def run() -> None:
            with client.stream("GET", path) as answer:
                assert answer.status_code == 200
                for data in answer.iter_bytes():
                    self.add(f"stream {path}", data)
                    if is_over.is_set():
                        return

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield
        is_over.set()
        # A stream tells at least once a second how long ago tables were heard, or is ended with the server.
        thread.join(5)


def secrets_of(deals: Deals, tags: Sequence[str]) -> list[bytes]:
    """What nobody may learn before the reveal: nonce, seed, tags, and the order of the faces in any form."""
    assert deals.seed is not None
    found = [deals.nonce, deals.seed, *map(bytes.fromhex, tags)]
    for deal in deals.deals:
        faces = bytes(deal.faces)
        found += [faces[at : at + 8] for at in range(0, len(faces) - 7, 4)]
    return [form for one in found for form in forms(one)] + [
        text.encode() for deal in deals.deals for text in _texts(deal_record(deal)["sides"])
    ]


def _texts(sides: Sequence[Sequence[str]]) -> Iterator[str]:
    """Four stacks that follow each other, as text or in a list."""
    for side in sides:
        for at in range(0, len(side) - 3, 2):
            four = side[at : at + 4]
            yield from (between.join(four) for between in ("", " ", ",", ", ", '","', '", "', "', '", "&#34;,&#34;"))
