"""`wallwright track`: a deal that is over, from what readers told of it in a journal."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from ..errors import BadDeal, BadEnrolment, BadSetting
from ..journal.entry import Entry
from ..journal.kinds import deal_of, plain, stored
from ..journal.kinds.deals import DealResult
from ..journal.kinds.tables import WallsUp
from ..rules.core.errors import RulesError
from ..rules.core.followed import followed_game
from ..system.streams import say
from ..tiles.enrolment import enrolment_path, load_enrolment
from ..tracking.moves import Moves, moves_lines, moves_record
from ..tracking.notes import note_deal
from ..tracking.outcome import Account, Outcome
from ..tracking.reported_reads import rules_of_deal, track_journal
from .log.arguments import AsJson, PathArgument

HELP = """Work out a finished deal from the reads of its tile readers.

\b
Examples: wallwright track hall.journal --deal 12 --unit EAST-7
          wallwright track hall.journal --deal 12 --unit EAST-7 --answer 1 --write

Prints the deal move by move, or one question with its answers, the likeliest first; --answer chooses one. With --write
the deal goes into the journal: its moves, and its result where nobody has declared one. Exit code 1: a question is
open, or the moves could not be followed.

With --json: {"unit": "EAST-7", "deal": 12, "moves": {...}, "question": null, "answers": [], "problem": "", "notices":
[{"at_ms": 80120, "text": "..."}]}; moves as `wallwright log export` has them, null while a question is open.
"""


def track(
    path: PathArgument,
    deal: Annotated[int, typer.Option(min=1, help="Number of the deal, as in the event walls_up.")],
    unit: Annotated[str, typer.Option(help="The table, when several have that deal.")] = "",
    ruleset: Annotated[str, typer.Option(help="The rules played, where the journal does not say.")] = "sichuan",
    tiles: Annotated[Path | None, typer.Option(help="List of tags, if it is not this machine's own.")] = None,
    answer: Annotated[int, typer.Option(min=0, help="Answer the question: the number of the answer.")] = 0,
    write: Annotated[bool, typer.Option("--write", help="Write the deal into the journal.")] = False,
    as_json: AsJson = False,
) -> None:
    """Track one deal; exit with 1 when it is not settled."""
    from ..journal import read_journal

    entries = list(read_journal(path))
    table = unit or _only_table(entries, deal)
    source = tiles or enrolment_path(table)
    enrolment = load_enrolment(source)
    if enrolment is None:
        raise BadEnrolment(f"there is no list of tags at {source}; enrol the table, or name its list with --tiles")
    try:
        rules = rules_of_deal(_of_deal(entries, table, deal), followed_game(ruleset).followed({"ruleset": ruleset}))
    except RulesError as error:
        raise BadDeal(deal, f"it cannot be tracked: {error}; declare its result") from error
    outcome = track_journal(entries, deal, rules, enrolment)
    account = _answered(outcome, answer)
    if as_json:
        print(json.dumps(_record(table, deal, outcome, account), ensure_ascii=False))
    else:
        say(table, *_lines(deal, outcome, account))
    if account is None:
        raise typer.Exit(1)
    if write:
        _write(path, entries, table, deal, outcome, account)


def _only_table(entries: Sequence[Entry], deal: int) -> str:
    tables = sorted(
        {entry.unit or "" for entry in entries if isinstance(entry.said, WallsUp) and entry.said.deal == deal}
    )
    if len(tables) != 1:
        have = f"{', '.join(tables)} each have one; say which with --unit" if tables else "no walls went up for it"
        raise BadDeal(deal, have)
    return tables[0]


def _of_deal(entries: Sequence[Entry], table: str, deal: int) -> list[Entry]:
    """The host's records of that deal."""
    return [one for one in entries if one.unit == table and one.seq is None and deal_of(one.said) == deal]


def _answered(outcome: Outcome, answer: int) -> Account | None:
    if outcome.question is None:
        if answer:
            raise BadSetting("there is no question to answer; leave --answer out")
        return outcome.account
    if answer > len(outcome.question.answers):
        raise BadSetting(f"the question has {len(outcome.question.answers)} answers; --answer {answer} is none of them")
    return outcome.question.answers[answer - 1].account if answer else None


def _lines(deal: int, outcome: Outcome, account: Account | None) -> list[str]:
    lines: list[str] = []
    if account is not None:
        notices = (*account.notices, *outcome.notices)
        lines += moves_lines(Moves(deal, account.deal, account.times, account.doubtful, notices))
    else:
        lines += [f"Referee: {notice.text}" for notice in outcome.notices]
        if outcome.question is not None:
            lines.append(outcome.question.text)
            lines += [f"  {number}. {one.text}" for number, one in enumerate(outcome.question.answers, 1)]
        else:
            lines.append(outcome.problem)
    return lines


def _record(table: str, deal: int, outcome: Outcome, account: Account | None) -> dict[str, object]:
    question = outcome.question
    return {
        "unit": table,
        "deal": deal,
        "moves": None if account is None else plain(moves_record(deal, account, outcome.notices)),
        "question": None if question is None else question.text,
        "answers": [] if question is None else [one.text for one in question.answers],
        "problem": outcome.problem,
        "notices": [{"at_ms": notice.at_ms, "text": notice.text} for notice in outcome.notices],
    }


def _write(path: str, entries: Sequence[Entry], table: str, deal: int, outcome: Outcome, account: Account) -> None:
    """Append the deal; with its result unless one is there."""
    from ..journal import Journal

    at_ms = entries[-1].at_ms
    with Journal(path) as journal:
        if any(isinstance(entry.said, DealResult) for entry in _of_deal(entries, table, deal)):
            journal.append(*stored(moves_record(deal, account, outcome.notices)), at_ms=at_ms, unit=table)
        else:
            note_deal(account, deal, journal, unit=table, clock=lambda: at_ms, start={}, notices=outcome.notices)
