"""`wallwright serve`: the console, a hall of tables in a browser."""

import ipaddress
import logging
import secrets
import socket
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from .errors import BadConfig, BadInput, NoEvent
from .wall_clock import wall_ms

if TYPE_CHECKING:
    from .console.demo.hall import DemoHall
    from .console.people.accounts import Accounts
    from .console.site import Site
    from .console.tournament.book import Book
    from .fleet import Fleet, HallConfig

DEFAULT_PORT = 8323
EVERY_ADDRESS = ("0.0.0.0", "::")
"""Listened at, these are all addresses of the machine; in a browser they are none."""

SERVE_HELP = """Show a hall of tables in a browser, and operate them like `wallwright run`, until Ctrl-C or SIGTERM.

Example: wallwright serve --demo, or wallwright serve --config hall.toml, or wallwright serve --event day.journal

With --demo bots play a tournament at a hall of twelve simulated tables, in real time, and things go wrong; everybody
who opens it may do everything, and nothing is kept. With --config the tables of that file are operated. The first start
prints a link that makes the director's account, once; `wallwright users` makes the others.

A tournament that was begun in the hall's own journal is run with it, and what tables tell is in its results. --event
runs one in another journal, which does not hear of that; alone, one at tables that are not automatic, whose deals are
all declared.

The console answers this machine alone. --host 0.0.0.0 lets the hall's network in; give --certificate and --key then,
or passwords cross the network readable to everybody on it.
"""


def add_commands(app: typer.Typer) -> None:
    """Put the command of this module under `app`."""
    app.command("serve", help=SERVE_HELP)(serve)


