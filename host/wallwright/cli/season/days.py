"""`wallwright season add | withdraw | days | check | verify`: days, and whether what they say is proved."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ...season.errors import BadExtract
from ..event.common import AsJson, By, Reason, print_done, print_lines, print_rows, who
from .common import DayName, Jobs, Season, extract_in

ADD_HELP = """Take a day: its extract, or its journal, of which an extract is made with this machine's key.

\b
Examples:
  wallwright season add year.season day.extract
  wallwright season add year.season day.extract --reason "a result was corrected after an appeal"
  wallwright season add year.season final.extract --final
  wallwright season add year.season 6191a2c6e9ec2b1c --reason "the hand was read wrongly"

Signature and proofs are checked first; what does not hold, or does not fit the season, is refused, and nothing of it is
taken. A later extract of a day that is there takes its place for a --reason; both stay in the season's journal, and
`wallwright season days` shows what has changed. An earlier one, a second copy and a fork are named as what they are.
What a hall has sent by itself and waits for a reason is called by its extract, as `wallwright season days` lists it.
"""
WITHDRAW_HELP = """Take a day out of the season.

Example: wallwright season withdraw year.season 1d829cb3 --reason "the hall had the wrong rules"
"""
DAYS_HELP = """List the days, or show one with all that was changed about it.

\b
Examples:
  wallwright season days year.season
  wallwright season days year.season 2016-09-03

What halls have reported by themselves and is no day yet is listed too: days in play, and extracts that wait for
somebody's reason.
"""
CHECK_HELP = """Check an extract by itself: signature, proofs, and that the standings follow.

\b
Examples:
  wallwright season check day.extract --key J2...
  wallwright season check day.extract --checkpoint WALLWRIGHT2:840:K5...:J2...:7Q...
  wallwright season check day.extract --journal day.journal

--checkpoint: what was published or photographed; the extract's journal has to fit it. --journal: the journal makes the
extract anew, and all but the signature is compared, byte by byte.
"""
VERIFY_HELP = """Verify a season: its journal, every extract in it, who was drawn for the final.

Example: wallwright season verify year.season --checkpoint WALLWRIGHT2:31:K5...:J2...:7Q...

With --jobs 4 four processes check the extracts; with the address of a scheduler (`wallwright study scheduler`) its
workers do, on as many machines as there are. What is said is the same. The exit code is 1 when something is wrong.
"""
SHORTEST = 8
"""Digits by which an extract that waits is called."""
Checkpoints = Annotated[
    list[str] | None, typer.Option("--checkpoint", help="A checkpoint as printed; may be repeated.")
]
Key = Annotated[str | None, typer.Option("--key", help="The key, as it is printed, that has to have signed.")]


def add_commands(app: typer.Typer) -> None:
    """Put the commands of this module under `app`."""
    app.command("add", help=ADD_HELP)(add)
    app.command("withdraw", help=WITHDRAW_HELP)(withdraw)
    app.command("days", help=DAYS_HELP)(days)
    app.command("check", help=CHECK_HELP)(check)
    app.command("verify", help=VERIFY_HELP)(verify)


def add(
    place: Season,
    source: Annotated[
        str, typer.Argument(metavar="EXTRACT", help="The extract, a file or https://..., or the day's journal.")
    ],
    final: Annotated[bool, typer.Option("--final", help="It is the final.")] = False,
    reason: Reason = "",
    by: By = "",
    as_json: AsJson = False,
) -> None:
    """Take a day."""
    from ...season.days import REPLACED, add_day
    from ...season.desk import open_season

    data = _waiting(place, source) or _extract_of(source)
    with open_season(place, who(by)) as desk:
        taken = add_day(desk, data, source, is_final=final, reason=reason)
        hall = desk.state.hall(taken.day)
    day = taken.day
    done = "takes the place of the extract before" if taken.what == REPLACED else "is in the season"
    ranked = sum(one.rank is not None for one in day.results)
    text = (
        f"{day.name} of {day.date} ({day.day[:8]}), {hall}: {done}; {ranked} players, {day.status.replace('_', ' ')}."
    )
    print_done(as_json, text, day=day.day, what=taken.what, date=day.date, hall=hall, players=ranked, status=day.status)


def withdraw(place: Season, day: DayName, reason: Reason, by: By = "", as_json: AsJson = False) -> None:
    """Take a day out."""
    from ...season.days import withdraw_day
    from ...season.desk import open_season

    with open_season(place, who(by)) as desk:
        gone = withdraw_day(desk, day, reason)
    print_done(as_json, f"{gone.name} of {gone.date} ({gone.day[:8]}) counts no more.", day=gone.day)


def days(
    place: Season,
    day: Annotated[str | None, typer.Argument(metavar="[DAY]", help="One day: id or date.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the days, or show one."""
    from ...season.compare import changes
    from ...season.days import find_day, read_extract
    from ...season.desk import extracts_of, read_season
    from ...season.papers import days_paper, reports_paper

    state = read_season(place)
    if day is None:
        print_rows([*days_paper(state), *reports_paper(place, state)], as_json)
        return
    found, folder = find_day(state, day), extracts_of(place)
    told: list[dict[str, Any]] = []
    states = [*(past.day for past in found.past), found.day]
    for past, old, new in zip(found.past, states, states[1:], strict=False):
        before, after = (read_extract(folder, one).day for one in (old, new))
        same = {"replaced": old.extract[:8], "by": new.extract[:8], "reason": past.reason}
        told += [{**same, "what": one.what, "before": one.before, "after": one.after} for one in changes(before, after)]
    if not told and not as_json:
        print(f"{found.day.name} of {found.day.date}: its extract {found.day.extract} is as it was added.")
        return
    print_rows(told, as_json)


