"""Everything that a console answers, asked for by whoever it may be: pages, API, papers, codes and streams."""

import asyncio
import io
import itertools
import json
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.host.console.hall import Place, routes
from wallwright.console.guard import COOKIE
from wallwright.console.hall.calls import Waiting
from wallwright.console.people.access import may_use
from wallwright.console.tournament.book import Book
from wallwright.fleet.state import Change, DealNoted, DealOpened
from wallwright.journal import Entry, Journal
from wallwright.journal.kinds.deals import DealQuestion
from wallwright.journal.witness import Witnessing
from wallwright.link.reports import Event

PARAMETER = re.compile(r"{(\w+)}")
OWN = re.compile(
    r'\b[0-9a-f]{64}\b|WALLWRIGHT\d:[0-9A-Z:]+|<figure class="checkpoint.*?</figure>|event: checkpoint\n[^\n]*', re.S
)
"""What is another for everybody: a token of the session, and the journal's checkpoints with their proofs."""
CHANGES = {"deal_result": "tracked", "deal_question": "question"}
"""What the fleet tells of an entry."""
TAG, TAG_MS = "e0040177aa55cc33", 77_707_770_777
"""The tag of every tile that moves, and when it does."""
GUESSES = ("0", "1", "2", "x", "A1", "main")
_TAG_NAMES = ("tag_appeared", "tag_left", "tag_moved")


class Answer(NamedTuple):
    status: int
    text: str


