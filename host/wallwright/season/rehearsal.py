"""A whole season in minutes: days of several halls, a forged extract, a late correction, the final, all verified.

Everything goes through the code of a real season. The first day is played at simulated tables with their mechanics;
the results of the others are drawn from deals that bots have played, at the desk of a real day.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from msgspec.structs import replace as altered

from ..errors import BadPath, EventRefused
from ..event.desk import Desk
from ..event.draw import SEED_SIZE
from ..event.format import EventFormat
from ..event.players import Player
from ..event.state import EventState
from ..journal import Checkpoint, Journal, printed_key, public_bytes
from ..journal.season_address import SeasonAddress
from ..journal.tree import JournalTree
from ..rehearsal.day import rehearsal_format, rehearse
from .check import verify_season
from .compare import changes
from .days import add_day, read_extract
from .desk import SeasonDesk, admit_hall, create, extracts_of, open_season, read_season
from .drawn_day import DrawnDay, Pool
from .errors import BadExtract
from .extract import make_extract
from .extract_check import check_extract
from .extract_file import Extract, read, sign
from .final import begin_final, commit_draw, contribute, final_rows, reveal_draw
from .format import SeasonFormat
from .qualifiers import qualifiers
from .report.during_play import day_extract, first_entry, send_checkpoint
from .report.receiving import ADDED
from .report.sender import SeasonServer
from .seen import journal_id
from .standings import standings

FIRST_MS = int(datetime(2016, 9, 3, 1, tzinfo=UTC).timestamp() * 1000)
"""Nine o'clock in Chengdu, on a Saturday."""
DAY_MS = 24 * 3600 * 1000
DAYS_APART = 3
FINAL_AFTER = 7
PLAYED_DEALS = 8
"""Deals for each dealer that bots play, and from which results are drawn."""
ONLINE = 1
"""The day that its hall reports by itself."""
Serve = Callable[[str, Ed25519PrivateKey, Callable[[], int]], AbstractContextManager[str]]
"""Takes reports for the season at a place; a key signs, a clock tells ms. Gives the address."""
AT_TABLES = 16
"""Players of the day with mechanics, at the most."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a rehearsal came to. `problems` are sentences, none when everything is as it has to be.

    `checkpoints` came during play, from the hall that reports by itself.

    `came_in`, `went_out` are whom the late correction brought into the final, and who lost a place by it.
    """

    days: int
    halls: int
    players: int
    deals: int
    played_at_tables: int
    extract_bytes: int
    checkpoints: int
    refused: tuple[str, ...]
    came_in: tuple[str, ...]
    went_out: tuple[str, ...]
    finalists: int
    winner: str
    checkpoint: str
    problems: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class _Season:
    """The season as it goes on."""

    folder: Path
    format: SeasonFormat
    event_format: EventFormat
    keys: tuple[Ed25519PrivateKey, ...]
    players: tuple[Player, ...]
    seed: int
    say: Callable[[str], None]
    pool: Pool
    serve: Serve
    deals: int = 0
    checkpoints: int = 0
    at_tables: int = 0
    extract_bytes: int = 0
    refused: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    days: list[tuple[DrawnDay, Ed25519PrivateKey]] = field(default_factory=list)

    @property
    def place(self) -> str:
        """The season's journal."""
        return str(self.folder / "rehearsal.season")

    @contextmanager
    def desk(self) -> Iterator[SeasonDesk]:
        """Take a turn at the season's desk."""
        with open_season(self.place, "rehearsal", lambda: FIRST_MS, new=True) as desk:
            yield desk


def rehearse_season(
    folder: Path,
    season_format: SeasonFormat,
    event_format: EventFormat,
    halls: int,
    players: int,
    seed: int,
    serve: Serve,
    say: Callable[[str], None] = lambda _: None,
) -> Report:
    """Hold a season of so many halls and players in `folder`; everything follows from `seed`.

    `serve` has a server take reports. `say` is told what goes on, a line at a time. BadPath when there is a season in
    the folder already.
    """
    if (folder / "rehearsal.season").exists():
        raise BadPath(f"{folder} has a rehearsed season already; choose another folder")
    chance = Random(f"season {seed}")
    season = _Season(
        folder,
        season_format,
        event_format,
        tuple(Ed25519PrivateKey.from_private_bytes(chance.randbytes(32)) for _ in range(halls)),
        tuple(Player(n, f"Player {n:03d}", f"Club {n % 20}", id=f"R{n:04d}") for n in range(1, players + 1)),
        seed,
        say,
        Pool.played(event_format.sichuan, PLAYED_DEALS, chance),
        serve,
    )
    with season.desk() as desk:
        create(desk, season_format)
        for number, key in enumerate(season.keys, 1):
            admit_hall(desk, f"Hall {number}", printed_key(public_bytes(key)))
    made = _play_days(season, chance)
    _forge(season, *made[-1])
    _add_days(season, made, chance)
    came_in, went_out = _correct_late(season)
    winner, finalists = _play_final(season, chance)
    season.problems += verify_season(season.place)
    with season.desk() as desk:
        checkpoint = desk.checkpoint()
    return Report(
        season_format.days,
        halls,
        players,
        season.deals,
        season.at_tables,
        season.extract_bytes,
        season.checkpoints,
        tuple(season.refused),
        came_in,
        went_out,
        finalists,
        winner,
        checkpoint,
        tuple(season.problems),
    )


