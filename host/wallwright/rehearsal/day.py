"""A whole day in minutes: draw, sessions, faults, mistakes, a restart of the host, standings; on simulated tables.

Everything goes through the code of a real day: players and draw through `setup`, clocks through `running`, results
from the tables' score sheets in the journal, or through `results`. Only time is virtual: of all tables the one that is
furthest behind goes on, so entries come in the order of a real hall, to a deal.
"""

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from ..duplicate.announced import announced
from ..duplicate.deals import BREAK, OWN, Deals
from ..duplicate.drawing import draw_deals
from ..errors import BadPath
from ..event import results, running, sanctions, setup
from ..event.desk import Desk
from ..event.draw import SEED_SIZE
from ..event.format import OWN_DEALS, WINNERS, EventFormat
from ..event.lifecycle import FINAL
from ..event.movement import move_on
from ..event.pairs import SIZES
from ..event.players import Player, Roster
from ..event.same_deals import commit_deals, reveal_deals
from ..event.score_origins import number as number_of
from ..event.standings import Standings, standings
from ..event.state import EventState
from ..event.state_parts import MAIN, Session
from ..event.table_sheet import TableSheet
from ..journal import Journal, read_journal, verify_journal
from ..journal.kinds.tables import WallPrescribed
from ..journal.rolls import WRONG, check_dice
from ..play.people import check_bots
from .tables import FAULTS, BoardTable, HandTable, RehearsalTable
from .walls import walls_of_others

DAY_START_MS = int(datetime(2026, 1, 3, 9, tzinfo=UTC).timestamp() * 1000)
MINUTE_MS = 60_000
BREAK_MS = 15 * MINUTE_MS
SWAP_MINUTES = 6
"""What it takes to carry another table in; the players get it back."""
SEEDS = 1000
"""Every day has so many seeds: those of its tables, from SPARES on those of the spares."""
SPARES = 500
JAM = "jam lane {side} at {at} s frees 60 %"
BROKEN_LIFT = "stall lift {side} at {at} s"
POWER_CUT = "cut power at {at} s for 3 s"


@dataclass(frozen=True, slots=True)
class Report:
    """What a rehearsal came to. `problems` are sentences, none when everything is as it has to be.

    `waits` counts the deals whose players had shown their hands and had to wait for the next walls; the first deals of
    sessions and of tables that were carried in are left out. `prescribed` counts the walls that boards have built as
    they were drawn beforehand.
    """

    players: int
    sessions: int
    tables: int
    deals: int
    annulled: int
    swapped: int
    rolls: int
    waits: int
    longest_wait_ms: int
    prescribed: int
    entries: int
    checkpoint: str
    table: Standings
    problems: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return it as plain values, with the first three."""
        played = ("players", "sessions", "tables", "deals", "annulled", "swapped", "rolls", "waits", "longest_wait_ms")
        figures = (*played, "prescribed", "entries", "checkpoint")
        best = [{"rank": row.rank, "name": row.name, "total": str(row.total)} for row in self.table.rows[:3]]
        return {name: getattr(self, name) for name in figures} | {"best": best, "problems": list(self.problems)}


@dataclass(slots=True)
class _Hall:
    """The day as it goes on. `now_ms` is the hall's clock."""

    desk: Desk
    journal: Journal
    seed: int
    say: Callable[[str], None]
    chance: Random
    now_ms: int = DAY_START_MS
    tables: dict[int, RehearsalTable] = field(default_factory=dict)
    swapped: int = 0
    waits: list[int] = field(default_factory=list)
    plans: list[tuple[int, Callable[[], None]]] = field(default_factory=list)
    deals: Deals | None = None


def rehearse(
    path: Path,
    event_format: EventFormat,
    players: int,
    seed: int,
    say: Callable[[str], None] = lambda _: None,
    *,
    roster: tuple[Player, ...] = (),
    begins_ms: int = DAY_START_MS,
) -> Report:
    """Play all sessions of the format with so many players into the new journal `path`; everything follows from `seed`.

    `say` is told what goes on, a line at a time. `roster` are the players where they have names already.
    """
    check_bots(event_format.game)
    if path.exists():
        raise BadPath(f"{path} is there already, and a rehearsal begins a new journal; choose another path")
    with Journal(path) as journal:
        state = EventState()
        desk = Desk(journal, state, lambda: hall.now_ms, "rehearsal")
        hall = _Hall(desk, journal, seed, say, Random(f"hall {seed}"), begins_ms)
        _set_up(hall, event_format, players, roster)
        checkpoint = ""
        try:
            for number in range(1, event_format.sessions + 1):
                checkpoint = _session(hall, path, number)
        finally:
            for table in hall.tables.values():
                table.close()
        if hall.deals is not None:
            reveal_deals(desk, hall.deals)
    return _report(path, hall, checkpoint)