def serve(
    config: Annotated[Path | None, typer.Option(help="The hall's file, in TOML.")] = None,
    event: Annotated[
        str | None, typer.Option(help="The journal of a tournament to run, a path or URL, if it is not the hall's own.")
    ] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Show a simulated hall.")] = False,
    host: Annotated[str, typer.Option(help="The address to answer at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = DEFAULT_PORT,
    users: Annotated[Path | None, typer.Option(help="The file of accounts; beside the config by default.")] = None,
    certificate: Annotated[Path | None, typer.Option(help="The certificate for TLS, in PEM.")] = None,
    key: Annotated[Path | None, typer.Option(help="Its private key, in PEM.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="With --demo: the same number, the same hall.")] = None,
    log_format: Annotated[str, typer.Option("--log", help="text, json or none.")] = "none",
) -> None:
    """Serve until a signal says that it is enough."""
    if demo == (config is not None or event is not None):
        hint = "the demonstration has tables and a tournament of its own; " if demo else ""
        raise typer.BadParameter(
            f"{hint}give --demo alone, or --config FILE, --event JOURNAL or both",
            param_hint="--demo / --config / --event",
        )
    if (certificate is None) != (key is None):
        raise typer.BadParameter("give both, or none", param_hint="--certificate / --key")
    for file in (certificate, key):
        if file is not None and not file.is_file():
            raise BadInput(f"there is no file {file}; check the path")
    from .console.demo.hall import DemoHall
    from .console.people.accounts import Accounts
    from .event.store import holds_event
    from .fleet import load_hall

    set_up_log(log_format)
    with ExitStack() as stack:
        simulated: DemoHall | None = None
        if event is not None and not holds_event(event):
            raise NoEvent(event)
        if demo:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wallwright-")))
            print("Setting up twelve simulated tables ...", flush=True)
            simulated = stack.enter_context(DemoHall(folder, secrets.randbelow(10_000) if seed is None else seed))
            hall, beside = simulated.config, folder / "demo"
        elif config is not None:
            hall, beside = load_hall(config), config
        else:
            assert event is not None
            hall, beside = _hall_without_tables(event)
        accounts = Accounts(users or beside.with_suffix(".users"))
        stack.callback(accounts.close)
        _operate(hall, event, simulated, accounts, beside.stem, _Listening(host, port, certificate, key))


def _hall_without_tables(event: str) -> tuple["HallConfig", Path]:
    """Return a hall for a tournament whose tables are all of wood, and the path beside which its accounts are."""
    from .fleet import HallConfig
    from .journal.places import is_url

    beside = Path(urlsplit(event).path).name if is_url(event) else event
    return HallConfig(event, Path(beside).with_suffix(".reports"), ()), Path(beside)


class _Listening:
    """Where the console answers, and how."""

    def __init__(self, host: str, port: int, certificate: Path | None, key: Path | None) -> None:
        self.host = host
        self.port = port
        self.certificate = certificate
        self.key = key

    @property
    def is_loopback(self) -> bool:
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def address(self, port: int) -> str:
        scheme = "http" if self.certificate is None else "https"
        host = socket.gethostname() if self.host in EVERY_ADDRESS else self.host
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _operate(
    hall: "HallConfig",
    event: str | None,
    simulated: "DemoHall | None",
    accounts: "Accounts",
    title: str,
    listening: _Listening,
) -> None:
    from .console.hall.calls import restore
    from .console.hall.desk import Desk, Person
    from .console.hall.model import NoProgress
    from .console.people.outbox import Outbox
    from .console.replays.deals import Deals
    from .console.site import Site
    from .fleet import Fleet

    with Fleet(hall) as fleet:
        book = _open_book(hall, event, fleet)
        if simulated is not None:
            simulated.start(fleet, book)
        desk = Desk(fleet, simulated or book or NoProgress(), waiting=restore(hall.journal))
        desk.start()
        outbox = Outbox(accounts, hall.journal, fleet.turn)
        outbox.start()
        site = Site(
            desk,
            accounts,
            wall_ms,
            title=title if book is None else book.view.name,
            guest=None if simulated is None else Person("guest", "director"),
            is_secure=listening.certificate is not None,
            book=book,
            deals=Deals(hall.journal, None if book is None else book.find_ruleset),
        )
        try:
            _answer(site, listening)
        finally:
            outbox.close()
            fleet.news.end()
            desk.close()


def _open_book(hall: "HallConfig", event: str | None, fleet: "Fleet") -> "Book | None":
    """Open the tournament that was asked for, else the one in the hall's own journal, if it has one."""
    from .console.tournament.book import Book
    from .event.store import holds_event
    from .journal.places import is_same

    place = str(hall.journal) if event is None else event
    if event is None and not holds_event(place):
        return None
    if is_same(place, hall.journal):
        book = Book(place, use=fleet.turn)
        how = "in the hall's journal; what tables tell is in its results" if hall.tables else "whose deals are declared"
        print(f"Tournament: {book.view.name}, {how}", flush=True)
        return book
    book = Book(place)
    print(
        f"Tournament: {book.view.name}, in a journal of its own; what tables tell goes into the hall's and does not "
        "reach it, so that every deal is declared",
        flush=True,
    )
    return book


def _answer(site: "Site", listening: _Listening) -> None:
    from .console.server import Server

    server = Server(site, listening.host, listening.port, listening.certificate, listening.key)
    _greet(site, listening, listening.address(server.port))
    server.serve_until_told()


def _greet(site: "Site", listening: _Listening, address: str) -> None:
    print(f"The console: {address}", flush=True)
    if not listening.is_loopback and listening.certificate is None:
        print(
            "warning: whoever is on this network can read the passwords that are typed; "
            "give --certificate and --key, or use it where everybody is trusted",
            file=sys.stderr,
        )
    if site.guest is None and not site.accounts.people():
        token = site.accounts.invite(site.now_ms())
        print(f"The first account is made once, within a day, at {address}/first/{token}", flush=True)


def set_up_log(log_format: str) -> None:
    """Have what the console logs on the standard error, as text or as JSON lines, or not at all."""
    import structlog

    renderers: dict[str, Any] = {
        "text": structlog.dev.ConsoleRenderer(colors=False),
        "json": structlog.processors.JSONRenderer(),
    }
    if log_format not in (*renderers, "none"):
        raise BadConfig("--log", f"{log_format!r} is none of text, json, none")
    logging.basicConfig(level=logging.CRITICAL)
    level = logging.CRITICAL if log_format == "none" else logging.INFO
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            renderers.get(log_format, renderers["json"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
