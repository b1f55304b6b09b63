"""What all endpoints share: the desk, the accounts, and who is asking."""

import hashlib
import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Annotated, cast
from urllib.parse import quote

from anyio import to_thread
from fastapi import Depends, Request
from pydantic import AfterValidator

from ..clocks import lasting_ms
from ..errors import BadName
from ..journal.witness import Signed, Witnessing
from ..words import words
from .feed.feed import Feed
from .hall.calls import OpenDeal
from .hall.desk import Desk
from .hall.releases import Releases
from .hall.shuffling import ShufflingWatch
from .people.access import PUBLIC, check, may_use
from .people.accounts import Accounts
from .people.guesses import Guesses
from .people.limits import Limiter, Tally
from .people.person import Person
from .problems import Forged, TooMany, WrongPassword, WrongPin
from .replays.deals import Deals
from .texts import choose
from .tournament.book import Book
from .tournament.clocks import DealPlace
from .voice import TableNames, Voice

COOKIE = "wallwright_session"
DEVICE = "wallwright_device"
CSRF_HEADER = "x-csrf-token"
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")


@dataclass
class Site:
    """The console of one hall; `deals` are those of its journal, `witnessing` signs the one that the event is in.

    `guest` is who everybody is without signing in: only a demonstration has one. `names` are what the console is called
    beside the machine's own name, as at a proxy.
    """

    desk: Desk
    accounts: Accounts
    now_ms: Callable[[], int]
    title: str = ""
    guest: Person | None = None
    is_secure: bool = False
    limiter: Limiter = field(default_factory=Limiter)
    guesses: Guesses = field(default_factory=Guesses)
    names: frozenset[str] = frozenset()
    open_feed: Feed | None = None
    book: Book | None = None
    deals: Deals | None = None
    witnessing: Witnessing | None = None
    shuffling: ShufflingWatch | None = None
    releases: Releases = field(default_factory=Releases)

    @property
    def feed(self) -> Feed:
        """The server-sent events, which are there while the server runs."""
        assert self.open_feed is not None
        return self.open_feed

    @property
    def event(self) -> Book:
        """The tournament. Raises BadName where there is none."""
        if self.book is None:
            raise BadName(words("this console has no event; start it with `wallwright serve --event JOURNAL`"))
        return self.book

    @property
    def signed(self) -> Signed | None:
        """The newest checkpoint, if there is one."""
        return None if self.witnessing is None else self.witnessing.newest

    def voice(self, language: str) -> Voice:
        """Return a language in which seats and tables are called as the event and the hall do now."""
        if self.book is None:
            return Voice(language)
        tables = self.desk.view.tables
        numbers = {table.name: table.event_table for table in tables if table.event_table is not None}
        names = {**self.book.met(), **{number: name for name, number in numbers.items()}}
        return Voice(language, self.book.seats, TableNames(names, numbers))


def site_of(request: Request) -> Site:
    """Return the site that a request came to."""
    return cast(Site, request.app.state.site)


def language_of(request: Request) -> str:
    """Return the language of a page: of its address, its cookie, or its browser."""
    wanted = request.query_params.get("lang") or request.cookies.get("lang")
    return choose(wanted, request.headers.get("accept-language", ""))


def voice_of(request: Request) -> Voice:
    """Return the language of a page, in which seats and tables are called as they are here.

    About one table of the event it names the players of that table beside their seats, or those of the deal that is
    noted in the request's state.
    """
    site = site_of(request)
    voice = site.voice(language_of(request))
    session, table = (str(request.path_params.get(name, "")) for name in ("session", "table"))
    if site.book is None or not (session.isdecimal() and table.isdecimal()):
        return voice
    deal = getattr(request.state, "deal", None)
    return voice.at(site.book.players_at(int(session), int(table), deal))


def place_of(site: Site, deal: OpenDeal) -> DealPlace | None:
    """Return where in the event a deal was played; None where there is no event."""
    return None if site.book is None else site.book.deal_place(deal.unit, deal.deal, deal.since_ms)


async def _here(request: Request) -> Site:
    return site_of(request)


def token_of(request: Request) -> str:
    """Return the token of the sign-in, empty without one."""
    return request.cookies.get(COOKIE, "")


def device_of(request: Request) -> str:
    """Return the token of a device on which somebody has signed in, empty without one."""
    return request.cookies.get(DEVICE, "")


def address_of(request: Request) -> str:
    """Return where a request comes from, empty if that is not known."""
    return request.client.host if request.client else ""


@contextmanager
def one_try(site: Site, *tallies: Tally) -> Iterator[None]:
    """Count a try before what is within checks it and raises WrongPassword or WrongPin. Raises TooMany.

    What was right ends what was counted in the first of `tallies`, and is none in the others.
    """
    wait_ms = site.limiter.begin(tallies, lasting_ms(site.now_ms))
    if wait_ms:
        raise TooMany(wait_ms)
    try:
        yield
    except (WrongPassword, WrongPin):
        raise
    except Exception:
        site.limiter.take_back(tallies)
        raise
    site.limiter.forget(tallies[:1])
    site.limiter.take_back(tallies[1:])


def csrf_of(token: str) -> str:
    """Return what a page of this sign-in sends with everything that changes something; another site cannot know it."""
    return hmac.new(token.encode("utf-8", "replace"), b"csrf", hashlib.sha256).hexdigest()


def person_of(request: Request) -> Person | None:
    """Return who is asking; None for somebody who is not signed in."""
    return known_person(site_of(request), token_of(request))


def known_person(site: Site, token: str) -> Person | None:
    """Return who has signed in with this token."""
    found = site.accounts.person(token, site.now_ms()) if token else None
    return found or site.guest


async def guard(request: Request) -> Person:
    """Return who is asking, "public" for a guest. Raises NotSignedIn, NotAllowed or Forged; every endpoint has it."""
    # A request without a token needs none of the few threads.
    found = await to_thread.run_sync(person_of, request) if token_of(request) else site_of(request).guest
    person = found or Person("", PUBLIC)
    path = request.scope["route"].path
    check(person.role, request.method, path)
    if request.method in UNSAFE:
        _check_origin(request, person)
    return person


def stays(request: Request) -> Callable[[], bool]:
    """Return what says whether who has opened this stream may still use it."""
    site, token, path = site_of(request), token_of(request), request.scope["route"].path

    def may_stay() -> bool:
        role = (known_person(site, token) or Person("", PUBLIC)).role
        return may_use(role, request.method, path)

    return may_stay


def _check_origin(request: Request, person: Person) -> None:
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
        raise Forged
    if person.role != PUBLIC and not hmac.compare_digest(
        request.headers.get(CSRF_HEADER, "").encode(), csrf_of(token_of(request)).encode()
    ):
        raise Forged


TableName = Annotated[str, AfterValidator(lambda text: text.replace("~1", "/").replace("~0", "~"))]
"""A table's name from a path. No path can say that a / is part of a name: there it is ~1, and ~ is ~0 (RFC 6901)."""


def table_path(name: str) -> str:
    """Return the path of a table, below the pages or the API."""
    return f"/tables/{quote(name.replace('~', '~0').replace('/', '~1'), safe='')}"


Asking = Annotated[Person, Depends(guard)]
Here = Annotated[Site, Depends(_here)]