def _play_days(season: _Season, chance: Random) -> list[tuple[bytes, str]]:
    """Play the days, halls side by side on each date; return the extract of each with a name."""
    made = []
    a_hall = max(4, len(season.players) // len(season.keys) // 4 * 4)
    there: list[Player] = []
    for number in range(season.format.days):
        date, hall = divmod(number, len(season.keys))
        if not hall:
            there = list(season.players)
            chance.shuffle(there)
        seated = tuple(
            replace(one, number=at) for at, one in enumerate(there[hall * a_hall : (hall + 1) * a_hall][:a_hall], 1)
        )
        path = season.folder / f"day-{number + 1:02d}.journal"
        begins_ms = FIRST_MS + date * DAYS_APART * DAY_MS
        day = DrawnDay(path, season.event_format, seated, begins_ms, season.pool, Random(f"{season.seed} {number}"))
        if number == ONLINE:
            data = _play_online(season, day, season.keys[hall])
        else:
            _play_at_tables(season, day) if not number else day.run()
            data = make_extract(str(path), season.keys[hall])
            made.append((data, f"day-{number + 1:02d}.extract"))
        season.days.append((day, season.keys[hall]))
        season.extract_bytes += len(data)
        found = check_extract(data, path.name).day
        season.deals += sum(one.kind == "counts" for one in found.deals)
        best = found.player(found.standings[0].player).name
        season.say(f"{found.date}, hall {hall + 1}: {len(found.deals)} deals; {best} is the best of the day")
    return made


def _play_at_tables(season: _Season, day: DrawnDay) -> None:
    """Play the day with boards, mechanics and faults."""
    seated = day.players[:AT_TABLES]
    event_format = rehearsal_format(season.event_format, season.event_format.sessions)
    report = rehearse(day.path, event_format, len(seated), season.seed, roster=seated, begins_ms=day.begins_ms)
    season.at_tables = report.deals
    season.problems += report.problems
    season.say(f"the first day was played at {report.tables} simulated tables: {report.deals} deals")


def _play_online(season: _Season, day: DrawnDay, key: Ed25519PrivateKey) -> bytes:
    """Play a day in a hall that reports by itself, by HTTP: a checkpoint after each session, the extract at the end."""
    owner = Ed25519PrivateKey.from_private_bytes(Random(f"season's key {season.seed}").randbytes(32))
    printed = printed_key(public_bytes(owner))
    with season.serve(season.place, owner, lambda: FIRST_MS) as address:
        there = SeasonAddress.told(address, printed)
        server = SeasonServer(there, key)
        stranger = SeasonServer(there, Ed25519PrivateKey.from_private_bytes(bytes(32)))
        with closing(server), closing(stranger):
            day.begin()
            tree, begins, seen = JournalTree(day.path), first_entry(day.path), 0
            for number in range(1, season.event_format.sessions + 1):
                day.go_on(number, first=number)
                tree.follow()
                seen = send_checkpoint(server, tree, Checkpoint.sign(tree.frontier(), key), begins, seen)
                season.checkpoints += 1
            data = day_extract(server, str(day.path), key, journal_id(tree.leaf(begins)))
            _refuse(season, "a day of a stranger's", lambda: stranger.send(data))
            once = server.send(data)
            if once != server.send(data) or once["state"] != ADDED:
                season.problems.append("the day that was reported twice is not there once")
    season.say(f"a hall has reported its day by HTTP: {season.checkpoints} checkpoints, {len(data):,} bytes of extract")
    return data


def _forge(season: _Season, data: bytes, name: str) -> None:
    """Somebody changes a result in an extract, and signs it: by another key, and by the hall's own."""
    extract = read(data, name).extract
    first = extract.results[0]
    forged = _with_points(extract, (first.points[1], first.points[0], *first.points[2:]))
    stranger = Ed25519PrivateKey.from_private_bytes(Random(f"forger {season.seed}").randbytes(32))
    for key in (stranger, season.days[-1][1]):
        _refuse_day(season, sign(forged, key), f"forged-{name}")


def _with_points(extract: Extract, points: tuple[int, int, int, int]) -> Extract:
    if points == extract.results[0].points:
        points = (points[0] + 3, points[1] - 1, points[2] - 1, points[3] - 1)
    return altered(extract, results=(altered(extract.results[0], points=points), *extract.results[1:]))


def _refuse_day(season: _Season, data: bytes, name: str) -> None:
    """Offer an extract that has to be refused."""

    def offer() -> None:
        with season.desk() as desk:
            add_day(desk, data, name)

    _refuse(season, name, offer)


def _refuse(season: _Season, name: str, offer: Callable[[], object]) -> None:
    """Do what has to be refused."""
    try:
        offer()
    except (BadExtract, EventRefused) as error:
        season.refused.append(str(error))
        season.say(f"refused: {error}")
    else:
        season.problems.append(f"{name} was taken, and should have been refused")


def _add_days(season: _Season, made: list[tuple[bytes, str]], chance: Random) -> None:
    """The days come in any order; one comes twice."""
    chance.shuffle(made)
    for data, name in made:
        with season.desk() as desk:
            add_day(desk, data, name)
    _refuse_day(season, *made[0])
    rows = standings(read_season(season.place))
    season.say(f"{len(season.days)} days are in the season; {rows[0].name} leads with {rows[0].total}")


def _correct_late(season: _Season) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A deal of the last day is corrected, so that the best of it without a place in the final has one after all."""
    before = {one.person: one.name for one in qualifiers(read_season(season.place))}
    day, key = season.days[-1]
    old = make_extract(str(day.path), key)
    found = check_extract(old, day.path.name).day
    ids = {one.number: one.id for one in found.players}
    lucky = next(row for row in found.standings if row.rank is not None and ids[row.player] not in before)
    deal = next(one for one in found.deals if lucky.player in one.seats and one.kind == "counts" and not one.fines)
    behind = int(found.standings[0].total - lucky.total) // 3 + 40
    points = [one - behind for one in deal.points]
    points[deal.seats.index(lucky.player)] += 4 * behind
    a, b, c, d = points
    day.correct(deal.session, deal.table, deal.deal, (a, b, c, d), "the hand was read wrongly; the appeal was upheld")
    data = make_extract(str(day.path), key)
    with season.desk() as desk:
        taken = add_day(desk, data, f"{day.path.stem}-corrected.extract", reason="an appeal was upheld")
    _refuse_day(season, old, f"{day.path.stem}.extract")
    folder = extracts_of(season.place)
    assert taken.before is not None
    both = (read_extract(folder, one).day for one in (taken.before, taken.day))
    for one in list(changes(*both))[:2]:
        season.say(f"corrected: {one.what}: {one.before} -> {one.after}")
    after = {one.person: one.name for one in qualifiers(read_season(season.place))}
    came_in = tuple(name for person, name in after.items() if person not in before)
    went_out = tuple(name for person, name in before.items() if person not in after)
    if not came_in:
        season.problems.append("the late correction was to change who qualifies, and did not")
    season.say(f"in the final after all: {', '.join(came_in)}; no longer: {', '.join(went_out) or 'nobody'}")
    return came_in, went_out


def _play_final(season: _Season, chance: Random) -> tuple[str, int]:
    """Draw the final's seats, play it, add it; return who has won, and how many there were."""
    secret = chance.randbytes(SEED_SIZE)
    with season.desk() as desk:
        commit_draw(desk, secret)
        contribute(desk, "the hall", f"{chance.randint(1, 6)} {chance.randint(1, 6)}")
        reveal_draw(desk, secret)
        state = desk.state
    begins_ms = max(day.begins_ms for day, _ in season.days) + FINAL_AFTER * DAY_MS
    path = season.folder / "final.journal"
    final = DrawnDay(path, season.event_format, (), begins_ms, season.pool, Random(f"final {season.seed}"))
    with Journal(path) as journal, journal.batch():
        begin_final(state, Desk(journal, EventState(), lambda: begins_ms, "rehearsal"), season.event_format)
    final.go_on()
    with season.desk() as desk:
        add_day(desk, make_extract(str(path), season.keys[0]), "final.extract", is_final=True)
    rows = final_rows(read_season(season.place))
    season.say(f"final of {len(rows)}: {rows[0].name} wins with {rows[0].total}")
    return rows[0].name, len(rows)
