"""`wallwright serve`: the console, a hall of tables in a browser."""

import ipaddress
import logging
import secrets
import socket
import sys
import tempfile
from collections.abc import Hashable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import urlsplit

import typer

from ..clocks import wall_ms
from ..console.listening import CONNECTIONS, Listening
from ..errors import BadConfig, BadInput, NoEvent
from ..system.heartbeat import Heartbeat
from .reporting import ReportTo, SeasonCertificate, SeasonKey, find_season, season_server, signing

if TYPE_CHECKING:
    from ..console.demo.hall import DemoHall
    from ..console.guard import Site
    from ..console.people.accounts import Accounts
    from ..console.tournament.book import Book
    from ..fleet import Fleet, HallConfig

DEFAULT_PORT = 8323
EVERY_ADDRESS = ("0.0.0.0", "::")
"""Listened at, these are all addresses of the machine; in a browser they are none."""

HELP = """Show a hall of tables in a browser, and operate them like `wallwright run`, until Ctrl-C or SIGTERM.

Example: wallwright serve --demo, or wallwright serve --config hall.toml, or wallwright serve --event day.journal, or
wallwright serve --season year.season

With --demo bots play a tournament at a hall of twelve simulated tables, in real time, with faults; every visitor may do
everything, and nothing is kept; --game balsall, or another ruleset, sets the tables to that game. With --config it
operates the tables of that file. The first start prints a link that makes the director's account, once; `wallwright
users` makes the others.

A tournament in the hall's own journal runs with it, and takes the results that tables report. --event runs a tournament
in another journal, which gets no reports; without --config it runs one at tables that are not automatic, where people
declare every deal.

--season shows the pages of a season to everybody, as `wallwright season publish` writes them; nobody signs in there.
Halls that the season has admitted report to it: --report-to sends the season's server each checkpoint of the tournament
as it is signed, and the day's extract when all sessions are published (docs/season.md).

A checkpoint of the journal is signed every two minutes; players' pages and the hall's screen show it. Each --witness
keeps them as well: a file, better on another disk, or a URL that takes a POST (docs/witnesses.md).

The console answers this machine alone. --host 0.0.0.0 lets the hall's network in; give --certificate and --key then,
or passwords cross the network readable to everybody on it.

Before a network that is not the hall's own stands a reverse proxy, as deploy/ in the sources sets it up; then give
--proxy 127.0.0.1 --name hall.example. Nobody else is believed where they say that they come from.
"""