def check(
    path: Annotated[Path, typer.Argument(metavar="EXTRACT", help="The extract.")],
    checkpoint: Checkpoints = None,
    key: Key = None,
    journal: Annotated[str | None, typer.Option(help="The day's journal.")] = None,
    as_json: AsJson = False,
) -> None:
    """Check an extract."""
    from ...journal import Checkpoint, read_key, signing_key
    from ...season.extract import rebuild
    from ...season.extract_check import check_extract
    from ...season.extract_file import LONGEST, read
    from ...system.disk import read_whole

    data = read_whole(path, LONGEST)
    wanted = None if key is None else read_key(key)
    checked = check_extract(data, str(path), wanted, [Checkpoint.parse(one) for one in checkpoint or ()])
    day = checked.day
    if journal is not None:
        made = read(rebuild(journal, checked.signed.extract, signing_key()), journal).extract
        if _unsigned(made) != _unsigned(checked.signed.extract):
            raise BadExtract(str(path), f"{journal} makes another extract; one of the two was changed")
    rest = "; the journal makes the same" if journal is not None else ""
    text = (
        f"{day.name} of {day.date}: {len(day.deals)} deals of {len(day.players)} players are proved under the "
        f"checkpoint of entry {day.size}, signed by {day.hall}{rest}."
    )
    print_done(as_json, text, day=day.id, date=day.date, key=day.hall, entries=day.size, deals=len(day.deals))


def verify(
    place: Season, checkpoint: Checkpoints = None, key: Key = None, jobs: Jobs = "1", as_json: AsJson = False
) -> None:
    """Verify a season."""
    from ...journal import Checkpoint, read_key
    from ...season.check import verify_season
    from ...season.desk import read_season
    from ...study.jobs import check_jobs

    printed = [Checkpoint.parse(one) for one in checkpoint or ()]
    check_jobs(jobs)
    problems = list(verify_season(place, printed, None if key is None else read_key(key), jobs))
    if problems:
        print_lines(problems, as_json, "problems")
        raise typer.Exit(1)
    count = len(read_season(place).days)
    print_done(
        as_json, f"The journal and the extracts of {count} days hold, and say the same.", problems=[], days=count
    )


def _waiting(place: str, wanted: str) -> bytes | None:
    """Return an extract that waits in the season, by the beginning of its SHA-256; None when none is called so."""
    from ...season.desk import read_season
    from ...season.report.waiting import waiting_of

    if len(wanted) < SHORTEST or Path(wanted).exists():
        return None
    found = [path for one, path in waiting_of(place, read_season(place)) if one.extract.startswith(wanted)]
    return found[0].read_bytes() if len(found) == 1 else None


def _extract_of(source: str) -> bytes:
    """Return the extract in a file, or that of a journal."""
    from ...journal import signing_key
    from ...season.extract import make_extract

    data = extract_in(source)
    return make_extract(source, signing_key()) if data is None else data


def _unsigned(extract: Any) -> Any:
    """Return what an extract says, whoever has signed it."""
    import msgspec

    from ...journal import Checkpoint

    signed = Checkpoint.parse(extract.checkpoint)
    return msgspec.structs.replace(extract, checkpoint=f"{signed.entry} {signed.hash.hex()}")
