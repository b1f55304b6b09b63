"""The server itself: packed answers, open streams, and those who are slow or say nothing."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.host.console.hall import Place
from tests.host.console.serving import Serving
from wallwright.console.desk import Person


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    place = Place(tmp_path, guest=Person("guest", "director"))
    serving = Serving(place)
    yield serving
    serving.stop()
    place.accounts.close()


def test_pages_are_packed_and_a_stream_is_not(serving: Serving) -> None:
    with httpx2.Client(base_url=serving.address, timeout=60) as client:
        plain = client.get("/", headers={"Accept-Encoding": "identity"})
        packed = client.get("/", headers={"Accept-Encoding": "gzip"})
        assert (plain.headers.get("content-encoding"), packed.headers["content-encoding"]) == (None, "gzip")
        assert packed.text == plain.text
        with client.stream("GET", "/live/hall", headers={"Accept-Encoding": "gzip"}) as stream:
            assert "content-encoding" not in stream.headers
            lines = stream.iter_lines()
            while next(lines) != "event: hall":
                pass