def _set_up(hall: _Hall, event_format: EventFormat, players: int, roster: tuple[Player, ...]) -> None:
    desk = hall.desk
    setup.create(desk, event_format)
    size = SIZES.get(event_format.duplicate)
    clubs = [f"Club {number % 10}" if size is None else f"Pair {-(-number // size)}" for number in range(players + 1)]
    invented = (Player(number, f"Player {number}", clubs[number]) for number in range(1, players + 1))
    setup.import_players(desk, Roster(roster or tuple(invented)), "rehearsal")
    secret = hall.chance.randbytes(SEED_SIZE)
    odd = bool(players % 4)
    setup.commit_draw(desk, MAIN, secret, stand_ins=odd and size is None, byes=odd and size is not None)
    setup.contribute(desk, MAIN, "the hall", f"{hall.chance.randint(1, 6)} {hall.chance.randint(1, 6)}")
    report = setup.reveal_draw(desk, MAIN, secret)
    hall.say(f"seats drawn: {report.repeats} pairs meet again, {report.clashes} clashes at one table")
    count = len(desk.session(1).tables)
    if event_format.duplicate != OWN_DEALS:
        _draw_deals(hall, event_format)
    for table in range(1, count + 1):
        # With more than one table, the last one has no board.
        if 1 < table == count:
            hall.tables[table] = HandTable(hall.seed, desk, hall.now_ms, hall.deals)
            continue
        faults = _faults(hall.chance, table) if hall.deals is None else ""
        board = _board(hall, hall.seed * SEEDS + table, hall.now_ms, faults, table)
        hall.tables[table] = board
        setup.bind_table(desk, table, board.unit)


def _draw_deals(hall: _Hall, event_format: EventFormat) -> None:
    """All deals of the day and one spare deal, committed to."""
    rules = event_format.sichuan
    count = event_format.sessions * event_format.deals
    draws = OWN if rules.own_walls else BREAK
    hall.deals = draw_deals("rehearsal", rules.as_game().preset, draws, count, 1, hall.chance.randbytes)
    commit_deals(hall.desk, announced(hall.deals))
    how = "tables sort their tiles, the last one's walls are built by curtain cards"
    hall.say(f"{count} deals drawn for all tables, and one spare; {how}")


def _board(hall: _Hall, seed: int, at_ms: int, faults: str, table: int) -> BoardTable:
    """A table with a board at the place of a number, which builds what is left of the deals there."""
    if hall.deals is None:
        return BoardTable(seed, hall.desk, at_ms, faults)
    known, state = hall.desk.state.deals, hall.desk.state
    assert known is not None
    a_session = hall.desk.format.deals
    first = 1 if state.playing is None else state.playing.number
    sheet = state.sheet(first, table)
    next_deal = 1 if sheet is None else sheet.next_deal
    left = [
        known.number(session, deal, a_session)
        for session in range(first, hall.desk.format.sessions + 1)
        for deal in range(next_deal if session == first else 1, a_session + 1)
    ]
    return BoardTable(seed, hall.desk, at_ms, faults, hall.deals, left)


def _faults(chance: Random, table: int) -> str:
    """What goes wrong with a table of the day: the first one breaks, the second loses its power, some others jam."""
    if table == 1:
        return BROKEN_LIFT.format(side=chance.randrange(4), at=chance.randint(400, 900))
    if table == 2:
        return POWER_CUT.format(at=chance.randint(1000, 1500))
    return JAM.format(side=chance.randrange(4), at=chance.randint(5, 15)) if table % 3 == 0 else ""