class Walk:
    """A console in `folder` before a hall and an event that share a journal; nobody else asks it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.place = Place(folder)
        self.path = folder / "0.journal"
        self._begun = 0
        self._loop = asyncio.new_event_loop()
        self._tokens: dict[str, str] = {}
        self._life: Any = None

    def close(self) -> None:
        """Let everybody go."""
        self._loop.run_until_complete(self._life.__aexit__(None, None, None))
        self._loop.close()
        self.place.accounts.close()

    def begin(self, facts: Sequence[Entry]) -> None:
        """Begin a journal with these entries, as if the server was started with it."""
        place = self.place
        self._begun += 1
        self.path = self.path.with_name(f"{self._begun}.journal")
        self._write(facts)
        place.clock.now_ms = facts[-1].at_ms
        book = place.site.book = place.desk._progress = Book(self.path, place.clock, _nobody_writes)
        place.site.deals = book.deals
        place.site.witnessing = Witnessing(self.path, lambda _: None, place.clock)
        place.desk._history.clear()
        place.desk._waiting = Waiting()
        if self._life is None:
            self._life = place.app.router.lifespan_context(place.app)
            self._loop.run_until_complete(self._life.__aenter__())
        self._hear(facts)

    def go_on(self, facts: Sequence[Entry]) -> None:
        """Append entries, of which everybody hears as of a real hall's."""
        self._write(facts)
        self.place.clock.now_ms = facts[-1].at_ms
        self.place.site.event.look()
        self._hear(facts)

    def paths(self, role: str, values: Mapping[str, Iterable[object]]) -> Iterator[str]:
        """All that a role may ask for without changing anything, by the application's own list of endpoints.

        Those of a table are its number in the event, and its name in the hall for "hall_table"; for a parameter that
        nobody has given values for there are GUESSES.
        """
        for path in sorted({route.path for route in routes(self.place) if "GET" in (route.methods or ())}):
            if not may_use(role, "GET", path):
                continue
            names = PARAMETER.findall(path)
            in_hall = "table" in names and "session" not in names
            known = [values.get("hall_table" if in_hall and name == "table" else name, GUESSES) for name in names]
            for chosen in itertools.product(*known):
                yield path.format(**dict(zip(names, chosen, strict=True)))

    def ask(self, role: str, paths: Iterable[str]) -> dict[str, Answer]:
        """Return what somebody of that role is answered; of a stream its begin."""
        token = self._token(role)

        async def ask_all() -> dict[str, Answer]:
            return {path: await self._answer(path, token) for path in paths}

        return self._loop.run_until_complete(ask_all())

    def post(self, path: str, **body: object) -> Answer:
        """Return what a stranger is answered who sends that."""
        return self._loop.run_until_complete(self._answer(path, "", body=json.dumps(body).encode()))

    def listen(self, role: str, path: str, meanwhile: Callable[[], object], until: str) -> str:
        """Return what a stream tells while something happens, until a word is in it."""
        token = self._token(role)
        return self._loop.run_until_complete(self._answer(path, token, meanwhile=meanwhile, until=until)).text

    def _token(self, role: str) -> str:
        if role not in self._tokens:
            client = self.place.signed_in(role)
            self._tokens[role] = client.cookies.get(COOKIE) or ""
        return self._tokens[role]

    def _write(self, facts: Sequence[Entry]) -> None:
        with Journal(self.path) as journal, journal.batch():
            for fact in facts:
                if fact.kind == "checkpoint":
                    journal.checkpoint(at_ms=fact.at_ms)
                elif fact.unit is not None and "fields" in fact.body:
                    assert journal.append_event(fact.unit, _event(fact), at_ms=fact.at_ms) == fact.id
                else:
                    assert journal.append(fact.kind, fact.body, at_ms=fact.at_ms, unit=fact.unit) == fact.id

    def _hear(self, facts: Sequence[Entry]) -> None:
        assert self.place.site.witnessing is not None
        self.place.site.witnessing.look(is_last=True)
        news = self.place.fleet.news
        for fact in facts:
            table = "A2" if fact.unit == "U-A2" else "A1"
            if fact.unit is not None and "fields" in fact.body:
                for name in _TAG_NAMES:
                    tag = Event(fact.id, 1, TAG_MS, name, {}, 0, {"tag": TAG, "reader": 4})
                    news.tell(Change(TAG_MS, table, "event", event=tag))
                news.tell(Change(fact.at_ms, table, "event", event=_event(fact)))
            elif fact.kind in CHANGES:
                body = {"text": "", **fact.body, "unit": fact.unit, "entry": fact.id}
                news.tell(Change(fact.at_ms, table, CHANGES[fact.kind], body, deal=_deal(fact)))
        self.place.look()

    async def _answer(
        self,
        wanted: str,
        token: str,
        *,
        body: bytes = b"",
        meanwhile: Callable[[], object] = int,
        until: str = "data:",
    ) -> Answer:
        path, _, query = wanted.partition("?")
        headers = [(b"host", b"127.0.0.1"), (b"cookie", f"{COOKIE}={token}".encode())]
        headers += (
            [(b"content-length", str(len(body)).encode()), (b"content-type", b"application/json")] if body else []
        )
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": "1.1",
            "method": "POST" if body else "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
            "state": {},
        }
        begun, enough = asyncio.Event(), asyncio.Event()
        asked = [{"type": "http.request", "body": body, "more_body": False}]
        status, data, is_stream = 0, b"", False

        async def receive() -> dict[str, Any]:
            if not asked:
                await enough.wait()
            return asked.pop() if asked else {"type": "http.disconnect"}

        async def send(message: Mapping[str, Any]) -> None:
            nonlocal status, data, is_stream
            if message["type"] == "http.response.start":
                status = message["status"]
                is_stream = any(value.startswith(b"text/event-stream") for _, value in message["headers"])
                return
            data += message.get("body", b"")
            begun.set()
            if not message.get("more_body") or (is_stream and until.encode() in data):
                enough.set()

        async def happen() -> None:
            await begun.wait()
            meanwhile()

        await asyncio.gather(self.place.app(scope, receive, send), happen())
        return Answer(status, _text_of(data))


def alike(answer: Answer) -> Answer:
    """An answer without what everybody gets another of."""
    return answer._replace(text=OWN.sub("", answer.text))


def _deal(fact: Entry) -> DealNoted | DealOpened:
    if isinstance(fact.said, DealQuestion):
        return DealOpened(fact.unit or "", fact.id, fact.said)
    return DealNoted(fact.unit or "", fact.body["deal"])


def _event(fact: Entry) -> Event:
    return Event(fact.id, 1, 0, fact.kind, fact.body["fields"])


def _text_of(data: bytes) -> str:
    """A workbook is read as the texts that it is packed of."""
    if not data.startswith(b"PK"):
        return data.decode()
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        return "\n".join(
            book.read(name).decode("utf-8", "replace") for name in book.namelist() if "docProps" not in name
        )


def _nobody_writes(_: Any) -> Any:
    raise AssertionError("a walk changes nothing")
