"""A large event: standings from the journal, and seats.

    .venv-dev/bin/python -m benchmarks.event [--players 400] [--sessions 20] [--deals 10] [--told] [--rehearse 64]

The journal of 400 players and 20 sessions has 20,000 results. The targets are 2 s for the standings, some seconds for
the seats of 256 players in 10 sessions, and 10 minutes for the rehearsal of 64 players and 5 sessions.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table as Grid

from wallwright.event import results, running, setup
from wallwright.event.desk import Desk
from wallwright.event.format_file import load_format, parse_format
from wallwright.event.players import Player, Roster
from wallwright.event.seating import plan_seating
from wallwright.event.seating_check import check_seating
from wallwright.event.standings import standings
from wallwright.event.state import EventState
from wallwright.event.state_parts import MAIN
from wallwright.event.store import read_event
from wallwright.journal import Journal
from wallwright.rehearsal.day import rehearsal_format, rehearse
from wallwright.rules.sichuan.bots import SmartBot
from wallwright.rules.sichuan.declarations import deal_record
from wallwright.rules.sichuan.doubts import doubts, say_of_hands
from wallwright.rules.sichuan.play import play, shuffled_deal
from wallwright.rules.sichuan.records import settlement_record
from wallwright.rules.sichuan.ruleset import load_ruleset
from wallwright.rules.sichuan.settlement import Settlement

TARGET_S = 2.0
REHEARSAL_TARGET_S = 600
REHEARSED_SESSIONS = 5
HALLS = ((16, 5), (24, 5), (32, 8), (40, 10), (61, 10), (64, 5), (100, 10), (128, 10), (255, 10), (256, 10), (400, 20))
DEALS_OF_BOTS = 10
BOARD_EVENTS = 22
"""What a board reports in a deal: walls, keys, dice."""
START_MS = 1_700_000_000_000
MINUTE_MS = 60_000


def settled_deals() -> list[tuple[dict[str, object], Settlement]]:
    """Deals with dealer 0, as a scorer declares them, and what they come to."""
    found = []
    for number in range(DEALS_OF_BOTS):
        chance = Random(number)
        _, deal = shuffled_deal(load_ruleset("sichuan"), 0, chance)
        bot = SmartBot()
        told = play(deal, (bot, bot, bot, bot), chance).declared()
        settlement = told.settle()
        found.append((say_of_hands(deal_record(told), doubts(told, settlement)), settlement))
    return found


def write_event(path: Path, players: int, sessions: int, deals: int, *, told: bool) -> int:
    """Make a journal in which all sessions were played; return its number of entries.

    Results are declared by scorers, or `told` by tables, with as many other events as a table has.
    """
    text = f'base = "chengdu-grand-prix"\nsessions = {sessions}\ndeals = {deals}\n'
    now = START_MS
    with Journal(path) as journal:
        desk = Desk(journal, EventState(), lambda: now, "benchmark")
        setup.create(desk, parse_format(text, "benchmark"))
        roster = Roster(tuple(Player(n, f"Player {n}", f"Club {n % 20}") for n in range(1, players + 1)))
        setup.import_players(desk, roster, "benchmark")
        setup.commit_draw(desk, MAIN, bytes(32))
        setup.reveal_draw(desk, MAIN, bytes(32))
        settled = settled_deals()
        if told:
            for table in range(1, players // 4 + 1):
                setup.bind_table(desk, table, f"T-{table}")
        for session in range(1, sessions + 1):
            with journal.batch():
                running.open_session(desk, session)
                running.start_session(desk, session)
                for sheet in desk.session(session).tables:
                    for deal in range(1, deals + 1):
                        record, settlement = settled[(session + sheet.table + deal) % len(settled)]
                        if told:
                            tell(desk, sheet.table, deal, record, settlement)
                            continue
                        shown = results.preview(desk, session, sheet.table, {"deal": deal, **record})
                        results.record_result(desk, shown, "measured", approved=True)
                now += 61 * MINUTE_MS
                running.stop_session(desk, session)
                for sheet in desk.session(session).tables:
                    running.sign_off(desk, session, sheet.table)
        return desk.state.last


def tell(desk: Desk, table: int, deal: int, record: dict[str, object], settlement: Settlement) -> None:
    """Write what a table's score sheet and board do in a deal."""
    unit, at_ms, events = f"T-{table}", desk.now(), record["events"]
    assert isinstance(events, list)
    for number in range(BOARD_EVENTS):
        fields = {"side": number % 4, "stacks": 14, "after_ms": 18_000}
        desk.append("side_done", {"fields": fields, "time_ms": at_ms}, at_ms=at_ms, unit=unit)
    desk.append("deal_started", {"deal": deal, "dealer": 0, "ruleset": "sichuan"}, at_ms=at_ms, unit=unit)
    for event in events:
        desk.append("declared", {"deal": deal, **event}, at_ms=at_ms, unit=unit)
    shown = {"deal": deal, "end": record["end"], "hands": record["hands"], **settlement_record(settlement)}
    desk.append("deal_result", shown, at_ms=at_ms, unit=unit)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=400)
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--deals", type=int, default=10)
    parser.add_argument("--told", action="store_true", help="let tables tell the results, with all their other events")
    parser.add_argument("--rehearse", type=int, default=64, help="players of the rehearsal, 0 for none")
    chosen = parser.parse_args()
    console = Console(width=110)
    grid = Grid(title=f"Seats; {os.cpu_count()} cores")
    for title in ("players", "sessions", "repeats", "at least", "same table again", "seats differ by", "plan", "check"):
        grid.add_column(title, justify="right")
    for players, sessions in HALLS:
        begin = time.perf_counter()
        plan = plan_seating(range(players), sessions, (), bytes(32))
        planned = time.perf_counter()
        report = check_seating(plan, range(players), ())
        checked = time.perf_counter()
        figures = (players, sessions, report.repeats, report.least_repeats, report.table_repeats, report.seat_spread)
        grid.add_row(*map(str, figures), f"{planned - begin:.2f} s", f"{checked - planned:.2f} s")
    console.print(grid)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "event.journal"
        entries = write_event(path, chosen.players, chosen.sessions, chosen.deals, told=chosen.told)
        begin = time.perf_counter()
        state = read_event(str(path))
        folded = time.perf_counter()
        rows = standings(state).rows
        ranked = time.perf_counter()
    total = ranked - begin
    console.print(
        f"{chosen.players} players, {chosen.sessions} sessions, {entries} entries: read and folded in "
        f"{folded - begin:.2f} s, {len(rows)} rows ranked in {ranked - folded:.2f} s"
    )
    console.print(f"standings within {TARGET_S:g} s: {'reached' if total <= TARGET_S else 'missed'} ({total:.2f} s)")
    if chosen.rehearse:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_DATA_HOME"] = folder
            evening = rehearsal_format(load_format("chengdu-grand-prix"), REHEARSED_SESSIONS)
            begin = time.perf_counter()
            told = rehearse(Path(folder) / "rehearsal.journal", evening, chosen.rehearse, 1)
            total = time.perf_counter() - begin
        assert not told.problems, told.problems
        console.print(
            f"rehearsal of {chosen.rehearse} players, {told.sessions} sessions, {told.deals} deals, "
            f"{told.entries} entries: {total:.0f} s; within {REHEARSAL_TARGET_S} s: "
            f"{'reached' if total <= REHEARSAL_TARGET_S else 'missed'}"
        )


if __name__ == "__main__":
    main()