def _session(hall: _Hall, path: Path, number: int) -> str:
    desk = hall.desk
    running.open_session(desk, number)
    if number == 2 and hall.deals is None:
        _substitute(hall, desk.session(number))
    for table, one in list(hall.tables.items()):
        with hall.journal.batch():
            try:
                one.wait_until(hall.now_ms)
            except FAULTS as error:
                _carry_in(hall, table, hall.now_ms, str(error))
    # A table may be a little ahead: it has finished what it was doing.
    hall.now_ms = max(hall.now_ms, *(table.now_ms for table in hall.tables.values()))
    running.start_session(desk, number)
    session = desk.session(number)
    hall.plans = _plans(hall, session)
    _play(hall, session)
    hall.now_ms = max(hall.now_ms, *(table.now_ms for table in hall.tables.values()))
    running.stop_session(desk, number)
    checkpoint = ""
    for sheet in session.tables:
        if sheet.unapproved:
            # The walls were up in time, and the dice were rolled a moment after.
            results.approve(desk, number, sheet.table)
        checkpoint = running.sign_off(desk, number, sheet.table) or checkpoint
    running.publish(desk, number)
    if number == 1:
        _correct(hall, session)
        _restart(hall, path)
    hall.now_ms = max(hall.now_ms, desk.session(number).published_ms) + desk.format.appeal_minutes * MINUTE_MS
    running.finalise(desk, number)
    deals = sum(len(sheet.counted()) for sheet in desk.session(number).tables)
    best = standings(desk.state).rows[0]
    total = number_of(best.total)
    hall.say(f"session {number}: {deals} deals at {len(session.tables)} tables; {best.name} leads with {total}")
    hall.now_ms += BREAK_MS
    return checkpoint


def _play(hall: _Hall, session: Session) -> None:
    """Let every table play as long as its clock and its deals permit, each deal in one transaction of the journal."""
    going: dict[int, Iterator[Any]] = {}
    waiting = [(table.now_ms, number) for number, table in hall.tables.items()]
    heapq.heapify(waiting)
    # Where winners move on, these wait until all tables have played the deal.
    played: list[int] = []
    while waiting or played:
        if not waiting:
            waiting = _move_winners(hall, session, played, going)
        at_ms, number = heapq.heappop(waiting)
        hall.now_ms = max(hall.now_ms, at_ms)
        while hall.plans and hall.plans[0][0] <= hall.now_ms:
            hall.plans.pop(0)[1]()
        sheet = session.tables[number - 1]
        if not running.may_start_deal(hall.desk.state, sheet, hall.now_ms):
            continue
        with hall.journal.batch():
            has_played = _play_deal(hall, sheet, going)
        if has_played and hall.desk.format.movement == WINNERS:
            played.append(number)
        else:
            heapq.heappush(waiting, (hall.tables[number].now_ms, number))


def _play_deal(hall: _Hall, sheet: TableSheet, going: dict[int, Iterator[Any]]) -> bool:
    """Let a table play a deal; say whether it has, or another one was carried in."""
    number, is_first = sheet.table, sheet.table not in going
    if is_first:
        going[number] = hall.tables[number].deals(sheet)
    try:
        report = next(going[number])
    except FAULTS as error:
        _swap(hall, sheet, str(error))
        del going[number]
        return False
    if report is not None and report.waited_ms and not is_first:
        hall.waits.append(report.waited_ms)
    return True


def _move_winners(
    hall: _Hall, session: Session, played: list[int], going: dict[int, Iterator[Any]]
) -> list[tuple[int, int]]:
    """All tables have played a deal: winners change places, and the tables go on together. `played` is empty then."""
    hall.now_ms = max(hall.now_ms, *(hall.tables[number].now_ms for number in played))
    move_on(hall.desk, session.number)
    for number in played:
        try:
            hall.tables[number].wait_until(hall.now_ms)
        except FAULTS as error:
            _swap(hall, session.tables[number - 1], str(error))
            del going[number]
    waiting = sorted((hall.tables[number].now_ms, number) for number in played)
    played.clear()
    return waiting


def _swap(hall: _Hall, sheet: TableSheet, why: str) -> None:
    """A table has failed in a session: its deal is annulled, another one is carried in, the time is given back."""
    desk = hall.desk
    hall.now_ms = max(hall.now_ms, hall.tables[sheet.table].now_ms)
    if sheet.in_play is not None:
        results.annul(desk, sheet.session, sheet.table, why)
    _carry_in(hall, sheet.table, hall.now_ms + SWAP_MINUTES * MINUTE_MS, why)
    running.add_time(desk, sheet.session, SWAP_MINUTES, why, sheet.table)