def serve(
    config: Annotated[Path | None, typer.Option(help="The hall's file, in TOML.")] = None,
    event: Annotated[
        str | None, typer.Option(help="The journal of a tournament to run, a path or URL, if it is not the hall's own.")
    ] = None,
    season: Annotated[str | None, typer.Option(help="The journal of a season to show.")] = None,
    demo: Annotated[bool, typer.Option("--demo", help="Show a simulated hall.")] = False,
    game: Annotated[str | None, typer.Option(help="With --demo: the ruleset that is played there.")] = None,
    host: Annotated[str, typer.Option(help="The address to answer at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = DEFAULT_PORT,
    users: Annotated[Path | None, typer.Option(help="The file of accounts; beside the config by default.")] = None,
    certificate: Annotated[Path | None, typer.Option(help="The certificate for TLS, in PEM.")] = None,
    key: Annotated[Path | None, typer.Option(help="Its private key, in PEM.")] = None,
    proxy: Annotated[
        list[str] | None, typer.Option(help="The address of a reverse proxy, whose headers about clients are trusted.")
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option(help="A host name by which browsers reach it, beside the machine's own.")
    ] = None,
    connections: Annotated[int, typer.Option(min=20, help="How many there may be at once.")] = CONNECTIONS,
    backup: Annotated[Path | None, typer.Option(help="The folder of backups, if not the hall's file says it.")] = None,
    backup_every: Annotated[int | None, typer.Option(min=1, help="Minutes between two of them; 10 by default.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="With --demo: the same number, the same hall.")] = None,
    witness: Annotated[
        list[str] | None,
        typer.Option(help="A file or URL that keeps checkpoints, besides the config's; may be repeated."),
    ] = None,
    report_to: ReportTo = None,
    season_key: SeasonKey = None,
    season_certificate: SeasonCertificate = None,
    log_format: Annotated[str, typer.Option("--log", help="text, json or none.")] = "none",
) -> None:
    """Serve until a signal says that it is enough."""
    if [demo, season is not None, config is not None or event is not None].count(True) != 1:
        hint = "the demonstration has tables and a tournament of its own; " if demo else ""
        raise typer.BadParameter(
            f"{hint}give --demo alone, or --season JOURNAL alone, or --config FILE, --event JOURNAL or both",
            param_hint="--demo / --season / --config / --event",
        )
    if game is not None:
        _check_game(game, is_demo=demo)
    if (certificate is None) != (key is None):
        raise typer.BadParameter("give both, or none", param_hint="--certificate / --key")
    for file in (certificate, key):
        if file is not None and not file.is_file():
            raise BadInput(f"there is no file {file}; check the path")
    proxies, names = _checked_proxies(proxy or []), frozenset(map(_checked_name, name or []))
    listening = Listening(host, port, certificate, key, proxies, connections)
    set_up_log(log_format)
    if season is not None:
        if any((users, proxies, names, backup, backup_every, witness, report_to)):
            raise typer.BadParameter("give it --host, --port, --certificate, --key alone", param_hint="--season")
        _show_season(season, listening)
        return
    from ..console.people.accounts import Accounts
    from ..event.store import holds_event
    from ..fleet import load_hall
    from ..journal.witness_places import find_witness

    witnesses = tuple(map(find_witness, witness or ()))
    reported = find_season(report_to, season_key, season_certificate)
    with ExitStack() as stack:
        simulated = None
        if event is not None and not holds_event(event):
            raise NoEvent(event)
        if demo:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wallwright-")))
            beside = folder / "demo"
            chosen = secrets.randbelow(10_000) if seed is None else seed
        elif config is not None:
            hall, beside = load_hall(config), config
        else:
            assert event is not None
            hall, beside = _hall_without_tables(event)
        accounts = Accounts(users or beside.with_suffix(".users"))
        stack.callback(accounts.close)
        listening.check()
        if demo:
            from ..console.demo.hall import DemoHall
            from ..rules.core.registry import DEFAULT

            print("Setting up twelve simulated tables ...", flush=True)
            simulated = stack.enter_context(DemoHall(folder, chosen, game or DEFAULT))
            hall = simulated.config
        if backup is not None:
            hall = replace(hall, backup=backup)
        if backup_every is not None:
            hall = replace(hall, backup_every_min=backup_every)
        hall = replace(hall, witnesses=(*hall.witnesses, *witnesses))
        hall = hall if reported is None else replace(hall, season=reported)
        _operate(hall, event, simulated, accounts, beside.stem, listening, names)


def _show_season(place: str, listening: Listening) -> None:
    from ..console.season.reports import Desk
    from ..console.season.served import SeasonServer, Shown, make_season_app
    from ..journal import signing_key
    from ..season.asking import asking
    from ..season.report.receiving import Reports

    shown = Shown(place, lambda: asking(place))
    try:
        desk = Desk(Reports(place), signing_key())
        server = SeasonServer(make_season_app(shown, desk), listening)
        address = _address(listening, server.port)
        print(f"The season: {address}", flush=True)
        print(f"Halls report to it with `wallwright season report DAY {address} {desk.printed}`", flush=True)
        server.serve_until_told()
    finally:
        shown.close()


def _check_game(game: str, *, is_demo: bool) -> None:
    if not is_demo:
        problem = "a hall's file says by which rules it plays (rules = ...), a tournament's format by which it does"
        raise typer.BadParameter(f"{problem}; give it with --demo", param_hint="--game")
    from ..console.demo.event import format_of
    from ..event.format import OWN_DEALS
    from ..play.people import check_bots
    from ..rules.core.errors import RulesError
    from ..rules.found import as_game, find_rules

    try:
        rules = find_rules(game)
    except RulesError as error:
        raise typer.BadParameter(str(error), param_hint="--game") from error
    check_bots(as_game(rules))
    if format_of(rules).duplicate != OWN_DEALS:
        problem = f"{game} is played by pairs and teams, and the players of the demonstration have no partners"
        raise typer.BadParameter(f"{problem}; try `wallwright rehearse --format mil-2025-pairs`", param_hint="--game")


def _checked_proxies(given: list[str]) -> tuple[str, ...]:
    for one in given:
        try:
            ipaddress.ip_address(one)
        except ValueError:
            raise BadInput(f"--proxy {one}: give the proxy's address, as 127.0.0.1 or fd00::1") from None
    return tuple(given)


def _checked_name(given: str) -> str:
    from ..console.addresses import host_of

    if host_of([(b"host", given.encode())]) != given.lower():
        raise BadInput(f"--name {given}: give a host name alone, as hall.example, without https:// and port")
    return given.lower()


def _hall_without_tables(event: str) -> tuple["HallConfig", Path]:
    """Return a hall for a tournament whose tables are all of wood, and the path beside which its accounts are."""
    from ..fleet import HallConfig
    from ..journal.places import is_url

    beside = Path(urlsplit(event).path).name if is_url(event) else event
    return HallConfig(event, Path(beside).with_suffix(".reports"), ()), Path(beside)


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _address(listening: Listening, port: int) -> str:
    scheme = "http" if listening.certificate is None else "https"
    host = socket.gethostname() if listening.host in EVERY_ADDRESS else listening.host
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _operate(
    hall: "HallConfig",
    event: str | None,
    simulated: "DemoHall | None",
    accounts: "Accounts",
    title: str,
    listening: Listening,
    names: frozenset[str],
) -> None:
    from ..backup.schedule import backing_up
    from ..console.guard import Site
    from ..console.hall.calls import restore
    from ..console.hall.desk import Desk
    from ..console.hall.model import NoProgress
    from ..console.hall.shuffling import ShufflingWatch
    from ..console.people.outbox import Outbox
    from ..console.people.person import Person
    from ..console.replays.deals import Deals
    from ..fleet import Fleet
    from ..journal.addresses import is_same, reach

    reach(hall.journal)
    server = season_server(hall, event or str(hall.journal))
    journals = (hall.journal,) if event is None or is_same(event, hall.journal) else (hall.journal, event)
    backups = backing_up(hall, journals, (*hall.files, accounts.path))
    with Fleet(hall) as fleet, backups as backup_problem, ExitStack() as ending:
        book = _open_book(hall, event, fleet)
        if simulated is not None:
            simulated.start(fleet, book)
        shuffling = ShufflingWatch(hall.journal)
        desk = Desk(
            fleet,
            simulated or book or NoProgress(),
            waiting=restore(hall.journal),
            backup_problem=backup_problem,
            shuffling=shuffling.of,
        )
        desk.listen(shuffling.hear)
        desk.start()
        shuffling.start()
        ending.callback(shuffling.close)
        ending.callback(desk.close)
        ending.callback(fleet.news.end)
        outbox = Outbox(accounts, hall.journal, fleet.turn)
        outbox.start()
        # Of the journal that standings are made from.
        signed, turn = (hall.journal, fleet.turn) if book is None else (book.place, book.turn)
        witnessing = ending.enter_context(signing(hall, str(signed), turn, server, partial(_when_over, book)))
        ending.callback(outbox.close)
        site = Site(
            desk,
            accounts,
            wall_ms,
            title=title if book is None else book.view.name,
            guest=None if simulated is None else Person("guest", "director"),
            is_secure=listening.certificate is not None,
            book=book,
            names=names,
            deals=Deals(hall.journal, None if book is None else book.find_ruleset),
            witnessing=witnessing,
            shuffling=shuffling,
        )
        _answer(site, listening, Heartbeat(desk.is_looking, fleet.keeps_journal))


def _when_over(book: "Book | None") -> Hashable | None:
    from ..event.disclosure import when_over

    return None if book is None else book.ask(lambda desk: when_over(desk.state))


def _open_book(hall: "HallConfig", event: str | None, fleet: "Fleet") -> "Book | None":
    """Open the tournament that was asked for, else the one in the hall's own journal, if it has one."""
    from ..console.tournament.book import Book
    from ..event.store import holds_event
    from ..journal.addresses import is_same

    place = str(hall.journal) if event is None else event
    if event is None and not holds_event(place):
        return None
    if is_same(place, hall.journal):
        book = Book(place, use=fleet.turn, followed=fleet.event)
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


def _answer(site: "Site", listening: Listening, heart: Heartbeat) -> None:
    from ..console.server import Server, brace

    server = Server(site, listening, heart)
    brace()
    # Whoever has read the address may end it at once.
    with server.capture_signals():
        _greet(site, listening, _address(listening, server.port))
        server.serve_until_told()


def _greet(site: "Site", listening: Listening, address: str) -> None:
    print(f"The console: {address}", flush=True)
    if not _is_loopback(listening.host) and listening.certificate is None:
        print(
            "warning: anybody on this network can read the passwords that people type; "
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
    logging.basicConfig(level=logging.CRITICAL, format="%(message)s")
    # What a person has to hear of is said in any case.
    logging.getLogger("wallwright").setLevel(logging.WARNING)
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