def _carry_in(hall: _Hall, table: int, arrives_ms: int, why: str) -> None:
    """Put a spare in the place of a table that has failed."""
    hall.tables[table].close()
    spare = _board(hall, hall.seed * SEEDS + SPARES + hall.swapped, arrives_ms, "", table)
    setup.bind_table(hall.desk, table, spare.unit, why)
    hall.tables[table] = spare
    hall.swapped += 1
    hall.say(f"table {table} was swapped: {why.partition(':')[0]}")


def _plans(hall: _Hall, session: Session) -> list[tuple[int, Callable[[], None]]]:
    """What happens in the hall besides playing."""
    if session.number > 1:
        return []
    desk, number = hall.desk, session.number
    late = session.tables[0].players[1]
    return [
        (hall.now_ms + 10 * MINUTE_MS, lambda: running.pause(desk, number, "the lights went out")),
        (hall.now_ms + 15 * MINUTE_MS, lambda: running.end_pause(desk, number)),
        (hall.now_ms + 20 * MINUTE_MS, lambda: _warn(desk, late, number)),
    ]


def _warn(desk: Desk, player: int, session: int) -> None:
    sanctions.give_penalty(desk, player, "warning", "a phone rang", session=session)


def _substitute(hall: _Hall, session: Session) -> None:
    out = session.tables[-1].players[2]
    sanctions.substitute(hall.desk, session.number, out, "A helper of the hall", "was called away")


def _correct(hall: _Hall, session: Session) -> None:
    """A player appeals: two seats were swapped in the last table's first deal, and it is put right twice."""
    desk = hall.desk
    sheet = session.tables[-1]
    number = min(sheet.deals)
    a, b, c, d = sheet.deals[number].points
    fines = sheet.deals[number].fines
    # The fines stay with whoever had them, so only two seats without any can be swapped by points alone.
    if fines == 0:
        place = (desk, session.number, sheet.table, number)
        results.correct_points(*place, (b, a, c, d), "seats 0 and 1 were swapped")
        results.correct_points(*place, (a, b, c, d), "they were not, after all")


def _restart(hall: _Hall, path: Path) -> None:
    """The host starts again: whatever it knows, it knows from the journal."""
    before = standings(hall.desk.state)
    hall.desk.state = EventState().apply_all(read_journal(path))
    if standings(hall.desk.state) != before:
        raise AssertionError("the journal tells other standings than the host had")


def _report(path: Path, hall: _Hall, checkpoint: str) -> Report:
    state = EventState().apply_all(read_journal(path))
    verdict = verify_journal(path)
    rolls = check_dice(read_journal(path))
    sheets = [sheet for session in state.sessions.values() for sheet in session.tables]
    problems = [finding.text for finding in verdict.findings] + state.notes
    if rolls.count(WRONG):
        problems.append(f"{rolls.count(WRONG)} rolls of the dice are wrong")
    for sheet, deal in results.unbalanced(hall.desk):
        problems.append(f"session {sheet.session}, table {sheet.table}, deal {deal.deal} does not sum to zero")
    if standings(state) != standings(hall.desk.state):
        problems.append("the journal tells other standings than the host had")
    problems += [text for table in hall.tables.values() for text in table.wrong]
    problems += walls_of_others(read_journal(path), hall.desk.format.game)
    problems += [f"session {one.number} is {one.state}" for one in state.sessions.values() if one.state != FINAL]
    assert state.format is not None
    return Report(
        len(state.players),
        state.format.sessions,
        len(hall.tables),
        sum(len(sheet.counted()) for sheet in sheets),
        sum(len(sheet.past) for sheet in sheets),
        hall.swapped,
        len(rolls.rolls),
        len(hall.waits),
        max(hall.waits, default=0),
        sum(one.said.match for one in read_journal(path) if isinstance(one.said, WallPrescribed)),
        verdict.head.id,
        checkpoint,
        standings(state),
        tuple(problems),
    )


def rehearsal_format(event_format: EventFormat, sessions: int) -> EventFormat:
    """Return the format with so many sessions and no final; all sessions count when they are no whole groups."""
    best = event_format.best_of if event_format.best_of and sessions % event_format.best_of[1] == 0 else ()
    return replace(event_format, sessions=sessions, best_of=best, final_players=0, final_sessions=0)
